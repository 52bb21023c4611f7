"""Arrow arrays of any data frame library to columns of tables."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.frames import arrow
from rookery.frames.columns import Numbers, Texts

_DAY: Final = 86_400  # seconds


def column_of(name: str, array: Any, dtype: str | None = None) -> Numbers | Texts:
    """Return the column of an Arrow array of texts, numbers, truth values, dates, times, durations or nulls.

    Another type is a TypeError. NaN is a missing value. `dtype` is what a column of nulls becomes, if it has no texts;
    if it is ``i2``, whole numbers of that size become int16, since data frames keep integers with gaps as floats. A
    timestamp that is not at midnight is a ValueError, and so is a duration of a day or more or with a fraction of a
    second.

    >>> import pyarrow
    >>> column_of("WhiteElo", pyarrow.array([2100.0, float("nan")]), "i2").to_numpy().tolist()
    [2100, None]
    >>> column_of("Accuracy", pyarrow.array([0.5, None])).to_numpy().tolist()
    [0.5, None]
    """
    pa = arrow.pyarrow_module()
    array = arrow.whole_array(array)
    kind = array.type
    if arrow.is_text(kind):
        return text_column(name, array)
    if pa.types.is_null(kind):
        return _missing(dtype, len(array)) if dtype else Texts.of([None] * len(array))
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return _dates(pa, name, array)
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        return _times(name, array)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        return _numbers(pa, array, dtype == "i2")
    raise TypeError(f"{name}: a column of {str(kind)[:80]}: expected texts, numbers, truth values, dates or times")


def columns_in(table: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return the columns of a table or of any object with Arrow's C interface by name, each in one chunk.

    A ValueError names the columns of `names` that are missing, or says what is damaged.
    """
    table = arrow.as_table(table)
    found = arrow.column_names(table.schema)
    if missing := [name for name in names if name not in found]:
        raise ValueError(f"table: no column {', '.join(missing)}: expected {', '.join(names)}")
    arrow.check_sound(table)
    return {name: arrow.whole_array(table.column(name)) for name in found}


def number_array(name: str, array: Any, dtype: Any, missing: Any = None) -> NDArray[Any]:
    """Return a column of whole numbers as an array of a dtype, with the value `missing` for nulls, if nulls may be."""
    pa = arrow.pyarrow_module()
    column = column_of(name, array)
    if isinstance(column, Texts) or column.values.dtype.kind not in "iuf":
        raise TypeError(f"{name}: a column of {str(array.type)[:80]}: expected whole numbers")
    if missing is None and not column.valid.all():
        raise ValueError(f"{name}: row {int(np.argmin(column.valid))}: null: expected a number")
    values = arrow.cast_column(name, pa.array(column.values), pa.from_numpy_dtype(np.dtype(dtype))).to_numpy()
    return np.where(column.valid, values, missing).astype(dtype) if missing is not None else np.array(values)


def flat_lists(name: str, lists: Any) -> tuple[NDArray[np.int64], Any]:
    """Return the offsets and the elements of a column of lists of any kind; a null is an empty list."""
    pa = arrow.pyarrow_module()
    if pa.types.is_null(lists.type):
        lists = lists.cast(pa.list_(pa.null()))
    if not (pa.types.is_list(lists.type) or pa.types.is_large_list(lists.type) or pa.types.is_map(lists.type)):
        raise TypeError(f"{name}: a column of {lists.type}: expected lists")
    if pa.types.is_map(lists.type):
        lists = lists.cast(pa.list_(pa.struct([("key", lists.type.key_type), ("value", lists.type.item_type)])))
    if not lists.null_count:
        offsets = lists.offsets.to_numpy(zero_copy_only=False).astype(np.int64)
        return offsets - offsets[0], lists.flatten()
    offsets = np.zeros(len(lists) + 1, np.int64)
    lengths = arrow.compute_module().list_value_length(lists).fill_null(0)
    np.cumsum(lengths.to_numpy(zero_copy_only=False), out=offsets[1:])
    return offsets, lists.flatten()


def text_column(name: str, array: Any) -> Texts:
    """Return a column of texts from an Arrow array of texts or nulls, in one chunk."""
    pa = arrow.pyarrow_module()
    if not (arrow.is_text(array.type) or pa.types.is_null(array.type)):
        raise TypeError(f"{name}: a column of {str(array.type)[:80]}: expected texts")
    return _bytes(pa, array if _has_offsets(pa, array.type) else array.cast(pa.large_string()))


def texts_of(name: str, texts: Any, hint: str) -> Texts | None:
    """Return the column of an Arrow array, or of a list or an array of texts, with None for missing ones.

    Return None if pyarrow is missing, or cannot convert the objects. A table is a TypeError with a hint.
    """
    try:
        pa = arrow.pyarrow_module()
    except ModuleNotFoundError:
        return None
    try:
        array = pa.chunked_array(texts) if hasattr(texts, "__arrow_c_stream__") else pa.array(texts)
    except pa.ArrowException:
        return None
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if not (arrow.is_text(kind) or pa.types.is_null(kind)):
        more = hint if pa.types.is_struct(kind) else ""
        raise TypeError(f"{name}: a column of {str(kind)[:80]}: expected texts{more}")
    if isinstance(array, pa.ChunkedArray) and array.num_chunks > 1 and kind == array.type:
        array = array.cast(pa.large_string())  # has 64-bit offsets, so that chunks of any size can be combined
    return text_column(name, arrow.whole_array(array))


def binary_column(name: str, array: Any) -> Texts:
    """Return a column of bytes from an Arrow array of bytes or texts, in one chunk."""
    pa = arrow.pyarrow_module()
    types = pa.types
    if not (arrow.is_text(array.type) or types.is_binary(array.type) or types.is_large_binary(array.type)):
        raise TypeError(f"{name}: a column of {str(array.type)[:80]}: expected bytes")
    return _bytes(pa, array if _has_offsets(pa, array.type) else array.cast(pa.large_binary()))


# Values are read from Arrow's buffers. Each function of Arrow takes some microseconds with Python's lock and allocates
# its result; a table has some forty columns, and with two threads such calls took three times as long as with one.


def _has_offsets(pa: Any, kind: Any) -> bool:
    """Check whether the arrays of a type have a buffer of offsets and one of bytes."""
    types = pa.types
    small = types.is_string(kind) or types.is_binary(kind)
    return bool(small or types.is_large_string(kind) or types.is_large_binary(kind))


def _bytes(pa: Any, array: Any) -> Texts:
    """Return the texts of an array with offsets; a null is an empty text."""
    valid = _valid(array)
    if not len(array) or array.null_count == len(array):
        return Texts(np.zeros(len(array) + 1, np.int64), np.zeros(0, np.uint8), valid)
    is_small = pa.types.is_string(array.type) or pa.types.is_binary(array.type)
    _, offsets, data = array.buffers()
    ends = np.frombuffer(offsets, np.int32 if is_small else np.int64)[array.offset : array.offset + len(array) + 1]
    if array.null_count and np.diff(ends)[~valid].any():  # Arrow lets a null have bytes
        found = _bytes(pa, array.fill_null("" if arrow.is_text(array.type) else b""))
        return Texts(found.offsets, found.data, valid)
    text = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return Texts(ends.astype(np.int64) - int(ends[0]), text[ends[0] : ends[-1]], valid)


def _valid(array: Any) -> NDArray[np.bool_]:
    if array.null_count in (0, len(array)):
        return np.full(len(array), not array.null_count)
    bits = np.unpackbits(np.frombuffer(array.buffers()[0], np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].view(np.bool_)


def _values(array: Any, dtype: Any, valid: NDArray[np.bool_]) -> NDArray[Any]:
    """Return a copy of the numbers of an array whose elements have this dtype in memory; nulls are 0."""
    if array.null_count == len(array):
        return np.zeros(len(array), dtype)
    values = np.frombuffer(array.buffers()[1], dtype)[array.offset : array.offset + len(array)].copy()
    if array.null_count:
        values[~valid] = 0
    return values


def _missing(dtype: str, n: int) -> Numbers:
    return Numbers(np.zeros(n, dtype), np.zeros(n, np.bool_))


def _numbers(pa: Any, array: Any, small: bool) -> Numbers:
    """Return numbers in their own type, or as int16 if `small` is true and all fit."""
    valid = _valid(array)
    if pa.types.is_boolean(array.type):  # a bit each
        values = np.array(array.fill_null(False).to_numpy(zero_copy_only=False))
    else:
        values = _values(array, array.type.to_pandas_dtype(), valid)
    if values.dtype.kind == "f":
        valid &= ~np.isnan(values)
        values[~valid] = 0
    if small and values.dtype.kind in "iuf":
        limits = np.iinfo(np.int16)
        fits = (values >= limits.min) & (values <= limits.max)
        if fits.all() and (values.dtype.kind != "f" or (values == np.trunc(values)).all()):
            values = values.astype(np.int16)
    return Numbers(values, valid)


def _dates(pa: Any, name: str, array: Any) -> Numbers:
    valid = _valid(array)
    if pa.types.is_timestamp(array.type):
        moments = array.cast(pa.timestamp(array.type.unit))  # in UTC, if it has a time zone
        days = moments.cast(pa.date32())
        cut = np.flatnonzero(moments.fill_null(0).to_numpy(zero_copy_only=False) != _days(days, valid))
        if cut.size:
            value = moments[int(cut[0])].as_py()
            raise ValueError(f"{name}: row {cut[0]}: {value}: expected a date, without a time of the day")
        array = days
    return Numbers(_days(array if array.type == pa.date32() else array.cast(pa.date32()), valid), valid)


def _days(array: Any, valid: NDArray[np.bool_]) -> NDArray[Any]:
    return _values(array, np.int32, valid).astype(np.int64).view("M8[D]")


def _times(name: str, array: Any) -> Numbers:
    valid = _valid(array)
    unit = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[array.type.unit]
    values = _values(array, np.int32 if array.type.bit_width == 32 else np.int64, valid).astype(np.int64)
    bad = np.flatnonzero((values % unit != 0) | (values < 0) | (values >= _DAY * unit))
    if bad.size:
        raise ValueError(
            f"{name}: row {bad[0]}: {array[int(bad[0])].as_py()}: expected a time of the day in whole seconds"
        )
    return Numbers((values // unit).astype("m8[s]"), valid)
