"""Where the frames of a zstd file and their blocks end, found without unpacking them (RFC 8878, section 3.1)."""

import functools
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, TypeAlias

Read: TypeAlias = Callable[[int, int], bytes]  # from a place, so many bytes

_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_SKIPPED_MAGIC: Final = b"\x2a\x4d\x18"  # after a byte from 0x50 to 0x5f
_LONGEST_HEADER: Final = 18
_RLE, _RESERVED = 1, 3  # types of blocks


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
