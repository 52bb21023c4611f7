"""Packed files that cannot be divided: they are read once, become many parts, and interrupted work goes on."""

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard
from test_pipeline_annotate import FENS

import rookery
from rookery.data.datasets import making as dataset_making
from rookery.data.pipeline import inputs
from rookery.games.read import blocks
from rookery.sources.failures import DamagedFileError
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


PGN = "".join(
    f'[White "player {i}"]\n\n1. e4 e5 2. {"Ke3" if i % 100 == 7 else "Nf3"} {"1-0" if i % 3 else "1/2-1/2"}\n\n'
    for i in range(1_000)
)
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "zst": zstandard.ZstdCompressor().compress,
}


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "GAMES", 30)
    monkeypatch.setattr(blocks, "BLOCK", 4_000)


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("executor", ["threads:2", slow("processes:2")])
def test_packed_games_are_many_parts(kind: str, executor: str, tmp_path: Path) -> None:
    plain, packed = tmp_path / "games", tmp_path / f"games.{kind}"
    plain.write_text(PGN)
    packed.write_bytes(PACKED[kind](PGN.encode()))
    seen: list[tuple[int, int]] = []
    done, tables, bad = [], [], []
    for path in (plain, packed):
        out, bad_path = tmp_path / "out.parquet", tmp_path / "bad.jsonl"
        done.append(
            rookery.annotate(
                path, out, "legal_moves", errors=bad_path, executor=executor, progress=lambda *now: seen.append(now)
            )
        )
        table = pq.read_table(out)
        assert set(table.column("file").to_pylist()) == {str(path)}
        tables.append(table.drop_columns(["file"]))
        bad.append([json.loads(line) | {"file": ""} for line in bad_path.read_text().splitlines()])
    assert done[0] == done[1]
    assert done[0].bad == 10
    assert tables[0].equals(tables[1])
    assert bad[0] == bad[1]
    of_packed = {now for now, total in seen if total == packed.stat().st_size}
    assert max(of_packed) == packed.stat().st_size
    assert len([now for now, total in seen if total == packed.stat().st_size]) > 6


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize("kind", PACKED)
def test_datasets_of_packed_games_have_the_same_rows(kind: str, tmp_path: Path) -> None:
    (tmp_path / "games").write_text(PGN)
    (tmp_path / f"games.{kind}").write_bytes(PACKED[kind](PGN.encode()))
    watched: list[dataset_making.Progress] = []
    plain = rookery.make_dataset(tmp_path / "games", tmp_path / "plain", split=[1])
    packed = rookery.make_dataset(tmp_path / f"games.{kind}", tmp_path / "packed", split=[1], watch=watched.append)
    assert packed.counts == plain.counts
    assert packed.counts["games"] == 1_000
    rows = [rookery.open_dataset(tmp_path / name).read() for name in ("plain", "packed")]
    assert rows[0] == rows[1]
    assert len([one for one in watched if one.what == "reading"]) > 6


@pytest.mark.usefixtures("few_games")
def test_interrupted_packed_games_go_on(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn.gz"
    path.write_bytes(gzip.compress(PGN.encode()))
    rookery.annotate(path, tmp_path / "whole.parquet", "legal_moves")
    rookery.make_dataset(path, tmp_path / "whole", split=[1])
    calls = 0

    def interrupt(*_: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rookery.annotate(path, tmp_path / "out.parquet", "legal_moves", progress=interrupt)
    assert len(list((tmp_path / "out.parquet.parts").glob("part-*"))) >= 4
    rookery.annotate(path, tmp_path / "out.parquet", "legal_moves")
    assert (tmp_path / "out.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    calls = 0
    with pytest.raises(KeyboardInterrupt):
        rookery.make_dataset(path, tmp_path / "out", split=[1], watch=interrupt)
    assert len(list((tmp_path / "out" / "unfinished").glob("part-*"))) >= 4
    made = rookery.make_dataset(path, tmp_path / "out", split=[1])
    assert [shard.digest for shard in made.shards] == [
        shard.digest for shard in rookery.make_dataset(path, tmp_path / "whole", split=[1]).shards
    ]


def test_damaged_packed_games_keep_the_games_before(tmp_path: Path) -> None:
    packed = gzip.compress(PGN.encode(), 1)
    (tmp_path / "cut.pgn.gz").write_bytes(packed[: len(packed) * 2 // 3])
    done = rookery.annotate(tmp_path / "cut.pgn.gz", tmp_path / "out.parquet", "legal_moves")
    assert 300 < done.games < 1_000
    assert len(done.failures) == 1
    assert "cut short" in done.failures[0]
    with pytest.raises(DamagedFileError, match="cut short"):
        rookery.make_dataset(tmp_path / "cut.pgn.gz", tmp_path / "out", split=[1])


def test_types_that_csv_cannot_hold_are_refused_before_work(tmp_path: Path) -> None:
    import pyarrow as pa

    pq.write_table(pa.table({"fen": [FENS[0]], "list": [[1, 2]]}), tmp_path / "in.parquet")
    with pytest.raises(ValueError, match=r"out: \.csv cannot hold the column 'list' of list<.*>: leave it out,"):
        rookery.annotate(tmp_path / "in.parquet", tmp_path / "out.csv", "legal_moves")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.parquet"]
    assert rookery.annotate(tmp_path / "in.parquet", tmp_path / "out.parquet", "legal_moves").rows == 1
