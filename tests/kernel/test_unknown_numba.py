"""A Numba that is not as expected costs time, and never an answer: names, passes and versions, each in turn."""

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
from typing import Any

import pytest

import random_kernels
import rookery
from rookery.kernel.compiler import passes, private

PACKAGE = Path(rookery.__file__).parent
KERNEL = PACKAGE / "kernel"
# What Numba and llvmlite describe for everybody.
PUBLIC = ("numba", "numba.core.types", "numba.extending", "numba.types", "llvmlite", "llvmlite.binding", "llvmlite.ir")
NAMES = private.all_names()
# Numba itself calls these: without them it falls back to empty methods, and jumps to address 0.
ABSTRACT = ["numba.core.codegen:CPUCodeLibrary.add_ir_module", "numba.core.codegen:CPUCodeLibrary.finalize"]
LOCK = "llvmlite.binding.ffi:lib._lock._cblist"  # without it, no function of llvmlite works, not even the CPU's name
PASSES = [f"pass {name}" for name in private.PASSES]

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

# One process imports everything, and a copy of it is made for each name that is removed.
EACH = """
import importlib, io, json, os, sys, warnings
import numba, numpy as np
from rookery.kernel.compiler import private
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
    elif kind == "pass":
        from numba.core import typed_passes, untyped_passes
        for module in (typed_passes, untyped_passes):
            for found in vars(module).values():
                if getattr(found, "__name__", "") == name:
                    found.__name__ = "Renamed"
    elif kind != "nothing":
        module, _, attributes = what.partition(":")
        found = importlib.import_module(module)
        *outer, last = attributes.split(".")
        for attribute in outer:
            found = getattr(found, attribute)
        delattr(found, last)

def answer():
    {first}
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
    numba.core.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = os.path.join({folder!r}, "cache", str(number))
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

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")


def program(folder: Path, first: str = "pass") -> list[str]:
    (folder / "loop.py").write_text(LOOP, encoding="utf-8")
    os.utime(folder / "loop.py", (1e9, 1e9))
    return [sys.executable, "-c", EACH.format(folder=str(folder), first=first)]


def answers(folder: Path, removed: list[str], **options: str) -> list[Any]:
    """What is removed in turn, each time in a process with an empty cache, with the answer and the warnings."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_CACHE_DIR": str(folder / "nothing")}
    done = subprocess.run(
        [*program(folder, **options), json.dumps(removed)], env=environment, capture_output=True, text=True, check=False
    )
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


def check(folder: Path, removed: list[str]) -> None:
    """Check that answers are right, and that one line says what is missing."""
    right = expected(folder)
    for what, found, warnings in answers(folder, removed):
        assert found == right, (what, found, warnings)
        (line,) = (warning for warning in warnings if "cannot be cached" not in warning)
        kind, _, name = what.rpartition(" ")
        named = f"the pass {name}" if kind == "pass" else name.replace(":", ".")
        assert re.match(rf"Numba \S+ (lacks )?{re.escape(named)}\b", line) or kind == "version", line
        assert "same answers" in line


def test_without_any_of_the_names_answers_are_right(tmp_path: Path) -> None:
    check(tmp_path, [name for name in NAMES if name not in ABSTRACT])


def test_names_without_which_numba_ends_the_process_are_looked_for(tmp_path: Path) -> None:
    more = "from rookery.kernel.compiler import choice"
    for what, found, _ in answers(tmp_path, ABSTRACT, first=f"{more}; return choice.fault()"):
        assert found.endswith(f" lacks {what.replace(':', '.')}")


def test_without_any_of_the_passes_answers_are_right(tmp_path: Path) -> None:
    check(tmp_path, PASSES)


def test_with_another_version_answers_are_right(tmp_path: Path) -> None:
    first, last = (f"{major}.{minor}" for major, minor in private.TESTED)
    older = f"0.{private.TESTED[0][1] - 1}.9"
    unknown = [f"{last}.0", f"{last}.0dev0+7.gabcdef", "1.0.0", older, "unknown"]
    check(tmp_path, [f"version {version}" for version in unknown])
    found = answers(tmp_path, [f"version {version}" for version in (f"{first}.0", "0.68.1rc1")])
    assert [(answer, warnings) for _, answer, warnings in found] == [(expected(tmp_path), [])] * 2


def test_with_all_that_is_looked_for_nothing_is_said(tmp_path: Path) -> None:
    assert private.fault() == ""
    assert answers(tmp_path, ["nothing at all"]) == [["nothing at all", expected(tmp_path), []]]


MOVES = "rookery.Board('r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1').legal_moves"


def check_moves(folder: Path, removed: list[str]) -> None:
    first = f"return [len(list(rookery.Board().legal_moves)), len({MOVES})]"
    for what, found, warnings in answers(folder, removed, first=first):
        assert found == [20, 48], what
        assert 1 <= len(warnings) <= 2, warnings


def test_moves_are_found_without_a_name_and_without_a_pass(tmp_path: Path) -> None:
    check_moves(tmp_path, ["numba.core.ssa:_fresh_vars", "pass FixupArgs"])


@pytest.mark.slow
def test_moves_are_found_without_a_name_of_each_module(tmp_path: Path) -> None:
    one_of_each = {name.partition(":")[0]: name for name in NAMES if name not in (*ABSTRACT, LOCK)}
    check_moves(tmp_path, [*one_of_each.values(), "pass IRProcessing", "pass NopythonTypeInference", "version 1.0.0"])


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


ONCE = """
import sys, json
import numpy as np
if sys.argv[1] == "plain":
    import numba
    numba.__version__ = "9.9.9"
import rookery
from rookery.kernel import watch_compilation
sys.path.insert(0, sys.argv[2])
import loop
compiled = []
out = np.zeros(6, np.uint64)
with watch_compilation(lambda: compiled.append(1)):
    loop.work(np.array([1, 3, 2**63, 2**63 | 5, 2**64 - 1, 0x8100000000000081], np.uint64), out)
print(json.dumps([out.tolist(), len(compiled)]))
"""


def once(folder: Path, pipeline: str) -> int:
    """Run the loop in a new process, check the answer, and return the number of compilations."""
    source = [str(PACKAGE.parent), str(folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(source), "NUMBA_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-W", "ignore", "-c", ONCE, pipeline, str(folder)]
    found, compiled = json.loads(subprocess.check_output(command, env=environment, text=True))
    assert found == expected(folder)
    return int(compiled)


def test_the_pipelines_keep_their_code_apart(tmp_path: Path) -> None:
    program(tmp_path)
    assert [once(tmp_path, "plain"), once(tmp_path, "plain")] == [1, 0]
    assert [once(tmp_path, "full"), once(tmp_path, "full")] == [1, 0]  # slower code is not taken
    # Code of the full pipeline is right: it is found before anybody asks which pipeline would compile.
    assert once(tmp_path, "plain") == 0
    names = sorted(re.sub(r"-[0-9a-f]{16}-[0-9a-f]{16}", "", file.name) for file in tmp_path.rglob("*.code"))
    assert names == ["loop.work-apart-plain.code", "loop.work-apart.code"]


def test_an_edit_of_a_kernel_is_noticed_by_the_plain_pipeline(tmp_path: Path) -> None:
    """The kernel is chosen by type, and its file is not imported by that of the loop."""
    program(tmp_path)
    entry = """
from rookery.kernel import entry, kernel_by_type

@kernel_by_type("x")
def change(x): ...

@entry
def work(x, out):
    for i in range(x.size):
        out[i] = change(x[i])
"""
    kernel = (
        "import numpy as np\nfrom entry import change\n@change.register(np.uint64)\ndef of_word(x): return x + {}\n"
    )
    code = ONCE.replace("import loop", "import entry as loop, kernels")
    printed = []
    for number in (1, 1, 2):
        (tmp_path / "entry.py").write_text(entry, encoding="utf-8")
        (tmp_path / "kernels.py").write_text(kernel.format(number), encoding="utf-8")
        for name in ("entry", "kernels"):
            os.utime(tmp_path / f"{name}.py", (1e9, 1e9))
        environment = {
            **os.environ,
            "PYTHONPATH": str(PACKAGE.parent),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        }
        command = [sys.executable, "-W", "ignore", "-c", code, "plain", str(tmp_path)]
        found, compiled = json.loads(subprocess.check_output(command, env=environment, text=True))
        printed.append((found[0], compiled))
    assert printed == [(2, 1), (2, 0), (3, 1)]


def test_without_what_the_cache_needs_answers_are_right(tmp_path: Path) -> None:
    """With code in the cache, which is loaded without Numba, and without what loading needs."""
    program(tmp_path)
    assert once(tmp_path, "full") == 1
    for removed in (
        "numba._dynfunc:Environment",
        "numba._helperlib:c_helpers",
        "numba.core.runtime._nrt_python:c_helpers",
    ):
        module, _, name = removed.partition(":")
        code = f"import {module}\ndel {module}.{name}\n" + ONCE
        environment = {
            **os.environ,
            "PYTHONPATH": str(PACKAGE.parent),
            "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        }
        command = [sys.executable, "-c", code, "full", str(tmp_path)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)[0] == expected(tmp_path)
        (line,) = done.stderr.splitlines()
        assert f"lacks {module}.{name}" in line


WIDE = """
import sys
import numba, numpy as np
numba.__version__ = "9.9.9"
import rookery
from rookery.kernel import has_full_width
sys.path.insert(0, {folder!r})
import loop
x = np.zeros(64, np.uint64)
text = loop.work.assembly(x, x)
print(has_full_width(), "zmm" in text)
loop.work(x, x)
(result,) = loop.work.dispatcher.overloads.values()
print(result.fndesc.noalias)
"""


def test_the_plain_pipeline_vectorises_over_the_full_width(tmp_path: Path) -> None:
    program(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-W", "ignore", "-c", WIDE.format(folder=str(tmp_path))]
    wide, uses, apart = subprocess.check_output(command, env=environment, text=True).split()
    assert wide == uses
    assert apart == "True"


PROGRAMS = """
import runpy, sys
import numba
numba.__version__ = "9.9.9"
sys.argv = [sys.argv[1], "0", "3", "8", "10"]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_random_programs_of_the_plain_pipeline_compute_what_python_does(tmp_path: Path) -> None:
    file = Path(random_kernels.__file__)
    path = os.pathsep.join([str(PACKAGE.parent), str(file.parent)])
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", PROGRAMS, str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "30 right, 0 refused, 0 wrong"
    (line,) = done.stderr.splitlines()
    assert "runs slower" in line  # and none runs in Python


def test_the_tables_of_passes_are_the_list() -> None:
    named = {*passes._SKIPPED, *passes._SKIPPED_IN_KERNELS, *passes._ADDED}
    assert named | {*passes._REPLACED, *passes._WITHOUT_LIFETIMES} == {*private.PASSES}


def test_the_versions_tested_are_those_allowed() -> None:
    project = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    first, last = (f"{major}.{minor}" for major, minor in private.TESTED)
    assert f"numba>={first},<{last}" in project["dependencies"]


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
    return {name for name in found if name.partition(":")[0] not in PUBLIC}


def test_every_name_that_is_used_is_in_the_list() -> None:
    found = set().union(*(used(file) for file in KERNEL.rglob("*.py")))
    assert len(found) > 80
    assert not {name for name in found if not any(listed == name or listed.startswith(f"{name}.") for listed in NAMES)}


def test_every_name_in_the_list_is_used() -> None:
    # Without the list itself, which stands before the first function of its file.
    text = "\n".join(file.read_text(encoding="utf-8").rpartition("_SHOWN")[2] for file in KERNEL.rglob("*.py"))
    assert not [name for name in NAMES if not re.search(rf"\b{re.escape(re.split('[:.]', name)[-1])}\b", text)]
