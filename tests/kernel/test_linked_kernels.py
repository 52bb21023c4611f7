"""Every kernel that is called is linked, whatever the order of the calls and whichever of them cannot be reached."""

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import numba
import pytest

import rookery
from rookery.kernel import U64, UNIVERSE, Word, called_kernel, entry, kernel
from rookery.kernel.compiler.plain.pipeline import register_pending

# Without a process of its own, a call of a missing kernel would end the tests.
PROGRAM: Final = """
import numpy as np
from rookery.kernel import cold_kernel, entry, kernel

@{decorator}
def g(a, b):
    return a * b + 1

@kernel
def live(a, b):
    return g(a, b)

@kernel
def dead(a, b):
    return g(a, b) if a > 0xFFFFFFFFFFFFFFFF else a

@entry
def total(a, b, out):
    for i in range(a.size):
        out[i] = {total}

a = np.array([1, 5], np.uint64)
out = np.zeros(2, np.uint64)
total(a, a, out)
print(out.tolist())
"""


LIVE_FIRST: Final = "live(a[i], b[i]) + dead(a[i], b[i])"
DEAD_FIRST: Final = "dead(a[i], b[i]) + live(a[i], b[i])"


@pytest.mark.parametrize(
    ("decorator", "total"), [("kernel", LIVE_FIRST), ("kernel", DEAD_FIRST), ("cold_kernel", LIVE_FIRST)]
)
def test_a_kernel_that_only_dead_code_has_called_so_far_is_linked(decorator: str, total: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM.format(decorator=decorator, total=total), encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(Path(rookery.__file__).parents[1]), "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, file], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[3, 31]\n", "")


@kernel
def shared(a: Word, b: Word) -> Word:
    return a * b + 1


@kernel
def dead(a: Word, b: Word) -> Word:
    return shared(a, b) if a > UNIVERSE else a


@kernel
def live(a: Word, b: Word) -> Word:
    return shared(a, b)


@called_kernel
def deeper(a: Word, b: Word) -> Word:
    return dead(a, b) ^ live(b, a)


@kernel
def powers(a: Word, b: Word) -> Word:
    """A call of a function of Numba's own, which has a module, too."""
    return a**b


@kernel
def dead_powers(a: Word, b: Word) -> Word:
    return powers(a, b) if a > UNIVERSE else a


def _expected(a: int, b: int) -> dict[Any, int]:
    return {dead: a, live: a * b + 1, deeper: a ^ (a * b + 1), powers: a**b, dead_powers: a}


@pytest.mark.parametrize("order", [*itertools.permutations([dead, live, deeper])])
def test_numbas_own_functions_link_kernels_in_any_order(order: tuple[Any, ...]) -> None:
    register_pending()
    first, second, third = order

    @numba.njit  # type: ignore[untyped-decorator]
    def called(a: Any, b: Any) -> Any:
        return first(a, b) + 3 * second(a, b) + 5 * third(a, b)

    expected = [_expected(3, 4)[step] for step in order]
    assert called(U64(3), U64(4)) == expected[0] + 3 * expected[1] + 5 * expected[2]


@entry
def dead_then_live(a: Any, b: Any) -> Any:
    return dead_powers(a, b) + 3 * powers(a, b)


@entry
def live_then_dead(a: Any, b: Any) -> Any:
    return powers(a, b) + 3 * dead_powers(a, b)


def test_numbas_own_functions_are_linked_in_any_order() -> None:
    assert dead_then_live(U64(3), U64(4)) == 3 + 3 * 81
    assert live_then_dead(U64(3), U64(4)) == 81 + 3 * 3
