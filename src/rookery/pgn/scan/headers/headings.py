"""Compiled code that takes headers apart: lines of ``[Name "value"]``, and their names known."""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.kernel import U64, UNIVERSE, Word, called_kernel, kernel, trailing_zeros, where_byte, word_at, wrapping
from rookery.pgn.scan.lexing.signs import among, blank_length, byte_at, bytes_that, length_before, past_blanks
from rookery.pgn.scan.lexing.vocabulary import (
    CHESS960,
    CLASSICAL,
    ESCAPED,
    KNOWN,
    NO_RESULT,
    OTHER_RESULTS,
    RESULTS,
    UNKNOWN,
    packed,
)
from rookery.sources.formats import TAG_NAME

_QUOTE, _BACKSLASH, _CLOSE, _SPACE, _LF, _CR = b'"\\] \n\r'
_A = ord("a")
_LONGEST: Final = 16
_MULTIPLIER = 0x9E3779B97F4A7C15
_PRIME = 0xC2B2AE3D27D4EB4F
_SHIFT = 56


_BEGINS, _GOES_ON = bytes_that(TAG_NAME), bytes_that(TAG_NAME, after="A")


@kernel
def _mixed(first: Word, last: Word, length: Word) -> Word:
    return ((first ^ (last * _PRIME) ^ length) * _MULTIPLIER) >> _SHIFT


def _words(name: str) -> tuple[int, int]:
    """Return the first eight bytes of a name and the last eight, or the whole name twice."""
    code = name.encode()
    return int.from_bytes(code[:8], "little"), int.from_bytes(code[-8:], "little")


def _table_of_names() -> Any:
    """Return 256 rows, indexed by a name's hash: the name's first and last bytes, its length and its number."""
    table = np.zeros((256, 4), U64)
    table[:, 3] = UNKNOWN
    with wrapping():
        for number, name in enumerate(KNOWN):
            words = _words(name)
            place = int(_mixed(U64(words[0]), U64(words[1]), U64(len(name))))
            while table[place, 2]:
                place = (place + 1) % 256
            table[place] = (*words, len(name), number)
    return table


_NAMES: Final = _table_of_names()


class Tag(NamedTuple):
    """The places of a tag's name and value and of its end; 0 if there is no tag."""

    name: Word
    name_end: Word
    value: Word
    value_end: Word
    escaped: Word
    end: Word


@kernel
def _no_tag() -> Tag:
    return Tag(0, 0, 0, 0, 0, 0)


@kernel
def _before_blanks(text: Any, i: Word, start: Word) -> Word:
    """Back from `i` over blanks."""
    while i > start:
        n = length_before(text, i, start)
        if blank_length(text, i - n, i) != n:
            break
        i -= n
    return i


@called_kernel
def tag_at(text: Any, i: Word, stop: Word) -> Tag:
    """Return the tag that begins with the bracket at `i`, on a line that ends at `stop`."""
    i = past_blanks(text, i + 1, stop)
    name = i
    if not _BEGINS[byte_at(text, i, stop)]:
        return _no_tag()
    while i < stop and _GOES_ON[text[i]]:
        i += 1
    name_end = i
    i = past_blanks(text, i, stop)
    if byte_at(text, i, stop) != _QUOTE:
        return _no_tag()
    value = i + 1
    i = value
    escaped = 0
    while i < stop:
        found = among(where_byte(text, i, _QUOTE) | where_byte(text, i, _BACKSLASH), stop - i)
        if not found:
            i += 64
            continue
        i += trailing_zeros(found)
        if U64(text[i]) == _QUOTE:
            break
        escaped = ESCAPED
        i += 2
    if i < stop:
        end = past_blanks(text, i + 1, stop)
        if byte_at(text, end, stop) == _CLOSE:
            return Tag(name, name_end, value, i, escaped, end + 1)
    # Many programs write quotes and backslashes as they are.
    end = _before_blanks(text, stop, value)
    if end > value and U64(text[end - 1]) == _CLOSE:
        end = _before_blanks(text, end - 1, value)
        if end > value and U64(text[end - 1]) == _QUOTE:
            return Tag(name, name_end, value, end - 1, 0, stop)
    return _no_tag()


@kernel
def number_of(text: Any, i: Word, end: Word) -> Word:
    """Return the number of a known name, or `UNKNOWN`."""
    length = end - i
    if length > U64(_LONGEST):
        return UNKNOWN
    first = word_at(text, i)
    if length < 8:
        first &= UNIVERSE >> (64 - (length << 3))
        last = first
    else:
        last = word_at(text, end - 8)
    place = _mixed(first, last, length)
    while _NAMES[place, 2]:
        if _NAMES[place, 0] == first and _NAMES[place, 1] == last and _NAMES[place, 2] == length:
            return _NAMES[place, 3]
        place = (place + 1) & 255
    return UNKNOWN


@kernel
def plain_tag(text: Any, i: Word) -> Any:
    """Return the tag that begins with the bracket at `i`, and the number of its name, if the tag is plain.

    A plain tag has a name of ASCII letters, a blank and a value without escapes, alone on a line that ends within 64
    bytes. Nearly all are plain. For others the tag ends at 0.
    """
    quotes = where_byte(text, i, _QUOTE)
    opens, closes = trailing_zeros(quotes), trailing_zeros(quotes & (quotes - 1))
    stops = where_byte(text, i, _LF) | where_byte(text, i, _CR) | where_byte(text, i, _BACKSLASH)
    stop = trailing_zeros(stops)
    if stops and stop == closes + 2 and U64(text[i + stop - 1]) == _CLOSE and U64(text[i + stop]) != _BACKSLASH:
        name_end = trailing_zeros(where_byte(text, i, _SPACE))
        if name_end + 1 == opens:
            known = number_of(text, i + 1, i + name_end)
            k = i + 1
            while known == UNKNOWN and k < i + name_end and (U64(text[k]) | 32) - _A < 26:
                k += 1
            if known != UNKNOWN or (k == i + name_end and name_end > 1):
                return Tag(i + 1, i + name_end, i + opens + 1, i + closes, 0, i + stop), known
    return _no_tag(), UNKNOWN


@kernel
def same(text: Any, a: Word, a_end: Word, b: Word, b_end: Word) -> Word:
    """Check whether two ranges of the text hold the same bytes."""
    if a_end - a != b_end - b:
        return 0
    while a < a_end:
        if text[a] != text[b]:
            return 0
        a += 1
        b += 1
    return 1


@kernel
def hash_of(text: Any, i: Word, end: Word) -> Word:
    """Return a hash of a name, of at least its first and last bytes."""
    value = end - i
    if value >= 8 and value <= U64(_LONGEST):
        value = (word_at(text, i) ^ (word_at(text, end - 8) * _PRIME) ^ value) * _MULTIPLIER
        return value ^ value >> 29
    while i < end:
        value = (value ^ U64(text[i])) * _MULTIPLIER
        value ^= value >> 29
        i += 1
    return value


_VARIANTS, _VARIANT_ENDS = packed(CHESS960 + CLASSICAL)


_RESULTS, _RESULT_ENDS = packed((*RESULTS, *OTHER_RESULTS))
_RESULT_OF: Final = np.array([*range(len(RESULTS)), *map(RESULTS.index, OTHER_RESULTS.values())], U64)


@kernel
def place_among(text: Any, i: Word, end: Word, words: Any, ends: Any, case: Word) -> Word:
    """Return the index of the word that a range of the text equals, or the number of words if it equals none."""
    n = U64(ends.size - 1)
    for number in range(n):
        k = U64(number)
        j = ends[k]
        if end - i != ends[k + 1] - j:
            continue
        equal = True
        for x in range(end - i):
            c = U64(text[i + U64(x)])
            if case and c - 65 < 26:
                c |= 32
            if c != U64(words[j + U64(x)]):
                equal = False
                break
        if equal:
            return k
    return n


@kernel
def variant_at(text: Any, i: Word, end: Word) -> Word:
    """Return 0 for classical chess, 1 for Chess960, and 2 for anything else."""
    k = place_among(text, i, end, _VARIANTS, _VARIANT_ENDS, 1)
    return 1 if k < U64(len(CHESS960)) else 0 if k < U64(len(CHESS960) + len(CLASSICAL)) else 2


@kernel
def result_at(text: Any, i: Word, end: Word) -> Word:
    """Return the number of a result, or `NO_RESULT`."""
    k = place_among(text, i, end, _RESULTS, _RESULT_ENDS, 0)
    return _RESULT_OF[k] if k < U64(_RESULT_OF.size) else NO_RESULT
