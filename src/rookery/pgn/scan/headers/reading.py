"""Compiled code that reads values of headers as numbers, dates and times."""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, Word, array_of, cold_kernel, entry, kernel, signed, word_at
from rookery.pgn.scan.headers.values import DATE_KIND, SIGNED_KIND, TIME_KIND
from rookery.pgn.scan.lexing.signs import BLANK, CLASS, DIGIT
from rookery.pgn.scan.lexing.vocabulary import (
    VALUE_END,
    VALUE_START,
)
from rookery.pgn.scan.output import FIRST_TAG

_HIGH = 0x8080808080808080
_PLUS, _MINUS, _DOT, _COLON, _SLASH, _QUESTION = b"+-.:/?"
_TWO, _TEN = 2, 10
_ZEROS, _TO_HIGH, _EVERY_FOURTH = 0x3030303030303030, 0x7676767676767676, 0x000000FF000000FF
_FIRST, _SECOND = 100 + (10**6 << 32), 1 + (10**4 << 32)
_DAYS: Final = np.array([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], np.int64)
_DIGIT_0 = ord("0")

MOST: Final = np.iinfo(np.int16).max


@kernel
def _digits(text: Any, i: Word, end: Word) -> Any:
    """Return the number that one to eight digits state, or -1."""
    length = end - i
    if length - 1 >= 8:
        return np.int64(-1)
    digits = (word_at(text, i) ^ _ZEROS) << ((8 - length) << 3)
    if (digits | (digits + _TO_HIGH)) & _HIGH:
        return np.int64(-1)
    # Two digits each, then four, then all.
    digits = digits * 10 + (digits >> 8)
    first, second = digits & _EVERY_FOURTH, (digits >> 16) & _EVERY_FOURTH
    return np.int64((first * _FIRST + second * _SECOND) >> 32)


_NO_VALUE: Final = np.int64(1 << 40)


@kernel
def _number(text: Any, start: Word, end: Word) -> Any:
    """Return a whole number of 16 bits, with or without a sign."""
    sign = U64(text[start])
    # No branch: nobody can guess who won.
    negative = sign == _MINUS
    value = _digits(text, start + (1 if negative | (sign == _PLUS) else 0), end)
    if value < 0 or value > MOST:
        return _NO_VALUE
    return -value if negative else value


@kernel
def _date(text: Any, start: Word, end: Word) -> Any:
    """Return the date of ten bytes like ``2025.05.01``, as the number 20250501, or -1."""
    if U64(text[start + 4]) != _DOT or U64(text[start + 7]) != _DOT:
        return np.int64(-1)
    year = _digits(text, start, start + 4)
    month = _digits(text, start + 5, start + 7)
    day = _digits(text, start + 8, end)
    if year < 0 or month < 1 or day < 1 or day > _days_in(year, month):
        return np.int64(-1)
    return (year * 100 + month) * 100 + day


@kernel
def _days_in(year: Any, month: Any) -> Any:
    """Return the number of days of a month, or 0 if there is no such month."""
    if month > 12:
        return np.int64(0)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return np.int64(28) if month == 2 and not leap else _DAYS[month]


@kernel
def _past_spaces(text: Any, i: Word, end: Word) -> Word:
    while i < end and CLASS[text[i]] == BLANK:
        i += 1
    return i


@kernel
def _field_of_date(text: Any, i: Word, end: Word, least: Word) -> Any:
    """Read digits or question marks: the number, 0 where it is not known, how many there are, and where blanks end.

    A number of fewer than `least` digits is not known. If there is anything else, the count is 0.
    """
    i = _past_spaces(text, i, end)
    start = i
    while i < end and U64(text[i]) == _QUESTION:
        i += 1
    if i > start:
        return np.int64(0), i - start, _past_spaces(text, i, end)
    while i < end and CLASS[text[i]] == DIGIT:
        i += 1
    length = i - start
    if not length or length > 4:
        return np.int64(0), 0, i
    value = _digits(text, start, i)
    return (value if length >= least else np.int64(0)), length, _past_spaces(text, i, end)


@cold_kernel
def date_at(text: Any, start: Word, end: Word) -> Any:
    """Return a date as the number 20250501, with zeros for what is not known: 18860000 for ``1886.??.??``.

    It has a year of four digits, perhaps a month, and perhaps a day, with points, minus signs or slashes between them,
    and blanks anywhere. If the year comes last, as in ``01.02.1886``, nobody knows which of the others is the month, so
    only the year is known. Months and days that do not exist are not known. Any other text is 0.
    """
    year, length, i = _field_of_date(text, start, end, 4)
    if not length:
        return np.int64(0)
    month, day = np.int64(0), np.int64(0)
    sign = U64(0)
    if i < end:
        sign = U64(text[i])
        if sign not in (_DOT, _MINUS, _SLASH):
            return np.int64(0)
        month, of_month, i = _field_of_date(text, i + 1, end, 1)
        if not of_month or (of_month > 2 and month):
            return np.int64(0)
    if i < end:
        if U64(text[i]) != sign:
            return np.int64(0)
        day, of_day, i = _field_of_date(text, i + 1, end, 1)
        if not of_day or i < end:
            return np.int64(0)
        if of_day == 4 and length <= 2:
            return day * 10000
        if of_day > 2 and day:
            return np.int64(0)
    if month > 12:
        month = np.int64(0)
    # Any year may be a leap year if it is not known.
    if day > _days_in(year, month if month else np.int64(1)):
        day = np.int64(0)
    return (year * 100 + month) * 100 + day


@kernel
def _day_of(date: Any) -> Any:
    """Return the days from 1970-01-01 to a date like 20250501, or `_NO_VALUE` if it is not known."""
    year, month, day = date // 10000, date // 100 % 100, date % 100
    if date < 0 or not (year and month and day):
        return _NO_VALUE
    # Days from a March on: the leap day is a year's last.
    y = year - 1 if month <= 2 else year
    m = month + 9 if month <= 2 else month - 3
    return 365 * y + y // 4 - y // 100 + y // 400 + (153 * m + 2) // 5 + day - 1 - 719468


@entry(
    examples=lambda: (
        array_of(np.int64),
        array_of(np.uint8),
        array_of(np.int32),
        array_of(np.int64),
        array_of(np.bool_),
    )
)
@signed
def read_dates(offsets: Any, data: Any, dates: Any, days: Any, usual: Any) -> None:
    """Read texts, stored end to end, as dates: numbers like 20250501, days from 1970-01-01, and `usual`.

    `usual` is whether a day is known and `header_texts` would write it as it is.
    """
    for i in range(dates.size):
        start, end = U64(offsets[i]), U64(offsets[i + 1])
        date = _date(data, start, end) if end - start == _TEN else np.int64(-1)
        usual[i] = date > 0
        date = date if date > 0 else date_at(data, start, end)
        day = _day_of(date)
        dates[i] = np.int32(date)
        days[i] = np.int64(day) if day != _NO_VALUE else np.int64(0)


@kernel
def _time(text: Any, start: Word, end: Word) -> Any:
    """Return a time like ``23:59:59`` in seconds."""
    if end - start != 8 or U64(text[start + 2]) != _COLON or U64(text[start + 5]) != _COLON:
        return _NO_VALUE
    hours = _digits(text, start, start + 2)
    minutes = _digits(text, start + 3, start + 5)
    seconds = _digits(text, start + 6, end)
    if hours < 0 or hours > 23 or minutes < 0 or minutes > 59 or seconds < 0 or seconds > 59:
        return _NO_VALUE
    return hours * 3600 + minutes * 60 + seconds


@kernel
def _is_usual(text: Any, start: Word, end: Word, signed: Any) -> Any:
    """Return whether a number is written without needless zeros, and with a plus sign if and only if it is `signed`."""
    sign = U64(text[start])
    has_sign = sign in (_MINUS, _PLUS)
    first = start + 1 if has_sign else start
    zero = U64(text[first]) == _DIGIT_0
    right = (sign == _PLUS or (sign == _MINUS and not zero)) if signed else not (sign == _PLUS or (zero and has_sign))
    return right and (not zero or end - first == 1)


@entry(
    examples=lambda: (
        array_of(np.uint8),
        array_of(np.int32, 2),
        array_of(np.int32, 2),
        array_of(np.int64, 2),
        array_of(np.int64),
        array_of(np.int64),
        array_of(np.int32, 2),
        array_of(np.int32, 2),
        array_of(np.bool_, 2),
        array_of(np.bool_, 2),
    )
)
@signed
def read_columns(
    text: Any,
    tags: Any,
    slots: Any,
    games: Any,
    numbers: Any,
    kinds: Any,
    out: Any,
    dates: Any,
    valid: Any,
    written: Any,
) -> None:
    """Read the values of several known headers as numbers, game by game.

    `out`, `dates`, `valid` and `written` have a row for each header. `dates` are those of `date_at`, and `written` is
    whether `header_texts` would write the value as it is.
    """
    # Games of one day follow each other.
    first_bytes, last_bytes, last_date, last_day = U64(0), U64(0), np.int64(0), _NO_VALUE
    last_usual = False
    for i in range(games.shape[0]):
        for k in range(numbers.size):
            slot = np.int64(slots[i, numbers[k]])
            value, date = _NO_VALUE, np.int64(0)
            usual = True
            if slot > 0:
                row = games[i, FIRST_TAG] + slot - 1
                start, end = U64(tags[row, VALUE_START]), U64(tags[row, VALUE_END])
                if kinds[k] == DATE_KIND:
                    if end - start == _TEN:
                        if word_at(text, start) != first_bytes or word_at(text, start + _TWO) != last_bytes:
                            first_bytes, last_bytes = word_at(text, start), word_at(text, start + _TWO)
                            last_date = _date(text, start, end)
                            last_usual = last_date > 0
                            last_date = last_date if last_usual else date_at(text, start, end)
                            last_day = _day_of(last_date)
                        date, value, usual = last_date, last_day, last_usual
                    else:
                        date, usual = date_at(text, start, end), False
                        value = _day_of(date)
                elif kinds[k] == TIME_KIND:
                    value = _time(text, start, end)
                else:
                    value = _number(text, start, end)
                    usual = _is_usual(text, start, end, kinds[k] == SIGNED_KIND)
            valid[k, i] = value != _NO_VALUE
            written[k, i] = value != _NO_VALUE and usual
            out[k, i] = np.int32(value if value != _NO_VALUE else 0)
            dates[k, i] = np.int32(date)
