"""The pieces that moves move and capture, compared with python-chess move by move."""

from collections.abc import Callable

import chess
import numpy as np
import pytest

from corpus import corpus
from game_samples import SAMPLE, ugly
from rookery import Board, Games, Move, Positions, read_pgn


def moved_and_captured(board: chess.Board, move: Move) -> tuple[int, int]:
    """What python-chess says about a move."""
    theirs = chess.Move(move.from_square, move.to_square, move.promotion)
    captured = board.piece_type_at(theirs.to_square) if board.is_capture(theirs) else 0
    if board.is_en_passant(theirs):
        captured = chess.PAWN
    return board.piece_type_at(theirs.from_square) or 0, captured or 0


def test_legal_moves_of_games_and_odd_positions() -> None:
    boards = corpus(700)
    positions = Positions.from_boards(boards)
    moves = positions.legal_moves()
    expected = []
    for board, words in zip(boards, moves, strict=True):
        theirs = chess.Board(board.fen(shredder=True), chess960=True)
        expected += [moved_and_captured(theirs, Move(word)) for word in words.tolist()]
    assert positions.moving_pieces(moves).tolist() == [moving for moving, _ in expected]
    assert positions.captured_pieces(moves).tolist() == [captured for _, captured in expected]
    assert {captured for _, captured in expected} == {0, 1, 2, 3, 4, 5, 6}  # odd positions let kings be captured
    one_each = moves.moves[moves.offsets[:-1][np.diff(moves.offsets) > 0]]
    some = positions[np.diff(moves.offsets) > 0]
    out = np.empty(len(some), np.uint8)
    assert some.captured_pieces(one_each, out=out, threads=2) is out
    assert out.tolist() == [expected[i][1] for i in moves.offsets[:-1][np.diff(moves.offsets) > 0]]


def test_the_null_move_moves_and_captures_nothing() -> None:
    positions = Positions.from_boards([Board(), Board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")])
    assert positions.moving_pieces([0, 0]).tolist() == [0, 0]
    assert positions.captured_pieces([0, 0]).tolist() == [0, 0]


@pytest.mark.parametrize("games_of", [lambda: read_pgn(SAMPLE)[:20], ugly, lambda: ugly()[3:1:-2], lambda: ugly()[:0]])
def test_moves_of_games(games_of: Callable[[], Games]) -> None:
    games = games_of()
    expected = []
    for i in range(len(games)):
        board = chess.Board(games.board(i).fen(shredder=True), chess960=True)
        for move in map(Move, games.moves[i].tolist()):
            expected.append(moved_and_captured(board, move) if move else (0, 0))
            board.push(chess.Move(move.from_square, move.to_square, move.promotion))
    assert games.moving_pieces().tolist() == [moving for moving, _ in expected]
    assert games.captured_pieces(threads=2).tolist() == [captured for _, captured in expected]
    positions = games.positions("all")
    words = positions.played_moves()
    assert np.array_equal(words[positions.ply < games.plies[positions.game]], games.moves.moves)
    assert not words[positions.ply == games.plies[positions.game]].any()
    assert np.array_equal(positions[::-1].played_moves(), words[::-1])
