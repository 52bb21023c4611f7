"""Compiled code that searches all orders of an exchange."""

from typing import Any

import numpy as np

from rookery.bitboards.bits import bit, isolate_ls1b, reset_ls1b
from rookery.bitboards.line_tables import BETWEEN
from rookery.bitboards.pieces import QUEEN
from rookery.kernel import U64, Bits, Square, Word, cold_kernel, kernel, trailing_zeros
from rookery.rules import swap_off
from rookery.rules.exchange_search import Space
from rookery.rules.position import Position

_OCCUPIED, _LEFT = 0, 1
_EXPOSED, _BEST, _ENOUGH, _GAIN = 0, 1, 2, 3


@kernel
def along_lines(p: Position, k: Square, other: Bits, occupied: Bits) -> Bits:
    """Return the sliders of `other` on the lines of a king, and what stands between, if anything does."""
    snipers = swap_off.near_of_both(p, k) & other & (p.diagonals | p.orthogonals)
    found: Bits = snipers
    while snipers:
        found |= BETWEEN[k, trailing_zeros(snipers)] & occupied
        snipers = reset_ls1b(snipers)
    return found


@kernel
def bound_pieces(p: Position, sq: Square, us: Bits, them: Bits, occupied: Bits, may_be_illegal: Word) -> Bits:
    """Return the pieces that capture on a square with consequences of their own.

    They stand before another piece that captures there, or on a line to a king, or give check, or promote. Of all
    others a side uses the least valuable first.
    """
    near = swap_off.near_of_both(p, sq) & occupied
    bound = near & p.pawns if bit(sq) & swap_off.BACK_RANKS else U64(0)
    behind = near & (p.diagonals | p.orthogonals)
    while behind:
        bound |= BETWEEN[sq, trailing_zeros(behind)]
        behind = reset_ls1b(behind)
    kings = p.kings & occupied if may_be_illegal else U64(0)
    while kings:
        king = isolate_ls1b(kings)
        k, other = trailing_zeros(king), (them if us & king else us) & occupied
        bound |= along_lines(p, k, other, occupied) | (swap_off.leapers_of_both(p, k) & other)
        kings ^= king
    return bound & near


@kernel
def is_legal_capture(p: Position, sq: Square, taker: Bits, own: Bits, other: Bits, occupied: Bits, t: Any) -> Any:
    """Check whether no king of `own` is attacked after a capture; `occupied` has the pieces that have not captured."""
    enemies, target = other & occupied & ~bit(sq), bit(sq)
    if taker & p.kings and swap_off.attackers_of_both(p, sq, occupied, t) & enemies:
        return False
    king = p.kings & own & occupied
    if not king:
        return True
    return not swap_off.attackers_of_both(p, trailing_zeros(king), occupied | target, t) & enemies


@kernel
def first_takers(p: Position, sq: Square, us: Bits, occupied: Bits, bound: Bits, t: Any) -> Bits:
    """Return the pieces of `us` that are worth trying: of those that are not bound, the least valuable."""
    takers = swap_off.attackers_of_both(p, sq, occupied, t) & us
    free = takers & ~(bound | p.kings)
    return (takers ^ free) | (swap_off.least_valuable(p, free).piece if free else U64(0))


@cold_kernel
def search(
    p: Position,
    sq: Square,
    us: Bits,
    them: Bits,
    occupied: Bits,
    may_be_illegal: Word,
    exposed: Any,
    least: Any,
    most: Any,
    space: Space,
    t: Any,
) -> Any:
    """Return what `us` wins by legal captures on a square where a piece of `them` stands, worth `exposed`.

    The result is exact between `least` and `most`. Unless captures `may_be_illegal`, only those of kings are checked.
    """
    boards, scores = space.boards, space.scores
    bound = bound_pieces(p, sq, us, them, occupied, may_be_illegal)
    promoting = p.pawns if bit(sq) & swap_off.BACK_RANKS else U64(0)
    n = U64(0)
    boards[0, _OCCUPIED], boards[0, _LEFT] = occupied, first_takers(p, sq, us, occupied, bound, t)
    scores[0, _EXPOSED], scores[0, _BEST], scores[0, _ENOUGH] = exposed, least, most
    while True:
        if scores[n, _BEST] < scores[n, _ENOUGH] and boards[n, _LEFT]:
            taker, value = swap_off.least_valuable(p, boards[n, _LEFT])
            boards[n, _LEFT] ^= taker
            left = boards[n, _OCCUPIED] ^ taker
            if may_be_illegal | (taker & p.kings) and not is_legal_capture(p, sq, taker, us, them, left, t):
                continue
            gain = scores[n, _EXPOSED]
            if taker & promoting:
                gain += swap_off.QUEENING
                value = swap_off.VALUES[QUEEN]
            scores[n, _GAIN] = gain
            enough, best = gain - scores[n, _BEST], gain - scores[n, _ENOUGH]
            n += 1
            us, them = them, us
            boards[n, _OCCUPIED] = left
            scores[n, _EXPOSED], scores[n, _BEST], scores[n, _ENOUGH] = value, max(best, np.int64(0)), enough
            is_open = scores[n, _BEST] < enough
            boards[n, _LEFT] = first_takers(p, sq, us, left, bound, t) if is_open else U64(0)
        elif n == 0:
            return scores[0, _BEST]
        else:
            wins = scores[n, _BEST]
            n -= 1
            us, them = them, us
            scores[n, _BEST] = max(scores[n, _BEST], scores[n, _GAIN] - wins)
