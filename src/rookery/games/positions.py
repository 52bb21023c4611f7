"""Positions of games, with their game and ply."""

from collections.abc import Sequence
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from rookery.board.board import Board
from rookery.positions.layout import Columns
from rookery.positions.moves import Moves
from rookery.positions.operands import rows_of
from rookery.positions.positions import Positions


class GamePositions(Positions):
    r"""`Positions` of games, with two more columns.

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

    __slots__ = ("game", "ply")
    game: NDArray[np.int64]
    ply: NDArray[np.int32]

    @classmethod
    def of(cls, columns: Columns, game: NDArray[np.int64], ply: NDArray[np.int32]) -> Self:
        """Return positions made of their nine columns, the games and the plies."""
        positions = cls(columns)
        positions.game, positions.ply = game, ply
        return positions

    @overload
    def __getitem__(self, index: int) -> Board: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | Sequence[Any]) -> Self: ...
    def __getitem__(self, index: Any) -> Any:
        part = super().__getitem__(index)
        if isinstance(part, GamePositions) and hasattr(self, "game"):
            chosen = index if isinstance(index, slice) else rows_of("index", index, len(self), "positions")
            part.game, part.ply = self.game[chosen], self.ply[chosen]
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

    def __getstate__(self) -> tuple[Any, ...]:
        return (*super().__getstate__(), getattr(self, "game", None), getattr(self, "ply", None))

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        *columns, game, ply = state
        super().__setstate__(tuple(columns))
        if game is not None:
            self.game, self.ply = game, ply
