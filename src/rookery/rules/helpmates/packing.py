"""A position in four words and the turn: equal words are equal positions, with castling rights and en passant.

Each square has four bits, one in each word: three have the type of its piece, 1 (pawn) to 6 (king), and 7 for a rook
that may castle; the fourth is set for white's pieces, and on an empty square for one that a pawn has just jumped over.
"""

from typing import Any

from rookery.kernel import U64, Bits, Word, kernel
from rookery.rules.position import Position
from rookery.techniques.base.protocol import prepare


@kernel
def packed(p: Position, en_passant: Bits) -> tuple[Word, Word, Word, Word]:
    """Return the four words of a position with this en-passant square, or none."""
    queens = p.diagonals & p.orthogonals
    bishops, rooks = p.diagonals ^ queens, p.orthogonals ^ queens
    # Pawns 1, knights 2, bishops 3, rooks 4, queens 5, kings 6, rooks that may castle 7.
    ones = p.pawns | bishops | queens | p.castling
    twos = p.knights | bishops | p.kings | p.castling
    return ones, twos, rooks | queens | p.kings, (p.them if p.turn else p.us) | en_passant


@kernel
def unpacked(ones: Bits, twos: Bits, fours: Bits, whites: Bits, turn: Word, t: Any) -> Position:
    """Return the position of four words and a turn."""
    castling = ones & twos & fours
    pawns, knights, bishops = ones & ~twos & ~fours, twos & ~ones & ~fours, ones & twos & ~fours
    kings, heavy = twos & fours & ~ones, fours & ~twos
    queens = ones & heavy
    occupied = ones | twos | fours
    white = whites & occupied
    black = occupied ^ white
    us = black if turn else white
    rooks = (heavy ^ queens) | castling
    return Position(
        pawns,
        knights,
        bishops | queens,
        rooks | queens,
        kings,
        us,
        occupied ^ us,
        castling,
        whites & ~occupied,
        U64(turn),
        prepare(occupied, t),
    )
