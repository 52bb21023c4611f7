"""Checks and conversions of what callers pass: columns, moves, indices and sides."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import choice, shown
from rookery.bitboards.colours import read_colour
from rookery.frames.array_arguments import PLAIN, U64_TYPE, plain_array
from rookery.positions.layout import SIDES, Columns, Side

_WRITEABLE: Final = 0x400
_REQUIRED: Final = PLAIN | _WRITEABLE
_BOTH: Final = {**SIDES, "both": None}


class Plain:
    """A read-only array's memory, presented to NumPy as writeable.

    The memory of Arrow and of mapped files is read-only, and Numba would compile every loop once more for read-only
    arrays. No loop writes to the columns of positions.
    """

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array  # keeps the memory alive
        interface = array.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}


def plain(array: NDArray[Any]) -> NDArray[Any]:
    """Return the same values in a contiguous, aligned, writeable array, copied only if necessary."""
    array = np.require(np.asarray(array), requirements=["C", "A"])
    return array if array.flags.writeable else np.asarray(Plain(array))


def checked_columns(columns: Any) -> Columns:
    """Return `columns` as nine plain arrays of uint64 of one length, copied only where necessary."""
    if not isinstance(columns, Columns):
        raise TypeError(
            f"columns: {shown(columns)}: expected rookery.positions.layout.Columns; Positions.from_fens reads texts, "
            "Positions.from_boards takes boards, Positions.from_numpy takes arrays by name"
        )
    n = getattr(columns.pawns, "size", 0)
    if all(_is_plain(array, n) for array in columns):  # nearly always
        return columns
    arrays = list(columns)
    for i, (name, array) in enumerate(zip(Columns._fields, columns, strict=True)):
        if not isinstance(array, np.ndarray) or array.dtype != np.uint64 or array.ndim != 1:
            raise TypeError(f"{name}: {_description(array)}: expected one dimension of uint64")
        if array.size != n:
            raise ValueError(f"{name}: {array.size} values, but {n} in {Columns._fields[0]}")
        if not _is_plain(array, n):
            arrays[i] = plain(array)
    return Columns(*arrays)


def _is_plain(array: Any, n: int) -> bool:
    """Check whether an array is what compiled code takes: `n` words, contiguous, aligned and writeable."""
    return (
        type(array) is np.ndarray
        and array.dtype is U64_TYPE
        and array.shape == (n,)
        and array.flags.num & _REQUIRED == _REQUIRED
    )


def _description(array: Any) -> str:
    if not isinstance(array, np.ndarray):
        return type(array).__name__
    return f"an array of {array.dtype}" + ("" if array.ndim == 1 else f" and shape {array.shape}")


def check_no_overlap(columns: Columns, out: NDArray[Any]) -> None:
    """Refuse an output array that shares memory with the columns.

    The loops are compiled on the promise that arrays do not overlap.
    """
    base = columns.pawns.base
    one_buffer = isinstance(base, np.ndarray) and all(column.base is base for column in columns)
    # Most columns are rows of one buffer: one test (0.3 us) instead of nine.
    may_overlap = not one_buffer or np.may_share_memory(out, base)
    if may_overlap and any(np.may_share_memory(out, column) for column in columns):
        raise ValueError("out: shares memory with the positions: expected separate memory")


def side_of(side: Any) -> Side:
    """Return the side that `side` names: ``"us"``, ``"them"``, or a colour in any form that functions accept."""
    return choice("side", _side_name(side), SIDES)


def side_name(side: Any) -> str:
    """Return ``"us"``, ``"them"``, ``"white"`` or ``"black"`` for what `side_of` takes."""
    return choice("side", _side_name(side), {name: name for name in SIDES})


def side_or_both(side: Any) -> Side | None:
    """Return the side that `side` names, or None for ``"both"``."""
    return choice("side", _side_name(side), _BOTH)


def _side_name(side: Any) -> Any:
    if isinstance(side, (bool, np.bool_)):
        return "white" if read_colour(bool(side), "side") else "black"
    return side


def words_of(name: str, values: Any, shape: tuple[int, ...], dtype: type[np.integer[Any]]) -> NDArray[Any]:
    """Return moves or indices, one for each position, as a plain array of `dtype`."""
    expected = "integers, words like those of Move" if dtype is np.uint16 else "integers"
    array = plain_array(name, values, expected)
    if array.size == 0:
        array = array.astype(dtype)  # NumPy makes floats of an empty list
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: an array of {array.dtype}: expected {expected}")
    if array.shape != shape:
        raise ValueError(f"{name}: shape {array.shape}: expected {shape}, one for each position")
    least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    outside = (array < least) | (array > most)
    if outside.any():
        i = int(np.argmax(outside))
        raise ValueError(f"{name}[{i}]: {array[i]}: expected {least} to {most}")
    return plain(array.astype(dtype, copy=False))
