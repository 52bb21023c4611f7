"""The operations of an EPD, read and written."""

import math
import re
from typing import Any, Final

from rookery.arguments import shown

_OPCODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_BLANKS: Final = re.compile(r"\s*")
_WORD: Final = re.compile(r"[^\s;]+")
_QUOTED: Final = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"', re.DOTALL)
_ESCAPE: Final = re.compile(r'\\(["\\])')


def parse_operations(text: str) -> dict[str, Any]:
    """The operations of an EPD: numbers as numbers, quoted text without its quotes, several operands as a list.

    >>> parse_operations('bm Nf3 e4; ce 35; id "a test"; resign;')
    {'bm': ['Nf3', 'e4'], 'ce': 35, 'id': 'a test', 'resign': None}
    """
    operations: dict[str, Any] = {}
    # The text is walked through by places: what is left of it is never copied, however many operands there are.
    i = _past_blanks(text, 0)
    while i < len(text):
        word = _WORD.match(text, i)
        if not word:
            raise ValueError(f"EPD operation: {shown(text[i : i + 20])}: expected a name")
        opcode = word[0]
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
        if i == len(text):
            raise ValueError(f"EPD operation: {shown(opcode)} is not closed by ';'")
        i = _past_blanks(text, i + 1)
        many = opcode in ("bm", "am", "pv")
        operations[opcode] = operands if many or len(operands) > 1 else operands[0] if operands else None
    return operations


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
        return value if str(value) == text and math.isfinite(value) else text
    return text


def write_operations(operations: dict[str, Any]) -> str:
    """The text of operations: ``bm Nf3; id "a test";``."""
    parts = []
    for opcode, operand in operations.items():
        _check_opcode(opcode)
        operands = operand if isinstance(operand, (list, tuple)) else [] if operand is None else [operand]
        words = [opcode, *(_operand(o, opcode) for o in operands)]
        parts.append(" ".join(words) + ";")
    return " ".join(parts)


def _operand(value: Any, opcode: str) -> str:
    if isinstance(value, str) and opcode not in ("bm", "am", "pv"):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)
