"""Lay shapes into a table of 64 columns: each is turned and shifted until no two want the same slots.

    level       32 rows; a shape takes its columns on as many levels as it needs
    option      one of the shapes that a square may have: a word of columns, and its levels
    turn        by how many columns a shape is moved, cyclically

The search takes some squares out that lie near each other, puts them back in another order with other options, and
keeps what leaves no more unplaced than before (large neighbourhood search, Paul Shaw, 1998).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from magics.pack.columns import Shape, turned
from rookery.bitboards.bits import mixed
from rookery.kernel import U64, Bits, Word, array_of, entry, kernel, popcount, rotate_left, signed

Words = NDArray[np.uint64]

LEVEL = 32  # rows
_GOLDEN = 0x9E3779B97F4A7C15
_NONE = 1 << 40


@kernel
def drawn(random: Any, n: Word) -> Any:
    """Return a random number below `n`."""
    random[0] += _GOLDEN
    return np.int64((mixed(random[0]) >> 32) % U64(n))


@kernel
def cost_of(columns: Bits, taken: Bits, height: Any, random: Any) -> Any:
    """Return a placement's cost: slots first, then the edges of the remaining gaps, then chance."""
    free = ~(columns | taken)
    edges = popcount(free ^ rotate_left(free, 1))
    return np.int64(popcount(columns)) * height * 16 + np.int64(edges) // 4 + drawn(random, 4)


@kernel
def toggle(table: Any, columns: Bits, turn: Any, first: Any, last: Any) -> None:
    """Lay a shape on free levels, or remove it."""
    moved = rotate_left(columns, U64(turn))
    for at in range(first, last):
        table[at] ^= moved


@kernel
def taken_of(table: Any, first: Any, last: Any) -> Bits:
    """Return the columns that are taken on any of the given levels."""
    taken = 0
    for at in range(first, last):
        taken |= table[at]
    return taken


@entry(
    examples=lambda: (
        array_of(U64),
        array_of(U64),
        array_of(np.int64),
        array_of(np.int64),
        array_of(np.int64),
        array_of(np.int64),
        array_of(np.int64),
        array_of(np.int64),
        0,
        0,
        array_of(U64),
        array_of(np.int64),
        array_of(np.int64, 2),
        array_of(U64),
    )
)
@signed
def search(
    table: Any,
    columns: Any,
    heights: Any,
    starts: Any,
    volumes: Any,
    option: Any,
    turn: Any,
    level: Any,
    levels: Any,
    rounds: Any,
    random: Any,
    queue: Any,
    before: Any,
    table_before: Any,
) -> Any:
    """Try `rounds` exchanges and return the volume that is still unplaced.

    A square without a place has the option -1.
    """
    squares = volumes.size
    unplaced = 0
    for s in range(squares):
        if option[s] < 0:
            unplaced += volumes[s]
    for _ in range(rounds):
        if unplaced == 0:
            break
        for s in range(squares):
            before[0, s], before[1, s], before[2, s] = option[s], turn[s], level[s]
        for at in range(table.size):
            table_before[at] = table[at]
        # Take out some squares of one or two stretches of levels.
        height = 1 + drawn(random, 4)
        one = drawn(random, levels)
        two = drawn(random, levels) if drawn(random, 2) > 0 else one
        often = 1 + drawn(random, 4)
        count = 0
        for s in range(squares):
            if option[s] >= 0:
                top = level[s] + heights[option[s]]
                near = (level[s] < one + height and top > one) or (level[s] < two + height and top > two)
                if near and drawn(random, 4) < often:
                    toggle(table, columns[option[s]], turn[s], level[s], top)
                    option[s] = -1
            if option[s] < 0:
                queue[count] = s
                count += 1
        left = 0
        for i in range(count):
            # The next one: large ones first, more or less; sometimes one that had no place.
            best, largest = i, -1
            for j in range(i, count):
                s = queue[j]
                size = volumes[s] * (64 + drawn(random, 48))
                if before[0, s] < 0 and drawn(random, 3) == 0:
                    size += _NONE
                if size > largest:
                    best, largest = j, size
            s = queue[best]
            queue[best] = queue[i]
            least = _NONE
            for stretch in range(2):
                middle = one if stretch == 0 else two
                if stretch == 1 and two == one:
                    break
                for at in range(max(0, middle - 3), min(levels, middle + height + 3)):
                    for k in range(starts[s], starts[s + 1]):
                        high = heights[k]
                        size = np.int64(popcount(columns[k]))
                        if at + high > levels or size * high * 16 >= least:
                            continue
                        taken = taken_of(table, at, at + high)
                        if np.int64(popcount(taken)) + size > 64:
                            continue
                        for by in range(64):
                            moved = rotate_left(columns[k], U64(by))
                            if moved & taken == 0:
                                cost = cost_of(moved, taken, high, random)
                                if cost < least:
                                    least = cost
                                    option[s] = k
                                    turn[s] = by
                                    level[s] = at
            if option[s] >= 0:
                toggle(table, columns[option[s]], turn[s], level[s], level[s] + heights[option[s]])
            else:
                left += volumes[s]
                if left > unplaced:
                    break
        if left <= unplaced:
            unplaced = left
        else:
            for s in range(squares):
                option[s], turn[s], level[s] = before[0, s], before[1, s], before[2, s]
            for at in range(table.size):
                table[at] = table_before[at]
    return unplaced


class Place(NamedTuple):
    """A shape and its position."""

    shape: Shape
    turn: int
    level: int


def height_of(shape: Shape) -> int:
    """Return how many levels a shape takes."""
    return -(-shape.rows // LEVEL)


def volume_of(shape: Shape) -> int:
    """Return how many slots a shape blocks for others, in units of `LEVEL`.

    >>> volume_of(Shape(magic=0, bits=11, columns=0b1011, rows=33, used=120))
    6
    """
    return shape.columns.bit_count() * height_of(shape)


class Tiling:
    """Squares with their options, laid on a number of levels.

    The squares in `places` are laid at the start.
    """

    def __init__(self, options: list[list[Shape]], levels: int, places: list[Place | None], seed: int) -> None:
        self.options = [shape for shapes in options for shape in shapes]
        self.levels = levels
        self._columns = np.array([shape.columns for shape in self.options], U64)
        self._heights = np.array([height_of(shape) for shape in self.options], np.int64)
        self._starts = np.cumsum([0, *map(len, options)])
        self._volumes = np.array([min(map(volume_of, shapes)) for shapes in options], np.int64)
        squares = len(options)
        self._option, self._turn, self._level = (np.full(squares, -1, np.int64) for _ in range(3))
        self._table = np.zeros(levels + int(self._heights.max()), U64)
        self._random = np.array([seed], U64)
        self._room = (np.zeros(squares, np.int64), np.zeros((3, squares), np.int64), self._table.copy())
        for s, place in enumerate(places):
            if place and place.level + height_of(place.shape) <= levels:
                self._option[s] = self._starts[s] + options[s].index(place.shape)
                self._turn[s], self._level[s] = place.turn, place.level
                for at in range(place.level, place.level + height_of(place.shape)):
                    self._table[at] |= U64(turned(place.shape.columns, place.turn))

    def search(self, rounds: int) -> int:
        """Try `rounds` exchanges and return the unplaced volume."""
        return int(
            search(
                self._table,
                self._columns,
                self._heights,
                self._starts,
                self._volumes,
                self._option,
                self._turn,
                self._level,
                self.levels,
                rounds,
                self._random,
                *self._room,
            )
        )

    def places(self) -> list[Place | None]:
        """Return the place of each square, or None."""
        found: list[Place | None] = []
        for option, turn, level in zip(self._option, self._turn, self._level, strict=True):
            found.append(Place(self.options[option], int(turn), int(level)) if option >= 0 else None)
        return found
