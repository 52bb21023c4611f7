"""Scores in centipawns from the side to move, as engines count them, and evaluations in pawns from White's side."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.pgn.scan.annotations import MATE as PAWNS_OF_MATE

NO_SCORE: Final = -(1 << 15)
MATE: Final = 32_000  # the score of a mate on the board; a mate in n plies is MATE - n, as in Stockfish
_LEAST_OF_MATE: Final = PAWNS_OF_MATE / 2
_MOST: Final = 30_000  # centipawns: more would be taken for a mate


def mate_score(moves: Any) -> Any:
    """Return the score of a mate in so many moves of the side to move; 0 and negative numbers say it is mated.

    `moves` is a number or an array.

    >>> mate_score(np.array([2, 1, 0, -1])).tolist()
    [31997, 31999, -32000, -31998]
    """
    return np.where(np.greater(moves, 0), MATE - (2 * moves - 1), -MATE - 2 * moves)


def scores_of(pawns: NDArray[Any], turn: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return scores from the side to move, given evaluations from White's side, NaN where there is none.

    >>> scores_of(np.array([0.5, -996.0, np.nan]), np.array([False, True, True])).tolist()
    [-50, -31992, -32768]
    """
    missing = np.isnan(pawns)
    own = np.where(missing, 0, np.where(turn, pawns, -pawns)).astype(np.float64)
    mates = mate_score(np.copysign(PAWNS_OF_MATE - np.abs(own), own))
    centipawns = np.clip(np.rint(own * 100), -_MOST, _MOST)
    scores = np.where(np.abs(own) >= _LEAST_OF_MATE, mates, centipawns)
    found: NDArray[np.int16] = np.where(missing, NO_SCORE, scores).astype(np.int16)
    return found


def pawns_of(scores: NDArray[np.int16], turn: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return evaluations from White's side, NaN where there is none, given scores from the side to move."""
    mates = np.abs(scores) >= MATE - PAWNS_OF_MATE
    moves = (MATE - np.abs(scores.astype(np.int32)) + 1) // 2
    own = np.where(mates, np.copysign(PAWNS_OF_MATE - moves, scores), scores / 100)
    return np.where(scores == NO_SCORE, np.nan, np.where(turn, own, -own))
