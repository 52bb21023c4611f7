"""A script that runs python-chess's own tests on rookery.compat, and prints the outcome of each test as JSON.

    python judged.py FOLDER        the folder of python-chess's sources

Its modules for engines, tables and variants are those of python-chess: rookery has no such modules. They use the
classes of python-chess, and the tests give them boards of rookery.compat.
"""

import importlib.util
import json
import os
import sys
import traceback
import types
import unittest
from pathlib import Path
from typing import Any, Final

import chess
import chess.engine
import chess.gaviota
import chess.syzygy
import chess.variant

import rookery.compat
import rookery.compat.pgn
import rookery.compat.polyglot
import rookery.compat.svg

# What rookery has the names of: squares, moves, pieces, boards, sets, PGN, books and SVG.
JUDGED: Final = (
    *("Square", "Move", "Piece", "Board", "LegalMoveGenerator", "BaseBoard", "SquareSet"),
    *("Pgn", "Polyglot", "Svg"),
)
BESIDE: Final = ("engine", "gaviota", "syzygy", "variant")


def exchange_modules() -> None:
    """Make ``import chess`` import rookery.compat, with the modules beside it that only python-chess has."""
    module = types.ModuleType("chess")
    module.__dict__.update({name: getattr(rookery.compat, name) for name in rookery.compat.__all__})
    for name in BESIDE:
        setattr(module, name, getattr(chess, name))
    sys.modules.update({"chess": module, "chess.pgn": rookery.compat.pgn, "chess.svg": rookery.compat.svg})
    sys.modules["chess.polyglot"] = rookery.compat.polyglot


class Outcomes(unittest.TestResult):
    """The outcome of each test: an empty text, or where and why it failed."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.found: dict[str, str] = {}

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802  # unittest's name
        super().startTest(test)
        self.found[_name(test)] = ""

    def addError(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802  # unittest's name
        lines = [frame.lineno for frame in traceback.extract_tb(err[2]) if frame.filename == self.file]
        self.found[_name(test)] = f"line {lines[-1] if lines else '?'}: {err[0].__name__}: {err[1]}"

    addFailure = addError  # noqa: N815  # unittest's name

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:  # noqa: N802  # unittest's name
        self.found[_name(test)] = f"skipped: {reason}"


def _name(test: unittest.TestCase) -> str:
    return f"{type(test).__name__.removesuffix('TestCase')}.{test.id().rpartition('.')[2].removeprefix('test_')}"


def main(folder: Path) -> None:
    """Run the tests in the folder, where they find their data."""
    exchange_modules()
    os.chdir(folder)
    file = str(folder / "test.py")
    spec = importlib.util.spec_from_file_location("tests_of_python_chess", file)
    assert spec is not None
    assert spec.loader is not None
    tests = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tests)
    outcomes = Outcomes(file)
    for name in JUDGED:
        unittest.defaultTestLoader.loadTestsFromTestCase(getattr(tests, f"{name}TestCase")).run(outcomes)
    json.dump(outcomes.found, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
