"""Counts of an index for each position and move: arrays that are added, and columns of a table."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.data.index.rows import END, KeyedFile, keys_of
from rookery.frames.arrow_files import joined_tables, write_parquet
from rookery.frames.columns import Numbers
from rookery.frames.reading import column_of
from rookery.games.openings.game_statistics import Statistics, statistics
from rookery.games.openings.growth import (
    BLACK_WON,
    DAY_ZERO,
    DRAWN,
    EXAMPLE,
    FIRST_DAY,
    HALF_POINTS,
    LAST_DAY,
    OURS,
    RATED,
    THEIRS,
    UNFINISHED,
    WHITE_WON,
    WIDTH,
)
from rookery.kernel import entry_of

tally_hits: Final = entry_of("rookery.data.index.tally_kernels", "tally_hits")

LEAST: Final = 64  # hits of a position whose counts are stored; those of others are counted when they are wanted
_MOST_MOVES: Final = 1 << 13  # of a position: from each square to each, and more for promotions

# Columns of the table of moves, and the tallies that they hold. All are white's, whoever is to move.
_TALLIES: Final = {
    "unfinished": UNFINISHED,
    "white_wins": WHITE_WON,
    "draws": DRAWN,
    "black_wins": BLACK_WON,
    "rated_games": RATED,
    "rated_half_points": HALF_POINTS,
    "first_game": EXAMPLE,
}
_DAYS: Final = {"first_played": FIRST_DAY, "last_played": LAST_DAY}
_RATINGS: Final = {"white_ratings": OURS, "black_ratings": THEIRS}
_GROUP: Final = 1 << 10  # rows of a row group


class Aggregates(NamedTuple):
    """Counts of positions and of their moves: a row for a position, with `END` for a move, then rows for its moves.

    moves     uint16, (n,)
    hits      int64, (n,): how often games reach the position, or play the move; a game may do so several times
    tallies   uint32, (n, 10), and ratings, uint64, (n, 2): as in an opening tree, but white's whoever is to move
    """

    moves: NDArray[np.uint16]
    hits: NDArray[np.int64]
    tallies: NDArray[np.uint32]
    ratings: NDArray[np.uint64]

    def statistics(self, is_white: bool) -> Statistics:
        """Return the statistics of the rows for the player to move."""
        tallies, ratings = self.tallies, self.ratings
        if not is_white:
            tallies = tallies.copy()
            tallies[:, HALF_POINTS] = 2 * tallies[:, RATED] - tallies[:, HALF_POINTS]
            ratings = ratings[:, ::-1]
        return statistics(tallies, ratings, np.full(self.hits.size, is_white))


def aggregates_of(
    games: NDArray[np.uint32],
    moves: NDArray[np.uint16],
    first: NDArray[np.int64],
    stop: NDArray[np.int64],
    facts: NDArray[np.uint32],
) -> tuple[Aggregates, NDArray[np.int64]]:
    """Return what is counted for positions, and the first row of each.

    The hits of position i are those from ``first[i]`` to ``stop[i]``: `moves` in `games`, which are rows of `facts`.
    """
    used = np.zeros(first.size + 1, np.int64)
    # Only rows that are used take memory.
    room = int((1 + np.minimum(stop - first, _MOST_MOVES)).sum())
    counted = Aggregates(
        np.zeros(room, np.uint16),
        np.zeros(room, np.int64),
        np.zeros((room, WIDTH), np.uint32),
        np.zeros((room, 2), np.uint64),
    )
    games, moves = np.ascontiguousarray(games), np.ascontiguousarray(moves)
    tally_hits(first, stop, games, moves, facts, *counted, used)
    n = int(used[-1])
    whole = Aggregates(counted.moves[:n], counted.hits[:n], counted.tallies[:n], counted.ratings[:n])
    return whole, used[:-1]


def added(several: Sequence[Aggregates]) -> Aggregates:
    """Return the counts of one position over several parts, in the order of their games."""
    if len(several) == 1:
        return several[0]
    moves = list(dict.fromkeys(move for one in several for move in one.moves.tolist()))
    whole = Aggregates(
        np.array(moves, np.uint16),
        np.zeros(len(moves), np.int64),
        np.zeros((len(moves), WIDTH), np.uint32),
        np.zeros((len(moves), 2), np.uint64),
    )
    place = {move: i for i, move in enumerate(moves)}
    for one in several:
        at = np.array([place[move] for move in one.moves.tolist()], np.int64)
        old, new = whole.tallies[at], one.tallies
        sums = old + new
        days = np.where(old == 0, new, np.where(new == 0, old, np.minimum(old, new)))
        sums[:, FIRST_DAY] = days[:, FIRST_DAY]
        sums[:, LAST_DAY] = np.maximum(old, new)[:, LAST_DAY]
        sums[:, EXAMPLE] = np.where(old == 0, new, old)[:, EXAMPLE]
        whole.tallies[at] = sums
        whole.ratings[at] += one.ratings
        whole.hits[at] += one.hits
    return whole


def write_moves(file: Any, keys: NDArray[np.uint64], counted: Aggregates) -> None:
    """Write counts as a Parquet file; the row of a position itself has no move."""
    columns: dict[str, Any] = {
        "key": keys,
        "move": Numbers(counted.moves, counted.moves != END),
        "hits": counted.hits,
        "games": counted.tallies[:, UNFINISHED : DRAWN + 1].sum(1, dtype=np.int64),
    }
    for name, place in _TALLIES.items():
        columns[name] = np.ascontiguousarray(counted.tallies[:, place])
    columns["first_game"] = counted.tallies[:, EXAMPLE] - np.uint32(1)
    for name, place in _RATINGS.items():
        columns[name] = np.ascontiguousarray(counted.ratings[:, place])
    for name, place in _DAYS.items():
        stored = counted.tallies[:, place]
        columns[name] = np.where(stored == 0, np.datetime64("NaT", "D"), _days(stored))
    write_parquet(
        file,
        columns,
        row_group_size=_GROUP,
        compression="zstd",
        use_dictionary=["move"],
        column_encoding={"key": "DELTA_BINARY_PACKED"},
        write_statistics=["key"],
    )


def _days(stored: NDArray[np.uint32]) -> NDArray[np.datetime64]:
    return (stored.astype(np.int64) + DAY_ZERO).astype("M8[D]")


def stored_aggregates(file: KeyedFile, key: int) -> Aggregates:
    """Return the counts of a position that a table of moves has."""
    tables = []
    for group in file.groups(key, key):
        table = file.read(group)
        keys = keys_of(table)
        a, b = np.searchsorted(keys, np.uint64(key)), np.searchsorted(keys, np.uint64(key), "right")
        tables.append(table.slice(int(a), int(b - a)))
    table = joined_tables(tables)
    n = table.num_rows
    tallies, ratings = np.zeros((n, WIDTH), np.uint32), np.zeros((n, 2), np.uint64)
    columns: dict[str, Any] = {name: column_of(name, table.column(name)) for name in table.column_names}
    for name, place in _TALLIES.items():
        tallies[:, place] = columns[name].values
    tallies[:, EXAMPLE] += np.uint32(1)
    for name, place in _RATINGS.items():
        ratings[:, place] = columns[name].values
    for name, place in _DAYS.items():
        days = columns[name].values.astype("M8[D]").astype(np.int64) - DAY_ZERO
        tallies[:, place] = np.where(columns[name].valid, days, 0)
    played = columns["move"]
    moves = np.where(played.valid, played.values, END).astype(np.uint16)
    return Aggregates(moves, columns["hits"].values, tallies, ratings)
