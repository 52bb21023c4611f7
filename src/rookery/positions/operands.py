"""What callers hand over, made fit for compiled loops, or refused: columns, moves, sides."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import PLAIN, U64_TYPE, choice, is_number, plain_array, shown
from rookery.colours import read_colour
from rookery.positions.attacks import SIDES, Side
from rookery.positions.layout import Columns

_WRITEABLE: Final = 0x400
_BOTH: Final = {**SIDES, "both": None}


class Plain:
    """The memory of a read-only array, as that of Arrow and of mapped files is, shown to NumPy as writeable: Numba
    would compile every loop once more for read-only arrays. Nothing here writes to the columns of positions.
    """

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array  # whose memory it is
        interface = array.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}


def plain(array: NDArray[Any]) -> NDArray[Any]:
    """The same values in an array that is contiguous, aligned and writeable, copied only if they must be."""
    array = np.require(np.asarray(array), requirements=["C", "A"])
    return array if array.flags.writeable else np.asarray(Plain(array))


def checked_columns(columns: Any) -> Columns:
    """`columns` with nine plain arrays of uint64, all of one length; used as they lie where that can be."""
    if not isinstance(columns, Columns):
        raise TypeError(
            f"columns: {shown(columns)}: expected rookery.positions.layout.Columns; Positions.from_fens reads texts, "
            "Positions.from_boards takes boards, Positions.from_numpy arrays by name"
        )
    plainly = PLAIN | _WRITEABLE
    words = list(columns)
    for i, (name, array) in enumerate(zip(Columns._fields, columns, strict=True)):
        if not isinstance(array, np.ndarray) or array.dtype != np.uint64 or array.ndim != 1:
            raise TypeError(f"{name}: {_described(array)}: expected one dimension of uint64")
        if array.size != words[0].size:
            raise ValueError(f"{name}: {array.size} values, but {words[0].size} in {Columns._fields[0]}")
        if type(array) is not np.ndarray or array.dtype is not U64_TYPE or array.flags.num & plainly != plainly:
            words[i] = plain(array)
    return columns if all(map(_is, words, columns)) else Columns(*words)


def _is(a: object, b: object) -> bool:
    return a is b


def _described(array: Any) -> str:
    if not isinstance(array, np.ndarray):
        return type(array).__name__
    return f"an array of {array.dtype}" + ("" if array.ndim == 1 else f" and shape {array.shape}")


def apart_from(columns: Columns, out: NDArray[Any]) -> None:
    """Refuse an array to fill that shares memory with the columns: loops are compiled on the promise that it does
    not.
    """
    base = columns.pawns.base
    one = isinstance(base, np.ndarray) and all(column.base is base for column in columns)
    # Most columns are rows of one buffer: one look (0.3 us) instead of nine.
    suspected = not one or np.may_share_memory(out, base)
    if suspected and any(np.may_share_memory(out, column) for column in columns):
        raise ValueError("out: shares memory with the positions: expected an array apart from them")


def side_of(side: Any) -> Side:
    """The side that is meant: ``"us"``, ``"them"``, or a colour as every function takes it."""
    return choice("side", _named(side), SIDES)


def side_or_both(side: Any) -> Side | None:
    """The same, or None for ``"both"``."""
    return choice("side", _named(side), _BOTH)


def _named(side: Any) -> Any:
    if isinstance(side, (bool, np.bool_)):
        return "white" if read_colour(bool(side), "side") else "black"
    return side


def rows_of(name: str, index: Any, n: int, what: str, others: str = "an int, a slice") -> NDArray[np.int64]:
    """Which of `n` rows are meant by a boolean mask or an array of indices, as indices from 0 to ``n - 1``.

    A mask of another length and an index that is out of range are an IndexError, anything else a TypeError; `what` is
    what the rows are, and `others` what else the caller takes.
    """
    chosen = indices_of(name, index, n, what, others)
    outside = (chosen < -n) | (chosen >= n)
    if outside.any():
        i = int(np.argmax(outside))
        raise IndexError(f"{name}[{i}]: {chosen[i]} is outside the {n} {what}")
    chosen = chosen.astype(np.int64)
    return np.where(chosen < 0, chosen + n, chosen)


def indices_of(name: str, index: Any, n: int, what: str, others: str = "an int, a slice") -> NDArray[Any]:
    """The same without a look at their range, which takes 10 us: for those who index arrays, which look themselves."""
    expected = f"{others}, a boolean mask or a list of ints"
    chosen = np.ma.filled(index, False) if isinstance(index, np.ma.MaskedArray) else plain_array(name, index, expected)
    if chosen.size == 0 and chosen.dtype == np.float64:  # an empty list
        chosen = chosen.astype(np.int64)
    if chosen.ndim != 1 or chosen.dtype.kind not in "bui":
        raise TypeError(f"{name}: {shown(index)}: expected {expected}")
    if chosen.dtype.kind == "b":
        if chosen.size != n:
            raise IndexError(f"{name}: a mask of {chosen.size} values for {n} {what}")
        return np.flatnonzero(chosen)
    return chosen


def row_of(name: str, index: Any, n: int, what: str) -> int:
    """One of `n` rows, counted from the end if negative, as an index from 0 to ``n - 1``."""
    if not is_number(index):
        raise TypeError(f"{name}: {shown(index)}: expected an int")
    if not -n <= index < n:
        raise IndexError(f"{name}: {shown(int(index))} is outside the {n} {what}")
    return int(index) % n


def words_of(name: str, values: Any, shape: tuple[int, ...], dtype: type[np.integer[Any]]) -> NDArray[Any]:
    """Moves or indices, one for each position, as a plain array of `dtype`."""
    expected = "integers, words like those of Move" if dtype is np.uint16 else "integers"
    array = plain_array(name, values, expected)
    if array.size == 0:
        array = array.astype(dtype)  # an empty list is one of floats
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: an array of {array.dtype}: expected {expected}")
    if array.shape != shape:
        raise ValueError(f"{name}: shape {array.shape}: expected {shape}, one for each position")
    small, great = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    strange = (array < small) | (array > great)
    if strange.any():
        i = int(np.argmax(strange))
        raise ValueError(f"{name}[{i}]: {array[i]}: expected {small} to {great}")
    return plain(array.astype(dtype, copy=False))
