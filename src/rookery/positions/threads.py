"""Run an entry over columns, whole or in one part for each thread."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from rookery.arguments import check_threads, threads_to_start
from rookery.kernel import Entry
from rookery.positions.layout import ByPiece, Columns

_POLL_SECONDS: Final = 0.1  # time between two checks for Ctrl-C


def over(entry: Entry, threads: int, n: int, *operands: Any, room: Callable[[], Any] | None = None) -> None:
    """Call `entry` on operands of `n` positions, divided among threads.

    `Columns`, `ByPiece` and arrays whose first axis is the positions are cut into parts. Every part gets any other
    operand whole. Entries that need work space get new one for each part, ``room()``, before the operands.
    """
    # One thread, the usual case, saves a third of a call on a few positions.
    cuts = [(0, n)] if type(threads) is int and threads == 1 else spans(n, threads)
    if len(cuts) == 1:
        if room is None:
            entry(*operands)
        else:
            entry(room(), *operands)
        return
    parts = [tuple(part_of(o, a, b, n) for o in operands) for a, b in cuts]
    run = (lambda part: entry(*part)) if room is None else (lambda part: entry(room(), *part))
    for _ in each_in_threads(run, parts, threads):
        pass


def spans(n: int, threads: int, *, least: int = 1024, most: int | None = None) -> list[tuple[int, int]]:
    """Return where to cut `n` positions: (start, stop) of each part.

    Each thread gets one part of at least `least` positions. There are more parts if they would be longer than `most`.
    Parts start at multiples of eight, so their lengths differ slightly.

    >>> spans(10_000, 3)
    [(0, 3328), (3328, 6664), (6664, 10000)]
    >>> spans(1500, 3)
    [(0, 1500)]
    >>> spans(0, 3)
    [(0, 0)]
    """
    if check_threads(threads) == 1 and most is None:
        return [(0, n)]
    parts = max(min(threads, n // least), -(-n // most) if most else 1, 1)
    return list(pairwise([n * i // parts // 8 * 8 for i in range(parts)] + [n]))


def each_in_threads(
    work: Callable[[Any], Any], parts: Sequence[Any], threads: int, abort: Callable[[], None] = lambda: None
) -> Iterator[Any]:
    """Yield the result of `work` for each part, in order.

    The work is done in as many threads, or in this one if one is enough. `abort` is called when the caller stops
    waiting, after Ctrl-C for instance, so that it can stop the threads.
    """
    if threads == 1 or len(parts) == 1:
        yield from map(work, parts)
        return
    from concurrent.futures import ThreadPoolExecutor, wait

    with ThreadPoolExecutor(threads_to_start(threads, len(parts))) as pool:
        try:
            for future in [pool.submit(work, part) for part in parts]:
                # Python notices a signal that arrives just before it begins to wait only after the wait.
                while not future.done():
                    wait([future], timeout=_POLL_SECONDS)
                yield future.result()
        except BaseException:
            abort()
            raise


def part_of(operand: Any, start: int, stop: int, n: int) -> Any:
    """Return positions `start` to `stop` of an operand."""
    if isinstance(operand, Columns | ByPiece):
        return type(operand)(*(array[start:stop] for array in operand))
    if isinstance(operand, np.ndarray) and operand.ndim and operand.shape[0] == n:
        return operand[start:stop]
    return operand
