"""The part of `Games` that compares games with each other."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import mixed
from rookery.games.array import GameArray
from rookery.kernel import U64


class ComparisonMethods(GameArray):
    """Comparison of games with each other."""

    __slots__ = ()

    def unique(self) -> Self:
        r"""Return the different games, in the order in which they first occur.

        Games are the same if they have the same moves from the same start position, whatever their headers say. Moves
        are compared one by one, not only by their hash.

        >>> games = read_pgn(b"1. e4 e5 *\n\n1. d4 *\n\n1. e4 e5 1-0")
        >>> games.unique().numbers.tolist()
        [1, 2]
        """
        return self[np.sort(self._first_of_each())]

    def _first_of_each(self) -> NDArray[np.int64]:
        """Return the index of the first of each group of games that are the same."""
        starts = self._start_groups()
        hashes = self.moves.hash() ^ mixed(starts.astype(U64))
        _, first, group, sizes = np.unique(hashes, return_index=True, return_inverse=True, return_counts=True)
        repeated = np.flatnonzero(sizes[group] > 1)
        repeated = repeated[repeated != first[group[repeated]]]
        doubtful = repeated[self._differ(repeated, first[group[repeated]], starts)]
        # Different games with one hash: each is compared with the games of its hash found so far.
        found: dict[int, list[int]] = {}
        for i in doubtful.tolist():
            others = found.setdefault(int(group[i]), [])
            if not any(starts[i] == starts[k] and np.array_equal(self.moves[i], self.moves[k]) for k in others):
                others.append(i)
        return np.concatenate([first, np.array([i for others in found.values() for i in others], np.int64)])

    def _differ(self, a: NDArray[np.int64], b: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return where game ``a[i]`` has another start or other moves than game ``b[i]``."""
        plies = self.plies
        differ: NDArray[np.bool_] = (starts[a] != starts[b]) | (plies[a] != plies[b])
        rest = np.flatnonzero(~differ)
        ours, theirs = self.moves[a[rest]], self.moves[b[rest]]
        before = np.concatenate([[0], np.cumsum(ours.moves != theirs.moves)])
        differ[rest] = before[ours.offsets[1:]] != before[ours.offsets[:-1]]
        return differ

    def _start_groups(self) -> NDArray[np.int64]:
        """Return a number for each game, the same for games from the same position."""
        places = self.columns.starts.places
        if not (places >= 0).any():
            return np.zeros(len(self), np.int64)
        _, groups = self.columns.starts.positions().unique(return_inverse=True, counters=True)
        return groups
