"""Decide whether a square has a magic factor of an index width, by exhausting all of them."""

import itertools
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from magics.prove import branch
from magics.prove.ledger import Finished, Ledger, Question
from magics.prove.schedule import Plan, plan_for
from magics.widths import check_width
from rookery.arguments import threads_to_start
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES, check_square
from rookery.kernel import U64
from rookery.magics.forms import is_magic
from rookery.magics.laboratory import call
from rookery.magics.ranges import highest_index
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import results_of
from rookery.techniques._magics import Factor

_SLICE = U64(20_000_000)  # looks at an occupancy between two looks for Ctrl-C: 0.05 to 0.1 s
_MOST_TASKS: Final = 512  # that an executor gets


class Proof(NamedTuple):
    """The progress of a question: whether `bits` index bits allow a factor with no index above `highest`.

    `magic` is a factor. If it is None and ``done == prefixes``, there is no factor. `nodes` counts the nodes visited
    and `tested` the children tested, in `seconds` summed over the threads. All include earlier runs.
    """

    piece: str
    square: str
    bits: int
    prefixes: int
    done: int
    nodes: int
    tested: int
    seconds: float
    magic: int | None
    highest: int

    @property
    def answer(self) -> str:
        """Return ``factor``, ``none`` or ``open``."""
        if self.magic is not None:
            return "factor"
        return "none" if self.done == self.prefixes else "open"


def _searched(plan: Plan, s: Any, prefix: int, stops: Callable[[], bool]) -> Finished | None:
    """Search a prefix to its end; return None if `stops` returned True before."""
    started = time.perf_counter()
    branch.stand_at(plan, s, prefix)
    while (result := int(branch.search(plan, s, _SLICE))) == branch.OUT_OF_BUDGET:
        if stops():
            return None
    magic = s.found if result == branch.FOUND else None
    return Finished(prefix, s.nodes, s.tested, time.perf_counter() - started, magic)


class ProofTask(NamedTuple):
    """Some prefixes of a question, and the plan by which they are searched."""

    piece: str
    square: int
    bits: int
    highest: int
    plan: str
    prefixes: tuple[int, ...]


def search_prefixes(fields: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Search the prefixes of a `ProofTask` up to the first that leads to a factor.

    This runs in the workers of an executor, whose laboratory must search by the same plan. Both the task and what is
    returned are plain tuples, since a worker finds the laboratory by `call` alone.
    """
    task = ProofTask(*fields)
    plan = plan_for(task.piece, task.square, task.bits, task.highest)
    if branch.name_of(plan) != task.plan:
        raise ValueError(f"a worker searches by plan {branch.name_of(plan)}: expected {task.plan}: update its checkout")
    s = branch.state_for(plan)
    finished: list[Finished] = []
    for prefix in task.prefixes:
        one = _searched(plan, s, prefix, lambda: False)
        if one is not None:
            finished.append(one)
            if one.magic is not None:
                break
    return [tuple(one) for one in finished]


class _Tasks:
    """The workers of an executor, with the interface of `_Crew`."""

    def __init__(self, question: ProofTask, executor: Executor | str) -> None:
        each = -(-len(question.prefixes) // _MOST_TASKS)
        parts = (question.prefixes[i : i + each] for i in range(0, len(question.prefixes), each))
        tasks = (tuple(question._replace(prefixes=part)) for part in parts)
        self._results = results_of(executor, call, (("prove.proof", "search_prefixes", task) for task in tasks))

    def waiting(self, patience: float) -> list[Finished]:
        """Return the prefixes of the next task that is finished; if `patience` is 0, do not wait for one."""
        for _, finished in self._results if patience else ():
            return [Finished(*one) for one in finished]
        return []

    def stop(self) -> None:
        """Cancel the tasks that wait."""
        self._results.close()


class _Crew:
    """Threads that take prefix after prefix and report each that is finished."""

    def __init__(self, p: Plan, todo: list[int], threads: int) -> None:
        self.plan = p
        self.reports: queue.SimpleQueue[Finished | BaseException] = queue.SimpleQueue()
        self.stopping = False
        self._todo = iter(todo)
        self._taking = threading.Lock()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def _work(self) -> None:
        try:
            s = branch.state_for(self.plan)
            while True:
                with self._taking:
                    prefix = next(self._todo, None)
                if prefix is None:
                    return
                finished = _searched(self.plan, s, prefix, lambda: self.stopping)
                if finished is None:
                    return
                self.reports.put(finished)
                if finished.magic is not None:  # else how much more is done is chance, in one thread too
                    self.stopping = True
                if self.stopping:
                    return
        except BaseException as error:  # the main thread raises it
            self.reports.put(error)

    def stop(self) -> None:
        """Let every thread finish its slice."""
        self.stopping = True
        for thread in self._threads:
            thread.join()

    def waiting(self, patience: float) -> list[Finished]:
        """Return the reports that arrive within `patience` seconds."""
        found = []
        try:
            found.append(self.reports.get(timeout=patience))
            while True:
                found.append(self.reports.get_nowait())
        except queue.Empty:
            pass
        for report in found:
            if isinstance(report, BaseException):
                raise report
        return [report for report in found if isinstance(report, Finished)]


def prove(
    piece: str,
    square: int,
    bits: int | None = None,
    *,
    ledger: Ledger | None = None,
    threads: int = 1,
    executor: Executor | str | None = None,
    most: int | None = None,
    highest: int | None = None,
    progress: Callable[[Proof], None] = lambda proof: None,
) -> Proof:
    """Decide whether a rook or bishop has a factor of `bits` index bits.

    By default `bits` is one less than natural. Prefixes in `ledger` are not searched again, and finished ones are added
    as they come, even when an exception ends the search. `most` limits how many more are searched. `progress` is called
    five times a second. With `highest` only factors without an index above it count. With `executor`, its workers
    search instead of threads (see `rookery.tasks.open_executor`), and `progress` is called after each task.

    >>> prove("bishop", 3, 4)[:5], prove("bishop", 9, 4).answer
    (('bishop', 'd1', 4, 64, 64), 'factor')
    """
    if threads < 1:
        raise ValueError(f"threads: {threads}: expected at least 1")
    width, top = _checked(piece, square, bits, highest)
    p = plan_for(piece, square, width, top)
    name = SQUARE_NAMES[square]
    count = branch.prefixes(p)
    question = Question(piece, name, width, branch.name_of(p), count)
    finished = {f.number: f for f in (ledger.finished(question) if ledger else ())}
    for f in finished.values():
        if not 0 <= f.number < count or (f.magic is not None and not _fits(piece, name, width, top, f.magic)):
            raise ValueError(f"ledger: {piece} {name}: prefix {f.number} cannot be: the file was tampered with")

    def summary() -> Proof:
        rows = finished.values()
        return Proof(
            piece,
            name,
            width,
            count,
            len(rows),
            sum(f.nodes for f in rows),
            sum(f.tested for f in rows),
            sum(f.seconds for f in rows),
            next((f.magic for f in rows if f.magic is not None), None),
            top,
        )

    todo = (prefix for prefix in range(count) if prefix not in finished)
    remaining = [] if summary().answer == "factor" else list(itertools.islice(todo, most))
    target = len(finished) + len(remaining)
    if not remaining:
        return summary()
    branch.search(p, branch.state_for(p), U64(0))  # compiles it, which is no part of the proof's time

    crew: _Crew | _Tasks
    if executor is None:
        crew = _Crew(p, remaining, threads_to_start(threads, len(remaining)))
    else:
        crew = _Tasks(ProofTask(piece, square, width, top, question.plan, tuple(remaining)), executor)

    def take(patience: float) -> None:
        new = crew.waiting(patience)
        for f in new:
            if f.magic is not None and not _fits(piece, name, width, top, f.magic):
                raise AssertionError(f"{piece} {name}: the search returned a factor that is no magic: {f.magic:#x}")
        if ledger:
            ledger.add(question, new)
        finished.update((f.number, f) for f in new)

    try:
        while len(finished) < target and summary().magic is None:
            take(0.2)
            progress(summary())
    finally:
        crew.stop()
        take(0)
    return summary()


def _checked(piece: str, square: int, bits: int | None, highest: int | None) -> tuple[int, int]:
    """Return the number of index bits and the highest index of a valid question."""
    if piece not in ("rook", "bishop"):
        raise ValueError(f"piece: {piece!r}: expected 'rook' or 'bishop'")
    check_square(square)
    width = len(relevant_occupancy(piece, square)) - 1 if bits is None else bits
    check_width(piece, square, width)
    top = (1 << width) - 1 if highest is None else highest
    if not 0 <= top < 1 << width:
        raise ValueError(f"highest: {top}: expected 0 to {(1 << width) - 1}, the indices of {width} bits")
    return width, top


def _fits(piece: str, square: str, bits: int, highest: int, magic: int) -> bool:
    return is_magic(Factor(piece, square, magic, bits)) and highest_index(piece, square, bits, magic) <= highest
