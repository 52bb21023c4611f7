"""Messages about errors in games."""

from typing import TYPE_CHECKING, Any, NamedTuple

from rookery.arguments import printable
from rookery.board.board import Board
from rookery.games.scan import output
from rookery.lazy_imports import modules_later

if TYPE_CHECKING:
    from rookery.pgn import faults
    from rookery.pgn import headers as pgn_headers
    from rookery.pgn import lenient as pgn_lenient
else:
    faults, pgn_headers, pgn_lenient = modules_later("rookery.pgn", "faults headers lenient")


class Fault(NamedTuple):
    """A game's first fault as the compiled reader reports it, with the parts of the text that describe it."""

    code: int
    text: str  # where it is, cut to what an error shows
    name: str  # of the header, if it is one of those
    before: str  # the earlier value, if two differ
    in_moves: bool


class GameError(NamedTuple):
    """An error in a game of a file, or a warning about what was skipped in it.

    `file` is its name ("" for none), `game` the game's number in it and `line` that of the fault, both from 1, `offset`
    its first byte in the unpacked text, `place` the move's number or ``headers``, `move` the text of the move that
    could not be read, and `reason` says why. Where `game` is 0 it is the file that is damaged, there. `digest` is a
    hash of the bytes of a bad game, by which `Games.duplicates` recognises the same bytes; "" if they are not known.
    """

    file: str
    game: int
    line: int
    offset: int
    place: str
    move: str
    reason: str
    digest: str = ""

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


def digest_of(text: bytes) -> str:
    """Return the digest of a bad game from its bytes; blanks and line breaks around them do not count."""
    import hashlib  # takes 2 ms

    return hashlib.blake2b(text.strip(), digest_size=8).hexdigest()


def place_of(fault: Fault, board: Board | None) -> str:
    """Return ``headers``, or the number of the move that comes next; of a marked game what the mark says."""
    if fault.code == output.WAS_BAD and (found := faults.marked(fault.text)) and found.place:
        return found.place
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
        case output.STRAY_BRACKET:
            return pgn_lenient.STRAY_BRACKET
        case output.COMMENT_REST:
            return pgn_lenient.rest_warning(text)
        case output.NULS:
            return pgn_lenient.NULS
        case output.IMPOSSIBLE_RIGHTS:
            return pgn_lenient.rights_warning(text)
        case output.SHORT_TIME:
            return pgn_lenient.time_warning(text)
    raise AssertionError(f"warning {code} has no text")


def reason_of(fault: Fault, board: Board | None) -> str:
    """Return why a game is refused. `board` is the position before the fault, or None if there is none."""
    text = fault.text
    match fault.code:
        case output.MOVE_FAULT:
            return faults.move_fault(board or Board(), text)
        case output.BROKEN_TAG:
            return faults.broken_header(text)
        case output.TAG_TWICE:
            return faults.other_value(fault.name, text, fault.before)
        case output.BAD_RESULT:
            return pgn_headers.header_fault("Result", text)
        case output.BAD_VARIANT:
            return pgn_headers.header_fault("Variant", text)
        case output.NO_FEN:
            return pgn_headers.NO_FEN
        case output.BAD_FEN:
            return _fen(text)
        case output.UNCLOSED_COMMENT:
            return faults.unclosed_comment(text)
        case output.CLOSES_NOTHING:
            return faults.CLOSES_NO_VARIATION
        case output.OPEN_VARIATION:
            return faults.OPEN_VARIATION
        case output.OTHER_RESULT:
            return faults.other_result(text, fault.before)
        case output.ANOTHER_GAME:
            return "another game: expected one a row"
        case output.WAS_BAD:
            found = faults.marked(text)
            assert found is not None
            return found.reason
        case output.AMBIGUOUS_TIME:
            return faults.ambiguous_time(text)
        case output.TOO_MANY_WARNINGS:
            return pgn_lenient.TOO_MANY
        case output.NO_GAME:
            return faults.NO_GAME
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
