"""What bytes of PGN are: blanks, line ends, what ends a word; and UTF-8.

A text is read as UTF-8. A byte that is not UTF-8 is read as Windows-1252. Nearly every byte is ASCII and is looked up
in a table; all others take the slow way.
"""

import re
from typing import Any, Final

import numpy as np

from rookery.kernel import ONE, U64, ZERO, Bits, Word, kernel, popcount, trailing_zeros, where_byte
from rookery.rules.pgn_tokens import ENDS_WORD

# Classes of the byte that a word begins with.
OTHER, BLANK, NEWLINE, MOVE, DIGIT, BRACE = (U64(n) for n in range(6))
CTRL_Z: Final = U64(0x1A)
PAD: Final = 128  # bytes behind a text that may be read, whatever they hold

_BLANKS: Final = b" \t\x0b\x0c\x1c\x1d\x1e\x1f"


def _classes() -> Any:
    kinds = np.zeros(256, np.uint8)
    for group, kind in ((_BLANKS, BLANK), (b"\r\n", NEWLINE), (b"abcdefghNBRQK", MOVE), (b"0123456789", DIGIT)):
        kinds[list(group)] = kind
    kinds[ord("{")] = BRACE
    return kinds


CLASS: Final = _classes()


def bytes_that(pattern: str, after: str = "") -> Any:
    """1 for each ASCII sign that a pattern matches, behind some others."""
    table = np.zeros(256, np.uint8)
    table[:128] = [re.fullmatch(pattern, after + chr(c)) is not None for c in range(128)]
    return table


ENDS: Final = bytes_that(ENDS_WORD)  # no word goes on with it

_ASCII_END = U64(0x80)
_LF, _CR = U64(10), U64(13)
_TWO, _THREE, _FOUR, _SIX, _64 = U64(2), U64(3), U64(4), U64(6), U64(64)


@kernel
def byte_at(text: Any, i: Word, end: Word) -> Word:
    """Byte `i`, or 0 from `end` on."""
    return U64(text[i]) if i < end else ZERO


@kernel
def _continues(c: Word) -> Word:
    return ONE if c & U64(0xC0) == U64(0x80) else ZERO


@kernel
def sign_length(text: Any, i: Word, end: Word) -> Word:
    """Bytes of the UTF-8 sign at `i`; 1 for a byte that begins none, which is a sign of Windows-1252."""
    c = U64(text[i])
    if c < U64(0xC2) or c > U64(0xF4):
        return ONE
    d = byte_at(text, i + ONE, end)
    if not _continues(d):
        return ONE
    if c < U64(0xE0):
        return _TWO
    e = byte_at(text, i + _TWO, end)
    if not _continues(e):
        return ONE
    if c < U64(0xF0):
        overlong = c == U64(0xE0) and d < U64(0xA0)
        surrogate = c == U64(0xED) and d >= U64(0xA0)
        return ONE if overlong or surrogate else _THREE
    f = byte_at(text, i + _THREE, end)
    overlong = c == U64(0xF0) and d < U64(0x90)
    beyond = c == U64(0xF4) and d >= U64(0x90)
    return ONE if overlong or beyond or not _continues(f) else _FOUR


@kernel
def wide_sign(text: Any, i: Word, end: Word) -> Word:
    """The bytes of the sign at `i`, outside ASCII, as a word: the first in its highest bits."""
    n = sign_length(text, i, end)
    word = ZERO
    for k in range(n):
        word = word << U64(8) | U64(text[i + U64(k)])
    return word


@kernel
def wide_blank(text: Any, i: Word, end: Word) -> Word:
    """Bytes of the blank at `i` that is outside ASCII, or 0 if none is there."""
    w = wide_sign(text, i, end)
    if w == U64(0xA0):
        return ONE
    if w in (U64(0xC285), U64(0xC2A0)):
        return _TWO
    between = U64(0xE28080) <= w <= U64(0xE2808A)
    known = w in (U64(0xE19A80), U64(0xE280A8), U64(0xE280A9), U64(0xE280AF), U64(0xE2819F), U64(0xE38080))
    return _THREE if between or known else ZERO


@kernel
def ellipsis_length(text: Any, i: Word, end: Word) -> Word:
    """Bytes of the ellipsis at `i`, or 0; it is one byte in Windows-1252."""
    c = U64(text[i])
    if c == U64(0x85):
        return ONE
    return _THREE if c == U64(0xE2) and wide_sign(text, i, end) == U64(0xE280A6) else ZERO


@kernel
def mark_length(text: Any, i: Word, end: Word) -> Word:
    """Bytes of the byte order marks from `i` on, those that were encoded twice included."""
    start = i
    while i < end:
        c = U64(text[i])
        if c == U64(0xEF) and wide_sign(text, i, end) == U64(0xEFBBBF):
            i += _THREE
        elif (
            c == U64(0xC3)
            and i + _SIX <= end
            and wide_sign(text, i, end) == U64(0xC3AF)
            and wide_sign(text, i + _TWO, end) == U64(0xC2BB)
            and wide_sign(text, i + _FOUR, end) == U64(0xC2BF)
        ):
            i += _SIX
        else:
            break
    return i - start


@kernel
def past_ctrl_z(text: Any, i: Word, end: Word) -> Word:
    """Of a Ctrl-Z at `i`: where the line ends, if nothing but blanks follows there (no more than 64), else 0."""
    for _ in range(65):
        i += ONE
        if i >= end:
            return end
        c = U64(text[i])
        kind = CLASS[c]
        if kind == NEWLINE:
            return i
        if c >= _ASCII_END:
            n = wide_blank(text, i, end)
            if not n:
                return ZERO
            i += n - ONE
        elif c != CTRL_Z and kind != BLANK:
            return ZERO
    return ZERO


@kernel
def blank_length(text: Any, i: Word, end: Word) -> Word:
    """Bytes of the blank at `i`, which is before `end`, or 0; no line's end, but a Ctrl-Z before one."""
    c = U64(text[i])
    if CLASS[c] == BLANK:
        return ONE
    if c >= _ASCII_END:
        return wide_blank(text, i, end)
    if c == CTRL_Z:
        stop = past_ctrl_z(text, i, end)
        return stop - i if stop else ZERO
    return ZERO


@kernel
def length_before(text: Any, i: Word, start: Word) -> Word:
    """Bytes of the sign that ends at `i`, which is behind `start`."""
    if U64(text[i - ONE]) < _ASCII_END:
        return ONE
    for k in (_FOUR, _THREE, _TWO):
        if i >= start + k and sign_length(text, i - k, i) == k:
            return k
    return ONE


@kernel
def past_blanks(text: Any, i: Word, end: Word) -> Word:
    """The first byte from `i` on that is no blank, or `end`."""
    while i < end:
        n = blank_length(text, i, end)
        if not n:
            break
        i += n
    return i


@kernel
def is_end(text: Any, i: Word, end: Word, lenient: Word) -> Word:
    """Whether a word that reaches to `i` ends there. A NUL ends one only if `lenient`."""
    if i >= end:
        return ONE
    c = U64(text[i])
    if c >= _ASCII_END or c == CTRL_Z:
        return ONE if blank_length(text, i, end) else ZERO
    return U64(ENDS[c]) if c else lenient


@kernel
def word_end(text: Any, i: Word, end: Word, lenient: Word) -> Word:
    """Where the word that begins at `i` ends: behind one sign at least."""
    i += sign_length(text, i, end)
    while not is_end(text, i, end, lenient):
        i += sign_length(text, i, end)
    return i


@kernel
def line_end(text: Any, i: Word, end: Word) -> Word:
    """The line's end from `i` on, or `end`."""
    while i < end:
        found = where_byte(text, i, _LF) | where_byte(text, i, _CR)
        if found:
            i += trailing_zeros(found)
            return i if i < end else end
        i += _64
    return end


@kernel
def past_newline(text: Any, i: Word, end: Word) -> Word:
    """Behind the line end at `i`; there is none at `end`."""
    if i >= end:
        return end
    if U64(text[i]) == _CR and byte_at(text, i + ONE, end) == _LF:
        return i + _TWO
    return i + ONE


@kernel
def count_lines(text: Any, i: Word, end: Word) -> Word:
    """How many lines end from `i` on and before `end`: by a line feed, a carriage return, or both together."""
    lines, before = ZERO, ZERO
    while i < end:
        feeds = among(where_byte(text, i, _LF), end - i)
        returns = among(where_byte(text, i, _CR), end - i)
        lines += popcount(returns) + popcount(feeds & ~(returns << ONE | before))
        before = returns >> U64(63)
        i += _64
    return lines


@kernel
def among(bits: Bits, left: Word) -> Bits:
    """The lowest `left` bits of 64 results, all if there are more."""
    return bits if left >= _64 else bits & ((ONE << left) - ONE)
