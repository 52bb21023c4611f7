"""Games in Parquet files: written block by block in constant memory, read whole or a row group at a time."""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Any, Final, Self

from rookery import files
from rookery.arguments import is_number, shown
from rookery.games.arrow import LeftOut, without_left_out
from rookery.games.failures import DamagedFileError
from rookery.games.games import Games
from rookery.positions.arrow import pyarrow_module

_PLAIN: Final = ("moves", "clocks", "evals", "emts", "number", "offset")  # hardly any value of these comes twice
ROW_GROUP: Final = 1 << 15  # games: some 5 MB packed, and 100 MB while they are gathered


def blocks_of(games: Any) -> Iterator[Games]:
    """`Games`, or those of an iterable, one after the other."""
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
    """The same games, `size` at a time; what is left at the end, or none at all, once."""
    held: list[Games] = []
    n = given = 0
    for block in blocks_of(games):
        rest = block
        while n + len(rest) >= size:
            held.append(rest[: size - n])
            rest = rest[size - n :]
            whole, held, n = Games.concatenate(held), [], 0
            yield whole
            given += 1
            del whole  # while the next is gathered
        if len(rest) or not given:
            held.append(rest)
            n += len(rest)
    if n or (held and not given):
        yield Games.concatenate(held)


def write_parquet(
    games: Games | Iterable[Games],
    path: str | os.PathLike[str],
    *,
    row_group_size: int = ROW_GROUP,
    compression: str = "zstd",
    compression_level: int | None = None,
) -> int:
    r"""Write games to a Parquet file, and return how many there were.

    `games` may be an iterator, as `scan_pgn` gives one: no more than two row groups of `row_group_size` games are in
    memory then, since one is written while the next is read. Columns are those of `Games.to_arrow`. The file is
    written under another name, and takes its own when it is whole. Of games that were left out (``errors="skip"``)
    there are their errors, the first 10,000, in its metadata.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "games.parquet"
    >>> write_parquet(read_pgn(b"1. e4 e5 *\n\n1. d4 *"), path)
    2
    """
    if not is_number(row_group_size) or row_group_size < 1:
        raise ValueError(f"row_group_size: {shown(row_group_size)}: expected an int of at least 1")
    pyarrow_module()
    import pyarrow.parquet as pq

    n = 0
    left_out = LeftOut()
    writer: Any = None

    def noted() -> Iterator[Games]:
        for block in blocks_of(games):
            left_out.add(block.parts()["errors"])
            yield block

    with files.replacing(path) as file, ThreadPoolExecutor(1, "rookery-parquet") as pool:
        encoding: Future[None] | None = None
        try:
            for block in grouped(noted(), int(row_group_size)):
                table = without_left_out(block.to_arrow())
                n += len(block)
                if encoding is not None:
                    encoding.result()
                if writer is None:
                    writer = pq.ParquetWriter(
                        file,
                        table.schema,
                        compression=compression,
                        compression_level=compression_level,
                        use_dictionary=[name for name in table.schema.names if name not in _PLAIN],
                    )
                encoding = pool.submit(writer.write_table, table, row_group_size=row_group_size)
            if encoding is not None:
                encoding.result()
            if writer is None:
                writer = pq.ParquetWriter(file, Games.concatenate([]).to_arrow().schema)
            writer.add_key_value_metadata(left_out.metadata)
        finally:
            if encoding is not None:
                wait([encoding])
            if writer is not None:
                writer.close()
    return n


def read_parquet(path: Any, *, columns: Iterable[str] | None = None, check: bool = True, threads: int = 1) -> Games:
    r"""The games of a Parquet file that `write_parquet` wrote, as they were.

    `columns` are the names of those to read (``moves`` is always among them), all if None; `check` as in
    `Games.from_arrow`. A file that is damaged within is a `DamagedFileError`, which has the games before as `games`.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "games.parquet"
    >>> write_parquet(read_pgn(b'[White "Anna"]\n\n1. e4 e5 *'), path)
    1
    >>> read_parquet(path)["White"].tolist()
    ['Anna']
    """
    parts: list[Games] = []
    with scan_parquet(path, columns=columns, check=check, threads=threads) as scan:
        try:
            parts.extend(scan)
        except DamagedFileError as error:
            error.games = Games.concatenate(parts)
            raise
    return Games.concatenate(parts) if len(parts) != 1 else parts[0]


def scan_parquet(
    path: Any, *, columns: Iterable[str] | None = None, check: bool = True, threads: int = 1
) -> "ParquetScan":
    r"""The games of a Parquet file, a row group at a time: an iterator of `Games`, and a context manager.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "games.parquet"
    >>> _ = write_parquet(read_pgn(b"1. e4 e5 *\n\n1. d4 *"), path, row_group_size=1)
    >>> with scan_parquet(path) as groups:
    ...     [len(games) for games in groups]
    [1, 1]
    """
    return ParquetScan(path, columns, check, threads)


class ParquetScan(Iterator[Games]):
    """An iterator of `Games`."""

    def __init__(self, path: Any, columns: Iterable[str] | None, check: bool, threads: int) -> None:
        self._check, self._path = check, path
        arrow = pyarrow_module()
        import pyarrow.parquet as pq

        if isinstance(path, (str, os.PathLike)) and os.path.isdir(path):  # noqa: PTH112  # of any path
            raise IsADirectoryError(f"{path} is a directory: expected a Parquet file")
        try:
            self._file = pq.ParquetFile(path)
        except arrow.ArrowInvalid as error:
            raise ValueError(f"{path}: no Parquet file, or damaged: {error}") from error
        names = self._file.schema_arrow.names
        self._columns = None
        if columns is not None:
            wanted = list(columns)
            unknown = [name for name in wanted if name not in names]
            if unknown:
                self._file.close()
                raise ValueError(f"column {shown(unknown[0])}: expected some of {', '.join(names)}")
            self._columns = [name for name in names if name in (*wanted, "moves", "start", "chess960")]
        self._threads = threads > 1
        self._group = 0

    def __next__(self) -> Games:
        if self._group and self._group >= self._file.num_row_groups:
            raise StopIteration
        if not self._file.num_row_groups:
            table = self._file.read_row_groups([])
        else:
            try:
                table = self._file.read_row_group(self._group, columns=self._columns, use_threads=self._threads)
            except (OSError, pyarrow_module().ArrowException) as error:
                number = f"row group {self._group + 1} of {self._file.num_row_groups}"
                raise DamagedFileError(str(self._path), f"{number}: damaged: {error}") from error
            table = without_left_out(table) if self._group else table
        self._group += 1
        return Games.from_arrow(table, check=self._check)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
