"""Groups of equal positions, found by sorting Zobrist keys and comparing words where keys agree."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, UNIVERSE
from rookery.positions import keys
from rookery.positions.layout import BLACK_TO_MOVE, CHESS960, MARKED, Columns, Words
from rookery.positions.threads import over
from rookery.rules.compiled import default_technique

_FLAGS: Final = BLACK_TO_MOVE | MARKED


class Groups(NamedTuple):
    """Groups of equal positions, in the order of their first members."""

    first: NDArray[np.intp]  # index of the first member of each group
    group: NDArray[np.intp]  # number of the group of each position
    size: NDArray[np.intp]  # number of members of each group


def groups_of(columns: Columns, counters: bool, threads: int) -> Groups:
    """Return the groups of equal positions.

    An en-passant square counts if a capture is legal; with `counters` both counters count, too.
    """
    n = columns.state.size
    hashes, targets = np.empty(n, np.uint64), np.empty(n, np.uint64)
    over(keys.keys_and_targets, threads, n, columns, hashes, targets, default_technique().tables())
    state = columns.state & (U64(UNIVERSE ^ CHESS960 if counters else _FLAGS))
    words = [*columns[:7], targets, state]
    order = _sorted(hashes, words)
    # Keys may collide, so a group begins wherever any word differs.
    begins = np.ones(n, np.bool_)
    if n:
        begins[1:] = _differs(order, [hashes, *words])
    starts = np.flatnonzero(begins)
    first = order[starts]
    by_first = np.argsort(first)
    rank = np.empty(starts.size, np.intp)
    rank[by_first] = np.arange(starts.size)
    group = np.empty(n, np.intp)
    group[order] = rank[np.cumsum(begins) - 1]
    return Groups(first[by_first], group, np.diff(np.append(starts, n))[by_first])


def _sorted(hashes: Words, words: list[Words]) -> NDArray[np.intp]:
    """Return an order in which equal positions are neighbours, the first of them first."""
    order = np.argsort(hashes, kind="stable")
    same_hash = hashes[order[1:]] == hashes[order[:-1]]
    collisions = np.flatnonzero(same_hash & _differs(order, words))
    if collisions.size:
        # Positions with colliding hashes, which are very rare, are sorted by all their words.
        collided = np.flatnonzero(np.isin(hashes[order], np.unique(hashes[order[collisions]])))
        members = order[collided]
        order[collided] = members[np.lexsort([members, *(word[members] for word in words), hashes[members]])]
    return order


def _differs(order: NDArray[np.intp], words: list[Words]) -> NDArray[np.bool_]:
    """Return True for each position that differs from its predecessor in an order."""
    different = np.zeros(max(order.size - 1, 0), np.bool_)
    for word in words:
        sorted_ = word[order]
        different |= sorted_[1:] != sorted_[:-1]
    return different
