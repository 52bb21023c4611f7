"""No machine code reads or writes beside the arrays that it is called with: see `guarded_arrays`."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

import guarded_arrays
import rookery
import sized_calls
from public_calls import CALLS
from rookery.kernel.entries import declared
from rookery.shipping.precompiled import units

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(sys.platform != "linux", reason="guard pages are those of Linux"),
]

SIZES: Final = (0, 1, 7, 63, 64, 65, 1000)
FEW: Final = ("Positions: moves", "Positions: text", "games: reading")
# Entries that benchmarks alone run, as a subject of its own would take seconds.
NOT_CALLED: Final = ("rookery.bench.", "rookery.techniques.base.protocol.")

# An entry that goes wrong where `n` says: what it reads or writes, and the index.
MODULE: Final = """
import sys
from pathlib import Path
from typing import NamedTuple
import numpy as np
import guarded_arrays
from rookery.kernel import entry

class Columns(NamedTuple):
    squares: np.ndarray
    words: np.ndarray

@entry
def right(columns, out):
    for i in range(out.size):
        out[i] += columns.words[i] + np.uint64(columns.squares[i])

@entry
def reads(columns, out, n):
    out[0] = columns.words[n]

@entry
def reads_bytes(columns, out, n):
    out[0] = np.uint64(columns.squares[n])

@entry
def writes(columns, out, n):
    out[n] = columns.words[0]

@entry
def writes_in_all(columns, out):
    for i in range(out.size):
        out[i] = columns.words[0]
        columns.words[0] += 1
"""
RUN: Final = """
guard = guarded_arrays.install(Path(sys.argv[1]))
memory = np.arange(20, dtype=np.uint64)
columns = Columns(np.arange(9, dtype=np.uint8), memory[4:13])
out = np.zeros(9, np.uint64)
"""


def program(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Run Python, and return its status, the note of the entry that ran last, and its standard error."""
    path = [str(Path(rookery.__file__).parents[1]), str(Path(guarded_arrays.__file__).parent)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    done = subprocess.run(
        [sys.executable, *arguments], env=env, cwd=folder, capture_output=True, text=True, check=False
    )
    note = folder / "note"
    return done.returncode, note.read_bytes().strip(b"\0 ").decode() if note.exists() else "", done.stderr


def use(folder: Path, call: str) -> tuple[int, str, str]:
    """Make a call of the module above with guarded arrays."""
    (folder / "written.py").write_text(f"{MODULE}\n{RUN}\n{call}\n", encoding="utf-8")
    return program(folder, "written.py", str(folder / "note"))


def test_results_come_back(tmp_path: Path) -> None:
    call = "right(columns, out)\nassert out.tolist() == list(range(4, 22, 2)), out\nprint(guard.called)"
    assert use(tmp_path, call) == (0, "", "")


@pytest.mark.parametrize(
    ("call", "side"),
    [
        ("reads(columns, out, np.uint64(9))", "end"),
        ("reads_bytes(columns, out, np.uint64(9))", "end"),
        ("writes(columns, out, np.uint64(9))", "end"),
        ("reads(columns, out, np.int64(-10))", "begin"),
        ("reads_bytes(columns, out, np.int64(-10))", "begin"),
        ("writes(columns, out[:0], np.uint64(0))", "end"),
    ],
)
def test_an_access_beside_an_array_ends_the_process(call: str, side: str, tmp_path: Path) -> None:
    status, note, _ = use(tmp_path, call)
    assert status == -11
    assert note == f"__main__.{call.partition('(')[0]}, arrays that {side} at a forbidden page"


def test_arrays_that_overlap_are_reported(tmp_path: Path) -> None:
    call = "writes_in_all(columns, memory[8:12])\nassert guard.shared == {'__main__.writes_in_all'}"
    assert use(tmp_path, call) == (0, "", "")


def calls(folder: Path, sizes: tuple[int, ...], subjects: list[str], techniques: list[str]) -> tuple[set[str], Any]:
    arguments = ("guarded", str(folder), *map(json.dumps, (sizes, subjects, techniques)))
    status, note, errors = program(folder, sized_calls.__file__, *arguments)
    assert status == 0, f"{note}\n{errors[-2000:]}"
    called, shared = json.loads((folder / "called").read_text(encoding="utf-8"))
    return {name.rstrip("*") for name in called}, shared


def test_few_calls(tmp_path: Path) -> None:
    called, shared = calls(tmp_path, (9,), [*FEW], ["magic-fancy"])
    assert len(called) > 40
    assert shared == []


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_all_calls(size: int, tmp_path: Path) -> None:
    names = [t.name for t in rookery.techniques()]
    called, shared = calls(tmp_path, (size,), [*CALLS], names)
    assert shared == []
    if size:
        units()  # imports all
        everything = {f"{entry.function.__module__}.{entry.function.__qualname__}" for _, entry, _ in declared}
        missing = {name for name in everything - called if not name.startswith(NOT_CALLED)}
        assert missing == set()
