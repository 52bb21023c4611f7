"""Ray space: bring each ray into a byte, nearest square lowest, and subtract in all bytes at once.

    ray     a byte: bits 1 to 7 are the squares of the ray, from the nearest on
    ends    bits 0 and 7 of every byte, always set: the slider, and a piece beyond the last square
    o - 3   in each byte: 1 takes away bit 0, and 2 borrows from the nearest piece, past the empty squares before it

``o ^ (o - 0x0303)`` has the bits up to the nearest piece of each byte. No byte borrows from the next, because bit 7 is
set. So one subtraction answers several rays, and a word has room for all eight of a queen. A rook on d4, with d6 and f4
occupied, looks east and north:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 27, Bitboard.of("d4", "d6", "f4"), tables()
>>> east, north = Bitboard(t.east[sq]), Bitboard(t.north[sq])
>>> o = Bitboard(pext(occupied, east) << 1 | pext(occupied, north) << 9) | ENDS
>>> reached = o ^ (o - NEAREST)
>>> side_by_side({"o": o, "o - 0x303": o - NEAREST, "reached": reached, "on the board": two_rays(occupied, east, north),
...               "rook": rook(sq, occupied, t)})
o                 o - 0x303         reached           on the board      rook
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . 1 . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . 1 . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . 1 1 . .   1 1 1 . 1 1 . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . 1 . . . .
1 . 1 . . . . 1   . 1 . . . . . 1   1 1 1 . . . . .   . . . . . . . .   . . . 1 . . . .
1 . 1 . . . . 1   . 1 . . . . . 1   1 1 1 . . . . .   . . . . . . . .   . . . 1 . . . .

Four rays run toward higher squares. The other four do so on the reversed board, where the slider is on the square 63 -
sq. PEXT brings a ray into its byte, and PDEP brings its attacks back.

The author's program keeps a mailbox, and brings its bytes into this order by one instruction of AVX-512 (VPERMB). A
bitboard has to be gathered ray by ray, which takes most of the time here. 87flowers, 2026.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.lines import ray
from rookery.kernel import U64, Bits, Square, Word, bitreverse, kernel, pdep, pext
from rookery.techniques.base import Card, Kernels, Needs, Technique

Boards = NDArray[np.uint64]

ENDS = 0x8181
NEAREST = 0x0303


class Rays(NamedTuple):
    """The rays toward higher squares, by square."""

    east: Boards  # (64,)
    north: Boards
    north_east: Boards
    north_west: Boards


@kernel
def two_rays(occupied: Bits, first: Bits, second: Bits) -> Bits:
    """Return the attacks along two rays toward higher squares."""
    gathered = (pext(occupied, first) << 1) | (pext(occupied, second) << 9)  # a ray in each byte, nearest square lowest
    o = gathered | ENDS  # the slider and a piece beyond the end of each ray
    reached: Word = (o ^ (o - NEAREST)) >> 1  # up to the nearest piece of each byte
    return pdep(reached, first) | pdep(reached >> 8, second)  # back to the board


@kernel
def rook(sq: Square, occupied: Bits, t: Rays) -> Bits:
    """Take two rays on the board, and two on the reversed board."""
    up = two_rays(occupied, t.east[sq], t.north[sq])  # two rays toward higher squares
    down = two_rays(bitreverse(occupied), t.east[63 - sq], t.north[63 - sq])  # west and south, on the reversed board
    return up | bitreverse(down)


@kernel
def bishop(sq: Square, occupied: Bits, t: Rays) -> Bits:
    """Take two rays on the board, and two on the reversed board."""
    up = two_rays(occupied, t.north_east[sq], t.north_west[sq])  # two rays toward higher squares
    down = two_rays(bitreverse(occupied), t.north_east[63 - sq], t.north_west[63 - sq])  # the others, reversed
    return up | bitreverse(down)


def tables() -> Rays:
    """Build the rays."""
    directions = ("east", "north", "northeast", "northwest")
    return Rays(*(np.array([int(ray(d, sq)) for sq in range(64)], U64) for d in directions))


RAY_SPACE = Technique(
    Card(
        name="ray-space",
        summary="each ray in a byte; one subtraction finds the nearest piece in all",
        authors=("87flowers",),
        year=2026,
        source="87flowers, Rose; Icarus, 2026",
        users="Rose and Icarus, on mailboxes in AVX-512",
        needs=Needs.PEXT | Needs.PDEP | Needs.BITREVERSE,
        tables=tables,
        kernels=Kernels(rook=rook, bishop=bishop),
    )
)
