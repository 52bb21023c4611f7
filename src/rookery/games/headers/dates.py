"""The day a game was played: the header UTCDate, or Date where a game has none.

Of many old games only the year is known, or the year and the month. So there are two forms of a day:

- ``date``, a day of the calendar; missing unless year, month and day are known;
- a number like 18860500, with zeros for what is not known (`rookery.pgn.scan.headers.reading.date_at` reads it). The
  column ``year`` is made of it.

A table has the day in its column ``date``. It has no column ``Date``, since DuckDB, Spark and BigQuery do not
distinguish names by case. If the header Date is another day, it is among the tags, with the value null for a game
without the header, so that the games can be restored.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.frames.columns import Lists, Numbers, Texts
from rookery.pgn.scan.headers.values import read_dates
from rookery.pgn.scan.output import PAD

DATES: Final = ("UTCDate", "Date")  # the first that a game has counts
YEAR: Final = "year"  # the name of the column


def days_of(texts: Texts) -> tuple[NDArray[np.int32], Numbers, NDArray[np.bool_]]:
    """Return the dates of texts as numbers and as days, and whether the text is what PGN writes for a known day.

    >>> dates, days, usual = days_of(Texts.of(["1886.??.??", "2000.1.1", "2025.05.01", "?"]))
    >>> dates.tolist()
    [18860000, 20000101, 20250501, 0]
    >>> days.to_numpy().astype(str).tolist()
    ['NaT', '2000-01-01', '2025-05-01', 'NaT']
    >>> usual.tolist()
    [False, False, True, False]
    """
    n = texts.size
    dates, days, usual = np.empty(n, np.int32), np.empty(n, np.int64), np.empty(n, np.bool_)
    read_dates(texts.offsets, np.append(texts.data, np.zeros(PAD, np.uint8)), dates, days, usual)
    dates[~texts.valid] = 0
    return dates, Numbers(days.astype("M8[D]"), _are_days(dates)), usual & texts.valid


def _are_days(dates: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which numbers of dates are known days."""
    known: NDArray[np.bool_] = (dates >= 10000) & (dates // 100 % 100 > 0) & (dates % 100 > 0)
    return known


def numbers_of(days: Numbers) -> NDArray[np.int32]:
    """Return days of the calendar as numbers like 20250501, zero for missing days."""
    values = days.values.astype("M8[D]")
    months = values.astype("M8[M]")
    years_of = values.astype("M8[Y]")
    year = years_of.astype(np.int64) + 1970
    month = (months - years_of).astype(np.int64) + 1
    day = (values - months).astype(np.int64) + 1
    known = days.valid & (year >= 1) & (year <= 9999)
    return np.where(known, (year * 100 + month) * 100 + day, 0).astype(np.int32)


Stated: TypeAlias = tuple[NDArray[np.int32], NDArray[np.bool_]]  # dates, and whether they are known days


def dates_of_games(stated: Mapping[str, Stated], n: int) -> NDArray[np.int32]:
    """Return the date of each of `n` games from those that its headers state: a known day, or else a known year."""
    given = [stated[name] for name in DATES if name in stated]
    if given and given[0][1].all():  # nearly always
        return given[0][0]
    found = np.zeros(n, np.int32)
    for dates, are_days in given:
        found = np.where((found == 0) & are_days, dates, found)
    for least in (10000, 1):
        for dates, _ in given:
            found = np.where((found == 0) & (dates >= least), dates, found)
    return found


def dates_in(headers: Mapping[str, Any], tags: Lists | None, n: int) -> NDArray[np.int32]:
    """Return the date of each of `n` games from its columns of headers and the tags that these do not reproduce."""
    stated = {}
    for name in DATES:
        column = headers.get(name)
        if column is None and tags is None:
            continue
        dates = np.zeros(n, np.int32)
        if isinstance(column, Texts):
            dates = days_of(column)[0]
        elif isinstance(column, Numbers) and column.values.dtype.kind == "M":
            dates = numbers_of(column)
        if tags is not None and (rows := tags.rows_where("name", name)).size:
            dates[tags.lists_of(rows)] = days_of(tags.columns["value"].chosen(rows))[0]
        stated[name] = dates, _are_days(dates)
    return dates_of_games(stated, n)


def years(dates: NDArray[np.int32]) -> Numbers:
    """Return the years of dates, missing where they are not known.

    >>> years(np.array([18860500, 501, 0])).to_numpy().tolist()
    [1886, None, None]
    """
    values = (dates // 10000).astype(np.int16)
    return Numbers(values, values > 0)


def day_played(headers: Mapping[str, Any]) -> Numbers | None:
    """Return the day of each game from its headers; None if there is neither a column UTCDate nor Date."""
    days = [
        column if isinstance(column, Numbers) else days_of(column)[1]
        for name in DATES
        if isinstance(column := headers.get(name), (Numbers, Texts))
    ]
    if not days:
        return None
    first, last = days[0], days[-1]
    return Numbers(np.where(first.valid, first.values, last.values), first.valid | last.valid)


def tags_for_table(headers: Mapping[str, Any], tags: Lists) -> Lists:
    """Return the tags, with the header Date added for each game whose header Date is not the day it was played."""
    date, utc = headers["Date"], headers["UTCDate"]
    stated = np.zeros(tags.size, np.bool_)
    stated[tags.lists_of(tags.rows_where("name", "Date"))] = True
    other = np.flatnonzero(utc.valid & ~stated & (~date.valid | (date.values != utc.values)))
    if not other.size:
        return tags
    texts = np.char.replace(date.values[other].astype(str), "-", ".").tolist()
    values = Texts.of([text if known else None for text, known in zip(texts, date.valid[other], strict=True)])
    added = {"name": Texts.of(["Date"] * other.size), "value": values}
    both = {name: Texts.joined([column, added[name]]) for name, column in tags.columns.items()}
    places = np.concatenate([tags.lists_of(np.arange(tags.columns["name"].size)), other])
    order = np.argsort(places, kind="stable")
    offsets = np.searchsorted(places[order], np.arange(tags.size + 1))
    return Lists(offsets, {name: column.chosen(order) for name, column in both.items()})


def from_table(days: Numbers, tags: Lists | None) -> tuple[Numbers, Lists | None]:
    """Return the header Date of each game, and the tags without those that the column reproduces."""
    if tags is None:
        return days, None
    rows = tags.rows_where("name", "Date")
    texts = tags.columns["value"].chosen(rows)
    _, found, usual = days_of(texts)
    values, valid = days.values.copy(), days.valid.copy()
    games = tags.lists_of(rows)
    valid[games] = found.valid
    values[games[found.valid]] = found.values[found.valid]
    kept = np.ones(tags.columns["name"].size, np.bool_)
    kept[rows] = texts.valid & ~usual
    return Numbers(values, valid), tags if kept.all() else tags.with_rows(np.flatnonzero(kept))
