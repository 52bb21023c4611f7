"""The messages of all PGN errors, shared by both readers: `rookery.pgn` and the compiled one in `rookery.games`.

A bad game that is written without its text ends with a comment that says what was wrong with it, so that it is bad when
it is read again: ``{[%parse_error move 3.: 'Ke2' is not legal]}``.
"""

from typing import Final, NamedTuple

from rookery.arguments import shown
from rookery.board.board import Board
from rookery.board.moves import InvalidMoveError, Move
from rookery.lazy_imports import compile_later
from rookery.pgn.headers import QUOTED, short

CLOSES_NO_VARIATION: Final = "')' closes no variation"
OPEN_VARIATION: Final = "the variation is not closed"
NO_GAME: Final = "no game: neither headers nor moves nor a result"


MARK: Final = "[%parse_error"
_MARKED: Final = compile_later(r"\[%parse_error (?:(move \d+\.(?:\.\.)?|headers): )?([^]]*)(?:\].*)?")
_BRACKETS: Final = str.maketrans("{}[]", "()()")  # that would end the comment or the mark


class Mark(NamedTuple):
    """The place and the reason of an error, as the comment at the end of a bad game states them."""

    place: str
    reason: str


def mark(place: str, reason: str) -> str:
    """Return the comment that marks a bad game.

    >>> marked(mark("move 3.", "'Ke2' is not legal")).reason
    "'Ke2' is not legal"
    """
    return f"{MARK} {place or 'headers'}: {' '.join(reason.translate(_BRACKETS).split())}]"


def marked(comment: str) -> Mark | None:
    """Return what a comment says of a bad game, or None if it does not mark one."""
    found = _MARKED.fullmatch(" ".join(comment.split()))
    return None if found is None else Mark(found[1] or "", found[2].strip())


def broken_header(line: str) -> str:
    """Return the message for a line that begins like a header but is not one."""
    return f'header: {line.strip()[:QUOTED]!r}: expected [Name "value"]'


def other_value(name: str, value: str, before: str) -> str:
    """Return the message for a header that is given two values."""
    return f"header {short(name)}: {shown(value)}: it was given before as {shown(before)}"


def other_result(result: str, header: str) -> str:
    """Return the message for a result that contradicts the header."""
    return f"result: {result!r}: the header says {shown(header)}"


def ambiguous_time(time: str) -> str:
    """Return the message for a clock of two parts where the time control does not tell which."""
    return f"{' '.join(time.split())!r}: hours and minutes, or minutes and seconds: no TimeControl says which"


def unclosed_comment(text: str) -> str:
    """Return the message for a comment that is not closed; `text` begins with the opening brace."""
    return f"the comment {text[: QUOTED + 1].rstrip()!r} is not closed"


def move_of(board: Board, word: str) -> Move:
    """Return the legal move that a word of movetext stands for. Any other word is an error."""
    if word.startswith("}"):
        raise InvalidMoveError("'}' closes no comment")
    return board.parse_san(word.removesuffix("e.p.") if len(word) <= QUOTED else f"{word[:QUOTED]}...")


def move_fault(board: Board, word: str) -> str:
    """Return why a word is not a legal move."""
    try:
        board.copy(stack=False).push(move_of(board, word))
    except ValueError as error:
        return str(error)
    raise AssertionError(f"{word!r} in {board.fen()!r}: expected a word that is not a legal move")
