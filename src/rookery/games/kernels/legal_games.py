"""Compiled code that looks for illegal moves of games."""

from typing import Any

import numpy as np

from rookery.kernel import U64, array_of, entry
from rookery.positions.kernels.lanes import load, position
from rookery.positions.layout import empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.legality import is_legal
from rookery.rules.position import make, passed


@entry(
    examples=lambda: (
        array_of(np.int64),
        array_of(np.uint16),
        empty_columns(1),
        array_of(np.int32),
        0,
        0,
        default_technique().tables(),
    )
)
def first_illegal(offsets: Any, moves: Any, starts: Any, rows: Any, i: Any, stop: Any, t: Any) -> Any:
    """Return the index among all moves of the first move of games `i` to `stop` that is not legal, or -1.

    Game i begins from row ``rows[i]`` of `starts`.
    """
    while i < stop:
        p = position(load(starts, rows[i]), t)
        for j in range(offsets[i], offsets[i + 1]):
            move = U64(moves[j])
            if not is_legal(p, move, t):
                return j
            p = make(p, move, t) if move else passed(p)
        i += 1
    return np.int64(-1)
