"""The one legal move that a text means, and the position after it.

The sources of a move to a square are what attacks that square, set-wise, if the same piece stood there: no list of
moves is made. Of these, what leaves its own king attacked is no source. A position is that of `rookery.rules.position`.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bits import bit, isolate_ls1b, reset_ls1b
from rookery.kernel import U64, UNIVERSE, Bits, Word, kernel, trailing_zeros
from rookery.protocol import QUESTIONS, attacks, prepare
from rookery.rules.generate import (
    BETWEEN,
    EMPTY_BISHOP,
    EMPTY_ROOK,
    KING_MOVES,
    KNIGHT_MOVES,
    PAWN_ATTACKS,
    attackers_of,
)
from rookery.rules.position import CASTLING, SIX_BITS, TO_SHIFT, Position, castling_squares, occupied_after, stepped
from rookery.rules.san_spelling import PAWN

_ROOK, _BISHOP = QUESTIONS["rook"], QUESTIONS["bishop"]
_RANK_4, _RANK_5 = 0xFF << 24, 0xFF << 32

# On which of the boards a kind of piece is, all ones or none: knights, diagonals, orthogonals, kings.
_ON: Final = np.array(
    [
        [0, 0, 0, 0],
        [UNIVERSE, 0, 0, 0],
        [0, UNIVERSE, 0, 0],
        [0, 0, UNIVERSE, 0],
        [0, UNIVERSE, UNIVERSE, 0],
        [0, 0, 0, UNIVERSE],
    ],
    U64,
)
_KNIGHTS, _DIAGONALS, _ORTHOGONALS, _KINGS = range(4)
# What a piece of a kind reaches from a square of the empty board; pawns apart.
_REACH: Final = np.stack(
    [np.zeros(64, U64), KNIGHT_MOVES, EMPTY_BISHOP, EMPTY_ROOK, EMPTY_BISHOP | EMPTY_ROOK, KING_MOVES]
)


@kernel
def _pawn_sources(p: Position, to: Word, occupied: Bits) -> Bits:
    """Where pawns of the side to move may come from to a square, their king apart."""
    target = bit(to)
    capture = PAWN_ATTACKS[p.turn ^ 1, to] if target & (p.them | p.en_passant) else 0
    one = target << 8 if p.turn else target >> 8
    two = one << 8 if p.turn else one >> 8
    two = two if target & (_RANK_5 if p.turn else _RANK_4) and not one & occupied else 0
    push = 0 if target & occupied else one | two
    return (capture | push) & p.pawns & p.us


@kernel
def _piece_candidates(p: Position, kind: Word, to: Word) -> Bits:
    """Pieces that go to a square if nothing stands in their way, and their king apart."""
    diagonals, orthogonals = _ON[kind, _DIAGONALS], _ON[kind, _ORTHOGONALS]
    pieces = ~(p.diagonals ^ diagonals) & ~(p.orthogonals ^ orthogonals)
    pieces &= (p.knights | ~_ON[kind, _KNIGHTS]) & (p.kings | ~_ON[kind, _KINGS]) & p.us
    return 0 if p.us & bit(to) else pieces & _REACH[kind, to]


@kernel
def castling_move(p: Position, right: Any, t: Any) -> Word:
    """The castling to a side, if it is legal, or 0."""
    k = trailing_zeros(p.kings & p.us)
    rooks = p.castling & p.us
    rooks &= ~(bit(k) - 1) if right else bit(k) - 1
    if not rooks:
        return 0
    r = trailing_zeros(rooks)
    occupied = p.us | p.them
    king_to, rook_to = castling_squares(k, r)
    king_way = BETWEEN[k, king_to] | bit(king_to)
    others = occupied & ~(bit(k) | bit(r))
    if (king_way | BETWEEN[r, rook_to] | bit(rook_to)) & others:
        return 0
    # In Chess960 the rook may have shielded its king along the back rank.
    after = prepare(others | bit(rook_to), t)
    if attacks(_ROOK, king_to, after, t) & p.orthogonals & p.them:
        return 0
    state = prepare(occupied & ~bit(k), t)
    way = king_way | bit(k)
    while way:
        if attackers_of(p, trailing_zeros(way), state, t):
            return 0
        way = reset_ls1b(way)
    return CASTLING | r << TO_SHIFT | k


@kernel
def _refused(
    to: Word, k: Word, source: Bits, occupied: Bits, left: Bits, diagonals: Bits, orthogonals: Bits, t: Any
) -> Bits:
    """What keeps a piece from going to a square: something in its way, or a slider that then attacks its king on `k`.
    `left` is what is occupied then, but for its source.
    """
    state = prepare(left ^ source, t)
    seen = (attacks(_BISHOP, k, state, t) & diagonals) | (attacks(_ROOK, k, state, t) & orthogonals)
    return seen | (BETWEEN[to, trailing_zeros(source) & SIX_BITS] & occupied)


class Meant(NamedTuple):
    """The source of a move as a board, whether it is legal and the only one, and what it takes.

    `source` is one board and `legal` another word: what comes after a move need not wait for the proof that it is
    legal, which the CPU guesses right.
    """

    source: Bits
    legal: Any
    victim: Bits  # the pawn that it captures en passant


@kernel
def meant(p: Position, kind: Word, to: Word, mask: Bits, t: Any) -> Meant:
    """Which of the pieces told by kind and mask may go to a square."""
    occupied = p.us | p.them
    target = bit(to)
    victim = 0
    if kind == PAWN:
        candidates = _pawn_sources(p, to, occupied) & mask
        if target & p.en_passant and candidates and (trailing_zeros(candidates) ^ to) & 7:
            victim = bit(to ^ 8)
    else:
        candidates = _piece_candidates(p, kind, to) & mask
    # No branch: one in ten moves is the king's, and a CPU guesses wrong which.
    k = trailing_zeros((p.kings & p.us & ~_ON[kind, _KINGS]) | (target & _ON[kind, _KINGS])) & SIX_BITS
    them = p.them & ~(target | victim)
    leapers = (KNIGHT_MOVES[k] & p.knights) | (PAWN_ATTACKS[p.turn, k] & p.pawns) | (KING_MOVES[k] & p.kings)
    diagonals, orthogonals = p.diagonals & them, p.orthogonals & them
    left = occupied_after(p, 0, target, victim)
    source = isolate_ls1b(candidates)
    others = candidates ^ source
    legal = source and not (leapers & them or _refused(to, k, source, occupied, left, diagonals, orthogonals, t))
    while others and not leapers & them:
        other = isolate_ls1b(others)
        others ^= other
        if not _refused(to, k, other, occupied, left, diagonals, orthogonals, t):
            if legal:
                legal = False
                break
            source, legal = other, True
    return Meant(source, legal, victim)


@kernel
def after(p: Position, to: Word, found: Meant, t: Any) -> Position:
    """Return the position after a resolved move that is not a promotion."""
    target = bit(to)
    state = prepare(occupied_after(p, found.source, target, found.victim), t)
    return stepped(p, found.source, target, found.victim, state)
