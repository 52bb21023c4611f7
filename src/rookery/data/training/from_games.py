"""Columns of training data from games with evaluations, such as Lichess writes: ``1. e4 { [%eval 0.17] }``.

Games state evaluations in pawns from white's side, training data in centipawns from the side to move.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.data.training.views import MATE, NO_RESULT, NO_SCORE, from_white, mate_score
from rookery.games.games import Games
from rookery.pgn.scan.annotations import MATE as PAWNS_OF_MATE
from rookery.positions.positions import Positions

_LEAST_OF_MATE: Final = PAWNS_OF_MATE / 2
_MOST: Final = 30_000  # centipawns: more would be taken for a mate
_RESULTS: Final = np.array([NO_RESULT, 1, -1, 0], np.int8)  # of white, by the scores of games


def columns_of_games(games: Games, threads: int) -> tuple[Positions, dict[str, NDArray[Any]]]:
    """Return the positions of games, and the moves, scores and results of each."""
    found = games.positions("all", threads=threads)
    offsets, ply = games.moves.offsets[found.game], found.ply
    has_move = ply < games.plies[found.game]
    moves = np.zeros(len(found), np.uint16)
    moves[has_move] = games.moves.moves[(offsets + ply)[has_move]]
    pawns = np.full(len(found), np.nan)
    pawns[ply > 0] = games.evals[(offsets + ply - 1)[ply > 0]]
    results = from_white(found.columns, _RESULTS[games.scores[found.game]])
    columns = {"moves": moves, "scores": _scores(pawns, found.turn), "results": results}
    return Positions(found.columns), columns


def _scores(pawns: NDArray[np.float64], turn: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return scores from the side to move, given evaluations from white's side, NaN where there is none."""
    missing = np.isnan(pawns)
    own = np.where(missing, 0, np.where(turn, pawns, -pawns))
    mates = mate_score(np.copysign(PAWNS_OF_MATE - np.abs(own), own))
    centipawns = np.clip(np.rint(own * 100), -_MOST, _MOST)
    scores = np.where(np.abs(own) >= _LEAST_OF_MATE, mates, centipawns)
    found: NDArray[np.int16] = np.where(missing, NO_SCORE, scores).astype(np.int16)
    return found


def pawns_of(scores: NDArray[np.int16], turn: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return evaluations from white's side, NaN where there is none, given scores from the side to move."""
    mates = np.abs(scores) >= MATE - PAWNS_OF_MATE
    moves = (MATE - np.abs(scores.astype(np.int32)) + 1) // 2
    own = np.where(mates, np.copysign(PAWNS_OF_MATE - moves, scores), scores / 100)
    return np.where(scores == NO_SCORE, np.nan, np.where(turn, own, -own))
