"""Perft in vector registers: the default, in one or more threads, with or without a hash table and a checkpoint.

The tree is cut into *parts* (`rookery.counting.parts`). Threads or the workers of an executor count them, and a
checkpoint lists those that are counted. Inside a part, `rookery.counting.walk.walk` goes down to three plies from the
leaves, where it counts a whole unit at once (`rookery.counting.three_plies`).
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

from rookery.arguments import shown, threads_to_start
from rookery.board.board import Board
from rookery.counting.checkpoint import Checkpoint
from rookery.counting.hash_table import enter, look_up, table
from rookery.counting.parts import MOST_TASKS, UNIT, Part, parts
from rookery.counting.three_plies import Workspace, count_unit, workspace
from rookery.counting.walk import (
    UNKNOWN,
    as_board,
    check_depth,
    recall,
    remember,
    slices,
    visit,
    visit_all,
    visit_each,
    walk,
    walk_example,
    walked,
)
from rookery.kernel import U64, UNIVERSE, Word, kernel, popcount
from rookery.positions.threads import check_threads
from rookery.rules.compiled import default_technique
from rookery.rules.generate import Count, List, generate
from rookery.rules.position import Position, make
from rookery.tasks.interface import Executor
from rookery.technique import Technique
from rookery.techniques import technique as technique_of

STEP: Final = 150  # positions whose children are counted between two looks for Ctrl-C: less than a tenth of a second
_LOOKS: Final = 0.05  # seconds between two looks at what threads have counted
_SAVES: Final = 2.0  # seconds between two checkpoints
_MOST_MEGABYTES: Final = 1 << 20

_WHITE_ROOKS, _BLACK_ROOKS = 0x81, 0x81 << 56
_E1, _E8 = 1 << 4, 1 << 60


@kernel
def _fits(p: Position) -> Word:
    """Check whether units may be counted in lanes: single kings, and castling as in classical chess."""
    white = p.them if p.turn else p.us
    classical = (_WHITE_ROOKS if p.kings & white & _E1 else 0) | (_BLACK_ROOKS if p.kings & ~white & _E8 else 0)
    single = (popcount(p.kings & p.us) <= 1) & (popcount(p.kings & p.them) <= 1)
    return single & (p.castling & ~classical == 0)


@kernel
def _three_plies(p: Position, w: Workspace, t: Any) -> Word:
    if _fits(p):
        return count_unit(p, w, t)
    total = 0
    for i in range(generate(p, t, List(w.moves), UNIVERSE, UNIVERSE)):
        q = make(p, U64(w.moves[i]), t)
        for j in range(generate(q, t, List(w.specials), UNIVERSE, UNIVERSE)):
            total += generate(make(q, U64(w.specials[j]), t), t, Count(), UNIVERSE, UNIVERSE)
    return total


class Units(NamedTuple):
    """The visitor that counts three plies below each child.

    It stores positions three or more plies from the leaves in a table, unless the table is empty. One visitor serves
    both cases, because a unit takes half a minute to compile.
    """

    workspace: Workspace
    table: Any


walk.declare(lambda: walk_example(Units(workspace(), table(0))))


@recall.register(Units)
def _recall(visitor: Units, p: Position, depth: Word, t: Any) -> Word:
    return look_up(visitor.table, p, depth, t) if visitor.table.size else UNKNOWN


@remember.register(Units)
def _remember(visitor: Units, p: Position, depth: Word, leaves: Word, t: Any) -> None:
    if visitor.table.size:
        enter(visitor.table, p, depth, leaves, t)


@visit.register(Units)
def _visit(visitor: Units, p: Position, move: Word, t: Any) -> Word:
    child = make(p, move, t)
    leaves = recall(visitor, child, U64(UNIT), t)
    if leaves == UNKNOWN:
        leaves = _three_plies(child, visitor.workspace, t)
        remember(visitor, child, U64(UNIT), leaves, t)
    return leaves


visit_all.register(Units)(visit_each)


def on_lanes(board: Board, depth: int) -> Iterator[int]:
    """Count like `perft`, in one thread, but yield the leaves in portions less than a tenth of a second apart."""
    yield from _portions(board, depth, Units(workspace(), table(0)))


def _portions(board: Board, depth: int, visitor: Units) -> Iterator[int]:
    if depth <= UNIT:
        yield from slices(board, depth)
    else:
        yield from walked(board.words(), depth, depth - UNIT - 1, visitor, default_technique(), STEP)


def perft(
    board_or_fen: Board | str,
    depth: int,
    *,
    technique: str | Technique | None = None,
    threads: int = 1,
    hash_mb: int = 0,
    executor: Executor | str | None = None,
) -> int:
    """Return the number of leaves of the tree of legal moves `depth` plies deep.

    The position is a `Board`, a FEN (Chess960 is recognised) or a name: ``start``, ``kiwipete``, ``position3`` to
    ``position6``. The last plies are counted many positions at once, in `threads` threads. A hash table of `hash_mb`
    megabytes stores positions that occur again; it changes only the time. With `technique` the scalar generator counts,
    in one thread and without a table, and uses the technique for the attacks of sliders.

    With `executor`, anything with the interface of ``concurrent.futures.Executor`` or a text such as ``processes:8``
    (see `rookery.tasks.open_executor`), its workers count parts of the tree, each with a hash table of its own.

    >>> perft("start", 4)
    197281
    >>> perft("kiwipete", 3, technique="kogge-stone")
    97862
    >>> perft("kiwipete", 4, threads=2, hash_mb=1)
    4085603
    """
    board, depth = as_board(board_or_fen), check_depth(depth)
    check_threads(threads)
    check_megabytes(hash_mb)
    if technique is not None:
        if threads != 1 or hash_mb or executor is not None:
            raise ValueError(
                f"technique: {shown(technique)} selects the scalar generator, which has one thread and no hash table: "
                f"leave threads, hash_mb and executor out"
            )
        return sum(slices(board, depth, technique_of(technique)))
    if threads == 1 and not hash_mb and executor is None:
        return sum(on_lanes(board, depth))
    nodes = 0
    for progress in counting(board, depth, threads=threads, hash_mb=hash_mb, executor=executor):
        nodes = progress.nodes
    return nodes


def check_megabytes(megabytes: Any) -> int:
    """Return a valid size of a hash table; raise ValueError for others."""
    if not isinstance(megabytes, int) or isinstance(megabytes, bool) or not 0 <= megabytes <= _MOST_MEGABYTES:
        raise ValueError(f"hash_mb: {shown(megabytes)}: expected an int from 0 to {_MOST_MEGABYTES}")
    return megabytes


class Progress(NamedTuple):
    """The progress of a count."""

    nodes: int  # leaves counted so far, those of a checkpoint included
    fresh: int  # of these counted now
    done: int  # parts
    parts: int


class _Workers:
    """Threads that count parts of a tree. They start at once, and `stop` ends them."""

    def __init__(self, pieces: list[Part], left: list[int], threads: int, memory: Any) -> None:
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
                for portion in _portions(*self._pieces[i], visitor):
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

    def __init__(self, pieces: list[Part], left: list[int], executor: Executor, megabytes: int) -> None:
        from rookery.tasks import run

        each = -(-len(left) // MOST_TASKS) or 1
        fens = [(i, pieces[i].board.fen(shredder=True, en_passant="fen"), pieces[i].depth) for i in left]
        tasks = (CountingTask(tuple(fens[i : i + each]), megabytes) for i in range(0, len(fens), each))
        self._results = run(executor, count_parts, tasks, warm_up=warm_up)
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
    return [(i, sum(_portions(Board(fen), depth, visitor))) for i, fen, depth in task.parts]


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
    return sum(_portions(board, depth, visitor))


def counting(
    board: Board,
    depth: int,
    *,
    threads: int = 1,
    hash_mb: int = 0,
    executor: Executor | str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    tell: Callable[[str], None] = warnings.warn,
) -> Generator[Progress]:
    """Count in threads or on an executor, and yield the progress. The last progress yielded is the whole count.

    `checkpoint` is a file that stores what has been counted, and from which the same count continues. Raises ValueError
    if it is damaged or belongs to another count; it then stays as it is. If it can no longer be written, such as on
    a full disk, `tell` is called once, and the count goes on. Closing the iterator stops the threads.
    """
    pieces = parts(board, depth)
    known = Checkpoint(checkpoint, board, depth, len(pieces)) if checkpoint is not None else None
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

    def progress(unfinished: int) -> Progress:
        nodes = sum(counted.values()) + unfinished
        return Progress(nodes, nodes - before, len(counted), len(pieces))

    with contextlib.ExitStack() as stack:
        workers: _Workers | _Tasks
        if executor is None:
            workers = _Workers(pieces, left, threads_to_start(threads, len(left)), table(hash_mb))
        else:
            from rookery.tasks import open_executor

            workers = _Tasks(pieces, left, stack.enter_context(open_executor(executor)), hash_mb)
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
