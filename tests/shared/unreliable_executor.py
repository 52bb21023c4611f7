"""An executor whose workers lose tasks, do them twice, late and in any order, from a seed."""

import contextlib
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any, Final

import pytest

from rookery.tasks import executors, running, versions

FATES: Final = ("once", "once", "twice", "lost", "lost after", "late")
MOST_LOSSES: Final = running.ATTEMPTS - 1  # of one task: one more, and it is taken for the cause


class WorkerDied(Exception):
    """The error that the future of a lost task raises."""


class UnreliableExecutor(Executor):
    """One thread that does tasks in a random order. Each task has a random fate.

    once        the task is done
    twice       it is done twice, and has the second result
    lost        its worker dies before it does anything
    lost after  its worker dies when the task is done, but before it can tell
    late        its worker is taken for dead, and does the task when another worker has done it already
    """

    def __init__(self, seed: int, other_code: bool = False) -> None:
        self.fates: list[str] = []
        self._rng = random.Random(seed)
        self._other_code = other_code
        self._tasks: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []
        self._late: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        self._losses: dict[Any, int] = {}
        self._changed = threading.Condition()
        self._ends = False
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self._changed:
            self._tasks.append((future, task, arguments))
            self._changed.notify()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        with self._changed:
            self._ends = True
            self._changed.notify()
        self._thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._tasks or self._ends)
                if self._ends:
                    break
                chosen = self._tasks.pop(self._rng.randrange(len(self._tasks)))
            self._do(*chosen)
        for task, arguments in self._late:
            task(*arguments)

    def _do(self, future: "Future[Any]", task: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        if self._other_code:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(versions, "own_code", lambda: versions.Code("0", "of another worker"))
                future.set_result(task(*arguments))
            return
        fate = self._rng.choice(FATES if self.fates else FATES[2:])  # something befalls the first one
        losses = self._losses.get(arguments, 0)
        if fate in ("lost", "lost after", "late"):
            if losses == MOST_LOSSES:
                fate = "once"
            self._losses[arguments] = losses + 1
        self.fates.append(fate)
        if fate in ("once", "twice", "lost after"):
            result = task(*arguments)
        if fate == "twice":
            result = task(*arguments)
        if fate == "late":
            self._late.append((task, arguments))
        if fate in ("once", "twice"):
            future.set_result(result)
        else:
            future.set_exception(WorkerDied(fate))
        if self._late and self._rng.random() < 0.3:
            late, its = self._late.pop(0)
            late(*its)


@contextlib.contextmanager
def named(monkeypatch: pytest.MonkeyPatch, executor: UnreliableExecutor) -> Iterator[str]:
    """Yield a name under which commands find the executor, and end it with the ``with`` block."""

    @contextlib.contextmanager
    def opened(*_: str) -> Iterator[UnreliableExecutor]:
        yield executor

    monkeypatch.setitem(executors._OPENERS, "unreliable", opened)
    try:
        yield "unreliable"
    finally:
        executor.shutdown()
