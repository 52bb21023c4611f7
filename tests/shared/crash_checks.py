"""Checks of work that is disturbed at an operation on the disk: it ends as it does undisturbed, or names the file.

`points` of a check are a number of operations, chosen by the seed, or the text of their names, or None: all.
"""

import contextlib
import errno
import os
import random
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from crashing_disk import ChangingDisk, Crash, CrashingDisk, FailingDisk, empty, installed, short_reads
from long_work import HERE, WORKS, Outcome, files_in, perform
from privileges import without_privileges
from rookery.sources.failures import ChangedFileWarning
from unreliable_executor import UnreliableExecutor, named

SEED: Final = int(os.environ.get("ROOKERY_CRASH_SEED", "739948"))


def in_memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


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
        assert os.strerror(errno.ENOENT) not in first, f"{where}: a part that is gone: {first}"
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


Points = int | str | None


def chosen(operations: list[str], points: Points, rng: random.Random) -> list[int]:
    """Return the numbers of operations: a sample, or all, or those with a name such as "write journal"."""
    if points is None or isinstance(points, str):
        return [at for at, name in enumerate(operations) if (points or "") in name]
    return sorted(rng.sample(range(len(operations)), min(points, len(operations))))


def check_crashes(work: str, inputs: Path, out: Path, points: Points, states: int | None) -> dict[str, int]:
    """Stop the work at some of its operations, or at all; return how often each error came when it ran again."""
    rng = random.Random(f"{SEED} {work}")
    operations, undisturbed = operations_of(work, inputs, out)
    errors: dict[str, int] = {}
    for at in chosen(operations, points, rng):
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


ERRORS: Final = {"full": errno.ENOSPC, "broken": errno.EIO, "denied": errno.EACCES}


def check_is_kept(work: str, inputs: Path, out: Path) -> None:
    """Let the machine stop when the work is done: its files are there, byte for byte, whatever else is left."""
    with installed(CrashingDisk(out)) as disk:
        undisturbed = perform(work, inputs, out)
    for name, state in disk.states():
        disk.leave(state)
        left = files_in(out)
        lost = [file for file, content in undisturbed.files.items() if left.get(file) != content]
        assert not lost, f"{work}: {name}, after it ended: without {lost}"


def check_change_before_it_goes_on(work: str, inputs: Path, out: Path, points: Points) -> None:
    """Stop the work, and replace its inputs before it runs again: nothing of the old ones is in the result."""
    rng = random.Random(f"{SEED} {work} between")
    operations, _ = operations_of(work, inputs, out)
    with changeable(work, inputs) as (change, restore):
        empty(out)
        change("replaced")
        afterwards = perform(work, inputs, out)
        for at in chosen(operations, points, rng):
            restore()
            empty(out)
            disk = CrashingDisk(out, at)
            with installed(disk), pytest.raises(Crash):
                perform(work, inputs, out)
            where = f"{work}: stopped at operation {at}, {disk.reached}, and inputs replaced (seed {SEED})"
            change("replaced")
            found = perform(work, inputs, out)
            if "--force" in found.error:
                found = perform(work, inputs, out, "--force")
            if found.error:
                check_names(found.error, inputs, out, where)
            if not afterwards.error:
                assert without_lone_parts(found).files == afterwards.files, where


def check_failures(work: str, error: int, inputs: Path, out: Path, points: Points) -> None:
    """Let operations fail one at a time: the result is right, or an error names the file and the work goes on."""
    rng = random.Random(f"{SEED} {work}")
    reading = error != errno.ENOSPC
    operations, undisturbed = operations_of(work, inputs, out, reading=reading)
    for at in chosen(operations, points, rng):
        empty(out)
        disk = FailingDisk(out, at, error, inputs if reading else None)
        with installed(disk):
            found = perform(work, inputs, out)
        where = f"{work}: {errno.errorcode[error]} at operation {at}, {disk.reached} (seed {SEED})"
        if found.error:
            assert found.status, where
            assert os.strerror(error) in found.error, f"{where}: {found.error}"
            check_names(found.error, inputs, out, where)
            if not reading:  # of an input that cannot be read to its end, search keeps what it has found
                check_no_halves(work, found, undisturbed, where)
            check_goes_on(work, inputs, out, undisturbed, where)
        else:
            check_undisturbed(work, found, undisturbed, os.strerror(error), where)


def check_no_halves(work: str, found: Outcome, undisturbed: Outcome, where: str) -> None:
    """Check that a file of the output is complete or missing. Checkpoints and journals grow."""
    if work not in ("perft", "distinct"):
        halves = [name for name, content in undisturbed.files.items() if found.files.get(name, content) != content]
        assert not halves, f"{where}: not complete: {halves}"


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


def check_losses(work: str, loss: str, inputs: Path, out: Path, points: Points) -> None:
    """Take permissions away during the work: the result is right, or an error names a file and the work goes on."""
    rng = random.Random(f"{SEED} {work} {loss}")
    operations, undisturbed = operations_of(work, inputs, out, reading=True)
    which, of_folders, of_files = LOSSES[loss]
    folder = out if which == "out" else inputs

    def restore() -> None:
        folder.chmod(0o700)
        for path in folder.rglob("*"):  # a folder before what is in it
            with contextlib.suppress(FileNotFoundError):
                path.chmod(0o700 if path.is_dir() else 0o600)

    for at in chosen(operations, points, rng):
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
            if done.files != found.files:
                assert re.search("(parts|unfinished): this folder is not needed any more", found.printed), where
                check_goes_on(work, inputs, out, undisturbed, where)


def without_parts(outcome: Outcome) -> Outcome:
    """Leave out the folder of the parts, which a dataset has inside its own."""
    parts = re.compile(r"\.parts/|/unfinished/")
    return replace(outcome, files={name: content for name, content in outcome.files.items() if not parts.search(name)})


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


def check_change(work: str, change: str, inputs: Path, out: Path, points: Points) -> None:
    """Change the inputs during the work: the result is that of one of their states, or an error names an input."""
    rng = random.Random(f"{SEED} {work} {change}")
    operations, undisturbed = operations_of(work, inputs, out)
    empty(out)
    with changeable(work, inputs) as (act, restore):
        act(change)
        afterwards = perform(work, inputs, out)
        for at in chosen(operations, points, rng):
            restore()
            empty(out)
            disk = ChangingDisk(out, at, lambda: act(change))
            with installed(disk), warnings.catch_warnings():
                warnings.simplefilter("ignore", ChangedFileWarning)  # of an index, whose games have changed since
                found = perform(work, inputs, out)
            where = f"{work}: {change} at operation {at}, {disk.reached} (seed {SEED})"
            if found.error:
                assert any(str(path) in found.error for path in used_by(work, inputs)), f"{where}: {found.error}"
                for name, content in without_parts(found).files.items():
                    allowed = (undisturbed.files.get(name), afterwards.files.get(name))
                    assert content in allowed, f"{where}: a mixture is kept in {name}: {found.error}"
            else:
                assert found in (undisturbed, afterwards), f"{where}: {differences(found, undisturbed)}"


def used_by(work: str, inputs: Path) -> list[Path]:
    return [inputs / name for name in re.findall(r"IN/([\w.]+)", WORKS[work])]


@contextlib.contextmanager
def changeable(work: str, inputs: Path) -> Iterator[tuple[Callable[[str], None], Callable[[], None]]]:
    """Yield a function that changes the inputs of a work, and one that restores them, as the end of the block does."""
    used = used_by(work, inputs)
    kept = {path: (path.read_bytes(), path.stat()) for path in used}

    def change(kind: str) -> None:
        for path in used:
            CHANGES[kind](path)

    def restore() -> None:
        for path, (content, state) in kept.items():
            path.unlink(missing_ok=True)
            path.write_bytes(content)
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))

    try:
        yield change, restore
    finally:
        restore()


def check_other_version(work: str, inputs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the work on an executor whose workers have another version: they refuse, and nothing is left in the way."""
    _, undisturbed = operations_of(work, inputs, out)
    empty(out)
    with named(monkeypatch, UnreliableExecutor(SEED, other_code=True)) as name:
        found = perform(work, inputs, out, "--executor", name)
    assert found.status, work
    assert "install the same rookery on all workers" in found.error
    assert not check_goes_on(work, inputs, out, undisturbed, work)


def check_short_reads(work: str, inputs: Path, out: Path) -> None:
    """Do the work where the system gives few bytes at a time."""
    _, undisturbed = operations_of(work, inputs, out)
    empty(out)
    with short_reads():
        assert perform(work, inputs, out) == undisturbed, work
