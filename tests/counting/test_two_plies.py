"""Replies counted without a list of moves are those that boards count after each move is made."""

import random

import pytest

from corpus import EDGES
from random_positions import random_position
from rookery.board.board import Board
from rookery.counting.walk import slices
from rookery.techniques import technique
from scattered import FAMILIES, scattered

# Of each kind: an occupancy that is a word, looked up or computed, and one of four rotated boards.
NAMES = ("pext", "kogge-stone", "rotated-hyatt")


def one_by_one(board: Board) -> int:
    """Return the number of leaves two plies below a board, counted by boards."""
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += board.legal_moves.count()
        board.pop()
    return total


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", [150, 4])
@pytest.mark.parametrize("family", FAMILIES)
def test_replies_on_boards_with_any_pieces(family: str, number: int, name: str) -> None:
    t = technique(name)
    for board in scattered(FAMILIES[family], number, 11):
        assert sum(slices(board, 2, t)) == one_by_one(board), board.fen()


@pytest.mark.parametrize("name", NAMES)
def test_replies_in_edge_cases_and_chess960(name: str) -> None:
    t = technique(name)
    rng = random.Random(3)
    games = [Board.from_chess(random_position(rng, chess960=i % 2 == 0)) for i in range(60)]
    for board in (*map(Board.unchecked, EDGES), *games):
        assert sum(slices(board, 2, t)) == one_by_one(board), board.fen()


def test_after_the_capture_of_one_of_two_kings_the_other_must_not_be_attacked() -> None:
    board = Board.unchecked("k6R/8/8/8/8/8/8/R6k w - - 0 1")
    assert sum(slices(board, 2, technique("pext"))) == one_by_one(board)
