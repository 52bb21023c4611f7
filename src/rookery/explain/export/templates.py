"""Kernels that are exported with every technique: the filling of tables at start-up, and the self-check.

They are translated like all others. The filling walks rays by shifting a bit. The self-check shares no code with it or
with any technique: it counts ranks and files, and alone knows which bit a square is.
"""

from typing import Any

import numpy as np

from rookery.bitboards.sets import step
from rookery.kernel import U64, Bits, Square, Word, kernel, pext
from rookery.techniques.rays import ray

SIDES = 8

# Filling. A rook's directions are 0, 2, 4, 6, a bishop's 1, 3, 5, 7: `piece` is the first of them.


@kernel
def walked_attacks(piece: Word, sq: Square, occupied: Bits, t: Any) -> Bits:
    """Return the attacks of a piece, by walking."""
    attacks = 0
    for i in range(4):
        attacks |= ray(piece + 2 * i, sq, occupied, t)
    return attacks


@kernel
def relevant_squares(piece: Word, sq: Square, t: Any) -> Bits:
    """Return the relevant occupancy.

    It holds all squares of a ray but its last, which a step back does not reach.
    """
    relevant = 0
    for i in range(4):
        direction = piece + 2 * i
        whole = ray(direction, sq, 0, t)
        relevant |= whole & step((direction + 4) & 7, whole)
    return relevant


@kernel
def walked_line(line: Word, sq: Square, occupied: Bits, t: Any) -> Bits:
    """Return the attacks of a slider along a line, by walking both ways."""
    return ray(line, sq, occupied, t) | ray(line + 4, sq, occupied, t)


@kernel
def walked_bits(piece: Word, sq: Square, occupied: Bits, t: Any) -> Word:
    """Return the attacks as one bit for each square of the rays."""
    return pext(walked_attacks(piece, sq, occupied, t), walked_attacks(piece, sq, 0, t))


def fill_squares(piece: Word, squares: Bits, table: Any, slot: Any, walked: Any, t: Any) -> None:
    """Fill the slots of every relevant occupancy of every square of a set."""
    for sq in range(64):
        if (squares >> sq) & 1:
            relevant = relevant_squares(piece, sq, t)
            occupied = 0
            going = 1
            while going:
                table[slot(sq, occupied)] = walked(piece, sq, occupied, t)
                occupied = (occupied - relevant) & relevant
                going = occupied


# A line's slots may hold bits unrelated to it: rotated boards read some of a neighbouring diagonal. `line` is
# the first of its two directions, 0 to 3.


def deciding_squares(sq: Square, slot: Any) -> Bits:
    """Return the squares whose occupancy changes the slot of a look-up."""
    deciding = 0
    for s in range(64):
        if slot(sq, 1 << s) != slot(sq, 0):
            deciding |= 1 << s
    return deciding


def fill_line(line: Word, squares: Bits, table: Any, slot: Any, t: Any) -> None:
    """Fill the slots of every square of a set, for every occupancy of the squares that change the slot."""
    for sq in range(64):
        if (squares >> sq) & 1:
            deciding = deciding_squares(sq, slot)
            occupied = 0
            going = 1
            while going:
                table[slot(sq, occupied)] = walked_line(line, sq, occupied, t)
                occupied = (occupied - deciding) & deciding
                going = occupied


# The self-check. `bishop` is 0 or 1; ranks and files are 0 to 7, and wrap to numbers over 7 when they leave the board.

RANK_FLIP = FILE_FLIP = 0  # 7 where a mapping counts down; an export puts its own in their place
RANK_STEP, FILE_STEP = 8, 1
RANKS_UP = np.array([1, 0, 2**64 - 1, 0, 1, 2**64 - 1, 2**64 - 1, 1], U64)  # four directions of the rook, then four
FILES_RIGHT = np.array([0, 1, 0, 2**64 - 1, 1, 1, 2**64 - 1, 2**64 - 1], U64)  # of the bishop


def square_index(rank: Word, file: Word) -> Square:
    """Return the bit of a square."""
    return (rank ^ RANK_FLIP) * RANK_STEP + (file ^ FILE_FLIP) * FILE_STEP


def expected_attacks(bishop: Word, rank: Word, file: Word, occupied: Bits) -> Bits:
    """Return the attacks of a rook or bishop, square by square."""
    attacks = 0
    for i in range(4):
        up = RANKS_UP[4 * bishop + i]
        right = FILES_RIGHT[4 * bishop + i]
        r = rank + up
        f = file + right
        while (r < SIDES) & (f < SIDES):
            here = 1 << square_index(r, f)
            attacks |= here
            if occupied & here:
                break
            r = r + up
            f = f + right
    return attacks


def blocker_squares(bishop: Word, rank: Word, file: Word) -> Bits:
    """Return the squares of the rays that have another square behind them."""
    blockers = 0
    for i in range(4):
        up = RANKS_UP[4 * bishop + i]
        right = FILES_RIGHT[4 * bishop + i]
        r = rank + up
        f = file + right
        while (r + up < SIDES) & (f + right < SIDES):
            blockers |= 1 << square_index(r, f)
            r = r + up
            f = f + right
    return blockers


def answered_attacks(bishop: Word, square: Square, occupied: Bits, rook_attacks: Any, bishop_attacks: Any) -> Bits:
    """Return what the exported functions answer."""
    if bishop:
        return bishop_attacks(square, occupied)
    return rook_attacks(square, occupied)


def is_right(
    bishop: Word,
    rank: Word,
    file: Word,
    blockers: Bits,
    occupied: Bits,
    rook_attacks: Any,
    bishop_attacks: Any,
    queen_attacks: Any,
) -> Word:
    """Check whether the exported functions give the expected attacks.

    They must do so for the rook or bishop, also when every other square of the board is occupied, and for the queen.
    """
    square = square_index(rank, file)
    expected = expected_attacks(bishop, rank, file, occupied)
    queen = expected | expected_attacks(1 - bishop, rank, file, occupied)
    alone = answered_attacks(bishop, square, occupied, rook_attacks, bishop_attacks)
    crowded = answered_attacks(bishop, square, occupied | ~blockers, rook_attacks, bishop_attacks)
    return (alone == expected) & (crowded == expected) & (queen_attacks(square, occupied) == queen)


def next_case(blockers: Bits, occupied: Bits) -> Bits:
    """Return the next subset of the blockers (the carry rippler), 0 after the last."""
    return (occupied - blockers) & blockers
