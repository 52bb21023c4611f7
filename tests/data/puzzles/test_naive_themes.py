"""The themes of puzzles and of random lines, compared with their second definition on python-chess."""

import csv
import random
from pathlib import Path

import chess
import pytest

from naive_themes import themes
from rookery.data.puzzles import tag_puzzles

SAMPLE = Path(__file__).parents[2] / "samples" / "puzzles.csv"
LINES = 200
MANY_LINES = 20_000


def random_line(rng: random.Random) -> tuple[str, str] | None:
    """A position of a random game, and a line from there in which captures, checks and promotions are common."""
    board = chess.Board()
    for _ in range(rng.randrange(1, 140)):
        moves = list(board.legal_moves)
        if not moves:
            return None
        board.push(rng.choice(moves))
    fen, line = board.fen(), list[chess.Move]()
    for _ in range(rng.choice((2, 4, 4, 6, 6, 8, 10))):
        moves = list(board.legal_moves)
        if not moves:
            break
        captures = [move for move in moves if board.is_capture(move)]
        special = [m for m in moves if board.gives_check(m) or m.promotion or board.is_castling(m)]
        back = [move for move in moves if line and move.to_square == line[-1].to_square]
        move = rng.choice(rng.choice((moves, captures, special, back, moves)) or captures or moves)
        line.append(move)
        board.push(move)
    line = line[: len(line) // 2 * 2]
    return (fen, " ".join(move.uci() for move in line)) if line else None


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
