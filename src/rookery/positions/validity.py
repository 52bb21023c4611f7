"""Which positions can be: the faults of `rookery.rules.status`, looked for by compiled code as far as they are common.

Whether some last move can have led to a check, or to an en-passant square, is answered here where a move of the
checker itself, or the pawn's jump, explains it. What is left, double checks for the most part, is `DOUBTFUL`: a
`Board` has to say.
"""

from typing import Any, Final

import numpy as np

from rookery.bits import NOT_A_FILE, NOT_H_FILE, bit, reset_ls1b
from rookery.kernel import Bits, Square, Word, entry, kernel, popcount, rotate_left, trailing_zeros
from rookery.positions.arrow import fault_of
from rookery.positions.layout import MARKED, Lane, load, occupied_of, position
from rookery.protocol import QUESTIONS, attacks, prepare
from rookery.rules.by_hand import jumped_over, promoted
from rookery.rules.generate import KING_MOVES, KNIGHT_MOVES, attackers_of, checkers_of
from rookery.rules.position import Position, carried_pieces, passed

NO, YES, DOUBTFUL = (np.uint8(n) for n in range(3))

_ROOK, _BISHOP = QUESTIONS["rook"], QUESTIONS["bishop"]
_UP = 8
_BACK_RANKS: Final = 0xFF000000000000FF
_RANKS_1_AND_2, _RANKS_7_AND_8 = 0xFFFF, 0xFFFF << 48


@kernel
def _taken_back(p: Position, origin: Square, now: Square) -> Position:
    """The pieces before one of theirs moved; the technique's state is that of the position after."""
    them = p.them ^ bit(origin) ^ bit(now)
    return Position(*carried_pieces(p, bit(now), bit(origin)), p.us, them, *p[7:])


@kernel
def _may_have_come(p: Position, k: Square, origin: Square, now: Square, quiet: Word, captures: Word, t: Any) -> Word:
    """Whether a piece of theirs may have come to a square, leaving our king `k` alone before; `quiet` and `captures`
    say whether without taking anything, or by taking something.
    """
    before = _taken_back(p, origin, now)
    occupied = p.us | p.them | bit(origin)
    found = 0
    if quiet and not attackers_of(before, k, prepare(occupied & ~bit(now), t), t):
        found = 1
    if captures and not found and not attackers_of(before, k, prepare(occupied, t), t):
        found = 1
    return found


@kernel
def _is_explained(p: Position, k: Square, checker: Square, t: Any) -> Word:
    """Whether a check may have come by the checker's own move: no promotion, nor en passant, nor two steps."""
    captures = 1 if popcount(p.us) < 16 else 0
    empty = ~(p.us | p.them)
    origins: Bits = 0
    askew: Bits = 0
    if (p.pawns >> checker) & 1:
        # Theirs move up the board if black is to move.
        pawn = bit(checker) & ~(_RANKS_1_AND_2 if p.turn else _RANKS_7_AND_8)
        back = -_UP if p.turn else _UP
        origins = rotate_left(pawn, back) & empty
        askew = (rotate_left(pawn, back + 1) & NOT_A_FILE) | (rotate_left(pawn, back - 1) & NOT_H_FILE)
        askew &= empty if captures else 0
        captures = 0
    else:
        if (p.knights >> checker) & 1:
            origins = KNIGHT_MOVES[checker]
        if (p.diagonals >> checker) & 1:
            origins |= attacks(_BISHOP, checker, p.state, t)
        if (p.orthogonals >> checker) & 1:
            origins |= attacks(_ROOK, checker, p.state, t)
        origins &= empty
    while origins:
        if _may_have_come(p, k, trailing_zeros(origins), checker, 1, captures, t):
            return 1
        origins = reset_ls1b(origins)
    while askew:
        if _may_have_come(p, k, trailing_zeros(askew), checker, 0, 1, t):
            return 1
        askew = reset_ls1b(askew)
    return 0


@kernel
def _is_jump_explained(p: Position, k: Square, t: Any) -> Word:
    """Whether our king was safe before the jump."""
    square = trailing_zeros(p.en_passant)
    jumper, origin = (square + _UP, square - _UP) if p.turn else (square - _UP, square + _UP)
    return _may_have_come(p, k, origin, jumper, 1, 0, t)


@kernel
def verdict(lane: Lane, strict: Word, t: Any) -> Any:
    """`YES`, `NO`, or `DOUBTFUL`; of what no game can reach only if `strict`."""
    p = position(lane, t)
    occupied = occupied_of(lane)
    white, black = lane.white, occupied & ~lane.white
    ours, theirs = p.kings & p.us, p.kings & p.them
    if lane.state & MARKED or popcount(ours) != 1 or popcount(theirs) != 1:
        return NO
    k = trailing_zeros(ours)
    if KING_MOVES[k] & theirs or popcount(white) > 16 or popcount(black) > 16:
        return NO
    white_pawns, black_pawns = popcount(p.pawns & white), popcount(p.pawns & black)
    if white_pawns > 8 or black_pawns > 8 or p.pawns & _BACK_RANKS or fault_of(lane):
        return NO
    if checkers_of(passed(p), t) or (p.en_passant and not jumped_over(p)):
        return NO
    if not strict:
        return YES
    if white_pawns + promoted(white, p) > 8 or black_pawns + promoted(black, p) > 8:
        return NO
    if p.en_passant:
        return YES if _is_jump_explained(p, k, t) else DOUBTFUL
    checkers = checkers_of(p, t)
    if not checkers:
        return YES
    if reset_ls1b(checkers) or not _is_explained(p, k, trailing_zeros(checkers), t):
        return DOUBTFUL
    return YES


@entry
def verdicts(c: Any, strict: Any, out: Any, t: Any) -> None:
    """The verdicts on all positions."""
    for i in range(out.size):
        out[i] = verdict(load(c, i), strict, t)
