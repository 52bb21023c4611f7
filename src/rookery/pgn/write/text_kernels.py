"""Compiled code that writes the words of PGN: the one place that knows how they look and where a line may be broken.

A word is written at `n`; each function returns where it ends. `write_blank` goes before a word. Lines are broken at the
last blank before they become too long; comments are not broken, since the line break would become a part of them.
"""

from typing import Any

import numpy as np

from rookery.kernel import U64, Word, array_of, entry, kernel
from rookery.pgn.scan.lexing.signs import CTRL_Z, blank_length, length_before, mark_length
from rookery.pgn.write import words
from rookery.pgn.write.numerals import write_digits

_SPACE, _NEWLINE, _RETURN, _DOT, _OPEN, _CLOSE, _DOLLAR, _SEMICOLON, _QUOTE, _BACKSLASH = (
    U64(ord(c)) for c in ' \n\r.{}$;"\\'
)
_PERCENT, _BRACKET, _BRACKET_CLOSES = b"%[]"
_VARIATION, _VARIATION_ENDS = b"()"
_CONTINUES, _CONTINUATION = 0xC0, 0x80  # the bits of a byte of UTF-8 that begins no character


@kernel
def copy(out: Any, n: Word, text: Any, start: Any, end: Any) -> Word:
    """Copy bytes."""
    for i in range(start, end):
        out[n] = text[i]
        n += 1
    return n


@kernel
def break_line(out: Any, n: Word, layout: Any) -> None:
    """Break the line at its last blank if the line, which ends at `n`, is too long."""
    last = layout[words.LAST_BLANK]
    if (
        not layout[words.LONGEST_LINE]
        or last < 0
        or np.int64(n) - layout[words.LINE_START] <= layout[words.LONGEST_LINE]
    ):
        return
    out[last] = np.uint8(_NEWLINE)
    layout[words.LAST_BLANK] = -1
    start = last + 1
    for i in range(last + 1, np.int64(n)):
        start += 1 if U64(out[i]) & _CONTINUES == _CONTINUATION else 0
    layout[words.LINE_START] = start


@kernel
def write_blank(out: Any, n: Word, layout: Any) -> Word:
    """Write a blank between words, where the line may be broken."""
    if np.int64(n) == layout[words.LINE_START]:
        return n
    break_line(out, n, layout)
    out[n] = np.uint8(_SPACE)
    layout[words.LAST_BLANK] = np.int64(n)
    return n + 1


@kernel
def end_line(out: Any, n: Word, layout: Any) -> Word:
    """End a line, whose last word ends at `n`."""
    break_line(out, n, layout)
    out[n] = np.uint8(_NEWLINE)
    layout[words.LINE_START] = np.int64(n) + 1
    layout[words.LAST_BLANK] = -1
    return n + 1


@kernel
def write_header(out: Any, n: Word, names: Any, a: Any, b: Any, values: Any, c: Any, d: Any) -> Word:
    """Write a header on a line of its own. A line break in its value becomes a space."""
    out[n] = np.uint8(_BRACKET)
    n = copy(out, n + 1, names, a, b)
    out[n] = np.uint8(_SPACE)
    out[n + 1] = np.uint8(_QUOTE)
    n += 2
    for i in range(c, d):
        sign = U64(values[i])
        if sign in (_QUOTE, _BACKSLASH):
            out[n] = np.uint8(_BACKSLASH)
            n += 1
        out[n] = np.uint8(_SPACE if sign in (_NEWLINE, _RETURN) else sign)
        n += 1
    out[n] = np.uint8(_QUOTE)
    out[n + 1] = np.uint8(_BRACKET_CLOSES)
    out[n + 2] = np.uint8(_NEWLINE)
    return n + 3


@kernel
def write_number(out: Any, n: Word, number: Word, black: Word, needed: Any, layout: Any) -> Word:
    """Write the number of a move, if white moves or it is `needed`: after comments, variations and at the beginning."""
    if black and not needed:
        return n
    n = write_digits(out, n, number, 1)
    for _ in range(3 if black else 1):
        out[n] = np.uint8(_DOT)
        n += 1
    return write_blank(out, n, layout)


@kernel
def write_nag(out: Any, n: Word, nag: Word) -> Word:
    """Write an annotation glyph as its number."""
    out[n] = np.uint8(_DOLLAR)
    return write_digits(out, n + 1, nag, 1)


@kernel
def _write_byte(out: Any, n: Word, c: Word, layout: Any) -> Word:
    """Write a byte of a text. The line begins later by those that begin no character."""
    out[n] = np.uint8(c)
    if c & _CONTINUES == _CONTINUATION:
        layout[words.LINE_START] += 1
    return n + 1


@kernel
def write_comment(out: Any, n: Word, text: Any, start: Any, end: Any, layout: Any) -> Word:
    """Write a comment in braces, or to the end of its line if it contains a closing brace."""
    has_brace = False
    for i in range(start, end):
        has_brace = has_brace or U64(text[i]) == _CLOSE
    begins = U64(_SEMICOLON if has_brace else _OPEN)
    out[n] = np.uint8(begins)
    n += 1
    if layout[words.SPACED]:
        out[n] = np.uint8(_SPACE)
        n += 1
    for i in range(start, end):
        c = U64(text[i])
        if c != _NEWLINE:
            n = _write_byte(out, n, c, layout)
            continue
        n = end_line(out, n, layout)
        if has_brace:
            out[n] = np.uint8(_SEMICOLON)
            n += 1
    if has_brace:
        return end_line(out, n, layout)
    if layout[words.SPACED]:
        out[n] = np.uint8(_SPACE)
        n += 1
    out[n] = np.uint8(_CLOSE)
    return n + 1


@kernel
def _may_break(text: Any, i: Word, start: Word, end: Word) -> Any:
    """Check whether a line break instead of the space at `i` leaves the text's meaning as it is.

    It does not next to another blank or a Ctrl-Z, which counts as a blank at the end of a line, and before a mark that
    has a meaning at the beginning of a line.
    """
    before = i - length_before(text, i, start)
    if U64(text[before]) == _NEWLINE or U64(text[before]) == _RETURN or blank_length(text, before, i):
        return False
    following = U64(text[i + 1])
    if following in (_PERCENT, _BRACKET, _SEMICOLON, _NEWLINE, _RETURN, CTRL_Z):
        return False
    return not (blank_length(text, i + 1, end) or mark_length(text, i + 1, end))


@kernel
def write_variation(out: Any, n: Word, text: Any, start: Any, end: Any, layout: Any) -> Word:
    """Write a variation, given as the text between its brackets. A blank outside comments may become a line break."""
    out[n] = np.uint8(_VARIATION)
    n += 1
    inside: Word = 0  # what began the comment
    for i in range(start, end):
        c = U64(text[i])
        if c == _NEWLINE:
            inside = 0 if inside == _SEMICOLON else inside
            n = end_line(out, n, layout)
            continue
        if not inside and c in (_OPEN, _SEMICOLON):
            inside = c
        elif (inside == _OPEN and c == _CLOSE) or (inside == _SEMICOLON and c == _RETURN):
            inside = 0
        is_between = c == _SPACE and not inside and layout[words.LONGEST_LINE] and start < i < end - 1
        if is_between and _may_break(text, U64(i), U64(start), U64(end)):
            n = write_blank(out, n, layout)
        else:
            n = _write_byte(out, n, c, layout)
    if inside == _SEMICOLON:  # the bracket would be a part of the comment
        n = end_line(out, n, layout)
    out[n] = np.uint8(_VARIATION_ENDS)
    return n + 1


@entry(examples=lambda: (array_of(np.uint8), array_of(np.int64, 2), array_of(np.uint8), array_of(np.int64)))
def write_words(out: Any, rows: Any, text: Any, layout: Any) -> Any:
    """Write words, a row each: kind, number, and where its text ends; return the length. `out` must have room."""
    n, start = 0, np.int64(0)
    needed, glued, headed = True, False, False
    for i in range(rows.shape[0]):
        kind, number, end = rows[i, 0], rows[i, 1], rows[i, 2]
        if kind == words.HEADER:
            n = write_header(out, n, text, start, number, text, number, end)
            start = end
            headed = True
            continue
        if headed:
            out[n] = np.uint8(_NEWLINE)
            n += 1
            layout[words.LINE_START] = np.int64(n)
            headed = False
        if not glued and (kind != words.CLOSE or layout[words.SPACED]):
            n = write_blank(out, n, layout)
        glued = False
        if kind == words.MOVE:
            n = write_number(out, n, U64(number) >> 1, U64(number) & 1, needed, layout)
            n = copy(out, n, text, start, end)
            needed = False
        elif kind == words.NAG:
            n = write_nag(out, n, U64(number))
        elif kind == words.RESULT:
            n = copy(out, n, text, start, end)
        else:
            needed = True
            if kind == words.COMMENT:
                n = write_comment(out, n, text, start, end, layout)
            elif kind == words.VARIATION:
                n = write_variation(out, n, text, start, end, layout)
            else:
                out[n] = np.uint8(_VARIATION if kind == words.OPEN else _VARIATION_ENDS)
                n += 1
                glued = kind == words.OPEN and not layout[words.SPACED]
        start = end
    break_line(out, n, layout)
    return np.int64(n)
