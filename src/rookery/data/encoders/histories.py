"""Positions with those before them: what nets see that look back at a game."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.board.board import Board
from rookery.games.games import Games
from rookery.games.positions.game_positions import GamePositions
from rookery.kernel import U64
from rookery.positions.layout import BLACK_TO_MOVE, CLOCK_SHIFT, COUNTER, Columns
from rookery.positions.positions import Positions

Flags = NDArray[np.bool_]
Words = NDArray[np.uint64]
_NOT_A, _NOT_H = U64(0xFEFE_FEFE_FEFE_FEFE), U64(0x7F7F_7F7F_7F7F_7F7F)


class Histories(NamedTuple):
    """The positions of games one after the other, and which of them are encoded.

    ``columns``  all N positions
    ``begin``    (N,): the index of the first position of each one's game
    ``rows``     (n,): the indices of those to encode
    """

    columns: Columns
    begin: NDArray[np.int64]
    rows: NDArray[np.int64]

    @property
    def black(self) -> Flags:
        """Return whether black is to move in each position."""
        flags: Flags = (self.columns.state & U64(BLACK_TO_MOVE)) != 0
        return flags

    @property
    def clocks(self) -> Words:
        """Return the half-moves since the last capture or pawn's move."""
        return (self.columns.state >> U64(CLOCK_SHIFT)) & U64(COUNTER)

    def can_capture_en_passant(self) -> Flags:
        """Return whether a pawn attacks the square that a pawn has just jumped over, be the capture legal or not."""
        c, black = self.columns, self.black
        below = ((c.en_passant & _NOT_A) >> U64(9)) | ((c.en_passant & _NOT_H) >> U64(7))
        above = ((c.en_passant & _NOT_H) << U64(9)) | ((c.en_passant & _NOT_A) << U64(7))
        movers = np.where(black, above & ~c.white, below & c.white)
        flags: Flags = (movers & c.pawns) != 0
        return flags

    def repeated(self) -> Flags:
        """Return whether each position has occurred before in its game.

        Positions are equal if pieces, side to move, rights to castle and possible en-passant captures are.
        """
        c = self.columns
        en_passant = np.where(self.can_capture_en_passant(), c.en_passant, U64(0))
        turn = c.state & U64(BLACK_TO_MOVE)
        rows = np.stack([self.begin.astype(np.uint64), *c[:7], en_passant, turn], axis=1)
        as_one = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1] * 8))).reshape(-1)
        first = np.unique(as_one, return_index=True, return_inverse=True)
        found: Flags = first[1][first[2]] < np.arange(c.size)
        return found

    def rights(self) -> tuple[Words, Words]:
        """Return the rooks that may castle to the a-side, and to the h-side, of both sides."""
        c, rights = self.columns, self.columns.castling
        kings_white, kings_black = c.kings & c.white, c.kings & ~c.white
        beyond = np.where(rights & c.white, _above(kings_white) & c.white, U64(0)) | (_above(kings_black) & ~c.white)
        return rights & ~beyond, rights & beyond


def _above(squares: Words) -> Words:
    """Return the squares above the lowest of each set."""
    return ~((squares & -squares) | ((squares & -squares) - U64(1)))


def histories_of(games: Any) -> Histories:
    """Return the positions that an encoder is given, with what came before them.

    `Games` are encoded before each move, boards with the moves that led to them, `Positions` alone. Positions of games
    raise TypeError, since they may have lost those before them, and so does anything else.
    """
    if isinstance(games, Games):
        positions = games.positions()
        first = np.append(True, np.diff(positions.game) != 0)[: len(positions)]
        index = np.arange(len(positions))
        return Histories(positions.columns, np.maximum.accumulate(np.where(first, index, 0)), index)
    if isinstance(games, GamePositions) or not isinstance(games, Positions | Iterable):
        raise TypeError(f"games: {shown(games)}: expected Games, boards, or Positions without games")
    if isinstance(games, Positions):
        index = np.arange(len(games))
        return Histories(games.columns, index, index)
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
    columns = Positions.from_boards(chain).columns
    return Histories(columns, np.array(begin, np.int64), np.array(rows, np.int64))
