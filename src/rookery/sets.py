"""Set-wise steps in eight directions, and the pawn attacks that are made of them.

Each moves all squares of a board at once by a shift; a wrap mask stops what would come in again on the other
side. Names as on the chessprogramming wiki (`nortOne` is `nort_one`).
"""

import numpy as np

from rookery.bits import NOT_A_FILE, NOT_H_FILE
from rookery.checked_kernels import Direction, checked_kernel
from rookery.kernel import U64, UNIVERSE, Bits, rotate_left
from rookery.squares import STEPS

# By direction, for code that takes the direction as a number: rotate by ROTATION, then drop what wrapped.
_NOT_RANK_1, _NOT_RANK_8 = UNIVERSE ^ 0xFF, UNIVERSE ^ 0xFF << 56
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
    """One step of every square of `b` in a direction, 0 (nort) to 7 (noWe) clockwise."""
    return rotate_left(b, ROTATION[direction]) & AVOID_WRAP[direction]


@checked_kernel
def nort_one(b: Bits) -> Bits:
    """One step up the board."""
    return b << 8


@checked_kernel
def sout_one(b: Bits) -> Bits:
    """One step down the board."""
    return b >> 8


@checked_kernel
def east_one(b: Bits) -> Bits:
    """One step towards the h-file."""
    return (b << 1) & NOT_A_FILE


@checked_kernel
def west_one(b: Bits) -> Bits:
    """One step towards the a-file."""
    return (b >> 1) & NOT_H_FILE


@checked_kernel
def no_ea_one(b: Bits) -> Bits:
    """One step up and towards the h-file."""
    return (b << 9) & NOT_A_FILE


@checked_kernel
def so_ea_one(b: Bits) -> Bits:
    """One step down and towards the h-file."""
    return (b >> 7) & NOT_A_FILE


@checked_kernel
def so_we_one(b: Bits) -> Bits:
    """One step down and towards the a-file."""
    return (b >> 9) & NOT_H_FILE


@checked_kernel
def no_we_one(b: Bits) -> Bits:
    """One step up and towards the a-file."""
    return (b << 7) & NOT_H_FILE


# Pawn attacks, for all pawns of a colour at once.


@checked_kernel
def white_pawn_east_attacks(pawns: Bits) -> Bits:
    """What white pawns attack towards the h-file."""
    return no_ea_one(pawns)


@checked_kernel
def white_pawn_west_attacks(pawns: Bits) -> Bits:
    """What white pawns attack towards the a-file."""
    return no_we_one(pawns)


@checked_kernel
def white_pawn_any_attacks(pawns: Bits) -> Bits:
    """What at least one white pawn attacks."""
    return no_ea_one(pawns) | no_we_one(pawns)


@checked_kernel
def white_pawn_double_attacks(pawns: Bits) -> Bits:
    """What two white pawns attack."""
    return no_ea_one(pawns) & no_we_one(pawns)


@checked_kernel
def white_pawn_single_attacks(pawns: Bits) -> Bits:
    """What exactly one white pawn attacks."""
    return no_ea_one(pawns) ^ no_we_one(pawns)


@checked_kernel
def black_pawn_east_attacks(pawns: Bits) -> Bits:
    """What black pawns attack towards the h-file."""
    return so_ea_one(pawns)


@checked_kernel
def black_pawn_west_attacks(pawns: Bits) -> Bits:
    """What black pawns attack towards the a-file."""
    return so_we_one(pawns)


@checked_kernel
def black_pawn_any_attacks(pawns: Bits) -> Bits:
    """What at least one black pawn attacks."""
    return so_ea_one(pawns) | so_we_one(pawns)


@checked_kernel
def black_pawn_double_attacks(pawns: Bits) -> Bits:
    """What two black pawns attack."""
    return so_ea_one(pawns) & so_we_one(pawns)


@checked_kernel
def black_pawn_single_attacks(pawns: Bits) -> Bits:
    """What exactly one black pawn attacks."""
    return so_ea_one(pawns) ^ so_we_one(pawns)


# Knights and kings, set-wise.


@checked_kernel
def knight_moves(knights: Bits) -> Bits:
    """What a set of knights attacks: one step sideways then two along, and two sideways then one."""
    one = east_one(knights) | west_one(knights)
    two = east_one(east_one(knights)) | west_one(west_one(knights))
    return (one << 16) | (one >> 16) | (two << 8) | (two >> 8)


@checked_kernel
def king_moves(kings: Bits) -> Bits:
    """What a set of kings attacks: both neighbours, and the row of three, one up and one down."""
    beside = east_one(kings) | west_one(kings)
    row = kings | beside
    return beside | nort_one(row) | sout_one(row)
