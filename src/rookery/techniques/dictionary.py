"""Dictionaries: the masked line is the key, and a hash table holds its attacks.

    key      the occupancy of the line, without the slider: the whole word, neither shifted nor gathered
    slot     the top bits of ``key * 0x9E3779B97F4A7C15``; then the next slot, until the key is found
    keys     the keys of each line of each square; an empty slot holds all ones, which no line does
    attacks  the attacks, in the same slots

In Python the technique is one line, ``attacks[square][occupied & mask]``, and python-chess uses it. Compiled code has
no dictionary. Here, a hash table with open addressing takes its place, with at least twice as many slots as keys. A
bishop on d4, with b2 and g7 occupied on its diagonal:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 27, Bitboard.of("b2", "d4", "g7", "h8", "d7"), tables()
>>> mask = Bitboard(diagonal_mask(sq) ^ bit(sq))
>>> key = occupied & mask
>>> side_by_side({"mask": mask, "key": key, "attacks": look_up(sq << 2 | 2, key, t)})
mask              key               attacks
. . . . . . . 1   . . . . . . . 1   . . . . . . . .
. . . . . . 1 .   . . . . . . 1 .   . . . . . . 1 .
. . . . . 1 . .   . . . . . . . .   . . . . . 1 . .
. . . . 1 . . .   . . . . . . . .   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .
. . 1 . . . . .   . . . . . . . .   . . 1 . . . . .
. 1 . . . . . .   . 1 . . . . . .   . 1 . . . . . .
1 . . . . . . .   . . . . . . . .   . . . . . . . .
>>> len(t.keys)
43016

Sam Tannous, ICGA Journal, 2007.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import (
    SPLITMIX_STEP,
    antidiagonal_mask,
    bit,
    diagonal_mask,
    file_mask,
    rank_mask,
    subset_array,
)
from rookery.bitboards.lines import LINES, line_through
from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.techniques._filler import directions_of, walk
from rookery.techniques.base import Card, Kernels, Needs, Technique, Variant

Boards = NDArray[np.uint64]

EMPTY = (1 << 64) - 1


class Dictionaries(NamedTuple):
    """One hash table for each line of each square, one after the other."""

    keys: Boards
    attacks: Boards
    starts: Boards  # (256,): where the table of a line of a square begins, and beyond it
    shifts: Boards  # (256,): 64 minus the number of the bits of a slot


@kernel
def look_up(which: Word, key: Bits, t: Dictionaries) -> Bits:
    """Return the attacks of a masked line; `which` is four times the square plus the number of the line."""
    start: Word = t.starts[which]  # where the table of this line of this square begins
    shift: Word = t.shifts[which]  # how far the product is shifted: its top bits number the slots
    last: Word = (1 << (64 - shift)) - 1  # the last slot of the table
    slot: Word = (key * SPLITMIX_STEP) >> shift  # the top bits of the product
    while t.keys[start + slot] != key:
        slot = (slot + 1) & last  # another key was there first
    return t.attacks[start + slot]


@kernel
def rank(sq: Square, occupied: Bits, t: Dictionaries) -> Bits:
    """Look up the rank."""
    return look_up(sq << 2, occupied & (rank_mask(sq) ^ bit(sq)), t)


@kernel
def file(sq: Square, occupied: Bits, t: Dictionaries) -> Bits:
    """Look up the file."""
    return look_up((sq << 2) | 1, occupied & (file_mask(sq) ^ bit(sq)), t)


@kernel
def diagonal(sq: Square, occupied: Bits, t: Dictionaries) -> Bits:
    """Look up the diagonal."""
    return look_up((sq << 2) | 2, occupied & (diagonal_mask(sq) ^ bit(sq)), t)


@kernel
def antidiagonal(sq: Square, occupied: Bits, t: Dictionaries) -> Bits:
    """Look up the anti-diagonal."""
    return look_up((sq << 2) | 3, occupied & (antidiagonal_mask(sq) ^ bit(sq)), t)


def hashed(keys: Boards, values: Boards) -> tuple[Boards, Boards, int]:
    """Return a hash table of at least twice as many slots as keys: its keys, its values, and the shift of its slots."""
    bits = len(keys).bit_length()
    table_keys, table_values = np.full(1 << bits, EMPTY, U64), np.zeros(1 << bits, U64)
    for key, value in zip(keys, values, strict=True):
        slot = (int(key) * SPLITMIX_STEP & EMPTY) >> (64 - bits)
        while table_keys[slot] != EMPTY:
            slot = (slot + 1) % len(table_keys)
        table_keys[slot], table_values[slot] = key, value
    return table_keys, table_values, 64 - bits


def tables() -> Dictionaries:
    """Build the table of every line of every square."""
    parts = []
    for sq in range(64):
        for line in LINES:
            occupied = subset_array(line_through(line, sq))
            parts.append(hashed(occupied, walk(sq, directions_of(line), occupied)))
    sizes = np.array([len(keys) for keys, _, _ in parts])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(U64)
    return Dictionaries(
        np.concatenate([keys for keys, _, _ in parts]),
        np.concatenate([values for _, values, _ in parts]),
        starts,
        np.array([shift for _, _, shift in parts], U64),
    )


DICTIONARY = Technique(
    Card(
        name="dictionary",
        summary="the masked line is the key of a hash table",
        authors=("Sam Tannous",),
        year=2007,
        source="Tannous, Avoiding rotated bitboards with direct lookup, ICGA Journal 30(2), 2007; arXiv 0704.3773",
        users="python-chess",
        needs=Needs.MULTIPLY,
        tables=tables,
        kernels=Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal),
        gathers=False,
        variants=(
            Variant(
                "switch",
                authors=("Dann Corbit",),
                year=2018,
                source="chessprogramming wiki, The Switch Approach",
                difference="the masked line selects a case of a switch statement instead of a slot of a hash table",
            ),
        ),
    )
)
