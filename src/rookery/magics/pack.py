"""Lay the tables of all 128 squares into each other's gaps: one array, one look-up, as few entries as possible.

A square uses only some of its ``2**bits`` slots, since occupancies with equal attacks may share one. The squares are
laid down one after the other, the large ones first, each as low as it goes: where it wants a slot, that is empty or
holds the same attacks. Of the factors that a number of seeds find, a square takes the one with which it ends lowest.

The index is that of black magics, ``((o | ~mask) * magic) >> shift``. Overlapping is due to Pradu Kannan and Gerd
Isenberg, black magics to Onno Garms and Volker Annuss; the fewest entries published were 86,491 (Icarus, 2026).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from rookery.kernel import U64, UNIVERSE, ZERO, entry
from rookery.lines import relevant_occupancy
from rookery.magics.find import all_squares, candidate, search
from rookery.squares import SQUARE_NAMES
from rookery.techniques._filler import Boards, relevant_cases
from rookery.techniques._magics import Packed

_SLICE = 20_000


@entry
def first_fit(table: Any, slots: Any, attacks: Any, start: Any, most: Any) -> Any:
    """The lowest place from `start` on where every slot is empty or holds the same attacks, or `most`."""
    place = start
    while place < most:
        fits = True
        for i in range(slots.size):
            there = table[place + slots[i]]
            if there != ZERO and there != attacks[i]:
                fits = False
                break
        if fits:
            return place
        place += U64(1)
    return most


def black(piece: str, square: int) -> tuple[Boards, Boards]:
    """Every relevant occupancy, with all other squares filled, and its attacks."""
    occupied, attacks = relevant_cases(piece, square)
    return occupied | ~U64(int(relevant_occupancy(piece, square))), attacks


def slots_of(piece: str, square: int, magic: int) -> tuple[Boards, Boards]:
    """The slots a factor uses, and the attacks in each."""
    occupied, attacks = black(piece, square)
    shift = U64(64 - len(relevant_occupancy(piece, square)))
    slots, first = np.unique((occupied * U64(magic)) >> shift, return_index=True)
    return slots, attacks[first]


def choices(seeds: int, progress: Callable[[int], None] = lambda done: None) -> list[list[int]]:
    """By case, the factors that the seeds below `seeds` find."""
    found: list[list[int]] = [[] for _ in range(128)]
    taken, epoch = np.zeros(4096, U64), np.zeros(4096, U64)
    for seed in range(seeds):
        for case, (piece, square) in enumerate(all_squares()):
            occupied, attacks = black(piece, square)
            shift = U64(64 - len(relevant_occupancy(piece, square)))
            n = tries = 0
            epoch[:] = ZERO
            while n == tries:
                tries += _SLICE
                n = int(
                    search(occupied, attacks, shift, UNIVERSE, U64(seed), U64(tries - _SLICE), U64(tries), taken, epoch)
                )
            found[case].append(int(candidate(seed, n)))
        progress(seed + 1)
    return found


def lay(found: list[list[int]], progress: Callable[[int], None] = lambda done: None) -> tuple[int, list[Packed]]:
    """How many entries are needed, and the factor and the beginning of each square."""
    cases = list(all_squares())
    sizes = [len(relevant_occupancy(piece, square)) for piece, square in cases]
    table = np.zeros(2 * sum(1 << size for size in sizes), U64)
    packed: dict[int, Packed] = {}
    entries = 0
    for done, case in enumerate(sorted(range(128), key=lambda c: (-sizes[c], c)), 1):
        piece, square = cases[case]
        ends: list[tuple[int, int, int]] = []
        for i, magic in enumerate(found[case]):
            slots, attacks = slots_of(piece, square, magic)
            most = U64(min(ends)[0] if ends else len(table) // 2)
            place = int(first_fit(table, slots - slots[0], attacks, ZERO, most))
            ends.append((place + int(slots[-1] - slots[0]) + 1, len(slots), i))
        end, _, best = min(ends)
        slots, attacks = slots_of(piece, square, found[case][best])
        offset = end - 1 - int(slots[-1])
        table[slots.astype(np.int64) + offset] = attacks
        entries = max(entries, end)
        packed[case] = Packed(piece, SQUARE_NAMES[square], found[case][best], sizes[case], offset)
        progress(done)
    return entries, [packed[case] for case in range(128)]


def used(packed: tuple[Packed, ...], entries: int) -> int:
    """Fill a packed table from nothing, over all 107,648 occupancies: how many entries it uses.

    A ValueError says which square would read a wrong entry, or one that is not in the table.
    """
    table = np.zeros(entries, U64)
    for p in packed:
        square = SQUARE_NAMES.index(p.square)
        occupied, attacks = black(p.piece, square)
        index = ((occupied * U64(p.magic)) >> U64(64 - p.bits)).astype(np.int64) + p.offset
        if index.min() < 0 or index.max() >= entries:
            raise ValueError(f"packed: {p.piece} {p.square}: an index outside 0 to {entries - 1}")
        before = table[index]
        table[index] = attacks
        if np.any((before != 0) & (before != attacks)) or np.any(table[index] != attacks):
            raise ValueError(f"packed: {p.piece} {p.square}: a slot with other attacks")
    return int(np.count_nonzero(table))
