"""Attacks of one piece and lines of sliders: shields of kings, batteries, and the squares reached in several moves."""

from typing import Any

from rookery.bitboards.bits import bit, reset_ls1b
from rookery.bitboards.line_tables import BETWEEN
from rookery.bitboards.sets import step
from rookery.kernel import U64, Bits, Square, Word, array_of, entry, kernel, trailing_zeros
from rookery.rules.attack_tables import EMPTY_BISHOP, EMPTY_ROOK, KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS
from rookery.rules.position import Boards, Position
from rookery.techniques.base.protocol import QUESTIONS, attacks
from rookery.techniques.kogge_stone import KOGGE_STONE, fill

_FILL = KOGGE_STONE.tables()
_EVEN = 1  # directions 0, 2, 4, 6 are a rook's, 1, 3, 5, 7 a bishop's


@kernel
def ray_attacks(direction: Word, sliders: Bits, occupied: Bits) -> Bits:
    """Return the squares that a set of sliders attacks in a direction."""
    return step(direction, fill(direction, sliders, ~occupied, _FILL))


@kernel
def moving_along(direction: Word, row: Boards) -> Bits:
    """Return the sliders of both sides that move in a direction."""
    return row[2] if direction & _EVEN else row[3]


@entry(examples=lambda: (array_of(U64), U64(0), U64(0), array_of(U64)))
def shields(row: Any, k: Any, snipers: Any, out: Any) -> Any:
    """Write pairs of squares: a piece that alone separates a king from one of the `snipers`, and that sniper.

    The piece may be of either side. Return the number of words written.
    """
    occupied = row[5] | row[6]
    left = ((EMPTY_ROOK[k] & row[3]) | (EMPTY_BISHOP[k] & row[2])) & snipers
    n = 0
    while left:
        sniper = trailing_zeros(left)
        held = shield(k, sniper, occupied)
        if held:
            out[n] = trailing_zeros(held)
            out[n + 1] = sniper
            n += 2
        left = reset_ls1b(left)
    return n


@entry(examples=lambda: (array_of(U64), U64(0), array_of(U64)))
def fronts(row: Any, side: Any, out: Any) -> Any:
    """Write, for each direction, the sliders of a side that are backed by another slider moving in that direction."""
    for d in range(8):
        sliders = moving_along(d, row) & side
        out[d] = ray_attacks(d, sliders, row[5] | row[6]) & sliders


@entry(examples=lambda: (U64(0), U64(0), U64(0), U64(0), array_of(U64)))
def slide_on(first: Any, stride: Any, square: Any, occupied: Any, out: Any) -> Any:
    """Write the squares that a slider first reaches with its first move, its second, and so on.

    A slider moves on from empty squares only: a capture ends its path.
    """
    home = 1 << square
    empty = ~occupied | home
    seen = home
    newest = home
    for i in range(out.size):
        reached = 0
        direction = first
        while direction < 8:
            reached |= ray_attacks(direction, newest & empty, ~empty)
            direction += stride
        newest = reached & ~seen
        seen |= newest
        out[i] = newest


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


@kernel
def shield(k: Square, sniper: Square, occupied: Bits) -> Bits:
    """Return the piece of either side that alone separates a king from a sniper on its line, or an empty board."""
    between = BETWEEN[k, sniper] & occupied
    return 0 if reset_ls1b(between) else between


@kernel
def pin_rays(snipers: Bits, k: Square, us: Bits, occupied: Bits) -> Bits:
    """Return the rays from the king to those snipers that a single piece of ours blocks, snipers included."""
    rays: Bits = 0
    while snipers:
        s = trailing_zeros(snipers)
        if shield(k, s, occupied) & us:
            rays |= BETWEEN[k, s] | bit(s)
        snipers = reset_ls1b(snipers)
    return rays
