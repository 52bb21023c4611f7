"""The errors and warnings of a block of games."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rookery.board.board import Board
from rookery.games.errors import (
    Fault,
    GameError,
    board_after,
    digest_of,
    place_after,
    place_of,
    reason_of,
    warning_reason,
)
from rookery.games.read.block_arrays import Found
from rookery.games.scan import output
from rookery.games.scan.tags import NAME_START, RESULT, VALUE_END, VALUE_START
from rookery.games.scan.values import lines_in
from rookery.lazy_imports import compile_later
from rookery.pgn.tokens import OTHER_RESULTS
from rookery.positions.positions import Positions

_WELL_FORMED: Final = compile_later(r'(?:[^"\\]|\\.)*', re.DOTALL)
_QUOTED: Final = 400  # bytes of a fault's text that are looked at


def errors_of(found: Found, text: NDArray[np.uint8], starts: Positions) -> list[tuple[int, GameError]]:
    """Return the errors of bad games, each with its row; lines and offsets count from the beginning of the block."""
    bad = np.flatnonzero(found.games[:, output.FAULT_CODE])
    if not bad.size:
        return []
    errors = []
    lines, place, begins = 1, 0, 0
    for i in bad.tolist():
        row = found.games[i].tolist()
        start = row[output.FAULT_FROM]
        if begins != (begins := int(found.ranges[row[output.OF_RANGE], 0])) or start < place:
            lines, place = 1, begins
        lines += int(lines_in(text, place, start))
        place = start
        board = _board_at(found, starts, i)
        fault = _fault(found, text, i)
        move = fault.text if fault.code == output.MOVE_FAULT else ""
        place_in_game, reason = place_of(fault, board), reason_of(fault, board)
        digest = digest_of(_bytes_of(found, text, i))
        errors.append((i, GameError("", i + 1, lines, start - begins, place_in_game, move, reason, digest)))
    return errors


def _bytes_of(found: Found, text: NDArray[np.uint8], i: int) -> bytes:
    """Return the bytes of game `i`, to the end of its row if others follow it there that should not."""
    row = found.games[i]
    is_not_alone = row[output.FAULT_CODE] == output.ANOTHER_GAME
    stop = found.ranges[row[output.OF_RANGE], 1] if is_not_alone else row[output.STOPS]
    return text[row[output.BEGINS] : stop].tobytes()


def warnings_of(found: Found, text: NDArray[np.uint8], starts: Positions) -> list[tuple[int, GameError]]:
    """Return the warnings, each with the row of its game; lines and offsets count from the beginning of the block."""
    warnings: list[tuple[int, GameError]] = []
    if not len(found.warnings):
        return warnings
    lines, place, begins, game, board = 1, 0, 0, -1, Board()
    for i, code, start, end, ply in found.warnings.tolist():
        if begins != (begins := int(found.ranges[found.games[i, output.OF_RANGE], 0])) or start < place:
            lines, place = 1, begins
        lines += int(lines_in(text, place, start))
        place = start
        if game != (game := i):
            board = _start_of(found, starts, i)
        of_word = code not in (output.NULS, output.IMPOSSIBLE_RIGHTS, output.SHORT_TIME)
        quoted = _decoded(text[start:end].tobytes()) if code != output.NULS else ""
        if code == output.IMPOSSIBLE_RIGHTS:
            quoted = _unescaped(quoted)
        where = place_after(board, ply) if ply >= 0 else "headers"
        reason = warning_reason(code, quoted)
        warnings.append((i, GameError("", i + 1, lines, start - begins, where, quoted if of_word else "", reason)))
    return warnings


def _start_of(found: Found, starts: Positions, i: int) -> Board:
    start = int(found.games[i, output.START])
    return Board() if start < 0 else starts[start]


def _board_at(found: Found, starts: Positions, i: int) -> Board:
    """Return the position of game `i` at its first fault."""
    table = found.games
    first = int(table[i, output.FIRST_PLY])
    last = first + max(int(table[i, output.FAULT_PLY]), 0)
    return board_after(_start_of(found, starts, i), found.moves[first:last].tolist())


def _fault(found: Found, text: NDArray[np.uint8], i: int) -> Fault:
    row = found.games[i].tolist()
    code, start, end = row[output.FAULT_CODE], row[output.FAULT_FROM], row[output.FAULT_TO]
    name = before = ""
    if code == output.UNCLOSED_COMMENT:
        lines = text[start : min(end, start + _QUOTED)].tobytes()
        quoted = _decoded(lines.splitlines()[0]) if lines.strip() else ""
        return Fault(code, quoted, name, before, row[output.FAULT_PLY] >= 0)
    quoted = _decoded(text[start:end].tobytes())
    if code in (output.TAG_TWICE, output.BAD_RESULT, output.BAD_VARIANT, output.BAD_FEN):
        quoted = _unescaped(quoted)
    if code == output.TAG_TWICE:
        name, before = _first_value(found, text, i, start)
        if name == "Result":
            quoted, before = _normal(quoted), _normal(before)
    if code == output.OTHER_RESULT:
        slot = int(found.slots[i, RESULT])
        before = _normal(_value(found, text, row[output.FIRST_TAG] + slot - 1))
    return Fault(code, quoted, name, before, row[output.FAULT_PLY] >= 0)


def _decoded(code: bytes) -> str:
    return code.decode("utf-8", "rookery-windows-1252")


def _unescaped(text: str) -> str:
    # Where quotes and backslashes are written as they are, this is no well-formed value.
    return re.sub(r'\\(["\\])', r"\1", text) if _WELL_FORMED.fullmatch(text) else text


def _normal(result: str) -> str:
    return OTHER_RESULTS.get(result, result)


def _value(found: Found, text: NDArray[np.uint8], row: int) -> str:
    return _decoded(text[found.tags[row, VALUE_START] : found.tags[row, VALUE_END]].tobytes())


def _first_value(found: Found, text: NDArray[np.uint8], i: int, start: int) -> tuple[str, str]:
    """Return the name of the tag whose value is at `start`, and the value that it had before."""
    line = text[max(start - _QUOTED, 0) : start].tobytes()
    name = line[line.rfind(b"[") + 1 :].split(b'"')[0].strip().decode("utf-8", "rookery-windows-1252")
    table = found.games
    last = table[i + 1, output.FIRST_TAG] if i + 1 < len(table) else len(found.tags)
    for row in range(table[i, output.FIRST_TAG], last):
        tag = found.tags[row]
        if _decoded(text[tag[NAME_START] : tag[NAME_START + 1]].tobytes()) == name:
            return name, _unescaped(_value(found, text, row))
    return name, ""
