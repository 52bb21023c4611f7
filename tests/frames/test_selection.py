"""Selections of rows: masks, indices and single rows, at the ends of a table and beyond."""

from typing import Any

import numpy as np
import pytest

from rookery import Board, Positions
from rookery.frames.selection import indices_of, row_of, rows_of


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ([0, 2, -1, -3], [0, 2, 2, 0]),
        ([], []),
        ((1, 1), [1, 1]),
        (np.array([2, 0], np.uint8), [2, 0]),
        (np.array([-3], np.int8), [0]),
        (np.zeros(0, np.int16), []),
        ([True, False, True], [0, 2]),
        (np.zeros(3, bool), []),
        (np.ma.MaskedArray([True, True, False], [False, True, True]), [0]),
    ],
)
def test_rows(index: Any, expected: list[int]) -> None:
    rows = rows_of("index", index, 3, "rows")
    assert rows.dtype == np.int64
    assert rows.tolist() == expected


@pytest.mark.parametrize(
    ("index", "text"),
    [
        ([0, 3], "index[1]: 3 is outside the 3 rows"),
        ([-3, 2, -4, 9], "index[2]: -4 is outside the 3 rows"),
        (np.array([2**64 - 1], np.uint64), "index[0]: 18446744073709551615 is outside the 3 rows"),
        ([True, False], "index: a mask of 2 values for 3 rows"),
        ([True] * 4, "index: a mask of 4 values for 3 rows"),
    ],
)
def test_rows_outside_a_table(index: Any, text: str) -> None:
    with pytest.raises(IndexError) as raised:
        rows_of("index", index, 3, "rows")
    assert str(raised.value) == text


@pytest.mark.parametrize(
    ("index", "text"),
    [
        ([[0, 1]], "[[0, 1]]"),
        (1, "1"),
        ([0.5], "[0.5]"),
        (np.zeros(2), "array([0., 0.])"),
        (np.zeros(0, np.float32), "array([], dtype=float32)"),
        (["a"], "['a']"),
        ([[1], [2, 3]], "[[1], [2, 3]]"),
        (Positions.from_boards([Board()]), "<1 position>"),
    ],
)
def test_objects_that_select_no_rows(index: Any, text: str) -> None:
    with pytest.raises(TypeError) as raised:
        rows_of("index", index, 3, "rows")
    assert str(raised.value) == f"index: {text}: expected an int, a slice, a boolean mask or a list of ints"
    with pytest.raises(TypeError, match=r"expected a name, a boolean mask or a list of ints$"):
        rows_of("index", index, 3, "rows", "a name")


def test_indices_whose_range_is_not_checked() -> None:
    assert indices_of("index", [7, -9], 3, "rows").tolist() == [7, -9]
    assert indices_of("index", [False, True, True], 3, "rows").tolist() == [1, 2]
    assert indices_of("index", [], 3, "rows").dtype == np.int64


@pytest.mark.parametrize(("index", "expected"), [(0, 0), (2, 2), (-1, 2), (-3, 0), (np.int8(-2), 1)])
def test_one_row(index: Any, expected: int) -> None:
    row = row_of("i", index, 3, "rows")
    assert type(row) is int
    assert row == expected


@pytest.mark.parametrize("index", [3, -4, 2**80])
def test_one_row_outside_a_table(index: int) -> None:
    with pytest.raises(IndexError, match=f"^i: {index} is outside the 3 rows$"):
        row_of("i", index, 3, "rows")


@pytest.mark.parametrize("index", [1.0, "1", True, None, [1]])
def test_one_row_that_is_not_an_int(index: Any) -> None:
    with pytest.raises(TypeError, match=r"^i: .*: expected an int$"):
        row_of("i", index, 3, "rows")
