"""Parquet and Arrow files as sources: tables of games that rookery wrote, and tables with a column ``movetext``.

They are read a batch of rows at a time. Only the columns that are wanted are read.
"""

import contextlib
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.arguments import shown
from rookery.games.arrow import OWN, without_left_out
from rookery.games.build import Wanted
from rookery.games.columns import Numbers, Texts
from rookery.games.failures import DamagedFileError, NotGamesError
from rookery.games.formats import Kind, format_of
from rookery.games.games import Games
from rookery.games.sources import Counted, TableFile, head_of
from rookery.games.tables import MOVETEXT, STARTS, kinds_of
from rookery.games.where import Condition
from rookery.games.where_values import PLIES
from rookery.games.worker import no_games
from rookery.positions.arrow import pyarrow_module
from rookery.positions.moves import Moves

_BATCH: Final = 1 << 12  # rows: some 5 MB of movetext
_IN_MEMORY: Final = 1 << 26  # bytes of a table from a stream; more go to a temporary file
_LARGEST: Final = 1 << 32  # bytes of a table from a stream


class _Batches(NamedTuple):
    """A table's schema, how many rows it has (0 if that is not known), and its rows, some at a time."""

    schema: Any
    rows: int
    batches: Iterator[Any]


def is_of_games(schema: Any) -> bool:
    """Whether a table has moves as rookery writes them, and not as text."""
    arrow = pyarrow_module()
    if "moves" not in schema.names:
        return False
    kind = schema.field("moves").type
    return bool((arrow.types.is_list(kind) or arrow.types.is_large_list(kind)) and kind.value_type == arrow.uint16())


def chosen_headers(wanted: Wanted) -> tuple[str, ...] | None:
    """The headers that were named; None if all columns of a table are kept."""
    return None if wanted.tags else wanted.headers


def kinds_in(parts: Iterable[Any]) -> dict[str, Numbers | Texts]:
    """The columns of the tables in a source, without values: they say what a condition may compare them with."""
    kinds: dict[str, Numbers | Texts] = {}
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
    """The rows of a table, some at a time; `names` are those of columns that are needed besides the wanted ones."""
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
    """Which columns of a table to read."""

    def __init__(self, table: TableFile, wanted: Wanted, names: tuple[str, ...]) -> None:
        self._table, self._names, self._headers = table, names, chosen_headers(wanted)

    def of(self, schema: Any) -> list[str]:
        """Choose among the columns of a schema."""
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
    """A table's schema and rows, and how many bytes it has that were not counted yet."""
    arrow = pyarrow_module()
    with contextlib.ExitStack() as stack:
        content, size = table.content, 0
        if isinstance(content, Path):
            size = content.stat().st_size
            file = stack.enter_context(arrow.memory_map(str(content)) if size else content.open("rb"))
        elif isinstance(content, memoryview):
            size = len(content)
            file = arrow.BufferReader(arrow.py_buffer(content))
        else:
            file = stack.enter_context(_seekable(table.name, content))
        try:
            opened = _parquet(file, columns) if table.format == "Parquet" else _arrow(file, table.format, columns)
        except (OSError, arrow.ArrowException) as error:
            if isinstance(error, NotGamesError):
                raise
            raise _damaged(table, error) from error
        yield opened, size


def _damaged(table: TableFile, error: Exception) -> DamagedFileError:
    reason = str(error).strip().split("\n")[0].split(". ")[0]
    return DamagedFileError(table.name, f"damaged or cut short: its {table.format} data cannot be read: {reason}")


def _guarded(table: TableFile, batches: Iterator[Any]) -> Iterator[Any]:
    """The same batches, whose errors are errors of the file."""
    try:
        yield from batches
    except (OSError, pyarrow_module().ArrowException) as error:
        raise _damaged(table, error) from error


def _parquet(file: Any, columns: _Columns | None) -> _Batches:
    import pyarrow.parquet as pq

    arrow = pyarrow_module()
    # Without a buffer for all that a row group has: some have all the games of a file.
    opened = pq.ParquetFile(file, pre_buffer=False)
    schema = opened.schema_arrow
    names = columns.of(schema) if columns else []
    batches = opened.iter_batches(_BATCH, columns=names, use_threads=False)
    tables = (arrow.Table.from_batches([batch]).replace_schema_metadata(schema.metadata) for batch in batches)
    return _Batches(schema, opened.metadata.num_rows, tables)


def _arrow(file: Any, kind: str, columns: _Columns | None) -> _Batches:
    arrow = pyarrow_module()
    opened = arrow.ipc.open_file(file) if kind == "Arrow" else arrow.ipc.open_stream(file)
    names = columns.of(opened.schema) if columns else []
    batches = opened if kind != "Arrow" else (opened.get_batch(i) for i in range(opened.num_record_batches))
    tables = (
        arrow.Table.from_batches([batch.slice(start, _BATCH)]).select(names)
        for batch in batches
        for start in range(0, batch.num_rows, _BATCH)
    )
    return _Batches(opened.schema, 0, tables)


@contextlib.contextmanager
def _seekable(name: str, chunks: Iterable[Any]) -> Iterator[Any]:
    """A file of some chunks: tables end with what says where everything in them is."""
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
    """Return those games of a table that are wanted, and what is wanted of them."""
    left_out = tuple(error for error in games._errors if error[0] < 0)
    if condition is not None:
        columns = {name: _header(games, name) for name in condition.names}
        if condition.needs_plies:
            columns[PLIES] = Numbers(games.plies, np.ones(len(games), np.bool_))
        mask = condition.mask(columns, len(games))
        if not mask.all():
            games = games[mask]
            games._errors = (*left_out, *games._errors)
    parts = games.parts()
    named = chosen_headers(wanted)
    if named is not None:
        parts["headers"] = {name: _header(games, name) for name in named if name != "Result"}
    for kept, column in (
        (wanted.tags, "tags"),
        (wanted.nags, "nags"),
        (wanted.comments, "comments"),
        (wanted.variations, "variations"),
        (wanted.texts, "texts"),
    ):
        parts[column] = parts[column] if kept else None
    if not wanted.clocks or not wanted.moves:
        parts["plies"] = {}
    if not wanted.moves:
        parts |= {"nags": None, "comments": None, "variations": None}
        parts["moves"] = Moves(np.zeros(len(games) + 1, np.int64), np.zeros(0, np.uint16))
    return Games(**parts)


def _header(games: Games, name: str) -> Numbers | Texts:
    """A header of each game; one that the table does not have is looked for among all headers."""
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
