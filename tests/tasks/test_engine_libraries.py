"""The executors of other libraries, with stand-ins of Dask, Ray, MPI and loky that run tasks in this process."""

import asyncio
import logging
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from rookery.tasks import dask_executor, open_executor
from rookery.tasks.dask_executor import DaskExecutor
from rookery.tasks.ray_executor import RayExecutor


def module(name: str, monkeypatch: pytest.MonkeyPatch, **contents: Any) -> None:
    """Let an import of a module find these contents."""
    made = ModuleType(name)
    vars(made).update(contents)
    monkeypatch.setitem(sys.modules, name, made)


@pytest.mark.parametrize(
    ("name", "modules", "message"),
    [
        ("dask:2", ["distributed"], "needs Dask: pip install 'dask[distributed]'"),
        ("ray:local", ["ray"], "needs Ray: pip install ray"),
        ("loky:2", ["loky"], "needs loky: pip install loky"),
        ("mpi", ["mpi4py", "mpi4py.futures"], "needs mpi4py: pip install mpi4py"),
    ],
)
def test_a_library_that_is_missing_is_named(
    name: str, modules: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for missing in modules:
        monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError, match=f"^executor: {re.escape(message)}$"), open_executor(name):
        pass


# Ray.


class Ray:
    """The part of Ray that the executor uses: its state, how it was started, and remote functions."""

    def __init__(self, *, runs: bool = False, failure: Exception | None = None) -> None:
        self.runs, self.failure = runs, failure
        self.begun: list[tuple[str, dict[str, Any]]] = []

    def is_initialized(self) -> bool:
        return self.runs

    def init(self, address: str, **options: Any) -> None:
        if self.failure is not None:
            raise self.failure
        self.begun.append((address, options))
        self.runs = True

    def shutdown(self) -> None:
        self.runs = False

    def remote(self, function: Callable[..., Any]) -> Any:
        def call(*args: Any) -> Any:
            return SimpleNamespace(future=lambda: done_with(function, *args))

        return SimpleNamespace(remote=call)


def done_with(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function, *args, **kwargs)


@pytest.mark.parametrize(
    ("name", "address"), [("ray", "auto"), ("ray:", "auto"), ("ray:local", "local"), ("ray:ray://a:1", "ray://a:1")]
)
def test_ray_is_started_and_stopped(name: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Ray()
    monkeypatch.setitem(sys.modules, "ray", ray)
    with open_executor(name) as executor:
        assert ray.begun == [(address, {"log_to_driver": False})]
        assert executor.submit(int, "ff", base=16).result(0) == 255
        with pytest.raises(ZeroDivisionError):
            executor.submit(divmod, 1, 0).result(0)
        assert ray.runs
    assert not ray.runs


def test_ray_that_runs_already_is_left_running(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Ray(runs=True)
    monkeypatch.setitem(sys.modules, "ray", ray)
    with RayExecutor() as executor:
        assert executor.submit(abs, -3).result(0) == 3
    assert ray.runs
    assert ray.begun == []


def test_options_of_ray_are_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Ray()
    monkeypatch.setitem(sys.modules, "ray", ray)
    RayExecutor(num_cpus=2).shutdown()
    assert ray.begun == [("auto", {"log_to_driver": False, "num_cpus": 2})]


@pytest.mark.parametrize("failure", [ConnectionError("no cluster"), ValueError("no cluster")])
def test_a_cluster_of_ray_that_is_not_found_is_named(failure: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", Ray(failure=failure))
    with pytest.raises(ValueError, match=r"^executor: 'ray:there': no cluster$"), open_executor("ray:there"):
        pass


# MPI.


class Ranks(ThreadPoolExecutor):
    """A pool of mpi4py in a world of three ranks: two of them are workers."""

    made: ClassVar[list["Ranks"]] = []
    ended: tuple[bool, bool] | None = None

    def __init__(self, max_workers: int | None) -> None:
        super().__init__(1)
        self.max_workers, self.num_workers = max_workers, 2
        self.made.append(self)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.ended = wait, cancel_futures
        super().shutdown(wait, cancel_futures=cancel_futures)


@pytest.fixture
def ranks(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    core = SimpleNamespace(SharedPool=object())
    module("mpi4py", monkeypatch)
    module("mpi4py.futures", monkeypatch, MPIPoolExecutor=Ranks, _core=core)
    yield core
    for executor in Ranks.made:
        executor.shutdown()
    Ranks.made.clear()


@pytest.mark.parametrize(("name", "number"), [("mpi", None), ("mpi:", None), ("mpi:2", 2)])
def test_the_ranks_of_mpi_are_workers(name: str, number: int | None, ranks: SimpleNamespace) -> None:
    with open_executor(name) as executor:
        assert executor.submit(abs, -3).result() == 3
    (made,) = Ranks.made
    assert made is executor
    assert made.max_workers == number
    assert made.ended == (True, False)


def test_an_error_ends_the_ranks_without_their_tasks(ranks: SimpleNamespace) -> None:
    with pytest.raises(ZeroDivisionError), open_executor("mpi") as executor:
        raise ZeroDivisionError
    assert Ranks.made[0] is executor
    assert Ranks.made[0].ended == (False, True)


@pytest.mark.parametrize(("name", "number"), [("mpi:1", 1), ("mpi:3", 3)])
def test_another_number_of_ranks_is_refused(name: str, number: int, ranks: SimpleNamespace) -> None:
    message = (
        f"executor: '{name}': MPI has 3 ranks: expected 2 workers besides the coordinator, "
        f"or mpiexec -n {number + 1} python -m mpi4py.futures -m rookery ..."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"), open_executor(name):
        pass


@pytest.mark.parametrize(("name", "number"), [("mpi", 9), ("mpi:2", 3)])
def test_a_program_outside_of_mpi_is_refused(name: str, number: int, ranks: SimpleNamespace) -> None:
    ranks.SharedPool = None
    message = f"executor: '{name}': expected to run in MPI: mpiexec -n {number} python -m mpi4py.futures -m rookery ..."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"), open_executor(name):
        pass
    assert not Ranks.made
    with pytest.raises(ValueError, match="expected a number of workers from 1 to 4096"), open_executor("mpi:0"):
        pass


# loky.


class Loky(ThreadPoolExecutor):
    """A pool of loky, with two processes that note whether they were ended."""

    made: ClassVar[list["Loky"]] = []

    def __init__(self, max_workers: int) -> None:
        super().__init__(max_workers)
        self.events: list[str] = []
        process = SimpleNamespace(terminate=lambda: self.events.append("terminated"))
        self._processes = {1: process, 2: process}
        self.made.append(self)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.events.append(fn.__name__)
        return super().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.events.append("shut down" if wait else "left")
        super().shutdown(wait, cancel_futures=cancel_futures)


def test_processes_of_loky_end_with_the_block_or_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    module("loky", monkeypatch, ProcessPoolExecutor=Loky)
    Loky.made.clear()
    with open_executor("loky:3") as executor:
        assert executor.submit(abs, -3).result() == 3
    with pytest.raises(ZeroDivisionError), open_executor("loky:1"):
        raise ZeroDivisionError
    good, bad = Loky.made
    assert good is executor
    assert [made._max_workers for made in Loky.made] == [3, 1]
    assert good.events == ["int", "abs", "shut down"]
    assert bad.events == ["int", "terminated", "terminated", "shut down"]


# Dask.


class Task:
    """A future of Dask whose result comes after some time."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.cancels = 0

    async def result(self) -> Any:
        await asyncio.sleep(0.05)
        return self.work()

    def cancel(self) -> None:
        self.cancels += 1
        raise OSError("the scheduler has gone")


class Client:
    """A client of Dask, with the loop of Dask in a thread."""

    made: ClassVar[list["Client"]] = []
    interrupts: ClassVar[bool] = False

    def __init__(self, **options: Any) -> None:
        self.options, self.tasks, self.is_closed = options, list[Task](), False
        self.loop = SimpleNamespace(asyncio_loop=asyncio.new_event_loop())
        self._thread = threading.Thread(target=self.loop.asyncio_loop.run_forever, daemon=True)
        self._thread.start()
        self.made.append(self)
        if self.interrupts:
            signal.raise_signal(signal.SIGINT)

    def submit(self, fn: Callable[..., Any], *args: Any, pure: bool = True, **kwargs: Any) -> Task:
        assert not pure  # or Dask would do equal tasks once
        self.tasks.append(Task(lambda: fn(*args, **kwargs)))
        return self.tasks[-1]

    def close(self) -> None:
        self.is_closed = True
        assert not passes("Couldn't gather 1 keys")
        loop = self.loop.asyncio_loop
        assert not asyncio.run_coroutine_threadsafe(others(), loop).result(10)  # the loop would complain about them
        loop.call_soon_threadsafe(loop.stop)
        self._thread.join()
        loop.close()


async def others() -> list[str]:
    """Return what the loop still runs."""
    return [str(task) for task in asyncio.all_tasks() if task is not asyncio.current_task()]


class Scheduler:
    """The connection to a scheduler, which may be slow."""

    asked: ClassVar[list[tuple[str, str]]] = []
    in_daemons: ClassVar[list[bool]] = []
    seconds: ClassVar[float] = 0

    def __init__(self, address: str, connection_args: str) -> None:
        self.asked.append((address, connection_args))
        self.in_daemons.append(threading.current_thread().daemon)
        if address == "nowhere":
            raise ValueError("no such address")

    async def __aenter__(self) -> "Scheduler":
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def identity(self) -> None:
        await asyncio.sleep(self.seconds)


@pytest.fixture
def dask(monkeypatch: pytest.MonkeyPatch) -> None:
    security = SimpleNamespace(get_connection_args=lambda role: f"as {role}")
    module("distributed", monkeypatch, Client=Client, Security=lambda: security, rpc=Scheduler)
    Client.made.clear()
    Scheduler.asked.clear()
    Scheduler.in_daemons.clear()


def test_dask_starts_workers_or_connects(dask: None) -> None:
    for address in "3", "tcp://host:1":
        with open_executor(f"dask:{address}") as executor:
            assert executor.submit(int, "ff", base=16).result(60) == 255
            with pytest.raises(ZeroDivisionError):
                executor.submit(divmod, 1, 0).result(60)
    local, remote = Client.made
    workers = {"n_workers": 3, "threads_per_worker": 1, "silence_logs": logging.ERROR}
    assert local.options == {**workers, "set_as_default": False}
    assert remote.options == {"address": "tcp://host:1", "set_as_default": False}
    assert Scheduler.asked == [("tcp://host:1", "as client")]
    assert Scheduler.in_daemons == [True]  # Python does not wait for an answer when it exits
    assert local.is_closed
    assert remote.is_closed


def test_an_address_of_dask_that_does_not_answer_is_named(dask: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"^executor: 'dask:nowhere': no such address$"), open_executor("dask:nowhere"):
        pass
    monkeypatch.setattr(dask_executor, "_PATIENCE", 0.05)
    monkeypatch.setattr(Scheduler, "seconds", 60)
    message = r"^executor: 'dask:tcp://h:1': no answer within 0\.05 s: expected a Dask scheduler$"
    with pytest.raises(ValueError, match=message), open_executor("dask:tcp://h:1"):
        pass
    for name in "dask", "dask:":
        message = rf"^executor: '{name}': expected the address of a scheduler, \"dask:tcp://host:8786\"$"
        with pytest.raises(ValueError, match=message), open_executor(name):
            pass
    assert not Client.made


def test_dask_ends_after_its_tasks_or_cancels_them(dask: None) -> None:
    with DaskExecutor("2") as executor:
        futures = [executor.submit(abs, -i) for i in range(3)]
    assert [future.result(0) for future in futures] == [0, 1, 2]
    for options in {"wait": False}, {"cancel_futures": True}, {"wait": False, "cancel_futures": True}:
        executor = DaskExecutor("2")
        future = executor.submit(abs, -1)
        executor.shutdown(**options)
        time.sleep(0.1)
        assert not future.done()
    assert [client.is_closed for client in Client.made] == [True] * 4


def test_a_task_of_dask_is_cancelled_with_its_future(dask: None) -> None:
    with DaskExecutor("2") as executor:
        done, cancelled = executor.submit(abs, -1), executor.submit(abs, -2)
        assert cancelled.cancel()
        assert done.result(60) == 1
    assert [task.cancels for task in Client.made[0].tasks] == [0, 1]
    assert cancelled.cancelled()


def passes(text: str) -> bool:
    """Return whether Dask may log a text."""
    return bool(logging.getLogger("distributed.core").filter(logging.makeLogRecord({"msg": text})))


def test_what_dask_logs_of_its_end_is_left_out(dask: None) -> None:
    with DaskExecutor("2") as executor:
        assert not passes("Batched Comm Closed <TCP>")
        assert not passes("Failed to reconnect to scheduler after 30 s")
        assert passes("Couldn't gather 1 keys")
        assert passes("anything else")
        executor.submit(abs, -1).cancel()
        assert not passes("Couldn't gather 1 keys")
        assert passes("anything else")
    assert passes("Batched Comm Closed <TCP>")
    assert passes("Couldn't gather 1 keys")


def test_dask_is_closed_if_it_is_interrupted_while_it_starts(dask: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Client, "interrupts", True)
    with pytest.raises(KeyboardInterrupt):
        DaskExecutor("2")
    (client,) = Client.made
    assert client.is_closed
    assert passes("Batched Comm Closed <TCP>")
