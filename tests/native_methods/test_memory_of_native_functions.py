"""Native functions of single boards: no invalid read or write under valgrind, and no object that calls leave behind."""

import gc
import os
import shutil
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Final

import pytest

import board_session
import rookery
from board_session import Session
from rookery import Board, Move, Piece, SquareSet

pytestmark = pytest.mark.compiler

ROUNDS: Final = 30
# The loader of programs reads words of a text, which valgrind takes for an invalid read.
SUPPRESSED: Final = "{\n   loader\n   Memcheck:Addr8\n   fun:strncmp\n   fun:is_dst\n}\n"
# Valgrind knows no instruction of AVX-512. What is not set is not reported: Python itself reads such memory.
OPTIONS: Final = ("--error-exitcode=99", "--undef-value-errors=no", "--num-callers=20", "--suppressions=suppressed")
ENVIRONMENT: Final = {"ROOKERY_TARGET": "x86-64-v3", "PYTHONMALLOC": "malloc", "PYTHONHASHSEED": "0"}
READ_BEYOND: Final = """
import ctypes, rookery
rookery.Board().fen()
text = ctypes.create_string_buffer(10)
ctypes.memmove(ctypes.create_string_buffer(4096), text, 4096)
"""


def python(folder: Path, *arguments: str, under: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    path = [str(Path(rookery.__file__).parents[1]), str(Path(board_session.__file__).parent)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path), **ENVIRONMENT}
    command = [*under, sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_valgrind_finds_no_invalid_access(tmp_path: Path) -> None:
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        pytest.skip("no valgrind here")
    (tmp_path / "suppressed").write_text(SUPPRESSED, encoding="utf-8")
    session = (board_session.__file__, "1", str(ROUNDS))
    expected = python(tmp_path, *session)  # compiles
    assert expected.returncode == 0, expected.stderr
    done = python(tmp_path, *session, under=(valgrind, *OPTIONS))
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected.stdout
    assert "ERROR SUMMARY: 0 errors" in done.stderr
    found = python(tmp_path, "-c", READ_BEYOND, under=(valgrind, *OPTIONS))
    assert found.returncode == 99
    assert "Invalid read of size" in found.stderr


def test_a_session_is_repeated_by_its_seed() -> None:
    first, second = Session(3), Session(3)
    assert first.run(4) == second.run(4)
    assert first.calls > 500
    assert Session(4).run(4) != first.run(0)


def grown(sessions: int, rounds: int) -> int:
    """Return by how many blocks of memory sessions grow, after one that fills what is kept."""
    for seed in range(2):
        Session(seed % 2).run(rounds)
    gc.collect()
    before = sys.getallocatedblocks()
    for seed in range(sessions):
        Session(seed % 2).run(rounds)
    gc.collect()
    return sys.getallocatedblocks() - before


def test_calls_leave_no_objects_behind() -> None:
    shared = (None, True, False, 0, 1, 63, "", (), Board, Move, Piece, SquareSet, str, int, tuple, list)
    grown(1, 5)
    before = [sys.getrefcount(value) for value in shared]
    blocks = grown(4, 20)
    after = [sys.getrefcount(value) for value in shared]
    changed = {str(value): b - a for value, a, b in zip(shared, before, after, strict=True) if abs(b - a) > 20}
    assert changed == {}
    assert blocks < 100


def test_a_call_that_keeps_an_object_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[object] = []
    monkeypatch.setattr(Session, "_sets", lambda self, square: kept.append(object()))
    assert grown(4, 20) > 70


def test_no_memory_of_another_kind_grows() -> None:
    Session(1).run(20)
    tracemalloc.start()
    try:
        Session(1).run(20)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(3):
            Session(1).run(20)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 20_000
    finally:
        tracemalloc.stop()
