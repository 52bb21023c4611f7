"""Kernels in plain Python and compiled; the compile cache; what is imported, and when."""

import os
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rookery
from rookery.kernel import (
    U64,
    Bits,
    Entry,
    compiling,
    cpu,
    entry,
    has_pext,
    kernel,
    once,
    watch_compilation,
)
from rookery.kernel.codecache.cache import CodeCache, Key
from rookery.kernel.codecache.type_keys import text_of
from rookery.kernel.compiler.plain import pipeline
from thinning import few


@kernel
def doubled(x: Bits) -> Bits:
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


def test_an_edited_kernel_is_compiled_anew(tmp_path: Path) -> None:
    """Numba alone would load the stale code of a loop whose inlined kernel, in another file, has changed."""
    package = tmp_path / "src" / "rookery"
    shutil.copytree(Path(rookery.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {"PYTHONPATH": str(tmp_path / "src"), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    code = COUNT_COMPILATIONS.format(name="kogge-stone")
    good = int(rookery.technique("kogge-stone").queen(27, 5))
    assert python(code, **environment) == f"1 {good}"
    bits = package / "bitboards" / "bits.py"
    text = bits.read_text(encoding="utf-8")
    before = "    return 1 << s\n"
    assert text.count(before) == 1
    bits.write_text(text.replace(before, "    return 1 << (s ^ 1)\n"), encoding="utf-8")
    changed = int(rookery.technique("kogge-stone").queen(26, 5))
    assert python(code, **environment) == f"1 {changed}"


def test_machine_code_is_cached_between_runs_and_damage_is_as_good_as_none(tmp_path: Path) -> None:
    code = COUNT_COMPILATIONS.format(name="hyperbola")
    answer = int(rookery.technique("hyperbola").queen(27, 5))
    assert python(code, NUMBA_CACHE_DIR=str(tmp_path)) == f"1 {answer}"
    assert python(code, NUMBA_CACHE_DIR=str(tmp_path)) == f"0 {answer}"
    (path,) = [path for path in tmp_path.rglob("*") if "answer_one" in path.name]
    good = path.read_bytes()
    path.write_bytes(good[: len(good) // 2])
    assert python(code, NUMBA_CACHE_DIR=str(tmp_path)) == f"1 {answer}"
    assert python(code, NUMBA_CACHE_DIR=str(tmp_path)) == f"0 {answer}"
    assert [p.name for p in path.parent.iterdir() if "answer_one" in p.name] == [path.name]


TWO_ARRAYS = text_of((np.ones(2, U64), np.zeros(2, U64)))


class Kept:
    """What a cache keeps of a function compiled in a process that ends."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
        double_all_again = Entry(double_all.function)
        double_all_again(np.ones(2, U64), np.zeros(2, U64))
        (self.path,) = (path for path in folder.rglob("*") if path.is_file())
        self.types = TWO_ARRAYS

    def load(self) -> Any:
        return CodeCache(double_all.function, "apart").load(self.types)


def test_no_flipped_bit_of_a_cached_file_is_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before there was a checksum, bit flips crashed the process, and 512 zeroed bytes gave a wrong perft."""
    kept = Kept(tmp_path, monkeypatch)
    assert kept.load() is not None
    good = kept.path.read_bytes()
    draw = np.random.default_rng(1)

    def loads(content: bytes) -> bool:
        # Two thousand files written anew would take most of the time.
        monkeypatch.setattr("rookery.kernel.codecache.trust.read", lambda path, trusted: content)
        return kept.load() is not None

    for position in (*range(64), *draw.integers(0, len(good), 2000)):
        bad = bytearray(good)
        bad[position] ^= 1 << int(draw.integers(8))
        assert not loads(bytes(bad))
    for start in draw.integers(0, len(good) - 512, 100):
        assert not loads(good[:start] + bytes(512) + good[start + 512 :])
    for wrong in (b"", good[: len(good) // 2], bytes(len(good)), good + b"\0"):
        assert not loads(wrong)
    assert loads(good)


def test_code_for_other_types_under_the_same_name_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(tmp_path, monkeypatch)
    monkeypatch.setattr(Key, "name", lambda self: kept.path.name)
    assert kept.load() is not None
    kept.types = text_of((np.ones(2, U64),))
    assert kept.load() is None


WARNED = """
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    import rookery
    answers = [int(rookery.technique(name).queen(27, 5)) for name in ("rays", "hyperbola")]
print(answers, len(told), *(w.message for w in told))
"""


def test_where_no_code_can_be_kept_a_warning_says_so_once(tmp_path: Path) -> None:
    answers = [int(rookery.technique("rays").queen(27, 5))] * 2
    (tmp_path / "file").write_text("no folder")
    printed = python(WARNED, NUMBA_CACHE_DIR=str(tmp_path / "file"))
    assert printed.startswith(f"{answers} 1 compiled code cannot be cached")
    assert "NUMBA_CACHE_DIR" in printed


FULL = """
from pathlib import Path
import errno
def full(self, target):
    raise OSError(errno.ENOSPC, "No space left on device")
Path.replace = full
"""


def test_a_full_disk_costs_a_warning_and_nothing_else(tmp_path: Path) -> None:
    answers = [int(rookery.technique("rays").queen(27, 5))] * 2
    printed = python(FULL + WARNED, NUMBA_CACHE_DIR=str(tmp_path))
    assert printed.startswith(f"{answers} 1 compiled code cannot be cached")
    assert "No space left on device" in printed
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_cache_that_can_only_be_read_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose image was built by another user."""
    kept = Kept(tmp_path, monkeypatch)
    monkeypatch.setattr(Path, "mkdir", lambda *args, **options: pytest.fail("wanted to write"))
    assert kept.load() is not None


def test_what_has_no_file_of_its_own_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    amount = U64(7)

    def add(x: Any, out: Any) -> None:
        out[0] = x[0] + amount

    typed_in: dict[str, Any] = {}
    exec("def add(x, out):\n    out[0] = x[0]", typed_in)
    for function, expected in ((add, 8), (typed_in["add"], 1)):
        out = np.zeros(1, U64)
        Entry(function)(np.ones(1, U64), out)
        assert out[0] == expected
    assert list(tmp_path.rglob("*")) == []


TYPED_IN = """
import sys
import numpy as np
from rookery.kernel import Entry, kernel
sys.path.insert(0, {folder!r})
from loop import over, answer
exec("def twice(x): return x + x")
kernels = answer.register(np.uint64)(twice)
out = np.zeros(2, np.uint64)
over(np.ones(2, np.uint64), out)
print(out.tolist())
"""
LOOP = """
from rookery.kernel import entry, kernel_by_type

@kernel_by_type("x")
def answer(x):
    ...

@entry
def over(x, out):
    for i in range(x.size):
        out[i] = answer(x[i])
"""


def test_a_kernel_without_a_file_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(LOOP)
    os.utime(tmp_path / "loop.py", (1e9, 1e9))
    cache = tmp_path / "cache"
    assert python(TYPED_IN.format(folder=str(tmp_path)), NUMBA_CACHE_DIR=str(cache)) == "[2, 2]"
    assert list(cache.rglob("*.code")) == []


FIRST_USE = """
import sys, threading
import rookery
sys.setswitchinterval(1e-6)
together = threading.Barrier(8)
answers, faults = [], []
def work():
    together.wait()
    try:
        answers.append(({requested}))
    except BaseException as error:
        faults.append(error)
threads = [threading.Thread(target=work) for _ in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print(len(answers), len(set(answers)), answers[0] if answers else None, faults)
"""
ASKED = {
    "board": ("len(rookery.Board().legal_moves)", "20"),
    "texts": ("rookery.Board().fen()[-4:], rookery.Board().san(rookery.Board().parse_uci('g1f3'))", "(' 0 1', 'Nf3')"),
    "technique": ("int(rookery.technique('magic-fancy').rook(0, 0)) >> 48", "257"),
    "default": ("int(rookery.queen_attacks(0, 0)) >> 56", "129"),
    "arrays": ("rookery.Positions.from_boards([rookery.Board()]).legal_move_counts().tolist()[0]", "20"),
    "perft": ("rookery.perft('start', 3)", "8902"),
}


@pytest.mark.parametrize("requested", ["board", "technique"])
def test_first_use_from_eight_threads_cold(requested: str, tmp_path: Path) -> None:
    code, answer = ASKED[requested]
    assert python(FIRST_USE.format(requested=code), NUMBA_CACHE_DIR=str(tmp_path)) == f"8 1 {answer} []"


@pytest.mark.slow
@pytest.mark.parametrize("requested", ["texts", "default", "arrays", "perft"])
def test_first_use_from_eight_threads_cold_of_the_rest(requested: str, tmp_path: Path) -> None:
    test_first_use_from_eight_threads_cold(requested, tmp_path)


@pytest.mark.parametrize("requested", few(ASKED, 2))
def test_first_use_from_eight_threads_warm(requested: str) -> None:
    code, answer = ASKED[requested]
    assert python(FIRST_USE.format(requested=code)) == f"8 1 {answer} []"


def test_what_is_made_once_is_made_once() -> None:
    made: list[int] = []
    together = threading.Barrier(8)

    @once
    def make(n: int) -> object:
        time.sleep(0.01)
        made.append(n)
        return object()

    def ask(_: int) -> object:
        together.wait()
        return make(1)

    with ThreadPoolExecutor(8) as pool:
        results = set(pool.map(ask, range(8)))
    assert (len(results), made) == (1, [1])


def test_a_kernel_that_fails_to_register_is_not_forgotten() -> None:
    def fails() -> Any:
        raise RuntimeError("not now")

    def never(x: Bits) -> Bits:
        return x

    compiling.compile_in_place_of(never, fails)
    try:
        for _ in range(2):
            with pytest.raises(RuntimeError, match="not now"):
                pipeline.register_pending()
    finally:
        del compiling.replacements()[never]


OVERRUN = """
import numpy as np
from rookery.bitboards.leapers import look_up_arrays
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
from rookery.board.board import Board
from rookery.board.kernels.compiled import compiled
code = compiled()
try:
    print(code.legal_moves_to(Board().words(), UNIVERSE, UNIVERSE, np.zeros({size}, np.uint16), code.tables))
except IndexError:
    print("caught")
"""


def test_moves_listed_beyond_their_array_are_caught() -> None:
    """Where lists are written by an instruction that checks nothing, bounds checks bring its twin back."""
    assert python(LISTED_TOO_MUCH.format(size=19), NUMBA_BOUNDSCHECK="1") == "caught"
    assert python(LISTED_TOO_MUCH.format(size=20), NUMBA_BOUNDSCHECK="1") == "20"


def test_code_that_is_not_optimised(tmp_path: Path) -> None:
    """Tables that no code reads are removed where a kernel becomes a part of its wrapper."""
    code = "import rookery; board = rookery.Board(); print(len(board.legal_moves), board.is_valid())"
    assert python(code, NUMBA_OPT="0", NUMBA_CACHE_DIR=str(tmp_path)) == "20 True"


@pytest.mark.slow
def test_every_technique_keeps_inside_its_tables() -> None:
    code = """
import numpy as np, rookery
rng = np.random.default_rng(0)
squares = np.repeat(np.arange(64, dtype=np.uint8), 64)
occupied = rng.integers(0, 1 << 64, len(squares), dtype=np.uint64)
occupied[::64], occupied[1::64] = 0, ~np.uint64(0)
sums = {int(np.bitwise_xor.reduce(t.queen(squares, occupied) * (squares + np.uint64(1)))) for t in rookery.techniques()}
print(len(sums))
"""
    assert python(code, NUMBA_BOUNDSCHECK="1") == "1"


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


def test_watching_counts_each_outermost_compilation_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    fresh = Entry(double_all.function)
    begun, ended = [], []
    with watch_compilation(lambda: begun.append(1), lambda: ended.append(1)):
        for _ in range(2):
            fresh(np.zeros(1, U64), np.zeros(1, U64))
    assert (len(begun), len(ended)) == (1, 1)
    assert U64(0) == 0
