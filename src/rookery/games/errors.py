"""What is wrong with a game, in words, for people."""

from typing import Any, Final, NamedTuple

from rookery.arguments import printable, shown
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.games.scan import output
from rookery.games.scan.tags import RESULTS
from rookery.pgn import lenient as pgn_lenient

_QUOTED: Final = 60  # signs; no move is longer, and a longer fault is recognised by its beginning


class Fault(NamedTuple):
    """A game's first fault as the compiled reader reports it, with the parts of the text that describe it."""

    code: int
    text: str  # where it is, cut to what an error shows
    name: str  # of the header, if it is one of those
    before: str  # the earlier value, if two differ
    in_moves: bool


class GameError(NamedTuple):
    """What is wrong with a game of a file, or, as a warning, what was stepped over in it.

    `file` is its name ("" for none), `game` the game's number in it and `line` that of the fault, both from 1, `offset`
    its first byte in the unpacked text, `place` the move's number or ``headers``, `move` the text of the move that
    could not be read, and `reason` says why. Where `game` is 0 it is the file that is damaged, there.
    """

    file: str
    game: int
    line: int
    offset: int
    place: str
    move: str
    reason: str

    def __str__(self) -> str:
        file = f"{printable(self.file)}: " if self.file else ""
        if not self.game:
            return f"{file}line {self.line}: {self.reason}"
        return f"{file}game {self.game}, line {self.line}, {self.place}: {self.reason}"


class GameErrorException(ValueError):
    """The first fault of a source, where errors are raised.

    `error` has its parts; `games` are those that `read_pgn` had read before.
    """

    games: Any = None

    def __init__(self, error: GameError) -> None:
        super().__init__(str(error))
        self.error = error


def place_of(fault: Fault, board: Board | None) -> str:
    """Return ``headers``, or the number of the move that comes next."""
    if not fault.in_moves or board is None:
        return "headers"
    return place_after(board, 0)


def place_after(board: Board, plies: int) -> str:
    """Return the number of the move that comes next, so many plies after a board."""
    halves = 2 * board.fullmove_number + (not board.turn) + plies
    return f"{'move '}{halves // 2}{'...' if halves % 2 else '.'}"


def warning_reason(code: int, text: str) -> str:
    """Return the words for a warning; `text` begins where it applies."""
    match code:
        case output.ANNOTATION:
            return pgn_lenient.annotation_warning(text)
        case output.READ_AS:
            return pgn_lenient.move_warning(text)
        case output.STRAY_BRACE:
            return pgn_lenient.STRAY_BRACE
        case output.COMMENT_REST:
            return pgn_lenient.rest_warning(text)
        case output.NULS:
            return pgn_lenient.NULS
        case output.IMPOSSIBLE_RIGHTS:
            return pgn_lenient.rights_warning(text)
    raise AssertionError(f"warning {code} has no text")


def reason_of(fault: Fault, board: Board | None) -> str:
    """Why a game is refused; `board` is the position before the fault, None if there is none."""
    text = fault.text
    match fault.code:
        case output.MOVE_FAULT:
            return _move(text, board or Board())
        case output.BROKEN_TAG:
            return f'header: {text.strip()[:_QUOTED]!r}: expected [Name "value"]'
        case output.TAG_TWICE:
            return f"header {_short(fault.name)}: {shown(text)}: it was given before as {shown(fault.before)}"
        case output.BAD_RESULT:
            return f"header Result: {shown(text)}: expected one of {', '.join((*RESULTS[1:], RESULTS[0]))}"
        case output.BAD_VARIANT:
            return f"header Variant: {shown(text)}: expected chess or Chess960"
        case output.NO_FEN:
            return "header SetUp: '1' requires a FEN header, and there is none"
        case output.BAD_FEN:
            return _fen(text)
        case output.UNCLOSED_COMMENT:
            return f"the comment {text[: _QUOTED + 1].rstrip()!r} is not closed"
        case output.CLOSES_NOTHING:
            return "')' closes no variation"
        case output.OPEN_VARIATION:
            return "the variation is not closed"
        case output.OTHER_RESULT:
            return f"result: {text!r}: the header says {shown(fault.before)}"
        case output.ANOTHER_GAME:
            return "another game: expected one a row"
        case output.TOO_MANY_WARNINGS:
            return pgn_lenient.TOO_MANY
        case output.NO_GAME:
            return "no game: neither headers nor moves nor a result"
    raise AssertionError(f"fault {fault.code} has no text")


def _move(text: str, board: Board) -> str:
    if text.startswith("}"):
        return "'}' closes no comment"
    text = text.removesuffix("e.p.") if len(text) <= _QUOTED else f"{text[:_QUOTED]}..."
    try:
        board.push(board.parse_san(text))
    except ValueError as error:
        return str(error)
    raise AssertionError(f"{text!r} in {board.fen()!r}: refused by the compiled reader and not by the other")


def _fen(text: str) -> str:
    try:
        Board(text)
    except ValueError as error:
        return str(error)
    raise AssertionError(f"FEN {text!r}: refused by the compiled reader and not by the other")


def _short(text: str) -> str:
    return printable(text if len(text) <= _QUOTED else f"{text[:_QUOTED]}...")


def board_after(start: Board, moves: Any) -> Board:
    """Return the position after moves of 16 bits."""
    board = start.copy(stack=False)
    for move in moves:
        board.push(Move(int(move)))
    return board
