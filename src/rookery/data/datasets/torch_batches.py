"""Batches of a dataset for PyTorch: an ``IterableDataset`` for any number of workers.

The class is made on first use, since its base is PyTorch's and PyTorch may be missing. Pickles find it by its name.
"""

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from rookery.arguments import count
from rookery.data.datasets.batches import Batch


def torch_batches(dataset: Any) -> Any:
    """Return an ``IterableDataset`` over the batches of a `rookery.data.datasets.reading.Dataset`."""
    return _class()(dataset)


def __getattr__(name: str) -> Any:
    if name == "TorchBatches":
        return _class()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@functools.cache
def _class() -> Any:
    try:
        from torch import from_numpy
        from torch.utils.data import IterableDataset, get_worker_info
    except ModuleNotFoundError:
        raise ModuleNotFoundError('torch: needs PyTorch: pip install "rookery[torch]"') from None

    class TorchBatches(IterableDataset):  # type: ignore[misc,unused-ignore]  # without PyTorch its type is not known
        """Batches as tensors: planes, policy (int64), value and legal, each row once in an epoch.

        Batch i of an epoch is read by worker i % n, so a ``DataLoader`` yields them in one order with any number n of
        workers. Workers that live for one epoch do not know its number: call `set_epoch` before each.
        """

        def __init__(self, dataset: Any) -> None:
            self.dataset = dataset
            self._state = dataset.state_dict()

        def __len__(self) -> int:
            return len(self.dataset)

        def __iter__(self) -> Iterator[Batch]:
            """Yield the batches of an epoch that are left; in a worker, its share."""
            info = get_worker_info()
            worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
            epoch, first = self._state["epoch"], self._state["batch"]
            for place, batch in self.dataset.batches_of(epoch, first + worker, workers):
                # The same state makes every worker go on behind its last batch.
                self._state = {"epoch": epoch, "batch": place - worker + workers}
                yield _tensors(batch)
            self._state = {"epoch": epoch + 1, "batch": 0}

        def set_epoch(self, epoch: int) -> None:
            """Begin the epoch with this number in the next iteration."""
            self._state = {"epoch": count("epoch", epoch, 0), "batch": 0}

        def state_dict(self) -> dict[str, int]:
            """Return the epoch and the number of batches of it that were read."""
            return dict(self._state)

        def load_state_dict(self, state: dict[str, int]) -> None:
            """Go on behind that many batches of the epoch, with any number of workers."""
            self.dataset.load_state_dict(state)
            self._state = self.dataset.state_dict()

    def _tensors(batch: Batch) -> Batch:
        policy = None if batch.policy is None else batch.policy.astype(np.int64)  # as losses of PyTorch take it
        arrays = (batch.planes, policy, batch.value, batch.legal)
        return Batch(*(None if array is None else from_numpy(array) for array in arrays))

    TorchBatches.__module__, TorchBatches.__qualname__ = __name__, "TorchBatches"
    return TorchBatches
