"""Chains: rows of which each is the position after the move of the row before it.

Formats that store games keep the first position of a chain and the moves. Whether a row belongs to the chain of the row
before it is found out from the rows themselves, and never taken for granted.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.data.training.samples import ScoredPositions
from rookery.kernel import U64, Word, array_of, entry, kernel
from rookery.positions.kernels.lanes import Lane, load, position
from rookery.positions.kernels.moves import after, zeroing
from rookery.positions.layout import CLOCK_SHIFT, COUNTER, NUMBER_SHIFT, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.position import make

_CLOCK = COUNTER << CLOCK_SHIFT
_NUMBER = COUNTER << NUMBER_SHIFT


@kernel
def follows(earlier: Lane, move: Word, later: Lane, numbered: Word, t: Any) -> Word:
    """Return 1 if a legal move leads from one position to the other, else 0.

    The half-move clocks must agree, and if `numbered` is nonzero the full-move numbers, too.
    """
    p, expected = position(earlier, t), position(later, t)
    q = make(p, move, t)
    differ = (q.pawns ^ expected.pawns) | (q.knights ^ expected.knights) | (q.kings ^ expected.kings)
    differ |= (q.diagonals ^ expected.diagonals) | (q.orthogonals ^ expected.orthogonals)
    differ |= (q.us ^ expected.us) | (q.castling ^ expected.castling) | (q.turn ^ expected.turn)
    counters = _CLOCK | (_NUMBER if numbered else 0)
    differ |= (after(earlier.state, zeroing(p, move)) ^ later.state) & counters
    if not differ and (q.en_passant ^ expected.en_passant):
        differ |= legal_en_passant_target(q, t) ^ legal_en_passant_target(expected, t)
    return 0 if differ else 1


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(np.uint16),
        array_of(np.int8),
        array_of(np.bool_),
        default_technique().tables(),
    )
)
def mark_firsts(c: Any, moves: Any, results: Any, firsts: Any, t: Any) -> None:
    """Write whether each row begins a chain: 1, or 0 if it follows the row before it, with the same result."""
    for i in range(moves.size):
        goes_on = U64(0)
        if i and moves[i - 1] and results[i - 1] == -results[i]:
            goes_on = follows(load(c, i - 1), U64(moves[i - 1]), load(c, i), 1, t)
        firsts[i] = not goes_on


def firsts_of(rows: ScoredPositions) -> NDArray[np.bool_]:
    """Return which rows begin a chain."""
    firsts = np.empty(len(rows), np.bool_)
    mark_firsts(rows.positions.columns, rows.moves, rows.results, firsts, default_technique().tables())
    return firsts


def behind(last: ScoredPositions | None, rows: ScoredPositions) -> tuple[ScoredPositions, int]:
    """Return rows with the row that was written last in front of them, if any, and the index of the first new row."""
    return (rows, 0) if last is None else (ScoredPositions.concatenate([last, rows]), 1)
