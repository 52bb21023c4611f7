"""Safety of pieces: defended, badly placed, trapped or pinned, as Lichess' themes define it.

    p          a position from the player's side, see `rookery.data.puzzles.nodes`
    own        the side of the piece in question
    occupied   the occupancy, which may differ from that of `p` where a move is tried

Values of pieces are 1, 3, 3, 5, 9, and 99 for a king.
"""

from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import RANK_6, bit, isolate_ls1b
from rookery.bitboards.pieces import PAWN, ROOK
from rookery.data.puzzles.nodes import attacked_from, attackers
from rookery.kernel import Bits, Square, Word, cold_kernel, kernel, trailing_zeros
from rookery.positions.queries.pieces import counts
from rookery.rules.attack_tables import EMPTY_BISHOP, EMPTY_ROOK
from rookery.rules.constants import SIX_BITS
from rookery.rules.position import Position, piece_type_on
from rookery.rules.sliders import shield

VALUES: Final = np.array([0, 1, 3, 3, 5, 9, 99], np.uint64)  # by type of piece, 0 for none
_EVEN = 1 << 10  # added to a balance of material, so that it is a word above 0


@kernel
def side_of(p: Position, sq: Square) -> Bits:
    """Return all pieces of the side whose piece is on a square."""
    return p.us if p.us & bit(sq) else p.them


@kernel
def below(p: Position, kind: Word) -> Bits:
    """Return the pieces whose value is less than that of a kind, of both sides; kings are above all."""
    if kind == PAWN:
        return 0
    if kind < ROOK:
        return p.pawns
    minors = p.pawns | p.knights | (p.diagonals & ~p.orthogonals)
    return minors if kind == ROOK else minors | (p.orthogonals & ~p.diagonals)


@cold_kernel
def is_hanging_on(p: Position, sq: Square, own: Bits, occupied: Bits, t: Any) -> Word:
    """Return 1 if no piece of `own` defends a square, not even through an attacking slider, else 0.

    A piece defends through a slider if it attacks the square once that slider is off the board.
    """
    both = attackers(p, sq, occupied, t)
    if both & own:
        return 0
    sliders = both & (p.diagonals | p.orthogonals)
    while sliders:
        slider = isolate_ls1b(sliders)
        if attackers(p, sq, occupied ^ slider, t) & own:
            return 0
        sliders ^= slider
    return 1


@kernel
def is_hanging(p: Position, sq: Square, t: Any) -> Word:
    """Return 1 if the piece on a square is not defended, else 0."""
    return is_hanging_on(p, sq, side_of(p, sq), p.us | p.them, t)


@cold_kernel
def is_badly_placed(p: Position, sq: Square, kind: Word, own: Bits, occupied: Bits, t: Any) -> Word:
    """Return 1 if a piece of a kind is attacked on a square, and either hanging or attacked by a less valuable one."""
    hostile = attackers(p, sq, occupied, t) & ~own
    if not hostile:
        return 0
    if hostile & below(p, kind):
        return 1
    return is_hanging_on(p, sq, own, occupied, t)


@kernel
def is_in_bad_spot(p: Position, sq: Square, t: Any) -> Word:
    """Return 1 if the piece on a square is badly placed, else 0."""
    return is_badly_placed(p, sq, piece_type_on(p, sq), side_of(p, sq), p.us | p.them, t)


@kernel
def snipers_at(p: Position, k: Square, other: Bits) -> Bits:
    """Return the sliders of a side that would attack a king on an empty board."""
    return other & ((EMPTY_ROOK[k] & p.orthogonals) | (EMPTY_BISHOP[k] & p.diagonals))


@kernel
def king_of(p: Position, own: Bits) -> Square:
    """Return the square of a side's king."""
    return trailing_zeros(p.kings & own) & SIX_BITS


@cold_kernel
def pinned_pieces(p: Position, own: Bits, other: Bits) -> Bits:
    """Return the pieces of a side that alone separate its king from a slider."""
    k = king_of(p, own)
    snipers = snipers_at(p, k, other)
    pinned: Bits = 0
    while snipers:
        sniper = isolate_ls1b(snipers)
        pinned |= shield(k, trailing_zeros(sniper), p.us | p.them) & own
        snipers ^= sniper
    return pinned


@cold_kernel
def is_trapped(p: Position, sq: Square, t: Any) -> Word:
    """Return 1 if the opponent's piece on a square cannot save itself, else 0. The opponent moves and is not in check.

    The piece is a knight, bishop, rook or queen that is badly placed and not pinned. None of its moves captures a piece
    of at least its own value or leads to a square where it is not badly placed.
    """
    own, occupied, piece = p.them, p.us | p.them, bit(sq)
    if not own & piece & ~p.pawns & ~p.kings or pinned_pieces(p, own, p.us) & piece:
        return 0
    kind = piece_type_on(p, sq)
    if not is_badly_placed(p, sq, kind, own, occupied, t):
        return 0
    targets = attacked_from(p, sq, t) & ~own
    if targets & p.us & ~below(p, kind):
        return 0
    left = own ^ piece
    while targets:
        target = isolate_ls1b(targets)
        if not is_badly_placed(p, trailing_zeros(target), kind, left, (occupied ^ piece) | target, t):
            return 0
        targets ^= target
    return 1


@kernel
def pawn_targets(p: Position, piece: Bits) -> Bits:
    """Return where an opponent's pawn, which moves down, may go when its king's safety is ignored."""
    empty = ~(p.us | p.them)
    one = (piece >> 8) & empty
    two = ((one & RANK_6) >> 8) & empty
    return one | two


@kernel
def _material(p: Position, own: Bits) -> Word:
    n = counts(p, own)
    return n.pawns + 3 * (n.knights + n.bishops) + 5 * n.rooks + 9 * n.queens


@cold_kernel
def balance(p: Position) -> Word:
    """Return the player's material minus the opponent's, plus 1,024."""
    return _EVEN + _material(p, p.us) - _material(p, p.them)
