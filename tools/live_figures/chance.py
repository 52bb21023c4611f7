"""Random factors: how many numbers have to be tried, and what the factors that are found have in common."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import rookery
from rookery.bitboards.bits import subset_array
from rookery.bitboards.lines import relevant_occupancy
from rookery.kernel import U64

Words = NDArray[np.uint64]
SPARSE: Final = 3  # random numbers that are ANDed
AT_ONCE: Final = 4_000_000  # products


class Square(NamedTuple):
    """A piece on a square: the mask, all relevant occupancies, and their attacks."""

    mask: int
    occupied: Words
    attacks: Words

    @classmethod
    def of(cls, piece: str, square: int) -> "Square":
        """Return a square's relevant occupancies."""
        mask = relevant_occupancy(piece, square)
        occupied: Words = subset_array(mask)
        look: Any = {"rook": rookery.rook_attacks, "bishop": rookery.bishop_attacks}[piece]
        return cls(int(mask), occupied, look(square, occupied))


def random_numbers(rng: np.random.Generator, numbers: int, ands: int = SPARSE) -> Words:
    """Return random 64-bit numbers, each the AND of some."""
    drawn: Words = np.bitwise_and.reduce(rng.integers(0, 2**64, (ands, numbers), dtype=np.uint64))
    return drawn


def magic_among(s: Square, numbers: Words, bits: int) -> Words:
    """Return those of some numbers that are magic for an index of some bits.

    Occupancies of one and two pieces are tried first: they reject nearly all numbers.
    """
    ids = np.unique(s.attacks, return_inverse=True)[1].astype(np.uint64)
    few = np.flatnonzero(np.bitwise_count(s.occupied) <= 2)
    for part in (few[:12], few, np.arange(len(s.occupied))):
        kept = []
        for own in np.array_split(numbers, len(numbers) * len(part) // AT_ONCE + 1):
            keys = np.sort((own[:, None] * s.occupied[part] >> U64(64 - bits)) << U64(12) | ids[part], axis=1)
            after, before = keys[:, 1:], keys[:, :-1]
            clash = (after >> U64(12) == before >> U64(12)) & (after != before)
            kept.append(own[~clash.any(axis=1)])
        numbers = np.concatenate(kept)
    return numbers


def slots_of(s: Square, factor: int, bits: int) -> int:
    """Return how many slots a factor uses."""
    return len(np.unique(s.occupied * U64(factor) >> U64(64 - bits)))


def own_bits(mask: int, factor: int, bits: int) -> tuple[dict[int, int], int]:
    """Return the index bit that each square of a mask has of its own, and what carries from below add at most.

    A bit is a square's own if no other square arrives there, apart from those whose own bits are lower.
    """
    squares, copies = ([bit for bit in range(64) if word >> bit & 1] for word in (mask, factor))
    own: dict[int, int] = {}
    for column in range(64 - bits, 64):
        fresh = [column - copy for copy in copies if column - copy in squares and column - copy not in own]
        if len(fresh) == 1:
            own[fresh[0]] = column
    below = sum(1 << square + copy for square in squares for copy in copies if square + copy < 64 - bits)
    return own, below >> 64 - bits
