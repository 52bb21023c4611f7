"""Congruent modulo bitboards: the remainder of a masked line identifies its occupancy.

    o          the line's occupancy
    o % 514    for a diagonal: its powers of two have different remainders, with different sums
    o % 257    for an anti-diagonal: 2**8 is congruent to -1
    o % 258    for the a-file: on other files the sums collide, so these are shifted to the a-file first

A bishop on d4. The remainder of each square of its diagonal is a power of two, or 514 less a power of two. The
remainder of the occupancy is their sum:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 27, Bitboard.of("b2", "d4", "g7", "d7"), sparse_tables()
>>> mask = Bitboard(diagonal_mask(sq))
>>> [2**s % 514 for s in mask]
[1, 512, 4, 506, 16, 482, 64, 386]
>>> side_by_side({"occupied": occupied, "o": occupied & mask, "attacks": t.diagonal[(occupied & mask) % 514, sq]})
occupied          o                 attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . 1 .   . . . . . . 1 .   . . . . . . 1 .
. . . . . . . .   . . . . . . . .   . . . . . 1 . .
. . . . . . . .   . . . . . . . .   . . . . 1 . . .
. . . 1 . . . .   . . . 1 . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . 1 . . . . .
. 1 . . . . . .   . 1 . . . . . .   . 1 . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .
>>> diagonal_remainder(sq, occupied), sum(2**s % 514 for s in occupied & mask) % 514
(54, 54)
>>> Bitboard(diagonal(sq, occupied, t)).names()
['b2', 'c3', 'e5', 'f6', 'g7']

Trevor Fenner and Mark Levene, 2008. Their sparse tables hold a board for every remainder and square. Dense tables hold
a byte, the number of one of the distinct attack sets of the square's line (at most 3 * 4, for a square with three
squares to one side and four to the other). Ranks need no hash: they use the first-rank table.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import A_FILE, antidiagonal_mask, diagonal_mask
from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.techniques._filler import line_cases, place
from rookery.techniques.base import Card, Kernel, Kernels, Needs, Technique
from rookery.techniques.first_rank import Bytes, rank_64, table_64

Boards = NDArray[np.uint64]

_FILE_BITS = 7


class Sparse(NamedTuple):
    """A board for every remainder and square."""

    first_rank: Bytes  # (64, 8)
    file: Boards  # (258, 64): by remainder and square
    diagonal: Boards  # (514, 64)
    antidiagonal: Boards  # (257, 64)


class Dense(NamedTuple):
    """A byte for every remainder and square, and the attack sets that it numbers."""

    first_rank: Bytes
    file: Bytes  # (258, 64): the number of one of the square's distinct sets
    diagonal: Bytes
    antidiagonal: Bytes
    file_sets: Boards  # (64, 12)
    diagonal_sets: Boards
    antidiagonal_sets: Boards


@kernel
def file_remainder(sq: Square, occupied: Bits) -> Word:
    """Return the remainder of the file, shifted to the a-file, modulo 258."""
    o = (occupied >> (sq & _FILE_BITS)) & A_FILE
    return o % 258


@kernel
def diagonal_remainder(sq: Square, occupied: Bits) -> Word:
    """Return the remainder of the diagonal modulo 514."""
    o = occupied & diagonal_mask(sq)
    return o % 514


@kernel
def antidiagonal_remainder(sq: Square, occupied: Bits) -> Word:
    """Return the remainder of the anti-diagonal modulo 257."""
    o = occupied & antidiagonal_mask(sq)
    return o % 257


@kernel
def file(sq: Square, occupied: Bits, t: Sparse) -> Bits:
    """Look up the attacks along the file by its remainder."""
    return t.file[file_remainder(sq, occupied), sq]


@kernel
def diagonal(sq: Square, occupied: Bits, t: Sparse) -> Bits:
    """Look up the attacks along the diagonal by its remainder."""
    return t.diagonal[diagonal_remainder(sq, occupied), sq]


@kernel
def antidiagonal(sq: Square, occupied: Bits, t: Sparse) -> Bits:
    """Look up the attacks along the anti-diagonal by its remainder."""
    return t.antidiagonal[antidiagonal_remainder(sq, occupied), sq]


@kernel
def dense_file(sq: Square, occupied: Bits, t: Dense) -> Bits:
    """Look up a number by the remainder of the file, and the attacks by the number."""
    return t.file_sets[sq, t.file[file_remainder(sq, occupied), sq]]


@kernel
def dense_diagonal(sq: Square, occupied: Bits, t: Dense) -> Bits:
    """Look up a number by the remainder of the diagonal, and the attacks by the number."""
    return t.diagonal_sets[sq, t.diagonal[diagonal_remainder(sq, occupied), sq]]


@kernel
def dense_antidiagonal(sq: Square, occupied: Bits, t: Dense) -> Bits:
    """Look up a number by the remainder of the anti-diagonal, and the attacks by the number."""
    return t.antidiagonal_sets[sq, t.antidiagonal[antidiagonal_remainder(sq, occupied), sq]]


def _sparse(line: str, remainder: Kernel, modulus: int) -> Boards:
    table = np.zeros((modulus, 64), U64)
    for sq in range(64):
        occupied, attacks = line_cases(line, sq)
        place(table[:, sq], remainder(U64(sq), occupied), attacks)
    return table


def _dense(table: Boards) -> tuple[Bytes, Boards]:
    """Return a table's columns as bytes that number their distinct non-empty sets, and these sets."""
    numbers = np.zeros(table.shape, np.uint8)
    sets = np.zeros((64, 12), U64)
    for sq in range(64):
        reached = table[:, sq] != 0
        distinct, inverse = np.unique(table[reached, sq], return_inverse=True)
        numbers[reached, sq] = inverse
        sets[sq, : len(distinct)] = distinct
    return numbers, sets


def sparse_tables() -> Sparse:
    """Build tables with a board for every remainder and square."""
    return Sparse(
        table_64(),
        _sparse("file", file_remainder, 258),
        _sparse("diagonal", diagonal_remainder, 514),
        _sparse("antidiagonal", antidiagonal_remainder, 257),
    )


def dense_tables() -> Dense:
    """Build tables with a byte for every remainder and square, and the attack sets."""
    sparse = sparse_tables()
    numbers, sets = zip(*map(_dense, sparse[1:]), strict=True)
    return Dense(sparse.first_rank, *numbers, *sets)


_SOURCE = "Fenner and Levene, Move Generation with Perfect Hashing Functions, ICGA Journal 31-1, 2008"

CONGRUENT_MODULO = Technique(
    Card(
        name="congruent-modulo",
        summary="the remainder of a line by 514, 257 or 258 indexes a sparse table",
        authors=("Trevor Fenner", "Mark Levene"),
        year=2008,
        source=_SOURCE,
        needs=Needs.MODULO,
        tables=sparse_tables,
        kernels=Kernels(rank=rank_64, file=file, diagonal=diagonal, antidiagonal=antidiagonal),
    )
)
CONGRUENT_MODULO_DENSE = Technique(
    Card(
        name="congruent-modulo-dense",
        summary="the same, through a byte that counts a line's distinct attack sets",
        authors=("Trevor Fenner", "Mark Levene", "Gerd Isenberg"),
        year=2008,
        source=_SOURCE,
        needs=Needs.MODULO,
        tables=dense_tables,
        kernels=Kernels(rank=rank_64, file=dense_file, diagonal=dense_diagonal, antidiagonal=dense_antidiagonal),
    )
)
