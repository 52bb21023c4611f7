"""Compiled code for the exchanges that moves begin."""

from typing import Any

import numpy as np

from rookery.kernel import U64, array_of, entry
from rookery.positions.kernels.lanes import load, position
from rookery.positions.layout import empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.exchange import legal_exchange
from rookery.rules.exchange_search import Space, new_space


@entry(
    examples=lambda: (
        new_space(),
        empty_columns(1),
        array_of(np.uint16),
        array_of(np.int32),
        default_technique().tables(),
    )
)
def exchange_all(space: Space, c: Any, moves: Any, out: Any, t: Any) -> None:
    """Write the static exchange evaluation of a legal move of each position."""
    for i in range(moves.size):
        out[i] = np.int32(legal_exchange(position(load(c, i), t), U64(moves[i]), space, t))
