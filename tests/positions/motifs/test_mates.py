"""Mates by name in arrays of positions, compared with their second definition on python-chess."""

import csv
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import numpy as np

from naive_mates import NAMED
from rookery import Positions
from rookery.positions.motifs.mates import MATES, mate_names, mates_into

SAMPLE = Path(__file__).parents[2] / "data" / "puzzles.csv"


def final_boards() -> list[chess.Board]:
    """The positions after the puzzles of the sample, mates and others, in both colours."""
    boards = []
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            board = chess.Board(row["FEN"])
            for text in row["Moves"].split():
                board.push_uci(text)
            boards += [board.copy(stack=False), board.mirror()]
    return boards


def naive(board: chess.Board) -> set[str]:
    """The names that fit a position, whichever piece that gives check is the one that mates."""
    if not board.is_checkmate():
        return set()
    king = board.king(board.turn)
    assert king is not None
    ring = chess.SquareSet(chess.BB_KING_ATTACKS[king])
    found = set()
    for square in board.checkers():
        line: Any = SimpleNamespace(me=not board.turn, m=[SimpleNamespace(to_square=square)])
        found |= {name for name, fits in NAMED if fits(line, board, king, ring)}
    return found - ({"doubleBishopMate"} if "bodenMate" in found else set())


def test_mates_by_name() -> None:
    boards = final_boards()
    positions = Positions.from_fens([board.fen() for board in boards])
    words = np.empty(len(boards), np.uint64)
    mates_into(words, positions.columns, positions.is_checkmate(), threads=2)
    for board, word in zip(boards, words.tolist(), strict=True):
        assert set(mate_names(word)) == naive(board), board.fen()
    assert set().union(*map(mate_names, words.tolist())) == set(MATES) == {name for name, _ in NAMED}
