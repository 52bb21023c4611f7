"""Jobs: order, what is kept and made again, damage, changes, interruptions, other work, failing disks."""

import errno
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from failing_disk import FailingDisk, outcomes
from rookery.sources import leftovers
from rookery.sources.disk import DISK, Disk
from rookery.sources.failures import ChangedFileError, DamagedFileError
from rookery.sources.file_range import FileRange
from rookery.sources.identity import identity_of
from rookery.tasks.jobs import Job, discard_finished, goes_on, parts_path
from rookery.tasks.parts import RangeTask, TaskFiles, TaskResult
from rookery.tasks.versions import ExecutorError

SIZE = 10  # bytes of a range
CALLS: list[int] = []  # the first bytes of the ranges that tasks have read, in threads of this process


def ranges(path: Path) -> list[FileRange]:
    identity, size = identity_of(str(path)), path.stat().st_size
    starts = range(0, size, SIZE)
    return [
        FileRange(str(path), start, start + SIZE if start + SIZE < size else None, identity=identity)
        for start in starts
    ]


def copy(task: RangeTask, parts: TaskFiles) -> dict[str, Any]:
    """Copy a range to a part, up to a question mark, which stands for damage; options are a text to add."""
    CALLS.append(task.part.start)
    with task.part.opened() as file, parts.writing(".txt") as part:
        file.seek(task.part.start)
        text = file.read(-1 if task.part.stop is None else task.part.stop - task.part.start)
        if b"!" in text:
            raise ValueError("a letter: '!': expected another")
        whole, mark, _ = text.partition(b"?")
        part.write(whole + task.options.encode())
    return {"bytes": len(whole), "damaged": bool(mark)}


def upper(path: str, parts: TaskFiles) -> int:
    """Write the text of a part in upper case."""
    with parts.writing(".upper") as part:
        return part.write(Path(path).read_bytes().upper())


@pytest.fixture(autouse=True)
def _no_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    CALLS.clear()
    monkeypatch.setattr(leftovers, "_PAUSE", 0.0)


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    files = [tmp_path / "a", tmp_path / "b"]
    files[0].write_text("".join(f"{i:09d}\n" for i in range(5)))
    files[1].write_text("".join(f"{i:09d}\n" for i in range(90, 93)))
    return files


def job(paths: list[Path], executor: Any = "threads:2", **options: Any) -> Job:
    options = {"folder": paths[0].parent / "out.parts", **options}
    return Job("copy", map(ranges, paths), executor, **options)


def read(running: Job, **options: Any) -> Iterator[TaskResult]:
    return running.read(copy, ["", "."], is_damaged=lambda value: bool(value["damaged"]), **options)


def texts(running: Job) -> list[str]:
    return [done.path(".txt").read_text() for done in read(running)]


def expected(paths: list[Path]) -> list[str]:
    lines = [path.read_text().splitlines(keepends=True) for path in paths]
    return [*lines[0], *(line + "." for line in lines[1])]


def stop_after(paths: list[Path], n: int) -> None:
    """Interrupt a job when n of its tasks are done."""

    def interrupt(done: int, total: int) -> None:
        if done == n * SIZE:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), job(paths, "threads:1") as running:
        list(read(running, progress=interrupt))


@pytest.mark.parametrize("executor", ["threads:1", "processes:1"])
def test_the_note_of_an_error_names_the_file_the_range_and_the_cause(executor: str, paths: list[Path]) -> None:
    paths[0].write_text("0123456\n89" * 2 + "!" * 12)
    with pytest.raises(ValueError, match="expected another") as caught, job(paths, executor) as running:
        list(read(running))
    cause = "ValueError: a letter: '!': expected another"
    assert caught.value.__notes__ == [f"in task 2: {paths[0]} from 20 to 30: {cause}"]


@pytest.mark.parametrize("executor", [None, "threads:1", "threads:3", "processes:2"])
def test_results_are_in_the_order_of_the_files(executor: Any, paths: list[Path]) -> None:
    seen: list[tuple[int, int]] = []
    with job(paths, executor) as running:
        found = list(read(running, progress=lambda done, total: seen.append((done, total))))
        assert [done.path(".txt").read_text() for done in found] == expected(paths)
    assert [done.file for done in found] == [0] * 5 + [1] * 3
    assert [done.part for done in found] == [*ranges(paths[0]), *ranges(paths[1])]
    assert seen == [(10 * i, 80) for i in range(9)]  # bytes
    running.discard()
    assert sorted(path.name for path in paths[0].parent.iterdir()) == ["a", "b"]


def test_without_a_folder_results_may_be_any_objects(paths: list[Path]) -> None:
    with job(paths, folder=None) as running:
        made = [(done.value["bytes"], done.path(".txt").exists()) for done in read(running)]
    assert made == [(10, True)] * 8
    assert not Path(running.folder).exists()
    assert sorted(path.name for path in paths[0].parent.iterdir()) == ["a", "b"]


def test_a_job_goes_on_from_finished_tasks(paths: list[Path]) -> None:
    out = paths[0].parent / "out"
    assert parts_path(out) == Path(f"{out}.parts")
    assert not goes_on(out)
    stop_after(paths, 3)
    assert goes_on(out)
    CALLS.clear()
    with job(paths) as running:
        assert texts(running) == expected(paths)
    assert len(CALLS) < 6
    CALLS.clear()
    with job(paths) as running:
        assert texts(running) == expected(paths)
    assert not CALLS


def cut(path: Path) -> None:
    path.write_bytes(b"")


def change(path: Path) -> None:
    path.write_bytes(b"x" + path.read_bytes()[1:])


@pytest.mark.parametrize("spoil", [cut, change, Path.unlink])
def test_a_part_that_was_damaged_is_made_again(spoil: Any, paths: list[Path]) -> None:
    with job(paths) as running:
        found = list(read(running))
    CALLS.clear()
    spoil(found[3].path(".txt"))
    with job(paths) as running:
        assert texts(running) == expected(paths)
    assert CALLS == [30]
    with job(paths) as running:  # the journal has the new part
        assert texts(running) == expected(paths)
    assert CALLS == [30]


def test_a_reading_that_the_client_stops_goes_on_with_the_same_numbers(paths: list[Path]) -> None:
    made = []
    for _ in range(2):
        with job(paths, "threads:1") as running:
            results = read(running)
            first = next(results)
            results.close()  # type: ignore[attr-defined]
            made.append([done.number for done in running.run(upper, [str(first.path(".txt"))])])
    assert made[0] == made[1]
    assert made[0][0] > sum(map(len, map(ranges, paths)))


def test_parts_may_be_replaced_by_further_tasks(paths: list[Path]) -> None:
    def encoded(running: Job) -> list[str]:
        found = list(read(running))
        later = [done for done in found if done.part.start]
        tasks = [str(done.path(".txt")) for done in later]
        encoding = running.run(upper, tasks, replaces=[done.path(".txt") for done in later])
        return [done.path(".upper").read_text() for done in encoding]

    right = [text.upper() for text in expected(paths) if not text.startswith(("000000000", "000000090"))]
    with job(paths) as running:
        assert encoded(running) == right
        assert sorted(path.name for path in Path(running.folder).iterdir()) == sorted(
            ["journal", "part-000000.txt", "part-000005.txt", *(f"part-{i:06d}.upper" for i in range(8, 14))]
        )
    CALLS.clear()
    with job(paths) as running:
        assert encoded(running) == right
    assert not CALLS
    cut(Path(running.folder, "part-000009.upper"))
    with job(paths) as running:
        assert encoded(running) == right
    assert CALLS == [20]


def shout(task: RangeTask, parts: TaskFiles) -> list[Any]:
    CALLS.append(task.number)
    with parts.writing() as part:
        part.write((task.block or b"").upper() + task.options)
    return [task.is_streamed, task.failure]


def test_a_file_may_be_divided_as_it_is_read(paths: list[Path]) -> None:
    def blocks() -> Iterator[tuple[bytes, int]]:
        yield from ((b"a", 3), (b"b", 20), (b"c", 30))
        raise DamagedFileError("b", "cut")

    def texts(interrupted: int = 0) -> list[str]:
        seen.clear()

        def note(done: int, total: int) -> None:
            seen.append((done, total))
            if interrupted and len(seen) > interrupted:
                raise KeyboardInterrupt

        with job([paths[1], paths[0]], "threads:1") as running:
            results = running.read(
                shout, [b"", b"."], is_damaged=lambda value: bool(value[1]), streams={0: blocks}, progress=note
            )
            found = [(done.file, done.path().read_text(), *done.value) for done in results]
        return [*map(str, found)]

    seen: list[tuple[int, int]] = []
    streamed = ["(0, 'A', True, '')", "(0, 'B', True, '')", "(0, 'C', True, '')", "(0, '', True, 'b: cut')"]
    right = [*streamed, *("(1, '.', False, '')" for _ in range(5))]
    with pytest.raises(KeyboardInterrupt):
        texts(interrupted=3)
    assert seen == [(0, 80), (3, 80), (20, 80), (30, 80)]
    CALLS.clear()
    assert texts() == right
    assert len(CALLS) < 7
    assert seen[0] == (0, 80)
    assert seen[-1] == (80, 80)


def test_files_end_with_their_first_damage(paths: list[Path]) -> None:
    paths[0].write_text(paths[0].read_text().replace("000000002", "0000?0002"))
    with job(paths) as running:
        assert texts(running) == ["000000000\n", "000000001\n", "0000", *expected(paths)[5:]]


@pytest.mark.parametrize("folder", [True, False])
def test_a_file_that_is_replaced_while_it_is_read_is_an_error(folder: bool, paths: list[Path]) -> None:
    options = {} if folder else {"folder": None}

    def replace(done: int, total: int) -> None:
        if done == SIZE:
            new = paths[1].with_name("new")
            new.write_text(paths[1].read_text().replace("9", "8"))
            new.replace(paths[1])

    with pytest.raises(ChangedFileError, match="changed while it was read"), job(paths, **options) as running:
        list(read(running, progress=replace))
    assert not (paths[0].parent / "out.parts").exists()


def test_a_change_explains_an_error_of_the_client(paths: list[Path]) -> None:
    def fail() -> None:
        with job(paths) as running:
            list(read(running))
            paths[0].write_text("other")
            raise ZeroDivisionError

    with pytest.raises(ChangedFileError):
        fail()
    assert not (paths[0].parent / "out.parts").exists()


def test_a_job_that_cannot_succeed_leaves_nothing(paths: list[Path]) -> None:
    paths[1].write_text(paths[1].read_text().replace("000000092", "00000009!"))
    with pytest.raises(ValueError, match="'!': expected another"), job(paths, "threads:1") as running:
        list(read(running))
    assert len(CALLS) == 8
    assert not goes_on(paths[0].parent / "out")
    with pytest.raises(ValueError, match="executor: 'nonsense'"), job(paths, "nonsense"):
        pass
    assert sorted(path.name for path in paths[0].parent.iterdir()) == ["a", "b"]


def test_parts_of_other_work_are_refused_in_one_line(paths: list[Path]) -> None:
    with job(paths, options={"every": 1, "names": ["x"]}) as running:
        list(read(running))
    journal = Path(running.folder, "journal")
    advice = "repeat that work, or remove the file, or start anew with --force (force=True)"
    for other, difference in (
        ({"every": 2, "names": ["x"]}, "every was 1, now 2"),
        ({"every": 1, "names": ["y"]}, "other names"),
    ):
        message = f"journal: {journal}: is of other work ({difference}): {advice}"
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"), job(paths, options=other):
            pass
    paths[1].write_text("other")
    with (
        pytest.raises(ValueError, match=re.escape("is of other work (other inputs): repeat")),
        job(paths, options={"every": 1, "names": ["x"]}),
    ):
        pass
    with job(paths, options={"every": 2}, force=True) as running:
        assert texts(running) == expected(paths)
    with job(paths, options={"every": 2}, force=True) as running:  # which is the same work now
        CALLS.clear()
        assert texts(running) == expected(paths)
    assert not CALLS


def test_a_damaged_journal_is_refused_or_begun_anew(paths: list[Path]) -> None:
    stop_after(paths, 4)
    journal = paths[0].parent / "out.parts" / "journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(lines[0] + lines[1].replace(b"1", b"2") + b"".join(lines[2:]))
    with pytest.raises(ValueError, match=r"line 2: damaged: .*, or start anew with --force"), job(paths):
        pass
    with job(paths, force=True) as running:
        assert texts(running) == expected(paths)


def test_a_folder_belongs_to_one_process(paths: list[Path]) -> None:
    with job(paths) as running:
        list(read(running))
        for force in (False, True):
            with pytest.raises(ValueError, match="is in use by another process: wait until"), job(paths, force=force):
                pass
        assert goes_on(paths[0].parent / "out")


ENDED = threading.Event()


def endless(task: RangeTask, parts: TaskFiles) -> int:
    try:
        for _ in parts.while_running(iter(lambda: time.sleep(0.001), 0)):
            pass
    finally:
        ENDED.set()
    return task.part.start


@pytest.mark.parametrize("folder", [True, False])
def test_tasks_in_threads_end_when_their_job_is_interrupted(folder: bool, paths: list[Path]) -> None:
    ENDED.clear()
    options = {} if folder else {"folder": None}

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), job(paths, "threads:1", **options) as running:
        next(running.read(endless, ["", ""], is_damaged=bool, progress=interrupt))
    assert not goes_on(paths[0].parent / "out")
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt), job(paths, "threads:1", **options) as running:
        next(running.read(endless, ["", ""], is_damaged=bool))
    assert ENDED.wait(30)


def test_work_that_is_lost_keeps_what_is_done(paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery.tasks.running.ATTEMPTS", 2)
    with pytest.raises(ExecutorError, match="lost 2 times"), job(paths, "processes:1") as running:
        list(running.read(die, ["", ""], is_damaged=bool))
    assert goes_on(paths[0].parent / "out")


def die(task: RangeTask, parts: TaskFiles) -> int:
    if task.part.start:
        os._exit(9)
    return 0


class FullDisk(Disk):
    """A disk on which no part but the first fits."""

    def __init__(self) -> None:
        self.names = 0

    def replace(self, *paths: Any) -> None:
        self.names += 1
        if self.names > 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(paths[1]))
        super().replace(*paths)


def test_a_full_disk_says_what_to_do(paths: list[Path]) -> None:
    with pytest.raises(OSError, match="No space left") as caught, job(paths, "threads:1", disk=FullDisk()) as running:
        list(read(running))
    assert caught.value.strerror == (
        "No space left on device: finished parts are kept: free some space, and repeat the same"
    )
    CALLS.clear()
    with job(paths) as running:
        assert texts(running) == expected(paths)
    assert len(CALLS) == 6


def test_a_disk_that_fails_anywhere_leaves_what_a_job_goes_on_from(paths: list[Path]) -> None:
    paths[0].write_text("000000000\n000000001\n")
    folder = paths[0].parent / "out.parts"

    def act(disk: FailingDisk) -> None:
        DISK.remove_tree(folder)
        try:
            with Job("copy", [ranges(paths[0])], "threads:1", folder=folder, disk=disk) as running:
                found = list(running.read(copy, [""], is_damaged=lambda value: False))
                tasks = [str(done.path(".txt")) for done in found]
                list(running.run(upper, tasks, replaces=list(map(Path, tasks))))
        except ValueError as error:  # which a journal raises in place of an OSError
            raise error.__cause__ or error from None

    def check(disk: FailingDisk, error: OSError | None) -> None:
        if error is not None:
            assert error.errno == errno.ENOSPC
        with Job("copy", [ranges(paths[0])], "threads:1", folder=folder) as running:
            found = list(running.read(copy, [""], is_damaged=lambda value: False))
            tasks = [str(done.path(".txt")) for done in found]
            encoded = list(running.run(upper, tasks, replaces=list(map(Path, tasks))))
            assert [done.path(".upper").read_text() for done in encoded] == ["000000000\n", "000000001\n"]
        assert not list(folder.glob(".rookery*"))

    done = outcomes(act, check)
    assert done.count("replace") == 5  # the journal and four parts
    assert done.count("remove") == 2


def test_a_finished_job_that_left_its_parts_is_discarded(paths: list[Path]) -> None:
    out = paths[0].parent / "out"
    folder = parts_path(out)
    assert folder is not None
    discard_finished("-", [])  # a pipe keeps no parts
    discard_finished(out, [])  # there are none
    with job(paths) as running:
        assert len(list(read(running))) == 8
    assert folder.exists()
    names = [str(path) for path in paths]
    for fewer in [], names[:1], names[1:]:
        discard_finished(out, fewer)
        assert folder.exists()
    discard_finished(out, [*names, "another"])
    assert not folder.exists()
    folder.mkdir()  # without a journal it is not known whose it is
    discard_finished(out, names)
    assert folder.exists()


def test_threads_of_tasks(paths: list[Path]) -> None:
    assert len(ranges(paths[0])) == 5
    for threads, each in (1, 1), (5, 1), (9, 1), (10, 2), (17, 3):
        assert Job("copy", [ranges(paths[0])], None, threads=threads).threads == each
    assert Job("copy", [], None, threads=3).threads == 3
    for executor in "threads:2", "processes:1":
        assert Job("copy", [ranges(paths[0])], executor, threads=3).threads == 3


def test_the_size_of_all_files_if_it_is_known(paths: list[Path]) -> None:
    assert Job("copy", map(ranges, paths), None).size == 80
    assert Job("copy", [*map(ranges, paths), [FileRange("-")]], None).size is None
    assert Job("copy", [[FileRange("-")], *map(ranges, paths)], None).size is None


# Folders that cannot be removed.


class StickyDisk(Disk):
    """A disk that removes no folders."""

    def remove_tree(self, path: Any) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def test_parts_that_cannot_be_removed_are_named(paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = paths[0].parent / "out.parts"
    stays = re.escape(f"{folder}: this folder is not needed any more, and could not be removed")
    with job(paths, disk=StickyDisk()) as running:
        assert texts(running) == expected(paths)
    with pytest.warns(UserWarning, match=stays):
        running.discard()
    assert folder.exists()
    monkeypatch.setattr(Disk, "remove_tree", StickyDisk.remove_tree)
    with pytest.warns(UserWarning, match=stays):
        discard_finished(paths[0].parent / "out", {str(path) for path in paths})


def test_parts_of_other_work_that_cannot_be_removed_are_an_error(paths: list[Path]) -> None:
    with job(paths) as running:
        texts(running)
    with pytest.raises(PermissionError) as caught, job(paths, options=1, force=True, disk=StickyDisk()):
        pass
    assert caught.value.filename == str(paths[0].parent / "out.parts")
