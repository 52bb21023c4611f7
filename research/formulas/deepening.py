"""Searches for one operation more at a time, until a program is right in every case.

If no program is right on a few cases, then none of this length is right in every case. If some are right on the cases,
but fail elsewhere, then some of those other cases join, and the length is searched again. What remains are the shortest
programs; those whose values agree on the cases count as one.

Each part of a search is written to a journal when it is done, so a killed search goes on where it was.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formulas import value_sets
from formulas.cases import Cases
from formulas.operations import Operation
from formulas.programs import Program, Step
from formulas.questions import Question, Table
from formulas.state import Result, found, state_for
from formulas.tables import contents
from formulas.tables import sets as tables
from formulas.tables import state as tables_state
from rookery.tasks.journal import Journal

Progress = Callable[[str], None]

FIRST_CASES: Final = 24
_ADDED_CASES: Final = 8
_MANY_WRONG: Final = 200


class Length(NamedTuple):
    """What the search for programs of one length found. `cases` are those that told the programs apart."""

    operations: int
    cases: Cases
    parts: int
    sets: int
    tests: int
    hits: int  # programs that are right on the cases
    rounds: int
    seconds: float
    shortest: list[Program]  # programs that are right in every case


class Answer(NamedTuple):
    """The answer to a question: the lengths that were searched, and the shortest programs if any was found.

    `known` is the number of operations of the shortest published program.
    """

    question: Question
    all_cases: int
    known: int
    lengths: list[Length]

    @property
    def fewest(self) -> int | None:
        """Return the least number of operations, or None if none of the lengths is enough."""
        return self.lengths[-1].operations if self.lengths and self.lengths[-1].shortest else None

    @property
    def none_up_to(self) -> int:
        """Return the greatest length for which the search was exhaustive and found nothing."""
        return len(self.lengths) - (self.fewest is not None)


def wrong_cases(program: Program, question: Question, every: Cases, values: Any) -> NDArray[np.int64]:
    """Return the indices of the cases in which a program is wrong."""
    return np.flatnonzero((program.run(values) ^ every.expected) & question.care(every))


def counterexample(program: Program, question: Question, every: Cases, values: Any) -> list[int]:
    """Return cases that show that a program is wrong, or an empty list if it is right in every case."""
    if question.table:
        return contents.wrong_cases(program, question, every, values)
    wrong = wrong_cases(program, question, every, values)
    return [int(wrong[len(wrong) // 2])] if len(wrong) else []


def one_operation(question: Question, given: Cases) -> Result:
    """Run every program of one operation."""
    values, care = question.values(given), question.care(given)
    right, tests = [], 0
    for operation in question.operations:
        for left in range(len(values)):
            for right_ in range(len(values)) if operation.operands == 2 else (left,):
                program = Program(question.names, (Step(operation, left, right_),))
                tests += 1
                if not ((program.run(values) ^ given.expected) & care).any():
                    right.append(program)
    return Result(1, 1, tests, len(right), right)


def _search_with_table(question: Question, table: Table, given: Cases, state: Any, length: int, part: int) -> Result:
    """Search a part: a number of operations before the look-up, and the first of them.

    The programs that begin with the look-up are the first part, if there are any.
    """
    s, t = state
    splits = table.splits(length)
    alone = splits[0] == 0
    some = splits[1:] if alone else splits
    before, first = 0, 0
    if part or not alone:
        before, first = some[(part - alone) % len(some)], (part - alone) // len(some)
    rows = tables.search(s, t, len(given), len(question.inputs), before, length - 1 - before, first)
    return tables_state.found(s, t, question.names, question.operations, length, alone + rows * len(some))


def _search_part(question: Question, given: Cases, state: Any, length: int, part: int) -> Result:
    if question.table:
        return _search_with_table(question, question.table, given, state, length, part)
    if length == 1:
        return one_operation(question, given)
    parts = value_sets.search(state, len(given), len(question.inputs), length, part)
    return found(state, question.names, question.operations, length, parts)


def work(question: Question, given: Cases, length: int) -> dict[str, Any]:
    """Describe a search for its journal."""
    return {
        "question": question.name,
        "inputs": question.inputs,
        "operations": [operation.text for operation in question.operations],
        "masked": question.masked,
        "length": length,
        "cases": [[int(sq), f"{int(occ):x}"] for sq, occ in zip(given.squares, given.occupied, strict=True)],
    }


def _steps(program: Program, operations: tuple[Operation, ...]) -> list[list[int]]:
    return [[operations.index(step.operation), step.left, step.right] for step in program.steps]


def _program(question: Question, steps: list[list[int]]) -> Program:
    return Program(question.names, tuple(Step(question.operations[o], left, right) for o, left, right in steps))


def search_round(question: Question, given: Cases, length: int, journal: Path, progress: Progress) -> list[Any]:
    """Search all programs of a length on some cases; return the journal's result of each part.

    A result has the number of parts, sets, tests and hits, the programs as steps, and the seconds.
    """
    state: Any = None
    version = value_sets.VERSION
    if length > 1 or question.table:
        values, care = question.values(given), question.care(given)
        state = state_for(values, given.expected, care, question.plain, max(length, 2))
    if question.table:
        version = tables.VERSION
        state = (state, tables_state.dependent_for(given, question.table, question.plain, len(values), length))
    with Journal(journal, {"search": version, **work(question, given, length)}) as done:
        part, parts = 0, 1
        while part < parts:
            if part not in done.results:
                progress(f"{question.name}: {length} operations, part {part + 1} of {parts if part else '?'}")
                begun = time.thread_time()
                result = _search_part(question, given, state, length, part)
                programs = [_steps(program, question.operations) for program in result.programs]
                seconds = round(time.thread_time() - begun, 3)
                done.add(part, [result.parts, result.sets, result.tests, result.hits, programs, seconds])
            parts = done.results[part][0]
            part += 1
        return [done.results[p] for p in range(parts)]


def _verified(
    question: Question, every: Cases, values: Any, results: list[Any], verdicts: dict[Program, list[int]]
) -> tuple[list[Program], set[int]]:
    """Return the programs of a round that are right in every case, and cases to be searched again with, if any.

    Wrong programs with a look-up need no further round, because they are few and the decision about them is exact. The
    cases may be right two by two, so that new ones would not remove them. Only if many are wrong, or not all that were
    found are written down, cases join.
    """
    right: list[Program] = []
    failing: set[int] = set()
    wrong = 0
    for steps in (steps for result in results for steps in result[4]):
        program = _program(question, steps)
        if program not in verdicts:
            verdicts[program] = counterexample(program, question, every, values)
        failing.update(verdicts[program])
        if verdicts[program]:
            wrong += 1
        else:
            right.append(program)
    if question.table and wrong < _MANY_WRONG and _are_written(results):
        failing.clear()
    return right, failing


def _are_written(results: list[Any]) -> bool:
    """Return whether every program that a round found is among its results."""
    return all(hits == len(programs) for _, _, _, hits, programs, _ in results)


def deepen(question: Question, longest: int, journals: Path, progress: Progress = lambda text: None) -> Answer:
    """Search programs of 1, 2, ... up to `longest` operations, until one is right in every case of the proof."""
    every = question.cases()
    values = question.values(every)
    known = question.published
    wrong = counterexample(known, question, every, values)
    if wrong:
        squares = ", ".join(f"{every.movers[i]} {int(every.squares[i])}: {int(every.occupied[i]):#x}" for i in wrong)
        raise AssertionError(f"{question.name}: the published program is wrong: {known.formula()}; {squares}")
    given = question.first_cases(every, FIRST_CASES)
    answer = Answer(question, len(every), len(known.steps), [])
    for length in range(1, longest + 1):
        seconds, rounds = 0.0, 0
        verdicts: dict[Program, list[int]] = {}
        joined: set[int] = set()
        while True:
            journal = journals / f"{question.name}-{length}-{rounds}.journal"
            results = search_round(question, given, length, journal, progress)
            rounds += 1
            seconds += sum(result[5] for result in results)
            right, failing = _verified(question, every, values, results, verdicts)
            failing -= joined
            if not failing:
                if question.table and not right and not _are_written(results):
                    raise RuntimeError(f"{question.name}: more programs than can be written are right on the cases")
                break
            joining = sorted(failing) if question.table else sorted(failing)[:_ADDED_CASES]
            joined.update(joining)
            given = given.joined(every.take(np.array(joining)))
        sets, tests, hits = (sum(result[column] for result in results) for column in (1, 2, 3))
        counts = len(results), sets, tests, hits, rounds, round(seconds, 2)
        answer.lengths.append(Length(length, given, *counts, right))
        if right:
            break
    return answer
