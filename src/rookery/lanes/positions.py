"""Positions: an array of chess positions."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import UNIVERSE, ZERO
from rookery.lanes.columns import (
    BLACK_TO_MOVE,
    CHESS960,
    CLOCK_SHIFT,
    COUNTER,
    MARKED,
    NUMBER_SHIFT,
    Columns,
    empty_columns,
)
from rookery.lanes.games import Rollouts, Termination, played_out
from rookery.lanes.moves import Moves, checked_moves, draw_all, judged, listed, played, random_words
from rookery.lanes.run import over
from rookery.rules.board import Board
from rookery.rules.engine import default_technique
from rookery.rules.moves import Move


class Positions:
    """An array of chess positions, and every question about them answered for all at once.

    It is a struct of arrays: nine of ``uint64``, one word a position each, contiguous, a1 = 0. `len`, an index (a
    `Board`), slices (views), boolean masks and arrays of indices (copies) work as on an array.

    >>> positions = Positions.from_boards([Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")])
    >>> len(positions), positions[1].fen()
    (2, '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1')
    """

    __slots__ = ("columns",)

    def __init__(self, columns: Columns) -> None:
        """Positions over nine arrays of equal length, which are not copied; see `rookery.lanes.columns`."""
        self.columns = columns

    # Making.

    @classmethod
    def from_boards(cls, boards: Iterable[Board]) -> Self:
        """The positions of boards, without their histories."""
        rows = [_words(board) for board in boards]
        columns = empty_columns(len(rows))
        if rows:
            for column, words in zip(columns, zip(*rows, strict=True), strict=True):
                column[:] = words
        return cls(columns)

    @classmethod
    def concatenate(cls, parts: Iterable["Positions"]) -> Self:
        """One array of several, in order."""
        parts = list(parts)
        columns = empty_columns(sum(map(len, parts)))
        if parts:
            for column, pieces in zip(columns, zip(*(part.columns for part in parts), strict=True), strict=True):
                np.concatenate(pieces, out=column)
        return cls(columns)

    # As a sequence.

    def __len__(self) -> int:
        return int(self.columns.pawns.size)

    @overload
    def __getitem__(self, index: int) -> Board: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | Sequence[Any]) -> Self: ...
    def __getitem__(self, index: Any) -> Any:
        """A `Board` for an int; `Positions` for a slice (a view), a boolean mask or an array of indices (a copy)."""
        if isinstance(index, (int, np.integer)) and not isinstance(index, (bool, np.bool_)):
            if not -len(self) <= index < len(self):
                raise IndexError(f"index: {index} is outside the {len(self)} positions")
            return _board([int(column[index]) for column in self.columns])
        if isinstance(index, slice):
            return type(self)(Columns(*(np.ascontiguousarray(column[index]) for column in self.columns)))
        chosen = np.asarray(index)
        if chosen.size == 0 and chosen.dtype == np.float64:  # an empty list
            chosen = chosen.astype(np.intp)
        if chosen.ndim != 1 or chosen.dtype.kind not in "bui":
            raise TypeError(f"index: {index!r}: expected an int, a slice, a boolean mask or a list of ints")
        if chosen.dtype.kind == "b":
            if chosen.size != len(self):
                raise IndexError(f"mask: {chosen.size} values for {len(self)} positions")
            chosen = np.flatnonzero(chosen)
        columns = empty_columns(chosen.size)
        for column, source in zip(columns, self.columns, strict=True):
            column[:] = source[chosen]
        return type(self)(columns)

    def __iter__(self) -> Iterator[Board]:
        return (_board(words) for words in zip(*(column.tolist() for column in self.columns), strict=True))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Positions):
            return NotImplemented
        return all(map(np.array_equal, self.columns, other.columns))

    __hash__ = None  # type: ignore[assignment]  # its arrays may change

    def copy(self) -> Self:
        """The same positions in arrays of their own."""
        return self[np.arange(len(self))]

    def __repr__(self) -> str:
        return f"<{len(self)} positions>"

    def __getstate__(self) -> tuple[Any, ...]:
        return tuple(self.columns)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.columns = Columns(*state)

    # Moves.

    def legal_moves(self, *, threads: int = 1) -> Moves:
        """The legal moves of every position, in the order of `Board.generate_legal_moves`: `Moves`, that is,
        ``.offsets`` (int64, n + 1) and ``.moves`` (uint16, flat); an index gives those of one position.

        >>> moves = Positions.from_boards([Board(), Board("7k/8/8/8/8/8/8/K7 w - - 0 1")]).legal_moves()
        >>> moves.offsets.tolist(), [Move(int(word)) for word in moves[1]]
        ([0, 20, 23], [Move('a1b1'), Move('a1a2'), Move('a1b2')])
        """
        return listed(self.columns, UNIVERSE, UNIVERSE, threads)

    def captures(self, *, threads: int = 1) -> Moves:
        """Captures and promotions alone, in the generator's order (`Board.generate_captures` sorts its own)."""
        return listed(self.columns, UNIVERSE, ZERO, threads)

    def play(self, moves: Any, *, check: bool = True, threads: int = 1) -> Self:
        """The positions after one move each: `moves` is an array of n words, like those of `Move`.

        An illegal move is a ValueError that names its index, the move and the position. The null move, 0, passes the
        turn, and is illegal in check. Clocks, castling rights and the en-passant square go on as in `Board.push`.
        With ``check=False`` nothing is looked at, and an illegal move leaves a board that is no chess.

        >>> positions = Positions.from_boards([Board(), Board()])
        >>> positions = positions.play([Move.of(12, 28), Move.of(6, 21)])
        >>> positions[1].fen()
        'rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1'
        """
        words = checked_moves(moves, len(self))
        legal = judged(self.columns, words, threads) if check else None
        if legal is not None and not legal.all():
            i = int(np.argmin(legal))
            board = self[i]
            raise ValueError(f"moves[{i}]: {board.uci(Move(int(words[i])))} is not legal in {board.fen()!r}")
        return type(self)(played(self.columns, words, threads))

    def random_moves(self, rng: Any, *, threads: int = 1) -> NDArray[np.uint16]:
        """A legal move for each position, every one as likely as the others; 0 where there is none.

        `rng` is a `numpy.random.Generator` or an int as its seed: the same seed gives the same moves with any number
        of threads.

        >>> Move(int(Positions.from_boards([Board()]).random_moves(1)[0])) in Board().legal_moves
        True
        """
        words, out = random_words(rng, len(self)), np.empty(len(self), np.uint16)
        over(draw_all, threads, len(self), self.columns, words, out, default_technique().tables())
        return out

    def rollouts(self, rng: Any, *, max_plies: int | None = None, moves: bool = False, threads: int = 1) -> Rollouts:
        """A game of random moves from every position to its end: checkmate, stalemate, insufficient material, fifty
        moves (a clock of 100) or the third repetition since the game began, looked at in this order; or `max_plies`
        moves of both sides, if that is given.

        `Rollouts` holds, one a game, ``outcome`` (int8, 1 where white has won, -1 where black has, else 0),
        ``termination`` (uint8, see `rookery.lanes.games.Termination`), ``plies`` (int64), ``final`` (the last
        positions), and with ``moves=True`` ``moves`` (like those of `legal_moves`, a list a game, else None). `rng` is
        a `numpy.random.Generator` or an int as its seed: the same seed gives the same games with any number of threads.

        >>> games = Positions.from_boards([Board()] * 3).rollouts(7, moves=True)
        >>> bool((games.plies == np.diff(games.moves.offsets)).all()), len(games.final)
        (True, 3)
        """
        if max_plies is not None and (not isinstance(max_plies, int) or isinstance(max_plies, bool) or max_plies < 0):
            raise ValueError(f"max_plies: {max_plies!r}: expected an int of at least 0, or None")
        most = (1 << 62) if max_plies is None else min(max_plies, 1 << 62)
        seeds = random_words(rng, len(self))
        termination, plies, columns, kept = played_out(self.columns, seeds, most, moves, threads)
        final = type(self)(columns)
        mated = termination == Termination.CHECKMATE
        outcome = np.where(mated, np.where(final.turn, -1, 1), 0).astype(np.int8)
        return Rollouts(outcome, termination, plies, final, kept)

    # What each is.

    @property
    def turn(self) -> NDArray[np.bool_]:
        """The side to move: True for white."""
        return (self.columns.state & BLACK_TO_MOVE) == 0

    @property
    def chess960(self) -> NDArray[np.bool_]:
        """Whether each is of Chess960."""
        return (self.columns.state & CHESS960) != 0

    @property
    def marked(self) -> NDArray[np.bool_]:
        """Where there is no position, but a line that could not be read."""
        return (self.columns.state & MARKED) != 0

    @property
    def halfmove_clock(self) -> NDArray[np.uint64]:
        """Moves of either side since a capture or a pawn's move."""
        return (self.columns.state >> CLOCK_SHIFT) & COUNTER

    @property
    def fullmove_number(self) -> NDArray[np.uint64]:
        """The number of the next move, as a score sheet counts."""
        return (self.columns.state >> NUMBER_SHIFT) & COUNTER


def _words(board: Board) -> list[int]:
    """The nine words of a board."""
    row = board.words().tolist()
    state = row[9] | board.chess960 << 1
    state |= board.halfmove_clock << int(CLOCK_SHIFT) | board.fullmove_number << int(NUMBER_SHIFT)
    return [*row[:5], row[6] if row[9] else row[5], row[7], row[8], state]


def _board(words: Sequence[int]) -> Board:
    """The board of nine words."""
    *pieces, white, castling, en_passant, state = words
    occupied = pieces[0] | pieces[1] | pieces[2] | pieces[3] | pieces[4]
    black = occupied & ~white
    turn = state & 1
    us, them = (black, white) if turn else (white, black)
    return Board.from_words(
        [*pieces, us, them, castling, en_passant, turn],
        halfmove_clock=state >> int(CLOCK_SHIFT) & int(COUNTER),
        fullmove_number=state >> int(NUMBER_SHIFT) & int(COUNTER),
        chess960=bool(state & int(CHESS960)),
    )
