"""Shifts of bitboards and of sets by any number of squares, of any class."""

import operator
from typing import Any

import chess
import numpy as np
import pytest

from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.square_set import SquareSet

UNIVERSE = (1 << 64) - 1


def check_word(result: Any, expected: int) -> None:
    assert type(result) is Bitboard
    assert result == expected % 2**64


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 130])
@pytest.mark.parametrize("kind", [int, np.uint8, Bitboard])
def test_a_shift_by_64_squares_or_more_leaves_none(kind: type, n: int) -> None:
    check_word(Bitboard(UNIVERSE) << kind(n), UNIVERSE << n)
    check_word(Bitboard(UNIVERSE) >> kind(n), UNIVERSE >> n)
    check_word(UNIVERSE << Bitboard(n), UNIVERSE << n)
    check_word((UNIVERSE << 70) >> Bitboard(n), UNIVERSE << 70 >> min(n, 64))
    check_word(-1 >> Bitboard(n), -1)


@pytest.mark.parametrize("operate", [operator.lshift, operator.rshift])
def test_no_shift_is_by_a_negative_number(operate: Any) -> None:
    for n in (-1, np.int8(-1), -(2**70)):
        with pytest.raises(ValueError, match=rf"^shift: {n}: expected a number of squares, an int of at least 0$"):
            operate(Bitboard(1), n)


@pytest.mark.parametrize("kind", [int, np.uint8, Bitboard])
@pytest.mark.parametrize("shift", [0, 1, 63, 64, 65, 200])
def test_shifts_of_a_set(kind: type, shift: int) -> None:
    for board in (1, 1 << 63, (1 << 64) - 1):
        up, down = SquareSet(board), SquareSet(board)
        up <<= kind(shift)
        down >>= kind(shift)
        assert SquareSet(board) << kind(shift) == up == board << shift & chess.BB_ALL
        assert SquareSet(board) >> kind(shift) == down == board >> shift
        assert type(up._board) is type(down._board) is int


def test_shifts_are_by_a_number_of_squares() -> None:
    for shift in (operator.lshift, operator.rshift, operator.ilshift, operator.irshift):
        with pytest.raises(ValueError, match=r"^shift: -1: expected a number of squares, an int of at least 0$"):
            shift(SquareSet(1), -1)
        with pytest.raises(ValueError, match=r"^shift: -1: expected a number of squares, an int of at least 0$"):
            shift(SquareSet(1), np.int8(-1))
        for wrong in (True, 1.0, "1", None):
            with pytest.raises(
                TypeError, match=rf"^shift: {wrong!r}: expected a number of squares, an int of at least 0$"
            ):
                shift(SquareSet(1), wrong)
