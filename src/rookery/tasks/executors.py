"""Executors by name, as the option ``--executor`` of commands takes them."""

import contextlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, Final

from rookery.arguments import shown
from rookery.tasks.processes import ProcessExecutor
from rookery.tasks.signals import signals_held

EXPECTED: Final = (
    'expected "threads:8", "processes:8", "loky:8", "dask:tcp://host:8786", "ray:auto", "mpi:8" '
    "or an executor such as concurrent.futures.ProcessPoolExecutor"
)
_MPIEXEC: Final = "mpiexec -n {n} python -m mpi4py.futures -m rookery ..."


@contextlib.contextmanager
def open_executor(executor: Executor | str) -> Iterator[Executor]:
    """Open the executor that a text names, and close it at the end of the ``with`` block.

    The text is ``threads``, ``processes``, ``loky`` or ``mpi``, perhaps with the number of workers (``processes:8``; by
    default as many as there are CPUs); ``dask:`` with the address of a scheduler, or with a number of processes to
    start; or ``ray:auto``, ``ray:local`` or ``ray:`` with an address. An executor is passed through and left open.

    Raises ValueError for other texts, TypeError for other objects, and ModuleNotFoundError if Dask, Ray, loky or mpi4py
    is needed and not installed.

    Examples
    --------
    >>> with open_executor("threads:2") as executor:
    ...     executor.submit(abs, -3).result()
    3
    """
    if not isinstance(executor, str):
        if not callable(getattr(executor, "submit", None)):
            raise TypeError(f"executor: {shown(executor)}: {EXPECTED}")
        yield executor
        return
    kind, _, rest = executor.partition(":")
    if kind not in _OPENERS:
        raise ValueError(f"executor: {shown(executor)}: {EXPECTED}")
    with _OPENERS[kind](executor, rest) as opened:
        yield opened


def _number(text: str, rest: str) -> int:
    if not rest:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not (rest.isascii() and rest.isdigit() and 1 <= int(rest) <= 4096):
        raise ValueError(f"executor: {shown(text)}: expected a number of workers from 1 to 4096 after the colon")
    return int(rest)


def _missing(library: str, package: str) -> ModuleNotFoundError:
    return ModuleNotFoundError(f"executor: needs {library}: pip install {package}")


@contextlib.contextmanager
def _closing(executor: Executor) -> Iterator[Executor]:
    """Close an executor; after an error or Ctrl-C without waiting for its tasks."""
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        raise
    executor.shutdown()


def _threads(text: str, rest: str) -> Any:
    return _closing(ThreadPoolExecutor(_number(text, rest), "rookery-task"))


def _processes(text: str, rest: str) -> Any:
    return _closing(ProcessExecutor(_number(text, rest)))


@contextlib.contextmanager
def _loky(text: str, rest: str) -> Iterator[Executor]:
    number = _number(text, rest)
    try:
        from loky import ProcessPoolExecutor
    except ModuleNotFoundError:
        raise _missing("loky", "loky") from None
    executor = ProcessPoolExecutor(number)
    try:
        with signals_held():
            executor.submit(int)  # starts the processes
        yield executor
    except BaseException:
        # loky's option kill_workers also sets the errors of cancelled futures, which prints a traceback.
        for process in list(executor._processes.values()):
            process.terminate()
        raise
    finally:
        executor.shutdown()


def _mpi(text: str, rest: str) -> Any:
    number = _number(text, rest) if rest else None
    try:
        from mpi4py.futures import MPIPoolExecutor, _core
    except ModuleNotFoundError:
        raise _missing("mpi4py", "mpi4py") from None
    if _core.SharedPool is None:  # ranks that mpi4py would start itself never answer where MPI cannot start any
        raise ValueError(f"executor: {shown(text)}: expected to run in MPI: {_MPIEXEC.format(n=(number or 8) + 1)}")
    executor = MPIPoolExecutor(number)
    if number not in (None, executor.num_workers):
        raise ValueError(
            f"executor: {shown(text)}: MPI has {executor.num_workers + 1} ranks: expected {executor.num_workers} "
            f"workers besides the coordinator, or {_MPIEXEC.format(n=number + 1)}"
        )
    return _closing(executor)


def _dask(text: str, rest: str) -> Any:
    from rookery.tasks.dask_executor import DaskExecutor

    if not rest:
        raise ValueError(f'executor: {shown(text)}: expected the address of a scheduler, "dask:tcp://host:8786"')
    try:
        return _closing(DaskExecutor(rest))
    except ModuleNotFoundError:
        raise _missing("Dask", "'dask[distributed]'") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"executor: {shown(text)}: {error}") from error


def _ray(text: str, rest: str) -> Any:
    from rookery.tasks.ray_executor import RayExecutor

    try:
        return _closing(RayExecutor(rest or "auto"))
    except ModuleNotFoundError:
        raise _missing("Ray", "ray") from None
    except (ConnectionError, ValueError) as error:
        raise ValueError(f"executor: {shown(text)}: {error}") from error


_OPENERS: Final[dict[str, Callable[[str, str], Any]]] = {
    "threads": _threads,
    "processes": _processes,
    "loky": _loky,
    "dask": _dask,
    "ray": _ray,
    "mpi": _mpi,
}
