"""Machine code of squares, pieces, bitboards and sets beside the Python functions in whose place it stands.

Wheels bind it to the classes. Here it is called without that.
"""

import inspect
import random
from typing import Any

import numpy as np
import pytest

import rookery
from rookery import Bitboard, Piece, SquareSet
from rookery.bitboards import pieces, square_set, squares
from rookery.kernel.native import marks
from rookery.kernel.native.kinds import TWINS
from rookery.kernel.native.twins import twin_of
from rookery.kernel.native.units import as_function

pytestmark = pytest.mark.compiler  # the wheel has bound its machine code already

DECLARED = "rookery.bitboards.machine_code"
WORDS = [0, 1, 1 << 63, (1 << 64) - 1, 0x00FF00000000FF00, *(random.Random(3).getrandbits(64) for _ in range(50))]
# What callers give, and what they should not.
VALUES: list[Any] = [
    *(*range(-2, 66), 1 << 63, (1 << 64) - 1, 1 << 64, -(1 << 64), *WORDS),
    *(np.int8(5), np.uint64(1 << 63), np.True_, Bitboard(5), SquareSet(6)),
    *(True, False, None, 1.0, [], [3, 63], (3, 64)),
    *("e4", "E4", "e9", "", "e4 ", "é4", "a" * 200, "queen", "Q", "white"),
]


class OtherSet(SquareSet):
    """A set of another class."""


class OtherBoard(Bitboard):
    """A board of another class."""


def names_of(owner: str) -> list[str]:
    __import__(DECLARED)
    return [
        name for name in TWINS if name.rpartition(".")[0] == owner and TWINS[name].entry.function.__module__ == DECLARED
    ]


def machine_code(owner: Any, name: str) -> tuple[Any, Any]:
    """Return the machine code of a name, and the Python function that it stands in for."""
    part = inspect.getattr_static(owner, name.rpartition(".")[2])
    function = inspect.unwrap(getattr(part, "__func__", part))
    assert function in marks._marked, name
    __import__(DECLARED)
    twin = twin_of(name, tuple)
    assert twin is not None
    return twin, function


def answer(function: Any, *given: Any) -> Any:
    """Return what a call returns, with its type, or the error."""
    try:
        found = function(*given)
    except Exception as error:
        return type(error), str(error)
    return (list, list(found)) if hasattr(found, "__next__") else (type(found), found)


@pytest.mark.parametrize("name", ["__contains__", "__iter__", "__len__"])
def test_sets_are_read_alike(name: str) -> None:
    twin, function = machine_code(SquareSet, f"SquareSet.{name}")
    code = twin.attribute(SquareSet, function, function)
    unset, wrong = SquareSet.__new__(SquareSet), SquareSet()
    wrong._board = "x"  # type: ignore[assignment]
    negative, long = SquareSet(), SquareSet()
    negative._board, long._board = -1, 1 << 64
    given = [(value,) for value in VALUES] if name == "__contains__" else [()]
    for squares_ in (*map(SquareSet, WORDS), OtherSet(7), unset, wrong, negative, long):
        for arguments in given:
            assert answer(code, squares_, *arguments) == answer(function, squares_, *arguments), (squares_, arguments)


@pytest.mark.parametrize("name", ["add", "discard"])
def test_sets_change_alike(name: str) -> None:
    twin, function = machine_code(SquareSet, f"SquareSet.{name}")
    code = twin.attribute(SquareSet, function, function)
    for board in WORDS[:20]:
        for value in VALUES:
            changed, expected = SquareSet(board), SquareSet(board)
            assert answer(code, changed, value) == answer(function, expected, value)
            assert changed._board == expected._board
            assert type(changed._board) is int


def test_sets_are_made_alike() -> None:
    twin, function = machine_code(SquareSet, "SquareSet.__init__")
    code = twin.attribute(SquareSet, function, function)
    for kind in (SquareSet, OtherSet):
        for arguments in ((), *((value,) for value in VALUES), (1, 2)):
            made, expected = kind.__new__(kind), kind.__new__(kind)
            assert answer(code, made, *arguments) == answer(function, expected, *arguments)
            assert getattr(made, "_board", None) == getattr(expected, "_board", None)
            assert type(getattr(made, "_board", 0)) is int
    again = SquareSet(5)
    for _ in range(1000):
        code(again, (1 << 64) - 1)  # gives up what was there
    assert len(again) == 64
    code(again, squares=3)
    assert again == 3


@pytest.mark.parametrize("name", ["__and__", "__or__", "__xor__", "__invert__", "__iter__", "__contains__"])
def test_bitboards_answer_alike(name: str) -> None:
    twin, function = machine_code(Bitboard, f"Bitboard.{name}")
    code = twin.attribute(Bitboard, function, function)
    given = [()] if name in ("__invert__", "__iter__") else [(value,) for value in VALUES]
    for board in (*map(Bitboard, WORDS), OtherBoard(7)):
        for arguments in given:
            assert answer(code, board, *arguments) == answer(function, board, *arguments), (board, arguments)


def test_bitboards_are_made_alike() -> None:
    twin, function = machine_code(Bitboard, "Bitboard.__new__")
    objects = marks.objects_for(twin.objects, Bitboard, function, function)
    code = as_function(twin.loaded, objects, DECLARED, b"")
    for arguments in ((), *((value,) for value in VALUES), (1, 2)):
        for kind in (Bitboard, OtherBoard):
            assert answer(code, kind, *arguments) == answer(function, kind, *arguments), (kind, arguments)


def test_every_declared_function_is_marked() -> None:
    for owner, scope in ((rookery.Bitboard, "Bitboard"), (SquareSet, "SquareSet"), (Piece, "Piece")):
        assert names_of(scope)
        for name in names_of(scope):
            machine_code(owner, name)
    for name in names_of(""):
        machine_code(squares if hasattr(squares, name) else pieces, name)
    assert square_set.SquareSet is SquareSet
