"""Games of rows of a table that rookery wrote: those that meet a condition, with the requested columns."""

from typing import Any

import numpy as np

from rookery.frames.columns import Lists
from rookery.games.game_columns import TableName
from rookery.games.games import Games
from rookery.games.headers.where import Condition
from rookery.games.interchange.from_arrow import chunks_of
from rookery.games.interchange.selection import header_of, headers_of, that_meet
from rookery.games.read.build import Wanted
from rookery.sources.failures import NotGamesError


def chosen_headers(wanted: Wanted) -> tuple[str, ...] | None:
    """Return the names of the requested headers; None if all columns of a table are kept."""
    return None if wanted.tags else wanted.columns


def games_of_table(batch: Any, name: str, *, check: bool = True) -> Games:
    """Return the games of a batch of rows that rookery wrote; with `check`, their moves must be legal."""
    try:
        games = Games._of_sound(chunks_of(batch), check)
    except (ValueError, TypeError) as error:
        raise NotGamesError(f"{name}: {error}") from error
    return Games._of_columns(games.columns.replace(table=TableName(name)))


def games_in(games: Games, wanted: Wanted, condition: Condition | None) -> Games:
    """Return the games of a table that meet a condition, with only the requested columns."""
    if condition is not None:
        games = that_meet(games, condition, headers_of(games, condition))
    columns = games.columns
    changes: dict[str, Any] = {}
    if (named := chosen_headers(wanted)) is not None:
        changes["headers"] = {name: header_of(games, name) for name in named if name != "Result"}
    for column, is_wanted in (
        ("tags", wanted.tags),
        ("nags", wanted.nags and wanted.moves),
        ("comments", wanted.comments and wanted.moves),
        ("variations", wanted.variations and wanted.moves),
        ("texts", wanted.texts),
    ):
        if not is_wanted:
            changes[column] = None
    if not wanted.moves:
        changes["plies"] = Lists(np.zeros(len(games) + 1, np.int64), {"moves": np.zeros(0, np.uint16)})
    elif not wanted.clocks:
        changes["plies"] = Lists(columns.plies.offsets, {"moves": columns.plies.columns["moves"]})
    return Games._of_columns(columns.replace(**changes))
