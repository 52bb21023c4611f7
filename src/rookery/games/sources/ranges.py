"""Ranges of files of PGN, each of which can be read alone: the tasks of an executor."""

import io
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from rookery import stores
from rookery.games.read.blocks import safe_cut
from rookery.games.sources.formats import Kind, format_of
from rookery.games.sources.streams import head_of

RANGE: Final = 1 << 26  # bytes: a second or two of work
_LOOKED_BACK: Final = 1 << 16  # bytes before a place, in which a game should begin


class FileRange(NamedTuple):
    """The games of a file that begin from byte `start` on and before byte `stop`; all that follow if it is None."""

    path: str
    start: int = 0
    stop: int | None = None

    def open(self) -> "str | OpenRange":
        """Return what readers of games take: the path of a whole file, or an open file."""
        return self.path if self.start == 0 and self.stop is None else OpenRange(self)


def ranges_of(path: str, size: int = RANGE) -> Iterator[FileRange]:
    """Yield the ranges of a file, about `size` bytes each, in order. A file that is not plain text is one range.

    Ranges are cut where a game begins whatever comes before, so reading them is reading the file.
    """
    start = 0
    if format_of(head_of(path)).kind is Kind.TEXT:
        for cut in _cuts(path, size):
            yield FileRange(path, start, cut)
            start = cut
    yield FileRange(path, start, None)


def _cuts(path: str, size: int) -> Iterator[int]:
    window = min(_LOOKED_BACK, size)
    length = stores.identity(path)[0]
    if length is None:  # a server that does not tell it, nor sends ranges
        return
    with stores.open_file(path) as file:
        for end in range(size, length - size // 2, size):
            file.seek(end - window)
            place = safe_cut(np.frombuffer(file.read(window), np.uint8), window)
            if place:
                yield end - window + place


class OpenRange(io.RawIOBase):
    """A range of a file as an open file.

    `begins_file` and `ends_file` say whether the range begins and ends where the file does.
    """

    def __init__(self, part: FileRange) -> None:
        self.name = part.path
        self.begins_file, self.ends_file = part.start == 0, part.stop is None
        self._file = stores.open_file(part.path)
        self._file.seek(part.start)
        self._left = (1 << 62) if part.stop is None else part.stop - part.start

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes, or all that are left."""
        data = self._file.read(min(size, self._left) if size >= 0 else self._left)
        self._left -= len(data)
        return data

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()
