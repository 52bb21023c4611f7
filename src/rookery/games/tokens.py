"""Single words of movetext: plain moves and numbers by eight bytes at once, results, annotation glyphs."""

from typing import Any, Final

import numpy as np

from rookery.bits import bit
from rookery.games.signs import (
    CLASS,
    DIGIT,
    ENDS,
    byte_at,
    ellipsis_length,
    is_end,
)
from rookery.games.tags import (
    NO_RESULT,
)
from rookery.kernel import ONE, U64, UNIVERSE, ZERO, Word, kernel, trailing_zeros, word_at
from rookery.rules.san_spelling import (
    KIND_OF_LETTER,
    KING,
    NO_MOVE,
    PAWN,
    Spelled,
    file_of,
    rank_of,
)

_DOLLAR, _BANG, _QUERY, _STAR, _DOT = (U64(ord(c)) for c in "$!?*.")
_X, _A, _DIGIT_1, _PLUS, _HASH = (U64(ord(c)) for c in "xa1+#")
_WHITE_WON, _BLACK_WON, _DRAWN = (U64(int.from_bytes(word, "little")) for word in (b"1-0", b"0-1", b"1/2"))
_FULL_HALF = U64(int.from_bytes(b"-1/2", "little"))
_TWO, _THREE, _FOUR, _FIVE, _SEVEN, _EIGHT, _TEN, _16, _64 = (U64(n) for n in (2, 3, 4, 5, 7, 8, 10, 16, 64))
_LOW = U64(0x2D2D2D2D2D2D2D2D)  # below are what ends a move's text: blanks, signs of check, !, $, brackets
_HIGH = U64(0x8080808080808080)
_LAST_RANKS = U64(0xFF000000000000FF)


def _masks() -> Any:
    """Where a piece may come from by the second sign of its text, and by the third; the second alone, or both told."""
    table = np.zeros((3, 256), U64)
    table[[0, 2], ord("x")] = table[[0, 2], ord("-")] = UNIVERSE
    for n in range(8):
        table[0, ord("a") + n] = table[1, ord("a") + n] = file_of(U64(n))
        table[:, ord("1") + n] = rank_of(U64(n))
    return table


_MASKS: Final = _masks()


@kernel
def short_move(text: Any, i: Word, c: Word) -> Any:
    """A plain move by the eight bytes from `i` on, which are there: what it says, and where the word ends."""
    word = word_at(text, i)
    ends = (word - _LOW) & ~word & _HIGH
    bits = (trailing_zeros(ends) - _SEVEN) if ends else _64
    length = bits >> U64(3)
    kind = U64(KIND_OF_LETTER[c])
    pawn = kind > KING  # a file
    f, r = ((word >> (bits - _16)) & U64(255)) - _A, ((word >> (bits - _EIGHT)) & U64(255)) - _DIGIT_1
    second, third = (word >> _EIGHT) & U64(255), (word >> _16) & U64(255)
    to = r << U64(3) | f
    if pawn:
        told = length == _TWO or (length == _FOUR and second == _X)
        mask = file_of(c - _A)
        mask = mask if told and not bit(to & U64(63)) & _LAST_RANKS else ZERO
    else:
        mask = UNIVERSE if length == _THREE else ZERO
        mask = _MASKS[0, second] if length == _FOUR else mask
        mask = _MASKS[1, second] & _MASKS[2, third] if length == _FIVE else mask
    end = i + length
    following = U64(text[end])
    if following in (_PLUS, _HASH):
        end += ONE
        following = U64(text[end])
    if f > _SEVEN or r > _SEVEN or not ENDS[following]:
        mask = ZERO
    return Spelled(ONE if mask else NO_MOVE, PAWN if pawn else kind, to & U64(63), mask, ZERO), end


@kernel
def short_number(text: Any, i: Word) -> Word:
    """Behind a number of up to three digits and its points, or 0."""
    j = i + ONE
    while j < i + _FOUR and CLASS[text[j]] == DIGIT:
        j += ONE
    if U64(text[j]) != _DOT:
        return ZERO
    j += ONE
    while j < i + _EIGHT and U64(text[j]) == _DOT:
        j += ONE
    return j if U64(text[j]) < U64(0x80) and U64(text[j]) != _DOT else ZERO


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
def result_word(text: Any, i: Word, end: Word) -> Any:
    """The number of the result that is the word at `i`, and where it ends; or `NO_RESULT`."""
    c = U64(text[i])
    if c == _STAR:
        j = i + ONE
        return (ZERO if is_end(text, j, end) else NO_RESULT), j
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
        if not is_end(text, j, end) and (word >> U64(24)) & U64(0xFFFFFFFF) == _FULL_HALF:
            j = i + _SEVEN
    if j > end or not is_end(text, j, end):
        found = NO_RESULT
    return found, j


@kernel
def nag_end(text: Any, i: Word, end: Word) -> Word:
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
    return j if ONE < j - i <= _TEN and is_end(text, j, end) else ZERO


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
