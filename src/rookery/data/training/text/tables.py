"""Tables of positions with scores as text: CSV, TSV, and lines of ``FEN | score | result``. They are read, not written.

The first line of a CSV or TSV file names its columns, in any order and any case; others are ignored:

    fen       the position
    cp        its score in centipawns, from white's side, and
    mate      the number of moves to mate instead, negative if black mates: both as in the evaluations of Lichess
    score     its score in centipawns, from the side to move
    move      the move, in UCI or SAN; or `line` or `moves`, of which the first move counts
    result    1-0, 0-1 or 1/2-1/2; or 1.0, 0.0 or 0.5 for white
    ply       the number of plies since the beginning of the game

Lines of text have the score and the result from white's side: ``8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 | 310 | 1.0``. The
result may be missing.
"""

import itertools
from collections.abc import Iterator
from typing import Any, Final

from rookery.arguments import shown
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.text.rows import (
    MOST_SCORE,
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
from rookery.rules.notation.results import BLACK_WON, DRAWN, UNFINISHED, WHITE_WON
from rookery.sources.csv_text import Row
from rookery.sources.csv_text import rows_of as rows_of_csv
from rookery.sources.failures import DamagedFileError

_RESULTS: Final = {
    WHITE_WON: 1, BLACK_WON: -1, DRAWN: 0, "1.0": 1, "0.0": -1, "0.5": 0, "[1.0]": 1, "[0.0]": -1, "[0.5]": 0,
    "": None, UNFINISHED: None,
}  # fmt: skip
_MOVES: Final = ("move", "line", "moves")
_KNOWN: Final = ("fen", "cp", "mate", "score", *_MOVES, "result", "ply")
_LONGEST_MATE: Final = 500  # moves
_LONGEST_GAME: Final = 1_000_000  # plies


def read_csv(name: str, chunks: Iterator[Any], batch: int, on_bad: OnBad, start: int) -> Iterator[ScoredPositions]:
    """Yield the rows of a CSV or TSV file in batches."""
    failures: list[DamagedFileError] = []
    rows = until_damage(_rows_of_csv(chunks), failures)
    first = next(rows, Row(1, [], ""))
    columns = [column.strip().lower() for column in first.fields]
    if "fen" not in columns or not {"cp", "mate", "score"} & set(columns):
        for failure in failures:
            raise failure
        raise DamagedFileError(
            name,
            f"line 1: {shown(first.text)}: expected the names of columns: fen, one of cp, mate and score, and others",
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
    """Yield the rows of lines of ``FEN | score | result`` in batches."""
    failures: list[DamagedFileError] = []
    lines = enumerate(until_damage(lines_of(name, chunks, start), failures), 1)
    rows = (Row(number, [], line) for number, line in lines)
    yield from _read(name, rows, batch, on_bad, lambda row: _parts(row.text), failures)


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


def _parts(line: str) -> dict[str, str]:
    parts = [part.strip() for part in line.split("|")]
    if len(parts) not in (2, 3):
        raise ValueError(f"{shown(line)}: expected FEN | score | result")
    return dict(zip(("fen", "cp", "result"), parts, strict=False))


def _row(values: dict[str, str]) -> tuple[str, str, int, int, int | None]:
    """Return the FEN, move, score, result and number of plies of a row."""
    fen = values["fen"]
    black = fen.partition(" ")[2][:1] == "b"
    score = NO_SCORE
    if cp := values.get("cp", ""):
        score = _seen(number_of("cp", cp, -MOST_SCORE, MOST_SCORE), black)
    elif mate := values.get("mate", ""):
        score = int(mate_score(_seen(number_of("mate", mate.lstrip("#"), -_LONGEST_MATE, _LONGEST_MATE), black)))
    elif own := values.get("score", ""):
        score = number_of("score", own, -MOST_SCORE, MOST_SCORE)
    result = values.get("result", "")
    if result not in _RESULTS:
        raise ValueError(f"result {shown(result)}: expected 1-0, 1/2-1/2, 0-1, or 1.0, 0.5, 0.0 for white")
    known = _RESULTS[result]
    ply = number_of("ply", values["ply"], 0, _LONGEST_GAME) if values.get("ply") else None
    moves = next((values[column] for column in _MOVES if column in values), "").split()
    return fen, moves[0] if moves else "", score, NO_RESULT if known is None else _seen(known, black), ply


def _seen(value: int, black: bool) -> int:
    """Return a value of white's side from the side to move."""
    return -value if black else value
