"""Files of other stores: memory, HTTP, and a real S3 server on this machine."""

import gzip
import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import rookery
from game_samples import SAMPLE
from rookery.games.read import on_executor
from test_pipeline_annotate import FENS, written

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")


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
    assert remote.read_bytes() == local.read_bytes()
    assert rookery.read_pgn(f"s3://games/{name}") == rookery.read_pgn(path)
    hits = [rookery.search(one, "is_mate", executor="threads:2") for one in (f"s3://games/{name}", str(path))]
    assert len(hits[0]) == len(hits[1]) > 0
    with pytest.raises(FileNotFoundError):
        rookery.pgn_to_parquet("s3://games/none.pgn", remote)
    with pytest.raises(ValueError, match="expected a file of this machine"):
        rookery.make_dataset(f"s3://games/{name}", tmp_path / "dataset")
    store.rm("games", recursive=True)


def test_training_data_of_a_store(tmp_path: Path) -> None:
    rows = rookery.read_training(b"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 | 310 | 1.0\n", format="text")
    rookery.write_training(rows, tmp_path / "a.plain")
    with fsspec.open("memory://a.plain", "wb") as file:
        file.write((tmp_path / "a.plain").read_bytes())
    assert rookery.read_training("memory://a.plain").scores.tolist() == [310]
