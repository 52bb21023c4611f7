"""Hashes of 64 bits of rows of Arrow tables: equal values have equal hashes, in whatever batch they are."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.bitboards.bits import SPLITMIX_STEP, mixed
from rookery.frames.arrow import compute_module, is_text, pyarrow_module, whole_array

_FACTOR: Final = 0x5851F42D4C957F2D  # of the polynomial of a text; odd, so it has an inverse
_INVERSE: Final = pow(_FACTOR, -1, 1 << 64)
_NULL: Final = 0x2545F4914F6CDD1D
_PIECE: Final = 1 << 16  # bytes of texts that are hashed at once


def hashes_of(batch: Any, names: Sequence[str], seed: int = 0) -> NDArray[np.uint64]:
    """Return a hash of the values of some columns in each row of a record batch, which `seed` changes.

    Numbers are hashed by their value, so a column may be int32 in one batch and int64 in another. NaN is null, and -0
    is 0. A column of lists or structures is a TypeError.
    """
    found = np.full(batch.num_rows, mixed(np.uint64(seed)), np.uint64)
    for name in names:
        found = mixed(found * np.uint64(_FACTOR) ^ _column(name, whole_array(batch.column(name))))
    return found


def expression_of(name: str) -> str:
    """Return the name of a column, or the expression of a hidden one, whose name begins with a number."""
    return name.partition(" ")[2] if name.startswith("\x1f") else name


def normal(name: str, array: Any) -> Any:
    """Return a column as keys have it: without dictionaries, NaN as null, -0 as 0. A TypeError if it cannot be one.

    Half floats become float32, since pyarrow neither adds nor compares them.
    """
    pa, pc = pyarrow_module(), compute_module()
    array = whole_array(array)
    types = pa.types
    if types.is_float16(array.type):
        array = array.cast(pa.float32())
    if types.is_floating(array.type):
        array = pc.add(array, pa.scalar(0, array.type))
        return pc.if_else(pc.is_nan(array), pa.scalar(None, array.type), array)
    if types.is_nested(array.type):
        raise TypeError(f"{name}: a column of {shown(str(array.type))}: expected numbers, texts, dates or truth values")
    return array


def _column(name: str, array: Any) -> NDArray[np.uint64]:
    """Return a hash of each value of a column."""
    pa, pc = pyarrow_module(), compute_module()
    array = normal(name, array)
    types, kind = pa.types, array.type
    if types.is_null(kind):
        return np.full(len(array), _NULL, np.uint64)
    valid = None if not array.null_count else np.asarray(pc.is_valid(array))
    if is_text(kind) or types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        found = _texts(array)
    else:
        if types.is_floating(kind):
            words = array.cast(pa.float64()).fill_null(0).to_numpy(zero_copy_only=False).view(np.uint64)
        elif types.is_integer(kind) or types.is_boolean(kind):
            numbers = array.cast(pa.int8()) if types.is_boolean(kind) else array
            words = numbers.fill_null(0).to_numpy(zero_copy_only=False).astype(np.uint64)
        else:  # dates and times
            wide = pa.int32() if kind.bit_width == 32 else pa.int64()
            words = array.view(wide).fill_null(0).to_numpy(zero_copy_only=False).astype(np.uint64)
        found = mixed(words)
    return found if valid is None else np.where(valid, found, np.uint64(_NULL))


def _texts(array: Any) -> NDArray[np.uint64]:
    """Return a hash of each text: a polynomial of its bytes, modulo 2**64."""
    pa = pyarrow_module()
    array = array.cast(pa.large_binary()) if not pa.types.is_fixed_size_binary(array.type) else array
    if pa.types.is_fixed_size_binary(array.type):
        return _fixed(array)
    _, ends, data = array.buffers()
    offsets = np.frombuffer(ends, np.int64, len(array) + 1, array.offset * 8)
    text = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    out = np.empty(len(array), np.uint64)
    start = 0
    while start < out.size:
        stop = max(int(np.searchsorted(offsets, offsets[start] + _PIECE, "right")) - 1, start + 1)
        out[start:stop] = _polynomials(text, offsets[start : stop + 1])
        start = stop
    return out


def _polynomials(text: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.uint64]:
    first, size = int(offsets[0]), int(offsets[-1] - offsets[0])
    powers, inverses = _powers(_FACTOR, size), _powers(_INVERSE, size + 1)
    sums = np.zeros(size + 1, np.uint64)
    np.cumsum((text[first : first + size].astype(np.uint64) + np.uint64(1)) * powers, out=sums[1:])
    places = offsets - first
    lengths = np.diff(places).astype(np.uint64)
    return mixed((sums[places[1:]] - sums[places[:-1]]) * inverses[places[:-1]] + lengths * np.uint64(SPLITMIX_STEP))


_kept_powers: Final[dict[int, NDArray[np.uint64]]] = {}


def _powers(factor: int, n: int) -> NDArray[np.uint64]:
    """Return the first `n` powers of a factor, modulo 2**64."""
    known = _kept_powers.get(factor)
    if known is None or known.size < n:
        known = np.full(max(n, _PIECE + 1), factor, np.uint64)
        known[0] = 1
        _kept_powers[factor] = known = np.multiply.accumulate(known)
    return known[:n]


def _fixed(array: Any) -> NDArray[np.uint64]:
    """Return a hash of each of some bytes of one length."""
    size = array.type.byte_width
    data = np.frombuffer(array.buffers()[1], np.uint8, len(array) * size, array.offset * size).reshape(-1, size)
    if size % 8:
        data = np.pad(data, ((0, 0), (0, -size % 8)))
    words = np.ascontiguousarray(data).view(np.uint64)
    found = np.full(len(array), size, np.uint64)
    for i in range(words.shape[1]):
        found = mixed(found * np.uint64(_FACTOR) ^ words[:, i])
    return found
