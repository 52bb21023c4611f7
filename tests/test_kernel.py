"""Kernels in plain Python and compiled; the compile cache; what is imported, and when."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rookery
from rookery.kernel import (
    U64,
    ZERO,
    Board,
    Entry,
    cache,
    cpu,
    entry,
    has_pext,
    kernel,
    source_digest,
    watch_compilation,
)


@kernel
def doubled(x: Board) -> Board:
    """A word that wraps."""
    return x + x


@entry
def double_all(x: object, out: object) -> None:
    for i in range(out.size):  # type: ignore[attr-defined]
        out[i] = doubled(x[i])  # type: ignore[index]


def python(code: str, **environment: str) -> str:
    """Run code in a fresh interpreter; its standard output."""
    source = str(Path(rookery.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": source, **environment}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_kernel_wraps_ints_words_and_arrays_at_64_bits() -> None:
    top = 1 << 63
    assert doubled(top) == 0
    assert type(doubled(3)) is int
    assert doubled(np.array([top, 3], U64)).tolist() == [0, 6]
    with pytest.raises(OverflowError):
        doubled(-1)
    out = np.zeros(2, U64)
    double_all(np.array([top | 1, 3], U64), out)
    assert out.tolist() == [2, 6]


def test_nothing_is_compiled_and_numba_not_loaded_by_the_import() -> None:
    code = """
import sys, rookery
[t.table_bytes for t in rookery.techniques()]
rookery.knight_attacks(0)
print("numba" in sys.modules, "llvmlite" in sys.modules)
"""
    assert python(code) == "False False"


COUNT_COMPILATIONS = """
import rookery
from rookery.kernel import watch_compilation
t = rookery.technique("{name}")
n = 0
def one():
    global n
    n += 1
with watch_compilation(one):
    t.queen(0, 0)
print(n, int(t.queen(27, 5)))
"""


def test_machine_code_is_cached_between_runs(tmp_path: Path) -> None:
    code = COUNT_COMPILATIONS.format(name="hyperbola")
    answer = rookery.technique("hyperbola").queen(27, 5)
    assert python(code, NUMBA_CACHE_DIR=str(tmp_path)) == f"1 {int(answer)}"
    assert python(code, NUMBA_CACHE_DIR=str(tmp_path)) == f"0 {int(answer)}"


def test_an_edited_kernel_is_compiled_anew(tmp_path: Path) -> None:
    """Numba alone would load the stale code of a loop whose inlined kernel, in another file, has changed."""
    package = tmp_path / "src" / "rookery"
    shutil.copytree(Path(rookery.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {"PYTHONPATH": str(tmp_path / "src"), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    code = COUNT_COMPILATIONS.format(name="kogge-stone")
    good = int(rookery.technique("kogge-stone").queen(27, 5))
    assert python(code, **environment) == f"1 {good}"
    bits = package / "bits.py"
    text = bits.read_text(encoding="utf-8")
    before = "    return ONE << s\n"
    assert text.count(before) == 1
    bits.write_text(text.replace(before, "    return ONE << (s ^ ONE)\n"), encoding="utf-8")
    changed = int(rookery.technique("kogge-stone").queen(26, 5))
    assert python(code, **environment) == f"1 {changed}"


def test_a_damaged_cache_is_as_good_as_none(tmp_path: Path) -> None:
    code = COUNT_COMPILATIONS.format(name="hyperbola")
    fresh = python(code, NUMBA_CACHE_DIR=str(tmp_path))
    files = [path for path in tmp_path.rglob("*.nb?") if "answer_one" in path.name]
    assert {path.suffix for path in files} == {".nbi", ".nbc"}
    for path in files:
        good = path.read_bytes()
        for bad in (b"", good[: len(good) // 2], bytes(len(good))):
            path.write_bytes(bad)
            assert python(code, NUMBA_CACHE_DIR=str(tmp_path)) == fresh
            assert python(code, NUMBA_CACHE_DIR=str(tmp_path)) == fresh.replace("1 ", "0 ", 1)


OVERRUN = """
import numpy as np
from rookery.leapers import look_up_arrays
squares, attacks = np.full(4, 63, np.uint8), np.zeros({size}, np.uint64)
try:
    look_up_arrays(squares, np.empty(4, np.uint64), attacks)
    print("unchecked")
except IndexError:
    print("caught")
"""


def test_bounds_checks_are_live_and_not_undone_by_a_warm_cache(tmp_path: Path) -> None:
    cache = str(tmp_path)
    # A table of 64 warms the cache with unchecked code; then one too short is read out of bounds, with checks on.
    assert python(OVERRUN.format(size=64), NUMBA_CACHE_DIR=cache) == "unchecked"
    assert python(OVERRUN.format(size=10), NUMBA_CACHE_DIR=cache, NUMBA_BOUNDSCHECK="1") == "caught"


LISTED_TOO_MUCH = """
import numpy as np
from rookery.kernel import UNIVERSE
from rookery.rules.board import Board
from rookery.rules.engine import engine
code = engine()
try:
    print(code.legal(Board().words(), np.zeros({size}, np.uint16), UNIVERSE, UNIVERSE, code.tables))
except IndexError:
    print("caught")
"""


def test_moves_listed_beyond_their_array_are_caught(tmp_path: Path) -> None:
    """Where lists are written by an instruction that checks nothing, bounds checks bring its twin back."""
    checked = {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_BOUNDSCHECK": "1"}
    assert python(LISTED_TOO_MUCH.format(size=19), **checked) == "caught"
    assert python(LISTED_TOO_MUCH.format(size=20), **checked) == "20"


def test_every_technique_keeps_inside_its_tables(tmp_path: Path) -> None:
    code = """
import numpy as np, rookery
rng = np.random.default_rng(0)
squares = np.repeat(np.arange(64, dtype=np.uint8), 64)
occupied = rng.integers(0, 1 << 64, len(squares), dtype=np.uint64)
occupied[::64], occupied[1::64] = 0, ~np.uint64(0)
sums = {int(np.bitwise_xor.reduce(t.queen(squares, occupied) * (squares + np.uint64(1)))) for t in rookery.techniques()}
print(len(sums))
"""
    assert python(code, NUMBA_CACHE_DIR=str(tmp_path), NUMBA_BOUNDSCHECK="1") == "1"


def test_the_same_source_runs_without_the_compiler() -> None:
    code = """
import numpy as np, rookery
squares, occupied = np.arange(64), np.random.default_rng(0).integers(0, 1 << 64, 64, dtype=np.uint64)
with np.errstate(over="ignore"):
    for t in rookery.techniques():
        queens = t.queen(squares, occupied) * (squares.astype(np.uint64) + np.uint64(1))
        print(t.name, int(np.bitwise_xor.reduce(queens)))
"""
    lines = python(code, NUMBA_DISABLE_JIT="1").splitlines()
    compiled = python(code).splitlines()
    assert lines == compiled
    assert len(lines) == len(rookery.techniques())
    assert len({line.split()[1] for line in lines}) == 1


def test_a_cpu_without_pext_gets_the_portable_twin(tmp_path: Path) -> None:
    code = """
from rookery.kernel import has_pext
from rookery import technique, verify
print(has_pext(), {r.mismatches for r in verify.verify([technique("pext")])})
"""
    generic = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    assert python(code, **generic) == "False {0}"


def test_threads_may_ask_for_the_first_time_together(tmp_path: Path) -> None:
    code = """
import threading, rookery
answers, barrier = [], threading.Barrier(8)
def ask(t):
    barrier.wait()
    answers.append(int(t.queen(27, 5)))
threads = [threading.Thread(target=ask, args=(t,)) for t in 2 * rookery.techniques()[9:13]]
[t.start() for t in threads], [t.join() for t in threads]
print(len(answers), len(set(answers)))
"""
    assert python(code, NUMBA_CACHE_DIR=str(tmp_path)) == "8 1"


def test_the_cpu_is_known() -> None:
    name, features = cpu()
    assert name
    assert has_pext() == ("+bmi2" in features.split(","))


def test_the_digest_covers_all_that_compiled_code_depends_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "rookery"
    shutil.copytree(Path(rookery.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "__file__", str(package / "kernel" / "cache.py"))
    digest = source_digest.__wrapped__
    assert digest() == source_digest()
    seen = {digest()}
    for path in sorted(package.rglob("*.py")):
        path.write_bytes(path.read_bytes() + b"#")
        told_apart = digest() not in seen
        assert told_apart == (path.parent.name not in ("cli", "bench")), path
        seen.add(digest())


def test_watching_counts_each_outermost_compilation_once() -> None:
    fresh = Entry(double_all.function)
    begun, ended = [], []
    with watch_compilation(lambda: begun.append(1), lambda: ended.append(1)):
        fresh._compiler()(np.zeros(1, U64), np.zeros(1, U64))
    assert (len(begun), len(ended)) == (1, 1)
    assert ZERO == 0
