"""Compiled code that counts material."""

from typing import Any

import numpy as np

from rookery.kernel import U64, Bits, Word, array_of, entry, kernel
from rookery.positions.kernels.lanes import load, occupied_of
from rookery.positions.layout import empty_columns
from rookery.positions.queries.material import DIGIT, MOST, SIDE_BITS
from rookery.positions.queries.pieces import PerKind, counts


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
