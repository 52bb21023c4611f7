"""Inputs in memory: games, positions, training data, hits and tables, in blocks that are tasks."""

from collections.abc import Iterator
from typing import Any

from rookery.data.pipeline.inputs import BATCHES, GAMES, TASK_ROWS, Input
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.selection import in_whole_games
from rookery.frames.arrow import as_table, has_arrow_interface
from rookery.games.games import Games
from rookery.games.interchange.selection import mask_of
from rookery.games.read.options import ReadOptions
from rookery.games.search.hits import Hits
from rookery.positions.positions import Positions


def input_in_memory(value: Any) -> Input | None:
    """Return the description of games, positions, training data, hits or a table in memory; None for other objects."""
    if isinstance(value, Games):
        return Input("memory", "", "games", "", None, None)
    if isinstance(value, ScoredPositions):
        return Input("memory", "", "training", "", None, None)
    if isinstance(value, Positions):
        return Input("memory", "", "positions", "", None, None)
    if isinstance(value, Hits) or has_arrow_interface(value):
        return Input("memory", "", "Arrow", "", None, as_table(value).schema.remove_metadata())
    return None


def blocks_in_memory(value: Any, reading: ReadOptions) -> Iterator[tuple[Any, int]]:
    """Yield an object in memory in blocks, as `stream_of` does."""
    if isinstance(value, Games):
        games = value if reading.where is None else value[mask_of(value, reading.where)]
        for i in range(0, len(games), BATCHES * GAMES):
            batches = [games[k : k + GAMES] for k in range(i, min(i + BATCHES * GAMES, len(games)), GAMES)]
            yield (batches, {"failures": []}), 0
        return
    if isinstance(value, ScoredPositions):
        yield from (((rows, []), 0) for rows in in_whole_games(value[i : i + TASK_ROWS] for i in _steps(value)))
        return
    rows = value if isinstance(value, Positions) else as_table(value.to_arrow() if isinstance(value, Hits) else value)
    for i in _steps(rows):
        yield (rows[i : i + TASK_ROWS] if isinstance(rows, Positions) else rows.slice(i, TASK_ROWS)), 0


def _steps(rows: Any) -> range:
    return range(0, len(rows), TASK_ROWS)
