"""Answers about dead positions that come at once, also in plain Python: by bounds alone, or by a short search."""

from pathlib import Path

import chess
import pytest
from test_helpmates import check_line

from rookery import Board

LINES = [
    line.split(maxsplit=2)
    for line in (Path(__file__).parent / "quick_answers.txt").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("colour", "fen"), [(colour, fen) for answer, colour, fen in LINES if answer == "cannot"])
def test_bounds_prove_that_a_side_cannot_mate(colour: str, fen: str) -> None:
    assert Board(fen).can_mate(colour, limit=0) is False  # type: ignore[arg-type]


@pytest.mark.parametrize(("colour", "fen"), [(colour, fen) for answer, colour, fen in LINES if answer == "can"])
def test_a_short_search_finds_a_mate(colour: str, fen: str) -> None:
    board = Board(fen)
    assert board.can_mate(colour, limit=0) is None  # type: ignore[arg-type]
    check_line(fen, colour == "white", board.find_helpmate(colour, limit=40))  # type: ignore[arg-type]
    assert Board(chess.Board(fen).mirror().fen()).can_mate("black" if colour == "white" else "white", limit=60)
