"""Inputs of the work that is disturbed, its folder, small tasks, and a clock that the simulation has."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import rookery
import small_tasks
import training_samples
from crash_checks import SEED, in_memory
from game_samples import SAMPLE
from simulated_time import simulated_time

PUZZLES: Final = SAMPLE.with_name("puzzles.csv")
_SMALL: Final = 3_000  # bytes of a task


@pytest.fixture(scope="module")
def inputs() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=in_memory()) as name:
        folder = Path(name)
        text = SAMPLE.read_bytes()[:14_000].rpartition(b"\n\n[Event")[0] + b"\n"
        (folder / "games.pgn").write_bytes(text.replace(b" 8.", b" oops 8.", 1))
        (folder / "puzzles.csv").write_text("".join(PUZZLES.read_text().splitlines(keepends=True)[:40]) + "bad\n")
        games = rookery.read_pgn(text)
        (folder / "fens.txt").write_text("".join(f"{fen}\n" for fen in ["bad", *games.positions().to_fens()]))
        rows = training_samples.rows_of(training_samples.games(2))
        for suffix in ("plain", "binpack"):
            rookery.write_training(rows, folder / f"rows.{suffix}")
        yield folder


@pytest.fixture
def out() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=in_memory()) as name:
        yield Path(name)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module, name in small_tasks.SIZES:
        monkeypatch.setattr(module, name, _SMALL)
    with simulated_time(SEED):
        yield
