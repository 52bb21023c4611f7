"""Check the width of an index before a search."""

import numpy as np

from rookery.bitboards.squares import SQUARE_NAMES
from rookery.techniques._filler import relevant_cases


def check_width(piece: str, square: int, bits: int, injective: bool = False) -> None:
    """Refuse a width for which there are too few slots, or too many to search."""
    if not 1 <= bits <= 24:
        raise ValueError(f"bits: {bits}: expected 1 to 24")
    occupied, attacks = relevant_cases(piece, square)
    sets = len(occupied) if injective else len(np.unique(attacks))
    if sets > 1 << bits:
        raise ValueError(f"bits: {bits} bits have {1 << bits} slots; {piece} {SQUARE_NAMES[square]} needs {sets}")
