"""Conversion of arguments to contiguous arrays of the right type, and checks of arrays for results."""

import contextlib
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rookery.arguments import UNIVERSE, Table, board_number, is_number, is_set, set_as_number, shown
from rookery.kernel import U64

Boards: TypeAlias = NDArray[np.uint64]
# Several squares or boards: functions return an array.
Integers: TypeAlias = NDArray[np.integer[Any]] | Sequence[int] | Sequence[Sequence[int]]

U64_TYPE: Final = np.dtype(U64)
SQUARE_TYPES: Final = (np.dtype(np.uint8), np.dtype(np.int64))  # of arrays of squares, those that machine code takes
# Flags of arrays that machine code can read (C-contiguous and aligned) or write (writeable, too).
PLAIN: Final = 0x1 | 0x100
_PLAIN_AND_WRITEABLE: Final = PLAIN | 0x400


def is_apart(out: Any, square: NDArray[Any], occupied: Boards) -> bool:
    """Check, fast, whether `out` suits the results as it is and shares no memory with the operands."""
    return (
        type(out) is np.ndarray
        and out.dtype is U64_TYPE
        and out.shape == occupied.shape
        and out.flags.num & _PLAIN_AND_WRITEABLE == _PLAIN_AND_WRITEABLE
        and not np.may_share_memory(out, square)
        and not np.may_share_memory(out, occupied)
    )


def readable(text: Any) -> Any:
    """Return the bytes of a buffer as a read-only array, so that one compiled function serves all buffers."""
    signs = np.frombuffer(text, np.uint8) if len(text) else np.empty(0, np.uint8)
    signs.flags.writeable = False
    return signs


def int_array(name: str, value: Any, expected: str, *, sets: bool = False) -> NDArray[Any]:
    """Return `value` as an array of some integer type, without checking its range.

    With `sets`, elements of lists may be sets of squares.
    """
    is_array = isinstance(value, (list, tuple, np.ndarray, np.generic)) or hasattr(value, "__array__")
    if not is_array or isinstance(value, Table):
        raise TypeError(f"{name}: {shown(value)}: expected {expected}")
    if isinstance(value, (list, tuple)):
        # NumPy itself makes floats of [1, 2**63].
        try:
            value = np.array(value, dtype=object)
        except ValueError:  # arrays of different shapes
            raise TypeError(f"{name}: not a list of ints: expected {expected}") from None
        if sets:
            value = np.frompyfunc(set_as_number, 1, 1)(value)
        if any(not is_number(element) for element in value.ravel()):
            raise TypeError(f"{name}: not a list of ints: expected {expected}")
        for kind in (np.int64, U64):
            try:
                return np.asarray(value.astype(kind))
            except OverflowError:
                continue
        bad = next(element for element in value.ravel() if not 0 <= element <= UNIVERSE)
        raise ValueError(f"{name}: {shown(bad)} is outside 0 to 2**64 - 1")
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: an array of {array.dtype}: expected {expected}")
    if array.dtype.byteorder not in "=|" or not array.flags.aligned:
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def board_array(name: str, value: Any) -> Boards:
    """Return `value` as an array of uint64. Boards may be ints or sets of squares."""
    if is_number(value) or is_set(value):
        return np.asarray(board_number(name, value), U64)
    array = int_array(name, value, "an int from 0 to 2**64 - 1, or an array of uint64", sets=True)
    if array.dtype.kind == "i" and array.size and array.min() < 0:
        index = int(np.argmin(array >= 0)) if array.ndim else 0
        at = f"[{place(array, index)}]" if array.ndim else ""
        raise ValueError(f"{name}{at}: {array.ravel()[index]} is negative; expected boards from 0 to 2**64 - 1")
    return array.astype(U64, copy=False)


def square_array(name: str, value: Any) -> NDArray[Any]:
    """Return `value` as an array of some integer type. The kernel checks the range of arrays, see `bad_square`."""
    if is_number(value):
        if not 0 <= value <= 63:
            raise ValueError(f"{name}: {shown(int(value))} is off the board: expected 0 (a1) to 63 (h8)")
        return np.asarray(value, np.uint8)
    return int_array(name, value, "an int from 0 (a1) to 63 (h8), or an array of integers")


def converted_squares(squares: NDArray[Any]) -> NDArray[Any]:
    """Return squares in a type that machine code takes. A word that is too large for it becomes a negative number."""
    return squares if squares.dtype in SQUARE_TYPES else squares.astype(np.int64)


def place(array: NDArray[Any], index: int) -> str:
    """Return the indices of an array's element, given its flat index, as errors write them."""
    return ", ".join(str(int(i)) for i in np.unravel_index(index, array.shape))


def bad_square(name: str, squares: NDArray[Any]) -> ValueError:
    """Return the error for an array in which a kernel met a square off the board."""
    off = (squares < 0) | (squares > 63)
    if not squares.ndim:
        return ValueError(f"{name}: {squares} is off the board: expected 0 (a1) to 63 (h8)")
    index = int(np.argmax(off))
    return ValueError(
        f"{name}[{place(squares, index)}]: {squares.ravel()[index]} is off the board: expected 0 (a1) to 63 (h8)"
    )


def common_shape(**arrays: NDArray[Any]) -> tuple[int, ...]:
    """Return the shape to which the arrays broadcast."""
    try:
        return np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"shapes that do not broadcast: {shapes}") from None


def output(out: Any, shape: tuple[int, ...], dtype: DTypeLike = U64) -> NDArray[Any]:
    """Return a new array for the results, or the caller's own after a check."""
    if out is None:
        return np.empty(shape, dtype)
    if (
        type(out) is np.ndarray
        and out.dtype == dtype
        and out.shape == shape
        and out.flags.num & _PLAIN_AND_WRITEABLE == _PLAIN_AND_WRITEABLE
    ):
        return out
    expected = f"expected a writeable, C-contiguous {np.dtype(dtype)} array of shape {shape}"
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out: {type(out).__name__}: {expected}")
    if out.dtype != dtype:
        raise TypeError(f"out: dtype {out.dtype}: {expected}")
    if out.shape != shape:
        raise ValueError(f"out: shape {out.shape}: {expected}")
    if not out.flags.c_contiguous or not out.flags.aligned:
        raise ValueError(f"out: not C-contiguous: {expected}")
    if not out.flags.writeable:
        raise ValueError(f"out: read-only: {expected}")
    return out


def plain_array(name: str, value: Any, expected: str) -> NDArray[Any]:
    """Return `value` as NumPy converts it to an array; lists of different lengths, and tables, are a TypeError."""
    with contextlib.suppress(ValueError):
        if not isinstance(value, Table):
            return np.asarray(value)
    raise TypeError(f"{name}: {shown(value)}: expected {expected}")


def dtype_of(dtype: Any, expected: str) -> np.dtype[Any]:
    """Return the dtype that an argument `dtype` names."""
    try:
        found: np.dtype[Any] = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError):
        raise TypeError(f"dtype: {shown(dtype)}: expected {expected}") from None
    return found


def apart(array: NDArray[Any], out: Boards) -> NDArray[Any]:
    """Return `array`, copied if it shares memory with `out`.

    Loops are compiled for arrays that do not overlap.
    """
    return array.copy() if np.may_share_memory(array, out) else array
