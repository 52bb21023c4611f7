"""A disk that fails at any operation: files are as before or complete, and journals keep what they had."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from rookery.sources import files, leftovers
from rookery.sources.disk import Disk
from rookery.tasks import Journal


class FailingDisk(Disk):
    """A disk on which one operation fails: the one with the number `at`."""

    def __init__(self, at: int, error: int = errno.ENOSPC) -> None:
        self.at, self.error = at, error
        self.operations: list[str] = []

    def step(self, name: str) -> None:
        self.operations.append(name)
        if len(self.operations) - 1 == self.at:
            raise OSError(self.error, os.strerror(self.error))

    def open(self, *arguments: Any, **options: Any) -> BinaryIO:
        self.step("open")
        return super().open(*arguments, **options)

    def sync(self, file: BinaryIO) -> None:
        self.step("sync")
        super().sync(file)

    def lock(self, file: BinaryIO | int) -> bool:
        self.step("lock")
        return super().lock(file)

    def truncate(self, file: BinaryIO, size: int) -> None:
        self.step("truncate")
        super().truncate(file, size)

    def replace(self, *paths: Any) -> None:
        self.step("replace")
        super().replace(*paths)

    def link(self, *paths: Any) -> None:
        self.step("link")
        super().link(*paths)

    def copy_mode(self, *paths: Any) -> None:
        self.step("copy_mode")
        super().copy_mode(*paths)

    def remove(self, *paths: Any, **options: Any) -> None:
        self.step("remove")
        super().remove(*paths, **options)


@pytest.fixture(autouse=True)
def _scan_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "_PAUSE", 0.0)


def outcomes(act: Callable[[FailingDisk], None], check: Callable[[FailingDisk, OSError | None], None]) -> list[str]:
    """Act on disks that fail at the first operation, at the second and so on, and check each; return the operations."""
    for at in range(100):
        disk, raised = FailingDisk(at), None
        try:
            act(disk)
        except OSError as error:
            raised = error
        check(disk, raised)
        if len(disk.operations) <= at:
            return disk.operations
    raise AssertionError("the disk never worked")


@pytest.mark.parametrize("exists", [False, True])
def test_a_file_is_as_before_or_complete(exists: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"

    def act(disk: FailingDisk) -> None:
        path.unlink(missing_ok=True)
        if exists:
            path.write_text("old")
        files.write(path, "new", disk=disk)

    def check(disk: FailingDisk, error: OSError | None) -> None:
        if error is None:
            assert path.read_text() == "new"
        else:
            assert error.errno == errno.ENOSPC
            assert path.read_text() == "old" if exists else not path.exists()
        assert {file.name for file in tmp_path.iterdir()} <= {"file"}

    done = outcomes(act, check)
    assert done == ["open", "lock", "sync", *(["copy_mode"] if exists else []), "replace"]


def test_a_new_file_is_complete_or_missing(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def act(disk: FailingDisk) -> None:
        path.unlink(missing_ok=True)
        files.write(path, "new", new=True, disk=disk)

    def check(disk: FailingDisk, error: OSError | None) -> None:
        assert not path.exists() or path.read_text() == "new"
        assert {file.name for file in tmp_path.iterdir()} <= {"file"}

    assert outcomes(act, check) == ["open", "lock", "sync", "link", "remove"]


def test_a_document_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    path, kind = tmp_path / "document", files.Kind("document", "rookery test, version 1")

    def act(disk: FailingDisk) -> None:
        files.save(path, kind, {"n": 1})
        files.save(path, kind, {"n": 2}, disk=disk)

    def check(disk: FailingDisk, error: OSError | None) -> None:
        assert files.load(path, kind) == {"n": 1 if error else 2}

    outcomes(act, check)


def test_a_journal_keeps_what_it_had(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    def act(disk: FailingDisk) -> None:
        path.unlink(missing_ok=True)
        with Journal(path, "work") as journal:
            journal.add(0, "zero")
        with opened_journal(path, disk) as journal:
            journal.add(1, "one")
            journal.add(2, "two")

    def check(disk: FailingDisk, error: OSError | None) -> None:
        with Journal(path, "work") as journal:
            kept = list(journal.results.values())
        assert kept == ["zero", "one", "two"][: len(kept)]
        assert kept
        assert (len(kept) == 3) == (error is None)

    done = outcomes(act, check)
    assert done == ["open", "lock", "truncate", "sync", "sync"]


def opened_journal(path: Path, disk: Disk) -> Journal:
    """Open a journal; its constructor turns an OSError into a ValueError, which is turned back here."""
    try:
        return Journal(path, "work", disk=disk)
    except ValueError as error:
        raise error.__cause__ or error from None
