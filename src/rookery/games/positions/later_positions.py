"""Positions of games that are replayed only when something asks for their boards.

Much can be said about a position without its boards: its game and ply, its material, and the move that was played.
A search that needs no more, or finds with it that few games are left, saves the replay of the others.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rookery.games.game_array import GameArray
from rookery.games.positions.game_positions import GamePositions
from rookery.games.positions.replay import Chosen, Mailbox, columns_of, mailbox_of, played, turns
from rookery.positions.layout import Columns, gathered
from rookery.positions.operands import plain

_FEW: Final = 1 / 16  # of all rows: finding the game of one takes 30 ns, and 2 ns if it is done for all


def columns_at(games: GameArray, game: NDArray[np.int64], ply: NDArray[np.int32], start: int, stop: int) -> Columns:
    """Return the boards after some half-moves of some games, which are among those from `start` to `stop`.

    They must be in ascending order of games and half-moves. Each game is replayed up to the last of its own.
    """
    game = game - start
    begins = np.flatnonzero(np.diff(game, prepend=-1))
    ends = np.append(begins[1:], game.size) - 1
    first, counts = np.zeros(stop - start, np.int64), np.zeros(stop - start, np.int64)
    if game.size:
        first[game[begins]] = ply[begins]
        counts[game[begins]] = ply[ends] - ply[begins] + 1
    found = columns_of(games.columns, start, stop, Chosen(first, 1, counts), 1)
    if int(counts.sum()) == game.size:
        return found
    return gathered(found, (np.cumsum(counts) - counts - first)[game] + ply)


class LaterPositions(GamePositions):
    """All positions of some games, from the first to the last of each, whose boards are made on first use.

    They are those of ``games[start:stop]``; `game` counts from the first of all `games`. Parts of them are ordinary
    positions, but for `taken`.
    """

    __slots__ = ("_firsts", "_lengths", "_offsets", "_played", "_range", "_source", "_starts", "_turns", "mailbox")
    _PARTS = GamePositions
    _firsts: NDArray[np.int64]  # the index of each game's first position
    _lengths: NDArray[np.int64]  # the number of each game's positions
    _offsets: NDArray[np.int64]
    _played: NDArray[np.uint16]
    _starts: NDArray[np.int32]  # the row of each game's start among all start positions
    _turns: NDArray[np.bool_]
    mailbox: Mailbox | None  # the material and the pieces of the moves; None if a game begins with too many pieces

    def __init__(self, games: GameArray, start: int, stop: int) -> None:
        """Describe the positions of the games from `start` to `stop`."""
        self._source = games
        self._range = start, stop
        self._games = 0, games

    @property
    def is_light(self) -> bool:
        """Check whether the mailbox is known, or less work than the boards."""
        return self._is_set("mailbox") or not self._is_set("columns")

    def _make__offsets(self) -> NDArray[np.int64]:
        start, stop = self._range
        return self._source.columns.plies.offsets[start : stop + 1]

    def _make__lengths(self) -> NDArray[np.int64]:
        return np.diff(self._offsets) + 1

    def _make__firsts(self) -> NDArray[np.int64]:
        return np.cumsum(self._lengths) - self._lengths

    def _make__starts(self) -> NDArray[np.int32]:
        return self._source.columns.starts.places[slice(*self._range)] + 1

    def _make_columns(self) -> Columns:
        which = Chosen(np.zeros(self._lengths.size, np.int64), 1, self._lengths)
        return columns_of(self._source.columns, *self._range, which, 1)

    def columns_at(self, index: NDArray[np.intp]) -> Columns:
        """Return the boards at some indices, in ascending order."""
        if self._is_set("columns"):
            return gathered(self.columns, index)
        return columns_at(self._source, *self.places_at(index), *self._range)

    def places_at(self, index: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the game and the ply at some indices, which are found one by one where these are few."""
        if index.size > _FEW * len(self):
            return self.game[index], self.ply[index]
        game = np.searchsorted(self._firsts, index, side="right") - 1
        return game + self._range[0], (index - self._firsts[game]).astype(np.int32)

    def _make_game(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(*self._range), self._lengths)

    def _make_ply(self) -> NDArray[np.int32]:
        firsts = np.repeat(self._firsts.astype(np.int32), self._lengths)
        return np.arange(firsts.size, dtype=np.int32) - firsts

    def __len__(self) -> int:
        return int(self._offsets[-1] - self._offsets[0]) + self._range[1] - self._range[0]

    @property
    def turn(self) -> NDArray[np.bool_]:
        """Return the side to move: True for white."""
        return self._turns

    def _make__turns(self) -> NDArray[np.bool_]:
        white = np.empty(len(self), np.bool_)
        turns(self._offsets, self._starts, self._source.columns.starts.all_positions, white)
        return white

    @property
    def fullmove_number(self) -> NDArray[np.uint64]:
        """Return the number of the next move, as on a score sheet."""
        if self._starts.any():
            return super().fullmove_number
        return (self.ply // 2 + 1).astype(np.uint64)

    def _make_mailbox(self) -> Mailbox | None:
        columns = self._source.columns
        moves, starts = plain(columns.plies.columns["moves"]), columns.starts.all_positions
        return mailbox_of(self._offsets, moves, starts, self._starts)

    def _make__played(self) -> NDArray[np.uint16]:
        words = np.empty(len(self), np.uint16)
        played(self._offsets, plain(self._source.columns.plies.columns["moves"]), words)
        return words

    def played_moves(self) -> NDArray[np.uint16]:
        """Return the move that was played in each position, 0 after the last move of a game."""
        return self._played

    def plies_of_game(self) -> NDArray[np.int64]:
        """Return the number of half-moves of each position's game."""
        return np.repeat(self._lengths - 1, self._lengths)

    def taken(self, index: NDArray[np.intp]) -> "LaterRows":  # type: ignore[override]
        """Return the positions at some indices, in ascending order."""
        return LaterRows(self, index)


class LaterRows(GamePositions):
    """Some of the positions of `LaterPositions`, whose boards are made on first use: only their games are replayed."""

    __slots__ = ("_index", "_whole", "mailbox")
    _PARTS = GamePositions
    mailbox: Mailbox | None  # as in `LaterPositions`

    def __init__(self, whole: LaterPositions, index: NDArray[np.intp]) -> None:
        """Describe the positions of `whole` at some indices, in ascending order."""
        self._whole, self._index, self._games = whole, index, whole._games

    @property
    def is_light(self) -> bool:
        """Check whether the mailbox is known, or less work than the boards."""
        return self._whole.is_light and not self._is_set("columns")

    def _make_columns(self) -> Columns:
        return self._whole.columns_at(self._index)

    def _make_game(self) -> NDArray[np.int64]:
        return self._whole.places_at(self._index)[0]

    def _make_ply(self) -> NDArray[np.int32]:
        return self._whole.places_at(self._index)[1]

    def _make_mailbox(self) -> Mailbox | None:
        known = self._whole.mailbox
        if known is None:
            return None
        return Mailbox(known.material[self._index], known.moving[self._index], known.captured[self._index])

    def __len__(self) -> int:
        return self._index.size

    @property
    def turn(self) -> NDArray[np.bool_]:
        """Return the side to move: True for white."""
        return self._whole.turn[self._index]

    @property
    def fullmove_number(self) -> NDArray[np.uint64]:
        """Return the number of the next move, as on a score sheet."""
        return self._whole.fullmove_number[self._index]

    def played_moves(self) -> NDArray[np.uint16]:
        """Return the move that was played in each position, 0 after the last move of a game."""
        return self._whole.played_moves()[self._index]

    def taken(self, index: NDArray[np.intp]) -> "LaterRows":
        """Return the positions at some indices, in ascending order."""
        return LaterRows(self._whole, self._index[index])
