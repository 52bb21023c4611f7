"""Columns of training data from games with evaluations, such as Lichess writes: ``1. e4 { [%eval 0.17] }``.

Games state evaluations in pawns from white's side, training data in centipawns from the side to move.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.data.training.views import NO_RESULT, from_white
from rookery.games.games import Games
from rookery.games.positions.scores import scores_of
from rookery.positions.positions import Positions

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
    columns = {"moves": moves, "scores": scores_of(pawns, found.turn), "results": results}
    return Positions(found.columns), columns
