"""Static exchange evaluation: the material that a move wins or loses in the captures on its target square.

    gains    the value captured by each further move, from index 1 on, plus what a promotion adds
    exposed  the value of the piece now on the square, which the next capture takes

This is the swap algorithm of the chessprogramming wiki ("SEE - The Swap Algorithm"): the sides take turns to capture
with their least valuable piece, and stop where another capture would lose material. Sliders behind other sliders, or
behind pawns, join in when the line opens. As usual, pins, checks and the rest of the board are ignored, except that a
king captures only what the other side does not defend.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import RANK_1, RANK_8, bit, isolate_ls1b
from rookery.bitboards.pieces import KNIGHT, PAWN, QUEEN
from rookery.kernel import U64, Bits, Square, entry, kernel, once_compiled, trailing_zeros
from rookery.protocol import prepare
from rookery.rules.compiled import compiled
from rookery.rules.generate import KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS, sliders_to
from rookery.rules.position import (
    BECOMES_SHIFT,
    CASTLING,
    EN_PASSANT,
    KIND_MASK,
    PROMOTION,
    SIX_BITS,
    TO_SHIFT,
    WORDS,
    Boards,
    Position,
    piece_type_on,
    prepared,
)

PIECE_VALUES: Final = (100, 320, 330, 500, 900)  # pawn, knight, bishop, rook, queen, in centipawns

_VALUES = np.array([0, *PIECE_VALUES, 0], np.int64)  # by type of piece; a king is never captured
_QUEENING = int(_VALUES[QUEEN] - _VALUES[PAWN])

MOST_CAPTURES = 64  # each empties a square
_TWO_BITS = 3
_BACK_RANKS = RANK_1 | RANK_8


@kernel
def least_valuable(p: Position, attackers: Bits) -> Bits:
    """Return the least valuable of some pieces; of several alike, the one on the lowest square."""
    queens = p.diagonals & p.orthogonals
    if attackers & p.pawns:
        return isolate_ls1b(attackers & p.pawns)
    if attackers & p.knights:
        return isolate_ls1b(attackers & p.knights)
    if attackers & p.diagonals & ~queens:
        return isolate_ls1b(attackers & p.diagonals & ~queens)
    if attackers & p.orthogonals & ~queens:
        return isolate_ls1b(attackers & p.orthogonals & ~queens)
    if attackers & queens:
        return isolate_ls1b(attackers & queens)
    return isolate_ls1b(attackers)


@kernel
def attackers_of_both(p: Position, sq: Square, occupied: Bits, t: Any) -> Bits:
    """Return the pieces of `occupied`, of either side, that attack a square."""
    return occupied & (
        (PAWN_ATTACKS[p.turn, sq] & p.pawns & p.them)
        | (PAWN_ATTACKS[p.turn ^ 1, sq] & p.pawns & p.us)
        | (KNIGHT_MOVES[sq] & p.knights)
        | (KING_MOVES[sq] & p.kings)
        | sliders_to(p, sq, prepare(occupied, t), t)
    )


@kernel
def won_by(p: Position, sq: Square, us: Bits, them: Bits, occupied: Bits, exposed: Any, gains: Any, t: Any) -> Any:
    """Return what `us` wins by captures on a square where a piece of `them` stands, worth `exposed`; at least 0.

    Only the pieces of `occupied` take part; `gains` is work space.
    """
    target = bit(sq)
    last = 0
    while True:
        takers = attackers_of_both(p, sq, occupied, t) & us
        if not takers:
            break
        taker = least_valuable(p, takers)
        # Giving kings a huge value instead would let a king capture a piece that only the other king defends if a
        # slider stands behind it: KxQ, KxK, QxK would come out even.
        if taker & p.kings and attackers_of_both(p, sq, occupied ^ taker, t) & them:
            break
        last += 1
        gains[last] = exposed
        exposed = _VALUES[piece_type_on(p, trailing_zeros(taker))]
        if taker & p.pawns and target & _BACK_RANKS:
            gains[last] += _QUEENING
            exposed = _VALUES[QUEEN]
        occupied ^= taker
        us, them = them, us

    # From the last capture backwards: a side that would lose material does not capture.
    wins = np.int64(0)
    for i in range(last, 0, -1):
        wins = max(np.int64(0), gains[i] - wins)
    return wins


@kernel
def won_from(p: Position, sq: Square, gains: Any, t: Any) -> Any:
    """Return what the opponent of the piece on a square wins by capturing it, if it moves first; at least 0."""
    target = bit(sq)
    exposed = _VALUES[piece_type_on(p, sq)]
    if p.us & target:
        return won_by(p, sq, p.them, p.us, p.us | p.them, exposed, gains, t)
    return won_by(p, sq, p.us, p.them, p.us | p.them, exposed, gains, t)


@entry
def swap(row: Any, move: Any, gains: Any, t: Any) -> Any:
    """Return the static exchange evaluation of a legal move; `gains` is work space."""
    p = prepared(row, t)
    kind = move & KIND_MASK
    if kind == CASTLING:
        return np.int64(0)
    source, sq = bit(move & SIX_BITS), (move >> TO_SHIFT) & SIX_BITS
    target = bit(sq)
    occupied = (p.us | p.them) & ~source
    gain: Any = np.int64(0)
    if p.them & target:
        gain = _VALUES[piece_type_on(p, sq)]
    exposed = _VALUES[piece_type_on(p, move & SIX_BITS)]
    if kind == EN_PASSANT:
        occupied &= ~bit(sq ^ 8)
        gain = _VALUES[PAWN]
    if kind == PROMOTION:
        exposed = _VALUES[((move >> BECOMES_SHIFT) & _TWO_BITS) + KNIGHT]
        gain += exposed - _VALUES[PAWN]
    return gain - won_by(p, sq, p.them, p.us, occupied, exposed, gains, t)


@once_compiled
def _compiled() -> Callable[..., int]:
    return swap.resolve(np.zeros(WORDS, U64), U64(0), np.zeros(MOST_CAPTURES, np.int64), compiled().tables)


def exchange(row: Boards, move: int) -> int:
    """Return the static exchange evaluation of a legal move of the position in a row, in centipawns."""
    # A new work space for each call: several threads may evaluate moves of one board.
    return int(_compiled()(row, move, np.empty(MOST_CAPTURES, np.int64), compiled().tables))
