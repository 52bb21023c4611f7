"""Tasks on an executor: a bounded number in flight, lost ones repeated, results as they come or in order.

Only the interface of ``concurrent.futures.Executor`` is used: ``submit``, and of futures ``add_done_callback``,
``result`` and ``cancel``. ``concurrent.futures.wait`` would not do, since futures of other libraries lack what it uses.
"""

import contextlib
import pickle
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from typing import Any, Final, NamedTuple

from rookery.arguments import printable
from rookery.tasks.versions import Code, ExecutorError, check_code, own_code

IN_FLIGHT: Final = 256  # tasks that an executor holds at most: enough for as many workers, few for its scheduler
ATTEMPTS: Final = 5  # times that a task may be lost with its worker before it is taken for the cause
_LONGEST: Final = 120  # characters of a task that a message shows
_LOOKS: Final = 0.1  # seconds between two looks for Ctrl-C


class LostTaskError(ExecutorError):
    """A task whose workers died, or whose executor failed, each time that it ran."""


class _Raised(NamedTuple):
    """An exception of the work itself. It is returned, so whatever a future raises is the executor's own failure."""

    error: BaseException


def run(
    executor: Executor,
    work: Callable[[Any], Any],
    tasks: Iterable[Any],
    *,
    ordered: bool = False,
    in_flight: int = IN_FLIGHT,
    warm_up: Callable[[], object] | None = None,
) -> Generator[tuple[int, Any]]:
    """Yield the number of each task and the result of ``work(task)``: as they finish, or in order.

    `work` is a function of a module and `tasks` are picklable, since they may run elsewhere. A task may run more than
    once, so its work must not depend on earlier runs. At most `in_flight` tasks are with the executor or wait for an
    earlier result, so `tasks` may be an iterator of any length. Each worker calls `warm_up`, such as a function that
    compiles, before its first task.

    A task that is lost because its worker died is submitted again, up to four times; then a `LostTaskError` says so.
    An executor that takes no more tasks, since it was shut down or its scheduler died, is an `ExecutorError`. Workers
    in other processes refuse tasks with an `OtherCodeError` unless they have the same rookery. An exception of the work
    is raised here, with a note that names the task. When the generator is closed, waiting tasks are cancelled.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool:
    ...     list(run(pool, abs, [3, -4, -5], ordered=True))
    [(0, 3), (1, 4), (2, 5)]
    """
    flight = _Flight(executor, _Call(work, warm_up), tasks)
    ready: dict[int, Any] = {}  # results that wait for earlier ones
    following = 0  # the number of the next result, if they are ordered
    try:
        while flight.fill(max(in_flight, 1) - len(ready)):
            number, result = flight.next_result()
            if not ordered:
                yield number, result
                continue
            ready[number] = result
            while following in ready:
                yield following, ready.pop(following)
                following += 1
    finally:
        flight.cancel()


def _named(number: int, task: Any) -> str:
    """Return the number of a task and what it reads, in a line."""
    text = printable(str(task))
    return f"task {number}: {text if len(text) <= _LONGEST else text[:_LONGEST] + '...'}"


class _Flight:
    """The tasks that an executor has."""

    def __init__(self, executor: Executor, call: "_Call", tasks: Iterable[Any]) -> None:
        self._executor, self._call = executor, call
        self._code = None if isinstance(executor, ThreadPoolExecutor) else own_code()
        self._left: Iterator[tuple[int, Any]] = enumerate(tasks)
        self._futures: dict[int, Any] = {}
        self._tasks: dict[int, Any] = {}
        self._lost: dict[int, int] = {}  # how often tasks were lost
        self._finished: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()

    def fill(self, most: int) -> bool:
        """Submit tasks until the executor has `most`; return whether it has any."""
        while len(self._futures) < most and (following := next(self._left, None)) is not None:
            number, self._tasks[number] = following
            self._submit(number)
        return bool(self._futures)

    def _submit(self, number: int) -> None:
        call, task = self._call, self._tasks[number]
        packed = () if self._code is None else (self._code, pickle.dumps((call, task)))
        try:
            future = self._executor.submit(*((_perform_packed, *packed) if packed else (_perform, call, task)))
        except BrokenExecutor as broken:
            advice = 'a worker was killed: the executor "processes:8" replaces such workers'
            raise LostTaskError(f"{_named(number, task)}: {advice}") from broken
        except Exception as failure:  # such as that of a scheduler that was killed
            why = f"{type(failure).__name__}{f': {failure}' if str(failure) else ''}"
            raise ExecutorError(
                f"executor: takes no more tasks ({why}): start it again, and repeat the same"
            ) from failure
        self._futures[number] = future
        future.add_done_callback(lambda done: self._finished.put((number, done)))

    def next_result(self) -> tuple[int, Any]:
        """Wait for the next task that is finished, and submit those again that are lost."""
        while True:
            number, future = self._wait()
            del self._futures[number]
            try:
                result = future.result()
            except Exception as failure:
                self._submit_again(number, failure)
                continue
            task = self._tasks.pop(number)
            self._lost.pop(number, None)
            if isinstance(result, _Raised):
                cause = f"{type(result.error).__name__}: {result.error}".splitlines()[0]
                result.error.add_note(f"in {_named(number, task)}: {cause}")
                raise result.error
            return number, result

    def _wait(self) -> tuple[int, Any]:
        while True:
            try:
                # Python notices a signal that arrives just before it begins to wait only after the wait.
                return self._finished.get(timeout=_LOOKS)
            except queue.Empty:
                continue

    def _submit_again(self, number: int, failure: Exception) -> None:
        lost = self._lost[number] = self._lost.get(number, 0) + 1
        if lost >= ATTEMPTS:
            what = f"{_named(number, self._tasks[number])}: lost {lost} times with its worker"
            why = f" ({type(failure).__name__}{f': {failure}' if str(failure) else ''})"
            raise LostTaskError(what + why) from failure
        self._submit(number)

    def cancel(self) -> None:
        """Cancel the tasks that wait."""
        for future in self._futures.values():
            with contextlib.suppress(Exception):
                future.cancel()


# What runs in a worker.

_warmed: Final[set[Any]] = set()
_warming: Final = threading.Lock()


class _Call(NamedTuple):
    """The function that a worker calls for each task. It calls another one before the first task."""

    work: Callable[[Any], Any]
    warm_up: Callable[[], object] | None


def _perform_packed(code: Code, packed: bytes) -> Any:
    """Do a task in a worker with the same code. Another one may not even have the classes of the task."""
    try:
        check_code(code)
        call, task = pickle.loads(packed)
    except Exception as error:
        return _Raised(_portable(error))
    return _perform(call, task)


def _perform(call: _Call, task: Any) -> Any:
    try:
        if call.warm_up is not None:
            with _warming:  # threads of a worker wait for the first of them
                if call.warm_up not in _warmed:
                    call.warm_up()
                    _warmed.add(call.warm_up)
        return call.work(task)
    except Exception as error:
        return _Raised(_portable(error))


def _portable(error: Exception) -> Exception:
    """Return the error, or one with the same message if the error cannot be pickled and restored."""
    try:
        if type(pickle.loads(pickle.dumps(error))) is type(error):
            return error
    except Exception:
        pass
    return RuntimeError(f"{type(error).__name__}: {error}")
