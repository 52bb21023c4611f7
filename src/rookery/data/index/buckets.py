"""The second half of making an index: the rows of a range of keys, from all tasks or parts, are sorted and counted."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.data.index.aggregates import LEAST, Aggregates, added, aggregates_of, write_moves
from rookery.data.index.catalogue import file_of
from rookery.data.index.facts import Facts
from rookery.data.index.rows import ROW, ROWS, SLICES, count_hits, hits_writer, read_hits, sorted_rows
from rookery.games.openings.growth import EXAMPLE
from rookery.tasks.exchange import Segment, gathered
from rookery.tasks.parts import TaskFiles

_ROWS: Final = 1 << 22  # rows of a bucket, roughly: some 300 MB while they are sorted
_MANY: Final = 16  # a key with more than one in so many rows of a bucket that is too large is written piece by piece


class BucketTask(NamedTuple):
    """The rows of the slices of keys from `first` to `stop`: bucket `number` of a part.

    They are `segments` of the rows of tasks, or `hits` of parts, in the order of their games. `facts` is the file of
    the facts about the games of the part, which are numbered from `first_game` on.
    """

    part: int
    number: int
    first: int
    stop: int
    segments: tuple[Segment, ...]
    hits: tuple[str, ...]
    facts: str
    first_game: int

    def __str__(self) -> str:
        """Return which keys these are."""
        return f"keys of slices {self.first:,} to {self.stop - 1:,}"


def divided(rows: int) -> list[int]:
    """Return the first slice of each bucket for so many rows, and the number of slices. Keys are spread evenly."""
    n = min(max(-(-rows // _ROWS), 1), SLICES)
    return [SLICES * i // n for i in range(n + 1)]


def make_bucket(task: BucketTask, files: TaskFiles) -> dict[str, Any]:
    """Write the hits and the moves of a bucket, and return the sizes of the files and the number of rows.

    Few keys may have most of the rows: every game reaches the starting position. Their hits come in the order of the
    games already, so they are written and counted piece by piece, however many there are; the others are sorted.
    """
    heavy = _heavy_keys(task, files)
    others = [np.empty(0, ROW), *(_without(rows, heavy) for rows in _pieces(task, files))]
    rows = np.concatenate(others)
    others.clear()
    rows = sorted_rows(rows)
    facts = Facts(task.facts).rows  # which this job has written
    counted: list[tuple[Aggregates, NDArray[np.uint64]]] = []
    sizes: dict[str, int] = {}
    n = at = 0
    with (
        files.writing(name=(name := file_of("hits", task.part, task.number)), durable=True) as file,
        hits_writer(file) as write,
    ):
        for key in (*heavy, None):
            stop = rows.size if key is None else int(np.searchsorted(rows["key"], np.uint64(key)))
            write(rows[at:stop])
            counted.append(_counted(rows[at:stop], task, facts))
            n, at = n + stop - at, stop
            if key is not None:
                counted.append(_written(key, task, files, facts, write))
                n += int(counted[-1][0].hits[0])
    sizes[name] = files.last[0]
    with files.writing(name=(name := file_of("moves", task.part, task.number)), durable=True) as file:
        is_stored = [bool(one.hits.size) and int(one.hits[0]) >= LEAST for one, _ in counted]
        of = [found for found, stored in zip(counted, is_stored, strict=True) if stored] or counted[-1:]
        whole = Aggregates(*(np.concatenate(columns) for columns in zip(*(one for one, _ in of), strict=True)))
        whole.tallies[:, EXAMPLE] += np.uint32(task.first_game)
        write_moves(file, np.concatenate([keys for _, keys in of]), whole)
    sizes[name] = files.last[0]
    return {"sizes": sizes, "rows": n}


def _written(
    key: int, task: BucketTask, files: TaskFiles, facts: NDArray[np.uint32], write: Callable[[NDArray[Any]], None]
) -> tuple[Aggregates, NDArray[np.uint64]]:
    """Write the rows of a key piece by piece, and return its counts, with the key for each."""
    total: list[Aggregates] = []
    for piece in _whole_games(_pieces(task, files, key)):
        write(piece)
        games = piece["game"] - np.uint32(task.first_game)
        one, _ = aggregates_of(games, piece["move"], np.zeros(1, np.int64), np.array([piece.size]), facts)
        total = [added([*total, one])]
    return total[0], np.full(total[0].hits.size, key, np.uint64)


def _counted(rows: NDArray[Any], task: BucketTask, facts: NDArray[np.uint32]) -> tuple[Aggregates, NDArray[np.uint64]]:
    """Return the counts of sorted rows, and their keys: those of positions with hits enough."""
    first, stop = _groups(rows["key"])
    is_stored = stop - first >= LEAST
    first, stop = first[is_stored], stop[is_stored]
    games = rows["game"] - np.uint32(task.first_game)
    counted, places = aggregates_of(games, rows["move"], first, stop, facts)
    return counted, np.repeat(rows["key"][first], np.diff(np.append(places, counted.hits.size)))


def _pieces(task: BucketTask, files: TaskFiles, key: int | None = None) -> Iterator[NDArray[Any]]:
    """Yield the rows of a bucket, or those of a key, in the order of their games; a few at once of a key."""
    for _, rows in gathered(ROWS, files.while_running(task.segments)):
        yield rows if key is None else rows[rows["key"] == np.uint64(key)]
    for path in files.while_running(task.hits):
        yield from read_hits(path, *((task.first, task.stop) if key is None else (key, key)), of_keys=key is not None)


def _heavy_keys(task: BucketTask, files: TaskFiles) -> list[int]:
    """Return the keys with so many rows that a bucket would not fit in memory, ascending."""
    held = sum(segment.stop - segment.start for segment in task.segments)
    held += sum(count_hits(path, task.first, task.stop) for path in task.hits)
    if held <= 2 * _ROWS:
        return []
    counts: dict[int, int] = {}
    for rows in _pieces(task, files):
        keys, times = np.unique(rows["key"], return_counts=True)
        many = times * _MANY >= rows.size
        for key, n in zip(keys[many].tolist(), times[many].tolist(), strict=True):
            counts[key] = counts.get(key, 0) + n
    return sorted(key for key, n in counts.items() if n * _MANY > _ROWS)


def _without(rows: NDArray[Any], heavy: list[int]) -> NDArray[Any]:
    """Return the rows of other keys."""
    for key in heavy:
        rows = rows[rows["key"] != np.uint64(key)]
    return rows


def _whole_games(pieces: Iterator[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    """Yield rows of one key so that those of a game stay together."""
    held = np.empty(0, ROW)
    for piece in pieces:
        rows = np.concatenate([held, piece]) if held.size else piece
        cut = int(np.searchsorted(rows["game"], rows["game"][-1])) if rows.size else 0
        if cut:
            yield rows[:cut]
        held = rows[cut:]
    if held.size:
        yield held


def _groups(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first row of each key, and the row after its last."""
    ends = np.flatnonzero(np.append(keys[1:] != keys[:-1], True)) + 1 if keys.size else np.zeros(0, np.int64)
    return np.concatenate([np.zeros(min(ends.size, 1), np.int64), ends[:-1]]), ends
