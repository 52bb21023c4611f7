"""Sources of FEN lines: texts, files (paths or open), lists of texts, Arrow and data frame columns.

Each becomes `Lines`: one array of bytes, and where each line begins in it. An Arrow array of texts has this form
already and is not copied.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.bitboards.placement import fields_of
from rookery.frames.array_arguments import readable
from rookery.frames.reading import texts_of
from rookery.kernel import U64
from rookery.sources.identity import reading

LONGEST_LINE: Final = 1 << 20  # bytes of a line in a source that is read in batches
CHUNK: Final = 1 << 20  # bytes read at once

_NEWLINE: Final = np.uint8(10)
_DELETE: Final = 0x7F
_LONGEST_PATH: Final = 4096  # characters
_FEWEST_FIELDS: Final = 4
_OTHERS: Final = ", a text or bytes of lines, a path, or an open file"

Source: TypeAlias = Any  # see `lines_of`


class Lines(NamedTuple):
    """A text, and where its lines begin and the last one ends.

    A line includes its newline, which is a blank like others.
    """

    text: NDArray[np.uint8]
    starts: NDArray[np.uint64]
    keep_blank: bool  # lines are elements of a list, where blank ones count, too
    missing: frozenset[int]  # elements without text: None, NaN or null
    texts: list[str] | None  # the elements of that list

    def line(self, i: int) -> str | None:
        """Return line `i` as text, or None for a missing element."""
        if i in self.missing:
            return None
        if self.texts is not None:
            return self.texts[i]
        characters = self.text[int(self.starts[i]) : int(self.starts[i + 1])]
        line = characters.tobytes().decode("utf-8", "backslashreplace")
        return line if self.keep_blank else line.rstrip("\r\n")

    def part(self, start: int, stop: int) -> "Lines":
        """Return lines `start` to `stop`."""
        missing = frozenset(i - start for i in self.missing if start <= i < stop)
        texts = None if self.texts is None else self.texts[start:stop]
        return Lines(self.text, self.starts[start : stop + 1], self.keep_blank, missing, texts)

    @property
    def number(self) -> int:
        """Return the number of lines."""
        return self.starts.size - 1


def lines_of(source: Source) -> Lines:
    """Return the lines of a source.

    A source is a text or its bytes; a file, by its path or opened as text or bytes; an iterable of texts; or an Arrow
    array of texts, or any object that exports one.
    """
    path = path_of(source)
    if path is not None:
        with reading(path) as file:
            source = file.read()
    elif hasattr(source, "read") and not _is_bytes(source):  # a mapped file has both interfaces
        source = source.read()
    if isinstance(source, str):
        source = source.encode("utf-8", "backslashreplace")
    return lines_of_text(source) if _is_bytes(source) else _lines_of_texts(source)


def path_of(source: Source) -> Path | None:
    """Return the path that a source names, or None.

    A text names a path if it is one line and a file of that name exists. It also does if it has a dot and fewer than
    the four fields of a FEN: then the file is missing, and opening it raises the error.
    """
    if isinstance(source, PathLike):
        return Path(source)
    if not isinstance(source, str) or len(source) > _LONGEST_PATH or "\n" in source or "\0" in source:
        return None
    path = Path(source)
    looks_like_path = "." in source and 0 < len(fields_of(source)) < _FEWEST_FIELDS
    try:
        return path if looks_like_path or path.is_file() else None
    except OSError:  # the name is too long for the file system
        return None


def lines_of_text(source: Any) -> Lines:
    """Return the lines of a buffer of bytes."""
    text = readable(source)
    ends = np.flatnonzero(text == _NEWLINE) + 1
    if text.size and not (ends.size and ends[-1] == text.size):
        ends = np.append(ends, text.size)
    return Lines(text, _starts(ends), False, frozenset(), None)


def lines_of_texts(texts: Any, name: str = "texts") -> Lines:
    """Return the elements of an iterable of texts, or of an Arrow array of them, as lines. Errors call it `name`."""
    if isinstance(texts, (str, bytes)):
        raise TypeError(f"{name}: {shown(texts)}: expected a list of texts")
    return _lines_of_texts(texts, name=name)


def _is_bytes(source: Any) -> bool:
    try:
        view = memoryview(source)
    except (TypeError, ValueError, BufferError):
        return False
    # The formats exclude NumPy arrays of texts, which are buffers, too.
    return view.contiguous and view.ndim == 1 and view.format in ("B", "b", "c")


def _is_arrow(source: Any) -> bool:
    return hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")


def _lines_of_texts(texts: Any, first: int = 0, name: str = "lines") -> Lines:
    if _is_arrow(texts):
        lines = _lines_of_arrow(texts, name)
        if lines is not None:
            return lines
    if not isinstance(texts, Iterable):
        raise TypeError(
            f"{name}: {type(texts).__name__}: expected an iterable of texts{_OTHERS if name == 'lines' else ''}"
        )
    elements = list(texts)
    missing: frozenset[int] = frozenset()
    try:
        joined = "".join(elements)
    except TypeError:
        missing = frozenset(i for i, line in enumerate(elements) if _is_missing(line, first + i, name))
        elements = ["" if i in missing else line for i, line in enumerate(elements)]
        joined = "".join(elements)
    text = readable(_one_byte_each(joined))
    ends = np.cumsum(np.fromiter(map(len, elements), np.int64, len(elements)))
    return Lines(text, _starts(ends), True, missing, elements)


def _one_byte_each(text: str) -> bytes:
    """Encode a text with one byte a character: all outside ASCII become one that no FEN or move contains."""
    if text.isascii():
        return text.encode()
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return bytes(np.minimum(codes, _DELETE).astype(np.uint8))


def _is_missing(line: Any, i: int, name: str) -> bool:
    """Return True for a missing element of a list, False for a text; anything else raises TypeError."""
    if isinstance(line, str):
        return False
    if line is None or type(line).__name__ == "NAType" or (isinstance(line, float) and line != line):
        return True
    raise TypeError(f"{name}[{i}]: {shown(line)}: expected text")


def _lines_of_arrow(texts: Any, name: str) -> Lines | None:
    """Return the lines of an Arrow array of texts.

    Return None if pyarrow is missing, or cannot convert a list of objects.
    """
    column = texts_of(name, texts, "; pass the column of the table that has the FENs")
    if column is None:
        return None
    missing = frozenset(np.flatnonzero(~column.valid).tolist())
    return Lines(readable(column.data if column.data.size else b""), column.offsets.astype(U64), True, missing, None)


def _starts(ends: NDArray[np.int64]) -> NDArray[np.uint64]:
    starts = np.zeros(ends.size + 1, U64)
    starts[1:] = ends
    return starts


# Batches: only the lines of one batch are in memory.


def batches_of(source: Source, size: int) -> Iterator[Lines]:
    """Yield the lines of a source, `size` at a time."""
    path = path_of(source)
    if path is not None:
        with reading(path) as file:
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
    pending: list[bytes] = []  # the bytes of the next batch
    lines = done = unended = 0  # its complete lines, the lines of earlier batches, the bytes of its incomplete line
    for chunk in chunks:
        ends = np.flatnonzero(np.frombuffer(chunk, np.uint8) == _NEWLINE) + 1
        unended = unended + len(chunk) if not ends.size else len(chunk) - int(ends[-1])
        if unended > LONGEST_LINE:
            number = done + lines + ends.size + 1
            raise ValueError(f"line {number:,}: longer than {LONGEST_LINE:,} bytes: expected lines of FEN or EPD")
        start = 0
        while lines + ends.size >= size:
            stop = int(ends[size - lines - 1])
            yield lines_of_text(b"".join([*pending, chunk[start:stop]]))
            pending, ends, start = [], ends[size - lines :], stop
            lines, done = 0, done + size
        pending.append(chunk[start:])
        lines += ends.size
    rest = b"".join(pending)
    if rest:
        yield lines_of_text(rest)
