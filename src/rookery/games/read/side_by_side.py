"""Files read side by side: each thread reads a range of a file, or a small file, and the parts come in order.

A thread opens its range, reads it into a buffer of its own, and makes games of it, so that nobody copies what another
reads. Streams that can only be read from their beginning are read into blocks here, which threads take over. These are
open files, bytes, and large files that cannot be divided.
"""

import collections
import contextlib
import dataclasses
import functools
import itertools
import os
import stat
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from rookery.games.read import blocks
from rookery.games.read.blocks import AHEAD, LOOKS, Begins, Part, in_order
from rookery.games.read.game_ranges import ranges_of
from rookery.games.read.worker import Work, none_idle
from rookery.lazy_imports import modules_later
from rookery.sources import stores
from rookery.sources.chunks import prefetch
from rookery.sources.failures import DamagedFileError
from rookery.sources.file_range import FileRange
from rookery.sources.ranges import WINDOW
from rookery.sources.streams import Counted, Stream, TableFile, streams_of

if TYPE_CHECKING:
    from rookery.games.read import tables
else:
    (tables,) = modules_later("rookery.games.read", "tables")


_MOST_HELD: Final = 1 << 25  # bytes that wait to be taken from a thread: of texts that were read, and of results
_ENOUGH: Final = 6  # ranges for each thread: with more, no thread is idle for long
_BUSY: Final = 0.85  # the share of the threads that must be busy
_SHARED: Final = 3.0  # the most that threads gain if one of them unpacks the file for all
_ROWS_HELD: Final = 1 << 22  # bytes of text that a batch of rows of a table stands for


class File(NamedTuple):
    """A file or a stream: its name, whether it is a table, and its parts, to be read before the next file."""

    name: str
    is_table: bool
    parts: Iterator[Part]


class _Opened(NamedTuple):
    """A file or a stream begins, or another range of the one before."""

    name: str
    is_table: bool
    continues: bool


class _Task(NamedTuple):
    """A task of one thread: a file of the source, by its number, or a range of it. If `alone`, all threads do it."""

    source: Any
    number: int
    alone: bool


_Step: TypeAlias = _Opened | Part


def files_of(sources: list[Any], work: Work, threads: int, stopped: threading.Event) -> Iterator[File]:
    """Yield the files of a source in order, those inside archives too, read by so many threads."""
    with contextlib.closing(_Reading(work, threads, stopped).steps(sources)) as steps:
        following: _Step | None = next(steps, None)

        def parts() -> Iterator[Part]:
            nonlocal following
            has_failed = False
            for following in steps:
                if isinstance(following, _Opened):
                    if following.continues:
                        continue
                    return
                if not has_failed:
                    yield following
                has_failed = has_failed or following.failure is not None
            following = None

        while following is not None:
            assert isinstance(following, _Opened)
            own = parts()
            yield File(following.name, following.is_table, own)
            for _ in own:  # what the caller did not read
                pass


class _Reading:
    """The reading of a source by several threads."""

    def __init__(self, work: Work, threads: int, stopped: threading.Event) -> None:
        self._work, self._threads, self._stopped = work, threads, stopped
        self._damaged = -1  # the file that ends before its other ranges
        self._unfinished: set[_Results] = set()
        self._is_last = False  # whether all tasks are in `_unfinished` or done

    def _idle_threads(self) -> int:
        """Return the number of threads that have nothing to do, and will not get anything."""
        return max(self._threads - len(self._unfinished), 0) if self._is_last else 0

    def _read_task(self, results: "_Results") -> None:
        results.read(self._work)
        self._unfinished.discard(results)

    def steps(self, sources: list[Any]) -> Generator[_Step, None, None]:
        """Yield what is read of all sources, in order."""
        waiting: collections.deque[_Results] = collections.deque()
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(self._threads, "rookery-games")
        self._work.idle_threads = self._idle_threads
        try:
            for task in self._tasks(sources):
                if task.number == self._damaged:
                    continue
                if task.alone:
                    while waiting:
                        yield from self._taken(waiting.popleft())
                    yield from _read(task, self._work, self._work.counted, self._stopped, self._threads)
                    continue
                waiting.append(_Results(task, self._stopped))
                self._unfinished.add(waiting[-1])
                pool.submit(self._read_task, waiting[-1])
                while len(waiting) > self._threads + AHEAD:
                    yield from self._taken(waiting.popleft())
            self._is_last = True
            while waiting:
                yield from self._taken(waiting.popleft())
        finally:
            for results in waiting:
                results.close()
            self._stopped.set()
            pool.shutdown(wait=True, cancel_futures=True)
            # Else the two would keep each other, and the arrays of all readers, until the garbage is collected.
            self._work.idle_threads = none_idle

    def _taken(self, results: "_Results") -> Iterator[_Step]:
        """Yield what a thread reads, unless it is of a file that ended before."""
        try:
            if results.task.number == self._damaged:
                return
            counted = self._work.counted
            read, unpacked = counted.read, counted.unpacked
            for step, done in results:
                counted.read, counted.unpacked = read + done.read, unpacked + done.unpacked
                if step is None:
                    break
                if isinstance(step, Part) and step.failure is not None:
                    self._damaged = results.task.number
                yield step
            part = results.task.source
            if isinstance(part, FileRange) and (part.stop is None or results.task.number == self._damaged):
                part.check()  # earlier ranges were read before
        finally:
            results.close()

    def _tasks(self, sources: list[Any]) -> Iterator[_Task]:
        """Yield the tasks of threads, in order."""
        for number, source in enumerate(sources):
            path, given = (source.path, source) if isinstance(source, FileRange) else (source, None)
            is_range = given is not None and not given.is_whole
            size = _size_of_file(path) if self._threads > 1 and not is_range else None
            if size is None:
                yield _Task(source, number, True)
                continue
            identity = given.identity if given is not None else None
            ranges = ranges_of(
                os.fsdecode(path), _size_of_range(size, self._threads), identity, self._work.wanted.encoding
            )
            if given is None:
                ranges = (dataclasses.replace(part, may_grow=True) for part in ranges)
            first = list(itertools.islice(ranges, _ENOUGH * self._threads))
            is_shared = len(sources) == 1 or size > blocks.BLOCK  # else each thread reads another file
            if first[0].is_whole or (is_shared and _are_too_few(len(first), self._threads)):
                yield _Task(source, number, is_shared)
                continue
            for part in itertools.chain(first, ranges):
                yield _Task(part, number, False)


def _size_of_file(source: Any) -> int | None:
    """Return the size of a file that several threads can read; None if it is something else."""
    if not isinstance(source, (str, os.PathLike)) or stores.is_remote(source):
        return None
    found = Path(source).stat()
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def _are_too_few(ranges: int, threads: int) -> bool:
    """Check whether there are so few ranges that threads had better share the file block by block."""
    rounds = -(-ranges // threads)
    return ranges / rounds < min(_BUSY * threads, _SHARED)


def _size_of_range(size: int, threads: int) -> int:
    """Return how many bytes of text a thread reads at a time: a block, and less if each would get only a few.

    Each thread gets the same number of ranges, unless these would be short.
    """
    whole = max(blocks.BLOCK - WINDOW, blocks.BLOCK // 2)
    most = max(min(whole, size // (4 * threads)), whole // 16)
    rounds = max(-(-size // (most * threads)), 1)
    return min(most, max(-(-size // (rounds * threads)), whole // 16))


def _read(task: _Task, work: Work, counted: Counted, stopped: threading.Event, threads: int) -> Iterator[_Step]:
    """Yield what is read of a file or a range, by so many threads; by the caller's alone if there are none."""
    continues = isinstance(task.source, FileRange) and task.source.start > 0 and not task.alone
    with contextlib.closing(
        streams_of([task.source], stopped, counted, ahead=False, encoding=work.wanted.encoding)
    ) as streams:
        for stream in streams:
            yield _Opened(stream.name, isinstance(stream, TableFile), continues)
            if isinstance(stream, TableFile):
                yield from tables.table_parts(stream, work, counted, threads)
            else:
                assert isinstance(stream, Stream)
                work.where = work.condition_of_streams()
                yield from stream_parts(stream, work, threads, stopped)


class _Stopped(Exception):
    """Mark a thread's task as abandoned: its results are not taken."""


class _Results:
    """The results of a thread's task, in order: an iterable of steps, each with the bytes read so far."""

    def __init__(self, task: _Task, stopped: threading.Event) -> None:
        self.task, self._stopped = task, stopped
        self._steps: collections.deque[tuple[_Step | None, Counted]] = collections.deque()
        self._error: BaseException | None = None
        self._held = 0
        self._is_closed = False
        self._changed = threading.Condition()

    def read(self, work: Work) -> None:
        """Read the task; this runs in a thread."""
        counted = Counted()
        try:
            for step in _read(self.task, work, counted, self._stopped, 0):
                self._put(step, counted)
        except _Stopped:
            return
        except BaseException as error:
            self._error = error
        self._put(None, counted)

    def _put(self, step: _Step | None, counted: Counted) -> None:
        with self._changed:
            while self._held > _MOST_HELD and not self._is_closed and not self._stopped.is_set():
                self._changed.wait(LOOKS)
            if self._is_closed or self._stopped.is_set():
                raise _Stopped
            self._held += _weight(step)
            self._steps.append((step, Counted(counted.read, counted.unpacked)))
            if not isinstance(step, _Opened):  # another step follows it, and each wake interrupts a thread
                self._changed.notify()

    def __iter__(self) -> Iterator[tuple[_Step | None, Counted]]:
        while True:
            with self._changed:
                while not self._steps:
                    self._changed.wait(LOOKS)  # Python notices a signal between two waits only
                step, counted = self._steps.popleft()
                self._held -= _weight(step)
                self._changed.notify()
            if step is None and self._error is not None:
                raise self._error
            yield step, counted

    def close(self) -> None:
        """Let the thread stop: nobody takes anything more."""
        with self._changed:
            self._is_closed = True
            self._steps.clear()
            self._changed.notify()


def _weight(step: _Step | None) -> int:
    if not isinstance(step, Part):
        return 0
    results = sum(getattr(result, "nbytes", 0) for result in step.results)
    return results + max(step.size, _ROWS_HELD if step.games and not step.size else 0)


def stream_parts(stream: Stream, work: Work, threads: int, stopped: threading.Event) -> Iterator[Part]:
    """Yield what is read of a stream, block by block and in order.

    So many threads read blocks that another one unpacks, if that takes long; without threads, all of it happens here.
    """
    pieces = _pieces(stream, work)
    if stream.is_long and threads:
        pieces = prefetch(pieces, stopped)
    yield from in_order(lambda read: work.finished(read()), pieces, threads)


def _leading(
    block: blocks.Block,
    stream: Stream,
    work: Work,
    begins: Begins,
    ended: bool,
    failure: DamagedFileError | None,
    marked: bool,
) -> tuple[Part, Begins, DamagedFileError | None]:
    """Return the complete games of a block, the bytes after them, and why the stream ends.

    The reason is empty if the stream ends with its file.
    """
    part, following = work.leading_part(block, ended and not failure, begins)
    if ended and not failure and stream.is_file and (reason := work.cut_short(block, part.last, marked)):
        failure = DamagedFileError(stream.name or "the file", reason)
        part, following = work.leading_part(block, False, begins)
    return part, following, failure


def _filled(block: blocks.Block, stream: Stream) -> tuple[bool, DamagedFileError | None]:
    """Fill a block up; returns whether the stream has ended, and why if that is not the file's end."""
    try:
        return block.fill(stream.fill), None
    except DamagedFileError as error:
        return True, error
    except OSError as error:
        failure = DamagedFileError(stream.name or "the file", str(error))
        failure.__cause__ = error
        return True, failure


def _pieces(stream: Stream, work: Work) -> Iterator[Callable[[], Part]]:
    """Yield functions that read blocks. What is left of one begins the next.

    A block that cannot be cut safely is read here, since only its reader knows where its last complete game ends.
    """
    block, begins, failure, ended, done = work.buffers.block(), Begins.LINE, None, False, False
    marked = stream.after_result
    while not done:
        if not ended:
            ended, failure = _filled(block, stream)
        cut = 0 if ended and not failure else blocks.safe_cut(block.text, block.stop)
        if cut and begins == Begins.LINE:
            marked = True
            rest = work.buffers.rest(block, cut)
            yield functools.partial(work.part, block, cut)
        else:
            part, begins, failure = _leading(block, stream, work, begins, ended, failure, marked)
            cut = part.size
            marked = blocks.ends_with_result(block.text, cut) if part.number else marked
            rest = work.buffers.rest(block, cut)
            work.buffers.give_back(block)
            yield functools.partial(_itself, part)
        done = ended and (bool(failure) or cut == block.stop)
        block = rest
    if failure:
        yield functools.partial(work.broken_part, block, begins, failure)
    else:
        work.buffers.give_back(block)


def _itself(part: Part) -> Part:
    return part
