"""Positions that know which game they are of."""

from collections.abc import Sequence
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from rookery.positions.layout import Columns
from rookery.positions.moves import Moves
from rookery.positions.operands import rows_of
from rookery.positions.positions import Positions
from rookery.rules.board import Board


class GamePositions(Positions):
    r"""`Positions` of games, with two columns more: `game`, the index of each one's game (int64), and `ply`, how many
    half-moves led there (int32). Slices and masks keep them; what makes other positions of these does not.

    >>> games = read_pgn(b"1. e4 e5 *\n\n1. d4 *")
    >>> positions = games.positions()
    >>> positions.game, positions.ply, positions.legal_move_counts()
    (array([0, 0, 1]), array([0, 1, 0], dtype=int32), array([20, 20, 20], dtype=uint16))
    """

    __slots__ = ("game", "ply")
    game: NDArray[np.int64]
    ply: NDArray[np.int32]

    @classmethod
    def of(cls, columns: Columns, game: NDArray[np.int64], ply: NDArray[np.int32]) -> Self:
        """Those of nine columns and two more."""
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
        """The move that was played in each position, where `moves` are those of all games."""
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
