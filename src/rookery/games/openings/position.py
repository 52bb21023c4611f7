"""Positions of an opening tree, and the moves that were played in them."""

import datetime
import functools
from collections.abc import Iterator
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from rookery.arguments import shown
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.board.playing import legal_word, move_of
from rookery.games.openings.game_statistics import Statistics
from rookery.games.openings.storage import Storage

MoveOfPosition = TypeVar("MoveOfPosition", bound="CountedMove")


class _Tree(Protocol):
    """The parts of an `OpeningTree` that its positions and moves use."""

    @property
    def _storage(self) -> Storage: ...

    def _moves_of(self, row: int) -> "list[OpeningMove]": ...
    def _name_of(self, row: int) -> tuple[str | None, str | None]: ...
    def _examples_of(self, row: int) -> "list[Example]": ...
    def _position_statistics(self, rows: Any) -> Statistics: ...
    def _move_at(self, row: int) -> Move: ...
    def _first_game(self, move: int) -> "Example": ...
    def _end_of(self, row: int, before: bool) -> "OpeningPosition": ...
    def _move_statistics(self, rows: Any) -> Statistics: ...


class Example(NamedTuple):
    """A game of a tree: its file, an empty text if it has none, and its number there."""

    file: str
    number: int


class Counted:
    """The statistics of the games of a position or a move: a base of classes that know them."""

    def _statistics(self) -> Statistics:
        raise NotImplementedError

    @functools.cached_property
    def _values(self) -> dict[str, Any]:
        (row,) = self._statistics().rows()
        return dict(zip(Statistics._fields, row, strict=True))

    @property
    def games(self) -> int:
        """Return the number of games. A game that repeats a position or a move counts once."""
        return int(self._values["games"])

    @property
    def white_wins(self) -> int:
        """Return the number of games that white won."""
        return int(self._values["white_wins"])

    @property
    def draws(self) -> int:
        """Return the number of drawn games."""
        return int(self._values["draws"])

    @property
    def black_wins(self) -> int:
        """Return the number of games that black won."""
        return int(self._values["black_wins"])

    @property
    def score(self) -> float | None:
        """Return the points per game of the player to move, from 0 to 1; None if no game has a result."""
        return self._number("score")

    @property
    def average_rating(self) -> float | None:
        """Return the average rating of the player to move, over the games with a result and both ratings, or None."""
        return self._number("average_rating")

    @property
    def performance(self) -> float | None:
        """Return the performance rating of the player to move, over the games with a result and both ratings, or None.

        It is the average rating of the opponents, plus 400 log10(s / (1 - s)) for a score of s points per game. The
        second term is at most 800.
        """
        return self._number("performance")

    @property
    def first_played(self) -> datetime.date | None:
        """Return the day of the first game whose date is known, or None."""
        day: datetime.date | None = self._values["first_played"]
        return day

    @property
    def last_played(self) -> datetime.date | None:
        """Return the day of the last game whose date is known, or None."""
        day: datetime.date | None = self._values["last_played"]
        return day

    def _number(self, name: str) -> float | None:
        number: float | None = self._values[name]
        return number


class CountedMove(Counted):
    """A move that was played in a position, with its statistics."""

    @property
    def move(self) -> Move:
        """Return the move."""
        raise NotImplementedError

    @property
    def before(self) -> Any:
        """Return the position in which it is played."""
        raise NotImplementedError

    @property
    def position(self) -> Any:
        """Return the position to which it leads."""
        raise NotImplementedError

    @property
    def san(self) -> str:
        """Return the move in standard algebraic notation."""
        text: str = self.before.board.san(self.move)
        return text

    def __repr__(self) -> str:
        return f"<{self.games} games play {self.san}>"


class CountedPosition(Counted, Generic[MoveOfPosition]):
    """A position with its statistics, and those of the moves that were played in it."""

    @property
    def board(self) -> Board:
        """Return the position as a `Board`, with counters of a new game."""
        raise NotImplementedError

    @property
    def moves(self) -> list[MoveOfPosition]:
        """Return the moves that were played in the position, the most frequent first."""
        raise NotImplementedError

    def play(self, moves: str | Move) -> Self:
        """Return the position after moves: a text in SAN or UCI, with or without numbers, or a `Move`.

        A move that the tree does not have is a KeyError, a text that is not a legal move a ValueError.

        >>> start = read_pgn(b"1. e4 e5 2. Nf3 1-0").opening_tree().root
        >>> start.play("1. e4 e5").moves
        [<1 games play Nf3>]
        """
        position: Self = self
        if isinstance(moves, Move):
            return self[moves].position  # type: ignore[no-any-return]
        if not isinstance(moves, str):
            raise TypeError(f"moves: {shown(moves)}: expected moves like 'e4 e5', or a Move")
        for text in moves.split():
            text = text.rpartition(".")[2]
            if text:
                position = position[text].position
        return position

    def __getitem__(self, move: str | Move) -> MoveOfPosition:
        """Return a move by its SAN, UCI or `Move`; a KeyError if no game plays it."""
        if not isinstance(move, (str, Move)):
            raise TypeError(f"move: {shown(move)}: expected a move like 'e4' or 'e2e4', or a Move")
        board = self.board
        found = board.parse_san(move) if isinstance(move, str) else move
        if word := legal_word(board, found):
            found = move_of(board, word)  # in the form in which the tree has it
        for known in self.moves:
            if known.move == found:
                return known
        raise KeyError(f"move {shown(str(move))}: no game plays it in {board.fen()!r}")

    def __iter__(self) -> Iterator[MoveOfPosition]:
        return iter(self.moves)

    def __repr__(self) -> str:
        return f"<{self.games} games reach {self.board.fen()!r}>"


class OpeningPosition(CountedPosition["OpeningMove"]):
    r"""A position of an `OpeningTree`. Its statistics are those of all games that reach it, by any order of moves.

    An index or `play` follows moves.

    >>> games = read_pgn(b"1. e4 e5 2. Nf3 1-0\n\n1. Nf3 e5 2. e4 0-1\n\n1. e4 c5 1/2-1/2")
    >>> start = games.opening_tree().root
    >>> start.games
    3
    >>> start.score
    0.5
    >>> [move.san for move in start.moves]
    ['e4', 'Nf3']
    >>> start.play("e4 e5 Nf3").games
    2
    """

    def __init__(self, tree: _Tree, row: int) -> None:
        self._tree = tree
        self._row = row

    @property
    def board(self) -> Board:
        """Return the position as a `Board`, with counters of a new game."""
        return self._tree._storage.boards([self._row])[0]

    @property
    def moves(self) -> "list[OpeningMove]":
        """Return the moves that were played in the position, the most frequent first."""
        return self._tree._moves_of(self._row)

    @property
    def eco(self) -> str | None:
        """Return the ECO code that most of its games give, or None; `opening` is from the same games."""
        return self._tree._name_of(self._row)[0]

    @property
    def opening(self) -> str | None:
        """Return the opening that most of its games give (ECO code and name together), or None.

        Of several, it is the first in alphabetical order of the codes and names.
        """
        return self._tree._name_of(self._row)[1]

    @property
    def examples(self) -> list[Example]:
        """Return up to three games that reach the position: the first to play each of its moves, or to get there."""
        return self._tree._examples_of(self._row)

    def __eq__(self, other: object) -> bool:
        """Check whether both are the same position of the same tree."""
        if not isinstance(other, OpeningPosition):
            return NotImplemented
        return self._tree is other._tree and self._row == other._row

    def __hash__(self) -> int:
        return hash((id(self._tree), self._row))

    def _statistics(self) -> Statistics:
        return self._tree._position_statistics(np.array([self._row]))


class OpeningMove(CountedMove):
    r"""A move of an `OpeningTree`, played in one position. Its statistics are those of the games that play it there.

    >>> games = read_pgn(b"1. e4 e5 1-0\n\n1. e4 c5 0-1")
    >>> move = games.opening_tree().root["e4"]
    >>> move.games
    2
    >>> move.score
    0.5
    >>> [reply.san for reply in move.position.moves]
    ['e5', 'c5']
    """

    def __init__(self, tree: _Tree, row: int) -> None:
        self._tree = tree
        self._row = row

    @property
    def move(self) -> Move:
        """Return the move."""
        return self._tree._move_at(self._row)

    @property
    def example(self) -> Example:
        """Return the first game that plays the move."""
        return self._tree._first_game(self._row)

    @property
    def before(self) -> OpeningPosition:
        """Return the position in which it is played."""
        return self._tree._end_of(self._row, before=True)

    @property
    def position(self) -> OpeningPosition:
        """Return the position to which it leads."""
        return self._tree._end_of(self._row, before=False)

    def _statistics(self) -> Statistics:
        return self._tree._move_statistics(np.array([self._row]))
