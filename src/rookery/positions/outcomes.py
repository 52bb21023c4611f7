"""How games have ended, judged by their last positions: mate, stalemate, material, the clock."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import entry_of
from rookery.positions.queries.sizes import BLOCK

mates: Final = entry_of("rookery.positions.kernels.outcomes", "mates")
terminations: Final = entry_of("rookery.positions.kernels.outcomes", "terminations")


class Outcomes(NamedTuple):
    """How the games of positions have ended."""

    outcome: NDArray[np.int8]  # 1 where white has won, -1 where black has, 0 for a draw or no end
    termination: NDArray[np.uint8]  # a `rookery.positions.rollouts.TerminationCode`; `NONE` where the game goes on


def mate_room() -> NDArray[np.uint16]:
    """Return work space for `mates`: the numbers of legal moves."""
    return np.empty(BLOCK, np.uint16)
