"""A king that is captured, on boards that no game reaches, leaves nothing behind."""

import numpy as np
import pytest

from rookery.board.board import Board
from rookery.counting.perft import perft
from rookery.counting.walk import slices
from scattered import FAMILIES, scattered


def test_a_piece_that_takes_a_king_stays_what_it_is() -> None:
    board = Board.unchecked("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")
    board.push_uci("e2e8")
    assert board.fen() == "4R3/8/8/8/8/8/8/4K3 b - - 0 1"
    assert (board.king("black"), board.piece_at(60)) == (None, "R")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_square_holds_one_piece_after_any_move(family: str) -> None:
    p = scattered(FAMILIES[family], 20_000, 5)
    p = p[p.legal_move_counts() > 0]
    moves = p.random_moves(6)
    c = p.play(moves).columns
    kinds = (c.pawns, c.knights, c.diagonals | c.orthogonals, c.kings)
    assert np.count_nonzero(p.checkers("them"))
    for i, kind in enumerate(kinds):
        assert not any((kind & other).any() for other in kinds[:i])


@pytest.mark.parametrize("family", FAMILIES)
def test_perft_of_many_at_once_and_one_by_one_agree_where_a_king_can_be_taken(family: str) -> None:
    p = scattered(FAMILIES[family], 60, 7)
    for board in p[p.checkers("them") != 0]:
        depth = 4 if len(board.legal_moves) < 12 else 3
        assert perft(board, depth) == sum(slices(board, depth)), board.fen()
