"""Set-up for all tests, doctests included: the names that docstrings use, and parallel runs."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import rookery


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Schedule tests by work stealing with ``-n``: tests of one file run in one process and share compiled code."""
    if config.getoption("numprocesses", None) and config.getoption("dist", "") == "no":
        config.option.dist = "worksteal"


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile everything before the tests run, because parallel processes would each compile the same functions."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and config.option.markexpr != "quick":
        subprocess.run([sys.executable, "-m", "rookery", "compile"], check=True)


@pytest.fixture(autouse=True)
def names(doctest_namespace: dict[str, Any]) -> None:
    """Provide the names that docstrings of `rookery.Positions` use without importing them."""
    doctest_namespace.update(Positions=rookery.Positions, Board=rookery.Board, Move=rookery.Move, np=np)
    doctest_namespace.update(read_pgn=rookery.read_pgn, scan_pgn=rookery.scan_pgn)
