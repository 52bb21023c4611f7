"""A range of a file of games: its bounds, and its text."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from rookery import stores
from rookery.games.sources.unpack import inflated


@dataclass(frozen=True, slots=True)
class FileRange:
    """A range of a file whose games can be read alone; by default the whole file.

    `start` and `stop` are bytes of the file, or row groups or batches of a table; `stop` is None at the end of the
    file. In a zstd file they are the first bytes of frames. Then the range leaves out the first `skip` bytes of the
    text from `start` on, and includes the first `more` bytes of the text from `stop` on. `rows_before` is the number of
    rows of a table before the range.
    """

    path: str
    start: int = 0
    stop: int | None = None
    skip: int = 0
    more: int = 0
    rows_before: int = 0

    @property
    def name(self) -> str:
        """Return the path."""
        return self.path

    @property
    def is_whole(self) -> bool:
        """Return whether the range is the whole file."""
        return self.start == 0 and self.stop is None

    def filling(self, file: BinaryIO) -> Callable[[memoryview], int]:
        """Return a function that fills a buffer with the next bytes of the range, from an open file."""
        file.seek(self.start)
        place = self.start

        def fill(buffer: memoryview) -> int:
            nonlocal place
            n: int = file.readinto(buffer if self.stop is None else buffer[: self.stop - place])  # type: ignore[attr-defined]
            place += n
            return n

        return fill

    def packed_chunks(self, file: BinaryIO) -> Iterator[bytes]:
        """Yield the bytes of an open file from `start` up to `stop`."""
        return stores.chunks(self.path, file, self.start, self.stop)

    def unpacked_chunks(
        self, file: BinaryIO, kind: str, noted: Callable[[Iterator[Any]], Iterator[Any]]
    ) -> Iterator[bytes]:
        """Yield the text of the range in an open packed file.

        `noted` counts the bytes from `start` up to `stop`, so that ranges count each byte of a file once.
        """
        text = inflated(self.path, noted(self.packed_chunks(file)), kind, self.start)
        if self.stop is not None:
            text = itertools.chain(text, first_bytes(text_from(self.path, file, kind, self.stop), self.more))
        left = self.skip
        for chunk in text:
            if left < len(chunk):
                yield chunk[left:]
            left = max(left - len(chunk), 0)


def text_from(path: str, file: BinaryIO, kind: str, start: int) -> Iterator[bytes]:
    """Yield the text of a packed file from the frame on that begins at byte `start`."""
    return inflated(path, stores.chunks(path, file, start), kind, start)


def first_bytes(chunks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Yield the first bytes of chunks. What follows them is not read."""
    while size > 0 and (chunk := next(chunks, None)) is not None:
        yield chunk[:size]
        size -= len(chunk)
