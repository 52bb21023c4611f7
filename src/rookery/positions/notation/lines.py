"""Compiled code that reads and writes lines of FEN for columns of positions."""

from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import RANK_1
from rookery.kernel import U64, Bits, Word, array_of, entry, kernel, signed
from rookery.positions.kernels.lanes import Lane, load, occupied_of, position, store
from rookery.positions.layout import CHESS960, CLOCK_SHIFT, COUNTER, MARKED, NUMBER_SHIFT, empty_columns
from rookery.positions.notation.text import BLANK_LINE, FEN_ROWS, fen_room
from rookery.rules.compiled import default_technique
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.notation.fen import read_fen
from rookery.rules.notation.fen_reasons import NOT_CLASSICAL
from rookery.rules.notation.fen_words import past_blanks
from rookery.rules.notation.fen_writer import (
    sign_planes,
    signs_of_rank,
    target_next_to_pawn,
    write_counters,
    write_other_fields,
    write_rank,
)
from rookery.rules.position import Position

_NO_POSITION: Final = Lane._make([*[U64(0)] * 8, MARKED | U64(1) << NUMBER_SHIFT])


@entry(
    examples=lambda: (
        array_of(np.uint8, readonly=True),
        array_of(U64),
        empty_columns(1),
        array_of(np.uint8),
        array_of(U64),
        array_of(np.int64),
        U64(0),
        U64(0),
        U64(0),
    )
)
def read_lines(
    text: Any, starts: Any, c: Any, refused: Any, row: Any, report: Any, blank: Any, marks: Any, chess960: Any
) -> Any:
    """Read each line into the next row of the columns, and write to `refused` why it failed (0 if it did not).

    A refused line adds no position unless `marks` is set. If `blank` is set, blank lines are skipped. `chess960` is 0
    to recognise the variant, 1 for Chess960, 2 for classical chess. `row` and `report` are scratch space for one line.
    Return the number of positions.
    """
    n = 0
    for i in range(refused.size):
        start, end = starts[i], starts[i + 1]
        reason = read_fen(text, start, end, row, report, 1, 0)
        if not reason and chess960 == 2 and report[3]:
            reason = NOT_CLASSICAL
        if reason and blank and past_blanks(text, start, end) == end:
            reason = BLANK_LINE
        refused[i] = reason
        if reason:
            if marks and reason != BLANK_LINE:
                store(c, n, _NO_POSITION)
                n += 1
            continue
        state = row[9] | (CHESS960 if report[3] or chess960 == 1 else 0)
        state |= U64(report[0]) << CLOCK_SHIFT | U64(report[1]) << NUMBER_SHIFT
        white = row[6] if row[9] else row[5]
        store(c, n, Lane(row[0], row[1], row[2], row[3], row[4], white, row[7], row[8], state))
        n += 1
    return n


@kernel
def _target(p: Position, style: Word, t: Any) -> Bits:
    """Return the en-passant square in a style: 0 if a capture is legal, 1 always, 2 if a pawn stands next to it."""
    if style == 1:
        return p.en_passant
    if style == 2:
        return target_next_to_pawn(p.pawns, p.us, p.en_passant, p.turn)
    return legal_en_passant_target(p, t)


@entry(
    examples=lambda: (
        fen_room(),
        empty_columns(1),
        array_of(np.uint8),
        array_of(np.int64),
        U64(0),
        U64(0),
        U64(0),
        default_technique().tables(),
    )
)
@signed
def write_fens(room: Any, c: Any, out: Any, offsets: Any, style: Any, shredder: Any, counters: Any, t: Any) -> Any:
    """Write a text for each position, one behind the other, and where each begins; placeholders get an empty one.

    Return the length of all, which is also the last offset. The letters of blocks of positions come first, since that
    loop has no branches: eight positions fill a register.
    """
    n = U64(0)
    for start in range(0, c.state.size, FEN_ROWS):
        size = min(c.state.size - start, FEN_ROWS)
        for i in range(size):
            board = load(c, U64(start) + U64(i))
            planes = sign_planes(board, occupied_of(board), occupied_of(board) & ~board.white)
            for rank in range(8):
                room[U64(rank * FEN_ROWS) + U64(i)] = signs_of_rank(planes, U64(8 * rank))
        for i in range(size):
            lane = load(c, U64(start) + U64(i))
            if not lane.state & MARKED:
                p, occupied = position(lane, t), occupied_of(lane)
                for k in range(8):
                    up = U64(7 - k)
                    n = write_rank(out, n, room[up * U64(FEN_ROWS) + U64(i)], (occupied >> (U64(8) * up)) & RANK_1)
                n = write_other_fields(out, n - U64(1), p, _target(p, style, t), shredder)
                if counters:
                    clock, number = (lane.state >> CLOCK_SHIFT) & COUNTER, (lane.state >> NUMBER_SHIFT) & COUNTER
                    n = write_counters(out, n, clock, number)
            offsets[start + i + 1] = n
    return n
