"""Material in one word: how many pieces of each kind and colour a position has.

A word has five bits for each number, in the order of `rookery.Placement`: white pawns are the lowest bits, then white
knights, bishops, rooks, queens and kings, and black's. More than 31 pieces of a kind count as 31.
"""

from typing import Any, Final

from rookery.kernel import U64, entry_of

weigh: Final = entry_of("rookery.positions.queries.material_kernels", "weigh")
words: Final = entry_of("rookery.positions.queries.material_kernels", "words")


DIGIT: Final = 5  # bits for a number of pieces
MOST: Final = (1 << DIGIT) - 1
KINDS: Final = 6
SIDE_BITS: Final = KINDS * DIGIT


def swapped(material: Any) -> Any:
    """Return material with the colours exchanged: an array of words."""
    low = U64((1 << SIDE_BITS) - 1)
    return (material >> U64(SIDE_BITS)) | ((material & low) << U64(SIDE_BITS))
