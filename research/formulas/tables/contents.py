"""Whether a table exists that makes a program right in every case, and what it contains."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formulas import operations as ops
from formulas.cases import Cases
from formulas.programs import Program
from formulas.questions import Question, Table
from formulas.tables.state import ENTRIES, groups_of
from rookery.kernel import U64, UNIVERSE

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]


class Contents(NamedTuple):
    """The slots that are read, each a table and an index, with an entry for each; or cases that need two entries."""

    slots: Ints
    entries: Words
    conflict: list[int]


class Halves(NamedTuple):
    """A program with a look-up, taken apart: the values before it, and what follows.

    `at` is the index in each case. The inputs of `after` are the values before the look-up and the entry.
    """

    before: Words
    at: Words
    after: Program

    def run(self, entry: int, cases: Any) -> list[Any]:
        """Return every value in some cases if the look-up returns `entry` in them."""
        known = self.before[:, cases]
        return self.after.every_value([*known, np.full(known.shape[1], entry, U64)])


def halves(program: Program, values: Words) -> Halves:
    """Take a program with a look-up apart."""
    (look_up,) = [n for n, step in enumerate(program.steps) if step.operation.code == ops.LOOK_UP]
    before = np.array(Program(program.inputs, program.steps[:look_up]).every_value(values))
    names = tuple(f"v{i}" for i in range(len(before) + 1))
    return Halves(before, before[program.steps[look_up].left], Program(names, program.steps[look_up + 1 :]))


def slots_of(index: Words, groups: Ints, table: Table) -> Ints:
    """Return which slot is read in each case: the number of the table, and the low bits of the index."""
    mask = U64((1 << table.index_bits) - 1)
    found: Ints = (groups << table.index_bits) | (index & mask).astype(np.int64)
    return found


def contents(program: Program, question: Question, every: Cases, values: Words, groups: Ints | None = None) -> Contents:
    """Return a table with which a program is right in every case, or a few cases for which there is none.

    Cases with the same number in `groups` share a table; without it, those of the question.
    """
    table = question.table
    assert table is not None
    parted = halves(program, values)
    slots = slots_of(parted.at, groups_of(every, table.shared) if groups is None else groups, table)
    wanted, care = every.expected & question.care(every), question.care(every)
    order = np.argsort(slots, kind="stable")
    numbers, begins = np.unique(slots[order], return_index=True)
    parts = np.split(order, begins[1:])
    if table.entry_bits == 8:
        return _bytes(parted, wanted, care, numbers, parts)
    if not parted.after.steps:
        return _last_words(wanted, care, numbers, parts)
    entries = np.zeros(len(numbers), U64)
    for i, part in enumerate(parts):
        chosen = [int(part[0])]
        while True:
            entry = _word(parted, chosen, wanted[chosen], care[chosen])
            if entry is None:
                return Contents(numbers, entries, chosen)
            entries[i] = entry
            wrong = (parted.run(entry, part)[-1] ^ wanted[part]) & care[part]
            if not wrong.any():
                break
            chosen.append(int(part[np.flatnonzero(wrong)[0]]))
    return Contents(numbers, entries, [])


def _bytes(parted: Halves, wanted: Words, care: Words, numbers: Ints, parts: list[Ints]) -> Contents:
    """Try every byte in every case."""
    entries = np.zeros(len(numbers), U64)
    fits = np.zeros((ENTRIES, len(wanted)), bool)
    for entry in range(ENTRIES):
        fits[entry] = (parted.run(entry, slice(None))[-1] ^ wanted) & care == 0
    for i, part in enumerate(parts):
        common = fits[:, part].all(axis=1)
        if not common.any():
            left = np.ones(ENTRIES, bool)
            chosen: list[int] = []
            while left.any():
                case = int(part[np.argmin(fits[left][:, part].sum(axis=0))])
                left &= fits[:, case]
                chosen.append(case)
            return Contents(numbers, entries, chosen)
        entries[i] = np.argmax(common)
    return Contents(numbers, entries, [])


def _last_words(wanted: Words, care: Words, numbers: Ints, parts: list[Ints]) -> Contents:
    """Return the entries that are the answers themselves."""
    entries = np.array([np.bitwise_or.reduce(wanted[part]) for part in parts], U64)
    for entry, part in zip(entries, parts, strict=True):
        wrong = np.flatnonzero((entry ^ wanted[part]) & care[part])
        if len(wrong):
            case = part[wrong[0]]
            bit = ((entry ^ wanted[case]) & care[case]) & (~((entry ^ wanted[case]) & care[case]) + U64(1))
            other = part[np.flatnonzero(wanted[part] & bit)[0]]
            return Contents(numbers, entries, [int(case), int(other)])
    return Contents(numbers, entries, [])


def _carries(after: Program, values: Sequence[Any], low: np.uint64) -> bytes:
    """Return what the operations after the look-up carry out of the low bits, one byte a case and operation."""
    carried = []
    for step in after.steps:
        x, y = values[step.left] & low, values[step.right] & low
        if step.operation.code == ops.ADD:
            carried.append(x + y > low)
        elif step.operation.code == ops.SUB:
            carried.append(x < y)
        elif step.operation.code == ops.NEG:
            carried.append(x != 0)
    return b"".join(np.asarray(c, bool).tobytes() for c in carried)


def _word(parted: Halves, cases: list[int], wanted: Words, care: Words) -> int | None:
    """Return a word that makes a program right in some cases, or None, from the lowest bit on.

    Words that carry alike are the same to the higher bits, so that one of them is kept.
    """
    states = [0]
    for j in range(64):
        low, bit = U64((2 << j) - 1 & int(UNIVERSE)), U64(1 << j)
        following: dict[bytes, int] = {}
        for word in (state | choice << j for state in states for choice in (0, 1)):
            every = parted.run(word, cases)
            if not ((every[-1] ^ wanted) & care & bit).any():
                following.setdefault(_carries(parted.after, every, low), word)
        states = list(following.values())
    return states[0] if states else None


def wrong_cases(program: Program, question: Question, every: Cases, values: Words) -> list[int]:
    """Return a few cases of one slot that no entry makes right, or an empty list if a table makes all cases right."""
    return contents(program, question, every, values).conflict
