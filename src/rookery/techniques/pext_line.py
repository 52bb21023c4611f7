"""PEXT by lines: one small table of bytes serves all four lines of all squares.

    m       the line without the slider
    k       how many squares of the line lie below the slider
    bytes   the attacks by k and by the line's occupancy, both as numbers of up to seven bits

PEXT gathers the line, a table of bytes holds the attacks on the gathered line, and PDEP scatters them over the line
again. A gathered line has no square for the slider, so that k is the first square above it. On a shorter line the
squares above its end do not exist: PDEP drops their bits. A bishop on d4, with b2 and g7 occupied on its diagonal:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 27, Bitboard.of("b2", "d4", "g7", "h8", "d7"), tables()
>>> m = Bitboard(t.masks[sq << 2 | 2])
>>> k, index = len(m & (bit(sq) - 1)), pext(occupied, m)
>>> found = Bitboard(t.bytes[k, index])
>>> side_by_side({"m": m, "occupied & m": occupied & m, "pext": index, "bytes[3, pext]": found, "pdep": pdep(found, m)})
m                 occupied & m      pext              bytes[3, pext]    pdep
. . . . . . . 1   . . . . . . . 1   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . 1 .   . . . . . . 1 .   . . . . . . . .   . . . . . . . .   . . . . . . 1 .
. . . . . 1 . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . 1 . .
. . . . 1 . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . 1 . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . . . . .
. 1 . . . . . .   . 1 . . . . . .   . . . . . . . .   . . . . . . . .   . 1 . . . . . .
1 . . . . . . .   . . . . . . . .   . 1 . . . 1 1 .   . 1 1 1 1 1 . .   . . . . . . . .
>>> bool(diagonal(sq, occupied, t) == pdep(found, m))
True

The table and the masks of the lines stay in the first cache beside other data. `pext-pdep16` uses the same two
instructions, once for each piece instead of once for each line, and a table seventy times as large. wgarvin (a name in
the forum), talkchess, 2016.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import bit
from rookery.bitboards.lines import LINES, line_through
from rookery.kernel import U64, Bits, Square, Word, kernel, pdep, pext, popcount
from rookery.techniques._filler import walk_rays
from rookery.techniques.base import Card, Kernels, Needs, Technique

Boards = NDArray[np.uint64]


class Lines(NamedTuple):
    """Attacks on a gathered line, and the lines without their square."""

    bytes: NDArray[np.uint8]  # (8, 128): by the slider's place and the occupancy of the other seven squares
    masks: Boards  # (256,): rank, file, diagonal and anti-diagonal of each square


@kernel
def line(sq: Square, occupied: Bits, m: Bits, t: Lines) -> Bits:
    """Return the attacks along a line; `m` is the line without the slider."""
    k: Word = popcount(m & (bit(sq) - 1))  # the squares of the line below the slider
    return pdep(U64(t.bytes[k, pext(occupied, m)]), m)  # gather, look up, scatter


@kernel
def rank(sq: Square, occupied: Bits, t: Lines) -> Bits:
    """Return the attacks along the rank."""
    return line(sq, occupied, t.masks[sq << 2], t)


@kernel
def file(sq: Square, occupied: Bits, t: Lines) -> Bits:
    """Return the attacks along the file."""
    return line(sq, occupied, t.masks[(sq << 2) | 1], t)


@kernel
def diagonal(sq: Square, occupied: Bits, t: Lines) -> Bits:
    """Return the attacks along the diagonal."""
    return line(sq, occupied, t.masks[(sq << 2) | 2], t)


@kernel
def antidiagonal(sq: Square, occupied: Bits, t: Lines) -> Bits:
    """Return the attacks along the anti-diagonal."""
    return line(sq, occupied, t.masks[(sq << 2) | 3], t)


def gathered_attacks() -> NDArray[np.uint8]:
    """Return the attacks on seven gathered squares, (8, 128), by the slider's place among them and the occupancy."""
    occupied = np.arange(128, dtype=U64)
    return np.stack([walk_rays([range(k, 7), range(k - 1, -1, -1)], occupied) for k in range(8)]).astype(np.uint8)


def tables() -> Lines:
    """Build the byte table and the masks."""
    masks = [int(line_through(name, sq)) for sq in range(64) for name in LINES]
    return Lines(gathered_attacks(), np.array(masks, U64))


PEXT_LINE_PDEP = Technique(
    Card(
        name="pext-line-pdep",
        summary="gather a line, look it up in a small table of bytes, scatter the attacks",
        authors=("wgarvin",),
        year=2016,
        source="wgarvin, talkchess t=58910, 2016",
        needs=Needs.PEXT | Needs.PDEP,
        tables=tables,
        kernels=Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal),
    )
)
