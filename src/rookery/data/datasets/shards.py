"""The second half of making a dataset: the rows of a shard, from all files of rows, are deduplicated and ordered."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.data.datasets.parts import PLACED, RECORDS
from rookery.data.datasets.rows import unpacked
from rookery.tasks.exchange import Segment
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
    splits: tuple[str, ...]
    dedupe: bool
    shuffle: bool
    most: int | None


def make_shard(task: ShardTask, parts: TaskFiles) -> dict[str, Any]:
    """Write the files of a shard, one for each split with rows, and return what is in them as JSON holds it."""
    rows = _rows_of(task)
    n = rows.size
    if task.dedupe and n:
        # The first of equal positions in the inputs is kept. They are compared in full: equal hashes do not suffice.
        _, index = unpacked(rows["row"]).unique(return_index=True)
        rows = rows[np.sort(index)]
    repeated = n - rows.size
    if task.most is not None and rows.size > task.most:
        rows = rows[np.sort(np.argsort(rows["order"], kind="stable")[: task.most])]
    left_out = n - repeated - rows.size
    if task.shuffle:
        rows = rows[np.argsort(rows["order"], kind="stable")]
    written = []
    for i, split in enumerate(task.splits):
        chosen = np.ascontiguousarray(rows["row"][rows["split"] == i])
        if not chosen.size:
            continue
        name = f"{split}-{task.number:05d}.npy"
        with parts.writing(name=name, durable=True) as file:
            np.lib.format.write_array(file, chosen, (1, 0), allow_pickle=False)
        size, digest = parts.last
        written.append({"file": name, "split": split, "rows": int(chosen.size), "bytes": size, "digest": digest})
    return {"shards": written, "repeated": int(repeated), "left out": int(left_out)}


def _rows_of(task: ShardTask) -> NDArray[Any]:
    """Return the rows of a shard, in the order of the inputs."""
    parts = []
    for segment, files, games in task.rows:
        rows = RECORDS.read(*segment)
        rows["row"]["file"] = np.array(files, np.uint32)[rows["row"]["file"]]
        rows["row"]["number"] += np.uint32(games)
        parts.append(rows)
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, PLACED), *parts])
