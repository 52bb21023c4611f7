"""Insufficient material: which sides cannot mate, whatever the other side does."""

from typing import Any

from rookery.bitboards.bits import DARK_SQUARES, LIGHT_SQUARES
from rookery.kernel import Bits, Word, kernel, popcount
from rookery.rules.position import Position


@kernel
def cannot_mate(p: Position, own: Bits, other: Bits) -> Any:
    """Check whether a side cannot mate, whatever the other side does."""
    queens = p.diagonals & p.orthogonals
    bishops = p.diagonals ^ queens
    if own & (p.pawns | p.orthogonals):
        return False
    if own & p.knights:
        return popcount(own) <= 2 and not other & ~p.kings & ~queens
    if own & bishops:
        return not p.pawns and not p.knights and (not bishops & LIGHT_SQUARES or not bishops & DARK_SQUARES)
    return True


@kernel
def insufficient_sides(p: Position) -> Word:
    """Return which sides cannot mate: bit 0 is the side to move, bit 1 the other."""
    return (1 if cannot_mate(p, p.us, p.them) else 0) | (2 if cannot_mate(p, p.them, p.us) else 0)


@kernel
def is_insufficient(p: Position) -> Any:
    """Check whether neither side can mate."""
    if p.pawns | p.orthogonals:
        return False
    return cannot_mate(p, p.us, p.them) and cannot_mate(p, p.them, p.us)
