"""Jobs: work that is divided into tasks, runs on any executor, and goes on where it stopped.

A job reads ranges of files (`rookery.sources.ranges`). Each task returns a small result and may write files, its
*part*, to the folder of the job. The journal in this folder lists each finished task with its result, and with the size
and the digest of each of its files, so a part that is missing, was cut or has changed is made again. Results come in
the order of the files, and those of a file end with the first range that cannot be read to its end, as they do without
tasks.

A client supplies the ranges, the work and what becomes of the results:

    with Job("annotate", ranges, "processes:8", folder=parts_path("out.parquet")) as job:
        for done in job.read(count_games, [options] * len(ranges), is_damaged=bool):
            ...
    job.discard()
"""

import contextlib
import hashlib
import itertools
import os
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final, Self

from rookery.sources import files
from rookery.sources.disk import DISK, Disk
from rookery.sources.failures import ChangedFileError
from rookery.sources.file_range import FileRange
from rookery.sources.identity import changes_explained
from rookery.sources.ranges import STANDARD_INPUT
from rookery.tasks.differences import OtherWorkError, with_force
from rookery.tasks.executors import open_executor
from rookery.tasks.interface import Executor
from rookery.tasks.journal import Journal, work_of
from rookery.tasks.parts import (
    RangeTask,
    TaskCall,
    TaskFiles,
    TaskResult,
    divided,
    perform,
    size_and_digest,
    size_of_ranges,
    stopped,
    streamed,
)
from rookery.tasks.running import IN_FLIGHT, run
from rookery.tasks.versions import own_version

_IN_MEMORY: Final = 64  # tasks at a time whose results wait in memory for earlier ones
_AHEAD: Final = 4  # of these, tasks that are done before threads of this process wait
_STREAMED: Final = 16  # tasks at a time that have the text which they read: some 16 MB each
_AFTER_A_STOP: Final = 1 << 20  # the number of the first task after a reading that the client stopped
_FORMAT: Final = 2  # of what the journal of a job holds
_JOURNAL: Final = "journal"

_numbers: Final = itertools.count()


# Returns the blocks of a file that is read from its beginning to its end, each with the bytes of the file read so far.
Stream = Callable[[], Iterator[tuple[Any, int]]]


def parts_path(out: str | os.PathLike[str]) -> Path | None:
    """Return the folder that keeps the parts of an output, ``OUT.parts``; None for a pipe, whose parts are not kept.

    The folder of an output in another store is in the current folder.
    """
    text = os.fsdecode(out)
    if "://" in text:
        return Path(text.rpartition("/")[2] + ".parts")
    return None if files.is_stream(text) else Path(text + ".parts")


def goes_on(out: str | os.PathLike[str]) -> bool:
    """Return whether parts of an output are kept, so that the same job goes on from them."""
    path = parts_path(out)
    return path is not None and path.exists()


def discard_finished(out: str | os.PathLike[str], inputs: Container[str]) -> None:
    """Remove the parts of an output that has all of these inputs, if their job read no other ones.

    The parts are still there if the job stopped between its last two steps.
    """
    folder = parts_path(out)
    work = None if folder is None else work_of(folder / _JOURNAL)
    if folder is not None and work is not None and all(path in inputs for path, _ in work["inputs"]):
        DISK.discard(folder)


class Job:
    """Tasks on an executor, whose parts are kept in a folder. Use it in a ``with`` statement.

    name        names the kind of work in the journal
    inputs      the ranges of each file
    executor    as `open_executor` takes it, or None: threads of this process
    threads     the number of these threads, or of the threads in each task on an `executor`
    folder      keeps the parts and the journal; by default nothing is kept, and results may be any objects
    options     all that the parts depend on besides the inputs, as JSON holds it
    force       begin anew if the folder has parts of other work, which is else an `OtherWorkError`

    When the block ends, tasks that still run are stopped. The folder stays, for the same job to go on from, until
    `discard` is called, unless the same job could not succeed or nothing was done. An error after which a file has
    changed is a `ChangedFileError`.
    """

    def __init__(
        self,
        name: str,
        inputs: Iterable[Iterable[FileRange]],
        executor: Executor | str | None,
        *,
        threads: int = 1,
        folder: Path | None = None,
        options: Any = None,
        force: bool = False,
        disk: Disk = DISK,
    ) -> None:
        self.inputs = [list(ranges) for ranges in inputs]
        ranges = [one for several in self.inputs for one in several]
        self.folder = "" if folder is None else str(folder.absolute())
        # Tasks in this process share its threads.
        self.threads = threads if executor is not None else max(threads // max(len(ranges), 1), 1)
        self._executor: Executor | str = f"threads:{threads}" if executor is None else executor
        self._most_in_memory = _IN_MEMORY if executor is not None else threads + _AHEAD
        self._identities = {one.path: one.identity for one in ranges if one.identity is not None}
        self._keeps = folder is not None and all(one.identity is not None for one in ranges)
        self._work = {
            "job": _FORMAT,
            "name": name,
            "version": own_version(),
            "inputs": [
                [several[0].path, hashlib.sha256(repr(several).encode()).hexdigest()] for several in self.inputs
            ],
            "options": options,
        }
        self._force, self._disk = force, disk
        self._journal: Journal | None = None
        self._is_hopeless = False
        self._number_of_tasks = 0
        self._stack = contextlib.ExitStack()
        self._id = f"{os.getpid()}-{next(_numbers)}"

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            self._workers = stack.enter_context(open_executor(self._executor))
            stack.enter_context(changes_explained(self._identities))
            if self._keeps:
                self._journal = stack.enter_context(self._opened())
                self._forget_damaged(self._journal)
            else:
                self.folder = str(stack.enter_context(self._disk.temporary_folder()))
            self._stack = stack.pop_all()
        return self

    def _opened(self) -> Journal:
        """Make the folder, and open its journal."""
        folder = Path(self.folder)
        try:
            self._disk.make_folder(folder, parents=True)
            return Journal(folder / _JOURNAL, self._work, disk=self._disk)
        except (OtherWorkError, files.Damaged) as error:
            if not self._force:
                raise with_force(error) from error
            self._disk.remove_tree(folder)
            self._disk.make_folder(folder)
            return Journal(folder / _JOURNAL, self._work, disk=self._disk)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stopped.add(self._id)
        is_kept = self._journal is not None and bool(self._journal.results) and not self._is_hopeless
        is_kept &= not isinstance(error, ChangedFileError)
        if is_kept and isinstance(error, OSError) and error.errno in files.FULL_DISK:
            error.strerror = f"{error.strerror}: finished parts are kept: free some space, and repeat the same"
        try:
            self._stack.__exit__(kind, error, trace)
        except ChangedFileError:
            is_kept = False
            raise
        finally:
            if self._keeps and not is_kept:
                self.discard()

    def discard(self) -> None:
        """Remove the folder: the output is complete, or the same job cannot succeed. Warn if the folder stays."""
        if self._keeps:
            self._disk.discard(self.folder)

    @property
    def size(self) -> int | None:
        """Return the bytes of all files, None if they are not known."""
        sizes = [size_of_ranges(ranges) for ranges in self.inputs]
        return sum(sizes) if all(ranges[0].identity is not None for ranges in self.inputs) else None

    @property
    def goes_on(self) -> bool:
        """Return whether parts are kept, so that the same job goes on from them."""
        return self._keeps and Path(self.folder).exists()

    def read(
        self,
        work: Callable[[RangeTask, TaskFiles], Any],
        options: Sequence[Any],
        *,
        is_damaged: Callable[[Any], bool],
        streams: Mapping[int, Stream] = MappingProxyType({}),
        warm_up: Callable[[], object] | None = None,
        progress: Callable[[int, int], object] = lambda done, total: None,
    ) -> Generator[TaskResult]:
        """Read the ranges of all files, and yield the results in order, those of each file up to its first damage.

        ``work(task, files)`` reads the range of a `RangeTask`, with the `options` of its file. After the last range of
        a file, or a damaged one, the file must still be the one that was divided. `progress` is called with the bytes
        of the files that are done, and of all; 0 of all if that is not known.

        A file that cannot be divided, such as a packed one, may be read here, and is divided as it is read:
        ``streams[file]()`` yields its content. A client that needs no more results closes the generator; further tasks
        then have the same numbers wherever that was, since tasks ahead of the last result may have begun.
        """
        places: list[tuple[int, FileRange]] = []

        def tasks() -> Iterator[RangeTask]:
            for file, ranges in enumerate(self.inputs):
                is_divided = file not in streams
                for task in (
                    divided(ranges, options[file])
                    if is_divided
                    else streamed(ranges[0], options[file], streams[file]())
                ):
                    places.append((file, task.part))
                    yield task

        damaged = -1  # the last file that was not read to its end
        running = self._run(
            work,
            tasks() if streams else list(tasks()),
            in_flight=_STREAMED if streams else IN_FLIGHT,
            warm_up=warm_up,
            progress=progress,
            total=sum(size_of_ranges(ranges) for ranges in self.inputs),
            size_of=lambda task: task.size,
        )
        first = self._number_of_tasks
        try:
            for done in running:
                file, part = places[done.number - first]
                if file == damaged:
                    continue
                if is_damaged(done.value):
                    damaged = file
                if file == damaged or part.stop is None:
                    part.check()
                yield done._replace(file=file, part=part)
        except GeneratorExit:
            self._number_of_tasks = max(self._number_of_tasks, _AFTER_A_STOP)
            raise
        finally:
            running.close()

    def run(
        self,
        work: Callable[[Any, TaskFiles], Any],
        tasks: Sequence[Any],
        *,
        replaces: Sequence[Path] = (),
        warm_up: Callable[[], object] | None = None,
        progress: Callable[[int, int], object] = lambda done, total: None,
    ) -> Generator[TaskResult]:
        """Do further tasks, unless they are done, and yield the results of all in order.

        `work` is a function of a module; it may run elsewhere, and more than once. The part of task i replaces the file
        ``replaces[i]`` of another task, if given, which is then removed. Each worker calls `warm_up` before its first
        task. `progress` is called with the number of finished tasks and of all: at the beginning, and after each task.
        """
        yield from self._run(work, tasks, replaces=replaces, warm_up=warm_up, progress=progress, total=len(tasks))

    def _run(
        self,
        work: Callable[[Any, TaskFiles], Any],
        tasks: Iterable[Any],
        *,
        total: int,
        size_of: Callable[[Any], int] = lambda task: 1,
        replaces: Sequence[Path] = (),
        in_flight: int = IN_FLIGHT,
        warm_up: Callable[[], object] | None,
        progress: Callable[[int, int], object],
    ) -> Generator[TaskResult]:
        """Do tasks as `run` does; an iterator may be of any length, and is taken from as tasks are submitted."""
        first = number = self._number_of_tasks
        kept = {} if self._journal is None else self._journal.results
        results: dict[int, Any] = {}
        sizes: dict[int, int] = {}  # of tasks that are not done
        done_size = 0
        if isinstance(tasks, list):
            done_size = sum(size_of(task) for i, task in enumerate(tasks, first) if i in kept)
        progress(done_size, total)

        def left() -> Iterator[TaskCall]:
            nonlocal done_size
            for i, task in enumerate(tasks, first):
                self._number_of_tasks = i + 1
                if i not in kept:
                    sizes[i] = size_of(task)
                    yield TaskCall(work, task, self.folder, i, self._id, self._disk)
                    continue
                results[i] = kept[i]["result"]
                if not isinstance(tasks, list):
                    done_size += size_of(task)
                    progress(done_size, total)

        with contextlib.closing(self._finished(left(), in_flight, warm_up)) as finished:
            while True:
                while number not in results and (done := self._next(finished)) is not None:
                    i, value, parts = done
                    self._add(i, value, parts, replaces[i - first] if replaces else None)
                    results[i] = value
                    done_size += sizes.pop(i)
                    progress(done_size, total)
                if number not in results:
                    return
                yield TaskResult(number, results.pop(number), self.folder)
                number += 1

    def _forget_damaged(self, journal: Journal) -> None:
        """Forget tasks with files that are not as they were, unless the part of another task has replaced them."""
        damaged = {
            number: {name for name, size, digest in entry["files"] if not self._is_intact(name, size, digest)}
            for number, entry in journal.results.items()
        }
        replaced = {entry["replaces"] for number, entry in journal.results.items() if not damaged[number]}
        for number, names in damaged.items():
            if names - replaced:
                journal.forget(number)

    def _is_intact(self, name: str, size: int, digest: str) -> bool:
        path = Path(self.folder, name)
        return path.is_file() and path.stat().st_size == size and size_and_digest(path) == (size, digest)

    def _finished(
        self, calls: Iterator[TaskCall], in_flight: int, warm_up: Callable[[], object] | None
    ) -> Generator[tuple[int, Any, Any]]:
        """Yield number, result and files of tasks: as they finish if they are kept, else in order."""
        numbers: list[int] = []

        def away() -> Iterator[TaskCall]:
            for call in calls:
                task = call.task
                if isinstance(task, RangeTask) and task.part.path == STANDARD_INPUT and not task.is_streamed:
                    here.append((call.number, *call()))
                else:
                    numbers.append(call.number)
                    yield call

        here: list[tuple[int, Any, Any]] = []
        in_memory = self._journal is None
        in_flight = min(in_flight, self._most_in_memory) if in_memory else in_flight
        running = run(self._workers, perform, away(), ordered=in_memory, in_flight=in_flight, warm_up=warm_up)
        with contextlib.closing(running):
            for place, (value, parts) in running:
                yield numbers[place], value, parts
                while here:
                    yield here.pop()
        yield from here

    def _next(self, finished: Iterator[tuple[int, Any, Any]]) -> tuple[int, Any, Any] | None:
        try:
            return next(finished, None)
        except (ValueError, TypeError):  # of the work: it would come again
            self._is_hopeless = True
            raise

    def _add(self, number: int, value: Any, parts: Any, replaced: Path | None) -> None:
        if self._journal is None:
            return
        name = None if replaced is None else replaced.name
        self._journal.add(number, {"result": value, "files": parts, "replaces": name})
        if replaced is not None:
            self._disk.remove(replaced, missing_ok=True)


def results_of(
    executor: Executor | str,
    work: Callable[[Any], Any],
    tasks: Iterable[Any],
    *,
    in_flight: int = IN_FLIGHT,
    warm_up: Callable[[], object] | None = None,
) -> Generator[tuple[int, Any]]:
    """Yield the number of each task and the result of ``work(task)``, as they finish; nothing is kept.

    The executor is opened for the first result, and closed when the generator ends. `tasks` may be an iterator of any
    length, from which `in_flight` tasks are taken ahead. Each worker calls `warm_up` before its first task.
    """
    with (
        open_executor(executor) as workers,
        contextlib.closing(run(workers, work, tasks, in_flight=in_flight, warm_up=warm_up)) as results,
    ):
        yield from results
