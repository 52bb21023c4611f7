"""The columns of headers: their types, and their values as the text of PGN."""

from typing import Any, Final, TypeAlias

import numpy as np

from rookery.frames.columns import Numbers, Texts
from rookery.frames.reading import column_of
from rookery.positions.language.grammar import DATE, NUMBER, TIME
from rookery.positions.language.headers import KINDS

Header: TypeAlias = Numbers | Texts

# The types of headers that are numbers, dates and times. All others are texts.
HEADER_DTYPES: Final = {name: {NUMBER: "i2", DATE: "M8[D]", TIME: "m8[s]"}[kind] for name, kind in KINDS.items()}
_TABLE_DTYPES: Final = {**HEADER_DTYPES, "date": "M8[D]"}


def header_column(name: str, array: Any) -> Header:
    """Return the column of a header from an Arrow array; ratings and rating differences become int16.

    >>> import pyarrow
    >>> header_column("WhiteElo", pyarrow.array([2100.0, float("nan")])).to_numpy().tolist()
    [2100, None]
    """
    return column_of(name, array, _TABLE_DTYPES.get(name))


def is_number(name: str) -> bool:
    """Check whether a header is a whole number: a rating or the change of one.

    >>> is_number("WhiteElo")
    True
    """
    return HEADER_DTYPES.get(name) == "i2"


def header_text(name: str, column: Header, i: int) -> str | None:
    """Return value `i` of the column of a header as PGN text, or None if it is missing.

    >>> header_text("UTCDate", Numbers(np.array(["2025-05-01"], "M8[D]"), np.array([True])), 0)
    '2025.05.01'
    >>> header_text("WhiteRatingDiff", Numbers(np.array([8], np.int16), np.array([True])), 0)
    '+8'
    """
    if isinstance(column, Texts):
        return column.text(i)
    return _number_text(name, column.values[i]) if column.valid[i] else None


def _number_text(name: str, value: Any) -> str:
    kind = value.dtype.kind
    if kind == "M":
        return str(value).replace("-", ".")
    if kind == "m":
        seconds = int(value.astype(np.int64))
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if kind in "fb":
        return str(value.item()).removesuffix(".0")
    return f"{int(value):+}" if name.endswith("Diff") else str(int(value))
