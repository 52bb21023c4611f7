"""Comments: where they end, and what programs write in them: clocks, evaluations, the time a move took."""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.kernel import U64, Word, cold_kernel, kernel, trailing_zeros, where_byte, word_at
from rookery.pgn.scan.lexing.signs import (
    CLASS,
    NEWLINE,
    among,
    blank_length,
    byte_at,
    length_before,
    mark_length,
    past_blanks,
)
from rookery.pgn.scan.lexing.tokens import begins_game
from rookery.pgn.scan.lexing.vocabulary import MARK

MARK_LENGTH = len(MARK)
_MARK_BEGINS, _MARK_ENDS = (int.from_bytes(part.encode(), "little") for part in (MARK[:8], MARK[-8:]))
MATE: Final = 1000.0  # a mate in n moves is 1000 - n pawns, or n - 1000 for the other side

_OPEN, _CLOSE, _BRACE, _PERCENT, _HASH, _DOT, _MINUS, _PLUS, _COLON, _COMMA = b"[]}%#.-+:,"
_OPEN_BRACE = ord("{")
_DIGIT_0 = ord("0")
_FOUR_BYTES, _FIVE_BYTES = 0xFFFF_FFFF, 0xFF_FFFF_FFFF
_EVENT = int.from_bytes(b"Event", "little")
_CLK, _EMT, _EVAL = (int.from_bytes(name, "little") for name in (b"clk", b"emt", b"eval"))
_THREE_BYTES, _SEVEN_BYTES = 0xFF_FFFF, 0xFF_FFFF_FFFF_FFFF
_MOST_DIGITS = 15  # that a number of 64 bits holds exactly
_MOST_DIGITS_OF_DEPTH = 9
_TOO_MANY_HOURS = 10.0  # on a clock
SHORT, MINUTES = 1, 2  # times of two parts, see `_time`

# ``{ [%clk 0:05:00] }``, as Lichess writes it, and ``{[%clk 0:05:00]}``.
_WIDE_CLOCK = int.from_bytes(b"{ [%clk ", "little")
_NARROW_CLOCK = int.from_bytes(b"{[%clk ", "little")
_ZERO_CLOCK = int.from_bytes(b"0:00:00", "little")
_FIXED_BITS = int.from_bytes(b"\xf0\xff\xf0\xf0\xff\xf0\xf0\xff", "little")
_TO_CARRY = int.from_bytes(b"\x06\x00\x0a\x06\x00\x0a\x06\x00", "little")  # tens are at most 5
_CARRIES = int.from_bytes(b"\xf0\x00\xf0\xf0\x00\xf0\xf0\x00", "little")
_WIDE_END = int.from_bytes(b" }", "little")


class Annotations(NamedTuple):
    """The clock (seconds), evaluation (pawns) and elapsed time (seconds) of a comment, NaN where it has none.

    A time of two parts is read as minutes and seconds. If it may be hours and minutes, `clock_at` or `elapsed_at` is
    the place of its first byte, and else 0. `has_minutes` is whether a clock has two parts that cannot be.
    """

    clock: Any
    evaluation: Any
    elapsed: Any
    clock_at: Word
    elapsed_at: Word
    has_minutes: Word


@kernel
def plain_time(text: Any, i: Word, last: Word) -> Any:
    """Return the seconds of ``0:05:00`` at `i`, if the byte `last` follows it, else -1."""
    signs = word_at(text, i) ^ (_ZERO_CLOCK | last << 56)
    wrong = (signs & _FIXED_BITS) | ((signs + _TO_CARRY) & _CARRIES)
    hours, minutes, seconds = signs & 15, signs >> 16, signs >> 40
    total = hours * 3600
    total += (minutes & 15) * 600 + ((minutes >> 8) & 15) * 60
    total += (seconds & 15) * 10 + ((seconds >> 8) & 15)
    return np.float64(-1.0) if wrong else np.float64(total)


@kernel
def usual_clock(text: Any, i: Word) -> Any:
    """Return the seconds of the comment at `i`, and its length, if it is a clock as Lichess writes them.

    Blanks inside the braces may be missing. The seconds of any other comment are -1.
    """
    begins = word_at(text, i)
    wide = begins == _WIDE_CLOCK
    length = 18 if wide else 16
    ends = word_at(text, i + length - 2)
    if not wide and begins & _SEVEN_BYTES != _NARROW_CLOCK:
        return np.float32(-1.0), length
    if (ends & 0xFFFF != _WIDE_END) if wide else ((ends >> 8) & 0xFF != _BRACE):
        return np.float32(-1.0), length
    return np.float32(plain_time(text, i + (8 if wide else 7), _CLOSE)), length


@kernel
def _past_spaces(text: Any, i: Word, end: Word) -> Word:
    """Return the place after the blanks and line breaks at `i`."""
    while i < end:
        n = 1 if CLASS[text[i]] == NEWLINE else blank_length(text, i, end)
        if not n:
            break
        i += n
    return i


@kernel
def _number(text: Any, i: Word, end: Word, mark: Word) -> Any:
    """Read digits, perhaps with a point or another mark among them.

    Return the value (-1 if there is none), where the blanks after it end, and whether there is a point or a mark.
    """
    start = i
    value, scale = 0.0, 1.0
    while i < end and U64(text[i]) - _DIGIT_0 <= 9:
        value = value * 10.0 + np.float64(U64(text[i]) - _DIGIT_0)
        i += 1
    digits = i - start
    has_mark = 0
    following = byte_at(text, i, end)
    if digits <= _MOST_DIGITS and (following == _DOT or (following == mark and digits)):
        has_mark = 1
        i += 1
        start = i
        while i < end and U64(text[i]) - _DIGIT_0 <= 9:
            if digits < _MOST_DIGITS:
                value = value * 10.0 + np.float64(U64(text[i]) - _DIGIT_0)
                scale *= 10.0
            i += 1
            digits += 1
        digits = digits if i - start <= _MOST_DIGITS else 0
    elif digits > _MOST_DIGITS:
        digits = 0
    return (value / scale if digits else -1.0), _past_spaces(text, i, end), has_mark


@kernel
def _time(text: Any, i: Word, end: Word) -> Any:
    """Return the seconds of ``1:02:03``, ``2:03`` or ``3.5`` up to `end`, or NaN, and a code for two parts.

    Two parts are read as minutes and seconds. They are `SHORT` if they may be hours and minutes, less than ten hours,
    and else `MINUTES`. Any other number of parts is 0.
    """
    total, first = 0.0, 0.0
    whole = 1
    for part in range(3):
        if byte_at(text, i, end) == _DOT:
            return np.nan, 0
        value, i, has_mark = _number(text, i, end, _COMMA)
        if value < 0.0:
            return np.nan, 0
        whole = 0 if has_mark else whole
        total = total * 60.0 + value
        if i >= end:
            is_short = whole and first < _TOO_MANY_HOURS and value < 60.0
            return total, (SHORT if is_short else MINUTES) if part == 1 else 0
        if U64(text[i]) != _COLON:
            return np.nan, 0
        first = value
        i = _past_spaces(text, i + 1, end)
    return np.nan, 0


@kernel
def _evaluation(text: Any, i: Word, end: Word) -> Any:
    """Return the pawns of ``-1.25``, ``-1,25``, or of a mate, ``#-3``; a depth after another comma is passed over."""
    mate = byte_at(text, i, end) == _HASH
    if mate:
        i = _past_spaces(text, i + 1, end)
    negative = byte_at(text, i, end) == _MINUS
    if negative or byte_at(text, i, end) == _PLUS:
        i = _past_spaces(text, i + 1, end)
    # A comma after a whole number of pawns is a decimal mark.
    value, i, _ = _number(text, i, end, _DOT if mate else _COMMA)
    if value < 0.0:
        return np.nan
    if i < end:
        if U64(text[i]) != _COMMA:
            return np.nan
        i = _past_spaces(text, i + 1, end)
        start = i
        while i < end and U64(text[i]) - _DIGIT_0 <= 9:
            i += 1
        if i == start or i > start + _MOST_DIGITS_OF_DEPTH or _past_spaces(text, i, end) < end:
            return np.nan
    if mate:
        value = max(MATE - value, MATE / 2.0)
    return -value if negative else value


@kernel
def annotations(text: Any, i: Word, end: Word) -> Annotations:
    """Return the values that a comment states from `i` to `end`; of two clocks the first counts."""
    clock, evaluation, elapsed = np.nan, np.nan, np.nan
    clock_at, elapsed_at, has_minutes = U64(0), U64(0), U64(0)
    while i + 8 <= end:
        found = among(where_byte(text, i, _OPEN), end - i)
        i += trailing_zeros(found)  # 64 if there is none
        if not found or i + 8 > end:
            continue
        if U64(text[i + 1]) != _PERCENT:
            i += 1
            continue
        name = word_at(text, i + 2)
        start = i + 5
        kind = name & _THREE_BYTES
        if name & _FOUR_BYTES == _EVAL:
            kind = _EVAL
            start += 1
        i += 1
        if kind not in (_CLK, _EMT, _EVAL) or start >= end:
            continue
        if not blank_length(text, start, end) and CLASS[text[start]] != NEWLINE:
            continue
        if kind == _CLK and start + 9 <= end:
            value = plain_time(text, start + 1, _CLOSE)
            if value >= 0.0:
                clock = value if np.isnan(clock) else clock
                i = start + 9
                continue
        start = _past_spaces(text, start, end)
        close = start
        while close < end and U64(text[close]) not in (_CLOSE, _OPEN):
            close += 1
        if close >= end:
            break
        if U64(text[close]) == _OPEN:  # no value has brackets in it
            i = close
            continue
        if kind == _EVAL:
            value = _evaluation(text, start, close)
            evaluation = value if np.isnan(evaluation) else evaluation
        else:
            value, parts = _time(text, start, close)
            if kind == _CLK:
                clock_at = start if parts == SHORT and np.isnan(clock) else clock_at
                has_minutes = U64(1) if parts == MINUTES and np.isnan(clock) else has_minutes
                clock = value if np.isnan(clock) else clock
            else:
                elapsed_at = start if parts == SHORT and np.isnan(elapsed) else elapsed_at
                elapsed = value if np.isnan(elapsed) else elapsed
        i = close
    return Annotations(clock, evaluation, elapsed, clock_at, elapsed_at, has_minutes)


@kernel
def mark_of_bad_game(text: Any, i: Word, end: Word) -> Word:
    """Return the place of what a comment says of a bad game, or 0 if it does not mark one."""
    i = _past_spaces(text, i, end)
    if i + MARK_LENGTH >= end or word_at(text, i) != _MARK_BEGINS:
        return 0
    if word_at(text, i + MARK_LENGTH - 8) != _MARK_ENDS:
        return 0
    following = _past_spaces(text, i + MARK_LENGTH, end)
    return following if following > i + MARK_LENGTH else 0


@kernel
def _begins_event(text: Any, i: Word, end: Word) -> Word:
    """Check whether the bracket at `i` begins ``[Event``."""
    i = past_blanks(text, i + 1, end)
    if i + 5 > end or word_at(text, i) & _FIVE_BYTES != _EVENT:
        return 0
    c = byte_at(text, i + 5, end)
    goes_on = c - 48 <= 9 or (c | 32) - 97 < 26 or c == 95 or c >= 0x80
    return 0 if goes_on else 1


@cold_kernel
def _follows_empty_line(text: Any, i: Word, start: Word) -> Word:
    """Return the start of the bracket's line if an empty line precedes it and only blanks stand before it, else 0."""
    line = 0
    breaks = 0
    while i > start:
        c = U64(text[i - 1])
        if CLASS[c] == NEWLINE:
            # A carriage return and a line feed are one.
            if not (c == 13 and U64(text[i]) == 10):
                breaks += 1
                if breaks == 1:
                    line = i
                if breaks == 2:
                    return line
            i -= 1
            continue
        n = length_before(text, i, start)
        if blank_length(text, i - n, i) != n and (breaks or mark_length(text, i - n, i) != n):
            return 0
        i -= n
    return 0


@kernel
def comment_end(text: Any, i: Word, end: Word) -> Any:
    """Find the end of the comment that is open at `i`.

    Return the place of its closing brace, or `end`; the place of the line that begins a game before that, or 0; and
    whether it contains an opening brace. ``[Event`` after an empty line begins a game if a result precedes the empty
    line, or if another comment is opened before a brace closes this one. Where the text ends before that is known, the
    last value is 1.
    """
    start = i
    opens = 0
    line: Word = 0
    while i < end:
        braces = where_byte(text, i, _OPEN_BRACE)
        found = among(where_byte(text, i, _BRACE) | where_byte(text, i, _OPEN) | (braces if line else 0), end - i)
        base = i
        while found:
            i = base + trailing_zeros(found)
            found &= found - 1
            c = U64(text[i])
            if c == _BRACE:
                opens |= among(braces, i - base)
                return i, 0, opens
            if line:
                if c == _OPEN_BRACE or begins_game(text, i):
                    return end, line, 0
            elif c == _OPEN and _begins_event(text, i, end):
                line = _follows_empty_line(text, i, start)
                if line:
                    if begins_game(text, i):
                        return end, line, 0
                    found |= among(braces, end - base) & ~((2 << (i - base)) - 1)
        opens |= braces
        i = base + 64
    return end, line, 1
