"""Batches of a dataset for PyTorch: an ``IterableDataset`` for any number of workers, and a loader that counts.

The class is made on first use, since its base is PyTorch's and PyTorch may be missing. Pickles find it by its name.
"""

import contextlib
import functools
import multiprocessing
import os
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import count
from rookery.data.datasets.batches import Batch, BatchWithColumns

# What workers share with the process that starts them: the epoch and the batch with which the next iteration begins,
# those of the iteration that has begun, which iteration that is (0, 0 without workers), and the workers' processes.
_NEXT, _NOW, _ITERATION, _PROCESSES, _FIELDS = 0, 2, 4, 6, 6 + 256


def torch_batches(dataset: Any) -> Any:
    """Return an ``IterableDataset`` over the batches of a `rookery.data.datasets.reading.Dataset`."""
    return _class()(dataset)


def __getattr__(name: str) -> Any:
    if name == "TorchBatches":
        return _class()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@functools.cache
def _class() -> Any:
    """Return the class of the batches, with PyTorch's as a base."""
    try:
        from torch.utils.data import DataLoader, IterableDataset
    except ModuleNotFoundError:
        raise ModuleNotFoundError("torch: needs PyTorch: pip install torch") from None
    _refuse_collating()
    names = {"__module__": __name__, "__doc__": Epochs.__doc__}
    loader = type("TorchLoader", (Counting, DataLoader), {"__module__": __name__, "__doc__": Counting.__doc__})
    return type("TorchBatches", (Epochs, IterableDataset), {**names, "_loader": loader})


def _worker() -> Any:
    """Return what PyTorch says about the worker that this process is, None if it is not one."""
    from torch.utils.data import get_worker_info

    return get_worker_info()


def _tensor(array: NDArray[Any]) -> Any:
    """Return an array as a tensor: indices as losses of PyTorch take them."""
    from torch import from_numpy

    return from_numpy(array.astype(np.int64) if array.dtype == np.int32 else array)


class Epochs:
    """Batches as tensors: planes, policy (int64), value, legal and own columns, each row once in an epoch.

    Batch i of an epoch is read by worker i % n, so a ``DataLoader`` yields them in one order with any number n of
    workers. Each iteration is the next epoch, also after one that was left early; after `load_state_dict` it is
    what was left of that epoch.
    """

    _loader: Any  # the class of loaders that count

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset
        self._share(dataset.state_dict())

    def _share(self, state: dict[str, Any]) -> None:
        self._shared = multiprocessing.get_context("spawn").Array("q", _FIELDS)
        self._begun = 0  # iterations in this process, if it is a worker
        self._begin(state["epoch"], state["batch"])

    def _begin(self, epoch: int, batch: int) -> None:
        """Begin the next iteration at a batch."""
        self._counted: tuple[int, int] | None = None  # where a loader is that counts
        self._own: tuple[int, int] | None = None  # where a worker begins that was given a state
        with self._shared:
            self._shared[_NEXT : _PROCESSES + 1] = [epoch, batch, epoch, batch, 0, 0, 0]

    def __len__(self) -> int:
        return len(self.dataset)

    def __iter__(self) -> Iterator[Batch]:
        """Yield the batches of an epoch that are left; in a worker, its share."""
        info = _worker()
        if info is None:
            epoch, first = self._started(0, 0)
            return self._batches(epoch, first, 0, 1)
        self._begun += 1
        epoch, first = self._own or self._started(info.seed - info.id, self._begun)
        self._own = None
        self._shared[_PROCESSES + info.id % (_FIELDS - _PROCESSES)] = os.getpid()
        return self._batches(epoch, first, info.id, info.num_workers)

    def _started(self, seed: int, begun: int) -> tuple[int, int]:
        """Return where an iteration begins: the first of its workers begins it for all."""
        shared = self._shared
        with shared:
            if not seed or shared[_ITERATION : _ITERATION + 2] != [seed, begun]:
                shared[_NOW : _NOW + 2] = shared[_NEXT : _NEXT + 2]
                shared[_NEXT : _NEXT + 2] = [shared[_NEXT] + 1, 0]
                shared[_ITERATION : _ITERATION + 2] = [seed, begun]
            return shared[_NOW], shared[_NOW + 1]

    def _batches(self, epoch: int, first: int, worker: int, workers: int) -> Iterator[Batch]:
        for place, batch in self.dataset.batches_of(epoch, first + worker, workers):
            # In a worker, the same state makes every worker go on behind its last batch.
            self._at(epoch, place - worker + workers)
            yield batch.each(_tensor)
        self._at(epoch + 1, 0)

    def _at(self, epoch: int, batch: int) -> None:
        if _worker() is None:
            self._shared[_NOW : _NOW + 2] = [epoch, batch]
        else:
            self._worker_state = epoch, batch

    def set_epoch(self, epoch: int) -> None:
        """Begin the epoch with this number in the next iteration."""
        self._begin(count("epoch", epoch, 0), 0)

    def state_dict(self) -> dict[str, Any]:
        """Return the epoch, the number of its batches that were yielded, and of what dataset.

        While workers of a ``DataLoader`` read ahead, nobody but the loader knows what it has yielded, and
        RuntimeError says so: `loader` returns one that counts.
        """
        state: dict[str, Any] = self.dataset.state_at(*self._place())
        return state

    def _place(self) -> tuple[int, int]:
        if _worker() is not None:
            return getattr(self, "_worker_state", (self._shared[_NOW], self._shared[_NOW + 1]))
        if self._counted is not None and self._shared[_NEXT] - self._counted[0] <= 1:
            return self._counted  # no iteration has begun since
        if self._shared[_ITERATION]:
            running = {process.pid for process in multiprocessing.active_children()}
            if running & set(self._shared[_PROCESSES:_FIELDS]):
                raise RuntimeError(
                    "state_dict: workers of a DataLoader read ahead, so how many batches it has yielded is not "
                    "known here: expected a loader made by loader(num_workers=...), or state_dict after an epoch"
                )
            return self._shared[_NEXT], self._shared[_NEXT + 1]
        return self._shared[_NOW], self._shared[_NOW + 1]

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on behind that many batches of the epoch, with any number of workers.

        A state that does not fit raises ValueError, see `Dataset.load_state_dict`.
        """
        self.dataset.load_state_dict(state)
        epoch, batch = self.dataset.epoch, state["batch"]
        if _worker() is None:
            self._begin(epoch, batch)
        else:
            self._own = self._worker_state = epoch, batch

    def loader(self, num_workers: int = 0, **options: Any) -> Any:
        """Return a ``DataLoader`` of these batches that counts what it yields, so that `state_dict` is right.

        `options` are those of ``DataLoader`` but for ``batch_size`` and ``sampler``.
        """
        return self._loader(self, batch_size=None, num_workers=num_workers, **options)

    def __getstate__(self) -> dict[str, Any]:
        with contextlib.suppress(AttributeError):
            if multiprocessing.context.get_spawning_popen() is not None:
                return self.__dict__
        return {"dataset": self.dataset, "_state": self.state_dict()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_state" in state:
            self._share(self.__dict__.pop("_state"))


class Counting:
    """A ``DataLoader`` of `Epochs` that tells them which batches it has yielded: what it has besides PyTorch's."""

    dataset: Any

    def __iter__(self) -> Any:
        return self._counting()

    def _counting(self) -> Iterator[Batch]:
        batches: Epochs = self.dataset
        with batches._shared:
            epoch, first = batches._shared[_NEXT], batches._shared[_NEXT + 1]
        batches._counted = epoch, first
        loader: Any = super()  # PyTorch's
        for i, batch in enumerate(loader.__iter__(), first + 1):
            batches._counted = epoch, i
            yield batch
        batches._begin(epoch + 1, 0)


def _refuse_collating() -> None:
    """Make a ``DataLoader`` with a batch size, which would stack whole batches, say what is wrong."""

    def refuse(batches: list[Batch], *, collate_fn_map: Any = None) -> NoReturn:
        del collate_fn_map
        raise TypeError(
            f"DataLoader: batch_size: the dataset yields whole batches, here of {len(batches[0].planes):,} rows: "
            "expected batch_size=None, and open_dataset(folder, batch=...) for another number of rows"
        )

    from torch.utils.data._utils.collate import default_collate_fn_map

    for kind in (Batch, BatchWithColumns):
        default_collate_fn_map[kind] = refuse
