"""Arguments that become arrays: types, ranges, shapes, layouts in memory, and the errors for all others."""

from typing import Any

import chess
import numpy as np
import pytest

from rookery import Board, Positions, SquareSet
from rookery.frames.array_arguments import (
    apart,
    bad_square,
    board_array,
    common_shape,
    converted_squares,
    dtype_of,
    int_array,
    is_apart,
    output,
    place,
    plain_array,
    readable,
    square_array,
)

GREATEST = 2**64 - 1


def words(*shape: int) -> np.ndarray:
    """Return an array of boards in memory of its own."""
    return np.zeros(shape, np.uint64)


def misaligned(n: int, dtype: str = "u8") -> np.ndarray:
    """Return `n` numbers that do not begin at a multiple of their size."""
    return np.zeros(n * np.dtype(dtype).itemsize + 1, np.uint8)[1:].view(dtype)


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


class Marked(np.ndarray):
    """A class of arrays that is not NumPy's own."""


def test_results_that_are_apart_from_their_operands() -> None:
    for shape in [(3,), (2, 3), ()]:
        assert is_apart(words(*shape), np.zeros(shape, np.uint8), words(*shape))


@pytest.mark.parametrize(
    "out",
    [
        None,
        [0, 0, 0],
        words(3).view(Marked),
        np.zeros(3, np.int64),
        np.zeros(3, ">u8"),
        words(2),
        words(3, 1),
        words(6)[::2],
        misaligned(3),
        read_only(words(3)),
    ],
)
def test_results_that_a_fast_loop_cannot_take(out: Any) -> None:
    assert not is_apart(out, np.zeros(3, np.uint8), words(3))


def test_columns_first_are_not_rows_first() -> None:
    assert not is_apart(words(3, 2).T, np.zeros((2, 3), np.uint8), words(2, 3))
    assert not is_apart(read_only(words(6)).reshape(2, 3), np.zeros((2, 3), np.uint8), words(2, 3))


def test_results_that_share_memory_with_an_operand() -> None:
    memory = words(4)
    assert not is_apart(memory[:3], np.zeros(3, np.uint8), memory[1:])
    assert not is_apart(memory[:3], memory[1:].view(np.int64), words(3))
    assert is_apart(memory[:2], memory[2:].view(np.int64), words(2))


@pytest.mark.parametrize("text", [b"", b"e4", bytearray(b"e4"), memoryview(b"e4")])
def test_readable_bytes(text: Any) -> None:
    signs = readable(text)
    assert signs.dtype == np.uint8
    assert signs.tolist() == list(text)
    assert not signs.flags.writeable


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([0, -1], "i8"),
        ((1, 2), "i8"),
        ([], "i8"),
        ([[1, 2], [3, 4]], "i8"),
        ([2**63 - 1], "i8"),
        ([1, 2**63], "u8"),
        ([GREATEST, 0], "u8"),
        (np.array([1, 2], np.int16), "i2"),
        (np.array([1, 2], np.uint8), "u1"),
        (np.uint32(7), "u4"),
        (np.array([1, 258], ">i2"), "i2"),
        (np.array([1, 2**40], ">u8"), "u8"),
    ],
)
def test_arrays_of_ints(value: Any, dtype: str) -> None:
    array = int_array("x", value, "ints")
    assert array.dtype == np.dtype(dtype)
    assert array.dtype.isnative
    assert array.tolist() == (value.tolist() if hasattr(value, "tolist") else list(value))


def test_arrays_of_ints_are_copied_only_if_they_must_be() -> None:
    for array in (np.arange(4), np.arange(4, dtype=np.uint8), np.arange(8, dtype=np.int16)[::2]):
        assert int_array("x", array, "ints") is array
    unaligned = misaligned(2, "i4")
    unaligned[:] = 5, -7
    copied = int_array("x", unaligned, "ints")
    assert copied.tolist() == [5, -7]
    assert copied.flags.aligned


def test_objects_that_numpy_converts() -> None:
    class Column:
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
            return np.array([3, 4])

    assert int_array("x", Column(), "ints").tolist() == [3, 4]


def test_sets_of_squares_in_lists() -> None:
    sets = [SquareSet([0, 1]), chess.SquareSet([63])]
    assert int_array("x", sets, "boards", sets=True).tolist() == [3, 2**63]
    assert int_array("x", [5, SquareSet([2])], "boards", sets=True).tolist() == [5, 4]
    with pytest.raises(TypeError, match=r"^x: not a list of ints: expected squares$"):
        int_array("x", sets, "squares")


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        ("12", TypeError, "x: '12': expected ints"),
        (5, TypeError, "x: 5: expected ints"),
        (None, TypeError, "x: None: expected ints"),
        (Positions.from_boards([Board()]), TypeError, "x: <1 position>: expected ints"),
        ([1.0], TypeError, "x: not a list of ints: expected ints"),
        ([0, True], TypeError, "x: not a list of ints: expected ints"),
        ([[1], [2, 3]], TypeError, "x: not a list of ints: expected ints"),
        ([np.zeros((2, 2), int), np.zeros((2, 3), int)], TypeError, "x: not a list of ints: expected ints"),
        (np.array([1.0]), TypeError, "x: an array of float64: expected ints"),
        (np.array([True]), TypeError, "x: an array of bool: expected ints"),
        (np.float32(1), TypeError, "x: an array of float32: expected ints"),
        ([0, 2**64], ValueError, "x: 18446744073709551616 is outside 0 to 2**64 - 1"),
        ([GREATEST, 2**64], ValueError, "x: 18446744073709551616 is outside 0 to 2**64 - 1"),
        ([2**63, -1], ValueError, "x: -1 is outside 0 to 2**64 - 1"),
    ],
)
def test_values_that_are_not_arrays_of_ints(value: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as raised:
        int_array("x", value, "ints")
    assert str(raised.value).startswith(text)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, 0),
        (GREATEST, GREATEST),
        (SquareSet([2]), 4),
        (chess.SquareSet([63]), 2**63),
        ([], []),
        ([0, 1], [0, 1]),
        ([SquareSet([3]), 1], [8, 1]),
        (np.array([0, 5], np.int8), [0, 5]),
        (np.array(7), 7),
        (np.zeros((0, 2), np.int64), []),
        (np.array([[1, 2]], ">i4"), [[1, 2]]),
    ],
)
def test_boards(value: Any, expected: Any) -> None:
    array = board_array("occupied", value)
    assert array.dtype == np.uint64
    assert array.tolist() == expected


def test_boards_that_are_words_already() -> None:
    boards = words(2)
    assert board_array("occupied", boards) is boards


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.array([0, -1, -2]), "occupied[1]: -1 is negative; expected boards from 0 to 2**64 - 1"),
        (np.array([[0, 1], [5, -3]]), "occupied[1, 1]: -3 is negative; expected boards from 0 to 2**64 - 1"),
        (np.array(-4), "occupied: -4 is negative; expected boards from 0 to 2**64 - 1"),
        ([-5], "occupied[0]: -5 is negative; expected boards from 0 to 2**64 - 1"),
    ],
)
def test_negative_boards(value: Any, text: str) -> None:
    with pytest.raises(ValueError, match="is negative") as raised:
        board_array("occupied", value)
    assert str(raised.value) == text


def test_wrong_boards() -> None:
    with pytest.raises(
        TypeError, match=r"^occupied: 'a1': expected an int from 0 to 2\*\*64 - 1, or an array of uint64$"
    ):
        board_array("occupied", "a1")
    with pytest.raises(ValueError, match="18446744073709551616"):
        board_array("occupied", 2**64)


@pytest.mark.parametrize("square", [0, 63, np.int8(5)])
def test_one_square(square: Any) -> None:
    array = square_array("square", square)
    assert array.dtype == np.uint8
    assert (array.shape, array.item()) == ((), int(square))


@pytest.mark.parametrize("square", [-1, 64, 2**70])
def test_one_square_off_the_board(square: int) -> None:
    with pytest.raises(ValueError, match=rf"^square: {square} is off the board: expected 0 \(a1\) to 63 \(h8\)$"):
        square_array("square", square)


def test_arrays_of_squares() -> None:
    assert square_array("square", [0, 99]).tolist() == [0, 99], "kernels check the range"
    with pytest.raises(
        TypeError, match=r"^square: 'a1': expected an int from 0 \(a1\) to 63 \(h8\), or an array of int"
    ):
        square_array("square", "a1")
    with pytest.raises(TypeError, match="not a list of ints"):
        square_array("square", [SquareSet([1])])


def test_squares_for_machine_code() -> None:
    for dtype in (np.uint8, np.int64):
        squares = np.array([0, 63], dtype)
        assert converted_squares(squares) is squares
    assert converted_squares(np.array([0, 2**63], np.uint64)).tolist() == [0, -(2**63)]
    assert converted_squares(np.array([5, -1], np.int8)).dtype == np.int64


def test_places_of_elements() -> None:
    assert place(np.zeros(9), 7) == "7"
    assert place(np.zeros((2, 3)), 5) == "1, 2"
    assert place(np.zeros((2, 3, 4)), 13) == "1, 0, 1"


@pytest.mark.parametrize(
    ("squares", "text"),
    [
        ([0, 63, 64, 65], "square[2]: 64 is off the board: expected 0 (a1) to 63 (h8)"),
        ([0, 63, -1], "square[2]: -1 is off the board: expected 0 (a1) to 63 (h8)"),
        ([[0, 1], [99, 2]], "square[1, 0]: 99 is off the board: expected 0 (a1) to 63 (h8)"),
        (64, "square: 64 is off the board: expected 0 (a1) to 63 (h8)"),
    ],
)
def test_squares_off_the_board(squares: Any, text: str) -> None:
    assert str(bad_square("square", np.array(squares))) == text


def test_shapes_that_broadcast() -> None:
    assert common_shape(a=words(3, 1), b=words(4)) == (3, 4)
    assert common_shape(a=words()) == ()
    with pytest.raises(ValueError, match=r"^shapes that do not broadcast: a \(2,\), b \(3,\)$"):
        common_shape(a=words(2), b=words(3))


def test_new_results() -> None:
    array = output(None, (2, 3))
    assert array.dtype == np.uint64
    assert array.shape == (2, 3)
    assert output(None, (1,), np.bool_).dtype == np.bool_


@pytest.mark.parametrize("out", [words(2, 3), words(2, 3).view(Marked)])
def test_results_of_the_caller(out: np.ndarray) -> None:
    assert output(out, (2, 3)) is out


@pytest.mark.parametrize(
    ("out", "error", "text"),
    [
        ([[0] * 3] * 2, TypeError, "out: list"),
        (np.zeros((2, 3), np.int64), TypeError, "out: dtype int64"),
        (words(3, 2), ValueError, "out: shape (3, 2)"),
        (words(6), ValueError, "out: shape (6,)"),
        (words(3, 2).T, ValueError, "out: not C-contiguous"),
        (words(2, 6)[:, ::2], ValueError, "out: not C-contiguous"),
        (misaligned(6).reshape(2, 3), ValueError, "out: not C-contiguous"),
        (read_only(words(2, 3)), ValueError, "out: read-only"),
        (read_only(words(6)).reshape(2, 3), ValueError, "out: read-only"),
    ],
)
def test_results_that_do_not_suit(out: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as raised:
        output(out, (2, 3))
    assert str(raised.value) == f"{text}: expected a writeable, C-contiguous uint64 array of shape (2, 3)"


def test_plain_arrays() -> None:
    array = np.arange(3)
    assert plain_array("x", array, "numbers") is array
    assert plain_array("x", [[1, 2], [3, 4]], "numbers").tolist() == [[1, 2], [3, 4]]
    with pytest.raises(TypeError, match=r"^x: \[\[1\], \[2, 3\]\]: expected numbers$"):
        plain_array("x", [[1], [2, 3]], "numbers")
    with pytest.raises(TypeError, match=r"^x: <1 position>: expected numbers$"):
        plain_array("x", Positions.from_boards([Board()]), "numbers")


@pytest.mark.parametrize("dtype", ["f4", np.float32, np.dtype(np.float32)])
def test_names_of_dtypes(dtype: Any) -> None:
    assert dtype_of(dtype, "a dtype of floats") == np.dtype(np.float32)


@pytest.mark.parametrize("dtype", ["quux", 5, "(2,", ["f4"]])
def test_wrong_names_of_dtypes(dtype: Any) -> None:
    with pytest.raises(TypeError, match=r"^dtype: .*: expected a dtype of floats$"):
        dtype_of(dtype, "a dtype of floats")


def test_operands_are_copied_if_results_overwrite_them() -> None:
    memory = words(4)
    other = words(4)
    assert apart(other, memory) is other
    copied = apart(memory[1:], memory[:3])
    assert not np.shares_memory(copied, memory)
    assert copied.tolist() == [0, 0, 0]
