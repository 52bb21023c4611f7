"""The forms of magic tables: how wide an index is, and whether a factor works."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES
from rookery.kernel import U64
from rookery.magics import FORMS
from rookery.techniques._filler import Boards, relevant_cases
from rookery.techniques._magics import Factor
from rookery.techniques.magic import BISHOP_SHIFT, ROOK_SHIFT


def index_bits(piece: str, square: int, form: str = "fancy") -> int:
    """Return the index width of a form.

    The width is the size of the relevant occupancy, except for fixed shifts.

    >>> index_bits("rook", 27), index_bits("rook", 27, "fixed-shift")
    (10, 12)
    """
    if form not in FORMS:
        raise ValueError(f"form: {form!r}: expected one of {', '.join(FORMS)}")
    if form == "fixed-shift":
        return 64 - int(ROOK_SHIFT if piece == "rook" else BISHOP_SHIFT)
    return len(relevant_occupancy(piece, square))


def multiplied(piece: str, square: int, form: str = "fancy") -> Boards:
    """Return the words that a form multiplies, one for each relevant occupancy.

    Black magics fill all squares that are not relevant.
    """
    occupied, _ = relevant_cases(piece, square)
    return occupied | ~U64(int(relevant_occupancy(piece, square))) if form == "black" else occupied


def is_magic(factor: Factor, injective: bool = False, form: str = "fancy") -> bool:
    """Check whether a factor separates all relevant occupancies whose attacks differ.

    With `injective`, it must separate all relevant occupancies.
    """
    square = SQUARE_NAMES.index(factor.square)
    occupied, attacks = relevant_cases(factor.piece, square)
    index = (multiplied(factor.piece, square, form) * U64(factor.magic)) >> U64(64 - factor.bits)
    marks = occupied if injective else attacks
    # Sorted by index, neighbours with the same index must have the same mark.
    order = np.lexsort((marks, index))
    same_slot = index[order][1:] == index[order][:-1]
    return not np.any(same_slot & (marks[order][1:] != marks[order][:-1]))


def all_squares() -> Iterator[tuple[str, int]]:
    """Return the 128 cases: rooks a1 to h8, then bishops."""
    return ((piece, square) for piece in ("rook", "bishop") for square in range(64))


class OccupancyCount(NamedTuple):
    """The number of relevant occupancies of a piece on a square, and of the attack sets they lead to."""

    piece: str
    square: int
    occupancies: int
    sets: int


def counts() -> list[OccupancyCount]:
    """Return the counts of all 128 cases."""
    return [
        OccupancyCount(
            piece, square, len(relevant_cases(piece, square)[0]), len(np.unique(relevant_cases(piece, square)[1]))
        )
        for piece, square in all_squares()
    ]
