"""The first look at whether sides can mate, over arrays: by material alone, in vectors."""

from typing import Any

import numpy as np

from rookery.kernel import Bits, array_of, entry, kernel
from rookery.positions.kernels.lanes import load, occupied_of
from rookery.positions.layout import empty_columns
from rookery.rules.helpmates.freedom import is_locked
from rookery.rules.helpmates.space import BLACK_CANNOT, WHITE_CANNOT, WORTH_A_PROOF
from rookery.rules.position import cannot_mate


@kernel
def more_than_one(b: Bits) -> Bits:
    """Return nonzero if a board has more than one square."""
    return b & (b - 1)


@entry(examples=lambda: (empty_columns(1), array_of(np.uint8)))
def first_look(c: Any, out: Any) -> None:
    """Write `WHITE_CANNOT` and `BLACK_CANNOT` where the material is too small, and `WORTH_A_PROOF` for locked pawns."""
    for i in range(out.size):
        p = load(c, i)
        black = occupied_of(p) & ~p.white
        # Positions without one king each are left to the search, which refuses them.
        kings = p.kings & p.white
        others = p.kings & black
        single = kings != 0 and others != 0 and not more_than_one(kings) | more_than_one(others)
        # Two bishops of one colour may give a mate that no legal moves led to: the search looks at it.
        bishops = p.diagonals & ~p.orthogonals
        sure = not p.orthogonals or not (more_than_one(bishops & p.white) | more_than_one(bishops & black))
        single = single and sure
        locked = is_locked(p, p.white)
        found = WHITE_CANNOT if single and cannot_mate(p, p.white, black) else 0
        found |= BLACK_CANNOT if single and cannot_mate(p, black, p.white) else 0
        found |= WORTH_A_PROOF if locked else 0
        out[i] = np.uint8(found)
