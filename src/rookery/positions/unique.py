"""Which positions are the same: sorted by their Zobrist keys, and compared word by word where keys agree."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, UNIVERSE
from rookery.positions import keys
from rookery.positions.layout import BLACK_TO_MOVE, CHESS960, MARKED, Columns, Words
from rookery.positions.threads import over
from rookery.rules.compiled import default_technique

_ALWAYS: Final = BLACK_TO_MOVE | MARKED


class Groups(NamedTuple):
    """Equal positions, groups in the order of their first members."""

    first: NDArray[np.intp]  # the first member of each
    group: NDArray[np.intp]  # of each position
    size: NDArray[np.intp]  # of each group


def groups_of(columns: Columns, counters: bool, threads: int) -> Groups:
    """Return the groups of equal positions. An en-passant square counts if a capture is legal; with `counters` both
    counters count, too.
    """
    n = columns.state.size
    hashes, targets = np.empty(n, np.uint64), np.empty(n, np.uint64)
    over(keys.keys_and_targets, threads, n, columns, hashes, targets, default_technique().tables())
    state = columns.state & (U64(UNIVERSE ^ CHESS960 if counters else _ALWAYS))
    words = [*columns[:7], targets, state]
    order = _sorted(hashes, words)
    # Where a group begins in this order: nothing but a whole comparison makes two positions one.
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
    """An order in which equal positions are neighbours, the first of them first."""
    order = np.argsort(hashes, kind="stable")
    same_hash = hashes[order[1:]] == hashes[order[:-1]]
    unlike = np.flatnonzero(same_hash & _differs(order, words))
    if unlike.size:
        # Different positions of one hash, about never: those of such hashes are sorted by all their words.
        struck = np.flatnonzero(np.isin(hashes[order], np.unique(hashes[order[unlike]])))
        members = order[struck]
        order[struck] = members[np.lexsort([members, *(word[members] for word in words), hashes[members]])]
    return order


def _differs(order: NDArray[np.intp], words: list[Words]) -> NDArray[np.bool_]:
    """Whether each position differs from the one before it in an order."""
    different = np.zeros(max(order.size - 1, 0), np.bool_)
    for word in words:
        sorted_ = word[order]
        different |= sorted_[1:] != sorted_[:-1]
    return different
