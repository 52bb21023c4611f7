"""The pieces of a position in four bits each, in the order of their squares: two formats and their table.

    occupied   the squares that have a piece
    low, high  the nibbles of the first 16 pieces, and of the others; the first piece is in the lowest bits
    table      what a nibble means, as a *piece code*: a bit for each of the five boards that the piece is on, `WHITE`,
               and `MARKED` for a piece that says more, such as a rook that may castle

A piece code is also what `nibble_table` numbers the pieces by, so that one kernel reads and one writes any such format.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import reset_ls1b
from rookery.kernel import U64, Bits, Word, cold_kernel, kernel, popcount, trailing_zeros
from rookery.rules.position import Pieces

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 4, 8, 12, 16
KINDS: Final = (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING)
WHITE, MARKED, INVALID = 32, 64, 128
MOST_PIECES: Final = 32
_FOUR_BITS = 15


class Unpacked(NamedTuple):
    """The boards that nibbles describe. `marked` has the squares of marked pieces; `invalid` is nonzero for a fault."""

    pieces: Pieces
    white: Bits
    marked: Bits
    invalid: Word


def codes_of(*nibbles: int) -> NDArray[np.uint8]:
    """Return the table of a format from the piece codes of nibbles 0, 1 and so on; the others are invalid."""
    table = np.full(16, INVALID, np.uint8)
    table[: len(nibbles)] = nibbles
    return table


def nibbles_of(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the inverse of a table: the nibble of each piece code."""
    table = np.zeros(128, np.uint8)
    for nibble, code in enumerate(codes.tolist()):
        if code != INVALID:
            table[code] = nibble
    return table


@cold_kernel
def unpack(occupied: Bits, low: Word, high: Word, codes: Any) -> Unpacked:
    """Return the boards of a position; more than 32 pieces are a fault."""
    pawns = knights = diagonals = orthogonals = kings = white = marked = invalid = U64(0)
    if popcount(occupied) > MOST_PIECES:
        invalid = U64(1)
        occupied = U64(0)
    n = 0
    while occupied:
        sq = trailing_zeros(occupied)
        occupied = reset_ls1b(occupied)
        nibble = (low if n < 16 else high) >> (n % 16 * 4)
        code = U64(codes[nibble & _FOUR_BITS])
        pawns |= (code & 1) << sq
        knights |= (code >> 1 & 1) << sq
        diagonals |= (code >> 2 & 1) << sq
        orthogonals |= (code >> 3 & 1) << sq
        kings |= (code >> 4 & 1) << sq
        white |= (code >> 5 & 1) << sq
        marked |= (code >> 6 & 1) << sq
        invalid |= code >> 7
        n += 1
    return Unpacked((pawns, knights, diagonals, orthogonals, kings), white, marked, invalid)


@cold_kernel
def pack(pieces: Pieces, white: Bits, marked: Bits, nibbles: Any) -> tuple[Word, Word]:
    """Return the nibbles of a position of at most 32 pieces, the first 16 and the others."""
    pawns, knights, diagonals, orthogonals, kings = pieces
    occupied = pawns | knights | diagonals | orthogonals | kings
    low = high = U64(0)
    n = 0
    while occupied:
        sq = trailing_zeros(occupied)
        occupied = reset_ls1b(occupied)
        code = (pawns >> sq & 1) | (knights >> sq & 1) << 1 | (diagonals >> sq & 1) << 2
        code |= (orthogonals >> sq & 1) << 3 | (kings >> sq & 1) << 4 | (white >> sq & 1) << 5
        code |= (marked >> sq & 1) << 6
        nibble = U64(nibbles[code]) << (n % 16 * 4)
        low |= nibble if n < 16 else 0
        high |= 0 if n < 16 else nibble
        n += 1
    return low, high


@kernel
def store_word(out: Any, n: Word, word: Word, count: Word) -> None:
    """Write the lowest `count` bytes of a word to ``out[n]`` and on, the lowest first."""
    for k in range(count):
        out[n + U64(k)] = np.uint8(word >> (8 * U64(k)) & 0xFF)
