"""The exchange of rows between tasks: each task scatters its rows into buckets, and then a task gathers each bucket.

A row goes to a bucket by a 64-bit hash. A task holds rows until they take some memory, sorts them by bucket, and writes
a file; the offsets of the buckets in it are part of its result. So a task writes few files, however many buckets there
are. Rows of a bucket are gathered in the order of the tasks, so they keep the order of the input.

`RECORDS` are rows of NumPy, `BATCHES` are record batches of Arrow.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.frames.arrow_files import one_batch, read_batch, rows_taken, write_batches
from rookery.sources.disk import DISK
from rookery.tasks.parts import TaskFiles

SPLITS: Final = ("train", "validation", "test")
BUCKETS: Final = 1024  # of rows that tasks gather in groups: a group may be this much smaller than all rows
_SUM: Final = 1e-6  # by which fractions may miss 1
_MOST_16_BITS: Final = 1 << 16


class Segment(NamedTuple):
    """Rows of a file from one index to another."""

    path: str
    start: int
    stop: int


class RowKind(NamedTuple):
    """The handling of rows by an exchange: one of `RECORDS` and `BATCHES`."""

    bytes_of: Callable[[Any], int]
    joined: Callable[[list[Any]], Any]
    chosen: Callable[[Any, NDArray[np.intp]], Any]
    write: Callable[[Any, Any], None]  # rows to an open file
    read: Callable[[str, int, int], Any]


def bucket_of(hashes: NDArray[np.uint64], buckets: int) -> NDArray[np.int64]:
    """Return the bucket of each hash: the range of all hashes is divided evenly.

    >>> bucket_of(np.array([0, 1 << 63, (1 << 64) - 1], np.uint64), 3).tolist()
    [0, 1, 2]
    """
    return ((hashes >> np.uint64(32)) * np.uint64(buckets) >> np.uint64(32)).astype(np.int64)


def fractions_of(split: Any, label: str = "split") -> tuple[float, ...]:
    """Return the fractions of train, validation and test, or raise an error that names the first bad one."""
    expected = f"expected 1 to {len(SPLITS)} numbers that add up to 1"
    if isinstance(split, (str, bytes)) or not isinstance(split, (Sequence, np.ndarray)):
        raise TypeError(f"{label}: {shown(split)}: {expected}")
    numbers: list[float] = []
    for i, fraction in enumerate(split):
        if not isinstance(fraction, (int, float, np.integer, np.floating)) or isinstance(fraction, bool):
            raise TypeError(f"{label}[{i}]: {shown(fraction)}: expected a number from 0 to 1")
        if not 0 <= fraction <= 1:
            raise ValueError(f"{label}[{i}]: {shown(fraction)}: expected a number from 0 to 1")
        numbers.append(float(fraction))
    if not 1 <= len(numbers) <= len(SPLITS) or not math.isclose(sum(numbers), 1, abs_tol=_SUM):
        raise ValueError(f"{label}: {shown(split)}: {expected}")
    return tuple(numbers)


def splits_of(hashes: NDArray[np.uint64], fractions: Sequence[float]) -> NDArray[np.uint8]:
    """Return the number of the split of each hash: the range of all hashes is divided by the fractions.

    >>> splits_of(np.array([0, 1 << 62, 3 << 62], np.uint64), (0.5, 0.25, 0.25)).tolist()
    [0, 0, 2]
    """
    ends = np.cumsum(fractions)[:-1]
    bounds = np.array([min(int(end * (1 << 64)), (1 << 64) - 1) for end in ends], np.uint64)
    found: NDArray[np.uint8] = np.searchsorted(bounds, hashes, side="right").astype(np.uint8)
    return found


class Scatter:
    """The rows that a task scatters: files of its part, each sorted by bucket, once the rows take `most` bytes."""

    def __init__(self, parts: TaskFiles, rows: RowKind, buckets: int, most: int) -> None:
        self.offsets: list[list[int]] = []  # of each file: the index of the first row of each bucket, and all rows
        self._parts, self._rows, self._buckets, self._most = parts, rows, buckets, most
        self._held: list[Any] = []
        self._hashes: list[NDArray[np.uint64]] = []
        self._bytes = 0

    def add(self, rows: Any, hashes: NDArray[np.uint64]) -> None:
        """Add rows with their hashes."""
        if not hashes.size:
            return
        self._held.append(rows)
        self._hashes.append(hashes)
        self._bytes += self._rows.bytes_of(rows)
        if self._bytes >= self._most:
            self.flush()

    def flush(self) -> None:
        """Write the rows that are held."""
        if not self._held:
            return
        rows, hashes = self._rows.joined(self._held), np.concatenate(self._hashes)
        self._held.clear()
        self._hashes.clear()
        self._bytes = 0
        bucket = bucket_of(hashes, self._buckets)
        if self._buckets > 1:
            # The order of 16 bits is found by a radix sort.
            narrow = bucket.astype(np.uint16) if self._buckets <= _MOST_16_BITS else bucket
            rows = self._rows.chosen(rows, np.argsort(narrow, kind="stable"))
        with self._parts.writing(suffix_of(len(self.offsets))) as file:
            self._rows.write(file, rows)
        self.offsets.append([0, *np.cumsum(np.bincount(bucket, minlength=self._buckets)).tolist()])


def suffix_of(file: int) -> str:
    """Return the suffix of a file of a task's part."""
    return f"-{file:04d}"


class Scattered(NamedTuple):
    """A file of scattered rows: the index of the first row of each bucket in it, and of its end; its bytes."""

    path: str
    offsets: Sequence[int]
    size: int


def bucket_sizes(files: Sequence[Scattered]) -> list[int]:
    """Return about how many bytes the rows of each bucket take."""
    if not files:
        return []
    rows = np.diff(np.array([file.offsets for file in files], np.int64), axis=1)
    each = np.array([file.size / max(file.offsets[-1], 1) for file in files])
    found: list[int] = np.ceil(each @ rows).astype(np.int64).tolist()
    return found


def groups(sizes: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """Yield where consecutive things are divided into groups of some size at most, unless one is larger.

    >>> list(groups([3, 4, 0, 9, 2], 8))
    [(0, 3), (3, 4), (4, 5)]
    """
    start = size = 0
    for i, one in enumerate(sizes):
        if size and size + one > most:
            yield start, i
            start, size = i, 0
        size += one
    if size:
        yield start, len(sizes)


def segments_of(files: Iterable[Scattered], first: int, stop: int) -> Iterator[Segment]:
    """Yield the rows of some buckets: of each file one segment, since its rows are sorted by bucket."""
    for path, offsets, _ in files:
        if offsets[first] < offsets[stop]:
            yield Segment(path, offsets[first], offsets[stop])


def gathered(rows: RowKind, segments: Iterable[Segment]) -> Iterator[tuple[Segment, Any]]:
    """Yield the rows of each segment, in order."""
    for segment in segments:
        yield segment, rows.read(segment.path, segment.start, segment.stop)


# Rows of NumPy.


def records(dtype: np.dtype[Any]) -> RowKind:
    """Return what an exchange does with structured arrays of a dtype."""

    def read(path: str, start: int, stop: int) -> NDArray[Any]:
        rows = np.empty(stop - start, dtype)
        with DISK.open(path) as file:
            file.seek(start * dtype.itemsize)
            if file.readinto(rows.view(np.uint8)) != rows.nbytes:  # type: ignore[attr-defined]
                raise EOFError(f"{path}: ends before row {stop - 1:,}")
        return rows

    return RowKind(
        lambda rows: int(rows.nbytes),
        lambda held: held[0] if len(held) == 1 else np.concatenate(held),
        lambda rows, index: rows.take(index),  # half the time of an index
        lambda file, rows: file.write(np.ascontiguousarray(rows).view(np.uint8)),
        read,
    )


# Rows of Arrow.

BATCHES: Final = RowKind(
    lambda batch: int(batch.nbytes),
    one_batch,
    rows_taken,
    write_batches,
    read_batch,
)
