"""Titboards: the pieces of both sides on a line are the digits of a number to base three.

    byte     a side's pieces on a line, moved to the first rank, as in the first-rank technique
    ternary  a byte as a number to base three: a digit for each of the seven squares beside the slider's
    index    ``ternary[own] + 2 * ternary[enemy]``: the digit 0 is an empty square, 1 an own piece, 2 an enemy
    moves    the squares to which the slider can move, by its file and the 3**7 = 2,187 indices

A bit is a binary digit, and a tit a ternary one. The index tells whose piece is the first on the way, so that the table
holds moves, without the own pieces: the other techniques find attacks, and remove the own pieces afterwards. A rook on
d1, with an own piece on b1 and an enemy on g1:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 3, Bitboard.of("b1", "d1", "g1"), tables()
>>> own, enemy = Bitboard.of("b1"), Bitboard.of("g1")
>>> index = int(t.ternary[own, sq]) + 2 * int(t.ternary[enemy, sq])
>>> index, np.base_repr(index, 3)
(489, '200010')
>>> moves = Bitboard(moves_to(own, enemy, sq, t))
>>> side_by_side({"own": own, "enemy": enemy, "moves": moves, "attacks": look_up(occupied, sq, t)})
own               enemy             moves             attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. 1 . . . . . .   . . . . . . 1 .   . . 1 . 1 1 1 .   . 1 1 . 1 1 1 .

The digits are those of g1, f1, e1, c1, b1 and a1. Attacks are the moves in which every piece counts as an enemy. The
multiplications of the first-rank technique turn the other lines to the first rank. Zach Wegner, 2006; his tables hold
the moves of each square and line, where one table of bytes serves all here.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, Square, Word, kernel
from rookery.techniques.base import Card, Needs, Technique
from rookery.techniques.first_rank import lines, table_256

_TITS = 2187  # 3**7


class Titboards(NamedTuple):
    """Bytes as numbers to base three, and moves on the first rank."""

    ternary: NDArray[np.uint16]  # (256, 8): by byte and the file of the slider, which has no digit
    moves: NDArray[np.uint8]  # (8, 2187): by the file and the number to base three


@kernel
def moves_to(own: Word, enemy: Word, file: Square, t: Titboards) -> Word:
    """Return the squares of the first rank to which a slider can move, from the bytes of both sides."""
    index: Word = U64(t.ternary[own, file]) + (U64(t.ternary[enemy, file]) << 1)  # digits 1 and 2
    return U64(t.moves[file, index])


@kernel
def look_up(byte: Word, file: Square, t: Titboards) -> Word:
    """Return the attacks on the first rank: the moves if every piece is an enemy."""
    return moves_to(0, byte, file, t)


def ternary_bytes() -> NDArray[np.uint16]:
    """Return each byte as a number to base three without the slider's digit, (256, 8), by byte and file."""
    table = np.zeros((256, 8), np.uint16)
    for file in range(8):
        others = [s for s in range(8) if s != file]
        for digit, square in enumerate(others):
            table[:, file] += ((np.arange(256) >> square & 1) * 3**digit).astype(np.uint16)
    return table


def tables() -> Titboards:
    """Build the digits and the moves."""
    ternary, attacks = ternary_bytes(), table_256()
    moves = np.zeros((8, _TITS), np.uint8)
    own, enemy = (side.ravel() for side in np.meshgrid(np.arange(256), np.arange(256)))
    own, enemy = own[own & enemy == 0], enemy[own & enemy == 0]
    for file in range(8):
        index = ternary[own, file] + 2 * ternary[enemy, file]
        moves[file, index] = attacks[own | enemy, file] & ~own
    return Titboards(ternary, moves)


TITBOARDS = Technique(
    Card(
        name="titboards",
        summary="both sides' pieces on a line as a number to base three",
        authors=("Zach Wegner",),
        year=2006,
        source="Wegner, Yet another new bitboard move generation method, Winboard Forum, 22 September 2006",
        needs=Needs.MULTIPLY,
        tables=tables,
        kernels=lines(look_up),
    )
)
