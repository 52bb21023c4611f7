"""Single words of movetext: points behind numbers, results, annotation glyphs."""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, Word, kernel, word_at
from rookery.pgn.scan.lexing.signs import CLASS, DIGIT, byte_at, ellipsis_length, is_end, wide_glyph, wide_sign
from rookery.pgn.scan.lexing.vocabulary import NO_RESULT
from rookery.results import BLACK_WON, DRAWN, HALF, WHITE_WON

_DOLLAR, _BANG, _QUERY, _STAR, _DOT, _SPACE, _LF, _CR, _SEMICOLON = b"$!?*. \n\r;"
_WHITE_WON, _BLACK_WON, _DRAWN, _DRAWN_IN_FULL = (
    int.from_bytes(word.encode(), "little") for word in (WHITE_WON, BLACK_WON, HALF, DRAWN)
)
_THREE_BYTES, _SEVEN_BYTES = (1 << 24) - 1, (1 << 56) - 1
_EVENT = int.from_bytes(b"[Event ", "little")
_LOOKED_BACK: Final = 200
_WIDE: Final = 0xE2
# The glyphs of the characters ``‼`` (E2 80 BC), ``⁇``, ``⁈`` and ``⁉`` (E2 81 87 and on), by the last four bits.
_WIDE_NAGS: Final = np.array([0, 0, 0, 0, 0, 0, 0, 4, 6, 5, 0, 0, 3, 0, 0, 0], np.int64)
_FULL_HALF = int.from_bytes(DRAWN[3:].encode(), "little")


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
        return i + 3 if lenient and c == _WIDE and wide_glyph(wide_sign(text, i, end)) else 0
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
    if U64(text[i]) == _WIDE:
        return _WIDE_NAGS[U64(text[i + 2]) & 15]
    first = np.int64(1) if U64(text[i]) == _BANG else np.int64(2)
    if end - i == 1:
        return first
    second = U64(text[i + 1]) == _BANG
    if first == 1:
        return np.int64(3 if second else 5)
    return np.int64(6 if second else 4)


@kernel
def _ends_with_result(text: Any, end: Word) -> Any:
    """Check whether the last word of the line that ends at `end` is a result outside a ``;`` comment."""
    length = 0
    if U64(text[end - 1]) == _STAR:
        length = 1
    elif end >= 7 and word_at(text, end - 7) & _SEVEN_BYTES == _DRAWN_IN_FULL:
        length = 7
    elif end >= 3 and word_at(text, end - 3) & _THREE_BYTES in (_WHITE_WON, _BLACK_WON, _DRAWN):
        length = 3
    if not length:
        return False
    i = end - length
    if i and U64(text[i - 1]) not in (_SPACE, _LF, _CR):
        return False
    looked = 0
    while i and looked < U64(_LOOKED_BACK):
        i -= 1
        looked += 1
        c = U64(text[i])
        if c in (_LF, _CR):
            break
        if c == _SEMICOLON:
            return False
    return True


@kernel
def begins_game(text: Any, i: Word) -> Any:
    """Check for ``[Event`` at `i` after a result and an empty line."""
    if word_at(text, i) & _SEVEN_BYTES != _EVENT:
        return False
    newlines = 0
    while i and U64(text[i - 1]) in (_LF, _CR):
        i -= 1
        newlines += 1 if U64(text[i]) == _LF else 0
    return i > 0 and 2 <= newlines <= 3 and _ends_with_result(text, i)
