"""Parts of work are joined in order, and an interruption says what was kept."""

import itertools
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
from test_pipeline_annotate import FENS, PGN

import rookery
from command_line import run
from rookery.data.pipeline import inputs, outputs
from rookery.tasks import running
from thinning import few

FEATURES = "legal_moves,mobility,tags"
TASK_BYTES = 20_000


def lines(folder: Path, n: int = 6_000) -> None:
    rng = random.Random(1)
    rows = [rng.choice(FENS) if rng.random() < 0.99 else "bad" for _ in range(n)]
    (folder / "fens.txt").write_text("".join(row + "\n" for row in rows))


@pytest.mark.parametrize("name", few(["out.parquet", "out.csv", "out.arrow"], 1))
def test_joined_parts_have_the_rows_of_one_part(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "ROW_GROUP", 300)
    lines(tmp_path, 5_000)
    tables, groups = [], []
    for size in (5_000, TASK_BYTES, 50_000, 1 << 26):  # parts of 80 rows are small; those of 330 and 820 are not
        monkeypatch.setattr(inputs, "TASK_BYTES", size)
        found = set()
        for executor in ("threads:1", "threads:3"):
            rookery.annotate(tmp_path / "fens.txt", tmp_path / name, FEATURES, executor=executor)
            found.add((tmp_path / name).read_bytes())
        assert len(found) == 1
        if name == "out.csv":
            tables.append(pyarrow.csv.read_csv(tmp_path / name))
        elif name == "out.arrow":
            tables.append(pyarrow.ipc.open_file(tmp_path / name).read_all())
        else:
            file = pq.ParquetFile(tmp_path / name)
            tables.append(file.read())
            groups.append([file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)])
            counted = duckdb.sql(f"SELECT sum(legal_moves) FROM '{tmp_path / name}'").fetchall()
            assert counted == [(sum(tables[0].column("legal_moves").to_pylist()),)]
    assert tables[0].num_rows > 4_900
    assert all(table.equals(tables[0]) for table in tables)
    assert all(150 <= rows <= 450 for found in groups for rows in found[:-1])  # the last part may be small
    assert (len({tuple(one) for one in groups}) > 1) == (name == "out.parquet")


@pytest.mark.parametrize("name", ["out.parquet", "out.csv"])
def test_small_and_large_files_are_joined_in_order(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "ROW_GROUP", 20)
    expected: list[str] = []
    paths = []
    for i, n in enumerate([3, 50, 0, 1, 2, 9, 20, 20, 100, 4]):
        fens = [f"{FENS[(i + j) % len(FENS)].rsplit(' ', 1)[0]} {100 * i + j + 1}" for j in range(n)]
        paths.append(tmp_path / f"{i}.txt")
        paths[-1].write_text("".join(f"{fen}\n" for fen in fens))
        expected += fens
    assert rookery.annotate(paths, tmp_path / name, "legal_moves").rows == len(expected)
    table = pq.read_table(tmp_path / name) if name == "out.parquet" else pyarrow.csv.read_csv(tmp_path / name)
    assert table.column("fen").to_pylist() == expected


def test_a_file_without_rows_has_its_columns(tmp_path: Path) -> None:
    (tmp_path / "fens.txt").write_text("bad\n")
    assert rookery.annotate(tmp_path / "fens.txt", tmp_path / "out.parquet", "legal_moves").bad == 1
    table = pq.read_table(tmp_path / "out.parquet")
    assert (table.num_rows, table.column_names) == (0, ["fen", "legal_moves"])


def test_standard_input(tmp_path: Path) -> None:
    for text, options in (("".join(f"{fen}\n" for fen in FENS), []), (PGN, ["--from", "games"])):
        command = [
            sys.executable,
            "-m",
            "rookery",
            "annotate",
            "-",
            "-o",
            str(tmp_path / "out.csv"),
            "--force",
            "--json",
        ]
        found = subprocess.run([*command, *options], input=text, capture_output=True, text=True, check=False)
        assert json.loads(found.stdout)["rows"] == (len(FENS) if not options else 10), found.stderr
        assert not list(tmp_path.glob("*.parts"))


@pytest.mark.parametrize(("after", "said"), [(0, "nothing was written"), (2, "the same command goes on from here")])
def test_an_interruption_says_whether_something_was_kept(
    after: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines(tmp_path)
    monkeypatch.setattr(inputs, "TASK_BYTES", TASK_BYTES)
    run_tasks = running.run

    def interrupted(*arguments: Any, **options: Any) -> Iterator[Any]:
        yield from itertools.islice(run_tasks(*arguments, **options), after)
        raise KeyboardInterrupt

    monkeypatch.setattr("rookery.tasks.jobs.run", interrupted)
    out = tmp_path / "out.csv"
    words = ("annotate", str(tmp_path / "fens.txt"), "-o", str(out), "--features", "is_check")
    failed = run(*words, status=130)
    assert failed.stdout.splitlines()[0] == f"interrupted: {said}"
    assert not out.exists()
    assert (tmp_path / "out.csv.parts").exists() == (after > 0)
    monkeypatch.undo()
    monkeypatch.setattr(inputs, "TASK_BYTES", TASK_BYTES)
    run(*words, status=1)  # some lines are bad
    assert out.exists()
