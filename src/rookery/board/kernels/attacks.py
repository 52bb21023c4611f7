"""Attacks, pins and exchanges."""

from typing import Any

import numpy as np

from rookery.bitboards.bits import bit
from rookery.board.kernels.words import legal_word, position_of, side_of
from rookery.kernel import U64, UNIVERSE, Bits, Square, Word, kernel, trailing_zeros
from rookery.native_methods import kinds
from rookery.rules.attack_tables import EMPTY_BISHOP, EMPTY_ROOK
from rookery.rules.exchange import legal_exchange, swapped_off
from rookery.rules.exchange_search import SPACE_BYTES, space_in
from rookery.rules.generate import attackers_of
from rookery.rules.position import passed
from rookery.rules.sliders import attacks_from, line_through, pin_rays
from rookery.techniques.base.protocol import prepare


@kernel
def attackers_through(row: Any, white: Word, sq: Square, occupied: Bits, t: Any) -> Bits:
    """Return the pieces of a colour that attack a square, where `occupied` blocks sliders."""
    p = position_of(row, t)
    if white != p.turn:  # the question is about the side to move
        p = passed(p)
    return attackers_of(p, sq, prepare(occupied, t), t)


@kinds.machine_code("attackers", kinds.ROW, kinds.COLOUR, kinds.SQUARE, returns=kinds.BITBOARD)
def attackers(row: Any, white: Any, square: Any, t: Any) -> Any:
    """Return the pieces of a colour that attack a square."""
    return attackers_through(row, white, square, row[5] | row[6], t)


@kinds.machine_code(
    "attackers_if_occupied", kinds.ROW, kinds.COLOUR, kinds.SQUARE, kinds.BITBOARD_ARGUMENT, returns=kinds.BITBOARD
)
def attackers_if_occupied(row: Any, white: Any, square: Any, occupied: Any, t: Any) -> Any:
    """Return the pieces of a colour that attack a square, where `occupied` blocks sliders."""
    return attackers_through(row, white, square, occupied, t)


@kinds.machine_code("is_attacked_by", kinds.ROW, kinds.COLOUR, kinds.SQUARE, returns=kinds.BOOL)
def is_attacked_by(row: Any, white: Any, square: Any, t: Any) -> Any:
    """Return 1 if a piece of a colour attacks a square, else 0."""
    return U64(1) if attackers_through(row, white, square, row[5] | row[6], t) else U64(0)


@kinds.machine_code("attacks", kinds.ROW, kinds.SQUARE, returns=kinds.BITBOARD)
def attacks(row: Any, square: Any, t: Any) -> Any:
    """Return the squares that the piece on a square attacks; none if the square is empty."""
    return attacks_from(position_of(row, t), square, t)


# Pins.


@kernel
def pin_line(row: Any, white: Word, sq: Square) -> Bits:
    """Return the line, edge to edge, on which a colour's piece on a square is pinned to its king, or an empty board."""
    us = side_of(row, white)
    occupied = row[5] | row[6]
    king, piece = row[4] & us, bit(sq) & us
    if not king or not piece:
        return 0
    k = trailing_zeros(king)
    snipers = row[3] & EMPTY_ROOK[k] if EMPTY_ROOK[k] & piece else row[2] & EMPTY_BISHOP[k]
    rays = pin_rays(snipers & (occupied ^ us), k, us, occupied)
    return line_through(k, sq) if rays & piece else 0


@kinds.machine_code("is_pinned", kinds.ROW, kinds.COLOUR, kinds.SQUARE, returns=kinds.BOOL, tables=False)
def is_pinned(row: Any, white: Any, square: Any) -> Any:
    """Return 1 if a piece of a colour stands on a square and is pinned to its king, else 0."""
    return U64(1) if pin_line(row, white, square) else U64(0)


@kinds.machine_code("pin", kinds.ROW, kinds.COLOUR, kinds.SQUARE, returns=kinds.BITBOARD, tables=False)
def pin(row: Any, white: Any, square: Any) -> Any:
    """Return the line to which a pin confines a colour's piece on a square, or all squares."""
    line = pin_line(row, white, square)
    return line if line else U64(UNIVERSE)


# Exchanges. An evaluation is a multiple of ten, so -1, which is `REFUSED`, is none.


@kinds.machine_code("see", kinds.ROW, kinds.MOVE, kinds.out_text(SPACE_BYTES), returns=kinds.SIGNED, refuses=True)
def see(row: Any, move: Any, memory: Any, t: Any) -> Any:
    """Return the static exchange evaluation of a legal move by legal captures."""
    p = position_of(row, t)
    word = legal_word(p, move, t) if move else U64(0)
    return legal_exchange(p, word, space_in(memory), t) if word else np.int64(-1)


@kinds.machine_code(
    "pseudo_legal_see", kinds.ROW, kinds.MOVE, kinds.out_text(SPACE_BYTES), returns=kinds.SIGNED, refuses=True
)
def pseudo_legal_see(row: Any, move: Any, memory: Any, t: Any) -> Any:
    """Return the static exchange evaluation of a legal move by the swap algorithm."""
    p = position_of(row, t)
    word = legal_word(p, move, t) if move else U64(0)
    return swapped_off(p, word, space_in(memory).gains, t) if word else np.int64(-1)
