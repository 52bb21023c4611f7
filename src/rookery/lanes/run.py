"""Run an entry over columns: whole, or cut into one part a thread."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from rookery.kernel import Entry
from rookery.lanes.columns import Columns


def check_threads(threads: Any) -> int:
    """A number of threads."""
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise ValueError(f"threads: {threads!r}: expected an int of at least 1")
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
    with ThreadPoolExecutor(parts) as pool:
        for _ in pool.map(lambda piece: entry(*piece), pieces):
            pass


def part_of(operand: Any, start: int, stop: int, n: int) -> Any:
    """Positions `start` to `stop` of an operand."""
    if isinstance(operand, Columns):
        return Columns(*(column[start:stop] for column in operand))
    if isinstance(operand, np.ndarray) and operand.ndim and operand.shape[0] == n:
        return operand[start:stop]
    return operand
