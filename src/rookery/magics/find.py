"""Find magic factors by trial and error.

A candidate is tried on every relevant occupancy of the square: each is multiplied, its top bits taken as an index,
and the attacks written there. A slot already taken by other attacks ends the try. Taken by the same attacks it is
a *constructive* collision, and welcome: a square has far fewer attack sets than occupancies, which is why factors
are found within a millisecond. An *injective* factor forbids even these, as if each occupancy were its own set; it
is far rarer, and many squares then need a wider index.

Candidates are numbered: the n-th of a seed is a hash of (seed, n), so that a search can be cut in slices, go on
where it stopped, and be done again.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from rookery.bits import mixed
from rookery.kernel import ONE, U64, UNIVERSE, Word, entry, kernel
from rookery.lines import relevant_occupancy
from rookery.squares import SQUARE_NAMES, check_square
from rookery.techniques._filler import relevant_cases
from rookery.techniques._magics import Factor

SLICE = 20_000  # tries between two looks at the keyboard: at most about 0.2 s

_GOLDEN = U64(0x9E3779B97F4A7C15)


@kernel
def candidate(seed: Word, n: Word) -> Word:
    """The `n`-th candidate: three random words ANDed, since factors with few bits overlap less."""
    x = mixed(seed + _GOLDEN) + n * U64(3) * _GOLDEN
    return mixed(x) & mixed(x + _GOLDEN) & mixed(x + _GOLDEN + _GOLDEN)


@entry
def search(
    occupied: Any, attacks: Any, shift: Any, keep: Any, seed: Any, first: Any, last: Any, taken: Any, epoch: Any
) -> Any:
    """The first candidate in ``[first, last)`` that is magic when cut to the bits of `keep`, or `last`.

    `taken` and `epoch` have a slot an index; a slot counts as free until its epoch is the try's own, which saves
    clearing the table between tries.
    """
    n = first
    while n < last:
        magic = candidate(seed, n) & keep
        mark = n + ONE
        good = True
        for i in range(occupied.size):
            index = (occupied[i] * magic) >> shift
            if epoch[index] != mark:
                epoch[index] = mark
                taken[index] = attacks[i]
            elif taken[index] != attacks[i]:
                good = False
                break
        if good:
            break
        n += ONE
    return n


def check_width(piece: str, square: int, bits: int, injective: bool = False) -> None:
    """Refuse a width for which there are too few slots, or too many to search."""
    if not 1 <= bits <= 24:
        raise ValueError(f"bits: {bits}: expected 1 to 24")
    occupied, attacks = relevant_cases(piece, square)
    sets = len(occupied) if injective else len(np.unique(attacks))
    if sets > 1 << bits:
        raise ValueError(f"bits: {bits} bits have {1 << bits} slots; {piece} {SQUARE_NAMES[square]} needs {sets}")


def find(
    piece: str,
    square: int,
    *,
    seed: int = 0,
    bits: int | None = None,
    injective: bool = False,
    limit: int = 1_000_000,
    progress: Callable[[int], None] = lambda tries: None,
) -> Factor | None:
    """A magic factor for a rook or bishop, or None after `limit` tries.

    `bits` is the index width (the natural one, as many as the relevant occupancy has). `progress` is called with
    the number of tries every few milliseconds to tenths of a second.

    >>> factor = find("bishop", 27)
    >>> factor.bits, is_magic(factor)
    (9, True)
    """
    if piece not in ("rook", "bishop"):
        raise ValueError(f"piece: {piece!r}: expected 'rook' or 'bishop'")
    natural = len(relevant_occupancy(piece, check_square(square)))
    width = natural if bits is None else bits
    check_width(piece, square, width, injective)
    occupied, attacks = relevant_cases(piece, square)
    marks = occupied if injective else attacks
    taken, epoch = np.zeros(1 << width, U64), np.zeros(1 << width, U64)
    tries = 0
    while tries < limit:
        last = min(tries + SLICE, limit)
        n = int(search(occupied, marks, U64(64 - width), UNIVERSE, U64(seed), U64(tries), U64(last), taken, epoch))
        if n < last:
            magic = int(candidate(seed, n))
            return Factor(piece, SQUARE_NAMES[square], magic, width, seed, n + 1)
        tries = last
        progress(tries)
    return None


def find_widening(piece: str, square: int, *, limit: int = 1_000_000, **options: Any) -> Factor:
    """The narrowest factor found with `limit` tries at each width, from the natural one up."""
    width = len(relevant_occupancy(piece, square))
    while True:
        factor = find(piece, square, bits=width, limit=limit, **options)
        if factor:
            return factor
        width += 1


def is_magic(factor: Factor, injective: bool = False) -> bool:
    """Whether a factor separates all relevant occupancies whose attacks differ (or, injective, all of them)."""
    occupied, attacks = relevant_cases(factor.piece, SQUARE_NAMES.index(factor.square))
    index = (occupied * U64(factor.magic)) >> U64(64 - factor.bits)
    marks = occupied if injective else attacks
    # Sorted by index, neighbours with the same index must have the same mark.
    order = np.lexsort((marks, index))
    same_slot = index[order][1:] == index[order][:-1]
    return not np.any(same_slot & (marks[order][1:] != marks[order][:-1]))


def all_squares() -> Iterator[tuple[str, int]]:
    """The 128 cases: rooks a1 to h8, then bishops."""
    return ((piece, square) for piece in ("rook", "bishop") for square in range(64))


class Count(NamedTuple):
    """How many relevant occupancies a piece has on a square, and how many attack sets they lead to."""

    piece: str
    square: int
    occupancies: int
    sets: int


def counts() -> list[Count]:
    """The counts of all 128 cases."""
    return [
        Count(piece, square, len(relevant_cases(piece, square)[0]), len(np.unique(relevant_cases(piece, square)[1])))
        for piece, square in all_squares()
    ]
