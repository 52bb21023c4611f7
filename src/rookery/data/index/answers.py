"""The answer to a look-up: how games go on from a position, and the first games that reach it."""

import functools
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.data.index.aggregates import Aggregates
from rookery.data.index.rows import END
from rookery.frames.columns import Numbers
from rookery.frames.frame import Frame
from rookery.frames.reading import columns_in, number_array
from rookery.games.openings.game_statistics import Statistics
from rookery.games.openings.growth import EXAMPLE
from rookery.games.openings.position import CountedMove, CountedPosition, Example

_EXAMPLES = 3


class Index(Protocol):
    """An index that answers look-ups: a `GameIndex`, which imports this module."""

    def at(self, board: Board | str) -> "IndexedPosition":
        """Return a position."""
        ...

    def examples(self, games: Any) -> list[Example]:
        """Return the file of each game and its number there."""
        ...


@dataclass(slots=True, eq=False, repr=False)
class IndexHits(Frame):
    """Places where games reach a position: a table with a row for each, in the order of the games.

    game    int64: the number of the game in the index, from 0; see `GameIndex.read_games`
    ply     int32: the number of half-moves before the position
    moves   uint16: the move that was played, as `Move` encodes it; 0 at the end of a game, and for a null move
    ended   bool: whether the position is the last of its game

    >>> import tempfile, rookery
    >>> index = rookery.index_games("docs/lichess-2025-05.pgn.zst", tempfile.mkdtemp())
    >>> index.at(Board()).hits[:2].ply.tolist()
    [0, 0]
    """

    _COLUMNS = ("game", "ply", "moves", "ended")
    _ROWS = ("hit", "hits")

    game: NDArray[np.int64]
    ply: NDArray[np.int32]
    moves: NDArray[np.uint16]
    ended: NDArray[np.bool_]

    @classmethod
    def of_rows(cls, rows: NDArray[Any]) -> "IndexHits":
        """Return the hits of rows of an index."""
        ended = rows["move"] == END
        moves = np.where(ended, np.uint16(0), rows["move"])
        return cls(rows["game"].astype(np.int64), rows["ply"].astype(np.int32), moves, ended)

    @classmethod
    def from_arrow(cls, table: Any) -> "IndexHits":
        """Return the hits in an Arrow table, or in any object with Arrow's C interface, that `to_arrow` made.

        >>> import tempfile, rookery
        >>> index = rookery.index_games("docs/lichess-2025-05.pgn.zst", tempfile.mkdtemp())
        >>> hits = index.at(Board()).hits
        >>> type(hits).from_arrow(hits.to_arrow()) == hits
        True
        """
        columns = columns_in(table, ["game", "ply", "move"])
        ended = np.array(columns["move"].is_null())
        moves = number_array("move", columns["move"].fill_null(0), np.uint16)
        game, ply = number_array("game", columns["game"], np.int64), number_array("ply", columns["ply"], np.int32)
        return cls(game, ply, moves, ended)

    def __len__(self) -> int:
        return self.game.size

    def _row(self, i: int) -> dict[str, Any]:
        move = None if self.ended[i] else int(self.moves[i])
        return {"game": int(self.game[i]), "ply": int(self.ply[i]), "move": move}

    def _arrow_columns(self) -> dict[str, Any]:
        return {"game": self.game, "ply": self.ply, "move": Numbers(self.moves, ~self.ended)}


class IndexedPosition(CountedPosition["IndexedMove"]):
    r"""A position of a `GameIndex`: its statistics, the moves that games play there, and the first hits.

    Statistics and moves are the same as those of an `OpeningTree` of all games.

    >>> import tempfile, rookery
    >>> position = rookery.index_games("docs/lichess-2025-05.pgn.zst", tempfile.mkdtemp()).at(Board())
    >>> position.games, position.hit_count
    (12, 12)
    >>> position["e4"].games
    8
    >>> position.play("e4 e5").hits.game.tolist()
    [0, 1, 3, 5, 9]
    """

    def __init__(self, index: Index, board: Board, counted: Aggregates, hits: IndexHits) -> None:
        self._index, self._board, self._counted = index, board, counted
        self.hits = hits

    @property
    def board(self) -> Board:
        """Return the position that was looked up."""
        return self._board.copy()

    @property
    def hit_count(self) -> int:
        """Return how often games reach the position; one that repeats it does so several times."""
        return int(self._counted.hits[0])

    @property
    def moves(self) -> "list[IndexedMove]":
        """Return the moves that were played in the position, the most frequent first."""
        games = self._all_statistics.games[1:]
        return [IndexedMove(self, int(row) + 1) for row in np.argsort(-games, kind="stable")]

    @property
    def examples(self) -> list[Example]:
        """Return up to three games that reach the position: the first to play each of its moves, or to get there."""
        games = sorted(set((self._counted.tallies[:, EXAMPLE] - np.uint32(1)).tolist()))
        return self._index.examples(games[:_EXAMPLES])

    @functools.cached_property
    def _all_statistics(self) -> Statistics:
        return self._counted.statistics(self._board.turn)

    def _statistics(self) -> Statistics:
        return self._statistics_of(0)

    def _statistics_of(self, row: int) -> Statistics:
        return Statistics._make(column[row : row + 1] for column in self._all_statistics)

    def __eq__(self, other: object) -> bool:
        """Check whether both are the same position of the same index."""
        if not isinstance(other, IndexedPosition):
            return NotImplemented
        return self._index is other._index and self._board.key == other._board.key

    def __hash__(self) -> int:
        return hash((id(self._index), self._board.key))


class IndexedMove(CountedMove):
    r"""A move of a `GameIndex`, played in one position. Its statistics are those of the games that play it there.

    >>> import tempfile, rookery
    >>> move = rookery.index_games("docs/lichess-2025-05.pgn.zst", tempfile.mkdtemp()).at(Board())["e4"]
    >>> move.games
    8
    >>> move.position.games
    8
    """

    def __init__(self, before: IndexedPosition, row: int) -> None:
        self._before, self._row = before, row

    @property
    def move(self) -> Move:
        """Return the move."""
        word = int(self._before._counted.moves[self._row])
        return Move.from_word(word, chess960=self._before._board.chess960)

    @property
    def hit_count(self) -> int:
        """Return how often games play the move."""
        return int(self._before._counted.hits[self._row])

    @property
    def example(self) -> Example:
        """Return the first game that plays the move."""
        (found,) = self._before._index.examples([int(self._before._counted.tallies[self._row, EXAMPLE]) - 1])
        return found

    @property
    def before(self) -> IndexedPosition:
        """Return the position in which it is played."""
        return self._before

    @property
    def position(self) -> IndexedPosition:
        """Return the position to which it leads, looked up in the index."""
        board = self._before.board
        board.push(self.move)
        return self._before._index.at(board)

    def _statistics(self) -> Statistics:
        return self._before._statistics_of(self._row)
