"""Parquet and Arrow files as sources: tables of games that rookery wrote, and tables with a column ``movetext``.

They are read in batches of rows. Only the requested columns are read. Of a Parquet file of games, the columns that
decide which rows are wanted are read before all others.
"""

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.frames.arrow import column_names, empty_table, parquet_file, pyarrow_module, sound
from rookery.games.game_columns import PLY_VALUES
from rookery.games.headers.computed_headers import DATE, SOURCES
from rookery.games.headers.dates import DATES, YEAR
from rookery.games.headers.header_types import Header
from rookery.games.headers.where import Condition
from rookery.games.interchange.checked_moves import BATCH, CheckedMoves
from rookery.games.interchange.footers import Footers
from rookery.games.interchange.from_arrow import is_header
from rookery.games.interchange.left_out import without_left_out
from rookery.games.interchange.rows_as_games import chosen_headers, games_of_table
from rookery.games.interchange.schema import OWN, is_of_games
from rookery.games.interchange.selection import (
    Possible,
    Selection,
    identified,
    without_files,
)
from rookery.games.interchange.text_columns import MOVETEXT, STARTS, headers_in
from rookery.games.read.build import Wanted
from rookery.positions.language.headers import OF_MOVES
from rookery.sources import stores
from rookery.sources.disk import DISK
from rookery.sources.failures import DamagedFileError, NotGamesError
from rookery.sources.file_range import FileRange
from rookery.sources.formats import Kind, format_of
from rookery.sources.streams import Counted, TableFile, head_of

_IN_MEMORY: Final = 1 << 26  # bytes of a table from a stream; more go to a temporary file
_LARGEST: Final = 1 << 32  # bytes of a table from a stream


class _Batch(NamedTuple):
    """Some rows of a table.

    `rows` is the number of rows up to the end of the batch since the batch before; some of them may be left out.
    `are_legal` returns whether the moves are known to be legal, so that nobody need check them.
    """

    rows: int
    table: Any
    are_legal: Callable[[], bool] = bool


class _Batches(NamedTuple):
    """A table's schema, the rows that are read in batches, their number (0 if unknown), and their share of the file."""

    schema: Any
    rows: int
    batches: Iterator[_Batch]
    share: tuple[Fraction, Fraction] = (Fraction(0), Fraction(1))


def kinds_in(parts: Iterable[Any]) -> dict[str, Header]:
    """Return the columns of headers of all tables in a source, without values.

    Their types decide what a condition may compare them with.
    """
    kinds: dict[str, Header] = {}
    for part in parts:
        if (table := _table_of(part)) is None:
            continue
        with contextlib.suppress(OSError), _opened(table, None) as (opened, _):
            found_kinds = headers_in(opened.schema)
            if is_of_games(opened.schema):
                unwanted = {*OF_MOVES, *_computed_in(opened.schema)}
                found_kinds = {name: kind for name, kind in found_kinds.items() if name not in unwanted}
            kinds = found_kinds | kinds
    return kinds


def _table_of(part: Any) -> TableFile | None:
    """Return a part of a source that is a table, None for others."""
    if isinstance(part, TableFile):
        return part
    part = part.path if isinstance(part, FileRange) else part
    if not isinstance(part, (str, Path, bytes)):
        return None
    content = part if isinstance(part, bytes) else Path(part)
    found = format_of(head_of(content) if isinstance(content, Path) else content)
    if found.kind is not Kind.TABLE:
        return None
    return TableFile(str(part)[:80], found.name, memoryview(part) if isinstance(part, bytes) else content)


def _computed_in(schema: Any) -> list[str]:
    """Return the computed columns of a table that has the headers that they are computed from, without the date."""
    return [name for name in SOURCES if name != DATE and not is_header(name, schema.names)]


def batches_of(table: TableFile, columns: "ColumnChoice", counted: Counted) -> Iterator[tuple[Any, Callable[[], bool]]]:
    """Yield the rows of a table that may be wanted, in batches, each with a function.

    The function returns whether their moves are known to be legal.
    """
    with _opened(table, columns) as (opened, size):
        done, first = 0, table.start == 0
        before = counted.read
        begin, end = (int(size * place) for place in opened.share)
        for rows, batch, are_legal in _guarded(table, opened.batches):
            if columns.selection is not None:
                batch = identified(batch, table.file, table.rows_before + done)
                batch = without_files(batch, opened.schema.names, table.file) if first else batch
            done += rows
            counted.unpacked += batch.nbytes
            counted.read = before + ((end - begin) * done // opened.rows if opened.rows else 0)
            yield batch if first else without_left_out(batch), are_legal
            first = False
        counted.read = before + end - begin


def rows_of_groups(path: str, kind: str) -> list[int]:
    """Return the number of rows of each row group or batch of a file; none if it cannot be divided, or is damaged."""
    try:
        pa = pyarrow_module()
    except ModuleNotFoundError:  # the reader of the file says so
        return []
    try:
        if kind == "Parquet":
            with stores.open_file(path) as file, parquet_file(file) as opened:
                return [opened.metadata.row_group(i).num_rows for i in range(opened.num_row_groups)]
        if kind == "Arrow" and not stores.is_remote(path):
            options = pa.ipc.IpcReadOptions(included_fields=[0])  # a batch is unpacked to learn how many rows it has
            with DISK.open_native(pa, path) as file, pa.ipc.open_file(file, options=options) as batches:
                return [batches.get_batch(i).num_rows for i in range(batches.num_record_batches)]
    except (OSError, pa.ArrowException):
        pass  # the reader of the file says why
    return []


class ColumnChoice:
    """The choice of the columns and the rows to read from a table.

    `names` are columns that are needed in addition to the requested ones. `condition_of` returns the condition over
    games with some headers, and `possible` tests the summaries of games. With `by_columns`, threads of pyarrow unpack
    the columns of a Parquet file side by side. `footers` are those that were read before. `selection` is the choice of
    rows, which is made when the table is open and has games that rookery wrote.
    """

    def __init__(
        self,
        table: TableFile,
        wanted: Wanted,
        names: tuple[str, ...],
        condition_of: Callable[[Mapping[str, Header]], Condition | None] | None,
        possible: Possible | None,
        *,
        by_columns: bool = False,
        footers: Footers | None = None,
    ) -> None:
        self.by_columns, self.footers = by_columns, footers or Footers()
        self.table, self._names, self._headers, self._wanted = table, names, chosen_headers(wanted), wanted
        self._condition_of, self._possible = condition_of, possible
        self.selection: Selection | None = None

    def of(self, schema: Any) -> list[str]:
        """Return the names of the columns of a schema to read."""
        of_games = is_of_games(schema)
        if not of_games and MOVETEXT not in schema.names:
            columns = ", ".join(schema.names)
            raise NotGamesError(
                f"{self.table.name}: a table ({self.table.format}) of {shown(columns)}: expected games that rookery "
                f"wrote, or a column {MOVETEXT!r}"
            )
        names = list(schema.names)
        if of_games:
            condition = None
            if self._condition_of is not None:  # an empty table takes 3 ms, and each range of a file has its own
                condition = self._condition_of(games_of_table(empty_table(schema), self.table.name).headers)
            self.selection = Selection(schema, condition, self._possible)
            unwanted = self._unwanted(schema)
            names = [name for name in names if name not in unwanted]
        if self._headers is None:
            return names
        needed = {*self._headers, *self._names, *OWN, *STARTS, MOVETEXT, "Result"}
        needed |= set(DATES) if YEAR in self._names else set()
        return [name for name in names if name in needed]

    def _unwanted(self, schema: Any) -> set[str]:
        """Return the columns of a table of games that need not be read."""
        wanted, names = self._wanted, {*(self._headers or ()), *self._names}
        unwanted = {*OF_MOVES, "parse_error"}  # computed from the moves and the faults again
        unwanted.update(name for name in _computed_in(schema) if name != YEAR)
        if not (wanted.clocks and wanted.moves):
            unwanted.update(PLY_VALUES)
        if not wanted.tags and "Date" not in names and names.issubset(schema.names):
            unwanted.add("tags")
        if not wanted.tags and not names & {*DATES, DATE, YEAR}:
            unwanted |= {DATE, YEAR}
        elif YEAR in names:  # which is computed from all of these
            unwanted -= {"tags"} if YEAR not in schema.names else set()
        for name, is_wanted in (
            ("nags", wanted.nags),
            ("comments", wanted.comments),
            ("variations", wanted.variations),
            ("text", wanted.texts),
        ):
            if not is_wanted:
                unwanted.add(name)
        return unwanted

    def rows(self, batch: Any) -> NDArray[np.bool_]:
        """Return which rows may be wanted of a batch that has the columns of the selection."""
        assert self.selection is not None
        try:
            return self.selection.rows(batch)
        except (ValueError, TypeError) as error:
            raise NotGamesError(f"{self.table.name}: {error}") from error


@contextlib.contextmanager
def _opened(table: TableFile, columns: ColumnChoice | None) -> Iterator[tuple[_Batches, int]]:
    """Open a table: yield its schema and rows, and the number of its bytes that are not counted yet."""
    pa = pyarrow_module()
    with contextlib.ExitStack() as stack:
        content, size = table.content, 0
        if isinstance(content, pa.Table):
            yield _in_memory(content, columns), content.nbytes
            return
        if isinstance(content, Path):
            size = content.stat().st_size
            file = stack.enter_context(DISK.open_native(pa, content))  # not mapped: other programs may cut the file
            table.check()
        elif isinstance(content, memoryview):
            size = len(content)
            file = pa.BufferReader(pa.py_buffer(content))
        else:
            file = stack.enter_context(_seekable(table.name, content))
        try:
            opened = _parquet(file, table, columns) if table.format == "Parquet" else _arrow(file, table, columns)
        except (OSError, pa.ArrowException) as error:
            if isinstance(error, NotGamesError):
                raise
            raise _damaged(table, error) from error
        yield opened, size


def _damaged(table: TableFile, error: Exception) -> DamagedFileError:
    reason = str(error).strip().split("\n")[0].split(". ")[0]
    return DamagedFileError(table.name, f"damaged or cut short: its {table.format} data cannot be read: {reason}")


def _guarded(table: TableFile, batches: Iterator[_Batch]) -> Iterator[_Batch]:
    """Yield the same batches, and turn their errors into errors of the file."""
    try:
        yield from batches
    except (OSError, pyarrow_module().ArrowException) as error:
        raise _damaged(table, error) from error


def _chosen(table: TableFile, groups: int) -> tuple[range, tuple[Fraction, Fraction]]:
    """Return the row groups or batches to read, given the number of all, and where they begin and end in the file."""
    chosen = range(groups)[table.start : table.stop]
    end = Fraction(1) if chosen.stop == groups else Fraction(chosen.stop, groups)
    return chosen, (Fraction(chosen.start, groups or 1), end)


def _parquet(file: Any, table: TableFile, columns: ColumnChoice | None) -> _Batches:
    opened, schema = (columns.footers if columns else Footers()).opened(file, table.content)
    names = columns.of(schema) if columns else []
    groups, share = _chosen(table, opened.num_row_groups)
    rows = sum(opened.metadata.row_group(group).num_rows for group in groups)
    tables = functools.partial(_tables, opened, schema, columns is not None and columns.by_columns)
    if columns and columns.selection and columns.selection.is_needed:
        batches = _selected(tables, schema, groups, names, columns, table.rows_before)
    else:
        batches = _all(tables, schema, groups, names)
    return _Batches(schema, rows, batches, share)


def _tables(opened: Any, schema: Any, by_columns: bool, group: int, names: list[str]) -> Iterator[Any]:
    """Yield the columns of some names of a row group, in batches."""
    for batch in opened.iter_batches(BATCH, row_groups=[group], columns=names, use_threads=by_columns):
        yield pyarrow_module().Table.from_batches([batch]).replace_schema_metadata(schema.metadata)


_Tables: TypeAlias = Callable[[int, list[str]], Iterator[Any]]


def _all(tables: _Tables, schema: Any, groups: range, names: list[str]) -> Iterator[_Batch]:
    """Yield all rows of some row groups of a Parquet file."""
    checked = CheckedMoves.of_metadata(schema.metadata)
    for group in groups:
        for k, table in enumerate(tables(group, names)):
            are_legal = functools.partial(checked.agree, group, k, table) if "moves" in names else bool
            yield _Batch(table.num_rows, table, are_legal)


def _selected(
    tables: _Tables, schema: Any, groups: range, names: list[str], columns: ColumnChoice, before: int
) -> Iterator[_Batch]:
    """Yield the rows of some row groups of a Parquet file that may be wanted; `before` is the number of rows before.

    Of each row group, the columns that decide are read first. If they leave out all rows, the others are not read.
    """
    pa = pyarrow_module()
    checked = CheckedMoves.of_metadata(schema.metadata)
    passed, is_empty = 0, True
    for group in groups:
        assert columns.selection is not None
        deciding = tables(group, columns.selection.names)
        masks = [columns.rows(table) for table in deciding]
        mask, start = np.concatenate(masks) if masks else np.zeros(0, np.bool_), 0
        if not mask.any():
            passed += mask.size
            before += mask.size
            continue
        for k, table in enumerate(tables(group, names)):
            kept = mask[start : start + table.num_rows]
            start += table.num_rows
            passed += table.num_rows
            if kept.any():
                are_legal = functools.partial(checked.agree, group, k, table)
                table = identified(table, columns.table.file, before + start - table.num_rows)
                yield _Batch(passed, table if kept.all() else table.filter(pa.array(kept)), are_legal)
                passed, is_empty = 0, False
        before += mask.size
    if is_empty:  # its metadata may have errors
        yield _Batch(passed, empty_table(schema).select(names))


def _arrow(file: Any, table: TableFile, columns: ColumnChoice | None) -> _Batches:
    pa = pyarrow_module()
    is_file = table.format == "Arrow"
    opened = pa.ipc.open_file(file) if is_file else pa.ipc.open_stream(file)
    column_names(opened.schema)
    names = columns.of(opened.schema) if columns else []
    chosen, share = _chosen(table, opened.num_record_batches if is_file else 0)
    batches = (opened.get_batch(i) for i in chosen) if is_file else opened
    tables = (
        pa.Table.from_batches([batch.slice(start, BATCH)])
        for batch in (sound(batch.select(names)) for batch in batches)
        for start in range(0, batch.num_rows, BATCH)
    )
    return _Batches(opened.schema, 0, (_Batch(rows.num_rows, rows) for rows in tables), share)


def _in_memory(table: Any, columns: ColumnChoice | None) -> _Batches:
    column_names(table.schema)
    rows = table.select(columns.of(table.schema) if columns else [])
    starts = range(0, rows.num_rows, BATCH)
    batches = (sound(rows.slice(start, BATCH)) for start in starts)
    return _Batches(table.schema, rows.num_rows, (_Batch(batch.num_rows, batch) for batch in batches))


@contextlib.contextmanager
def _seekable(name: str, chunks: Iterable[Any]) -> Iterator[Any]:
    """Yield a seekable file with the content of some chunks: the index of a table is at its end."""
    with DISK.temporary_file(_IN_MEMORY) as file:
        for chunk in chunks:
            file.write(chunk)
            if file.tell() > _LARGEST:
                raise NotGamesError(f"{name}: a table of more than {_LARGEST:,} bytes: unpack it to a file first")
        file.seek(0)
        yield file
