"""Files of Arrow tables and record batches that rookery keeps for itself: Parquet files, and Arrow files of batches."""

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.frames.arrow import arrow_column, ipc_module, parquet_file, parquet_writer, pyarrow_module, table_of
from rookery.frames.columns import Numbers
from rookery.sources.disk import DISK, AnyPath, naming
from rookery.sources.failures import DamagedFileError


def write_parquet(file: Any, columns: Mapping[str, Any], *, row_group_size: int | None = None, **options: Any) -> None:
    """Write columns by name to an open file as Parquet, without Arrow's schema; `options` are pyarrow's."""
    table = table_of(columns)
    with writer_for(file, table, **options) as writer:
        writer.write_table(table, row_group_size)


def writer_for(file: Any, like: Any, **options: Any) -> Any:
    """Return a writer of Parquet for tables such as `like`, without Arrow's schema; `options` are pyarrow's."""
    return parquet_writer(file, like.schema, store_schema=False, **options)


def open_parquet(path: AnyPath, **options: Any) -> Any:
    """Return a ``ParquetFile``, which is read by `read_group`; `options` are pyarrow's.

    A page that has a checksum must match it.
    """
    with _naming_damage(path):
        file = DISK.open_native(pyarrow_module(), path)
        return parquet_file(file, **options)


class CheckedParquet:
    """A Parquet file that is read in many parts: each page is checked when it is first read, and not again.

    To check the pages of a row group of keys and numbers takes a fifth of the time of its reading.
    """

    def __init__(self, path: AnyPath) -> None:
        self._path = path
        self._read: set[tuple[int, tuple[str, ...] | None]] = set()
        with _naming_damage(path):
            file = DISK.open_native(pyarrow_module(), path)
            self._checking = parquet_file(file, pre_buffer=False)
            self.metadata = self._checking.metadata
            self._checked = parquet_file(file, verify=False, pre_buffer=False, metadata=self.metadata)

    def read(self, group: int, columns: Sequence[str] | None = None) -> Any:
        """Return the table of a row group."""
        part = group, None if columns is None else tuple(columns)
        table = read_group(self._checked if part in self._read else self._checking, self._path, group, columns)
        self._read.add(part)
        return table


@contextlib.contextmanager
def _naming_damage(path: AnyPath) -> Iterator[None]:
    """Add the path to errors of the disk, and raise `DamagedFileError` where pyarrow finds damage."""
    try:
        with naming(path):
            yield
    except (OSError, pyarrow_module().ArrowException) as error:
        if getattr(error, "errno", None) is not None:
            raise
        raise DamagedFileError(os.fspath(path), f"damaged: {error}") from error


def read_group(file: Any, path: AnyPath, group: int, columns: Sequence[str] | None = None) -> Any:
    """Return the table of a row group of a ``ParquetFile``."""
    with _naming_damage(path):
        return file.read_row_group(group, columns=columns, use_threads=False)


def joined_tables(tables: Sequence[Any]) -> Any:
    """Return the rows of tables as one table. A column that some lack is null there."""
    return pyarrow_module().concat_tables(tables, promote_options="permissive")


def rows_taken(table: Any, rows: NDArray[np.int64]) -> Any:
    """Return rows of a table by their numbers. ``pyarrow.array`` would import pandas."""
    return table.take(arrow_column(Numbers(rows, np.ones(rows.size, np.bool_))))


def one_batch(batches: Sequence[Any]) -> Any:
    """Return the rows of record batches, at least one, as one batch."""
    if len(batches) == 1:
        return batches[0]
    (batch,) = pyarrow_module().Table.from_batches(batches).combine_chunks().to_batches() or batches[:1]
    return batch


def write_batches(file: Any, batch: Any, rows: int | None = None) -> None:
    """Write a record batch to an open file in the format of Arrow files, in batches of `rows` rows if given."""
    with ipc_module().new_file(file, batch.schema) as writer:
        for start in range(0, batch.num_rows, rows or max(batch.num_rows, 1)):
            writer.write_batch(batch.slice(start, rows))


def read_batch(path: AnyPath, start: int, stop: int) -> Any:
    """Return some rows of the first batch of a file as a record batch. The file stays open as long as the batch."""
    with DISK.open_native(pyarrow_module(), path, mapped=True) as file:
        return ipc_module().open_file(file).get_batch(0).slice(start, stop - start)


def columns_of_batch(path: AnyPath, names: Sequence[str]) -> Any:
    """Return some columns of the first batch of a file as a record batch, without reading the others."""
    ipc = ipc_module()
    with naming(path), DISK.open_native(pyarrow_module(), path) as file:
        schema = ipc.open_file(file).schema
        options = ipc.IpcReadOptions(included_fields=[schema.get_field_index(name) for name in names])
        return ipc.open_file(file, options=options).get_batch(0)
