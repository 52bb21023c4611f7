"""Points of view and missing results: how results are written as numbers. `games.positions.scores` has scores."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.positions.layout import BLACK_TO_MOVE, Columns

NO_RESULT: Final = -128


def from_white(c: Columns, values: NDArray[Any]) -> NDArray[Any]:
    """Return values of the side to move from white's side, or the other way round.

    The least value of the dtype stands for a missing one, and stays.
    """
    return np.where((c.state & BLACK_TO_MOVE).astype(np.bool_), -values, values)
