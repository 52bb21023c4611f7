"""The arrays of a search for programs with a look-up."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formulas.cases import Cases
from formulas.operations import Operation
from formulas.programs import Program, Step
from formulas.questions import Table
from formulas.state import HITS, MOST_HITS, SETS, TESTS, Result, State
from rookery.kernel import U64

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]

ENTRIES: Final = 256  # what a table of bytes may hold
_MOST_STATES: Final = 1 << 12  # of carries


class Dependent(NamedTuple):
    """The arrays for what depends on the look-up. Its result is the value after those of the set."""

    groups: Ints  # by case: cases of one group share a table
    after: Ints  # the operations that may use what the table returns
    index_bits: Ints  # one number
    of_bytes: Ints  # one number, 1 or 0
    lanes: Words  # by value and entry: values in the first case
    scratch: Words  # likewise in another case
    answers: Words  # scratch, by entry
    fits: Words  # by case, four words: the entries with which a program is right
    uses: Ints  # by value
    cursor: Ints  # by depth: place in `after`, left and right
    steps: Ints  # by depth: operation, left and right
    before: Ints  # by value and case: the nearest case before with the same index and table, or -1
    slots: Ints  # by table and index, the last case
    words: Words  # scratch, values in two cases
    states: Words  # scratch, the low bits of an entry by signature of its carries
    signatures: Words
    hits: Ints
    counts: Ints


def groups_of(given: Cases, shared: bool) -> Ints:
    """Return a number by case: cases with the same number use the same table."""
    if shared:
        return np.zeros(len(given), np.int64)
    lines = np.unique(given.movers, return_inverse=True)[1].astype(np.int64)
    numbers: Ints = np.unique(lines * 64 + given.squares.astype(np.int64), return_inverse=True)[1].astype(np.int64)
    return numbers


def dependent_for(given: Cases, table: Table, operations: tuple[Operation, ...], values: int, length: int) -> Dependent:
    """Allocate the arrays of a search for programs of `length` operations on `values` inputs."""
    groups = groups_of(given, table.shared)
    most = values + length + 1
    after = [i for i, operation in enumerate(operations) if operation in table.after]

    def words(n: int) -> Words:
        return np.zeros(n, U64)

    def ints(n: int) -> Ints:
        return np.zeros(n, np.int64)

    return Dependent(
        groups=groups,
        after=np.array(after, np.int64),
        index_bits=np.array([table.index_bits], np.int64),
        of_bytes=np.array([table.entry_bits == 8], np.int64),
        lanes=words(most * ENTRIES),
        scratch=words(most * ENTRIES),
        answers=words(ENTRIES),
        fits=words(4 * len(given)),
        uses=ints(most),
        cursor=ints(3 * (length + 1)),
        steps=ints(3 * (length + 1)),
        before=ints(most * len(given)),
        slots=np.full((int(groups.max()) + 1) << table.index_bits, -1, np.int64),
        words=words(2 * most),
        states=words(2 * _MOST_STATES),
        signatures=words(2 * _MOST_STATES),
        hits=np.zeros((MOST_HITS, length, 3), np.int64),
        counts=ints(2),
    )


def found(
    s: State, t: Dependent, names: tuple[str, ...], operations: tuple[Operation, ...], length: int, parts: int
) -> Result:
    """Return what `search` left in its arrays. `operations` end with the look-up."""
    counts = s.counts.tolist()
    programs = [
        Program(names, tuple(Step(operations[o], left, right) for o, left, right in hit[:length]))
        for hit in t.hits[: counts[HITS]].tolist()
    ]
    return Result(parts, counts[SETS], counts[TESTS], counts[HITS], programs)
