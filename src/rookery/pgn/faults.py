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
from rookery.pgn.scan.lexing.vocabulary import GLUED_RESULTS, MARK, MOST_WARNINGS
from rookery.results import BLACK_WON, DRAWN, WHITE_WON

if TYPE_CHECKING:
    from rookery.board import reasons
else:
    (reasons,) = modules_later("rookery.board", "reasons")

_MARKED: Final = compile_later(r"\[%parse_error (?:(move \d+\.(?:\.\.)?|headers): )?([^]]*)(?:\].*)?")
_BY_FILES: Final = compile_later(r"([a-h])x?([a-h])(?:=?[QRBN])?[+#]*")
_LOWER_CASTLING: Final = compile_later(r"o-o(?:-o)?[+#]*")
_BRACKETS: Final = str.maketrans("{}[]", "()()")  # that would end the comment or the mark


class GameWarning(NamedTuple):
    """A warning of a lenient PGN reader: the game's number in the file, the line and place, and the reason.

    >>> import rookery
    >>> (game,) = rookery.pgn.read("1. e4 +/- e5 *")
    >>> print(game.warnings[0])
    game 1, line 1, move 1...: '+/-': an annotation, stepped over
    """

    number: int
    line: int
    place: str
    reason: str

    def __str__(self) -> str:
        return f"game {self.number}, line {self.line}, {self.place}: {self.reason}"


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


def move_of(board: Board, word: str) -> Move:
    """Return the legal move that a word of movetext stands for. Any other word is an error."""
    if word.startswith("}"):
        raise InvalidMoveError("'}' closes no comment")
    return board.parse_san(word.removesuffix("e.p.") if len(word) <= QUOTED else f"{word[:QUOTED]}...")


def move_fault(board: Board, word: str, meant: str = "") -> str:
    """Return why a word is not a legal move; `meant` is the word as PGN spells it."""
    if meant and not word.startswith("}"):
        fault = _fault_of_files(board, meant) or _move_fault(board, meant)
        if fault and "expected a move" not in fault:
            return fault if meant == word else f"{word!r}, read as {meant!r}: {fault}"
    if fault := _move_fault(board, word):
        return fault
    raise AssertionError(f"{word!r} in {board.fen()!r}: expected a word that is not a legal move")


def _move_fault(board: Board, word: str) -> str:
    """Return why a word is not a legal move, or an empty text if it is one."""
    try:
        board.copy(stack=False).push(move_of(board, word))
    except ValueError as error:
        return str(error)
    return ""


def _fault_of_files(board: Board, word: str) -> str:
    """Return why a capture like ``ed`` is not legal or ambiguous; an empty text for any other word."""
    found = _BY_FILES.fullmatch(word)
    if found is None or abs(ord(found[1]) - ord(found[2])) != 1:
        return ""
    ways = [move for move in board.legal_moves if _captures(board, move, *found.groups())]
    fen = repr(board.fen())
    is_ambiguous = f"is ambiguous in {fen}: {' or '.join(map(board.san, ways))}"
    return f"SAN move: {word!r} {is_ambiguous if ways else f'is not legal in {fen}'}"


def _captures(board: Board, move: Move, source: str, target: str) -> bool:
    """Check whether a move is the capture of a pawn from one file to another."""
    name = move.uci()
    return board.kind_at(move.from_square) == "p" and name[0] == source and name[2] == target != source


def move_warning(word: str, length: int) -> str:
    """Say how a word is read whose first `length` characters are a move, and the others an annotation or a result."""
    move, end = word[:length].removesuffix("e.p."), word[length:]
    if _LOWER_CASTLING.fullmatch(move):
        move = move.upper()
    return f"{word!r}: read as {move!r}{f' and {end!r}' if end in GLUED_RESULTS else ''}"


def rights_warning(fen: str) -> str:
    """Say what is impossible in a FEN and therefore dropped."""
    return f"{'; '.join(reasons.every_fault(fen, unreachable=False))}: dropped"


SCORE_NOT_READ: Final = "a score, not read: the comment does not say whose view it is from, or how it counts a mate"

# Messages by the codes of the reader, with the text that they are about: as it is, its words, and its beginning.
_FAULTS: Final = {
    output.BROKEN_TAG: 'header: {line!r}: expected [Name "value"]',
    output.TAG_TWICE: "header {name}: {shown}: it was given before as {before}",
    output.NO_FEN: NO_FEN,
    output.UNCLOSED_COMMENT: "the comment {beginning!r} is not closed",
    output.CLOSES_NOTHING: "')' closes no variation",
    output.OPEN_VARIATION: "the variation is not closed",
    output.OTHER_RESULT: "result: {text!r}: the header says {before}",
    output.ANOTHER_GAME: "another game: expected one per row",
    output.AMBIGUOUS_TIME: "{words!r}: hours and minutes, or minutes and seconds: no TimeControl says which",
    output.TOO_MANY_WARNINGS: f"more than {MOST_WARNINGS:,} warnings: expected a game",
    output.NO_GAME: "no game: neither headers nor moves nor a result",
    output.TWO_RESULTS: "result: {text!r}: the game has a result already",
    output.NO_BEGINNING: "{text!r}: the game has no headers and does not begin with move 1",
    output.RESULT_IN_MOVES: "result: {text!r}: moves of the game follow it",
    output.TAG_IN_MOVES: "header {text!r}: it stands inside the moves",
}
_WARNINGS: Final = {
    output.STRAY_BRACE: "'}}' closes no comment: stepped over",
    output.STRAY_BRACKET: "')' closes no variation: stepped over",
    output.NULS: "NUL characters: stepped over",
    output.ANNOTATION: "{text!r}: an annotation, stepped over",
    output.COMMENT_REST: "{text!r} up to '}}': the rest of a comment that has '{{' in it, stepped over",
    output.SHORT_TIME: ("{words!r}: read as minutes and seconds: no TimeControl says that it is hours and minutes"),
    output.DOUBTFUL_SCORE: f"{{text!r}}: {SCORE_NOT_READ}",
    output.RESULT_TWICE: "{text!r}: the game has a result already",
    output.RESULT_INSIDE: "{text!r}: a result inside the game: the moves go on after it",
    output.NOT_FIRST: (
        "{text!r}: the game has no headers and does not begin with move 1: moves may be missing before it"
    ),
    output.BEHIND_RESULT: "{text!r}: a game without headers begins on the line of the result before it",
    output.TAG_INSIDE: "header {text!r} inside the moves: read as a header of the game",
    output.OTHER_LETTERS: "header {text!r}: not used, since PGN distinguishes small and capital letters",
}


def printed_warning(word: str, meant: str) -> str:
    """Say how a word is read that PGN writes otherwise."""
    return f"{word!r}: read as {meant!r}"


def odd_result(text: str) -> str:
    """Return the result that a text like ``1 - 0`` or ``½–½`` states."""
    if "½" in text or "/" in text:
        return DRAWN
    return WHITE_WON if text.startswith("1") else BLACK_WON


def warning_reason(code: int, text: str, length: int) -> str:
    """Return the words for a warning. `text` is where it applies, and its first `length` characters what is read."""
    match code:
        case output.ODD_RESULT:
            return printed_warning(text, odd_result(text))
        case output.READ_AS:
            return move_warning(text, length)
        case output.IMPOSSIBLE_RIGHTS:
            return rights_warning(text)
    return _WARNINGS[code].format(text=text, words=" ".join(text.split()))


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
            return move_fault(board or Board(), text, fault.before)
        case output.BAD_RESULT | output.BAD_VARIANT:
            return header_fault("Result" if fault.code == output.BAD_RESULT else "Variant", text)
        case output.BAD_FEN:
            return _fen(text)
        case output.WAS_BAD:
            found = marked(text)
            assert found is not None
            return found.reason
    return _FAULTS[fault.code].format(
        text=text,
        shown=shown(text),
        line=text.strip()[:QUOTED],
        beginning=text[: QUOTED + 1].rstrip(),
        words=" ".join(text.split()),
        name=short(fault.name),
        before=shown(fault.before),
    )


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
