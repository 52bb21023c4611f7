"""The characters of PGN: classes of bytes, and compiled code that steps over blanks, words, lines and characters.

A text is read as UTF-8. A byte that is not UTF-8 is read as Windows-1252. Nearly every byte is ASCII and is looked up
in a table; all others take the slow way.
"""

import re
from typing import Any, Final

import numpy as np

from rookery.kernel import U64, Bits, Word, cold_kernel, kernel, popcount, trailing_zeros, where_byte
from rookery.pgn.scan.lexing.vocabulary import ENDS_WORD

# Classes of the byte that a word begins with.
OTHER, BLANK, NEWLINE, MOVE, DIGIT, BRACE = range(6)

_BLANKS: Final = b" \t\x0b\x0c\x1c\x1d\x1e\x1f"


def _classes() -> Any:
    kinds = np.zeros(256, np.uint8)
    for group, kind in ((_BLANKS, BLANK), (b"\r\n", NEWLINE), (b"abcdefghNBRQK", MOVE), (b"0123456789", DIGIT)):
        kinds[list(group)] = kind
    kinds[ord("{")] = BRACE
    return kinds


CLASS: Final = _classes()


def bytes_that(pattern: str, after: str = "") -> Any:
    """Return a table: 1 for each ASCII character that `pattern` matches after a prefix."""
    table = np.zeros(256, np.uint8)
    table[:128] = [re.fullmatch(pattern, after + chr(c)) is not None for c in range(128)]
    return table


ENDS: Final = bytes_that(ENDS_WORD)  # no word goes on with it

CTRL_Z: Final = 0x1A


_ASCII_END = 0x80
_LF, _CR = 10, 13
_HYPHEN = ord("-")


@kernel
def byte_at(text: Any, i: Word, end: Word) -> Word:
    """Return byte `i`, or 0 from `end` on."""
    return U64(text[i]) if i < end else 0


@kernel
def _continues(c: Word) -> Word:
    return 1 if c & 0xC0 == 0x80 else 0


@kernel
def sign_length(text: Any, i: Word, end: Word) -> Word:
    """Return the length of the UTF-8 character at `i`; 1 for an invalid byte, which is read as Windows-1252."""
    return _wide_length(text, i, end) if U64(text[i]) >= _ASCII_END else 1


@cold_kernel
def _wide_length(text: Any, i: Word, end: Word) -> Word:
    """Return the bytes of the character at `i`, which is not ASCII."""
    c = U64(text[i])
    if c < 0xC2 or c > 0xF4:
        return 1
    d = byte_at(text, i + 1, end)
    if not _continues(d):
        return 1
    if c < 0xE0:
        return 2
    e = byte_at(text, i + 2, end)
    if not _continues(e):
        return 1
    if c < 0xF0:
        overlong = c == 0xE0 and d < 0xA0
        surrogate = c == 0xED and d >= 0xA0
        return 1 if overlong or surrogate else 3
    f = byte_at(text, i + 3, end)
    overlong = c == 0xF0 and d < 0x90
    beyond = c == 0xF4 and d >= 0x90
    return 1 if overlong or beyond or not _continues(f) else 4


@kernel
def wide_sign(text: Any, i: Word, end: Word) -> Word:
    """Return the bytes of the character at `i`, which is not ASCII, as a word with the first byte on top."""
    n = sign_length(text, i, end)
    word: Word = 0
    for k in range(n):
        word = word << 8 | U64(text[i + U64(k)])
    return word


@kernel
def wide_invisible(w: Word) -> Word:
    """Check for a character that nobody sees: a soft hyphen, zero-width blanks and joiners, variation selectors."""
    return 1 if w in (0xAD, 0xC2AD, 0xE281A0, 0xEFBBBF, 0xEFB88E, 0xEFB88F) or 0xE2808B <= w <= 0xE2808F else 0


@kernel
def wide_glyph(w: Word) -> Word:
    """Check for one of the characters ``‼``, ``⁇``, ``⁈`` and ``⁉``."""
    return 1 if w == 0xE280BC or 0xE28187 <= w <= 0xE28189 else 0


@kernel
def wide_dash(w: Word) -> Word:
    """Check for a dash or a minus sign, in UTF-8 or Windows-1252."""
    return 1 if 0xE28090 <= w <= 0xE28095 or w in (0xE28892, 0x96, 0x97) else 0


@cold_kernel
def is_dash(text: Any, i: Word, end: Word) -> Word:
    """Check for a hyphen, a dash or a minus sign at `i`."""
    return 1 if U64(text[i]) == _HYPHEN or wide_dash(wide_sign(text, i, end)) else 0


@cold_kernel
def past_invisible(text: Any, i: Word, end: Word) -> Word:
    """Return the place after the characters at `i` that nobody sees."""
    while i < end and U64(text[i]) >= _ASCII_END and wide_invisible(wide_sign(text, i, end)):
        i += sign_length(text, i, end)
    return i


@kernel
def wide_blank(text: Any, i: Word, end: Word) -> Word:
    """Return the length of the blank at `i` that is not ASCII, or 0 if there is none."""
    w = wide_sign(text, i, end)
    if w == 0xA0:
        return 1
    if w in (0xC285, 0xC2A0):
        return 2
    between = 0xE28080 <= w <= 0xE2808A
    known = w in (0xE19A80, 0xE280A8, 0xE280A9, 0xE280AF, 0xE2819F, 0xE38080)
    return 3 if between or known else 0


@kernel
def ellipsis_length(text: Any, i: Word, end: Word) -> Word:
    """Return the length of the ellipsis at `i`, or 0. In Windows-1252 it is one byte."""
    return _wide_ellipsis(text, i, end) if U64(text[i]) >= _ASCII_END else 0


@cold_kernel
def _wide_ellipsis(text: Any, i: Word, end: Word) -> Word:
    c = U64(text[i])
    if c == 0x85:
        return 1
    return 3 if c == 0xE2 and wide_sign(text, i, end) == 0xE280A6 else 0


@kernel
def mark_length(text: Any, i: Word, end: Word) -> Word:
    """Return the length of the byte order marks at `i`, including those that were encoded twice."""
    return _marks(text, i, end) if byte_at(text, i, end) >= _ASCII_END else 0


@cold_kernel
def _marks(text: Any, i: Word, end: Word) -> Word:
    start = i
    while i < end:
        c = U64(text[i])
        if c == 0xEF and wide_sign(text, i, end) == 0xEFBBBF:
            i += 3
        elif (
            c == 0xC3
            and i + 6 <= end
            and wide_sign(text, i, end) == 0xC3AF
            and wide_sign(text, i + 2, end) == 0xC2BB
            and wide_sign(text, i + 4, end) == 0xC2BF
        ):
            i += 6
        else:
            break
    return i - start


@kernel
def past_ctrl_z(text: Any, i: Word, end: Word) -> Word:
    """Return the line's end if only blanks, at most 64, follow the Ctrl-Z at `i`, else 0."""
    for _ in range(65):
        i += 1
        if i >= end:
            return end
        c = U64(text[i])
        kind = CLASS[c]
        if kind == NEWLINE:
            return i
        if c >= _ASCII_END:
            n = wide_blank(text, i, end)
            if not n:
                return 0
            i += n - 1
        elif c != CTRL_Z and kind != BLANK:
            return 0
    return 0


@kernel
def blank_length(text: Any, i: Word, end: Word) -> Word:
    """Return the length of the blank at `i`, or 0. A Ctrl-Z at the end of a line counts, a line break does not."""
    c = U64(text[i])
    if CLASS[c] == BLANK:
        return 1
    return _rare_blank(text, i, end) if c >= _ASCII_END or c == CTRL_Z else 0


@cold_kernel
def _rare_blank(text: Any, i: Word, end: Word) -> Word:
    """Return the bytes of the blank at `i`, a character outside ASCII or a Ctrl-Z, or 0 if it is none."""
    if U64(text[i]) >= _ASCII_END:
        return wide_blank(text, i, end)
    stop = past_ctrl_z(text, i, end)
    return stop - i if stop else 0


@kernel
def length_before(text: Any, i: Word, start: Word) -> Word:
    """Return the length of the character that ends at `i`, which is greater than `start`."""
    if U64(text[i - 1]) < _ASCII_END:
        return 1
    for k in range(2, 5):
        if i >= start + k and sign_length(text, i - k, i) == k:
            return k
    return 1


@kernel
def past_blanks(text: Any, i: Word, end: Word) -> Word:
    """Return the place of the first byte from `i` on that is no blank, or `end`."""
    while i < end:
        n = blank_length(text, i, end)
        if not n:
            break
        i += n
    return i


@kernel
def is_end(text: Any, i: Word, end: Word, lenient: Word) -> Word:
    """Check whether a word that extends to `i` ends there. A NUL ends one only if `lenient`."""
    if i >= end:
        return 1
    c = U64(text[i])
    if c >= _ASCII_END or c == CTRL_Z:
        return 1 if _rare_blank(text, i, end) else 0
    return U64(ENDS[c]) if c else lenient


@kernel
def word_end(text: Any, i: Word, end: Word, lenient: Word) -> Word:
    """Return where the word at `i` ends. It has at least one character."""
    i += sign_length(text, i, end)
    while not is_end(text, i, end, lenient):
        i += sign_length(text, i, end)
    return i


@kernel
def line_end(text: Any, i: Word, end: Word) -> Word:
    """Return where the line ends, from `i` on, or `end`."""
    while i < end:
        found = where_byte(text, i, _LF) | where_byte(text, i, _CR)
        if found:
            i += trailing_zeros(found)
            return i if i < end else end
        i += 64
    return end


@kernel
def past_newline(text: Any, i: Word, end: Word) -> Word:
    """Return the place after the line break at `i`, or `end` at the end of the text."""
    if i >= end:
        return end
    if U64(text[i]) == _CR and byte_at(text, i + 1, end) == _LF:
        return i + 2
    return i + 1


@kernel
def count_lines(text: Any, i: Word, end: Word) -> Word:
    """Return the number of lines that end from `i` on and before `end`, by a line feed, a carriage return or both."""
    lines, before = 0, 0
    while i < end:
        feeds = among(where_byte(text, i, _LF), end - i)
        returns = among(where_byte(text, i, _CR), end - i)
        lines += popcount(returns) + popcount(feeds & ~(returns << 1 | before))
        before = returns >> 63
        i += 64
    return lines


@kernel
def among(bits: Bits, left: Word) -> Bits:
    """Return the lowest `left` bits of 64 results, or all of them if `left` is greater."""
    return bits if left >= 64 else bits & ((1 << left) - 1)
