"""The operations mean what they say, in all three forms: Python's own ints are the judge."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from formulas import operations as ops
from formulas.operations import Operation, apply
from formulas.programs import Program, Step
from formulas.sequences import result
from rookery.kernel import U64, entry

WORD = (1 << 64) - 1
# Words that shifts, borrows and zero counts treat differently, and others.
WORDS = [0, 1, 2, 3, 63, 64, 65, 127, 1 << 63, WORD, WORD - 1, 0x8040201008040201, 0x0102040810204080]
WORDS += [int(word) for word in np.random.default_rng(5).integers(0, 1 << 64, 20, U64)]


def _pext(x: int, mask: int) -> int:
    bits = [x >> i & 1 for i in range(64) if mask >> i & 1]
    return sum(bit << i for i, bit in enumerate(bits))


def _pdep(x: int, mask: int) -> int:
    places = [i for i in range(64) if mask >> i & 1]
    return sum((x >> n & 1) << i for n, i in enumerate(places))


def _signed(x: int) -> int:
    return x - (1 << 64) if x >> 63 else x


MEANINGS: dict[int, Callable[[int, int, int], int]] = {
    ops.ADD: lambda x, y, c: x + y,
    ops.XOR: lambda x, y, c: x ^ y,
    ops.AND: lambda x, y, c: x & y,
    ops.OR: lambda x, y, c: x | y,
    ops.SUB: lambda x, y, c: x - y,
    ops.ANDN: lambda x, y, c: ~x & y,
    ops.SHL: lambda x, y, c: x << y % 64,
    ops.SHR: lambda x, y, c: x >> y % 64,
    ops.SHL_LANE: lambda x, y, c: x << y if y < 64 else 0,
    ops.SHR_LANE: lambda x, y, c: x >> y if y < 64 else 0,
    ops.SAR_LANE: lambda x, y, c: _signed(x) >> min(y, 63),
    ops.PEXT: lambda x, y, c: _pext(x, y),
    ops.PDEP: lambda x, y, c: _pdep(x, y),
    ops.MUL: lambda x, y, c: x * y,
    ops.NOT: lambda x, y, c: ~x,
    ops.NEG: lambda x, y, c: -x,
    ops.BYTESWAP: lambda x, y, c: int.from_bytes(x.to_bytes(8, "big"), "little"),
    ops.BITREVERSE: lambda x, y, c: int(f"{x:064b}"[::-1], 2),
    ops.POPCOUNT: lambda x, y, c: f"{x:b}".count("1"),
    ops.LZCNT: lambda x, y, c: 64 - x.bit_length(),
    ops.TZCNT: lambda x, y, c: (f"{x:b}"[::-1] + "0" * 64).index("1") if x else 64,
    ops.BLSI: lambda x, y, c: x & -x,
    ops.BLSR: lambda x, y, c: x & (x - 1),
    ops.BLSMSK: lambda x, y, c: x ^ (x - 1),
    ops.SHL_BY: lambda x, y, c: x << c,
    ops.SHR_BY: lambda x, y, c: x >> c,
    ops.MUL_BY: lambda x, y, c: x * c,
}
EVERY = tuple(dict.fromkeys((*ops.CPU, *ops.LANES, *ops.SCATTER, *ops.FACTORS)))


@entry
def _apply(code: int, constant: np.uint64, x: Any, y: Any, out: Any, count: int) -> int:
    return apply(code, constant, x, 1, y, 1, out, count)


@entry
def _apply_second(code: int, constant: np.uint64, x: Any, y: Any, out: Any) -> int:
    for i in range(len(out)):
        out[i] = result(code, constant, x[i], y[i])
    return len(out)


def test_every_code_is_in_a_set() -> None:
    assert {operation.code for operation in EVERY} == set(range(ops.MUL_BY + 1)) == MEANINGS.keys()


@pytest.mark.parametrize("operation", EVERY, ids=lambda o: o.text)
def test_all_forms_mean_what_python_says(operation: Operation) -> None:
    x, y = (np.ravel(column) for column in np.meshgrid(np.array(WORDS, U64), np.array(WORDS, U64)))
    expected = [MEANINGS[operation.code](int(a), int(b), operation.constant) & WORD for a, b in zip(x, y, strict=True)]
    program = Program(("x", "y"), (Step(operation, 0, 1),))
    assert program.run([x, y]).tolist() == expected
    out = np.zeros(len(x), U64)
    # the compiled form begins at the second word of its operands, and leaves the rest of `out` alone
    count = _apply(operation.code, U64(operation.constant), np.append(U64(0), x), np.append(U64(0), y), out, len(x) - 1)
    assert count == len(x) - 1
    assert out.tolist() == [*expected[:-1], 0]
    _apply_second(operation.code, U64(operation.constant), x, y, out)
    assert out.tolist() == expected


def test_formulas_have_the_brackets_they_need() -> None:
    swap = ops.SWAP[0]
    steps = (Step(swap, 0, 0), Step(ops.sub, 2, 1), Step(swap, 3, 3), Step(ops.sub, 0, 1), Step(ops.xor, 4, 5))
    program = Program(("o", "r"), steps)
    assert program.formula() == "byteswap(byteswap(o) - r) ^ (o - r)"
    assert str(program) == "t1 = byteswap(o); t2 = t1 - r; t3 = byteswap(t2); t4 = o - r; t3 ^ t4"


def test_a_look_up_is_written_without_brackets() -> None:
    steps = (Step(ops.add, 0, 1), Step(ops.look_up, 2, 2), Step(ops.xor, 3, 0))
    assert Program(("o", "r"), steps).formula() == "T[o + r] ^ o"


def test_a_program_is_read_as_it_is_written() -> None:
    text = "t1 = o - r; t2 = byteswap(t1); ~t2 & o"
    program = Program.parse(text, ("o", "r"), ops.ARITHMETIC + ops.SWAP)
    assert str(program) == text
    assert [step.left for step in program.steps] == [0, 2, 3]


@pytest.mark.parametrize("step", ["o * r", "o - q", "o -r", ""])
def test_what_is_no_operation_is_an_error(step: str) -> None:
    with pytest.raises(ValueError, match=r"text: .*: expected an operation on o, r, a"):
        Program.parse(f"a = o - r; {step}", ("o", "r"), ops.ARITHMETIC)
