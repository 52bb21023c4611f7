"""Training data as positions of games: what queries ask about a game, answered from the columns of rows."""

from typing import Any, Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import Side
from rookery.bitboards.bits import mixed
from rookery.data.training.views import NO_RESULT
from rookery.frames.columns import Texts
from rookery.games.headers.named_columns import result_column
from rookery.games.positions.game_positions import GamePositions
from rookery.games.positions.scores import NO_SCORE, pawns_of
from rookery.positions.moves import Moves
from rookery.positions.positions import Positions

_NO_HEADERS: Final = "training data has no headers: expected a query about positions, moves, scores and results"


class _Results:
    """The results of games, as the language looks at columns of games."""

    def __init__(self, results: NDArray[np.int8]) -> None:
        self._results = results

    def column(self, name: str) -> Texts:
        """Return the column Result; ValueError for any other, as for `days`."""
        if name != "Result":
            raise ValueError(f"query: {name}: {_NO_HEADERS}")
        return result_column(np.select([self._results == 1, self._results == -1, self._results == 0], [1, 2, 3]))

    def days(self, name: str) -> Any:
        """Raise ValueError."""
        return self.column(f"day of {name}")


class Rows(Protocol):
    """The columns of `ScoredPositions`, which imports this module."""

    positions: Positions
    moves: NDArray[np.uint16]
    scores: NDArray[np.int16]
    results: NDArray[np.int8]
    plies: NDArray[np.int32]

    @property
    def white_results(self) -> NDArray[np.int8]:
        """Return results from the view of White."""
        ...

    def __len__(self) -> int:
        """Return the number of rows."""
        ...


class RowPositions(GamePositions):
    """Positions of training data with their moves, scores, results and plies; `game` counts from 0.

    Training data has no clocks: these are missing. Headers and ratings raise ValueError.
    """

    __slots__ = ("_rows", "_whole")
    _COLUMNS = ("columns", "game", "ply", "_rows")
    _SHARED = ("_whole",)
    _whole: tuple[Rows, NDArray[np.int64]]  # all rows; the first row of each game, and their number
    _rows: NDArray[np.int64]  # the index of each position among all rows

    @classmethod
    def of_rows(cls, rows: Rows, offsets: NDArray[np.int64]) -> Self:
        """Return the positions of rows; game i has rows ``offsets[i]`` to ``offsets[i + 1]``."""
        positions = cls(rows.positions.columns)
        positions.game = np.repeat(np.arange(offsets.size - 1, dtype=np.int64), np.diff(offsets))
        positions.ply = rows.plies
        positions._whole = rows, offsets
        positions._rows = np.arange(len(rows), dtype=np.int64)
        return positions

    def _knows_games(self) -> bool:
        return True

    @property
    def rows(self) -> NDArray[np.int64]:
        """Return the index of each position among all rows: int64, (n,)."""
        return self._rows

    def played_moves(self) -> NDArray[np.uint16]:
        """Return the move of each row, 0 where it has none: uint16, (n,)."""
        return self._whole[0].moves[self._rows]

    def game_hashes(self) -> NDArray[np.uint64]:
        """Return a hash of each position's game: of the first position that the data has, and all its moves."""
        rows, offsets = self._whole
        first = rows.positions[offsets[:-1]].keys()
        hashes: NDArray[np.uint64] = mixed(Moves(offsets, rows.moves).hash() ^ first)[self.game]
        return hashes

    def plies_of_game(self) -> NDArray[np.int64]:
        """Return the number of half-moves of each position's game that the data has: int64, (n,)."""
        rows, offsets = self._whole
        return rows.plies[offsets[self.game + 1] - 1].astype(np.int64) + 1

    def result(self, side: Side = "white") -> NDArray[np.float32]:
        """Return the points that a side scored, 1, 0.5 or 0, NaN where there is no result: float32, (n,)."""
        results = self._whole[0].results[self._rows]
        points = np.where(results == NO_RESULT, np.nan, (results.astype(np.float32) + 1) / 2)
        return np.where(self._is_white(side) == self.turn, points, 1 - points).astype(np.float32)

    def score(self, side: Side = "us") -> NDArray[np.float32]:
        """Return the score of each row in centipawns from a side's view, NaN where there is none: float32, (n,)."""
        scores = self._whole[0].scores[self._rows]
        own = np.where(scores == NO_SCORE, np.float32(np.nan), scores.astype(np.float32))
        return own if side == "us" else np.where(self._is_white(side) == self.turn, own, -own)

    def header(self, name: str) -> NDArray[Any]:
        """Raise ValueError: training data has no headers."""
        raise ValueError(f"query: {name}: {_NO_HEADERS}")

    def _games_as_columns(self) -> tuple[Any, int, NDArray[np.int64]]:
        """Return the one column that games of training data have, their number, and the game of each position."""
        rows, offsets = self._whole
        return _Results(rows.white_results[offsets[:-1]]), offsets.size - 1, self.game

    def _with_games(self) -> Any:
        raise ValueError(f"query: {_NO_HEADERS}")

    def _stated(self, name: str, back: int | NDArray[Any]) -> NDArray[np.float32]:
        """Return the evaluation from White's side; the other columns of games are missing."""
        found = np.full(len(self), np.nan, np.float32)
        if name != "evals":
            return found
        rows, offsets = self._whole
        # In training data a score belongs to its own position: `back` is 1 for that, 2 for the position before.
        at = self._rows - (np.asarray(back) - 1)
        known = np.flatnonzero(at >= offsets[self.game])
        steps = self.ply[known] - rows.plies[at[known]]  # more than `back` says where positions are left out
        known = known[steps == np.broadcast_to(np.asarray(back) - 1, len(self))[known]]
        at = at[known]
        found[known] = pawns_of(rows.scores[at], rows.positions.turn[at])
        return found


def beginnings(rows: Rows) -> NDArray[np.intp]:
    """Return the rows that begin a game: where the plies do not grow, or the result is another one."""
    results = rows.white_results
    begins = np.ones(len(rows), np.bool_)
    begins[1:] = (np.diff(rows.plies.astype(np.int64)) <= 0) | (results[1:] != results[:-1])
    return np.flatnonzero(begins)


def positions_of(rows: Rows) -> RowPositions:
    """Return rows as positions of games, for queries."""
    first = beginnings(rows) if len(rows) else np.zeros(0, np.int64)
    return RowPositions.of_rows(rows, np.append(first, len(rows)).astype(np.int64))
