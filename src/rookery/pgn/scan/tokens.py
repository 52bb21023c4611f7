"""Single words of movetext: points behind numbers, results, annotation glyphs."""

from typing import Any

import numpy as np

from rookery.kernel import U64, Word, kernel, word_at
from rookery.pgn.scan.characters import CLASS, DIGIT
from rookery.pgn.scan.signs import byte_at, ellipsis_length, is_end
from rookery.pgn.scan.tags import NO_RESULT

_DOLLAR, _BANG, _QUERY, _STAR, _DOT = b"$!?*."
_WHITE_WON, _BLACK_WON, _DRAWN = (int.from_bytes(word, "little") for word in (b"1-0", b"0-1", b"1/2"))
_FULL_HALF = int.from_bytes(b"-1/2", "little")


@kernel
def past_points(text: Any, i: Word, end: Word) -> Word:
    """Return the place after the periods and ellipses at `i`."""
    while i < end:
        n = 1 if U64(text[i]) == _DOT else ellipsis_length(text, i, end)
        if not n:
            break
        i += n
    return i


@kernel
def result_word(text: Any, i: Word, end: Word, lenient: Word) -> Any:
    """Return the number of the result at `i`, or `NO_RESULT`, and where the word ends."""
    c = U64(text[i])
    if c == _STAR:
        j = i + 1
        return (0 if is_end(text, j, end, lenient) else NO_RESULT), j
    word = word_at(text, i)
    three = word & 0xFFFFFF
    j = i + 3
    found = NO_RESULT
    if three == _WHITE_WON:
        found = 1
    elif three == _BLACK_WON:
        found = 2
    elif three == _DRAWN:
        found = 3
        if not is_end(text, j, end, lenient) and (word >> 24) & 0xFFFFFFFF == _FULL_HALF:
            j = i + 7
    if j > end or not is_end(text, j, end, lenient):
        found = NO_RESULT
    return found, j


@kernel
def nag_end(text: Any, i: Word, end: Word, lenient: Word) -> Word:
    """Return the place after the annotation glyph at `i`, or 0 if there is none."""
    c = U64(text[i])
    if c in (_BANG, _QUERY):
        d = byte_at(text, i + 1, end)
        return i + 2 if d in (_BANG, _QUERY) else i + 1
    if c != _DOLLAR:
        return 0
    j = i + 1
    while j < end and CLASS[text[j]] == DIGIT:
        j += 1
    return j if 1 < j - i <= 10 and is_end(text, j, end, lenient) else 0


@kernel
def nag_of(text: Any, i: Word, end: Word) -> Any:
    """Return the number of the annotation glyph from `i` to `end`."""
    if U64(text[i]) == _DOLLAR:
        value = np.int64(0)
        for j in range(i + 1, end):
            value = value * 10 + np.int64(text[U64(j)]) - 48
        return value
    first = np.int64(1) if U64(text[i]) == _BANG else np.int64(2)
    if end - i == 1:
        return first
    second = U64(text[i + 1]) == _BANG
    if first == 1:
        return np.int64(3 if second else 5)
    return np.int64(6 if second else 4)
