"""Tasks on executors: results, order, bounds, errors, lost tasks."""

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from immediate_executor import AtOnce
from rookery.tasks import open_executor, running
from rookery.tasks.processes import ProcessExecutor
from rookery.tasks.running import ATTEMPTS, LostTaskError, run
from rookery.tasks.versions import Code, ExecutorError, OtherCodeError, own_code


class Losing(AtOnce):
    """Loses the first `times` tasks with their workers."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.submitted >= self.times:
            return super().submit(fn, *args, **kwargs)
        self.submitted += 1
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("a worker died"))
        return future


def slow_square(task: tuple[int, float]) -> int:
    number, seconds = task
    time.sleep(seconds)
    return number * number


def refuse(task: int) -> int:
    if task == 3:
        raise ValueError(f"task: {task}: expected another")
    return task


class UnpicklableError(Exception):
    """An error that cannot be restored from a pickle."""

    def __init__(self, text: str, further: object) -> None:
        super().__init__(text)
        self.further = further, threading.Lock()


def refuse_strangely(task: int) -> int:
    raise UnpicklableError(f"no {task}", None)


def die_once(path: str) -> int:
    """Kill this process, unless it was killed before."""
    if not Path(path).exists():
        Path(path).touch()
        os._exit(9)
    return 1


def process_number(_task: object) -> int:
    time.sleep(0.1)
    return os.getpid()


def test_results_come_as_they_finish_or_in_order() -> None:
    tasks = [(i, 0.3 if i == 0 else 0.0) for i in range(6)]
    with ThreadPoolExecutor(2) as pool:
        results = list(run(pool, slow_square, tasks))
        assert sorted(results) == [(i, i * i) for i in range(6)]
        assert results[-1] == (0, 0)
        assert list(run(pool, slow_square, tasks, ordered=True)) == [(i, i * i) for i in range(6)]
    assert list(run(AtOnce(), abs, [])) == []


def test_a_bounded_number_of_tasks_is_taken_from_an_endless_iterator() -> None:
    taken = 0

    def endless() -> Iterator[int]:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    pool = AtOnce()
    results = run(pool, abs, endless(), in_flight=7)
    for count, _ in enumerate(results, 1):
        assert pool.submitted - count < 7
        if count == 100:
            break
    results.close()
    assert taken <= 107


def test_an_ordered_run_holds_no_more_than_it_may() -> None:
    started = []

    def work(task: int) -> int:
        started.append(task)
        time.sleep(0.5 if task == 0 else 0.0)
        return task

    with ThreadPoolExecutor(4) as pool:
        assert [n for n, _ in run(pool, work, range(50), ordered=True, in_flight=8)] == list(range(50))
    assert len(started) == 50
    with ThreadPoolExecutor(4) as pool:
        started.clear()
        results = run(pool, work, range(50), ordered=True, in_flight=8)
        next(results)
        assert len(started) <= 8  # all others waited for the first
        results.close()


def test_an_error_of_the_work_is_raised_with_its_task() -> None:
    with ThreadPoolExecutor(2) as pool, pytest.raises(ValueError, match="expected another") as caught:
        list(run(pool, refuse, range(10)))
    assert caught.value.__notes__ == ["in task 3: 3: ValueError: task: 3: expected another"]
    with ProcessExecutor(1) as processes, pytest.raises(RuntimeError, match="UnpicklableError: no 0"):
        list(run(processes, refuse_strangely, range(2)))


def test_a_lost_task_is_repeated_but_not_for_ever() -> None:
    assert list(run(Losing(ATTEMPTS - 1), abs, [-1])) == [(0, 1)]
    with pytest.raises(
        LostTaskError, match=r"task 0: -1: lost 5 times with its worker \(BrokenProcessPool: a worker died\)$"
    ):
        list(run(Losing(ATTEMPTS), abs, [-1]))


def test_an_executor_that_takes_no_tasks_is_one_line() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    message = (
        r"executor: takes no more tasks \(RuntimeError: cannot schedule new futures .*\): start it again, and repeat"
    )
    with pytest.raises(ExecutorError, match=message):
        list(run(pool, abs, [-1]))


def test_a_worker_with_other_code_refuses_the_task(monkeypatch: pytest.MonkeyPatch) -> None:
    other = Code("0.0.9", "0123456789ab")
    monkeypatch.setattr(running, "own_code", lambda: other)
    with ProcessExecutor(1) as processes, pytest.raises(OtherCodeError) as caught:
        list(run(processes, abs, [-1]))
    text = str(caught.value)
    assert re.fullmatch(
        rf"executor: worker \S+, process \d+ has {re.escape(str(own_code()))}, expected rookery 0.0.9 "
        r"\(code 0123456789ab\): install the same rookery on all workers",
        text,
    ), text
    with ThreadPoolExecutor(1) as threads:  # which run the code of this process
        assert list(run(threads, abs, [-1])) == [(0, 1)]


def test_workers_warm_up_once() -> None:
    calls = []
    pool = ThreadPoolExecutor(4)
    with pool:
        assert len(list(run(pool, slow_square, [(i, 0.01) for i in range(8)], warm_up=lambda: calls.append(1)))) == 8
    assert calls == [1]


def test_a_killed_process_costs_its_own_task(tmp_path: Path) -> None:
    with ProcessExecutor(2) as processes:
        assert list(run(processes, die_once, [str(tmp_path / "died")])) == [(0, 1)]
        numbers = {pid for _, pid in run(processes, process_number, range(8))}
        assert len(numbers) == 2
        assert numbers == set(processes.pids())
    with ProcessPoolExecutor(1) as one, pytest.raises(LostTaskError, match='"processes:8" replaces such workers'):
        list(run(one, die_once, [str(tmp_path / "again")]))


def test_a_process_that_is_idle_may_be_killed_too() -> None:
    with ProcessExecutor(1) as processes:
        (first,) = {pid for _, pid in run(processes, process_number, [0])}
        os.kill(first, 9)
        time.sleep(0.5)
        (second,) = {pid for _, pid in run(processes, process_number, [0])}
    assert first != second


@pytest.mark.parametrize("processes", [0, -1, True, "2"])
def test_the_number_of_processes_is_checked(processes: Any) -> None:
    with pytest.raises(ValueError, match=r"processes: .*: expected an int of at least 1"):
        ProcessExecutor(processes)


def test_executors_are_opened_by_name() -> None:
    for name in ("threads:2", "processes:1"):
        with open_executor(name) as executor:
            assert list(run(executor, abs, [-1, -2], ordered=True)) == [(0, 1), (1, 2)]
    with ThreadPoolExecutor(1) as pool:
        with open_executor(pool) as same:
            assert same is pool
        assert pool.submit(abs, -1).result() == 1  # it stays open


@pytest.mark.parametrize("name", ["", "thread", "threads:0", "threads:x", "processes:-1", "dask", "processes:1e3"])
def test_other_names_are_errors(name: str) -> None:
    with pytest.raises(ValueError, match=f"executor: '{name}': expected"), open_executor(name):
        pass
    with pytest.raises(TypeError, match='executor: 3: expected "threads:8"'), open_executor(3):  # type: ignore[arg-type]
        pass
