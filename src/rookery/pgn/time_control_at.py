"""Compiled code that reads time controls."""

from typing import Any

import numpy as np

from rookery.kernel import U64, Word, array_of, cold_kernel, entry, kernel
from rookery.pgn.time_control import SHORTEST_IN_HOURS, TimeControl

_BULLET, _BLITZ, _RAPID, _CLASSICAL = 30.0, 180.0, 480.0, 1500.0  # the least seconds of a game of each speed
_USUAL_MOVES = 40.0  # of a game, by which Lichess estimates its length

_DAY = 86_400.0  # seconds
_MOST_DIGITS = 9

_SPACE, _TAB, _PLUS, _COLON, _SLASH, _MINUS, _STAR, _DOT, _COMMA, _SMALL_D = b" \t+:/-*.,d"
_DIGIT_0 = ord("0")


@kernel
def _past_blanks(text: Any, i: Word, end: Word) -> Word:
    while i < end and (U64(text[i]) == _SPACE or U64(text[i]) == _TAB):
        i += 1
    return i


@kernel
def _number(text: Any, i: Word, end: Word) -> Any:
    """Read digits, perhaps with a fraction: the value (-1 if there is none), and where the blanks after it end."""
    i = _past_blanks(text, i, end)
    value, scale = 0.0, 1.0
    digits, fraction = 0, 0
    while i < end:
        c = U64(text[i])
        if c - _DIGIT_0 <= 9 and digits < _MOST_DIGITS:
            value = value * 10.0 + np.float64(c - _DIGIT_0)
            scale *= 10.0 if fraction else 1.0
            digits += 1
        elif c in (_DOT, _COMMA) and not fraction and digits:
            fraction = 1
        else:
            break
        i += 1
    return (value / scale if digits else -1.0), _past_blanks(text, i, end)


@cold_kernel
def time_control_at(text: Any, start: Word, end: Word) -> TimeControl:
    """Return the time control that a text states from `start` to `end`."""
    unknown = TimeControl(np.nan, np.nan, U64(0), np.nan)
    i = _past_blanks(text, start, end)
    if i >= end:
        return unknown
    if U64(text[i]) == _MINUS:
        return TimeControl(np.nan, np.nan, U64(6), np.nan) if _past_blanks(text, i + 1, end) >= end else unknown
    if U64(text[i]) == _STAR:
        seconds, i = _number(text, i + 1, end)
        return TimeControl(seconds, np.nan, U64(0), seconds) if seconds >= 0.0 and i >= end else unknown
    base, increment, total = -1.0, 0.0, 0.0
    by_moves, is_delay = 0, 0
    while True:
        seconds, i = _number(text, i, end)
        for_moves = 0
        if i < end and U64(text[i]) == _SLASH and seconds > 0.0:
            seconds, i = _number(text, i + 1, end)
            for_moves = 1
        if seconds < 0.0:
            return unknown
        added = 0.0
        delayed = 0
        if i < end and U64(text[i]) == _PLUS:
            added, i = _number(text, i + 1, end)
            if added < 0.0:
                return unknown
            if i < end and U64(text[i]) | 32 == _SMALL_D:
                delayed = 1
                i = _past_blanks(text, i + 1, end)
        if base < 0.0:
            base, increment, by_moves, is_delay = seconds, added, for_moves, delayed
        total += seconds
        if i >= end:
            break
        if U64(text[i]) != _COLON:
            return unknown
        i += 1
    if is_delay:
        return TimeControl(base, np.nan, U64(0), total)
    if by_moves and base >= _DAY:
        return TimeControl(base, increment, U64(6), total)
    estimate = base + _USUAL_MOVES * increment
    speed = U64(1) + (estimate >= _BULLET) + (estimate >= _BLITZ) + (estimate >= _RAPID) + (estimate >= _CLASSICAL)
    return TimeControl(base, increment, speed, total)


@kernel
def are_hours_and_minutes(control: TimeControl, seconds: Any) -> Any:
    """Return whether the first clock of two parts in a game is of hours and minutes, not of minutes and seconds.

    `seconds` is the clock as minutes and seconds. Clocks of ten minutes or less are never written in hours. Otherwise
    the reading counts that is nearer to the time that the players have, unless it is more than they can have.
    """
    in_hours = 60.0 * seconds
    most = control.total + _USUAL_MOVES * (0.0 if np.isnan(control.increment) else control.increment)
    is_nearer = abs(in_hours - control.base) < abs(seconds - control.base)
    return control.base >= SHORTEST_IN_HOURS and in_hours <= most and is_nearer


@entry(
    examples=lambda: (
        array_of(np.int64),
        array_of(np.uint8),
        array_of(np.float64),
        array_of(np.float64),
        array_of(np.uint8),
        array_of(np.float64),
    )
)
def read_time_controls(offsets: Any, data: Any, base: Any, increment: Any, speed: Any, total: Any) -> None:
    """Write the parts of many time controls, which are texts stored end to end."""
    for i in range(base.size):
        found = time_control_at(data, U64(offsets[i]), U64(offsets[i + 1]))
        base[i], increment[i], total[i] = found.base, found.increment, found.total
        speed[i] = np.uint8(found.speed)
