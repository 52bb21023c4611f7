"""Rows of an index: a row for each position of each game, divided by the first bits of its key."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.frames.arrow import table_of
from rookery.frames.arrow_files import CheckedParquet, writer_for
from rookery.frames.columns import Numbers
from rookery.frames.reading import column_of
from rookery.games.games import Games
from rookery.tasks.exchange import BUCKETS, bucket_of, records

# A row as tasks hand it on. `game` counts from the first game of the index, and `move` is `END` after the last move.
ROW: Final = np.dtype([("key", "<u8"), ("game", "<u4"), ("ply", "<u2"), ("move", "<u2")])
ROWS: Final = records(ROW)
END: Final = 0xFFFF  # no move: from h8 to h8
MOST_GAMES: Final = (1 << 32) - 2  # of an index
_MOST_PLIES: Final = (1 << 16) - 1  # of a game

SLICES: Final = BUCKETS  # of all keys, by their first bits
_SHIFT: Final = 65 - SLICES.bit_length()
_BLOCK: Final = 1 << 15  # positions in memory at once, with their boards

ROW_GROUP: Final = 1 << 14  # rows: a look-up decodes one or two groups, each in half a millisecond


def rows_of(games: Games, first: int, threads: int) -> Iterator[NDArray[Any]]:
    """Yield the rows of games, which are numbered from `first` on, in blocks."""
    ends = games.plies
    if ends.size and ends.max() > _MOST_PLIES:
        i = int(ends.argmax())
        raise ValueError(f"game {games.numbers[i]:,}: {ends[i]:,} half-moves: expected {_MOST_PLIES:,} at most")
    for block in games.position_blocks(_BLOCK, when="all", threads=threads):
        rows = np.empty(len(block), ROW)
        rows["key"] = block.keys(threads=threads)
        rows["game"] = block.game + first
        rows["ply"] = block.ply
        rows["move"] = block.played_moves()
        rows["move"][np.flatnonzero(np.diff(block.game, append=-1))] = END
        yield rows


def slice_of(key: int) -> int:
    """Return the slice of all keys that a key belongs to."""
    return int(bucket_of(np.array([key], np.uint64), SLICES)[0])


def sorted_rows(rows: NDArray[Any]) -> NDArray[Any]:
    """Return rows sorted by key; those of a key stay in their order.

    Words are sorted faster than their order is found. So each word that is sorted has the first bits of a key that are
    not common to all, and the index of the row. Keys whose bits are the same there are few, if they differ at all.
    """
    keys = np.ascontiguousarray(rows["key"])
    if not keys.size:
        return rows
    common = 64 - int(keys.min() ^ keys.max()).bit_length()
    places = np.uint64((1 << max(keys.size - 1, 1).bit_length()) - 1)
    words = keys << np.uint64(common) if common < 64 else np.zeros_like(keys)
    words &= ~places
    words |= np.arange(keys.size, dtype=np.uint64)
    words.sort()
    words &= places
    found = rows.take(words.view(np.int64))
    keys = np.ascontiguousarray(found["key"])
    return found.take(np.argsort(keys, kind="stable")) if (keys[1:] < keys[:-1]).any() else found


# Tables of hits: key, game, ply and move, sorted by key and then by game.


@contextlib.contextmanager
def hits_writer(file: Any) -> Iterator[Callable[[NDArray[Any]], None]]:
    """Yield a function that writes sorted rows to a Parquet file; the groups of rows do not depend on how they come.

    Differences of sorted keys take 4 bytes per row, and their statistics say which row groups have a key. Differences
    of plies and moves take half a byte more than both packed by Zstandard, and half the time.
    """
    held: list[NDArray[Any]] = [np.empty(0, ROW)]
    size = 0

    with writer_for(
        file,
        _table(held[0]),
        compression="none",
        use_dictionary=False,
        column_encoding=dict.fromkeys(ROW.names or (), "DELTA_BINARY_PACKED"),
        write_statistics=["key"],
    ) as writer:

        def write(rows: NDArray[Any]) -> None:
            nonlocal size
            held.append(rows)
            size += rows.size
            if size >= ROW_GROUP:
                joined = held[-1] if size == rows.size else np.concatenate(held)
                whole = size - size % ROW_GROUP
                writer.write_table(_table(joined[:whole]), row_group_size=ROW_GROUP)
                held[:] = [joined[whole:]]
                size -= whole

        yield write
        if size:
            writer.write_table(_table(np.concatenate(held)), row_group_size=ROW_GROUP)


def _table(rows: NDArray[Any]) -> Any:
    columns = {name: np.ascontiguousarray(rows[name]) for name in ("key", "game", "ply", "move")}
    return table_of(columns | {"move": Numbers(columns["move"], columns["move"] != END)})


def rows_of_hits(table: Any) -> NDArray[Any]:
    """Return the rows of a table of hits."""
    rows = np.empty(table.num_rows, ROW)
    for name in ROW.names or ():
        column: Any = column_of(name, table.column(name))
        rows[name] = np.where(column.valid, column.values, END)
    return rows


class KeyedFile:
    """A Parquet file sorted by the column ``key``, of which only the row groups that have a key are read."""

    def __init__(self, path: Any) -> None:
        self._file = CheckedParquet(path)
        about = self._file.metadata
        groups = [about.row_group(i) for i in range(about.num_row_groups if about.num_rows else 0)]
        self.rows = np.array([group.num_rows for group in groups], np.int64)
        keys = [group.column(0).statistics for group in groups]
        self.least = np.array([one.min for one in keys], np.uint64)
        self.most = np.array([one.max for one in keys], np.uint64)

    def read(self, group: int, columns: Iterable[str] | None = None) -> Any:
        """Return the table of a row group."""
        return self._file.read(group, None if columns is None else list(columns))

    def groups(self, least: int, most: int) -> range:
        """Return the row groups that may have keys from `least` to `most`."""
        first = int(np.searchsorted(self.most, np.uint64(least)))
        return range(first, int(np.searchsorted(self.least, np.uint64(most), "right")))


def keys_of(table: Any) -> NDArray[np.uint64]:
    """Return the keys of a table."""
    column: Any = column_of("key", table.column("key"))
    found: NDArray[np.uint64] = column.values
    return found


def read_hits(path: Any, first: int, stop: int, *, of_keys: bool = False) -> Iterator[NDArray[Any]]:
    """Yield the rows of the slices from `first` to `stop` of a table of hits, or of the keys from `first` to `stop`."""
    least, most = (first, stop) if of_keys else _keys_of_slices(first, stop)
    file = KeyedFile(path)
    for group in file.groups(least, most):
        rows = rows_of_hits(file.read(group))
        a, b = np.searchsorted(rows["key"], np.uint64(least)), np.searchsorted(rows["key"], np.uint64(most), "right")
        yield rows[a:b]


def count_hits(path: Any, first: int, stop: int) -> int:
    """Return about how many rows of the slices from `first` to `stop` a table of hits has."""
    file = KeyedFile(path)
    groups = file.groups(*_keys_of_slices(first, stop))
    return int(file.rows[groups.start : groups.stop].sum())


def _keys_of_slices(first: int, stop: int) -> tuple[int, int]:
    """Return the least and the greatest key of slices."""
    return first << _SHIFT, (stop << _SHIFT) - 1
