"""No file makes compiled code read or write outside its arrays, whatever its columns say.

The files are made and used in another process (`hostile_games`, `hostile_rows`), whose status tells a crash. With
``NUMBA_BOUNDSCHECK=1`` every access to an array is checked, too.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import rookery

SHARED: Final = Path(__file__).parents[2] / "shared"


def use_files(program: str, first: int, last: int, folder: Path, **environment: str) -> None:
    """Let a program use files number `first` to `last`; fail with the number of the file at which it crashed."""
    path = os.pathsep.join([str(Path(rookery.__file__).parents[1]), str(SHARED), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(SHARED / f"{program}.py"), str(folder), str(first), str(last)],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.split("\n")
    where = next((line for line in reversed(lines) if line.isdigit()), "none")
    assert done.returncode == 0, f"status {done.returncode} at file {where}:\n{done.stderr[-4000:]}"
    assert lines[-2].endswith(" 0 faults")
    assert int(lines[-2].split()[0]) > last - first, lines[-2]  # not all are refused


@pytest.mark.parametrize(("program", "files"), [("hostile_games", 60), ("hostile_rows", 8)])
def test_files_with_random_columns(program: str, files: int, tmp_path: Path) -> None:
    use_files(program, 0, files, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("bounds", ["0", "1"])
@pytest.mark.parametrize(("program", "files"), [("hostile_games", 1000), ("hostile_rows", 300)])
def test_many_files_with_random_columns(
    program: str, files: int, bounds: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    checked = {"NUMBA_CACHE_DIR": str(tmp_path_factory.getbasetemp() / "checked-code")} if bounds == "1" else {}
    use_files(program, 1000, 1000 + files, tmp_path, NUMBA_BOUNDSCHECK=bounds, **checked)
