"""Perft in several threads or on an executor, with or without a hash table and a checkpoint.

The tree is cut into *parts*, positions a few plies below its root. Threads or the workers of an executor count them,
and a checkpoint lists those that are counted.
"""

import collections
import contextlib
import functools
import os
import queue
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator
from typing import Any, Final, NamedTuple

from rookery.arguments import threads_to_start
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.counting.checkpoint import Checkpoint
from rookery.counting.visitors import UNIT, Units, table, workspace
from rookery.counting.walk import on_lanes, portions
from rookery.tasks.interface import Executor

MOST_TASKS: Final = 512
_LOOKS: Final = 0.05  # seconds between two looks at what threads have counted
_SAVES: Final = 2.0  # seconds between two checkpoints


class CountProgress(NamedTuple):
    """The progress of a count."""

    nodes: int  # leaves counted so far, those of a checkpoint included
    fresh: int  # of these counted now
    done: int  # parts
    parts: int


class Subtree(NamedTuple):
    """A position below the root, and the number of plies left there."""

    board: Board
    depth: int


def parts(board: Board, depth: int) -> list[Subtree]:
    """Return the tree in parts, in an order that never changes.

    There are enough of them to keep threads busy, and to lose little of a long count.
    """
    boards, left = [board], depth
    while left > UNIT + 1 and (len(boards) < 256 or (left > 6 and len(boards) < 2000)):
        boards = [_after(parent, move) for parent in boards for move in parent.generate_legal_moves()]
        left -= 1
    return [Subtree(b, left) for b in boards]


def _after(board: Board, move: Move) -> Board:
    child = board.copy()
    child.push(move)
    return child


class _Workers:
    """Threads that count parts of a tree. They start at once, and `stop` ends them."""

    def __init__(self, pieces: list[Subtree], left: list[int], threads: int, memory: Any) -> None:
        self._pieces, self._waiting, self._memory = pieces, iter(left), memory
        self._lock, self._stopped = threading.Lock(), threading.Event()
        # A thread that finishes a part wakes nobody: each wake interrupts a count, and there are hundreds of parts.
        self._finished: collections.deque[tuple[int, int]] = collections.deque()
        self._ended: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._leaves = [0] * threads  # of the part that each thread is counting
        self.running = threads
        self._threads = [threading.Thread(target=self._work, args=(i,), daemon=True) for i in range(threads)]
        for thread in self._threads:
            thread.start()

    def _work(self, thread: int) -> None:
        visitor = Units(workspace(), self._memory)
        failure: BaseException | None = None
        try:
            while not self._stopped.is_set():
                with self._lock:
                    i = next(self._waiting, None)
                if i is None:
                    return
                leaves = 0
                for portion in portions(*self._pieces[i], visitor):
                    leaves += portion
                    self._leaves[thread] = leaves
                    if self._stopped.is_set():
                        return
                self._leaves[thread] = 0
                self._finished.append((i, leaves))
        except BaseException as error:  # raised again in the calling thread
            failure = error
        finally:
            self._ended.put(failure)

    def wait(self) -> Iterator[tuple[int, int]]:
        """Wait until a thread ends, up to `_LOOKS` seconds. Return the parts finished meanwhile, with their leaves."""
        try:
            error = self._ended.get(timeout=_LOOKS)
        except queue.Empty:
            return self._taken()
        if error is not None:
            raise error
        self.running -= 1
        return self._taken()

    def _taken(self) -> Iterator[tuple[int, int]]:
        while self._finished:
            yield self._finished.popleft()

    def unfinished(self) -> int:
        """Return the leaves counted so far in parts that are not finished."""
        return sum(self._leaves)

    def stop(self) -> Iterator[tuple[int, int]]:
        """Stop the threads. Yield the parts that were finished meanwhile, with their leaves."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()
        return self._taken()


class _Tasks:
    """The workers of an executor, with the interface of `_Workers`."""

    def __init__(self, pieces: list[Subtree], left: list[int], executor: Executor | str, megabytes: int) -> None:
        from rookery.tasks.jobs import results_of

        each = -(-len(left) // MOST_TASKS) or 1
        fens = [(i, pieces[i].board.fen(shredder=True, en_passant="fen"), pieces[i].depth) for i in left]
        tasks = (CountingTask(tuple(fens[i : i + each]), megabytes) for i in range(0, len(fens), each))
        self._results = results_of(executor, count_parts, tasks, warm_up=warm_up)
        self.running = 1

    def wait(self) -> Iterator[tuple[int, int]]:
        """Wait until a task is finished. Return its parts with their leaves."""
        for _, counted in self._results:
            return iter(counted)
        self.running = 0
        return iter(())

    def unfinished(self) -> int:
        """Return 0: nothing is known of tasks that are not finished."""
        return 0

    def stop(self) -> Iterator[tuple[int, int]]:
        """Cancel the tasks that wait."""
        self._results.close()
        return iter(())


class CountingTask(NamedTuple):
    """Some parts of a tree, each with its number, its FEN and its depth, and the size of the hash table to use."""

    parts: tuple[tuple[int, str, int], ...]
    megabytes: int


def count_parts(task: CountingTask) -> list[tuple[int, int]]:
    """Return the number of each part and its leaves; this runs in the workers of an executor."""
    visitor = Units(workspace(), _shared_table(task.megabytes))
    return [(i, sum(portions(Board(fen), depth, visitor))) for i, fen, depth in task.parts]


@functools.lru_cache(maxsize=1)
def _shared_table(megabytes: int) -> Any:
    return table(megabytes)


def warm_up() -> None:
    """Compile what counts, or load it, before the first task of a worker."""
    sum(on_lanes(Board(), UNIT + 1))


_of_thread: Final = threading.local()


def leaves_of(board: Board, depth: int) -> int:
    """Return the leaves below a board without a hash table, with little more than the time of the count itself."""
    visitor: Units | None = getattr(_of_thread, "visitor", None)
    if visitor is None:
        visitor = _of_thread.visitor = Units(workspace(), table(0))
    return sum(portions(board, depth, visitor))


def counting(
    board: Board,
    depth: int,
    *,
    threads: int = 1,
    hash_mb: int = 0,
    executor: Executor | str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    force: bool = False,
    tell: Callable[[str], None] = warnings.warn,
) -> Generator[CountProgress]:
    """Count in threads or on an executor, and yield the progress. The last progress yielded is the whole count.

    `checkpoint` is a file that stores what has been counted, and from which the same count continues. Raises ValueError
    if it is damaged or belongs to another count; it then stays as it is, but `force` begins it anew. If it can no
    longer be written, such as on a full disk, `tell` is called once, and the count goes on. Closing the iterator stops
    the threads.
    """
    pieces = parts(board, depth)
    known = Checkpoint(checkpoint, board, depth, len(pieces), force=force) if checkpoint is not None else None
    counted: dict[int, int] = dict(known.leaves) if known else {}
    before = sum(counted.values())
    left = [i for i in range(len(pieces)) if i not in counted]
    warned = False

    def save() -> None:
        nonlocal warned
        try:
            if known:
                known.save(counted)
        except OSError as error:
            if not warned:
                tell(f"checkpoint: {checkpoint}: {error.strerror}: what is counted from now on may not be kept")
            warned = True

    def progress(unfinished: int) -> CountProgress:
        nodes = sum(counted.values()) + unfinished
        return CountProgress(nodes, nodes - before, len(counted), len(pieces))

    with contextlib.ExitStack() as stack:
        if known:
            stack.enter_context(known)
        workers: _Workers | _Tasks
        if executor is None:
            workers = _Workers(pieces, left, threads_to_start(threads, len(left)), table(hash_mb))
        else:
            workers = _Tasks(pieces, left, executor, hash_mb)
        looked = saved = time.monotonic()
        try:
            while workers.running:
                counted.update(workers.wait())
                now = time.monotonic()
                if now - saved > _SAVES:
                    save()
                    saved = now
                if now - looked > _LOOKS:
                    looked = now
                    yield progress(workers.unfinished())
        finally:
            counted.update(workers.stop())
            save()
    yield progress(0)
