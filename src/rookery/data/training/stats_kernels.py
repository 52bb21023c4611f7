"""Compiled code that counts rows of training data by their scores, plies, pieces, phases, results and moves."""

from typing import Any

import numpy as np

from rookery.kernel import U64, array_of, entry, popcount
from rookery.positions.kernels.lanes import load, occupied_of
from rookery.positions.layout import BLACK_TO_MOVE, empty_columns
from rookery.rules.constants import CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, SIX_BITS, TO_SHIFT

_SIGN = 0x8000
_UNKNOWN, _LOST = 0x80, 0xFF  # results as bytes


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(np.uint16),
        array_of(np.uint16),
        array_of(np.uint8),
        array_of(np.int32),
        array_of(np.int64),
        *[array_of(np.int64)] * 4,
        array_of(np.int64, 2),
        array_of(np.int64),
    )
)
def count_rows(
    c: Any,
    moves: Any,
    scores: Any,
    results: Any,
    plies: Any,
    last: Any,
    by_score: Any,
    by_ply: Any,
    by_pieces: Any,
    by_phase: Any,
    by_result: Any,
    by_move: Any,
) -> None:
    """Count rows; scores and results are words of their bits.

    `last` has the ply of the row before the first one, its result from White's side, and the number of games so far.
    `by_result` has a row for White and Black to move, with losses, draws, wins and unknown results; `by_move` has rows
    without a move, captures, promotions and castlings. Plies and phases beyond the last counter are counted there.
    """
    before, before_result, games = last[0], U64(last[1]), U64(last[2])
    for i in range(moves.size):
        now = load(c, i)
        occupied = occupied_of(now)
        black = 1 if now.state & BLACK_TO_MOVE else 0
        by_score[U64(scores[i]) ^ _SIGN] += 1
        ply = max(np.int64(plies[i]), np.int64(0))
        by_ply[min(ply, np.int64(by_ply.size - 1))] += 1
        by_pieces[popcount(occupied)] += 1
        queens = now.diagonals & now.orthogonals
        phase = popcount(now.knights) + popcount(now.diagonals ^ queens)
        phase += 2 * popcount(now.orthogonals ^ queens) + 4 * popcount(queens)
        by_phase[min(phase, U64(by_phase.size) - 1)] += 1
        stored = U64(results[i])
        result = U64(3) if stored == _UNKNOWN else (U64(0) if stored == _LOST else stored + 1)
        by_result[black, result] += 1
        of_white = 2 - result if black and result < 3 else result
        if ply <= before or of_white != before_result:
            games += 1
        before, before_result = ply, of_white
        move = U64(moves[i])
        kind = move & KIND_MASK
        takes = occupied >> (move >> TO_SHIFT & SIX_BITS) & 1 and kind != CASTLING
        by_move[0] += 1 if not move else 0
        by_move[1] += 1 if move and (takes or kind == EN_PASSANT) else 0
        by_move[2] += 1 if kind == PROMOTION else 0
        by_move[3] += 1 if kind == CASTLING else 0
    last[0], last[1], last[2] = before, np.int64(before_result), np.int64(games)
