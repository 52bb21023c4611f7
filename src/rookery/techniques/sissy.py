"""SISSY: the attacks left open by the pieces of each rank, intersected over the eight ranks.

    sets      the attacks of a queen if only one rank has pieces, by square, rank and the rank's byte
    rays      the attacks of a rook or a bishop on the empty board

A blocker takes squares away from a queen's attacks, whatever else is on the board. So the attacks are the intersection
of eight sets, one for each rank, and no index needs more than a shift. The rays separate rooks from bishops. A rook on
d4, with d6 and b4 occupied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 27, Bitboard.of("d4", "b4", "d6", "f6"), tables()
>>> fourth, sixth = (Bitboard(t.sets[sq << 11 | rank << 8 | (occupied >> 8 * rank & 255)]) for rank in (3, 5))
>>> side_by_side({"occupied": occupied, "rank 4 alone": fourth, "rank 6 alone": sixth, "both": fourth & sixth,
...               "& rook's rays": fourth & sixth & t.rook_rays[sq]})
occupied          rank 4 alone      rank 6 alone      both              & rook's rays
. . . . . . . .   . . . 1 . . . 1   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   1 . . 1 . . 1 .   1 . . . . . . .   1 . . . . . . .   . . . . . . . .
. . . 1 . 1 . .   . 1 . 1 . 1 . .   . 1 . 1 . 1 . .   . 1 . 1 . 1 . .   . . . 1 . . . .
. . . . . . . .   . . 1 1 1 . . .   . . 1 1 1 . . .   . . 1 1 1 . . .   . . . 1 . . . .
. 1 . 1 . . . .   . 1 1 . 1 1 1 1   1 1 1 . 1 1 1 1   . 1 1 . 1 1 1 1   . 1 1 . 1 1 1 1
. . . . . . . .   . . 1 1 1 . . .   . . 1 1 1 . . .   . . 1 1 1 . . .   . . . 1 . . . .
. . . . . . . .   . 1 . 1 . 1 . .   . 1 . 1 . 1 . .   . 1 . 1 . 1 . .   . . . 1 . . . .
. . . . . . . .   1 . . 1 . . 1 .   1 . . 1 . . 1 .   1 . . 1 . . 1 .   . . . 1 . . . .
>>> fourth & sixth & t.rook_rays[sq] == rook(sq, occupied, t)
True

The name is short for split index super set yielding. Michael Sherwin, 2020; in his program, bishops have a smaller
table of their own.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.techniques._filler import directions_of, rays, walk
from rookery.techniques.base import Card, Kernels, Technique

Boards = NDArray[np.uint64]

_BYTE = 255


class Sissy(NamedTuple):
    """The queen's attacks by square, rank and byte, and the rays of rooks and bishops."""

    sets: Boards  # (64, 8, 256), flat
    rook_rays: Boards  # (64,)
    bishop_rays: Boards


@kernel
def left_open(rank: Word, sq: Square, occupied: Bits, t: Sissy) -> Bits:
    """Return what the pieces of one rank leave of a queen's attacks."""
    byte = (occupied >> (rank << 3)) & _BYTE  # the rank's pieces
    return t.sets[(sq << 11) | (rank << 8) | byte]  # eight ranks of 256 sets for each square


@kernel
def open_squares(sq: Square, occupied: Bits, t: Sissy) -> Bits:
    """Return the attacks of a queen: what the pieces of every rank leave."""
    first = left_open(0, sq, occupied, t) & left_open(1, sq, occupied, t)  # ranks 1 and 2
    second = left_open(2, sq, occupied, t) & left_open(3, sq, occupied, t)  # ranks 3 and 4
    third = left_open(4, sq, occupied, t) & left_open(5, sq, occupied, t)  # ranks 5 and 6
    fourth = left_open(6, sq, occupied, t) & left_open(7, sq, occupied, t)  # ranks 7 and 8
    return (first & second) & (third & fourth)


@kernel
def rook(sq: Square, occupied: Bits, t: Sissy) -> Bits:
    """Keep the rook's rays of the queen's attacks."""
    return open_squares(sq, occupied, t) & t.rook_rays[sq]


@kernel
def bishop(sq: Square, occupied: Bits, t: Sissy) -> Bits:
    """Keep the bishop's rays of the queen's attacks."""
    return open_squares(sq, occupied, t) & t.bishop_rays[sq]


def tables() -> Sissy:
    """Build the sets and the rays."""
    one_rank = np.concatenate([np.arange(256, dtype=U64) << U64(8 * rank) for rank in range(8)])
    sets = np.concatenate([walk(sq, directions_of("queen"), one_rank) for sq in range(64)])
    return Sissy(sets, rays("rook"), rays("bishop"))


SISSY = Technique(
    Card(
        name="sissy",
        summary="the intersection of eight sets, one for each rank's byte",
        authors=("Michael Sherwin",),
        year=2020,
        source="Sherwin, split index super set yielding bitboards, talkchess t=73083, 2020",
        tables=tables,
        kernels=Kernels(rook=rook, bishop=bishop),
    )
)
