"""The filler of all look-up tables: it runs an index function over every occupancy, and rejects wrong tables.

    cases      every relevant occupancy of a piece on a square with its attacks, found by walking the rays
    index      the slot that a technique reads for a square and an occupancy
    slots      the elements of a table; an empty one holds 0

Two occupancies may share a slot if their attacks are equal (a constructive collision). If the attacks differ, the
table would be wrong, and the filler raises an error. Take a rook on a1 with b1 occupied. Pieces behind b1 make no
difference, so two such occupancies may share a slot, but the empty board may not share it:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> b1, b1_d1 = Bitboard.of("b1"), Bitboard.of("b1", "d1")
>>> attacks = walk(0, directions_of("rook"), np.array([b1, b1_d1, 0], U64))
>>> side_by_side({"b1": attacks[0], "b1, d1": attacks[1], "empty": attacks[2]})
b1                b1, d1            empty
1 . . . . . . .   1 . . . . . . .   1 . . . . . . .
1 . . . . . . .   1 . . . . . . .   1 . . . . . . .
1 . . . . . . .   1 . . . . . . .   1 . . . . . . .
1 . . . . . . .   1 . . . . . . .   1 . . . . . . .
1 . . . . . . .   1 . . . . . . .   1 . . . . . . .
1 . . . . . . .   1 . . . . . . .   1 . . . . . . .
1 . . . . . . .   1 . . . . . . .   1 . . . . . . .
. 1 . . . . . .   . 1 . . . . . .   . 1 1 1 1 1 1 1
>>> table = np.zeros(1, U64)
>>> place(table, np.array([0, 0]), attacks[:2])
>>> place(table, np.array([0]), attacks[2:])
Traceback (most recent call last):
    ...
rookery.techniques._filler.DestructiveCollision: two occupancies with different attacks share a slot
"""

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import subset_array
from rookery.bitboards.lines import LINES, PIECES, empty_board_attacks, line_through, ray_squares, relevant_occupancy
from rookery.kernel import U64, once
from rookery.techniques.base import Kernel
from rookery.techniques.base.protocol import Tables

Boards = NDArray[np.uint64]


class DestructiveCollision(ValueError):
    """Two occupancies with different attacks share a slot of a table."""


def walk_rays(rays: Iterable[Sequence[int]], occupied: Boards) -> Boards:
    """Return the attacks along `rays`, each given by its squares, for an array of occupancies.

    Each step of a ray handles all occupancies at once.
    """
    attacks = np.zeros_like(occupied)
    for ray in rays:
        open_ = np.full_like(occupied, ~U64(0))  # all ones until the first blocker
        for s in ray:
            here = U64(1 << s)
            attacks |= open_ & here
            open_[(occupied & here) != 0] = 0
    return attacks


def walk(sq: int, directions: Sequence[str], occupied: Boards) -> Boards:
    """Return the attacks from `sq` in `directions`, for an array of occupancies."""
    return walk_rays([ray_squares(direction, sq) for direction in directions], occupied)


def directions_of(mover: str) -> list[str]:
    """Return the directions of a piece or a line."""
    return [direction for line in PIECES.get(mover, (mover,)) for direction in LINES[line]]


@once
def relevant_cases(piece: str, sq: int) -> tuple[Boards, Boards]:
    """Return every relevant occupancy of a piece on a square, and its attacks.

    `slots` counts them over all squares. The queen has none: her attacks are those of a rook and a bishop.
    """
    occupied = subset_array(relevant_occupancy(piece, sq))
    return occupied, walk(sq, directions_of(piece), occupied)


def line_cases(line: str, sq: int) -> tuple[Boards, Boards]:
    """Return every occupancy of a whole line, including its edges and the square, with its attacks."""
    occupied = subset_array(line_through(line, sq) | 1 << sq)
    return occupied, walk(sq, LINES[line], occupied)


def place(table: NDArray[Any], indices: Any, values: NDArray[Any]) -> None:
    """Write `values` into a table whose empty slots are 0, and raise an error instead of overwriting another value."""
    before = table[indices]
    table[indices] = values
    if np.any((before != 0) & (before != values)) or np.any(table[indices] != values):
        raise DestructiveCollision("two occupancies with different attacks share a slot")


def fill(table: NDArray[np.uint64], index: Kernel, t: Tables, piece: str) -> None:
    """Fill a flat table for a piece on all squares by ``index(sq, occupied, t)``."""
    for sq in range(64):
        occupied, attacks = relevant_cases(piece, sq)
        try:
            place(table, index(U64(sq), occupied, t), attacks)
        except DestructiveCollision as error:
            raise DestructiveCollision(f"{piece} on square {sq}: {error}") from None
        except IndexError as error:
            raise ValueError(f"{piece} on square {sq}: a slot outside the table: {error}") from None


def masks(piece: str) -> Boards:
    """Return the relevant occupancies of a piece, by square."""
    return np.array([int(relevant_occupancy(piece, sq)) for sq in range(64)], U64)


def rays(piece: str) -> Boards:
    """Return the attacks of a piece on the empty board, by square."""
    return np.array([int(empty_board_attacks(piece, sq)) for sq in range(64)], U64)


def offsets(piece: str, start: int = 0) -> Boards:
    """Return where each square's ``2**bits`` slots begin in a table without gaps, the first at `start`."""
    sizes = [1 << len(relevant_occupancy(piece, sq)) for sq in range(64)]
    return np.array([start + sum(sizes[:sq]) for sq in range(64)], U64)


def slots(piece: str) -> int:
    """Return how many slots all squares of a piece need at ``2**bits`` each.

    >>> slots("rook"), slots("bishop")
    (102400, 5248)
    """
    return sum(1 << len(relevant_occupancy(piece, sq)) for sq in range(64))


def lowest_fit(taken: int, slots_: Sequence[int], allowed: int = -1) -> int:
    """Return the lowest of the `allowed` offsets at which none of some slots is taken.

    A set of slots is one int with a bit for each, so an offset is a shift.

    >>> lowest_fit(0b10011, [0, 1])
    2
    >>> lowest_fit(0b10011, [0, 1], allowed=0b111000)
    5
    """
    clash = functools.reduce(int.__or__, (taken >> slot for slot in slots_), 0)
    free = ~clash & allowed
    return (free & -free).bit_length() - 1


def first_fit(used: Sequence[Sequence[int] | Boards]) -> list[int]:
    """Return an offset for each list of slots, such that no two lists share a slot.

    The longest lists come first, each at the lowest offset at which it fits.

    >>> first_fit([[0, 1, 4], [0, 2]])
    [0, 3]
    """
    taken = 0
    offsets_ = [0] * len(used)
    for i in sorted(range(len(used)), key=lambda i: -len(used[i])):
        slots_ = list(map(int, used[i]))
        offsets_[i] = lowest_fit(taken, slots_)
        taken |= sum(1 << slot for slot in slots_) << offsets_[i]
    return offsets_
