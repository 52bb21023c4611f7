"""The answers to whether a side can mate, and the usual limit of a search."""

from typing import Final

# The answers, of a position and the side that shall mate.
UNKNOWN, IMPOSSIBLE, POSSIBLE = 0, 1, 2

LIMIT: Final = 100_000  # positions of a search, unless the caller says how many
