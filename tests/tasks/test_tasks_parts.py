"""Tasks as workers get them: their ranges, sizes and files; and the code that a worker runs."""

import errno
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rookery
from rookery.sources.disk import DISK
from rookery.sources.failures import DamagedFileError
from rookery.sources.file_range import FileRange
from rookery.sources.identity import Identity
from rookery.tasks import parts, versions
from rookery.tasks.parts import (
    InterruptedTaskError,
    RangeTask,
    TaskCall,
    TaskFiles,
    TaskResult,
    divided,
    perform,
    size_of_ranges,
    streamed,
)


def of_size(size: int | None) -> FileRange:
    return FileRange("a.pgn", identity=Identity(size, 1))


def test_a_task_is_named_by_its_range() -> None:
    part = FileRange("a.pgn", 1000, 2000)
    assert str(RangeTask(part, None, 3)) == "a.pgn from 1,000 to 2,000"
    assert str(RangeTask(part, None, 3, is_streamed=True)) == "a.pgn from 1,000 to 2,000, part 3"
    assert str(TaskCall(print, "the task", "", 1, "", DISK)) == "the task"
    task = RangeTask(part, None, 3)
    assert (task.size, task.is_streamed, task.block, task.failure) == (0, False, None, "")
    result = TaskResult(1, None, "folder")
    assert (result.file, result.part) == (0, FileRange(""))
    assert result.path() == Path("folder/part-000001")
    assert TaskResult(1234567, None, "folder").path(".txt") == Path("folder/part-1234567.txt")


def test_the_files_of_a_task_are_noted(tmp_path: Path) -> None:
    def work(task: str, files: TaskFiles) -> list[tuple[int, str]]:
        with files.writing("-a") as file:
            file.write(task.encode())
        first = files.last
        with files.writing(name="b.txt", durable=True) as file:
            file.write(b"more")
        return [first, files.last]

    one, two = ((len(text), hashlib.sha256(text).hexdigest()) for text in (b"some", b"more"))
    assert perform(TaskCall(work, "some", str(tmp_path), 7, "job", DISK)) == (
        [one, two],
        [("part-000007-a", *one), ("b.txt", *two)],
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.txt", "part-000007-a"]


def test_only_files_of_the_output_are_forced_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(type(DISK), "sync", lambda _, file: synced.append(file.name))
    files = TaskFiles(str(tmp_path), 0, "job")
    with files.writing("-a"), files.writing("-b", durable=False):
        pass
    assert not synced
    with files.writing(name="c", durable=True):
        pass
    assert len(synced) == 1


def test_a_task_of_a_job_that_has_stopped_is_interrupted(tmp_path: Path) -> None:
    files, others = TaskFiles(str(tmp_path), 0, "this job"), TaskFiles(str(tmp_path), 0, "another")
    assert list(files.while_running(range(3))) == [0, 1, 2]
    items = files.while_running(range(9))
    try:
        assert next(items) == 0
        parts.stopped.add("this job")
        with pytest.raises(InterruptedTaskError, match=r"^interrupted$"):
            next(items)
        assert list(others.while_running(range(3))) == [0, 1, 2]
    finally:
        parts.stopped.discard("this job")


@pytest.mark.parametrize(
    ("ranges", "size"),
    [([], 0), ([FileRange("a")], 0), ([of_size(None)], 0), ([of_size(7)], 7), ([of_size(7), of_size(9)], 7)],
)
def test_the_size_of_ranges_is_that_of_their_file(ranges: list[FileRange], size: int) -> None:
    assert size_of_ranges(ranges) == size


@pytest.mark.parametrize(
    ("size", "number", "shares"),
    [(9, 3, [3, 3, 3]), (10, 3, [3, 3, 4]), (2, 4, [0, 1, 0, 1]), (7, 1, [7]), (0, 2, [0, 0])],
)
def test_ranges_of_a_file_share_its_bytes(size: int, number: int, shares: list[int]) -> None:
    ranges = [FileRange("a.pgn", i, identity=Identity(size, 1)) for i in range(number)]
    tasks = list(divided(ranges, "the options"))
    assert [task.size for task in tasks] == shares
    assert [task.number for task in tasks] == list(range(number))
    assert [task.part for task in tasks] == ranges
    assert {(task.options, task.is_streamed, task.block, task.failure) for task in tasks} == {
        ("the options", False, None, "")
    }


def blocks(*items: Any) -> Iterator[Any]:
    for item in items:
        if isinstance(item, Exception):
            raise item
        yield item


def test_a_file_that_is_read_from_its_beginning_to_its_end() -> None:
    part = of_size(100)
    tasks = list(streamed(part, "options", blocks(("a", 30), ("b", 70))))
    assert tasks == [
        RangeTask(part, "options", 0, 30, True, "a"),
        RangeTask(part, "options", 1, 40, True, "b"),
        RangeTask(part, "options", 2, 30, True, None),
    ]
    damaged = list(streamed(part, "options", blocks(("a", 130), DamagedFileError("a.pgn", "cut short"))))
    assert damaged == [
        RangeTask(part, "options", 0, 130, True, "a"),
        RangeTask(part, "options", 1, 0, True, None, "a.pgn: cut short"),
    ]
    assert list(streamed(part, None, blocks())) == [RangeTask(part, None, 0, 100, True, None)]


def test_a_failing_disk_is_not_a_damaged_file() -> None:
    failure = DamagedFileError("a.pgn", "Input/output error")
    failure.__cause__ = OSError(errno.EIO, "Input/output error")
    tasks = streamed(of_size(100), None, blocks(("a", 30), failure))
    assert next(tasks).block == "a"
    with pytest.raises(OSError, match="Input/output error") as caught:
        next(tasks)
    assert caught.value is failure.__cause__
    assert caught.value.filename == "a.pgn"


def test_the_code_of_a_process_is_a_digest_of_its_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Path(rookery.__file__).parent == versions._PACKAGE
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.py").write_text("pass")
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "a.txt").write_text("of no account")
    monkeypatch.setattr(versions, "_PACKAGE", tmp_path)
    code = versions.own_code.__wrapped__()
    assert code == (rookery.__version__, hashlib.sha256(b"a.py\0001\0b/c.py\0pass\0").hexdigest()[:12])
    assert str(code) == f"rookery {rookery.__version__} (code {code.digest})"
