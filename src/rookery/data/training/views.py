"""Points of view, missing values and mates: how scores and results are written as numbers."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.positions.layout import BLACK_TO_MOVE, Columns

NO_SCORE: Final = -(1 << 15)
NO_RESULT: Final = -128
MATE: Final = 32_000  # the score of a mate on the board; a mate in n plies is MATE - n, as in Stockfish


def from_white(c: Columns, values: NDArray[Any]) -> NDArray[Any]:
    """Return values of the side to move from white's side, or the other way round.

    The least value of the dtype stands for a missing one, and stays.
    """
    return np.where((c.state & BLACK_TO_MOVE).astype(np.bool_), -values, values)


def mate_score(moves: Any) -> Any:
    """Return the score of a mate in so many moves of the side to move; 0 and negative numbers say it is mated.

    `moves` is a number or an array.

    >>> mate_score(np.array([2, 1, 0, -1])).tolist()
    [31997, 31999, -32000, -31998]
    """
    return np.where(np.greater(moves, 0), MATE - (2 * moves - 1), -MATE - 2 * moves)
