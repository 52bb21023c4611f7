"""Zobrist keys of all positions, the same as `Board.key`, hashes of lists of moves, and groups of equal positions."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import NIBBLE_ROWS, U64, UNIVERSE, entry_of
from rookery.positions.layout import BLACK_TO_MOVE, CHESS960, MARKED, Columns, Words
from rookery.positions.threads import over
from rookery.rules.constants import default_tables

keys: Final = entry_of("rookery.positions.kernels.keys", "keys")
polyglot_keys: Final = entry_of("rookery.positions.kernels.keys", "polyglot_keys")
move_hashes: Final = entry_of("rookery.positions.kernels.keys", "move_hashes")
targets: Final = entry_of("rookery.positions.kernels.keys", "targets")
group: Final = entry_of("rookery.positions.kernels.keys", "group")

_FLAGS: Final = BLACK_TO_MOVE | MARKED


def legal_targets(columns: Columns) -> Words:
    """Return the en-passant square of each position, as a board, where a capture is legal."""
    out = np.empty(columns.state.size, U64)
    targets(columns, out, default_tables())
    return out


def key_room() -> Words:
    """Return work space for `keys`: two rows for en passant, five for the nibbles, and one for the hashes."""
    return np.zeros(8 * NIBBLE_ROWS, U64)


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
    hashes, legal = np.empty(n, np.uint64), np.empty(n, np.uint64)
    over(keys, threads, n, columns, hashes, legal, default_tables(), room=key_room)
    flags = np.array([UNIVERSE ^ CHESS960 if counters else _FLAGS], U64)
    table = np.zeros(1 << (2 * n).bit_length(), np.uint32 if n < 1 << 32 else np.uint64)
    found = Groups(*(np.zeros(n, np.intp) for _ in Groups._fields))
    count = np.zeros(1, np.intp)
    group(columns, hashes, legal, flags, table, *found, count)
    return found._replace(first=found.first[: count[0]].copy(), size=found.size[: count[0]].copy())
