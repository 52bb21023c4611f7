"""Static exchange evaluation: what a move wins or loses once both sides have taken on its square as they like.

    gains    what each capture takes, first to last, and what a promotion adds to it
    exposed  the value of what now stands on the square, for the next capture to take

The swap algorithm of the chessprogramming wiki ("SEE - The Swap Algorithm"): each side in turn takes with its least
valuable piece, and stops where going on would lose. A slider behind another, or behind a pawn, joins when its way is
open. All else is left out, as usual: a pinned piece takes part as if it were free, a check need not be answered, and
nothing happens elsewhere. A king alone keeps to the law: it takes only what the other side does not defend.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.arguments import shown
from rookery.bits import bit, isolate_ls1b
from rookery.kernel import U64, Bits, Square, Word, entry, kernel, once_compiled
from rookery.protocol import QUESTIONS, attacks, prepare
from rookery.rules.compiled import compiled
from rookery.rules.generate import KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS
from rookery.rules.play import Play
from rookery.rules.position import (
    BECOMES_SHIFT,
    CASTLING,
    EN_PASSANT,
    KIND_MASK,
    PROMOTION,
    SIX_BITS,
    TO_SHIFT,
    WORDS,
    Position,
    prepared,
)

PIECE_VALUES: Final = (100, 320, 330, 500, 900)  # pawn, knight, bishop, rook, queen, in centipawns

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = range(6)
_VALUES = np.array([*PIECE_VALUES, 0], np.int64)  # a king is never taken
_QUEENING = PIECE_VALUES[_QUEEN] - PIECE_VALUES[_PAWN]

_ALONG_LINES, _ALONG_DIAGONALS = QUESTIONS["rook"], QUESTIONS["bishop"]
_MOST_CAPTURES = 64  # each empties a square
_TWO_BITS = 3
_BACK_RANKS = 0xFF | 0xFF << 56


@kernel
def kind_on(p: Position, square: Bits) -> Word:
    """0 pawn, 1 knight, 2 bishop, 3 rook, 4 queen, 5 king: the piece on an occupied square, given as a board."""
    if p.pawns & square:
        return _PAWN
    if p.knights & square:
        return _KNIGHT
    if p.kings & square:
        return _KING
    if p.diagonals & p.orthogonals & square:
        return _QUEEN
    return _BISHOP if p.diagonals & square else _ROOK


@kernel
def least_valuable(p: Position, attackers: Bits) -> Bits:
    """The least valuable of some pieces; of two alike the one on the lower square."""
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
    """What attacks a square, of either side, among the pieces of `occupied`."""
    state = prepare(occupied, t)
    return occupied & (
        (PAWN_ATTACKS[p.turn, sq] & p.pawns & p.them)
        | (PAWN_ATTACKS[p.turn ^ 1, sq] & p.pawns & p.us)
        | (KNIGHT_MOVES[sq] & p.knights)
        | (KING_MOVES[sq] & p.kings)
        | (attacks(_ALONG_DIAGONALS, sq, state, t) & p.diagonals)
        | (attacks(_ALONG_LINES, sq, state, t) & p.orthogonals)
    )


@entry
def swap(row: Any, move: Any, gains: Any, t: Any) -> Any:
    """The static exchange evaluation of a legal move; `gains` is room for each capture's."""
    p = prepared(row, t)
    kind = move & KIND_MASK
    if kind == CASTLING:
        return np.int64(0)
    source, sq = bit(move & SIX_BITS), (move >> TO_SHIFT) & SIX_BITS
    target = bit(sq)
    occupied = (p.us | p.them) & ~source
    gains[0] = 0
    if p.them & target:
        gains[0] = _VALUES[kind_on(p, target)]
    exposed = _VALUES[kind_on(p, source)]
    if kind == EN_PASSANT:
        occupied &= ~bit(sq ^ 8)
        gains[0] = _VALUES[_PAWN]
    if kind == PROMOTION:
        exposed = _VALUES[((move >> BECOMES_SHIFT) & _TWO_BITS) + 1]
        gains[0] += exposed - _VALUES[_PAWN]

    last = 0
    us, them = p.them, p.us
    while True:
        takers = attackers_of_both(p, sq, occupied, t) & us
        if not takers:
            break
        taker = least_valuable(p, takers)
        # To value kings beyond everything instead would let one take what only the other king defends, if a slider
        # stands behind it: KxQ, KxK, QxK comes out even.
        if taker & p.kings and attackers_of_both(p, sq, occupied ^ taker, t) & them:
            break
        last += 1
        gains[last] = exposed
        exposed = _VALUES[kind_on(p, taker)]
        if taker & p.pawns and target & _BACK_RANKS:
            gains[last] += _QUEENING
            exposed = _VALUES[_QUEEN]
        occupied ^= taker
        us, them = them, us

    # From the last capture back: whoever would lose by it does not take.
    wins = np.int64(0)
    for i in range(last, 0, -1):
        wins = max(np.int64(0), gains[i] - wins)
    return gains[0] - wins


@once_compiled
def _compiled() -> Callable[..., int]:
    return swap.resolve(np.zeros(WORDS, U64), U64(0), np.zeros(_MOST_CAPTURES, np.int64), compiled().tables)


def see(board: Play, move: int) -> int:
    """What a legal move wins in the exchange on its target square, in centipawns; negative if it loses.

    A move that takes nothing wins 0, or loses what is taken of it. Castling is 0. A promotion counts what the pawn
    becomes; a pawn that takes back on the last rank becomes a queen. `PIECE_VALUES` are the values.

    >>> from rookery.rules.board import Board
    >>> board = Board("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1")
    >>> see(board, board.parse_san("Rxe5"))
    100
    >>> board = Board("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1")
    >>> see(board, board.parse_san("Nxe5"))
    -220
    """
    if not hasattr(board, "_the_legal"):
        raise TypeError(f"board: {shown(board)}: expected a rookery.Board")
    move = board._the_legal(move)
    # The room is this call's own: one board may be asked from several threads.
    return int(_compiled()(board._row, move, np.empty(_MOST_CAPTURES, np.int64), compiled().tables))
