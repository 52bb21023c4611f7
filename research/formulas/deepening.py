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
from formulas.cases import Cases, first_cases
from formulas.operations import Operation
from formulas.programs import Program, Step
from formulas.questions import Question
from formulas.state import Result, found, state_for
from rookery.tasks import Journal

Progress = Callable[[str], None]

FIRST_CASES: Final = 24
_ADDED_CASES: Final = 8


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


def _search_part(question: Question, given: Cases, state: Any, length: int, part: int) -> Result:
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
    state = None
    if length > 1:
        state = state_for(question.values(given), given.expected, question.care(given), question.operations, length)
    with Journal(journal, {"search": value_sets.VERSION, **work(question, given, length)}) as done:
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


def deepen(question: Question, longest: int, journals: Path, progress: Progress = lambda text: None) -> Answer:
    """Search programs of 1, 2, ... up to `longest` operations, until one is right in every case of the proof."""
    every = question.cases()
    values = question.values(every)
    known = question.published
    wrong = wrong_cases(known, question, every, values)
    if len(wrong):
        raise AssertionError(
            f"{question.name}: the published program is wrong in {len(wrong)} cases: {known.formula()}"
        )
    given = first_cases(every, FIRST_CASES)
    answer = Answer(question, len(every), len(known.steps), [])
    for length in range(1, longest + 1):
        seconds, rounds = 0.0, 0
        while True:
            journal = journals / f"{question.name}-{length}-{rounds}.journal"
            results = search_round(question, given, length, journal, progress)
            rounds += 1
            seconds += sum(result[5] for result in results)
            right: list[Program] = []
            failing: set[int] = set()
            for steps in (steps for result in results for steps in result[4]):
                program = _program(question, steps)
                wrong = wrong_cases(program, question, every, values)
                if len(wrong):
                    failing.add(int(wrong[len(wrong) // 2]))
                else:
                    right.append(program)
            if not failing:
                break
            given = given.joined(every.take(np.array(sorted(failing)[:_ADDED_CASES])))
        sets, tests, hits = (sum(result[column] for result in results) for column in (1, 2, 3))
        counts = len(results), sets, tests, hits, rounds, round(seconds, 2)
        answer.lengths.append(Length(length, given, *counts, right))
        if right:
            break
    return answer
