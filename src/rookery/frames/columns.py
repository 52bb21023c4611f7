"""Columns of tables: numbers, texts and lists of them.

Every kind of column can be sliced (`cut`), indexed (`chosen`) and concatenated (`joined`). The functions of the same
names do this for any column: one of these classes, a NumPy array, another table, a dict of columns, or None for a
missing column.
"""

import datetime
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import Table, shown

Index: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Numbers, dates or times of one type; a value is missing where `valid` is False."""

    values: NDArray[Any]
    valid: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """Return the number of values."""
        return int(self.values.size)

    def cut(self, start: int, stop: int) -> Self:
        """Return a slice, as views."""
        return type(self)(self.values[start:stop], self.valid[start:stop])

    def chosen(self, index: Index) -> Self:
        """Return the values at some indices, copied."""
        return type(self)(self.values[index], self.valid[index])

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the concatenation of several columns."""
        return cls(np.concatenate([p.values for p in parts]), np.concatenate([p.valid for p in parts]))

    def to_numpy(self) -> Any:
        """Return a masked array; for dates and times, ``datetime64`` or ``timedelta64`` with NaT for missing values."""
        if self.values.dtype.kind in "mM":
            out = self.values.copy()
            out[~self.valid] = "NaT"
            return out
        return np.ma.MaskedArray(self.values, ~self.valid)


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Texts in UTF-8, stored end to end: text i is ``data[offsets[i]:offsets[i + 1]]``, missing where not `valid`."""

    offsets: NDArray[np.int64]
    data: NDArray[np.uint8]
    valid: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """Return the number of texts."""
        return int(self.offsets.size - 1)

    def text(self, i: int) -> str | None:
        """Return text `i`, or None if it is missing."""
        if not self.valid[i]:
            return None
        return decoded(f"row {i}", self.data[self.offsets[i] : self.offsets[i + 1]].tobytes())

    def __iter__(self) -> Iterator[str | None]:
        return (self.text(i) for i in range(self.size))

    def to_numpy(self) -> NDArray[np.object_]:
        """Return an array of str, with None for missing texts."""
        out = np.empty(self.size, object)
        out[:] = list(iter(self))
        return out

    def cut(self, start: int, stop: int) -> Self:
        """Return a slice, without copying the texts."""
        offsets = self.offsets[start : stop + 1]
        data = self.data[offsets[0] : offsets[-1]]
        return type(self)(offsets - offsets[0], data, self.valid[start:stop])

    def chosen(self, index: Index) -> Self:
        """Return the texts at some indices, copied."""
        offsets, flat = chosen_from(self.offsets, index)
        return type(self)(offsets, self.data[flat], self.valid[index])

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the concatenation of several columns."""
        parts = [p.cut(0, p.size) for p in parts]
        return cls(
            joined_offsets([p.offsets for p in parts]),
            np.concatenate([p.data for p in parts]),
            np.concatenate([p.valid for p in parts]),
        )

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> Self:
        """Return the column of a sequence of texts, in which None is a missing text."""
        encoded = [(text or "").encode() for text in texts]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(text) for text in encoded], out=offsets[1:])
        valid = np.array([text is not None for text in texts], np.bool_)
        return cls(offsets, np.frombuffer(b"".join(encoded), np.uint8), valid)

    @classmethod
    def of_array(cls, texts: NDArray[np.str_], valid: NDArray[np.bool_] | None = None) -> Self:
        """Return the column of an array of str; texts that are not `valid` are missing.

        >>> Texts.of_array(np.array(["e4", "O-O"]), np.array([True, False])).to_numpy().tolist()
        ['e4', None]
        """
        valid = np.ones(texts.size, np.bool_) if valid is None else valid
        width = texts.dtype.itemsize // 4
        letters = np.ascontiguousarray(texts).view(np.uint32).reshape(texts.size, width) if width else np.zeros((0, 0))
        is_letter = letters != 0
        if not letters.size or letters.max() >= 128 or (is_letter[:, 1:] > is_letter[:, :-1]).any():
            return cls.of([text if ok else None for text, ok in zip(texts.tolist(), valid.tolist(), strict=True)])
        is_letter &= valid[:, None]  # ASCII without NUL takes a fifth of the time
        offsets = np.zeros(texts.size + 1, np.int64)
        np.cumsum(is_letter.sum(axis=1), out=offsets[1:])
        return cls(offsets, letters[is_letter].astype(np.uint8), valid)


@dataclass(frozen=True, slots=True, eq=False)
class Categorical:
    """Texts of which few differ, such as names of files: text i is ``names[codes[i]]``, and none is missing."""

    codes: NDArray[np.int32]
    names: tuple[str, ...]

    @property
    def size(self) -> int:
        """Return the number of texts."""
        return int(self.codes.size)

    def text(self, i: int) -> str:
        """Return text `i`."""
        return self.names[int(self.codes[i])]

    def __iter__(self) -> Iterator[str]:
        return map(self.names.__getitem__, self.codes.tolist())

    def to_numpy(self) -> NDArray[np.object_]:
        """Return an array of str."""
        return np.array(self.names or ("",), np.object_)[self.codes]

    def cut(self, start: int, stop: int) -> Self:
        """Return a slice, as a view."""
        return type(self)(self.codes[start:stop], self.names)

    def chosen(self, index: Index) -> Self:
        """Return the texts at some indices, copied."""
        return type(self)(self.codes[index], self.names)

    def renamed(self, change: Callable[[str], str]) -> Self:
        """Return the texts that a function makes of these."""
        return type(self)(self.codes, tuple(map(change, self.names)))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the concatenation of several columns."""
        numbers: dict[str, int] = {}
        codes = []
        for part in parts:
            if part.codes.size:
                new = np.array([numbers.setdefault(name, len(numbers)) for name in part.names], np.int32)
                codes.append(new[part.codes])
        return cls(np.concatenate(codes) if codes else np.zeros(0, np.int32), tuple(numbers))

    @classmethod
    def of(cls, text: str, n: int) -> Self:
        """Return a column of `n` equal texts.

        >>> list(Categorical.of("a.pgn", 2))
        ['a.pgn', 'a.pgn']
        """
        return cls(np.zeros(n, np.int32), (text,))


def decoded(name: str, data: bytes) -> str:
    """Return bytes of a column as text. A table of another program may have bytes that are not UTF-8: a ValueError."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise ValueError(f"{name}: {shown(data)}: expected a text in UTF-8") from None


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Lists, one for each row of a table: list i is rows ``offsets[i]`` to ``offsets[i + 1]`` of several columns.

    A list is missing where `valid` is False; without `valid` none is.
    """

    offsets: NDArray[np.int64]
    columns: dict[str, Any]  # NumPy arrays or `Texts`
    valid: NDArray[np.bool_] | None = None

    @property
    def size(self) -> int:
        """Return the number of lists."""
        return int(self.offsets.size - 1)

    def cut(self, start: int, stop: int) -> Self:
        """Return a slice, without copying the rows."""
        offsets = self.offsets[start : stop + 1]
        a, b = int(offsets[0]), int(offsets[-1])
        return type(self)(offsets - a, cut(self.columns, a, b), cut(self.valid, start, stop))

    def chosen(self, index: Index) -> Self:
        """Return the lists at some indices, copied."""
        offsets, rows = chosen_from(self.offsets, index)
        return type(self)(offsets, chosen(self.columns, rows), chosen(self.valid, index))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the concatenation of several columns of lists."""
        parts = [p.cut(0, p.size) for p in parts]
        valid = None
        if any(p.valid is not None for p in parts):
            valid = np.concatenate([_all_valid(p) for p in parts])
        return cls(joined_offsets([p.offsets for p in parts]), joined([p.columns for p in parts]), valid)

    def with_rows(self, rows: Index) -> Self:
        """Return the lists with only some of their rows, copied; `rows` must ascend."""
        return type(self)(np.searchsorted(rows, self.offsets), chosen(self.columns, rows))

    def rows_where(self, column: str, text: str) -> Index:
        """Return the rows that have the given text in a column."""
        texts, encoded = self.columns[column], np.frombuffer(text.encode(), np.uint8)
        rows = np.flatnonzero(np.diff(texts.offsets) == encoded.size)
        letters = texts.data[texts.offsets[rows][:, None] + np.arange(encoded.size)]
        found: Index = rows[(letters == encoded).all(axis=1)]
        return found

    def lists_of(self, rows: Index) -> Index:
        """Return the list that each row belongs to."""
        return np.searchsorted(self.offsets, rows, "right") - 1

    def rows(self, i: int) -> list[tuple[Any, ...]]:
        """Return the rows of list `i`."""
        part = self.cut(i, i + 1)
        return list(zip(*(list(c) if isinstance(c, Texts) else c.tolist() for c in part.columns.values()), strict=True))


def is_table(column: Any) -> bool:
    """Check whether a column is a table, such as the `Positions` of `Hits`."""
    return isinstance(column, Table)


def cut(column: Any, start: int, stop: int) -> Any:
    """Return a slice of any column, without copying."""
    if isinstance(column, np.ndarray) or is_table(column):
        return column[start:stop]
    if isinstance(column, dict):
        return {name: cut(values, start, stop) for name, values in column.items()}
    return None if column is None else column.cut(start, stop)


def chosen(column: Any, index: Index) -> Any:
    """Return the values of any column at some indices from 0, copied."""
    if isinstance(column, np.ndarray) or is_table(column):
        return column[index]
    if isinstance(column, dict):
        return {name: chosen(values, index) for name, values in column.items()}
    return None if column is None else column.chosen(index)


def joined(parts: Sequence[Any]) -> Any:
    """Return the concatenation of columns of one kind: None if any is missing, dicts with the keys of the first."""
    first = parts[0]
    if any(part is None for part in parts):
        return None
    if isinstance(first, np.ndarray):
        return np.concatenate(parts)
    if isinstance(first, dict):
        return {name: joined([part[name] for part in parts]) for name in first}
    return type(first).concatenate(parts) if is_table(first) else type(first).joined(parts)


def nbytes_of(column: Any) -> int:
    """Return the bytes of the arrays of any column."""
    if isinstance(column, np.ndarray) or is_table(column):
        return int(column.nbytes)
    if isinstance(column, dict):
        return sum(map(nbytes_of, column.values()))
    if isinstance(column, tuple):
        return sum(map(nbytes_of, column))
    if is_dataclass(column):
        return sum(nbytes_of(getattr(column, field.name)) for field in fields(column))
    return 0


def array_of(column: Any) -> NDArray[Any]:
    """Return a column as an array of its own: a masked array, or one with None, NaN or NaT for missing values."""
    array: NDArray[Any] = column
    if isinstance(column, (Numbers, Texts, Categorical)):
        array = column.to_numpy()
    elif isinstance(column, Lists):
        array = np.empty(column.size, object)
        for i, values in enumerate(values_of(column)):
            array[i] = values
    return array


def values_of(column: Any) -> list[Any]:
    """Return the values of a column as Python objects, None where a value is missing: NaN and NaT are missing.

    A list of several columns is a list of dicts, one of a single column a list of its values.

    >>> values_of(np.array([0.5, np.nan]))
    [0.5, None]
    >>> values_of(Numbers(np.array(["2025-05-01", "NaT"], "M8[D]"), np.array([True, False])))
    [datetime.date(2025, 5, 1), None]
    """
    if isinstance(column, Numbers):
        column = column.to_numpy()
    if isinstance(column, (Texts, Categorical)):
        return list(column)
    if isinstance(column, Lists):
        parts = {name: values_of(values) for name, values in column.columns.items()}
        if len(parts) == 1:
            rows = next(iter(parts.values()))
        else:
            rows = [dict(zip(parts, row, strict=True)) for row in zip(*parts.values(), strict=True)]
        lists: list[Any] = [rows[a:b] for a, b in itertools.pairwise(column.offsets.tolist())]
        if column.valid is not None:
            lists = [one if is_valid else None for one, is_valid in zip(lists, column.valid.tolist(), strict=True)]
        return lists
    values: list[Any] = column.tolist()
    match column.dtype.kind:
        case "f":
            return [None if value is None or value != value else value for value in values]
        case "m":
            return [None if value is None else (datetime.datetime.min + value).time() for value in values]
    return values


def alike(a: Any, b: Any) -> bool:
    """Check whether two columns hold the same values; two missing values are the same."""
    if isinstance(a, Numbers) and isinstance(b, Numbers):
        same = a.values.dtype == b.values.dtype and np.array_equal(a.valid, b.valid)
        return same and np.array_equal(a.values[a.valid], b.values[b.valid])
    if isinstance(a, Texts) and isinstance(b, Texts):
        a, b = a.cut(0, a.size), b.cut(0, b.size)  # offsets from 0, and no other data
        same = np.array_equal(a.offsets, b.offsets) and np.array_equal(a.valid, b.valid)
        return same and np.array_equal(a.data, b.data)
    if isinstance(a, Categorical) and isinstance(b, Categorical):
        return np.array_equal(a.to_numpy(), b.to_numpy())
    if isinstance(a, Lists) and isinstance(b, Lists):
        a, b = a.cut(0, a.size), b.cut(0, b.size)  # offsets from 0, and no other data
        same = np.array_equal(a.offsets, b.offsets) and alike(a.columns, b.columns)
        return same and (a.valid is b.valid or alike(_all_valid(a), _all_valid(b)))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(column, b[name]) for name, column in a.items())
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        are_arrays = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)  # a table may lack the column
        return are_arrays and np.array_equal(a, b, equal_nan=a.dtype.kind in "fmM")
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return bool(a == b)


def _all_valid(lists: Lists) -> NDArray[np.bool_]:
    return np.ones(lists.size, np.bool_) if lists.valid is None else lists.valid


def chosen_from(offsets: NDArray[np.int64], index: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the offsets of selected lists laid end to end, and the indices of their elements in the full array."""
    lengths = offsets[index + 1] - offsets[index]
    out = np.zeros(index.size + 1, np.int64)
    np.cumsum(lengths, out=out[1:])
    flat = np.arange(out[-1]) + np.repeat(offsets[index] - out[:-1], lengths)
    return out, flat


def joined_offsets(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return the offsets of several columns of lists that are concatenated."""
    out = np.zeros(sum(p.size - 1 for p in parts) + 1, np.int64)
    if not any(p[-1] - p[0] for p in parts):
        return out
    n = 0
    for part in parts:
        stop = n + part.size - 1
        np.add(part[1:], out[n] - part[0], out=out[n + 1 : stop + 1])
        n = stop
    return out
