"""Kernels of one position of columns: a `Lane`, a1 = 0, or a `View`, as the side to move sees it.

In a view, the side to move always moves up the board: where black is to move, every board is flipped by a byte swap.
One kernel thus serves both colours.
"""

from typing import Any, NamedTuple

import numpy as np

from rookery.kernel import U64, Bits, State, Word, array_of, byteswap, entry, kernel
from rookery.positions.layout import BLACK_TO_MOVE, Columns, empty_columns
from rookery.rules.position import Pieces, Position
from rookery.techniques.base.protocol import prepare


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


@entry(examples=lambda: (empty_columns(1), array_of(np.int64), empty_columns(1)))
def gather(c: Any, index: Any, out: Any) -> None:
    """Write the positions at some indices; an index that is out of range stands for the last position."""
    last = U64(c.state.size) - 1
    for k in range(index.size):
        store(out, k, load(c, min(U64(index[k]), last)))


@kernel
def from_side(c: Columns, i: Word, black: Bits, t: Any) -> Position:
    """Return position `i` as a side sees it: its pieces are `us`, it moves up the board, and it is to move.

    `black` is the universe if that side is black, else the empty board. Castling rights are left out.
    """
    p = load(c, i)
    occupied = turned(occupied_of(p), black)
    us = turned(p.white, black) ^ (occupied & black)
    en_passant = turned(p.en_passant, black)
    return Position(*turned_pieces(p, black), us, occupied ^ us, 0, en_passant, 0, prepare(occupied, t))
