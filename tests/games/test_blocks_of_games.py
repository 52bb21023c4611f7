"""Stretches of games: all games, in order, none too long, and none less than about half as long as another."""

import numpy as np
import pytest

from rookery.games.positions.replay import blocks_of


@pytest.mark.parametrize("seed", range(200))
def test_blocks_hold_all_games_and_are_not_too_long(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, rng.choice([1, 3, 10, 100]), rng.integers(0, 30))
    size = int(rng.integers(1, 200))
    blocks = list(blocks_of(counts, size))
    assert [game for start, stop in blocks for game in range(start, stop)] == list(range(counts.size))
    for start, stop in blocks:
        assert counts[start:stop].sum() <= size or np.count_nonzero(counts[start:stop]) == 1


@pytest.mark.parametrize("size", [1000, 1024, 3000, 7777, 90_000, 10_000_000])
def test_no_block_is_much_shorter_than_another(size: int) -> None:
    counts = np.random.default_rng(1).integers(20, 180, 1500)
    lengths = [int(counts[start:stop].sum()) for start, stop in blocks_of(counts, size)]
    assert min(lengths) > max(lengths) / 2 - counts.max()
    assert len(lengths) <= -(-int(counts.sum()) // (size - counts.max()))
