"""`open_dataset`: batches for training from a dataset, as NumPy arrays, PyTorch tensors or JAX arrays.

Shards are mapped into memory, and planes are made of the rows of a batch when it is read.
"""

import contextlib
import hashlib
import itertools
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rookery.aliases import PolicyLayout
from rookery.arguments import check_path, check_threads, choice, count, flag, mapping, shown
from rookery.data.datasets import manifest as manifests
from rookery.data.datasets.batches import Batch, Settings, batch_from, has_value
from rookery.data.datasets.manifest import Manifest
from rookery.data.datasets.mixing import EpochOrder
from rookery.data.datasets.options import LEELA, MOST_EARLIER, channels_of
from rookery.data.datasets.rows import ROW, NotAPositionError, scored
from rookery.data.training import limits
from rookery.data.training.samples import ScoredPositions
from rookery.frames.array_arguments import dtype_of
from rookery.frames.arrow import arrow_column
from rookery.frames.columns import Categorical
from rookery.positions.features.planes import FILLERS
from rookery.sources.disk import DISK
from rookery.sources.files import Damaged

_POLICIES: Final = {"alphazero": "alphazero", "leela": "leela", None: None}
_VALUES: Final = {"result": "result", "eval": "eval", None: None}
_MOST: Final = (1 << 63) - 1


def open_dataset(
    folder: str | os.PathLike[str],
    split: str = "train",
    *,
    batch: int = 1024,
    planes: Iterable[str] | str = "stored",
    policy: PolicyLayout | Literal["stored"] | None = "stored",
    value: Literal["result", "eval", "stored"] | None = "stored",
    dtype: DTypeLike = np.float32,
    legal: bool = False,
    history: int | Literal["stored"] = "stored",
    shuffle: bool = False,
    seed: int = 0,
    drop_last: bool = False,
    rank: int = 0,
    world_size: int = 1,
    threads: int = 1,
    check: bool = False,
) -> "Dataset":
    """Open a split of a dataset that `make_dataset` made: ``"train"``, ``"validation"`` or ``"test"``.

    Iterating over the result yields a `Batch` of `batch` rows at a time, each row once; the last batch may be shorter,
    unless `drop_last` leaves it out. With `shuffle` each epoch mixes the rows of all shards anew, in an order that
    `seed` decides: rows that are together in a batch are not in the next epoch.

    ``"stored"`` stands for the `planes`, `policy` and `value` that the dataset was made with. Planes are `dtype`,
    float32 or uint8. The value of a result is 1, 0 or -1; a score becomes the expected result by Lichess'
    formula, ``2 / (1 + exp(-0.00368208 * centipawns)) - 1``, and a mate 1 or -1. With `legal` there are masks of legal
    moves. Planes are made in `threads` threads. `history` is how many earlier positions the planes show, at most as
    many as rows have: the same channels for each, the newest first, all as the side to move now sees them, empty before
    the first position of the game. ``planes="leela"`` are the 112 planes of `rookery.encoders.leela_planes`, and
    ``"leela-3"`` those of its input format 3, of rows that have 7 earlier positions.

    Rows without the value or the move that is to be learnt are left out, and counted in ``dropped``; if no row has it,
    a ValueError says so.

    Of `world_size` processes that train together, each opens the dataset with its own `rank`, from 0 on, and gets other
    batches: ``batches[rank::world_size]`` of the epoch. All get the same number, since they wait for each other, so up
    to ``world_size - 1`` batches at the end of an epoch, and a shorter one, are left out.

    A folder without a complete dataset raises FileNotFoundError. A shard that is missing or has another size raises
    ValueError, and with `check` one whose SHA-256 is not that in the manifest, too. A wrong argument raises ValueError
    or TypeError.

    >>> import pathlib, tempfile, rookery
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "dataset"
    >>> _ = rookery.make_dataset("docs/lichess-2025-05.pgn.zst", folder)
    >>> train = open_dataset(folder, batch=100)
    >>> first = next(iter(train))
    >>> first.planes.shape
    (100, 18, 8, 8)
    >>> first.policy.dtype
    dtype('int32')
    >>> first.value[:4].tolist()
    [-1.0, 1.0, -1.0, 1.0]
    """
    check_path("folder", folder)
    found = manifests.load(folder)
    if found is None:
        raise FileNotFoundError(
            f"folder: {folder}: no {manifests.NAME}: expected a dataset (repeat a command that was stopped)"
        )
    if not isinstance(split, str) or split not in found.rows:
        raise ValueError(f"split: {shown(split)}: expected one of {', '.join(found.rows)}")
    options = found.options
    earlier = (
        options.history
        if isinstance(history, str) and history == "stored"
        else count("history", history, 0, MOST_EARLIER)
    )
    if earlier > options.history:
        raise ValueError(f"history: {earlier}: rows have {options.history} earlier positions: make them with more")
    dtype = dtype_of(dtype, "float32 or uint8")
    if dtype not in FILLERS:
        raise ValueError(f"dtype: {dtype}: expected float32 or uint8")
    settings = Settings(
        count("batch", batch, 1, 1 << 24),
        channels_of(options.planes if isinstance(planes, str) and planes == "stored" else planes, earlier),
        choice("policy", policy, {"stored": options.policy, **_POLICIES}),
        choice("value", value, {"stored": options.value, **_VALUES}),
        dtype,
        flag("legal", legal),
        earlier,
        flag("shuffle", shuffle),
        count("seed", seed, 0, _MOST),
        flag("drop_last", drop_last),
        check_threads(threads),
        *_checked_rank(rank, world_size),
        options.columns,
    )
    if settings.legal and settings.policy is None:
        raise ValueError("legal: True: expected a policy, whose moves the masks are of")
    if settings.planes[0] in LEELA and dtype != np.float32:
        raise ValueError(f"dtype: {dtype}: expected float32: planes of Leela have fractions")
    return Dataset(Path(folder), split, found, settings, check=flag("check", check))


def _checked_rank(rank: Any, world_size: Any) -> tuple[int, int]:
    processes = count("world_size", world_size, 1)
    if count("rank", rank, 0) >= processes:
        raise ValueError(f"rank: {rank}: expected an int from 0 to world_size - 1, {processes - 1}")
    return int(rank), processes


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
        self._shards = [shard for shard in manifest.shards if shard.split == split]
        self._starts = np.cumsum([0, *(shard.rows for shard in self._shards)])
        self._mapped: dict[int, NDArray[Any]] = {}
        self._row = manifest.row
        for shard in self._shards:
            manifests.check_size(folder, shard, manifest.row)
            if check:
                manifests.check_digest(folder, shard, manifest.row)
        self.dropped: dict[str, int] = {}
        self._chosen = self._rows_to_learn()

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return int(self._starts[-1]) if self._chosen is None else self._chosen.size

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
        n = int(self._starts[-1])
        keep = np.ones(n, np.bool_)
        for name, has in tests:
            found = [has(self._map(i)) for i in range(len(self._shards))]
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
        cells = {"split": self.split, "rows": f"{self.rows:,}", "shards": f"{len(self._shards):,}", "planes": planes}
        cells |= {"policy": settings.policy or "none", "value": settings.value or "none"}
        cells |= {"dropped": ", ".join(f"{n:,} {name}" for name, n in self.dropped.items())} if self.dropped else {}
        cells |= {"shuffled": "yes" if settings.shuffle else "no", "epoch": str(self.epoch)}
        return table_html([], [(name, [text]) for name, text in cells.items()], repr(self)[1:-1])

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_mapped": {}}

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
        """Yield the stored rows of batches of an epoch; those of all batches of a window are gathered at once."""
        order = EpochOrder(self.rows, self.batch, self._settings.seed, epoch)
        for window, group in itertools.groupby(map(self._bounds, places), lambda bounds: bounds[0] // order.size):
            rows, begin = order.window(window), window * order.size
            parts = [rows[start - begin : stop - begin] for start, stop in group]
            stored = self._gathered(np.concatenate(parts))
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
        for name in own:
            table = table.append_column(name, arrow_column(np.ascontiguousarray(stored[name])))
        return table

    def _stored(self, start: int, stop: int) -> NDArray[Any]:
        """Return stored rows: from the map of one shard, or copied from several."""
        if self._chosen is not None:
            return self._gathered(np.arange(start, stop))
        shard = int(np.searchsorted(self._starts, start, side="right")) - 1
        parts = []
        while start < stop:
            end = min(stop, int(self._starts[shard + 1]))
            first = int(self._starts[shard])
            parts.append(self._map(shard)[start - first : end - first])
            start, shard = end, shard + 1
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, self._row), *parts])

    def _gathered(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Return copies of stored rows, in any order."""
        rows = rows if self._chosen is None else self._chosen[rows]
        # Rows as bytes are copied seven times faster than rows as records.
        whole = np.dtype((np.void, self._row.itemsize))
        if len(self._shards) == 1:
            return np.take(self._map(0).view(whole), rows).view(self._row)
        shards = np.searchsorted(self._starts, rows, side="right") - 1
        order = np.argsort(shards.astype(np.min_scalar_type(len(self._shards))), kind="stable")
        places = np.empty_like(order)
        places[order] = np.arange(order.size)
        # Rows are gathered by shard and then taken in their order: NumPy assigns to rows of bytes slowly.
        rows, parts = rows[order], [np.empty(0, whole)]
        for shard, ends in enumerate(itertools.pairwise(np.cumsum([0, *np.bincount(shards)]).tolist())):
            if ends[0] < ends[1]:
                parts.append(np.take(self._map(shard).view(whole), rows[slice(*ends)] - self._starts[shard]))
        return np.take(np.concatenate(parts), places).view(self._row)

    def _map(self, i: int) -> NDArray[Any]:
        if i not in self._mapped:
            shard = self._shards[i]
            row = self._row
            path = manifests.check_size(self.folder, shard, row)
            stored = DISK.mapped(path)[manifests.header_size(shard, row) :]
            self._mapped[i] = np.asarray(stored.view(row)[: shard.rows])
        return self._mapped[i]

    def _scored(self, stored: NDArray[Any]) -> ScoredPositions:
        with self._named():
            return scored(stored)

    def _batch(self, stored: NDArray[Any]) -> Batch:
        with self._named():
            return batch_from(stored, self._settings)

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
        digests = "".join(shard.digest for shard in self._shards)
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
