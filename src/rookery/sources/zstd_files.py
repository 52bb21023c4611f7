"""Local zstd files, unpacked straight into the buffers of their readers.

Python's lock is free while a buffer is filled, so the threads that read what was unpacked before do not wait. A frame
that is damaged or cut short is unpacked again in small pieces: these find what precedes the damage, and its place.
"""

import functools
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final, TypeAlias

from rookery.sources import stores
from rookery.sources.chunks import Chunks, Fill, Filling, one_after_other, without_first_bytes
from rookery.sources.unpack import inflated, zstd_decompressor

Read: TypeAlias = Callable[[int, int], bytes]  # from a place, so many bytes

_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_SKIPPED_MAGIC: Final = b"\x2a\x4d\x18"  # after a byte from 0x50 to 0x5f
_LONGEST_HEADER: Final = 18
_RLE, _RESERVED = 1, 3  # types of blocks
_PIECE: Final = 1 << 18  # packed bytes that are read at once
_MOST: Final = 1 << 20  # bytes that are unpacked at once, and byte by byte before damage


class ZstdText(Filling):
    """The text of the frames of a zstd file from `start` up to `stop`, which are the first bytes of frames.

    `noted` is called with the number of packed bytes that were read since its last call.
    """

    def __init__(
        self,
        path: str,
        file: BinaryIO,
        start: int = 0,
        stop: int | None = None,
        noted: Callable[[int], None] = lambda size: None,
    ) -> None:
        self._path, self._file, self._stop, self._noted = path, file, stop, noted
        self._place = start  # where the next frame begins
        self._frame: _Frame | None = None
        self._reader: Any = None
        self._given = 0  # bytes of text of the frame
        self._counted = start
        self._rest: Fill | None = None  # what comes from damage on

    def fill(self, buffer: memoryview) -> int:
        """Fill a buffer with the next bytes, as a `Fill` does."""
        while self._rest is None:
            if self._frame is None and not self._opens_frame():
                self._rest = self._in_small_pieces()
                break
            assert self._frame is not None
            try:
                n: int = self._reader.readinto(buffer[:_MOST])
            except Exception:  # the number of bytes filled is unknown
                self._rest = self._in_small_pieces(self._before_damage())
                break
            self._note(self._frame.place)
            if n:
                self._given += n
                return n
            if self._frame.place != self._frame.end:
                self._rest = self._in_small_pieces()
                break
            self._place, self._given, self._frame = self._frame.place, 0, None
        return self._rest(buffer)

    def _opens_frame(self) -> bool:
        begin = next_frame(functools.partial(read_at, self._file), self._place)
        if begin is None or (self._stop is not None and begin >= self._stop):
            return False
        self._place, self._frame = begin, _Frame(self._file, begin)
        self._reader = self._frame.reader()
        return True

    def _before_damage(self) -> bytes:
        """Return the rest of a frame before its damage, after the bytes that were given.

        A call that meets damage returns nothing, so the rest is unpacked byte by byte.
        """
        unpacked, byte = bytearray(), bytearray(1)
        reader = _Frame(self._file, self._place).reader()
        left = self._given
        try:
            while left:
                left -= len(reader.read(min(left, _MOST)))
            while reader.readinto(byte):
                unpacked += byte
        except Exception:  # the same as before
            pass
        return bytes(unpacked)

    def _in_small_pieces(self, more: bytes = b"") -> Fill:
        """Return a function that fills `more` and then the rest of this frame and of the file."""
        self._reader = None
        self._file.seek(self._place)
        packed = self._noted_chunks(stores.chunks(self._path, self._file, self._place, self._stop))
        text = Chunks(inflated(self._path, packed, "zstd", self._place))
        rest = without_first_bytes(text.fill, self._given + len(more))
        return one_after_other(Chunks(iter([more])).fill, rest) if more else rest

    def _noted_chunks(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        place = self._place
        for chunk in chunks:
            place += len(chunk)
            self._note(place)
            yield chunk

    def _note(self, place: int) -> None:
        if place > self._counted:
            self._noted(place - self._counted)
            self._counted = place


class _Frame:
    """The bytes of a frame, as a file that ends with it. `end` is None until it is known, or if a header is damaged."""

    def __init__(self, file: BinaryIO, begin: int) -> None:
        self._file, self.place = file, begin
        self._piece, self._piece_start = b"", begin
        self._ends = ends_of_blocks(self._bytes, begin)
        self._known = begin  # the frame goes on at least up to here
        self._is_damaged = False
        self.end: int | None = None

    def reader(self) -> Any:
        """Return an object that unpacks the frame."""
        return zstd_decompressor().stream_reader(self, _PIECE, read_across_frames=False)

    def read(self, size: int) -> bytes:
        """Return the next bytes of the frame, at most so many; none at its end."""
        if self.place == self.end:
            return b""
        self._piece, self._piece_start = read_at(self._file, self.place, size), self.place
        stop = self.place + len(self._piece)
        while self._known < stop and self.end is None and not self._is_damaged:
            self._known, is_last = next(self._ends, (0, False))
            self._is_damaged = not self._known
            self.end = self._known if is_last else None
        if not self._is_damaged:
            stop = min(stop, self._known)
        piece = self._piece[: stop - self.place]
        self.place = stop
        return piece

    def _bytes(self, place: int, size: int) -> bytes:
        """Return bytes of the file from a place on, from the piece in memory if it has them."""
        start = place - self._piece_start
        if start >= 0 and start + size <= len(self._piece):
            return self._piece[start : start + size]
        return read_at(self._file, place, size)


# Where frames and their blocks end (RFC 8878, section 3.1), found without unpacking them.


def frames_of(file: BinaryIO) -> Iterator[int]:
    """Yield the first byte of each frame with data, in order. Stop where a header is damaged or the file ends."""
    read = functools.partial(read_at, file)
    place: int | None = 0
    while place is not None and (begin := next_frame(read, place)) is not None:
        yield begin
        place = None
        for end, is_last in ends_of_blocks(read, begin):
            place = end if is_last else None


def next_frame(read: Read, place: int) -> int | None:
    """Return the first byte of the first frame with data from a place between frames on; None if no frame follows."""
    while True:
        head = read(place, _LONGEST_HEADER)
        if len(head) >= 8 and head[0] & 0xF0 == 0x50 and head[1:4] == _SKIPPED_MAGIC:
            place += 8 + int.from_bytes(head[4:8], "little")
        else:
            return place if len(head) > 5 and head.startswith(_MAGIC) else None


def ends_of_blocks(read: Read, begin: int) -> Iterator[tuple[int, bool]]:
    """Yield where each block of a frame ends, and whether it is the last, whose end is that of the frame.

    Where a header is damaged or missing, the last one is missing.
    """
    flags = read(begin + 4, 1)[0]
    is_single_segment = flags >> 5 & 1
    size_of_content = (is_single_segment, 2, 4, 8)[flags >> 6]
    place = begin + 5 + (1 - is_single_segment) + (0, 1, 2, 4)[flags & 3] + size_of_content
    while True:
        header = read(place, 3)
        block = int.from_bytes(header, "little")
        kind = block >> 1 & 3
        if len(header) < 3 or kind == _RESERVED:
            return
        place += 3 + (1 if kind == _RLE else block >> 3)
        if block & 1:
            yield place + 4 * (flags >> 2 & 1), True  # a checksum
            return
        yield place, False


def read_at(file: BinaryIO, place: int, size: int) -> bytes:
    """Return bytes of a file from a place on; fewer at its end."""
    file.seek(place)
    return file.read(size)
