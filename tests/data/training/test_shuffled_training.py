"""Shuffled training data: all rows, in an order that the seed alone decides, without much memory."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from command_line import run
from rookery import Positions, ScoredPositions, read_training, scan, write_training
from rookery.data.training.tasks import division
from training_samples import facts, games, rows_of

pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def shuffle(
    rows: ScoredPositions, seed: int, path: Path, memory: str = "512MB"
) -> list[tuple[str, str, int, int, int]]:
    scan(rows).shuffle(seed, memory=memory).write_training(path, "plain")
    found = facts(read_training(path, "plain"))
    path.unlink()
    assert not list(path.parent.glob(f"{path.name}*"))
    return found


def test_all_rows_come_in_an_order_that_the_seed_decides(tmp_path: Path) -> None:
    rows = rows_of(games(40))
    rows = ScoredPositions.concatenate([rows] * 6)
    first = shuffle(rows, 1, tmp_path / "out")
    assert Counter(first) == Counter(facts(rows))
    assert first != facts(rows)
    assert shuffle(rows, 2, tmp_path / "out") != first
    assert shuffle(rows, 1, tmp_path / "out", "1MB") == first  # in several parts on the disk


def test_places_are_spread_evenly(tmp_path: Path) -> None:
    rows = rows_of(games(40))
    rows = rows[np.arange(20_000) % len(rows)]
    rows.plies[:] = np.arange(len(rows))
    found = np.array([row[4] for row in shuffle(rows, 5, tmp_path / "out")])
    assert sorted(found.tolist()) == list(range(len(rows)))
    assert abs(np.corrcoef(found, np.arange(len(rows)))[0, 1]) < 0.03
    quarters, _, _ = np.histogram2d(found, np.arange(len(rows)), bins=4)
    assert (np.abs(quarters - len(rows) / 16) < 6 * np.sqrt(len(rows) / 16)).all()


def test_positions_that_no_game_has_are_shuffled(tmp_path: Path) -> None:
    crowded = Positions.from_fens(["/".join(["nnnnnnnn"] * 5 + ["8", "8", "K6k"]) + " w - - 0 1"])
    rows = rows_of(games(40))[:9]
    odd = ScoredPositions.concatenate([rows[:5], ScoredPositions(crowded, scores=[1], results=[0]), rows[5:]])
    assert Counter(shuffle(odd, 1, tmp_path / "out")) == Counter(facts(odd))


@pytest.mark.parametrize("executor", [[], ["--executor", "threads:2"]])
def test_convert_shuffles_several_files(executor: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(division, "RANGE", 1 << 14)
    rows = rows_of(games(40))
    write_training(rows, tmp_path / "a.bin")
    write_training(rows[:50], tmp_path / "b.plain")
    paths = [str(tmp_path / name) for name in ("a.bin", "b.plain")]
    run("convert", *paths, "-o", str(tmp_path / "c.plain"), "--shuffle", "--seed", "7", "--query", "ply > 3", *executor)
    both = ScoredPositions.concatenate([read_training(path, query="ply > 3") for path in paths])
    assert facts(read_training(tmp_path / "c.plain")) == shuffle(both, 7, tmp_path / "d.plain")
    assert {path.name for path in tmp_path.iterdir()} == {"a.bin", "b.plain", "c.plain"}
