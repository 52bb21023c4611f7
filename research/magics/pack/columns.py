"""Change magic factors step by step into ones that use few slots, and always the same columns of the table.

    row, column   of a slot: the table is seen as rows of 64 slots, so that a row's slots are the bits of a word
    shape         of a factor: the columns of which it uses any slot, and how many rows it spans
    area          columns times rows, what a shape takes away from others

Why a factor can use few slots. An index is a sum: each blocker adds a weight, which is the factor shifted to its
square, and the top bits of the sum count. With the farthest blocker of a ray the weight may be less than a slot. If
the sum without it lies just below a slot's end, it goes over into the next slot, but only while the ray is otherwise
empty: a nearer blocker hides the far one, and if it adds a fraction that leads away from the slot's end, both cases
share a slot, as they may. Such a blocker is free, and the square uses little more than half of its slots. Where the
sum of no blocker lies is given by the filled squares of black magics; without them it lies at a slot's start, and
only carries from below reach the end. (Black magics: Onno Garms; these collisions: Volker Annuss and Niklas Fiekas.)

Why columns. Slots that are used without order cannot lie between each other. But if the blockers of one line weigh 64
slots, 128, 256 and so on (along a rank they double anyway), their occupancies are so many rows, and each row uses the
columns that the other line chooses. Two squares then go together if their columns do, which is one AND of two words.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import mixed
from rookery.kernel import U64, Word, array_of, entry, kernel, popcount

Words = NDArray[np.uint64]

WIDEST = 13  # index bits

_GOLDEN = 0x9E3779B97F4A7C15
_FAR = 1 << 40
_UNIT = 2.0**-64
_KEPT = 256  # of the factors of a walk
STEPS = 30_000  # of a walk: at most about 0.2 s


class Shape(NamedTuple):
    """A factor and the slots it uses.

    `columns` has a bit for each column, counted from the first slot used.
    """

    magic: int
    bits: int
    columns: int
    rows: int
    used: int


@kernel
def changed(magic: Word, random: Word) -> Word:
    """Return a similar factor: bits flipped or added, a run of bits replaced, or a part shifted."""
    one, two, three = random >> 4 & 63, random >> 10 & 63, random >> 16 & 63
    kind = random & 15
    rest = mixed(random)
    low = (1 << one) - 1
    if kind < 3:
        return magic ^ 1 << one ^ 1 << two
    if kind < 6:
        return magic ^ 1 << one ^ 1 << two ^ 1 << three ^ 1 << (rest & 63)
    if kind < 8:
        return magic + (1 << one)
    if kind < 10:
        return magic - (1 << one) + ((rest & 1) << two)
    if kind < 13:
        return magic ^ (rest & ((4 << (random >> 10 & 7)) - 1)) << one
    if kind == 13:
        return magic & ~low | (magic << 1 if rest & 1 else magic >> 1) & low
    if kind == 14:
        return magic & low | (magic << 1 if rest & 1 else magic >> 1) & ~low
    return magic & ~low | rest & low


@entry(
    examples=lambda: (
        array_of(U64),
        array_of(U64),
        U64(0),
        U64(0),
        U64(0),
        array_of(np.float64),
        0,
        array_of(U64),
        array_of(U64),
        array_of(U64),
        array_of(U64),
    )
)
def walk(
    occupied: Any,
    attacks: Any,
    magic: Any,
    shift: Any,
    level: Any,
    numbers: Any,
    steps: Any,
    random: Any,
    taken: Any,
    epoch: Any,
    found: Any,
) -> Any:
    """Run simulated annealing from `magic` and return how many factors were written to `found`.

    `numbers` are the heat and the weight of the area. `found` is a ring: the last ones stay. The cost is the area, with
    its rows rounded up to whole levels, weighted by the weight, plus the used slots for the rest. A factor is recorded
    if it is at least nearly as good as every earlier one.
    """
    heat, weight = numbers[0], numbers[1]
    noted = 0
    cost = best = 1e300
    mark = epoch[-1]  # where the walk before this one has stopped
    for step in range(steps):
        random[0] += _GOLDEN
        draw = mixed(random[0])
        trial = magic if step == 0 else changed(magic, draw)
        if step > 0 and trial == magic:
            continue
        mark += 1
        used = 0
        columns = 0
        first, last = _FAR, 0
        good = True
        for i in range(occupied.size):
            index = (occupied[i] * trial) >> shift
            if epoch[index] != mark:
                epoch[index] = mark
                taken[index] = attacks[i]
                used += 1
                columns |= 1 << (index & 63)
                first = min(first, index)
                last = max(last, index)
            elif taken[index] != attacks[i]:
                good = False
                break
        if not good:
            continue
        rows = (last - first) // 64 + 1
        rows = (rows + level - 1) // level * level
        now = weight * float(popcount(columns) * rows) + (1.0 - weight) * float(used)
        warm = heat * (1.0 - step / steps)
        if now <= cost or (warm > 0.0 and np.exp((cost - now) / warm) > float(mixed(draw)) * _UNIT):
            magic = trial
            cost = now
            if now <= best * 1.01:
                best = min(best, now)
                found[noted % found.size] = magic
                noted += 1
    epoch[-1] = mark
    return noted


class Room:
    """The working memory of `walk`."""

    def __init__(self) -> None:
        self.taken = np.zeros(1 << WIDEST, U64)
        self.epoch = np.zeros((1 << WIDEST) + 1, U64)
        self.found = np.zeros(_KEPT, U64)

    def walk(
        self, cases: tuple[Words, Words], magic: int, bits: int, level: int, heat: float, weight: float, seed: int
    ) -> list[int]:
        """Return the factors that a walk has recorded."""
        random = np.array([seed], U64)
        shift = U64(64 - bits)
        numbers = np.array([heat, weight])
        start = (U64(magic), shift, U64(level), numbers, STEPS, random)
        noted = walk(*cases, *start, self.taken, self.epoch, self.found)
        return list(dict.fromkeys(self.found[: min(int(noted), _KEPT)].tolist()))


def slots_of(occupied: Words, magic: int, bits: int) -> NDArray[np.int64]:
    """Return the slots a factor uses, in order."""
    return np.unique((occupied * U64(magic)) >> U64(64 - bits)).astype(np.int64)


def turned(columns: int, by: int) -> int:
    """Rotate columns upwards, cyclically.

    >>> turned(0b11, 63) == 1 << 63 | 1
    True
    """
    by &= 63
    return (columns << by | columns >> 64 - by) & (1 << 64) - 1


def turns(columns: int) -> Iterator[int]:
    """Return all 64 rotations of the columns."""
    return (turned(columns, by) for by in range(64))


def columns_of(slots: NDArray[np.int64]) -> int:
    """Return the columns of the table that contain the slots.

    >>> columns_of(np.array([0, 3, 65]))
    11
    """
    return int(np.bitwise_or.reduce(1 << (slots & 63).astype(U64)))


def shape_of(occupied: Words, magic: int, bits: int) -> Shape:
    """Return the shape of a factor."""
    slots = slots_of(occupied, magic, bits)
    slots -= slots[0]
    return Shape(magic, bits, columns_of(slots), int(slots[-1]) // 64 + 1, len(slots))
