"""Visitors of game trees: what a game shows them, and those that write it as text."""

from collections.abc import Callable
from enum import Enum
from typing import IO, Final, Generic, Literal, TypeVar

from rookery.arguments import flag, is_number, shown
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.pgn.headers import form_fault
from rookery.pgn.write import words
from rookery.pgn.write.variations import checked, one_line
from rookery.pgn.write.words import WIDTH, Words

_Result = TypeVar("_Result")


class Skip(Enum):
    """The value that a visitor returns to skip the next part."""

    SKIP = None


SKIP: Final = Skip.SKIP
Skipped = Literal[Skip.SKIP] | None


def check_visitor(visitor: object) -> None:
    """Raise a TypeError unless an object has the methods of a visitor."""
    missing = [name for name in ("begin_game", "visit_move", "end_game", "result") if not hasattr(visitor, name)]
    if missing or isinstance(visitor, type):
        raise TypeError(f"visitor: {shown(visitor)}: expected a visitor, an object of a class such as BaseVisitor")


class BaseVisitor(Generic[_Result]):
    """A visitor that does nothing: override what you want to see, and `result`.

    A game calls the methods in the order of its text. What returns `SKIP` is not shown what it has begun: a game, its
    headers, the moves behind them, or a variation.

    >>> from rookery.pgn import BaseVisitor, read_game
    >>> class Counter(BaseVisitor):
    ...     count = 0
    ...     def visit_move(self, board, move):
    ...         self.count += 1
    ...     def result(self):
    ...         return self.count
    >>> read_game("1. e4 e5 (1... c5 2. Nf3) *").accept(Counter())
    4
    """

    def begin_game(self) -> Skipped:
        """Begin a game."""
        return None

    def begin_headers(self) -> Skipped:
        """Begin the headers."""
        return None

    def visit_header(self, name: str, value: str) -> None:
        """Handle a header."""

    def end_headers(self) -> Skipped:
        """End the headers. To return `SKIP` leaves out the moves."""
        return None

    def visit_board(self, board: Board) -> None:
        """Handle the position at the beginning and after each move. The board changes later: copy it to keep it."""

    def visit_move(self, board: Board, move: Move) -> None:
        """Handle a move and the position before it."""

    def visit_nag(self, nag: int) -> None:
        """Handle a NAG of the last move."""

    def visit_comment(self, comment: str) -> None:
        """Handle a comment on the last move, or one before the first move of a game or variation."""

    def begin_variation(self) -> Skipped:
        """Begin a variation: it replaces the move seen last."""
        return None

    def end_variation(self) -> None:
        """End a variation. This is called for those that are left out, too."""

    def visit_unread(self, text: str) -> None:
        """Handle a variation on the last move that is kept as text, since its moves are not legal."""

    def visit_result(self, result: str) -> None:
        """Handle the result of the game."""

    def end_game(self) -> None:
        """End the game."""

    def result(self) -> _Result:
        """Return what the visit gave: what `GameNode.accept` returns.

        >>> from rookery.pgn import BaseVisitor, read_game
        >>> read_game("1. e4 *").accept(BaseVisitor()) is None
        True
        """
        return None  # type: ignore[return-value]  # what overrides it returns more


class StringExporter(BaseVisitor[str]):
    """A visitor that writes PGN: a game's text without a line break at its end.

    `columns` is the width of the lines, or None for one line; without `headers`, `comments` or `variations` these are
    left out. NAGs count as comments.

    >>> from rookery.pgn import StringExporter, read_game
    >>> game = read_game('[White "Anna"] 1. e4! {best} e5 (1... c5 2. Nf3) *')
    >>> game.accept(StringExporter(headers=False))
    '1. e4 $1 {best} 1... e5 (1... c5 2. Nf3) *'
    >>> game.accept(StringExporter(headers=False, comments=False, variations=False))
    '1. e4 e5 *'
    """

    def __init__(
        self,
        *,
        columns: int | None = WIDTH + 1,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        if columns is not None and (not is_number(columns) or columns < 1):
            raise ValueError(f"columns: {shown(columns)}: expected a positive int, or None for lines of any length")
        self.columns = columns
        self.headers = flag("headers", headers)
        self.comments = flag("comments", comments)
        self.variations = flag("variations", variations)
        self._forget()

    spaced = False  # whether blanks stand inside brackets

    def _forget(self) -> None:
        self._words = Words()

    def begin_game(self) -> Skipped:
        """Begin a game: what was written before is forgotten."""
        self._forget()
        return None

    def begin_headers(self) -> Skipped:
        """Begin the headers, or leave them out."""
        return None if self.headers else SKIP

    def visit_header(self, name: str, value: str) -> None:
        """Write a header; what would not be read as this header is a ValueError."""
        if fault := form_fault(name, value):
            raise ValueError(fault)
        self._words.add_header(name, value)

    def visit_move(self, board: Board, move: Move) -> None:
        """Write a move, with its number where that is needed."""
        self._words.add(words.MOVE, board.san(move), number=2 * board.fullmove_number + (not board.turn))

    def visit_nag(self, nag: int) -> None:
        """Write a NAG; it is a number from 0 to 999999999."""
        if not is_number(nag) or not 0 <= nag < 10**9:
            raise ValueError(f"NAG: {shown(nag)}: expected a number from 0 to 999999999")
        if self.comments:
            self._words.add(words.NAG, number=nag)

    def visit_comment(self, comment: str) -> None:
        """Write a comment, on one line."""
        if self.comments and (line := one_line(comment)):
            self._words.add(words.COMMENT, line)

    def begin_variation(self) -> Skipped:
        """Open a bracket, or leave the variation out."""
        if not self.variations:
            return SKIP
        self._words.add(words.OPEN)
        return None

    def end_variation(self) -> None:
        """Close the bracket."""
        if self.variations:
            self._words.add(words.CLOSE)

    def visit_unread(self, text: str) -> None:
        """Write a variation that is kept as text."""
        if self.variations:
            self._words.add(words.VARIATION, checked(text))

    def visit_result(self, result: str) -> None:
        """Write the result."""
        self._words.add(words.RESULT, result)

    def result(self) -> str:
        """Return the text.

        >>> from rookery.pgn import StringExporter, read_game
        >>> exporter = StringExporter(columns=10, headers=False)
        >>> print(read_game("1. e4 e5 2. Nf3 *").accept(exporter))
        1. e4 e5
        2. Nf3 *
        """
        return self._words.text(None if self.columns is None else max(self.columns - 1, 1), spaced=self.spaced)

    __str__ = result


class FileExporter(StringExporter):
    r"""A visitor that writes games to a text file, each followed by an empty line.

    Its result is the number of characters written for the last game.

    >>> import io
    >>> from rookery.pgn import FileExporter, read_game
    >>> file = io.StringIO()
    >>> read_game("1. e4 *").accept(FileExporter(file, headers=False))
    9
    >>> file.getvalue()
    '1. e4 *\n\n'
    """

    def __init__(
        self,
        handle: IO[str],
        *,
        columns: int | None = WIDTH + 1,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        super().__init__(columns=columns, headers=headers, comments=comments, variations=variations)
        if not hasattr(handle, "write"):
            raise TypeError(f"handle: {shown(handle)}: expected a file opened for writing text")
        self.handle = handle
        self._written = 0

    def end_game(self) -> None:
        """Write the game to the file."""
        self._written = self.handle.write(StringExporter.result(self) + "\n\n")

    def result(self) -> int:  # type: ignore[override]  # another result of the same visit
        """Return how many characters the last game took.

        >>> import io
        >>> from rookery.pgn import FileExporter
        >>> FileExporter(io.StringIO()).result()
        0
        """
        return self._written


def text_of(visit: Callable[[StringExporter], object]) -> str:
    """Return the movetext that a function shows to a `StringExporter`, on one line."""
    exporter = StringExporter(columns=None)
    visit(exporter)
    return exporter.result()


__all__ = ["SKIP", "BaseVisitor", "FileExporter", "Skip", "StringExporter", "text_of"]
