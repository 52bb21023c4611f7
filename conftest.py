"""What all tests share, doctests included: the names that docstrings use, and how tests run side by side."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import rookery


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """With ``-n`` each process takes a run of neighbouring tests, and from the others when it has none left: tests of
    one file use the same compiled code.
    """
    if config.getoption("numprocesses", None) and config.getoption("dist", "") == "no":
        config.option.dist = "worksteal"


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Before all the tests run, compile all there is: processes side by side would each compile the same."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and config.option.markexpr != "quick":
        subprocess.run([sys.executable, "-m", "rookery", "compile"], check=True)


@pytest.fixture(autouse=True)
def names(doctest_namespace: dict[str, Any]) -> None:
    """Names that docstrings of the parts of `rookery.Positions` use without importing them."""
    doctest_namespace.update(Positions=rookery.Positions, Board=rookery.Board, Move=rookery.Move, np=np)
    doctest_namespace.update(read_pgn=rookery.read_pgn, scan_pgn=rookery.scan_pgn)
