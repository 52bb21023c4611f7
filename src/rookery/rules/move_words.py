"""The words of 16 bits that stand for moves: from 0-5, to 6-11, what a pawn becomes 12-13, kind 14-15."""

# A move is 16 bits: from 0-5, to 6-11, what a pawn becomes 12-13, kind 14-15. Castling is king takes own rook.
KIND_MASK = 3 << 14
PROMOTION, EN_PASSANT, CASTLING = 1 << 14, 2 << 14, 3 << 14
TO_SHIFT, BECOMES_SHIFT = 6, 12
KNIGHT, BISHOP, ROOK, QUEEN = 0, 1, 2, 3  # what a pawn becomes
SIX_BITS = 63
