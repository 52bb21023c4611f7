"""Processes as an executor, and signals that are held back while they start."""

import contextlib
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rookery.tasks import processes
from rookery.tasks.processes import ProcessExecutor
from rookery.tasks.signals import signals_held
from rookery.tasks.versions import Code, OtherCodeError, check_code, own_code


@pytest.fixture
def pair() -> Iterator[ProcessExecutor]:
    """Two processes, which are ended whatever a test does."""
    executor = ProcessExecutor(2)
    yield executor
    executor.shutdown(wait=False, cancel_futures=True)


@pytest.mark.parametrize("number", [0, -1, True, 1.0, "2", None])
def test_a_number_of_processes_that_is_refused(number: Any) -> None:
    with pytest.raises(ValueError, match=f"^processes: {number!r}: expected an int of at least 1$"):
        ProcessExecutor(number)


def test_each_task_takes_a_process_that_is_free(pair: ProcessExecutor) -> None:
    assert pair.pids() == []
    assert pair.submit(int, "ff", base=16).result(60) == 255
    (first,) = pair.pids()
    assert pair.submit(os.getpid).result(60) == first
    futures = [pair.submit(time.sleep, 0.3), *(pair.submit(os.getpid) for _ in range(4))]
    assert {future.result(60) for future in futures[1:]} <= {*pair.pids()}
    assert len(pair.pids()) == 2
    with pytest.raises(ZeroDivisionError):
        pair.submit(divmod, 1, 0).result(60)
    assert pair.submit(signal.getsignal, signal.SIGINT).result(60) == signal.SIG_IGN
    assert pair.submit(signal.getsignal, signal.SIGTERM).result(60) == signal.SIG_IGN
    pair.shutdown()
    assert pair.pids() == []
    with pytest.raises(RuntimeError, match="cannot schedule new futures after shutdown"):
        pair.submit(abs, 1)


def test_a_process_that_is_killed_costs_its_task(pair: ProcessExecutor) -> None:
    lost = pair.submit(time.sleep, 600)
    (busy,) = pair.pids()
    kept = [pair.submit(abs, -i) for i in range(3)]
    os.kill(busy, signal.SIGKILL)
    with pytest.raises(BrokenExecutor):
        lost.result(60)
    assert [future.result(60) for future in kept] == [0, 1, 2]


def test_the_end_waits_for_tasks_or_cancels_them() -> None:
    with ProcessExecutor(1) as executor:
        futures = [executor.submit(time.sleep, 0.1) for _ in range(3)]
    assert [future.result(0) for future in futures] == [None] * 3
    executor = ProcessExecutor(1)
    running, waiting = executor.submit(time.sleep, 600), executor.submit(abs, -1)
    begin = time.monotonic()
    executor.shutdown(wait=False, cancel_futures=True)
    assert time.monotonic() - begin < 60
    assert waiting.cancelled()
    with pytest.raises(BrokenExecutor):
        running.result(60)


def test_a_waiting_task_may_be_cancelled() -> None:
    with ProcessExecutor(1) as executor:
        first, second, third = executor.submit(time.sleep, 0.5), executor.submit(abs, -1), executor.submit(abs, -2)
        assert second.cancel()
        assert third.result(60) == 2
    assert first.result(0) is None
    assert second.cancelled()


PARENT = """
import time
from rookery.tasks import processes
from rookery.tasks.processes import ProcessExecutor
if __name__ == "__main__":
    executor = ProcessExecutor(1)
    executor.submit(abs, 1).result()
    print(*executor.pids(), flush=True)
    time.sleep(600)
"""


def test_processes_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        os.kill(worker, 0)
        parent.kill()
    deadline = time.monotonic() + 60
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < deadline:
            os.kill(worker, 0)
            time.sleep(0.05)
        pytest.fail("the process still runs")


def test_a_process_leaves_signals_alone_and_watches_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers: dict[int, Any] = {}
    ended: Future[int] = Future()
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    monkeypatch.setattr(os, "_exit", ended.set_result)
    end, parent = os.pipe()
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: SimpleNamespace(sentinel=end))
    before = set(threading.enumerate())
    processes._prepare_process()
    assert handlers == {signal.SIGINT: signal.SIG_IGN, signal.SIGTERM: signal.SIG_IGN}
    (watch,) = set(threading.enumerate()) - before
    assert watch.daemon
    assert not ended.done()
    os.close(parent)
    assert ended.result(30) == 1
    watch.join()
    os.close(end)
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: None)
    processes._prepare_process()  # a process that was not started by Python
    assert not set(threading.enumerate()) - before


# An executor with pools that do what a test says.


class Pool:
    """A process whose task ends when a test says so, and its pool."""

    def __init__(self) -> None:
        self.tasks: list[Future[Any]] = []
        self.calls: list[tuple[Any, ...]] = []
        self.ends: list[dict[str, bool]] = []
        self.kills = 0
        self.is_broken = False
        self._processes = {id(self): self}

    def kill(self) -> None:
        self.kills += 1

    def submit(self, *call: Any, **named: Any) -> Future[Any]:
        if self.is_broken:
            raise BrokenExecutor
        self.calls.append((*call, named))
        self.tasks.append(Future())
        return self.tasks[-1]

    def shutdown(self, **options: bool) -> None:
        self.ends.append(options)


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[Pool]:
    made: list[Pool] = []

    def new_pool() -> Pool:
        made.append(Pool())
        return made[-1]

    monkeypatch.setattr(processes, "_new_pool", new_pool)
    return made


def test_tasks_wait_for_a_process_that_is_free(pools: list[Pool]) -> None:
    executor = ProcessExecutor(2)
    futures = [executor.submit(pow, i, 2, mod=100) for i in range(4)]
    assert [pool.calls for pool in pools] == [[(pow, 0, 2, {"mod": 100})], [(pow, 1, 2, {"mod": 100})]]
    assert sorted(executor.pids()) == sorted(map(id, pools))
    assert [future.running() for future in futures] == [True, True, False, False]
    pools[1].tasks[0].set_result("second")
    assert [future.done() for future in futures] == [False, True, False, False]
    assert pools[1].calls[1:] == [(pow, 2, 2, {"mod": 100})]
    assert futures[3].cancel()
    pools[1].tasks[1].set_exception(ZeroDivisionError("third"))
    pools[0].tasks[0].set_result("first")
    assert [futures[0].result(0), futures[1].result(0)] == ["first", "second"]
    with pytest.raises(ZeroDivisionError, match="third"):
        futures[2].result(0)
    assert [len(pool.calls) for pool in pools] == [1, 2]  # nobody does the task that was cancelled
    executor.shutdown()
    assert [pool.ends for pool in pools] == [[{"wait": True, "cancel_futures": False}]] * 2
    assert [pool.kills for pool in pools] == [0, 0]
    assert executor.pids() == []


def test_a_process_that_was_killed_is_replaced(pools: list[Pool]) -> None:
    executor = ProcessExecutor(1)
    first, second = executor.submit(abs, 1), executor.submit(abs, 2)
    pools[0].tasks[0].set_exception(BrokenExecutor("killed"))
    with pytest.raises(BrokenExecutor, match="killed"):
        first.result(0)
    assert pools[1].calls == [(abs, 2, {})]
    pools[1].tasks[0].set_result(2)
    assert second.result(0) == 2
    pools[1].is_broken = True  # it was killed while it was idle
    third = executor.submit(abs, -3)
    assert pools[2].calls == [(abs, -3, {})]
    pools[2].tasks[0].set_result(3)
    assert third.result(0) == 3
    assert executor.pids() == [id(pools[2])]
    executor.shutdown()
    assert len(pools) == 3


def test_an_end_without_waiting_kills_the_processes(pools: list[Pool]) -> None:
    executor = ProcessExecutor(3)
    first, second = executor.submit(abs, 1), executor.submit(abs, 2)
    pools[1].tasks[0].set_result(2)
    executor.shutdown(wait=False)
    assert [pool.kills for pool in pools] == [1, 1]
    assert second.result(0) == 2
    assert not first.done()
    assert pools[0].tasks[0].cancel()
    pools[0].tasks[0].set_running_or_notify_cancel()
    with pytest.raises(BrokenExecutor, match="the executor was shut down"):
        first.result(0)
    assert pools[0].ends == [{"wait": True, "cancel_futures": False}, {"wait": False}]
    with pytest.raises(RuntimeError, match="cannot schedule new futures after shutdown"):
        executor.submit(abs, 3)


def test_an_end_waits_for_tasks_that_wait(pools: list[Pool]) -> None:
    executor = ProcessExecutor(1)
    futures = [executor.submit(abs, i) for i in range(3)]
    end = threading.Thread(target=executor.shutdown)
    end.start()
    for i in range(3):
        time.sleep(0.01)
        assert end.is_alive()
        pools[0].tasks[i].set_result(i)
    end.join(30)
    assert not end.is_alive()
    assert [future.result(0) for future in futures] == [0, 1, 2]
    executor = ProcessExecutor(1)
    running, waiting = executor.submit(abs, 1), executor.submit(abs, 2)
    executor.shutdown(cancel_futures=True)
    assert waiting.cancelled()
    assert not running.done()
    assert pools[1].ends == [{"wait": True, "cancel_futures": True}]


# Signals.


def test_signals_are_held_until_the_block_ends() -> None:
    received: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: received.append(number))
    try:
        with signals_held():
            signal.raise_signal(signal.SIGTERM)
            time.sleep(0.01)
            assert received == []
            assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
        assert received == [signal.SIGTERM]
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
        signal.raise_signal(signal.SIGTERM)
        assert received == [signal.SIGTERM] * 2
    finally:
        signal.signal(signal.SIGTERM, before)


def test_an_interrupt_comes_after_the_block() -> None:
    done: list[bool] = []

    def interrupted() -> None:
        with signals_held():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            done.append(True)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done == [True]


def test_signals_are_held_in_other_threads_and_where_none_can_be_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    found: Future[bool] = Future()

    def held() -> None:
        with signals_held():
            found.set_result(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))

    handler = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=held)
    thread.start()
    thread.join()
    assert found.result(0)
    assert signal.getsignal(signal.SIGINT) is handler
    monkeypatch.delattr(signal, "pthread_sigmask")
    with signals_held():
        assert signal.getsignal(signal.SIGINT) is not handler
    assert signal.getsignal(signal.SIGINT) is handler


def test_handlers_return_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ZeroDivisionError), signals_held():
        raise ZeroDivisionError
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    get = signal.getsignal
    with monkeypatch.context() as patch:  # a handler in C is None, and cannot be set again
        patch.setattr(signal, "getsignal", lambda number: None if number == signal.SIGTERM else get(number))
        with signals_held():
            assert get(signal.SIGTERM) is signal.SIG_DFL
            assert get(signal.SIGINT) is not before
    assert get(signal.SIGINT) is before


# Versions.


def test_a_worker_with_other_code_is_named() -> None:
    check_code(own_code())
    assert re.fullmatch(r"rookery [0-9.]+ \(code [0-9a-f]{12}\)", str(own_code()))
    expected = Code("9.9", "0123456789ab")
    with pytest.raises(
        OtherCodeError,
        match=rf"^executor: worker .*, process {os.getpid()} has rookery .*, "
        r"expected rookery 9\.9 \(code 0123456789ab\): install the same rookery on all workers$",
    ):
        check_code(expected)
