"""Arrow tables and arrays of any library, and the only imports of pyarrow, which is an optional dependency."""

from typing import TYPE_CHECKING, Any

from rookery.arguments import Table

if TYPE_CHECKING:
    import pandas
    import polars


def pyarrow_module() -> Any:
    """Import pyarrow, or raise an error that says how to install it."""
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise ModuleNotFoundError("Arrow tables need pyarrow: pip install 'rookery[arrow]'", name="pyarrow") from None
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


def has_arrow_interface(source: Any) -> bool:
    """Check whether an object offers its data through Arrow's C interface."""
    return hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")


def check_table(table: Any) -> None:
    """Raise a TypeError unless an object is an Arrow table or record batch, or offers its data as one."""
    if not has_arrow_interface(table):
        raise TypeError(f"table: {type(table).__name__}: expected an Arrow table or record batch")


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
    if not isinstance(array, pa.ChunkedArray):
        return array
    if array.num_chunks == 1:
        return array.chunk(0)
    array = array.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], array.type)
    return array
