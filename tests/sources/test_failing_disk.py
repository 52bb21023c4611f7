"""A disk that fails at any operation: files are as before or complete, and journals keep what they had."""

import errno
from pathlib import Path

import pytest

from failing_disk import FailingDisk, outcomes
from rookery.sources import files, leftovers
from rookery.sources.disk import Disk
from rookery.tasks.journal import Journal


@pytest.fixture(autouse=True)
def _scan_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "_PAUSE", 0.0)


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
