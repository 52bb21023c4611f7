"""Compiled code for mates by name."""

from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import isolate_ls1b
from rookery.kernel import U64, array_of, entry
from rookery.positions.kernels.from_side import from_side
from rookery.positions.kernels.lanes import black_mask, load, position, turned
from rookery.positions.layout import empty_columns
from rookery.positions.motifs.further_mates import further_mates
from rookery.positions.motifs.mates import MATES, fitting_mates
from rookery.rules.compiled import default_technique
from rookery.rules.generate import checkers_of

_LICHESS: Final = len(MATES)


@entry(examples=lambda: (empty_columns(1), array_of(np.bool_), array_of(U64), default_technique().tables()))
def write_mates(c: Any, mates: Any, out: Any, t: Any) -> None:
    """Write the names that fit each position where `mates` is True: a bit for each name, whichever checker mates."""
    for i in range(out.size):
        found = U64(0)
        if mates[i]:
            here = load(c, i)
            black = ~black_mask(here)  # the side that is not to move mates
            p = from_side(c, i, black, t)
            checkers = turned(checkers_of(position(here, t), t), black)
            left = checkers
            while left:
                piece = isolate_ls1b(left)
                left ^= piece
                found |= fitting_mates(p, piece, checkers, black, t) | (further_mates(p, piece, t) << _LICHESS)
        out[i] = found
