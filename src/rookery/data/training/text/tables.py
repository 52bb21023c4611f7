"""Positions with scores as text: CSV, TSV, and lines such as ``FEN | score | result``. They are read, not written.

The first line of a CSV or TSV file names its columns, in any order and any case; others are ignored. Lines of JSON
objects, Parquet and Arrow have the same columns, or ``evals``, the evaluations of Lichess' dump:

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
import json
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
from rookery.frames.arrow import ipc_module, parquet_file, pyarrow_module, sound
from rookery.games.positions.scores import NO_SCORE, mate_score
from rookery.sources.csv_text import Row
from rookery.sources.csv_text import rows_of as rows_of_csv
from rookery.sources.failures import DamagedFileError

_MOVES: Final = ("move", "line", "moves")
_EITHER: Final = ("evaluation", "eval")
_SCORES: Final = ("cp", "mate", "score", *_EITHER)
_KNOWN: Final = ("fen", *_SCORES, *_MOVES, "result", "ply")
_EVALUATIONS: Final = "evals"  # of Lichess' dump
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


def read_json(name: str, chunks: Iterator[Any], batch: int, on_bad: OnBad, start: int) -> Iterator[ScoredPositions]:
    """Yield the rows of lines of JSON objects, with the fields of CSV or those of Lichess' evaluations, in batches."""
    failures: list[DamagedFileError] = []
    lines = enumerate(until_damage(lines_of(name, chunks, start), failures), 1)
    rows = (Row(number, [], line) for number, line in lines)
    yield from _read(name, rows, batch, on_bad, lambda row: _texts_of(json.loads(row.text.lstrip("\ufeff"))), failures)


def read_table(name: str, chunks: Iterator[Any], batch: int, on_bad: OnBad, start: int) -> Iterator[ScoredPositions]:
    """Yield the rows of a Parquet or Arrow file with the columns of CSV in batches; the file is held in memory."""
    del start
    pa = pyarrow_module()
    data = pa.py_buffer(b"".join(chunks))
    try:
        tables = _tables_in(data, batch)
        for first, table in tables:
            rows = (Row(first + i, [], json.dumps(row, default=str)) for i, row in enumerate(table.to_pylist(), 1))
            yield from _read(name, rows, batch, on_bad, lambda row: _texts_of(json.loads(row.text)), [])
    except (pa.ArrowInvalid, OSError) as error:  # an OSError of pyarrow: the data is in memory
        raise DamagedFileError(name, str(error).split("\n")[0]) from error


def _tables_in(data: Any, batch: int) -> Iterator[tuple[int, Any]]:
    """Yield the rows of a file as record batches of the columns that labels have, with the rows before each."""
    pa, before = pyarrow_module(), 0
    if bytes(data[:4]) == b"PAR1":
        file = parquet_file(pa.BufferReader(data))
        names = [name for name in file.schema_arrow.names if name.lower() in (*_KNOWN, _EVALUATIONS)]
        batches: Any = file.iter_batches(batch, columns=names, use_threads=False)
    else:
        ipc, reader = ipc_module(), pa.BufferReader(data)
        is_file = bytes(data[:6]) == b"ARROW1"
        opened = ipc.open_file(reader) if is_file else ipc.open_stream(reader)
        batches = (opened.get_batch(i) for i in range(opened.num_record_batches)) if is_file else opened
    for one in batches:
        yield before, sound(one)
        before += one.num_rows


def _texts_of(record: Any) -> dict[str, str]:
    """Return the fields of a record that labels are made of, as texts; the deepest of Lichess' evaluations."""
    if not isinstance(record, dict):
        raise ValueError(f"{shown(record)}: expected an object")
    fields = {str(name).lower(): value for name, value in record.items()}
    evaluations = fields.get(_EVALUATIONS)
    if isinstance(evaluations, list):
        known = [one for one in evaluations if isinstance(one, dict) and one.get("pvs")]
        if known:
            fields |= max(known, key=lambda one: one.get("depth") or 0)["pvs"][0]
    stated = {name: fields.get(name) for name in _KNOWN}
    values = {name: value for name, value in stated.items() if value is not None and value == value}
    if "fen" not in values:
        raise ValueError("no field 'fen'")
    return {name: _text_of(value) for name, value in values.items()}


def _text_of(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()


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
