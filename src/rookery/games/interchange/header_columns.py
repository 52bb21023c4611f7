"""Arrow arrays of any data frame library to columns of headers."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.frames.arrow import is_text, pyarrow_module, whole_array
from rookery.frames.columns import Numbers, Texts
from rookery.games.headers import HEADER_DTYPES, Header

_DTYPES: Final = {**HEADER_DTYPES, "date": "M8[D]"}
_DAY: Final = 86_400  # seconds


def header_column(name: str, array: Any) -> Header:
    """Return the column of a header from an Arrow array.

    The array may have texts, numbers, truth values, dates, times, durations or nulls; another type is a TypeError. NaN
    is a missing value. Ratings and rating differences become int16 if they are all whole numbers of that size, since
    data frames keep integers with gaps as floats. A timestamp that is not at midnight is a ValueError, and so is a
    duration of a day or more or with a fraction of a second.

    >>> import pyarrow
    >>> header_column("WhiteElo", pyarrow.array([2100.0, float("nan")])).to_numpy().tolist()
    [2100, None]
    >>> header_column("Accuracy", pyarrow.array([0.5, None])).to_numpy().tolist()
    [0.5, None]
    """
    pa = pyarrow_module()
    array = whole_array(array)
    kind = array.type
    if is_text(kind):
        return text_column(name, array)
    dtype = _DTYPES.get(name)
    if pa.types.is_null(kind):
        return _missing(dtype, len(array)) if dtype else Texts.of([None] * len(array))
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return _dates(pa, name, array)
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        return _times(pa, name, array)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        return _numbers(pa, array, dtype == "i2")
    raise TypeError(f"{name}: a column of {str(kind)[:80]}: expected texts, numbers, truth values, dates or times")


def text_column(name: str, array: Any) -> Texts:
    """Return a column of texts from an Arrow array of texts or nulls, in one chunk."""
    pa = pyarrow_module()
    if not (is_text(array.type) or pa.types.is_null(array.type)):
        raise TypeError(f"{name}: a column of {str(array.type)[:80]}: expected texts")
    return _bytes(array.cast(pa.large_string()).fill_null(""), _valid(array))


def binary_column(name: str, array: Any) -> Texts:
    """Return a column of bytes from an Arrow array of bytes or texts, in one chunk."""
    pa = pyarrow_module()
    types = pa.types
    if not (is_text(array.type) or types.is_binary(array.type) or types.is_large_binary(array.type)):
        raise TypeError(f"{name}: a column of {str(array.type)[:80]}: expected bytes")
    return _bytes(array.cast(pa.large_binary()).fill_null(b""), _valid(array))


def _bytes(array: Any, valid: NDArray[np.bool_]) -> Texts:
    if not len(array):
        return Texts(np.zeros(1, np.int64), np.zeros(0, np.uint8), valid)
    _, offsets, data = array.buffers()
    ends = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    text = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return Texts(ends - ends[0], text[ends[0] : ends[-1]], valid)


def _valid(array: Any) -> NDArray[np.bool_]:
    return np.array(array.is_valid().to_numpy(zero_copy_only=False), np.bool_)


def _missing(dtype: str, n: int) -> Numbers:
    return Numbers(np.zeros(n, dtype), np.zeros(n, np.bool_))


def _numbers(pa: Any, array: Any, small: bool) -> Numbers:
    """Return numbers in their own type, or as int16 if `small` is true and all fit."""
    valid = _valid(array)
    values = np.array(array.fill_null(False if pa.types.is_boolean(array.type) else 0).to_numpy(zero_copy_only=False))
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
        cut = np.flatnonzero(moments.fill_null(0).to_numpy(zero_copy_only=False) != _days(pa, days))
        if cut.size:
            value = moments[int(cut[0])].as_py()
            raise ValueError(f"{name}: row {cut[0]}: {value}: expected a date, without a time of the day")
        array = days
    return Numbers(_days(pa, array.cast(pa.date32())), valid)


def _days(pa: Any, array: Any) -> NDArray[Any]:
    days: NDArray[Any] = array.cast(pa.int32()).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return days.astype("M8[D]")


def _times(pa: Any, name: str, array: Any) -> Numbers:
    valid = _valid(array)
    unit = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[array.type.unit]
    integers = array.cast(pa.int32() if array.type.bit_width == 32 else pa.int64())
    values = integers.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    bad = np.flatnonzero((values % unit != 0) | (values < 0) | (values >= _DAY * unit))
    if bad.size:
        raise ValueError(
            f"{name}: row {bad[0]}: {array[int(bad[0])].as_py()}: expected a time of the day in whole seconds"
        )
    return Numbers((values // unit).astype("m8[s]"), valid)
