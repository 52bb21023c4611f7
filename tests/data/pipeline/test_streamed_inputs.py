"""Packed files that cannot be divided: they are read once, become many parts, and interrupted work goes on."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from test_pipeline_annotate import FENS

import rookery
from rookery.data.pipeline import inputs
from thinning import slow

ROWS = 3_000
SIZE = 20_000  # bytes of text in a part


def fen(i: int) -> str:
    return "bad" if i % 500 == 7 else f"{FENS[i % len(FENS)].rsplit(' ', 1)[0]} {i + 1}"


def csv() -> str:
    return "fen,note\n" + "".join(f'{fen(i)},"line {i}\nand another"\n' for i in range(ROWS))


def jsonl() -> str:
    return "".join(json.dumps({"fen": fen(i), "note": i}) + "\n" for i in range(ROWS))


def fens() -> str:
    return "".join(f"{fen(i)}\n" for i in range(ROWS))


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "TASK_BYTES", SIZE)
    monkeypatch.setattr(inputs, "CHUNK", 1_000)


@pytest.mark.parametrize("text", [csv, jsonl, fens])
@pytest.mark.parametrize("executor", ["threads:2", slow("processes:2")])
def test_a_packed_file_is_many_parts(text: Callable[[], str], executor: str, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text(text())
    packed = gzip.compress(text().encode())
    (tmp_path / "packed.gz").write_bytes(packed)
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        if total == len(packed):
            seen.append((done, total))

    done = []
    for name in ("plain", "packed.gz"):
        out, bad_path = tmp_path / f"{name}.parquet", tmp_path / f"{name}.jsonl"
        done.append(
            rookery.annotate(tmp_path / name, out, "legal_moves", errors=bad_path, executor=executor, progress=progress)
        )
    assert done[0] == done[1]
    assert done[0].bad == ROWS // 500
    tables = [pq.read_table(tmp_path / f"{name}.parquet") for name in ("plain", "packed.gz")]
    assert tables[0].equals(tables[1])
    bad = [
        [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text().splitlines()]
        for name in ("plain", "packed.gz")
    ]
    assert [row | {"file": ""} for row in bad[0]] == [row | {"file": ""} for row in bad[1]]
    assert len(seen) > 5
    assert seen[0] == (0, len(packed))
    assert seen[-1] == (len(packed), len(packed))
    assert len({done for done, _ in seen}) > 3


def test_an_interrupted_stream_goes_on(tmp_path: Path) -> None:
    (tmp_path / "packed.gz").write_bytes(gzip.compress(fens().encode()))
    rookery.annotate(tmp_path / "packed.gz", tmp_path / "whole.parquet", "legal_moves")
    calls = 0

    def interrupt(done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise KeyboardInterrupt

    out = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        rookery.annotate(tmp_path / "packed.gz", out, "legal_moves", progress=interrupt)
    kept = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "out.parquet.parts").glob("part-*")}
    assert len(kept) >= 4
    rookery.annotate(tmp_path / "packed.gz", out, "legal_moves")
    assert out.read_bytes() == (tmp_path / "whole.parquet").read_bytes()


def test_a_damaged_stream_keeps_the_rows_before(tmp_path: Path) -> None:
    packed = gzip.compress(fens().encode(), 1)
    (tmp_path / "cut.gz").write_bytes(packed[: len(packed) * 2 // 3])
    done = rookery.annotate(tmp_path / "cut.gz", tmp_path / "out.parquet", "legal_moves")
    assert ROWS // 3 < done.rows < ROWS
    assert len(done.failures) == 1
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column("fen").to_pylist() == [fen(i) for i in range(ROWS) if fen(i) != "bad"][: done.rows]


def test_types_that_csv_cannot_hold_are_refused_before_work(tmp_path: Path) -> None:
    import pyarrow as pa

    pq.write_table(pa.table({"fen": [FENS[0]], "list": [[1, 2]]}), tmp_path / "in.parquet")
    with pytest.raises(ValueError, match=r"out: \.csv cannot hold the column 'list' of list<.*>: leave it out,"):
        rookery.annotate(tmp_path / "in.parquet", tmp_path / "out.csv", "legal_moves")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet"]
    assert rookery.annotate(tmp_path / "in.parquet", tmp_path / "out.parquet", "legal_moves").rows == 1
