"""Numbers in PGN: digits, times, evaluations."""

from typing import Any

import numpy as np

from rookery.kernel import U64, Word, kernel
from rookery.pgn.scan.annotations import MATE

_DOT, _HASH, _MINUS, _COLON, _DIGIT_0 = b".#-:0"
_60, _3600 = 60, 3600


@kernel
def write_digits(out: Any, n: Word, value: Word, least: Word) -> Word:
    """Write a number with at least `least` digits."""
    digits = 1
    rest = value // 10
    while rest:
        rest //= 10
        digits += 1
    digits = max(digits, least)
    i = n + digits
    while i > n:
        i -= 1
        out[i] = np.uint8(_DIGIT_0 + value % 10)
        value //= 10
    return n + digits


@kernel
def _decimals(value: Any) -> Word:
    """Return the fewest digits after the point that distinguish a float32 from all others."""
    digits, power = 0, 1.0
    while digits < 9 and np.float32(np.floor(value * power + 0.5) / power) != np.float32(value):
        digits += 1
        power *= 10.0
    return digits


@kernel
def _scaled(value: Any, digits: Word) -> tuple[Word, Word]:
    power = 1
    for _ in range(digits):
        power *= 10
    return U64(np.int64(np.floor(value * np.float64(power) + 0.5))), power


@kernel
def write_time(out: Any, n: Word, seconds: Any) -> Word:
    """Write a time like ``0:03:00``, with a fraction if there is one."""
    digits = _decimals(seconds)
    scaled, power = _scaled(seconds, digits)
    whole = scaled // power
    n = write_digits(out, n, whole // _3600, 1)
    out[n] = np.uint8(_COLON)
    n = write_digits(out, n + 1, whole // _60 % _60, 2)
    out[n] = np.uint8(_COLON)
    n = write_digits(out, n + 1, whole % _60, 2)
    if digits:
        out[n] = np.uint8(_DOT)
        n = write_digits(out, n + 1, scaled % power, digits)
    return n


@kernel
def write_evaluation(out: Any, n: Word, pawns: Any) -> Word:
    """Write an evaluation like ``0.31``, or a mate like ``#-3``."""
    size = abs(pawns)
    mate = MATE / 2.0 <= size <= MATE and size == np.floor(size)
    if mate:
        out[n] = np.uint8(_HASH)
        n += 1
    if pawns < 0.0:
        out[n] = np.uint8(_MINUS)
        n += 1
    if mate:
        return write_digits(out, n, U64(np.int64(MATE - size)), 1)
    digits = max(_decimals(size), 1)
    scaled, power = _scaled(size, digits)
    n = write_digits(out, n, scaled // power, 1)
    out[n] = np.uint8(_DOT)
    return write_digits(out, n + 1, scaled % power, digits)
