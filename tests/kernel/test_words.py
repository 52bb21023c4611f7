"""Integers in compiled code are words, and words never meet signed numbers in a float."""

import ast
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

import rookery
from rookery.bitboards import bits
from rookery.kernel import U64, Entry, entry, kernel, signed
from rookery.kernel.codecache.dependencies import closure

HIGH = 1 << 63
LOW = 3
BELOW_ZERO = -1


@kernel
def lowest(b: Any) -> Any:
    return b & -b


@entry
def literals(boards: Any, out: Any) -> Any:
    for i in range(out.size):
        b = boards[i]
        total = 0
        for k in range(8):
            total += (b >> 8 * k) & 0xFF
        out[i] = (total << 56 | lowest(b)) >> 1
    return 0xFF << 56


@entry
def constants(b: Any) -> Any:
    return (b | HIGH) >> LOW


@entry
def attribute(b: Any) -> Any:
    return (b | bits.NOT_A_FILE) >> 1


@kernel
def counted(b: Any) -> Any:
    if b == 0:
        return 0.5, 0  # a constant tuple, which Python 3.12 returns in one instruction
    return 1.5, b >> 60


@entry
def tuples(b: Any) -> Any:
    return (counted(b)[1] - 1) >> 60


@entry
def negative(b: Any) -> Any:
    return b + BELOW_ZERO


def test_ints_of_constant_tuples_are_words() -> None:
    assert tuples(U64(0)) == tuples(U64(1)) == 15
    assert tuples(U64(HIGH)) == 0


def test_literals_mean_what_they_mean_in_python() -> None:
    boards = np.array([HIGH | 0xFF00, 1, 0, 2**64 - 1], U64)
    out = np.zeros(4, U64)
    assert literals(boards, out) == 0xFF << 56
    for b, found in zip(boards.tolist(), out.tolist(), strict=True):
        total = sum(b >> 8 * k & 0xFF for k in range(8))
        assert found == ((total << 56 | b & -b) & 2**64 - 1) >> 1


def test_constants_of_modules_are_words() -> None:
    assert constants(U64(0)) == HIGH >> LOW
    assert attribute(U64(0)) == bits.NOT_A_FILE >> 1


def test_negative_constants_stay_signed() -> None:
    assert negative(5) == 4
    assert negative(0) == -1


@kernel
def indexed(boards: Any) -> Any:
    return boards[2] ^ boards[0]


@kernel
def unpacked(boards: Any) -> Any:
    first, second, third = boards
    return first ^ second ^ third


@entry
def both_ways(b: Any) -> Any:
    boards = (b, b << 1, b << 2)
    return indexed(boards) ^ unpacked(boards)


def test_a_tuple_may_be_indexed_and_then_unpacked() -> None:
    """Numba remembers that a word is no index of a tuple, and then fails to unpack it."""
    assert both_ways(U64(1)) == 2


def closing_over(value: int) -> Entry:
    def shifted(b: Any) -> Any:
        return (b | value) >> 1

    return entry(shifted)


def test_variables_of_closures_are_words() -> None:
    assert closing_over(HIGH)(U64(0)) == HIGH >> 1


@entry
def least(lengths: Any) -> Any:
    return min(lengths.size, LOW)


@entry
def either(lengths: Any) -> Any:
    return lengths.size if lengths[0] else LOW


@entry
def first_and_then(lengths: Any) -> Any:
    n = 0
    if lengths[0]:
        n = lengths.size
    return n


@pytest.mark.parametrize("mixed", [least, either, first_and_then])
def test_a_word_and_a_signed_number_are_no_float(mixed: Entry) -> None:
    with pytest.raises(TypingError, match=f"{mixed.function.__name__}: a word and a signed number become a float"):
        mixed(np.ones(5, U64))


@entry
@signed
def least_signed(lengths: Any) -> Any:
    return min(lengths.size, LOW)


@entry
@signed
def difference(lengths: Any) -> Any:
    return 3 - lengths.size


def test_signed_functions_keep_signed_literals() -> None:
    assert least_signed(np.ones(5, U64)) == 3
    assert difference(np.ones(5, U64)) == -2


def test_the_mark_stands_directly_above_each_function() -> None:
    """`signed` marks the function itself: above `entry` it would mark something else."""
    texts = {file.name: file.read_text(encoding="utf-8") for file in Path(rookery.__file__).parent.rglob("*.py")}
    for name, text in texts.items():
        for node in ast.walk(ast.parse(text)) if "@signed" in text else ():
            if isinstance(node, ast.FunctionDef):
                names = [ast.unparse(decorator) for decorator in node.decorator_list]
                assert "signed" not in names[:-1], f"{name}: {node.name}"


def test_a_module_read_by_attribute_is_a_dependency() -> None:
    this, used = sys.modules[__name__], bits
    assert isinstance(used, ModuleType)
    assert Path(str(used.__file__)) in closure([Path(str(this.__file__))])
