"""Sinks of plans: files have the rows of `collect`, whoever writes them, and appear when they are complete."""

import csv
import json
import math
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import chess.pgn
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
from rookery import Plan, Positions, ScoredPositions, read_pgn, scan, training_stats
from rookery.data.pipeline.outputs import json_lines
from rookery.sources.failures import DamagedFileError, DamagedFileWarning
from training_samples import game, rows_of

GAMES = Path("tests/samples/lichess-2025-05.pgn")


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> Plan:
    """Return a plan of several tasks, with numbers that depend on the tasks before."""
    monkeypatch.setattr("rookery.data.pipeline.inputs.TASK_BYTES", 4_000)
    return (
        scan(GAMES)
        .positions("not is_check", every=3)
        .select("number", "game", "ply", "fen", "White", "clock", "eval", "UTCDate", "is_check", move="move.san")
    )


def read(path: Path) -> Any:
    if path.suffix == ".parquet":
        return pq.read_table(path)
    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_tables_are_those_of_collect(plan: Plan, suffix: str, tmp_path: Path) -> None:
    right = plan.collect()
    path = tmp_path / f"out.{suffix}"
    written = getattr(plan, f"write_{suffix}")(path)
    assert read(path).equals(right)
    assert (written.rows, written.bad, written.games, written.failures) == (right.num_rows, 0, 12, ())
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_texts_are_those_of_collect(plan: Plan, tmp_path: Path) -> None:
    right = plan.collect().to_pylist()
    plan.write_jsonl(tmp_path / "out.jsonl")
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    for row, one in zip(found, right, strict=True):
        assert row["eval"] == pytest.approx(one["eval"], abs=1e-6)
        assert {**row, "eval": one["eval"]} == {**one, "UTCDate": one["UTCDate"].isoformat()}
    plan.write_csv(tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["fen"] for row in rows] == [row["fen"] for row in right]
    assert [row["clock"] or None for row in rows] == [
        None if row["clock"] is None else f"{row['clock']:g}" for row in right
    ]


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "csv", "jsonl"])
def test_files_are_the_same_from_threads_and_processes(plan: Plan, suffix: str, tmp_path: Path) -> None:
    found = set()
    for i, (executor, threads) in enumerate([(None, 1), (None, 3), ("processes:2", 1), ("threads:2", 2)]):
        path = tmp_path / f"out{i}.{suffix}"
        getattr(plan, f"write_{suffix}")(path, executor=executor, threads=threads)
        found.add(path.read_bytes())
    assert len(found) == 1


def test_json_of_any_values() -> None:
    rows = [
        {"text": 'a "quote"\n\\', "number": 1.5, "list": [1, None], "truth": True, "none": None, "big": 2**63},
        {"text": "é", "number": math.inf, "list": None, "truth": None, "none": None, "big": None},
    ]
    table = pa.Table.from_pylist(rows, pa.schema([*pa.table({"text": [""], "number": [1.0]}).schema, *[
        pa.field("list", pa.list_(pa.int64())), pa.field("truth", pa.bool_()), pa.field("none", pa.string()),
        pa.field("big", pa.uint64()),
    ]]))  # fmt: skip
    assert [json.loads(line) for line in json_lines(table).decode().splitlines()] == [
        rows[0],
        {**rows[1], "number": None},
    ]
    assert json_lines(table.slice(1, 1)) == json_lines(table).splitlines(keepends=True)[1]
    assert json_lines(table.slice(0, 0)) == b""


@pytest.mark.parametrize("size", [1, 7, 100, 10_000])
def test_batches_have_as_many_rows(plan: Plan, size: int) -> None:
    right = plan.collect()
    found = list(plan.batches(size, threads=2))
    assert [batch.num_rows for batch in found[:-1]] == [size] * (len(found) - 1)
    assert 1 <= found[-1].num_rows <= size
    assert pa.Table.from_batches(found).equals(right.combine_chunks())


def test_games_with_hits_are_written_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery.data.pipeline.inputs.TASK_BYTES", 4_000)
    query = "is_check and ply > 60"
    plan = scan(GAMES, where="WhiteElo > 1000").positions(query)
    written = plan.write_pgn(tmp_path / "out.pgn")
    games = read_pgn(GAMES, texts=True, where="WhiteElo > 1000")
    right = games[sorted(set(games.search(query).game.tolist()))]
    rookery.write_pgn(right, tmp_path / "right.pgn")
    assert (tmp_path / "out.pgn").read_bytes() == (tmp_path / "right.pgn").read_bytes()
    assert written.rows == len(right) > 1
    with (tmp_path / "out.pgn").open() as file:
        n = 0
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors
            n += 1
    assert n == len(right)
    with pytest.raises(ValueError, match="writes whole games"):
        plan.select("ply").write_pgn(tmp_path / "out.pgn")
    with pytest.raises(ValueError, match="memory has no games"):
        scan(rookery.Positions.from_fens([])).write_pgn(tmp_path / "out.pgn")


@pytest.mark.parametrize("name", ["rows.plain", "rows.binpack", "rows.bin"])
def test_training_data_is_that_of_other_writers(name: str, tmp_path: Path) -> None:
    games = read_pgn(b"1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. Qh5 { [%eval -0.5] } Ke7 { [%eval #1] } 1-0\n\n" * 3)
    query = "ply > 0"
    written = scan(games).positions(query).write_training(tmp_path / name)
    rows = ScoredPositions.from_games(games)
    right = rookery.write_training(rows.where(query), tmp_path / f"right-{name}")
    assert (tmp_path / name).read_bytes() == (tmp_path / f"right-{name}").read_bytes()
    assert written == right
    assert written.written > 0


def order(rows: ScoredPositions) -> list[tuple[str, int, int]]:
    return sorted(zip(rows.positions.to_fens(), rows.scores.tolist(), rows.plies.tolist(), strict=True))


def test_training_data_is_filtered_and_shuffled(tmp_path: Path) -> None:
    rows = ScoredPositions.from_games(read_pgn(GAMES))
    rookery.write_training(rows, tmp_path / "in.plain")
    scan(tmp_path / "in.plain").positions("not is_check").shuffle(seed=3).write_training(tmp_path / "out.plain")
    found, right = rookery.read_training(tmp_path / "out.plain"), rookery.read_training(tmp_path / "in.plain")
    right = right.where("not is_check")
    assert found.positions.to_fens() != right.positions.to_fens()
    assert order(found) == order(right)
    with pytest.raises(ValueError, match="expected a plan without select"):
        scan(tmp_path / "in.plain").select("ply").write_training(tmp_path / "out.plain")


def test_exchanged_rows_are_written(plan: Plan, tmp_path: Path) -> None:
    sorted_plan = plan.sort("ply", "number")
    assert sorted_plan.write_parquet(tmp_path / "out.parquet", threads=2).rows == sorted_plan.collect().num_rows
    assert pq.read_table(tmp_path / "out.parquet").equals(sorted_plan.collect())
    assert sorted_plan.head(5).write_csv(tmp_path / "out.csv").rows == 5
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 5 + 1


@pytest.mark.parametrize(
    ("name", "sink"),
    [
        ("out.parquet", 'select("number", "ply", "fen").write_parquet(out, progress=progress)'),
        ("out.vf", 'write_training(out, no_score="zero", progress=progress)'),
        ("out.binpack.zst", 'write_training(out, no_score="zero", skip=3, every=2, progress=progress)'),
    ],
)
def test_a_killed_run_goes_on(name: str, sink: str, tmp_path: Path) -> None:
    code = textwrap.dedent(
        f"""
        import sys, time
        import rookery.data.pipeline.inputs
        from rookery import scan
        rookery.data.pipeline.inputs.TASK_BYTES = 4_000
        def progress(done, total):
            print(done, total, flush=True)
            if sys.argv[1] == "slow":
                time.sleep(0.3)
        out = sys.argv[2]
        scan({str(GAMES)!r}).{sink}
        """
    )
    out, right = tmp_path / name, tmp_path / f"right-{name}"
    first = subprocess.Popen([sys.executable, "-c", code, "slow", str(out)], stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    with first.stdout:
        while int(first.stdout.readline().split()[0]) == 0:
            pass
        time.sleep(0.1)
        first.send_signal(signal.SIGKILL)
    first.wait()
    assert not out.exists()
    for path in (out, right):
        again = subprocess.run(
            [sys.executable, "-c", code, "fast", str(path)], capture_output=True, text=True, check=True
        )
        assert (int(again.stdout.split()[0]) > 0) == (path == out)  # what was done before
    assert out.read_bytes() == right.read_bytes()
    assert {one.name for one in tmp_path.iterdir()} == {out.name, right.name}


def test_parts_of_other_work_are_refused(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        plan.write_parquet(path, progress=stop)
    other = scan(GAMES).select("ply")
    with pytest.raises(ValueError, match="is of other work"):
        other.write_parquet(path)
    assert other.write_parquet(path, force=True).rows == pq.read_table(path).num_rows


def test_what_cannot_be_read_is_reported(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("fen\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nbad\n")
    with pytest.warns(DamagedFileWarning, match="1 row or game could not be read"):
        written = scan(tmp_path / "bad.csv").write_csv(tmp_path / "out.csv", errors=tmp_path / "errors.jsonl")
    assert (written.rows, written.bad, written.lines) == (1, 1, 3)
    (error,) = map(json.loads, (tmp_path / "errors.jsonl").read_text().splitlines())
    assert (error["line"], error["text"]) == (3, "bad")


@pytest.mark.parametrize(
    ("name", "path", "words"),
    [
        ("parquet", "out.csv", "path: 'out.csv': expected a name that ends in .parquet"),
        ("csv", "missing/out.csv", "path"),
        ("jsonl", "", "path"),
    ],
)
def test_wrong_paths_are_refused_before_work(
    name: str, path: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = GAMES.absolute()
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ValueError, OSError), match=words):
        getattr(scan(source), f"write_{name}")(path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["rows.bin", "rows.binpack", "rows.vf.zst"])
def test_damaged_training_data_leaves_no_output(name: str, tmp_path: Path) -> None:
    rookery.write_training(rows_of(game(1)), tmp_path / name)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-3])
    plan = rookery.scan(tmp_path / name)
    for out in ("out.parquet", "out.arrow", "out.csv", "out.jsonl"):
        (tmp_path / out).write_bytes(b"old")
        write = getattr(plan.select("fen", "score"), f"write_{out.partition('.')[2]}")
        with pytest.raises(DamagedFileError, match=name):
            write(tmp_path / out)
        assert (tmp_path / out).read_bytes() == b"old"
        (tmp_path / out).unlink()
    for one in (plan, plan.shuffle(seed=1)):
        with pytest.raises(DamagedFileError, match=name):
            one.write_training(tmp_path / "out.plain")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_name_says_the_format(plan: Plan, tmp_path: Path) -> None:
    for suffix in ("parquet", "arrow", "csv", "jsonl"):
        plan.write(tmp_path / f"out.{suffix}")
        getattr(plan, f"write_{suffix}")(tmp_path / f"right.{suffix}")
        assert (tmp_path / f"out.{suffix}").read_bytes() == (tmp_path / f"right.{suffix}").read_bytes()
    with pytest.raises(ValueError, match="expected a name that ends in"):
        plan.write(tmp_path / "out.xlsx")


def test_stats_are_those_of_training_data(tmp_path: Path) -> None:
    rows = ScoredPositions.from_games(read_pgn(GAMES))
    rookery.write_training(rows, tmp_path / "rows.plain", no_score="zero")
    path = tmp_path / "rows.plain"
    for query in (None, "not is_check"):
        right = training_stats(path, query=query, score_bin=50, ply_bin=7)
        assert scan(path).positions(query).stats(score_bin=50, ply_bin=7, threads=2) == right
    right = training_stats(read_pgn(GAMES), query="is_check")
    for source in (GAMES, read_pgn(GAMES)):
        assert scan(source).positions("is_check").stats() == right
    assert scan(GAMES).head(100).stats().rows == 100
    for plan, words in (
        (scan(GAMES).select("ply"), "stats: counts rows, not columns"),
        (scan(GAMES).group_by("ply").agg("count"), "stats: a verb makes other columns"),
        (scan(Positions.from_fens([])), "memory: has no scores"),
    ):
        with pytest.raises(ValueError, match=words):
            plan.stats()
    with pytest.raises(ValueError, match="score_bin: 0"):
        scan(GAMES).stats(score_bin=0)
