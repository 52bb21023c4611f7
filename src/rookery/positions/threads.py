"""Run an entry over columns: whole, or cut into one part a thread."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, Final

import numpy as np

from rookery.arguments import shown, threads_to_start
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
    cuts = spans(n, threads)
    if len(cuts) == 1:
        entry(*operands)
        return
    parts = [tuple(part_of(o, a, b, n) for o in operands) for a, b in cuts]
    for _ in each_in_threads(lambda part: entry(*part), parts, threads):
        pass


def spans(n: int, threads: int, *, least: int = 1024, most: int | None = None) -> list[tuple[int, int]]:
    """Where to cut `n` positions: a span for each thread, as far as each has `least` of them, and more spans if they
    would have more than `most`, but for some up to a multiple of eight.

    >>> spans(10_000, 3), spans(1500, 3), spans(0, 3)
    ([(0, 3328), (3328, 6664), (6664, 10000)], [(0, 1500)], [(0, 0)])
    """
    parts = max(min(check_threads(threads), n // least), -(-n // most) if most else 1, 1)
    return list(pairwise([n * i // parts // 8 * 8 for i in range(parts)] + [n]))


def each_in_threads(
    work: Callable[[Any], Any], parts: Sequence[Any], threads: int, ended: Callable[[], None] = lambda: None
) -> Iterator[Any]:
    """What `work` makes of each part, in order, in so many threads, or here if one does.

    `ended` is called when nobody waits any longer, after Ctrl-C for instance: it may tell the threads to stop.
    """
    if threads == 1 or len(parts) == 1:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(threads_to_start(threads, len(parts))) as pool:
        try:
            for future in [pool.submit(work, part) for part in parts]:
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
