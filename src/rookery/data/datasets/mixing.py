"""The order of rows in an epoch: another one in each, across all shards, without reading them at random."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

BLOCK: Final = 64  # rows that are read together: 3 kB
_WINDOW: Final = 1 << 16  # rows that are mixed together, in whole batches


class EpochOrder:
    """The order of the rows of an epoch, computed a window at a time.

    Blocks of rows from all shards come in random order, and the rows of a window of blocks are mixed, so that each
    batch has rows of other blocks in each epoch. The order depends on nothing but the arguments. Windows have `size`
    rows, whole batches, except the last. All windows of one size are mixed in the same way: their blocks are random.

    >>> order = EpochOrder(rows=5, batch=2, seed=0, epoch=1)
    >>> sorted(order.window(0).tolist())
    [0, 1, 2, 3, 4]
    """

    def __init__(self, rows: int, batch: int, seed: int, epoch: int) -> None:
        self._key = [seed, epoch]
        self._firsts = np.random.default_rng(self._key).permutation(-(-rows // BLOCK)) * BLOCK
        self._count, self.size = rows, batch * max(_WINDOW // batch, 1)
        self._mixes: dict[int, NDArray[np.int64]] = {}
        # The last block of the dataset may have fewer rows: from its end on, places skip what it lacks.
        self._lacking = -rows % BLOCK
        self._end = BLOCK * int(np.argmax(self._firsts)) + BLOCK - self._lacking if rows else 0

    def blocks(self, window: int) -> NDArray[np.int64]:
        """Return the first row of each block from which a window has rows."""
        start, stop = self._bounds(window)
        first, last = self._padded(np.array([start, stop - 1])) // BLOCK
        return self._firsts[first : last + 1]

    def slots(self, window: int) -> NDArray[np.int64]:
        """Return the rows of a window in the order of the epoch: slots in its blocks, which have 64 each."""
        start, stop = self._bounds(window)
        mixed = self._mixed(stop - start)
        shift = int(self._padded(np.array([start]))[0]) % BLOCK  # of the first row in its block
        if start < self._end < stop:
            return mixed + (shift + self._lacking * (mixed >= self._end - start))
        return mixed + shift if shift else mixed

    def window(self, window: int) -> NDArray[np.int64]:
        """Return the rows of a window in the order of the epoch."""
        slots = self.slots(window)
        rows: NDArray[np.int64] = self.blocks(window)[slots // BLOCK] + slots % BLOCK
        return rows

    def _bounds(self, window: int) -> tuple[int, int]:
        return window * self.size, min((window + 1) * self.size, self._count)

    def _padded(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return places among the rows as places among blocks of equal size."""
        return places + self._lacking * (places >= self._end)

    def _mixed(self, rows: int) -> NDArray[np.int64]:
        """Return the random order of the rows of a window: one for all whole windows, since it takes time."""
        if rows not in self._mixes:
            self._mixes[rows] = np.random.default_rng([*self._key, rows]).permutation(rows)
        return self._mixes[rows]
