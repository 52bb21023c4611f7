"""The sizes of what arrays hold about a position, apart from the kernels that fill them."""

from typing import Final

WORDS: Final = 14  # of a position: the ten before its state, and up to four for rotated boards

# No position has more moves, whatever stands on it. A square is reached at most once from each of eight
# directions and once by each of eight knights; on the two back ranks three of the directions may be pawns, each
# becoming one of four. 64 * 16 + 8 * 3 * 3, and two castlings.
MOST_MOVES: Final = 64 * 16 + 8 * 9 + 2

MOST_CAPTURES: Final = 64  # on one square: each empties another one
