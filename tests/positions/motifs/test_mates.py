"""Mates by name in arrays of positions, compared with their second definition on python-chess."""

import csv
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import numpy as np
import pytest
from naive_further_mates import FURTHER, place

from naive_mates import NAMED
from rookery import Board, Positions
from rookery.positions.motifs.kernels.mates import MATES
from rookery.positions.motifs.named_mates import NAMED_MATES, NamedMate, mate_names

SAMPLE = Path(__file__).parents[2] / "samples" / "puzzles.csv"


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


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def camel(name: str) -> str:
    return re.sub("_([a-z])", lambda letter: letter[1].upper(), name)


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
        found |= {snake(name) for name, fits in NAMED if fits(line, board, king, ring)}
        found |= {name for name, fits in FURTHER.items() if fits(board, place(king), square)}
    return found - ({"double_bishop_mate"} if "boden_mate" in found else set())


def near_examples(n: int, seed: int) -> list[chess.Board]:
    """Checkmates that resemble the examples: with pieces added, removed or replaced, mirrored and turned."""
    rng = random.Random(seed)
    boards: list[chess.Board] = []
    while len(boards) < n:
        board = chess.Board(rng.choice(NAMED_MATES).fen)
        for _ in range(rng.randrange(4)):
            square = rng.choice([*board.piece_map()]) if rng.random() < 0.3 else rng.randrange(64)
            piece = chess.Piece(rng.choice([1, 2, 3, 4, 5]), rng.random() < 0.5)
            if board.piece_type_at(square) != chess.KING:
                board.set_piece_at(square, piece if rng.random() < 0.8 else None)
        board = board.transform(rng.choice([lambda b: b, chess.flip_horizontal]))
        if not board.pawns:
            board = board.transform(rng.choice([lambda b: b, chess.flip_diagonal, chess.flip_vertical]))
        board = board if rng.random() < 0.5 else board.mirror()
        if not board.pawns & chess.BB_BACKRANKS and board.is_checkmate():
            boards.append(board)
    return boards


def named(boards: list[chess.Board]) -> list[list[str]]:
    positions = Positions.from_boards([Board.unchecked(board.fen()) for board in boards])
    return [mate_names(word) for word in positions.named_mates(threads=2)]


@pytest.mark.parametrize(
    "make",
    [final_boards, lambda: near_examples(5000, 5), lambda: near_examples(150, 6), lambda: near_examples(150, 7)],
    ids=["puzzles", "near examples", "a few", "a few others"],
)
def test_mates_by_name(make: Callable[[], list[chess.Board]]) -> None:
    boards = make()
    found = named(boards)
    for board, names in zip(boards, found, strict=True):
        assert set(names) == naive(board), board.fen()


def test_each_name_occurs_often() -> None:
    counts = Counter(name for names in named(near_examples(5000, 5)) for name in names)
    assert all(counts[mate.name] > 50 for mate in NAMED_MATES), counts


@pytest.mark.parametrize("mate", NAMED_MATES, ids=[mate.name for mate in NAMED_MATES])
def test_examples_of_mates(mate: NamedMate) -> None:
    assert named([chess.Board(mate.fen)]) == [[mate.name]]


def test_the_first_names_are_those_of_the_puzzles() -> None:
    assert [camel(mate.name) for mate in NAMED_MATES[: len(MATES)]] == list(MATES)
    assert {*map(snake, MATES), *FURTHER} == {mate.name for mate in NAMED_MATES}


def test_names_of_mates_are_functions_of_the_query_language() -> None:
    positions = Positions.from_boards([Board(mate.fen) for mate in NAMED_MATES])
    for i, mate in enumerate(NAMED_MATES):
        assert np.flatnonzero(positions.evaluate(mate.name)).tolist() == [i]


def test_a_bit_beyond_the_mates_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"word: 16384: expected 0 to 2\*\*14 - 1"):
        mate_names(1 << 14)
    with pytest.raises(TypeError, match="word: 'x'"):
        mate_names("x")  # type: ignore[arg-type]
