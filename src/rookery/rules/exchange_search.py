"""The value of an exchange by trying the orders of legal captures: negamax with alpha-beta, without recursion.

    near       the pieces that capture on the square, or would if the lines to it were open
    occupied   all pieces that have not captured there
    exposed    the value of the piece now on the square, which the next capture takes
    bound      the pieces whose capture changes what others may do

Of the pieces that are not bound, a side uses the least valuable first: with another one in its place it wins no more.
So there are few orders. On 400,000 boards crowded with queens of both colours the slowest search took 14 ms.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, kernel
from rookery.rules.constants import MOST_CAPTURES

_ROWS: Final = MOST_CAPTURES + 1
SPACE_BYTES: Final = 8 * 7 * _ROWS  # of the arrays of a `Space`


class Space(NamedTuple):
    """Work space: what the swap algorithm or the search keeps of each capture."""

    gains: NDArray[np.int64]
    boards: NDArray[np.uint64]  # rows of `_OCCUPIED` and `_LEFT`
    scores: NDArray[np.int64]  # rows of `_EXPOSED`, `_BEST`, `_ENOUGH` and `_GAIN`


def new_space() -> Space:
    """Return new work space: each thread needs its own."""
    return space_in(np.empty(SPACE_BYTES, np.uint8))


@kernel
def space_in(memory: Any) -> Space:
    """Return work space in an array of `SPACE_BYTES` bytes."""
    words, numbers = memory.view(U64), memory.view(np.int64)
    boards = words[_ROWS : 3 * _ROWS].reshape((_ROWS, 2))
    return Space(numbers[:_ROWS], boards, numbers[3 * _ROWS :].reshape((_ROWS, 4)))
