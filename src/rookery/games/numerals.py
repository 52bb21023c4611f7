"""Numbers as PGN writes them: digits, times, evaluations."""

from typing import Any

import numpy as np

from rookery.games.remarks import MATE
from rookery.kernel import ONE, U64, ZERO, Word, kernel

_DOT, _HASH, _MINUS, _COLON, _DIGIT_0 = (U64(ord(c)) for c in ".#-:0")
_TEN, _60, _3600 = U64(10), U64(60), U64(3600)


@kernel
def write_digits(out: Any, n: Word, value: Word, least: Word) -> Word:
    """Write a number with at least so many digits."""
    digits = ONE
    rest = value // _TEN
    while rest:
        rest //= _TEN
        digits += ONE
    digits = max(digits, least)
    i = n + digits
    while i > n:
        i -= ONE
        out[i] = np.uint8(_DIGIT_0 + value % _TEN)
        value //= _TEN
    return n + digits


@kernel
def _decimals(value: Any) -> Word:
    """How many digits behind the point tell a float32 from all others."""
    digits, power = ZERO, 1.0
    while digits < U64(9) and np.float32(np.floor(value * power + 0.5) / power) != np.float32(value):
        digits += ONE
        power *= 10.0
    return digits


@kernel
def _scaled(value: Any, digits: Word) -> tuple[Word, Word]:
    power = ONE
    for _ in range(digits):
        power *= _TEN
    return U64(np.int64(np.floor(value * np.float64(power) + 0.5))), power


@kernel
def write_time(out: Any, n: Word, seconds: Any) -> Word:
    """``0:03:00``, with a fraction if there is one."""
    digits = _decimals(seconds)
    scaled, power = _scaled(seconds, digits)
    whole = scaled // power
    n = write_digits(out, n, whole // _3600, ONE)
    out[n] = np.uint8(_COLON)
    n = write_digits(out, n + ONE, whole // _60 % _60, U64(2))
    out[n] = np.uint8(_COLON)
    n = write_digits(out, n + ONE, whole % _60, U64(2))
    if digits:
        out[n] = np.uint8(_DOT)
        n = write_digits(out, n + ONE, scaled % power, digits)
    return n


@kernel
def write_evaluation(out: Any, n: Word, pawns: Any) -> Word:
    """``0.31``, or a mate, ``#-3``."""
    size = abs(pawns)
    mate = MATE / 2.0 <= size <= MATE and size == np.floor(size)
    if mate:
        out[n] = np.uint8(_HASH)
        n += ONE
    if pawns < 0.0:
        out[n] = np.uint8(_MINUS)
        n += ONE
    if mate:
        return write_digits(out, n, U64(np.int64(MATE - size)), ONE)
    digits = max(_decimals(size), ONE)
    scaled, power = _scaled(size, digits)
    n = write_digits(out, n, scaled // power, ONE)
    out[n] = np.uint8(_DOT)
    return write_digits(out, n + ONE, scaled % power, digits)
