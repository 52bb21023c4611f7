"""The kernels behind native functions of squares, pieces and bitboards: see `rookery.kernel.native`."""

from typing import Any

import numpy as np

from rookery.bitboards.pieces import PIECES
from rookery.kernel import U64, popcount, trailing_zeros
from rookery.native_methods.kinds import (
    BITBOARD,
    BITBOARD_ARGUMENT,
    BOOL,
    COLOUR,
    FILL_SET,
    INT,
    NEW_SET,
    PIECE,
    PIECE_TYPE,
    REFUSED,
    SELF_BITBOARD,
    SELF_LETTER,
    SELF_SET,
    SET,
    SQUARE,
    SQUARE_ITERATOR,
    TEXT,
    class_itself,
    item,
    machine_code,
    or_object,
    out_text,
    small,
)

_FILE_OR_RANK = small(7)
_A, _DIGIT_1 = ord("a"), ord("1")

# Squares.


@machine_code("square", _FILE_OR_RANK, _FILE_OR_RANK, returns=INT, tables=False, static=True)
def square(file: Any, rank: Any) -> Any:
    """Return the square of a file and a rank."""
    return rank << 3 | file


@machine_code("square_file", SQUARE, returns=INT, tables=False, static=True)
def square_file(square: Any) -> Any:
    """Return the file of a square."""
    return square & 7


@machine_code("square_rank", SQUARE, returns=INT, tables=False, static=True)
def square_rank(square: Any) -> Any:
    """Return the rank of a square."""
    return square >> 3


@machine_code("square_mirror", SQUARE, returns=INT, tables=False, static=True)
def square_mirror(square: Any) -> Any:
    """Return the square on the other side of the board's middle."""
    return square ^ 56


@machine_code("square_name", SQUARE, returns=item("names of squares"), tables=False, static=True)
def square_name(square: Any) -> Any:
    """Return the index of a square's name."""
    return square


@machine_code("square_distance", SQUARE, SQUARE, returns=INT, tables=False, static=True)
def square_distance(a: Any, b: Any) -> Any:
    """Return the number of a king's moves between two squares."""
    files, other_files, ranks, other_ranks = a & 7, b & 7, a >> 3, b >> 3
    wide = files - other_files if files > other_files else other_files - files
    high = ranks - other_ranks if ranks > other_ranks else other_ranks - ranks
    return wide if wide > high else high


@machine_code("square_manhattan_distance", SQUARE, SQUARE, returns=INT, tables=False, static=True)
def square_manhattan_distance(a: Any, b: Any) -> Any:
    """Return the number of a rook's steps between two squares."""
    files, other_files, ranks, other_ranks = a & 7, b & 7, a >> 3, b >> 3
    wide = files - other_files if files > other_files else other_files - files
    return wide + (ranks - other_ranks if ranks > other_ranks else other_ranks - ranks)


@machine_code("parse_square", TEXT, returns=INT, refuses=True, tables=False, static=True)
def parse_square(text: Any, length: Any) -> Any:
    """Return the square of a name."""
    if length != 2:
        return REFUSED
    file, rank = text[0] - _A, text[1] - _DIGIT_1
    return rank << 3 | file if file <= 7 and rank <= 7 else REFUSED


# Pieces.

# By letter: 1 to 6 White's pawn to king, 7 to 12 Black's, 0 for what is no letter of a piece.
PIECE_OF_LETTER = np.zeros(128, np.uint8)
PIECE_OF_LETTER[[ord(letter) for letter in PIECES]] = np.arange(1, 13)


@machine_code("Piece.from_symbol", class_itself("Piece"), PIECE, returns=item("pieces"), refuses=True, tables=False)
def from_symbol(letter: Any) -> Any:
    """Return the index of the piece with a letter."""
    index = U64(PIECE_OF_LETTER[letter & 0x7F])
    return index if index else U64(REFUSED)


@machine_code("Piece.symbol", SELF_LETTER, returns=item("letters of pieces"), tables=False)
def symbol(letter: Any) -> Any:
    """Return the index of a piece's letter."""
    return U64(PIECE_OF_LETTER[letter & 0x7F])


@machine_code("piece_symbol", PIECE_TYPE, returns=item("letters by type"), tables=False, static=True)
def piece_symbol(piece_type: Any) -> Any:
    """Return the index of a type's letter."""
    return piece_type


@machine_code("piece_name", PIECE_TYPE, returns=item("names by type"), tables=False, static=True)
def piece_name(piece_type: Any) -> Any:
    """Return the index of a type's name."""
    return piece_type


@machine_code("Piece()", class_itself("Piece"), PIECE_TYPE, COLOUR, returns=item("pieces"), tables=False)
def new_piece(piece_type: Any, white: Any) -> Any:
    """Return the index of a piece: white ones from 1 on, black ones from 7 on."""
    return piece_type if white else piece_type + 6


# Bitboards and sets of squares.


@machine_code(
    "Bitboard()", class_itself("Bitboard"), or_object(BITBOARD_ARGUMENT, "zero"), returns=BITBOARD, tables=False
)
@machine_code("SquareSet()", class_itself("SquareSet"), or_object(SET, "zero"), returns=NEW_SET, tables=False)
def new_board(board: Any) -> Any:
    """Return the word of a board."""
    return board


@machine_code("SquareSet.__len__", SELF_SET, returns=INT, tables=False, slot="__len__")
def length(board: Any) -> Any:
    """Count the squares of a board."""
    return popcount(board)


@machine_code("SquareSet.__iter__", SELF_SET, out_text(64), returns=SQUARE_ITERATOR, tables=False, slot="__iter__")
@machine_code("Bitboard.__iter__", SELF_BITBOARD, out_text(64), returns=SQUARE_ITERATOR, tables=False, slot="__iter__")
def squares(board: Any, out: Any) -> Any:
    """Write the squares of a board, lowest first."""
    n = popcount(board)
    for i in range(n):
        out[i] = trailing_zeros(board)
        board &= board - 1
    return n


@machine_code("SquareSet.__contains__", SELF_SET, SQUARE, returns=BOOL, tables=False, slot="__contains__")
@machine_code("Bitboard.__contains__", SELF_BITBOARD, SQUARE, returns=BOOL, tables=False, slot="__contains__")
def contains(board: Any, square: Any) -> Any:
    """Check whether a square is on a board."""
    return (board >> square) & 1


@machine_code("Bitboard.__and__", SELF_BITBOARD, BITBOARD_ARGUMENT, returns=BITBOARD, tables=False)
@machine_code("SquareSet.__and__", SELF_SET, SET, returns=NEW_SET, tables=False, slot="__and__")
def intersection(board: Any, other: Any) -> Any:
    """Return the squares on both boards."""
    return board & other


@machine_code("Bitboard.__or__", SELF_BITBOARD, BITBOARD_ARGUMENT, returns=BITBOARD, tables=False)
@machine_code("SquareSet.__or__", SELF_SET, SET, returns=NEW_SET, tables=False, slot="__or__")
def union(board: Any, other: Any) -> Any:
    """Return the squares on either board."""
    return board | other


@machine_code("Bitboard.__xor__", SELF_BITBOARD, BITBOARD_ARGUMENT, returns=BITBOARD, tables=False)
@machine_code("SquareSet.__xor__", SELF_SET, SET, returns=NEW_SET, tables=False, slot="__xor__")
def difference(board: Any, other: Any) -> Any:
    """Return the squares on one board alone."""
    return board ^ other


@machine_code("Bitboard.__invert__", SELF_BITBOARD, returns=BITBOARD, tables=False, slot="__invert__")
@machine_code("SquareSet.__invert__", SELF_SET, returns=NEW_SET, tables=False, slot="__invert__")
def complement(board: Any) -> Any:
    """Return the squares that are not on a board."""
    return ~board


@machine_code("SquareSet.__init__", SELF_SET, or_object(SET, "zero"), returns=FILL_SET, tables=False)
def fill_set(_: Any, board: Any) -> Any:
    """Return the board of a set."""
    return board


@machine_code("SquareSet.__sub__", SELF_SET, SET, returns=NEW_SET, tables=False, slot="__sub__")
def without(board: Any, other: Any) -> Any:
    """Return the squares on the first board and not on the second."""
    return board & ~other


@machine_code("SquareSet.__bool__", SELF_SET, returns=BOOL, tables=False, slot="__bool__")
def has_squares(board: Any) -> Any:
    """Return a number other than 0 if a board has squares."""
    return board


@machine_code("SquareSet.add", SELF_SET, SQUARE, returns=FILL_SET, tables=False)
def with_square(board: Any, square: Any) -> Any:
    """Return a board with a square."""
    return board | 1 << square


@machine_code("SquareSet.discard", SELF_SET, SQUARE, returns=FILL_SET, tables=False)
def without_square(board: Any, square: Any) -> Any:
    """Return a board without a square."""
    return board & ~(1 << square)
