"""Outputs of `rookery annotate`: the encoding of parts by tasks, and the file that is joined from them.

Encoding takes longer than the features, so tasks encode their parts as the output needs them, and the coordinator
copies bytes. A part is left as an Arrow stream if it is small, since a row group of Parquet should not be. The rows of
games have the number of their game in its file, which is known when the games of all earlier parts of the file are
counted: further tasks then encode such parts.
"""

import contextlib
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.data.pipeline.parquet_parts import copy, join
from rookery.frames.arrow import compute_module, csv_module, empty_table, ipc_module, parquet_writer, pyarrow_module
from rookery.frames.spreadsheets import harmless_table
from rookery.sources import files
from rookery.sources.csv_text import harmless
from rookery.sources.disk import DISK, naming
from rookery.tasks.parts import TaskFiles

SUFFIXES: Final = (".parquet", ".arrow", ".csv", ".jsonl")
PGN: Final = ".pgn"
ROW_GROUP: Final = 1 << 17  # rows
_SAMPLE: Final = 1 << 12  # rows that decide whether a column of Parquet has a dictionary
_ESCAPED: Final = r'[\x00-\x1f"\\]'  # in texts of JSON
STREAM: Final = ".arrows"  # of a part that is not encoded

Write = Callable[[Any], Any]


class Part(NamedTuple):
    """A file with rows of the output, and what to add to some of its columns, such as the games before it.

    Of a stream, only the first `rows` count, unless it is None.
    """

    path: Path
    added: tuple[tuple[str, int], ...] = ()
    rows: int | None = None


def is_left(suffix: str, rows: int, row_group: int) -> bool:
    """Check whether a part with some rows stays a stream."""
    return suffix in (".arrow", STREAM) or (suffix == ".parquet" and 2 * rows < row_group)


class EncodeTask(NamedTuple):
    """A task: write a part, which is an Arrow stream, as the format of a suffix."""

    part: Part
    suffix: str
    row_group: int


def encode_part(task: EncodeTask, parts: TaskFiles) -> None:
    """Do the work of an `EncodeTask`."""
    with (
        _opened(task.part) as (schema, batches),
        parts.writing(task.suffix) as file,
        _writer(task.suffix, file, schema) as write,
    ):
        for table in parts.while_running(row_groups(batches, schema, task.row_group)):
            write(table)


def check_types(suffix: str, schema: Any) -> None:
    """Raise a ValueError that names the first column of a type that an output cannot hold."""
    pa = pyarrow_module()
    for field in schema:
        try:
            with _writer(suffix, io.BytesIO(), pa.schema([field]), header=True) as write:
                write(pa.table({field.name: pa.nulls(1, field.type)}, pa.schema([field])))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as error:
            raise ValueError(
                f"out: {suffix} cannot hold the column {field.name!r} of {str(field.type)[:80]}: leave it out, or "
                f"write {' or '.join(other for other in SUFFIXES if other not in (suffix, '.csv'))}"
            ) from error


def write_part(parts: TaskFiles, batches: Iterable[Any], schema: Any, suffix: str, row_group: int) -> str:
    """Write record batches to a part; return its suffix: the given one, or ".arrows" for a stream."""
    tables = row_groups(batches, schema, row_group)
    first = next(tables, None)
    suffix = STREAM if is_left(suffix, first.num_rows if first else 0, row_group) else suffix
    with parts.writing(suffix) as file, _writer(suffix, file, schema) as write:
        if first is not None:
            write(first)
        for table in tables:
            write(table)
    return suffix


def row_groups(batches: Iterable[Any], schema: Any, size: int) -> Iterator[Any]:
    """Yield the rows of record batches in tables of `size` rows, and a last one of up to half as many more."""
    pa = pyarrow_module()
    held: list[Any] = []
    rows = 0
    for batch in batches:
        held.append(batch)
        rows += batch.num_rows
        while 2 * rows >= 3 * size:
            table = pa.Table.from_batches(held, schema)
            yield table.slice(0, size)
            held = table.slice(size).to_batches()
            rows -= size
    if rows:
        yield pa.Table.from_batches(held, schema)


@contextlib.contextmanager
def _writer(suffix: str, file: Any, schema: Any, header: bool = False) -> Iterator[Write]:
    """Yield a function that writes tables to a file. `header` asks for the names of columns in CSV."""
    if suffix == ".parquet":
        with contextlib.ExitStack() as stack:
            writer: Any = None

            def write(table: Any) -> None:
                nonlocal writer
                writer = writer or stack.enter_context(_parquet_writer(file, table))
                writer.write_table(table, row_group_size=max(table.num_rows, 1))

            yield write
            if writer is None:  # a file without rows has the schema
                stack.enter_context(_parquet_writer(file, empty_table(schema)))
    elif suffix == ".csv":
        csv = csv_module()
        names = pyarrow_module().schema([field.with_name(harmless(field.name)) for field in schema])
        with csv.CSVWriter(file, names, write_options=csv.WriteOptions(include_header=header)) as writer:
            yield lambda table: writer.write_table(harmless_table(table))
    elif suffix == ".jsonl":
        yield lambda table: file.write(json_lines(table))
    else:
        ipc = ipc_module()
        with (ipc.new_stream if suffix == STREAM else ipc.new_file)(file, schema) as writer:
            yield lambda table: writer.write_table(table.combine_chunks())


def _parquet_writer(file: Any, table: Any) -> Any:
    """Return a writer of Parquet for tables such as the first one.

    Dictionaries gain nothing for values that differ, and cost time. Zstandard takes as long as Snappy and leaves
    two thirds of its bytes.
    """
    names = table.schema.names
    rows = table.slice(0, _SAMPLE)
    repeated = [name for name, column in zip(names, rows.columns, strict=True) if _is_repeated(column)]
    return parquet_writer(file, table.schema, use_dictionary=repeated, compression="zstd")


def _is_repeated(column: Any) -> bool:
    """Check whether at most half of the values of a column differ from all others before them."""
    pa = pyarrow_module()
    if pa.types.is_nested(column.type) or pa.types.is_boolean(column.type):
        return False
    if pa.types.is_dictionary(column.type):
        return True
    try:
        return bool(2 * compute_module().count_distinct(column, mode="all").as_py() <= len(column))
    except pa.ArrowNotImplementedError:  # of types that can be written, but not compared
        return False


def join_parts(out: str | Path, parts: list[Part], schema: Any, suffix: str, folder: Path, row_group: int) -> None:
    """Write the rows of all parts, in order, to a file that appears when it is complete."""
    streams = _runs(parts)
    with files.replacing(out) as file:
        if suffix == PGN:
            _join_games(file, parts)
            return
        if suffix == ".parquet":
            join(file, _encoded(streams, schema, folder, row_group))
            return
        with _writer(suffix, file, schema, header=True) as write:
            for run in streams:
                if _is_encoded(run[0]):
                    with DISK.open(run[0].path) as part:
                        copy(part, file, run[0].path.stat().st_size)
                    continue
                for table in row_groups(batches_of(run), schema, row_group):
                    write(table)


def _join_games(file: Any, parts: list[Part]) -> None:
    """Write games of several parts, with an empty line between them."""
    last = b"\n\n"
    for part in parts:
        size = part.path.stat().st_size
        if not size:
            continue
        file.write(b"\n" * (2 - (len(last) - len(last.rstrip(b"\n")))))
        with DISK.open(part.path) as text:
            copy(text, file, size)
            text.seek(max(size - 2, 0))
            last = text.read(2)


def _is_encoded(part: Part) -> bool:
    return part.path.suffix != STREAM


def _runs(parts: list[Part]) -> Iterator[list[Part]]:
    """Yield the parts: encoded ones alone, and those between them together."""
    run: list[Part] = []
    for part in parts:
        if not _is_encoded(part):
            run.append(part)
            continue
        if run:
            yield run
        yield [part]
        run = []
    if run:
        yield run


def _encoded(runs: Iterator[list[Part]], schema: Any, folder: Path, row_group: int) -> Iterator[Path]:
    """Yield files of Parquet, at least one, with the rows of all parts; the next file may replace one."""
    made = folder / "joined.parquet"
    for run in [[], *runs]:  # a file without rows has the schema
        if run and _is_encoded(run[0]):
            yield run[0].path
            continue
        with files.replacing(made, durable=False) as file, _writer(".parquet", file, schema) as write:
            for table in row_groups(batches_of(run), schema, row_group):
                write(table)
        yield made


def batches_of(parts: Iterable[Part], *, mapped: bool = False) -> Iterator[Any]:
    """Yield the record batches of streams, in memory of their own unless the files are `mapped`."""
    for part in parts:
        with _opened(part, mapped=mapped) as (_, batches):
            yield from batches


@contextlib.contextmanager
def _opened(part: Part, *, mapped: bool = False) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Open a stream, and yield its schema and its record batches, to which is added what is missing."""
    pa = pyarrow_module()
    with (
        naming(part.path),
        DISK.open_native(pa, part.path, mapped=mapped) as file,
        ipc_module().open_stream(file) as reader,
    ):
        batches = iter(reader) if part.rows is None else _first_rows(reader, part.rows)
        yield reader.schema, (with_added(batch, part.added) for batch in batches)


def _first_rows(batches: Iterable[Any], rows: int) -> Iterator[Any]:
    for batch in batches:
        if rows <= 0:
            return
        yield batch.slice(0, rows)
        rows -= batch.num_rows


def with_added(batch: Any, added: Iterable[tuple[str, int]]) -> Any:
    """Return a record batch with numbers added to some of its columns."""
    for name, amount in added:
        place = batch.schema.get_field_index(name)
        numbers = compute_module().add(batch.column(place), amount)
        batch = batch.set_column(place, batch.schema.field(place), numbers)
    return batch


def json_lines(table: Any) -> bytes:
    r"""Return the rows of a table as lines of JSON. Numbers that JSON lacks, such as infinity, are null.

    >>> import pyarrow as pa
    >>> json_lines(pa.table({"fen": ["8/8 w", None], "cp": [1.5, None]}))
    b'{"fen": "8/8 w", "cp": 1.5}\n{"fen": null, "cp": null}\n'
    """
    pa = pyarrow_module()
    if not table.num_rows:
        return b""
    pieces: list[Any] = []
    for i, (name, column) in enumerate(zip(table.schema.names, table.columns, strict=True)):
        begins = ("{" if i == 0 else ", ") + json.dumps(name, ensure_ascii=False) + ": "
        pieces += [pa.scalar(begins, pa.large_string()), _literals(column).cast(pa.large_string())]
    ends = pa.scalar("}\n", pa.large_string()), pa.scalar("", pa.large_string())
    rows = compute_module().binary_join_element_wise(*pieces, *ends)
    return b"".join(map(_characters, rows.chunks if isinstance(rows, pa.ChunkedArray) else [rows]))


def _characters(texts: Any) -> bytes:
    """Return all texts of an array without nulls, one after the other."""
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return memoryview(data)[ends[0] : ends[-1]].tobytes() if len(texts) else b""


def _literals(column: Any) -> Any:
    """Return the values of a column as texts of JSON."""
    pa, pc = pyarrow_module(), compute_module()
    kind, types = column.type, pa.types
    if types.is_floating(kind):
        written = pc.if_else(pc.is_finite(column), column, None).cast(pa.string())
    elif types.is_integer(kind) or types.is_boolean(kind):
        written = column.cast(pa.string())
    elif types.is_string(kind) and not pc.any(pc.match_substring_regex(column, _ESCAPED)).as_py():
        written = pc.binary_join_element_wise('"', column, '"', "")
    elif types.is_temporal(kind):
        written = pc.binary_join_element_wise('"', column.cast(pa.string()), '"', "")
    else:
        written = pa.array([_document(value) for value in column.to_pylist()], pa.string())
    return pc.fill_null(written, "null")


def _document(value: Any) -> str:
    return json.dumps(_finite(value), ensure_ascii=False, default=str)


def _finite(value: Any) -> Any:
    """Return a value with None in place of numbers that JSON lacks."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    return [_finite(one) for one in value] if isinstance(value, list) else value
