"""Python without Numba: code that hides Numba and llvmlite from a process in which they are installed."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import rookery

HIDING: Final = """
from importlib.machinery import PathFinder as _Finder
_find = _Finder.find_spec
_Finder.find_spec = lambda name, *where: None if name.split(".")[0] in ("numba", "llvmlite") else _find(name, *where)
"""


def run_without_numba(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a new process that finds neither Numba nor machine code. `folder` is its empty compile cache."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(rookery.__file__).parents[1]),
        "NUMBA_CACHE_DIR": str(folder),
        "ROOKERY_TARGET": "host",  # no machine code of a wheel
        "PYTHONWARNINGS": "default",
    }
    command = [sys.executable, "-c", HIDING + code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
