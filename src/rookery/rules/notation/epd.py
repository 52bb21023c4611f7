"""The operations of an EPD, read and written."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from rookery.arguments import is_number, shown

MOVE_LISTS: Final = ("bm", "am", "pv")  # opcodes whose operands are moves
MOVES: Final = ("sm", "pm")  # opcodes whose operand is a move
_OPCODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_COUNTERS: Final = re.compile(r"(\d+)(?:\s+(\d+)(?=[\s;])|(?=\s*;))\s*", re.ASCII)
_BLANKS: Final = re.compile(r"\s*")
_WORD: Final = re.compile(r"[^\s;]+")
_QUOTED: Final = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"', re.DOTALL)
_ESCAPE: Final = re.compile(r'\\(["\\])')


def parse_operations(text: str) -> dict[str, Any]:
    """Return the operations of an EPD: numbers as numbers, quoted text without its quotes, several operands as a list.

    A text without quotes is an `Unquoted`. Operations are closed by ``;`` or the end of the text. Empty ones, also
    written ``-``, are left out. An opcode that comes twice and a quote that is not closed are a ValueError.

    >>> parse_operations('bm Nf3 e4; ce 35; id "a test"; resign;')
    {'bm': ['Nf3', 'e4'], 'ce': 35, 'id': 'a test', 'resign': None}
    """
    operations: dict[str, Any] = {}
    # The text is walked through by places: what is left of it is never copied, however many operands there are.
    i = _past_blanks(text, 0)
    while i < len(text):
        word = _WORD.match(text, i)
        if not word:  # a semicolon: an operation without an opcode
            i = _past_blanks(text, i + 1)
            continue
        opcode = word[0]
        if opcode == "-":
            i = _past_blanks(text, word.end())
            continue
        _check_opcode(opcode)
        if opcode in operations:
            raise ValueError(f"EPD operation: {shown(opcode)} is given twice")
        operands: list[Any] = []
        i = _past_blanks(text, word.end())
        while i < len(text) and text[i] != ";":
            if text[i] == '"':
                quoted = _QUOTED.match(text, i)
                if not quoted:
                    raise ValueError(f"EPD operation: {shown(text[i : i + 20])}: the quote is not closed")
                operands.append(_ESCAPE.sub(r"\1", quoted[1]))
                i = _past_blanks(text, quoted.end())
            elif word := _WORD.match(text, i):
                operands.append(_number(word[0]))
                i = _past_blanks(text, word.end())
        i = _past_blanks(text, i + 1)
        operations[opcode] = (
            operands if opcode in MOVE_LISTS or len(operands) > 1 else operands[0] if operands else None
        )
    return operations


def split_counters(text: str) -> tuple[dict[str, int], str]:
    """Return the counters of a FEN before the operations of an EPD, by their opcodes, and the operations.

    The first may stand alone before a semicolon. Where no operation follows them, they are no counters: python-chess
    refuses a FEN as an EPD, too.

    >>> split_counters("0 1 ;D1 20 ;D2 400")
    ({'hmvc': 0, 'fmvn': 1}, ';D1 20 ;D2 400')
    """
    found = _COUNTERS.match(text)
    if found is None or found.end() == len(text):
        return {}, text
    counters = {name: int(number) for name, number in zip(("hmvc", "fmvn"), found.groups(), strict=True) if number}
    return counters, text[found.end() :]


def _past_blanks(text: str, i: int) -> int:
    return _BLANKS.match(text, i).end()  # type: ignore[union-attr]  # no blank at all is a match, too


def _check_opcode(opcode: str) -> None:
    if not _OPCODE.fullmatch(opcode):
        raise ValueError(f"EPD operation: {shown(opcode)}: expected a letter, then letters, digits, '_' or '-'")


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        return value if str(value) == text.removeprefix("+") and math.isfinite(value) else Unquoted(text)
    return Unquoted(text)


def write_operations(operations: dict[str, Any]) -> str:
    """Return the text of operations: ``bm Nf3; id "a test";``. Moves are written already, as texts."""
    parts = []
    for opcode, operand in operations.items():
        _check_opcode(opcode)
        operands = operands_of(operand)
        words = [opcode, *(_operand(o, opcode) for o in operands)]
        parts.append(" ".join(words) + ";")
    return " ".join(parts)


def _operand(value: Any, opcode: str) -> str:
    if isinstance(value, Unquoted) or (isinstance(value, str) and opcode in MOVE_LISTS):
        return str(value)
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if is_number(value) or (isinstance(value, (float, np.floating)) and math.isfinite(value)):
        return str(value)
    raise TypeError(
        f"EPD operation {opcode}: {shown(value)}: expected a move, a text, a finite number or several of them"
    )


class Unquoted(str):
    """A text without quotes, such as a move in SAN."""

    __slots__ = ()


def operands_of(value: Any) -> list[Any]:
    """Return the operands that are meant: the elements of a list, a set or a generator, none for None, or the value."""
    if value is None:
        return []
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        return [value]
    return list(value)
