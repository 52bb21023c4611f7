"""Journals: what is kept, what is dropped, what is an error."""

import errno
import hashlib
import io
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rookery.tasks.journal import Journal, work_of

WORK = {"command": "squares", "numbers": 100}


def written(path: Path, numbers: range) -> bytes:
    with Journal(path, WORK) as journal:
        for number in numbers:
            journal.add(number, [number, number * number])
    return path.read_bytes()


def read(path: Path) -> dict[int, list[int]]:
    with Journal(path, WORK) as journal:
        return dict(journal.results)


def test_results_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path, range(3))
    assert read(path) == {0: [0, 0], 1: [1, 1], 2: [2, 4]}
    written(path, range(5))
    assert sorted(read(path)) == [0, 1, 2, 3, 4]
    assert len(path.read_bytes().splitlines()) == 6


def test_a_file_cut_anywhere_keeps_its_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    content = written(path, range(4))
    head = content.index(b"\n") + 1
    for size in range(head, len(content)):
        path.write_bytes(content[:size])
        kept = content[:size].count(b"\n") - 1
        assert sorted(read(path)) == list(range(kept))
        assert written(path, range(4)) == content


def test_a_first_line_that_was_cut_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    content = written(path, range(0))
    for size in range(len(HEAD), len(content)):  # the line break at the end was the last to be written
        path.write_bytes(content[:size])
        with pytest.raises(ValueError, match="line 1: damaged: remove the file"):
            read(path)
        assert path.read_bytes() == content[:size]


def line(text: bytes) -> bytes:
    return text + b" " + hashlib.sha256(text).hexdigest()[:16].encode() + b"\n"


HEAD = b'{"about": "rookery journal, version 1"'


def test_the_bytes_of_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    expected = line(HEAD + b', "work": {"command": "squares", "numbers": 100}}')
    assert written(path, range(0)) == expected
    expected += line(b'{"task": 0, "result": [0, 0]}') + line(b'{"task": 1, "result": [1, 1]}')
    assert written(path, range(2)) == expected


@pytest.mark.parametrize(
    "text",
    [b"[]", b"{}", b'{"task": true, "result": 1}', b'{"task": "1", "result": 1}', b'{"task": 1}', b'{"result": 1}'],
)
def test_a_line_that_is_not_of_a_task_is_damaged(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    content = written(path, range(1))
    path.write_bytes(content + line(text) + line(b'{"task": 5, "result": null}'))
    with pytest.raises(ValueError, match=r"line 3: damaged: remove the line to repeat its task$"):
        read(path)
    path.write_bytes(content + line(text))
    assert read(path) == {0: [0, 0]}
    assert path.read_bytes() == content


def test_of_two_lines_about_a_task_the_later_counts(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    content = written(path, range(1)) + line(b'{"task": 0, "result": [7]}') + line(b'{"task": -2, "result": null}')
    path.write_bytes(content)
    assert read(path) == {0: [7], -2: None}
    assert path.read_bytes() == content


class Short(io.FileIO):
    """A file that takes three bytes at a time."""

    def write(self, content: Any) -> int:
        return super().write(memoryview(content)[:3])


def test_a_file_that_takes_a_few_bytes_at_a_time_gets_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, WORK) as journal:
        journal._file.close()
        journal._file = Short(path, "r+b")
        journal.add(0, [0, 0])
    short = path.read_bytes()
    path.unlink()
    assert written(path, range(1)) == short


def test_a_changed_byte_is_found(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    content = written(path, range(4))
    last = content.rstrip(b"\n").rindex(b"\n") + 1
    random_ = random.Random(1)
    for _ in range(200):
        at = random_.randrange(len(content))
        changed = bytearray(content)
        changed[at] ^= 1 << random_.randrange(8)
        path.write_bytes(changed)
        if at >= last:  # the last line is dropped, since a system that crashed may leave such a line
            assert sorted(read(path)) == [0, 1, 2]
        else:
            with pytest.raises(ValueError, match=r"journal: .*(damaged|not a journal)"):
                read(path)
            assert path.read_bytes() == changed


def test_a_journal_belongs_to_its_work(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path, range(1))
    with pytest.raises(ValueError, match=r"is of other work \(of another kind\): repeat that work, or remove"):
        Journal(path, 3)
    other = {"command": "squares", "numbers": 101, "of": {"every": 2}}
    with pytest.raises(ValueError, match=r"of other work \(numbers was 100, now 101, other of\): repeat"):
        Journal(path, other)
    with Journal(path, WORK), pytest.raises(ValueError, match="is in use by another process: wait until that ends"):
        Journal(path, WORK)
    with pytest.raises(ValueError, match="there is no folder"):
        Journal(tmp_path / "none" / "journal", WORK)


def test_a_forgotten_task_is_stored_again(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path, range(3))
    with Journal(path, WORK) as journal:
        journal.forget(1)
        assert sorted(journal.results) == [0, 2]
        journal.add(1, [1, -1])
        journal.add(2, [2, -2])  # a task that is stored is left alone
    assert read(path) == {0: [0, 0], 1: [1, -1], 2: [2, 4]}


def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal"
    content = written(path, range(2))

    def full(_number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Journal(path, WORK) as journal:
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left") as caught:
            journal.add(2, 4)
        assert caught.value.filename == str(path)
        monkeypatch.undo()
        assert path.read_bytes() == content
        journal.add(3, 9)
        assert sorted(journal.results) == [0, 1, 3]
    assert sorted(read(path)) == [0, 1, 3]


PROGRAM = """
import sys
from rookery.tasks.journal import Journal, work_of
with Journal(sys.argv[1], {"command": "squares", "numbers": 100}) as journal:
    for number in range(100_000):
        journal.add(number, [number, number * number])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_killed_process_leaves_what_it_stored(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    known = 0
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", PROGRAM, str(path)]) as process:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and (not path.exists() or path.read_bytes().count(b"\n") < known + 20):
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
        results = read(path)
        assert sorted(results) == list(range(len(results)))
        assert all(result == [number, number * number] for number, result in results.items())
        assert len(results) > known
        known = len(results)


def test_the_work_of_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    assert work_of(path) is None
    for damaged in b"", b"\n", b"[]\n", b"text":
        path.write_bytes(damaged)
        assert work_of(path) is None
    path.unlink()
    written(path, range(2))
    assert work_of(path) == WORK
    path.write_bytes(path.read_bytes().replace(b"squares", b"squared", 1))
    assert work_of(path) is None
