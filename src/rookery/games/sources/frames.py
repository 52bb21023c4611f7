"""Where the frames of a zstd file begin, found without unpacking it (RFC 8878, section 3.1)."""

from collections.abc import Iterator
from typing import BinaryIO, Final

_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_SKIPPED_MAGIC: Final = b"\x2a\x4d\x18"  # after a byte from 0x50 to 0x5f
_LONGEST_HEADER: Final = 18
_RLE, _RESERVED = 1, 3  # types of blocks


def frames_of(file: BinaryIO) -> Iterator[int]:
    """Yield the first byte of each frame with data, in order. Stop where a header is damaged or the file ends."""
    place: int | None = 0
    while place is not None:
        head = _read(file, place, _LONGEST_HEADER)
        if len(head) >= 8 and head[0] & 0xF0 == 0x50 and head[1:4] == _SKIPPED_MAGIC:
            place += 8 + int.from_bytes(head[4:8], "little")
        elif len(head) > 5 and head.startswith(_MAGIC):
            yield place
            place = _end_of_frame(file, place, head[4])
        else:
            return


def _end_of_frame(file: BinaryIO, place: int, flags: int) -> int | None:
    """Return the end of the frame that begins at a place, from the headers of its blocks; None if one is damaged."""
    is_single_segment = flags >> 5 & 1
    size_of_content = (is_single_segment, 2, 4, 8)[flags >> 6]
    place += 5 + (1 - is_single_segment) + (0, 1, 2, 4)[flags & 3] + size_of_content
    while True:
        header = _read(file, place, 3)
        block = int.from_bytes(header, "little")
        kind = block >> 1 & 3
        if len(header) < 3 or kind == _RESERVED:
            return None
        place += 3 + (1 if kind == _RLE else block >> 3)
        if block & 1:
            return place + 4 * (flags >> 2 & 1)  # a checksum


def _read(file: BinaryIO, place: int, size: int) -> bytes:
    file.seek(place)
    return file.read(size)
