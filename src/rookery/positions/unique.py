"""Groups of equal positions, found by a hash table of Zobrist keys that compares words where keys agree."""

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, UNIVERSE, entry_of
from rookery.lazy_imports import modules_later
from rookery.positions.layout import BLACK_TO_MOVE, CHESS960, MARKED, Columns
from rookery.positions.threads import over
from rookery.rules.default_tables import default_tables

if TYPE_CHECKING:
    from rookery.positions import keys
else:
    (keys,) = modules_later("rookery.positions", "keys")


group: Final = entry_of("rookery.positions.kernels.unique", "group")


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
    over(keys.keys, threads, n, columns, hashes, targets, default_tables(), room=keys.key_room)
    flags = np.array([UNIVERSE ^ CHESS960 if counters else _FLAGS], U64)
    table = np.zeros(1 << (2 * n).bit_length(), np.uint32 if n < 1 << 32 else np.uint64)
    found = Groups(*(np.zeros(n, np.intp) for _ in Groups._fields))
    count = np.zeros(1, np.intp)
    group(columns, hashes, targets, flags, table, *found, count)
    return found._replace(first=found.first[: count[0]].copy(), size=found.size[: count[0]].copy())
