"""Helpmates of few moves, which a search finds at once, and positions in which few moves are all that can be played."""

from threading import Event
from typing import Any

import chess
import numpy as np
import pytest
from test_helpmates import check_line, reachable_mates

from rookery import Board, Positions
from rookery.rules.helpmates import finding
from rookery.rules.helpmates.possibility import IMPOSSIBLE, POSSIBLE, UNKNOWN
from rookery.rules.helpmates.space import new_space


def both(*fens: str) -> list[tuple[str, str]]:
    """Return positions and their mirror images, each with the name of the side that is white in the first."""
    mirrored = [(chess.Board(fen).mirror().fen(en_passant="fen"), "black") for fen in fens]
    return [*((fen, "white") for fen in fens), *mirrored]


@pytest.mark.parametrize(
    ("fen", "winner"),
    both(
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
        "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
        "7k/5B2/6K1/8/8/8/8/2B5 w - - 0 1",
        "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1",
        "7k/5K2/6P1/8/8/8/8/6R1 w - - 0 1",
        "7k/4P1pp/8/8/8/8/8/6K1 w - - 0 1",  # a queen or a rook
    ),
)
def test_a_mate_in_one_is_found(fen: str, winner: Any) -> None:
    theirs = chess.Board(fen)
    line = Board(fen).find_helpmate(winner, limit=40)
    check_line(fen, winner == "white", line)
    assert line is not None
    assert any(mates(theirs, move) and gives_check_itself(theirs, move) for move in theirs.legal_moves) == (
        len(line) == 1
    )


def mates(board: chess.Board, move: chess.Move) -> bool:
    after = board.copy(stack=False)
    after.push(move)
    return after.is_checkmate()


def gives_check_itself(board: chess.Board, move: chess.Move) -> bool:
    after = board.copy(stack=False)
    after.push(move)
    return move.to_square in after.checkers()


@pytest.mark.parametrize("winner", ["white", "black"])
@pytest.mark.parametrize(
    ("fen", "side"),
    both(
        "7k/R7/6K1/8/8/8/8/8 b - - 0 1",  # black has a move, and then it is mate
        "5k2/R7/5K2/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/5k2/4q3/6K1 b - - 0 1",
        "k7/8/K7/8/8/8/8/7R b - - 0 1",
    ),
)
def test_a_mate_after_a_move_of_the_other_side(fen: str, side: str, winner: Any) -> None:
    heavy = chess.Board(fen).pieces(chess.QUEEN, winner == "white") | chess.Board(fen).pieces(
        chess.ROOK, winner == "white"
    )
    line = Board(fen).find_helpmate(winner, limit=300)
    assert (line is not None) is bool(heavy), side
    if line is not None:
        check_line(fen, winner == "white", line)


@pytest.mark.parametrize("winner", ["white", "black"])
@pytest.mark.parametrize(
    ("fen", "side"),
    both(
        "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1",
        "8/8/8/8/8/1k6/p7/K7 w - - 0 1",
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
        "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
        "k1K5/P7/8/8/8/8/8/8 b - - 0 1",
        "K7/P1k5/8/8/8/8/8/8 w - - 0 1",
        "5k1K/7P/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1",
        "kb6/p1p5/P1P5/8/8/8/8/K7 b - - 0 1",
    ),
)
def test_positions_of_which_all_moves_can_be_played(fen: str, side: str, winner: Any) -> None:
    winners = reachable_mates(fen, 300)
    board = Board(fen)
    can = board.can_mate(winner, limit=500)
    if winners is not None:
        assert can is ((winner == "white") in winners), side
    line = board.find_helpmate(winner, limit=500)
    assert can in (None, line is not None)
    if line is not None:
        check_line(fen, winner == "white", line)


@pytest.mark.parametrize("winner", ["white", "black"])
@pytest.mark.parametrize(
    ("fen", "side"),
    both(
        "8/8/8/K1pP3r/8/8/8/7k w - c6 0 1",  # the capture en passant is not legal
        "8/8/8/1k3p1p/3p1P1P/1p1P1Pp1/1P4P1/K7 b - - 0 1",
        "8/6bb/8/8/R1pP2k1/4P3/P7/K7 b - d3 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ),
)
def test_lines_are_legal(fen: str, side: str, winner: Any) -> None:
    board = Board(fen)
    line = board.find_helpmate(winner, limit=150)
    assert board.can_mate(winner, limit=150) in (None, line is not None), side
    if line is not None:
        check_line(fen, winner == "white", line)


def test_answers_of_rows_in_slices() -> None:
    fens = ["6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "7k/8/6K1/8/8/8/8/6Q1 w - - 0 1"]
    words = np.array([Board(fen).words()[:10] for fen in fens])
    rows = finding.rows_of(words, False)
    expected = [POSSIBLE, IMPOSSIBLE, POSSIBLE]
    assert finding.answers(rows, new_space(500)).tolist() == expected
    assert finding.answers(rows, new_space(0)).tolist() == [UNKNOWN, IMPOSSIBLE, UNKNOWN]
    assert finding.answers(finding.rows_of(words, True), new_space(0)).tolist() == [UNKNOWN, IMPOSSIBLE, IMPOSSIBLE]
    space = new_space(500)
    for _ in range(3):  # a space is used again
        assert finding.answers(rows, space).tolist() == expected
    stopped = Event()
    stopped.set()
    assert finding.answers(rows, new_space(500), stopped).tolist() == [UNKNOWN] * 3
    assert finding.answers(rows, new_space(500), Event()).tolist() == expected
    assert finding.answers(rows[:0], new_space(1)).tolist() == []


def test_a_line_is_a_list_of_words_from_the_first_move_on() -> None:
    words = Board("7k/R7/5K2/8/8/8/8/8 b - - 0 1").words()
    found, line = finding.answer(words, False, 1000)
    assert found == POSSIBLE
    board = Board("7k/R7/5K2/8/8/8/8/8 b - - 0 1")
    for word in line:
        board.push(word)
    assert board.is_checkmate()
    assert finding.answer(words, True, 1000) == (IMPOSSIBLE, [])
    assert finding.answer(words, False, 0) == (UNKNOWN, [])


def test_arrays_answer_for_each_side() -> None:
    fens = ["6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "7k/8/6K1/8/8/8/8/6Q1 b - - 0 1"]
    positions = Positions.from_fens(fens)
    assert positions.can_mate("white", limit=500).tolist() == [True, False, True]
    assert positions.can_mate("us", limit=500).tolist() == [True, False, False]
    assert positions.can_mate("them", limit=0).tolist() == [None, False, None]
    assert positions.is_dead(limit=500).tolist() == [False, True, False]
    assert positions.is_dead(limit=0).tolist() == [None, True, None]
