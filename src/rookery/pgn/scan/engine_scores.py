"""Scores that programs of engine matches write in comments: the one place that decides whose view they are from.

    {+0.35/12 0.45s}                                    cutechess: score, depth, time
    {+0.35/12, 0.450s}  {+0.35/12 0.450s, n=42103}      fastchess: the same, perhaps with more
    {+0.57 17/28 583 363004}                            OpenBench: score, depth and selective depth, time, nodes
    {+M9/20 0.1s}  {-M8/21 0.1s, White mates}           a mate, counted in plies from the position before the move
    {d=24, sd=51, mt=80000, pv=e4 e5, wv=0.19, R50=50,} TCEC: `wv` is the score from White's view
    {book}                                              no score

The programs other than TCEC's write what the engine that has just moved says of itself. Who mates moves last, so its
mates have an odd number of plies, and those of the other side an even one. Other numbers are of moves, as fastchess
wrote them until September 2024. cutechess counts from the position before the move, so ``+M1`` stands behind the move
that mates; the evaluation of a game counts the move, too: it is what the engine said when it moved.

A score is doubtful if nothing in the comment says which program wrote it: ``0.35/12 3`` may be ChessBase's, from
White's view, and ``+0.35`` anybody's. It is not read, and reported once a game.
"""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, Word, array_of, cold_kernel, entry, kernel, trailing_zeros, where_byte, word_at
from rookery.pgn.scan.annotations import MATE
from rookery.pgn.scan.lexing.signs import CLASS, NEWLINE, among, byte_at

NO_VIEW, MOVER, WHITE, DOUBTFUL = range(4)  # whose view a score is from: the side's that has just moved, or White's
_SPACE, _TAB, _PLUS, _MINUS, _DOT, _COMMA, _SLASH, _EQUALS, _HASH = b" \t+-.,/=#"
_M, _SMALL_M, _SMALL_S, _SMALL_A, _SMALL_W = b"Mmsaw"
_DIGIT_0 = ord("0")
_THREE_BYTES, _WV = 0xFF_FFFF, int.from_bytes(b"wv=", "little")
_MOST_DIGITS: Final = 9
_LONGEST_NAME: Final = 8  # of a field, such as ``tl=``

# ``0.35``, as most programs write a score.
_ZERO_SCORE = int.from_bytes(b"0.00", "little")
_FIXED_BITS = int.from_bytes(b"\xf0\xff\xf0\xf0", "little")
_TO_CARRY = int.from_bytes(b"\x06\x00\x06\x06", "little")
_CARRIES = int.from_bytes(b"\xf0\x00\xf0\xf0", "little")
_ZEROS, _TO_HIGH, _HIGH = 0x3030303030303030, 0x7676767676767676, 0x8080808080808080


@kernel
def _is_digit(c: Word) -> Word:
    return 1 if c - _DIGIT_0 <= 9 else 0


@kernel
def _is_blank(c: Word) -> Word:
    return 1 if c in (_SPACE, _TAB) or CLASS[c] == NEWLINE else 0


@kernel
def _past_blanks(text: Any, i: Word, end: Word) -> Word:
    while i < end and _is_blank(U64(text[i])):
        i += 1
    return i


@kernel
def _past_digits(text: Any, i: Word, end: Word) -> Word:
    while i < end and _is_digit(U64(text[i])):
        i += 1
    return i


@kernel
def _begins_field(text: Any, i: Word, end: Word) -> Word:
    """Check for a name and an equals sign, such as ``n=``."""
    start = i
    while i < end and i < start + _LONGEST_NAME and (U64(text[i]) | 32) - _SMALL_A < 26:
        i += 1
    # Names such as ``R50`` end with digits.
    i = _past_digits(text, i, end) if i > start else i
    return 1 if i > start and byte_at(text, i, end) == _EQUALS else 0


@kernel
def _follows_comma(text: Any, i: Word, start: Word) -> Word:
    """Check whether a field begins at `i`: at `start`, or after a comma and blanks."""
    while i > start and _is_blank(U64(text[i - 1])):
        i -= 1
    return 1 if i == start or U64(text[i - 1]) == _COMMA else 0


@cold_kernel
def _score(text: Any, i: Word, end: Word) -> Any:
    """Read ``+0.35``, ``-M8`` or ``#5``.

    Return pawns or, of a mate, plies, both without a sign; whether it is a mate; the sign, or 0; and the end, 0 if
    there is no score. Pawns need a decimal point.
    """
    sign = byte_at(text, i, end)
    sign = sign if sign in (_PLUS, _MINUS) else U64(0)
    i += 1 if sign else 0
    mate = U64(1) if byte_at(text, i, end) in (_M, _HASH) else U64(0)
    i += mate
    start, value = i, 0.0
    while i < end and i < start + _MOST_DIGITS and _is_digit(U64(text[i])):
        value = value * 10.0 + np.float64(U64(text[i]) - _DIGIT_0)
        i += 1
    if i == start:
        return 0.0, mate, sign, U64(0)
    if not mate:
        if byte_at(text, i, end) != _DOT:
            return 0.0, mate, sign, U64(0)
        i += 1
        start, scale = i, 1.0
        while i < end and i < start + _MOST_DIGITS and _is_digit(U64(text[i])):
            value = value * 10.0 + np.float64(U64(text[i]) - _DIGIT_0)
            scale *= 10.0
            i += 1
        value /= scale
        if i == start:
            return 0.0, mate, sign, U64(0)
    return value, mate, sign, i


@kernel
def _pawns(value: Any, mate: Word, sign: Word) -> Any:
    """Return a score in pawns; a mate is counted in moves there."""
    if mate:
        value = max(MATE - np.floor((value + 1.0) / 2.0), MATE / 2.0)
    return 0.0 - value if sign == _MINUS else value


@kernel
def _is_too_great(value: Any, mate: Word) -> Any:
    """Check for pawns that would be taken for a mate."""
    return not mate and value >= MATE / 2.0


@kernel
def _is_time(text: Any, i: Word, end: Word) -> Word:
    """Check for a number of seconds or milliseconds with its unit."""
    start = i
    i = _past_digits(text, i, end)
    if byte_at(text, i, end) == _DOT:
        i = _past_digits(text, i + 1, end)
    if i == start:
        return 0
    i += 1 if byte_at(text, i, end) == _SMALL_M else 0
    return 1 if byte_at(text, i, end) == _SMALL_S else 0


@kernel
def _view_by_rest(text: Any, i: Word, end: Word, is_sure: Word) -> Word:
    """Return the view of a score by what follows it at `i`; a score alone or with its depth is the mover's if sure."""
    c = byte_at(text, i, end)
    if c == _SLASH:
        stop = _past_digits(text, i + 1, end)
        if stop == i + 1:
            return NO_VIEW
        if byte_at(text, stop, end) == _SLASH:  # nodes, as fastchess wrote them once
            start, stop = stop + 1, _past_digits(text, stop + 1, end)
            if stop == start:
                return NO_VIEW
        following = _past_blanks(text, stop, end)
        if following >= end:
            return MOVER if is_sure else DOUBTFUL
        if U64(text[stop]) == _COMMA:
            return MOVER
        if following == stop:
            return NO_VIEW
        return MOVER if _is_time(text, following, end) or _begins_field(text, following, end) else DOUBTFUL
    following = _past_blanks(text, i, end)
    if following >= end:
        return DOUBTFUL
    if following == i:
        return NO_VIEW
    # OpenBench's depths, followed by two numbers.
    stop = _past_digits(text, following, end)
    if stop == following or byte_at(text, stop, end) != _SLASH:
        return NO_VIEW
    following = _past_blanks(text, _past_digits(text, stop + 1, end), end)
    stop = _past_digits(text, following, end)
    nodes = _past_blanks(text, stop, end)
    return MOVER if stop > following and nodes > stop and _past_digits(text, nodes, end) > nodes else DOUBTFUL


@cold_kernel
def engine_score(text: Any, i: Word, end: Word) -> Any:
    """Return the score that a comment from `i` to `end` begins with or states as ``wv=``: pawns, and whose view.

    64 bytes after `end` may be read.
    """
    i = _past_blanks(text, i, end)
    c = byte_at(text, i, end)
    if c in (_PLUS, _MINUS, _M, _HASH) or _is_digit(c):
        value, mate, sign, stop = _score(text, i, end)
        if not stop:
            return 0.0, U64(NO_VIEW)
        view = U64(_view_by_rest(text, stop, end, U64(1) if sign or mate or value == 0.0 else U64(0)))
        if view == DOUBTFUL and stop >= end and not sign:
            view = U64(NO_VIEW)  # a number
        is_even = np.floor(value / 2.0) * 2.0 == value
        is_in_moves = mate and is_even != (sign == _MINUS)
        if view == MOVER and (is_in_moves or _is_too_great(value, mate)):
            view = U64(DOUBTFUL)
        return _pawns(value, mate, sign), view
    if not _begins_field(text, i, end):
        return 0.0, U64(NO_VIEW)
    start = i
    while i < end:
        found = among(where_byte(text, i, _SMALL_W), end - i)
        i += trailing_zeros(found)  # 64 if there is none
        if found and word_at(text, i) & _THREE_BYTES == _WV and _follows_comma(text, i, start):
            value, mate, sign, stop = _score(text, i + 3, end)
            following = byte_at(text, stop, end)
            ends = stop and (stop >= end or following == _COMMA or _is_blank(following))
            view = U64(DOUBTFUL if _is_too_great(value, mate) else WHITE)
            return _pawns(value, mate, sign), view if ends else U64(NO_VIEW)
        i += 1 if found else 0
    return 0.0, U64(NO_VIEW)


@kernel
def _is_usual_rest(text: Any, i: Word, end: Word) -> Word:
    """Check whether ``/12 0.45s`` or ``/12,`` is at `i`; a few bytes after `end` are read."""
    more = _is_digit(U64(text[i + 2]))
    stop = i + 2 + more + (more & _is_digit(U64(text[i + 3])))
    following = U64(text[stop])
    time = word_at(text, stop + 1)
    # The high bits of bytes that are no digits: the point and the unit.
    signs = time ^ _ZEROS
    others = (signs | (signs + _TO_HIGH)) & _HIGH
    unit = others & (others - 1)
    point = (time >> (trailing_zeros(others) & 56)) & 0xFF == _DOT
    is_time = others & 0x80 == 0 and point and unit and (time >> (trailing_zeros(unit) & 56)) & 0xFF == _SMALL_S
    fits = stop < end and (following == _COMMA or (following == _SPACE and is_time))
    return 1 if U64(text[i]) == _SLASH and _is_digit(U64(text[i + 1])) and fits else 0


@kernel
def usual_score(text: Any, i: Word, end: Word) -> Any:
    """Return the pawns of a comment that begins like ``+0.35/12 0.45s``, and whether it is one.

    Its score has two decimals and is the mover's. `engine_score` reads all others. A brace must stand at `end`.
    """
    sign = U64(text[i])
    has_sign = U64(1) if (sign == _PLUS) | (sign == _MINUS) else U64(0)
    i += has_sign
    tens = U64(0)
    if U64(text[i + 1]) != _DOT:
        tens = U64(text[i]) - _DIGIT_0
        i += 1
    signs = (word_at(text, i) ^ _ZERO_SCORE) & 0xFFFF_FFFF
    if ((signs & _FIXED_BITS) | ((signs + _TO_CARRY) & _CARRIES)) or tens > 9 or _is_digit(U64(text[i + 4])):
        return 0.0, U64(0)
    hundredths = tens * 1000 + (signs & 15) * 100 + ((signs >> 16) & 15) * 10 + ((signs >> 24) & 15)
    fits = _is_usual_rest(text, i + 4, end)
    if not fits:
        is_sure = has_sign if hundredths else U64(1)
        fits = U64(1) if _view_by_rest(text, i + 4, end, is_sure) == MOVER else U64(0)
    return _pawns(np.float64(hundredths) / 100.0, 0, sign), fits


@kernel
def may_be_score(text: Any, i: Word, end: Word) -> Word:
    """Check quickly whether a comment may have a score of an engine match: nearly all others are left out."""
    while i < end and _is_blank(U64(text[i])):
        i += 1
    if i + 4 > end:
        return 1 if i + 2 < end else 0
    c = U64(text[i])
    if _is_digit(c) or c in (_PLUS, _MINUS, _M, _HASH):
        return 1
    return 1 if U64(text[i + 1]) == _EQUALS or U64(text[i + 2]) == _EQUALS or U64(text[i + 3]) == _EQUALS else 0


@entry(examples=lambda: (array_of(np.uint8), 0, array_of(np.float64)))
def read_score(text: Any, size: Any, out: Any) -> None:
    """Write the pawns of the score of a comment, and whose view they are from; 64 bytes after the text are read."""
    pawns, view = engine_score(text, U64(0), U64(size))
    out[0] = pawns
    out[1] = np.float64(view)
