"""The order of rows in an epoch: another one in each, across all shards, without reading them at random."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_BLOCK: Final = 64  # rows that are read together: 3 kB
_WINDOW: Final = 1 << 16  # rows that are mixed together, in whole batches


class EpochOrder:
    """The order of the rows of an epoch, computed a window at a time.

    Blocks of rows from all shards come in random order, and the rows of a window of blocks are mixed, so that each
    batch has rows of other blocks in each epoch. The order depends on nothing but the arguments. Windows have `size`
    rows, whole batches, except the last.

    >>> order = EpochOrder(rows=5, batch=2, seed=0, epoch=1)
    >>> sorted(order.window(0).tolist())
    [0, 1, 2, 3, 4]
    """

    def __init__(self, rows: int, batch: int, seed: int, epoch: int) -> None:
        self._key = [seed, epoch]
        blocks = -(-rows // _BLOCK)
        self._firsts = np.random.default_rng(self._key).permutation(blocks) * _BLOCK
        self._ends = np.cumsum(np.minimum(_BLOCK, rows - self._firsts))
        self._count, self.size = rows, batch * max(_WINDOW // batch, 1)

    def window(self, window: int) -> NDArray[np.int64]:
        """Return the rows of a window, from 0 on, in the order of the epoch."""
        start = window * self.size
        stop = min(start + self.size, self._count)
        one, last = np.searchsorted(self._ends, (start, stop - 1), side="right")
        ends = self._ends[one : last + 1]
        lengths = np.diff(ends, prepend=self._ends[one - 1] if one else 0)
        begins = ends - lengths
        places = np.arange(begins[0], ends[-1])
        rows = np.repeat(self._firsts[one : last + 1] - begins, lengths) + places
        rows = rows[start - begins[0] : stop - begins[0]]
        return np.random.default_rng([*self._key, window]).permutation(rows)
