"""Positions with scores as text: CSV, TSV, and lines such as ``FEN | score | result``. They are read, not written.

The first line of a CSV or TSV file names its columns, in any order and any case; others are ignored:

    fen       the position
    cp        its score in centipawns, from white's side, and
    mate      the number of moves to mate instead, negative if black mates: both as in the evaluations of Lichess; or
              `evaluation` or `eval`, which holds either, a mate as #+3
    score     its score in centipawns, from the side to move
    move      the move, in UCI or SAN; or `line` or `moves`, of which the first move counts
    result    1-0, 0-1 or 1/2-1/2; or 1.0, 0.0 or 0.5 for white
    ply       the number of plies since the beginning of the game

`rookery.data.training.text.labels` describes lines of text.
"""

import itertools
from collections.abc import Iterator
from typing import Any, Final

from rookery.arguments import shown
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.text.labels import label_of, labels_of
from rookery.data.training.text.rows import (
    BadRow,
    Fields,
    OnBad,
    lines_of,
    number_of,
    rows_of,
    until_damage,
)
from rookery.data.training.views import NO_RESULT
from rookery.games.positions.scores import NO_SCORE, mate_score
from rookery.sources.csv_text import Row
from rookery.sources.csv_text import rows_of as rows_of_csv
from rookery.sources.failures import DamagedFileError

_MOVES: Final = ("move", "line", "moves")
_EITHER: Final = ("evaluation", "eval")
_SCORES: Final = ("cp", "mate", "score", *_EITHER)
_KNOWN: Final = ("fen", *_SCORES, *_MOVES, "result", "ply")
_LONGEST_GAME: Final = 1_000_000  # plies


def read_csv(name: str, chunks: Iterator[Any], batch: int, on_bad: OnBad, start: int) -> Iterator[ScoredPositions]:
    """Yield the rows of a CSV or TSV file in batches."""
    failures: list[DamagedFileError] = []
    rows = until_damage(_rows_of_csv(chunks), failures)
    first = next(rows, Row(1, [], ""))
    columns = [column.strip("\ufeff \t").lower() for column in first.fields]
    if "fen" not in columns or not {*_SCORES, "result"} & set(columns):
        for failure in failures:
            raise failure
        raise DamagedFileError(
            name,
            f"line 1: {shown(first.text)}: expected the names of columns: fen, one of {', '.join(_SCORES)} and result, "
            "and others",
        )
    places: dict[str, int] = {column: columns.index(column) for column in _KNOWN if column in columns}
    yield from _read(name, rows, batch, on_bad, lambda row: _values(row, places), failures)


def _rows_of_csv(chunks: Iterator[Any]) -> Iterator[Row]:
    """Yield the rows of CSV, or of TSV if the first line has a tab."""
    head = b""
    while b"\n" not in head and (chunk := next(chunks, b"")):
        head += bytes(chunk)
    yield from rows_of_csv(itertools.chain([head], chunks), delimiter_of(head))


def delimiter_of(head: bytes) -> str:
    """Return what separates fields: a tab if the first line of a file has one, or else a comma."""
    return "\t" if b"\t" in head.split(b"\n")[0] else ","


def read_lines(name: str, chunks: Iterator[Any], batch: int, on_bad: OnBad, start: int) -> Iterator[ScoredPositions]:
    """Yield the rows of labelled lines in batches."""
    failures: list[DamagedFileError] = []
    lines = enumerate(until_damage(lines_of(name, chunks, start), failures), 1)
    rows = (Row(number, [], line) for number, line in lines)
    yield from _read(name, rows, batch, on_bad, lambda row: labels_of(row.text), failures)


def _read(
    name: str, rows: Iterator[Row], batch: int, on_bad: OnBad, parse: Any, failures: list[DamagedFileError]
) -> Iterator[ScoredPositions]:
    fields, bad = Fields.none(), list[BadRow]()
    for row in rows:
        if not row.text.strip():
            continue
        try:
            fields.add(row.line, row.text, *_row(parse(row)))
        except ValueError as error:
            bad.append(BadRow(name, row.line, row.text, str(error)))
        if len(fields.fens) + len(bad) >= batch or (bad and on_bad is None):
            yield from rows_of(name, fields, bad, on_bad)
            fields, bad = Fields.none(), []
    yield from rows_of(name, fields, bad, on_bad)
    for failure in failures:
        raise failure


def _values(row: Row, places: dict[str, int]) -> dict[str, str]:
    if row.reason:
        raise ValueError(row.reason)
    if len(row.fields) <= max(places.values()):
        raise ValueError(f"{len(row.fields)} fields: expected at least {max(places.values()) + 1}")
    return {column: row.fields[place].strip() for column, place in places.items()}


def _row(values: dict[str, str]) -> tuple[str, str, int, int, int | None]:
    """Return the FEN, move, score, result and number of plies of a row."""
    label = label_of(values)
    black = label.fen.partition(" ")[2][:1] == "b"
    score = NO_SCORE
    if label.cp is not None:
        score = _seen(label.cp, black)
    elif label.mate is not None:
        score = int(mate_score(_seen(label.mate, black)))
    result = NO_RESULT if label.result is None else _seen(label.result, black)
    ply = number_of("ply", values["ply"], 0, _LONGEST_GAME) if values.get("ply") else None
    moves = next((values[column] for column in _MOVES if column in values), "").split()
    return label.fen, moves[0] if moves else "", score, result, ply


def _seen(value: int, black: bool) -> int:
    """Return a value of white's side from the side to move."""
    return -value if black else value
