"""How games have ended, as far as their last position tells: mate, stalemate, material, the clock."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, allocating_entry
from rookery.positions.attacks import SIDES, sided
from rookery.positions.counts import BLOCK, count_block
from rookery.positions.fills import slides
from rookery.positions.layout import CLOCK_SHIFT, COUNTER, MARKED, load, occupied_of, position
from rookery.positions.queries import Checkers, ask
from rookery.positions.rollouts import Termination, is_insufficient

_US: Final = SIDES["us"]
_CHECKERS: Final = Checkers()
_NONE, _CHECKMATE, _STALEMATE, _INSUFFICIENT, _FIFTY, _SEVENTYFIVE = (
    np.uint8(end)
    for end in (
        Termination.NONE,
        Termination.CHECKMATE,
        Termination.STALEMATE,
        Termination.INSUFFICIENT_MATERIAL,
        Termination.FIFTY_MOVES,
        Termination.SEVENTYFIVE_MOVES,
    )
)
_HUNDRED, _HUNDRED_AND_FIFTY = U64(100), U64(150)


class Outcomes(NamedTuple):
    """How the games of positions have ended."""

    outcome: NDArray[np.int8]  # 1 where white has won, -1 where black has, 0 for a draw or no end
    termination: NDArray[np.uint8]  # a `rookery.positions.rollouts.Termination`; `NONE` where the game goes on


@allocating_entry
def terminations(c: Any, claimed: Any, out: Any, t: Any) -> None:
    """How each game has ended; with `claimed`, fifty moves end it, too."""
    numbers = np.empty(BLOCK, np.uint16)
    for start in range(0, out.size, BLOCK):
        size = min(out.size - start, BLOCK)
        count_block(c, U64(start), numbers[:size], t)
        for i in range(size):
            j = U64(start) + U64(i)
            p = load(c, j)
            clock = (p.state >> CLOCK_SHIFT) & COUNTER
            end = _FIFTY if claimed and clock >= _HUNDRED else _NONE
            end = _SEVENTYFIVE if clock >= _HUNDRED_AND_FIFTY else end
            if numbers[i] == 0:
                end = _NONE  # but for what follows: a side without a king, which nothing ends
            end = _INSUFFICIENT if is_insufficient(position(p, t)) else end
            s = sided(p, _US)
            if numbers[i] == 0 and p.kings & s.own:
                end = _CHECKMATE if ask(_CHECKERS, slides(~occupied_of(p)), p, s) else _STALEMATE
            out[j] = _NONE if p.state & MARKED else end
