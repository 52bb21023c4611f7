"""Positions as text: FEN and EPD, written and read, and drawings."""

from typing import Any, Final

import numpy as np

from rookery.bitboards.pieces import EMPTY_SQUARE, PIECES
from rookery.bitboards.placement import SIGNS
from rookery.board.kernels.pieces import piece_on
from rookery.board.kernels.words import CLOCK, MOVE_MADE, NUMBER, RETURNING, position_of
from rookery.kernel import U64
from rookery.native_methods import kinds
from rookery.rules.constants import REPORT
from rookery.rules.faults import playing_faults
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.notation.fen import read_fen
from rookery.rules.notation.fen_writer import ROOM, write_counters, write_fields, write_pieces
from rookery.rules.position import read

_SIGNS: Final = np.array([ord(sign) for sign in f".{SIGNS}"], np.uint8)
# Of an empty square and of pieces: three bytes in UTF-8.
_FIGURES: Final = np.array(
    [list(sign.encode()) for sign in (EMPTY_SQUARE, *(PIECES[sign].unicode_symbol() for sign in SIGNS))], np.uint8
)
_SPACE, _NEW_LINE = b" \n"
_TOO_LONG = 10**10  # for `ROOM`


@kinds.machine_code("board_fen", kinds.ROW, kinds.out_text(ROOM), returns=kinds.TEXT_OF, tables=False)
def board_fen(row: Any, out: Any) -> Any:
    """Write the first field of the FEN."""
    return write_pieces(out, 0, read(row, 0))


@kinds.machine_code("epd", kinds.ROW, kinds.out_text(ROOM), returns=kinds.TEXT_OF)
def epd(row: Any, out: Any, t: Any) -> Any:
    """Write the first four fields of the FEN."""
    p = position_of(row, t)
    return write_fields(out, 0, p, legal_en_passant_target(p, t), 0)


@kinds.machine_code("fen", kinds.ROW, kinds.out_text(ROOM), returns=kinds.TEXT_OF, refuses=True)
def fen(row: Any, out: Any, t: Any) -> Any:
    """Write the FEN, with the en-passant square if a capture there is legal, unless a counter is too long."""
    if row[CLOCK] >= _TOO_LONG or row[NUMBER] >= _TOO_LONG:
        return U64(kinds.REFUSED)
    p = position_of(row, t)
    n = write_fields(out, 0, p, legal_en_passant_target(p, t), 0)
    return write_counters(out, n, row[CLOCK], row[NUMBER])


@kinds.machine_code(
    "set_fen", kinds.TEXT, kinds.OUT_ROW, kinds.out_text(8 * REPORT), returns=kinds.SET_UP, refuses=True
)
def set_fen(text: Any, length: Any, out: Any, space: Any, t: Any) -> Any:
    """Read a FEN of a position that can be played on. Return 1 if it is one of Chess960, else 0."""
    report = space.view(np.int64)
    if read_fen(text, 0, length, out, report, 0, 0):
        return U64(kinds.REFUSED)
    if playing_faults(position_of(out, t), t):
        return U64(kinds.REFUSED)
    out[CLOCK] = report[0]
    out[RETURNING] = 0
    out[NUMBER] = report[1]
    out[MOVE_MADE] = 0
    return U64(report[3])


@kinds.machine_code("unicode", kinds.ROW, kinds.out_text(256), returns=kinds.TEXT_OF, tables=False)
def unicode(row: Any, out: Any) -> Any:
    """Write the board as eight lines of figurines and circles, each of three bytes in UTF-8."""
    n = U64(0)
    for rank in range(8):
        for file in range(8):
            piece = piece_on(row, 8 * (7 - U64(rank)) + U64(file))
            for i in range(3):
                out[n + U64(i)] = _FIGURES[piece, i]
            out[n + 3] = _SPACE if file < 7 else _NEW_LINE
            n += 4
    return n - 1


@kinds.machine_code("drawing", kinds.ROW, kinds.out_text(128), returns=kinds.TEXT_OF, tables=False)
@kinds.machine_code(
    "Board.__str__", kinds.ROW, kinds.out_text(128), returns=kinds.TEXT_OF, tables=False, slot="__str__"
)
def drawing(row: Any, out: Any) -> Any:
    """Write the board as eight lines of letters and dots."""
    n = U64(0)
    for rank in range(8):
        for file in range(8):
            out[n] = _SIGNS[piece_on(row, 8 * (7 - U64(rank)) + U64(file))]
            out[n + 1] = _SPACE if file < 7 else _NEW_LINE
            n += 2
    return n - 1
