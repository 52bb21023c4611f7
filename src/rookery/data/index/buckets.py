"""The second half of making an index: the rows of a range of keys, from all tasks or parts, are sorted and counted."""

from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.data.index.aggregates import LEAST, aggregates_of, write_moves
from rookery.data.index.catalogue import file_of
from rookery.data.index.rows import ROW, ROWS, SLICES, read_hits, sorted_rows, write_hits
from rookery.games.openings.growth import EXAMPLE, NAME
from rookery.sources.disk import DISK
from rookery.tasks.exchange import Segment, gathered
from rookery.tasks.parts import TaskFiles

_ROWS: Final = 1 << 22  # rows of a bucket, roughly: some 300 MB while they are sorted
FACTS: Final = NAME  # facts about a game: all but the number of its name


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
    """Return the first slice of each bucket for so many rows, and the number of slices.

    Keys are spread evenly; the hits of one position stay together, however many there are.
    """
    n = min(max(-(-rows // _ROWS), 1), SLICES)
    return [SLICES * i // n for i in range(n + 1)]


def make_bucket(task: BucketTask, files: TaskFiles) -> dict[str, Any]:
    """Write the hits and the moves of a bucket, and return the sizes of the files and the number of rows."""
    parts: list[NDArray[Any]] = [np.empty(0, ROW)]
    parts += [rows for _, rows in gathered(ROWS, files.while_running(task.segments))]
    for path in files.while_running(task.hits):
        parts += read_hits(path, task.first, task.stop)
    rows = np.concatenate(parts)
    parts.clear()
    rows = sorted_rows(rows)
    sizes: dict[str, int] = {}
    with files.writing(name=(name := file_of("hits", task.part, task.number)), durable=True) as file:
        write_hits(file, rows)
    sizes[name] = files.last[0]
    first, stop = _groups(rows["key"])
    is_stored = stop - first >= LEAST
    first, stop = first[is_stored], stop[is_stored]
    games = rows["game"] - np.uint32(task.first_game)
    counted, places = aggregates_of(games, rows["move"], first, stop, np.array(facts_in(task.facts)))
    counted.tallies[:, EXAMPLE] += np.uint32(task.first_game)
    keys = np.repeat(rows["key"][first], np.diff(np.append(places, counted.hits.size)))
    with files.writing(name=(name := file_of("moves", task.part, task.number)), durable=True) as file:
        write_moves(file, keys, counted)
    sizes[name] = files.last[0]
    return {"sizes": sizes, "rows": int(rows.size)}


def _groups(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first row of each key, and the row after its last."""
    ends = np.flatnonzero(np.append(keys[1:] != keys[:-1], True)) + 1 if keys.size else np.zeros(0, np.int64)
    return np.concatenate([np.zeros(min(ends.size, 1), np.int64), ends[:-1]]), ends


def facts_in(path: str | Path) -> NDArray[np.uint32]:
    """Return the facts about games in a file, which the system reads as they are needed: uint32, (n, 4).

    They are the first four of `rookery.games.openings.facts`: result, ratings and day.
    """
    if not Path(path).stat().st_size:
        return np.zeros((0, FACTS), np.uint32)
    found: NDArray[np.uint32] = np.asarray(DISK.mapped(path)).view("<u4").reshape(-1, FACTS)
    return found
