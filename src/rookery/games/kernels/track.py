"""Compiled code that tracks pieces."""

from typing import Any

import numpy as np

from rookery.bitboards.bits import bit
from rookery.kernel import U64, array_of, entry
from rookery.positions.kernels.lanes import load, occupied_of
from rookery.positions.layout import empty_columns
from rookery.rules.constants import CASTLING, EN_PASSANT, KIND_MASK, SIX_BITS, TO_SHIFT
from rookery.rules.position import castling_squares

_NOWHERE = 64


@entry(
    examples=lambda: (
        U64(0),
        array_of(np.int64),
        array_of(np.int32),
        array_of(np.int64),
        array_of(np.uint16),
        empty_columns(1),
        array_of(np.int32),
        array_of(U64),
        array_of(np.int32),
        array_of(np.bool_),
    )
)
def follow(
    square: Any,
    game: Any,
    ply: Any,
    offsets: Any,
    moves: Any,
    starts: Any,
    rows: Any,
    boards: Any,
    made: Any,
    gone: Any,
) -> None:
    """Write where the piece stands that began each position's game on a square.

    Positions of one game in order are one pass through its moves.
    """
    now, count, reached = U64(_NOWHERE), np.int32(0), np.int64(0)
    for i in range(game.size):
        g = game[i]
        if i == 0 or g != game[i - 1] or ply[i] < reached:
            begins = (occupied_of(load(starts, rows[g])) >> square) & 1
            now = square if begins else U64(_NOWHERE)
            count, reached = np.int32(0), np.int64(0)
        while reached < ply[i] and now < _NOWHERE:
            move = U64(moves[offsets[g] + reached])
            reached += 1
            source, target, kind = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS, move & KIND_MASK
            if not move:
                continue
            if kind == CASTLING:
                king_to, rook_to = castling_squares(source, target)
                if now in (source, target):
                    now = king_to if now == source else rook_to
                    count += np.int32(1)
            elif now == source:
                now = target
                count += np.int32(1)
            elif now == target or (kind == EN_PASSANT and now == target ^ 8):
                now = U64(_NOWHERE)
        reached = max(reached, np.int64(ply[i]))
        begins = (occupied_of(load(starts, rows[g])) >> square) & 1
        boards[i] = bit(now & SIX_BITS) if now < _NOWHERE else U64(0)
        made[i] = count
        gone[i] = begins != 0 and now == _NOWHERE
