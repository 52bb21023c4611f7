"""A range of a file of games: its bounds, and its text."""

import contextlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from rookery.sources import stores
from rookery.sources.chunks import Chunks, Fill, Filled, first_bytes, one_after_other, without_first_bytes
from rookery.sources.formats import HEAD
from rookery.sources.identity import Identity, check_identity, reading
from rookery.sources.unpack import ZstdText, inflated


@dataclass(frozen=True, slots=True)
class FileRange:
    """A range of a file whose games can be read alone; by default the whole file.

    `start` and `stop` are bytes of the file, or row groups or batches of a table; `stop` is None at the end of the
    file. In a zstd file they are the first bytes of frames. Then the range leaves out the first `skip` bytes of the
    text from `start` on, and includes the first `more` bytes of the text from `stop` on. `rows_before` is the number of
    rows of a table before the range.

    `identity` is that of the file when it was divided, None if the file need not be compared with it. With `may_grow`
    other programs may add to the end of the file.
    """

    path: str
    start: int = 0
    stop: int | None = None
    skip: int = 0
    more: int = 0
    rows_before: int = 0
    identity: Identity | None = None
    may_grow: bool = False

    def __str__(self) -> str:
        """Return the path, and where the range begins and ends.

        >>> str(FileRange("games.pgn", 1_000_000))
        'games.pgn from 1,000,000 to the end'
        """
        end = "the end" if self.stop is None else f"{self.stop:,}"
        return self.path if self.is_whole else f"{self.path} from {self.start:,} to {end}"

    def opened(self) -> BinaryIO:
        """Open the file for reading bytes. Raises `ChangedFileError` if it is not the one that was divided."""
        try:
            file = stores.open_file(self.path)
        except FileNotFoundError:
            self.check()
            raise
        try:
            self.check(file)
        except BaseException:
            file.close()
            raise
        return file

    @contextlib.contextmanager
    def reading(self) -> Iterator[tuple[BinaryIO, bytes]]:
        """Open the file, and yield it with its first bytes: none of a pipe, or of a whole file of another store.

        The file must be the one that was divided; a whole file must also stay as it is.
        """
        if self.is_whole:
            self.check()
        with reading(self.path) if self.is_whole else self.opened() as file:
            head = b""
            if isinstance(file, io.BufferedReader):
                head = file.peek(HEAD)[:HEAD] if Path(self.path).is_file() else b""
            elif not self.is_whole:
                head = file.read(HEAD)
                file.seek(0)
            yield file, head

    def check(self, file: BinaryIO | None = None) -> None:
        """Raise `ChangedFileError` if the file, which may be open already, is not the one that was divided."""
        if self.identity is not None:
            check_identity(self.path, self.identity, may_grow=self.may_grow, file=file)

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

    def unpacked(self, file: BinaryIO, kind: str, noted: Callable[[int], None] = lambda size: None) -> Chunks:
        """Return the text of the range in an open file, which is packed unless `kind` is empty.

        `noted` counts the bytes from `start` up to `stop`, so that ranges count each byte of a file once.
        """
        text = text_from(self.path, file, kind, self.start, self.stop, noted)
        if not (self.skip or self.more):
            return text
        fill: Fill = text.fill
        if self.stop is not None:
            fill = one_after_other(fill, first_bytes(text_from(self.path, file, kind, self.stop).fill, self.more))
        return Chunks(Filled(without_first_bytes(fill, self.skip)))


def text_from(
    path: str,
    file: BinaryIO,
    kind: str,
    start: int = 0,
    stop: int | None = None,
    noted: Callable[[int], None] = lambda size: None,
) -> Chunks:
    """Return the text of a packed file from the frame on that begins at byte `start`, up to the one at `stop`.

    If `kind` is empty, the file is not packed.
    """

    def packed() -> Iterator[bytes]:
        for chunk in stores.chunks(path, file, start, stop):
            noted(len(chunk))
            yield chunk

    if not kind:
        return Chunks(packed())
    is_local_zstd = kind == "zstd" and isinstance(file, io.BufferedReader)
    return Chunks(ZstdText(path, file, start, stop, noted) if is_local_zstd else inflated(path, packed(), kind, start))
