"""Datasets that are opened: batches for training, as NumPy arrays, PyTorch tensors or JAX arrays.

Shards are mapped into memory, and planes are made of the rows of a batch when it is read.
"""

import contextlib
import hashlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import check_path, count, flag, mapping, shown
from rookery.data.datasets.batches import Batch, Settings, batch_from, has_value
from rookery.data.datasets.manifest import Manifest
from rookery.data.datasets.mixing import EpochOrder
from rookery.data.datasets.rows import ROW, NotAPositionError, scored
from rookery.data.datasets.stored_rows import StoredRows
from rookery.data.training import limits
from rookery.data.training.samples import ScoredPositions
from rookery.frames.arrow import arrow_column
from rookery.frames.columns import Categorical
from rookery.sources.files import Damaged

_MOST: Final = (1 << 63) - 1


class Dataset:
    """A split of a dataset: an iterable of batches, which can be pickled, and goes on in the middle of an epoch.

    `len` is the number of batches in an epoch. `manifest` says what is in the dataset. Each iteration is one epoch,
    and begins where the last `load_state_dict` says; `epoch` is the number of the next one.

    >>> import pathlib, tempfile, rookery
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "dataset"
    >>> _ = rookery.make_dataset("docs/lichess-2025-05.pgn.zst", folder, split=[1])
    >>> dataset = rookery.open_dataset(folder, batch=256)
    >>> dataset.rows
    633
    >>> [batch.value.size for batch in dataset]
    [256, 256, 121]
    """

    def __init__(self, folder: Path, split: str, manifest: Manifest, settings: Settings, *, check: bool) -> None:
        """Make a dataset of what `open_dataset` has read and checked, which is the way to open one."""
        for name, value, kind in (("manifest", manifest, Manifest), ("settings", settings, Settings)):
            if not isinstance(value, kind):
                raise TypeError(f"{name}: {shown(value)}: expected that of a dataset: rookery.open_dataset opens one")
        check_path("folder", folder)
        if not isinstance(split, str) or split not in manifest.rows:
            raise ValueError(f"split: {shown(split)}: expected one of {', '.join(manifest.rows)}")
        folder, check = Path(folder), flag("check", check)
        self.folder, self.split, self.manifest = folder, split, manifest
        self.epoch = 0
        self._settings, self._next = settings, 0
        self._rows = StoredRows(folder, manifest, split)
        self._rows.check(digests=check)
        self.dropped: dict[str, int] = {}
        self._chosen = self._rows_to_learn()

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return len(self._rows) if self._chosen is None else self._chosen.size

    @property
    def batch(self) -> int:
        """Return the number of rows of a batch."""
        return self._settings.batch

    @property
    def planes(self) -> tuple[str, ...]:
        """Return the channels of the planes."""
        return self._settings.planes

    def __len__(self) -> int:
        return self._in_epoch() // self._settings.world_size

    def __getitem__(self, index: Any) -> Any:
        """Raise TypeError: rows come in batches. So says a ``DataLoader`` of PyTorch that is given the dataset."""
        raise TypeError(
            f"index: {shown(index)}: a dataset yields batches, here of {self.batch:,} rows, and no row by index: "
            "expected dataset.read(start, stop), or DataLoader(dataset.torch(), batch_size=None)"
        )

    def _rows_to_learn(self) -> NDArray[np.int64] | None:
        """Return the rows that have the value and the move to be learnt, or None if all have."""
        made, settings = self.manifest.options, self._settings
        tests: list[tuple[str, Any]] = []
        if settings.policy is not None and made.policy is None:
            tests.append((limits.NO_MOVE.name, lambda stored: stored["move"] != 0))
        if settings.value is not None and settings.value != made.value:
            name = {"result": limits.NO_RESULT, "eval": limits.NO_SCORE}[settings.value].name
            tests.append((name, lambda stored: has_value(stored, str(settings.value))))
        n = len(self._rows)
        keep = np.ones(n, np.bool_)
        for name, has in tests:
            found = [has(self._rows.mapped(i)) for i in range(len(self._rows.shards))]
            lacking = keep & ~np.concatenate([np.empty(0, np.bool_), *found])
            if lacking.any():
                self.dropped[name] = int(np.count_nonzero(lacking))
                keep &= ~lacking
        if n and not keep.any():
            reason, dropped = next(iter(self.dropped.items()))
            what = f"policy: {settings.policy!r}" if reason == limits.NO_MOVE.name else f"value: {settings.value!r}"
            raise ValueError(f"{what}: {reason} in {dropped:,} of the {n:,} rows of {self.split}: none are left")
        return None if keep.all() else np.flatnonzero(keep)

    def _in_epoch(self) -> int:
        """Return the number of batches of an epoch for all processes together."""
        whole, rest = divmod(self.rows, self.batch)
        return whole + (1 if rest and not self._settings.drop_last and self._settings.world_size == 1 else 0)

    def __repr__(self) -> str:
        return f"<{self.rows:,} rows of {self.split}: {len(self):,} batches of {self.batch:,}>"

    def _repr_html_(self) -> str:
        """Return what the batches have as a table, for notebooks."""
        from rookery.frames.html_tables import table_html

        settings = self._settings
        planes = f"{len(self.planes)} of {settings.dtype}: {', '.join(self.planes)}"
        cells = {
            "split": self.split,
            "rows": f"{self.rows:,}",
            "shards": f"{len(self._rows.shards):,}",
            "planes": planes,
        }
        cells |= {"policy": settings.policy or "none", "value": settings.value or "none"}
        cells |= {"dropped": ", ".join(f"{n:,} {name}" for name, n in self.dropped.items())} if self.dropped else {}
        cells |= {"shuffled": "yes" if settings.shuffle else "no", "epoch": str(self.epoch)}
        return table_html([], [(name, [text]) for name, text in cells.items()], repr(self)[1:-1])

    def __iter__(self) -> Iterator[Batch]:
        """Yield the batches of an epoch that are left."""
        epoch, first = self.epoch, self._next
        for place, batch in self.batches_of(epoch, first):
            self._next = place + 1
            yield batch
        self.epoch, self._next = epoch + 1, 0

    def batches_of(self, epoch: int, first: int = 0, every: int = 1) -> Iterator[tuple[int, Batch]]:
        """Yield batches of an epoch and their places in it: `first`, and each `every`-th one after it.

        So worker w of n reads ``batches_of(epoch, w, n)``, and all of them together read each row once.

        >>> import pathlib, tempfile, rookery
        >>> folder = pathlib.Path(tempfile.mkdtemp()) / "dataset"
        >>> _ = rookery.make_dataset("docs/lichess-2025-05.pgn.zst", folder, split=[1])
        >>> dataset = rookery.open_dataset(folder, batch=100)
        >>> [place for place, batch in dataset.batches_of(0, 1, 3)]
        [1, 4]
        """
        epoch, first, every = count("epoch", epoch, 0, _MOST), count("first", first, 0), count("every", every, 1)
        places = range(first, len(self), every)
        if self._settings.shuffle:
            stored = self._mixed(epoch, places)
        else:
            stored = (self._stored(*self._bounds(place)) for place in places)
        for place, rows in zip(places, stored, strict=True):
            yield place, self._batch(rows)

    def _bounds(self, place: int) -> tuple[int, int]:
        """Return where in the epoch a batch of this process begins and ends."""
        start = (place * self._settings.world_size + self._settings.rank) * self.batch
        return start, min(start + self.batch, self.rows)

    def _mixed(self, epoch: int, places: range) -> Iterator[NDArray[Any]]:
        """Yield the stored rows of batches of an epoch, in memory that is used again.

        The blocks of a window are copied, and then its rows are taken at once, while the blocks are in the cache.
        """
        order = EpochOrder(self.rows, self.batch, self._settings.seed, epoch)
        room = self._rows.room(min(order.size, self.rows))
        for window, group in itertools.groupby(map(self._bounds, places), lambda bounds: bounds[0] // order.size):
            begin = window * order.size
            if self._chosen is not None:
                rows = self._chosen[order.window(window)]
                yield from (self._rows.taken(rows[start - begin : stop - begin]) for start, stop in group)
                continue
            slots = order.slots(window)
            parts = [slots[start - begin : stop - begin] for start, stop in group]
            slots = parts[0] if len(parts) == 1 else np.concatenate(parts)
            stored = self._rows.rows_of(self._rows.blocks(order.blocks(window), room), slots, room)
            yield from np.split(stored, np.cumsum([part.size for part in parts])[:-1])

    def read(self, start: int = 0, stop: int | None = None) -> ScoredPositions:
        """Return rows `start` to `stop` of the split, or all after it, as `ScoredPositions`.

        >>> import pathlib, tempfile, rookery
        >>> folder = pathlib.Path(tempfile.mkdtemp()) / "dataset"
        >>> _ = rookery.make_dataset("docs/lichess-2025-05.pgn.zst", folder, split=[1])
        >>> rows = rookery.open_dataset(folder).read(0, 2)
        >>> rows.positions.uci(rows.moves).tolist()
        ['e2e4', 'e7e5']
        """
        start = count("start", start, 0)
        stop = self.rows if stop is None else min(count("stop", stop, 0), self.rows)
        return self._scored(self._stored(min(start, stop), stop))

    def to_arrow(self, start: int = 0, stop: int | None = None) -> Any:
        """Return rows `start` to `stop` of the split, or all after it, as an Arrow table.

        `file` and `number` say which game a row is from, as in all tables of games, so that they can be joined. In
        training data the games of a file are counted. What an option added to rows comes last: ``count``, ``wins``,
        ``draws``, ``losses`` and ``mean_score`` with ``targets="mean"``, and own columns, null where they are missing.

        >>> import pathlib, tempfile, rookery
        >>> folder = pathlib.Path(tempfile.mkdtemp()) / "dataset"
        >>> _ = rookery.make_dataset("docs/lichess-2025-05.pgn.zst", folder, split=[1])
        >>> table = rookery.open_dataset(folder).to_arrow()
        >>> table.column_names
        ['file', 'number', 'fen', 'move', 'score', 'result', 'ply']
        >>> table.column("number")[-1].as_py()
        12
        """
        start = count("start", start, 0)
        stop = self.rows if stop is None else min(count("stop", stop, 0), self.rows)
        stored = self._stored(min(start, stop), stop)
        table = self._scored(stored).to_arrow()
        if len(stored) and int(stored["file"].max()) >= len(self.manifest.files):
            raise Damaged(f"folder: {self.folder}: a shard is damaged: an unknown file: make the dataset again")
        files = arrow_column(Categorical(stored["file"].astype(np.int32), tuple(self.manifest.files)))
        table = table.add_column(0, "file", files)
        table = table.add_column(1, "number", arrow_column(stored["number"].astype(np.int64)))
        own = [name for name in stored.dtype.names or () if name not in (*(ROW.names or ()), "earlier", "repeated")]
        texts = {column.name for column in self._settings.columns if column.is_text}
        for name in own:
            values = np.ascontiguousarray(stored[name])
            values = self._rows.texts(name, values) if name in texts else values
            table = table.append_column(name, arrow_column(values))
        return table

    def _stored(self, start: int, stop: int) -> NDArray[Any]:
        """Return consecutive stored rows of those that are learnt."""
        return self._rows.between(start, stop) if self._chosen is None else self._rows.taken(self._chosen[start:stop])

    def _scored(self, stored: NDArray[Any]) -> ScoredPositions:
        with self._named():
            return scored(stored)

    def _batch(self, stored: NDArray[Any]) -> Batch:
        with self._named():
            return batch_from(stored, self._settings, self._rows.texts)

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """Name the dataset in the error of a damaged row."""
        try:
            yield
        except NotAPositionError as error:
            raise Damaged(f"folder: {self.folder}: a shard is damaged: {error}: make the dataset again") from error

    def state_dict(self) -> dict[str, Any]:
        """Return where the iteration is: the epoch, the place in it of the next batch, and of what dataset.

        >>> import pathlib, tempfile, rookery
        >>> folder = pathlib.Path(tempfile.mkdtemp()) / "dataset"
        >>> _ = rookery.make_dataset("docs/lichess-2025-05.pgn.zst", folder, split=[1])
        >>> dataset = rookery.open_dataset(folder, batch=100)
        >>> batches = iter(dataset)
        >>> _ = next(batches), next(batches)
        >>> state = dataset.state_dict()
        >>> state["epoch"], state["batch"]
        (0, 2)
        >>> state["of"]["rows"]
        633
        """
        return self.state_at(self.epoch, self._next)

    def state_at(self, epoch: int, batch: int) -> dict[str, Any]:
        """Return the state before a batch of an epoch, as `state_dict` does.

        >>> import pathlib, tempfile, rookery
        >>> folder = pathlib.Path(tempfile.mkdtemp()) / "dataset"
        >>> _ = rookery.make_dataset("docs/lichess-2025-05.pgn.zst", folder, split=[1])
        >>> dataset = rookery.open_dataset(folder)
        >>> dataset.state_at(0, 0) == dataset.state_dict()
        True
        """
        epoch, batch = count("epoch", epoch, 0, _MOST), count("batch", batch, 0)
        settings = self._settings
        digests = "".join(shard.digest for shard in self._rows.shards)
        identity: dict[str, Any] = {
            "dataset": hashlib.sha256(digests.encode()).hexdigest()[:16],
            "rows": self.rows,
            "batch": self.batch,
            "shuffle": settings.shuffle,
            "seed": settings.seed if settings.shuffle else None,
            "world_size": settings.world_size,
        }
        return {"epoch": epoch, "batch": batch, "of": identity}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on where `state_dict` was called: the next iteration yields what was left of the epoch.

        A state of other rows, or of another size of batches, seed or number of processes, raises ValueError, since its
        epoch had other batches. A state without ``"of"``, of epoch and batch alone, is taken as it is.

        >>> import pathlib, tempfile, rookery
        >>> folder = pathlib.Path(tempfile.mkdtemp()) / "dataset"
        >>> _ = rookery.make_dataset("docs/lichess-2025-05.pgn.zst", folder, split=[1])
        >>> dataset = rookery.open_dataset(folder, batch=100)
        >>> dataset.load_state_dict({"epoch": 3, "batch": 5})
        >>> len(list(dataset))
        2
        """
        given = mapping("state", state, "what state_dict returned")
        if {"epoch", "batch"} - set(given):
            raise ValueError(f"state: {shown(dict(given))}: expected what state_dict returned")
        epoch, first = count("state: epoch", given["epoch"], 0, _MOST), count("state: batch", given["batch"], 0)
        own = self.state_at(epoch, first)["of"]
        of = mapping("state: of", given.get("of", own), "what state_dict returned")
        for name, value in own.items():
            if name not in of or of[name] != value:
                raise ValueError(
                    f"state: {name} {shown(of.get(name))}: does not fit a dataset with {name} {value!r}: expected a "
                    "state of the same rows, batches and seed"
                )
        if first > len(self):
            raise ValueError(f"state: batch {first}: expected at most {len(self)}, the batches of an epoch")
        self.epoch, self._next = epoch, first

    def torch(self) -> Any:
        """Return the same batches as an ``IterableDataset`` of PyTorch, for a ``DataLoader`` with any workers.

        Needs PyTorch: ``pip install torch``; without it a ModuleNotFoundError says so.

        The loader must not batch again, so its ``batch_size`` is None.

        >>> from torch.utils.data import DataLoader  # doctest: +SKIP
        >>> batches = rookery.open_dataset("dataset").torch()  # doctest: +SKIP
        >>> loader = DataLoader(batches, batch_size=None, num_workers=2)  # doctest: +SKIP
        >>> next(iter(loader)).planes.shape  # doctest: +SKIP
        torch.Size([1024, 18, 8, 8])
        """
        from rookery.data.datasets.torch_batches import torch_batches

        return torch_batches(self)

    def jax(self) -> Iterator[Batch]:
        """Yield the batches of an epoch that are left as JAX arrays, without a copy on the CPU.

        Needs JAX: ``pip install jax``; without it a ModuleNotFoundError says so. Own columns of 64 bits,
        such as sets and keys, need ``jax_enable_x64``; without it they raise ValueError.

        >>> next(rookery.open_dataset("dataset").jax()).planes.shape  # doctest: +SKIP
        (1024, 18, 8, 8)
        """
        try:
            import jax
        except ModuleNotFoundError:
            raise ModuleNotFoundError("jax: needs JAX: pip install jax") from None
        if not jax.config.jax_enable_x64:
            for column in self.manifest.options.columns:
                if column.dtype == "<u8":
                    raise ValueError(
                        f"jax: column {column.name!r} has 64 bits, of which JAX keeps 32: expected "
                        'jax.config.update("jax_enable_x64", True)'
                    )
        return (batch.each(jax.dlpack.from_dlpack) for batch in self)
