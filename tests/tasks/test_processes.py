"""Processes as an executor, and signals that are held back while they start."""

import contextlib
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
from typing import Any

import pytest

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
    assert {future.result(60) for future in futures[1:]} < {*pair.pids()}
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
