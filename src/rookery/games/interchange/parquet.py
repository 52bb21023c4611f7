"""Games in Parquet files: written block by block in constant memory, read whole or by row groups."""

import io
import os
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

from rookery.arguments import check_path, check_threads, count, flag, is_number, shown
from rookery.frames.arrow import parquet_file, parquet_writer, pyarrow_module
from rookery.games.game_columns import TableName
from rookery.games.games import Games
from rookery.games.headers.computed_headers import DATE, SOURCES
from rookery.games.headers.dates import YEAR
from rookery.games.headers.known_headers import UnknownHeaderError
from rookery.games.headers.where import Condition
from rookery.games.interchange.checked_moves import CheckedMoves
from rookery.games.interchange.left_out import LeftOut, without_left_out
from rookery.games.interchange.schema import IDENTITY
from rookery.games.interchange.selection import Possible, Selection, identified, without_files
from rookery.positions.language.headers import OF_MOVES, near_header
from rookery.sources import files
from rookery.sources.failures import DamagedFileError

# There are fewer than 2,000 different moves in most files, and a dictionary makes the column a quarter smaller.
_MOVES: Final = "moves.list.element"
# Columns whose values seldom occur twice: a dictionary of values would make them larger.
_PLAIN: Final = (
    "clocks",
    "evals",
    "emts",
    "white_pawn_squares",
    "black_pawn_squares",
    "number",
    "offset",
)
ROW_GROUP: Final = 1 << 15  # games: some 5 MB packed, and 100 MB while they are gathered


def blocks_of(games: Any) -> Iterator[Games]:
    """Yield `Games`, or the arrays of games of an iterable."""
    if isinstance(games, Games):
        yield games
        return
    if not isinstance(games, Iterable):
        raise TypeError(f"games: {shown(games)}: expected Games or an iterable of Games")
    for i, block in enumerate(games):
        if not isinstance(block, Games):
            raise TypeError(f"games[{i}]: {shown(block)}: expected Games")
        yield block


def grouped(games: Any, size: int) -> Iterator[Games]:
    """Yield the same games in arrays of `size`; the last may be smaller, and no games are one empty array."""
    held: list[Games] = []
    n = yielded = 0
    for block in blocks_of(games):
        rest = block
        while n + len(rest) >= size:
            held.append(rest[: size - n])
            rest = rest[size - n :]
            whole, held, n = Games.concatenate(held), [], 0
            yield whole
            yielded += 1
            del whole  # free its memory while the next is gathered
        if len(rest) or not yielded:
            held.append(rest)
            n += len(rest)
    if n or (held and not yielded):
        yield Games.concatenate(held)


def write_parquet(
    games: Games | Iterable[Games],
    path: str | os.PathLike[str],
    *,
    row_group_size: int = ROW_GROUP,
    compression: str = "zstd",
    compression_level: int | None = None,
) -> int:
    r"""Write games to a Parquet file, and return their number.

    `games` may be an iterator, like that of `scan_pgn`. Then at most two row groups of `row_group_size` games are in
    memory, since one is written while the next is read. The columns are those of `Games.to_arrow`. The file replaces
    one at `path` only when it is complete. The metadata has the first 10,000 errors of games that were left out
    (``errors="skip"``), and digests of the start positions and moves of row groups whose moves are all legal:
    readers need not check such moves again.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "games.parquet"
    >>> write_parquet(read_pgn(b"1. e4 e5 *\n\n1. d4 *"), path)
    2
    """
    row_group_size = count("row_group_size", row_group_size, 1)
    check_path("path", path)
    _writer(io.BytesIO(), pyarrow_module().schema([]), compression, compression_level).close()
    with files.replacing(path) as file:
        return write_groups(games, file, row_group_size, compression, compression_level)


def write_groups(
    games: Games | Iterable[Games],
    file: Any,
    row_group_size: int = ROW_GROUP,
    compression: str = "zstd",
    compression_level: int | None = None,
) -> int:
    """Write games to an open Parquet file, as `write_parquet` does, and return their number."""
    n = 0
    left_out, checked = LeftOut(), CheckedMoves([])
    writer: Any = None

    def collected() -> Iterator[Games]:
        for block in blocks_of(games):
            left_out.add(block.columns)
            yield block

    from concurrent.futures import Future, ThreadPoolExecutor, wait

    with ThreadPoolExecutor(2, "rookery-parquet") as pool:
        waiting: list[Future[None]] = []  # a row group is checked and encoded while the next is gathered
        try:
            for block in grouped(collected(), row_group_size):
                table = without_left_out(block.to_arrow())
                n += len(block)
                for future in waiting:
                    future.result()
                if writer is None:
                    writer = _writer(file, table.schema, compression, compression_level)
                waiting = [
                    pool.submit(checked.add, block, table),
                    pool.submit(writer.write_table, table, row_group_size=row_group_size),
                ]
            for future in waiting:
                future.result()
            if writer is None:
                writer = _writer(file, Games.concatenate([]).to_arrow().schema, compression, compression_level)
            writer.add_key_value_metadata({**left_out.metadata, **checked.metadata})
        finally:
            wait(waiting)
            if writer is not None:
                writer.close()
    return n


def _writer(file: Any, schema: Any, compression: Any, level: Any) -> Any:
    """Return a Parquet writer, or raise an error that names what is wrong with the compression."""
    if not isinstance(compression, str):
        raise TypeError(f"compression: {shown(compression)}: expected the name of a codec, like 'zstd'")
    if level is not None and not is_number(level):
        raise TypeError(f"compression_level: {shown(level)}: expected an int, or None")
    with_dictionary = [_MOVES, *(name for name in schema.names if name not in _PLAIN)]
    try:
        return parquet_writer(
            file,
            schema,
            compression=compression,
            compression_level=None if level is None else int(level),
            use_dictionary=with_dictionary,
        )
    except (pyarrow_module().ArrowException, OverflowError, ValueError) as error:
        raise ValueError(
            f"compression: {shown(compression)}, compression_level: {shown(level)}: not possible: {error}"
        ) from None


def read_parquet(
    path: str | os.PathLike[str] | BinaryIO,
    *,
    columns: Iterable[str] | None = None,
    where: str | None = None,
    check: bool = True,
    threads: int = 1,
) -> Games:
    r"""Return the games of a Parquet file that `write_parquet` wrote.

    `columns` names the columns to read, all if None; ``moves`` is always read. `where` is a condition over headers and
    summaries, as in `read_pgn`: the moves of games that do not meet it are not decoded or checked. `check` is as in
    `Games.from_arrow`; moves that `write_parquet` found legal are not checked again if they have the digest that it
    wrote. If the file is damaged, a `DamagedFileError` is raised whose `games` are those before the damage.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "games.parquet"
    >>> write_parquet(read_pgn(b'[White "Anna"]\n\n1. e4 e5 *'), path)
    1
    >>> read_parquet(path)["White"].tolist()
    ['Anna']
    """
    parts: list[Games] = []
    with scan_parquet(path, columns=columns, where=where, check=check, threads=threads) as scan:
        try:
            parts.extend(scan)
        except DamagedFileError as error:
            error.games = Games.concatenate(parts)
            raise
    return Games.concatenate(parts) if len(parts) != 1 else parts[0]


def scan_parquet(
    path: str | os.PathLike[str] | BinaryIO,
    *,
    columns: Iterable[str] | None = None,
    where: str | None = None,
    check: bool = True,
    threads: int = 1,
) -> "ParquetScan":
    r"""Return an iterator over the row groups of a Parquet file, each as `Games`; it is also a context manager.

    The arguments are those of `read_parquet`. With `where`, row groups without a game that meets the condition are left
    out, but for the first.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "games.parquet"
    >>> _ = write_parquet(read_pgn(b"1. e4 e5 *\n\n1. d4 *"), path, row_group_size=1)
    >>> with scan_parquet(path) as groups:
    ...     [len(games) for games in groups]
    [1, 1]
    """
    return ParquetScan(path, columns, check, threads, where)


def _names(columns: Any) -> list[str]:
    names = None if isinstance(columns, str) or not isinstance(columns, Iterable) else list(columns)
    if names is None or not all(isinstance(name, str) for name in names):
        raise TypeError(f"columns: {shown(columns)}: expected a list of names, or None")
    return names


class ParquetScan(Iterator[Games]):
    """An iterator of `Games`, one for each row group of a Parquet file.

    `possible` is a test of the stored summaries: it returns False for games that need not be read.
    """

    def __init__(
        self,
        path: Any,
        columns: Iterable[str] | None,
        check: bool,
        threads: int,
        where: str | None = None,
        possible: Possible | None = None,
    ) -> None:
        if not hasattr(path, "read"):
            check_path("path", path, "an open file")
        self._check, self._path = flag("check", check), path
        self._name = str(path) if isinstance(path, (str, os.PathLike)) else ""
        self._threads = check_threads(threads) > 1
        if isinstance(path, (str, os.PathLike)) and os.path.isdir(path):  # noqa: PTH112  # of any path
            raise IsADirectoryError(f"{path} is a directory: expected a Parquet file")
        try:
            self._file = parquet_file(path)
        except pyarrow_module().ArrowInvalid as error:
            raise ValueError(f"{path}: no Parquet file, or damaged: {error}") from error
        self._empty = self._file.read_row_groups([])  # its schema has all metadata, unlike that of the file
        try:
            self._columns = self._chosen(columns)
            self._selection = self._select(where, possible)
            self._checked = CheckedMoves.of_metadata(self._empty.schema.metadata)
        except (TypeError, ValueError):
            self._file.close()
            raise
        self._group = self._rows = 0  # those that were read

    def _chosen(self, columns: Any) -> list[str]:
        """Return the names of the columns to read."""
        names = [
            name for name in self._file.schema_arrow.names if name not in OF_MOVES
        ]  # computed from the moves again
        if columns is None:
            return names
        requested = _names(columns)
        if "Date" in requested and "Date" not in names:  # the columns that it is restored from
            requested[requested.index("Date") : requested.index("Date") + 1] = ["date", "UTCDate", "tags"]
        for name in [name for name in requested if name in SOURCES and name != DATE]:
            sources = (name, *SOURCES[name], *((DATE, "tags") if name == YEAR else ()))
            found = [source for source in sources if source in names]
            requested.remove(name)
            requested += found or [name]
        unknown = [name for name in requested if name not in (*names, *OF_MOVES)]
        if unknown:
            near = near_header(unknown[0], names)
            hint = f"; did you mean {near!r}?" if near in names else ""
            raise ValueError(f"columns: {shown(unknown[0])}: expected some of {', '.join(names)}{hint}")
        return [name for name in names if name in (*requested, *IDENTITY, "moves", "start", "chess960")]

    def _select(self, where: str | None, possible: Possible | None) -> Selection | None:
        """Return the choice of rows, None if all are wanted."""
        schema = self._empty.schema
        if where is None and possible is None:
            return None
        condition = None if where is None else Condition(where, Games.from_arrow(self._empty).headers)
        return Selection(schema, condition, possible)

    def __next__(self) -> Games:
        groups = self._file.num_row_groups
        while self._group < groups:
            self._group += 1
            games = self._read(self._group - 1)
            if len(games) or self._group == 1:
                return games
        if self._group or groups:
            self._check_names()
            raise StopIteration
        self._group = 1
        return Games.from_arrow(self._empty)

    def _read(self, group: int) -> Games:
        """Return the wanted games of a row group."""
        if self._selection is None:
            table = self._table(group, self._columns)
            check = self._needs_check(table, group)
            table = identified(table, self._name, self._rows)
            self._rows += table.num_rows
            return self._games(table, group, check)
        deciding = self._table(group, self._selection.names)
        kept = self._selection.rows(deciding)
        mask, rows = pyarrow_module().array(kept), self._rows
        self._rows += kept.size
        if kept.any():
            whole = self._table(group, self._columns)
            check = self._needs_check(whole, group)
            table = identified(whole, self._name, rows).filter(mask)
        else:
            table, check = self._empty.select(self._columns), False
        return self._selection.decided(deciding.filter(mask), self._games(table, group, check))

    def _needs_check(self, table: Any, group: int) -> bool:
        return self._check and not self._checked.agree_in(group, table)

    def _games(self, table: Any, group: int, check: bool) -> Games:
        table = without_left_out(table) if group else without_files(table, self._empty.schema.names, self._name)
        games = Games.from_arrow(table, check=check)
        return Games._of_columns(games.columns.replace(table=TableName(self._name)))

    def _table(self, group: int, names: list[str]) -> Any:
        try:
            return self._file.read_row_group(group, columns=names, use_threads=self._threads)
        except (OSError, pyarrow_module().ArrowException) as error:
            number = f"row group {group + 1} of {self._file.num_row_groups}"
            raise DamagedFileError(str(self._path), f"{number}: damaged: {error}") from error

    def _check_names(self) -> None:
        """Refuse a condition that names a header of no game."""
        condition = None if self._selection is None else self._selection.condition
        if condition is not None and (nowhere := condition.unseen.nowhere):
            raise UnknownHeaderError({name: condition.suggestion(name) for name in nowhere})

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
