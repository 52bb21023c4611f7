"""Columns that are computed from headers: ``date`` and ``year``, and ``base``, ``increment`` and ``speed``.

date        the day a game was played: UTCDate, or Date where a game has none; missing unless it is complete
year        its year, known for ``1886.??.??``, too
base        the seconds of the first period of TimeControl
increment   the seconds added for each move
speed       ultraBullet, bullet, blitz, rapid, classical or correspondence: see `rookery.pgn.time_control`

A table that lacks the headers may have columns of these names, which are then headers like others.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.frames.columns import Numbers, Texts
from rookery.games.headers.dates import DATES, YEAR, day_played, years
from rookery.games.headers.header_types import HEADER_DTYPES, Header, header_text
from rookery.lazy_imports import compile_later
from rookery.pgn.time_control import SPEEDS, time_controls

DATE: Final = "date"
_OF_TIME_CONTROL: Final = ("base", "increment", "speed")
SOURCES: Final = {DATE: DATES, YEAR: DATES} | dict.fromkeys(_OF_TIME_CONTROL, ("TimeControl",))


def computed_header(name: str, headers: Mapping[str, Header], dates: NDArray[np.int32] | None = None) -> Header | None:
    """Return a computed column, or None if there is no column of a header that it is computed from.

    `dates` are the dates of the games as numbers, for the year.

    >>> column = Texts.of(["180+2", "-", None])
    >>> computed_header("base", {"TimeControl": column}).to_numpy().tolist()
    [180.0, None, None]
    >>> computed_header("speed", {"TimeControl": column}).to_numpy().tolist()
    ['blitz', 'correspondence', None]
    """
    if name == DATE:
        return day_played(headers)
    if not any(source in headers for source in SOURCES[name]):
        return None
    if name == YEAR:
        return None if dates is None else years(dates)
    column = headers["TimeControl"]
    if not isinstance(column, Texts):
        return _nothing(name, column.size)
    found = time_controls(column.offsets, column.data)
    if name == "speed":
        speeds: Texts = _SPEED_TEXTS.chosen(np.where(column.valid, found.speed, 0).astype(np.int64))
        return speeds
    values: NDArray[np.float64] = getattr(found, name)
    valid = column.valid & ~np.isnan(values)
    return Numbers(np.where(valid, values, 0.0), valid)


_SPEED_TEXTS: Final = Texts.of([None, *SPEEDS])


def _nothing(name: str, n: int) -> Header:
    return Texts.of([None] * n) if name == "speed" else Numbers(np.zeros(n), np.zeros(n, np.bool_))


def with_sources(names: Iterable[str]) -> list[str]:
    """Return names of headers, with those of the headers that computed columns need in place of computed ones.

    >>> with_sources(["White", "speed", "year"])
    ['White', 'TimeControl', 'UTCDate', 'Date']
    """
    return list(dict.fromkeys(source for name in names for source in SOURCES.get(name, (name,))))


def table_columns(headers: Mapping[str, Header], dates: NDArray[np.int32]) -> dict[str, Any]:
    """Return the computed columns of a table with these headers, without the date."""
    columns = {name: computed_header(name, headers, dates) for name in SOURCES if name != DATE and name not in headers}
    return {name: column for name, column in columns.items() if column is not None}


_DTYPES: Final = HEADER_DTYPES | {DATE: "M8[D]", YEAR: "i2", "base": "f8", "increment": "f8"}
_NUMBER: Final = compile_later(r"[+-]?[0-9]{1,5}")
_MOST: Final = np.iinfo(np.int16).max


def missing_header(name: str, n: int) -> Header:
    """Return the column of a header that none of `n` games has.

    >>> missing_header("WhiteElo", 2).to_numpy().tolist()
    [None, None]
    """
    if name not in _DTYPES:
        return Texts.of([None] * n)
    return Numbers(np.zeros(n, _DTYPES[name]), np.zeros(n, np.bool_))


def typed_header(name: str, column: Header | None, n: int) -> Header:
    """Return the column of a header of `n` games with the type that this header has in every table.

    A text that is no such number becomes a missing value.

    >>> typed_header("WhiteElo", Texts.of(["2100", "2100?"]), 2).to_numpy().tolist()
    [2100, None]
    """
    if column is None:
        return missing_header(name, n)
    if name not in _DTYPES:
        return column if isinstance(column, Texts) else Texts.of([header_text(name, column, i) for i in range(n)])
    if isinstance(column, Numbers):
        return Numbers(column.values.astype(_DTYPES[name], copy=False), column.valid)
    if _DTYPES[name] != "i2":
        return missing_header(name, n)
    numbers = [int(text) if text is not None and _NUMBER.fullmatch(text) else _MOST + 1 for text in column]
    values = np.array(numbers, np.int64)
    valid = np.abs(values) <= _MOST
    return Numbers(np.where(valid, values, 0).astype(np.int16), valid)
