"""Positions from lines of FEN or EPD, and back: the compiled reader and writer, over many lines.

A text is one array of bytes; line `i` begins at byte ``starts[i]`` and ends where the next one begins, its newline,
which is a blank like others, included.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.arguments import flag, shown
from rookery.kernel import U64, Bits, Word, entry, kernel
from rookery.positions.layout import (
    CHESS960,
    CLOCK_SHIFT,
    COUNTER,
    MARKED,
    NUMBER_SHIFT,
    Columns,
    Lane,
    empty_columns,
    load,
    position,
    store,
)
from rookery.positions.sources import Lines
from rookery.positions.threads import each_in_threads, part_of, spans
from rookery.rules.compiled import default_technique
from rookery.rules.fen import REPORT, parse_fen, past_blanks, read_fen
from rookery.rules.fen_reasons import NOT_CLASSICAL
from rookery.rules.fen_writer import ROOM, target_beside_a_pawn, write_counters, write_fields
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.position import WORDS, Position
from rookery.typing import EnPassant, FenErrors

_NEWLINE: Final = 10
_TWO: Final = 2
_NOTHING: Final = 255  # instead of a reason: a blank line of a text
_NO_POSITION: Final = Lane._make([*[U64(0)] * 8, MARKED | U64(1) << NUMBER_SHIFT])
_HOW: Final = {"legal": U64(0), "fen": U64(1), "xfen": _TWO}
_LINE: Final = 16  # words: two lines of the cache, which are fetched together
_SLICE: Final = 1 << 20  # lines read between two looks for Ctrl-C: about 0.1 s
_BLOCK: Final = 16384  # positions written at once: 2 MiB of text, and little of it touched


class BadLine(NamedTuple):
    """A line that is no position: its number, from 1, its text (None where an element of a list is none: None, NaN or
    null), and the kind of chess that was asked for.
    """

    line: int
    text: str | None
    chess960: bool | None = None

    @property
    def reason(self) -> str:
        """What is wrong with it: it is read once more to learn that."""
        if self.text is None:
            return "missing: expected text"
        try:
            parse_fen(self.text, self.chess960, epd=True)
        except ValueError as error:
            return str(error)
        raise AssertionError(f"{shown(self.text)}: refused among other lines and not alone")

    def __str__(self) -> str:
        reason = self.reason
        text = "" if self.text is None or shown(self.text) in reason else f", in {shown(self.text)}"
        return f"line {self.line}: {reason}{text}"


@entry
def read_lines(
    text: Any, starts: Any, c: Any, refused: Any, row: Any, report: Any, blank: Any, marks: Any, chess960: Any
) -> Any:
    """Read every line into the columns, one after the other, and say in `refused` why one is no position (0 if it is).

    Of a refused line nothing is kept, unless `marks` is set; with `blank` a blank line is none at all. `chess960`: 0
    as recognised, 1 yes, 2 no. `row` and `report` are room for one line. Returns the number of positions.
    """
    n = 0
    for i in range(refused.size):
        start, end = starts[i], starts[i + 1]
        reason = read_fen(text, start, end, row, report, 1, 0)
        if not reason and chess960 == 2 and report[3]:
            reason = U64(NOT_CLASSICAL)
        if reason and blank and past_blanks(text, start, end) == end:
            reason = _NOTHING
        refused[i] = reason
        if reason:
            if marks and reason != _NOTHING:
                store(c, n, _NO_POSITION)
                n += 1
            continue
        state = row[9] | (CHESS960 if report[3] or chess960 == 1 else 0)
        state |= U64(report[0]) << CLOCK_SHIFT | U64(report[1]) << NUMBER_SHIFT
        white = row[6] if row[9] else row[5]
        store(c, n, Lane(row[0], row[1], row[2], row[3], row[4], white, row[7], row[8], state))
        n += 1
    return n


def check_reading(chess960: Any, errors: Any) -> None:
    """Refuse what is no way of reading."""
    if not isinstance(errors, str) or errors not in ("raise", "skip", "mark"):
        raise ValueError(f"errors: {shown(errors)}: expected 'raise', 'skip' or 'mark'")
    if chess960 is not None and not isinstance(chess960, bool):
        raise TypeError(f"chess960: {shown(chess960)}: expected True, False or None")


def read(
    lines: Lines, chess960: bool | None, errors: FenErrors, threads: int, before: int = 0
) -> tuple[Columns, tuple[BadLine, ...]]:
    """The positions of lines, and the lines that are none; `before` so many lines have been read before."""
    n = lines.number
    columns, refused = empty_columns(n), np.empty(n, np.uint8)
    asked = U64(0) if chess960 is None else U64(1) if chess960 else _TWO
    blank, marks = U64(not lines.each), U64(errors == "mark")

    def work(piece: tuple[int, int]) -> int:
        part, why = part_of(columns, *piece, n), refused[slice(*piece)]
        starts = lines.starts[piece[0] : piece[1] + 1]
        # Written at every character: in one line of the cache with another thread's, two threads were slower than one.
        row, report = np.zeros(3 * _LINE, np.uint64)[_LINE:][:WORDS], np.zeros(3 * _LINE, np.int64)[_LINE:][:REPORT]
        return int(read_lines(lines.text, starts, part, why, row, report, blank, marks, asked))

    pieces = spans(n, threads, most=_SLICE)
    read_ = list(each_in_threads(work, pieces, threads))
    bad = np.flatnonzero((refused != 0) & (refused != _NOTHING))
    if errors == "raise":
        bad = bad[:1]
    faults = tuple(BadLine(before + i + 1, lines.line(i), chess960) for i in bad.tolist())
    if faults and errors == "raise":
        raise ValueError(str(faults[0]))
    return _closed_up(columns, pieces, read_), faults


def _closed_up(columns: Columns, pieces: list[tuple[int, int]], read_: list[int]) -> Columns:
    """Columns whose pieces are filled from their beginnings only, without the gaps."""
    n = 0
    for (start, _), filled in zip(pieces, read_, strict=True):
        if n != start:
            for column in columns:
                column[n : n + filled] = column[start : start + filled]
        n += filled
    return Columns(*(column[:n] for column in columns))


@kernel
def _target(p: Position, how: Word, t: Any) -> Bits:
    """The en-passant square as `how` writes it: if a capture is legal, always, or if a pawn stands beside."""
    if how == 1:
        return p.en_passant
    if how == 2:
        return target_beside_a_pawn(p.pawns, p.us, p.en_passant, p.turn)
    return legal_en_passant_target(p, t)


@entry
def write_lines(c: Any, out: Any, how: Any, shredder: Any, counters: Any, t: Any) -> Any:
    """Write a line for each position, with a newline; an empty one where there is no position. Returns the length."""
    n = 0
    for i in range(c.state.size):
        lane = load(c, i)
        if not lane.state & MARKED:
            p = position(lane, t)
            n = write_fields(out, n, p, _target(p, how, t), shredder)
            if counters:
                clock, number = (lane.state >> CLOCK_SHIFT) & COUNTER, (lane.state >> NUMBER_SHIFT) & COUNTER
                n = write_counters(out, n, clock, number)
        out[n] = _NEWLINE
        n += 1
    return n


def write(columns: Columns, *, en_passant: EnPassant, shredder: bool, counters: bool) -> list[str]:
    """The FEN of each position, or its first four fields; an empty text where there is no position."""
    if not isinstance(en_passant, str) or en_passant not in _HOW:
        raise ValueError(f"en_passant: {shown(en_passant)}: expected 'legal', 'fen' or 'xfen'")
    shredder = flag("shredder", shredder)
    n = columns.state.size
    out = np.empty(min(n, _BLOCK) * ROOM, np.uint8)
    options = _HOW[en_passant], U64(bool(shredder)), U64(counters), default_technique().tables()
    texts: list[str] = []
    for start in range(0, n, _BLOCK):
        block = Columns(*(column[start : start + _BLOCK] for column in columns))
        length = write_lines(block, out, *options)
        texts += out[: length - 1].tobytes().decode("ascii").split("\n")
    return texts
