"""Which moves are legal, where that is asked about single moves."""

from typing import Any

from rookery.kernel import Bits, Word, kernel, trailing_zeros
from rookery.rules.generate import Count, capture_en_passant, checkers_of
from rookery.rules.position import SIX_BITS, Position


@kernel
def legal_en_passant(p: Position, t: Any) -> Word:
    """Return the number of pawns that may legally capture en passant."""
    if not p.en_passant:
        return 0
    k = trailing_zeros(p.kings & p.us) & SIX_BITS
    return capture_en_passant(p, t, Count(), 0, k, checkers_of(p, t))


@kernel
def legal_en_passant_target(p: Position, t: Any) -> Bits:
    """Return the en-passant square if a pawn may legally capture there, else an empty board."""
    return p.en_passant if legal_en_passant(p, t) else 0
