"""The simulation finds the faults that people found: with the mend of a fault taken out, a check fails; else it passes.

So the simulation is known to fail where it should.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import crash_checks
import crash_fixtures
from crash_checks import check_change, check_change_before_it_goes_on, check_crashes, check_failures, check_is_kept
from crashing_disk import CrashingDisk
from rookery.counting import distinct
from rookery.data.index import making
from rookery.data.pipeline import parquet_parts
from rookery.sources import disk, file_range, files, leftovers
from rookery.sources.disk import DISK, Disk, naming
from rookery.tasks import jobs, journal, running

inputs, out, small = crash_fixtures.inputs, crash_fixtures.out, crash_fixtures.small
Patch = pytest.MonkeyPatch
Check = Callable[[Path, Path, Patch], object]


class Mend(NamedTuple):
    """A mend of the library: what takes it out, and the check that then fails."""

    takes_out: Callable[[Patch], object]
    check: Check


def _nothing(*_: Any, **__: Any) -> None:
    pass


def _replaced(module: Any, name: str, value: Any) -> Callable[[Patch], None]:
    return lambda patch: patch.setattr(module, name, value)


class _Unsynced(Disk):
    """A disk that forces no file to it."""

    def sync(self, file: Any) -> None:
        pass


def _takes_any_work(patch: Patch) -> None:
    """Let a journal go on with whatever work its folder has."""
    take = journal.Journal._take
    patch.setattr(
        journal.Journal, "_take", lambda self, content, work: take(self, content, journal.work_of(self.path) or work)
    )


def _written_in_place(patch: Patch) -> None:
    """Let files be written under their final names."""

    @contextlib.contextmanager
    def replacing(path: Any, *, disk: Disk = DISK, **_: Any) -> Iterator[Any]:
        with naming(path), disk.open(path, "wb") as file:
            yield file
            disk.sync(file)

    patch.setattr(files, "replacing", replacing)


def _buffered(patch: Patch) -> None:
    """Let the journal be written through a buffer, which keeps a line when the disk is full."""
    opened = CrashingDisk.open
    patch.setattr(CrashingDisk, "open", lambda self, real, *arguments, buffered=True: opened(self, real, *arguments))


def _crashes(work: str, points: crash_checks.Points) -> Check:
    return lambda inputs, out, _: check_crashes(work, inputs, out, points, None)


def _failures(work: str, error: str, points: crash_checks.Points) -> Check:
    return lambda inputs, out, _: check_failures(work, crash_checks.ERRORS[error], inputs, out, points)


MENDS: Final = {
    "an input that is replaced during the work": Mend(
        _replaced(file_range, "check_identity", _nothing),
        lambda inputs, out, _: check_change("annotate", "replaced", inputs, out, "replace part-"),
    ),
    "an input that is replaced before the work goes on": Mend(
        _takes_any_work,
        lambda inputs, out, _: check_change_before_it_goes_on("annotate lines", inputs, out, "write journal"),
    ),
    "a damaged part": Mend(
        _replaced(jobs.Job, "_is_intact", lambda *_: True), _crashes("annotate", "replace rows.csv")
    ),
    "a folder of parts that finished work left": Mend(
        _replaced(making, "discard_finished", _nothing), _crashes("index", "remove journal")
    ),
    "a worker of another version": Mend(
        _replaced(running, "check_code", _nothing),
        lambda inputs, out, patch: crash_checks.check_other_version("convert", inputs, out, patch),
    ),
    "moves that are not on the disk when their number is": Mend(
        _replaced(distinct, "DISK", _Unsynced()), _crashes("distinct", "open xb")
    ),
    "a file that loses its name when its work is done": Mend(
        _replaced(CrashingDisk, "sync_folder", _nothing), lambda inputs, out, _: check_is_kept("attacks", inputs, out)
    ),
    "an error of reading that names no file": Mend(
        _replaced(disk, "_name", _nothing), _failures("annotate", "broken", "read games.pgn")
    ),
    "a full disk that names no file": Mend(_replaced(disk, "_name", _nothing), _failures("book", "full", "write")),
    "a line of the journal that stays in a buffer": Mend(
        _buffered, _failures("annotate lines", "full", "write journal")
    ),
    "half a file when the disk is full": Mend(_written_in_place, _failures("tactics", "full", "write")),
    "temporary files that a crash left": Mend(
        _replaced(leftovers, "remove", _nothing), _crashes("atlas", "replace atlas")
    ),
    "few bytes at a time": Mend(
        _replaced(parquet_parts, "_next", lambda file, size: file.read(size)),
        lambda inputs, out, _: crash_checks.check_short_reads("annotate lines", inputs, out),
    ),
}


@pytest.mark.parametrize("name", MENDS)
def test_the_simulation_finds_the_fault(name: str, inputs: Path, out: Path, monkeypatch: Patch) -> None:
    mend = MENDS[name]
    with monkeypatch.context() as patch:
        mend.takes_out(patch)
        assert fails(mend.check, inputs, out, patch), f"{name}: the check passes without the mend"


@pytest.mark.parametrize("name", MENDS)
def test_the_check_passes_with_the_mend(name: str, inputs: Path, out: Path, monkeypatch: Patch) -> None:
    MENDS[name].check(inputs, out, monkeypatch)


def fails(check: Check, inputs: Path, out: Path, patch: Patch) -> bool:
    try:
        check(inputs, out, patch)
    except (Exception, pytest.fail.Exception):
        return True
    return False
