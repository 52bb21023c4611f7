"""Missing numbers in tables that `annotate` and searches write: null, in every format."""

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import rookery
from command_line import run

PGN = """1. e4 { [%eval 0.3] } e5 { [%eval 3.5] } 2. Nf3 *

1. d4 d5 *
"""
EVALS = [None, 0.3, 3.5, None, None, None, None]


def read(path: Path) -> list[Any]:
    if path.suffix == ".parquet":
        return list(pq.read_table(path)["ev"].to_pylist())
    if path.suffix == ".arrow":
        return list(feather.read_table(path)["ev"].to_pylist())
    rows = csv.DictReader(path.read_text().splitlines())
    return [float(row["ev"]) if row["ev"] else None for row in rows]


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".csv"])
def test_an_evaluation_that_a_game_lacks_is_null(tmp_path: Path, suffix: str) -> None:
    games, out = tmp_path / "games.pgn", tmp_path / f"out{suffix}"
    games.write_text(PGN)
    run("annotate", str(games), "-o", str(out), "--features", "ev=eval(white)")
    assert [None if v is None else round(v, 4) for v in read(out)] == EVALS


def test_databases_count_what_is_there(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    games, out = tmp_path / "games.pgn", tmp_path / "out.parquet"
    games.write_text(PGN)
    run("annotate", str(games), "-o", str(out), "--features", "ev=eval(white)")
    counted = duckdb.sql(f"select count(*), count(ev), count(*) filter (ev > 3), round(avg(ev), 4) from '{out}'")
    assert counted.fetchall() == [(7, 2, 1, 1.9)]


def test_the_value_that_hits_are_sorted_by() -> None:
    hits = rookery.read_pgn(PGN.encode()).search("ply < 3", sort_by="eval(white)")
    values = hits.to_dict()["value"]
    assert [None if v is None else round(v, 4) for v in values] == [3.5, 0.3, None, None, None, None]
    assert hits.to_arrow()["value"].null_count == 4
    assert json.loads(json.dumps(values, allow_nan=False)) == values
