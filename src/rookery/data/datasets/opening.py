"""`open_dataset`: what to read of a dataset, and how its rows become batches, checked."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike

from rookery.aliases import PolicyLayout
from rookery.arguments import check_path, check_threads, choice, count, flag, shown
from rookery.data.datasets import manifest as manifests
from rookery.data.datasets.batches import Settings
from rookery.data.datasets.options import LEELA, MOST_EARLIER, POLICIES, VALUES, Options, channels_of
from rookery.data.datasets.reading import Dataset
from rookery.frames.array_arguments import dtype_of
from rookery.positions.features.planes import FILLERS

_MOST = (1 << 63) - 1


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
) -> Dataset:
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
    earlier = _earlier(history, options)
    dtype = dtype_of(dtype, "float32 or uint8")
    if dtype not in FILLERS:
        raise ValueError(f"dtype: {dtype}: expected float32 or uint8")
    rank, world_size = _checked_rank(rank, world_size)
    settings = Settings(
        batch=count("batch", batch, 1, 1 << 24),
        planes=channels_of(options.planes if isinstance(planes, str) and planes == "stored" else planes, earlier),
        policy=choice("policy", policy, {"stored": options.policy, **POLICIES}),
        value=choice("value", value, {"stored": options.value, **VALUES}),
        dtype=dtype,
        legal=flag("legal", legal),
        history=earlier,
        shuffle=flag("shuffle", shuffle),
        seed=count("seed", seed, 0, _MOST),
        drop_last=flag("drop_last", drop_last),
        threads=check_threads(threads),
        rank=rank,
        world_size=world_size,
        columns=options.columns,
    )
    if settings.legal and settings.policy is None:
        raise ValueError("legal: True: expected a policy, whose moves the masks are of")
    if settings.planes[0] in LEELA and dtype != np.float32:
        raise ValueError(f"dtype: {dtype}: expected float32: planes of Leela have fractions")
    return Dataset(Path(folder), split, found, settings, check=flag("check", check))


def _earlier(history: Any, options: Options) -> int:
    """Return the number of earlier positions that planes show, at most as many as rows have."""
    is_stored = isinstance(history, str) and history == "stored"
    earlier = options.history if is_stored else count("history", history, 0, MOST_EARLIER)
    if earlier > options.history:
        raise ValueError(f"history: {earlier}: rows have {options.history} earlier positions: make them with more")
    return earlier


def _checked_rank(rank: Any, world_size: Any) -> tuple[int, int]:
    processes = count("world_size", world_size, 1)
    if count("rank", rank, 0) >= processes:
        raise ValueError(f"rank: {rank}: expected an int from 0 to world_size - 1, {processes - 1}")
    return int(rank), processes
