"""Folders of jobs: their names, what is in their journals, which errors keep them; and the order of tasks."""

import errno
import hashlib
import json
import os
import threading
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from rookery.sources.failures import ChangedFileError
from rookery.sources.file_range import FileRange
from rookery.sources.identity import identity_of
from rookery.tasks.jobs import Job, goes_on, parts_path, results_of
from rookery.tasks.parts import RangeTask, TaskFiles


@pytest.fixture
def ranges(tmp_path: Path) -> list[FileRange]:
    """Four ranges of a file of 40 bytes."""
    path = tmp_path / "in"
    path.write_bytes(bytes(40))
    identity = identity_of(str(path))
    return [FileRange(str(path), i, i + 10 if i < 30 else None, identity=identity) for i in range(0, 40, 10)]


def start_of(task: RangeTask, _files: TaskFiles) -> int:
    return task.part.start


def written(task: Any, files: TaskFiles) -> str:
    with files.writing(".txt") as file:
        file.write(str(task).encode())
    return str(task)


def read(job: Job, work: Any = start_of, **options: Any) -> list[Any]:
    given = [None] * len(job.inputs)
    return [done.value for done in job.read(work, given, is_damaged=lambda value: False, **options)]


@pytest.mark.parametrize(
    ("out", "parts"),
    [
        ("out.parquet", "out.parquet.parts"),
        ("a/b/out.csv", "a/b/out.csv.parts"),
        (Path("a/out"), "a/out.parts"),
        ("s3://bucket/a/b.parquet", "b.parquet.parts"),
        ("/dev/stdout", None),
        (os.devnull, None),
    ],
)
def test_the_folder_of_parts_is_named_after_the_output(out: Any, parts: str | None) -> None:
    assert parts_path(out) == (None if parts is None else Path(parts))
    assert not goes_on(out)


def test_a_journal_describes_its_job(ranges: list[FileRange], tmp_path: Path) -> None:
    folder = tmp_path / "a" / "out.parts"
    with Job("the name", [ranges[:1], ranges[1:]], "threads:1", folder=folder, options={"every": 2}) as job:
        assert read(job) == [0, 10, 20, 30]
        assert list(job.run(written, [8, 9], replaces=[tmp_path / "x", tmp_path / "y"]))
        assert job.goes_on
    head, *lines = [json.loads(line.rpartition(b" ")[0]) for line in (folder / "journal").read_bytes().splitlines()]
    digests = [hashlib.sha256(repr(several).encode()).hexdigest() for several in (ranges[:1], ranges[1:])]
    assert head["work"] == {
        "job": 2,
        "name": "the name",
        "version": metadata.version("rookery"),
        "inputs": [[ranges[0].path, digest] for digest in digests],
        "options": {"every": 2},
    }
    contents = {line["task"]: line["result"] for line in lines}
    assert [contents[number]["result"] for number in range(6)] == [0, 10, 20, 30, "8", "9"]
    digest = hashlib.sha256(b"9").hexdigest()
    assert contents[3] == {"result": 30, "files": [], "replaces": None}
    assert contents[5] == {"result": "9", "files": [["part-000005.txt", 1, digest]], "replaces": "y"}
    job.discard()
    assert not job.goes_on
    assert not folder.exists()


def test_a_job_without_a_folder_does_not_go_on(ranges: list[FileRange], tmp_path: Path) -> None:
    with Job("copy", [ranges], "threads:1") as job:
        assert read(job) == [0, 10, 20, 30]
        assert Path(job.folder).is_dir()
        assert not job.goes_on
    assert not Path(job.folder).exists()
    job.discard()
    of_a_pipe = Job("copy", [[FileRange("-")]], "threads:1", folder=tmp_path / "kept")
    with of_a_pipe:
        assert not of_a_pipe.goes_on
        assert not (tmp_path / "kept").exists()
    assert not Job("copy", [ranges], "threads:1", folder=tmp_path / "kept").goes_on


@pytest.mark.parametrize(
    ("error", "is_kept"),
    [
        (ValueError("bad"), False),
        (TypeError("bad"), False),
        (ZeroDivisionError("bad"), True),
        (OSError(errno.EIO, "bad"), True),
        (KeyboardInterrupt(), True),
    ],
)
@pytest.mark.parametrize("done", [0, 1])
def test_which_errors_keep_finished_tasks(
    error: BaseException, is_kept: bool, done: int, ranges: list[FileRange], tmp_path: Path
) -> None:
    folder = tmp_path / "out.parts"

    def fail(task: RangeTask, _files: TaskFiles) -> int:
        if task.number == done:
            raise error
        return 0

    with pytest.raises(type(error)), Job("copy", [ranges], "threads:1", folder=folder) as job:
        read(job, fail)
    assert folder.exists() == (is_kept and done == 1)


@pytest.mark.parametrize("error", [ValueError("bad"), TypeError("bad"), OSError(errno.EIO, "bad")])
def test_an_error_of_the_client_keeps_finished_tasks(error: Exception, ranges: list[FileRange], tmp_path: Path) -> None:
    def fail() -> None:
        with Job("copy", [ranges], "threads:1", folder=tmp_path / "p") as job:
            read(job)
            raise error

    with pytest.raises(type(error)):
        fail()
    assert (tmp_path / "p" / "journal").exists()


@pytest.mark.parametrize(
    ("number", "done", "advice"),
    [
        (errno.ENOSPC, 1, ": finished parts are kept: free some space, and repeat the same"),
        (errno.EFBIG, 1, ": finished parts are kept: free some space, and repeat the same"),
        (errno.EIO, 1, ""),
        (errno.ENOSPC, 0, ""),
    ],
)
def test_the_error_of_a_full_disk_has_advice(
    number: int, done: int, advice: str, ranges: list[FileRange], tmp_path: Path
) -> None:
    def fail() -> None:
        with Job("copy", [ranges], None, folder=tmp_path / "p") as job:
            if done:
                read(job)
            raise OSError(number, "text")

    with pytest.raises(OSError, match="text") as caught:
        fail()
    assert caught.value.strerror == f"text{advice}"


@pytest.mark.parametrize(
    ("ranges_read", "changed_at", "is_damaged", "is_noticed"),
    [(4, 30, False, True), (2, 10, True, True), (2, 10, False, False), (4, 30, True, True)],
)
def test_the_file_is_compared_at_its_end_and_at_damage(
    ranges_read: int, changed_at: int, is_damaged: bool, is_noticed: bool, ranges: list[FileRange]
) -> None:
    def change(task: RangeTask, _files: TaskFiles) -> int:
        with task.part.opened():
            if task.part.start == changed_at:
                Path(task.part.path).write_bytes(b"1" * 40)
        return task.part.start

    def run() -> list[int]:
        with Job("copy", [ranges[:ranges_read]], "threads:1") as job:
            results = job.read(change, [None], is_damaged=lambda start: is_damaged and start == changed_at)
            return [done.value for done in results]

    if is_noticed:
        with pytest.raises(ChangedFileError, match="changed while it was read"):
            run()
    else:  # the range does not end with the file
        assert run() == [0, 10]


def thread_of(task: RangeTask, _files: TaskFiles) -> tuple[str, bool]:
    return task.part.path, threading.current_thread() is threading.main_thread()


def test_standard_input_is_read_by_the_caller(ranges: list[FileRange], tmp_path: Path) -> None:
    pipe = FileRange("-")
    for inputs in [[pipe], ranges[:1]], [ranges[:1], [pipe]], [[pipe]], [[pipe], ranges[:2], [pipe]]:
        with Job("copy", inputs, "threads:1", folder=tmp_path / "p") as job:
            found = read(job, thread_of)
        assert found == [(one.path, one.path == "-") for several in inputs for one in several]
    with Job("copy", [[pipe]], "threads:1") as job:  # what was read of it may be handled elsewhere
        streamed = read(job, thread_of, streams={0: lambda: iter([("a", 1)])})
    assert streamed == [("-", False)] * 2


def test_tasks_of_further_steps_have_further_numbers(ranges: list[FileRange], tmp_path: Path) -> None:
    def steps() -> tuple[list[list[int]], list[tuple[int, int]]]:
        seen: list[tuple[int, int]] = []
        with Job("copy", [ranges], "threads:1", folder=tmp_path / "p") as job:
            assert read(job) == [0, 10, 20, 30]
            numbers = [
                [done.number for done in job.run(written, tasks, progress=lambda *now: seen.append(now))]
                for tasks in (["a", "b"], [], ["c"])
            ]
        return numbers, seen

    assert steps() == ([[4, 5], [], [6]], [(0, 2), (1, 2), (2, 2), (0, 0), (0, 1), (1, 1)])
    assert steps() == ([[4, 5], [], [6]], [(2, 2), (0, 0), (1, 1)])  # all of them are kept


def test_threads_run_ahead_of_a_slow_task_but_not_far(tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_bytes(bytes(40))
    begun: list[int] = []
    six, more = threading.Event(), threading.Event()

    def work(task: RangeTask, _files: TaskFiles) -> bool:
        begun.append(task.number)
        if len(begun) == 6:
            six.set()
        if len(begun) == 7:
            more.set()
        return task.number > 0 or (six.wait(30) and not more.wait(0.1))

    with Job("copy", [[FileRange(str(path), i) for i in range(40)]], None, threads=2) as job:
        assert read(job, work) == [True] * 40
    assert sorted(begun) == list(range(40))


def test_results_of_plain_tasks_are_numbered() -> None:
    warm: list[int] = []
    results = results_of("threads:1", abs, iter([-3, -4]), in_flight=1, warm_up=lambda: warm.append(1))
    assert not warm
    assert list(results) == [(0, 3), (1, 4)]
    assert warm == [1]
