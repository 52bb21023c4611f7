"""The swap algorithm: what pseudo-legal captures on a square win, if both sides take with their least valuable piece.

    near     the pieces that capture on the square, or would if the lines to it were open
    exposed  the value of the piece now on the square, which the next capture takes
    gains    the value captured by each further move, from index 1 on, plus what a promotion adds

The sides take turns to capture, and stop where another capture would lose material. Sliders behind other sliders, or
behind pawns, join in when the line opens. Pins and checks are ignored, except that a king captures only what the other
side does not defend. Most engines count like this. `rookery.rules.exchange` counts legal captures.

Source: the chessprogramming wiki, "SEE - The Swap Algorithm".
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bitboards.bits import RANK_1, RANK_8, bit, isolate_ls1b
from rookery.bitboards.pieces import PAWN, QUEEN
from rookery.kernel import U64, Bits, Square, kernel
from rookery.rules.attack_tables import EMPTY_BISHOP, EMPTY_ROOK, KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS
from rookery.rules.generate import sliders_to
from rookery.rules.position import Position
from rookery.techniques.base.protocol import prepare

PIECE_VALUES: Final = (100, 320, 330, 500, 900)  # pawn, knight, bishop, rook, queen, in centipawns

# By type of piece; a king is never captured. Where pieces overlap, `piece_type_on` returns numbers up to 15.
VALUES: Final = np.array([0, *PIECE_VALUES, *[0] * 10], np.int64)
QUEENING: Final = int(VALUES[QUEEN] - VALUES[PAWN])
_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN = (np.int64(value) for value in PIECE_VALUES)
BACK_RANKS: Final = RANK_1 | RANK_8


@kernel
def leapers_of_both(p: Position, sq: Square) -> Bits:
    """Return the pawns, knights and kings of either side that attack a square."""
    return (
        (PAWN_ATTACKS[p.turn, sq] & p.pawns & p.them)
        | (PAWN_ATTACKS[p.turn ^ 1, sq] & p.pawns & p.us)
        | (KNIGHT_MOVES[sq] & p.knights)
        | (KING_MOVES[sq] & p.kings)
    )


@kernel
def attackers_of_both(p: Position, sq: Square, occupied: Bits, t: Any) -> Bits:
    """Return the pieces of `occupied`, of either side, that attack a square."""
    return occupied & (leapers_of_both(p, sq) | sliders_to(p, sq, prepare(occupied, t), t))


@kernel
def near_of_both(p: Position, sq: Square) -> Bits:
    """Return the pieces of either side that attack a square, or would if the lines to it were open."""
    return leapers_of_both(p, sq) | (EMPTY_BISHOP[sq] & p.diagonals) | (EMPTY_ROOK[sq] & p.orthogonals)


class Taker(NamedTuple):
    """A piece that captures, and its value."""

    piece: Bits
    value: Any


@kernel
def cheaper(p: Taker, takers: Bits, value: Any) -> Taker:
    """Return some pieces of a value if there are any, else the more valuable ones."""
    return Taker(takers if takers else p.piece, value if takers else p.value)


@kernel
def least_valuable(p: Position, takers: Bits) -> Taker:
    """Return the least valuable of some pieces; of several alike, the one on the lowest square."""
    queens = p.diagonals & p.orthogonals
    found = cheaper(Taker(takers, np.int64(0)), takers & queens, _QUEEN)
    found = cheaper(found, takers & p.orthogonals & ~queens, _ROOK)
    found = cheaper(found, takers & p.diagonals & ~queens, _BISHOP)
    found = cheaper(found, takers & p.knights, _KNIGHT)
    found = cheaper(found, takers & p.pawns, _PAWN)
    return Taker(isolate_ls1b(found.piece), found.value)


class Around(NamedTuple):
    """The pieces of both sides that take part in an exchange on a square."""

    near: Bits  # those that attack the square, or would if the lines to it were open
    attackers: Bits  # those that attack it
    hidden: Bits  # the others, or none if no line opens when all attackers capture


@kernel
def around(p: Position, sq: Square, occupied: Bits, t: Any) -> Around:
    """Return the pieces of `occupied` that take part in an exchange on a square."""
    near, attackers = near_of_both(p, sq) & occupied, attackers_of_both(p, sq, occupied, t)
    hidden = near & ~attackers
    opened = hidden & sliders_to(p, sq, prepare(occupied & ~attackers, t), t)
    return Around(near, attackers, hidden if opened else U64(0))


@kernel
def swap_off(
    p: Position,
    sq: Square,
    us: Bits,
    them: Bits,
    occupied: Bits,
    able: Bits,
    pieces: Around,
    exposed: Any,
    least: Any,
    most: Any,
    gains: Any,
    t: Any,
) -> Any:
    """Return what `us` wins by captures on a square where a piece of `them` stands, worth `exposed`; at least 0.

    The pieces of `occupied` keep lines closed and kings away; those of `able` may capture. The result is exact between
    `least` and `most`: captures that cannot matter are skipped. `gains` is work space.
    """
    promoting = p.pawns if bit(sq) & BACK_RANKS else U64(0)
    attackers, hidden = pieces.attackers, pieces.hidden
    last = 0
    wins = np.int64(0)
    while attackers & us & able:
        taker, value = least_valuable(p, attackers & us & able)
        occupied ^= taker
        attackers ^= taker
        if hidden:
            attackers |= hidden & sliders_to(p, sq, prepare(occupied, t), t)
            hidden &= ~attackers
        # Giving kings a huge value instead would let a king capture a piece that only the other king defends if a
        # slider stands behind it: KxQ, KxK, QxK would come out even.
        if taker & p.kings and attackers & them:
            break
        if taker & promoting:
            exposed += QUEENING
            value = _QUEEN
        if exposed <= least:  # not enough, even if no piece captures back
            wins = exposed
            break
        last += 1
        gains[last] = exposed
        least, most = exposed - most, exposed - max(least, np.int64(0))
        exposed = value
        if most <= 0:  # enough, even if every piece captures back
            break
        us, them = them, us

    # From the last capture backwards: a side that would lose material does not capture.
    while last:
        wins = max(np.int64(0), gains[last] - wins)
        last -= 1
    return wins
