"""Batches: rows as the arrays that a network takes."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.data.training.samples import ScoredPositions
from rookery.data.training.views import NO_RESULT
from rookery.games.positions.scores import MATE, NO_SCORE

_ALIGNED: Final = 64  # bytes: JAX copies arrays that begin elsewhere
# Lichess' formula for a player's expected result at a score in centipawns, fitted to its games.
_SLOPE: Final = 0.00368208


class Batch(NamedTuple):
    """Rows for a network; n is the number of rows. What is not requested is None.

    planes   (n, channels, 8, 8), float32 or uint8: `Positions.planes`
    policy   int32, (n,): the index of the move, `Positions.policy_index`
    value    float32, (n,): from -1, the side to move loses, to 1, it wins
    legal    bool, (n, moves): which indices are of legal moves, `Positions.policy_mask`
    """

    planes: Any
    policy: Any
    value: Any
    legal: Any


def aligned(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Allocate an array that begins at a multiple of 64 bytes."""
    size = int(np.prod(shape)) * dtype.itemsize
    room = np.empty(size + _ALIGNED, np.uint8)
    start = -room.ctypes.data % _ALIGNED
    return room[start : start + size].view(dtype).reshape(shape)


def values(rows: ScoredPositions, value: str) -> NDArray[np.float32]:
    """Return the values of rows, from -1 to 1, NaN where there is none."""
    if value == "result":
        return np.where(rows.results == NO_RESULT, np.nan, rows.results).astype(np.float32)
    scores = rows.scores.astype(np.float64)
    expected = 2 / (1 + np.exp(-_SLOPE * scores)) - 1
    expected = np.where(np.abs(scores) >= MATE - 1000, np.sign(scores), expected)
    return np.where(rows.scores == NO_SCORE, np.nan, expected).astype(np.float32)
