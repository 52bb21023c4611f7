"""A second search, of another design: every sequence of operations, with no value compared to another.

It shares neither the arena nor the identification of values with `value_sets`, nor the compiled operations, so that an
error in one would show as a difference between the two. A program is a sequence of instructions: an operation and the
positions of its operands. Three rules leave one sequence of those that differ in trifles only:

- Operands that may be exchanged are ordered.
- An instruction that does not use the result of the one before it is greater than that one: two such could change
  places.
- Each result is used. An instruction uses up to two, so no more results may be unused than the remaining ones can take.

Each program is run on two cases, and on all if it is right on those.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formulas import operations as ops
from formulas.operations import FIRST_ORDERED, FIRST_UNARY, Operation
from rookery.kernel import (
    U64,
    bitreverse,
    byteswap,
    cold_kernel,
    entry,
    kernel,
    leading_zeros,
    pdep,
    pext,
    popcount,
    signed,
    trailing_zeros,
)

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

# Part of what a count means: to be raised when the search runs other programs than before.
VERSION: Final = 1
PROGRAMS, RIGHT, UNUSED = range(3)
SIMPLE, EXCHANGED, TWO = range(3)
_TESTED: Final = 2  # cases


class Sequence(NamedTuple):
    """The arrays of a search through sequences."""

    codes: Ints  # in ascending order
    kinds: Ints  # how many operations are simple, have operands that may be exchanged, have two operands
    constants: Words
    inputs: Words  # of all cases, one input after the other
    target: Words
    care: Words
    values: Words  # two words for each input and result
    scratch: Words  # inputs and results in one case
    instruction: Ints  # by depth: operation and operands
    uses: Ints  # of each value
    counts: Ints


@kernel
def _shifted(code: Any, x: Any, y: Any) -> Any:
    """Return a shift by a value: scalar ones use the low six bits, those of lanes leave nothing or the sign."""
    by = y & 63
    if code == ops.SHL or (code == ops.SHL_LANE and y < 64):
        return x << by
    if code == ops.SHR or (code == ops.SHR_LANE and y < 64):
        return x >> by
    if code == ops.SAR_LANE:
        fill = 0xFFFFFFFFFFFFFFFF if x >> 63 else 0
        if y >= 64:
            return fill
        return (x >> by) | (fill ^ (fill >> by))
    return 0


@kernel
def _scanned(code: Any, constant: Any, x: Any) -> Any:
    if code == ops.POPCOUNT:
        return popcount(x)
    if code == ops.LZCNT:
        return leading_zeros(x)
    if code == ops.TZCNT:
        return trailing_zeros(x)
    if code == ops.BLSI:
        return x & (~x + 1)
    if code == ops.BLSR:
        return x & (x - 1)
    if code == ops.BLSMSK:
        return x ^ (x - 1)
    if code == ops.SHL_BY:
        return x << constant
    if code == ops.SHR_BY:
        return x >> constant
    return x * constant


@cold_kernel
def _rare(code: Any, constant: Any, x: Any, y: Any) -> Any:
    """Return the result of an operation that `result` does not compute itself."""
    if code == ops.PEXT:
        return pext(x, y)
    if code == ops.PDEP:
        return pdep(x, y)
    if code == ops.MUL:
        return x * y
    if code < FIRST_UNARY:
        return _shifted(code, x, y)
    if code == ops.BYTESWAP:
        return byteswap(x)
    if code == ops.BITREVERSE:
        return bitreverse(x)
    return _scanned(code, constant, x)


@kernel
def result(code: Any, constant: Any, x: Any, y: Any) -> Any:
    """Return the result of an operation."""
    if code == ops.ADD:
        return x + y
    if code == ops.XOR:
        return x ^ y
    if code == ops.AND:
        return x & y
    if code == ops.OR:
        return x | y
    if code == ops.SUB:
        return x - y
    if code == ops.ANDN:
        return y & ~x
    if code == ops.NOT:
        return ~x
    if code == ops.NEG:
        return ~x + 1
    return _rare(code, constant, x, y)


@cold_kernel
@signed
def _is_right(s: Any, inputs: Any, length: Any) -> Any:
    """Return whether the program is right in every case."""
    cases = len(s.target)
    for case in range(cases):
        for p in range(inputs):
            s.scratch[p] = s.inputs[p * cases + case]
        for d in range(length):
            o, a, b = s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2]
            s.scratch[inputs + d] = result(s.codes[o], s.constants[o], s.scratch[a], s.scratch[b])
        if (s.scratch[inputs + length - 1] & s.care[case]) != s.target[case]:
            return False
    return True


@kernel
def _some_may_be_right(x: Any, y: Any, target: Any, care: Any) -> Any:
    """Return whether one of the first six operations is right in one case, in either order: eight programs at once."""
    either = ((x + y) & care) == target
    either |= ((x ^ y) & care) == target
    either |= ((x & y) & care) == target
    either |= ((x | y) & care) == target
    either |= ((x - y) & care) == target
    either |= ((y - x) & care) == target
    either |= ((y & ~x) & care) == target
    either |= ((x & ~y) & care) == target
    return either


@cold_kernel
@signed
def _run_last(s: Any, inputs: Any, length: Any, o: Any, a: Any, b: Any) -> Any:
    """Run a program with a last instruction on the second case, and on all if it is right there."""
    second = result(s.codes[o], s.constants[o], s.values[2 * a + 1], s.values[2 * b + 1])
    if (second & s.care[1]) == s.target[1]:
        d = 3 * (length - 1)
        s.instruction[d], s.instruction[d + 1], s.instruction[d + 2] = o, a, b
        if _is_right(s, inputs, length):
            s.counts[RIGHT] += 1
    return 0


@kernel
@signed
def _run_first(s: Any, inputs: Any, length: Any, o: Any, a: Any, b: Any) -> Any:
    """Run a program on the first case, and on the others if it is right there."""
    first = result(s.codes[o], s.constants[o], s.values[2 * a], s.values[2 * b])
    if (first & s.care[0]) == s.target[0]:
        _run_last(s, inputs, length, o, a, b)
    return 0


@cold_kernel
@signed
def _run_pair(s: Any, inputs: Any, length: Any, v: Any, q: Any, begin: Any, end: Any) -> Any:
    """Run the last instructions numbered from `begin` up to `end` on two values, in either order."""
    for o in range(begin, end):
        _run_first(s, inputs, length, o, v, q)
        if s.codes[o] >= FIRST_ORDERED and q < v:
            _run_first(s, inputs, length, o, q, v)
    return 0


@kernel
@signed
def _finish(s: Any, inputs: Any, length: Any) -> Any:
    """Run every last instruction that leaves no result unused."""
    v = inputs + length - 2
    other = -1
    for p in range(inputs, v):
        if s.uses[p] == 0:
            other = p
    simple, exchanged, two = s.kinds[SIMPLE], s.kinds[EXCHANGED], s.kinds[TWO]
    first = other if other >= 0 else 0
    last = other if other >= 0 else v
    for q in range(first, last + 1):
        s.counts[PROGRAMS] += 2 * two - exchanged if q < v else two
        if _some_may_be_right(s.values[2 * v], s.values[2 * q], s.target[0], s.care[0]):
            _run_pair(s, inputs, length, v, q, 0, simple)
        if simple < two:
            _run_pair(s, inputs, length, v, q, simple, two)
    if other < 0:
        s.counts[PROGRAMS] += len(s.codes) - two
        for o in range(two, len(s.codes)):
            _run_first(s, inputs, length, o, v, v)
    return 0


@kernel
@signed
def _advance(s: Any, d: Any, values: Any) -> Any:
    """Go to the next instruction of a depth; return False if there is none."""
    o, a, b = s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2]
    code = s.codes[o]
    b += 1
    if code >= FIRST_UNARY or b >= values or (code < FIRST_ORDERED and b > a):
        a += 1
        if a >= values:
            o += 1
            a = 0
        b = 0
        if o < len(s.codes) and s.codes[o] >= FIRST_UNARY:
            b = a
    s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2] = o, a, b
    return o < len(s.codes)


@kernel
@signed
def _is_greater(s: Any, d: Any) -> Any:
    """Return whether the instruction of a depth is greater than the one before it."""
    for i in range(3):
        here, before = s.instruction[3 * d + i], s.instruction[3 * d - 3 + i]
        if here != before:
            return here > before
    return False


@kernel
@signed
def _take(s: Any, inputs: Any, d: Any, length: Any) -> Any:
    """Run the instruction of a depth and return True, unless another sequence stands for it or it leaves too much."""
    o, a, b = s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2]
    v = inputs + d
    if d > 0 and a != v - 1 and b != v - 1 and not _is_greater(s, d):
        return False
    unused = s.counts[UNUSED] + 1
    if a >= inputs and s.uses[a] == 0:
        unused -= 1
    if b >= inputs and b != a and s.uses[b] == 0:
        unused -= 1
    if unused > length - d:  # d + 1 are done, and each of the others takes one more than it leaves
        return False
    s.counts[UNUSED] = unused
    s.uses[a] += 1
    s.uses[b] += 1
    s.uses[v] = 0
    for i in range(_TESTED):
        s.values[2 * v + i] = result(s.codes[o], s.constants[o], s.values[2 * a + i], s.values[2 * b + i])
    return True


@kernel
@signed
def _put_back(s: Any, inputs: Any, d: Any) -> Any:
    a, b = s.instruction[3 * d + 1], s.instruction[3 * d + 2]
    s.uses[a] -= 1
    s.uses[b] -= 1
    unused = s.counts[UNUSED] - 1
    if a >= inputs and s.uses[a] == 0:
        unused += 1
    if b >= inputs and b != a and s.uses[b] == 0:
        unused += 1
    s.counts[UNUSED] = unused
    return 0


@entry
@signed
def run_sequences(s: Any, inputs: Any, length: Any, part: Any) -> Any:
    """Run the programs of `length` instructions whose first one is number `part`; return False if there is none."""
    s.counts[PROGRAMS] = 0
    s.counts[RIGHT] = 0
    s.counts[UNUSED] = 0
    cases = len(s.target)
    for p in range(inputs):
        for i in range(_TESTED):
            s.values[2 * p + i] = s.inputs[p * cases + i]
    s.instruction[0] = 0
    s.instruction[1] = 0
    s.instruction[2] = 0
    for _ in range(part):
        if not _advance(s, 0, inputs):
            return False
    if not _take(s, inputs, 0, length):
        return True
    if length == 2:
        _finish(s, inputs, length)
        return True
    d = 1
    s.instruction[3], s.instruction[4], s.instruction[5] = 0, 0, -1
    while d > 0:
        if not _advance(s, d, inputs + d):
            d -= 1
            if d > 0:
                _put_back(s, inputs, d)
        elif _take(s, inputs, d, length):
            if d == length - 2:
                _finish(s, inputs, length)
                _put_back(s, inputs, d)
            else:
                d += 1
                s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2] = 0, 0, -1
    return True


def sequences_for(
    inputs: Words, target: Words, care: Words, operations: tuple[Operation, ...], length: int
) -> Sequence:
    """Allocate the arrays of a search for programs of `length` operations; `inputs` has a row for each input."""
    if length < 2:
        raise ValueError(f"length: {length}: expected at least 2 operations")
    ordered = sorted(operations, key=lambda o: o.code)
    kinds = [sum(o.code < end for o in operations) for end in (ops.SHL, FIRST_ORDERED, FIRST_UNARY)]
    values = len(inputs) + length
    return Sequence(
        codes=np.array([o.code for o in ordered], np.int64),
        kinds=np.array(kinds, np.int64),
        constants=np.array([o.constant for o in ordered], U64),
        inputs=inputs.ravel().copy(),
        target=target & care,
        care=care,
        values=np.zeros(_TESTED * values, U64),
        scratch=np.zeros(values, U64),
        instruction=np.zeros(3 * length, np.int64),
        uses=np.zeros(values, np.int64),
        counts=np.zeros(3, np.int64),
    )
