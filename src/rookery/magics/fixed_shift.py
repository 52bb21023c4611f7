"""Find magic factors for a fixed shift: 12 index bits for every rook square, 9 for every bishop square.

A square with a smaller relevant occupancy could spread over all the slots of the wider index, and no other would fit
between them. So a candidate keeps only those bits that no relevant square shifts into the spare top bits of the
product: the indices stay as narrow as the occupancy, but for carries. (Volker Annuss's factors, 2010 and 2017, look
like that: few bits, in the middle of the word.)
"""

from typing import Final

import numpy as np

from rookery.kernel import U64
from rookery.lines import relevant_occupancy
from rookery.magics.find import SLICE, candidate, search
from rookery.squares import SQUARE_NAMES, check_square
from rookery.techniques._filler import relevant_cases
from rookery.techniques._magics import Factor

BITS: Final = {"rook": 12, "bishop": 9}


def kept_bits(piece: str, square: int, width: int) -> int:
    """The bits of a factor that no relevant square shifts above the lowest `width` bits of the index.

    >>> hex(kept_bits("bishop", 0, 6))
    '0xff8fc7e3f1f8fc7f'
    """
    spare = range(64 - BITS[piece] + width, 64)
    return sum(1 << bit for bit in range(64) if not any(bit + s in spare for s in relevant_occupancy(piece, square)))


def find_fixed_shift(piece: str, square: int, *, seed: int = 0, limit: int = 1_000_000) -> Factor | None:
    """A factor for a rook or bishop under its fixed shift, with indices as narrow as `limit` tries a width can have
    them, or None.

    >>> find_fixed_shift("bishop", 27).bits
    9
    """
    if piece not in BITS:
        raise ValueError(f"piece: {piece!r}: expected 'rook' or 'bishop'")
    bits, occupied_squares = BITS[piece], relevant_occupancy(piece, check_square(square))
    occupied, attacks = relevant_cases(piece, square)
    taken, epoch = np.zeros(1 << bits, U64), np.zeros(1 << bits, U64)
    for width in range(len(occupied_squares), bits + 1):
        keep = kept_bits(piece, square, width)
        epoch[:] = 0
        for first in range(0, limit, SLICE):
            last = min(first + SLICE, limit)
            words = (U64(64 - bits), U64(keep), U64(seed), U64(first), U64(last))
            n = int(search(occupied, attacks, *words, taken, epoch))
            if n < last:
                return Factor(piece, SQUARE_NAMES[square], int(candidate(seed, n)) & keep, bits, seed, n + 1)
    return None
