"""The channels of feature planes, and the bitboards that they are made of.

    v        a position as the side to move sees it, see `rookery.positions.layout`
    s        scratch: a row of `STRIDE` words for each bitboard that channels are made of

Blocks of positions stay in the cache. Only the groups of rows that the channels need are computed, eight positions a
register.
"""

from typing import Final, NamedTuple

import numpy as np

# How rows become a plane: a bitboard gives its 64 squares, a number fills the plane, five rows are the bits of a count.
SQUARES, CLOCK, NUMBER, COUNT = range(4)


class Channel(NamedTuple):
    """A channel: how it is made, and a description."""

    kind: int
    text: str


# The kernels rely on this order: they address the rows of a group relative to its first channel.
CHANNELS: Final = {
    "our_pawns": Channel(SQUARES, "the mover's pawns"),
    "our_knights": Channel(SQUARES, "the mover's knights"),
    "our_bishops": Channel(SQUARES, "the mover's bishops"),
    "our_rooks": Channel(SQUARES, "the mover's rooks"),
    "our_queens": Channel(SQUARES, "the mover's queens"),
    "our_king": Channel(SQUARES, "the mover's king"),
    "their_pawns": Channel(SQUARES, "the other side's pawns"),
    "their_knights": Channel(SQUARES, "the other side's knights"),
    "their_bishops": Channel(SQUARES, "the other side's bishops"),
    "their_rooks": Channel(SQUARES, "the other side's rooks"),
    "their_queens": Channel(SQUARES, "the other side's queens"),
    "their_king": Channel(SQUARES, "the other side's king"),
    "our_kingside": Channel(SQUARES, "1 on all squares while the mover has the right to castle kingside"),
    "our_queenside": Channel(SQUARES, "1 on all squares while the mover has the right to castle queenside"),
    "their_kingside": Channel(SQUARES, "1 on all squares while the other side has the right to castle kingside"),
    "their_queenside": Channel(SQUARES, "1 on all squares while the other side has the right to castle queenside"),
    "en_passant": Channel(SQUARES, "the square that a pawn has just jumped over, whether or not a capture is possible"),
    "halfmove_clock": Channel(CLOCK, "the half-move clock on all squares: at most 255 in bytes, / 100 in floats"),
    "fullmove_number": Channel(NUMBER, "the full-move number on all squares: at most 255 in bytes"),
    "white_to_move": Channel(SQUARES, "1 on all squares if white is to move"),
    "chess960": Channel(SQUARES, "1 on all squares in Chess960"),
    "ones": Channel(SQUARES, "1 on all squares: marks the edge of the board for a convolution"),
    "our_pieces": Channel(SQUARES, "all of the mover's pieces"),
    "their_pieces": Channel(SQUARES, "all of the other side's pieces"),
    "occupied": Channel(SQUARES, "all pieces"),
    "empty": Channel(SQUARES, "all empty squares"),
    "our_attacks": Channel(SQUARES, "the squares that the mover attacks, including those of defended pieces"),
    "our_pawn_attacks": Channel(SQUARES, "the squares that the mover's pawns attack"),
    "our_knight_attacks": Channel(SQUARES, "the squares that the mover's knights attack"),
    "our_bishop_attacks": Channel(SQUARES, "the squares that the mover's bishops attack"),
    "our_rook_attacks": Channel(SQUARES, "the squares that the mover's rooks attack"),
    "our_queen_attacks": Channel(SQUARES, "the squares that the mover's queens attack"),
    "our_king_attacks": Channel(SQUARES, "the squares that the mover's king attacks"),
    "their_attacks": Channel(SQUARES, "the squares that the other side attacks"),
    "their_pawn_attacks": Channel(SQUARES, "the squares that the other side's pawns attack"),
    "their_knight_attacks": Channel(SQUARES, "the squares that the other side's knights attack"),
    "their_bishop_attacks": Channel(SQUARES, "the squares that the other side's bishops attack"),
    "their_rook_attacks": Channel(SQUARES, "the squares that the other side's rooks attack"),
    "their_queen_attacks": Channel(SQUARES, "the squares that the other side's queens attack"),
    "their_king_attacks": Channel(SQUARES, "the squares that the other side's king attacks"),
    "our_xrays": Channel(SQUARES, "the squares that the mover's sliders attack beyond the first piece"),
    "our_attack_counts": Channel(COUNT, "how many of the mover's pieces attack the square, 0 to 16"),
    "their_xrays": Channel(SQUARES, "the squares that the other side's sliders attack beyond the first piece"),
    "their_attack_counts": Channel(COUNT, "how many of the other side's pieces attack the square, 0 to 16"),
    "our_pinned": Channel(SQUARES, "the mover's pieces that are pinned to their king"),
    "their_pinned": Channel(SQUARES, "the other side's pieces that are pinned to their king"),
    "checkers": Channel(SQUARES, "the pieces that give check to the mover"),
    "king_danger": Channel(SQUARES, "the squares that the other side attacks once the mover's king is off the board"),
    "legal_targets": Channel(SQUARES, "the target squares of legal moves; castling goes where the king does"),
}
DEFAULT: Final = tuple(CHANNELS)[:18]

COUNT_BITS: Final = 5
_HEIGHTS: Final = [COUNT_BITS if channel.kind == COUNT else 1 for channel in CHANNELS.values()]
ROWS: Final = dict(zip(CHANNELS, np.cumsum([0, *_HEIGHTS[:-1]]).tolist(), strict=True))
ALL_ROWS: Final = sum(_HEIGHTS)

# Positions in a block and words in a row: rows a power of two apart would alias in the cache.
BLOCK: Final = 128
STRIDE: Final = BLOCK + 8

# Groups of rows that are computed together, named by their first channel.
GROUPS: Final = ("our_attacks", "our_xrays", "our_pinned", "legal_targets")
ATTACKS, LINES, KINGS, LEGAL = (1 << i for i in range(len(GROUPS)))
