"""Files of other stores: memory, HTTP, and a real S3 server on this machine."""

import gzip
import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_pipeline_annotate import FENS, written

import rookery
from game_samples import SAMPLE
from rookery.games.read import on_executor

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    moto = pytest.importorskip("moto.server", reason="moto is not installed")
    s3fs = pytest.importorskip("s3fs", reason="s3fs is not installed")
    monkeypatch = pytest.MonkeyPatch()
    running = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    running.start()
    host, port = running.get_host_and_port()
    address = f"http://{host}:{port}"
    for name, value in (
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
        ("AWS_ENDPOINT_URL", address),
        ("AWS_DEFAULT_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    yield address
    s3fs.S3FileSystem.clear_instance_cache()
    running.stop()
    monkeypatch.undo()


@pytest.mark.parametrize("name", ["a.txt", "a.parquet", "a.csv"])
def test_s3(server: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = fsspec.filesystem("s3", endpoint_url=server, skip_instance_cache=True)
    store.mkdir("bucket")
    store.put_file(str(written(tmp_path, name)), f"bucket/{name}")
    done = rookery.annotate(f"s3://bucket/{name}", "s3://bucket/out.parquet", "legal_moves", threads=2)
    assert done.rows == len(FENS)
    rookery.annotate(tmp_path / name, tmp_path / "local.parquet", "legal_moves")
    assert store.cat_file("bucket/out.parquet") == (tmp_path / "local.parquet").read_bytes()
    assert not (tmp_path / "out.parquet.parts").exists()
    with pytest.raises(FileNotFoundError):
        rookery.annotate("s3://bucket/none.txt", tmp_path / "none.parquet", "legal_moves")
    store.rm("bucket", recursive=True)


def test_http(tmp_path: Path) -> None:
    pytest.importorskip("aiohttp", reason="aiohttp is not installed")
    path = written(tmp_path, "a.txt")
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        rookery.annotate(f"http://127.0.0.1:{running.server_port}/{path.name}", tmp_path / "out.parquet", "legal_moves")
        running.shutdown()
    assert pq.read_table(tmp_path / "out.parquet").column("fen").to_pylist() == FENS


def test_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with fsspec.open("memory://fens.txt", "w") as file:
        file.write("\n".join(FENS))
    rookery.annotate("memory://fens.txt", "memory://out.csv", "legal_moves")
    with fsspec.open("memory://out.csv", "r") as file:
        assert len(file.read().splitlines()) == len(FENS) + 1


@pytest.mark.parametrize("name", ["a.pgn", "a.pgn.gz", "a.parquet"])
def test_games_of_s3(server: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_executor, "RANGE", 20_000)
    text = SAMPLE.read_bytes() * 5
    content = {"a.pgn": text, "a.pgn.gz": gzip.compress(text)}
    path = tmp_path / name
    if name == "a.parquet":
        rookery.write_parquet(rookery.read_pgn(text), path)
    else:
        path.write_bytes(content[name])
    store = fsspec.filesystem("s3", endpoint_url=server, skip_instance_cache=True)
    store.mkdir("games")
    store.put_file(str(path), f"games/{name}")
    local, remote = tmp_path / "local.parquet", tmp_path / "remote.parquet"
    rookery.pgn_to_parquet(path, local)
    assert rookery.pgn_to_parquet(f"s3://games/{name}", remote, executor="threads:2") == 60
    tables = [pq.read_table(one) for one in (remote, local)]
    assert without_files(tables[0]) == without_files(tables[1])
    if name != "a.parquet":  # whose games came from bytes
        assert set(tables[0]["file"].to_pylist()) == {f"s3://games/{name}"}
    read = [rookery.read_pgn(one).to_arrow() for one in (f"s3://games/{name}", path)]
    assert without_files(read[0]) == without_files(read[1])
    hits = [rookery.search(one, "is_mate", executor="threads:2") for one in (f"s3://games/{name}", str(path))]
    assert len(hits[0]) == len(hits[1]) > 0
    with pytest.raises(FileNotFoundError):
        rookery.pgn_to_parquet("s3://games/none.pgn", remote)
    datasets = []
    for one, executor in ((f"s3://games/{name}", "threads:2"), (str(path), None)):
        folder = tmp_path / f"dataset-{executor}"
        options: dict[str, Any] = {"shuffle": True, "unique": True, "shards": 2, "executor": executor}
        made = rookery.make_dataset(one, folder, **options)
        assert [(file["path"], file["bytes"]) for file in made.inputs] == [(one, path.stat().st_size)]
        datasets.append((made.counts, made.rows, rows_of(folder)))
        assert rookery.make_dataset(one, folder, **options) == made  # nothing is done
    assert datasets[0] == datasets[1]
    assert len(datasets[0][2]) > 300
    with pytest.raises(FileNotFoundError):
        rookery.make_dataset("s3://games/none.pgn", tmp_path / "none")
    assert not (tmp_path / "none").exists()
    store.rm("games", recursive=True)


def without_files(games: pa.Table) -> pa.Table:
    """Return a table of games without the names of their files."""
    return games.drop_columns(["file"])


def rows_of(folder: Path) -> list[bytes]:
    """Return the rows of the shards of a dataset, sorted."""
    return sorted(row.tobytes() for path in folder.glob("*.npy") for row in np.load(path))


def test_a_dataset_of_games_and_training_data_of_stores(server: str, tmp_path: Path) -> None:
    """A dataset of files of S3, memory and HTTP has the rows of a dataset of local files."""
    pytest.importorskip("aiohttp", reason="aiohttp is not installed")
    (tmp_path / "a.pgn").write_bytes(SAMPLE.read_bytes() * 3)
    rows = rookery.ScoredPositions.from_games(rookery.read_pgn(SAMPLE))
    for name in ("b.plain", "c.binpack", "d.vf.zst"):
        rookery.write_training(rows, tmp_path / name)
    store = fsspec.filesystem("s3", endpoint_url=server, skip_instance_cache=True)
    store.mkdir("data")
    for name in ("a.pgn", "b.plain"):
        store.put_file(str(tmp_path / name), f"data/{name}")
    with fsspec.open("memory://c.binpack", "wb") as file:
        file.write((tmp_path / "c.binpack").read_bytes())
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        remote = ["s3://data/a.pgn", "s3://data/b.plain", "memory://c.binpack"]
        remote.append(f"http://127.0.0.1:{running.server_port}/d.vf.zst")
        local = [str(tmp_path / path.rpartition("/")[2]) for path in remote]
        made = [
            rookery.make_dataset(files, tmp_path / name, value="eval", threads=2)
            for files, name in ((remote, "remote"), (local, "local"))
        ]
        with pytest.raises(FileNotFoundError):
            rookery.make_dataset(f"{remote[-1]}.none.vf", tmp_path / "none")
        running.shutdown()
    assert made[0].counts == made[1].counts
    assert made[0].counts["positions"] > 1_000
    found = [
        [(tmp_path / name / shard.file).read_bytes() for shard in one.shards]
        for one, name in zip(made, ("remote", "local"), strict=True)
    ]
    assert found[0] == found[1]
    store.rm("data", recursive=True)


def test_training_data_of_a_store(tmp_path: Path) -> None:
    rows = rookery.read_training(b"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 | 310 | 1.0\n", format="text")
    rookery.write_training(rows, tmp_path / "a.plain")
    with fsspec.open("memory://a.plain", "wb") as file:
        file.write((tmp_path / "a.plain").read_bytes())
    assert rookery.read_training("memory://a.plain").scores.tolist() == [310]
