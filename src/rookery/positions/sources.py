"""Where lines of FEN come from: texts, files by path or opened, lists of texts, Arrow and data frame columns.

Each becomes `Lines`: one array of bytes, and where in it each line begins. An Arrow array of texts has this form itself
and is not copied.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.arrow_tables import pyarrow_module
from rookery.kernel import U64
from rookery.placement import fields_of
from rookery.rules.fen import readable

LONGEST_LINE: Final = 1 << 20  # bytes of a line, where a source is read batch by batch
CHUNK: Final = 1 << 20  # bytes read at once

_NEWLINE: Final = np.uint8(10)
_DELETE: Final = 0x7F
_LONGEST_PATH: Final = 4096  # characters
_FEWEST_FIELDS: Final = 4
_OTHERS: Final = ", a text or bytes of lines, a path, or an open file"

Source: TypeAlias = Any  # see `lines_of`


class Lines(NamedTuple):
    """A text, and where its lines begin (and, last, where it ends): with the newline, which is a blank like others."""

    text: NDArray[np.uint8]
    starts: NDArray[np.uint64]
    each: bool  # every line counts, a blank one too: they are elements of a list, not lines of a text
    missing: frozenset[int]  # elements that are no texts: None, NaN or null
    cut: list[str] | None  # the list

    def line(self, i: int) -> str | None:
        """Line `i` as text, or None if there is none in its place."""
        if i in self.missing:
            return None
        if self.cut is not None:
            return self.cut[i]
        signs = self.text[int(self.starts[i]) : int(self.starts[i + 1])]
        line = signs.tobytes().decode("utf-8", "backslashreplace")
        return line if self.each else line.rstrip("\r\n")

    def part(self, start: int, stop: int) -> "Lines":
        """Lines `start` to `stop`."""
        missing = frozenset(i - start for i in self.missing if start <= i < stop)
        cut = None if self.cut is None else self.cut[start:stop]
        return Lines(self.text, self.starts[start : stop + 1], self.each, missing, cut)

    @property
    def number(self) -> int:
        """How many there are."""
        return self.starts.size - 1


def lines_of(source: Source) -> Lines:
    """The lines of a text, of the bytes of one, of a file by its path or opened as text or as bytes, of an iterable of
    texts, or of an Arrow array of texts or what hands itself out as one.
    """
    path = path_of(source)
    if path is not None:
        source = path.read_bytes()
    elif hasattr(source, "read") and not _is_bytes(source):  # a mapped file is both
        source = source.read()
    if isinstance(source, str):
        source = source.encode("utf-8", "backslashreplace")
    return lines_of_text(source) if _is_bytes(source) else _lines_of_texts(source)


def path_of(source: Source) -> Path | None:
    """The path that a source is, or None.

    A text is a path if it is one line and a file of that name exists, or if it has a dot and fewer than four fields,
    which no FEN does: then the file is missing, and opening it says so.
    """
    if isinstance(source, PathLike):
        return Path(source)
    if not isinstance(source, str) or len(source) > _LONGEST_PATH or "\n" in source or "\0" in source:
        return None
    path = Path(source)
    named = "." in source and 0 < len(fields_of(source)) < _FEWEST_FIELDS
    try:
        return path if named or path.is_file() else None
    except OSError:  # a name too long for the file system
        return None


def lines_of_text(source: Any) -> Lines:
    """The lines of a buffer of bytes."""
    text = readable(source)
    ends = np.flatnonzero(text == _NEWLINE) + 1
    if text.size and not (ends.size and ends[-1] == text.size):
        ends = np.append(ends, text.size)
    return Lines(text, _starts(ends), False, frozenset(), None)


def lines_of_texts(texts: Any) -> Lines:
    """The elements of an iterable of texts, or of an Arrow array of them."""
    if isinstance(texts, (str, bytes)):
        raise TypeError(f"texts: {shown(texts)}: expected a list of texts")
    return _lines_of_texts(texts, name="texts")


def _is_bytes(source: Any) -> bool:
    try:
        view = memoryview(source)
    except (TypeError, ValueError, BufferError):
        return False
    return view.contiguous and view.ndim == 1 and view.format in ("B", "b", "c")  # an array of texts is a buffer, too


def _is_arrow(source: Any) -> bool:
    return hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")


def _lines_of_texts(texts: Any, before: int = 0, name: str = "lines") -> Lines:
    if _is_arrow(texts):
        lines = _lines_of_arrow(texts, name)
        if lines is not None:
            return lines
    if not isinstance(texts, Iterable):
        raise TypeError(
            f"{name}: {type(texts).__name__}: expected an iterable of texts{_OTHERS if name == 'lines' else ''}"
        )
    cut = list(texts)
    missing: frozenset[int] = frozenset()
    try:
        joined = "".join(cut)
    except TypeError:
        missing = frozenset(i for i, line in enumerate(cut) if _is_missing(line, before + i, name))
        cut = ["" if i in missing else line for i, line in enumerate(cut)]
        joined = "".join(cut)
    text = readable(_one_byte_each(joined))
    return Lines(text, _starts(np.cumsum(np.fromiter(map(len, cut), np.int64, len(cut)))), True, missing, cut)


def _one_byte_each(text: str) -> bytes:
    """One byte a character: those outside ASCII become one that no field of a FEN takes, and no move."""
    if text.isascii():
        return text.encode()
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return bytes(np.minimum(codes, _DELETE).astype(np.uint8))


def _is_missing(line: Any, i: int, name: str) -> bool:
    """Whether an element of a list stands for no text; TypeError if it is none and stands for something else."""
    if isinstance(line, str):
        return False
    if line is None or type(line).__name__ == "NAType" or (isinstance(line, float) and line != line):
        return True
    raise TypeError(f"{name}[{i}]: {shown(line)}: expected text")


def _lines_of_arrow(texts: Any, name: str) -> Lines | None:
    """The lines of an Arrow array of texts; None where pyarrow is missing, or cannot make one of a list of objects."""
    try:
        pyarrow = pyarrow_module()
    except ModuleNotFoundError:
        return None
    try:
        array = pyarrow.chunked_array(texts) if hasattr(texts, "__arrow_c_stream__") else pyarrow.array(texts)
    except pyarrow.ArrowException:
        return None
    kind = array.type.value_type if pyarrow.types.is_dictionary(array.type) else array.type
    if not (
        pyarrow.types.is_string(kind)
        or pyarrow.types.is_large_string(kind)
        or pyarrow.types.is_string_view(kind)
        or pyarrow.types.is_null(kind)
    ):
        whole = ": of a table take the column that has the FENs" if pyarrow.types.is_struct(kind) else ""
        raise TypeError(f"{name}: a column of {str(kind)[:80]}: expected texts{whole}")
    long = pyarrow.large_string()  # its offsets have 64 bits: chunks of any size can be put together
    chunks = array.chunks if isinstance(array, pyarrow.ChunkedArray) else [array]
    if kind != array.type:  # not every dictionary can be cast as a whole
        chunks = [chunk.dictionary.cast(long).take(chunk.indices) for chunk in chunks]
    chunks = [chunk.cast(long) for chunk in chunks]
    array = chunks[0] if len(chunks) == 1 else pyarrow.chunked_array(chunks, long).combine_chunks()
    missing: frozenset[int] = frozenset()
    if array.null_count:
        missing = frozenset(np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False)).tolist())
        array = array.fill_null("")
    _, offsets, text = array.buffers()
    if not len(array):
        return Lines(readable(b""), np.zeros(1, U64), True, missing, None)
    starts = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1].astype(U64)
    return Lines(readable(text or b""), starts, True, missing, None)


def _starts(ends: NDArray[np.int64]) -> NDArray[np.uint64]:
    starts = np.zeros(ends.size + 1, U64)
    starts[1:] = ends
    return starts


# Batch by batch: of a file no more is kept than the lines of a batch.


def batches_of(source: Source, size: int) -> Iterator[Lines]:
    """The lines of a source, `size` at a time."""
    path = path_of(source)
    if path is not None:
        with path.open("rb") as file:
            yield from _batches_of_text(_chunks_of_file(file), size)
    elif _is_bytes(source):
        yield from _batches_of_text((source[i : i + CHUNK] for i in range(0, len(source), CHUNK)), size)
    elif hasattr(source, "read"):
        yield from _batches_of_text(_chunks_of_file(source), size)
    elif isinstance(source, str):
        yield from _batches_of_text(iter([source.encode("utf-8", "backslashreplace")]), size)
    elif _is_arrow(source) or not isinstance(source, Iterable):
        lines = _lines_of_texts(source)
        yield from (lines.part(i, min(i + size, lines.number)) for i in range(0, lines.number, size))
    else:
        texts, done = iter(source), 0
        while batch := list(islice(texts, size)):
            yield _lines_of_texts(batch, done)
            done += size


def _chunks_of_file(file: Any) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk.encode("utf-8", "backslashreplace") if isinstance(chunk, str) else chunk


def _batches_of_text(chunks: Iterator[bytes], size: int) -> Iterator[Lines]:
    held: list[bytes] = []  # of the batch to come
    lines = done = unended = 0  # its whole lines; those of the batches before; the bytes of its last line
    for chunk in chunks:
        ends = np.flatnonzero(np.frombuffer(chunk, np.uint8) == _NEWLINE) + 1
        unended = unended + len(chunk) if not ends.size else len(chunk) - int(ends[-1])
        if unended > LONGEST_LINE:
            number = done + lines + ends.size + 1
            raise ValueError(f"line {number:,}: longer than {LONGEST_LINE:,} bytes: expected lines of FEN or EPD")
        start = 0
        while lines + ends.size >= size:
            stop = int(ends[size - lines - 1])
            yield lines_of_text(b"".join([*held, chunk[start:stop]]))
            held, ends, start = [], ends[size - lines :], stop
            lines, done = 0, done + size
        held.append(chunk[start:])
        lines += ends.size
    rest = b"".join(held)
    if rest:
        yield lines_of_text(rest)
