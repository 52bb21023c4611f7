"""The rows of a split as they are stored: shards that are mapped into memory, and the texts of own columns."""

import itertools
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.data.datasets import manifest as manifests
from rookery.data.datasets.manifest import Manifest
from rookery.data.datasets.mixing import BLOCK
from rookery.data.datasets.own_columns import MISSING
from rookery.frames.arrow_files import columns_of_batch
from rookery.sources.disk import DISK
from rookery.sources.files import Damaged

_PLACE: Final = 32  # bits of a place that are the index of a text in its shard


class Room(NamedTuple):
    """Memory that is used again for each window of an epoch: for its rows, and for the blocks that they come from."""

    rows: NDArray[Any]
    blocks: NDArray[Any]


class StoredRows:
    """The rows of a split of a dataset in a folder. A pickle has no maps."""

    def __init__(self, folder: Path, manifest: Manifest, split: str) -> None:
        self.folder, self.dtype = folder, manifest.row
        self.shards = [shard for shard in manifest.shards if shard.split == split]
        self.starts = np.cumsum([0, *(shard.rows for shard in self.shards)])
        self._texts = manifest.texts
        self._mapped: dict[int, NDArray[Any]] = {}
        self._known: dict[tuple[str, int], NDArray[np.object_]] = {}
        # Rows as bytes are copied seven times faster than rows as records.
        self._bytes = np.dtype((np.void, self.dtype.itemsize))
        self._block = np.dtype((np.void, BLOCK * self.dtype.itemsize))

    def check(self, *, digests: bool) -> None:
        """Raise a ValueError if a shard is missing or has another size, or if `digests` are compared, has changed."""
        for shard in self.shards:
            manifests.check_size(self.folder, shard, self.dtype)
        for shard in (*self.shards, *self._texts) if digests else ():
            manifests.check_digest(self.folder, shard)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_mapped": {}, "_known": {}}

    def __len__(self) -> int:
        return int(self.starts[-1])

    def mapped(self, i: int) -> NDArray[Any]:
        """Return the rows of a shard."""
        if i not in self._mapped:
            shard = self.shards[i]
            path = manifests.check_size(self.folder, shard, self.dtype)
            stored = DISK.mapped(path)[manifests.header_size(shard, self.dtype) :]
            self._mapped[i] = np.asarray(stored.view(self.dtype)[: shard.rows])
        return self._mapped[i]

    def between(self, start: int, stop: int) -> NDArray[Any]:
        """Return consecutive rows: from the map of one shard, or copied from several."""
        shard = int(np.searchsorted(self.starts, start, side="right")) - 1
        parts = []
        while start < stop:
            end = min(stop, int(self.starts[shard + 1]))
            first = int(self.starts[shard])
            parts.append(self.mapped(shard)[start - first : end - first])
            start, shard = end, shard + 1
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, self.dtype), *parts])

    def taken(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Return copies of rows, in any order."""
        if len(self.shards) == 1:
            return np.take(self.mapped(0).view(self._bytes), rows).view(self.dtype)
        shards = np.searchsorted(self.starts, rows, side="right") - 1
        order = np.argsort(shards.astype(np.min_scalar_type(len(self.shards))), kind="stable")
        places = np.empty_like(order)
        places[order] = np.arange(order.size)
        # Rows are gathered by shard and then taken in their order: NumPy assigns to rows of bytes slowly.
        rows, parts = rows[order], [np.empty(0, self._bytes)]
        for shard, ends in enumerate(itertools.pairwise(np.cumsum([0, *np.bincount(shards)]).tolist())):
            if ends[0] < ends[1]:
                parts.append(np.take(self.mapped(shard).view(self._bytes), rows[slice(*ends)] - self.starts[shard]))
        return np.take(np.concatenate(parts), places).view(self.dtype)

    def blocks(self, firsts: NDArray[np.int64], room: Room) -> NDArray[Any]:
        """Return copies of blocks of 64 consecutive rows, as bytes; where the rows end, the rest is undefined.

        `firsts` are the first rows, multiples of 64. A block is copied as a whole, unless shards divide it.
        """
        out = room.blocks[: firsts.size]
        shards = np.searchsorted(self.starts, firsts, side="right") - 1
        is_whole = firsts + BLOCK <= self.starts[shards + 1]
        for shard in np.unique(shards[is_whole]).tolist():
            chosen = np.flatnonzero(is_whole & (shards == shard))
            start = int(self.starts[shard])
            first = -start % BLOCK  # the row of the shard with which its first whole block begins
            rows = self.mapped(shard)[first:]
            blocks = rows[: rows.size // BLOCK * BLOCK].view(self._block)
            index = (firsts[chosen] - start - first) // BLOCK
            if chosen.size == out.size:
                np.take(blocks, index, out=out, mode="clip")  # without a buffer for errors
            else:
                out[chosen] = np.take(blocks, index)
        found = out.view(self._bytes)
        for i in np.flatnonzero(~is_whole).tolist():
            rows = self.between(int(firsts[i]), min(int(firsts[i]) + BLOCK, len(self)))
            found[i * BLOCK : i * BLOCK + rows.size] = rows.view(self._bytes)
        return found

    def room(self, rows: int) -> Room:
        """Allocate memory for mixing some rows."""
        return Room(np.empty(rows, self._bytes), np.empty(-(-rows // BLOCK) + 2, self._block))

    def rows_of(self, blocks: NDArray[Any], slots: NDArray[np.int64], room: Room) -> NDArray[Any]:
        """Return the rows in some slots of copied blocks."""
        # With `out` and without checks of each index, which are right, rows are copied twice as fast.
        return np.take(blocks, slots, out=room.rows[: slots.size], mode="clip").view(self.dtype)

    def texts(self, column: str, places: NDArray[np.uint64]) -> NDArray[np.object_]:
        """Return the texts of an own column at some places: str, or None where one is missing."""
        found = np.full(places.size, None, np.object_)
        known = places != np.uint64(MISSING)
        shards = places >> np.uint64(_PLACE)
        for shard in np.unique(shards[known]).tolist():
            chosen = np.flatnonzero(known & (shards == shard))
            texts, index = self._texts_of(column, int(shard)), places[chosen] & np.uint64((1 << _PLACE) - 1)
            if index.max() >= texts.size:
                raise Damaged(f"folder: {self.folder}: a shard is damaged: an unknown text: make the dataset again")
            found[chosen] = texts[index.astype(np.int64)]
        return found

    def _texts_of(self, column: str, shard: int) -> NDArray[np.object_]:
        """Return the different texts of a column in a shard."""
        if (column, shard) not in self._known:
            name = manifests.name_of_texts(column, shard)
            file = next((one for one in self._texts if one.file == name), None)
            if file is None:
                raise Damaged(f"folder: {self.folder}: a shard is damaged: an unknown text: make the dataset again")
            path = manifests.check_file(self.folder, file)
            texts = columns_of_batch(path, [column]).column(0)
            self._known[column, shard] = np.array(texts.to_pylist(), np.object_)
        return self._known[column, shard]
