"""Columns of games: numbers, texts, and lists of them, each of which can be cut, chosen from and joined."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from rookery.positions.moves import chosen_from

Index = NDArray[np.int64]

# The types of headers that are numbers, dates and times; all others are texts.
HEADER_DTYPES: Final = {
    **dict.fromkeys(("WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"), "i2"),
    **dict.fromkeys(("UTCDate", "Date"), "M8[D]"),
    "UTCTime": "m8[s]",
}


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Numbers of one type; where `valid` is False there is none."""

    values: NDArray[Any]
    valid: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """How many."""
        return int(self.values.size)

    def cut(self, start: int, stop: int) -> Self:
        """A stretch, as views."""
        return type(self)(self.values[start:stop], self.valid[start:stop])

    def chosen(self, index: Index) -> Self:
        """Those at some places, copied."""
        return type(self)(self.values[index], self.valid[index])

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Several end to end."""
        return cls(np.concatenate([p.values for p in parts]), np.concatenate([p.valid for p in parts]))

    def text(self, name: str, i: int) -> str | None:
        """The value at a place as PGN has it in the header `name`, or None.

        >>> Numbers(np.array(["2025-05-01"], "M8[D]"), np.array([True])).text("UTCDate", 0)
        '2025.05.01'
        >>> Numbers(np.array([8], np.int16), np.array([True])).text("WhiteRatingDiff", 0)
        '+8'
        """
        if not self.valid[i]:
            return None
        value, kind = self.values[i], self.values.dtype.kind
        if kind == "M":
            return str(value).replace("-", ".")
        if kind == "m":
            seconds = int(value.astype(np.int64))
            return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        if kind in "fb":
            return str(value.item()).removesuffix(".0")
        return f"{int(value):+}" if name.endswith("Diff") else str(int(value))

    def to_numpy(self) -> Any:
        """A masked array; dates and times are ``datetime64`` and ``timedelta64`` with NaT where there is none."""
        if self.values.dtype.kind in "mM":
            out = self.values.copy()
            out[~self.valid] = "NaT"
            return out
        return np.ma.MaskedArray(self.values, ~self.valid)


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Texts in UTF-8, end to end: the i-th is ``data[offsets[i]:offsets[i + 1]]``, none where `valid` is False."""

    offsets: NDArray[np.int64]
    data: NDArray[np.uint8]
    valid: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """How many."""
        return int(self.offsets.size - 1)

    def text(self, i: int) -> str | None:
        """The i-th."""
        if not self.valid[i]:
            return None
        return self.data[self.offsets[i] : self.offsets[i + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str | None]:
        return (self.text(i) for i in range(self.size))

    def to_numpy(self) -> NDArray[np.object_]:
        """An array of str, None where there is none."""
        out = np.empty(self.size, object)
        out[:] = list(iter(self))
        return out

    def cut(self, start: int, stop: int) -> Self:
        """A stretch; the texts are not copied."""
        offsets = self.offsets[start : stop + 1]
        data = self.data[offsets[0] : offsets[-1]]
        return type(self)(offsets - offsets[0], data, self.valid[start:stop])

    def chosen(self, index: Index) -> Self:
        """Those at some places, copied."""
        offsets, flat = chosen_from(self.offsets, index)
        return type(self)(offsets, self.data[flat], self.valid[index])

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Several end to end."""
        return cls(
            joined_offsets([p.offsets for p in parts]),
            np.concatenate([p.data for p in parts]),
            np.concatenate([p.valid for p in parts]),
        )

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> Self:
        """The column of some texts."""
        codes = [(text or "").encode() for text in texts]
        offsets = np.zeros(len(codes) + 1, np.int64)
        np.cumsum([len(code) for code in codes], out=offsets[1:])
        valid = np.array([text is not None for text in texts], np.bool_)
        return cls(offsets, np.frombuffer(b"".join(codes), np.uint8), valid)


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """For each game some rows of several columns, by name: those of game i are ``offsets[i]`` to ``offsets[i + 1]``."""

    offsets: NDArray[np.int64]
    columns: dict[str, Any]  # NumPy arrays or `Texts`

    @property
    def size(self) -> int:
        """How many lists."""
        return int(self.offsets.size - 1)

    def cut(self, start: int, stop: int) -> Self:
        """A stretch; rows are not copied."""
        offsets = self.offsets[start : stop + 1]
        a, b = int(offsets[0]), int(offsets[-1])
        return type(self)(offsets - a, {name: _cut(column, a, b) for name, column in self.columns.items()})

    def chosen(self, index: Index) -> Self:
        """Those at some places, copied."""
        offsets, flat = chosen_from(self.offsets, index)
        return type(self)(offsets, {name: _chosen(column, flat) for name, column in self.columns.items()})

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Several end to end."""
        names = parts[0].columns
        return cls(
            joined_offsets([p.offsets for p in parts]),
            {name: _joined([p.columns[name] for p in parts]) for name in names},
        )

    def with_rows(self, rows: Index) -> Self:
        """Return the lists with some of their rows, which ascend, copied."""
        columns = {name: _chosen(column, rows) for name, column in self.columns.items()}
        return type(self)(np.searchsorted(rows, self.offsets), columns)

    def rows_where(self, column: str, text: str) -> Index:
        """Return the rows whose text in a column is the given one."""
        texts, code = self.columns[column], np.frombuffer(text.encode(), np.uint8)
        rows = np.flatnonzero(np.diff(texts.offsets) == code.size)
        letters = texts.data[texts.offsets[rows][:, None] + np.arange(code.size)]
        found: Index = rows[(letters == code).all(axis=1)]
        return found

    def lists_of(self, rows: Index) -> Index:
        """Return the list that each row belongs to."""
        return np.searchsorted(self.offsets, rows, "right") - 1

    def rows(self, i: int) -> list[tuple[Any, ...]]:
        """The rows of the i-th list."""
        part = self.cut(i, i + 1)
        return list(zip(*(list(c) if isinstance(c, Texts) else c.tolist() for c in part.columns.values()), strict=True))


Column = TypeVar("Column", Numbers, Texts, Lists)


def _cut(column: Any, start: int, stop: int) -> Any:
    return column.cut(start, stop) if isinstance(column, Texts) else column[start:stop]


def _chosen(column: Any, index: Index) -> Any:
    return column.chosen(index) if isinstance(column, Texts) else column[index]


def _joined(parts: Sequence[Any]) -> Any:
    return Texts.joined(parts) if isinstance(parts[0], Texts) else np.concatenate(parts)


def alike(a: Any, b: Any) -> bool:
    """Whether two columns, or two arrays, hold the same; of what is missing that it is."""
    if isinstance(a, Numbers) and isinstance(b, Numbers):
        same = a.values.dtype == b.values.dtype and np.array_equal(a.valid, b.valid)
        return same and np.array_equal(a.values[a.valid], b.values[b.valid])
    if isinstance(a, Texts) and isinstance(b, Texts):
        same = np.array_equal(a.offsets, b.offsets) and np.array_equal(a.valid, b.valid)
        return same and np.array_equal(a.data, b.data)
    if isinstance(a, Lists) and isinstance(b, Lists):
        same = np.array_equal(a.offsets, b.offsets) and a.columns.keys() == b.columns.keys()
        return same and all(alike(column, b.columns[name]) for name, column in a.columns.items())
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return bool(a == b)


def joined_offsets(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The offsets of lists end to end."""
    out = np.zeros(sum(p.size - 1 for p in parts) + 1, np.int64)
    if not any(p[-1] - p[0] for p in parts):
        return out
    n = 0
    for part in parts:
        stop = n + part.size - 1
        np.add(part[1:], out[n] - part[0], out=out[n + 1 : stop + 1])
        n = stop
    return out
