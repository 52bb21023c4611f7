"""The second search for programs with a look-up: every sequence of operations, the look-up being one of them.

It follows the rules of `formulas.sequences`, and shares neither sets nor compiled operations with `sets`. The values
that depend on an entry of bytes are computed for all 256, in the first case. `judging_again` decides about the programs
that some byte makes right there, and about all programs with words.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formulas import operations as ops
from formulas.cases import Cases
from formulas.operations import FIRST_ORDERED, FIRST_UNARY
from formulas.questions import Question
from formulas.sequences import PROGRAMS, RIGHT, result
from formulas.tables.judging_again import judge
from formulas.tables.state import ENTRIES, groups_of
from rookery.kernel import U64, entry, kernel, signed

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

# Part of what a count means: to be raised when the search runs other programs than before.
VERSION: Final = 1
UNUSED, ENTRY, DEPENDENT = 2, 3, 4


class Sequence(NamedTuple):
    """The arrays of a search through sequences with a look-up."""

    codes: Ints  # in ascending order, so that the look-up is the last
    constants: Words
    after: Ints  # by operation: 1 if it may use what depends on the entry
    most_after: Ints  # one number
    inputs: Words  # of all cases, one input after the other
    target: Words
    care: Words
    groups: Ints  # by case
    index_bits: Ints  # one number
    of_bytes: Ints  # one number, 1 or 0
    lanes: Words  # by value and byte, in the first case
    depends: Ints  # by value: 1 if it depends on the entry
    instruction: Ints  # by depth: operation and operands
    uses: Ints  # by value
    first: Words  # scratch: the values in a case
    second: Words
    indices: Ints  # by case, the slot that is read
    before: Ints  # by case, the nearest case before that reads the same slot, or -1
    counts: Ints


@kernel
@signed
def _some_byte(s: Any, o: Any, a: Any, b: Any) -> Any:
    """Return whether an operation is right in the first case with some byte."""
    code, constant = s.codes[o], s.constants[o]
    target, care = s.target[0], s.care[0]
    a, b = a * ENTRIES, b * ENTRIES
    some = 0
    for i in range(ENTRIES):
        some += (result(code, constant, s.lanes[a + i], s.lanes[b + i]) & care) == target
    return some > 0


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
def _is_allowed(s: Any, inputs: Any, d: Any, length: Any) -> Any:
    """Return whether the instruction of a depth may stand there: one look-up, what may follow it, and the order."""
    o, a, b = s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2]
    depends = s.depends[a] | s.depends[b]
    if s.codes[o] == ops.LOOK_UP:
        if s.counts[ENTRY] or depends:
            return False
    else:
        if depends and (not s.after[o] or s.counts[DEPENDENT] == s.most_after[0]):
            return False
        if d == length - 1 and not depends:
            return False
    if d > 0 and a != inputs + d - 1 and b != inputs + d - 1:
        for i in range(3):
            here, before = s.instruction[3 * d + i], s.instruction[3 * d - 3 + i]
            if here != before:
                return here > before
        return False
    return True


@kernel
@signed
def _take(s: Any, inputs: Any, d: Any, length: Any) -> Any:
    """Count the uses of an instruction and return True, unless too much would be unused."""
    o, a, b = s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2]
    v = inputs + d
    unused = s.counts[UNUSED] + 1
    if a >= inputs and s.uses[a] == 0:
        unused -= 1
    if b >= inputs and b != a and s.uses[b] == 0:
        unused -= 1
    if unused > length - d:
        return False
    s.counts[UNUSED] = unused
    s.uses[a] += 1
    s.uses[b] += 1
    s.uses[v] = 0
    s.depends[v] = s.depends[a] | s.depends[b]
    s.counts[DEPENDENT] += s.depends[v]
    if s.codes[o] == ops.LOOK_UP:
        s.counts[ENTRY] = 1
        s.depends[v] = 1
        for i in range(ENTRIES):
            s.lanes[v * ENTRIES + i] = U64(i)
    elif s.of_bytes[0]:
        for i in range(ENTRIES):
            x, y = s.lanes[a * ENTRIES + i], s.lanes[b * ENTRIES + i]
            s.lanes[v * ENTRIES + i] = result(s.codes[o], s.constants[o], x, y)
    return True


@kernel
@signed
def _put_back(s: Any, inputs: Any, d: Any) -> Any:
    o, a, b = s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2]
    s.uses[a] -= 1
    s.uses[b] -= 1
    unused = s.counts[UNUSED] - 1
    if a >= inputs and s.uses[a] == 0:
        unused += 1
    if b >= inputs and b != a and s.uses[b] == 0:
        unused += 1
    s.counts[UNUSED] = unused
    if s.codes[o] == ops.LOOK_UP:
        s.counts[ENTRY] = 0
    else:
        s.counts[DEPENDENT] -= s.depends[inputs + d]
    return 0


@kernel
@signed
def _finish(s: Any, inputs: Any, length: Any, bits: Any) -> Any:
    """Run the program if its last instruction leaves nothing unused and a look-up is among them."""
    d = length - 1
    o, a, b = s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2]
    looks_up = s.codes[o] == ops.LOOK_UP
    if not s.counts[ENTRY] and not looks_up:
        return 0
    unused = s.counts[UNUSED]
    if a >= inputs and s.uses[a] == 0:
        unused -= 1
    if b >= inputs and b != a and s.uses[b] == 0:
        unused -= 1
    if unused > 0:
        return 0
    s.counts[PROGRAMS] += 1
    if not s.of_bytes[0] or (not looks_up and _some_byte(s, o, a, b)):
        s.depends[inputs + d] = 1
        judge(s, inputs, length, bits)
    return 0


@entry
@signed
def run_sequences(s: Any, inputs: Any, length: Any, part: Any, bits: Any) -> Any:
    """Run the programs of `length` instructions whose first one is number `part`; return False if there is none."""
    s.counts[PROGRAMS] = 0
    s.counts[RIGHT] = 0
    s.counts[UNUSED] = 0
    s.counts[ENTRY] = 0
    s.counts[DEPENDENT] = 0
    cases = len(s.target)
    for p in range(inputs):
        s.depends[p] = 0
        for i in range(ENTRIES):
            s.lanes[p * ENTRIES + i] = s.inputs[p * cases]
    s.instruction[0] = 0
    s.instruction[1] = 0
    s.instruction[2] = 0
    for _ in range(part):
        if not _advance(s, 0, inputs):
            return False
    if not _is_allowed(s, inputs, 0, length) or not _take(s, inputs, 0, length):
        return True
    d = 1
    s.instruction[3], s.instruction[4], s.instruction[5] = 0, 0, -1
    while d > 0:
        if not _advance(s, d, inputs + d):
            d -= 1
            if d > 0:
                _put_back(s, inputs, d)
        elif _is_allowed(s, inputs, d, length):
            if d == length - 1:
                _finish(s, inputs, length, bits)
            elif _take(s, inputs, d, length):
                d += 1
                s.instruction[3 * d], s.instruction[3 * d + 1], s.instruction[3 * d + 2] = 0, 0, -1
    return True


def sequences_for(question: Question, given: Cases, length: int) -> tuple[Sequence, Words]:
    """Allocate the arrays of a search for programs of `length` operations, and scratch for bits."""
    if length < 2:
        raise ValueError(f"length: {length}: expected at least 2 operations")
    table = question.table
    if table is None:
        raise ValueError(f"question: {question.name!r}: expected one with a table")
    ordered = sorted(question.operations, key=lambda o: o.code)
    inputs, care = question.values(given), question.care(given)
    values = len(inputs) + length

    def ints(n: int) -> Ints:
        return np.zeros(n, np.int64)

    s = Sequence(
        codes=np.array([o.code for o in ordered], np.int64),
        constants=np.array([o.constant for o in ordered], U64),
        most_after=np.array([table.most_after], np.int64),
        after=np.array([o in table.after for o in ordered], np.int64),
        inputs=inputs.ravel().copy(),
        target=given.expected & care,
        care=care,
        groups=groups_of(given, table.shared),
        index_bits=np.array([table.index_bits], np.int64),
        of_bytes=np.array([table.entry_bits == 8], np.int64),
        lanes=np.zeros(values * ENTRIES, U64),
        depends=ints(values),
        instruction=ints(3 * length),
        uses=ints(values),
        first=np.zeros(values, U64),
        second=np.zeros(values, U64),
        indices=ints(len(given)),
        before=ints(len(given)),
        counts=ints(5),
    )
    return s, np.zeros(values + (1 << 12), U64)
