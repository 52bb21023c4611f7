"""Queries about the pieces of all positions: where they are, what they are worth, what they attack, and forks.

Also which pieces a move of each position moves and captures.
"""

from typing import Any, NamedTuple

import numpy as np

from rookery.bitboards.bits import bit, isolate_ls1b
from rookery.bitboards.pieces import PAWN
from rookery.kernel import U64, Bits, Word, array_of, entry, kernel, popcount, trailing_zeros, tuple_of
from rookery.positions.kernels.lanes import Lane, black_mask, load, occupied_of
from rookery.positions.layout import SIDES, empty_columns
from rookery.positions.queries.attacks import sided
from rookery.positions.queries.check_kernels import attacks_of, pieces_of
from rookery.positions.queries.fills import slides
from rookery.positions.queries.questions import DIGIT, MOST, PIECES, SIDE_BITS, Every
from rookery.rules.constants import EN_PASSANT, KIND_MASK, SIX_BITS, TO_SHIFT
from rookery.rules.position import piece_type_on

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = PIECES.values()
_K, _Q, _R, _B, _N, _P, _V = b"KQRBNPv"


class PerKind(NamedTuple):
    """A number for each kind of piece."""

    pawns: Word
    knights: Word
    bishops: Word
    rooks: Word
    queens: Word
    kings: Word


@entry(examples=lambda: [(kind, empty_columns(1), SIDES["us"], array_of(U64)) for kind in (Every(), *PIECES.values())])
def of_side(kind: Any, c: Any, side: Any, out: Any) -> None:
    """Write the pieces of a kind and side."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = pieces_of(kind, p) & sided(p, side).own


@entry(examples=lambda: (empty_columns(1), SIDES["us"], array_of(np.uint8)))
def king_squares(c: Any, side: Any, out: Any) -> None:
    """Write the square of a side's king, the lowest if there are several, or 64 if there is none."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = np.uint8(trailing_zeros(p.kings & sided(p, side).own))


@kernel
def counts(p: Any, own: Bits) -> PerKind:
    """Return how many pieces of each kind a side has. `p` is in any form."""
    return PerKind(
        popcount(pieces_of(_PAWN, p) & own),
        popcount(pieces_of(_KNIGHT, p) & own),
        popcount(pieces_of(_BISHOP, p) & own),
        popcount(pieces_of(_ROOK, p) & own),
        popcount(pieces_of(_QUEEN, p) & own),
        popcount(pieces_of(_KING, p) & own),
    )


@entry(examples=lambda: (tuple_of(PerKind, U64(0)), empty_columns(1), SIDES["us"], array_of(np.int32)))
def material(values: Any, c: Any, side: Any, out: Any) -> None:
    """Write the sum of the values of a side's pieces. Values below 0 are words that wrap."""
    for i in range(out.size):
        p = load(c, i)
        n = counts(p, sided(p, side).own)
        total = n.pawns * values.pawns + n.knights * values.knights + n.bishops * values.bishops
        total += n.rooks * values.rooks + n.queens * values.queens
        out[i] = np.int32(np.int64(total))


@kernel
def _write(out: Any, n: Word, letter: Word, count: Word) -> Word:
    """Write a letter so many times from place `n` on, and return the place after the last."""
    for _ in range(count):
        out[n] = np.uint32(letter)
        n += 1
    return n


@kernel
def _write_side(out: Any, n: Word, p: Lane, own: Bits) -> Word:
    """Write the letters of a side's pieces, and return the place after the last."""
    number = counts(p, own)
    n = _write(out, n, _K, number.kings)
    n = _write(out, n, _Q, number.queens)
    n = _write(out, n, _R, number.rooks)
    n = _write(out, n, _B, number.bishops)
    n = _write(out, n, _N, number.knights)
    return _write(out, n, _P, number.pawns)


@entry(examples=lambda: (empty_columns(1), array_of(np.uint32, 2)))
def signatures(c: Any, out: Any) -> None:
    """Write the letters of white's pieces, a ``v`` and those of black's to a row of `out`, and zeros after them."""
    for i in range(out.shape[0]):
        p = load(c, i)
        row = out[i]
        n = _write_side(row, 0, p, p.white)
        n = _write(row, n, _V, 1)
        n = _write_side(row, n, p, occupied_of(p) & ~p.white)
        while n < U64(row.size):
            row[n] = np.uint32(0)
            n += 1


@entry(
    examples=lambda: [
        (kind, empty_columns(1), array_of(np.uint8), SIDES["us"], array_of(U64)) for kind in PIECES.values()
    ]
)
def attacks_from(kind: Any, c: Any, squares: Any, side: Any, out: Any) -> None:
    """Write the squares that a piece would attack from one square of each position, none from square 64."""
    for i in range(out.size):
        p = load(c, i)
        square = U64(squares[i])
        piece = bit(square & 63) if square < 64 else U64(0)
        # The fills expect their generators to be pieces. A piece does not stand in its own way.
        w = slides(~(occupied_of(p) | piece))
        out[i] = attacks_of(kind, w, piece, sided(p, side).black)


@entry(
    examples=lambda: [
        (kind, tuple_of(PerKind, U64(0)), empty_columns(1), SIDES["us"], array_of(U64)) for kind in PIECES.values()
    ]
)
def forks(kind: Any, wanted: Any, c: Any, side: Any, out: Any) -> None:
    """Write the pieces of a kind and side that attack at least the wanted number of the other side's pieces."""
    for i in range(out.size):
        p = load(c, i)
        s = sided(p, side)
        w = slides(~occupied_of(p))
        left = pieces_of(kind, p) & s.own
        found: Bits = 0
        while left:
            piece = isolate_ls1b(left)
            left ^= piece
            n = counts(p, attacks_of(kind, w, piece, s.black) & s.other)
            enough = n.pawns >= wanted.pawns and n.knights >= wanted.knights and n.bishops >= wanted.bishops
            if enough and n.rooks >= wanted.rooks and n.queens >= wanted.queens and n.kings >= wanted.kings:
                found |= piece
        out[i] = found


@entry(examples=lambda: (empty_columns(1), array_of(np.uint16), array_of(np.uint8)))
def moving(c: Any, moves: Any, out: Any) -> None:
    """Write the type of the piece that the move of each position moves, 0 for the null move."""
    for i in range(out.size):
        move = U64(moves[i])
        out[i] = np.uint8(piece_type_on(load(c, i), move & SIX_BITS) if move else 0)


@entry(examples=lambda: (empty_columns(1), array_of(np.uint16), array_of(np.uint8)))
def captured(c: Any, moves: Any, out: Any) -> None:
    """Write the type of the piece that the move of each position captures, or 0.

    Castling, which goes to the square of a rook of its own side, captures nothing.
    """
    for i in range(out.size):
        p, move = load(c, i), U64(moves[i])
        target = (move >> TO_SHIFT) & SIX_BITS
        other = ((p.white ^ ~black_mask(p)) >> target) & 1
        found = piece_type_on(p, target) if other else 0
        found = PAWN if move & KIND_MASK == EN_PASSANT else found
        out[i] = np.uint8(found if move else 0)


@kernel
def _digits(n: PerKind) -> Word:
    """Return the numbers of a side's pieces as a word."""
    word: Word = min(n.kings, U64(MOST))
    word = (word << DIGIT) | min(n.queens, U64(MOST))
    word = (word << DIGIT) | min(n.rooks, U64(MOST))
    word = (word << DIGIT) | min(n.bishops, U64(MOST))
    word = (word << DIGIT) | min(n.knights, U64(MOST))
    return (word << DIGIT) | min(n.pawns, U64(MOST))


@entry(examples=lambda: (empty_columns(1), array_of(U64)))
def words(c: Any, out: Any) -> None:
    """Write the material of each position."""
    for i in range(out.size):
        p = load(c, i)
        white: Bits = p.white
        out[i] = _digits(counts(p, white)) | (_digits(counts(p, occupied_of(p) & ~white)) << SIDE_BITS)


@entry(examples=lambda: (array_of(U64), array_of(U64), array_of(np.int64)))
def weigh(material: Any, weights: Any, out: Any) -> None:
    """Write the sum of the numbers of pieces, each times its weight: 12 weights, which may be negative words."""
    for k in range(out.size):
        i = U64(k)
        m = material[i]
        total: Word = 0
        for kind in range(12):
            total += ((m >> (DIGIT * U64(kind))) & MOST) * weights[U64(kind)]
        out[i] = np.int64(total)
