"""Kernels that read parts of FEN and EPD: fields, numbers, and the operations of an EPD."""

from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import bit
from rookery.kernel import U64, Word, kernel
from rookery.rules.notation import fen_reasons

DASH, _SEMICOLON, _QUOTE, _BACKSLASH, _UNDERSCORE, _SPACE = b'-;"\\_ '
_A, _Z, _DIGIT_0 = b"az0"
_HMVC, _FMVN = (int.from_bytes(name, "little") for name in (b"hmvc", b"fmvn"))
LOWER: Final = 32


@kernel
def is_blank(c: Word) -> Word:
    """Check whether a byte is a blank of ASCII."""
    return (c == _SPACE) | ((c >= 9) & (c <= 13))


@kernel
def is_letter(c: Word) -> Word:
    """Check whether a byte is a letter of ASCII."""
    return ((c | LOWER) >= _A) & ((c | LOWER) <= _Z)


@kernel
def past_blanks(text: Any, i: Word, end: Word) -> Word:
    """Return the index of the first byte from `i` on that is not a blank, or `end`."""
    while i < end and is_blank(U64(text[i])):
        i += 1
    return i


@kernel
def field_end(text: Any, i: Word, end: Word) -> Word:
    """Return the index of the first blank from `i` on, or `end`."""
    while i < end and not is_blank(U64(text[i])):
        i += 1
    return i


@kernel
def number_end(text: Any, i: Word, end: Word) -> Word:
    """Return the index of the first blank or semicolon from `i` on, or `end`."""
    while i < end and not is_blank(U64(text[i])) and text[i] != _SEMICOLON:
        i += 1
    return i


@kernel
def read_number(text: Any, i: Word, end: Word) -> Any:
    """Read a number without a sign; -1 if there is none."""
    value = np.int64(0)
    if end - i > U64(fen_reasons.LONGEST):
        return np.int64(-1)
    while i < end:
        c = np.int64(text[i]) - 48
        if c < 0 or c > 9:
            return np.int64(-1)
        value = value * 10 + c
        i += 1
    return value


@kernel
def is_empty_operation(text: Any, i: Word, end: Word) -> Any:
    """Check for a semicolon or a single dash at `i`."""
    if text[i] != DASH:
        return text[i] == _SEMICOLON
    return i + 1 == end or is_blank(U64(text[i + 1])) or text[i + 1] == _SEMICOLON


@kernel
def begins_operations(text: Any, i: Word, end: Word) -> Any:
    """Check whether the operations of an EPD begin at `i`, and not the counters of a FEN."""
    return is_letter(U64(text[i])) or is_empty_operation(text, i, end)


@kernel
def opcode_end(text: Any, i: Word, end: Word) -> Word:
    """Return where the opcode at `i` ends, or 0 if there is none."""
    if not is_letter(U64(text[i])):
        return 0
    while i < end and not is_blank(U64(text[i])) and text[i] != _SEMICOLON:
        c = U64(text[i])
        if not (is_letter(c) or c - _DIGIT_0 <= 9 or c in (_UNDERSCORE, DASH)):
            return 0
        i += 1
    return i


@kernel
def operand_end(text: Any, i: Word, end: Word) -> Word:
    """Return where the operand at `i` ends, or 0 if its quote is not closed."""
    if text[i] == _QUOTE:
        i += 1
        while i < end and text[i] != _QUOTE:
            i += 2 if text[i] == _BACKSLASH else 1
        return i + 1 if i < end else 0
    while i < end and not is_blank(U64(text[i])) and text[i] != _SEMICOLON:
        i += 1
    return i


@kernel
def read_operations(text: Any, i: Word, end: Word, report: Any) -> Word:
    """Read the operations of an EPD. Return the reason for refusal, or 0.

    The values of `hmvc` and `fmvn` go into the report; of other operations only the form is checked. Empty operations,
    also written ``-``, are ignored.
    """
    given = 0
    while i < end:
        if is_empty_operation(text, i, end):
            i = past_blanks(text, i + 1, end)
            continue
        stop = opcode_end(text, i, end)
        if not stop:
            return U64(fen_reasons.OPERATIONS)
        name: Word = 0
        if stop - i == 4:
            name = U64(text[i]) | U64(text[i + 1]) << 8 | U64(text[i + 2]) << 16 | U64(text[stop - 1]) << 24
        operands, value = 0, np.int64(-1)
        i = past_blanks(text, stop, end)
        while i < end and text[i] != _SEMICOLON:
            stop = operand_end(text, i, end)
            if not stop:
                return U64(fen_reasons.OPERATIONS)
            value = read_number(text, i, stop)
            operands += 1
            i = past_blanks(text, stop, end)
        if name in (_HMVC, _FMVN):
            which = 1 if name == _FMVN else 0
            if given & bit(which):
                return U64(fen_reasons.OPERATIONS)
            if operands != 1 or value < 0:
                return U64(fen_reasons.COUNTERS)
            given |= bit(which)
            report[which] = max(value, np.int64(which))
        if i < end:
            i = past_blanks(text, i + 1, end)
    return 0
