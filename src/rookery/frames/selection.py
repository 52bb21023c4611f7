"""Selections of rows: ints, boolean masks and arrays of indices, checked."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import is_number, shown
from rookery.frames.array_arguments import plain_array


def rows_of(name: str, index: Any, n: int, what: str, others: str = "an int, a slice") -> NDArray[np.int64]:
    """Return the rows that a boolean mask or an array of indices selects, as indices from 0 to ``n - 1``.

    A mask of the wrong length and an index out of range raise IndexError, anything else TypeError. `what` is the plural
    noun for the rows, and `others` lists what else the caller accepts.
    """
    chosen = indices_of(name, index, n, what, others)
    outside = (chosen < -n) | (chosen >= n)
    if outside.any():
        i = int(np.argmax(outside))
        raise IndexError(f"{name}[{i}]: {chosen[i]} is outside the {n} {what}")
    chosen = chosen.astype(np.int64)
    return np.where(chosen < 0, chosen + n, chosen)


def indices_of(name: str, index: Any, n: int, what: str, others: str = "an int, a slice") -> NDArray[Any]:
    """Return the selected indices like `rows_of`, but without checking their range.

    That check takes 10 us, and callers that index arrays with the result get it from NumPy.
    """
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
    """Return one of `n` rows as an index from 0 to ``n - 1``; negative indices count from the end."""
    if not is_number(index):
        raise TypeError(f"{name}: {shown(index)}: expected an int")
    if not -n <= index < n:
        raise IndexError(f"{name}: {shown(int(index))} is outside the {n} {what}")
    return int(index) % n
