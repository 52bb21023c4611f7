"""Zobrist keys of all positions, the same as `Board.key`, and hashes of lists of moves."""

from typing import Final

import numpy as np

from rookery.kernel import NIBBLE_ROWS, U64, entry_of
from rookery.positions.layout import Columns, Words
from rookery.rules.default_tables import default_tables

keys: Final = entry_of("rookery.positions.kernels.keys", "keys")
move_hashes: Final = entry_of("rookery.positions.kernels.keys", "move_hashes")
targets: Final = entry_of("rookery.positions.kernels.keys", "targets")


def legal_targets(columns: Columns) -> Words:
    """Return the en-passant square of each position, as a board, where a capture is legal."""
    out = np.empty(columns.state.size, U64)
    targets(columns, out, default_tables())
    return out


def key_room() -> Words:
    """Return work space for `keys`: two rows for en passant, five for the nibbles, and one for the hashes."""
    return np.zeros(8 * NIBBLE_ROWS, U64)
