"""Positions as columns: nine contiguous arrays of words, so that eight positions fill a register.

    pawns, knights, kings      of both sides
    diagonals, orthogonals     bishops and queens, rooks and queens: a queen is in both
    white                      all white pieces
    castling                   squares of the rooks that may still castle, of both sides
    en_passant                 the square that a pawn has just jumped over
    state                      side to move, chess variant, counters: see the constants below

`rookery.positions.kernels.lanes` has the kernels of one position of the columns.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, UNIVERSE, Word, entry_of

gather: Final = entry_of("rookery.positions.kernels.lanes", "gather")

Words = NDArray[np.uint64]

# The bits of `state`: 0 black to move, 1 Chess960, 2 placeholder of a bad line (marked), then two counters.
BLACK_TO_MOVE, CHESS960, MARKED = 1, 2, 4
CLOCK_SHIFT, NUMBER_SHIFT = 3, 33
COUNTER: Final = (1 << 30) - 1
UNUSED = 1 << 63
NO_POSITION: Final = np.uint64(MARKED | 1 << NUMBER_SHIFT)  # the state of a placeholder; its other columns are 0


class Columns(NamedTuple):
    """Nine contiguous arrays of n uint64 words; the top of this file describes the fields."""

    pawns: Words
    knights: Words
    diagonals: Words
    orthogonals: Words
    kings: Words
    white: Words
    castling: Words
    en_passant: Words
    state: Words

    @property
    def size(self) -> int:
        """Return the number of positions."""
        return int(self.pawns.size)

    def cut(self, start: int, stop: int) -> "Columns":
        """Return a slice, as views."""
        return Columns(*(column[start:stop] for column in self))

    def chosen(self, index: NDArray[np.intp]) -> "Columns":
        """Return the positions at some indices from 0 to ``n - 1``, which are not checked, copied."""
        columns = empty_columns(index.size)
        for column, source in zip(columns, self, strict=True):
            source.take(index, out=column, mode="clip")  # other modes use a buffer
        return columns

    @classmethod
    def joined(cls, parts: "Sequence[Columns]") -> "Columns":
        """Return the concatenation of several columns of positions."""
        columns = empty_columns(sum(part.size for part in parts))
        for column, pieces in zip(columns, zip(*parts, strict=True), strict=True):
            np.concatenate(pieces, out=column)
        return columns


class ByPiece(NamedTuple):
    """Six arrays of n values, one array for each kind of piece."""

    pawns: NDArray[Any]
    knights: NDArray[Any]
    bishops: NDArray[Any]
    rooks: NDArray[Any]
    queens: NDArray[Any]
    kings: NDArray[Any]


def empty_rows(rows: int, n: int) -> Words:
    """Allocate uninitialised rows of at least `n` words.

    The rows are eight words more than a multiple of 64 apart. Rows a power of two apart alias in the caches: a buffer
    with rows of 512 or 1,024 positions ran 25 % slower than one with rows of 520.
    """
    return np.empty((rows, (n + 63) // 64 * 64 + 8), np.uint64)


def empty_columns(n: int) -> Columns:
    """Allocate uninitialised columns for `n` positions."""
    return Columns(*empty_rows(len(Columns._fields), n)[:, :n])


def gathered(columns: Columns, index: NDArray[Any]) -> Columns:
    """Return the positions at some indices, as `gather` finds them, in columns of their own."""
    if index.size and not columns.state.size:
        raise IndexError(f"index: {index[0]} is outside the 0 positions")
    found = empty_columns(index.size)
    gather(columns, np.ascontiguousarray(index, np.int64), found)  # nine calls of `take` needed Python's lock as often
    return found


class Side(NamedTuple):
    """A side as two masks, so that the same machine code serves all four choices."""

    by_turn: Word  # universe: the side depends on who is to move
    second: Word  # universe: black, or the side that is not to move


SIDES: Final = {
    "us": Side(U64(UNIVERSE), U64(0)),
    "them": Side(U64(UNIVERSE), U64(UNIVERSE)),
    "white": Side(U64(0), U64(0)),
    "black": Side(U64(0), U64(UNIVERSE)),
}
