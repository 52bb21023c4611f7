"""Checks of the arguments of public functions, and their conversion to contiguous arrays of the right type."""

import contextlib
import operator
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rookery.kernel import U64

Boards = NDArray[np.uint64]
_Choice = TypeVar("_Choice")

UNIVERSE: Final = (1 << 64) - 1
MOST: Final = (1 << 63) - 1  # the greatest int64
BLOCK: Final = 8192  # positions that a pass over scattered operands gathers at once: 64 KiB of boards fit in the L2
MOST_THREADS: Final = max(64, 4 * (os.cpu_count() or 1))  # further threads would only take memory


def printable(text: str) -> str:
    r"""Replace each character that a terminal may obey or hide by an escape: controls, line breaks, directions.

    >>> printable("Anna \x1b[31m\n")
    'Anna \\x1b[31m\\n'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shown(value: object, most: int = 80) -> str:
    r"""Return `value` as errors quote it: its `repr` on one line, cut to about `most` characters and safe to print.

    >>> shown("e9")
    "'e9'"
    >>> shown("\x1b[31m")
    "'\\x1b[31m'"
    >>> shown("8/" * 1_000_000, 10)
    "'8/8/8/8/8/'... (2,000,000 characters)"
    >>> shown(list(range(100)), 10)
    '[0, 1, 2, ... (100 elements)'
    """
    size, unit = 0, "characters"
    # Long values are cut before `repr`, which writes at least one character for each character, byte or element.
    if isinstance(value, (str, bytes, bytearray)):
        if len(value) <= most:
            return printable(repr(value))
        unit = unit if isinstance(value, str) else "bytes"
        return f"{printable(repr(value[:most]))}... ({len(value):,} {unit})"
    if isinstance(value, (list, tuple)) and len(value) > most:
        size, unit, value = len(value), "elements", value[:most]
    elif isinstance(value, int) and value.bit_length() > 4 * most:
        return f"an int of {value.bit_length():,} bits"
    try:
        text = repr(value)
    except Exception as error:  # a foreign __repr__ may raise anything, and must not hide the error to be reported
        text = f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    text = printable(" ".join(text.split()))
    if len(text) <= most and not size:
        return text
    return f"{text[:most]}... ({size or len(text):,} {unit})"


def threads_to_start(threads: int, parts: int | None = None) -> int:
    """Return how many threads to start if `threads` are allowed.

    At most one for each part of the work, if the number of parts is known, and never more than the machine can use.

    >>> threads_to_start(8, 3)
    3
    >>> threads_to_start(2, 3)
    2
    """
    return max(min(threads, MOST_THREADS, threads if parts is None else parts), 1)


def is_number(value: Any) -> bool:
    """Check whether `value` is a single integer, not an array."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


U64_TYPE: Final = np.dtype(U64)
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


class Table:
    """A base of tables, which NumPy must not take for an array of objects.

    ``pandas.DataFrame(table)`` would have one column of them.
    """

    __slots__ = ()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        kind = type(self)
        methods = [name for name in ("to_pandas", "to_polars", "to_arrow", "to_numpy") if hasattr(kind, name)]
        columns = f"{', '.join(methods)} for its columns, " if methods else ""
        raise TypeError(f"{kind.__name__}: a table, not an array: expected a call of {columns}list for its rows")


class AnySquareSet(Protocol):
    """A set of squares that can change: a `SquareSet`, of this library or of python-chess."""

    def __index__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def discard(self, square: int) -> None:
        """Remove a square if it is in the set."""


def is_set(value: Any) -> bool:
    """Check whether `value` is a set of squares that is no number, such as a `SquareSet`, here or in python-chess."""
    return isinstance(value, Collection) and hasattr(type(value), "__index__") and not isinstance(value, np.ndarray)


def set_as_number(value: Any) -> Any:
    """Return the board of a set of squares as an int, and anything else as it is.

    >>> from rookery import SquareSet
    >>> set_as_number(SquareSet([0, 2]))
    5
    """
    return operator.index(value) if is_set(value) else value


def board_number(name: str, value: Any) -> int:
    """Return `value`, a board or a set of squares, as an int of 64 bits."""
    value = set_as_number(value)
    if not is_number(value):
        raise TypeError(f"{name}: {shown(value)}: expected a board, an int from 0 to 2**64 - 1")
    if not 0 <= value <= UNIVERSE:
        raise ValueError(f"{name}: {shown(int(value))} is outside 0 to 2**64 - 1")
    return int(value)


def int_array(name: str, value: Any, expected: str, *, sets: bool = False) -> NDArray[Any]:
    """Return `value` as an array of some integer type, without checking its range.

    With `sets`, elements of lists may be sets of squares.
    """
    is_array = isinstance(value, (list, tuple, np.ndarray, np.generic)) or hasattr(value, "__array__")
    if not is_array or isinstance(value, Table):
        raise TypeError(f"{name}: {shown(value)}: expected {expected}")
    if isinstance(value, (list, tuple)):
        # NumPy itself makes floats of [1, 2**63].
        value = np.array(value, dtype=object)
        if sets:
            value = np.frompyfunc(set_as_number, 1, 1)(value)
        if any(not is_number(element) for element in value.flat):
            raise TypeError(f"{name}: not a list of ints: expected {expected}")
        for kind in (np.int64, U64):
            try:
                return np.asarray(value.astype(kind))
            except OverflowError:
                continue
        bad = next(element for element in value.flat if not 0 <= element <= UNIVERSE)
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
        raise ValueError(f"{name}{at}: {array.flat[index]} is negative; expected boards from 0 to 2**64 - 1")
    return array.astype(U64, copy=False)


def square_array(name: str, value: Any) -> NDArray[Any]:
    """Return `value` as an array of some integer type. The kernel checks the range of arrays, see `bad_square`."""
    if is_number(value):
        if not 0 <= value <= 63:
            raise ValueError(f"{name}: {shown(int(value))} is off the board: expected 0 (a1) to 63 (h8)")
        return np.asarray(value, np.uint8)
    return int_array(name, value, "an int from 0 (a1) to 63 (h8), or an array of integers")


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
        f"{name}[{place(squares, index)}]: {squares.flat[index]} is off the board: expected 0 (a1) to 63 (h8)"
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


def choice(name: str, value: Any, table: Mapping[Any, _Choice]) -> _Choice:
    """Return the entry of a table for `value`."""
    if isinstance(value, (str, type(None))) and value in table:
        return table[value]
    raise ValueError(f"{name}: {shown(value)}: expected one of {', '.join(map(str, table))}")


def flag(name: str, value: Any) -> bool:
    """Return `value` as a bool: True or False, of Python or NumPy. Anything else, such as 0 and 1, is a TypeError.

    >>> flag("strict", np.True_)
    True
    """
    if value is True or value is False:
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    raise TypeError(f"{name}: {shown(value)}: expected True or False")


def not_a_board(name: str, value: Any, expected: str = "a rookery.Board") -> TypeError:
    """Return the error for what is not a board of ours; one of python-chess is named as such."""
    if type(value).__module__.partition(".")[0] == "chess" and hasattr(value, "fen"):
        return TypeError(
            f"{name}: {shown(value)}, a board of python-chess: expected {expected}: rookery.Board.from_chess makes one"
        )
    return TypeError(f"{name}: {shown(value)}: expected {expected}")


def text(name: str, value: Any, expected: str = "a text") -> str:
    """Return `value` if it is a str, else raise a TypeError."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: {shown(value)}: expected {expected}")
    return value


def mapping(name: str, value: Any, expected: str) -> Mapping[Any, Any]:
    """Return `value` if it is a mapping, such as a dict, else raise a TypeError."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}: {shown(value)}: expected {expected}")
    return value


def iterator(name: str, value: Any, expected: str) -> Iterator[Any]:
    """Return an iterator over `value`, or raise a TypeError if it has none."""
    try:
        return iter(value)
    except TypeError:
        raise TypeError(f"{name}: {shown(value)}: expected {expected}") from None


def callback(name: str, value: Any) -> Callable[[int, int], object]:
    """Return a function of the number of finished tasks and of all. For None, it does nothing.

    Raises TypeError for what cannot be called.
    """
    if value is None:
        return lambda done, total: None
    if not callable(value) or isinstance(value, type):
        raise TypeError(f"{name}: {shown(value)}: expected a function of two numbers")
    return cast(Callable[[int, int], object], value)


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


def count(name: str, value: Any, least: int, most: int = MOST) -> int:
    """Return `value` as an int from `least` to `most`.

    >>> count("size", np.int8(5), 1)
    5
    """
    if is_number(value) and least <= value <= most:
        return int(value)
    error = ValueError if is_number(value) else TypeError
    at_most = "" if most == MOST and not (is_number(value) and value > most) else f" and at most {most}"
    raise error(f"{name}: {shown(value)}: expected an int of at least {least}{at_most}")


def apart(array: NDArray[Any], out: Boards) -> NDArray[Any]:
    """Return `array`, copied if it shares memory with `out`.

    Loops are compiled for arrays that do not overlap.
    """
    return array.copy() if np.may_share_memory(array, out) else array
