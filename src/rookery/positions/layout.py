"""Positions as columns: one contiguous array of words for each of nine fields, so that eight positions fill a register.

    pawns, knights, kings      of both sides
    diagonals, orthogonals     bishops and queens, rooks and queens: a queen is in both
    white                      all white pieces
    castling                   the rooks that may still castle, of both sides, as squares
    en_passant                 the square a pawn has just jumped over
    state                      side to move, kind of chess, counters: see the constants below

A `Lane` is one position out of the columns, a1 = 0. A `View` is the same as the side to move sees it, who always
moves up the board: where black is to move every board is flipped (a byte swap), and one kernel serves both colours.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import Bits, State, Word, byteswap, kernel
from rookery.protocol import prepare
from rookery.rules.position import Pieces, Position

Words = NDArray[np.uint64]

# `state`: bit 0 black is to move, bit 1 Chess960, bit 2 no position (a bad line, marked), then two counters.
BLACK_TO_MOVE, CHESS960, MARKED = 1, 2, 4
CLOCK_SHIFT, NUMBER_SHIFT = 3, 33
COUNTER: Final = (1 << 30) - 1
UNUSED = 1 << 63


class Columns(NamedTuple):
    """See the top of this file: arrays of n uint64 words, each contiguous."""

    pawns: Words
    knights: Words
    diagonals: Words
    orthogonals: Words
    kings: Words
    white: Words
    castling: Words
    en_passant: Words
    state: Words


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
    """One position as the side to move sees it: it moves up the board."""

    pawns: Bits
    knights: Bits
    diagonals: Bits
    orthogonals: Bits
    kings: Bits
    us: Bits
    them: Bits
    castling: Bits
    en_passant: Bits


def empty_columns(n: int) -> Columns:
    """Room for `n` positions, not yet filled.

    The rows of one buffer, eight words more than a multiple of 64 apart: rows a power of two apart alias in the caches
    (a buffer with rows of 512 or 1,024 positions ran 25 % slower than one of 520).
    """
    stride = (n + 63) // 64 * 64 + 8
    buffer = np.empty(len(Columns._fields) * stride, np.uint64)
    return Columns(*(buffer[i * stride : i * stride + n] for i in range(len(Columns._fields))))


@kernel
def load_pieces(c: Any, i: Word) -> Pieces:
    """The pieces of position `i`, of columns of any kind that have them."""
    return c.pawns[i], c.knights[i], c.diagonals[i], c.orthogonals[i], c.kings[i]


@kernel
def store_pieces(c: Any, i: Word, p: Any) -> None:
    """Make the pieces of `p`, in any form, those of position `i`."""
    c.pawns[i], c.knights[i], c.diagonals[i], c.orthogonals[i], c.kings[i] = p[:5]


@kernel
def load(c: Columns, i: Word) -> Lane:
    """Position `i`."""
    return Lane(*load_pieces(c, i), c.white[i], c.castling[i], c.en_passant[i], c.state[i])


@kernel
def store(c: Columns, i: Word, p: Lane) -> None:
    """Make `p` position `i`."""
    store_pieces(c, i, p)
    c.white[i] = p.white
    c.castling[i] = p.castling
    c.en_passant[i] = p.en_passant
    c.state[i] = p.state


@kernel
def occupied_of(p: Lane) -> Bits:
    """All pieces."""
    return p.pawns | p.knights | p.diagonals | p.orthogonals | p.kings


@kernel
def black_mask(p: Lane) -> Bits:
    """The universe when black is to move, else empty."""
    return -(p.state & BLACK_TO_MOVE)


@kernel
def turned(b: Bits, black: Bits) -> Bits:
    """A board as the side to move sees it, or back: flipped where `black` is the universe, not where it is empty."""
    return b ^ ((b ^ byteswap(b)) & black)


@kernel
def turned_pieces(p: Any, black: Bits) -> Pieces:
    """The pieces of `p`, in any form, as the side to move sees them, or back."""
    return (
        turned(p.pawns, black),
        turned(p.knights, black),
        turned(p.diagonals, black),
        turned(p.orthogonals, black),
        turned(p.kings, black),
    )


@kernel
def view(p: Lane) -> View:
    """A position as the side to move sees it."""
    black = black_mask(p)
    occupied = turned(occupied_of(p), black)
    us = turned(p.white, black) ^ (occupied & black)
    rights, en_passant = turned(p.castling, black), turned(p.en_passant, black)
    return View(*turned_pieces(p, black), us, occupied & ~us, rights, en_passant)


@kernel
def position(p: Lane, t: Any) -> Position:
    """A position as the scalar generator has it, a1 = 0, prepared for the technique of the tables `t`."""
    return with_state(p, prepare(occupied_of(p), t))


@kernel
def with_state(p: Lane, state: State) -> Position:
    """Return a position as the scalar generator has it, with a technique's state, or 0 where none is needed."""
    occupied = occupied_of(p)
    us = p.white ^ (occupied & black_mask(p))
    return Position(*p[:5], us, occupied ^ us, p.castling, p.en_passant, p.state & 1, state)


@kernel
def lane(p: Position, state: Word) -> Lane:
    """The columns' form of a position of the scalar generator; `state` says the rest, its turn included."""
    white = p.them if p.turn else p.us  # out here: Numba compiles no branch within a call that unpacks a tuple
    return Lane(*p[:5], white, p.castling, p.en_passant, state)
