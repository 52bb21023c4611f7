"""Split tables: each line of each square has a table of its own, of 64 attack sets.

    o         the line's six inner squares
    index     these six bits as a number: a rank is shifted, the other lines are gathered
    lines     the attacks along a line, by square and index

A magic or PEXT table has up to 4,096 entries for a rook, because its index holds both lines. Two tables of 64 entries
replace it, for one more look-up. PEXT gathers any line. Without it, a multiplication does, as
in the kindergarten technique, whose tables are smaller but need a mask after the look-up. A bishop on d4, with b2 and
g7 occupied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied = 27, Bitboard.of("b2", "d4", "g7", "h8", "d7")
>>> t, products = tables_by_pext(), tables_by_product()
>>> o, mask = occupied & t.diagonal_masks[sq], Bitboard(t.diagonal_masks[sq])
>>> side_by_side({"mask": mask, "o": o, "pext": pext(o, mask), "o * B_FILE >> 58": o * B_FILE >> 58,
...               "attacks": t.diagonals[diagonal_by_pext(sq, occupied, t)]})
mask              o                 pext              o * B_FILE >> 58   attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . 1 .   . . . . . . 1 .   . . . . . . . .   . . . . . . . .   . . . . . . 1 .
. . . . . 1 . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . 1 . .
. . . . 1 . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . 1 . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . . . . .
. 1 . . . . . .   . 1 . . . . . .   . . . . . . . .   . . . . . . . .   . 1 . . . . . .
. . . . . . . .   . . . . . . . .   1 . . . 1 . . .   1 . . . . 1 . .   . . . . . . . .
>>> bool(t.diagonals[diagonal_by_pext(sq, occupied, t)] == products.diagonals[diagonal_by_product(sq, occupied, t)])
True

OliThink has had these tables, indexed by products, since version 5 (Oliver Brausch, 2007). Daniel Infuehr (2020) and
Thomas Jahn (2022) gathered single lines by PEXT. Michael Sherwin proposed the split index again in 2023, and Martin
Novak translated it into C++.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import B_FILE
from rookery.bitboards.lines import LINES, ray_squares
from rookery.kernel import U64, Bits, Square, Word, kernel, pext
from rookery.techniques._filler import line_cases, place
from rookery.techniques.base import Card, Kernel, Kernels, Needs, Technique, Variant
from rookery.techniques.kindergarten import a_file_index

Boards = NDArray[np.uint64]

_RANK_BITS = 56
_FILE_BITS = 7
_SIX_BITS = 63


class Split(NamedTuple):
    """The attacks along each line, by square and index, and the inner squares of three lines, by square."""

    ranks: Boards  # (4096,): 64 for each square
    files: Boards
    diagonals: Boards
    antidiagonals: Boards
    file_masks: Boards  # (64,): the squares of the line without the edges and the square itself
    diagonal_masks: Boards
    antidiagonal_masks: Boards


@kernel
def rank_index(sq: Square, occupied: Bits, t: Split) -> Word:
    """Return the slot of a rank: the square's 64, and its six inner squares, shifted down."""
    return (sq << 6) | ((occupied >> ((sq & _RANK_BITS) + 1)) & _SIX_BITS)


@kernel
def file_by_pext(sq: Square, occupied: Bits, t: Split) -> Word:
    """Return the slot of a file: its inner squares, gathered by PEXT."""
    return (sq << 6) | pext(occupied, t.file_masks[sq])


@kernel
def diagonal_by_pext(sq: Square, occupied: Bits, t: Split) -> Word:
    """Return the slot of a diagonal: its inner squares, gathered by PEXT."""
    return (sq << 6) | pext(occupied, t.diagonal_masks[sq])


@kernel
def antidiagonal_by_pext(sq: Square, occupied: Bits, t: Split) -> Word:
    """Return the slot of an anti-diagonal: its inner squares, gathered by PEXT."""
    return (sq << 6) | pext(occupied, t.antidiagonal_masks[sq])


@kernel
def file_by_product(sq: Square, occupied: Bits, t: Split) -> Word:
    """Return the slot of a file: its inner squares, gathered by a multiplication."""
    return (sq << 6) | a_file_index(occupied, sq & _FILE_BITS)


@kernel
def diagonal_by_product(sq: Square, occupied: Bits, t: Split) -> Word:
    """Return the slot of a diagonal: its inner squares, gathered by a multiplication."""
    return (sq << 6) | (((occupied & t.diagonal_masks[sq]) * B_FILE) >> 58)


@kernel
def antidiagonal_by_product(sq: Square, occupied: Bits, t: Split) -> Word:
    """Return the slot of an anti-diagonal: its inner squares, gathered by a multiplication."""
    return (sq << 6) | (((occupied & t.antidiagonal_masks[sq]) * B_FILE) >> 58)


def lines(file_index: Kernel, diagonal_index: Kernel, antidiagonal_index: Kernel) -> Kernels:
    """Make the kernels of the four lines from the indices of three of them."""

    @kernel
    def rank(sq: Square, occupied: Bits, t: Split) -> Bits:
        """Look up the attacks along the rank."""
        return t.ranks[rank_index(sq, occupied, t)]

    @kernel
    def file(sq: Square, occupied: Bits, t: Split) -> Bits:
        """Look up the attacks along the file."""
        return t.files[file_index(sq, occupied, t)]

    @kernel
    def diagonal(sq: Square, occupied: Bits, t: Split) -> Bits:
        """Look up the attacks along the diagonal."""
        return t.diagonals[diagonal_index(sq, occupied, t)]

    @kernel
    def antidiagonal(sq: Square, occupied: Bits, t: Split) -> Bits:
        """Look up the attacks along the anti-diagonal."""
        return t.antidiagonals[antidiagonal_index(sq, occupied, t)]

    return Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal)


def inner_squares(line: str) -> Boards:
    """Return a line's squares without the last of each ray and without the square itself, by square."""
    rays = [[s for d in LINES[line] for s in ray_squares(d, sq)[:-1]] for sq in range(64)]
    return np.array([sum(1 << s for s in squares) for squares in rays], U64)


def filled(indices: dict[str, Kernel]) -> Split:
    """Build the tables for the index of each line."""
    masks = {line: inner_squares(line) for line in LINES}
    ranks, files, diagonals, antidiagonals = (np.zeros(64 * 64, U64) for _ in LINES)
    t = Split(ranks, files, diagonals, antidiagonals, masks["file"], masks["diagonal"], masks["antidiagonal"])
    tables_ = {"rank": t.ranks, "file": t.files, "diagonal": t.diagonals, "antidiagonal": t.antidiagonals}
    for line, index in indices.items():
        for sq in range(64):
            occupied, attacks = line_cases(line, sq)
            place(tables_[line], index(U64(sq), occupied, t), attacks)
    return t


def tables_by_pext() -> Split:
    """Build the tables whose indices PEXT gathers."""
    return filled(
        {
            "rank": rank_index,
            "file": file_by_pext,
            "diagonal": diagonal_by_pext,
            "antidiagonal": antidiagonal_by_pext,
        }
    )


def tables_by_product() -> Split:
    """Build the tables whose indices a multiplication gathers."""
    return filled(
        {
            "rank": rank_index,
            "file": file_by_product,
            "diagonal": diagonal_by_product,
            "antidiagonal": antidiagonal_by_product,
        }
    )


SPLIT_PEXT = Technique(
    Card(
        name="split-pext",
        summary="a table of 64 sets for each line of each square, indexed by PEXT",
        authors=("Daniel Infuehr", "Thomas Jahn", "Michael Sherwin"),
        year=2023,
        source="Infuehr, Chess_Movegen, SplitPext.hpp, 2023",
        needs=Needs.PEXT,
        tables=tables_by_pext,
        kernels=lines(file_by_pext, diagonal_by_pext, antidiagonal_by_pext),
    )
)
KINDERGARTEN_SPLIT = Technique(
    Card(
        name="kindergarten-split",
        summary="a table of 64 sets for each line of each square, indexed by a multiplication",
        authors=("Oliver Brausch", "Michael Sherwin"),
        year=2007,
        source="chessprogramming wiki, OliThink; Sherwin, kindergarten super SISSY bitboards, talkchess t=81234, 2023",
        users="OliThink since version 5, with a second half of the tables for X-rays",
        needs=Needs.MULTIPLY,
        tables=tables_by_product,
        kernels=lines(file_by_product, diagonal_by_product, antidiagonal_by_product),
        variants=(
            Variant(
                "folding-hash",
                authors=("Daniel Infuehr",),
                year=2022,
                source="Chess_Movegen, FoldingHash.hpp",
                difference="the word folded to 32 bits, and a factor for each line; tables overlap in one array",
            ),
        ),
    )
)
