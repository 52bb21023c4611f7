"""Processes of this machine as an executor. A process that is killed costs the task that it was running.

``concurrent.futures.ProcessPoolExecutor`` gives up all tasks of its pool if one process is killed, and its processes
outlive a parent that is killed. Here each process is a pool of its own, which is replaced, and ends with its parent.
"""

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import Any

from rookery.arguments import shown
from rookery.tasks.signals import signals_held


def _prepare_process() -> None:
    """Leave signals of the terminal to the parent, and end when it ends, even if it is killed."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def _new_pool() -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")  # a copy of a process that has threads may wait for them for ever
    pool = ProcessPoolExecutor(1, mp_context=context, initializer=_prepare_process)
    with signals_held():
        pool.submit(int)  # starts the process
    return pool


class ProcessExecutor(Executor):
    """An executor of `processes` processes. If one is killed, its task's future raises ``BrokenProcessPool``.

    Examples
    --------
    >>> with ProcessExecutor(2) as executor:
    ...     executor.submit(abs, -3).result()
    3
    """

    def __init__(self, processes: int) -> None:
        if not isinstance(processes, int) or isinstance(processes, bool) or processes < 1:
            raise ValueError(f"processes: {shown(processes)}: expected an int of at least 1")
        self._lock = threading.RLock()  # callbacks of futures that are done run at once
        self._idle: list[ProcessPoolExecutor | None] = [None] * processes  # pools start with their first task
        self._busy: set[ProcessPoolExecutor] = set()
        self._queue: deque[tuple[Future[Any], Callable[..., Any], Any, Any]] = deque()
        self._closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run ``fn(*args, **kwargs)`` in the next process that is free."""
        future: Future[Any] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._queue.append((future, fn, args, kwargs))
            self._start_tasks()
        return future

    def _start_tasks(self) -> None:
        while self._idle and self._queue:
            future, fn, args, kwargs = self._queue.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            pool = self._idle.pop() or _new_pool()
            try:
                inner = pool.submit(fn, *args, **kwargs)
            except BrokenExecutor:  # its process was killed while it was idle
                pool = _new_pool()
                inner = pool.submit(fn, *args, **kwargs)
            self._busy.add(pool)
            inner.add_done_callback(lambda done, pool=pool, future=future: self._finish(pool, future, done))  # type: ignore[misc]

    def _finish(self, pool: ProcessPoolExecutor, future: Future[Any], done: Future[Any]) -> None:
        error = None if done.cancelled() else done.exception()
        with self._lock:
            self._busy.discard(pool)
            if isinstance(error, BrokenExecutor):
                self._idle.append(None)
            elif self._closed:
                pool.shutdown(wait=False)
            else:
                self._idle.append(pool)
            if not self._closed:
                self._start_tasks()
        if done.cancelled():
            error = BrokenExecutor("the executor was shut down")
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(done.result())

    def pids(self) -> list[int]:
        """Return the numbers of the processes that have started."""
        with self._lock:
            pools = [*self._busy, *(pool for pool in self._idle if pool is not None)]
            return [pid for pool in pools for pid in list(pool._processes or {})]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, once their tasks are done if `wait` is set; else at once."""
        with self._lock:
            if cancel_futures:
                while self._queue:
                    self._queue.popleft()[0].cancel()
            while wait and self._queue and not self._closed:
                last = self._queue[-1][0]
                self._lock.release()
                try:
                    with contextlib.suppress(Exception):
                        last.result()
                finally:
                    self._lock.acquire()
            self._closed = True
            pools = [*self._busy, *(pool for pool in self._idle if pool is not None)]
            self._idle = []
            processes = [process for pool in pools for process in list((pool._processes or {}).values())]
        if not wait:
            for process in processes:
                process.kill()
        for pool in pools:
            # A killed pool ends at once. If it were still ending when Python exits, both would close its pipe.
            pool.shutdown(wait=True, cancel_futures=cancel_futures)
