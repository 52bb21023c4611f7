"""Files of games, packed rows and tables are divided into tasks, and give the rows, places and errors of whole files.

The oracle is a scan of the whole file in one thread, which has no ranges, or the rows that the test wrote.
"""

import functools
import itertools
import json
import random
import warnings
from pathlib import Path
from typing import Any

import chess
import pyarrow as pa
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
from test_pipeline_annotate import FENS

import rookery
from divided_files import KINDS, SIZE, WINDOW, file_of
from divided_files import text as damaged_text
from packed import zstd_in_frames
from rookery.data.pipeline import inputs, outputs
from rookery.games.read.options import ReadOptions
from rookery.sources.failures import DamagedFileWarning
from thinning import slow_but

# Quoted texts are texts, the empty one, too.
TEXTS = pyarrow.csv.ConvertOptions(strings_can_be_null=True, quoted_strings_can_be_null=False)
READERS = {
    ".parquet": pq.read_table,
    ".csv": lambda path: pyarrow.csv.read_csv(path, convert_options=TEXTS),
    ".arrow": lambda path: pyarrow.ipc.open_file(path).read_all(),
}


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery.sources.ranges.WINDOW", WINDOW)
    monkeypatch.setattr(inputs, "TASK_BYTES", SIZE)
    monkeypatch.setattr(inputs, "TASK_ROWS", 20)
    monkeypatch.setattr(outputs, "ROW_GROUP", 150)  # some parts are small, and most are encoded


@functools.cache
def moves_by_python_chess(fen: str) -> int:
    return chess.Board(fen).legal_moves.count()


def number_of_tasks(path: Path) -> int:
    return len(list(inputs.ranges_of(inputs.describe(str(path), None, "fen"), ReadOptions())))


def scanned(path: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[str]]:
    """Return the positions of a file of games, its bad games and its failures, from a scan of the whole file."""
    rows: list[dict[str, Any]] = []
    bad = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DamagedFileWarning)
        games = rookery.read_pgn(path)
        with rookery.scan_pgn(path) as scan:
            list(scan)
    found = games.positions("all", every=3)
    # The games that were stored in a table had been read from bytes, so that their file has no name.
    file = "" if path.name.startswith("stored") else str(path)
    columns = games.numbers[found.game].tolist(), found.ply.tolist(), found.to_fens()
    rows = [{"file": file, "number": number, "ply": ply, "fen": fen} for number, ply, fen in zip(*columns, strict=True)]
    for error in games.errors:
        if error.game > 0:
            reason = f"game {error.game}: {error.place}: {error.reason}"
            bad.append({"file": str(path), "line": error.line, "text": error.move or None, "reason": reason})
    return rows, bad, list(map(str, scan.failures))


# The inputs and the outputs are divided separately: each with one of the other kind, and the slow tests try the rest.
PAIRS = slow_but(
    itertools.product(["plain", *KINDS], READERS),
    *((kind, ".parquet") for kind in ("plain", "zstd, cut short", "stored in Parquet", "movetext in Arrow")),
    *(("zstd, damaged", suffix) for suffix in (".arrow", ".csv")),
)


@pytest.mark.parametrize(("kind", "suffix"), PAIRS)
def test_tasks_give_the_positions_of_a_whole_scan(kind: str, suffix: str, tmp_path: Path) -> None:
    if kind == "plain":
        path = tmp_path / "plain.pgn"
        path.write_bytes(damaged_text())
    else:
        path = file_of(kind, tmp_path)
    assert number_of_tasks(path) > 4
    out = tmp_path / f"out{suffix}"
    contents = set()
    for executor in ("threads:1", "threads:3"):
        done = rookery.annotate(
            [path, path], out, "legal_moves", every=3, errors=tmp_path / "bad.jsonl", executor=executor
        )
        contents.add(out.read_bytes() + (tmp_path / "bad.jsonl").read_bytes())
    assert len(contents) == 1
    rows, bad, failures = scanned(path)
    table = READERS[suffix](out)
    counts = [moves_by_python_chess(fen) for fen in table.column("fen").to_pylist()]
    assert table.column("legal_moves").to_pylist() == counts
    assert table.drop_columns("legal_moves").to_pylist() == rows + rows
    assert [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()] == bad * 2
    assert done.failures == tuple(dict.fromkeys(failures))
    assert (done.rows, done.bad, done.lines) == (2 * len(rows), 2 * len(bad), 0)
    assert not (tmp_path / f"{out.name}.parts").exists()


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.jsonl"])
def test_frames_of_rows_are_divided_between_lines(name: str, tmp_path: Path) -> None:
    rng = random.Random(name)
    fens = [rng.choice(FENS) if rng.random() < 0.95 else f"bad {i}" for i in range(3_000)]
    lines = {
        "a.txt": fens,
        "a.csv": ["n,fen", *(f"{i},{fen}" for i, fen in enumerate(fens))],
        "a.jsonl": [json.dumps({"n": i, "fen": fen}) for i, fen in enumerate(fens)],
    }[name]
    path = tmp_path / f"{name}.zst"
    path.write_bytes(zstd_in_frames("".join(f"{line}\n" for line in lines).encode()))
    assert number_of_tasks(path) > 10
    done = rookery.annotate(path, tmp_path / "out.parquet", "legal_moves", errors=tmp_path / "bad.jsonl", threads=2)
    assert (done.lines, done.rows + done.bad) == (len(lines), len(fens))
    table = pq.read_table(tmp_path / "out.parquet")
    good = [i for i, fen in enumerate(fens) if not fen.startswith("bad")]
    assert table.column("fen").to_pylist() == [fens[i] for i in good]
    if name != "a.txt":
        assert [int(n) for n in table.column("n").to_pylist()] == good
    bad = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    first = 2 if name == "a.csv" else 1
    assert [row["line"] for row in bad] == [i + first for i, fen in enumerate(fens) if fen.startswith("bad")]


def test_damaged_frames_keep_the_rows_before(tmp_path: Path) -> None:
    content = zstd_in_frames("".join(f"{fen}\n" for fen in FENS * 60).encode())
    path = tmp_path / "a.txt.zst"
    path.write_bytes(content[: len(content) // 2])
    assert number_of_tasks(path) > 4
    done = rookery.annotate(path, tmp_path / "out.parquet", "legal_moves", threads=2)
    assert len(done.failures) == 1
    assert done.failures[0].startswith(f"{path}: cut short")
    rows = pq.read_table(tmp_path / "out.parquet").column("fen").to_pylist()
    assert 1_000 < len(rows) < 2_000
    assert rows == (FENS * 60)[: len(rows)]


def test_batches_of_arrow_files_are_divided(tmp_path: Path) -> None:
    table = pa.table({"n": range(500), "fen": [FENS[i % len(FENS)] if i % 50 else "bad" for i in range(500)]})
    with pa.ipc.new_file(tmp_path / "a.arrow", table.schema) as file:
        file.write_table(table, 9)
    assert number_of_tasks(tmp_path / "a.arrow") > 20
    rookery.annotate(tmp_path / "a.arrow", tmp_path / "out.parquet", "key", errors=tmp_path / "bad.jsonl", threads=2)
    good = [i for i in range(500) if i % 50]
    assert pq.read_table(tmp_path / "out.parquet").column("n").to_pylist() == good
    bad = [json.loads(line)["line"] for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    assert bad == list(range(1, 500, 50))


def test_relative_paths_are_those_of_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(f"bad\n{FENS[0]}\n")
    rookery.annotate("a.txt", "out.parquet", "legal_moves", errors="bad.jsonl", executor="processes:1")
    assert json.loads(Path("bad.jsonl").read_text())["file"] == "a.txt"
