"""The order of the rows of an epoch: each row once, in blocks that shards may divide, and how well it mixes."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naive_datasets import DOCS
from rookery import make_dataset, open_dataset
from rookery.data.datasets import mixing
from rookery.data.datasets.mixing import BLOCK, EpochOrder


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 128, 1000, 4097])
@pytest.mark.parametrize("batch", [1, 3, 64, 100, 5000])
def test_each_row_comes_once_and_slots_are_rows_of_blocks(
    rows: int, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixing, "_WINDOW", 512)
    for epoch in range(4):
        order = EpochOrder(rows, batch, 7, epoch)
        windows = range(-(-rows // order.size))
        found = [order.window(window) for window in windows]
        assert sorted(itertools.chain(*(one.tolist() for one in found))) == list(range(rows))
        assert [one.size for one in found[:-1]] == [order.size] * (len(found) - 1)
        for window, one in zip(windows, found, strict=True):
            padded = order.blocks(window)[:, None] + np.arange(BLOCK)
            assert np.array_equal(padded.ravel()[order.slots(window)], one)


def test_rows_of_an_epoch_are_those_of_its_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixing, "_WINDOW", 200)
    for shards in (1, 2, 7, 40):
        make_dataset(DOCS, tmp_path / f"{shards}", split=[1], shards=shards, columns={"unique": "key"})
        dataset = open_dataset(tmp_path / f"{shards}", batch=50, shuffle=True, seed=3)
        everything = dataset.read()
        for epoch in range(3):
            order = EpochOrder(dataset.rows, 50, 3, epoch)
            rows = np.concatenate([order.window(i) for i in range(-(-dataset.rows // order.size))])
            found = [batch.columns["unique"] for _, batch in dataset.batches_of(epoch)]
            assert np.array_equal(np.concatenate(found), everything.positions.keys()[rows])
            later = [batch.columns["unique"] for _, batch in dataset.batches_of(epoch, 2, 3)]
            assert all(itertools.starmap(np.array_equal, zip(later, found[2::3], strict=True)))


def shares_of_pairs(first: Any, second: Any) -> float:
    """Return how many pairs of rows that are together in a batch are together in the other epoch, too."""
    together = [set(map(frozenset, itertools.combinations(one.tolist(), 2))) for one in (*first, *second)]
    one, other = (set().union(*part) for part in (together[: len(first)], together[len(first) :]))
    return len(one & other) / len(one)


def test_rows_that_are_together_are_not_in_the_next_epoch() -> None:
    rows, batch = 6_400, 100
    epochs = [np.split(EpochOrder(rows, batch, 1, epoch).window(0), rows // batch) for epoch in range(2)]
    by_chance = (batch - 1) / (rows - 1)
    assert shares_of_pairs(*epochs) == pytest.approx(by_chance, rel=0.1)
    blocks = [np.unique(one // BLOCK).size for one in epochs[0]]
    expected = rows // BLOCK * (1 - (1 - BLOCK / rows) ** batch)  # blocks that a batch of random rows has
    assert np.mean(blocks) == pytest.approx(expected, rel=0.1)
