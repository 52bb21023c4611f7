"""Machine code of squares, pieces, bitboards and sets beside the Python functions in whose place it stands.

Wheels bind it to the classes. Sets, moves, pieces and operators are looked at as they are bound:
`test_shipped_code` and .ci/run run these tests with machine code, too. The rest is called here without that.
"""

import copy
import gc
import inspect
import itertools
import operator
import pickle
import random
import sys
import weakref
from typing import Any

import numpy as np
import pytest

import rookery
from rookery import Bitboard, Move, Piece, SquareSet
from rookery.bitboards import pieces, square_set, squares
from rookery.kernel.native import marks
from rookery.kernel.native.shipped import shipped
from rookery.native_methods.kinds import TWINS
from rookery.native_methods.twins import twin_of

# Machine code of single functions: a wheel has bound its own already.
compiled = pytest.mark.compiler

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
    declared = [name for name, twin in TWINS.items() if twin.entry.function.__module__ == DECLARED]
    return [name for name in declared if name.rpartition(".")[0] == owner and not TWINS[name].is_constructor]


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


def python_function(name: str) -> Any:
    """Return the Python function of a name, also where machine code is bound in its place."""
    return next(function for function in marks._marked if function.__qualname__ == name)


OPERATORS: dict[str, Any] = {
    "__and__": operator.and_,
    "__bool__": bool,
    "__contains__": lambda squares_, value: value in squares_,
    "__invert__": operator.invert,
    "__iter__": iter,
    "__len__": len,
    "__or__": operator.or_,
    "__sub__": operator.sub,
    "__xor__": operator.xor,
}
ALONE = ("__bool__", "__invert__", "__iter__", "__len__")


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_sets_answer_alike(name: str) -> None:
    function = python_function(f"SquareSet.{name}")
    given = [()] if name in ALONE else [(value,) for value in VALUES]
    for squares_ in (*map(SquareSet, WORDS), OtherSet(7), SquareSet.__new__(SquareSet)):
        for arguments in given:
            expected = answer(function, squares_, *arguments)
            assert answer(OPERATORS[name], squares_, *arguments) == expected, (squares_, arguments)


@pytest.mark.parametrize("name", ["__and__", "__or__", "__sub__", "__xor__"])
def test_operators_of_sets_are_those_of_python(name: str) -> None:
    chosen = WORDS[:20]
    for a, b in itertools.product(chosen, chosen):
        expected = OPERATORS[name]({*SquareSet(a)}, {*SquareSet(b)})
        for left, right in (
            (SquareSet(a), SquareSet(b)),
            (SquareSet(a), b),
            (a, SquareSet(b)),
            (OtherSet(a), [*SquareSet(b)]),
        ):
            found = OPERATORS[name](left, right)
            assert {*found} == expected
            assert type(found) is (type(left) if isinstance(left, SquareSet) else type(right))
    assert type(OPERATORS[name](SquareSet(1), OtherSet(3))) is SquareSet


class Reflecting(SquareSet):
    """A set with an operator of its own."""

    def __ror__(self, other: Any) -> Any:
        return "reflected"


def test_a_derived_class_may_have_operators_of_its_own() -> None:
    assert [SquareSet(1) | Reflecting(2), 1 | Reflecting(2)] == ["reflected", "reflected"]
    assert Reflecting(1) | SquareSet(2) == Reflecting(3)


@pytest.mark.parametrize("name", ["add", "discard"])
def test_sets_change_alike(name: str) -> None:
    function = python_function(f"SquareSet.{name}")
    for board in WORDS[:20]:
        for value in VALUES:
            changed, expected = SquareSet(board), SquareSet(board)
            assert answer(getattr(changed, name), value) == answer(function, expected, value)
            assert changed._board == expected._board
            assert type(changed._board) is int


def test_sets_are_made_alike() -> None:
    function = python_function("SquareSet.__init__")
    for kind in (SquareSet, OtherSet):
        for arguments in ((), *((value,) for value in VALUES), (1, 2)):
            expected = kind.__new__(kind)
            error = answer(function, expected, *arguments)
            if error == (type(None), None):
                made = kind(*arguments)
                assert made._board == expected._board
                assert type(made._board) is int
            else:
                assert answer(kind, *arguments) == error
    again = SquareSet(5)
    for _ in range(1000):
        again.__init__((1 << 64) - 1)  # type: ignore[misc]
    assert len(again) == 64
    assert SquareSet(squares=3) == 3


def test_sets_are_copied_and_pickled() -> None:
    for board in WORDS:
        for copied in (copy.copy(SquareSet(board)), copy.deepcopy(SquareSet(board))):
            assert copied == board
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(SquareSet(board), protocol)) == board


def test_moves_and_pieces_are_made_alike() -> None:
    for kind in (Move, Piece):
        function = vars(kind)["__new__"].__func__
        for first, second in itertools.product(
            [0, 1, 6, 7, 63, *VALUES[-20:]], [True, False, 0, 63, 64, "white", None]
        ):
            expected = answer(function, kind, first, second)
            assert answer(kind, first, second) == expected
    assert [Move(12, 28).from_square, Move(12, 28).to_square, Move(12, 28).promotion] == [12, 28, None]
    promoted = [Move(52, 60, kind) for kind in (2, 3, 4, 5)]
    assert [(m.from_square, m.to_square, m.promotion) for m in promoted] == [(52, 60, kind) for kind in (2, 3, 4, 5)]
    with pytest.raises(AttributeError):
        Move(12, 28).from_square = 3  # type: ignore[misc]


def bound_from_wheel() -> bool:
    return shipped() is not None


@pytest.mark.skipif(not bound_from_wheel(), reason="the attributes of moves are in memory of their own in wheels alone")
def test_nobody_makes_a_move_without_its_squares() -> None:
    holder: Any = Move.__mro__[1]
    for make in (
        lambda: int.__new__(Move, 5),
        lambda: holder.__new__(Move, 5),
        lambda: holder(1 << 20, 1, 2, 3),
        holder,
    ):
        with pytest.raises(TypeError):
            make()
    assert holder(5, 1, 2, 3) == 5


@compiled
@pytest.mark.parametrize("name", ["__and__", "__or__", "__xor__"])
def test_bitboards_answer_alike(name: str) -> None:
    twin, function = machine_code(Bitboard, f"Bitboard.{name}")
    code = twin.attribute(Bitboard, function, function)
    for board, value in itertools.product((*map(Bitboard, WORDS), OtherBoard(7)), VALUES):
        assert answer(code, board, value) == answer(function, board, value), (board, value)


@pytest.mark.parametrize("name", ["__contains__", "__invert__", "__iter__"])
def test_operators_of_bitboards_answer_alike(name: str) -> None:
    function = python_function(f"Bitboard.{name}")
    given = [()] if name in ALONE else [(value,) for value in VALUES]
    for board in (*map(Bitboard, WORDS), OtherBoard(7)):
        for arguments in given:
            assert answer(OPERATORS[name], board, *arguments) == answer(function, board, *arguments), (board, arguments)


def test_bitboards_are_made_alike() -> None:
    function = vars(Bitboard)["__new__"].__func__
    for arguments in ((), *((value,) for value in VALUES), (1, 2)):
        for kind in (Bitboard, OtherBoard):
            assert answer(kind, *arguments) == answer(function, kind, *arguments), (kind, arguments)
    assert Bitboard(value=5) == 5


@pytest.mark.parametrize(("kind", "given"), [(SquareSet, (3,)), (Bitboard, (3,)), (Move, (12, 28)), (Piece, (1, True))])
def test_a_constructor_that_is_replaced_is_called(kind: Any, given: tuple[Any, ...]) -> None:
    usual = kind(*given)
    name = "__init__" if kind is SquareSet else "__new__"
    before = vars(kind)[name]

    def replaced(*_: Any) -> None:
        raise LookupError("replaced")

    setattr(kind, name, replaced)
    try:
        with pytest.raises(LookupError, match="replaced"):
            kind(*given)
    finally:
        setattr(kind, name, before)
    assert kind(*given) == usual


@pytest.mark.parametrize("kind", [SquareSet, Bitboard, OtherSet, OtherBoard])
def test_sets_and_boards_are_let_go(kind: Any) -> None:
    def run() -> None:
        for board in WORDS * 100:
            made = kind(board)
            made | made, ~made  # two more objects

    run()
    gc.collect()
    before = sys.getrefcount(kind), sys.getallocatedblocks()
    run()
    gc.collect()
    assert abs(sys.getrefcount(kind) - before[0]) < 10
    assert abs(sys.getallocatedblocks() - before[1]) < 1000


def test_the_garbage_collector_finds_derived_objects_in_cycles() -> None:
    for kind in (OtherSet, OtherBoard):
        made: Any = kind(7)
        made.itself, made.other = made, OtherSet()
        gone = weakref.ref(made.other)
        del made
        gc.collect()
        assert gone() is None


@compiled
def test_every_declared_function_is_marked() -> None:
    for owner, scope in ((rookery.Bitboard, "Bitboard"), (SquareSet, "SquareSet"), (Piece, "Piece")):
        assert names_of(scope)
        for name in names_of(scope):
            machine_code(owner, name)
    for name in names_of(""):
        machine_code(squares if hasattr(squares, name) else pieces, name)
    assert square_set.SquareSet is SquareSet
