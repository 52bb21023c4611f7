"""Arrow arrays that become columns: every type, nulls that have bytes, slices, and values that do not suit."""

import datetime
from typing import Any

import numpy as np
import pytest

from rookery.frames.columns import Numbers, Texts
from rookery.frames.reading import binary_column, column_of, columns_in, flat_lists, number_array, text_column, texts_of

pa = pytest.importorskip("pyarrow")

NAN = float("nan")
MIDNIGHT = datetime.datetime(2024, 10, 4)


def null_with_bytes(kind: Any) -> Any:
    """Return ["a", null, "d"], whose null has the bytes "bc"."""
    width = np.int64 if "large" in str(kind) else np.int32
    buffers = [pa.py_buffer(bytes([0b101])), pa.py_buffer(np.array([0, 1, 3, 4], width)), pa.py_buffer(b"abcd")]
    return pa.Array.from_buffers(kind, 3, buffers)


def numbers(array: Any, dtype: str | None = None) -> Numbers:
    """Return the column of an array, which has numbers."""
    column = column_of("x", array, dtype)
    assert isinstance(column, Numbers)
    return column


def texts(array: Any) -> Texts:
    """Return the column of an array, which has texts."""
    column = column_of("x", array)
    assert isinstance(column, Texts)
    return column


def list_of(column: Any) -> list[Any]:
    return list(column) if isinstance(column, Texts) else column.to_numpy().tolist()


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_texts(kind: Any) -> None:
    array = pa.array(["", None, "Ærø", "e4"], kind)
    column = texts(array)
    assert list(column) == ["", None, "Ærø", "e4"]
    assert column.offsets.tolist() == [0, 0, 0, 5, 7]
    assert list(texts(array.slice(1, 2))) == [None, "Ærø"]
    assert list(texts(array.slice(3))) == ["e4"]
    assert texts(array.slice(3)).offsets.tolist() == [0, 2]
    assert texts(array.slice(4)).size == 0
    assert list(text_column("x", pa.array([None, None], kind))) == [None, None]
    assert list(text_column("x", pa.array(["", ""], kind))) == ["", ""]


def test_texts_in_chunks_and_dictionaries() -> None:
    assert list(texts(pa.chunked_array([["a"], [], [None, "b"]]))) == ["a", None, "b"]
    assert list(texts(pa.chunked_array([], pa.string()))) == []
    assert list(texts(pa.array(["a", None, "a"]).dictionary_encode())) == ["a", None, "a"]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()])
def test_nulls_that_have_bytes(kind: Any) -> None:
    column = binary_column("x", null_with_bytes(kind))
    assert list(column) == ["a", None, "d"]
    assert column.offsets.tolist() == [0, 1, 1, 2]
    assert column.data.tobytes() == b"ad"
    assert list(binary_column("x", null_with_bytes(kind).slice(1))) == [None, "d"]


def test_a_null_with_bytes_among_empty_texts() -> None:
    offsets = pa.py_buffer(np.array([0, 0, 2, 2], np.int32))
    column = text_column(
        "x", pa.Array.from_buffers(pa.string(), 3, [pa.py_buffer(b"\x05"), offsets, pa.py_buffer(b"bc")])
    )
    assert list(column) == ["", None, ""]
    assert column.offsets.tolist() == [0, 0, 0, 0]
    assert column.data.size == 0


def test_bytes() -> None:
    for kind in (pa.binary(), pa.large_binary(), pa.string(), pa.string_view()):
        assert list(binary_column("x", pa.array([b"a", None, b"bc"], kind))) == ["a", None, "bc"]
    with pytest.raises(TypeError, match=r"^x: a column of int64: expected bytes$"):
        binary_column("x", pa.array([1]))
    with pytest.raises(TypeError, match=r"^x: a column of binary: expected texts$"):
        text_column("x", pa.array([b"a"]))


def test_nulls() -> None:
    array = pa.nulls(2)
    assert list(texts(array)) == [None, None]
    assert list(text_column("x", array)) == [None, None]
    missing = numbers(array, "i2")
    assert missing.values.tolist() == [0, 0]
    assert missing.values.dtype == np.int16
    assert not missing.valid.any()


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (pa.int8(), [-128, None, 127]),
        (pa.uint64(), [2**64 - 1, None, 0]),
        (pa.int64(), [1, 2, 3]),
        (pa.int64(), [None, None]),
        (pa.int64(), []),
        (pa.float32(), [0.5, None, -1.5]),
        (pa.float64(), [1.0, None]),
        (pa.bool_(), [True, None, False]),
        (pa.bool_(), [True, False]),
    ],
)
def test_numbers(kind: Any, values: list[Any]) -> None:
    array = pa.array(values, kind)
    for begin in range(len(values) + 1):
        column = numbers(array.slice(begin))
        assert column.values.dtype == kind.to_pandas_dtype()
        assert column.values.tolist() == [value or 0 for value in values[begin:]], "zero where a value is missing"
        assert column.valid.tolist() == [value is not None for value in values[begin:]]
    assert list_of(column_of("x", array.slice(0, 1))) == values[:1]


def test_nan_is_missing() -> None:
    column = numbers(pa.array([NAN, 0.5, None]))
    assert column.values.tolist() == [0, 0.5, 0]
    assert column.valid.tolist() == [False, True, False]
    assert column.values.flags.writeable


@pytest.mark.parametrize(
    ("values", "is_small"),
    [
        ([-(2**15), 2**15 - 1], True),
        ([-(2**15) - 1, 0], False),
        ([0, 2**15], False),
        ([1.0, NAN, -(2.0**15)], True),
        ([1.0, 2.0**15 - 1, None], True),
        ([1.0, 2.0**15], False),
        ([1.0, -(2.0**15) - 1], False),
        ([1.0, 0.5], False),
        ([True, False], False),
    ],
)
def test_whole_numbers_that_become_small(values: list[Any], is_small: bool) -> None:
    array = pa.array(values)
    column = numbers(array, "i2")
    assert column.values.dtype == (np.int16 if is_small else array.type.to_pandas_dtype())
    assert list_of(column) == [None if value is None or value != value else value for value in values]
    assert numbers(array).values.dtype == array.type.to_pandas_dtype()
    assert numbers(array, "f4").values.dtype == array.type.to_pandas_dtype()


@pytest.mark.parametrize(
    "kind",
    [pa.date32(), pa.date64(), *map(pa.timestamp, ("s", "ms", "us", "ns")), pa.timestamp("us", "UTC")],
)
def test_dates(kind: Any) -> None:
    array = pa.array([MIDNIGHT, None, datetime.datetime(1969, 12, 31)], pa.timestamp("s")).cast(kind)
    column = numbers(array)
    assert column.values.dtype == np.dtype("M8[D]")
    assert column.values.astype(int).tolist() == [20_000, 0, -1]
    assert column.valid.tolist() == [True, False, True]
    assert numbers(array.slice(2)).values.astype(int).tolist() == [-1]
    assert numbers(pa.nulls(2, kind)).valid.tolist() == [False, False]


@pytest.mark.parametrize("zone", [None, "UTC"])
def test_moments_that_are_not_dates(zone: str | None) -> None:
    moments = [MIDNIGHT, None, MIDNIGHT + datetime.timedelta(seconds=1), MIDNIGHT - datetime.timedelta(seconds=1)]
    with pytest.raises(ValueError, match=r"^x: row 2: 2024-10-04 00:00:01: expected a date, "):
        column_of("x", pa.array(moments, pa.timestamp("us", zone)))
    with pytest.raises(ValueError, match=r"^x: row 0: 2024-10-03 23:59:59: "):
        column_of("x", pa.array(moments[3:], pa.timestamp("s")))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("kind", ["duration", "time"])
def test_times(kind: str, unit: str) -> None:
    scale = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    if kind == "time":
        arrow_type = pa.time32(unit) if unit in ("s", "ms") else pa.time64(unit)
        raw = pa.int32() if unit in ("s", "ms") else pa.int64()
    else:
        arrow_type, raw = pa.duration(unit), pa.int64()

    def column(*values: int | None) -> Numbers:
        return numbers(pa.array(values, raw).cast(arrow_type))

    times = column(0, None, scale, 86_399 * scale)
    assert times.values.dtype == np.dtype("m8[s]")
    assert times.values.astype(int).tolist() == [0, 0, 1, 86_399]
    assert times.valid.tolist() == [True, False, True, True]
    if kind == "duration":
        for bad in [86_400 * scale, -scale]:
            with pytest.raises(ValueError, match=r"^x: row 1: .*: expected a time of the day in whole seconds$"):
                column(0, bad)
    if unit != "s":
        with pytest.raises(ValueError, match=r"^x: row 2: .*: expected a time of the day in whole seconds$"):
            column(0, None, scale + 1)


@pytest.mark.parametrize("array", [pa.array([[1]]), pa.array([{"a": 1}]), pa.array([b"a"])])
def test_types_that_are_no_column(array: Any) -> None:
    with pytest.raises(TypeError, match=r"^x: a column of .*: expected texts, numbers, truth values, dates or times$"):
        column_of("x", array)


def test_columns_of_tables() -> None:
    table = pa.table({"a": pa.chunked_array([[1], [2]]), "b": ["x", "y"]})
    for given in (table, table.combine_chunks().to_batches()[0]):
        columns = columns_in(given, ["b"])
        assert list(columns) == ["a", "b"]
        assert columns["a"].to_pylist() == [1, 2]
        assert not isinstance(columns["a"], pa.ChunkedArray)
    with pytest.raises(ValueError, match=r"^table: no column c, d: expected a, c, d$"):
        columns_in(table, ["a", "c", "d"])
    with pytest.raises(TypeError, match=r"^table: int: expected an Arrow table or record batch$"):
        columns_in(5, ["a"])


def test_arrays_of_numbers() -> None:
    array = number_array("x", pa.array([1, 2], pa.int8()), np.uint16)
    assert array.dtype == np.uint16
    assert array.tolist() == [1, 2]
    assert array.flags.writeable
    assert number_array("x", pa.array([1.0, NAN, None]), np.int16, -9).tolist() == [1, -9, -9]
    filled = number_array("x", pa.array([1, 2]), np.int8, 0)
    assert filled.dtype == np.int8
    assert filled.tolist() == [1, 2]
    for values, row in (([1, None, None], 1), ([NAN, 1.0], 0)):
        with pytest.raises(ValueError, match=f"^x: row {row}: null: expected a number$"):
            number_array("x", pa.array(values), np.int64)
    with pytest.raises(ValueError, match=r"^x: a column of int64: expected uint8: "):
        number_array("x", pa.array([1, 256]), np.uint8)
    for wrong in (["a"], [True], [datetime.date(2024, 1, 1)], [datetime.time(1)]):
        with pytest.raises(TypeError, match=r"^x: a column of .*: expected whole numbers$"):
            number_array("x", pa.array(wrong), np.int64)


@pytest.mark.parametrize("kind", [pa.list_, pa.large_list])
def test_lists(kind: Any) -> None:
    array = pa.array([[1, 2], [], [3]], kind(pa.int64()))
    for begin, expected in ((0, ([0, 2, 2, 3], [1, 2, 3])), (1, ([0, 0, 1], [3])), (3, ([0], []))):
        offsets, values = flat_lists("x", array.slice(begin))
        assert offsets.dtype == np.int64
        assert (offsets.tolist(), values.to_pylist()) == expected
    with_nulls = pa.array([None, [1, 2], None, [3]], kind(pa.int64()))
    offsets, values = flat_lists("x", with_nulls)
    assert (offsets.tolist(), values.to_pylist()) == ([0, 0, 2, 2, 3], [1, 2, 3])
    offsets, values = flat_lists("x", with_nulls.slice(1, 2))
    assert (offsets.tolist(), values.to_pylist()) == ([0, 2, 2], [1, 2])


def test_lists_of_other_kinds() -> None:
    offsets, values = flat_lists("x", pa.nulls(2))
    assert (offsets.tolist(), len(values)) == ([0, 0, 0], 0)
    offsets, values = flat_lists("x", pa.array([[("a", 1)], [("b", 2), ("c", 3)]], pa.map_(pa.string(), pa.int64())))
    assert offsets.tolist() == [0, 1, 3]
    assert values.to_pylist() == [{"key": "a", "value": 1}, {"key": "b", "value": 2}, {"key": "c", "value": 3}]
    with pytest.raises(TypeError, match=r"^x: a column of int64: expected lists$"):
        flat_lists("x", pa.array([1]))


@pytest.mark.parametrize("kind", [pa.ListArray, pa.LargeListArray])
def test_elements_of_a_list_that_is_null_are_left_out(kind: Any) -> None:
    array = kind.from_arrays([0, 2, 4, 5], pa.array([1, 2, 3, 4, 5]), mask=pa.array([True, False, False]))
    assert array.to_pylist() == [None, [3, 4], [5]]
    for part, offsets, elements in ((array, [0, 0, 2, 3], [3, 4, 5]), (array.slice(1), [0, 2, 3], [3, 4, 5])):
        found, values = flat_lists("x", part)
        assert found.tolist() == offsets
        assert values.to_pylist() == elements


def test_texts_of_objects() -> None:
    for texts in (
        ["a", None],
        np.array(["a", None], object),
        pa.array(["a", None]),
        pa.array(["a", None], pa.large_string()),
        pa.array(["a", None], pa.string_view()),
        pa.chunked_array([["a"], [None]]),
        pa.chunked_array([["a", None]]),
        pa.array(["a", None]).dictionary_encode(),
        pa.chunked_array([pa.array([text], pa.string()).dictionary_encode() for text in ("a", None)]),
    ):
        column = texts_of("fens", texts, "")
        assert column is not None
        assert list(column) == ["a", None]
    assert list(texts_of("fens", [None], "") or ()) == [None]
    assert texts_of("fens", ["a", object()], "") is None


def test_objects_that_are_not_texts() -> None:
    for wrong in ([1], pa.array([b"a"]), pa.chunked_array([[1.5]])):
        with pytest.raises(TypeError, match=r"^fens: a column of (int64|binary|double): expected texts$"):
            texts_of("fens", wrong, "; take a column")
    with pytest.raises(TypeError, match=r"^fens: a column of struct<a: int64>: expected texts; take a column$"):
        texts_of("fens", pa.table({"a": [1]}), "; take a column")
