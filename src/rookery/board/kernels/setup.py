"""Changed positions: mirrored, with another piece on a square, with the other side to move; and faults."""

from typing import Any

from rookery.bitboards.bits import bit
from rookery.bitboards.machine_code import PIECE_OF_LETTER
from rookery.board.kernels.words import CLOCK, MOVE_MADE, NUMBER, RETURNING, position_of
from rookery.kernel import U64, byteswap, kernel
from rookery.native_methods import kinds
from rookery.rules.faults import faults_of, possible_castling, possible_en_passant
from rookery.rules.position import read

_BLACK_PAWN = 7
_BOARDS = (0, 0b1, 0b10, 0b100, 0b1000, 0b1100, 0b10000)  # by type: which of the words 0 to 4 a piece is on, a bit each


@kinds.machine_code("_faults", kinds.ROW, returns=kinds.INT)
def faults(row: Any, t: Any) -> Any:
    """Return the mask of all faults, see `rookery.rules.faults`."""
    return faults_of(position_of(row, t), t)


@kinds.machine_code("is_valid", kinds.ROW, returns=kinds.BOOL)
def is_valid(row: Any, t: Any) -> Any:
    """Return 1 if the position has no fault, else 0."""
    return U64(0) if faults_of(position_of(row, t), t) else U64(1)


@kinds.machine_code("mirror", kinds.ROW, kinds.OUT_ROW, returns=kinds.NEW_BOARD, tables=False)
def mirror(row: Any, out: Any) -> Any:
    """Write the row with colours and ranks swapped, to which no move has led."""
    for i in range(9):
        out[i] = byteswap(row[i])
    out[9] = row[9] ^ 1
    out[CLOCK] = row[CLOCK]
    out[RETURNING] = 0
    out[NUMBER] = row[NUMBER]
    out[MOVE_MADE] = 0
    return U64(0)


@kernel
def keep_counters(row: Any, out: Any) -> None:
    """Copy what follows a position in a row, without the last move."""
    for i in range(9, MOVE_MADE):
        out[i] = row[i]
    out[MOVE_MADE] = 0


@kernel
def drop_rights(row: Any) -> None:
    """Drop the castling rights and the en-passant square that the pieces rule out."""
    p = read(row, 0)
    row[7] = possible_castling(p)
    row[8] = possible_en_passant(p)


@kinds.machine_code("_with_possible_rights", kinds.ROW, kinds.OUT_ROW, returns=kinds.PLACE, tables=False)
def with_possible_rights(row: Any, out: Any) -> Any:
    """Write the row without the castling rights and the en-passant square that the pieces rule out."""
    for i in range(MOVE_MADE + 1):
        out[i] = row[i]
    drop_rights(out)
    return U64(0)


@kinds.machine_code(
    "set_piece_at", kinds.ROW, kinds.SQUARE, kinds.PIECE, kinds.OUT_ROW, returns=kinds.PLACE, refuses=True, tables=False
)
def set_piece_at(row: Any, square: Any, letter: Any, out: Any) -> Any:
    """Write the row with another piece on a square, and without the rights that this rules out.

    `letter` is 0 for none.
    """
    piece = U64(PIECE_OF_LETTER[letter & 0x7F])
    if letter and not piece:
        return U64(kinds.REFUSED)
    keep_counters(row, out)
    place = bit(square)
    black = piece >= _BLACK_PAWN
    boards = _BOARDS[piece - 6 if black else piece]
    for i in range(7):
        out[i] = row[i] & ~place
    out[7] = row[7]
    out[8] = row[8]
    for i in range(5):
        out[i] |= place if (boards >> i) & 1 else 0
    if piece:
        out[5 if black == row[9] else 6] |= place
    drop_rights(out)
    return U64(0)
