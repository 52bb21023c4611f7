"""Samples of lines, tables and training data: the same however the input is divided, packed or held."""

import contextlib
import gzip
import json
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
import training_samples
from packed import zstd_in_frames
from rookery import Positions, scan
from rookery.data.pipeline import inputs, memory
from rookery.data.training.tasks import division

SIZES: Final = (1 << 24, 9_000, 1_500)  # bytes of a task
LINES: Final = 400
FEN: Final = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 {}"
FENS: Final = [FEN.format(1 + i % 50) for i in range(LINES)]  # each of them eight times
TEXTS: Final = ("txt", "csv", "jsonl", "quoted.csv", "crlf.txt")
TRAINING: Final = ("plain", "binpack", "viriformat", "bullet", "bin")


def text_of(kind: str) -> bytes:
    if kind == "csv":
        return ("n,fen\n" + "".join(f"{i},{fen}\n" for i, fen in enumerate(FENS))).encode()
    if kind == "quoted.csv":
        return ("n,text,fen\n" + "".join(f'{i},"a\nb",{fen}\n' for i, fen in enumerate(FENS))).encode()
    if kind == "jsonl":
        return "".join(json.dumps({"fen": fen, "n": i}) + "\n" for i, fen in enumerate(FENS)).encode()
    # Blank and bad lines are not rows, and take their places all the same.
    lines = [fen if i % 7 else f"{fen}\n\nbad" for i, fen in enumerate(FENS)]
    return "".join(f"{line}\n" for line in lines).replace("\n", "\r\n" if kind == "crlf.txt" else "\n").encode()


@contextlib.contextmanager
def tasks_of(size: int) -> Iterator[None]:
    """Let tasks have so many bytes, or a hundredth of it in rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inputs, "TASK_BYTES", size)
        for module in (inputs, memory):
            patch.setattr(module, "TASK_ROWS", max(size // 100, 7))
        patch.setattr(division, "RANGE", size)
        yield


def sampled(source: Any, *columns: str, sample: float = 0.3, **options: Any) -> list[dict[str, Any]]:
    plan = scan(source).positions(sample=sample, seed=3).select(*columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of bad lines
        found: list[dict[str, Any]] = plan.collect(**options).to_pylist()
    return found


def one_sample(sources: Iterable[Any], *columns: str, **options: Any) -> list[dict[str, Any]]:
    """Return the sample of sources with the same rows, in tasks of any size."""
    sources = list(sources)
    expected = sampled(sources[0], *columns)
    for size in SIZES:
        with tasks_of(size):
            for source in sources:
                assert sampled(source, *columns, **options) == expected, (source, size)
    return expected


@pytest.mark.parametrize("kind", TEXTS)
def test_lines(kind: str, tmp_path: Path) -> None:
    columns = ["fen"] if kind.endswith("txt") else ["fen", "n"]
    text = text_of(kind)
    paths = []
    for suffix, pack in (("", bytes), (".gz", gzip.compress), (".zst", zstd_in_frames)):
        paths.append(tmp_path / f"a.{kind}{suffix}")
        paths[-1].write_bytes(pack(text))
    found = one_sample(paths, *columns)
    assert 0.2 * LINES < len(found) < 0.4 * LINES
    assert found == one_sample(paths[:1], *columns, executor="threads:2")


def test_tables_and_positions(tmp_path: Path) -> None:
    table = pa.table({"fen": FENS, "n": range(LINES)})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=37)
    with pa.ipc.new_file(tmp_path / "a.arrow", table.schema) as file:
        file.write_table(table, 23)
    with pa.ipc.new_stream(tmp_path / "a.arrows", table.schema) as stream:
        stream.write_table(table, 11)
    found = one_sample([table, *(tmp_path / f"a.{suffix}" for suffix in ("parquet", "arrow", "arrows"))], "fen", "n")
    assert 0.2 * LINES < len(found) < 0.4 * LINES
    assert [row["fen"] for row in found] == [row["fen"] for row in one_sample([Positions.from_fens(FENS)], "fen")]


def test_equal_lines_are_chosen_one_by_one() -> None:
    found = [row["fen"] for row in sampled(pa.table({"fen": FENS}), "fen")]
    times = {found.count(fen) for fen in FENS}
    assert {1, 2, 3} <= times
    assert max(times) < LINES // 50


@pytest.mark.parametrize("kind", TRAINING)
def test_training_data(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{kind}"
    rookery.write_training(training_samples.rows_of(training_samples.games(12)), path)
    rows = rookery.read_training(path)
    found = one_sample([path, rows], "fen", "score")
    assert 0.2 * len(rows) < len(found) < 0.4 * len(rows)
    for size in SIZES:
        with tasks_of(size):
            scan(path).positions(sample=0.3, seed=3).write_training(tmp_path / "b.plain")
        written = rookery.read_training(tmp_path / "b.plain")
        assert written.positions.to_fens() == [row["fen"] for row in found]
