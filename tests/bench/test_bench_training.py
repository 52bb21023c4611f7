"""The benchmark of training data: it runs, checks what it times, and its table shows what was recorded."""

import json
from pathlib import Path

import pytest

import training_formats
import training_tables
from rookery import ScoredPositions
from rookery.data.training.formats import FORMATS

RECORDED = Path(__file__).parents[2] / "benchmarks" / "training_formats.json"


def test_it_times_every_format_that_is_read_and_written() -> None:
    result = training_formats.measure(games=12, rounds=1)
    names = [found.name for found in FORMATS if found.read and found.writing]
    names = [name for name in names if name not in training_formats.NOT_TIMED]
    assert [row["format"] for row in result["rows"]] == names
    assert [row["format"] for row in json.loads(RECORDED.read_text(encoding="utf-8"))["rows"]] == names
    assert all(name in training_tables.speeds() for name in names)
    with pytest.raises(ValueError, match="games: 0, rounds: 1: expected at least 1"):
        training_formats.measure(games=0, rounds=1)


def test_its_games_are_chains() -> None:
    rows = training_formats.random_rows(20)
    after = rows.positions.play(rows.moves)
    same = after.keys()[:-1] == rows.positions.keys()[1:]
    assert (~same).sum() == 19
    assert (rows.plies[1:][~same] == 0).all()


def test_a_wrong_answer_is_an_error() -> None:
    rows = training_formats.random_rows(1)
    other = ScoredPositions(rows.positions, moves=rows.moves, scores=rows.scores + 1, results=rows.results)
    with pytest.raises(AssertionError, match="binpack: what was read is not what was written"):
        training_formats._check("binpack", other, rows)
