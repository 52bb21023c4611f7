"""Interrupted work goes on, and its file is the same byte for byte however it was divided and interrupted."""

import itertools
import json
import random
import signal
import subprocess
import sys
import textwrap
import time
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
from named_executors import executors, needs_engine
from rookery.data.pipeline import inputs, outputs
from rookery.tasks import running
from thinning import few

FEATURES = "legal_moves,mobility,tags"
TASK_BYTES = 20_000
# A program that does the work in small tasks, each of which takes a while.
PROGRAM = textwrap.dedent(
    """
    import sys, time
    from rookery.data.pipeline import inputs, outputs
    from rookery.data.pipeline.annotate import annotate
    folder, name, executor, source = sys.argv[1:5]
    inputs.TASK_BYTES, outputs.ROW_GROUP = map(int, sys.argv[5:])
    inputs._TASK_ROWS = inputs.TASK_BYTES // 60
    annotate(folder + "/" + source, folder + "/" + name, "legal_moves,mobility,tags", executor=executor,
             errors=folder + "/bad.jsonl", progress=lambda done, total: (print(done, flush=True), time.sleep(0.02)))
    """
)


def lines(folder: Path, n: int = 6_000) -> None:
    rng = random.Random(1)
    rows = [rng.choice(FENS) if rng.random() < 0.99 else "bad" for _ in range(n)]
    (folder / "fens.txt").write_text("".join(row + "\n" for row in rows))


def command(folder: Path, executor: str, name: str, source: str, row_group: int = outputs.ROW_GROUP) -> list[str]:
    words = [str(folder), name, executor, source, str(TASK_BYTES), str(row_group)]
    return [sys.executable, "-c", PROGRAM, *words]


def start(
    folder: Path,
    executor: str = "threads:2",
    name: str = "out.parquet",
    source: str = "fens.txt",
    row_group: int = outputs.ROW_GROUP,
) -> "subprocess.Popen[str]":
    words = command(folder, executor, name, source, row_group)
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(folder: Path, executor: str = "threads:2") -> int:
    """Go on with the work of `start`, in this process; return how many tasks were kept."""
    seen: list[int] = []
    rookery.annotate(
        folder / "fens.txt",
        folder / "out.parquet",
        FEATURES,
        errors=folder / "bad.jsonl",
        executor=executor,
        progress=lambda done, total: seen.append(done),
    )
    return seen[0]


@pytest.fixture
def undisturbed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[bytes, bytes]:
    """Return the output and the bad rows of one run in one thread."""
    lines(tmp_path)
    monkeypatch.setattr(inputs, "TASK_BYTES", TASK_BYTES)
    rookery.annotate(tmp_path / "fens.txt", tmp_path / "out.parquet", FEATURES, errors=tmp_path / "bad.jsonl")
    found = (tmp_path / "out.parquet").read_bytes(), (tmp_path / "bad.jsonl").read_bytes()
    (tmp_path / "out.parquet").unlink()
    (tmp_path / "bad.jsonl").unlink()
    assert not (tmp_path / "out.parquet.parts").exists()
    return found


def check(folder: Path, undisturbed: tuple[bytes, bytes], name: str = "out.parquet", source: str = "fens.txt") -> None:
    assert (folder / name).read_bytes() == undisturbed[0]
    assert (folder / "bad.jsonl").read_bytes() == undisturbed[1]
    assert sorted(path.name for path in folder.iterdir()) == sorted(["bad.jsonl", name, source])


@pytest.mark.parametrize(
    "executor", executors("threads:1", "threads:2", "processes:2", "dask:2", "ray:local", "loky:2")
)
def test_every_executor_writes_the_same_bytes(
    executor: str, tmp_path: Path, undisturbed: tuple[bytes, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    if needs_engine(executor):
        process = start(tmp_path, executor)  # without this process' filters of warnings
        printed = process.communicate(timeout=300)[1]
        assert process.returncode == 0, printed
    else:
        rookery.annotate(
            tmp_path / "fens.txt", tmp_path / "out.parquet", FEATURES, errors=tmp_path / "bad.jsonl", executor=executor
        )
    check(tmp_path, undisturbed)


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 51))
def test_a_killed_run_goes_on(seed: int, tmp_path: Path, undisturbed: tuple[bytes, bytes]) -> None:
    rng = random.Random(seed)
    executor = rng.choice(["threads:2", "processes:2"])
    name = signal.SIGKILL if seed % 2 else signal.SIGINT
    for _ in range(2):
        process = start(tmp_path, executor)
        assert process.stdout is not None
        for _ in range(rng.randrange(1, 6)):  # a number for each finished task
            process.stdout.readline()
        time.sleep(rng.random() / 50)
        process.send_signal(name)
        process.communicate(timeout=60)
        assert not (tmp_path / "out.parquet").exists()
    assert finish(tmp_path, executor) > 0  # tasks were kept
    check(tmp_path, undisturbed)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits")
def test_a_full_disk_is_a_clear_error_and_keeps_what_is_done(tmp_path: Path, undisturbed: tuple[bytes, bytes]) -> None:
    program = PROGRAM.replace(
        "import sys, time",
        "import sys, time, resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (35_000, 35_000))",
    )
    words = command(tmp_path, "threads:1", "out.parquet", "fens.txt")
    words[2] = program
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    assert len(undisturbed[0]) > 35_000
    assert found.returncode == 1
    assert "out.parquet" in found.stderr.splitlines()[-1]
    assert not (tmp_path / "out.parquet").exists()
    assert len(list((tmp_path / "out.parquet.parts").glob("part-*.arrows"))) > 10
    assert finish(tmp_path) > 10
    check(tmp_path, undisturbed)


def test_a_journal_of_other_work_is_refused(tmp_path: Path, undisturbed: tuple[bytes, bytes]) -> None:
    process = start(tmp_path)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.readline()
    process.kill()
    process.communicate()
    with pytest.raises(ValueError, match="is of other work"):
        rookery.annotate(tmp_path / "fens.txt", tmp_path / "out.parquet", "key")
    with (tmp_path / "fens.txt").open("a") as file:
        file.write(FENS[0] + "\n")
    with pytest.raises(ValueError, match="is of other work"):
        rookery.annotate(tmp_path / "fens.txt", tmp_path / "out.parquet", FEATURES, errors=tmp_path / "bad.jsonl")


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
