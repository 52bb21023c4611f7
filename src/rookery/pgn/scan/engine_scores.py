"""Comments of engine matches: scores, whose view they are from, and times.

    {+0.35/12 0.45s}                                    cutechess: score, depth, time
    {+0.35/12, 0.450s}  {+0.35/12 0.450s, n=42103}      fastchess: the same, perhaps with more
    {+0.57 17/28 583 363004}                            OpenBench: score, depth and selective depth, time, nodes
    {+M9/20 0.1s}  {-M8/21 0.1s, White mates}           a mate, counted in plies from the position before the move
    {d=24, sd=51, mt=80000, pv=e4 e5, wv=0.19, R50=50,} TCEC: `wv` is the score from White's view
    {book}                                              no score

The programs other than TCEC's write what the engine that has just moved says of itself. Who mates moves last, so its
mates have an odd number of plies, and those of the other side an even one. Other numbers are of moves, as fastchess
wrote them until September 2024. TCEC counts plies, too: in 39 files of its archive (TCEC-Chess/tcecgames 3dd69a40),
173 comments state a mate three plies before it, 158 as ``wv=M3`` and none as ``wv=M2``. cutechess counts from the
position before the move, so ``+M1`` stands behind the move that mates; the evaluation of a game counts the move, too:
it is what the engine said when it moved.

The time that a move took is the number with a unit behind the depth, OpenBench's milliseconds, or ``mt=``; ``tl=`` is
the time left. TCEC writes milliseconds, and wrote ``00:01:20`` before. A comment that is only a time, ``{0.45s}``, is
cutechess's for an engine that stated no score.

A score is doubtful if nothing in the comment says which program wrote it: ``0.35/12 3`` may be ChessBase's, from
White's view, and ``+0.35`` anybody's. It is not read, and reported once a game.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.kernel import U64, Word, array_of, cold_kernel, entry, kernel, trailing_zeros, where_byte, word_at
from rookery.pgn.scan.annotations import MATE
from rookery.pgn.scan.lexing.signs import CLASS, NEWLINE, among, byte_at

NO_VIEW, MOVER, WHITE, DOUBTFUL = range(4)  # whose view a score is from: the side's that has just moved, or White's
_SPACE, _TAB, _PLUS, _MINUS, _DOT, _COMMA, _SLASH, _EQUALS, _HASH, _COLON = b" \t+-.,/=#:"
_M, _SMALL_M, _SMALL_S, _SMALL_A, _SMALL_V, _SMALL_T, _SMALL_L = b"Mmsavtl"
_DIGIT_0 = ord("0")
_TWO_BYTES = 0xFFFF
_WV, _MT, _TL = (int.from_bytes(name, "little") for name in (b"wv", b"mt", b"tl"))
_MOST_DIGITS: Final = 9
_LONGEST_NAME: Final = 8  # of a field, such as ``tl=``

# ``0.35``, as most programs write a score.
_ZERO_SCORE = int.from_bytes(b"0.00", "little")
_FIXED_BITS = int.from_bytes(b"\xf0\xff\xf0\xf0", "little")
_TO_CARRY = int.from_bytes(b"\x06\x00\x06\x06", "little")
_CARRIES = int.from_bytes(b"\xf0\x00\xf0\xf0", "little")
_TENS = 10.0 ** np.arange(8)
_ZEROS, _TO_HIGH, _HIGH = 0x3030303030303030, 0x7676767676767676, 0x8080808080808080


class Stated(NamedTuple):
    """The values that a comment states: pawns, whose view they are from, and seconds; NaN where unknown."""

    pawns: Any
    view: Word
    taken: Any
    left: Any


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
def _seconds(text: Any, i: Word, end: Word, needs_unit: Word) -> Any:
    """Read ``0.45s``, ``338ms``, and without a unit, if none is needed, milliseconds and ``00:01:20``.

    Return seconds, NaN if there are none, and the end. A blank or a comma must follow.
    """
    start, whole, value, scale = i, 0.0, 0.0, 1.0
    has_point, has_colon = U64(0), U64(0)
    while i < end:
        c = U64(text[i])
        if _is_digit(c):
            value = value * 10.0 + np.float64(c - _DIGIT_0)
            scale = scale * 10.0 if has_point else scale
        elif c == _DOT and not has_point:
            has_point = U64(1)
        elif c == _COLON and i > start and _is_digit(U64(text[i - 1])) and not has_point and not needs_unit:
            whole, value, has_colon = (whole + value) * 60.0, 0.0, U64(1)
        else:
            break
        i += 1
    last = i - 2 if i > start + 1 and U64(text[i - 1]) == _DOT else i - 1
    is_number = i > start and _is_digit(U64(text[last]))
    value = whole + value / scale
    unit = byte_at(text, i, end)
    is_milli = unit == _SMALL_M and byte_at(text, i + 1, end) == _SMALL_S
    has_unit = is_milli or unit == _SMALL_S
    if has_unit:
        i += 2 if is_milli else 1
    if is_milli or not (has_unit or has_colon):
        value /= 1000.0
    ends = i >= end or U64(text[i]) == _COMMA or _is_blank(U64(text[i]))
    fits = ends and is_number and (has_unit or not needs_unit) and not (has_unit and has_colon)
    return value if fits else np.nan, i


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
        seconds, _ = _seconds(text, following, end, U64(1))
        return MOVER if seconds == seconds or _begins_field(text, following, end) else DOUBTFUL
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


@kernel
def _number(digits: Word, length: Word) -> Word:
    """Return the number of the digits in the first of eight bytes: they become the last, and are added in three steps.

    There are one to eight of them.
    """
    digits = digits << 8 * (8 - length)
    digits = (digits * 2561) >> 8 & 0x00FF_00FF_00FF_00FF
    digits = (digits * 6_553_601) >> 16 & 0x0000_FFFF_0000_FFFF
    return (digits * 42_949_672_960_001) >> 32


@kernel
def _decimal(text: Any, i: Word) -> Any:
    """Read ``0.45`` of up to seven bytes: its value, NaN for any other text, and its length. Eight bytes are read."""
    # The high bits of bytes that are no digits: the point and what follows.
    signs = word_at(text, i) ^ _ZEROS
    others = (signs | (signs + _TO_HIGH)) & _HIGH
    point, length = trailing_zeros(others) >> 3, trailing_zeros(others & (others - 1)) >> 3
    if not point or length > 7 or U64(text[i + point]) != _DOT:
        return np.nan, length
    before = (U64(1) << 8 * point) - 1
    digits = _number((signs & before) | (signs >> 8 & ~before), length - 1)
    return np.float64(digits) / _TENS[length - point - 1], length


@kernel
def _short_seconds(text: Any, i: Word, end: Word) -> Any:
    """Read ``0.45s`` of up to eight bytes, as `_seconds` does, but faster: seconds, NaN for any other, and the end."""
    value, length = _decimal(text, i)
    stop = i + length + 1
    following = byte_at(text, stop, end)
    ends = stop == end or (stop < end and following in (_COMMA, _SPACE))
    if not ends or value != value or U64(text[i + length]) != _SMALL_S:
        return np.nan, i
    return value, stop


@kernel
def _field_score(text: Any, i: Word, end: Word) -> Any:
    """Read the value of ``wv=`` at `i` as `_score` does; a short one with a point before a comma is read faster."""
    first = U64(text[i])
    sign = first if first in (_PLUS, _MINUS) else U64(0)
    start = i + 1 if sign else i
    value, length = _decimal(text, start)
    stop = start + length
    if value == value and stop < end and U64(text[stop]) == _COMMA and U64(text[stop - 1]) != _DOT:
        return value, U64(0), sign, stop
    return _score(text, i, end)


@kernel
def _field_seconds(text: Any, i: Word, end: Word) -> Any:
    """Read the value of ``mt=`` or ``tl=`` at `i`: milliseconds before a comma, or what `_seconds` reads."""
    signs = word_at(text, i) ^ _ZEROS
    length = trailing_zeros((signs | (signs + _TO_HIGH)) & _HIGH) >> 3
    if length - 1 < 7 and i + length < end and U64(text[i + length]) == _COMMA:
        return np.float64(_number(signs & ((U64(1) << 8 * length) - 1), length)) / 1000.0
    seconds, _ = _seconds(text, i, end, U64(0))
    return seconds


@kernel
def _fields(text: Any, start: Word, end: Word) -> Any:
    """Return the places of the values of ``wv=``, ``mt=`` and ``tl=``, each the first after a comma; 0 if missing."""
    i, score, taken, left = start, U64(0), U64(0), U64(0)
    while i + 1 < end:
        found = where_byte(text, i, _SMALL_V) | where_byte(text, i, _SMALL_T) | where_byte(text, i, _SMALL_L)
        found = among(found & where_byte(text, i + 1, _EQUALS), end - 1 - i)
        while found:
            at: Word = i + trailing_zeros(found)
            found &= found - 1
            name = word_at(text, at - 1) & _TWO_BYTES if at > start else U64(0)
            if name in (_WV, _MT, _TL) and _follows_comma(text, at - 1, start):
                if name == _WV:
                    score = score if score else at + 2
                elif name == _MT:
                    taken = taken if taken else at + 2
                else:
                    left = left if left else at + 2
        i += 64
    return score, taken, left


@kernel
def _times_after(text: Any, i: Word, end: Word) -> Any:
    """Return the seconds taken and left that follow a score at `i`, NaN where they are missing."""
    is_open_bench = byte_at(text, i, end) != _SLASH
    i = _past_digits(text, _past_blanks(text, i, end), end) if is_open_bench else i
    while byte_at(text, i, end) == _SLASH:
        i = _past_digits(text, i + 1, end)
    taken, start = np.nan, i
    if byte_at(text, i, end) == _COMMA and byte_at(text, i + 1, end) == _SPACE:
        taken, start = _short_seconds(text, i + 2, end)
    while i < end and taken != taken:  # fields such as ``n=42103`` may come before
        i = _past_blanks(text, i + 1, end)
        taken, i = _seconds(text, i, end, U64(0) if is_open_bench else U64(1))
        start = i if taken == taken else start
        while i < end and not _is_blank(U64(text[i])):
            i += 1
    if start >= end:
        return taken, np.nan
    _, _, at = _fields(text, start, end)
    if not at:
        return taken, np.nan
    left, _ = _short_seconds(text, at, end)
    if left != left:
        left, _ = _seconds(text, at, end, U64(0))
    return taken, left


@cold_kernel
def engine_score(text: Any, i: Word, end: Word) -> Stated:
    """Return what a comment from `i` to `end` states: the score that it begins with, or ``wv=``, and times.

    64 bytes after `end` may be read.
    """
    i = _past_blanks(text, i, end)
    c = byte_at(text, i, end)
    if c in (_PLUS, _MINUS, _M, _HASH, _DOT) or _is_digit(c):
        value, mate, sign, stop = _score(text, i, end)
        if not stop:
            taken, stop = _seconds(text, i, end, U64(1))
            is_alone = _past_blanks(text, stop, end) >= end
            return Stated(0.0, U64(NO_VIEW), taken if is_alone else np.nan, np.nan)
        view = U64(_view_by_rest(text, stop, end, U64(1) if sign or mate or value == 0.0 else U64(0)))
        if view == DOUBTFUL and stop >= end and not sign:
            view = U64(NO_VIEW)  # a number
        taken, left = np.nan, np.nan
        if view == MOVER:
            taken, left = _times_after(text, stop, end)
        elif view == NO_VIEW and not sign and not mate:
            taken, stop = _seconds(text, i, end, U64(1))
            taken = taken if _past_blanks(text, stop, end) >= end else np.nan
        is_even = np.floor(value / 2.0) * 2.0 == value
        is_in_moves = mate and is_even != (sign == _MINUS)
        if view == MOVER and (is_in_moves or _is_too_great(value, mate)):
            view = U64(DOUBTFUL)
        return Stated(_pawns(value, mate, sign), view, taken, left)
    if not _begins_field(text, i, end):
        return Stated(0.0, U64(NO_VIEW), np.nan, np.nan)
    score_at, taken_at, left_at = _fields(text, i, end)
    taken, left = np.nan, np.nan
    if taken_at:
        taken = _field_seconds(text, taken_at, end)
    if left_at:
        left = _field_seconds(text, left_at, end)
    if not score_at:
        return Stated(0.0, U64(NO_VIEW), taken, left)
    value, mate, sign, stop = _field_score(text, score_at, end)
    following = byte_at(text, stop, end)
    ends = stop and (stop >= end or following == _COMMA or _is_blank(following))
    view = U64(DOUBTFUL if _is_too_great(value, mate) else WHITE)
    return Stated(_pawns(value, mate, sign), view if ends else U64(NO_VIEW), taken, left)


@kernel
def states_nothing(stated: Stated) -> Any:
    """Check whether a comment states no score whose view is known, and no time."""
    return stated.view in (NO_VIEW, DOUBTFUL) and stated.taken != stated.taken and stated.left != stated.left


@kernel
def _usual_time(text: Any, i: Word, end: Word) -> Any:
    """Return the seconds of ``/12 0.45s`` at `i` if the comment ends there, else NaN; a few bytes after are read."""
    more = _is_digit(U64(text[i + 2]))
    stop = i + 2 + more + (more & _is_digit(U64(text[i + 3])))
    if U64(text[i]) != _SLASH or not _is_digit(U64(text[i + 1])) or U64(text[stop]) != _SPACE:
        return np.nan
    seconds, stop = _short_seconds(text, stop + 1, end)
    return seconds if stop == end else np.nan


@kernel
def usual_score(text: Any, i: Word, end: Word) -> Any:
    """Return what a comment states that begins like ``+0.35/12 0.45s``, and whether it is one.

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
        return Stated(0.0, U64(NO_VIEW), np.nan, np.nan), U64(0)
    hundredths = tens * 1000 + (signs & 15) * 100 + ((signs >> 16) & 15) * 10 + ((signs >> 24) & 15)
    taken, left = _usual_time(text, i + 4, end), np.nan
    fits = U64(1)
    if taken != taken:
        is_sure = has_sign if hundredths else U64(1)
        fits = U64(1) if _view_by_rest(text, i + 4, end, is_sure) == MOVER else U64(0)
        if fits:
            taken, left = _times_after(text, i + 4, end)
    return Stated(_pawns(np.float64(hundredths) / 100.0, 0, sign), U64(MOVER), taken, left), fits


@kernel
def may_be_score(text: Any, i: Word, end: Word) -> Word:
    """Check quickly whether a comment may have a score of an engine match: nearly all others are left out."""
    while i < end and _is_blank(U64(text[i])):
        i += 1
    if i + 4 > end:
        return 1 if i + 2 < end else 0
    c = U64(text[i])
    if _is_digit(c) or c in (_PLUS, _MINUS, _M, _HASH, _DOT):
        return 1
    return 1 if U64(text[i + 1]) == _EQUALS or U64(text[i + 2]) == _EQUALS or U64(text[i + 3]) == _EQUALS else 0


@entry(examples=lambda: (array_of(np.uint8), 0, array_of(np.float64)))
def read_score(text: Any, size: Any, out: Any) -> None:
    """Write what a comment states, see `Stated`; 64 bytes after the text are read."""
    stated = engine_score(text, U64(0), U64(size))
    out[0], out[1], out[2], out[3] = stated.pawns, np.float64(stated.view), stated.taken, stated.left
