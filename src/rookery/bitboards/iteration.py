"""Iteration over the squares and the subsets of a board, without NumPy. `rookery.bits` has these functions, too."""

from collections.abc import Iterator
from typing import Final

from rookery.arguments import UNIVERSE, board_number

ONE_SQUARE: Final = tuple(1 << square for square in range(64))  # the board of each square


def serialize(x: int) -> Iterator[int]:
    """Yield the squares of `x` in ascending order.

    >>> list(serialize(0b101001))
    [0, 3, 5]
    """
    return squares_of(board_number("x", x))


def squares_of(x: int) -> Iterator[int]:
    """Yield the squares of a board, in ascending order.

    >>> list(squares_of(0b101))
    [0, 2]
    """
    if type(x) is not int or not 0 <= x <= UNIVERSE:
        x = board_number("x", x)
    return _squares_of(x)


def _squares_of(x: int) -> Iterator[int]:
    while x:
        lowest = x & -x
        yield lowest.bit_length() - 1
        x ^= lowest


def squares_from_highest(x: int) -> Iterator[int]:
    """Yield the squares of a board, in descending order.

    >>> list(squares_from_highest(0b101))
    [2, 0]
    """
    if type(x) is not int or not 0 <= x <= UNIVERSE:
        x = board_number("x", x)
    return _squares_from_highest(x)


def _squares_from_highest(x: int) -> Iterator[int]:
    while x:
        square = x.bit_length() - 1
        yield square
        x ^= ONE_SQUARE[square]


def subsets(mask: int) -> Iterator[int]:
    """Yield all subsets of `mask`, from the empty one to `mask` itself.

    Each follows from the one before by ``(n - mask) & mask``, the carry rippler (Marcel van Kervinck, 1994).

    >>> list(subsets(0b101))
    [0, 1, 4, 5]
    """
    return _subsets_of(board_number("mask", mask))


def _subsets_of(mask: int) -> Iterator[int]:
    n = 0
    while True:
        yield n
        n = (n - mask) & mask
        if n == 0:
            return
