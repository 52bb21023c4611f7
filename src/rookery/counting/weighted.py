"""Perft without a hash table, but with every position counted once where it occurs again: for the largest depths.

Published totals of depth 11 and more rest on hash tables, whose keys may match by accident. Here the distinct positions
some plies below the root are found first, each with the number of sequences of moves that lead to it
(`rookery.counting.distinct`). Then perft of the rest is counted for each of them once, and multiplied:

    perft(d) = sum over positions p after k plies of sequences(p) * perft(p, d - k)

After seven plies from the start there are 96,400,068 positions for 3,195,901,860 sequences, so a count of the rest is
33 times shorter. Positions are counted in independent tasks, and a journal keeps the sub-totals of each.
"""

import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.board.board import Board
from rookery.counting.distinct import Ply, distinct_positions
from rookery.counting.workers import leaves_of, warm_up
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import results_of
from rookery.tasks.journal import Journal  # its format is that of benchmarks/journals

_LEAVES: Final = 6_000_000_000  # that a task should count: some two to four seconds
_BRANCHES: Final = 30  # moves of an average position
_IN_FLIGHT: Final = 64  # tasks at a time
_MOST_POSITIONS: Final = 20_000  # of a task: 1.4 MB


class WeightedTask(NamedTuple):
    """Positions, as nine columns of words, and the depth to which to count each."""

    columns: tuple[NDArray[np.uint64], ...]
    depth: int


def count_positions(task: WeightedTask) -> NDArray[np.uint64]:
    """Return the number of leaves below each position: uint64, (n,); this runs in the workers of an executor."""
    positions = Positions(Columns(*task.columns))
    return np.fromiter((leaves_of(board, task.depth) for board in positions), np.uint64, len(positions))


def task_size(rest: int) -> int:
    """Return the number of positions of a task, if `rest` plies are counted below each."""
    return max(min(_LEAVES // int(_BRANCHES**rest), _MOST_POSITIONS), 1)


class Subtotals(NamedTuple):
    """The progress of a count: the leaves so far below each move of the root, in the generator's order."""

    by_move: dict[str, int]
    done: int  # tasks
    tasks: int
    positions: int  # the number of distinct positions

    @property
    def nodes(self) -> int:
        """Return the sum of the leaves."""
        return sum(self.by_move.values())


def counting_distinct(
    board: Board,
    depth: int,
    plies: int,
    folder: str | os.PathLike[str],
    *,
    executor: Executor | str = "threads:1",
    threads: int = 1,
    tell: Callable[[str], None] = lambda text: None,
) -> Generator[Subtotals]:
    """Count the leaves `depth` plies below a position by way of its distinct positions after `plies` plies.

    Yields the progress; the last one yielded is the whole count. `folder` keeps the positions and a journal of finished
    tasks, from which the same count goes on, on any executor. `threads` find the distinct positions, and `tell` is
    called with the progress of that. Raises ValueError unless ``1 <= plies <= depth``, and if the folder belongs to
    another position.
    """
    if not 1 <= plies <= depth:
        raise ValueError(f"plies: {plies}: expected 1 to {depth}, the depth")
    ply = distinct_positions(board, plies, folder, threads=threads, tell=tell)
    rest = depth - plies
    size = task_size(rest)
    spans = [(b, start) for b, n in enumerate(ply.sizes) for start in range(0, n, size)]
    work = {
        "count": "perft of distinct positions",
        "fen": board.fen(shredder=True, en_passant="fen"),
        "depth": depth,
        "plies": plies,
        "positions": ply.sizes,
        "positions of a task": size,
    }
    moves = [board.uci(move) for move in board.generate_legal_moves()]
    totals = [0] * len(moves)

    def progress() -> Subtotals:
        return Subtotals(dict(zip(moves, totals, strict=True)), len(journal.results), len(spans), sum(ply.sizes))

    with Journal(Path(folder) / f"perft-{depth}-by-{plies}.journal", work) as journal:
        for subtotals in journal.results.values():
            totals = [a + b for a, b in zip(totals, subtotals, strict=True)]
        left = [i for i in range(len(spans)) if i not in journal.results]
        if left:
            yield progress()
            paths: dict[int, NDArray[np.uint64]] = {}
            tasks = _tasks(ply, spans, left, size, rest, paths)
            for number, leaves in results_of(executor, count_positions, tasks, in_flight=_IN_FLIGHT, warm_up=warm_up):
                subtotals = _products(paths.pop(number), leaves)
                journal.add(left[number], subtotals)
                totals = [a + b for a, b in zip(totals, subtotals, strict=True)]
                yield progress()
        yield progress()


def _tasks(
    ply: Ply,
    spans: list[tuple[int, int]],
    left: list[int],
    size: int,
    depth: int,
    paths: dict[int, NDArray[np.uint64]],
) -> Iterator[WeightedTask]:
    """Yield the tasks that are left, and keep the numbers of sequences to their positions in `paths`."""
    bucket: Any = None
    loaded = -1
    for number, task in enumerate(left):
        which, start = spans[task]
        if which != loaded:
            bucket, loaded = ply.bucket(which), which
        paths[number] = bucket.paths[:, start : start + size].copy()
        columns = tuple(column[start : start + size].copy() for column in bucket.positions.columns)
        yield WeightedTask(columns, depth)


def _products(paths: NDArray[np.uint64], leaves: NDArray[np.uint64]) -> list[int]:
    """Return the sum of sequences times leaves for each row of `paths`, exactly."""
    # The sum of n products is below 2**64 if the largest of each are; else Python's integers take over.
    largest = int(paths.max(initial=0)) * int(leaves.max(initial=0)) * max(leaves.size, 1)
    if largest < 1 << 64:
        return [int(total) for total in (paths * leaves).sum(axis=1)]
    return [sum(map(int.__mul__, row, leaves.tolist())) for row in paths.tolist()]
