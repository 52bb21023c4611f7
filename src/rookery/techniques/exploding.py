"""Exploding bitboards: one multiplication steps outward in all four directions at once.

    mask      the rays: the attacks on the empty board
    new       the squares reached in the last round; at first the slider's neighbours
    grown     ``(new >> 8) * 0x10281``: every square of `new`, one step up, down, left and right
    attacks   all squares reached so far

The multiplier has the bits 0, 7, 9 and 16. After a shift by 8 to the right, they move a square by -8, -1, 1 and 8. A
bishop's multiplier has the bits 0, 2, 16 and 18, after a shift by 9. The mask removes steps that leave the rays, and
only free squares grow further. A bishop on d4, with b6 occupied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 27, Bitboard.of("b6", "d4"), tables()
>>> mask, ring = Bitboard(t.bishop_rays[sq]), Bitboard(t.bishop_neighbours[sq])
>>> product = (ring >> 9) * BISHOP_STEPS
>>> side_by_side({"ring": ring, "product": product, "& mask & ~ring": product & mask & ~ring,
...               "& free": product & mask & ~ring & ~occupied, "attacks": bishop(sq, occupied, t)})
ring              product           & mask & ~ring    & free            attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . 1
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . 1 .
. . . . . . . .   . 1 . . 1 1 . .   . 1 . . . 1 . .   . . . . . 1 . .   . 1 . . . 1 . .
. . 1 . 1 . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . 1 . . .
. . . . . . . .   . . 1 . . 1 1 .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . 1 . 1 . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . 1 . . .
. . . . . . . .   . 1 . . 1 1 . .   . 1 . . . 1 . .   . 1 . . . 1 . .   . 1 . . . 1 . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   1 . . . . . 1 .

The sums of a multiplication can carry. Two squares that step to the same square set the next bit instead, and four set
the bit after that. Only new squares grow, so this matters only in the first round, in which the neighbours step back to
the slider's own square. A carry to the square on its right is harmless, because that square is known already. Only a
rook with four free neighbours carries further, so the left neighbour waits for a round.

A step to the left from the a-file wraps to the h-file of the rank below, which may be the slider's own rank. So does a
step to the right from the h-file, and a carry from there if the slider is on the g-file. On these three files the rook
does not need this step, and the multiplier lacks it. The shift by 8 loses the first rank: there, the attacks along the
rank come from the first-rank table. Harald Luessen, 2006.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import bit
from rookery.bitboards.lines import ray_squares
from rookery.kernel import U64, Bits, Square, kernel
from rookery.techniques._filler import directions_of, rays
from rookery.techniques.base import Card, Kernels, Needs, Technique
from rookery.techniques.first_rank import table_64

Boards = NDArray[np.uint64]

ROOK_STEPS = 0x10281  # 8 down, 1 left, 1 right and 8 up, around a shift by 8
LEFT, RIGHT = 1 << 7, 1 << 9
BISHOP_STEPS = 0x50005  # 9 down, 7 down, 7 up and 9 up, around a shift by 9
_FIRST_RANK_SQUARES = 8
_FILE_BITS = 7
_SIX_BITS = 63


class Exploding(NamedTuple):
    """Rays and neighbours by square, multipliers by file, and the attacks on the first rank by six bits and file."""

    rook_rays: Boards  # (64,)
    bishop_rays: Boards
    rook_neighbours: Boards  # (64,): without those on the first rank, if the square lies there
    bishop_neighbours: Boards
    rook_steps: Boards  # (8,): without the step that would wrap around the board
    first_rank: NDArray[np.uint8]  # (64, 8)


@kernel
def rook(sq: Square, occupied: Bits, t: Exploding) -> Bits:
    """Grow from the neighbours until no new square is free."""
    mask = t.rook_rays[sq]  # the rays on the empty board
    steps = t.rook_steps[sq & _FILE_BITS]  # the multiplier
    free = ~occupied  # the squares from which the attacks grow further
    attacks = t.rook_neighbours[sq]  # the squares reached so far
    new = attacks & free  # the squares that grow in the next round
    late = new & (bit(sq) >> 1)  # the left neighbour waits, so that at most three squares step back to the slider
    new = new ^ late  # the other neighbours grow first
    while new | late:
        grown = ((new >> 8) * steps) & mask & ~attacks  # one step in all four directions
        attacks |= grown  # a square is attacked even if it is occupied
        new = (grown & free) | late  # only free squares grow further, and now the left neighbour
        late = 0  # the left neighbour has had its turn
    if sq < _FIRST_RANK_SQUARES:
        attacks |= U64(t.first_rank[(occupied >> 1) & _SIX_BITS, sq])  # the shift by 8 loses the first rank
    return attacks


@kernel
def bishop(sq: Square, occupied: Bits, t: Exploding) -> Bits:
    """Grow from the neighbours until no new square is free."""
    mask = t.bishop_rays[sq]  # the rays on the empty board
    free = ~occupied  # the squares from which the attacks grow further
    attacks = t.bishop_neighbours[sq]  # the squares reached so far
    new = attacks & free  # the squares that grow in the next round
    while new:
        grown = ((new >> 9) * BISHOP_STEPS) & mask & ~attacks  # one step in all four directions
        attacks |= grown  # a square is attacked even if it is occupied
        new = grown & free  # only free squares grow further
    return attacks


def neighbours(piece: str) -> Boards:
    """Return the first squares of a piece's rays, by square."""
    firsts = [[s for d in directions_of(piece) for s in ray_squares(d, sq)[:1]] for sq in range(64)]
    return np.array([sum(1 << s for s in squares) for squares in firsts], U64)


def tables() -> Exploding:
    """Build the rays, the neighbours, the multipliers and the first-rank table."""
    rook_neighbours = neighbours("rook")
    rook_neighbours[:8] &= ~U64(0xFF)
    steps = np.array([ROOK_STEPS ^ LEFT, *[ROOK_STEPS] * 5, *[ROOK_STEPS ^ RIGHT] * 2], U64)
    return Exploding(rays("rook"), rays("bishop"), rook_neighbours, neighbours("bishop"), steps, table_64())


EXPLODING = Technique(
    Card(
        name="exploding",
        summary="a multiplication steps outward in four directions at once",
        authors=("Harald Luessen",),
        year=2006,
        source="Luessen, Compact Bitboard Attacks, Winboard Forum, 13 September 2006",
        users="Elephant",
        needs=Needs.MULTIPLY,
        tables=tables,
        kernels=Kernels(rook=rook, bishop=bishop),
    )
)
