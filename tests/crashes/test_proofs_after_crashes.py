"""Proofs that stop at any operation of SQLite on the disk go on from whatever is left of the ledger, and end the same.

A simulated disk lies below SQLite. The proof that goes on uses the ordinary one.
"""

import contextlib
import errno
import random
from pathlib import Path
from typing import Final

import pytest

import crash_fixtures
from crash_checks import ERRORS, SEED, Points, chosen
from crashing_disk import Crash, CrashingDisk, FailingDisk, empty
from magics.prove import ledger as ledgers
from magics.prove.ledger import Finished, Ledger
from magics.prove.proof import Proof, prove

out = crash_fixtures.out
crashing_sqlite = pytest.importorskip("crashing_sqlite", reason="apsw is not installed")

STEPS: Final = (20, 20, None)  # prefixes that are added to the ledger in one transaction
SAMPLE_OF_POINTS: Final = 8


def perform(out: Path) -> tuple[Proof, list[Finished], list[str]]:
    """Prove bishop d1; return the proof and the rows of the ledger, without times, and what the ledger reports."""
    reports: list[str] = []
    with Ledger(out / "ledger", tell=reports.append) as ledger:
        for most in STEPS:
            proof = prove("bishop", 3, ledger=ledger, most=most)
        (question,) = ledger.questions()
        rows = [row._replace(seconds=0) for row in ledger.finished(question)]
    return proof._replace(seconds=0), rows, reports


def on(disk: CrashingDisk, out: Path, patch: pytest.MonkeyPatch) -> tuple[Proof, list[Finished], list[str]]:
    with patch.context() as while_running, crashing_sqlite.on_disk(disk) as module:
        while_running.setattr(ledgers, "sqlite3", module)
        return perform(out)


def check_crashes(out: Path, patch: pytest.MonkeyPatch, points: Points) -> int:
    """Stop the proof at some operations, or at all; return the number of runs that went on."""
    undisturbed = perform(out)
    assert not undisturbed[2]
    empty(out)
    whole = CrashingDisk(out)
    assert on(whole, out, patch) == undisturbed
    runs = 0
    for at in chosen(whole.operations, points, random.Random(f"{SEED} proof")):
        empty(out)
        disk = CrashingDisk(out, at)
        with contextlib.suppress(Crash, ValueError):  # SQLite may make its own error of one, or ignore it
            on(disk, out, patch)
        if not disk.is_dead:  # the rows come in any order, and so may need a page more or less
            assert at >= len(disk.operations)
            continue
        for name, state in disk.states():
            disk.leave(state)
            where = f"stopped at operation {at}, {disk.reached}: {name} (seed {SEED})"
            assert perform(out) == undisturbed, where
            assert [path.name for path in out.iterdir()] == ["ledger"], where
            runs += 1
    return runs


def test_a_proof_goes_on_after_a_crash(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_crashes(out, monkeypatch, SAMPLE_OF_POINTS)


@pytest.mark.slow
def test_a_proof_goes_on_after_every_crash(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    print(check_crashes(out, monkeypatch, None), "runs")


@pytest.mark.parametrize("error", ERRORS)
def test_a_proof_goes_on_after_an_error_of_the_disk(error: str, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_failures(ERRORS[error], out, monkeypatch, SAMPLE_OF_POINTS)


@pytest.mark.slow
@pytest.mark.parametrize("error", ERRORS)
def test_a_proof_goes_on_after_every_error_of_the_disk(error: str, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_failures(ERRORS[error], out, monkeypatch, None)


def check_failures(error: int, out: Path, patch: pytest.MonkeyPatch, points: Points) -> None:
    undisturbed = perform(out)
    empty(out)
    whole = CrashingDisk(out)
    on(whole, out, patch)
    for at in chosen(whole.operations, points, random.Random(f"{SEED} proof")):
        empty(out)
        disk = FailingDisk(out, at, error)
        where = f"{errno.errorcode[error]} at operation {at}, {whole.operations[at]} (seed {SEED})"
        try:
            found = on(disk, out, patch)
        except ValueError as failure:
            assert str(out / "ledger") in str(failure), f"{where}: {failure}"  # noqa: PT017  # not at each
            found = perform(out)
        assert found == undisturbed, where
        assert [path.name for path in out.iterdir()] == ["ledger"], where


def test_the_simulation_finds_rows_that_are_not_on_the_disk(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crashing_sqlite, "SYNCHRONOUS", "OFF")
    with pytest.raises((AssertionError, ValueError)):
        check_crashes(out, monkeypatch, "write ledger")
