"""What the tests of functions on bits share: boards to try, plain definitions, and how the two are compared.

A definition loops over squares, on Python ints. Every function is tried on ints, on NumPy words and arrays, and in
compiled code.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import chess
import numpy as np
import pytest

from rookery.kernel import U64

Kernel: TypeAlias = Callable[..., Any]
Definition: TypeAlias = Callable[[int], int]

Jump: TypeAlias = tuple[int, int]  # ranks up, files to the right

UNIVERSE = (1 << 64) - 1
COMPASS: dict[str, Jump] = {
    "north": (1, 0),
    "northeast": (1, 1),
    "east": (0, 1),
    "southeast": (-1, 1),
    "south": (-1, 0),
    "southwest": (-1, -1),
    "west": (0, -1),
    "northwest": (1, -1),
}
SINGLES = [1 << square for square in range(64)]


def random_boards(count: int, seed: int) -> list[int]:
    """Boards from nearly empty to nearly full: of the ANDs and ORs of one to three random words."""
    words = random.Random(seed)
    boards = []
    for i in range(count):
        a, b, c = (words.getrandbits(64) for _ in range(3))
        boards.append((a, a & b, a & b & c, a | b, a | b | c)[i % 5])
    return boards


BOARDS = [*SINGLES, 0, UNIVERSE, *random_boards(300, seed=2008)]


# Definitions.


def squares_of(x: int) -> list[int]:
    return [s for s in range(64) if x >> s & 1]


def board_of(squares: Iterable[int]) -> int:
    return sum(1 << s for s in set(squares))


def lowest(x: int) -> int:
    return min(squares_of(x), default=64)


def highest(x: int) -> int:
    return max(squares_of(x), default=-1)


def moved(place: Callable[[int, int], tuple[int, int]]) -> Definition:
    """The definition of a turn of the board: where it puts (rank, file)."""

    def definition(x: int) -> int:
        places = [place(*divmod(s, 8)) for s in squares_of(x)]
        return board_of(8 * rank + file for rank, file in places)

    return definition


# Definitions of queries, on boards of python-chess.


def mobility(board: chess.Board, colour: chess.Color, *kinds: chess.PieceType) -> int:
    """The squares that each piece attacks and its side does not occupy: a square counts for each piece."""
    own = board.occupied_co[colour]
    return sum(len(board.attacks(s) - own) for kind in kinds for s in board.pieces(kind, colour))


def holes(board: chess.Board, colour: chess.Color) -> int:
    """The third and fourth rank but for own pawns and what they attack, now or after steps straight ahead."""
    pawns = board.pieces(chess.PAWN, colour)
    defended = {
        (file + aside, rank)
        for file, start in ((chess.square_file(s), chess.square_rank(s)) for s in pawns)
        for rank in (range(start + 1, 8) if colour else range(start))
        for aside in (-1, 1)
    }
    ranks = (2, 3) if colour else (5, 4)
    return board_of(
        8 * rank + file
        for rank in ranks
        for file in range(8)
        if 8 * rank + file not in pawns and (file, rank) not in defended
    )


# Comparisons.


def named(kernels: Iterable[Kernel]) -> list[Any]:
    return [pytest.param(k, id=k.__name__) for k in kernels]


def check(kernel_: Kernel, definition: Definition, values: list[int]) -> None:
    """Ints give ints; arrays give arrays of words, of any shape."""
    expected = [definition(x) for x in values]
    answers = [kernel_(x) for x in values]
    assert answers == expected
    assert {type(answer) for answer in answers} == {int}
    array = np.array(values, U64)
    result = kernel_(array)
    assert result.dtype == U64
    assert result.tolist() == expected
    assert array.tolist() == values, "the argument was written to"
    assert kernel_(array[: len(values) // 2 * 2].reshape(2, -1)).ravel().tolist() == expected[: len(values) // 2 * 2]


def check_numpy_words(kernel_: Kernel, definition: Definition) -> None:
    """NumPy's words give words."""
    for x in (*BOARDS[:64:9], 0, UNIVERSE, BOARDS[-1]):
        result = kernel_(U64(x))
        assert isinstance(result, np.integer)
        assert result.dtype == U64
        assert result == definition(x)


def rows_of(compiled: Any, count: int, values: list[int]) -> list[list[int]]:
    x = np.array(values, U64)
    out = np.full((count, x.size), 0xDEAD, U64)
    compiled(x, out)
    rows: list[list[int]] = out.tolist()
    return rows


def check_compiled(compiled: Any, kernels: Sequence[Kernel], definitions: list[Definition], values: list[int]) -> None:
    """Compiled code against the definition, and against the kernel run by NumPy."""
    rows = rows_of(compiled, len(kernels), values)
    for kernel_, definition, row in zip(kernels, definitions, rows, strict=True):
        assert row == [definition(x) for x in values], kernel_.__name__
        assert row == kernel_(np.array(values, U64)).tolist(), kernel_.__name__
