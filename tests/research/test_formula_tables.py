"""Programs with a look-up: the searches find the known ones, miss none, and decide rightly whether a table exists."""

import functools
import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from formulas import operations as ops
from formulas.cases import Cases
from formulas.confirmation import confirm
from formulas.deepening import Answer, deepen
from formulas.programs import Program, Step
from formulas.questions import QUESTIONS, Question, Table, question
from formulas.sequences import RIGHT
from formulas.state import HITS, state_for
from formulas.tables import sets
from formulas.tables.contents import contents
from formulas.tables.sequences import run_sequences, sequences_for
from formulas.tables.state import dependent_for
from rookery import geometry
from rookery.kernel import U64
from thinning import few, slow

Words = NDArray[np.uint64]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int], Answer]:
    """A function that searches for the answer to a question, up to a length, once for all tests."""

    @functools.cache
    def answer(name: str, longest: int) -> Answer:
        return deepen(question(name), longest, tmp_path_factory.mktemp("journal"))

    return answer


@pytest.mark.parametrize(
    ("name", "fewest", "formula"),
    few(
        [
            ("table-words", 3, "T[(gather * o) >> 58]"),
            ("table-words-pext", 2, "T[pext(occ, inner)]"),
            ("table-bytes", 4, "T[(gather * o) >> 58] * spread"),
        ],
        1,
    ),
)
def test_known_look_ups_are_found_from_nothing(
    name: str, fewest: int, formula: str, answers: Callable[[str, int], Answer]
) -> None:
    found = answers(name, fewest)
    assert found.fewest == fewest
    assert formula in [program.formula() for program in found.lengths[-1].shortest]


@pytest.mark.parametrize("name", few(["table-words", "table-bytes", "table-words-unmasked", "table-scan-halves"], 2))
def test_the_second_search_agrees(name: str, answers: Callable[[str, int], Answer], tmp_path: Path) -> None:
    """Where the first search finds none, neither does the second; where it finds some, the second does, too."""
    found = answers(name, 3)
    confirmed = confirm(found, 3, tmp_path)
    assert [c.operations for c in confirmed] == [2, 3]
    for confirmation, length in zip(confirmed, found.lengths[1:], strict=True):
        assert (confirmation.right > 0) == (length.hits > 0)
        assert confirmation.programs > 0


def _look_up(q: Question, every: Cases, groups: NDArray[np.int64] | None = None) -> Words:
    """Return the answers of the published program of a question, with the table that `contents` finds."""
    values = q.values(every)
    found = contents(q.published, q, every, values, groups)
    assert found.conflict == []
    assert len(np.unique(found.slots)) == len(found.entries)
    (place,) = [n for n, step in enumerate(q.published.steps) if step.operation.code == ops.LOOK_UP]
    before = Program(q.names, q.published.steps[:place]).every_value(values)
    assert q.table is not None
    index = before[q.published.steps[place].left] & U64((1 << q.table.index_bits) - 1)
    assert groups is not None
    slots = groups << q.table.index_bits | index.astype(np.int64)
    entries = found.entries[np.searchsorted(found.slots, slots)]
    assert int(entries.max()) < 1 << q.table.entry_bits
    after = Program((*q.names, *"abcdefg"[:place], "t"), q.published.steps[place + 1 :])
    return np.asarray(after.every_value([*before, entries])[-1])


def _coordinate(every: Cases) -> NDArray[np.int64]:
    """Return the slider's file, or its rank where it moves along a file."""
    squares = every.squares.astype(np.int64)
    return np.where(every.movers == "file", squares >> 3, squares & 7)


def _place(every: Cases) -> NDArray[np.int64]:
    """Return how many squares of the line are below the slider."""
    below = (U64(1) << every.squares) - U64(1)
    return np.bitwise_count(every.lines & below).astype(np.int64)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("table-bytes-unmasked", lambda c: 8 * (c.movers == "file") + _coordinate(c)),
        slow("table-bytes-pext", _place),
    ],
)
def test_a_table_of_512_bytes_serves_all_squares(name: str, rows: object) -> None:
    """Eight rows of 64 bytes: for products, one for files and one for other lines; with PEXT, one for all lines."""
    q = question(name)
    assert q.table is not None
    q = q._replace(table=q.table._replace(index_bits=6))
    every = q.cases()
    groups = rows(every)  # type: ignore[operator]
    assert set(groups.tolist()) == set(range(16 if name == "table-bytes-unmasked" else 8))
    answers = _look_up(q, every, groups)
    for i in np.random.default_rng(1).integers(0, len(every), 2000).tolist():
        expected = geometry.attacks(str(every.movers[i]), int(every.squares[i]), int(every.occupied[i]))
        assert int(answers[i]) == expected


def test_cases_without_a_table_need_two_entries() -> None:
    """What `contents` returns as a conflict has one slot, and no byte is right in all of its cases."""
    q = question("table-bytes-unmasked")
    program = Program.parse("i = gather * occ; t = T[i]; b = t * spread; b & m", q.names, q.operations)
    every = q.cases()
    values = q.values(every)
    conflict = contents(program, q, every, values).conflict
    assert len(conflict) > 1
    few = every.take(np.array(conflict))
    assert len(set(zip(few.movers.tolist(), few.squares.tolist(), strict=True))) == 1
    occ, m, gather, spread = q.values(few)
    assert len(np.unique(gather * occ & U64(511))) == 1
    right = [((U64(t) * spread & m) == few.expected).all() for t in range(256)]
    assert not any(right)


SMALL = (ops.sub, ops.and_, ops.ARITHMETIC[7], ops.look_up)  # the third is -x
CASES = 10


def _toy(entry_bits: int, rng: np.random.Generator) -> tuple[Question, Cases]:
    """Return a question about random words, of which only the lowest bits matter in the answer."""
    table = Table(entry_bits, 1, True, SMALL[:3], 2)
    q = question("table-words")._replace(name="toy", inputs=("occ", "below"), operations=SMALL, table=table)
    squares = rng.integers(0, 64, CASES).astype(U64)
    care = np.full(CASES, 15 if entry_bits == 64 else 255, U64)
    return q, Cases(np.full(CASES, "rank"), squares, rng.integers(0, 1 << 64, CASES, U64), care, squares)


def _programs(length: int) -> list[tuple[Step, ...]]:
    """Return every sequence of operations on two inputs whose last one depends on the only look-up."""
    choices = [
        [Step(o, a, b) for o in SMALL for a in range(2 + n) for b in (range(2 + n) if o.operands == 2 else (a,))]
        for n in range(length)
    ]
    return [steps for steps in itertools.product(*choices) if _depends(steps)]


def _depends(steps: tuple[Step, ...]) -> bool:
    """Return whether at most two operations depend on the only look-up, and the last one does."""
    depends = [False, False]
    for step in steps:
        depends.append(step.operation.code == ops.LOOK_UP or depends[step.left] or depends[step.right])
    look_ups = sum(step.operation.code == ops.LOOK_UP for step in steps)
    return look_ups == 1 and depends[-1] and sum(depends) <= 3


def _answers(steps: tuple[Step, ...], inputs: Words, entries: Words) -> tuple[Words, Words]:
    """Return the answers by entry and case, and the index by case."""
    values = [np.broadcast_to(row, (len(entries), CASES)) for row in inputs]
    index = values[0]
    for operation, a, b in steps:
        if operation.code == ops.LOOK_UP:
            index = values[a]
            values.append(entries)
        elif operation.code == ops.SUB:
            values.append(values[a] - values[b])
        elif operation.code == ops.AND:
            values.append(values[a] & values[b])
        else:
            values.append(~values[a] + U64(1))
    return values[-1], index[0] & U64(1)


def _exists(inputs: Words, target: Words, care: Words, length: int, entries: int) -> bool:
    """Return whether some program and some table are right, by trying every program with every entry."""
    every = np.repeat(np.arange(entries, dtype=U64)[:, None], CASES, axis=1)
    for steps in _programs(length):
        answers, index = _answers(steps, inputs, every)
        fits = (answers ^ target) & care == 0
        if all(fits[:, index == i].all(axis=1).any() for i in (0, 1)):
            return True
    return False


def _both_find(q: Question, given: Cases, length: int) -> tuple[bool, bool]:
    """Return whether the first search finds a program of up to `length` operations, and whether the second does."""
    table, inputs = q.table, q.values(given)
    assert table is not None
    first = second = 0
    for n in range(2, length + 1):
        s = state_for(inputs, given.expected, q.care(given), q.plain, n)
        t = dependent_for(given, table, q.plain, len(inputs), n)
        for before in table.splits(n):
            part, parts = 0, 1
            while part < parts:
                rows = sets.search(s, t, len(given), len(inputs), before, n - 1 - before, part)
                parts = rows if before else 1
                first += int(s.counts[HITS])
                part += 1
        again, bits = sequences_for(q, given, n)
        part = 0
        while run_sequences(again, len(inputs), n, part, bits):
            second += int(again.counts[RIGHT])
            part += 1
    return first > 0, second > 0


@pytest.mark.parametrize("entry_bits", [8, slow(64)])
def test_no_program_with_a_table_is_missed(entry_bits: int) -> None:
    """Both searches find what random programs with random tables make, and nothing for bytes that no program makes."""
    rng = np.random.default_rng(entry_bits)
    entries = 256 if entry_bits == 8 else 16
    programs = _programs(3)
    missing = 0
    for number in rng.integers(0, len(programs), 25).tolist():
        q, given = _toy(entry_bits, rng)
        inputs, care = q.values(given), q.care(given)
        index = _answers(programs[number], inputs, np.zeros((1, CASES), U64))[1]
        looked_up = rng.integers(0, entries, 2, U64)[index.astype(np.int64)]
        target = _answers(programs[number], inputs, looked_up[None])[0][0]
        assert _both_find(q, Cases(*given[:4], target), 3) == (True, True)
        changed = target ^ np.eye(CASES, dtype=U64)[number % CASES] * U64(2)
        exists = any(_exists(inputs, changed, care, n, entries) for n in (2, 3))
        found = _both_find(q, Cases(*given[:4], changed), 3)
        assert found[0] == found[1]
        assert found[0] or not exists
        assert entry_bits == 64 or found[0] == exists
        missing += not found[0]
    assert missing > 3


def test_a_table_has_at_most_512_bytes() -> None:
    for q in QUESTIONS:
        if q.table:
            assert q.table.entry_bits << q.table.index_bits <= 8 * 512


def test_splits_leave_room_for_what_may_follow() -> None:
    table = Table(64, 6, True, ops.ARITHMETIC, 2)
    assert table.splits(1) == [0]
    assert table.splits(3) == [0, 1, 2]
    assert table.splits(5) == [2, 3, 4]


def test_a_second_search_needs_a_table_and_two_operations() -> None:
    q = question("table-words")
    given = q.first_cases(q.cases(), 4)
    with pytest.raises(ValueError, match="length: 1: expected at least 2 operations"):
        sequences_for(q, given, 1)
    plain = question("ray")
    with pytest.raises(ValueError, match="question: 'ray': expected one with a table"):
        sequences_for(plain, given, 2)
