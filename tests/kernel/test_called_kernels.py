"""Kernels that entries call instead of inlining them."""

import re
from typing import Any

import numpy as np

from rookery.kernel import U64, Word, called_kernel, cold_kernel, entry, kernel

_ROUNDS = 40


@called_kernel
def called_steps(x: Word, rounds: Word) -> Word:
    """The steps of a Collatz sequence, no more than `rounds`: a loop that LLVM neither solves nor unrolls."""
    for n in range(rounds):
        if x <= 1:
            return U64(n)
        x = x >> 1 if x & 1 == 0 else 3 * x + 1
    return rounds


@cold_kernel
def cold_steps(x: Word, rounds: Word) -> Word:
    """The same, expected to be rare."""
    for n in range(rounds):
        if x <= 1:
            return U64(n)
        x = x >> 1 if x & 1 == 0 else 3 * x + 1
    return rounds


@kernel
def inlined_steps(x: Word, rounds: Word) -> Word:
    """The same, inlined."""
    for n in range(rounds):
        if x <= 1:
            return U64(n)
        x = x >> 1 if x & 1 == 0 else 3 * x + 1
    return rounds


@entry
def steps(x: Any, rounds: Any, out: Any) -> None:
    for i in range(x.size):
        out[i, 0] = called_steps(x[i], rounds) + called_steps(x[i] + 1, rounds)
        out[i, 1] = cold_steps(x[i], rounds) + cold_steps(x[i] + 1, rounds)
        out[i, 2] = inlined_steps(x[i], rounds) + inlined_steps(x[i] + 1, rounds)


def _steps(x: int) -> int:
    count = 0
    while x > 1 and count < _ROUNDS:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        count += 1
    return count


def test_called_kernels_answer_as_inlined_ones_do() -> None:
    x = np.arange(1, 2000, dtype=U64)
    out = np.zeros((x.size, 3), U64)
    steps(x, U64(_ROUNDS), out)
    expected = [_steps(n) + _steps(n + 1) for n in range(1, 2000)]
    for kind in range(3):
        assert out[:, kind].tolist() == expected
    assert called_steps(27, _ROUNDS) == _steps(27)


def test_a_called_kernel_is_in_the_machine_code_once() -> None:
    text = steps.assembly(np.zeros(1, U64), U64(1), np.zeros((1, 3), U64))
    labels = re.findall(r"^\"?(\S*_steps\S*?)\"?:", text, re.MULTILINE)
    functions = [name for name in labels if not name.startswith((".", "L", "cpython"))]
    for name in ("called_steps", "cold_steps"):
        assert sum(name in label for label in functions) == 1, (name, functions)
    assert not any("inlined_steps" in label for label in functions)
