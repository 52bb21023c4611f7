"""Where the frames of a zstd file begin, found without unpacking it (RFC 8878, section 3.1)."""

import os
from collections.abc import Iterator
from typing import Final

_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_SKIPPED_MAGIC: Final = b"\x2a\x4d\x18"  # after a byte from 0x50 to 0x5f
_LONGEST_HEADER: Final = 18
_RLE, _RESERVED = 1, 3  # types of blocks


def frames_of(descriptor: int) -> Iterator[int]:
    """Yield the first byte of each frame with data, in order. Stop where a header is damaged or the file ends.

    `descriptor` is that of an open file.
    """
    place: int | None = 0
    while place is not None:
        head = os.pread(descriptor, _LONGEST_HEADER, place)
        if len(head) >= 8 and head[0] & 0xF0 == 0x50 and head[1:4] == _SKIPPED_MAGIC:
            place += 8 + int.from_bytes(head[4:8], "little")
        elif len(head) > 5 and head.startswith(_MAGIC):
            yield place
            place = _end_of_frame(descriptor, place, head[4])
        else:
            return


def _end_of_frame(descriptor: int, place: int, flags: int) -> int | None:
    """Return the end of the frame that begins at a place, from the headers of its blocks; None if one is damaged."""
    is_single_segment = flags >> 5 & 1
    size_of_content = (is_single_segment, 2, 4, 8)[flags >> 6]
    place += 5 + (1 - is_single_segment) + (0, 1, 2, 4)[flags & 3] + size_of_content
    while True:
        header = os.pread(descriptor, 3, place)
        block = int.from_bytes(header, "little")
        kind = block >> 1 & 3
        if len(header) < 3 or kind == _RESERVED:
            return None
        place += 3 + (1 if kind == _RLE else block >> 3)
        if block & 1:
            return place + 4 * (flags >> 2 & 1)  # a checksum
