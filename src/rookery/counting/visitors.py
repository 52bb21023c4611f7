"""Arguments of a walk through the tree of moves: its stack, and visitors, which handle the last moves.

These are classes of arrays. The kernels for them are in `tree`, `lanes` and the modules that these call.
"""

from importlib import import_module
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.rules.constants import MOST_MOVES, WORDS

UNKNOWN: Final = (1 << 64) - 1  # what a visitor recalls of a position it does not remember
UNIT: Final = 3  # plies that are counted at once
BATCH: Final = 256  # children that are waited for: with 512 they leave the L1 cache
LANES: Final = 8
ROWS: Final = (MOST_MOVES + LANES - 1) // LANES * LANES
CHILDREN: Final = BATCH + ROWS + 2 * LANES
BUCKET: Final = 8  # words of a hash table that are one cache line


class Stack(NamedTuple):
    """The state of a walk.

    For each ply it holds the position, its moves, their number, the next move to make, and the leaves counted below.
    """

    rows: Any
    moves: Any
    numbers: Any
    nexts: Any
    leaves: Any


def empty_stack(plies: int) -> Stack:
    """Return a stack for a walk of so many plies."""
    return Stack(
        np.zeros((plies, WORDS), np.uint64),
        np.zeros((plies, MOST_MOVES), np.uint16),
        np.zeros(plies, np.uint64),
        np.zeros(plies, np.uint64),
        np.zeros(plies, np.uint64),
    )


class Leaves(NamedTuple):
    """The visitor that counts the children of each child."""


class Kinds(NamedTuple):
    """The visitor that classifies the moves: one number for each field of `walk.Statistics`."""

    totals: NDArray[np.uint64]


class Rows(NamedTuple):
    """The positions after each move of a unit, as the unit's mover sees them, and what is known of their moves."""

    pawns: Any
    knights: Any
    diagonals: Any
    orthogonals: Any
    kings: Any
    us: Any
    them: Any
    castling: Any
    en_passant: Any
    calm_pawns: Any
    calm_knights: Any
    calm_bishops: Any
    calm_rooks: Any
    calm_kings: Any
    seen: Any
    light: Any
    pinned_file: Any
    pinned_rank: Any
    pinned_diagonal: Any
    pinned_antidiagonal: Any
    replies: Any
    king_replies: Any


class Children(NamedTuple):
    """Rows, each with a move of `them` that is not made yet."""

    pawns: Any
    knights: Any
    diagonals: Any
    orthogonals: Any
    kings: Any
    us: Any
    them: Any
    moves: Any


class LightChildren(NamedTuple):
    """The sets that our pieces' moves depend on in rows whose move of `them` is not made yet. All pieces are ours."""

    pawns: Any
    knights: Any
    diagonals: Any
    orthogonals: Any
    us: Any
    occupied: Any
    moves: Any


class PinnedChildren(NamedTuple):
    """Light children of rows in which a piece of ours is pinned: `Movers`, and what these depend on."""

    file: Any
    rank: Any
    diagonal: Any
    antidiagonal: Any
    knights: Any
    pushing: Any
    taking_east: Any
    taking_west: Any
    us: Any
    occupied: Any
    moves: Any


class Workspace(NamedTuple):
    """The arrays for counting, one set a thread."""

    moves: Any
    rows: Rows
    children: Children
    lights: LightChildren
    pinned: PinnedChildren
    specials: Any


def workspace() -> Workspace:
    """Return arrays that are large enough for any unit; few positions need more than a tenth of them."""

    def columns(number: int, length: int) -> list[Any]:
        stride = length + 24  # not a multiple of 64 words: the columns would alias in the cache
        buffer = np.zeros(number * stride, np.uint64)
        return [buffer[i * stride : i * stride + length] for i in range(number)]

    def moves(length: int) -> Any:
        return np.zeros(length + 64, np.uint16)  # `write_squares_over`

    return Workspace(
        moves(ROWS),
        Rows(*columns(len(Rows._fields), ROWS)),
        Children._make([*columns(len(Children._fields) - 1, CHILDREN), moves(CHILDREN)]),
        LightChildren._make([*columns(len(LightChildren._fields) - 1, CHILDREN), moves(CHILDREN)]),
        PinnedChildren._make([*columns(len(PinnedChildren._fields) - 1, CHILDREN), moves(CHILDREN)]),
        moves(ROWS),
    )


def table(megabytes: int) -> NDArray[np.uint64]:
    """Return an empty table of at most so many megabytes.

    The number of buckets is a power of two, and each bucket is one cache line. With 0 megabytes the table has no entry.
    """
    buckets = megabytes * 2**20 // (BUCKET * 8)
    size = BUCKET << (buckets.bit_length() - 1) if buckets else 0
    words = np.zeros(size + BUCKET, np.uint64)
    first = -words.ctypes.data % (BUCKET * 8) // 8
    return words[first : first + size]


class Units(NamedTuple):
    """The visitor that counts three plies below each child.

    It stores positions three or more plies from the leaves in a table, unless the table is empty. One visitor serves
    both cases, because a unit takes half a minute to compile.
    """

    workspace: Workspace
    table: Any

    @staticmethod
    def register_kernels() -> None:
        """Import the module that registers them."""
        import_module("rookery.counting.lanes")
