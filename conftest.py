"""Set-up for all tests, doctests included: the names that docstrings use, and parallel runs."""

import compileall
import gc
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rookery

_SOURCE = Path(__file__).parent / "src"


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Schedule tests by work stealing with ``-n``: tests of one file run in one process and share compiled code."""
    if config.getoption("numprocesses", None) and config.getoption("dist", "") == "no":
        config.option.dist = "worksteal"


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile everything before the tests run, because parallel processes would each compile the same functions.

    Python's own compilation included, even if PYTHONDONTWRITEBYTECODE is set: hundreds of tests start a Python process,
    and to rewrite the assertions of all test files takes pytest ten seconds in every process that finds none stored.
    """
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and config.option.markexpr != "quick":
        compileall.compile_dir(Path(rookery.__file__).parent, quiet=2)
        storing = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        collect = [sys.executable, "-m", "pytest", "--collect-only", "-qq"]
        with subprocess.Popen(collect, cwd=config.rootpath, env=storing, stdout=subprocess.DEVNULL) as collecting:
            if find_spec("numba") is not None:
                subprocess.run([sys.executable, "-m", "rookery", "compile"], check=True)
            collecting.terminate()  # by now it is done, or all was compiled and little can be left to rewrite


def pytest_collection_finish() -> None:
    """Leave the tests themselves out of each later collection of garbage: they are most of the objects of a process."""
    gc.collect()
    gc.freeze()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``-m quick``, leave out the examples in docstrings, as `tests/conftest.py` leaves out other tests."""
    return True if config.option.markexpr == "quick" and collection_path == _SOURCE else None


@pytest.fixture(autouse=True)
def names(doctest_namespace: dict[str, Any]) -> None:
    """Provide the names that docstrings of `rookery.Positions` use without importing them."""
    doctest_namespace.update(Positions=rookery.Positions, Board=rookery.Board, Move=rookery.Move, np=np)
    doctest_namespace.update(read_pgn=rookery.read_pgn, scan_pgn=rookery.scan_pgn, scan=rookery.scan)
