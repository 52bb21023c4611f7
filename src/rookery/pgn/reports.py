"""The errors and warnings of the games of a block of text."""

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.board.board import Board
from rookery.board.moves import CHESS960, CLASSICAL
from rookery.lazy_imports import compile_later, modules_later
from rookery.pgn.faults import Fault, board_after, place_after, place_of, printed_warning, reason_of, warning_reason
from rookery.pgn.scan import output
from rookery.pgn.scan.block_arrays import Found
from rookery.pgn.scan.headers.values import lines_in, respell_text
from rookery.pgn.scan.lexing.languages import GUESSED, number_of_language
from rookery.pgn.scan.lexing.vocabulary import NAME_START, OTHER_RESULTS, RESULT, VALUE_END, VALUE_START, decoded
from rookery.pgn.scan.output import PAD

if TYPE_CHECKING:
    from rookery.rules.notation import san_reader, san_spelling
else:
    san_reader, san_spelling = modules_later("rookery.rules.notation", "san_reader san_spelling")

_WELL_FORMED: Final = compile_later(r'(?:[^"\\]|\\.)*', re.DOTALL)
_QUOTED: Final = 400  # bytes of a fault's text that are looked at


class Report(NamedTuple):
    """An error or a warning of a game: the game's row, the line and byte in the block, and the words for it.

    `move` is the text of the move that could not be read.
    """

    row: int
    line: int
    offset: int
    place: str
    move: str
    reason: str


def errors_of(found: Found, text: NDArray[np.uint8], start_of: Callable[[int], Board]) -> list[Report]:
    """Return the errors of bad games. `start_of` returns the start position with a number."""
    bad = np.flatnonzero(found.games[:, output.FAULT_CODE])
    errors = []
    lines, place, begins = 1, 0, 0
    for i in bad.tolist():
        row = found.games[i].tolist()
        start = row[output.FAULT_FROM]
        if begins != (begins := int(found.ranges[row[output.OF_RANGE], 0])) or start < place:
            lines, place = 1, begins
        lines += int(lines_in(text, place, start))
        place = start
        board = _board_at(found, start_of, i)
        fault = _fault(found, text, i)
        move = fault.text if fault.code == output.MOVE_FAULT else ""
        reason = reason_of(fault, board)
        if "expected a move" in reason and not found.want & output.STRICT | found.want >> output.LANGUAGE_SHIFT:
            reason += _of_another_language(move)
        errors.append(Report(i, lines, start - begins, place_of(fault, board), move, reason))
    return errors


def bytes_of_bad(found: Found, text: NDArray[np.uint8], i: int) -> bytes:
    """Return the bytes of a bad game, to the end of its row if others follow it there that should not."""
    row = found.games[i]
    is_not_alone = row[output.FAULT_CODE] == output.ANOTHER_GAME
    stop = found.ranges[row[output.OF_RANGE], 1] if is_not_alone else row[output.STOPS]
    return text[row[output.BEGINS] : stop].tobytes()


def warnings_of(found: Found, text: NDArray[np.uint8], start_of: Callable[[int], Board]) -> list[Report]:
    """Return the warnings. `start_of` returns the start position with a number."""
    warnings: list[Report] = []
    if not len(found.warnings):
        return warnings
    lines, place, begins, game, board = 1, 0, 0, -1, Board()
    for i, code, start, end, ply, read in found.warnings.tolist():
        if begins != (begins := int(found.ranges[found.games[i, output.OF_RANGE], 0])) or start < place:
            lines, place = 1, begins
        lines += int(lines_in(text, place, start))
        place = start
        if game != (game := i):
            board = _start(found, start_of, i)
        of_word = code not in (output.NULS, output.IMPOSSIBLE_RIGHTS, output.SHORT_TIME)
        quoted = decoded(text[start:end].tobytes()) if code != output.NULS else ""
        if code == output.IMPOSSIBLE_RIGHTS:
            quoted = unescaped(quoted)
        where = place_after(board, ply) if ply >= 0 else "headers"
        if code == output.PRINTED:
            reason = printed_warning(quoted, _san(found, board, i, ply))
        else:
            reason = warning_reason(code, quoted, len(decoded(text[start:read].tobytes())) if read else 0)
        warnings.append(Report(i, lines, start - begins, where, quoted if of_word else "", reason))
    return warnings


def _start(found: Found, start_of: Callable[[int], Board], i: int) -> Board:
    start = int(found.games[i, output.START])
    return Board() if start < 0 else start_of(start)


def _san(found: Found, start: Board, i: int, ply: int) -> str:
    """Return the move that follows `ply` half-moves in game `i`."""
    first = int(found.games[i, output.FIRST_PLY])
    *before, move = found.moves[first : first + ply + 1].tolist()
    board = board_after(start, before)
    return board.san((CHESS960 if board.chess960 else CLASSICAL)[move])


def _respelled(found: Found, word: bytes) -> str:
    """Return a word as PGN spells it, if the reader respells words, and "" otherwise."""
    if found.want & output.STRICT and not found.want >> output.LANGUAGE_SHIFT:
        return ""
    padded = np.frombuffer(bytearray(word + bytes(PAD)), np.uint8)
    out = np.zeros(2 * PAD, np.uint8)
    lenient = 0 if found.want & output.STRICT else 1
    n = int(respell_text(padded, len(word), lenient, found.want >> output.LANGUAGE_SHIFT, out))
    return out[:n].tobytes().decode("ascii", "replace")


@functools.lru_cache(maxsize=1024)
def _of_another_language(word: str) -> str:
    """Return how a word is read in another language, in which it is a move, or an empty text."""
    code = word.encode()
    if len(code) > san_spelling.LONGEST or not word[:1].isupper():
        return ""
    padded, out = np.frombuffer(bytearray(code + bytes(PAD)), np.uint8), np.zeros(2 * PAD, np.uint8)
    for language in GUESSED:
        n = int(respell_text(padded, len(code), 1, number_of_language(language), out))
        meant = out[:n].tobytes().decode("ascii", "replace")
        if n and meant != word and san_reader.spelled_move(meant).what != san_spelling.NO_MOVE:
            return f" (letters={language!r} reads it as {meant!r})"
    return ""


def _board_at(found: Found, start_of: Callable[[int], Board], i: int) -> Board:
    """Return the position of game `i` at its first fault."""
    table = found.games
    first = int(table[i, output.FIRST_PLY])
    last = first + max(int(table[i, output.FAULT_PLY]), 0)
    return board_after(_start(found, start_of, i), found.moves[first:last].tolist())


def _fault(found: Found, text: NDArray[np.uint8], i: int) -> Fault:
    row = found.games[i].tolist()
    code, start, end = row[output.FAULT_CODE], row[output.FAULT_FROM], row[output.FAULT_TO]
    name = before = ""
    if code == output.UNCLOSED_COMMENT:
        lines = text[start : min(end, start + _QUOTED)].tobytes()
        quoted = decoded(lines.splitlines()[0]) if lines.strip() else ""
        return Fault(code, quoted, name, before, row[output.FAULT_PLY] >= 0)
    quoted = decoded(text[start:end].tobytes())
    if code == output.MOVE_FAULT:
        before = _respelled(found, text[start:end].tobytes())
    if code in (output.TAG_TWICE, output.BAD_RESULT, output.BAD_VARIANT, output.BAD_FEN):
        quoted = unescaped(quoted)
    if code == output.TAG_TWICE:
        name, before = _first_value(found, text, i, start)
        if name == "Result":
            quoted, before = _normal(quoted), _normal(before)
    if code == output.OTHER_RESULT:
        slot = int(found.slots[i, RESULT])
        before = _normal(_value(found, text, row[output.FIRST_TAG] + slot - 1))
    return Fault(code, quoted, name, before, row[output.FAULT_PLY] >= 0)


def unescaped(text: str) -> str:
    """Return the value of a header without the backslashes before quotes and backslashes."""
    # Where quotes and backslashes are written as they are, this is no well-formed value.
    return re.sub(r'\\(["\\])', r"\1", text) if _WELL_FORMED.fullmatch(text) else text


def _normal(result: str) -> str:
    return OTHER_RESULTS.get(result, result)


def _value(found: Found, text: NDArray[np.uint8], row: int) -> str:
    return decoded(text[found.tags[row, VALUE_START] : found.tags[row, VALUE_END]].tobytes())


def _first_value(found: Found, text: NDArray[np.uint8], i: int, start: int) -> tuple[str, str]:
    """Return the name of the tag whose value is at `start`, and the value that it had before."""
    line = text[max(start - _QUOTED, 0) : start].tobytes()
    name = decoded(line[line.rfind(b"[") + 1 :].split(b'"')[0].strip())
    table = found.games
    last = table[i + 1, output.FIRST_TAG] if i + 1 < len(table) else len(found.tags)
    for row in range(table[i, output.FIRST_TAG], last):
        tag = found.tags[row]
        if decoded(text[tag[NAME_START] : tag[NAME_START + 1]].tobytes()) == name:
            return name, unescaped(_value(found, text, row))
    return name, ""
