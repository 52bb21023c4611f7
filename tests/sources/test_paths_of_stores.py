"""Paths of this machine and of other stores, and what a store answers, with a stand-in of fsspec."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rookery.sources import stores


@pytest.mark.parametrize(
    "path", ["s3://a/b", "gs://a", "github://o:r@/a", "S3://a", "a+b.c-1://x", "simplecache::s3://a", "file:///a"]
)
def test_paths_of_other_stores(path: str) -> None:
    assert stores.is_remote(path)
    assert stores.absolute(path) == path
    assert stores.plain(path) == path
    assert not stores.is_remote(Path(path))


@pytest.mark.parametrize(
    "path", ["a", "/a", "C:/a", "C://a", "a:b", "1a://b", "://a", "a b://c", "a:/b", "./s3://a", ""]
)
def test_paths_of_this_machine(path: str) -> None:
    assert not stores.is_remote(path)
    assert stores.absolute(path) == os.path.normpath(f"{Path.cwd()}/{path}" if path[:1] != "/" else path)
    assert stores.plain(path) == str(Path(path))


def test_absolute_paths_keep_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    assert stores.absolute("link/../link/a") == str(tmp_path / "link" / "a")
    assert stores.absolute(b"link") == str(tmp_path / "link")  # type: ignore[arg-type]


class Store:
    """A store that notes what is copied to it, or fails."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure, self.files = failure, dict[str, bytes]()

    def open(self, path: str, mode: str) -> Any:
        if self.failure is not None:
            raise self.failure
        return SimpleNamespace(open=lambda: (path, mode))

    def put_file(self, file: str, name: str) -> None:
        if self.failure is not None:
            raise self.failure
        self.files[name] = Path(file).read_bytes()

    def info(self, name: str) -> dict[str, Any]:
        return {"size": len(self.files[name])}


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    made = Store()
    core = SimpleNamespace(url_to_fs=lambda path: (made, path.partition("://")[2]))
    monkeypatch.setitem(sys.modules, "fsspec", SimpleNamespace(open=made.open, core=core))
    return made


def test_files_of_a_store(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    stores.upload(tmp_path / "file", "s3://bucket/name")
    assert store.files == {"bucket/name": b"text"}
    assert stores.size_of("s3://bucket/name") == 4
    assert stores.size_and_state("s3://bucket/name") == (4, None)
    opened: Any = stores.open_file("s3://bucket/name")
    assert opened == ("s3://bucket/name", "rb")
    assert stores.size_of(str(tmp_path / "file")) == 4
    with stores.open_file(str(tmp_path / "file")) as file:
        assert file.read() == b"text"


@pytest.mark.parametrize("failure", [KeyError("lost"), PermissionError(13, "denied"), ImportError("s3fs")])
def test_failures_of_a_store_name_the_path(failure: Exception, store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store.failure = failure
    for act in (
        lambda: stores.open_file("s3://bucket/name"),
        lambda: stores.upload(tmp_path / "file", "s3://bucket/name"),
    ):
        with pytest.raises((OSError, ImportError)) as caught:
            act()
        if isinstance(failure, OSError):
            assert caught.value is failure
        elif isinstance(caught.value, OSError):
            assert str(caught.value) in ("s3://bucket/name: 'lost'", "s3://bucket/name: s3fs")
            assert caught.value.__cause__ is failure
        else:
            assert caught.value is failure


def test_stores_need_fsspec(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    for act in (
        lambda: stores.open_file("s3://a"),
        lambda: stores.size_of("s3://a"),
        lambda: stores.upload(tmp_path, "s3://a"),
    ):
        with pytest.raises(
            ModuleNotFoundError, match=r"^files of other stores need fsspec: pip install fsspec$"
        ) as caught:
            act()
        assert caught.value.name == "fsspec"
