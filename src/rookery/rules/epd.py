"""The operations of an EPD, read and written."""

import math
import re
from typing import Any, Final

_OPCODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def parse_operations(text: str) -> dict[str, Any]:
    """The operations of an EPD: numbers as numbers, quoted text without its quotes, several operands as a list.

    >>> parse_operations('bm Nf3 e4; ce 35; id "a test"; resign;')
    {'bm': ['Nf3', 'e4'], 'ce': 35, 'id': 'a test', 'resign': None}
    """
    operations: dict[str, Any] = {}
    rest = text.strip()
    while rest:
        opcode, rest = _word(rest)
        _check_opcode(opcode)
        if opcode in operations:
            raise ValueError(f"EPD operation: {opcode!r} is given twice")
        operands: list[Any] = []
        while rest and not rest.startswith(";"):
            if rest.startswith('"'):
                end = _closing_quote(rest)
                operands.append(rest[1:end].replace('\\"', '"').replace("\\\\", "\\"))
                rest = rest[end + 1 :].lstrip()
            else:
                operand, rest = _word(rest)
                operands.append(_number(operand))
        if not rest:
            raise ValueError(f"EPD operation: {opcode!r} is not closed by ';'")
        rest = rest[1:].lstrip()
        many = opcode in ("bm", "am", "pv")
        operations[opcode] = operands if many or len(operands) > 1 else operands[0] if operands else None
    return operations


def _check_opcode(opcode: str) -> None:
    if not _OPCODE.fullmatch(opcode):
        raise ValueError(f"EPD operation: {opcode!r}: expected a letter, then letters, digits, '_' or '-'")


def _word(text: str) -> tuple[str, str]:
    end = next((i for i, c in enumerate(text) if c.isspace() or c == ";"), len(text))
    if end == 0:
        raise ValueError(f"EPD operation: {text[:20]!r}: expected a name")
    return text[:end], text[end:].lstrip()


def _closing_quote(text: str) -> int:
    i = 1
    while i < len(text):
        if text[i] == "\\":
            i += 1
        elif text[i] == '"':
            return i
        i += 1
    raise ValueError(f"EPD operation: {text[:20]!r}: the quote is not closed")


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
