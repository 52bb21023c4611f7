"""Parts of positions for threads: where they are cut, what each gets, and that errors and aborts come through."""

import itertools
import threading
from typing import Any

import numpy as np
import pytest

from rookery import Positions
from rookery.positions.layout import Columns, empty_columns, empty_rows, gathered
from rookery.positions.threads import each_in_threads, part_of, spans
from small_positions import SMALL


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 1023, 1024, 2047, 2048, 2049, 10_000, 100_003])
def test_parts_follow_each_other_and_begin_at_multiples_of_eight(n: int) -> None:
    for threads, least, most in itertools.product((1, 2, 3, 8), (1, 8, 1024), (None, 64, 5000)):
        parts = spans(n, threads, least=least, most=most)
        assert (parts[0][0], parts[-1][1]) == (0, n)
        assert [start for start, _ in parts[1:]] == [stop for _, stop in parts[:-1]]
        assert all(start % 8 == 0 for start, _ in parts)
        needed = 1 if most is None else -(-n // most)
        assert len(parts) == max(1, needed, min(threads, n // least) if threads > 1 or most else 1)


@pytest.mark.parametrize(("n", "number"), [(2047, 1), (2048, 2), (3071, 2), (3072, 3), (4096, 4), (8192, 4)])
def test_each_thread_gets_at_least_1024_positions(n: int, number: int) -> None:
    assert len(spans(n, 4)) == number


def test_results_come_in_the_order_of_the_parts() -> None:
    for threads in (1, 2, 4):
        assert list(each_in_threads(lambda part: part * part, range(9), threads)) == [n * n for n in range(9)]
    assert list(each_in_threads(lambda part: threading.get_ident(), [1], 4)) == [threading.get_ident()]
    assert list(each_in_threads(lambda part: threading.get_ident(), [1, 2], 1)) == [threading.get_ident()] * 2
    assert threading.get_ident() not in each_in_threads(lambda part: threading.get_ident(), [1, 2], 2)


def test_an_error_in_a_thread_aborts_the_others() -> None:
    aborted: list[bool] = []

    def work(part: int) -> int:
        if part == 1:
            raise RuntimeError("broken")
        return part

    found = each_in_threads(work, [0, 1, 2], 2, lambda: aborted.append(True))
    assert next(found) == 0
    with pytest.raises(RuntimeError, match="broken"):
        next(found)
    assert aborted == [True]


def test_arrays_of_positions_are_cut_and_other_operands_are_whole() -> None:
    columns = Positions.from_fens(SMALL).columns
    n = len(SMALL)
    cut = part_of(columns, 2, 5, n)
    assert isinstance(cut, Columns)
    assert [column.tolist() for column in cut] == [column[2:5].tolist() for column in columns]
    values = np.arange(n)
    assert part_of(values, 2, 5, n).tolist() == [2, 3, 4]
    for whole in (np.arange(n + 1), np.array(7), 7, "text", np.zeros((3, n))):
        assert part_of(whole, 2, 5, n) is whole


@pytest.mark.parametrize(("n", "stride"), [(0, 8), (1, 72), (63, 72), (64, 72), (65, 136), (512, 520), (1024, 1032)])
def test_columns_are_eight_words_more_than_a_multiple_of_64_apart(n: int, stride: int) -> None:
    rows = empty_rows(3, n)
    assert (rows.shape, rows.dtype) == ((3, stride), np.dtype(np.uint64))
    columns = empty_columns(n)
    assert [column.size for column in columns] == [n] * 9
    assert columns.size == n


@pytest.mark.parametrize("index", [[], [0], [19, 0, 19, 3], list(range(20))])
def test_positions_at_indices_are_gathered(index: list[int]) -> None:
    columns = Positions.from_fens(SMALL).columns
    chosen = np.array(index, np.intp)
    for found in (gathered(columns, chosen), columns.chosen(chosen)):
        assert [column.tolist() for column in found] == [column[chosen].tolist() for column in columns]


def test_no_position_is_at_an_index_of_none() -> None:
    empty = empty_columns(0)
    assert gathered(empty, np.array([], np.intp)).size == 0
    with pytest.raises(IndexError, match=r"^index: 3 is outside the 0 positions$"):
        gathered(empty, np.array([3]))


@pytest.mark.parametrize(("start", "stop"), [(0, 0), (0, 20), (3, 7), (15, 99)])
def test_a_slice_of_columns_is_a_view(start: int, stop: int) -> None:
    columns = Positions.from_fens(SMALL).columns
    part: Any = columns.cut(start, stop)
    assert part.size == len(SMALL[start:stop])
    assert all(a.base is b.base for a, b in zip(part, columns, strict=True))
    joined = Columns.joined([columns.cut(0, start), part, columns.cut(min(stop, 20), 20)])
    assert [column.tolist() for column in joined] == [column.tolist() for column in columns]
