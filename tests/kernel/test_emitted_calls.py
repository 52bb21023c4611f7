"""Calls, loops and operations that the compiler emits itself, compared with Python's."""

import math
import operator
import platform
import re
from typing import Any

import numpy as np
import pytest

from rookery.kernel import U64, Word, called_kernel, entry, kernel, signed


@kernel
def halved(x: Word) -> Word:
    """Half of an even number."""
    if x & 1:
        raise ValueError("an odd number")
    return x >> 1


@called_kernel
def called_halved(x: Word) -> Word:
    """The same, called."""
    if x & 1:
        raise ValueError("an odd number")
    return x >> 1


@kernel
def after_a_choice(x: Word) -> Word:
    """A variable that one branch assigns, and one that is read in a later block."""
    double = x + x
    if x > 4:
        small = U64(0)
        if x > 6:
            double += 1
    else:
        small = x
    return double * 100 + small


@called_kernel
def outermost(x: Any) -> Any:
    """The first and the last number of an array, and its length."""
    return x[0], x[U64(x.size - 1)], x.size


@kernel
def quarter(x: Word) -> Word:
    """A kernel that raises nothing itself."""
    return halved(halved(x))


@entry
def quarters(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = quarter(x[i]) + called_halved(called_halved(x[i]))


@entry
def choices(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = after_a_choice(x[i])


@entry
def store_ends(x: Any, out: Any) -> None:
    first, last, count = outermost(x)
    out[0], out[1], out[2] = first, last, U64(count)


@entry
@signed
def count_signed(start: Any, stop: Any, step: Any, out: Any) -> None:
    for i in range(start.size):
        for j in range(start[i], stop[i]):
            out[i, 0] = out[i, 0] * 7 + j
        for j in range(start[i], stop[i], 3):
            out[i, 1] = out[i, 1] * 7 + j
        for j in range(start[i], stop[i], -2):
            out[i, 2] = out[i, 2] * 7 + j
        for j in range(start[i], stop[i], step[i]):
            if j == 4:
                continue
            if j > 9:
                break
            out[i, 3] = out[i, 3] * 7 + j
        else:
            out[i, 3] += 1000


@entry
def count_words(start: Any, stop: Any, out: Any) -> None:
    for i in range(start.size):
        for j in range(start[i], stop[i]):
            out[i, 0] = out[i, 0] * 7 + j
        for j in range(start[i], stop[i], 5):
            out[i, 1] = out[i, 1] * 7 + j
        for j in range(stop[i]):
            out[i, 2] = out[i, 2] * 7 + j


@entry
def add_words(start: Any, stop: Any, out: Any) -> None:
    for i in range(start.size):
        for j in range(start[i], stop[i]):
            out[i] += j


@entry
def find_words(x: Any, small: Any, out: Any) -> None:
    for i in range(x.size):
        out[i, 0] = x[i] in (3, 5, 0xFFFF_FFFF_FFFF_FFFF)
        out[i, 1] = x[i] not in (7,)
        out[i, 2] = small[i] in (3, 255, x[i])


@entry
def choose(x: Any, y: Any, z: Any, out: Any) -> None:
    for i in range(x.size):
        out[i, 0], out[i, 1] = min(x[i], y[i]), max(x[i], y[i])
        out[i, 2], out[i, 3] = min(x[i], y[i], z[i]), max(x[i], y[i], z[i])
        out[i, 4] = min(max(x[i], z[i]), y[i])


@entry
@signed
def calculate(x: Any, y: Any, out: Any, compared: Any) -> None:
    for i in range(x.size):
        out[i, 0], out[i, 1], out[i, 2] = x[i] + y[i], x[i] - y[i], x[i] * y[i]
        compared[i, 0], compared[i, 1], compared[i, 2] = x[i] == y[i], x[i] != y[i], x[i] < y[i]
        compared[i, 3], compared[i, 4], compared[i, 5] = x[i] <= y[i], x[i] > y[i], x[i] >= y[i]
        compared[i, 6] = bool(x[i] > y[i]) and bool(x[i])


@entry
@signed
def shift(x: Any, by: Any, out: Any) -> None:
    for i in range(x.size):
        out[i, 0], out[i, 1] = x[i] >> by[i], x[i] << by[i]
        out[i, 2], out[i, 3], out[i, 4] = x[i] & by[i], x[i] | by[i], x[i] ^ by[i]


@entry
def divide(x: Any, y: Any, out: Any) -> None:
    for i in range(x.size):
        out[i] = x[i] / y[i]


_COMPARED = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
_NUMBERS = {
    "i8": [-(2**62), -3, -1, 0, 1, 2, 2**62],
    "u8": [0, 1, 2, 3, 2**63 - 1, 2**63, 2**64 - 1],
    "f8": [-math.inf, -1.5, -0.0, 0.0, 2.0, math.inf, math.nan],
}


def _pairs(kind: str) -> tuple[Any, Any]:
    numbers = np.array(_NUMBERS[kind], kind)
    return np.repeat(numbers, numbers.size), np.tile(numbers, numbers.size)


def test_exceptions_pass_through_kernels_that_raise_none() -> None:
    even, out = np.arange(0, 40, 4, dtype=U64), np.zeros(10, U64)
    quarters(even, out)
    assert out.tolist() == [x // 2 for x in even.tolist()]
    for odd in (2, 3):
        with pytest.raises(ValueError, match="an odd number"):
            quarters(np.array([8, odd], U64), out)


def test_called_kernels_return_several_results() -> None:
    out = np.zeros(3, U64)
    store_ends(np.array([5, 6, 7, 8], U64), out)
    assert out.tolist() == [5, 8, 4]


def test_variables_that_are_read_in_other_blocks() -> None:
    out = np.zeros(9, U64)
    choices(np.arange(9, dtype=U64), out)
    assert out.tolist() == [(2 * x + (x > 6)) * 100 + (x if x <= 4 else 0) for x in range(9)]


def _number(places: Any) -> int:
    number = 0
    for place in places:
        number = number * 7 + place
    return number


def test_ranges_of_signed_numbers() -> None:
    cases = [(a, b, c) for a in range(-4, 13) for b in range(-4, 13) for c in (-3, -1, 1, 2)]
    start, stop, step = np.array(cases, np.int64).T
    out = np.zeros((len(cases), 4), np.int64)
    count_signed(start.copy(), stop.copy(), step.copy(), out)
    for (a, b, c), found in zip(cases, out.tolist(), strict=True):
        places = list(range(a, b, c))
        ended = next((n for n, j in enumerate(places) if j > 9), None)
        last = _number(j for j in places[:ended] if j != 4) + (1000 if ended is None else 0)
        assert found == [_number(range(a, b)), _number(range(a, b, 3)), _number(range(a, b, -2)), last]


def test_ranges_of_words() -> None:
    cases = [(a, b) for a in [*range(12), 2**63, 2**64 - 1] for b in range(12)]
    start, stop = np.array(cases, U64).T
    out = np.zeros((len(cases), 3), U64)
    count_words(start.copy(), stop.copy(), out)
    for (a, b), found in zip(cases, out.tolist(), strict=True):
        assert found == [_number(range(a, b)), _number(range(a, b, 5)), _number(range(b))]


def test_ranges_of_great_words() -> None:
    start = np.array([2**63 - 2, 2**64 - 4], U64)
    found = np.zeros(2, U64)
    add_words(start, start + U64(3), found)
    assert found.tolist() == [sum(range(a, a + 3)) % 2**64 for a in start.tolist()]


def test_membership_in_tuples() -> None:
    x = np.array([0, 3, 5, 7, 255, 2**64 - 1], U64)
    small = np.array([0, 3, 5, 7, 255, 255], np.uint8)
    out = np.zeros((x.size, 3), np.bool_)
    find_words(x, small, out)
    pairs = zip(x.tolist(), small.tolist(), strict=True)
    assert out.tolist() == [[a in (3, 5, 2**64 - 1), a not in (7,), b in (3, 255, a)] for a, b in pairs]


@pytest.mark.parametrize("kind", _NUMBERS)
def test_least_and_greatest_numbers(kind: str) -> None:
    x, y = _pairs(kind)
    z = np.roll(x, 3)
    out = np.zeros((x.size, 5), kind)
    choose(x, y, z, out)
    for a, b, c, found in zip(x.tolist(), y.tolist(), z.tolist(), out.tolist(), strict=True):
        expected = [min(a, b), max(a, b), min(a, b, c), max(a, b, c), min(max(a, c), b)]
        np.testing.assert_array_equal(np.array(found, kind), np.array(expected, kind))


@pytest.mark.parametrize("kind", _NUMBERS)
def test_operations_on_two_numbers_of_a_type(kind: str) -> None:
    x, y = _pairs(kind)
    out, compared = np.zeros((x.size, 3), kind), np.zeros((x.size, 7), np.bool_)
    calculate(x, y, out, compared)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(out.T, [x + y, x - y, x * y])
    for a, b, found in zip(x.tolist(), y.tolist(), compared.tolist(), strict=True):
        assert found == [compare(a, b) for compare in _COMPARED] + [a > b and bool(a)]


@pytest.mark.parametrize("kind", ["i8", "u8"])
def test_shifts_and_bits(kind: str) -> None:
    numbers = np.array(_NUMBERS[kind], kind)
    x, by = np.repeat(numbers, 5), np.tile(np.array([0, 1, 5, 62, 63], kind), numbers.size)
    out = np.zeros((x.size, 5), kind)
    shift(x, by, out)
    np.testing.assert_array_equal(out.T, [x >> by, x << by, x & by, x | by, x ^ by])


def test_quotients_of_floats() -> None:
    x, y = _pairs("f8")
    out = np.zeros(x.size)
    divide(x, y, out)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(out, x / y)


_BITS = np.array([1 << (k & 7) for k in range(64)], np.uint8)


@entry
@signed
def spread(octets: Any, rows: Any, out: Any) -> None:
    for i in range(out.shape[0]):
        for channel in range(rows.shape[0]):
            first = channel * 64
            if rows[channel]:
                for k in range(64):
                    held = octets[rows[channel] * U64(8) + U64(k >> 3)] & _BITS[k]
                    out[i, first + k] = np.uint8(1) if held else np.uint8(0)
            else:
                for k in range(64):
                    out[i, first + k] = np.uint8(min(octets[rows[channel]], 9))


@pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="machine code of x86-64")
def test_signed_indices_of_ranges_are_known_to_be_positive() -> None:
    """Otherwise each byte is stored by itself: Numba's signed indices may be negative, and count from the end."""
    words, rows = np.array([4, 5, 2**63 + 9], U64), np.array([1, 2, 0], U64)
    octets, out = words.view(np.uint8), np.zeros((2, 192), np.uint8)
    spread(octets, rows, out)
    for channel, word in enumerate((5, 2**63 + 9)):
        assert out[:, channel * 64 : channel * 64 + 64].tolist() == [[word >> k & 1 for k in range(64)]] * 2
    assert out[:, 128:].tolist() == [[4] * 64] * 2
    text = spread.assembly(octets, rows, out)
    assert not re.search(r"\bmovb\s+%\w+, [^%]*\(", text)
