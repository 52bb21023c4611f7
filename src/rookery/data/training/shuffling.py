"""Rows of training data in random order, however many there are: they are exchanged through files on the disk.

A seed and the place of a row in the input decide where the row goes, so the order depends on nothing else. A row takes
49 bytes on the disk, and `MEMORY` bounds what is held of them.
"""

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Final

import numpy as np

from rookery.bitboards.bits import mixed
from rookery.data.datasets.rows import positions_of, words_of
from rookery.data.training.samples import ScoredPositions
from rookery.sources.disk import DISK
from rookery.tasks.exchange import (
    BUCKETS,
    Scatter,
    Scattered,
    bucket_sizes,
    gathered,
    groups,
    records,
    segments_of,
    suffix_of,
)
from rookery.tasks.parts import TaskFiles, TaskResult

MEMORY: Final = 1 << 28  # bytes of rows that are held
UNSTORABLE: Final = "position that cannot be shuffled"  # of more than 32 pieces, or none
_BATCH: Final = 1 << 16
_ROW: Final = np.dtype(
    [("words", "<u8", 4), ("move", "<u2"), ("score", "<i2"), ("result", "i1"), ("ply", "<i4"), ("order", "<u8")]
)


def shuffled(
    batches: Iterable[ScoredPositions], seed: int, folder: Path, counts: dict[str, int]
) -> Generator[ScoredPositions, None, None]:
    """Yield the rows of batches in the random order of a seed; `folder` is made, used and removed.

    Rows that cannot be stored are left out, and counted in `counts`.
    """
    DISK.remove_tree(folder)
    DISK.make_folder(folder)
    try:
        files = TaskFiles(str(folder), 0, "shuffle")
        stored = records(_ROW)
        scatter = Scatter(files, stored, BUCKETS, MEMORY // 2)
        place, key = 0, np.uint64(mixed(np.uint64(seed)))
        for batch in batches:
            rows = np.empty(len(batch), _ROW)
            rows["words"] = words_of(batch.positions)
            rows["move"], rows["score"], rows["result"] = batch.moves, batch.scores, batch.results
            rows["ply"] = batch.plies
            rows["order"] = mixed(np.arange(place, place + len(batch), dtype=np.uint64) ^ key)
            place += len(batch)
            keep = rows["words"][:, 0] != 0
            if not keep.all():
                counts[UNSTORABLE] = counts.get(UNSTORABLE, 0) + int(np.count_nonzero(~keep))
                rows = rows[keep]
            scatter.add(rows, rows["order"])
        scatter.flush()
        written = TaskResult(0, None, str(folder))
        found = [
            Scattered(str(written.path(suffix_of(i))), offsets, offsets[-1] * _ROW.itemsize)
            for i, offsets in enumerate(scatter.offsets)
        ]
        for first, stop in groups(bucket_sizes(found), MEMORY // 4):
            parts = [rows for _, rows in gathered(stored, segments_of(found, first, stop))]
            rows = np.concatenate(parts)
            index = np.argsort(rows["order"], kind="stable")
            for i in range(0, index.size, _BATCH):
                yield _scored(rows[index[i : i + _BATCH]])
    finally:
        DISK.remove_tree(folder)


def _scored(rows: np.ndarray[tuple[int, ...], np.dtype[np.void]]) -> ScoredPositions:
    positions = positions_of(np.ascontiguousarray(rows["words"]))
    return ScoredPositions(
        positions, moves=rows["move"], scores=rows["score"], results=rows["result"], plies=rows["ply"]
    )
