"""The squares that a single piece attacks, and the line through two squares."""

from typing import Any

from rookery.bitboards.bits import bit
from rookery.kernel import Bits, Square, kernel
from rookery.rules.attack_tables import EMPTY_BISHOP, EMPTY_ROOK, KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS
from rookery.rules.position import Position
from rookery.techniques.base.protocol import QUESTIONS, attacks

_ROOK, _BISHOP = QUESTIONS["rook"], QUESTIONS["bishop"]


@kernel
def attacks_of_piece(p: Position, sq: Square, t: Any) -> Bits:
    """Return the squares that the knight, king or slider on a square attacks, none for a pawn or an empty square."""
    attacked: Bits = 0
    if (p.knights >> sq) & 1:
        attacked = KNIGHT_MOVES[sq]
    if (p.kings >> sq) & 1:
        attacked = KING_MOVES[sq]
    if (p.diagonals >> sq) & 1:
        attacked |= attacks(_BISHOP, sq, p.state, t)
    if (p.orthogonals >> sq) & 1:
        attacked |= attacks(_ROOK, sq, p.state, t)
    return attacked


@kernel
def attacks_from(p: Position, sq: Square, t: Any) -> Bits:
    """Return the squares that the piece on a square attacks; none if the square is empty."""
    if (p.pawns >> sq) & 1:
        return PAWN_ATTACKS[p.turn if p.us & bit(sq) else p.turn ^ 1, sq]
    return attacks_of_piece(p, sq, t)


@kernel
def line_through(a: Square, b: Square) -> Bits:
    """Return the line through two squares of one rank, file or diagonal, from edge to edge."""
    ends = bit(a) | bit(b)
    if EMPTY_ROOK[a] & bit(b):
        return (EMPTY_ROOK[a] & EMPTY_ROOK[b]) | ends
    return (EMPTY_BISHOP[a] & EMPTY_BISHOP[b]) | ends
