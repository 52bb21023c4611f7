"""Public calls: ints, arrays, what mixes, what is refused."""

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import rookery
from rookery import Bitboard, verify
from rookery.arguments import BLOCK

U64 = np.uint64
T = rookery.technique("kogge-stone")
RNG = np.random.default_rng(3)


def boards(*shape: int) -> NDArray[np.uint64]:
    return RNG.integers(0, 1 << 64, shape, dtype=U64)


def expected(squares: Any, occupied: Any) -> NDArray[np.uint64]:
    """The oracle, element by element."""
    pairs = np.broadcast(squares, occupied)
    values = [verify.oracle("queen", int(s), int(o)) for s, o in pairs]
    return np.array(values, U64).reshape(pairs.shape)


@given(st.integers(0, 63), st.integers(0, 2**64 - 1))
@settings(deadline=None)  # the first call compiles
def test_two_ints_give_a_bitboard(square: int, occupied: int) -> None:
    answer = T.queen(square, occupied)
    assert type(answer) is Bitboard
    assert answer == verify.oracle("queen", square, occupied)


def test_numpy_scalars_are_ints_too() -> None:
    answer = T.rook(np.int8(3), np.uint64(2**63))
    assert type(answer) is Bitboard
    assert answer == T.rook(3, 2**63) == T.rook(3, Bitboard(2**63))


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i4", ">u8"]
)
def test_squares_of_any_integer_type(dtype: str) -> None:
    squares, occupied = np.arange(64).astype(dtype), boards(64)
    assert np.array_equal(T.queen(squares, occupied), expected(squares, occupied))


@pytest.mark.parametrize(
    ("squares", "occupied"),
    [
        (5, boards(7)),
        (np.arange(7), 12345),
        (np.arange(64)[:, None], boards(9)),
        (np.arange(3), boards(2, 3)),
        (np.arange(6).reshape(2, 3)[:, ::-1], boards(2, 6)[:, ::2]),
        (np.arange(6).reshape(2, 3).T, boards(2, 3).T),
        (np.array(5), boards(2)),
        (np.array(9), np.array(77, U64)),
        ([1, 2, 3], [0, 2**63, 2**64 - 1]),
        (np.arange(0), boards(0)),
        (np.zeros((0, 4), int), boards(4)),
        (np.arange(4), np.arange(4)),
        (np.arange(4), np.arange(4, dtype=np.uint8)),
        (np.arange(4), np.arange(4, dtype=">u8")),
    ],
)
def test_arrays_broadcast(squares: Any, occupied: Any) -> None:
    answer = T.queen(squares, occupied)
    assert isinstance(answer, np.ndarray)
    assert answer.dtype == U64
    assert np.array_equal(answer, expected(squares, np.asarray(occupied, U64)))


def test_scattered_operands_longer_than_a_block() -> None:
    occupied = boards(3 * BLOCK + 17)
    one = T.queen(27, occupied)
    assert np.array_equal(one, T.queen(np.full(len(occupied), 27), occupied))
    assert np.array_equal(T.queen(np.arange(64)[:, None], occupied)[27], one)
    assert np.array_equal(T.queen(27, occupied[::-2]), one[::-2])


def test_unaligned_arrays() -> None:
    packed = np.zeros(5, np.dtype([("pad", "u1"), ("board", "<u8")]))
    packed["board"] = boards(5)
    assert not packed["board"].flags.aligned
    assert np.array_equal(T.queen(9, packed["board"]), expected(9, packed["board"]))


def test_read_only_inputs_stay_as_they_are() -> None:
    squares, occupied = np.arange(64), boards(64)
    copies = squares.copy(), occupied.copy()
    squares.flags.writeable = occupied.flags.writeable = False
    T.queen(squares, occupied)
    assert np.array_equal(squares, copies[0])
    assert np.array_equal(occupied, copies[1])


def test_out_is_filled_and_returned() -> None:
    squares, occupied, out = np.arange(6).reshape(2, 3), boards(3), np.zeros((2, 3), U64)
    assert T.queen(squares, occupied, out) is out
    assert np.array_equal(out, expected(squares, occupied))
    zero_d = np.zeros((), U64)
    assert T.queen(3, 4, out=zero_d) is zero_d
    assert zero_d == T.queen(3, 4)


def test_out_may_be_an_operand() -> None:
    squares, occupied = np.arange(64), boards(64)
    answer = expected(squares, occupied)
    assert np.array_equal(T.queen(squares, occupied, out=occupied), answer)
    long = boards(65)
    answer = expected(squares, long[:64])
    assert np.array_equal(T.queen(squares, long[:64], out=long[1:]), answer)


@pytest.mark.parametrize(
    ("square", "occupied", "error", "message"),
    [
        (64, 0, ValueError, r"square: 64 is off the board: expected 0 \(a1\) to 63 \(h8\)"),
        (-1, 0, ValueError, "square: -1 is off the board"),
        (10**30, 0, ValueError, "square: 10+ is off"),
        (0, -1, ValueError, r"occupied: -1 is outside 0 to 2\*\*64 - 1"),
        (0, 2**64, ValueError, "occupied: 18446744073709551616 is outside"),
        (64, np.zeros(2, U64), ValueError, "square: 64 is off"),
        (np.array([3, 64]), 0, ValueError, r"square\[1\]: 64 is off the board"),
        (np.array([[3, 5], [-7, 1]]), 0, ValueError, r"square\[1, 0\]: -7 is off the board"),
        (np.array([3, 255], np.uint8), 0, ValueError, r"square\[1\]: 255"),
        (np.array([3, 2**64 - 1], U64), 0, ValueError, r"square\[1\]: 18446744073709551615"),
        (np.array([0, 1, 64, 3])[::-1], boards(4), ValueError, r"square\[1\]: 64"),
        (np.array(64), 0, ValueError, "square: 64 is off"),
        (np.arange(2), -5, ValueError, "occupied: -5 is outside"),
        (0, np.array([1, -2]), ValueError, r"occupied\[1\]: -2 is negative"),
        (0, np.array([[1, 2], [3, -4]], np.int8), ValueError, r"occupied\[1, 1\]: -4 is negative"),
        (0, [1, 2**64], ValueError, "occupied: 18446744073709551616 is outside"),
        (0, [1, -1, 2**63], ValueError, "occupied: -1 is outside"),
        (np.arange(3), boards(4), ValueError, r"shapes that do not broadcast: square \(3,\), occupied \(4,\)"),
        (1.0, 0, TypeError, "square: 1.0: expected an int from 0"),
        ("e4", 0, TypeError, "square: 'e4': expected an int"),
        (None, 0, TypeError, "square: None"),
        (True, 0, TypeError, "square: True: expected an int"),
        (0, 1.5, TypeError, "occupied: 1.5: expected an int from 0"),
        (0, "start", TypeError, "occupied: 'start'"),
        (0, b"x", TypeError, "occupied: b'x'"),
        (np.array([1.0]), 0, TypeError, "square: an array of float64"),
        (0, np.array([1.0]), TypeError, "occupied: an array of float64: expected an int from 0 to"),
        (0, np.array(["a"]), TypeError, "occupied: an array of <U1"),
        (0, np.array([True]), TypeError, "occupied: an array of bool"),
        (0, [1, 2.5], TypeError, "occupied: not a list of ints"),
        (0, np.array([2**70], object), TypeError, "occupied: an array of object"),
    ],
)
def test_bad_input_is_named(square: Any, occupied: Any, error: type[Exception], message: str) -> None:
    for name in ("kogge-stone", "pext", "rotated-hyatt"):
        with pytest.raises(error, match=message):
            rookery.technique(name).queen(square, occupied)
    with pytest.raises(error, match=message):
        rookery.rook_attacks(square, occupied)


READ_ONLY = np.zeros(4, U64)
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        ([0, 0, 0, 0], TypeError, "out: list: expected a writeable, C-contiguous uint64 array of shape"),
        (np.zeros(4, np.int64), TypeError, "out: dtype int64"),
        (np.zeros(4, ">u8"), TypeError, "out: dtype >u8"),
        (np.zeros(5, U64), ValueError, r"out: shape \(5,\): expected .* of shape \(4,\)"),
        (np.zeros((4, 1), U64), ValueError, "out: shape"),
        (np.zeros(8, U64)[::2], ValueError, "out: not C-contiguous"),
        (READ_ONLY, ValueError, "out: read-only"),
    ],
)
def test_bad_out_is_named(out: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        T.queen(np.arange(4), 0, out=out)
    with pytest.raises(error, match=message):
        rookery.fill("north", np.arange(4), 0, out=out)
    with pytest.raises(error, match=message):
        rookery.knight_attacks(np.arange(4), out=out)


def test_lines_and_rays_take_arrays() -> None:
    t = rookery.technique("classical")
    squares, occupied = np.arange(64), boards(64)
    both = t.rank(squares, occupied) | t.file(squares, occupied)
    assert np.array_equal(both, t.rook(squares, occupied))
    both = t.diagonal(squares, occupied) | t.antidiagonal(squares, occupied)
    assert np.array_equal(both, t.bishop(squares, occupied))
    up = t.ray("north", squares, occupied) | t.ray("south", squares, occupied)
    assert np.array_equal(up, t.file(squares, occupied))


def test_a_tuple_is_an_array_unless_it_is_a_state() -> None:
    pair = (0x0100, 0x1234)
    for name in ("kogge-stone", "pext", "rotated-hyatt"):
        t = rookery.technique(name)
        assert t.rook(5, pair).tolist() == [int(t.rook(5, board)) for board in pair]
        assert t.rook((5, 6), pair).tolist() == [int(t.rook(5, pair[0])), int(t.rook(6, pair[1]))]
        state = t.prepare(0x1234)
        assert t.rook(5, state) == t.rook(5, 0x1234)
        assert t.rook(5, t.toggle(state, 3)) == t.rook(5, 0x1234 ^ 8)
    assert rookery.rook_attacks(5, pair).shape == (2,)
    rotated, plain = rookery.technique("rotated-hyatt"), rookery.technique("kogge-stone")
    strangers: list[Any] = [rookery.Placement.from_fen("8/8/8/8/8/8/8/8"), rotated.prepare(0)]
    for stranger in strangers:
        with pytest.raises(TypeError, match=r"^occupied: .*: expected a board, an int"):
            plain.rook(5, stranger)
        with pytest.raises(TypeError, match=r"^state: .*: expected"):
            plain.toggle(stranger, 5)
    for stranger in (strangers[0], pair, (0, 0, 0, 0), 7, "x"):
        with pytest.raises(TypeError, match=r"^state: .*: expected a state that 'rotated-hyatt' has prepared"):
            rotated.toggle(stranger, 5)
    with pytest.raises(ValueError, match=r"^state: -1 is outside"):
        plain.toggle(-1, 5)


# Set-wise.


def test_fill_and_ray_attacks_take_ints_and_arrays() -> None:
    assert rookery.fill("north", 1, 0x0101_0101_0101_0100) == 0x0101_0101_0101_0101
    assert type(rookery.fill("north", 1, 0)) is Bitboard
    assert rookery.ray_attacks("northwest", 0x80, ~0 & 2**64 - 1, technique="dumb7fill").names()[-1] == "a8"
    sliders, empty = boards(3, 1) & boards(3, 1), boards(4)
    for direction in rookery.DIRECTIONS:
        fills = rookery.fill(direction, sliders, empty)
        assert fills.shape == (3, 4)
        assert fills[2, 3] == rookery.fill(direction, int(sliders[2, 0]), int(empty[3]), technique="dumb7fill")
        out = np.zeros((3, 4), U64)
        assert rookery.ray_attacks(direction, sliders, empty, out=out) is out
        assert out[1, 2] == rookery.ray_attacks(direction, int(sliders[1, 0]), int(empty[2]))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("up", 0, 0), ValueError, "direction: 'up'"),
        (("north", -1, 0), ValueError, "sliders: -1"),
        (("north", 0, 2**64), ValueError, "empty: 18446744073709551616"),
        (("north", np.array([1, -1]), 0), ValueError, r"sliders\[1\]: -1 is negative"),
        (("north", 1.0, 0), TypeError, "sliders: 1.0"),
        (("north", boards(2), boards(3)), ValueError, "do not broadcast: sliders"),
        (("north", 0, 0, "kogge"), ValueError, "did you mean 'kogge-stone'"),
        (("north", 0, 0, "pext"), ValueError, "'pext' has no set-wise fill"),
    ],
)
def test_bad_fills_are_named(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        rookery.fill(*arguments)
    with pytest.raises(error, match=message):
        rookery.ray_attacks(*arguments)


def test_the_gil_is_released() -> None:
    """A thread of plain Python goes on while a long array is answered."""
    occupied = np.zeros(1 << 23, U64)
    out = np.empty_like(occupied)
    t = rookery.technique("rays")
    squares = np.zeros(1 << 23, np.uint8)
    t.queen(squares[:1], occupied[:1])
    answering = threading.Event()
    ticks = 0

    def count() -> None:
        nonlocal ticks
        answering.wait()
        while answering.is_set():
            ticks += 1

    thread = threading.Thread(target=count)
    thread.start()
    answering.set()
    t.queen(squares, occupied, out)
    answering.clear()
    thread.join()
    # With the GIL held the thread could tick only before the loop starts and after it ends.
    assert ticks > 20_000


def test_errors_about_a_long_name_are_short() -> None:
    for ask in (lambda: rookery.technique("x" * 10**7), lambda: rookery.perft("x" * 10**7, 1)):
        with pytest.raises(ValueError, match=r"xxx'\.\.\. \(10,000,000 characters\)") as error:
            ask()
        assert len(str(error.value)) < 1000
