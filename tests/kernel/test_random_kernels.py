"""Random programs, compiled and evaluated in plain Python: see `random_kernels`."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import random_kernels
import rookery

ENTRIES: Final = 10  # of a module
KERNELS: Final = 8
FEWEST: Final = 0.8  # of the entries compile
MODULES: Final = 1000
PART: Final = 50


def check(first: int, last: int, folder: Path, **settings: str) -> None:
    """Check the modules with the seeds from `first` on, before `last`, in a process with these variables."""
    shared = Path(random_kernels.__file__).parent
    path = os.pathsep.join([str(Path(rookery.__file__).parents[1]), str(shared)])
    env = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(folder), **settings}
    numbers = [str(n) for n in (first, last, KERNELS, ENTRIES)]
    command = [sys.executable, random_kernels.__file__, *numbers]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, (lines[-1:], done.stderr[-2000:])
    found = re.fullmatch(r"(\d+) right, (\d+) refused, (\d+) wrong", lines[-1])
    assert found is not None, lines[-1]
    right, refused, wrong = map(int, found.groups())
    assert not wrong, [line for line in lines if line.startswith("wrong")]
    assert right + refused == (last - first) * ENTRIES
    assert right >= FEWEST * (last - first) * ENTRIES, [line for line in lines if line.startswith("refused")]


def test_30_programs(tmp_path: Path) -> None:
    check(0, 3, tmp_path)


def test_30_programs_that_run_in_python(tmp_path: Path) -> None:
    check(0, 3, tmp_path, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(MODULES // PART))
def test_10_000_programs(part: int, tmp_path: Path) -> None:
    check(PART * part, PART * (part + 1), tmp_path)
