"""Depths, sizes of tables and roots of counts: which are taken, and what the errors of others say."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from rookery.board.board import Board
from rookery.counting.perft import check_megabytes
from rookery.counting.walk import as_board, check_depth, divide, statistics
from small_positions import SMALL


@pytest.mark.parametrize("depth", [0, 1, 64, np.int64(7), np.uint8(9)])
def test_depths_are_ints_from_0_to_64(depth: int) -> None:
    assert check_depth(depth) == depth
    assert type(check_depth(depth)) is int


@pytest.mark.parametrize(
    ("depth", "error", "message"),
    [
        (-1, ValueError, "depth: -1: expected 0 to 64"),
        (65, ValueError, "depth: 65: expected 0 to 64"),
        (True, TypeError, "depth: True: expected an int from 0 to 64"),
        (2.0, TypeError, "depth: 2.0: expected an int from 0 to 64"),
        ("3", TypeError, "depth: '3': expected an int from 0 to 64"),
    ],
)
def test_other_depths_are_refused(depth: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}$"):
        check_depth(depth)


@pytest.mark.parametrize("megabytes", [0, 1, 1 << 20])
def test_a_table_may_have_up_to_a_terabyte(megabytes: int) -> None:
    assert check_megabytes(megabytes) == megabytes


@pytest.mark.parametrize("megabytes", [-1, (1 << 20) + 1, True, 1.0, "1", None])
def test_other_sizes_of_tables_are_refused(megabytes: Any) -> None:
    with pytest.raises(ValueError, match=rf"^hash_mb: {megabytes!r}: expected an int from 0 to 1048576$"):
        check_megabytes(megabytes)


def test_the_root_is_a_board_a_fen_or_a_name() -> None:
    board = Board(SMALL[0])
    assert as_board(board) is board
    assert as_board(SMALL[0]) == board
    assert as_board("start") == Board()
    with pytest.raises(ValueError, match=r"^position: 'begin': expected a FEN or one of start, kiwipete, position3, "):
        as_board("begin")
    with pytest.raises(TypeError, match=r"^board: 7: expected a rookery.Board, a FEN or one of start, kiwipete, "):
        as_board(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [divide, statistics])
def test_moves_are_divided_and_classified_from_depth_1_on(count: Callable[[Board, int], Iterator[Any]]) -> None:
    assert len(list(count(Board(SMALL[0]), 1))) >= 1
    with pytest.raises(ValueError, match=r"^depth: 0: expected at least 1 "):
        next(count(Board(SMALL[0]), 0))
