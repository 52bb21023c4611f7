"""With ``NUMBA_BOUNDSCHECK=1``, compiled code raises an IndexError for each index that is out of bounds."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import public_calls
import rookery
from public_calls import CALLS
from rookery.kernel.compiling import instruction_of
from rookery.kernel.instructions import arrays, nibbles, texts

pytestmark = pytest.mark.compiler

# Statements of an entry of `words` (8), `bytes` (64), `halves` (64), `square` (4 rows of 2 words) and an index `i`.
# Each has the smallest index that is out of bounds, or that makes a shape that is.
STATEMENTS: Final = {
    "words[0] = words[i]": 8,
    "words[i] = 1": 8,
    "words[i] += 1": 8,
    "words[np.int64(7) - np.int64(i)] = 1": 16,
    "words[0] = square[i, 0]": 4,
    "words[0] = square[0, i]": 2,
    "square[i, 1] = 1": 4,
    "words[0] = square[i][0]": 4,
    "words[0] = square[0][i]": 2,
    "words[0] = words[2:5][i]": 3,
    "words[0] = words[i:][0]": 8,
    "square[i][:] = 0": 4,
    "words[0] = TUPLE[i]": 3,
    "words[0] = (words[0], i, words[1])[i]": 3,
    "words[0] = TABLE[i]": 5,
    "words[0] = inlined(words, i)": 8,
    "words[0] = called(words, i)": 8,
    "words[0] = twice(words, i)": 8,
    "words[0] = pair(words, i)[1]": 8,
    "words[0] = words.reshape((2, len(bytes[: np.int64(i)])))[0, 0]": 5,
    "words[0] = bytes[: 64 - np.int64(i)].view(np.uint64)[0]": 1,
    "words[0] = word_at(bytes, i)": 57,
    "write_word(bytes, i, 0)": 57,
    "words[0] = where_byte(bytes, i, 3)": 1,
    "words[0] = copy_64(bytes, i, halves.view(np.uint8), 0)": 1,
    "words[0] = copy_64(halves.view(np.uint8), 0, bytes, i)": 1,
    "write_squares(halves, i, 3, 1, 0)": 63,
    "write_squares_over(halves, i, 3, 1, 0)": 63,
    "write_eight(words, i, 3)": 1,
    "words[0] = shared_load(words, i)": 8,
    "shared_store(words, i, 1)": 8,
    "union_of_windows(words, many, starts, 1, i)": 88 * 64,
    "xor_by_nibbles(many, many, planes, rows[np.int64(i) :])": 1,
}
MODULE: Final = """
import numpy as np
from rookery.kernel import called_kernel, entry, kernel
from rookery.kernel.instructions.arrays import *
from rookery.kernel.instructions.nibbles import *
from rookery.kernel.instructions.texts import *

TUPLE = (3, 1, 2)
TABLE = np.arange(5, dtype=np.uint64)

@kernel
def inlined(words, i):
    return words[i]

@called_kernel
def called(words, i):
    return words[i]

@kernel
def twice(words, i):
    return called(words, 0) + called(words, i)

@kernel
def pair(words, i):
    return i, words[i]
"""
ENTRY: Final = """
@entry
def run{number}(words, bytes, halves, square, many, rows, starts, planes, i):
    {statement}
"""
RUN: Final = """
import sys
import numpy as np
import written
from rookery.kernel.compiler.unit import Unit

def uncaught(number, index):
    arguments = [np.zeros(size, kind) for size, kind in ((8, "u8"), (64, "u1"), (64, "u2"))]
    arguments += [np.zeros((4, 2), "u8"), np.zeros(96, "u8"), np.zeros(32, "u8")]
    arguments += [np.zeros(1, "u8"), np.zeros(768, "u1")]
    run = getattr(written, f"run{number}")
    Unit(run.function, (*arguments, np.uint64(index)), False)  # our compiler takes it, so Numba does not
    try:
        run(*arguments, np.uint64(index))
    except IndexError:
        return False
    return True

for number, first in enumerate(map(int, sys.argv[1:])):
    print(int(uncaught(number, first - 1)), int(uncaught(number, first)))
"""


def python(folder: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process that checks bounds, with a compile cache of its own."""
    path = [str(Path(rookery.__file__).parents[1]), str(Path(public_calls.__file__).parent), str(folder)]
    settings = {"NUMBA_CACHE_DIR": str(folder), "NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0"}
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path), **settings}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_every_way_to_use_an_index_is_checked(tmp_path: Path) -> None:
    entries = [ENTRY.format(number=number, statement=statement) for number, statement in enumerate(STATEMENTS)]
    (tmp_path / "written.py").write_text("\n".join([MODULE, *entries]), encoding="utf-8")
    done = python(tmp_path, RUN, *map(str, STATEMENTS.values()))
    assert done.returncode == 0, done.stderr
    answers = dict(zip(STATEMENTS, done.stdout.splitlines(), strict=True))
    assert {statement: line for statement, line in answers.items() if line != "1 0"} == {}


def test_every_instruction_on_arrays_is_among_them() -> None:
    found = {
        name
        for module in (arrays, nibbles, texts)
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__ and instruction_of(value) is not None
    }
    assert found == {name for name in found if any(f"{name}(" in statement for statement in STATEMENTS)}
    assert len(found) == 11


@pytest.mark.slow
def test_nothing_of_the_library_is_out_of_bounds(tmp_path: Path) -> None:
    techniques = [t.name for t in rookery.techniques()]
    arguments = ("plain", str(tmp_path), *map(json.dumps, ((0, 1, 65), [*CALLS], techniques)))
    done = python(tmp_path, "import sys, sized_calls\nsized_calls.main(*sys.argv[1:])", *arguments)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1].startswith("65: ")
