"""Kindergarten bitboards: a multiplication gathers a line in six bits, the index of a small shared table.

    o         the line's occupancy; ``o * B_FILE >> 58`` is its six inner squares, b to g, as a number
    fill_up   attacks on a rank, copied to all eight ranks; masked by a line, they are the attacks along it

A bishop on d4, with b2 and g7 occupied on its diagonal. Bits 0 to 5 of the number, drawn from a1 on, are the squares
b2 to g7:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 27, Bitboard.of("b2", "d4", "g7", "h8", "d7"), tables()
>>> mask = Bitboard(diagonal_mask(sq) ^ bit(sq))
>>> o = occupied & mask
>>> index = o * B_FILE >> 58
>>> found = t.fill_up[sq & 7, index]
>>> side_by_side({"o": o, "* B_FILE": o * B_FILE, ">> 58": index, "fill_up[d]": found, "& mask": found & mask})
o                 * B_FILE          >> 58             fill_up[d]        & mask
. . . . . . . 1   . . 1 . . . . 1   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . . . .
. . . . . . 1 .   . . 1 . . . . 1   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . . 1 .
. . . . . . . .   . . 1 . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . 1 . .
. . . . . . . .   . . 1 . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . 1 . . .
. . . . . . . .   . . 1 . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . . . .
. . . . . . . .   . . 1 . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . 1 . . . . .
. 1 . . . . . .   . . 1 . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . 1 . . . . . .
. . . . . . . .   . . . . . . . .   1 . . . . 1 . .   . 1 1 . 1 1 1 .   . . . . . . . .
>>> Bitboard(diagonal(sq, occupied, t)).names()
['b2', 'c3', 'e5', 'f6', 'g7']

Ranks and diagonals have one bit on each file and share the table. A file is shifted to the a-file, gathered with the
diagonal c2-h7, and has its own table. Gerd Isenberg, after discussions on the Winboard forum and CCC, 2006.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import A_FILE, B_FILE, antidiagonal_mask, bit, diagonal_mask, rank_mask
from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.techniques._filler import line_cases, place
from rookery.techniques.base import Card, Kernels, Needs, Technique, Variant
from rookery.techniques.first_rank import table_64

Boards = NDArray[np.uint64]

DIAGONAL_C2_H7 = 0x0080402010080400
_FILE_BITS = 7


class Kindergarten(NamedTuple):
    """Attacks on a rank, copied to all eight ranks, and on the a-file."""

    fill_up: Boards  # (8, 64): by file and six occupancy bits
    a_file: Boards  # (8, 64): by rank and six occupancy bits, with the seventh rank as the lowest


@kernel
def by_fill_up(sq: Square, occupied: Bits, mask: Bits, t: Kindergarten) -> Bits:
    """Return the attacks along a rank or a diagonal; `mask` is the line with the slider."""
    mask = mask ^ bit(sq)  # the line without the slider
    o = occupied & mask
    index: Word = (o * B_FILE) >> 58  # the six inner bits, gathered at the top of the word
    # the table has the attacks on every rank, and the mask keeps those on the line
    return t.fill_up[sq & _FILE_BITS, index] & mask


@kernel
def rank(sq: Square, occupied: Bits, t: Kindergarten) -> Bits:
    """Return the attacks along the rank."""
    return by_fill_up(sq, occupied, rank_mask(sq), t)


@kernel
def diagonal(sq: Square, occupied: Bits, t: Kindergarten) -> Bits:
    """Return the attacks along the diagonal."""
    return by_fill_up(sq, occupied, diagonal_mask(sq), t)


@kernel
def antidiagonal(sq: Square, occupied: Bits, t: Kindergarten) -> Bits:
    """Return the attacks along the anti-diagonal."""
    return by_fill_up(sq, occupied, antidiagonal_mask(sq), t)


@kernel
def a_file_index(occupied: Bits, file: Square) -> Word:
    """Return the six inner squares of a file as a number."""
    return (((occupied >> file) & A_FILE) * DIAGONAL_C2_H7) >> 58


@kernel
def file(sq: Square, occupied: Bits, t: Kindergarten) -> Bits:
    """Return the attacks along the file, by way of the a-file."""
    file_ = sq & _FILE_BITS  # the file that is shifted to the a-file
    return t.a_file[sq >> 3, a_file_index(occupied, file_)] << file_


def fill_up_attacks() -> Boards:
    """Return the first-rank table, with each byte copied to all ranks."""
    return np.ascontiguousarray(table_64().T.astype(U64) * A_FILE)


def a_file_attacks() -> Boards:
    """Return the attacks along the a-file, by rank."""
    table = np.zeros((8, 64), U64)
    for rank_ in range(8):
        occupied, attacks = line_cases("file", 8 * rank_)
        place(table[rank_], a_file_index(occupied, U64(0)), attacks)
    return table


def tables() -> Kindergarten:
    """Build one table for ranks and diagonals, and one for files."""
    return Kindergarten(fill_up_attacks(), a_file_attacks())


KINDERGARTEN = Technique(
    Card(
        name="kindergarten",
        summary="a multiplication gathers the line; small tables shared by all squares",
        authors=("Gerd Isenberg",),
        year=2006,
        source="Isenberg, Efficient Generation of Sliding Piece Attacks, Dresden 2008",
        users="squared-chess and Nalwald, with a table for each square (chessprogramming wiki)",
        needs=Needs.MULTIPLY,
        tables=tables,
        kernels=Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal),
        variants=(
            Variant(
                "sse2-movemask",
                authors=("Gerd Isenberg",),
                year=2018,
                source="chessprogramming wiki, SIMD Techniques",
                difference="PMOVMSKB gathers both diagonals, rank by rank, instead of two products",
            ),
        ),
    )
)
