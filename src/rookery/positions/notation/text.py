"""Positions from lines of FEN or EPD, and back: the compiled reader and writer, applied to many lines.

A text is one array of bytes. Line `i` begins at byte ``starts[i]`` and ends where the next one begins. It includes its
newline, which is a blank like others.
"""

import itertools
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.aliases import EnPassant, FenErrors
from rookery.arguments import flag, shown
from rookery.frames.columns import Texts
from rookery.kernel import U64, entry_of
from rookery.positions.layout import MARKED, Columns, Words, empty_columns
from rookery.positions.notation.sources import Lines
from rookery.positions.threads import each_in_threads, part_of, spans
from rookery.rules.constants import REPORT, WORDS, default_tables
from rookery.rules.notation.fen import parse_fen
from rookery.rules.notation.fen_writer import ROOM

read_lines: Final = entry_of("rookery.positions.notation.lines", "read_lines")
write_fens: Final = entry_of("rookery.positions.notation.lines", "write_fens")


BLANK_LINE: Final = 255  # in place of a reason: a blank line of a text
_STYLES: Final = {"legal": U64(0), "fen": U64(1), "xfen": U64(2)}
_PAD: Final = 16  # words in two cache lines, which are fetched together
_SLICE: Final = 1 << 20  # lines read between two checks for Ctrl-C: about 0.1 s
_BLOCK: Final = 1 << 17  # positions written at once: a buffer of 16 MiB, half of it never touched


FEN_ROWS: Final = 64  # positions whose letters are made at once


def fen_room() -> Words:
    """Return work space for `write_fens`: eight rows, one for each rank."""
    return np.empty(8 * FEN_ROWS, U64)


class BadLine(NamedTuple):
    """A line that could not be read: its number (from 1), its text, and the requested chess variant.

    The text is None for a missing element of a list: None, NaN or null.
    """

    line: int
    text: str | None
    chess960: bool | None = None

    @property
    def reason(self) -> str:
        """Return what is wrong with the line; the line is read again to find it."""
        if self.text is None:
            return "missing: expected text"
        try:
            parse_fen(self.text, self.chess960, epd=True)
        except ValueError as error:
            return str(error)
        raise AssertionError(f"{shown(self.text)}: refused among other lines but not alone")

    def __str__(self) -> str:
        reason = self.reason
        text = "" if self.text is None or shown(self.text) in reason else f", in {shown(self.text)}"
        return f"line {self.line}: {reason}{text}"


def check_reading(chess960: Any, errors: Any) -> None:
    """Refuse invalid options of the reader."""
    if not isinstance(errors, str) or errors not in ("raise", "skip", "mark"):
        raise ValueError(f"errors: {shown(errors)}: expected 'raise', 'skip' or 'mark'")
    if chess960 is not None and not isinstance(chess960, bool):
        raise TypeError(f"chess960: {shown(chess960)}: expected True, False or None")


def read(
    lines: Lines, chess960: bool | None, errors: FenErrors, threads: int, before: int = 0
) -> tuple[Columns, tuple[BadLine, ...]]:
    """Return the positions of lines, and the lines that could not be read; `before` lines have been read already."""
    n = lines.number
    columns, refused = empty_columns(n), np.empty(n, np.uint8)
    variant = U64(0) if chess960 is None else U64(1) if chess960 else U64(2)
    blank, marks = U64(not lines.keep_blank), U64(errors == "mark")

    def work(span: tuple[int, int]) -> int:
        part, reasons = part_of(columns, *span, n), refused[slice(*span)]
        starts = lines.starts[span[0] : span[1] + 1]
        # These change at every character: sharing a cache line with another thread made two threads slower than one.
        row, report = np.zeros(3 * _PAD, np.uint64)[_PAD:][:WORDS], np.zeros(3 * _PAD, np.int64)[_PAD:][:REPORT]
        return int(read_lines(lines.text, starts, part, reasons, row, report, blank, marks, variant))

    cuts = spans(n, threads, most=_SLICE)
    counts = list(each_in_threads(work, cuts, threads))
    bad = np.flatnonzero((refused != 0) & (refused != BLANK_LINE))
    if errors == "raise":
        bad = bad[:1]
    bad_lines = tuple(BadLine(before + i + 1, lines.line(i), chess960) for i in bad.tolist())
    if bad_lines and errors == "raise":
        raise ValueError(str(bad_lines[0]))
    return _without_gaps(columns, cuts, counts), bad_lines


def _without_gaps(columns: Columns, cuts: list[tuple[int, int]], counts: list[int]) -> Columns:
    """Return columns of which only the beginning of each span is filled, without the gaps."""
    n = 0
    for (start, _), filled in zip(cuts, counts, strict=True):
        if n != start:
            for column in columns:
                column[n : n + filled] = column[start : start + filled]
        n += filled
    return Columns(*(column[:n] for column in columns))


def write(columns: Columns, *, en_passant: EnPassant, shredder: bool, counters: bool) -> list[str]:
    """Return the FEN of each position, or its first four fields; an empty text for a placeholder."""
    texts = texts_of(columns, en_passant=en_passant, shredder=shredder, counters=counters)
    whole, ends = texts.data.tobytes().decode("ascii"), texts.offsets.tolist()
    return [whole[start:end] for start, end in itertools.pairwise(ends)]


def texts_of(
    columns: Columns, *, en_passant: EnPassant = "legal", shredder: bool = False, counters: bool = True
) -> Texts:
    """Return the FEN of each position as a column, in which placeholders are missing."""
    if not isinstance(en_passant, str) or en_passant not in _STYLES:
        raise ValueError(f"en_passant: {shown(en_passant)}: expected 'legal', 'fen' or 'xfen'")
    shredder = flag("shredder", shredder)
    n = columns.state.size
    options = _STYLES[en_passant], U64(bool(shredder)), U64(counters), default_tables()
    room = fen_room()
    offsets, parts, length = np.zeros(n + 1, np.int64), [np.empty(0, np.uint8)], 0
    for start in range(0, n, _BLOCK):
        block = Columns(*(column[start : start + _BLOCK] for column in columns))
        own = offsets[start : start + _BLOCK + 1]
        out = np.empty(block.state.size * ROOM, np.uint8)
        written = int(write_fens(room, block, out, own, *options))
        own[1:] += length
        parts.append(out[:written])
        length += written
    data = parts[1] if len(parts) == 2 else np.concatenate(parts)
    return Texts(offsets, data, columns.state & MARKED == 0)
