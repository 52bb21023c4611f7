"""Hanging pieces: those that lose at least a pawn in a static exchange.

Set algebra decides most cases (`rookery.positions.motifs.tactics`). A piece hangs if it is attacked and undefended, or
attacked by a less valuable piece; it does not if a single attacker is worth as much or more. The swap algorithm of
`rookery.rules.exchange` judges the others, one by one: pieces attacked twice, or with sliders behind other pieces.
"""

from typing import Any

import numpy as np

from rookery.bitboards.bits import bit, reset_ls1b
from rookery.kernel import U64, Bits, allocating_entry, trailing_zeros
from rookery.positions.layout import load, position
from rookery.rules.exchange import MOST_CAPTURES, PIECE_VALUES, won_from

_A_PAWN = np.int64(PIECE_VALUES[0])  # less is no loss: a knight that takes a defended bishop gains ten centipawns


@allocating_entry
def add_hanging(c: Any, doubtful: Any, boards: Any, t: Any) -> None:
    """Add to each board those of the doubtful pieces that lose at least a pawn in an exchange."""
    gains = np.empty(MOST_CAPTURES, np.int64)
    for k in range(boards.size):
        i = U64(k)
        left: Bits = doubtful[i]
        if left:
            p = position(load(c, i), t)
            hanging = U64(0)
            while left:
                square = trailing_zeros(left)
                if won_from(p, square, gains, t) >= _A_PAWN:
                    hanging |= bit(square)
                left = reset_ls1b(left)
            boards[i] |= hanging
