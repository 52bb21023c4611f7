"""The second half of making a dataset: the rows of a shard, from all files of rows, are deduplicated and ordered."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.data.datasets.options import Options
from rookery.data.datasets.parts import placed_dtype
from rookery.data.datasets.rows import row_dtype, unpacked
from rookery.games.positions.scores import NO_SCORE
from rookery.tasks.exchange import Segment, records
from rookery.tasks.parts import TaskFiles


class ShardRows(NamedTuple):
    """Rows of a file: their segment, the files of games by the index that rows have, and games before."""

    segment: Segment
    files: tuple[int, ...]
    games: int


class ShardTask(NamedTuple):
    """A task for a worker: the rows of a shard, and what to do with them.

    Of more than `most` rows without repeated ones, those with the lowest hashes are kept, if it is not None.
    """

    number: int
    rows: tuple[ShardRows, ...]
    options: Options
    most: int | None


def make_shard(task: ShardTask, parts: TaskFiles) -> dict[str, Any]:
    """Write the files of a shard, one for each split with rows, and return what is in them as JSON holds it."""
    options = task.options
    rows = _rows_of(task)
    n = rows.size
    if options.unique and n:
        # Positions are compared in full: equal hashes do not suffice.
        positions = unpacked(rows["row"])
        if options.targets == "mean":
            _, index, inverse = positions.unique(return_index=True, return_inverse=True)
            kept = rows[index]
            _aggregate(kept["row"], rows["row"], inverse, [column.name for column in options.columns])
            rows = kept[np.argsort(index)]
        else:
            rows = rows[np.sort(positions.unique(return_index=True)[1])]
    repeated = n - rows.size
    if task.most is not None and rows.size > task.most:
        rows = rows[np.sort(np.argsort(rows["order"], kind="stable")[: task.most])]
    left_out = n - repeated - rows.size
    if options.shuffle:
        rows = rows[np.argsort(rows["order"], kind="stable")]
    written = []
    for i, split in enumerate(options.splits):
        chosen = np.ascontiguousarray(rows["row"][rows["split"] == i])
        if not chosen.size:
            continue
        name = f"{split}-{task.number:05d}.npy"
        with parts.writing(name=name, durable=True) as file:
            np.lib.format.write_array(file, chosen, (1, 0), allow_pickle=False)
        size, digest = parts.last
        written.append({"file": name, "split": split, "rows": int(chosen.size), "bytes": size, "digest": digest})
    return {"shards": written, "repeated": int(repeated), "left out": int(left_out)}


def _aggregate(kept: NDArray[Any], rows: NDArray[Any], inverse: NDArray[np.intp], own: list[str]) -> None:
    """Write what all rows of each position say into the first of them: row i is of the position ``kept[inverse[i]]``.

    The move becomes the most frequent one, the first of several.
    """
    n = kept.size

    def total(weights: NDArray[Any] | None = None, where: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        chosen = slice(None) if where is None else where
        found = np.bincount(inverse[chosen], None if weights is None else weights[chosen], n)
        return found.astype(np.float64)

    def mean(values: NDArray[Any], known: NDArray[np.bool_]) -> NDArray[np.float64]:
        with np.errstate(invalid="ignore"):
            return total(values.astype(np.float64), known) / total(where=known)

    kept["count"] = total()
    for name, result in (("wins", 1), ("draws", 0), ("losses", -1)):
        kept[name] = total(where=rows["result"] == result)
    kept["mean_score"] = mean(rows["score"], rows["score"] != NO_SCORE)
    for name in own:
        if rows[name].dtype.kind == "f":
            kept[name] = mean(rows[name], ~np.isnan(rows[name]))
    pairs = inverse.astype(np.uint64) << np.uint64(16) | rows["move"]
    pairs, first, counts = np.unique(pairs, return_index=True, return_counts=True)
    # The last of each position in this order is its most frequent move.
    order = np.lexsort((-first, counts, pairs >> np.uint64(16)))
    ends = np.append(np.flatnonzero(np.diff((pairs >> np.uint64(16))[order])), order.size - 1)
    kept["move"] = (pairs[order[ends]] & np.uint64(0xFFFF)).astype(np.uint16)


def _rows_of(task: ShardTask) -> NDArray[Any]:
    """Return the rows of a shard, in the order of the inputs."""
    dtype = placed_dtype(row_dtype(task.options))
    parts = []
    stored = records(dtype)
    for segment, files, games in task.rows:
        rows = stored.read(*segment)
        rows["row"]["file"] = np.array(files, np.uint32)[rows["row"]["file"]]
        rows["row"]["number"] += np.uint32(games)
        parts.append(rows)
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype), *parts])
