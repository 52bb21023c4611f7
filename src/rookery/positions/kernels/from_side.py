"""Positions as one of the sides sees them, whoever is to move: the kernels of motifs then serve both colours."""

from typing import Any

from rookery.kernel import Bits, Word, kernel
from rookery.positions.kernels.lanes import load, occupied_of, turned, turned_pieces
from rookery.positions.layout import Columns
from rookery.rules.position import Position
from rookery.techniques.base.protocol import prepare


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
