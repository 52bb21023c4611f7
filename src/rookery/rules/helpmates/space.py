"""The arrays in which the search for a helpmate, and the proof that there is none, keep their state."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64
from rookery.rules.constants import MOST_MOVES

# What the first look at a position says, as bits.
WHITE_CANNOT, BLACK_CANNOT, WORTH_A_PROOF = 1, 2, 4

# What `freedom` knows, as words of `Space.facts`. For the pairs, the word of black follows that of white.
STEADY, CLEAR, CAPTURABLE, DOUBTFUL, PROMOTES = 0, 1, 2, 3, 4
GUARDED, GUARDED_BY_BLACK, OFFERED, OFFERED_BY_BLACK, NOT_BY_BISHOPS, NOT_BY_BISHOPS_OF_BLACK = 5, 6, 7, 8, 9, 10
_FACTS: Final = 16

# What the search keeps, as words of `Space.state`.
SIZE, ANSWER, FOUND, DONE, EXPANDED, LEAST, HIGHEST, LEFT, PHASE, GREEDY = range(10)
_STATE: Final = 16

NODE: Final = 6  # words of a position that was seen, see `search`
BUCKETS: Final = 1 << 12  # costs above are all in the last
WINNER: Final = 10  # of a row: 1 if black shall mate


class Space(NamedTuple):
    """Work space, which each thread needs for itself."""

    reach: NDArray[np.uint64]
    facts: NDArray[np.uint64]
    state: NDArray[np.uint64]
    nodes: NDArray[np.uint64]  # (limit, NODE)
    slots: NDArray[np.uint32]  # the hash table: numbers of nodes plus one, 0 where there is none
    heads: NDArray[np.uint32]  # the first node of each bucket, plus one
    moves: NDArray[np.uint16]
    others: NDArray[np.uint16]  # of a position that may be mate


def new_space(limit: int) -> Space:
    """Return work space for a search of at most `limit` positions."""
    slots = 1 << (2 * limit + 1).bit_length()
    return Space(
        np.zeros(64, U64),
        np.zeros(_FACTS, U64),
        np.zeros(_STATE, U64),
        np.empty((limit + 1, NODE), U64),
        np.zeros(slots, np.uint32),
        np.zeros(BUCKETS, np.uint32),
        np.empty(MOST_MOVES, np.uint16),
        np.empty(MOST_MOVES, np.uint16),
    )
