"""Steps of whole boards in eight directions, and the attacks of pawns, knights and kings.

A shift moves all squares of a board at once, and a mask drops the squares that wrapped around the edge. The names are
those of the chessprogramming wiki (`nortOne` is `nort_one`).
"""

import numpy as np

from rookery.bitboards.bits import NOT_A_FILE, NOT_H_FILE, RANK_1, RANK_8
from rookery.bitboards.checked_kernels import Direction, checked_kernel
from rookery.bitboards.squares import STEPS
from rookery.kernel import U64, UNIVERSE, Bits, rotate_left

# By direction, for code that takes the direction as a number: rotate by ROTATION, then mask with AVOID_WRAP.
_NOT_RANK_1, _NOT_RANK_8 = UNIVERSE ^ RANK_1, UNIVERSE ^ RANK_8
ROTATION = np.array([step & 63 for step in STEPS], U64)
AVOID_WRAP = np.array(
    [
        _NOT_RANK_1,
        NOT_A_FILE & _NOT_RANK_1,
        NOT_A_FILE,
        NOT_A_FILE & _NOT_RANK_8,
        _NOT_RANK_8,
        NOT_H_FILE & _NOT_RANK_8,
        NOT_H_FILE,
        NOT_H_FILE & _NOT_RANK_1,
    ],
    U64,
)


@checked_kernel
def step(direction: Direction, b: Bits) -> Bits:
    """Move every square of `b` one step in a direction, 0 (north) to 7 (northwest) clockwise."""
    return rotate_left(b, ROTATION[direction]) & AVOID_WRAP[direction]


@checked_kernel
def nort_one(b: Bits) -> Bits:
    """Move all squares up by one rank."""
    return b << 8


@checked_kernel
def sout_one(b: Bits) -> Bits:
    """Move all squares down by one rank."""
    return b >> 8


@checked_kernel
def east_one(b: Bits) -> Bits:
    """Move all squares one file towards the h-file."""
    return (b << 1) & NOT_A_FILE


@checked_kernel
def west_one(b: Bits) -> Bits:
    """Move all squares one file towards the a-file."""
    return (b >> 1) & NOT_H_FILE


@checked_kernel
def no_ea_one(b: Bits) -> Bits:
    """Move all squares one step up and towards the h-file."""
    return (b << 9) & NOT_A_FILE


@checked_kernel
def so_ea_one(b: Bits) -> Bits:
    """Move all squares one step down and towards the h-file."""
    return (b >> 7) & NOT_A_FILE


@checked_kernel
def so_we_one(b: Bits) -> Bits:
    """Move all squares one step down and towards the a-file."""
    return (b >> 9) & NOT_H_FILE


@checked_kernel
def no_we_one(b: Bits) -> Bits:
    """Move all squares one step up and towards the a-file."""
    return (b << 7) & NOT_H_FILE


# Pawn attacks, for all pawns of a colour at once.


@checked_kernel
def white_pawn_east_attacks(pawns: Bits) -> Bits:
    """Return the squares that white pawns attack towards the h-file."""
    return no_ea_one(pawns)


@checked_kernel
def white_pawn_west_attacks(pawns: Bits) -> Bits:
    """Return the squares that white pawns attack towards the a-file."""
    return no_we_one(pawns)


@checked_kernel
def white_pawn_any_attacks(pawns: Bits) -> Bits:
    """Return the squares that at least one white pawn attacks."""
    return no_ea_one(pawns) | no_we_one(pawns)


@checked_kernel
def white_pawn_double_attacks(pawns: Bits) -> Bits:
    """Return the squares that two white pawns attack."""
    return no_ea_one(pawns) & no_we_one(pawns)


@checked_kernel
def white_pawn_single_attacks(pawns: Bits) -> Bits:
    """Return the squares that exactly one white pawn attacks."""
    return no_ea_one(pawns) ^ no_we_one(pawns)


@checked_kernel
def black_pawn_east_attacks(pawns: Bits) -> Bits:
    """Return the squares that black pawns attack towards the h-file."""
    return so_ea_one(pawns)


@checked_kernel
def black_pawn_west_attacks(pawns: Bits) -> Bits:
    """Return the squares that black pawns attack towards the a-file."""
    return so_we_one(pawns)


@checked_kernel
def black_pawn_any_attacks(pawns: Bits) -> Bits:
    """Return the squares that at least one black pawn attacks."""
    return so_ea_one(pawns) | so_we_one(pawns)


@checked_kernel
def black_pawn_double_attacks(pawns: Bits) -> Bits:
    """Return the squares that two black pawns attack."""
    return so_ea_one(pawns) & so_we_one(pawns)


@checked_kernel
def black_pawn_single_attacks(pawns: Bits) -> Bits:
    """Return the squares that exactly one black pawn attacks."""
    return so_ea_one(pawns) ^ so_we_one(pawns)


# Knights and kings, set-wise.


@checked_kernel
def knight_moves(knights: Bits) -> Bits:
    """Return the squares that a set of knights attacks.

    A knight moves one file sideways and two ranks up or down, or two files sideways and one rank.
    """
    one = east_one(knights) | west_one(knights)
    two = east_one(east_one(knights)) | west_one(west_one(knights))
    return (one << 16) | (one >> 16) | (two << 8) | (two >> 8)


@checked_kernel
def king_moves(kings: Bits) -> Bits:
    """Return the squares that a set of kings attacks: those to the sides, and three above and below."""
    sideways = east_one(kings) | west_one(kings)
    row = kings | sideways
    return sideways | nort_one(row) | sout_one(row)
