"""Elements of arrays in compiled code, compared with NumPy's."""

from typing import Any

import numpy as np
import pytest

from rookery.kernel import U64, entry, kernel, signed

_TYPES = ("u1", "i2", "u4", "i8", "u8", "f4", "f8")


@kernel
def moved(row: Any, column: Any, x: Any, out: Any) -> None:
    """Copy an element."""
    out[row, column] = x[row, column]


@entry
def copy(x: Any, out: Any, line: Any, out_line: Any) -> None:
    for i in range(U64(x.shape[0])):
        for j in range(U64(x.shape[1])):
            moved(U64(i), U64(j), x, out)
    for i in range(U64(line.size)):
        out_line[U64(i)] = line[U64(i)]


@entry
@signed
def from_the_end(line: Any, out: Any) -> None:
    for i in range(1, line.size + 1):
        out[-i] = line[-i]


def _numbers(kind: str, shape: tuple[int, ...]) -> Any:
    return np.random.default_rng(3).integers(0, 120, shape).astype(kind)


@pytest.mark.parametrize("kind", _TYPES)
def test_elements_are_copied_where_numpy_has_them(kind: str) -> None:
    x, line = _numbers(kind, (5, 7)), _numbers(kind, (11,))
    out, out_line = np.zeros_like(x), np.zeros_like(line)
    copy(x, out, line, out_line)
    assert out.tolist() == x.tolist()
    assert out_line.tolist() == line.tolist()


def test_elements_of_arrays_with_gaps_or_in_another_order() -> None:
    wide, line = _numbers("u8", (10, 21)), _numbers("u8", (30,))
    for x in (wide[::2, ::3], wide.T, wide[::-1]):
        out, out_line = np.zeros(x.shape, U64), np.zeros(10, U64)
        copy(x, out, line[::3], out_line)
        assert out.tolist() == x.tolist()
        assert out_line.tolist() == line[::3].tolist()


def test_signed_indices_count_from_the_end() -> None:
    line, out = _numbers("u8", (9,)), np.zeros(9, U64)
    from_the_end(line, out)
    assert out.tolist() == line.tolist()
