"""The functions of `bits` and `sets` check what Python hands over, and compiled code does not."""

import inspect
import types
from typing import Any

import numpy as np
import pytest

from rookery.bitboards import bits, sets
from rookery.bitboards.checked_kernels import checked_kernel
from rookery.kernel import U64, UNIVERSE, Bits, Square, entry


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: bits.file_mask(64), ValueError, r"s: 64: expected a square from 0 \(a1\) to 63 \(h8\)"),
        (lambda: bits.bit(np.array([3, 64])), ValueError, r"s\[1\]: 64: expected a square"),
        (lambda: bits.bit(U64(64)), ValueError, r"s: 64: expected a square"),
        (lambda: bits.bit(np.array([64], U64)), ValueError, r"s\[0\]: 64: expected a square"),
        (lambda: bits.fill_files("Q"), TypeError, "x: 'Q': expected the byte of a rank"),  # type: ignore[arg-type]
        (lambda: bits.fill_files(256), ValueError, "x: 256: expected the byte of a rank, from 0 to 255"),
        (lambda: bits.flip_vertical(1 << 64), ValueError, "x: 18446744073709551616: expected a board"),
        (lambda: bits.flip_vertical(-1), ValueError, "x: -1: expected a board"),
        (lambda: bits.reset_ls1b(np.array([1.5])), TypeError, "x: an array of float64: expected a board"),
        (lambda: bits.scan_by_direction(5, 2), ValueError, "reverse: 2: expected 0 or 1"),
        (
            lambda: sets.step(8, 5),
            ValueError,
            r"direction: 8: expected a direction from 0 \(north\) to 7 \(northwest\)",
        ),
        (lambda: sets.east_one(np.array([1, -2])), ValueError, r"b\[1\]: -2: expected a board"),
        (lambda: sets.east_one(True), TypeError, "b: True: expected a board"),
        (lambda: sets.east_one(), TypeError, "missing a required argument: 'b'"),  # type: ignore[call-overload]
        (lambda: bits.subset_array(-1), ValueError, r"mask: -1 is outside 0 to 2\*\*64 - 1"),
        (lambda: bits.subset_array((1 << 33) - 1), ValueError, "mask: .* has 33 squares: expected 32 at most"),
        (lambda: bits.serialize(-1), ValueError, "x: -1 is outside"),
        (lambda: bits.subsets(1.5), TypeError, "mask: 1.5: expected a board"),  # type: ignore[arg-type]
    ],
)
def test_wrong_arguments_are_named(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_all_whole_numbers_are_taken() -> None:
    assert bits.file_mask(1) == 0x0202020202020202
    assert bits.file_mask(s=1) == 0x0202020202020202  # type: ignore[call-overload]
    assert type(bits.file_mask(np.uint64(1))) is np.uint64
    assert type(bits.file_mask(np.int8(1))) is np.uint64
    for several in ([1, 2], (1, 2), np.array([1, 2]), np.array([1, 2], np.uint8), np.array([1, 2], U64)):
        answer = sets.east_one(several)
        assert answer.dtype == U64
        assert answer.tolist() == [2, 4]
    assert sets.step(np.arange(8), 1 << 28).shape == (8,)
    assert bits.bit(np.zeros((2, 3), np.int16)).shape == (2, 3)
    assert bits.bit([]).shape == (0,)


@pytest.mark.parametrize(
    ("kernel", "most"),
    [
        (bits.bit, 63),
        (bits.rank_to_h_file, 255),
        (bits.flip_vertical, UNIVERSE),
        (lambda reverse: bits.scan_by_direction(1, reverse), 1),
        (lambda direction: sets.step(direction, 1 << 28), 7),
    ],
)
def test_the_greatest_number_is_taken_and_the_next_is_not(kernel: Any, most: int) -> None:
    expected = kernel(most)
    assert kernel(U64(most)) == kernel(np.array(most, U64)) == kernel(np.array([0, most], U64))[1] == expected
    assert [kernel(0), int(kernel(U64(0)))] == [int(kernel([0])[0])] * 2
    for wrong in (-1, np.int64(-1), most + 1):
        with pytest.raises(ValueError, match=rf"^\w+: {wrong}: expected "):
            kernel(wrong)
        if wrong <= UNIVERSE:
            with pytest.raises(ValueError, match=rf"^\w+\[1\]: {wrong}: expected "):
                kernel([0, wrong])
    if most < 255:
        for kind in (np.uint8, np.int16, U64):
            with pytest.raises(ValueError, match=rf"^\w+: {most + 1}: expected "):
                kernel(kind(most + 1))
            with pytest.raises(ValueError, match=rf"^\w+\[1, 0\]: {most + 1}: expected "):
                kernel(np.array([[0, most], [most + 1, 0]], kind))


def test_every_kernel_of_both_modules_checks() -> None:
    for module in (bits, sets):
        for name, function in vars(module).items():
            if isinstance(function, types.FunctionType) and hasattr(function, "__wrapped__"):
                with pytest.raises(TypeError):
                    function(*[None] * len(inspect.signature(function).parameters))
                assert inspect.unwrap(function).__name__ == name


@entry
def masks(squares: Any, out: Any) -> None:
    for i in range(out.size):
        out[i] = bits.file_mask(squares[i])


def test_compiled_code_does_not_check() -> None:
    out = np.zeros(2, U64)
    masks.function(np.array([1, 2], U64), out)
    assert out.tolist() == [bits.file_mask(1), bits.file_mask(2)]
    code = masks.resolve(out, out)
    if inspect.unwrap(code) is masks.function:  # NUMBA_DISABLE_JIT, or no Numba: all is plain Python then
        return
    code(np.array([1, 65], U64), out)
    assert out.tolist() == [bits.file_mask(1), bits.file_mask(1)]


def test_annotations_say_what_is_checked() -> None:
    @checked_kernel
    def first_of(b: Bits, s: Square) -> Any:
        return (b >> s) & U64(1)

    assert first_of(4, 2) == 1
    with pytest.raises(ValueError, match="s: 64"):
        first_of(4, 64)

    def bare(b: int) -> int:
        return b

    with pytest.raises(TypeError, match="expected Bits, Square, Word or another kind"):
        checked_kernel(bare)
