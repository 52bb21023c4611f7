"""Columns as Arrow arrays and tables, arrays in one chunk, and checks of tables of other programs."""

import datetime
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rookery.frames.arrow import (
    ArrowTable,
    arrow_column,
    as_table,
    cast_column,
    categorical_column,
    check_sound,
    check_table,
    column_names,
    has_arrow_interface,
    is_text,
    list_column,
    new_writer,
    sound,
    struct_column,
    table_of,
    whole_array,
)
from rookery.frames.columns import Categorical, Lists, Numbers, Texts

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

NAN = float("nan")
ALL = np.ones(3, bool)
GAP = np.array([True, False, True])
MANY = np.arange(19) % 3 != 1  # more than two bytes of bits


@pytest.mark.parametrize(
    ("column", "kind", "values"),
    [
        (Texts.of(["a", None, "Ærø"]), pa.string(), ["a", None, "Ærø"]),
        (Texts.of(["a", None, "Ærø"]).cut(1, 3), pa.string(), [None, "Ærø"]),
        (Texts(np.array([1, 2, 4]), np.frombuffer(b"abcde", np.uint8), ALL[:2]), pa.string(), ["b", "cd"]),
        (Texts.of([]), pa.string(), []),
        (Categorical(np.array([1, 0], np.int32), ("a", "b")), pa.string(), ["b", "a"]),
        (Categorical(np.zeros(0, np.int32), ()), pa.string(), []),
        (Numbers(np.array([1, 2, 3], np.int16), ALL), pa.int16(), [1, 2, 3]),
        (Numbers(np.array([1, 2, 3], np.uint64), GAP), pa.uint64(), [1, None, 3]),
        (Numbers(np.array([0.5, 1, NAN]), GAP[::-1]), pa.float64(), [0.5, None, NAN]),
        (Numbers(np.array([True, True, False]), GAP), pa.bool_(), [True, None, False]),
        (Numbers(np.arange(19, dtype=np.int8), MANY), pa.int8(), [i if i % 3 != 1 else None for i in range(19)]),
        (Numbers(np.array([0, 9, -1], "M8[D]"), GAP), pa.date32(), ["1970-01-01", None, "1969-12-31"]),
        (Numbers(np.array([0, 9, 86_399], "m8[s]"), GAP), pa.time32("s"), ["00:00:00", None, "23:59:59"]),
        (Numbers(np.arange(6)[::2], ALL), pa.int64(), [0, 2, 4]),
        (np.ma.MaskedArray([1, 2], [False, True]), pa.int64(), [1, None]),
        (np.ma.MaskedArray([1, 2]), pa.int64(), [1, 2]),
        (np.array([1, 2], np.uint8), pa.uint8(), [1, 2]),
        (np.array([True, False]), pa.bool_(), [True, False]),
        (np.array([1.0, NAN], np.float32), pa.float32(), [1.0, None]),
        (np.array([0, "NaT"], "M8[D]"), pa.date32(), ["1970-01-01", None]),
        (np.array([1, "NaT"], "m8[s]"), pa.time32("s"), ["00:00:01", None]),
        (np.array(["a", ""]), pa.string(), ["a", ""]),
        (np.array(["a", None], object), pa.string(), ["a", None]),
        (np.array([b"a", b"bc"]), pa.string(), ["a", "bc"]),
        (pa.array([1, 2]), pa.int64(), [1, 2]),
        (np.arange(6, dtype=np.int8).reshape(2, 3), pa.list_(pa.int8(), 3), [[0, 1, 2], [3, 4, 5]]),
        (np.arange(8).reshape(2, 2, 2), pa.list_(pa.int64(), 4), [[0, 1, 2, 3], [4, 5, 6, 7]]),
        (Lists(np.array([0, 2, 2]), {"n": np.array([4, 5])}), pa.list_(pa.int64()), [[4, 5], []]),
        (Lists(np.array([0, 1, 1, 2]), {"n": np.array([4, 5])}, GAP), pa.list_(pa.int64()), [[4], None, [5]]),
        (
            Lists(np.array([0, 1, 1]), {"n": np.array([4]), "t": Texts.of(["a"])}),
            pa.list_(pa.struct([("n", pa.int64()), ("t", pa.string())])),
            [[{"n": 4, "t": "a"}], []],
        ),
    ],
)
def test_columns(column: Any, kind: Any, values: list[Any]) -> None:
    array = arrow_column(column)
    array.validate(full=True)
    assert array.type == kind
    found = [str(value) if isinstance(value, datetime.date | datetime.time) else value for value in array.to_pylist()]
    assert repr(found) == repr(values)
    assert array.null_count == sum(value is None for value in values)


def test_types_of_texts() -> None:
    for column in (np.array(["a", "b"]), np.array(["a", "b"], object), Texts.of(["a", "b"])):
        binary = arrow_column(column, pa.binary())
        assert binary.type == pa.binary()
        assert binary.to_pylist() == [b"a", b"b"]


def test_numbers_are_not_copied() -> None:
    values = np.arange(5, dtype=np.int32)
    for column in (Numbers(values, np.arange(5) != 2), np.ma.MaskedArray(values, values == 2)):
        assert arrow_column(column).buffers()[1].address == values.ctypes.data
    assert arrow_column(Numbers(values, values >= 0)).buffers()[0] is None, "no bits where no value is missing"


def test_tables_and_structures() -> None:
    columns = {"n": np.array([1, 2]), "t": Texts.of(["a", None])}
    assert struct_column(columns).to_pylist() == [{"n": 1, "t": "a"}, {"n": 2, "t": None}]
    table = table_of(columns)
    assert table.column_names == ["n", "t"]
    assert table.to_pydict() == {"n": [1, 2], "t": ["a", None]}


def test_lists() -> None:
    values = pa.array([7, 8, 9])
    for valid in (None, ALL):
        array = list_column(np.array([0, 1, 1, 3]), values, valid)
        array.validate(full=True)
        assert array.to_pylist() == [[7], [], [8, 9]]
    array = list_column(np.array([0, 1, 1, 3]), values, GAP)
    array.validate(full=True)
    assert array.to_pylist() == [[7], None, [8, 9]]
    assert array.null_count == 1


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_categories(kind: Any) -> None:
    column = categorical_column("x", pa.array(["b", "a", "b"], kind))
    assert (column.names, column.codes.tolist()) == (("b", "a"), [0, 1, 0])
    column = categorical_column("x", pa.array(["b", None, "", None], kind))
    assert (column.names, column.codes.tolist()) == (("b", ""), [0, 1, 1, 1])


def test_categories_of_other_arrays() -> None:
    assert list(categorical_column("x", pa.nulls(2))) == ["", ""]
    assert list(categorical_column("x", pa.array(["a", None]).dictionary_encode())) == ["a", ""]
    assert list(categorical_column("x", pa.chunked_array([["a"], ["b", "a"]]))) == ["a", "b", "a"]
    with pytest.raises(TypeError, match=r"^x: a column of int64: expected texts$"):
        categorical_column("x", pa.array([1]))


@pytest.mark.parametrize(
    ("array", "values"),
    [
        (pa.array([1, None]), [1, None]),
        (pa.chunked_array([[1, 2]]), [1, 2]),
        (pa.chunked_array([[1], [], [2]]), [1, 2]),
        (pa.chunked_array([], pa.int8()), []),
        (pa.chunked_array([pa.array([1], pa.int8()).slice(1)]), []),
        (pa.array(["a", "b", None, "a"]).dictionary_encode(), ["a", "b", None, "a"]),
        (pa.array([5, 6, 5]).dictionary_encode(), [5, 6, 5]),
        (pa.array(["a", "b"], pa.string_view()), ["a", "b"]),
        (pa.DictionaryArray.from_arrays(pa.array([1, 0]), pa.array(["a", "b"], pa.string_view())), ["b", "a"]),
        (pa.chunked_array([pa.array([t]).dictionary_encode() for t in "ab"]), ["a", "b"]),
        (pa.chunked_array([], pa.dictionary(pa.int32(), pa.string())), []),
    ],
)
def test_arrays_in_one_chunk(array: Any, values: list[Any]) -> None:
    whole = whole_array(array)
    assert isinstance(whole, pa.Array)
    assert not isinstance(whole, pa.ChunkedArray)
    assert not pa.types.is_dictionary(whole.type)
    assert whole.to_pylist() == values


def test_types_that_are_texts() -> None:
    assert [is_text(kind) for kind in (pa.string(), pa.large_string(), pa.string_view())] == [True] * 3
    assert [is_text(kind) for kind in (pa.binary(), pa.null(), pa.int8(), pa.large_binary())] == [False] * 4


def test_other_types() -> None:
    assert cast_column("x", pa.array([1, None]), pa.int8()).to_pylist() == [1, None]
    with pytest.raises(ValueError, match=r"^x: a column of int64: expected int8: "):
        cast_column("x", pa.array([300]), pa.int8())
    with pytest.raises(ValueError, match=r"^x: a column of int64: expected scores: "):
        cast_column("x", pa.array([300]), pa.int8(), "scores")
    with pytest.raises(TypeError, match=r"^x: a column of list<item: int64>: expected int8$"):
        cast_column("x", pa.array([[1]]), pa.int8())
    with pytest.raises(TypeError, match=r"^x: a column of list<item: int64>: expected scores$"):
        cast_column("x", pa.array([[1]]), pa.int8(), "scores")


class Stream:
    """An object that offers a table."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return pa.table({"n": [1, 2]}).__arrow_c_stream__(requested_schema)


class Structure:
    """An object that offers a record batch."""

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        return pa.record_batch({"n": [1, 2]}).__arrow_c_array__(requested_schema)


def test_tables_of_other_libraries() -> None:
    for plain in (pa.table({"n": [1]}), pa.record_batch({"n": [1]})):
        assert as_table(plain) is plain
    for other in (Stream(), Structure()):
        assert has_arrow_interface(other)
        check_table(other)
        assert as_table(other).to_pydict() == {"n": [1, 2]}
    assert not has_arrow_interface([1])
    for check in (check_table, as_table):
        with pytest.raises(TypeError, match=r"^table: list: expected an Arrow table or record batch$"):
            check([1])


def test_objects_with_a_table() -> None:
    class Pair(ArrowTable):
        def to_arrow(self) -> Any:
            return pa.table({"n": [1, 2]})

    assert pa.table(Pair()).to_pydict() == {"n": [1, 2]}
    with pytest.raises(NotImplementedError):
        ArrowTable().to_arrow()


def latin_1(kind: Callable[[str], Any]) -> Any:
    """Return a schema with a name whose only byte is not a text in UTF-8."""
    stream = pa.schema([kind("\u00ff")]).serialize().to_pybytes()
    return pa.ipc.read_schema(pa.BufferReader(stream.replace("\u00ff".encode(), b"\xff\x00")))


def test_names_of_columns() -> None:
    schema = pa.schema([("a", pa.int8()), ("b", pa.struct([("c", pa.list_(pa.int8()))]))])
    assert column_names(schema) == ["a", "b"]


@pytest.mark.parametrize(
    "field",
    [
        lambda name: pa.field(name, pa.int8()),
        lambda name: pa.field("a", pa.struct([pa.field("b", pa.int8()), pa.field(name, pa.int8())])),
        lambda name: pa.field("a", pa.list_(pa.struct([pa.field(name, pa.int8())]))),
    ],
)
def test_names_that_are_not_utf_8(field: Any) -> None:
    with pytest.raises(ValueError, match=r"^table: a column has a name that is not UTF-8$"):
        column_names(latin_1(field))


def test_damaged_tables() -> None:
    good = pa.table({"t": ["a", "b"]})
    assert sound(good) is good
    check_sound(good)
    offsets = pa.py_buffer(np.array([0, 99, 2], np.int32))
    bad = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"ab")])
    for damaged in (bad, pa.table({"t": bad})):
        with pytest.raises(ValueError, match=r"^table: damaged: "):
            check_sound(damaged)
        with pytest.raises(pa.ArrowInvalid):
            sound(damaged)
    not_utf_8 = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(np.array([0, 1], np.int32)), pa.py_buffer(b"\xff")]
    )
    with pytest.raises(ValueError, match=r"^table: damaged: .*UTF"):
        check_sound(not_utf_8)


def test_writers() -> None:
    table = pa.table({"n": [1, 2]})
    packed, plain = io.BytesIO(), io.BytesIO()
    for file, is_parquet in ((packed, True), (plain, False)):
        with new_writer(file, table.schema, parquet=is_parquet) as writer:
            writer.write_table(table)
    opened = parquet.ParquetFile(io.BytesIO(packed.getvalue()))
    assert opened.read().equals(table)
    assert opened.metadata.row_group(0).column(0).compression == "ZSTD"
    assert pa.ipc.open_file(plain.getvalue()).read_all().equals(table)


@pytest.mark.parametrize("valid", [None, np.array([True, True, True]), np.array([True, False, True])])
def test_lists_among_other_values(valid: Any) -> None:
    offsets = np.array([2, 3, 3, 5])
    values = [[2], [] if valid is None or valid[1] else None, [3, 4]]
    found = arrow_column(Lists(offsets, {"n": np.arange(7)}, valid))
    found.validate(full=True)
    assert found.to_pylist() == values
    assert len(found.flatten()) == 3
    both = arrow_column(Lists(offsets, {"n": np.arange(7), "t": Texts.of(list("abcdefg"))}, valid))
    letters = [[{"n": n, "t": "abcdefg"[n]} for n in row] if row is not None else None for row in values]
    assert both.to_pylist() == letters
    assert list_column(offsets, pa.array(range(7)), valid).to_pylist() == values


def test_more_values_than_offsets_of_32_bits_reach() -> None:
    with pytest.raises(ValueError, match="a column of 2,147,483,648 values or bytes of text: Arrow's lists and texts"):
        list_column(np.array([5, 5 + (1 << 31)]), pa.nulls(5 + (1 << 31)))
    longest = list_column(np.array([5, 4 + (1 << 31)]), pa.nulls(5 + (1 << 31)))
    assert len(longest.flatten()) == (1 << 31) - 1
