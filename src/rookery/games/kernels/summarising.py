"""Compiled code that summarises games."""

from typing import Any

import numpy as np

from rookery.games.kernels.replaying import moved
from rookery.kernel import U64, array_of, entry
from rookery.positions.kernels.lanes import Lane, load, store
from rookery.positions.layout import BLACK_TO_MOVE, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.constants import BECOMES_SHIFT, KIND_MASK, PROMOTION


@entry(
    examples=lambda: (
        array_of(np.int64),
        array_of(np.uint16),
        empty_columns(1),
        array_of(np.int32),
        empty_columns(1),
        array_of(U64),
        array_of(U64),
        array_of(U64),
        default_technique().tables(),
    )
)
def summarise(
    offsets: Any, moves: Any, starts: Any, rows: Any, last: Any, white: Any, black: Any, promotions: Any, t: Any
) -> Any:
    """Write the last position of each game, the squares of pawns, and the number of promotions of each kind.

    Return the first game with a move that leaves no position, or -1.

    Game i begins from row ``rows[i]`` of `starts`. A number of promotions takes eight bits: white's to knights are the
    lowest, and black's to queens the highest.
    """
    for i in range(rows.size):
        p = load(starts, rows[i])
        by_white, by_black = p.pawns & p.white, p.pawns & ~p.white
        promoted = wrong = U64(0)
        for j in range(offsets[i], offsets[i + 1]):
            move = U64(moves[j])
            if move & KIND_MASK == PROMOTION:
                promoted += U64(1) << (32 * (p.state & BLACK_TO_MOVE) + 8 * ((move >> BECOMES_SHIFT) & 3))
            p, fault = moved(p, move, t)
            wrong |= fault
            by_white |= p.pawns & p.white
            by_black |= p.pawns & ~p.white
        store(last, U64(i), Lane(*p[:8], p.state & BLACK_TO_MOVE))  # without counters, they need not be kept
        white[i], black[i], promotions[i] = by_white, by_black, promoted
        if wrong:
            return np.int64(i)
    return np.int64(-1)
