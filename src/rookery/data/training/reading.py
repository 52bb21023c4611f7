"""`read_training` and `scan_training`: rows of training data from files."""

import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any, BinaryIO, Final, Literal, Self, TypeAlias

import numpy as np

from rookery.arguments import check_path, choice, count, shown
from rookery.data.training.formats import format_of
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.selection import RowSelection
from rookery.data.training.text.rows import BadRow, OnBad
from rookery.data.training.text.tables import delimiter_of
from rookery.positions.language.query import Query
from rookery.sources.csv_text import first_row
from rookery.sources.file_range import FileRange
from rookery.sources.stores import open_file
from rookery.sources.unpack import inflated, packing_of

_LINE_BREAK: Final = ord("\n")
_CHUNK: Final = 1 << 20
_MOST_ROWS: Final = 1 << 24

RowErrors: TypeAlias = Literal["raise", "skip"]
ERRORS: Final = {"raise": True, "skip": False}


def read_training(
    source: "str | os.PathLike[str] | BinaryIO | bytes",
    format: str | None = None,
    *,
    query: Query | str | None = None,
    skip: int = 0,
    every: int = 1,
    limit_score: int | None = None,
    errors: RowErrors = "raise",
) -> ScoredPositions:
    r"""Read all rows of a file of training data.

    `source` is a path, a file that is open for reading bytes, or bytes. `format` is ``"binpack"``, ``"viriformat"``,
    ``"bulletformat"``, ``"plain"``, ``"packed-sfen"``, ``"leela"``, ``"action-value"``, ``"bagz"``, ``"csv"`` or
    ``"text"``; by default the suffix of the file says which. A file whose name also ends in ``.zst`` or ``.gz`` is
    unpacked.

    `query` is a condition in the query language that selects rows, such as
    ``"not move.captures and abs(score) < 400 and ply > 16"``: `score` is that of the side to move, in centipawns, and
    `result` its points, 1, 0.5 or 0. Of the rows that meet it, the first `skip` are left out, and one of each `every`
    is read after that. `limit_score` replaces scores above it, mates included, by it, and those below ``-limit_score``
    by that; a query leaves such rows out instead: ``"abs(score) <= 3000"``.

    A file that is damaged or cut short raises `DamagedFileError`, an OSError, which names the byte or the line. In text
    (plain, csv and text) ``errors="skip"`` leaves bad rows out. A wrong argument raises ValueError or TypeError.

    >>> rows = read_training(b"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 | 310 | 1.0\n", format="text")
    >>> rows.scores.tolist(), rows.results.tolist()
    ([310], [1])
    >>> text = b"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 | 310 | 1.0\n8/8/8/4k3/8/8/4P3/4K3 b - - 0 1 | 300 | 1.0\n"
    >>> read_training(text, "text", query="score < 0", limit_score=250).scores.tolist()
    [-250]
    """
    with scan_training(
        source, format, query=query, skip=skip, every=every, limit_score=limit_score, errors=errors
    ) as scan:
        return ScoredPositions.concatenate(scan)


def scan_training(
    source: "str | os.PathLike[str] | BinaryIO | bytes",
    format: str | None = None,
    *,
    batch: int = 65_536,
    query: Query | str | None = None,
    skip: int = 0,
    every: int = 1,
    limit_score: int | None = None,
    errors: RowErrors = "raise",
) -> "TrainingScan":
    r"""Read a file of training data of any size in batches of at most `batch` rows.

    Return an iterator of `ScoredPositions`, which is also a context manager. A batch takes 95 bytes per row, and only a
    megabyte or two of the file are in memory. All else is as in `read_training`; a damaged file raises its error after
    the rows before it.

    >>> text = b"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 | 310 | 1.0\n8/8/8/4k3/8/8/4P3/4K3 b - - 0 1 | 300 | 1.0\n"
    >>> with scan_training(text, format="text", batch=1) as scan:
    ...     [rows.scores.tolist() for rows in scan]
    [[310], [-300]]
    """
    batch = count("batch", batch, 1, _MOST_ROWS)
    selection = RowSelection(query, skip=skip, every=every, limit_score=limit_score)
    return TrainingScan(source, format, batch, raises=choice("errors", errors, ERRORS), selection=selection)


class TrainingScan(Iterator[ScoredPositions]):
    """An iterator of `ScoredPositions`. It closes the file that it opened at its end, by `close`, or after ``with``.

    `bad_rows` are the rows of text that could not be read, so far: a `BadRow` each, with file, line, text and reason.
    """

    def __init__(
        self,
        source: Any,
        format: str | None,
        batch: int,
        *,
        raises: bool,
        on_bad: OnBad = None,
        selection: RowSelection | None = None,
    ) -> None:
        self.bad_rows: list[BadRow] = []
        self.bytes_read = 0  # of the file, packed as it is
        self.lines_read = 0  # of a range of a file: its line breaks
        self.header_lines = 0  # of the header of the file, which is read in front of a range
        self._file: BinaryIO | None = None
        name, path = _name_of(source)
        found = format_of(format, "source", path)
        assert found.read is not None
        if isinstance(source, FileRange):
            self._file = source.opened()
        elif path is not None and not hasattr(source, "read"):
            self._file = open_file(path)
        start = 0
        if isinstance(source, FileRange):
            assert self._file is not None
            header = b""
            if source.start and found.has_header:
                head = self._file.read(_CHUNK)
                header = first_row(head, delimiter_of(head))
                self.header_lines = header.count(b"\n")
            start = source.start - len(header)
            chunks = self._range(source, self._file, header, counts_lines=found.has_lines)
        else:
            chunks = self._chunks(source)
        packing = packing_of(path) if path is not None else None
        if packing is not None:
            chunks = inflated(name, chunks, packing)
        self._batches = found.read(name, chunks, batch, None if raises else on_bad or self.bad_rows.append, start)
        if selection is not None:
            self._batches = selection.of(self._batches)

    def _range(self, part: FileRange, file: BinaryIO, header: bytes, *, counts_lines: bool) -> Iterator[Any]:
        if header:
            yield header
        for chunk in part.packed_chunks(file):
            self.bytes_read += len(chunk)
            if counts_lines:
                self.lines_read += int(np.count_nonzero(np.frombuffer(chunk, np.uint8) == _LINE_BREAK))
            yield chunk

    def _chunks(self, source: Any) -> Iterator[Any]:
        if isinstance(source, (bytes, bytearray, memoryview)):
            self.bytes_read = len(source)
            yield source
            return
        file = self._file or source
        while chunk := file.read(_CHUNK):
            if not isinstance(chunk, (bytes, bytearray, memoryview)):
                raise TypeError(f"source: read() returned {type(chunk).__name__}: expected a file opened for bytes")
            self.bytes_read += len(chunk)
            yield chunk

    def __next__(self) -> ScoredPositions:
        try:
            return next(self._batches)
        except StopIteration:
            self.close()
            raise

    def close(self) -> None:
        """Stop reading, and close the file if it was opened here."""
        self._batches = iter(())
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _name_of(source: Any) -> tuple[str, str | None]:
    """Return the name of a source in errors, and the path that its suffix is taken from."""
    if isinstance(source, FileRange):
        return source.name, source.path
    if isinstance(source, (str, os.PathLike)):
        check_path("source", source)
        return os.fsdecode(source), os.fsdecode(source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "the bytes", None
    if not hasattr(source, "read"):
        raise TypeError(f"source: {shown(source)}: expected a path, bytes, or a file that is open for reading bytes")
    name = getattr(source, "name", None)
    return (name, name) if isinstance(name, str) else ("the file", None)
