"""Moves of many positions in standard algebraic notation, against python-chess."""

import chess
import numpy as np
import pytest

from corpus import EDGES, STRANGE, corpus
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.positions.moves import Moves
from rookery.positions.positions import Positions


def check_san(n: int, threads: int) -> None:
    boards = corpus(n)
    positions = Positions.from_boards(boards)
    moves = positions.legal_moves()
    texts = positions.san(moves, threads=threads)
    assert texts.dtype == np.dtype("<U7")
    expected = []
    for board, words in zip(boards, moves, strict=True):
        peer = chess.Board(board.fen(shredder=True, en_passant="fen"), chess960=True)
        expected += [
            peer.san(chess.Move.from_uci(Move.from_word(word, chess960=True).uci())) for word in words.tolist()
        ]
    assert texts.tolist() == expected
    assert any("=" in text for text in expected)
    assert {len(text) for text in expected} == {2, 3, 4, 5, 6, 7}


def test_san_is_that_of_python_chess() -> None:
    check_san(700, 1)
    check_san(2500, 3)


@pytest.mark.slow
def test_san_of_many_is_that_of_python_chess() -> None:
    check_san(60_000, 2)


def test_boards_that_are_not_chess_are_written_as_board_does() -> None:
    boards = [Board.unchecked(fen) for fen in (*STRANGE, *EDGES)]
    positions = Positions.from_boards(boards)
    moves = positions.legal_moves()
    expected = [board.san(move) for board in boards for move in board.generate_legal_moves()]
    assert positions.san(moves).tolist() == expected


def test_one_move_each() -> None:
    boards = [Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), Board(), Board()]
    moves = [Move.of(4, 6), Move.of(6, 21), Move.null()]
    assert Positions.from_boards(boards).san(moves).tolist() == ["O-O", "Nf3", "--"]


def test_no_moves() -> None:
    empty = Positions.from_boards([])
    assert empty.san([]).tolist() == []
    assert empty.san(empty.legal_moves()).dtype == np.dtype("<U7")


def test_a_move_that_is_not_legal_is_named() -> None:
    positions = Positions.from_boards([Board(), Board()])
    with pytest.raises(ValueError, match=r"moves\[1\]: e2e5 is not legal in 'rnbqkbnr/"):
        positions.san([Move.of(12, 28), Move.of(12, 36)])
    lists = Moves(np.array([0, 1, 3]), np.array([Move.of(12, 28), Move.of(12, 28), Move.of(4, 4)], np.uint16))
    with pytest.raises(ValueError, match=r"moves\[2\]: e1e1 is not legal in 'rnbqkbnr/"):
        positions.san(lists)
    with pytest.raises(ValueError, match="moves: 2 lists: expected 1, one for each position"):
        positions[:1].san(lists)


def test_the_null_move_has_no_san_in_check() -> None:
    check = Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    assert Positions.from_boards([Board()]).san([0]).tolist() == ["--"]
    for ask in (Positions.san, Positions.play):
        with pytest.raises(ValueError, match=r"^moves\[1\]: 0000 is not legal in '4k3/"):
            ask(Positions.from_boards([Board(), check]), [0, 0])
