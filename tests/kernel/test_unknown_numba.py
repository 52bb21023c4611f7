"""A Numba that is not as expected costs time, and never an answer. Our own functions do not need it."""

import ast
import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import random_kernels
import rookery
from rookery.kernel.compiler.plain import private
from thinning import slow

PACKAGE = Path(rookery.__file__).parent
KERNEL = PACKAGE / "kernel"
NAMES = private.all_names()
MOST: Final = 11
# What Numba and llvmlite describe for everybody: see `private`.
PUBLIC = ("numba", "numba.core.ir", "numba.extending", "numba.types", "llvmlite", "llvmlite.binding", "llvmlite.ir")
DOCUMENTED = {
    "numba.core.compiler:CompilerBase",
    "numba.core.compiler:CompilerBase.define_pipelines",
    "numba.core.compiler:DefaultPassBuilder",
    "numba.core.compiler:DefaultPassBuilder.define_nopython_pipeline",
    "numba.core.compiler_machinery:CompilerPass.run_pass",
    "numba.core.compiler_machinery:FunctionPass",
    "numba.core.compiler_machinery:FunctionPass.__init__",
    "numba.core.compiler_machinery:register_pass",
}

# Words, a variable that is assigned twice, a branch, a tuple, a called kernel: what can go wrong without words.
LOOP = """
from rookery.kernel import U64, called_kernel, entry, kernel

SHIFTS = (7, 8, 9)

@kernel
def spread(b, n):
    found = b & (b - 1)
    for shift in SHIFTS:
        if b >> 63:
            found = found ^ (0xFF << 56)
        found = found | (b << shift) | (b >> (8 * n & 63))
    return found

@called_kernel
def top(b):
    return (b | 1) >> 60

@entry
def work(x, out):
    for i in range(x.size):
        out[i] = spread(x[i], U64(i)) * 3 + top(x[i])
"""

# It creates an array, so Numba compiles it.
ALLOCATING = (
    LOOP
    + """
import numpy as np

@entry
def work(x, out):
    room = np.zeros(x.size, np.uint64)
    for i in range(x.size):
        room[i] = spread(x[i], U64(i)) * 3
    for i in range(x.size):
        out[i] = room[i] + top(x[i])
"""
)

# One process imports everything, and a copy of it is made for each name that is removed.
EACH = """
import importlib, json, os, sys, warnings
import numba, numpy as np
from rookery.kernel.compiler.plain import private
import rookery
sys.path.insert(0, {folder!r})
import loop
for module in private.NAMES:
    importlib.import_module(module)
numba.njit(lambda x: x + 1)(1)

def remove(what):
    kind, _, name = what.partition(" ")
    if kind == "version":
        numba.__version__ = name
    elif kind != "nothing":
        module, _, attributes = what.partition(":")
        found = importlib.import_module(module)
        *outer, last = attributes.split(".")
        for attribute in outer:
            found = getattr(found, attribute)
        delattr(found, last)

def answer():
    x = np.array([1, 3, 2**63, 2**63 | 5, 2**64 - 1, 0x8100000000000081], np.uint64)
    out = np.zeros_like(x)
    loop.work(x, out)
    return out.tolist()

for number, what in enumerate(json.loads(sys.argv[1])):
    sys.stdout.flush()
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        if status:
            print(json.dumps([what, f"status {{status}}", []]))
        continue
    os.environ["NUMBA_CACHE_DIR"] = os.path.join({folder!r}, "cache", str(number))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            remove(what)
            found = answer()
        except BaseException as error:
            found = repr(error)
    print(json.dumps([what, found, [str(warning.message) for warning in caught]]))
    sys.stdout.flush()
    os._exit(0)
"""

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")


def answers(folder: Path, program: str, removed: list[str]) -> list[Any]:
    """What is removed in turn, each time in a process with an empty cache, with the answer and the warnings."""
    (folder / "loop.py").write_text(program, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_CACHE_DIR": str(folder / "nothing")}
    command = [sys.executable, "-c", EACH.format(folder=str(folder)), json.dumps(removed)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [what for what, *_ in found] == removed, done.stderr
    return found


def expected(folder: Path) -> list[int]:
    word = (1 << 64) - 1
    found = []
    for i, b in enumerate([1, 3, 2**63, 2**63 | 5, 2**64 - 1, 0x8100000000000081]):
        spread = b & (b - 1)
        for shift in (7, 8, 9):
            if b >> 63:
                spread ^= 0xFF << 56
            spread |= (b << shift & word) | (b >> 8 * i)
        found.append((spread * 3 + ((b | 1) >> 60)) & word)
    return found


@needs_fork
def test_our_compiler_needs_none_of_the_names(tmp_path: Path) -> None:
    right = expected(tmp_path)
    for what, found, warnings in answers(tmp_path, LOOP, [*NAMES, "version 9.9.9"]):
        assert (found, warnings) == (right, []), what


@needs_fork
def test_without_any_of_the_names_answers_are_right(tmp_path: Path) -> None:
    right = expected(tmp_path)
    for what, found, warnings in answers(tmp_path, ALLOCATING, NAMES):
        assert found == right, (what, found, warnings)
        if warnings:  # Numba may not need the name
            (line,) = warnings
            assert f"lacks {what.replace(':', '.')}" in line
            assert "runs in Python, with the same answers" in line


FIRST, LAST = (f"{major}.{minor}" for major, minor in private.TESTED)
OLDER = f"0.{private.TESTED[0][1] - 1}.9"
MORE = [f"{FIRST}.0", "0.68.1rc1", f"{LAST}.0", "1.0.0", "unknown"]


@needs_fork
@pytest.mark.parametrize("versions", [[OLDER, f"{LAST}.0dev0+7.gabcdef"], slow(MORE)], ids=["two", "more"])
def test_with_another_version_answers_are_right(versions: list[str], tmp_path: Path) -> None:
    for what, found, warnings in answers(tmp_path, ALLOCATING, ["nothing at all", *(f"version {v}" for v in versions)]):
        assert (found, warnings) == (expected(tmp_path), []), what


QUESTIONS = """
import numpy as np, rookery
fens = [rookery.STARTING_FEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"]
positions = rookery.Positions.from_fens(fens)
print(positions.keys().tolist(), positions.legal_move_counts().tolist(), positions.attacks("us").tolist())
print(positions.planes().sum(), positions.mobility("knight").tolist(), len(positions.unique()))
print([rookery.perft(fen, 2) for fen in fens], [str(t.queen(27, 5)) for t in rookery.techniques()])
print([board.san(move) for board in map(rookery.Board, fens) for move in board.legal_moves])
print(rookery.read_pgn(b"1. e4 e5 2. Nf3 (2. f4) Nc6 {[%clk 0:01:02]} 3. Bb5 a6 1-0").moves.moves.tolist())
"""


def test_what_runs_in_python_gives_the_same_answers() -> None:
    """That is what is left if Numba cannot compile at all."""
    printed = [
        subprocess.check_output(
            [sys.executable, "-c", QUESTIONS],
            env={**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_DISABLE_JIT": disabled},
            text=True,
        )
        for disabled in "01"
    ]
    assert printed[0] == printed[1]
    assert "[20, 48]" in printed[0]


PROGRAMS = """
import runpy, sys
from rookery.kernel.compiler import linkable
from rookery.kernel.compiler.values import Unsupported
def refuse(*arguments, **named):
    raise Unsupported("anything")
linkable.compiled_ir = refuse
sys.argv = [sys.argv[1], "0", "1", "8", "10"]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_random_programs_that_numba_compiles_compute_what_python_does(tmp_path: Path) -> None:
    file = Path(random_kernels.__file__)
    path = os.pathsep.join([str(PACKAGE.parent), str(file.parent)])
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", PROGRAMS, str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    # Numba does not know that a length is never negative: where one meets a word, the message says what to write.
    *_, last = lines = done.stdout.splitlines()
    refused = [line for line in lines if line.startswith("refused: ")]
    assert refused
    assert all("convert one" in line for line in refused)
    assert last == f"{10 - len(refused)} right, {len(refused)} refused, 0 wrong"
    assert len(refused) < 10
    assert not done.stderr  # none runs in Python


def test_the_versions_tested_are_those_allowed() -> None:
    project = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    first, last = (f"{major}.{minor}" for major, minor in private.TESTED)
    assert f"numba>={first},<{last}" in project["optional-dependencies"]["compile"]


def modules_and_names(tree: ast.Module) -> tuple[dict[str, str], dict[str, str]]:
    """The modules that a file imports of Numba and llvmlite, and the other names with their modules."""
    modules: dict[str, str] = {}
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ("numba", "llvmlite"):
            for alias in node.names:
                try:
                    importlib.import_module(f"{node.module}.{alias.name}")
                    modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                except ImportError:
                    names[alias.asname or alias.name] = f"{node.module}:{alias.name}"
    return modules, names


def used_of_classes(node: ast.ClassDef, base: type) -> Iterator[str]:
    """What a class replaces or calls of a class of Numba's, with the class that defines it."""
    names = {found.name for found in node.body if isinstance(found, ast.FunctionDef)} - {
        "__eq__",
        "__hash__",
        "__init__",
    }
    for found in ast.walk(node):
        if isinstance(found, ast.Attribute) and ast.unparse(found.value) in ("self", "super()"):
            names.add(found.attr)
    for name in names - {"__eq__", "__hash__", "__init__"}:  # which every class has
        for owner in base.__mro__:
            if name in vars(owner):
                if owner.__module__.startswith("numba."):
                    yield f"{owner.__module__}:{owner.__name__}.{name}"
                break


def used(file: Path) -> set[str]:
    """The names of Numba's and llvmlite's modules that a file uses, and that nobody promises."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    modules, names = modules_and_names(tree)
    found = {*names.values()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            outer, _, rest = ast.unparse(node).partition(".")
            if outer in modules and not any(isinstance(n, ast.Call) for n in ast.walk(node)):
                found.add(f"{modules[outer]}:{rest}")
        elif isinstance(node, ast.ClassDef):
            for parent in node.bases:
                if isinstance(parent, ast.Name) and parent.id in names:
                    module, _, name = names[parent.id].partition(":")
                    found |= {*used_of_classes(node, getattr(importlib.import_module(module), name))}
    return {name for name in found if name.partition(":")[0] not in PUBLIC} - DOCUMENTED


def test_every_name_that_is_used_is_in_the_list() -> None:
    found = set().union(*(used(file) for file in KERNEL.rglob("*.py")))
    assert len(found) > 3
    assert not {name for name in found if not any(listed == name or listed.startswith(f"{name}.") for listed in NAMES)}
    assert len(NAMES) + len(private.ATTRIBUTES) <= MOST


def test_every_name_in_the_list_is_used() -> None:
    # Without the list itself, which stands before the first function of its file.
    files = [file for file in KERNEL.rglob("*.py") if file.name != "private.py"]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    names = [re.split("[:.]", name)[-1] for name in NAMES]
    assert not [name for name in (*names, *private.ATTRIBUTES) if not re.search(rf"\b{re.escape(name)}\b", text)]
