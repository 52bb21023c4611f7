"""Positions of games, with their game and ply."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Self, overload

import numpy as np
from numpy.typing import NDArray

from rookery.board.board import Board
from rookery.positions.layout import Columns
from rookery.positions.moves import Moves
from rookery.positions.operands import rows_of, side_name
from rookery.positions.positions import Positions
from rookery.typing import Side

if TYPE_CHECKING:
    from rookery.games.array import GameArray

_WHITE_POINTS: Final = np.array([np.nan, 1, 0, 0.5])  # by score: not over, white won, black won, drawn


class GamePositions(Positions):
    r"""`Positions` of games, with two more columns, and what the games say about each position.

    game    int64, the index of the game
    ply     int32, the number of half-moves before the position

    Slices and masks keep these columns. Methods that make other positions drop them.

    >>> games = read_pgn(b"1. e4 e5 *\n\n1. d4 *")
    >>> positions = games.positions()
    >>> positions.game
    array([0, 0, 1])
    >>> positions.ply
    array([0, 1, 0], dtype=int32)
    >>> positions.legal_move_counts()
    array([20, 20, 20], dtype=uint16)
    """

    __slots__ = ("game", "games", "ply")
    game: NDArray[np.int64]
    ply: NDArray[np.int32]
    games: "GameArray"

    @classmethod
    def of(cls, columns: Columns, game: NDArray[np.int64], ply: NDArray[np.int32], games: "GameArray") -> Self:
        """Return positions made of their nine columns, the indices of their games, their plies and all the games."""
        positions = cls(columns)
        positions.game, positions.ply, positions.games = game, ply, games
        return positions

    @overload
    def __getitem__(self, index: int) -> Board: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | Sequence[Any]) -> Self: ...
    def __getitem__(self, index: Any) -> Any:
        part = super().__getitem__(index)
        if isinstance(part, GamePositions) and hasattr(self, "game"):
            chosen = index if isinstance(index, slice) else rows_of("index", index, len(self), "positions")
            part.game, part.ply, part.games = self.game[chosen], self.ply[chosen], self.games
        return part

    def _one_each(self, moves: Moves) -> NDArray[np.uint16]:
        """Return the move that was played in each position; `moves` are those of all games."""
        if not hasattr(self, "game"):
            return super()._one_each(moves)
        if self.game.size and self.game.max() >= len(moves):
            raise ValueError(
                f"moves: of {len(moves)} games: expected those of all games, {self.game.max() + 1} at least"
            )
        over = np.flatnonzero(self.ply >= np.diff(moves.offsets)[self.game])
        if over.size:
            i = int(over[0])
            raise ValueError(f"moves: position {i} comes after the last move of game {self.game[i]}: expected a move")
        played: NDArray[np.uint16] = moves.moves[moves.offsets[self.game] + self.ply]
        return played

    # What the games say.

    @property
    def _known_games(self) -> "GameArray":
        if not hasattr(self, "games"):
            raise ValueError("these positions do not know their games: expected those that Games.positions returned")
        return self.games

    def header(self, name: str) -> NDArray[Any]:
        r"""Return a header of each position's game, as `Games.column` does; (n,).

        >>> read_pgn(b'[White "Anna"]\n\n1. e4 e5 *').positions().header("White").tolist()
        ['Anna', 'Anna']
        """
        return self._known_games.column(name)[self.game]

    def result(self, side: Side = "white") -> NDArray[np.float32]:
        r"""Return how the game of each position ended for a side: 1, 0.5 or 0; NaN if it has no result; float32, (n,).

        >>> positions = read_pgn(b"1. e4 e5 1-0\n\n1. d4 *").positions()
        >>> positions.result().tolist()
        [1.0, 1.0, nan]
        >>> positions.result("us").tolist()
        [1.0, 0.0, nan]
        """
        points = _WHITE_POINTS[self._known_games.scores[self.game]]
        return np.where(self._is_white(side), points, 1 - points).astype(np.float32)

    def clock(self, side: Side = "us") -> NDArray[np.float32]:
        r"""Return the seconds on a side's clock in each position: float32, (n,).

        That is the time after the side's last move, or NaN where the game does not state it.

        >>> positions = read_pgn(b"1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:58]} *").positions("all")
        >>> positions.clock("white").tolist()
        [nan, 180.0, 180.0]
        >>> positions.clock("us").tolist()
        [nan, nan, 180.0]
        """
        moved_last = self._is_white(side) != self.turn
        return self._stated("clocks", np.where(moved_last, 1, 2))

    def eval(self, side: Side = "white") -> NDArray[np.float32]:
        r"""Return the evaluation of each position in pawns, from a side's view: float32, (n,).

        It is stated behind the move that led to the position, or NaN. A mate in n is 1000 - n, or n - 1000.

        >>> positions = read_pgn(b"1. e4 {[%eval 0.3]} e5 {[%eval 0.5]} *").positions("all")
        >>> positions.eval().round(1).tolist()
        [nan, 0.30000001192092896, 0.5]
        >>> positions.eval("us").round(1).tolist()
        [nan, -0.30000001192092896, 0.5]
        """
        return self._evaluation(side, 1)

    def eval_before(self, side: Side = "white") -> NDArray[np.float32]:
        r"""Return the evaluation of the position one half-move earlier, as `eval` does: float32, (n,).

        >>> positions = read_pgn(b"1. e4 {[%eval 0.25]} e5 {[%eval 0.5]} *").positions("last")
        >>> (positions.eval() - positions.eval_before()).tolist()
        [0.25]
        """
        return self._evaluation(side, 2)

    def elo(self, side: Side = "us") -> "np.ma.MaskedArray[tuple[Any, ...], np.dtype[np.int16]]":
        r"""Return the rating of a side's player, from the headers WhiteElo and BlackElo: masked int16, (n,).

        >>> positions = read_pgn(b'[WhiteElo "2100"]\n[BlackElo "?"]\n\n1. e4 e5 *').positions()
        >>> positions.elo().tolist()
        [2100, None]
        """
        games = self._known_games
        white, black = games.column("WhiteElo")[self.game], games.column("BlackElo")[self.game]
        rating = np.where(self._is_white(side), white.data, black.data)
        missing = np.where(self._is_white(side), np.ma.getmaskarray(white), np.ma.getmaskarray(black))
        return np.ma.MaskedArray(rating, missing)

    def _is_white(self, side: Any) -> NDArray[np.bool_]:
        """Return True where a side is white."""
        match side_name(side):
            case "white":
                return np.ones(len(self), np.bool_)
            case "black":
                return np.zeros(len(self), np.bool_)
            case "us":
                return self.turn
        return ~self.turn

    def _evaluation(self, side: Any, back: int) -> NDArray[np.float32]:
        pawns = self._stated("evals", back)
        return np.where(self._is_white(side), pawns, -pawns)

    def _stated(self, name: str, back: int | NDArray[Any]) -> NDArray[np.float32]:
        """Return the value of the ply that many half-moves back, or NaN."""
        plies = self._known_games.columns.plies
        if name not in plies.columns:
            return np.full(len(self), np.nan, np.float32)
        ply = self.ply - back
        values: NDArray[np.float32] = np.append(plies.columns[name], np.float32(np.nan))
        return values[np.where(ply >= 0, plies.offsets[self.game] + ply, -1)]

    def __getstate__(self) -> tuple[Any, ...]:
        return (*super().__getstate__(), *(getattr(self, name, None) for name in ("game", "ply", "games")))

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        *columns, game, ply, games = state
        super().__setstate__(tuple(columns))
        if game is not None:
            self.game, self.ply, self.games = game, ply, games
