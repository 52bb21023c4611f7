"""Kernels of playouts, each called by itself in plain Python: corners, ways of kings, zones and scores."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from test_helpmates import check_line

from kernel_positions import TABLES, move_word, position_of
from rookery import Board
from rookery.kernel.in_python import in_python
from rookery.rules.helpmates import playout
from rookery.rules.helpmates.playout import HEAVY, LIGHT, PAWNS, PLAYOUTS, STEPS, WEIGHTS
from rookery.rules.helpmates.space import EXPANDED, FOUND, new_space

CORNERS = [chess.H8, chess.A8, chess.H1, chess.A1]
FLIPS = [corner ^ chess.H8 for corner in CORNERS]


def plain(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel as a Python function of words, which computes as machine code does."""
    function = in_python(inspect.unwrap(kernel))

    def call(*arguments: Any) -> Any:
        return function(*(np.uint64(a) if isinstance(a, int) else a for a in arguments))

    return call


def squares(text: str) -> set[int]:
    return {chess.parse_square(name) for name in text.split()}


@pytest.mark.parametrize("corner", range(4))
def test_steps_to_a_corner(corner: int) -> None:
    goals = [{square ^ FLIPS[corner] for square in squares(text)} for text in ("g6 h6 f7 f8", "h8", "f7 g6", "g8 h7")]
    for row, distance in ((0, chess.square_distance), (1, chess.square_distance)):
        expected = [min(distance(s, goal) for goal in goals[row]) for s in chess.SQUARES]
        assert STEPS[4 * corner + row].tolist() == expected
    for row in (2, 3):
        steps = STEPS[4 * corner + row]
        assert set(np.flatnonzero(steps == 0).tolist()) == goals[row]
        for s in chess.SQUARES:
            if steps[s]:
                assert min(int(steps[n]) for n in chess.SquareSet(chess.BB_KNIGHT_ATTACKS[s])) == steps[s] - 1


@pytest.mark.parametrize(
    ("fen", "material"),
    [
        ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", HEAVY),
        ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", HEAVY),
        ("r3k3/8/8/8/8/8/P7/4K3 w - - 0 1", PAWNS),
        ("r3k3/8/8/8/8/8/P7/B3K3 b - - 0 1", PAWNS),
        ("r3k3/p7/8/8/8/8/8/BN2K3 b - - 0 1", LIGHT),
    ],
)
def test_what_white_has(fen: str, material: int) -> None:
    assert int(plain(playout.material_of)(position_of(chess.Board(fen)))) == material


@pytest.mark.parametrize(
    ("fen", "nth", "cost", "corner"),
    [
        ("6k1/8/8/5K2/8/8/8/R7 w - - 0 1", 0, 5, chess.H8),
        ("6k1/8/8/5K2/8/8/8/R7 b - - 0 1", 0, 5, chess.H8),
        ("1k6/8/8/2K5/8/8/8/R7 w - - 0 1", 0, 5, chess.A8),
        ("8/8/8/8/5K2/8/6k1/R7 w - - 0 1", 0, 5, chess.H1),
        ("8/8/8/2K5/8/8/1k6/R7 w - - 0 1", 0, 5, chess.A1),
        ("6k1/8/8/5K2/8/8/8/R7 w - - 0 1", 1, 0, chess.H8),
        ("6k1/8/8/5K2/8/8/8/R7 w - - 0 1", 1, 100, chess.A8),
        ("6k1/8/8/5K2/8/8/8/R7 w - - 0 1", 2, 100, chess.H1),
        ("6k1/8/8/5K2/8/8/8/R7 w - - 0 1", 7, 100, chess.A1),
        ("6k1/7p/8/5K2/8/8/8/2B5 w - - 0 1", 0, 8, chess.H8),  # a bishop on dark squares
        ("6k1/7p/8/5K2/8/8/8/2B5 w - - 0 1", 1, 100, chess.A1),
        ("6k1/7p/8/5K2/8/8/8/5B2 w - - 0 1", 0, 8, chess.A8),
        ("6k1/7p/8/5K2/8/8/8/2B2B2 w - - 0 1", 0, 8, chess.H8),
        ("6k1/7p/8/5K2/8/8/8/5N2 w - - 0 1", 0, 8, chess.H8),
        ("6k1/7p/8/5K2/8/8/7P/5B2 w - - 0 1", 0, 8, chess.H8),  # with a pawn, any corner
    ],
)
def test_in_which_corner_a_playout_mates(fen: str, nth: int, cost: int, corner: int) -> None:
    row = int(plain(playout.corner_for)(position_of(chess.Board(fen)), nth, cost))
    assert (row % 4, CORNERS[row // 4]) == (0, corner)


@pytest.mark.parametrize("goals", ["d4", "a1 h8", "a4 c6 h2", "h1 h2 h3"])
def test_the_way_of_a_king_to_some_squares(goals: str) -> None:
    def far(s: int) -> int:
        return min(chess.square_distance(s, goal) for goal in squares(goals))

    words = sum(1 << goal for goal in squares(goals))
    for king in chess.SQUARES:
        if far(king):
            way = int(plain(playout.way_to)(king, words))
            steps = chess.SquareSet(chess.BB_KING_ATTACKS[king])
            assert {s for s in steps if way >> s & 1} == {s for s in steps if far(s) < far(king)}


@pytest.mark.parametrize(
    ("fen", "way"),
    [
        ("4k3/8/p7/P7/8/8/8/4K3 w - - 0 1", "d2"),
        ("4k3/8/p7/P7/8/8/8/4K3 b - - 0 1", ""),  # black's king
        ("4k3/8/p7/P7/8/8/7P/4K3 w - - 0 1", ""),  # a pawn that may go
        ("4k3/8/n7/P7/8/8/8/4K3 w - - 0 1", ""),  # a piece that may go
        ("4k3/8/p7/P7/8/8/8/R3K3 w - - 0 1", ""),
        ("4k3/8/p6n/P6P/8/8/8/4K3 w - - 0 1", "d2"),
    ],
)
def test_white_goes_where_its_pawns_are_blocked(fen: str, way: str) -> None:
    p = position_of(chess.Board(fen))
    found = int(plain(playout.way_of_king)(p, plain(playout.material_of)(p)))
    assert bool(found) is bool(way)
    if way:
        assert found >> chess.parse_square(way) & 1
        assert not found & (1 << chess.D1 | 1 << chess.F2)


@pytest.mark.parametrize(
    ("fen", "corner", "zone"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 0, chess.BB_KING_ATTACKS[chess.E8]),
        ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", 0, chess.BB_G8 | chess.BB_H7),
        ("4k3/8/8/8/8/8/8/B3K3 b - - 0 1", 1, chess.BB_B8 | chess.BB_A7),
        ("4k3/8/8/8/8/8/8/N3K3 b - - 0 1", 2, chess.BB_G1 | chess.BB_H2),
        ("4k3/8/8/8/8/8/8/N3K3 b - - 0 1", 3, chess.BB_B1 | chess.BB_A2),
        ("4k3/8/8/8/P7/7P/8/4K3 b - - 0 1", 0, ~(0x0101010100000000 | 0x8080808080000000) & chess.BB_ALL),
    ],
)
def test_zones(fen: str, corner: int, zone: int) -> None:
    p = position_of(chess.Board(fen))
    assert int(plain(playout.zone_of)(p, plain(playout.material_of)(p), 4 * corner)) == zone


def weight(row: int, *columns: int) -> int:
    return sum(int(WEIGHTS[row, column]) for column in columns)


@pytest.mark.parametrize(
    ("fen", "uci", "score"),
    [
        ("7k/8/8/8/8/8/8/R3K3 w - - 0 1", "e1f2", weight(0, playout.TOWARDS, playout.TAKES_NOTHING)),
        ("7k/8/8/8/8/8/8/R3K3 w - - 0 1", "e1d1", weight(0, playout.AROUND, playout.TAKES_NOTHING)),
        ("7k/8/8/8/8/4K3/8/R7 w - - 0 1", "e3e2", weight(0, playout.AWAY, playout.TAKES_NOTHING)),
        ("7k/8/8/8/8/8/3p4/R3K3 w - - 0 1", "e1d2", weight(0, playout.TOWARDS, playout.TAKES)),
        ("7k/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2", weight(0, 9, playout.FROM_OUTSIDE)),
        ("7k/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1g7", weight(0, 10, playout.TO_ZONE, playout.FROM_OUTSIDE)),
        ("7k/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a3", weight(1, 3, playout.TAKES_NOTHING, playout.FROM_OUTSIDE)),
        ("7k/8/8/8/8/1n6/P7/4K3 w - - 0 1", "a2b3", weight(1, 5, playout.TAKES, playout.FROM_OUTSIDE)),
        (
            "7k/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7a8q",
            weight(1, 4, playout.TAKES_NOTHING, playout.FROM_OUTSIDE) + 3 * weight(1, playout.BECOMES),
        ),
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", weight(1, 4, playout.TAKES_NOTHING, playout.FROM_OUTSIDE)),
        (
            "7k/8/8/8/N7/8/8/4K3 w - - 0 1",
            "a4c5",
            weight(2, 7, playout.TAKES_NOTHING, playout.FROM_OUTSIDE, playout.KNIGHT_TOWARDS),
        ),
        ("7k/8/8/4N3/8/8/8/4K3 w - - 0 1", "e5c4", weight(2, 7, playout.TAKES_NOTHING, playout.FROM_OUTSIDE)),
        ("8/8/8/8/8/8/k7/4K2R b - - 0 1", "a2b3", weight(3, playout.TOWARDS, playout.TAKES_NOTHING)),
        (
            "7k/8/8/8/8/8/7p/1B2K3 b - - 0 1",
            "h2h1n",
            weight(5, 4, playout.TAKES_NOTHING, playout.FROM_OUTSIDE) + 3 * weight(5, playout.BECOMES),
        ),
        ("7k/8/5n2/8/8/8/8/1B2K3 b - - 0 1", "f6g8", weight(5, 7, 11, 12, 14, 15)),
        ("6nk/8/8/8/8/8/8/1B2K3 b - - 0 1", "g8f6", weight(5, 7, playout.TAKES_NOTHING)),
    ],
)
def test_scores_of_moves(fen: str, uci: str, score: int) -> None:
    board = chess.Board(fen)
    move = chess.Move.from_uci(uci)
    assert board.is_legal(move)
    p = position_of(board)
    material = int(plain(playout.material_of)(p))
    zone, way = plain(playout.zone_of)(p, material, 0), plain(playout.way_of_king)(p, material)
    row = material + 3 * (not board.turn)
    assert int(plain(playout.score_of)(p, move_word(board, move), 0, row, zone, way)) == score


@pytest.mark.parametrize(
    ("fen", "near"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", True),
        ("7k/8/8/8/8/8/8/R3K3 w - - 0 1", True),
        ("6k1/8/8/8/8/8/8/R3K3 w - - 0 1", False),
        ("4k3/8/4K3/8/8/8/8/R7 w - - 0 1", True),
        ("3k4/8/4K3/8/8/8/8/R7 w - - 0 1", True),
        ("8/3k4/8/4K3/8/8/8/R7 w - - 0 1", False),
    ],
)
def test_when_white_looks_for_a_mate(fen: str, near: bool) -> None:
    assert bool(plain(playout.is_mate_near)(position_of(chess.Board(fen)))) is near


def played(fen: str, most: int) -> tuple[bool, int, int]:
    work = new_space(200)
    mates = plain(playout.play)(position_of(chess.Board(fen)), 0, 0, most, work, TABLES)
    return bool(mates), int(work.state[FOUND]), int(work.state[EXPANDED])


def test_a_playout_ends_with_mate_or_after_some_half_moves() -> None:
    assert played("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", 9) == (True, 0, 1)
    assert played("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 9) == (True, 1, 2)
    assert played("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 0) == (False, 0, 1)
    assert played("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", 9) == (False, 0, 1)  # stalemate
    assert played("8/8/8/8/8/7k/8/R3K3 w - - 0 1", 3) == (False, 3, 4)
    assert played("8/8/8/8/8/8/1k5p/7K w - - 0 1", 9)[0] is False  # after the capture nobody can mate


def test_the_number_of_playouts_keeps_the_limit() -> None:
    fen = "8/8/8/4k3/8/8/8/KN5n w - - 0 1"
    assert PLAYOUTS[LIGHT].tolist()[:2] == [332, 100]
    for limit, playouts in ((5, 1), (40, 1)):
        work = new_space(limit)
        mates = plain(playout.mates_in_playouts)(position_of(chess.Board(fen)), work, TABLES)
        assert not mates
        assert int(work.state[EXPANDED]) <= playouts * limit + 1


@pytest.mark.parametrize("limit", [1, 2, 3, 10, 100, 300, 1000, 50_000])
@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "8/8/7p/7P/4K3/8/6k1/3B1q2 w - - 0 72",
        "8/2k5/8/8/1NK5/7r/8/8 w - - 28 71",
        "8/8/8/8/4K1pk/4P3/5P2/8 w - - 1 51",
        "4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1",
    ],
)
def test_lines_of_all_lengths_are_legal(fen: str, limit: int) -> None:
    for winner in chess.COLORS:
        line = Board(fen).find_helpmate(winner, limit=limit)
        if line is not None:
            assert len(line) <= limit
            check_line(fen, winner, line)
        elif limit == 50_000:
            assert Board(fen).can_mate(winner, limit=limit) is False


def test_weights_are_those_that_were_found() -> None:
    # Any others give mates, too, but later: what a change costs, only thousands of positions tell.
    assert PLAYOUTS.tolist() == [[120, 40, 0], [120, 40, 3], [332, 100, 8]]
    assert WEIGHTS.sum(axis=1).tolist() == [475, 934, 245, 245, 430, 685]
    columns = [540, 170, 20, 195, 445, 285, 255, 130, 150, 175, 150, 60, 80, 84, 40, 235]
    assert WEIGHTS.sum(axis=0).tolist() == columns


RECORDED = [
    line.split("; ")
    for line in (Path(__file__).parent / "playouts.txt").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("fen", "moves"), RECORDED)
def test_recorded_playouts(fen: str, moves: str) -> None:
    expected = [move_word_of(text) for text in moves.split()]
    work = new_space(400)
    assert plain(playout.mates_in_playouts)(position_of(chess.Board(fen)), work, TABLES)
    assert int(work.state[FOUND]) == len(expected)
    assert [int(work.nodes[n + 1, 5]) for n in range(len(expected))] == [
        n | word << 32 for n, word in enumerate(expected)
    ]
    line = Board(fen).find_helpmate("white")
    assert line is not None
    assert [move.uci() for move in line] == moves.split()


def move_word_of(uci: str) -> int:
    """Return the word of a move that is neither castling nor en passant."""
    move = chess.Move.from_uci(uci)
    kind = 0x4000 | (move.promotion - chess.KNIGHT) << 12 if move.promotion else 0
    return kind | move.to_square << 6 | move.from_square
