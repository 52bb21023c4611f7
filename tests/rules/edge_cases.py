"""Positions in which move generators go wrong, each drawn, with the moves expected: how they are written and tried.

A drawing is what the test reads. Every position is tried with the colours swapped, too, and the whole set of its
legal moves is compared with python-chess.
"""

from typing import NamedTuple

import chess

from rookery.board.board import Board


class Case(NamedTuple):
    """White to move. `moves` are all legal moves from the squares named in `of`."""

    name: str
    drawing: str
    fields: str  # castling and en passant
    of: str
    moves: str
    chess960: bool = False


def fen_of(drawing: str, fields: str, turn: str = "w") -> str:
    """The FEN of a drawing."""
    ranks = ["".join(line.split()) for line in drawing.strip().splitlines()]
    text = "/".join(ranks)
    for empty in range(8, 0, -1):
        text = text.replace("." * empty, str(empty))
    return f"{text} {turn} {fields} 0 1"


def swapped(text: str) -> str:
    """Squares or moves with the ranks counted from the other side."""
    return "".join(str(9 - int(c)) if c.isdigit() else c for c in text)


def try_case(case: Case, mirrored: bool) -> None:
    """The expected moves, here and by python-chess."""
    board = Board(fen_of(case.drawing, case.fields), case.chess960)
    squares, expected = case.of, case.moves
    if mirrored:
        board, squares, expected = board.mirror(), swapped(squares), swapped(expected)
    moves = {move.uci() for move in board.legal_moves}
    sources = squares.split()
    assert {move for move in moves if move[:2] in sources} == set(expected.split())
    theirs = chess.Board(board.fen(shredder=case.chess960, en_passant="fen"), chess960=case.chess960)
    assert moves == {move.uci() for move in theirs.legal_moves}
    assert len(moves) == board.count_legal_moves()
