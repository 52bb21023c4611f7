"""Arguments about squares that are written in the expression: names of squares, files, ranks, directions and lines."""

from typing import Any, Final

from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.bits import A_FILE, FIRST_RANK
from rookery.bitboards.lines import LINES
from rookery.bitboards.squares import DIRECTIONS
from rookery.positions.language.grammar import Written


def _text(value: Any, expected: str) -> str:
    if not isinstance(value, str):
        raise ValueError(expected)
    return value


def _squares(value: Any) -> int:
    expected = 'names of squares, such as "e4 d5"'
    try:
        return int(Bitboard.of(*_text(value, expected).replace(",", " ").split()))
    except (ValueError, TypeError):
        raise ValueError(expected) from None


def _files(value: Any) -> int:
    letters = set(_text(value, expected := 'files from a to h, such as "a" or "abc"'))
    if not letters or letters - set("abcdefgh"):
        raise ValueError(expected)
    return sum(A_FILE << "abcdefgh".index(letter) for letter in letters)


def _rank(value: Any) -> int:
    if not isinstance(value, int) or not 1 <= value <= 8:
        raise ValueError("a rank from 1 to 8")
    return FIRST_RANK << 8 * (value - 1)


def _steps(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value <= 8:
        raise ValueError("a number of steps from 0 to 8")
    return value


def _line(value: Any) -> str:
    if value not in LINES:
        raise ValueError(f"the name of a line: {', '.join(LINES)}")
    return str(value)


RELATIVE: Final = {"forward": 0, "right": 2, "backward": 4, "left": 6}


def _direction(value: Any) -> str:
    if value not in DIRECTIONS and value not in RELATIVE:
        raise ValueError(f"a direction: {', '.join((*DIRECTIONS, *RELATIVE))}")
    return str(value)


def _targets(value: Any) -> str:
    letters = _text(value, expected := 'letters of pieces, such as "kq"').lower()
    if not letters or set(letters) - set("pnbrqk"):
        raise ValueError(expected)
    return letters


SQUARE_NAMES: Final = Written("squares in quotes", _squares)
FILE_NAMES: Final = Written("files in quotes", _files)
RANK: Final = Written("rank", _rank)
STEPS: Final = Written("number of steps", _steps)
LINE_NAME: Final = Written("line in quotes", _line)
DIRECTION: Final = Written("direction in quotes", _direction)
TARGETS: Final = Written("letters in quotes", _targets)
