"""Words that meet bools, lengths, constants and signed numbers: right as in Python, or refused with their line."""

import itertools
import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from numba.core.errors import NumbaError

from kernel_modules import HEADER, imported
from plain_words import MASK, Array, Word, evaluated
from rookery.kernel import U64, Entry, entry, signed

CONSTANTS: Final = """
T = (0xFF, 3)
WITH_NEGATIVE = (-1, 3)
HIGH = 1 << 63
SEVEN = 7
BELOW = -8


class Pair(NamedTuple):
    x: Any
    y: Any


PAIR = Pair(5, HIGH)
"""

# Of two words a and b, and a length n, which is 3. Some versions of Numba refuse `min` of a word and a bool.
RIGHT: Final = """
(a | T[1]) >> 60
(a + (a > b)) >> 60
((a > b) + a) >> 60
(a ^ True) >> 60
(a | int(a > b)) >> 60
(a | len((1, 2, 3))) >> 60
a // (1 + (a > b))
(a | T[1]) < b
(a | T[b & 1]) >> 60
(a | PAIR.x) >> 60
(a ^ PAIR.y) >> 60
(a | WITH_NEGATIVE[1]) >> 60
(a & BELOW) >> 60
(a + BELOW) >> 60
(a * BELOW) >> 3
(a - WITH_NEGATIVE[0]) >> 60
(a & ~7) >> 60
(a | n) >> 60
(n | a) >> 60
(a - n) >> 60
(n - a) >> 60
(a * n) >> 60
a // n
a % n
n // (a | 1)
n % (a | 1)
a ** 2
a ** n
a ** (a > b)
pow(a, 3)
n ** 2
2 ** n
(a > b) << 63
((a > b) << 63) >> 60
(a > b) >> 1
1 << (a & 63)
n << (a & 7)
(n - 5) >> 60
(n - SEVEN) // 2
(n - T[0]) % 7
abs(n - SEVEN) | a
(a + (n * n + 1 & 0xFF)) >> 60
(a + x.shape[0]) >> 60
(a | x.ndim) >> 60
(a + max(n - SEVEN, len(T))) >> 60
a > n
n < a
a == n
a < BELOW
BELOW <= a
a in T
(a > b) == 1
a == (b > 1)
(a > b) < a
(a > b) - (a < b)
-(a > b)
(a > b) * 3
(a * (a > b)) >> 60
(a > b) & a
a | (a > b)
(a > b) ^ (b > a)
(a > b) | (b > a)
not a
-a
~a
+a
abs(a)
divmod(a, n)[0]
divmod(a, 1 + (a > b))[1]
divmod(n, 2)[0]
divmod(n - SEVEN, 2)[1]
int(a) >> 60
(int(a > b) + a) >> 60
(a + bool(b)) >> 60
max(a, T[0]) >> 60
(b if a > b else T[1]) >> 1
(a if a > b else a > b) >> 60
(a and a > b)
(a > b or b)
(HIGH if a > b else SEVEN) >> 60
"""

REFUSED: Final = {
    "a | x[0]": "a word meets a signed number that may be negative",
    "a + (n - 1)": "a word meets a signed number that may be negative",
    "a // BELOW": "a word meets a signed number that may be negative",
    "a + np.int64(b)": "a word meets a signed number that may be negative",
    "a & np.int32(n)": "a word meets a signed number that may be negative",
    "a ** (n - 5)": "a word meets a signed number that may be negative",
    "n ** x[0]": "a power whose exponent may be negative",
    "divmod(a, x[0])[0]": "a word meets a signed number that may be negative",
    "a >> 64": "a shift by 64",
    "a << -1": "a shift by -1",
    "a >> SIXTY_FOUR": "a shift by 64",
    "~(a > b)": "~ of a bool",
    "(a > b) + (b > a)": "a sum of bools",
    "sum((a, b))": "sum makes a word a signed number",
    "round(a)": "round of an integer",
    "round(n)": "round of an integer",
    "min(a, n)": "a word and a signed number become a float",
    "a if a > b else n": "a word and a signed number become a float",
    "((a, 1) if a > b else (b, n))[1]": "a word and a signed number become a float",
    "np.minimum(a, n)": "a word meets a signed number in an operation of NumPy's",
}


# Functions of words a and b, and an array x of three signed numbers, the second of which is negative.
LOOPS: Final = """
@kernel
def counters(a, b, x):
    for i in range(len(x)):
        a = (a * 31) ^ i
    for i in range(1, x.size):
        a = (a * 31) | i
    for i in range(0, x.size - 5, 2):
        a = (a * 31) + i + 1
    for i in range(x.size, 0, -1):
        a = (a * 31) - i
    for i in range(len(x) - 1, -1, -1):
        a = (a * 31) ^ (i + 1)
    for i in range(5, 0, -2):
        a = (a * 31) + i
    for i in range(a & 7, x.size):
        a = (a * 31) + i
    for i in range(a & 7, b & 7, 2):
        a = (a * 31) + i
    for i in range(a > b):
        a = (a * 31) + i + 3
    return a >> 3


@kernel
def numbered(a, b, x):
    for i, value in enumerate(x):
        if value > 0:
            a = (a << 1) ^ i
    return a >> 1


@kernel
def counted(a, b, x):
    positive = np.int64(0)
    for i in range(x.size):
        if x[i] > 0:
            positive += 1
    return (a | positive) >> 60


@kernel
def augmented(a, b, x):
    a += a > b
    a |= len(x)
    a -= True
    a ^= WITH_NEGATIVE[1]
    a //= 1 + (a > b)
    b <<= len(x)
    b %= 1 + x.size
    return (a - b) >> 2


@kernel
def chosen(a, b, x):
    k = 3 if a > b else 5
    return (x.size - k) >> 1


@kernel
def pairs(a, b, x):
    first, second = a, len(x)
    both = second, 7 % second, first
    return (first | second | both[1]) >> 60


@kernel
def with_default(a, b, x, more=3):
    return (a + more) >> 60


@kernel
@signed
def with_signed_literals(a, b, x):
    total = 0
    for i in range(x.size):
        total += min(x[i], 1) - 3
    a = (a | 1) >> 1
    return (a ^ (1 << (b & 63))) + (total >= -20)
"""
_NAMES: Final = re.findall(r"def (\w+)", LOOPS)


def compared(kernels: str, names: list[str], tmp_path: Path) -> None:
    """Compare kernels of two words and an array, compiled in one entry, with their evaluation in plain Python."""
    calls = [f"        out[i, {k}] = {name}(a[i], b[i], x)" for k, name in enumerate(names)]
    run = "\n".join(["@entry", "def run(a, b, x, out):", "    for i in range(a.size):", *calls])
    source = "\n\n".join([HEADER + CONSTANTS, kernels, run])
    values = [0, 1, 2, 3, 5, 7, 255, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 5, MASK - 1, MASK]
    several = [*itertools.product(values, values)]
    out = np.zeros((len(several), len(names)), U64)
    with imported(source, tmp_path, "compared") as module:
        a, b = (np.array([pair[k] for pair in several], U64) for k in range(2))
        module.run(a, b, np.array([1, -2, 3]), out)
    plain = evaluated(source)
    x = Array([1, -2, 3], int)
    for k, name in enumerate(names):
        for i, (first, second) in enumerate(several):
            expected = plain[name](Word(first), Word(second), x)
            assert int(out[i, k]) == int(expected) & MASK, (name, first, second)


def test_expressions_are_right_as_in_python(tmp_path: Path) -> None:
    expressions = RIGHT.strip().splitlines()
    kernels = [
        f"@kernel\ndef f{k}(a, b, x):\n    n = len(x)\n    return {expression}\n\n"
        for k, expression in enumerate(expressions)
    ]
    compared("\n".join(kernels), [f"f{k}" for k in range(len(expressions))], tmp_path)


def test_loops_and_variables_are_right_as_in_python(tmp_path: Path) -> None:
    compared(LOOPS, _NAMES, tmp_path)


REFUSED_LOOPS: Final = {
    "for i in range(a, n - 1):": "a word meets a signed number that may be negative",
    "for i in range(a, 0, -1):": "a word meets a signed number that may be negative",
    "for i in range(n - 5, n):": "a word meets a signed number that may be negative: convert one",
}


@pytest.mark.parametrize("what", [*REFUSED, *REFUSED_LOOPS])
def test_refused_with_the_line(what: str, tmp_path: Path) -> None:
    statement = f"{what}\n        a |= i\n    return a" if what in REFUSED_LOOPS else f"return {what}"
    lines = [
        "",
        "SIXTY_FOUR = 64",
        "@entry",
        "def run(a, b, x):",
        "    n = x.size",
        "    a |= 1",
        f"    {statement}",
        "",
    ]
    source = HEADER + CONSTANTS + "\n".join(lines)
    with imported(source, tmp_path, "refused") as module, pytest.raises(NumbaError) as error:
        module.run(U64(3), U64(5), np.array([1, -2, 3]))
    assert f"run: {(REFUSED | REFUSED_LOOPS)[what]}" in str(error.value)
    line = source[: source.index(f"    {statement}")].count("\n") + 1
    found = re.search(r'refused.py", line (\d+):', str(error.value))
    assert found is not None
    assert int(found[1]) == line + (what.endswith("n):") and "- 5" in what)


def test_numbers_of_a_kernel_are_refused_with_its_name_and_line(tmp_path: Path) -> None:
    inner = "@kernel\ndef inner(a, n):\n    return a | n\n"
    source = f"{HEADER}\n{inner}\n@entry\ndef run(a, x):\n    return inner(a, x.size)\n"
    with imported(source, tmp_path, "refused") as module, pytest.raises(NumbaError) as error:
        module.run(U64(3), np.zeros(3))
    assert "inner: a word meets a signed number that may be negative: convert one" in str(error.value)
    assert 'refused.py", line 9:' in str(error.value)


@entry
def of_arrays(boards: Any, numbers: Any) -> Any:
    return (boards + numbers)[0]


@entry
def of_arrays_and_lengths(boards: Any, numbers: Any) -> Any:
    return (boards + numbers.size)[0]


@pytest.mark.parametrize("mixed", [of_arrays, of_arrays_and_lengths])
def test_arrays_of_words_do_not_meet_signed_numbers(mixed: Entry) -> None:
    """NumPy would make their sum floats."""
    with pytest.raises(NumbaError, match="a word meets a signed number in an operation of NumPy's"):
        mixed(np.ones(3, U64), np.ones(3, np.int64))


@entry
@signed
def least_signed(a: Any, n: Any) -> Any:
    return min(a, n)


def test_signed_functions_are_checked_too() -> None:
    with pytest.raises(NumbaError, match="a word and a signed number become a float"):
        least_signed(U64(1), 2)


def _one_branch(a: Any) -> Any:
    if a > 3:
        x = a
    return x


def _loop_variable(a: Any) -> Any:
    for x in range(a):
        a += x
    return x


def _changed_in_a_loop(a: Any) -> Any:
    while a > 3:
        if a & 1:
            x = a
        a -= 1
        if a & 2:
            x += 1
    return a


def _inner_loop(a: Any) -> Any:
    for i in range(3):
        for j in range(a):
            x = i + j
        a += x
    return a


def _first_statement(a: Any) -> Any:
    b = x + a  # type: ignore[has-type,used-before-def]  # noqa: F821
    x = a
    return b + x


UNSET: Final = (_one_branch, _loop_variable, _changed_in_a_loop, _inner_loop, _first_statement)


@pytest.mark.parametrize("function", UNSET)
def test_a_variable_that_is_not_set_on_every_path_is_refused(function: Any) -> None:
    with pytest.raises(NumbaError, match=r"\bx\b.*(is not set on every path|referenced before assignment|not defined)"):
        entry(function)(U64(5))


def _both_branches(a: Any) -> Any:
    if a > 3:
        x = a
    else:
        return a
    return x + 1


def _endless_loop(a: Any) -> Any:
    while True:
        x = a + 1
        if x > 6:
            break
        a += 1
    return x


@pytest.mark.parametrize("function", [_both_branches, _endless_loop])
def test_a_variable_that_is_set_on_every_path_is_right(function: Any) -> None:
    for a in (1, 5):
        assert entry(function)(U64(a)) == function(a)
