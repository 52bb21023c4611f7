"""Files of puzzles: CSV as Lichess publishes it, packed or not, read and tagged block by block.

The first line names the columns, of which PuzzleId, FEN and Moves are read. A file without that line has these three
first, in this order.
"""

import itertools
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from rookery.arguments import check_threads, shown
from rookery.data.puzzles.tagging import PuzzleThemes, tag_puzzles
from rookery.sources import csv_text, files
from rookery.sources.chunks import Filled
from rookery.sources.csv_text import Writer
from rookery.sources.streams import Counted, Stream, check_source, streams_of

COLUMNS: Final = ("PuzzleId", "FEN", "Moves")
_FIELDS: Final = {"fens": "FEN", "moves": "Moves"}
_BLOCK: Final = 1 << 14  # rows tagged between two writes
_RANKS: Final = 8


class BadRow(NamedTuple):
    """A row that cannot be tagged: its line, its puzzle's id, the field at fault, its value, and what was expected."""

    line: int
    puzzle: str
    field: str
    value: str
    reason: str

    def __str__(self) -> str:
        return f"line {self.line:,}: {self.field} {self.value!r}: {self.reason}"


class Rows(NamedTuple):
    """Rows of a file: the lines they stand on, their three columns and others, and the rows that are none."""

    lines: list[int]
    ids: list[str]
    fens: list[str]
    moves: list[str]
    more: tuple[list[str], ...]
    bad: list[BadRow]


class Tagged(NamedTuple):
    """Rows, the themes of each, and all bad ones among them, in the order of the file."""

    ids: list[str]
    themes: PuzzleThemes
    bad: list[BadRow]


def rows_of(
    path: str | os.PathLike[str], *, more: Sequence[str] = (), counted: Counted | None = None
) -> Iterator[Rows]:
    """Yield the rows of a file, block by block.

    `more` names further columns to read. `counted` counts the bytes that were read.
    """
    stopped = threading.Event()
    source = check_source(Path(path), any_text=True)
    streams = streams_of(source, stopped, counted or Counted(), any_text=True)
    try:
        for stream in streams:
            if not isinstance(stream, Stream):
                raise ValueError(f"{path}: a table in {stream.format}: expected CSV")
            yield from _blocks(str(path), csv_text.rows_of(Filled(stream.fill), ","), (*COLUMNS, *more))
    finally:
        stopped.set()
        streams.close()


def _blocks(name: str, found: Iterator[csv_text.Row], columns: tuple[str, ...]) -> Iterator[Rows]:
    first = next(found, csv_text.Row(1, [], ""))
    places = _places(name, first.fields, columns)
    least = max(places) + 1
    rows = _no_rows(len(columns))
    waiting = [first] if _is_row(first.fields) else []
    for row in itertools.chain(waiting, found):
        fields = row.fields
        if row.reason or len(fields) < least:
            reason = row.reason or f"{len(fields)} fields: expected at least {least}"
            rows.bad.append(BadRow(row.line, fields[0] if fields else "", "row", row.text, reason))
        else:
            rows.lines.append(row.line)
            for column, place in zip((rows.ids, rows.fens, rows.moves, *rows.more), places, strict=True):
                column.append(fields[place])
        if len(rows.ids) + len(rows.bad) >= _BLOCK:
            yield rows
            rows = _no_rows(len(columns))
    if rows.ids or rows.bad:
        yield rows


def _no_rows(columns: int) -> Rows:
    return Rows([], [], [], [], tuple([] for _ in range(columns - len(COLUMNS))), [])


def _is_row(first: list[str]) -> bool:
    """Return whether the first row of a file is a puzzle, and does not name the columns."""
    return len(first) >= len(COLUMNS) and first[1].count("/") == _RANKS - 1


def _places(name: str, first: list[str], columns: tuple[str, ...]) -> tuple[int, ...]:
    """Return the places of the columns, from the first row of a file."""
    if all(column in first for column in columns):
        return tuple(first.index(column) for column in columns)
    if columns == COLUMNS and _is_row(first):
        return (0, 1, 2)
    *others, last = columns
    raise ValueError(f"{name}: line 1: {shown(','.join(first))}: expected the columns {', '.join(others)} and {last}")


def tagged_rows(path: str | os.PathLike[str], *, threads: int = 1, counted: Counted | None = None) -> Iterator[Tagged]:
    """Yield the rows of a file with their themes, block by block; bad rows are left out and listed."""
    check_threads(threads)
    for rows in rows_of(path, counted=counted):
        themes = tag_puzzles(rows.fens, rows.moves, errors="mark", threads=threads)
        bad = list(rows.bad)
        for puzzle in themes.bad:
            i = puzzle.puzzle
            field = _FIELDS[puzzle.field]
            value = rows.fens[i] if field == "FEN" else puzzle.found
            bad.append(BadRow(rows.lines[i], rows.ids[i], field, value, f"expected {puzzle.expected}"))
        good = np.ones(len(rows.ids), np.bool_)
        good[[puzzle.puzzle for puzzle in themes.bad]] = False
        kept = np.flatnonzero(good).tolist()
        yield Tagged([rows.ids[i] for i in kept], PuzzleThemes(themes.bits[good]), sorted(bad))


def write_tags(blocks: Iterator[Tagged], path: str | os.PathLike[str]) -> None:
    """Write ``PuzzleId,Themes`` as CSV; the file appears when all blocks are written."""
    with files.replacing(path) as file:
        writer = Writer(file)
        writer.row(("PuzzleId", "Themes"))
        for block in blocks:
            writer.rows(zip(block.ids, block.themes.texts(), strict=True))
