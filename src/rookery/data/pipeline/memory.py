"""Inputs in memory: games, positions, training data, hits and tables, in blocks that are tasks."""

from collections.abc import Iterator
from typing import Any

from rookery.data.pipeline.inputs import BATCHES, GAMES, TASK_ROWS, Input, has_games_in
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.selection import in_whole_games
from rookery.frames.arrow import as_table, has_arrow_interface, pyarrow_module, without_views
from rookery.games.games import Games
from rookery.games.headers.opening_names import NAMED
from rookery.games.headers.where import Condition
from rookery.games.interchange.selection import mask_of
from rookery.games.read.on_executor import games_of_stream
from rookery.games.read.options import ReadOptions
from rookery.games.search.hits import Hits
from rookery.positions.positions import Positions
from rookery.sources.streams import TableFile


def source_in_memory(value: Any) -> Any:
    """Return games, positions, training data, hits or a table in memory; None for other objects.

    Objects with Arrow's C interface become tables here, once: some can be read only once.
    """
    if isinstance(value, (Games, ScoredPositions, Positions, Hits)):
        return value
    return without_views(as_table(value)) if has_arrow_interface(value) else None


def input_in_memory(value: Any, given: str | None = None) -> Input | None:
    """Return the description of a `source_in_memory`; None for other objects. `given` is the format of a table."""
    if isinstance(value, Games):
        return Input("memory", "", "games", "", None, None)
    if isinstance(value, ScoredPositions):
        return Input("memory", "", "training", "", None, None)
    if isinstance(value, Positions):
        return Input("memory", "", "positions", "", None, None)
    if not isinstance(value, Hits) and not has_arrow_interface(value):
        return None
    schema = as_table(value).schema
    if not isinstance(value, Hits) and has_games_in(schema, given):
        return Input("memory", "", "games", "", None, None)
    return Input("memory", "", "Arrow", "", None, schema.remove_metadata())


def blocks_in_memory(value: Any, made: Input, reading: ReadOptions) -> Iterator[tuple[Any, int]]:
    """Yield an object in memory, of a description, in blocks, as `stream_of` does.

    A block of a table or of positions comes with the number of its first row.
    """
    if isinstance(value, Games):
        games = _named(value, reading)
        games = games if reading.where is None else games[mask_of(games, reading.where)]
        for i in range(0, len(games), BATCHES * GAMES):
            batches = [games[k : k + GAMES] for k in range(i, min(i + BATCHES * GAMES, len(games)), GAMES)]
            yield (batches, {"failures": []}), 0
        return
    if isinstance(value, ScoredPositions):
        yield from (((rows, []), 0) for rows in in_whole_games(value[i : i + TASK_ROWS] for i in _steps(value)))
        return
    if made.format == "games":
        table = pyarrow_module().table(value)
        yield from games_of_stream(TableFile("memory", "", table), reading, GAMES, BATCHES)
        return
    rows = value if isinstance(value, Positions) else as_table(value.to_arrow() if isinstance(value, Hits) else value)
    for i in _steps(rows):
        some = rows[i : i + TASK_ROWS] if isinstance(rows, Positions) else rows.slice(i, TASK_ROWS)
        yield (some, i), 0


def _steps(rows: Any) -> range:
    return range(0, len(rows), TASK_ROWS)


def _named(games: Games, reading: ReadOptions) -> Games:
    """Return games with the openings named, as those of files are, if there are names."""
    if reading.names is None:
        return games
    decides = reading.where is not None and not {*NAMED}.isdisjoint(Condition(reading.where, games.headers).names)
    if decides or reading.headers is not None:
        return games.with_opening_names(reading.names)
    columns = games.columns
    return Games._of_columns(columns.replace(headers=reading.names.filled(columns.headers, columns)))
