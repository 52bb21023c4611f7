"""Shuffled training data: all rows, in an order that the seed alone decides, without much memory."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from command_line import run
from rookery import Positions, ScoredPositions, read_training, write_training
from rookery.data.training import shuffling
from rookery.data.training.shuffling import UNSTORABLE, shuffled
from rookery.data.training.tasks import division
from training_samples import facts, games, rows_of


def shuffle(rows: ScoredPositions, seed: int, folder: Path, step: int = 1000) -> list[tuple[str, str, int, int, int]]:
    batches = (rows[i : i + step] for i in range(0, len(rows), step))
    found = facts(ScoredPositions.concatenate(shuffled(batches, seed, folder / "rows", {})))
    assert list(folder.iterdir()) == []
    return found


def test_all_rows_come_in_an_order_that_the_seed_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(games(40))
    rows.scores[::7], rows.results[::5] = -32_768, -128
    rows.plies[3] = 2_000_000
    first = shuffle(rows, 1, tmp_path)
    assert Counter(first) == Counter(facts(rows))
    assert first != facts(rows)
    assert shuffle(rows, 2, tmp_path) != first
    monkeypatch.setattr(shuffling, "MEMORY", 1 << 14)  # many files, many groups of buckets
    assert shuffle(rows, 1, tmp_path, step=17) == first


def test_places_are_spread_evenly(tmp_path: Path) -> None:
    rows = rows_of(games(40))
    rows = rows[np.arange(20_000) % len(rows)]
    rows.plies[:] = np.arange(len(rows))
    found = np.array([row[4] for row in shuffle(rows, 5, tmp_path)])
    assert sorted(found.tolist()) == list(range(len(rows)))
    assert abs(np.corrcoef(found, np.arange(len(rows)))[0, 1]) < 0.03
    quarters, _, _ = np.histogram2d(found, np.arange(len(rows)), bins=4)
    assert (np.abs(quarters - len(rows) / 16) < 6 * np.sqrt(len(rows) / 16)).all()


def test_an_error_leaves_no_folder_and_rows_that_cannot_be_stored_are_counted(tmp_path: Path) -> None:
    rows = rows_of(games(40))

    def batches() -> object:
        yield rows[:10]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(shuffled(batches(), 1, tmp_path / "rows", {}))  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
    counts: dict[str, int] = {}
    crowded = Positions.from_fens(["/".join(["nnnnnnnn"] * 5 + ["8", "8", "K6k"]) + " w - - 0 1"])
    odd = ScoredPositions.concatenate([rows[:5], ScoredPositions(crowded), rows[5:9]])
    found = ScoredPositions.concatenate(shuffled([odd], 1, tmp_path / "rows", counts))
    assert Counter(facts(found)) == Counter(facts(rows[:9]))
    assert counts == {UNSTORABLE: 1}


@pytest.mark.parametrize("executor", [[], ["--executor", "threads:2"]])
def test_convert_shuffles_several_files(executor: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(division, "RANGE", 1 << 14)
    rows = rows_of(games(40))
    write_training(rows, tmp_path / "a.bin")
    write_training(rows[:50], tmp_path / "b.plain")
    paths = [str(tmp_path / name) for name in ("a.bin", "b.plain")]
    run("convert", *paths, "-o", str(tmp_path / "c.plain"), "--shuffle", "--seed", "7", "--query", "ply > 3", *executor)
    both = ScoredPositions.concatenate([read_training(path, query="ply > 3") for path in paths])
    assert facts(read_training(tmp_path / "c.plain")) == shuffle(both, 7, _made(tmp_path / "folder"))
    assert {path.name for path in tmp_path.iterdir()} == {"a.bin", "b.plain", "c.plain", "folder"}


def _made(path: Path) -> Path:
    path.mkdir()
    return path
