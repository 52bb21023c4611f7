"""The arrays of a search, and what it leaves in them."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formulas.operations import Operation
from formulas.programs import Program, Step
from rookery.kernel import U64

# Where `counts` has what.
ARENA, VALUES, SETS, TESTS, HITS, UNUSED = range(6)
MOST_HITS: Final = 64
_LONGEST: Final = 12  # operations

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]


class State(NamedTuple):
    """The arrays of a search."""

    codes: Ints  # of the operations
    constants: Words
    weights: Words  # of the cases in the hash of a row
    target: Words
    care: Words  # the bits of the target that matter
    rows: Words  # the arena, row after row
    first: Words  # the first word of each row
    hashes: Words
    made_by: Ints  # operation and operands of each row, the operands as positions in `values`
    left: Ints
    right: Ints
    table: Ints  # hash table of rows, -1 where it is empty
    values: Ints  # the rows of the set
    uses: Ints  # of each value, by later ones
    ends: Ints  # of the arena, before the values that each value of the set makes
    cursor: Ints  # by depth
    row: Words  # scratch, one row
    answers: Words  # scratch, first words of the answers
    repeated: Words  # scratch, one word many times
    tried: Words  # first words of the values that are tested, and how they are made
    tried_by: Ints
    tried_left: Ints
    tried_right: Ints
    hits: Ints  # the steps of the programs that were right
    counts: Ints


class Result(NamedTuple):
    """What a part of a search found."""

    parts: int  # of the whole search
    sets: int  # of values, to which the last two operations were joined
    tests: int  # of pairs of last operations
    hits: int
    programs: list[Program]  # the first of them


def state_for(inputs: Words, target: Words, care: Words, operations: tuple[Operation, ...], length: int) -> State:
    """Allocate the arrays of a search for programs of `length` operations; `inputs` has a row for each input."""
    if not 2 <= length <= _LONGEST:
        raise ValueError(f"length: {length}: expected 2 to {_LONGEST} operations")
    if len(np.unique(inputs, axis=0)) != len(inputs):
        raise ValueError("inputs: two of them are equal in every case: expected different ones")
    count, cases = inputs.shape
    most = count
    for values in range(1, count + length):
        for o in operations:
            most += 1 if o.operands == 1 else 2 * values
    rows = np.zeros(most * cases, U64)
    rows[: inputs.size] = inputs.ravel()
    slots = 1 << (2 * most).bit_length()
    rng = np.random.default_rng(1)

    def words(n: int) -> Words:
        return np.zeros(n, U64)

    def ints(n: int) -> Ints:
        return np.zeros(n, np.int64)

    return State(
        codes=np.array([o.code for o in operations], np.int64),
        constants=np.array([o.constant for o in operations], U64),
        weights=rng.integers(0, 1 << 64, cases, U64) | U64(1),
        target=target & care,
        care=care,
        rows=rows,
        first=words(most),
        hashes=words(most),
        made_by=ints(most),
        left=ints(most),
        right=ints(most),
        table=ints(slots),
        values=ints(count + length),
        uses=ints(count + length),
        ends=ints(count + length),
        cursor=ints(length),
        row=words(max(cases, 2)),
        answers=words(most),
        repeated=words(most),
        tried=words(most),
        tried_by=ints(most),
        tried_left=ints(most),
        tried_right=ints(most),
        hits=np.zeros((MOST_HITS, length, 3), np.int64),
        counts=ints(8),
    )


def found(s: State, names: tuple[str, ...], operations: tuple[Operation, ...], length: int, parts: int) -> Result:
    """Return what `search` left in a state."""
    counts = s.counts.tolist()
    programs = [
        Program(names, tuple(Step(operations[o], left, right) for o, left, right in hit[:length]))
        for hit in s.hits[: counts[HITS]].tolist()
    ]
    return Result(parts, counts[SETS], counts[TESTS], counts[HITS], programs)
