"""What is published of magic factors with one index bit less, and the definition of a factor."""

from rookery.bitboards.lines import relevant_occupancy
from rookery.geometry import attacks

# github niklasf/magics, May 2026; c1 and d1 were open there.
BISHOPS_WITH_ONE_BIT_LESS = [file + rank for rank in "123678" for file in "abgh"]


def separates(piece: str, square: int, magic: int, bits: int) -> bool:
    """Whether a factor gives no index to two attack sets: by a dictionary and the oracle."""
    slots: dict[int, int] = {}
    relevant = int(relevant_occupancy(piece, square))
    subset = 0
    while True:
        index = (subset * magic & 2**64 - 1) >> 64 - bits
        reached = attacks(piece, square, subset)
        if slots.setdefault(index, reached) != reached:
            return False
        subset = (subset - relevant) & relevant
        if not subset:
            return True
