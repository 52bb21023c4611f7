"""Calls of the library in a program that SIGTERM ends at any moment: no half file, and the same call goes on."""

import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import crash_fixtures
import small_tasks
import terminated_calls
from crash_checks import SEED
from crashing_disk import CrashingDisk, empty, installed
from rookery.sources import leftovers
from terminated_calls import CALLS, files_in, perform
from thinning import slow_but

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM ends a process on Windows in its own way"),
    pytest.mark.filterwarnings("ignore:.*could not be read to the end"),
]
inputs, out = crash_fixtures.inputs, crash_fixtures.out
MOMENTS: Final = 2  # of each call, besides one in the middle


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in small_tasks.SIZES:
        monkeypatch.setattr(module, name, terminated_calls.SIZE)
    monkeypatch.setattr(leftovers, "_PAUSE", 0.0)


def terminated(call: str, inputs: Path, out: Path, at: int, executor: str) -> "subprocess.CompletedProcess[str]":
    """Do the call in a process that SIGTERM ends before operation number `at` on the disk."""
    program = [sys.executable, "-W", "ignore", terminated_calls.__file__]
    return subprocess.run(
        [*program, call, str(inputs), str(out), str(at), executor], capture_output=True, text=True, check=False
    )


def check_moments(call: str, inputs: Path, out: Path, executor: str) -> None:
    with installed(CrashingDisk(out)) as disk:
        undisturbed = perform(call, inputs, out, executor or None)
    rng = random.Random(f"{SEED} {call}")
    last = len(disk.operations) - 1
    for at in sorted({last // 2, *(rng.randrange(last) for _ in range(MOMENTS))}):
        empty(out)
        where = f"{call}: SIGTERM at operation {at}, {disk.operations[at]} (seed {SEED})"
        process = terminated(call, inputs, out, at, executor)
        assert process.returncode == -signal.SIGTERM, f"{where}: {process.stderr}"
        left = files_in(out)
        halves = [name for name, content in undisturbed.items() if left.get(name, content) != content]
        assert not halves, f"{where}: not complete: {halves}"
        assert perform(call, inputs, out) == undisturbed, where


@pytest.mark.parametrize("call", slow_but(CALLS, "csv", "index", "parquet of games"))
def test_a_call_that_sigterm_ends_goes_on(call: str, inputs: Path, out: Path) -> None:
    check_moments(call, inputs, out, "")


@pytest.mark.parametrize("call", slow_but([call for call in CALLS if call != "tree"], "parquet of rows"))
def test_a_call_on_processes_that_sigterm_ends_goes_on(call: str, inputs: Path, out: Path) -> None:
    check_moments(call, inputs, out, "processes:2")
