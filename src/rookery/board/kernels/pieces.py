"""Pieces, castling rights and counters."""

from typing import Any

from rookery.bitboards.bits import isolate_ls1b, reset_ls1b
from rookery.board.kernels.words import CLOCK, NUMBER, side_of, type_on
from rookery.kernel import U64, Bits, Square, Word, kernel, leading_zeros, trailing_zeros
from rookery.native_methods import kinds

_KINDS = 6
_CORNERS = 1 << 0 | 1 << 7 | 1 << 56 | 1 << 63
_E1_AND_E8 = 1 << 4 | 1 << 60
_KNIGHT, _BISHOP, _QUEEN, _KING = 2, 3, 5, 6


@kernel
def is_black_on(row: Any, sq: Square) -> Word:
    """Return 1 if the piece on a square is Black's, else 0."""
    return ((row[5] >> sq) ^ row[9] ^ 1) & 1


@kernel
def piece_on(row: Any, sq: Square) -> Word:
    """Return the number of the piece on a square: 1 to 6 White's pawn to king, 7 to 12 Black's, 0 if it is empty."""
    kind = type_on(row, sq)
    return kind + (_KINDS if is_black_on(row, sq) and kind else U64(0))


@kinds.machine_code("piece_at", kinds.ROW, kinds.SQUARE, returns=kinds.item("pieces"), tables=False)
def piece_at(row: Any, square: Any) -> Any:
    """Return the number of the piece on a square, see `piece_on`."""
    return piece_on(row, square)


@kinds.machine_code("piece_type_at", kinds.ROW, kinds.SQUARE, returns=kinds.item("piece types"), tables=False)
@kinds.machine_code("kind_at", kinds.ROW, kinds.SQUARE, returns=kinds.item("letters of types"), tables=False)
def piece_type_at(row: Any, square: Any) -> Any:
    """Return the type of the piece on a square, 1 to 6, or 0."""
    return type_on(row, square)


@kinds.machine_code("color_at", kinds.ROW, kinds.SQUARE, returns=kinds.item("colours"), tables=False)
def color_at(row: Any, square: Any) -> Any:
    """Return 1 for a white piece on a square, 2 for a black one, 0 if it is empty."""
    return U64(1) + is_black_on(row, square) if ((row[5] | row[6]) >> square) & 1 else U64(0)


@kinds.machine_code("piece_map", kinds.ROW, kinds.out_text(128), returns=kinds.PIECE_MAP, tables=False)
def piece_map(row: Any, out: Any) -> Any:
    """Write the square and the number of each piece, lowest square first, and return how many there are."""
    left = row[5] | row[6]
    n = U64(0)
    while left:
        sq = trailing_zeros(left)
        out[2 * n] = sq
        out[2 * n + 1] = piece_on(row, sq)
        n += 1
        left = reset_ls1b(left)
    return n


# Sets of pieces.


@kernel
def of_type(row: Any, kind: Word) -> Bits:
    """Return the pieces of a type, 1 to 6, of both sides."""
    if kind <= _KNIGHT:
        return row[kind - 1]
    if kind == _KING:
        return row[4]
    if kind == _QUEEN:
        return row[2] & row[3]
    return row[2] & ~row[3] if kind == _BISHOP else row[3] & ~row[2]


@kinds.machine_code("pieces", kinds.ROW, kinds.PIECE_TYPE, kinds.COLOUR, returns=kinds.BITBOARD, tables=False)
def pieces(row: Any, kind: Any, white: Any) -> Any:
    """Return the pieces of a type and a colour."""
    return of_type(row, kind) & side_of(row, white)


@kinds.machine_code("pieces_of", kinds.ROW, kinds.COLOUR, returns=kinds.BITBOARD, tables=False)
def pieces_of(row: Any, white: Any) -> Any:
    """Return all pieces of a colour."""
    return side_of(row, white)


@kinds.machine_code("pawns", kinds.ROW, returns=kinds.BITBOARD, tables=False, getter=True)
def pawns(row: Any) -> Any:
    """Return the pawns of both sides."""
    return row[0]


@kinds.machine_code("knights", kinds.ROW, returns=kinds.BITBOARD, tables=False, getter=True)
def knights(row: Any) -> Any:
    """Return the knights of both sides."""
    return row[1]


@kinds.machine_code("bishops", kinds.ROW, returns=kinds.BITBOARD, tables=False, getter=True)
def bishops(row: Any) -> Any:
    """Return the bishops of both sides."""
    return row[2] & ~row[3]


@kinds.machine_code("rooks", kinds.ROW, returns=kinds.BITBOARD, tables=False, getter=True)
def rooks(row: Any) -> Any:
    """Return the rooks of both sides."""
    return row[3] & ~row[2]


@kinds.machine_code("queens", kinds.ROW, returns=kinds.BITBOARD, tables=False, getter=True)
def queens(row: Any) -> Any:
    """Return the queens of both sides."""
    return row[2] & row[3]


@kinds.machine_code("kings", kinds.ROW, returns=kinds.BITBOARD, tables=False, getter=True)
def kings(row: Any) -> Any:
    """Return the kings of both sides."""
    return row[4]


@kinds.machine_code("occupied", kinds.ROW, returns=kinds.BITBOARD, tables=False, getter=True)
def occupied(row: Any) -> Any:
    """Return all pieces."""
    return row[5] | row[6]


@kinds.machine_code("king", kinds.ROW, kinds.COLOUR, returns=kinds.SQUARE_OR_NONE, tables=False)
def king(row: Any, white: Any) -> Any:
    """Return the square of a colour's king, the lowest of several, or 64."""
    return trailing_zeros(row[4] & side_of(row, white))


# Whose move it is, and what may still be done.


@kinds.machine_code("turn", kinds.ROW, returns=kinds.BOOL, tables=False, getter=True)
def turn(row: Any) -> Any:
    """Return 1 if White is to move, else 0."""
    return row[9] ^ 1


@kinds.machine_code("halfmove_clock", kinds.ROW, returns=kinds.INT, tables=False, getter=True)
def halfmove_clock(row: Any) -> Any:
    """Return the halfmove clock."""
    return row[CLOCK]


@kinds.machine_code("fullmove_number", kinds.ROW, returns=kinds.INT, tables=False, getter=True)
def fullmove_number(row: Any) -> Any:
    """Return the number of the next move."""
    return row[NUMBER]


@kinds.machine_code("ply", kinds.ROW, returns=kinds.INT, tables=False)
def ply(row: Any) -> Any:
    """Return the number of plies played, according to the counters."""
    return 2 * (row[NUMBER] - 1) + row[9]


@kinds.machine_code("ep_square", kinds.ROW, returns=kinds.SQUARE_OR_NONE, tables=False, getter=True)
def ep_square(row: Any) -> Any:
    """Return the en-passant square, or 64."""
    return 63 - leading_zeros(row[8]) if row[8] else U64(64)


@kinds.machine_code("castling_rights", kinds.ROW, returns=kinds.BITBOARD, tables=False, getter=True)
def castling_rights(row: Any) -> Any:
    """Return the rooks that may still castle."""
    return row[7]


@kernel
def castling_rooks_beside(row: Any, white: Word, right: Word) -> Bits:
    """Return the rooks that may still castle to the left of their king, or to its right."""
    side = side_of(row, white)
    own = isolate_ls1b(row[4] & side)
    below = own - 1 if own else U64(0)
    beside = ~below if right and own else below
    return row[7] & side & beside


@kinds.machine_code("has_kingside_castling_rights", kinds.ROW, kinds.COLOUR, returns=kinds.BOOL, tables=False)
def has_kingside_castling_rights(row: Any, white: Any) -> Any:
    """Return 1 if a colour may still castle with a rook to the right of its king, else 0."""
    return U64(1) if castling_rooks_beside(row, white, 1) else U64(0)


@kinds.machine_code("has_queenside_castling_rights", kinds.ROW, kinds.COLOUR, returns=kinds.BOOL, tables=False)
def has_queenside_castling_rights(row: Any, white: Any) -> Any:
    """Return 1 if a colour may still castle with a rook to the left of its king, else 0."""
    return U64(1) if castling_rooks_beside(row, white, 0) else U64(0)


@kinds.machine_code("has_castling_rights", kinds.ROW, kinds.COLOUR, returns=kinds.BOOL, tables=False)
def has_castling_rights(row: Any, white: Any) -> Any:
    """Return 1 if a colour may still castle, else 0."""
    side = side_of(row, white)
    return U64(1) if row[7] & side and row[4] & side else U64(0)


@kinds.machine_code("has_chess960_castling_rights", kinds.ROW, returns=kinds.BOOL, tables=False)
def has_chess960_castling_rights(row: Any) -> Any:
    """Return 1 if a rook off the corners, or a king off e1 and e8, may castle, else 0."""
    found = row[7] & ~U64(_CORNERS)
    homes = row[4] & _E1_AND_E8
    strays = (row[7] & row[5] and not homes & row[5]) or (row[7] & row[6] and not homes & row[6])
    return U64(1) if found or strays else U64(0)
