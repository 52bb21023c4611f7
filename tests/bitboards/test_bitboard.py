"""Bitboard: construction, drawings, a set of squares, a word of 64 bits, an int in all else."""

import copy
import operator
import pickle
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.squares import SQUARE_NAMES, parse_square

UNIVERSE = (1 << 64) - 1
words = st.integers(0, UNIVERSE)
square_sets = st.frozensets(st.integers(0, 63))
patient = settings(deadline=None)  # a busy machine is no failure


def of(squares: frozenset[int]) -> Bitboard:
    return Bitboard(sum(2**square for square in squares))


# Construction.


def number(kind: type, value: int) -> Any:
    """A NumPy integer."""
    return kind(value)


def test_construction() -> None:
    assert Bitboard() == Bitboard.EMPTY == 0
    assert Bitboard(UNIVERSE) == Bitboard.UNIVERSE == UNIVERSE
    assert Bitboard(number(np.uint64, UNIVERSE)) == UNIVERSE
    assert Bitboard(number(np.int8, 5)) == 5
    assert Bitboard(Bitboard(5)) == 5
    assert isinstance(Bitboard(5), int)


@pytest.mark.parametrize("value", [-1, 2**64, -(2**64), 2**100, np.int64(-1)])
def test_outside_of_a_word(value: int) -> None:
    with pytest.raises(ValueError, match="is outside 0 to 2") as error:
        Bitboard(value)
    assert f" {value} " in str(error.value)


@pytest.mark.parametrize("value", [1.0, "1", "", b"1", None, True, False, np.True_, np.float64(1), [1], {1}, 1j])
def test_no_board(value: object) -> None:
    with pytest.raises(TypeError, match="is not a board") as error:
        Bitboard(value)  # type: ignore[arg-type]
    assert repr(value) in str(error.value)


def test_of_names_and_numbers() -> None:
    assert Bitboard.of() == 0
    assert Bitboard.of("a1", 9, "h8", number(np.uint8, 1)) == 1 | 1 << 9 | 1 << 63 | 1 << 1
    assert Bitboard.of("e4", "e4", 28) == 1 << 28
    assert Bitboard.from_squares(range(8)) == 0xFF
    assert Bitboard.from_squares(square for square in (63, 0)) == 1 << 63 | 1


@patient
@given(square_sets)
def test_of_any_squares(squares: frozenset[int]) -> None:
    assert Bitboard.of(*squares) == Bitboard.from_squares(squares) == of(squares)
    assert Bitboard.of(*(SQUARE_NAMES[square] for square in squares)) == of(squares)


def test_of_what_is_no_square() -> None:
    with pytest.raises(ValueError, match="64 is off the board"):
        Bitboard.of(64)
    with pytest.raises(ValueError, match="-1 is off the board"):
        Bitboard.from_squares([0, -1])
    with pytest.raises(ValueError, match="'e9'"):
        Bitboard.of("a1", "e9")
    with pytest.raises(TypeError, match="True is not a square"):
        Bitboard.of(True)
    with pytest.raises(TypeError, match="'a' is not a square"):
        Bitboard.from_squares("a1")  # type: ignore[arg-type]


# Drawings.

CORNERS = """\
1 . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . 1 . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . 1"""


def test_a_drawing() -> None:
    board = Bitboard.of("a8", "d4", "h1")
    assert Bitboard.parse(CORNERS) == board
    assert str(board) == CORNERS
    assert f"{board}" == CORNERS
    assert board.draw() == CORNERS


@patient
@given(words)
def test_parse_reads_what_print_writes(value: int) -> None:
    board = Bitboard(value)
    assert Bitboard.parse(str(board)) == board
    assert type(Bitboard.parse(str(board))) is Bitboard
    rows = str(board).split("\n")
    for square in range(64):
        assert rows[7 - square // 8].split(" ")[square % 8] == ".1"[value >> square & 1]


def test_blanks_are_free() -> None:
    assert Bitboard.parse("\n\n" + CORNERS.replace(" ", "") + "\n  \n") == Bitboard.parse(CORNERS)
    assert Bitboard.parse(CORNERS.replace("\n", "\r\n\t ").replace(" ", "   ")) == Bitboard.parse(CORNERS)


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        pytest.param("", "drawing: 0 ranks, expected 8", id="nothing"),
        pytest.param(CORNERS.rsplit("\n", 1)[0], "drawing: 7 ranks, expected 8", id="7 ranks"),
        pytest.param(CORNERS + "\n........", "drawing: 9 ranks, expected 8", id="9 ranks"),
        pytest.param(
            CORNERS.replace("1 . . . . . . .", "1 . . . . . ."),
            "drawing, rank 8: '1......' has 7 squares, expected 8",
            id="short rank",
        ),
        pytest.param(
            CORNERS.replace("1 . . . .\n", "1 . . . . 1\n"),
            "drawing, rank 4: '...1....1' has 9 squares, expected 8",
            id="long rank",
        ),
        pytest.param(CORNERS.replace("1 . . . .\n", "R . . . .\n"), "drawing, d4: 'R', expected '.' or '1'", id="R"),
        pytest.param(CORNERS[:-1] + "0", "drawing, h1: '0', expected '.' or '1'", id="0"),
        pytest.param("x" + CORNERS[1:], "drawing, a8: 'x', expected '.' or '1'", id="x"),
    ],
)
def test_no_drawing(drawing: str, message: str) -> None:
    with pytest.raises(ValueError, match="drawing") as error:
        Bitboard.parse(drawing)
    assert str(error.value) == message


def test_marks() -> None:
    drawn = Bitboard.of("a8", "h1").draw({parse_square("a8"): "Q", parse_square("d4"): "x"})
    assert drawn == CORNERS.replace("1", "x").replace("x", "Q", 1)[:-1] + "1"


def test_repr_and_format() -> None:
    assert repr(Bitboard(5)) == "Bitboard(0x0000000000000005)"
    assert repr(Bitboard.UNIVERSE) == "Bitboard(0xffffffffffffffff)"
    assert f"{Bitboard(255):x} {Bitboard(5):#b} {Bitboard(5):3d}" == "ff 0b101   5"


@patient
@given(words)
def test_repr_is_an_expression(value: int) -> None:
    again = eval(repr(Bitboard(value)))
    assert again == value
    assert type(again) is Bitboard


@pytest.mark.parametrize("board", [Bitboard.EMPTY, Bitboard.of("a1"), Bitboard.parse(CORNERS), Bitboard.UNIVERSE])
def test_picture(board: Bitboard) -> None:
    svg = ET.fromstring(board._repr_svg_())
    space = "{http://www.w3.org/2000/svg}"
    assert svg.tag == space + "svg"
    whole = next(svg.iter(space + "rect"))
    left, top, width = (float(whole.attrib[name]) for name in ("x", "y", "width"))
    circles = [
        8 * (7 - int((float(circle.attrib["cy"]) - top) // (width / 8)))
        + int((float(circle.attrib["cx"]) - left) // (width / 8))
        for circle in svg.iter(space + "circle")
    ]
    assert sorted(circles) == list(board)
    assert [e.text for e in svg.iter(space + "text")] == [s for i in range(8) for s in ("abcdefgh"[i], "12345678"[i])]


# A set of squares.


@patient
@given(square_sets)
def test_as_a_set(squares: frozenset[int]) -> None:
    board = of(squares)
    assert len(board) == len(squares)
    assert bool(board) == bool(squares)
    assert list(board) == sorted(squares)
    assert list(reversed(board)) == sorted(squares, reverse=True)
    assert [square in board for square in range(64)] == [square in squares for square in range(64)]
    assert board.names() == [SQUARE_NAMES[square] for square in sorted(squares)]
    assert set(~board) == set(range(64)) - squares


@patient
@given(square_sets, square_sets)
def test_set_algebra(a: frozenset[int], b: frozenset[int]) -> None:
    board: Any = of(a)
    for other in (of(b), int(of(b)), number(np.uint64, of(b))):
        assert set(board | other) == a | b
        assert set(board & other) == a & b
        assert set(board ^ other) == a ^ b
        assert set(board.difference(other)) == a - b
        assert board.issubset(other) == (a <= b)
        assert board.issuperset(other) == (a >= b)
        assert board.isdisjoint(other) == a.isdisjoint(b)
    assert set(board & ~of(b)) == a - b


def test_subsets_of_themselves() -> None:
    a, b = Bitboard(0b0111), Bitboard(0b0101)
    assert b.issubset(a)
    assert not a.issubset(b)
    assert a.issubset(a)
    assert a.issuperset(b)
    assert not b.issuperset(a)
    assert Bitboard.EMPTY.isdisjoint(Bitboard.EMPTY)


@pytest.mark.parametrize("square", [-1, 64])
def test_in_off_the_board(square: int) -> None:
    with pytest.raises(ValueError, match="off the board"):
        _ = square in Bitboard(1)


@pytest.mark.parametrize("square", ["a1", 0.0, True, None])
def test_in_no_square(square: object) -> None:
    with pytest.raises(TypeError, match="is not a square"):
        _ = square in Bitboard(1)  # type: ignore[operator]


def test_in_takes_numpy_integers() -> None:
    assert number(np.uint8, 63) in Bitboard.of("h8")
    assert number(np.int64, 0) not in Bitboard.of("h8")


def test_truth() -> None:
    assert not Bitboard.EMPTY
    assert Bitboard(1 << 63)


# A word of 64 bits.

BINARY: list[Callable[[Any, Any], Any]] = [
    operator.and_,
    operator.or_,
    operator.xor,
    operator.add,
    operator.sub,
    operator.mul,
]
DIVISIONS: list[Callable[[Any, Any], Any]] = [operator.floordiv, operator.mod]
SHIFTS: list[Callable[[Any, Any], Any]] = [operator.lshift, operator.rshift]


def named(operators: list[Callable[[Any, Any], Any]]) -> list[Any]:
    return [pytest.param(operate, id=operate.__name__.strip("_")) for operate in operators]


def check_word(result: Any, expected: int) -> None:
    assert type(result) is Bitboard
    assert result == expected % 2**64


@pytest.mark.parametrize("operate", named(BINARY))
@patient
@given(a=words, b=words)
def test_arithmetic_wraps(operate: Callable[[Any, Any], Any], a: int, b: int) -> None:
    check_word(operate(Bitboard(a), Bitboard(b)), operate(a, b))
    check_word(operate(Bitboard(a), b), operate(a, b))
    check_word(operate(a, Bitboard(b)), operate(a, b))
    check_word(operate(Bitboard(a), np.uint64(b)), operate(a, b))


@pytest.mark.parametrize("operate", named(BINARY))
@patient
@given(a=words, b=st.integers(-(2**66), 2**66))
def test_arithmetic_with_any_int(operate: Callable[[Any, Any], Any], a: int, b: int) -> None:
    check_word(operate(Bitboard(a), b), operate(a, b))
    check_word(operate(b, Bitboard(a)), operate(b, a))


@pytest.mark.parametrize("operate", named(DIVISIONS))
@patient
@given(a=words, b=st.integers(1, UNIVERSE))
def test_divisions(operate: Callable[[Any, Any], Any], a: int, b: int) -> None:
    check_word(operate(Bitboard(a), Bitboard(b)), operate(a, b))
    check_word(operate(Bitboard(a), b), operate(a, b))
    check_word(operate(a, Bitboard(b)), operate(a, b))
    check_word(operate(Bitboard(a), np.uint64(b)), operate(a, b))


@pytest.mark.parametrize("operate", named(DIVISIONS))
def test_division_by_the_empty_board(operate: Callable[[Any, Any], Any]) -> None:
    with pytest.raises(ZeroDivisionError):
        operate(Bitboard(1), Bitboard.EMPTY)


@pytest.mark.parametrize("operate", named(SHIFTS))
@patient
@given(a=words, n=st.integers(0, 130))
def test_shifts(operate: Callable[[Any, Any], Any], a: int, n: int) -> None:
    check_word(operate(Bitboard(a), n), operate(a, n))
    check_word(operate(Bitboard(a), np.uint8(n)), operate(a, n))
    check_word(operate(a, Bitboard(n)), operate(a, n))


@pytest.mark.parametrize("operate", named([*BINARY, *DIVISIONS, *SHIFTS]))
@patient
@given(a=words, b=st.integers(1, 63))
def test_reflected_numpy_words(operate: Callable[[Any, Any], Any], a: int, b: int) -> None:
    result = operate(np.uint64(a), Bitboard(b))
    assert isinstance(result, (Bitboard, np.integer)), "no float"
    assert result == operate(a, b) % 2**64


@pytest.mark.parametrize("operate", named(BINARY))
@pytest.mark.parametrize("board", [Bitboard(5), Bitboard(0x8000000000000101)], ids=hex)
def test_with_numpy_arrays(operate: Callable[[Any, Any], Any], board: Bitboard) -> None:
    values = [0, 1, 0xFF00, UNIVERSE]
    array = np.array(values, np.uint64)
    for result, expected in (
        (operate(array, board), [operate(value, int(board)) for value in values]),
        (operate(board, array), [operate(int(board), value) for value in values]),
    ):
        assert result.dtype == np.uint64
        assert result.tolist() == [value % 2**64 for value in expected]


@patient
@given(words)
def test_unary(a: int) -> None:
    check_word(~Bitboard(a), ~a)
    check_word(-Bitboard(a), -a)
    assert ~~Bitboard(a) == a
    assert -Bitboard(a) == ~(Bitboard(a) - 1)


@patient
@given(words, words)
def test_in_place(a: int, b: int) -> None:
    board = Bitboard(a)
    board |= b
    check_word(board, a | b)
    board <<= 3
    check_word(board, (a | b) * 8)
    board -= Bitboard(b)
    check_word(board, (a | b) * 8 - b)


@pytest.mark.parametrize("operate", named([op for op in (*BINARY, *SHIFTS) if op is not operator.mul]))
@pytest.mark.parametrize("other", ["1", None, [1]])
def test_operators_refuse_what_is_no_number(operate: Callable[[Any, Any], Any], other: object) -> None:
    with pytest.raises(TypeError):
        operate(Bitboard(1), other)
    with pytest.raises(TypeError):
        operate(other, Bitboard(1))


class Marked(Bitboard):
    """A user's own kind of board."""


def test_subclasses_stay_themselves() -> None:
    board = Marked(3)
    for kin in (board | 4, 4 - board, ~board, -board, board.difference(1), Marked.of("a1"), Marked.parse(CORNERS)):
        assert type(kin) is Marked


# An int in all else.


@patient
@given(words, words)
def test_compares_and_hashes_as_an_int(a: int, b: int) -> None:
    for compare in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
        expected = compare(a, b)
        assert compare(Bitboard(a), Bitboard(b)) == expected
        assert compare(Bitboard(a), b) == expected
        assert compare(a, Bitboard(b)) == expected
    assert Bitboard(a) == a
    assert hash(Bitboard(a)) == hash(a)
    assert int(Bitboard(a)) == a
    assert type(int(Bitboard(a))) is int


@pytest.mark.parametrize("value", [0, 5, 1 << 63, UNIVERSE])
def test_compares_with_numpy_words(value: int) -> None:
    board, word = Bitboard(value), np.uint64(value)
    assert [board == word, word == board, board != word, word != board] == [True, True, False, False]
    array = np.array([value, value ^ 1], np.uint64)
    assert (array == board).tolist() == [True, False]
    assert (board == array).tolist() == [True, False]  # type: ignore[attr-defined]  # an array answers


def test_as_a_key() -> None:
    assert {5: "a"}[Bitboard(5)] == "a"
    assert {Bitboard(5), 5, Bitboard(6)} == {5, 6}
    assert sorted([Bitboard(9), 3, Bitboard(1)]) == [1, 3, 9]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("value", [0, 5, UNIVERSE])
def test_pickling(protocol: int, value: int) -> None:
    again = pickle.loads(pickle.dumps(Bitboard(value), protocol))
    assert again == value
    assert type(again) is Bitboard


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copies(duplicate: Callable[[Bitboard], Bitboard]) -> None:
    again = duplicate(Bitboard(UNIVERSE))
    assert again == UNIVERSE
    assert type(again) is Bitboard


def test_as_an_index() -> None:
    assert "abcdef"[Bitboard(5)] == "f"
    assert list(range(10))[Bitboard(2) : Bitboard(4)] == [2, 3]
    assert np.arange(10)[Bitboard(7)] == 7
    assert hex(Bitboard(255)) == "0xff"
    assert Bitboard(6).bit_count() == 2
    assert Bitboard(6).bit_length() == 3
    assert Bitboard(1).to_bytes(8, "little") == b"\x01" + bytes(7)


def test_as_an_element_of_an_array() -> None:
    array = np.array([Bitboard(5), Bitboard(UNIVERSE)], np.uint64)
    assert array.shape == (2,)
    assert array.tolist() == [5, UNIVERSE]
    array[0] = Bitboard(1 << 63)
    assert array.tolist() == [1 << 63, UNIVERSE]
    assert np.uint64(Bitboard(UNIVERSE)) == UNIVERSE
    assert np.full(2, Bitboard(7), np.uint64).tolist() == [7, 7]
