"""Batches for PyTorch: workers, epochs, going on, and a small network that learns."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import run
from naive_datasets import DOCS
from rookery import make_dataset, open_dataset

torch: Any = pytest.importorskip("torch", reason="needs PyTorch")
GAMES = Path("../shared/data/lichess-2025-05-47-games.pgn")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("datasets") / "dataset"
    make_dataset(DOCS, path, split=[1], shuffle=True)
    return path


def loader(batches: Any, workers: int) -> Any:
    return torch.utils.data.DataLoader(batches, batch_size=None, num_workers=workers)


def planes(batches: Any) -> list[bytes]:
    return [batch.planes.numpy().tobytes() for batch in batches]


def test_batches_are_tensors_of_the_same_numbers(folder: Path) -> None:
    dataset = open_dataset(folder, batch=100, legal=True)
    for (_, expected), batch in zip(dataset.batches_of(0), dataset.torch(), strict=True):
        for array, tensor in zip(expected, batch, strict=True):
            assert np.array_equal(array, tensor.numpy())
        assert batch.policy.dtype == torch.int64


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_any_number_of_workers_yields_the_same_batches(workers: int, folder: Path) -> None:
    batches = open_dataset(folder, batch=64, shuffle=True).torch()
    assert len(batches) == 10
    epochs = []
    for epoch in (0, 1):
        batches.set_epoch(epoch)
        epochs.append(planes(loader(batches, workers)))
    dataset = open_dataset(folder, batch=64, shuffle=True)
    assert epochs == [[batch.planes.tobytes() for batch in dataset] for _ in range(2)]


@pytest.mark.parametrize("before", [0, 2])
@pytest.mark.parametrize("after", [0, 2])
def test_an_epoch_goes_on_with_another_number_of_workers(before: int, after: int, folder: Path) -> None:
    batches = open_dataset(folder, batch=64, shuffle=True).torch()
    first = iter(loader(batches, before))
    found = [next(first).planes.numpy().tobytes() for _ in range(3)]
    second = open_dataset(folder, batch=64, shuffle=True).torch()
    second.load_state_dict({"epoch": 0, "batch": 3})
    found += planes(loader(second, after))
    assert found == planes(open_dataset(folder, batch=64, shuffle=True).torch())


def test_the_state_of_a_worker_is_that_of_the_whole(folder: Path) -> None:
    batches = open_dataset(folder, batch=64).torch()
    iterated = iter(batches)
    for _ in range(4):
        next(iterated)
    assert batches.state_dict() == batches.dataset.state_at(0, 4)
    copy = pickle.loads(pickle.dumps(batches))
    assert isinstance(copy, torch.utils.data.IterableDataset)
    assert planes(copy) == planes(open_dataset(folder, batch=64).torch())[4:]
    assert copy.state_dict() == batches.dataset.state_at(1, 0)


def best_constant_loss(dataset: Any) -> float:
    """Return the least loss of a network that always gives the same answer: entropy of moves, variance of values."""
    moves, values = (np.concatenate(column) for column in zip(*((b.policy, b.value) for b in dataset), strict=True))
    shares = np.unique(moves, return_counts=True)[1] / moves.size
    return float(-(shares * np.log(shares)).sum() + values.var())


@pytest.mark.slow
@pytest.mark.skipif(not GAMES.exists(), reason="needs the games of Lichess")
def test_a_small_network_learns_from_a_dataset_made_by_one_command(tmp_path: Path) -> None:
    """It does better than any answer that does not depend on the position, on positions that it was trained with."""
    run("dataset", str(GAMES), "-o", str(tmp_path / "a"), "--split", "0.9,0.1", "--shuffle", "--unique")
    torch.manual_seed(0)
    body = torch.nn.Sequential(torch.nn.Conv2d(18, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.Flatten())
    policy, value = torch.nn.Linear(8 * 64, 4672), torch.nn.Linear(8 * 64, 1)
    optimizer = torch.optim.Adam(torch.nn.ModuleList([body, policy, value]).parameters(), lr=3e-3)
    batches = open_dataset(tmp_path / "a", batch=128, shuffle=True).torch()
    epochs = []
    for _ in range(10):
        losses = []
        for batch in loader(batches, 0):
            features = body(batch.planes)
            loss = torch.nn.functional.cross_entropy(policy(features), batch.policy)
            loss = loss + torch.nn.functional.mse_loss(torch.tanh(value(features))[:, 0], batch.value)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        epochs.append(float(np.mean(losses)))
    constant = best_constant_loss(open_dataset(tmp_path / "a", batch=128))
    assert epochs[-1] < 0.5 * constant


@pytest.mark.parametrize("persistent", [False, True])
def test_epochs_are_alike_with_any_number_of_workers_and_nothing_set(persistent: bool, folder: Path) -> None:
    """Each iteration is the next epoch, also after one that was left early."""
    found = []
    for workers in (0, 2):
        batches = open_dataset(folder, batch=64, shuffle=True, seed=5).torch()
        options = {"persistent_workers": True} if persistent and workers else {}
        of_torch = torch.utils.data.DataLoader(batches, batch_size=None, num_workers=workers, **options)
        epochs = [planes(of_torch), planes(of_torch)]
        next(iter(of_torch))
        epochs.append(planes(of_torch))
        found.append(epochs)
        del of_torch
    dataset = open_dataset(folder, batch=64, shuffle=True, seed=5)
    assert found[0] == found[1]
    assert found[0] == [[batch.planes.tobytes() for _, batch in dataset.batches_of(epoch)] for epoch in (0, 1, 3)]
    assert len({first for first, *_ in found[0]}) == 3


@pytest.mark.parametrize("before", [0, 2])
@pytest.mark.parametrize("after", [0, 2])
def test_the_state_of_a_loader_that_counts_is_exact(before: int, after: int, folder: Path) -> None:
    batches = open_dataset(folder, batch=64, shuffle=True).torch()
    assert planes(batches.loader(before)) == planes(loader(open_dataset(folder, batch=64, shuffle=True).torch(), 0))
    counting = iter(batches.loader(before))
    found = [next(counting).planes.numpy().tobytes() for _ in range(4)]
    state = batches.state_dict()
    assert state == batches.dataset.state_at(1, 4)
    del counting
    second = open_dataset(folder, batch=64, shuffle=True).torch()
    second.load_state_dict(state)
    assert second.state_dict() == state
    found += planes(second.loader(after))
    assert found == [batch.planes.tobytes() for _, batch in batches.dataset.batches_of(1)]
    assert second.state_dict() == batches.dataset.state_at(2, 0)


def test_a_state_that_only_a_loader_knows_is_refused(folder: Path) -> None:
    batches = open_dataset(folder, batch=64).torch()
    read = iter(loader(batches, 2))
    next(read)
    with pytest.raises(RuntimeError, match=r"read ahead, .*: expected a loader made by loader\(num_workers=...\)"):
        batches.state_dict()
    assert len(list(read)) == 9
    del read
    assert batches.state_dict() == batches.dataset.state_at(1, 0)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_loader_that_would_batch_batches_says_why_not(workers: int, folder: Path) -> None:
    dataset = open_dataset(folder, batch=64)
    with pytest.raises(TypeError, match=r"whole batches, here of 64 rows: expected batch_size=None"):
        next(iter(torch.utils.data.DataLoader(dataset.torch(), batch_size=4, num_workers=workers)))
    with pytest.raises(TypeError, match=r"expected dataset.read.*, or DataLoader\(dataset.torch\(\), batch_size=None"):
        next(iter(torch.utils.data.DataLoader(dataset, batch_size=4, num_workers=workers)))


def test_own_columns_are_tensors(tmp_path: Path) -> None:
    make_dataset(DOCS, tmp_path / "a", split=[1], columns="elo=elo(us), check=is_check, attacks, mobility")
    dataset = open_dataset(tmp_path / "a", batch=100)
    for (_, expected), batch in zip(dataset.batches_of(0), loader(dataset.torch(), 1), strict=True):
        for name, array in expected.columns.items():
            assert np.array_equal(array, batch.columns[name].numpy())
