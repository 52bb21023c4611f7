"""Long work that stops at any operation on the disk goes on from whatever is left, and ends with the same bytes.

Each operation of a small run is the crash point once, with each damage that may follow. The work then runs again on a
disk that works. It ends as the undisturbed run did, byte for byte, or with an error that names a file. The default run
takes a sample, by a seed that changes each day and is printed; `-m slow` takes all.
"""

import datetime
import errno
import os
import random
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

import rookery
import small_tasks
import training_samples
from crashing_disk import ChangingDisk, Crash, CrashingDisk, FailingDisk, empty, installed, short_reads
from game_samples import SAMPLE
from long_work import HERE, WORKS, Outcome, perform
from privileges import they_count, without_privileges
from rookery.sources.failures import ChangedFileWarning
from simulated_time import simulated_time
from unreliable_executor import UnreliableExecutor, named

SEED: Final = int(os.environ.get("ROOKERY_CRASH_SEED", datetime.datetime.now(datetime.UTC).date().toordinal()))
SAMPLE_OF_POINTS: Final = 4  # crash points of each work in the default run
SAMPLE_OF_STATES: Final = 2  # of what may be left after each
PUZZLES: Final = SAMPLE.with_name("puzzles.csv")
_SMALL: Final = 3_000  # bytes of a task


@pytest.fixture(scope="module")
def inputs() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=in_memory()) as name:
        folder = Path(name)
        text = SAMPLE.read_bytes()[:14_000].rpartition(b"\n\n[Event")[0] + b"\n"
        (folder / "games.pgn").write_bytes(text.replace(b" 8.", b" oops 8.", 1))
        (folder / "puzzles.csv").write_text("".join(PUZZLES.read_text().splitlines(keepends=True)[:40]) + "bad\n")
        games = rookery.read_pgn(text)
        (folder / "fens.txt").write_text("".join(f"{fen}\n" for fen in ["bad", *games.positions().to_fens()]))
        rows = training_samples.rows_of(training_samples.games(2))
        for suffix in ("plain", "binpack"):
            rookery.write_training(rows, folder / f"rows.{suffix}")
        yield folder


def in_memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


@pytest.fixture
def out() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=in_memory()) as name:
        yield Path(name)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module, name in small_tasks.SIZES:
        monkeypatch.setattr(module, name, _SMALL)
    with simulated_time(SEED):
        yield


def operations_of(work: str, inputs: Path, out: Path, *, reading: bool = False) -> tuple[list[str], Outcome]:
    """Run the command undisturbed; return its operations, and those that read if `reading`."""
    with installed(CrashingDisk(out, inputs=inputs if reading else None)) as disk:
        outcome = perform(work, inputs, out)
    assert not outcome.error
    assert outcome.files
    assert not [name for name in outcome.files if ".parts" in name or ".rookery-" in name]
    return disk.operations, outcome


def check_goes_on(work: str, inputs: Path, out: Path, undisturbed: Outcome, where: str) -> str:
    """Run the command again, and with ``--force`` if that is the advice; return the first error.

    An error names a file. The result of the run without an error is that of the undisturbed run.
    """
    again = perform(work, inputs, out)
    first = again.error
    if "--force" in first:
        again = perform(work, inputs, out, "--force")
        assert not again.error, f"{where}: with --force: {again.error}"
    if not again.error:
        again = without_lone_parts(again)
        assert again.files == undisturbed.files, f"{where}: other files: {differences(again, undisturbed)}"
        assert again == undisturbed, where
    if first:
        assert str(out) in first, f"{where}: an error that names no file: {first}"
        return first.replace(str(out), "OUT")
    return ""


def without_lone_parts(outcome: Outcome) -> Outcome:
    """Leave out parts without their journal: a removal that was lost. Nothing says whether their job was finished."""
    journals = {name.rpartition("/")[0] for name in outcome.files if name.endswith(".parts/journal")}
    folders = {name: name.rpartition("/")[0] for name in outcome.files}
    kept = {
        name: content
        for name, content in outcome.files.items()
        if not folders[name].endswith(".parts") or folders[name] in journals
    }
    return replace(outcome, files=kept)


def differences(found: Outcome, expected: Outcome) -> list[str]:
    names = sorted({*found.files, *expected.files})
    return [name for name in names if found.files.get(name) != expected.files.get(name)]


def chosen(number: int, kept: int, rng: random.Random) -> list[int]:
    return sorted(rng.sample(range(number), min(kept, number)))


def check_crashes(work: str, inputs: Path, out: Path, points: int | None, states: int | None) -> dict[str, int]:
    """Stop the work at some of its operations, or at all; return how often each error came when it ran again."""
    rng = random.Random(f"{SEED} {work}")
    operations, undisturbed = operations_of(work, inputs, out)
    errors: dict[str, int] = {}
    for at in range(len(operations)) if points is None else chosen(len(operations), points, rng):
        empty(out)
        disk = CrashingDisk(out, at)
        with installed(disk), pytest.raises(Crash):
            perform(work, inputs, out)
        left = list(disk.states())
        for name, state in left if states is None else rng.sample(left, min(states, len(left))):
            disk.leave(state)
            where = f"{work}: stopped at operation {at}, {disk.operations[at]}: {name} (seed {SEED})"
            error = check_goes_on(work, inputs, out, undisturbed, where)
            if error:
                errors[error] = errors.get(error, 0) + 1
    return errors


@pytest.mark.parametrize("work", WORKS)
def test_work_goes_on_after_a_crash(work: str, inputs: Path, out: Path) -> None:
    check_crashes(work, inputs, out, SAMPLE_OF_POINTS, SAMPLE_OF_STATES)


@pytest.mark.slow
@pytest.mark.parametrize("work", WORKS)
def test_work_goes_on_after_every_crash(work: str, inputs: Path, out: Path) -> None:
    for error, number in check_crashes(work, inputs, out, None, None).items():
        print(number, error)


ERRORS: Final = {"full": errno.ENOSPC, "broken": errno.EIO, "denied": errno.EACCES}


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("work", WORKS)
def test_work_goes_on_after_an_error_of_the_disk(work: str, error: str, inputs: Path, out: Path) -> None:
    check_failures(work, ERRORS[error], inputs, out, SAMPLE_OF_POINTS)


@pytest.mark.slow
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("work", WORKS)
def test_work_goes_on_after_every_error_of_the_disk(work: str, error: str, inputs: Path, out: Path) -> None:
    check_failures(work, ERRORS[error], inputs, out, None)


def check_failures(work: str, error: int, inputs: Path, out: Path, points: int | None) -> None:
    """Let operations fail one at a time: the result is right, or an error names the file and the work goes on."""
    rng = random.Random(f"{SEED} {work}")
    reading = error != errno.ENOSPC
    operations, undisturbed = operations_of(work, inputs, out, reading=reading)
    for at in range(len(operations)) if points is None else chosen(len(operations), points, rng):
        empty(out)
        disk = FailingDisk(out, at, error, inputs if reading else None)
        with installed(disk):
            found = perform(work, inputs, out)
        where = f"{work}: {errno.errorcode[error]} at operation {at}, {disk.reached} (seed {SEED})"
        if found.error:
            assert found.status, where
            assert os.strerror(error) in found.error, f"{where}: {found.error}"
            check_names(found.error, inputs, out, where)
            check_goes_on(work, inputs, out, undisturbed, where)
        else:
            check_undisturbed(work, found, undisturbed, os.strerror(error), where)


def check_names(error: str, inputs: Path, out: Path, where: str) -> None:
    assert str(out) in error or str(inputs) in error, f"{where}: an error that names no file: {error}"


def check_undisturbed(work: str, found: Outcome, undisturbed: Outcome, reason: str, where: str) -> None:
    if work == "perft" and reason in found.printed:  # it warns, and goes on without its checkpoint
        assert (found.status, found.answer) == (undisturbed.status, undisturbed.answer), where
    else:
        assert found == undisturbed, f"{where}: {differences(found, undisturbed)}"


def set_modes(folder: Path, of_folders: int, of_files: int) -> None:
    """Set the permissions of a folder and of all in it."""
    for path in sorted((folder, *folder.rglob("*")), reverse=True):
        path.chmod(of_folders if path.is_dir() else of_files)


# Permissions of the folders and of the files in the folder of the output, or of the inputs.
LOSSES: Final = {
    "folders not written": ("out", 0o500, 0o600),
    "nothing written": ("out", 0o500, 0o400),
    "files closed": ("out", 0o700, 0),
    "folders closed": ("out", 0, 0o600),
    "inputs closed": ("in", 0o700, 0),
    "folder of inputs closed": ("in", 0, 0o600),
}


def check_losses(work: str, loss: str, inputs: Path, out: Path, points: int | None) -> None:
    """Take permissions away during the work: the result is right, or an error names a file and the work goes on."""
    rng = random.Random(f"{SEED} {work} {loss}")
    operations, undisturbed = operations_of(work, inputs, out, reading=True)
    which, of_folders, of_files = LOSSES[loss]
    folder = out if which == "out" else inputs

    def restore() -> None:
        folder.chmod(0o700)
        for path in folder.rglob("*"):  # a folder before what is in it
            path.chmod(0o700 if path.is_dir() else 0o600)

    for at in range(len(operations)) if points is None else chosen(len(operations), points, rng):
        empty(out)
        disk = ChangingDisk(out, at, lambda: set_modes(folder, of_folders, of_files), inputs)
        try:
            with installed(disk), without_privileges():
                found = perform(work, inputs, out, afterwards=restore)
        finally:
            restore()
        where = f"{work}: {loss} at operation {at}, {disk.reached} (seed {SEED})"
        if found.error:
            assert found.status, where
            check_names(found.error, inputs, out, where)
            check_goes_on(work, inputs, out, undisturbed, where)
        else:
            done = without_parts(found)
            check_undisturbed(work, done, undisturbed, os.strerror(errno.EACCES), where)
            if done.files != found.files:  # the folder of the parts could not be removed
                check_goes_on(work, inputs, out, undisturbed, where)


def without_parts(outcome: Outcome) -> Outcome:
    return replace(outcome, files={name: content for name, content in outcome.files.items() if ".parts/" not in name})


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("work", WORKS)
def test_permissions_may_be_lost(work: str, loss: str, inputs: Path, out: Path) -> None:
    if not they_count(out):
        pytest.skip("files without permissions can be read here")
    check_losses(work, loss, inputs, out, 1)


@pytest.mark.slow
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("work", WORKS)
def test_permissions_may_be_lost_at_any_operation(work: str, loss: str, inputs: Path, out: Path) -> None:
    if not they_count(out):
        pytest.skip("files without permissions can be read here")
    check_losses(work, loss, inputs, out, None)


ON_EXECUTORS = [work for work in WORKS if work not in HERE]


def check_executor(work: str, seed: int, inputs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the work on an executor that loses tasks, repeats them and mixes them: the result is the same."""
    _, undisturbed = operations_of(work, inputs, out)
    empty(out)
    executor = UnreliableExecutor(seed)
    with named(monkeypatch, executor) as name:
        found = perform(work, inputs, out, "--executor", name)
    assert executor.fates
    assert found == undisturbed, f"{work}: seed {seed}: {executor.fates}: {differences(found, undisturbed)}"


@pytest.mark.parametrize("work", ON_EXECUTORS)
def test_workers_may_lose_and_repeat_tasks(work: str, inputs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_executor(work, SEED, inputs, out, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("work", ON_EXECUTORS)
def test_workers_may_lose_and_repeat_tasks_in_many_ways(
    work: str, seed: int, inputs: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_executor(work, seed, inputs, out, monkeypatch)


@pytest.mark.parametrize("work", ON_EXECUTORS)
def test_workers_of_another_version_refuse_tasks(
    work: str, inputs: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, undisturbed = operations_of(work, inputs, out)
    empty(out)
    with named(monkeypatch, UnreliableExecutor(SEED, other_code=True)) as name:
        found = perform(work, inputs, out, "--executor", name)
    assert found.status, work
    assert "install the same rookery on all workers" in found.error
    assert not check_goes_on(work, inputs, out, undisturbed, work)


@pytest.mark.parametrize("work", WORKS)
def test_few_bytes_at_a_time_are_read(work: str, inputs: Path, out: Path) -> None:
    _, undisturbed = operations_of(work, inputs, out)
    empty(out)
    with short_reads():
        assert perform(work, inputs, out) == undisturbed


def other(path: Path) -> bytes:
    """Return a file of the same size with other content: in a PGN, in FENs and in training data it has no meaning."""
    content = path.read_bytes()
    return content[len(content) // 2 :] + content[: len(content) // 2]


def replaced(path: Path) -> None:
    new = path.with_name("new")
    new.write_bytes(other(path))
    new.replace(path)


CHANGES: Final[dict[str, Callable[[Path], object]]] = {
    "replaced": replaced,
    "rewritten": lambda path: path.write_bytes(other(path)),
    "cut": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "removed": Path.unlink,
}
WITH_INPUTS = [work for work, text in WORKS.items() if "IN/" in text]


def check_change(work: str, change: str, inputs: Path, out: Path, points: int | None) -> None:
    """Change the inputs during the work: the result is that of one of their states, or an error names an input."""
    rng = random.Random(f"{SEED} {work} {change}")
    operations, undisturbed = operations_of(work, inputs, out)
    empty(out)
    kept = {path: (path.read_bytes(), path.stat()) for path in inputs.iterdir()}
    used = [path for path in kept if f"IN/{path.name}" in WORKS[work]]

    def act() -> None:
        for path in used:
            CHANGES[change](path)

    def restore() -> None:
        for path, (content, state) in kept.items():
            path.unlink(missing_ok=True)
            path.write_bytes(content)
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))

    try:
        act()
        afterwards = perform(work, inputs, out)
        for at in range(len(operations)) if points is None else chosen(len(operations), points, rng):
            restore()
            empty(out)
            disk = ChangingDisk(out, at, act)
            with installed(disk), warnings.catch_warnings():
                warnings.simplefilter("ignore", ChangedFileWarning)  # of an index, whose games have changed since
                found = perform(work, inputs, out)
            where = f"{work}: {change} at operation {at}, {disk.reached} (seed {SEED})"
            if found.error:
                assert any(str(path) in found.error for path in used), f"{where}: {found.error}"
            else:
                assert found in (undisturbed, afterwards), f"{where}: {differences(found, undisturbed)}"
    finally:
        restore()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("work", WITH_INPUTS)
def test_inputs_may_change(work: str, change: str, inputs: Path, out: Path) -> None:
    check_change(work, change, inputs, out, 2)


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("work", WITH_INPUTS)
def test_inputs_may_change_at_any_operation(work: str, change: str, inputs: Path, out: Path) -> None:
    check_change(work, change, inputs, out, None)
