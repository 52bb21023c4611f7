"""Sets of squares that can be changed, and functions of squares: as python-chess has them."""

import copy
import pickle
import random
from typing import Any

import chess
import numpy as np
import pytest

import rookery
from rookery import Bitboard, SquareSet

OPERATIONS = "union intersection difference symmetric_difference issubset issuperset isdisjoint".split()
CHANGES = "update intersection_update difference_update symmetric_difference_update".split()
OPERATORS = "__or__ __and__ __sub__ __xor__ __ior__ __iand__ __isub__ __ixor__".split()


def boards(n: int) -> list[int]:
    rng = random.Random(n)
    return [0, (1 << 64) - 1, 1, 1 << 63, *(rng.getrandbits(64) & rng.getrandbits(64) for _ in range(n))]


def test_operations_are_those_of_python_chess() -> None:
    for a in boards(20):
        for b in boards(20):
            for name in OPERATIONS + OPERATORS:
                expected = getattr(chess.SquareSet(a), name)(chess.SquareSet(b))
                for other in (SquareSet(b), b, Bitboard(b), list(Bitboard(b))):
                    ours = SquareSet(a)
                    found = getattr(ours, name)(other)
                    assert found == (expected if isinstance(expected, bool) else int(expected)), name
                    assert (int(ours) == a) or name.startswith("__i")
                    assert not name.startswith("__i") or found is ours
            for name in CHANGES:
                mine, theirs = SquareSet(a), chess.SquareSet(a)
                getattr(mine, name)(SquareSet(b))
                getattr(theirs, name)(chess.SquareSet(b))
                assert mine == int(theirs)
            assert (SquareSet(a) == SquareSet(b)) == (a == b) == (SquareSet(a) == b) == (Bitboard(a) == SquareSet(b))
            assert (SquareSet(a) <= SquareSet(b), SquareSet(a) < SquareSet(b)) == (a & ~b == 0, a & ~b == 0 and a != b)
            assert (SquareSet(a) >= SquareSet(b), SquareSet(a) > SquareSet(b)) == (b & ~a == 0, b & ~a == 0 and a != b)
            swapped: list[Any] = [a | SquareSet(b), a & SquareSet(b), a ^ SquareSet(b)]
            assert swapped == [a | b, a & b, a ^ b]
            assert a - SquareSet(b) == a & ~b


def test_queries_of_a_set() -> None:
    for board in boards(30):
        ours, theirs = SquareSet(board), chess.SquareSet(board)
        assert list(ours) == list(theirs)
        assert list(reversed(ours)) == list(reversed(theirs))
        assert (len(ours), bool(ours), str(ours), hex(ours)) == (len(theirs), bool(theirs), str(theirs), hex(theirs))
        assert ours.tolist() == theirs.tolist()
        assert ours.mirror() == int(theirs.mirror())
        assert ~ours == ~board & chess.BB_ALL
        assert int(ours << 1) == board << 1 & chess.BB_ALL
        assert int(ours >> 2) == board >> 2
        assert [square in ours for square in range(64)] == [square in theirs for square in range(64)]
        assert ours.bitboard() == board
        assert ours.names() == Bitboard(board).names()
        assert repr(ours) == f"SquareSet(0x{board:016x})"
        assert pickle.loads(pickle.dumps(ours)) == copy.copy(ours) == copy.deepcopy(ours) == ours
    assert sorted(SquareSet(0x8421).carry_rippler()) == sorted(chess.SquareSet(0x8421).carry_rippler())
    for a in range(0, 64, 5):
        assert SquareSet.from_square(a) == 1 << a
        for b in range(64):
            assert SquareSet.between(a, b) == int(chess.SquareSet.between(a, b))
            assert a == b or SquareSet.ray(a, b) == int(chess.SquareSet.ray(a, b))


def test_changes() -> None:
    rng = random.Random(2)
    ours, theirs = SquareSet(), chess.SquareSet()
    for _ in range(2000):
        square, what = rng.randrange(64), rng.randrange(4)
        if what == 3 and theirs:
            assert ours.pop() == theirs.pop()
        else:
            name = ("add", "discard", "remove", "add")[what]
            if name == "remove" and square not in theirs:
                with pytest.raises(KeyError):
                    ours.remove(square)
                continue
            getattr(ours, name)(square)
            getattr(theirs, name)(square)
        assert ours == int(theirs)
    other = ours.copy()
    ours <<= 8
    ours >>= 8
    other.clear()
    assert not other
    with pytest.raises(KeyError, match="the set is empty"):
        other.pop()
    with pytest.raises(TypeError, match="unhashable"):
        hash(ours)


def test_errors_of_sets() -> None:
    wrong: list[tuple[Any, str]] = [
        (-1, "squares"),
        (1 << 64, "squares"),
        (1.5, "squares: 1.5"),
        (None, "squares"),
        ([64], "64"),
    ]
    for value, message in wrong:
        with pytest.raises((TypeError, ValueError), match=message):
            SquareSet(value)
    for square in (64, -1, "e4"):
        for name in ("add", "discard", "remove", "__contains__"):
            with pytest.raises((TypeError, ValueError), match=r"^square: "):
                getattr(SquareSet(), name)(square)
    with pytest.raises((TypeError, ValueError), match=r"^others: "):
        SquareSet().update(-1)


def test_functions_of_squares_are_those_of_python_chess() -> None:
    assert tuple(chess.SQUARES) == rookery.SQUARES
    assert list(rookery.FILE_NAMES) == chess.FILE_NAMES
    assert list(rookery.RANK_NAMES) == chess.RANK_NAMES
    for a in chess.SQUARES:
        assert rookery.square_file(a) == chess.square_file(a)
        assert rookery.square_rank(a) == chess.square_rank(a)
        assert rookery.square_mirror(a) == chess.square_mirror(a)
        assert rookery.square(chess.square_file(a), chess.square_rank(a)) == a
        for b in chess.SQUARES:
            for name in ("square_distance", "square_manhattan_distance", "square_knight_distance"):
                assert getattr(rookery, name)(a, b) == getattr(chess, name)(a, b), (name, a, b)


@pytest.mark.parametrize("wrong", [-1, 8, "a", None, True])
def test_errors_of_square(wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^file: .*: expected an int from 0 to 7"):
        rookery.square(wrong, 0)
    with pytest.raises((TypeError, ValueError), match=r"^rank: .*: expected an int from 0 to 7"):
        rookery.square(0, wrong)


@pytest.mark.parametrize("name", ["square_distance", "square_manhattan_distance", "square_knight_distance"])
def test_errors_of_distances(name: str) -> None:
    with pytest.raises(ValueError, match=r"^a: 64"):
        getattr(rookery, name)(64, 0)
    with pytest.raises(TypeError, match=r"^b: 'e4'"):
        getattr(rookery, name)(0, "e4")


@pytest.mark.parametrize(
    "name", [*OPERATIONS, *CHANGES, *OPERATORS, "__rsub__", "__ror__", "__le__", "__lt__", "__gt__"]
)
@pytest.mark.parametrize("wrong", [-1, 1 << 64, np.int8(-1), 1.5, None, ["e4"], [64], [-1]])
def test_what_is_not_a_set_is_refused(name: str, wrong: Any) -> None:
    squares = SquareSet(5)
    with pytest.raises((TypeError, ValueError), match=r"^others?: "):
        getattr(squares, name)(wrong)
    assert squares == 5


def test_numbers_of_numpy_are_squares_and_boards() -> None:
    word: Any = np.uint64(1 << 63)
    squares = SquareSet(word)
    for square in (0, 63):
        number: Any = np.uint8(square)
        squares.add(number)
        assert number in squares
        squares.discard(number)
        assert number not in squares
    assert squares == 0 == np.uint64(0)
    assert (squares == "e4", squares == None) == (False, False)  # noqa: E711
    assert type(squares._board) is int


def test_a_set_is_removed_from_a_board() -> None:
    assert 0b1110 - SquareSet(0b0101) == 0b1010
    assert [1, 2, 3] - SquareSet(0b0101) == 0b1010
    assert type([1] - SquareSet(1)) is SquareSet
    with pytest.raises(KeyError, match=r"^5$"):
        SquareSet(1).remove(5)
    assert SquareSet(1)._repr_svg_() == Bitboard(1)._repr_svg_()
