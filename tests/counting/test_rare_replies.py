"""Replies that few trees have: of pinned pieces, next to corners, and where castling was blocked or is free again."""

import chess
import pytest

from rookery.board.board import Board
from rookery.counting import visitors
from rookery.counting.walk import on_lanes, slices, walked
from rookery.rules.constants import default_tables
from small_positions import leaves

# In each, a black pawn steps to where a white one attacks it, while a white piece is pinned to its king: on a file, a
# rank, a diagonal and an antidiagonal. In the last, a pawn that might promote lets another one jump over an attacked
# square.
PINNED = [
    "6kr/8/8/p7/8/1P6/7N/7K b - - 0 1",
    "7k/8/8/7p/8/6P1/8/KN5r b - - 0 1",
    "7b/k7/8/7p/8/6P1/1N6/K7 b - - 0 1",
    "b7/7k/8/p7/8/1P6/6N1/7K b - - 0 1",
    "8/P6k/8/8/1p6/8/2P5/K7 b - - 0 1",
]
# Kings that may step into a corner, with a knight or a king of the other side that attacks other squares.
CORNERS = [
    "8/8/8/8/8/8/1k6/6NK w - - 0 1",
    "8/8/8/8/8/8/6k1/KN6 w - - 0 1",
    "7K/1k6/8/8/8/8/8/6N1 w - - 0 1",
    "K7/6k1/8/8/8/8/8/1N6 w - - 0 1",
    "8/8/8/8/8/3N4/k7/3K4 w - - 0 1",
    "3K4/7k/3N4/8/8/8/8/8 w - - 0 1",
]
# A knight that enters or leaves the way of a king and a rook, or takes the rook.
CASTLING = [
    "r3k3/8/N7/8/8/8/8/4K3 w q - 0 1",
    "rN2k3/8/8/8/8/8/8/4K3 w q - 0 1",
    "r1N1k3/8/8/8/8/8/8/4K3 w q - 0 1",
    "r2Nk3/8/8/8/8/8/8/4K3 w q - 0 1",
    "4kN1r/8/8/8/8/8/8/4K3 w k - 0 1",
    "4k1Nr/8/8/8/8/8/8/4K3 w k - 0 1",
    "4k2r/8/7N/8/8/8/8/4K3 w k - 0 1",
    "r3k2r/8/1N4N1/8/8/8/8/4K3 w kq - 0 1",
    "r3k2r/2P3P1/8/8/8/8/8/4K3 w kq - 0 1",
    "r3k2r/8/8/8/8/8/2B3B1/4K3 w kq - 0 1",
]


@pytest.mark.parametrize("fen", PINNED)
def test_replies_of_pinned_pieces(fen: str) -> None:
    board = chess.Board(fen)
    for turned in (board, board.mirror()):
        assert sum(on_lanes(Board(turned.fen()), 4)) == leaves(turned, 4)


@pytest.mark.parametrize("fen", [*CORNERS, *CASTLING])
def test_replies_in_corners_and_by_castling(fen: str) -> None:
    board = chess.Board(fen)
    for turned in (board, board.mirror()):
        assert sum(slices(Board(turned.fen()), 2)) == leaves(turned, 2)
        assert sum(slices(Board(turned.fen()), 3)) == leaves(turned, 3)


def test_a_walk_pauses_after_a_number_of_positions() -> None:
    board = Board("7k/8/8/8/8/8/8/K7 w - - 0 1")
    whole = list(slices(board, 4))
    assert whole == [sum(whole)]  # 15 positions are visited, and no pause is due
    parts = list(walked(board.words(), 4, 2, visitors.Leaves(), default_tables(), 4))
    assert 1 < len(parts) <= 4
    assert sum(parts) == whole[0] == leaves(chess.Board("7k/8/8/8/8/8/8/K7 w - - 0 1"), 4)
    assert len(list(walked(board.words(), 4, 2, visitors.Leaves(), default_tables(), 1))) > len(parts)
