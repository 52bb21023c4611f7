"""Positions as columns: nine contiguous arrays of words, so that eight positions fill a register.

    pawns, knights, kings      of both sides
    diagonals, orthogonals     bishops and queens, rooks and queens: a queen is in both
    white                      all white pieces
    castling                   squares of the rooks that may still castle, of both sides
    en_passant                 the square that a pawn has just jumped over
    state                      side to move, chess variant, counters: see the constants below

A `Lane` is one position of the columns, a1 = 0. A `View` is the same position seen from the side to move, which always
moves up the board: where black is to move, every board is flipped by a byte swap. One kernel thus serves both colours.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, Bits, State, Word, array_of, byteswap, entry, kernel
from rookery.protocol import prepare
from rookery.rules.position import Pieces, Position

Words = NDArray[np.uint64]

# The bits of `state`: 0 black to move, 1 Chess960, 2 placeholder of a bad line (marked), then two counters.
BLACK_TO_MOVE, CHESS960, MARKED = 1, 2, 4
CLOCK_SHIFT, NUMBER_SHIFT = 3, 33
COUNTER: Final = (1 << 30) - 1
UNUSED = 1 << 63


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


class Lane(NamedTuple):
    """One position of `Columns`."""

    pawns: Bits
    knights: Bits
    diagonals: Bits
    orthogonals: Bits
    kings: Bits
    white: Bits
    castling: Bits
    en_passant: Bits
    state: Word


class View(NamedTuple):
    """One position seen from the side to move, which moves up the board."""

    pawns: Bits
    knights: Bits
    diagonals: Bits
    orthogonals: Bits
    kings: Bits
    us: Bits
    them: Bits
    castling: Bits
    en_passant: Bits


def empty_rows(rows: int, n: int) -> Words:
    """Allocate uninitialised rows of at least `n` words.

    The rows are eight words more than a multiple of 64 apart. Rows a power of two apart alias in the caches: a buffer
    with rows of 512 or 1,024 positions ran 25 % slower than one with rows of 520.
    """
    return np.empty((rows, (n + 63) // 64 * 64 + 8), np.uint64)


def empty_columns(n: int) -> Columns:
    """Allocate uninitialised columns for `n` positions."""
    return Columns(*empty_rows(len(Columns._fields), n)[:, :n])


@kernel
def load_pieces(c: Any, i: Word) -> Pieces:
    """Return the pieces of position `i`, from columns of any kind that have them."""
    return c.pawns[i], c.knights[i], c.diagonals[i], c.orthogonals[i], c.kings[i]


@kernel
def store_pieces(c: Any, i: Word, p: Any) -> None:
    """Write the pieces of `p`, in any form, to position `i`."""
    c.pawns[i], c.knights[i], c.diagonals[i], c.orthogonals[i], c.kings[i] = p[:5]


@kernel
def load(c: Columns, i: Word) -> Lane:
    """Return position `i`."""
    return Lane(*load_pieces(c, i), c.white[i], c.castling[i], c.en_passant[i], c.state[i])


@kernel
def store(c: Columns, i: Word, p: Lane) -> None:
    """Write `p` to position `i`."""
    store_pieces(c, i, p)
    c.white[i] = p.white
    c.castling[i] = p.castling
    c.en_passant[i] = p.en_passant
    c.state[i] = p.state


@entry(examples=lambda: (empty_columns(1), array_of(np.int64), empty_columns(1)))
def gather(c: Any, index: Any, out: Any) -> None:
    """Write the positions at some indices; an index that is out of range stands for the last position."""
    last = U64(c.state.size) - 1
    for k in range(index.size):
        store(out, k, load(c, min(U64(index[k]), last)))


def gathered(columns: Columns, index: NDArray[Any]) -> Columns:
    """Return the positions at some indices, as `gather` finds them, in columns of their own."""
    if index.size and not columns.state.size:
        raise IndexError(f"index: {index[0]} is outside the 0 positions")
    found = empty_columns(index.size)
    gather(columns, np.ascontiguousarray(index, np.int64), found)  # nine calls of `take` needed Python's lock as often
    return found


@kernel
def occupied_of(p: Lane) -> Bits:
    """Return the occupancy of a position."""
    return p.pawns | p.knights | p.diagonals | p.orthogonals | p.kings


@kernel
def black_mask(p: Lane) -> Bits:
    """Return the universe if black is to move, else the empty board."""
    return -(p.state & BLACK_TO_MOVE)


@kernel
def turned(b: Bits, black: Bits) -> Bits:
    """Convert a board to the view of the side to move, or back.

    The board is flipped where `black` is the universe, and unchanged where it is empty.
    """
    return b ^ ((b ^ byteswap(b)) & black)


@kernel
def turned_pieces(p: Any, black: Bits) -> Pieces:
    """Convert the pieces of `p`, in any form, to the view of the side to move, or back."""
    return (
        turned(p.pawns, black),
        turned(p.knights, black),
        turned(p.diagonals, black),
        turned(p.orthogonals, black),
        turned(p.kings, black),
    )


@kernel
def view(p: Lane) -> View:
    """Return a position as the side to move sees it."""
    return view_of(p, black_mask(p))


@kernel
def view_of(p: Lane, black: Bits) -> View:
    """Return a position as black sees it if `black` is the universe, or as white sees it if it is empty."""
    occupied = turned(occupied_of(p), black)
    us = turned(p.white, black) ^ (occupied & black)
    rights, en_passant = turned(p.castling, black), turned(p.en_passant, black)
    return View(*turned_pieces(p, black), us, occupied & ~us, rights, en_passant)


@kernel
def position(p: Lane, t: Any) -> Position:
    """Return a position in the form of the scalar generator, a1 = 0, prepared for the technique of the tables `t`."""
    return with_state(p, prepare(occupied_of(p), t))


@kernel
def with_state(p: Lane, state: State) -> Position:
    """Return a position in the form of the scalar generator, with a technique's state, or 0 where none is needed."""
    occupied = occupied_of(p)
    us = p.white ^ (occupied & black_mask(p))
    return Position(*p[:5], us, occupied ^ us, p.castling, p.en_passant, p.state & 1, state)


@kernel
def lane(p: Position, state: Word) -> Lane:
    """Return a position of the scalar generator in the form of the columns.

    `state` supplies the side to move, the chess variant and the counters.
    """
    white = p.them if p.turn else p.us  # Numba compiles no branch within a call that unpacks a tuple
    return Lane(*p[:5], white, p.castling, p.en_passant, state)
