"""The themes of single puzzles: of each published one, and of random lines."""

import csv
import random
from pathlib import Path

import pytest

from naive_themes import themes
from random_lines import random_line
from rookery.data.puzzles import tag_puzzles

BY_ENGINE_OR_PLAYERS = frozenset("advantage crushing equality master masterVsMaster superGM zugzwang".split())
with (Path(__file__).parents[2] / "samples" / "puzzles.csv").open(encoding="utf-8", newline="") as sample:
    ROWS = list(csv.DictReader(sample))


@pytest.mark.parametrize("row", ROWS, ids=[row["PuzzleId"] for row in ROWS])
def test_a_published_puzzle(row: dict[str, str]) -> None:
    found = tag_puzzles([row["FEN"]], [row["Moves"]])[0]
    assert list(found) == sorted(set(row["Themes"].split()) - BY_ENGINE_OR_PLAYERS)


@pytest.mark.parametrize("seed", range(60))
def test_a_random_line(seed: int) -> None:
    rng = random.Random(seed)
    line = None
    while line is None:
        line = random_line(rng)
    fen, moves = line
    assert list(tag_puzzles([fen], [moves])[0]) == themes(fen, moves)
