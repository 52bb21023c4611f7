"""The one writer and the one reader of files of ours."""

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from rookery.sources import files
from rookery.sources.files import Damaged, Kind, load, read, save, write

KIND = Kind("test", "rookery tests, version 1")


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes the bytes, and finds no room for them."""

    def fsync(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)


def test_a_file_is_written_as_requested(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write(path, "é\n")
    assert path.read_bytes() == b"\xc3\xa9\n"
    write(str(path), b"\0\1")
    assert path.read_bytes() == b"\0\1"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_keeps_its_permissions_and_a_link_its_target(tmp_path: Path) -> None:
    path, link = tmp_path / "folder" / "file", tmp_path / "link"
    path.parent.mkdir()
    path.write_bytes(b"before")
    path.chmod(0o640)
    link.symlink_to(path)
    write(link, b"after")
    assert path.read_bytes() == b"after"
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    new = tmp_path / "new"
    write(new, b"")
    plain = tmp_path / "plain"
    plain.touch()
    assert new.stat().st_mode == plain.stat().st_mode


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("new", [False, True])
def test_a_full_disk_leaves_what_was_there_and_nothing_else(tmp_path: Path, new: bool) -> None:
    path = tmp_path / "file"
    if not new:
        path.write_bytes(b"before")
    with pytest.raises(OSError, match="No space left"):
        write(path, b"after" * 100, new=new)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == ([] if new else [("file", b"before")])


def test_an_interrupt_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "file"
    path.write_bytes(b"before")
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(path, b"after")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("file", b"before")]


def test_a_new_file_replaces_none(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write(path, b"first", new=True)
    with pytest.raises(FileExistsError):
        write(path, b"second", new=True)
    assert path.read_bytes() == b"first"


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_that_appears_while_it_is_written_stays(
    tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_link(source: Path, target: Path) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    if not links:
        monkeypatch.setattr(os, "link", no_link)
    path = tmp_path / "file"

    def write_both() -> None:
        with files.replacing(path, new=True) as file:
            assert not path.exists()  # half of it is nowhere to be seen
            path.write_bytes(b"other")
            file.write(b"mine")

    with pytest.raises(FileExistsError):
        write_both()
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("file", b"other")]
    with files.replacing(tmp_path / "second", new=True) as file:
        file.write(b"mine")
    assert (tmp_path / "second").read_bytes() == b"mine"
    assert len(list(tmp_path.iterdir())) == 2


def test_an_open_file_goes_on_where_it_is(tmp_path: Path) -> None:
    """``/dev/stdout`` may be a regular file, which is added to and not replaced."""
    log = tmp_path / "log"
    log.write_text("first\n")
    program = "print('second'); files.write('/dev/stdout', 'third\\n'); print('fourth')"
    program = f"from rookery.sources import files; {program}"
    environment = {**os.environ, "PYTHONPATH": str(Path(files.__file__).parents[2])}
    with log.open("a") as file:
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True, env=environment)
    assert log.read_text().split() == ["first", "second", "third", "fourth"]
    with log.open("r+") as file:
        file.seek(0, os.SEEK_END)
        write(f"/dev/fd/{file.fileno()}", "fifth")
    assert log.read_text().endswith("fourth\nfifth")
    with pytest.raises(OSError, match="Bad file descriptor"):
        write("/dev/fd/12345", "")
    assert [*tmp_path.iterdir()] == [log]


def test_what_was_printed_comes_before_what_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "log").open("w+") as log:
        monkeypatch.setattr(sys, "stdout", log)
        monkeypatch.setattr(sys, "stderr", None)  # as programs without a console have it
        log.write("first ")
        write(f"/dev/fd/{log.fileno()}", "second")
        assert (tmp_path / "log").read_text() == "first second"


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"before")
    path.chmod(0o400)
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may do all
    with pytest.raises(PermissionError):
        write(path, b"after")
    assert path.read_bytes() == b"before"


def test_a_device_is_written_to_and_not_replaced() -> None:
    write("/dev/null", b"text")
    assert not Path("/dev/null").is_file()
    with pytest.raises(OSError, match="No space left"):
        write("/dev/full", b"text")
    assert not Path("/dev/full").is_file()


def test_what_has_no_end_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(ValueError, match=f"^name: {path}: expected a file$"):
            read("name", path)
    with pytest.raises(ValueError, match=f"^name: {tmp_path}: Is a directory$"):
        read("name", tmp_path)
    assert read("name", tmp_path / "none") is None
    (tmp_path / "file").touch()
    assert read("name", tmp_path / "file" / "none") is None


def test_a_document_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert load(path, KIND) is None
    for content in ({}, {"a": [1, 2.5, None, "é"], "b": {"1": 2**70}}):
        save(path, KIND, content)
        assert load(path, KIND) == content


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"precious",
        b"{",
        b"[]",
        b"[" * 100_000,
        b'{"about": "rookery tests, version 2", "digest": ""}',
        b'{"about": "rookery tests, version 1',
        b"\xff\xfe",
        b"SQLite format 3\0",
    ],
)
def test_what_is_not_ours_is_refused_and_stays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(
        ValueError, match=r"^test: .*/file: not a test, or damaged: expected it to begin with"
    ) as refused:
        load(path, KIND)
    assert not isinstance(refused.value, Damaged)
    assert len(str(refused.value)) < 300
    assert path.read_bytes() == content


def test_every_flipped_bit_of_a_document_is_found(tmp_path: Path) -> None:
    path = tmp_path / "file"
    save(path, KIND, {"leaves": {"1": 20, "2": 400}, "fen": "8/8"})
    whole = path.read_bytes()
    for at in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[at // 8] ^= 1 << at % 8
        path.write_bytes(flipped)
        with pytest.raises(ValueError, match=r"^test: .*/file: "):
            load(path, KIND)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"^test: .*/file: "):
            load(path, KIND)


def test_a_damaged_document_differs_from_a_foreign_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    save(path, KIND, {"a": 1})
    whole = path.read_text()
    deep = json.dumps({"about": KIND.mark})[:-1] + ', "a": ' + "[" * 100_000
    for text in (whole[:-3], whole.replace('"a": 1', '"a": 2'), deep, whole.replace("digest", "digests")):
        path.write_text(text)
        with pytest.raises(Damaged, match="damaged"):
            load(path, KIND)


def test_names_for_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert files.free_name(path) == tmp_path / "file.damaged-1"
    (tmp_path / "file.damaged-1").symlink_to(tmp_path / "nowhere")
    assert files.free_name(path) == tmp_path / "file.damaged-2"
