"""The themes of puzzles and of random lines, compared with their second definition on python-chess."""

import csv
import random
from pathlib import Path

import pytest

from naive_themes import themes
from random_lines import random_line
from rookery.data.puzzles import tag_puzzles

SAMPLE = Path(__file__).parents[2] / "samples" / "puzzles.csv"
LINES = 200
MANY_LINES = 20_000


def check_random_lines(seed: int, n: int) -> None:
    rng = random.Random(seed)
    lines: list[tuple[str, str]] = []
    while len(lines) < n:
        line = random_line(rng)
        lines += [line] if line else []
    found = tag_puzzles([fen for fen, _ in lines], [moves for _, moves in lines])
    for i, (fen, moves) in enumerate(lines):
        assert list(found[i]) == themes(fen, moves), (fen, moves)


def test_puzzles() -> None:
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = tag_puzzles([row["FEN"] for row in rows], [row["Moves"] for row in rows])
    for i, row in enumerate(rows):
        assert list(found[i]) == themes(row["FEN"], row["Moves"]), row["PuzzleId"]


def test_random_lines() -> None:
    check_random_lines(1, LINES)


@pytest.mark.slow
def test_many_random_lines() -> None:
    check_random_lines(2, MANY_LINES)
