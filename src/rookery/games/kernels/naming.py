"""Compiled code that finds the deepest position of each game among some positions."""

from typing import Any

import numpy as np

from rookery.games.kernels.replaying import moved
from rookery.kernel import U64, array_of, entry, popcount
from rookery.positions.kernels.lanes import load, occupied_of, position
from rookery.positions.layout import empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.zobrist import key_of


@entry(
    examples=lambda: (
        array_of(np.int64),
        array_of(np.uint16),
        empty_columns(1),
        array_of(np.int32),
        array_of(U64),
        array_of(np.int32),
        0,
        array_of(np.int64),
        default_technique().tables(),
    )
)
def deepest(
    offsets: Any, moves: Any, starts: Any, rows: Any, keys: Any, slots: Any, fewest: Any, out: Any, t: Any
) -> None:
    """Write the index of the last key that a move of each game leads to, or -1.

    Game i begins from row ``rows[i]`` of `starts`. A slot has the index of a key whose lower bits name it or a slot
    before it, or -1 if it is free. No position of a key has less than `fewest` pieces.
    """
    last = U64(slots.size - 1)
    for i in range(rows.size):
        p = load(starts, rows[i])
        out[i] = -1
        for j in range(offsets[i], offsets[i + 1]):
            p, wrong = moved(p, U64(moves[j]), t)
            if wrong or popcount(occupied_of(p)) < fewest:
                break
            key = key_of(position(p, t), t)
            slot = key & last
            while slots[slot] >= 0:
                if keys[slots[slot]] == key:
                    out[i] = slots[slot]
                    break
                slot = (slot + 1) & last
