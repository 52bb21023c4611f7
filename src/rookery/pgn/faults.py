"""The messages of PGN errors and warnings, from the codes of the compiled reader.

What only annotates is skipped with a warning. What could change the moves is an error.

A bad game that is written without its text ends with a comment that says what was wrong with it, so that it is bad when
it is read again: ``{[%parse_error move 3.: 'Ke2' is not legal]}``.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rookery.arguments import shown
from rookery.board.board import Board
from rookery.board.moves import InvalidMoveError, Move
from rookery.lazy_imports import compile_later, modules_later
from rookery.pgn.headers import NO_FEN, QUOTED, header_fault, short
from rookery.pgn.scan import output
from rookery.pgn.scan.words import GLUED_RESULTS, MARK, MOST_WARNINGS

if TYPE_CHECKING:
    from rookery.board import reasons
else:
    (reasons,) = modules_later("rookery.board", "reasons")

TOO_MANY: Final = f"more than {MOST_WARNINGS:,} warnings: expected a game"
STRAY_BRACE: Final = "'}' closes no comment: stepped over"
STRAY_BRACKET: Final = "')' closes no variation: stepped over"
NULS: Final = "NUL characters: stepped over"
CLOSES_NO_VARIATION: Final = "')' closes no variation"
OPEN_VARIATION: Final = "the variation is not closed"
NO_GAME: Final = "no game: neither headers nor moves nor a result"


_MARKED: Final = compile_later(r"\[%parse_error (?:(move \d+\.(?:\.\.)?|headers): )?([^]]*)(?:\].*)?")
_LOWER_CASTLING: Final = compile_later(r"o-o(?:-o)?[+#]*")
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


def annotation_warning(word: str) -> str:
    """Say that an annotation is stepped over."""
    return f"{word!r}: an annotation, stepped over"


def move_warning(word: str, length: int) -> str:
    """Say how a word is read whose first `length` characters are a move, and the others an annotation or a result."""
    move, end = word[:length].removesuffix("e.p."), word[length:]
    if _LOWER_CASTLING.fullmatch(move):
        move = move.upper()
    return f"{word!r}: read as {move!r}{f' and {end!r}' if end in GLUED_RESULTS else ''}"


def rest_warning(word: str) -> str:
    """Say that the rest of a comment with braces in it is stepped over; `word` is its first word."""
    return f"{word!r} up to '}}': the rest of a comment that has '{{' in it, stepped over"


def time_warning(time: str) -> str:
    """Say how a clock of two parts is read where the time control does not tell."""
    return f"{' '.join(time.split())!r}: read as minutes and seconds: no TimeControl says that it is hours and minutes"


def rights_warning(fen: str) -> str:
    """Say what is impossible in a FEN and therefore dropped."""
    return f"{'; '.join(reasons.every_fault(fen, unreachable=False))}: dropped"


def warning_reason(code: int, text: str, length: int) -> str:
    """Return the words for a warning. `text` is where it applies, and its first `length` characters what is read."""
    match code:
        case output.ANNOTATION:
            return annotation_warning(text)
        case output.READ_AS:
            return move_warning(text, length)
        case output.STRAY_BRACE:
            return STRAY_BRACE
        case output.STRAY_BRACKET:
            return STRAY_BRACKET
        case output.COMMENT_REST:
            return rest_warning(text)
        case output.NULS:
            return NULS
        case output.IMPOSSIBLE_RIGHTS:
            return rights_warning(text)
        case output.SHORT_TIME:
            return time_warning(text)
    raise AssertionError(f"warning {code} has no text")


class Fault(NamedTuple):
    """A game's first fault as the compiled reader reports it, with the parts of the text that describe it."""

    code: int
    text: str  # where it is, cut to what an error shows
    name: str  # of the header, if it is one of those
    before: str  # the earlier value, if two differ
    in_moves: bool


def place_of(fault: Fault, board: Board | None) -> str:
    """Return ``headers``, or the number of the move that comes next; of a marked game what the mark says."""
    if fault.code == output.WAS_BAD and (found := marked(fault.text)) and found.place:
        return found.place
    if not fault.in_moves or board is None:
        return "headers"
    return place_after(board, 0)


def place_after(board: Board, plies: int) -> str:
    """Return the number of the move that comes next, so many plies after a board."""
    halves = 2 * board.fullmove_number + (not board.turn) + plies
    return f"move {halves // 2}{'...' if halves % 2 else '.'}"


def reason_of(fault: Fault, board: Board | None) -> str:
    """Return why a game is refused. `board` is the position before the fault, or None if there is none."""
    text = fault.text
    match fault.code:
        case output.MOVE_FAULT:
            return move_fault(board or Board(), text)
        case output.BROKEN_TAG:
            return broken_header(text)
        case output.TAG_TWICE:
            return other_value(fault.name, text, fault.before)
        case output.BAD_RESULT:
            return header_fault("Result", text)
        case output.BAD_VARIANT:
            return header_fault("Variant", text)
        case output.NO_FEN:
            return NO_FEN
        case output.BAD_FEN:
            return _fen(text)
        case output.UNCLOSED_COMMENT:
            return unclosed_comment(text)
        case output.CLOSES_NOTHING:
            return CLOSES_NO_VARIATION
        case output.OPEN_VARIATION:
            return OPEN_VARIATION
        case output.OTHER_RESULT:
            return other_result(text, fault.before)
        case output.ANOTHER_GAME:
            return "another game: expected one a row"
        case output.WAS_BAD:
            found = marked(text)
            assert found is not None
            return found.reason
        case output.AMBIGUOUS_TIME:
            return ambiguous_time(text)
        case output.TOO_MANY_WARNINGS:
            return TOO_MANY
        case output.NO_GAME:
            return NO_GAME
    raise AssertionError(f"fault {fault.code} has no text")


def _fen(text: str) -> str:
    try:
        Board(text)
    except ValueError as error:
        return str(error)
    raise AssertionError(f"FEN {text!r}: refused by the compiled reader and not by the other")


def board_after(start: Board, moves: Any) -> Board:
    """Return the position after moves of 16 bits."""
    board = start.copy(stack=False)
    for move in moves:
        board.push(int(move))
    return board
