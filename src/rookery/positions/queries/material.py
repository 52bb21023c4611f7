"""Material in one word: how many pieces of each kind and colour a position has.

A word has five bits for each number, in the order of `rookery.Placement`: white pawns are the lowest bits, then white
knights, bishops, rooks, queens and kings, and black's. More than 31 pieces of a kind count as 31.
"""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, Bits, Word, array_of, entry, kernel
from rookery.positions.layout import empty_columns, load, occupied_of
from rookery.positions.queries.pieces import PerKind, counts

DIGIT: Final = 5  # bits for a number of pieces
MOST: Final = (1 << DIGIT) - 1
KINDS: Final = 6
SIDE_BITS: Final = KINDS * DIGIT


@kernel
def _digits(n: PerKind) -> Word:
    """Return the numbers of a side's pieces as a word."""
    word: Word = min(n.kings, U64(MOST))
    word = (word << DIGIT) | min(n.queens, U64(MOST))
    word = (word << DIGIT) | min(n.rooks, U64(MOST))
    word = (word << DIGIT) | min(n.bishops, U64(MOST))
    word = (word << DIGIT) | min(n.knights, U64(MOST))
    return (word << DIGIT) | min(n.pawns, U64(MOST))


@entry(examples=lambda: (empty_columns(1), array_of(U64)))
def words(c: Any, out: Any) -> None:
    """Write the material of each position."""
    for i in range(out.size):
        p = load(c, i)
        white: Bits = p.white
        out[i] = _digits(counts(p, white)) | (_digits(counts(p, occupied_of(p) & ~white)) << SIDE_BITS)


@entry(examples=lambda: (array_of(U64), array_of(U64), array_of(np.int64)))
def weigh(material: Any, weights: Any, out: Any) -> None:
    """Write the sum of the numbers of pieces, each times its weight: 12 weights, which may be negative words."""
    for k in range(out.size):
        i = U64(k)
        m = material[i]
        total: Word = 0
        for kind in range(12):
            total += ((m >> (DIGIT * U64(kind))) & MOST) * weights[U64(kind)]
        out[i] = np.int64(total)


def swapped(material: Any) -> Any:
    """Return material with the colours exchanged: an array of words."""
    low = U64((1 << SIDE_BITS) - 1)
    return (material >> U64(SIDE_BITS)) | ((material & low) << U64(SIDE_BITS))
