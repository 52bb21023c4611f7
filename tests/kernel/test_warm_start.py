"""Machine code loaded from the cache: without Numba, before it, and after it."""

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import rookery
from rookery.kernel import U64, Entry, entry, making
from rookery.kernel.codecache.type_keys import Unkeyed, key_of, text_of
from rookery.kernel.native import units
from thinning import few, slow_but


def python(code: str, **environment: str) -> str:
    """Run code in a fresh interpreter; its standard output."""
    source = str(Path(rookery.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": source, **environment}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


ASKED = {
    "board": ("len(list(rookery.Board().legal_moves))", "20"),
    "perft": ("rookery.perft('start', 3)", "8902"),
    "counts": ("rookery.Positions.from_fens([rookery.STARTING_FEN]).legal_move_counts().tolist()", "[20]"),
    "moves": ("rookery.Positions.from_fens([rookery.STARTING_FEN]).legal_moves()[0].size", "20"),
    "queens": ("int(rookery.queen_attacks(np.zeros(1, int), np.zeros(1, np.uint64))[0]) >> 56", "129"),
}


@pytest.mark.parametrize("requested", few(ASKED, 2))
def test_with_a_full_cache_the_first_answer_needs_no_numba(requested: str) -> None:
    code, answer = ASKED[requested]
    program = f"import sys, numpy as np, rookery; print({code}, 'numba' in sys.modules)"
    python(program)
    assert python(program) == f"{answer} False"


BOTH = """
import sys, numpy as np
{first}
import rookery
from rookery.kernel import Entry

def squared(x, out):
    for i in range(x.size):
        out[i] = x[i] * x[i]

def loaded():
    return int(rookery.technique("hyperbola").queen(27, 5)), len(rookery.Board().legal_moves)

def compiled():
    out = np.zeros(3, np.uint64)
    Entry(squared)(np.arange(3, dtype=np.uint64), out)
    return out.tolist()

print(*[ask() for ask in ({order})])
"""


@pytest.mark.parametrize(
    ("first", "order"),
    slow_but(
        itertools.product(
            ("", "import numba", "import numba; numba.njit(lambda x: np.empty(x).sum())(3)"),
            ("loaded, compiled, loaded", "compiled, loaded, compiled"),
        ),
        ("", "compiled, loaded, compiled"),
        ("import numba; numba.njit(lambda x: np.empty(x).sum())(3)", "loaded, compiled, loaded"),
    ),
)
def test_numba_may_be_imported_before_or_after(order: str, first: str) -> None:
    answers = {
        "loaded": str((int(rookery.technique("hyperbola").queen(27, 5)), len(rookery.Board().legal_moves))),
        "compiled": "[0, 1, 4]",
    }
    expected = " ".join(answers[name] for name in order.split(", "))
    assert python(BOTH.format(first=first, order=order)) == expected


class Pair(NamedTuple):
    a: Any
    b: Any


class Other(NamedTuple):
    a: Any
    b: Any


READ_ONLY = np.zeros(2, U64)
READ_ONLY.flags.writeable = False
VALUES: dict[str, list[Any]] = {
    "int": [1, 0, -5, 2**62],
    "uint64": [U64(1), 2**63],
    "bool": [True, np.True_],
    "none": [None],
    "float": [1.0, np.float64(2)],
    "small": [np.uint8(1), np.uint8(7)],
    "words": [np.zeros(2, U64), np.zeros(0, U64), np.zeros(8, U64)[::1]],
    "strided": [np.zeros(8, U64)[::2]],
    "read-only": [READ_ONLY],
    "unaligned": [np.zeros(17, np.uint8)[1:].view(U64)],
    "rows": [np.zeros((2, 3), U64), np.zeros((4, 5), U64)],
    "columns": [np.zeros((2, 3), U64, order="F"), np.zeros((3, 2), U64).T],
    "flags": [np.zeros(2, bool)],
    "signed": [np.zeros(2, np.int64)],
    "pair": [(1, 2), (3, 4)],
    "pair of words": [(U64(1), U64(2))],
    "named": [Pair(1, 2)],
    "named of others": [Pair(U64(1), 2)],
    "other": [Other(1, 2)],
    "nested": [Pair(Other(1, 2), np.zeros(1))],
    "square": [rookery.Bitboard(5), 5],
}


def test_types_are_distinguished_as_numba_does() -> None:
    import numba

    flat = [value for values in VALUES.values() for value in values]
    for one in flat:
        for other in flat:
            same = numba.typeof(one) == numba.typeof(other)
            assert (text_of(one) == text_of(other)) == same, (one, other)
            if key_of(one) == key_of(other):
                assert same, (one, other)


def test_what_only_numba_knows_is_left_to_it() -> None:
    class Local(NamedTuple):
        a: int

    for value in ("text", [1], np.zeros(1, "S3"), Local(1)):
        with pytest.raises(Unkeyed):
            text_of(value)


@entry
def add_up(x: Any, out: Any) -> None:
    for i in range(x.size):
        out[0] += x[i]


def test_records_with_texts_are_compiled_but_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    records = np.zeros(2, np.dtype([("x", U64), ("name", "S3")]))
    records["x"] = 3, 4

    def add(x: Any, out: Any) -> None:
        out[0] = x[0].x + x[1].x

    out = np.zeros(1, U64)
    Entry(add)(records, out)
    assert out[0] == 7
    assert list(tmp_path.rglob("*")) == []


def test_records_of_numbers_have_keys_of_their_fields() -> None:
    one, other = np.zeros(2, np.dtype([("x", U64)])), np.zeros(2, np.dtype([("x", np.int64)]))
    named = np.zeros(2, np.dtype([("y", U64)]))
    assert len({text_of(one), text_of(other), text_of(named)}) == 3
    assert len({key_of(one), key_of(other), key_of(named)}) == 3
    assert text_of(one.view(np.recarray)) == text_of(one)


TARGET = """
from rookery.kernel.settings import target
before = target()
from numba.core.registry import cpu_target
print(before == cpu_target.target_context.codegen().magic_tuple())
"""


@pytest.mark.parametrize(
    "environment",
    [{}, {"NUMBA_CPU_NAME": "generic"}, {"NUMBA_CPU_FEATURES": "+avx2"}],
    ids=str,
)
def test_the_target_is_that_of_numba(environment: dict[str, str]) -> None:
    assert python(TARGET, **environment) == "True"


def test_a_unit_that_needs_what_is_not_there_is_refused() -> None:
    out = np.zeros(1, U64)
    words = np.arange(4, dtype=U64)
    unit, _ = making.unit_for(add_up, text_of((words, out)), (words, out))
    making._function_of(add_up, units.load(unit), (words, out))(words, out)
    assert out[0] == 6
    with pytest.raises(ImportError, match="no_such_helper"):
        units.load(unit._replace(external=("no_such_helper",)))
    with pytest.raises(ImportError, match="no nobody"):
        units.load(unit._replace(symbol="nobody"))


UNKNOWN = """
import rookery
from rookery.kernel import watch_compilation
from rookery.kernel.native import units
import rookery.kernel.making

def fail(unit):
    raise AttributeError("llvmlite has no such function")

units.load = fail
compiled = []
with watch_compilation(lambda: compiled.append(1)):
    print(int(rookery.technique("hyperbola").queen(27, 5)), len(compiled))
"""


def test_machine_code_that_cannot_be_loaded_costs_a_compilation() -> None:
    answer = int(rookery.technique("hyperbola").queen(27, 5))
    assert python(UNKNOWN) == f"{answer} 1"


FOUND = """
import sys
from rookery.kernel.settings import has_compiler
print(has_compiler(), "numba" in sys.modules)
"""


def test_numba_is_found_without_importing_it() -> None:
    assert python(FOUND) == "True False"
