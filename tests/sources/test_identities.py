"""Identities of files, changes while they are read, documents, temporary files and errors that name their file."""

import errno
import hashlib
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any, Final

import pytest

from rookery.sources import disk, files, identity, leftovers
from rookery.sources.disk import DISK, Disk
from rookery.sources.failures import ChangedFileError, DamagedFileError, damaged_files, raise_system_errors, renamed
from rookery.sources.identity import (
    Identity,
    changes_explained,
    check_all,
    check_identity,
    identity_of,
    reading,
)

BLOCK: Final = 1 << 12


def digest(*blocks: bytes) -> str:
    return hashlib.sha256(b"".join(blocks)).hexdigest()[:32]


@pytest.mark.parametrize("size", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 5])
def test_identities_of_files(size: int, tmp_path: Path) -> None:
    content = bytes(i % 251 for i in range(size))
    path = tmp_path / "file"
    path.write_bytes(content)
    expected = Identity(size, path.stat().st_mtime_ns, digest(content[:BLOCK], content[-BLOCK:]))
    assert identity_of(str(path)) == expected
    with path.open("rb") as file:
        file.seek(size // 2)
        assert identity_of("another name", file) == expected
        assert file.tell() == 0
        assert not file.closed


def test_identities_of_pipes() -> None:
    read, write = os.pipe()
    os.write(write, b"abc")
    with open(read, "rb") as file:  # noqa: PTH123
        state = os.fstat(read)
        assert identity_of("x", file) == Identity(state.st_size, state.st_mtime_ns, "")
        assert os.read(read, 3) == b"abc"
    os.close(write)


def changed(path: Path, content: bytes, time: int = 0) -> None:
    path.write_bytes(content)
    os.utime(path, ns=(time, time))


@pytest.mark.parametrize("size", [5, BLOCK, 3 * BLOCK])
def test_files_that_have_grown(size: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    content = bytes(i % 251 for i in range(size))
    changed(path, content)
    before = identity_of(str(path))
    check_identity(str(path), before)
    changed(path, content + b"more", 1)
    check_identity(str(path), before, may_grow=True)
    with pytest.raises(ChangedFileError, match=rf"\(it had {size:,} bytes and has {size + 4:,}\): start again when no"):
        check_identity(str(path), before)
    changed(path, b"x" + content[1:] + b"more", 1)
    with pytest.raises(ChangedFileError):
        check_identity(str(path), before, may_grow=True)
    for same_or_less in (content, content[:-1]):
        changed(path, same_or_less, 1)
        with pytest.raises(ChangedFileError):
            check_identity(str(path), before, may_grow=True)
    changed(path, content + b"more")
    for unknown in (before._replace(digest=""), before._replace(size=None)):
        with pytest.raises(ChangedFileError, match="changed while it was read"):
            check_identity(str(path), unknown, may_grow=True)
    with pytest.raises(ChangedFileError, match="while it was read: start again"):
        check_identity(str(path), before._replace(size=None))


def test_messages_of_changes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    changed(path, b"abc")
    before = identity_of(str(path))
    changed(path, b"abd")
    with pytest.raises(ChangedFileError) as caught:
        check_all({str(path): before})
    assert str(caught.value) == f"{path}: changed while it was read: start again when no other program writes to it"
    path.unlink()
    with pytest.raises(ChangedFileError) as caught:
        check_identity(str(path), before)
    assert str(caught.value) == f"{path}: was removed while it was read: start again when no other program writes to it"


def test_changes_explain_errors(tmp_path: Path) -> None:
    path = tmp_path / "file"
    changed(path, b"abc")
    known = {str(path): identity_of(str(path))}
    for change in (False, True):
        if change:
            changed(path, b"abcd")
        for error in (KeyError("x"), ChangedFileError("mine")):
            expected = ChangedFileError if change and isinstance(error, KeyError) else type(error)
            with pytest.raises(expected) as caught, changes_explained(known):
                raise error
            assert (caught.value is error) == (not change or isinstance(error, ChangedFileError))
        with changes_explained(known):
            pass


@pytest.mark.parametrize("size", [4, 6])
@pytest.mark.parametrize("fails", [False, True])
def test_files_that_are_written_over_while_they_are_read(size: int, fails: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    changed(path, b"123456")

    def read() -> None:
        with reading(path):
            changed(path, b"abcdef"[:size], 5)
            if fails:
                raise KeyError("x")

    with pytest.raises(ChangedFileError, match="was cut or written over while it was read") as caught:
        read()
    assert isinstance(caught.value.__cause__, KeyError) == fails


def test_files_that_only_grow_while_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    changed(path, b"123456")
    with reading(path) as file:
        changed(path, b"1234567", 5)
        assert file.read() == b"1234567"
    with reading(path) as file:
        changed(path, b"")
        file.close()  # then nothing is known
    with pytest.raises(KeyError), reading(path):
        raise KeyError("x")
    with reading(os.devnull) as file:
        assert file.read() == b""


# Failures.


def failure(cause: BaseException | None) -> DamagedFileError:
    error = DamagedFileError("a.pgn", "cut short")
    error.__cause__ = cause
    return error


def test_errors_of_the_system() -> None:
    raise_system_errors([failure(None), failure(KeyError("x")), failure(OSError("no number"))])
    unnamed = OSError(errno.EIO, "broken")
    with pytest.raises(OSError, match=r"broken: 'a\.pgn'"):
        raise_system_errors([failure(None), failure(unnamed)])
    named = OSError(errno.EIO, "broken", "b.pgn")
    with pytest.raises(OSError, match=r"broken: 'b\.pgn'"):
        raise_system_errors([failure(named)])
    assert failure(None).reason == "cut short"
    assert str(damaged_files(["a: b: c", "d: e"])) == "a: b: c; d: e"
    assert damaged_files(["a: b: c", "d: e"]).reason == "b: c; d: e"


def test_names_of_the_caller() -> None:
    assert renamed("/a/b.zip/c: x", "/a/b.zip", "b.zip") == "b.zip/c: x"
    assert renamed("x /a", "/a", "b") == "x /a"


def test_errors_name_the_file_that_is_open() -> None:
    for number, name, expected in ((errno.EIO, None, "x"), (errno.EIO, "y", "y"), (None, None, None)):
        error = OSError(number, "broken", name) if number is not None else OSError("broken")
        with pytest.raises(OSError, match="broken") as caught, disk.naming(Path("x")):
            raise error
        assert caught.value.filename == expected


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="the system has no file that fails")
def test_errors_of_input_files() -> None:
    uses: list[Any] = [lambda file: file.read(5), lambda file: file.read(), lambda file: file.readinto(bytearray(5))]
    for buffered in (False, True):
        for use in uses:
            with (
                DISK.open("/proc/self/mem", buffered=buffered) as file,
                pytest.raises(OSError, match="'/proc/self/mem'"),
            ):
                use(file)


# The disk.


def test_files_of_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with DISK.open(path, "xb") as file:
        file.write(b"abc")
    with pytest.raises(FileExistsError):
        DISK.open(path, "xb")
    with DISK.open(path, "r+b", buffered=False) as file:
        file.write(b"x")
        assert path.read_bytes() == b"xbc"
        DISK.truncate(file, 2)
        DISK.sync(file)
    assert path.read_bytes() == b"xb"
    private, shared = DISK.mapped(path, private=True), DISK.mapped(path)
    private[0] = 7
    assert (bytes(private), bytes(shared), path.read_bytes()) == (b"\7b", b"xb", b"xb")
    with pytest.raises(ValueError, match="read-only"):
        shared[0] = 7
    with DISK.open(path) as file, DISK.open(path) as other:
        assert file.read() == b"xb"
        assert DISK.lock(file)
        assert DISK.lock(file.fileno())
        assert not DISK.lock(other)
    DISK.replace(path, tmp_path / "new")
    DISK.link(tmp_path / "new", tmp_path / "link")
    with pytest.raises(FileExistsError):
        DISK.link(tmp_path / "new", tmp_path / "link")
    (tmp_path / "link").chmod(0o600)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600
    (tmp_path / "other").touch(0o644)
    DISK.copy_mode(tmp_path / "link", tmp_path / "other")
    assert (tmp_path / "other").stat().st_mode & 0o777 == 0o600
    DISK.remove(tmp_path / "link")
    DISK.remove(tmp_path / "link", missing_ok=True)
    with pytest.raises(FileNotFoundError):
        DISK.remove(tmp_path / "link")


def test_folders_of_the_disk(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        DISK.make_folder(tmp_path / "a" / "b")
    DISK.make_folder(tmp_path / "a" / "b", parents=True)
    DISK.make_folder(tmp_path / "a" / "b")
    DISK.sync_folder(tmp_path / "a")
    DISK.sync_folder(tmp_path / "missing")
    with pytest.raises(OSError, match="not empty"):
        DISK.remove_folder(tmp_path / "a")
    DISK.remove_folder(tmp_path / "a" / "b")
    (tmp_path / "a" / "c").touch()
    DISK.remove_tree(tmp_path / "a")
    assert not (tmp_path / "a").exists()
    with DISK.temporary_folder() as folder:
        (folder / "x").touch()
        assert folder.name.startswith("rookery-")
    assert not folder.exists()
    name = DISK.unused_name("p-", ".s")
    assert (name.name[:2], name.suffix, name.read_bytes()) == ("p-", ".s", b"")
    name.unlink()
    with DISK.temporary_file(100) as file:
        file.write(b"abc")
        file.seek(0)
        assert file.read() == b"abc"


def test_a_folder_that_is_filled_while_it_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    calls: list[bool] = []
    monkeypatch.setattr(shutil, "rmtree", lambda path, ignore_errors=False: calls.append(ignore_errors))
    DISK.remove_tree(tmp_path)
    assert calls == [True] * 5 + [False]
    DISK.remove_tree(tmp_path / "missing")
    assert len(calls) == 7


def fails_to_remove(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let the system refuse to remove any file of a name."""
    unlink = os.unlink

    def refused(path: Any, *rest: Any, **options: Any) -> None:
        if Path(os.fsdecode(path)).name == name:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        unlink(path, *rest, **options)

    monkeypatch.setattr(os, "unlink", refused)


def test_a_folder_that_cannot_be_removed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    (folder / "kept").touch()
    (folder / "gone").touch()
    fails_to_remove(monkeypatch, "kept")
    with pytest.raises(PermissionError) as caught:
        DISK.remove_tree(tmp_path / "a")
    assert caught.value.filename == str(tmp_path / "a")
    assert [path.name for path in tmp_path.rglob("*")] == ["a", "b", "kept"]
    message = f"{tmp_path / 'a'}: this folder is not needed any more, and could not be removed (Permission denied)"
    with pytest.warns(UserWarning, match=re.escape(message)):
        DISK.discard(tmp_path / "a")
    DISK.discard(tmp_path / "missing")


def test_a_temporary_folder_that_cannot_be_removed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fails_to_remove(monkeypatch, "kept")
    with pytest.warns(UserWarning, match=re.escape(f"{tmp_path}/rookery-")), DISK.temporary_folder() as folder:
        (folder / "kept").touch()
    with DISK.temporary_folder() as other:
        (other / "gone").touch()
    assert list(tmp_path.iterdir()) == [folder]


# Files that are written.


class Noting(Disk):
    """A disk that notes what is made durable."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def sync(self, file: Any) -> None:
        self.done.append("file")
        super().sync(file)

    def sync_folder(self, path: Any) -> None:
        self.done.append("folder")
        super().sync_folder(path)

    def copy_mode(self, source: Any, target: Any) -> None:
        self.done.append("mode")
        super().copy_mode(source, target)


def test_what_is_durable(tmp_path: Path) -> None:
    for durable in (True, False):
        for new in (True, False):
            noting, path = Noting(), tmp_path / f"{durable}{new}"
            files.write(path, b"a", durable=durable, new=new, disk=noting)
            assert noting.done == ["file", "folder"] * durable
            noting.done.clear()
            files.write(path, b"b", durable=durable, disk=noting)
            assert noting.done == (["file", "mode", "folder"] if durable else ["mode"])
            assert path.read_bytes() == b"b"
    noting = Noting()
    files.write(tmp_path / "x", b"a", disk=noting)
    with files.replacing(tmp_path / "x", disk=noting) as file:
        file.write(b"b")
    assert noting.done == ["file", "folder", "file", "mode", "folder"]
    assert (tmp_path / "x").read_bytes() == b"b"


def test_files_that_are_moved(tmp_path: Path) -> None:
    noting = Noting()
    (tmp_path / "from").mkdir()
    for name in "abc":
        (tmp_path / "from" / name).write_text(name)
    files.move(tmp_path / "from", tmp_path / "to", ["a", "c"], disk=noting)
    assert sorted(path.name for path in (tmp_path / "to").iterdir()) == ["a", "c"]
    assert [path.name for path in (tmp_path / "from").iterdir()] == ["b"]
    assert noting.done == ["folder"]


def test_paths_that_are_written_to_directly(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    direct = ["/dev/stdout", "/dev/stderr", "/dev/fd/7", "/proc/self/fd/12", "/dev/null", str(tmp_path / "pipe")]
    assert all(map(files.is_stream, direct))
    others = ["/dev/fd/x", "/dev/fd", "/dev/fd/²", str(tmp_path), str(tmp_path / "file"), str(tmp_path / "missing")]
    assert not any(map(files.is_stream, others))


def test_files_that_are_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abcdef")
    assert files.read("x", path) == b"abcdef"
    assert files.read("x", path, b"abc") == b"abcdef"
    with pytest.raises(ValueError, match=rf"^x: {path}: not a x, or damaged: expected it to begin with abd$"):
        files.read("x", path, b"abd")
    files.check_place("x", path)
    files.check_place("x", tmp_path / "new")
    with pytest.raises(ValueError, match=r"^x: '/': expected the name of a file$"):
        files.check_place("x", "/")
    with pytest.raises(ValueError, match=rf"^x: {path}/y: there is no folder '{path}'$"):
        files.check_place("x", path / "y")


def test_documents_are_json_with_a_digest(tmp_path: Path) -> None:
    kind, path = files.Kind("name", "mark, version 1"), tmp_path / "file"
    files.save(path, kind, {"b": 1, "a": "é"})
    found = json.loads(path.read_text())
    assert list(found) == ["about", "b", "a", "digest"]
    content = json.dumps({"a": "é", "b": 1}).encode()
    assert (found["about"], found["digest"]) == ("mark, version 1", hashlib.sha256(content).hexdigest())


# Temporary files.


def temporary(folder: Path, machine: str = "", age: float = 0) -> Path:
    import time

    path = folder / f".rookery-{machine or leftovers.machine()}-{os.urandom(8).hex()}.new"
    path.touch()
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_leftovers_that_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "_last_scans", {})
    removed = [temporary(tmp_path), temporary(tmp_path, "0" * 8, 86_400 + 60), temporary(tmp_path, age=1e6)]
    kept = [temporary(tmp_path, "0" * 8), temporary(tmp_path, "0" * 8, 86_400 - 60)]
    held = temporary(tmp_path)
    (tmp_path / f".rookery-{'0' * 15}.new").touch()
    (tmp_path / f".rookery-{leftovers.machine()}-{'0' * 16}.new").mkdir()
    (tmp_path / f".rookery-{leftovers.machine()}-{'1' * 16}.new").symlink_to(kept[0])
    count = len(list(tmp_path.iterdir()))
    with held.open("rb") as file:
        assert DISK.lock(file)
        leftovers.remove(tmp_path)
        assert not any(path.exists() for path in removed)
        assert all(path.exists() for path in (*kept, held))
    assert len(list(tmp_path.iterdir())) == count - len(removed)
    leftovers.remove(tmp_path)  # within a minute, nothing is looked for
    assert held.exists()
    leftovers._last_scans[tmp_path] -= 61
    leftovers.remove(tmp_path)
    assert not held.exists()
    leftovers.remove(tmp_path / "missing")


def test_files_of_other_users_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "_last_scans", {})
    path = temporary(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    leftovers.remove(tmp_path)
    assert path.exists()


def test_temporary_files_are_locked_until_they_are_released(tmp_path: Path) -> None:
    one = leftovers.Temporary(tmp_path, tmp_path / "file")
    assert leftovers._NAME.fullmatch(one.path.name)
    one.file.close()
    with one.path.open("rb") as file:
        assert not DISK.lock(file)
        one.release()
        assert DISK.lock(file)
    one.release()
    with pytest.raises(FileNotFoundError) as caught:
        leftovers.Temporary(tmp_path / "missing", tmp_path / "file")
    assert caught.value.filename == str(tmp_path / "file")


def test_a_temporary_file_that_another_process_removes_is_made_anew(tmp_path: Path) -> None:
    class Racing(Disk):
        left = 2

        def lock(self, file: Any) -> bool:
            self.left -= 1
            if self.left == 1:
                return False
            if self.left == 0:
                number = os.fstat(file.fileno()).st_ino
                next(path for path in tmp_path.iterdir() if path.stat().st_ino == number).unlink()
            return super().lock(file)

    one = leftovers.Temporary(tmp_path, tmp_path / "file", Racing())
    assert one.path.exists()
    assert os.fstat(one.file.fileno()).st_nlink == 1
    one.release()


def test_machines_have_eight_digits() -> None:
    assert len(leftovers.machine()) == 8
    int(leftovers.machine(), 16)
    assert identity._BLOCK == BLOCK
