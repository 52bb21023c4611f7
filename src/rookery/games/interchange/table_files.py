"""Parquet and Arrow files as sources: tables of games that rookery wrote, and tables with a column ``movetext``.

They are read in batches of rows. Only the requested columns are read.
"""

import contextlib
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.arguments import shown
from rookery.arrow_tables import parquet_module, pyarrow_module
from rookery.games.columns import Header, Lists, Numbers, Texts
from rookery.games.games import Games
from rookery.games.interchange.left_out import without_left_out
from rookery.games.interchange.schema import OWN
from rookery.games.interchange.text_columns import MOVETEXT, STARTS, kinds_of
from rookery.games.read.build import Wanted
from rookery.games.read.worker import no_games
from rookery.games.sources.failures import DamagedFileError, NotGamesError
from rookery.games.sources.formats import Kind, format_of
from rookery.games.sources.streams import Counted, TableFile, head_of
from rookery.games.where import Condition
from rookery.games.where.values import PLIES

_BATCH: Final = 1 << 12  # rows: some 5 MB of movetext
_IN_MEMORY: Final = 1 << 26  # bytes of a table from a stream; more go to a temporary file
_LARGEST: Final = 1 << 32  # bytes of a table from a stream


class _Batches(NamedTuple):
    """A table's schema, its number of rows (0 if unknown), and its rows in batches."""

    schema: Any
    rows: int
    batches: Iterator[Any]


def is_of_games(schema: Any) -> bool:
    """Check whether a table has moves as rookery writes them, not as text."""
    pa = pyarrow_module()
    if "moves" not in schema.names:
        return False
    kind = schema.field("moves").type
    return bool((pa.types.is_list(kind) or pa.types.is_large_list(kind)) and kind.value_type == pa.uint16())


def chosen_headers(wanted: Wanted) -> tuple[str, ...] | None:
    """Return the names of the requested headers; None if all columns of a table are kept."""
    return None if wanted.tags else wanted.headers


def kinds_in(parts: Iterable[Any]) -> dict[str, Header]:
    """Return the columns of headers of all tables in a source, without values.

    Their types decide what a condition may compare them with.
    """
    kinds: dict[str, Header] = {}
    for part in parts:
        if not isinstance(part, (str, Path, bytes)):
            continue
        content = part if isinstance(part, bytes) else Path(part)
        found = format_of(head_of(content) if isinstance(content, Path) else content)
        if found.kind is Kind.TABLE:
            table = TableFile(str(part)[:80], found.name, memoryview(part) if isinstance(part, bytes) else content)
            with contextlib.suppress(OSError), _opened(table, None) as (opened, _):
                kinds = kinds_of(opened.schema) | kinds
    return kinds


def batches_of(table: TableFile, wanted: Wanted, names: tuple[str, ...], counted: Counted) -> Iterator[Any]:
    """Yield the rows of a table in batches; `names` are columns that are needed in addition to the requested ones."""
    with _opened(table, _Columns(table, wanted, names)) as (opened, size):
        done, first = 0, True
        before = counted.read
        for batch in _guarded(table, opened.batches):
            done += batch.num_rows
            counted.unpacked += batch.nbytes
            counted.read = before + (size * done // opened.rows if opened.rows else 0)
            yield batch if first else without_left_out(batch)
            first = False
        counted.read = before + size


class _Columns:
    """The choice of the columns to read from a table."""

    def __init__(self, table: TableFile, wanted: Wanted, names: tuple[str, ...]) -> None:
        self._table, self._names, self._headers = table, names, chosen_headers(wanted)

    def of(self, schema: Any) -> list[str]:
        """Return the names of the columns of a schema to read."""
        if not is_of_games(schema) and MOVETEXT not in schema.names:
            columns = ", ".join(schema.names)
            raise NotGamesError(
                f"{self._table.name}: a table ({self._table.format}) of {shown(columns)}: expected games that rookery "
                f"wrote, or a column {MOVETEXT!r}"
            )
        if self._headers is None:
            return list(schema.names)
        needed = {*self._headers, *self._names, *OWN, *STARTS, MOVETEXT, "Result"}
        return [name for name in schema.names if name in needed]


@contextlib.contextmanager
def _opened(table: TableFile, columns: _Columns | None) -> Iterator[tuple[_Batches, int]]:
    """Open a table: yield its schema and rows, and the number of its bytes that are not counted yet."""
    pa = pyarrow_module()
    with contextlib.ExitStack() as stack:
        content, size = table.content, 0
        if isinstance(content, Path):
            size = content.stat().st_size
            file = stack.enter_context(pa.memory_map(str(content)) if size else content.open("rb"))
        elif isinstance(content, memoryview):
            size = len(content)
            file = pa.BufferReader(pa.py_buffer(content))
        else:
            file = stack.enter_context(_seekable(table.name, content))
        try:
            opened = _parquet(file, columns) if table.format == "Parquet" else _arrow(file, table.format, columns)
        except (OSError, pa.ArrowException) as error:
            if isinstance(error, NotGamesError):
                raise
            raise _damaged(table, error) from error
        yield opened, size


def _damaged(table: TableFile, error: Exception) -> DamagedFileError:
    reason = str(error).strip().split("\n")[0].split(". ")[0]
    return DamagedFileError(table.name, f"damaged or cut short: its {table.format} data cannot be read: {reason}")


def _guarded(table: TableFile, batches: Iterator[Any]) -> Iterator[Any]:
    """Yield the same batches, and turn their errors into errors of the file."""
    try:
        yield from batches
    except (OSError, pyarrow_module().ArrowException) as error:
        raise _damaged(table, error) from error


def _parquet(file: Any, columns: _Columns | None) -> _Batches:
    pa = pyarrow_module()
    # No buffer for a whole row group: some files have all their games in one.
    opened = parquet_module().ParquetFile(file, pre_buffer=False)
    schema = opened.schema_arrow
    names = columns.of(schema) if columns else []
    batches = opened.iter_batches(_BATCH, columns=names, use_threads=False)
    tables = (pa.Table.from_batches([batch]).replace_schema_metadata(schema.metadata) for batch in batches)
    return _Batches(schema, opened.metadata.num_rows, tables)


def _arrow(file: Any, kind: str, columns: _Columns | None) -> _Batches:
    pa = pyarrow_module()
    opened = pa.ipc.open_file(file) if kind == "Arrow" else pa.ipc.open_stream(file)
    names = columns.of(opened.schema) if columns else []
    batches = opened if kind != "Arrow" else (opened.get_batch(i) for i in range(opened.num_record_batches))
    tables = (
        pa.Table.from_batches([batch.slice(start, _BATCH)]).select(names)
        for batch in batches
        for start in range(0, batch.num_rows, _BATCH)
    )
    return _Batches(opened.schema, 0, tables)


@contextlib.contextmanager
def _seekable(name: str, chunks: Iterable[Any]) -> Iterator[Any]:
    """Yield a seekable file with the content of some chunks: the index of a table is at its end."""
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
        for chunk in chunks:
            file.write(chunk)
            if file.tell() > _LARGEST:
                raise NotGamesError(f"{name}: a table of more than {_LARGEST:,} bytes: unpack it to a file first")
        file.seek(0)
        yield file


def games_of_table(batch: Any, name: str) -> Games:
    """Return the games of a batch of rows that rookery wrote."""
    try:
        return Games.from_arrow(batch)
    except (ValueError, TypeError) as error:
        raise NotGamesError(f"{name}: {error}") from error


def games_in(games: Games, wanted: Wanted, condition: Condition | None) -> Games:
    """Return the games of a table that meet a condition, with only the requested columns."""
    left_out = games.columns.errors.left_out
    if condition is not None:
        headers = {name: _header(games, name) for name in condition.names}
        if condition.needs_plies:
            headers[PLIES] = Numbers(games.plies, np.ones(len(games), np.bool_))
        mask = condition.mask(headers, len(games))
        if not mask.all():
            games = games[mask]
            games = Games(games.columns.replace(errors=games.columns.errors.after(left_out)))
    columns = games.columns
    changes: dict[str, Any] = {}
    if (named := chosen_headers(wanted)) is not None:
        changes["headers"] = {name: _header(games, name) for name in named if name != "Result"}
    for column, is_wanted in (
        ("tags", wanted.tags),
        ("nags", wanted.nags and wanted.moves),
        ("comments", wanted.comments and wanted.moves),
        ("variations", wanted.variations and wanted.moves),
        ("texts", wanted.texts),
    ):
        if not is_wanted:
            changes[column] = None
    if not wanted.moves:
        changes["plies"] = Lists(np.zeros(len(games) + 1, np.int64), {"moves": np.zeros(0, np.uint16)})
    elif not wanted.clocks:
        changes["plies"] = Lists(columns.plies.offsets, {"moves": columns.plies.columns["moves"]})
    return Games(columns.replace(**changes))


def _header(games: Games, name: str) -> Header:
    """Return a header of each game, from the tags if the table has no such column."""
    if name == "Result":
        return Texts.of(games.results.tolist())
    if name in games.headers:
        return games.headers[name]
    n = len(games)
    like = no_games(Wanted(headers=(name,))).headers[name]
    if isinstance(like, Numbers):
        return Numbers(np.zeros(n, like.values.dtype), np.zeros(n, np.bool_))
    if games.tags is None:
        return Texts.of([None] * n)
    return Texts.of([dict(games.tags.rows(i)).get(name) for i in range(n)])
