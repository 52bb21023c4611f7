"""A run of tasks with executors that fail: messages, lost tasks, cancelled ones, and how often workers warm up."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from immediate_executor import AtOnce
from rookery.tasks import running
from rookery.tasks.running import LostTaskError, run
from rookery.tasks.versions import ExecutorError


class Refusing(AtOnce):
    """Loses each task, with the same error."""

    def __init__(self, failure: Exception) -> None:
        super().__init__()
        self.failure = failure

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(self.failure)
        return future


class Closed(Refusing):
    """Takes no tasks."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        raise self.failure


@pytest.mark.parametrize(
    ("task", "name"), [("x" * 120, "x" * 120), ("x" * 121, "x" * 120 + "..."), ("a\nb", r"a\\nb"), (7, "7")]
)
def test_a_message_names_a_task_in_a_line(task: object, name: str) -> None:
    message = rf"^task 0: {name}: lost 5 times with its worker \(OSError\)$"
    with pytest.raises(LostTaskError, match=message):
        list(run(Refusing(OSError()), str, [task]))
    with pytest.raises(ExecutorError, match=r"^executor: takes no more tasks \(OSError\): start it again, and repeat"):
        list(run(Closed(OSError()), str, [task]))
    advice = 'a worker was killed: the executor "processes:8" replaces such workers'
    with pytest.raises(LostTaskError, match=f"^task 0: {name}: {advice}$"):
        list(run(Closed(BrokenProcessPool()), str, [task]))


def refuse_in_lines(task: int) -> int:
    raise ValueError(f"first {task}\nsecond")


def test_a_note_has_the_first_line_of_an_error() -> None:
    with pytest.raises(ValueError, match="second") as caught:
        list(run(AtOnce(), refuse_in_lines, [8]))
    assert caught.value.__notes__ == ["in task 0: 8: ValueError: first 8"]


class ChangingError(ValueError):
    """An error whose pickle is another error."""

    def __reduce__(self) -> tuple[Any, ...]:
        return ValueError, ("another",)


def refuse_otherwise(task: int) -> int:
    raise ChangingError(f"no {task}")


def test_an_error_that_pickles_to_another_keeps_its_message() -> None:
    with pytest.raises(RuntimeError, match=r"^ChangingError: no 3\n"):
        list(run(AtOnce(), refuse_otherwise, [3]))


def test_a_task_may_be_lost_as_often_as_others(monkeypatch: pytest.MonkeyPatch) -> None:
    class EachOnce(AtOnce):
        """Loses each task once."""

        def __init__(self) -> None:
            super().__init__()
            self.seen: set[Any] = set()

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            if args in self.seen:
                return super().submit(fn, *args, **kwargs)
            self.seen.add(args)
            return Refusing(OSError()).submit(fn)

    monkeypatch.setattr(running, "ATTEMPTS", 2)
    assert list(run(EachOnce(), abs, range(-9, 0), ordered=True)) == [(i, 9 - i) for i in range(9)]


@pytest.mark.parametrize("in_flight", [-1, 0, 1])
def test_at_least_one_task_is_in_flight(in_flight: int) -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for i in range(3):
            taken.append(i)
            yield -i

    for number, result in run(AtOnce(), abs, tasks(), in_flight=in_flight):
        assert number == result
        assert taken == list(range(number + 1))
    assert taken == [0, 1, 2]


def test_tasks_that_wait_are_cancelled_when_a_run_is_closed() -> None:
    class Waiting(AtOnce):
        """Does the first task, and leaves the others; the cancel of one of them fails."""

        def __init__(self) -> None:
            super().__init__()
            self.cancelled: list[int] = []

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            if not self.submitted:
                return super().submit(fn, *args, **kwargs)
            self.submitted += 1
            future, number = Future[Any](), self.submitted

            def cancel() -> bool:
                self.cancelled.append(number)
                if number == 2:
                    raise OSError("the scheduler has gone")
                return True

            future.cancel = cancel  # type: ignore[method-assign]
            return future

    executor = Waiting()
    results = run(executor, abs, range(9), in_flight=4)
    assert next(results) == (0, 0)
    results.close()
    assert executor.cancelled == [2, 3, 4]


def test_a_worker_warms_up_until_that_succeeds() -> None:
    calls: list[int] = []

    def warm_up() -> None:
        calls.append(1)
        if len(calls) < 3:
            raise ValueError("cold")

    with ThreadPoolExecutor(1) as pool:
        for _ in range(2):
            with pytest.raises(ValueError, match=r"^cold\n") as caught:
                list(run(pool, abs, [-1], warm_up=warm_up))
            assert caught.value.__notes__ == ["in task 0: -1: ValueError: cold"]
        for _ in range(2):
            assert list(run(pool, abs, [-1], warm_up=warm_up)) == [(0, 1)]
    assert len(calls) == 3


def test_results_are_as_they_finish_unless_they_are_ordered() -> None:
    late: list[Future[Any]] = []

    class Late(AtOnce):
        """Does the first of two tasks after the second."""

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            if late:
                second = super().submit(fn, *args, **kwargs)
                threading.Timer(0.05, lambda: late[0].set_result(second.result())).start()
                return second
            late.append(Future())
            return late[0]

    assert list(run(Late(), abs, [-5, -5])) == [(1, 5), (0, 5)]
    late.clear()
    assert list(run(Late(), abs, [-5, -5], ordered=True)) == [(0, 5), (1, 5)]
