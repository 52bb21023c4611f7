"""Temporary files of processes that were killed, and of processes that live."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from rookery.sources import files, leftovers

if sys.platform == "win32":
    pytest.skip("no signals, and no locks of this kind", allow_module_level=True)
import fcntl

# Writes half of a file, says so, and waits for a line before it goes on.
WRITER: Final = """
import sys
from rookery.sources import files
with files.replacing(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("half", flush=True)
    sys.stdin.readline()
    file.write(b", whole")
"""


def writer(path: Path) -> "subprocess.Popen[str]":
    """A process that has begun to write a file."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(files.__file__).parents[2])},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "half\n"
    return process


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the folder each time."""
    monkeypatch.setattr(leftovers, "_PAUSE", 0.0)


def hidden(folder: Path) -> list[Path]:
    return sorted(folder.glob(".rookery-*"))


def test_what_a_killed_process_leaves_is_removed_and_what_a_live_one_writes_is_not(tmp_path: Path) -> None:
    dead, live = writer(tmp_path / "dead"), writer(tmp_path / "live")
    assert len(hidden(tmp_path)) == 2
    dead.kill()
    dead.communicate()
    files.write(tmp_path / "mine", "mine")
    assert len(hidden(tmp_path)) == 1
    live.communicate("go on\n")
    assert live.returncode == 0
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"live": "half, whole", "mine": "mine"}


def test_a_terminated_program_that_uses_the_library_leaves_a_file_and_the_next_write_removes_it(tmp_path: Path) -> None:
    """Only the command line handles SIGTERM: a program that imports the library keeps its own handlers."""
    process = writer(tmp_path / "file")
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert process.returncode == -signal.SIGTERM
    assert len(hidden(tmp_path)) == 1
    files.write(tmp_path / "file", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_processes_side_by_side_never_remove_each_others_files(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from rookery.sources import files, leftovers
leftovers._PAUSE = 0.0
for i in range(200):
    files.write(Path(sys.argv[1]) / f"{sys.argv[2]}-{i % 3}", sys.argv[2] * 1000, durable=False)
"""
    environment = {**os.environ, "PYTHONPATH": str(Path(files.__file__).parents[2])}
    processes = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), name], env=environment) for name in "abcd"
    ]
    assert [process.wait() for process in processes] == [0] * 4
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        f"{name}-{i}" for name in "abcd" for i in range(3)
    )
    assert all(path.read_text() == path.name[0] * 1000 for path in tmp_path.iterdir())


def left(folder: Path, name: str, *, age: float = 0.0) -> Path:
    path = folder / name
    path.touch()
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_what_may_be_of_another_machine_stays_for_a_day(tmp_path: Path) -> None:
    ours = f".rookery-{leftovers.machine()}-0123456789abcdef.new"
    other = ".rookery-00000000-0123456789abcdef.new"
    former = ".rookery-0123456789abcdef.new"  # before names said which machine
    for name, age, stays in ((ours, 0, False), (other, 80_000, True), (other, 90_000, False), (former, 0, True)):
        path = left(tmp_path, name, age=age)
        files.write(tmp_path / "file", "")
        assert path.exists() == stays, (name, age)
    left(tmp_path, former, age=90_000)
    files.write(tmp_path / "file", "")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_what_is_locked_stays_however_old(tmp_path: Path) -> None:
    path = left(tmp_path, f".rookery-{leftovers.machine()}-0123456789abcdef.new", age=1e6)
    with path.open("rb+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        files.write(tmp_path / "file", "")
        assert path.exists()
    files.write(tmp_path / "file", "")
    assert not path.exists()


def test_what_is_not_ours_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f".rookery-{leftovers.machine()}-{{}}.new"
    folder, link, target = (tmp_path / name.format(digit * 16) for digit in "123")
    folder.mkdir()
    link.symlink_to(tmp_path / "precious")
    others = [left(tmp_path, other) for other in ("precious", ".rookery-x.new", ".rookery-0123456789abcdef.new.bak")]
    files.write(tmp_path / "file", "")
    assert folder.is_dir()
    assert link.is_symlink()
    assert all(path.exists() for path in others)
    target.touch()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    files.write(tmp_path / "file", "")
    assert target.exists()


def test_a_file_removed_before_it_is_locked_gets_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    removed: list[str] = []
    flock = fcntl.flock

    def slow(descriptor: int, how: int) -> None:
        """Another process takes the new file for a leftover: it is removed, and may still be locked."""
        if len(removed) < 2:
            (path,) = hidden(tmp_path)
            path.unlink()
            removed.append(path.name)
            if len(removed) == 1:
                raise BlockingIOError
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", slow)
    files.write(tmp_path / "file", "text")
    assert len(set(removed)) == 2
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("file", "text")]


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(descriptor: int, how: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", none)
    path = left(tmp_path, f".rookery-{leftovers.machine()}-0123456789abcdef.new", age=1e6)
    files.write(tmp_path / "file", "text")
    assert path.exists()  # nobody can tell whether it is being written
    assert (tmp_path / "file").read_text() == "text"


def test_a_folder_is_looked_at_once_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "_PAUSE", 60.0)
    files.write(tmp_path / "file", "")
    path = left(tmp_path, f".rookery-{leftovers.machine()}-0123456789abcdef.new")
    files.write(tmp_path / "file", "")
    assert path.exists()
    monkeypatch.setattr(leftovers, "_last_scans", {tmp_path: time.monotonic() - 61})
    files.write(tmp_path / "file", "")
    assert not path.exists()
