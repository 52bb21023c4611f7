"""The second search, run on the same cases as the first one."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from formulas import sequences
from formulas.cases import Cases
from formulas.deepening import Answer, Length, Progress, work
from formulas.questions import Question
from formulas.sequences import PROGRAMS, RIGHT, run_sequences, sequences_for
from formulas.tables import sequences as tables
from rookery.tasks.journal import Journal


class Confirmation(NamedTuple):
    """How many programs of one length the second search ran, and how many were right on the cases of the first one."""

    operations: int
    programs: int
    right: int
    seconds: float


def confirm(answer: Answer, longest: int, journals: Path, progress: Progress = lambda text: None) -> list[Confirmation]:
    """Run every sequence of 2 up to `longest` operations on the cases on which an answer found none."""
    return [
        _confirm(answer.question, length, journals, progress)
        for length in answer.lengths
        if 2 <= length.operations <= longest
    ]


def _second_search(question: Question, given: Cases, n: int) -> tuple[Callable[[int], tuple[bool, list[int]]], int]:
    """Return a function that runs a part of the second search, and the version of this search.

    The function returns whether there is such a part, and the counts.
    """
    inputs = len(question.inputs)
    if question.table:
        t, bits = tables.sequences_for(question, given, n)
        return lambda part: (bool(tables.run_sequences(t, inputs, n, part, bits)), t.counts.tolist()), tables.VERSION
    s = sequences_for(question.values(given), given.expected, question.care(given), question.operations, n)
    return lambda part: (bool(run_sequences(s, inputs, n, part)), s.counts.tolist()), sequences.VERSION


def _confirm(question: Question, length: Length, journals: Path, progress: Progress) -> Confirmation:
    given, n = length.cases, length.operations
    run, version = _second_search(question, given, n)
    journal = journals / f"{question.name}-{n}-sequences.journal"
    with Journal(journal, {"sequences": version, **work(question, given, n)}) as done:
        part = 0
        while part not in done.results or done.results[part] is not None:
            if part not in done.results:
                progress(f"{question.name}: {n} operations, every sequence, part {part + 1}")
                begun = time.thread_time()
                there, counts = run(part)
                seconds = round(time.thread_time() - begun, 3)
                done.add(part, [counts[PROGRAMS], counts[RIGHT], seconds] if there else None)
            part += 1 if done.results[part] is not None else 0
        rows = [done.results[p] for p in range(part)]
    programs, right, total = (sum(column) for column in zip(*rows, strict=True))
    return Confirmation(n, programs, right, round(total, 2))
