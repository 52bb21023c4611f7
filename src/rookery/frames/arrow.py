"""Arrow tables and arrays of any library, and the only imports of pyarrow, which is an optional dependency."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import Table
from rookery.frames.columns import Categorical, Lists, Numbers, Texts
from rookery.lazy_imports import Named

if TYPE_CHECKING:
    import pandas
    import polars
else:
    polars = Named("polars")
    pandas = Named("pandas")


def pyarrow_module() -> Any:
    """Import pyarrow, or raise an error that says how to install it."""
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise ModuleNotFoundError("Arrow tables need pyarrow: pip install pyarrow", name="pyarrow") from None
    return pyarrow


def compute_module() -> Any:
    """Import pyarrow.compute, or raise an error that says how to install pyarrow."""
    pyarrow_module()
    import pyarrow.compute

    return pyarrow.compute


def csv_module() -> Any:
    """Import pyarrow.csv, or raise an error that says how to install pyarrow."""
    pyarrow_module()
    import pyarrow.csv

    return pyarrow.csv


def json_module() -> Any:
    """Import pyarrow.json, or raise an error that says how to install pyarrow."""
    pyarrow_module()
    import pyarrow.json

    return pyarrow.json


def ipc_module() -> Any:
    """Import pyarrow.ipc, or raise an error that says how to install pyarrow."""
    pyarrow_module()
    import pyarrow.ipc

    return pyarrow.ipc


def parquet_module() -> Any:
    """Import pyarrow.parquet, or raise an error that says how to install pyarrow."""
    pyarrow_module()
    import pyarrow.parquet

    return pyarrow.parquet


def polars_frame(table: Any) -> "polars.DataFrame":
    """Return an Arrow table as a data frame of Polars, or raise an error that says how to install it."""
    try:
        import polars
    except ModuleNotFoundError:
        raise ModuleNotFoundError("data frames of Polars need polars: pip install polars", name="polars") from None
    frame = polars.from_arrow(table)
    assert isinstance(frame, polars.DataFrame)
    return frame


def pandas_frame(table: Any) -> "pandas.DataFrame":
    """Return an Arrow table as a data frame of pandas, or raise an error that says how to install it."""
    try:
        frame: pandas.DataFrame = table.to_pandas()
    except ImportError:
        raise ModuleNotFoundError("data frames of pandas need pandas: pip install pandas", name="pandas") from None
    return frame


class ArrowTable(Table):
    """A base of classes that `to_arrow` makes a table of: other libraries take their objects for that table."""

    __slots__ = ()

    def to_arrow(self) -> Any:
        """Return an Arrow table."""
        raise NotImplementedError

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)


_MOST: Final = 1 << 31  # values of lists, or bytes of texts: offsets of 32 bits do not go further
_TIME: Final = {"M": "date32", "m": "time32"}


def arrow_column(column: Any, kind: Any = None) -> Any:
    """Return a column as an Arrow array, without copying what need not be copied. Missing values are null.

    Rows of an array of more dimensions are lists of one length. A value is missing where a column says so, where a
    float is NaN, a date NaT or an object None. `kind` is the Arrow type of texts and of objects, which have no type of
    their own: ``string`` unless given.
    """
    pa = pyarrow_module()
    if isinstance(column, Texts):
        return _texts(pa, column, kind or pa.string())
    if isinstance(column, Categorical):
        return pa.array(column.names, pa.string()).take(pa.array(column.codes))
    if isinstance(column, Numbers):
        return _numbers(pa, column.values, column.valid)
    if isinstance(column, Lists):
        fields = column.columns
        rows = struct_column(fields) if len(fields) > 1 else arrow_column(next(iter(fields.values())))
        return list_column(column.offsets, rows, column.valid)
    if isinstance(column, np.ma.MaskedArray):
        return _numbers(pa, column.data, ~np.ma.getmaskarray(column))
    if not isinstance(column, np.ndarray):
        return column  # an Arrow array
    if column.ndim > 1:
        return pa.FixedSizeListArray.from_arrays(arrow_column(column.ravel()), int(np.prod(column.shape[1:])))
    if column.dtype.kind == "U":
        return _texts(pa, Texts.of_array(column), kind or pa.string())
    if column.dtype.kind in "OS":
        return pa.array(column.tolist(), kind or pa.string())
    missing = {"f": np.isnan, "M": np.isnat, "m": np.isnat}.get(column.dtype.kind)
    return pa.array(column) if missing is None else _numbers(pa, column, ~missing(column))


def struct_column(columns: Mapping[str, Any]) -> Any:
    """Return an Arrow array of structures, whose fields are columns by name, each as `arrow_column` accepts it."""
    fields = [arrow_column(column) for column in columns.values()]
    return pyarrow_module().StructArray.from_arrays(fields, list(columns))


def table_of(columns: Mapping[str, Any]) -> Any:
    """Return an Arrow table of columns by name, each of a kind that `arrow_column` accepts."""
    return pyarrow_module().table({name: arrow_column(column) for name, column in columns.items()})


def categorical_column(name: str, array: Any) -> Categorical:
    """Return a column of texts, few of which differ, from an Arrow array; a null is an empty text."""
    pa = pyarrow_module()
    if pa.types.is_null(array.type):
        return Categorical.of("", len(array))
    array = whole_array(array)
    if not is_text(array.type):
        raise TypeError(f"{name}: a column of {str(array.type)[:80]}: expected texts")
    if pa.types.is_string_view(array.type):
        array = array.cast(pa.large_string())
    array = (array.fill_null("") if array.null_count else array).dictionary_encode()
    return Categorical(array.indices.to_numpy(zero_copy_only=False), tuple(array.dictionary.to_pylist()))


def list_column(offsets: NDArray[np.int64], values: Any, valid: NDArray[np.bool_] | None = None) -> Any:
    """Return an Arrow array of lists of `values`, another Arrow array; a list that is not `valid` is null.

    The first list begins at the value ``offsets[0]``, and values behind the last list are left out.
    """
    pa = pyarrow_module()
    values = values.slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
    if valid is not None and not valid.all():
        buffers = [_validity(pa, valid), pa.py_buffer(_short_offsets(offsets))]
        return pa.Array.from_buffers(pa.list_(values.type), valid.size, buffers, children=[values])
    return pa.ListArray.from_arrays(pa.array(_short_offsets(offsets)), values)


def _validity(pa: Any, valid: NDArray[np.bool_]) -> Any:
    return None if valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))


def _numbers(pa: Any, values: NDArray[Any], valid: NDArray[np.bool_]) -> Any:
    kind = values.dtype.kind
    if kind == "b":  # Arrow packs them, one bit each
        return pa.array(values, mask=~valid)
    if kind in _TIME:
        values = values.astype(np.int64).astype(np.int32)
        as_type = pa.date32() if kind == "M" else pa.time32("s")
    else:
        as_type = pa.from_numpy_dtype(values.dtype)
    buffer = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(as_type, values.size, [_validity(pa, valid), buffer])


def _texts(pa: Any, column: Texts, kind: Any) -> Any:
    data = np.ascontiguousarray(column.data[column.offsets[0] : column.offsets[-1]])
    buffers = [_validity(pa, column.valid), pa.py_buffer(_short_offsets(column.offsets)), pa.py_buffer(data)]
    return pa.Array.from_buffers(kind, column.size, buffers)


def _short_offsets(offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    if (n := int(offsets[-1] - offsets[0])) >= _MOST:
        raise ValueError(f"a column of {n:,} values or bytes of text: Arrow's lists and texts hold up to {_MOST - 1:,}")
    short: NDArray[np.int32] = (offsets - offsets[0]).astype(np.int32)
    return short


def has_arrow_interface(source: Any) -> bool:
    """Check whether an object offers its data through Arrow's C interface."""
    return hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")


def check_table(table: Any) -> None:
    """Raise a TypeError unless an object is an Arrow table or record batch, or offers its data as one."""
    if not has_arrow_interface(table):
        raise TypeError(f"table: {type(table).__name__}: expected an Arrow table or record batch")


def column_names(schema: Any) -> list[str]:
    """Return the names of the columns of a schema; ArrowInvalid, a ValueError, if one, or a field's, is not UTF-8."""
    try:
        names: list[str] = schema.names
        for kind in schema.types:
            _check_names(kind)
    except UnicodeDecodeError:
        raise pyarrow_module().ArrowInvalid("table: a column has a name that is not UTF-8") from None
    return names


def _check_names(kind: Any) -> None:
    for i in range(kind.num_fields):
        field = kind.field(i)
        field.name  # noqa: B018, raises UnicodeDecodeError
        _check_names(field.type)


def as_table(table: Any) -> Any:
    """Return an object with Arrow's C interface as a table; tables and record batches are returned as they are."""
    pa = pyarrow_module()
    if isinstance(table, (pa.Table, pa.RecordBatch)):
        return table
    check_table(table)
    return pa.table(table)


def without_views(data: Any) -> Any:
    """Return a table or a record batch with texts and bytes in place of views, which few functions of pyarrow take.

    Polars has views of texts only.
    """
    schema = schema_without_views(data.schema)
    if schema.equals(data.schema):
        return data
    columns = [_cast_views(column, kind) for column, kind in zip(data.columns, schema.types, strict=True)]
    return type(data).from_arrays(columns, schema=schema)


def _cast_views(column: Any, kind: Any) -> Any:
    pa = pyarrow_module()
    if column.type.equals(kind):
        return column
    try:
        return column.cast(kind)
    except pa.ArrowNotImplementedError:  # in older versions
        return pa.array(column.to_pylist(), kind)


def schema_without_views(schema: Any) -> Any:
    """Return the schema of `without_views`."""
    return pyarrow_module().schema([_without_views(field) for field in schema], schema.metadata)


def _without_views(field: Any) -> Any:
    pa, kind = pyarrow_module(), field.type
    types = pa.types
    if types.is_string_view(kind):
        kind = pa.large_string()
    elif types.is_binary_view(kind):
        kind = pa.large_binary()
    elif types.is_list(kind) or types.is_large_list(kind):
        kind = (pa.list_ if types.is_list(kind) else pa.large_list)(_without_views(kind.value_field))
    elif types.is_struct(kind):
        kind = pa.struct([_without_views(one) for one in kind])
    elif types.is_dictionary(kind):
        kind = pa.dictionary(kind.index_type, _without_views(pa.field("", kind.value_type)).type, kind.ordered)
    return field.with_type(kind)


def parquet_writer(file: Any, schema: Any, **options: Any) -> Any:
    """Return a writer of Parquet, each page with a checksum, which readers may verify; `options` are pyarrow's."""
    return parquet_module().ParquetWriter(file, schema, write_page_checksum=True, **options)


def parquet_file(source: Any, *, verify: bool = True, **options: Any) -> Any:
    """Return a ``ParquetFile``. With `verify`, a page that has a checksum must match it; `options` are pyarrow's."""
    return parquet_module().ParquetFile(source, page_checksum_verification=verify, **options)


def new_writer(file: Any, schema: Any, *, parquet: bool) -> Any:
    """Return a writer of tables with a schema to an open file: Parquet packed by zstd, or an Arrow file."""
    if parquet:
        return parquet_writer(file, schema, compression="zstd")
    return pyarrow_module().ipc.new_file(file, schema)


def check_sound(table: Any) -> None:
    """Raise a ValueError that says what is damaged in a table: see `sound`."""
    try:
        sound(table)
    except pyarrow_module().ArrowInvalid as error:
        raise ValueError(f"table: damaged: {error}") from None


def sound(data: Any) -> Any:
    """Return a table, a batch or an array after a check of all its offsets, and of its texts as UTF-8.

    pyarrow maps the offsets of an Arrow file as they are, and one that leads out of its array would be followed. An
    unsound one raises ArrowInvalid, a ValueError.
    """
    data.validate(full=True)
    return data


def cast_column(name: str, array: Any, kind: Any, expected: str = "") -> Any:
    """Return a column as another type; a TypeError that says what was expected where Arrow cannot convert it."""
    pa = pyarrow_module()
    try:
        return array.cast(kind)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{name}: a column of {str(array.type)[:80]}: expected {expected or kind}: {error}") from None
    except pa.ArrowException:
        raise TypeError(f"{name}: a column of {str(array.type)[:80]}: expected {expected or kind}") from None


def is_text(kind: Any) -> bool:
    """Check whether an Arrow type is a type of texts."""
    types = pyarrow_module().types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def whole_array(array: Any) -> Any:
    """Return an Arrow array in one chunk, with dictionaries decoded."""
    pa = pyarrow_module()
    if pa.types.is_dictionary(array.type):
        chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
        values = array.type.value_type
        kind = pa.large_string() if is_text(values) else values  # `take` does not support views
        array = pa.chunked_array([chunk.dictionary.cast(kind).take(chunk.indices) for chunk in chunks], kind)
    return one_chunk(array)


def one_chunk(array: Any) -> Any:
    """Return an Arrow array in one chunk."""
    pa = pyarrow_module()
    if isinstance(array, pa.ChunkedArray) and array.num_chunks > 1:
        array = array.combine_chunks()  # of some types and versions, it stays a chunked array
    if not isinstance(array, pa.ChunkedArray):
        return array
    return array.chunk(0) if array.num_chunks else empty_array(array.type)


def empty_array(kind: Any) -> Any:
    """Return an array without values. ``pyarrow.array`` makes none of unions, and of lists of an extension type."""
    return pyarrow_module().nulls(0, kind)


def empty_table(schema: Any) -> Any:
    """Return a table without rows. ``schema.empty_table`` fails where ``pyarrow.array`` does: see `empty_array`."""
    return pyarrow_module().Table.from_arrays([empty_array(kind) for kind in schema.types], schema=schema)
