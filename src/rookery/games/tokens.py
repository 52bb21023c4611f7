"""Single words of movetext: points behind numbers, results, annotation glyphs."""

from typing import Any

import numpy as np

from rookery.games.signs import CLASS, DIGIT, byte_at, ellipsis_length, is_end
from rookery.games.tags import NO_RESULT
from rookery.kernel import ONE, U64, ZERO, Word, kernel, word_at

_DOLLAR, _BANG, _QUERY, _STAR, _DOT = (U64(ord(c)) for c in "$!?*.")
_WHITE_WON, _BLACK_WON, _DRAWN = (U64(int.from_bytes(word, "little")) for word in (b"1-0", b"0-1", b"1/2"))
_FULL_HALF = U64(int.from_bytes(b"-1/2", "little"))
_TWO, _THREE, _SEVEN, _TEN = (U64(n) for n in (2, 3, 7, 10))


@kernel
def past_points(text: Any, i: Word, end: Word) -> Word:
    """Behind the points, and signs of three of them, that begin at `i`."""
    while i < end:
        n = ONE if U64(text[i]) == _DOT else ellipsis_length(text, i, end)
        if not n:
            break
        i += n
    return i


@kernel
def result_word(text: Any, i: Word, end: Word, lenient: Word) -> Any:
    """The number of the result that is the word at `i`, and where it ends; or `NO_RESULT`."""
    c = U64(text[i])
    if c == _STAR:
        j = i + ONE
        return (ZERO if is_end(text, j, end, lenient) else NO_RESULT), j
    word = word_at(text, i)
    three = word & U64(0xFFFFFF)
    j = i + _THREE
    found = NO_RESULT
    if three == _WHITE_WON:
        found = ONE
    elif three == _BLACK_WON:
        found = _TWO
    elif three == _DRAWN:
        found = _THREE
        if not is_end(text, j, end, lenient) and (word >> U64(24)) & U64(0xFFFFFFFF) == _FULL_HALF:
            j = i + _SEVEN
    if j > end or not is_end(text, j, end, lenient):
        found = NO_RESULT
    return found, j


@kernel
def nag_end(text: Any, i: Word, end: Word, lenient: Word) -> Word:
    """Behind the annotation glyph at `i`, or 0 if there is none."""
    c = U64(text[i])
    if c in (_BANG, _QUERY):
        d = byte_at(text, i + ONE, end)
        return i + _TWO if d in (_BANG, _QUERY) else i + ONE
    if c != _DOLLAR:
        return ZERO
    j = i + ONE
    while j < end and CLASS[text[j]] == DIGIT:
        j += ONE
    return j if ONE < j - i <= _TEN and is_end(text, j, end, lenient) else ZERO


@kernel
def nag_of(text: Any, i: Word, end: Word) -> Any:
    """Its number."""
    if U64(text[i]) == _DOLLAR:
        value = np.int64(0)
        for j in range(i + ONE, end):
            value = value * 10 + np.int64(text[U64(j)]) - 48
        return value
    first = np.int64(1) if U64(text[i]) == _BANG else np.int64(2)
    if end - i == ONE:
        return first
    second = U64(text[i + ONE]) == _BANG
    if first == 1:
        return np.int64(3 if second else 5)
    return np.int64(6 if second else 4)
