"""Positions with those before them: what nets see that look back at a game."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.bitboards.bits import above_ls1b
from rookery.bitboards.sets import black_pawn_any_attacks, white_pawn_any_attacks
from rookery.board.board import Board
from rookery.games.games import Games
from rookery.games.positions.game_positions import GamePositions
from rookery.kernel import U64
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions

Flags = NDArray[np.bool_]
Words = NDArray[np.uint64]


class Histories:
    """The positions of games one after the other, and which of them are encoded.

    ``positions``  all N positions
    ``begin``      (N,): the index of the first position of each one's game
    ``rows``       (n,): the indices of those to encode
    """

    def __init__(self, positions: Positions, begin: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        self.positions, self.begin, self.rows = positions, begin, rows

    def chosen(self, rows: NDArray[np.int64]) -> "Histories":
        """Return the same positions, of which others are encoded. What is computed of all is shared."""
        other = Histories(self.positions, self.begin, rows)
        names = ("can_capture_en_passant", "pieces", "repeated")
        vars(other).update({name: getattr(self, name) for name in names})
        return other

    @property
    def columns(self) -> Columns:
        """Return the columns of all positions."""
        return self.positions.columns

    @cached_property
    def can_capture_en_passant(self) -> Flags:
        """Return whether a pawn attacks the square that a pawn has just jumped over, be the capture legal or not."""
        c, square = self.columns, self.columns.en_passant
        by_white, by_black = black_pawn_any_attacks(square) & c.white, white_pawn_any_attacks(square) & ~c.white
        flags: Flags = (np.where(self.positions.turn, by_white, by_black) & c.pawns) != 0
        return flags

    @cached_property
    def pieces(self) -> Words:
        """Return the pieces of each side: (2, N, 12).

        The first row has white's pawns, knights, bishops, rooks, queens and king, and then black's; the second has
        black's first. Ranks are not flipped.
        """
        c = self.columns
        queens = c.diagonals & c.orthogonals
        kinds = (c.pawns, c.knights, c.diagonals ^ queens, c.orthogonals ^ queens, queens, c.kings)
        white, black = ([kind & side for kind in kinds] for side in (c.white, ~c.white))
        return np.stack([np.stack(white + black, axis=1), np.stack(black + white, axis=1)])

    @cached_property
    def repeated(self) -> Flags:
        """Return whether each position has occurred before in its game.

        Positions are equal if their keys and their possible en-passant captures are.
        """
        squares = np.where(self.can_capture_en_passant, self.columns.en_passant, U64(0))
        by = (squares, self.positions.keys(), self.begin)
        order = np.lexsort(by)
        earlier, later = order[:-1], order[1:]
        found = np.zeros(len(self.positions), np.bool_)
        found[later] = np.logical_and.reduce([values[earlier] == values[later] for values in by])
        return found

    def rights(self) -> tuple[Words, Words]:
        """Return the rooks that may castle to the a-side, and to the h-side, of both sides."""
        c = self.columns
        white, black = (above_ls1b(c.kings & side) & side for side in (c.white, ~c.white))
        return c.castling & ~(white | black), c.castling & (white | black)


def histories_of(games: Any) -> Histories:
    """Return the positions that an encoder is given, with what came before them.

    `Games` are encoded before each move, boards with the moves that led to them, `Positions` alone. Positions of games
    raise TypeError, since they may have lost those before them, and so does anything else.
    """
    if isinstance(games, Games):
        positions = games.positions()
        first = np.append(True, np.diff(positions.game) != 0)[: len(positions)]
        index = np.arange(len(positions))
        return Histories(positions, np.maximum.accumulate(np.where(first, index, 0)), index)
    if isinstance(games, GamePositions) or not isinstance(games, Positions | Iterable):
        raise TypeError(f"games: {shown(games)}: expected Games, boards, or Positions without games")
    if isinstance(games, Positions):
        index = np.arange(len(games))
        return Histories(games, index, index)
    return _of_boards(games)


def _of_boards(boards: Iterable[Any]) -> Histories:
    chain: list[Board] = []
    begin: list[int] = []
    rows: list[int] = []
    for i, board in enumerate(boards):
        if not isinstance(board, Board):
            raise TypeError(f"games[{i}]: {shown(board)}: expected a Board")
        earlier = board.copy()
        line = [board]
        while earlier.move_stack:
            earlier.pop()
            line.append(earlier.copy(stack=False))
        begin += [len(chain)] * len(line)
        chain += line[::-1]
        rows.append(len(chain) - 1)
    return Histories(Positions.from_boards(chain), np.array(begin, np.int64), np.array(rows, np.int64))
