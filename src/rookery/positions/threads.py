"""Run an entry over columns: whole, or cut into one part a thread."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, Final

import numpy as np

from rookery.arguments import shown
from rookery.kernel import Entry
from rookery.positions.layout import Columns

_LOOKS: Final = 0.1  # seconds between two looks for Ctrl-C


def check_threads(threads: Any) -> int:
    """A number of threads."""
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise ValueError(f"threads: {shown(threads)}: expected an int of at least 1")
    return threads


def over(entry: Entry, threads: int, n: int, *operands: Any) -> None:
    """Call `entry` on operands of `n` positions: `Columns`, arrays whose first axis is the positions, or anything else,
    which every part is given whole.
    """
    parts = min(check_threads(threads), max(n // 1024, 1))
    if parts == 1:
        entry(*operands)
        return
    edges = [n * i // parts // 8 * 8 for i in range(parts)] + [n]
    pieces = [tuple(part_of(o, a, b, n) for o in operands) for a, b in pairwise(edges)]
    for _ in each_in_threads(lambda piece: entry(*piece), pieces, parts):
        pass


def pieces_of(n: int, threads: int, most: int) -> list[tuple[int, int]]:
    """`n` elements in pieces of at most `most`, enough of them for all threads unless they would be tiny."""
    parts = max(min(check_threads(threads), n // 1024), -(-n // most), 1)
    return list(pairwise(n * i // parts for i in range(parts + 1)))


def each_in_threads(
    work: Callable[[Any], Any], pieces: Sequence[Any], threads: int, ended: Callable[[], None] = lambda: None
) -> Iterator[Any]:
    """What `work` makes of each piece, in order, in so many threads, or here if one does.

    `ended` is called when nobody waits any longer, after Ctrl-C for instance: it may tell the threads to stop.
    """
    if threads == 1 or len(pieces) == 1:
        yield from map(work, pieces)
        return
    with ThreadPoolExecutor(min(threads, len(pieces))) as pool:
        try:
            for future in [pool.submit(work, piece) for piece in pieces]:
                # A signal that comes just before Python begins to wait is not seen until the wait is over.
                while not future.done():
                    wait([future], timeout=_LOOKS)
                yield future.result()
        except BaseException:
            ended()
            raise


def part_of(operand: Any, start: int, stop: int, n: int) -> Any:
    """Positions `start` to `stop` of an operand."""
    if isinstance(operand, Columns):
        return Columns(*(column[start:stop] for column in operand))
    if isinstance(operand, np.ndarray) and operand.ndim and operand.shape[0] == n:
        return operand[start:stop]
    return operand
