"""Published perft totals, and the same totals by every technique.

The six positions and their totals are those of the Chess Programming Wiki, "Perft Results".
"""

from typing import Final

import chess
import pytest

import rookery
from rookery.board.board import Board
from rookery.counting.perft import perft
from rookery.techniques.base import Technique

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE: Final = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
TOTALS: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "start": (START, (20, 400, 8902, 197281, 4865609, 119060324, 3195901860)),
    "kiwipete": (KIWIPETE, (48, 2039, 97862, 4085603, 193690690)),
    "position 3": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2812, 43238, 674624, 11030083, 178633661)),
    "position 4": (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        (6, 264, 9467, 422333, 15833292, 706045033),
    ),
    "position 5": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1486, 62379, 2103487, 89941194)),
    "position 6": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        (46, 2079, 89890, 3894594, 164075551),
    ),
}
BRIEF: Final = 20_000_000  # leaves counted by default
LONG: Final = 4_000_000_000  # and in the slow tests
FAMILIES: Final = ("hyperbola", "kogge-stone", "rotated-hyatt", "rotated-heinz", "magic-shared")


def levels(least: int, most: int) -> list[tuple[str, int, int]]:
    """Every name, depth and total between two sizes."""
    return [
        (name, depth, total)
        for name, (_, totals) in TOTALS.items()
        for depth, total in enumerate(totals, 1)
        if least < total <= most
    ]


@pytest.mark.parametrize(("name", "depth", "total"), levels(0, BRIEF))
def test_published_totals(name: str, depth: int, total: int) -> None:
    assert perft(TOTALS[name][0], depth) == total


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth", "total"), levels(BRIEF, LONG))
def test_great_published_totals(name: str, depth: int, total: int) -> None:
    assert perft(TOTALS[name][0], depth) == total


@pytest.mark.parametrize(("name", "depth", "total"), levels(0, 500_000))
def test_colours_swapped(name: str, depth: int, total: int) -> None:
    assert perft(Board(TOTALS[name][0]).mirror(), depth) == total


def test_depth_nought_is_the_position_itself() -> None:
    assert perft(START, 0) == 1


def test_the_library_and_its_front_door_are_one() -> None:
    assert rookery.perft is perft
    board = Board()
    assert perft(board, 3) == 8902
    assert board == Board()
    assert perft(START, 3, technique=rookery.technique("hyperbola")) == 8902


@pytest.mark.parametrize("name", FAMILIES)
def test_families_agree(name: str) -> None:
    for fen, totals in TOTALS.values():
        for depth in (1, 2, 3):
            assert perft(fen, depth, technique=name) == totals[depth - 1], (fen, depth)


@pytest.mark.slow
def test_every_technique_agrees(technique: Technique) -> None:
    for fen, totals in TOTALS.values():
        assert perft(fen, 4, technique=technique.name) == totals[3], fen


def by_python_chess(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += by_python_chess(board, depth - 1)
        board.pop()
    return total


def compare_chess960(number: int, depth: int) -> None:
    theirs = chess.Board.from_chess960_pos(number)
    for fen in (theirs.fen(), theirs.fen(shredder=True)):
        assert perft(Board(fen, chess960=True), depth) == by_python_chess(theirs, depth), fen


@pytest.mark.parametrize("number", range(7, 960, 24))
def test_some_chess960_starts(number: int) -> None:
    compare_chess960(number, 2)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(960))
def test_all_chess960_starts(number: int) -> None:
    compare_chess960(number, 3)


@pytest.mark.parametrize(
    ("fen", "totals"),
    [
        # Chess960 positions with castling in sight, totals as published with Stockfish's and shakmaty's tests.
        ("1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", (29, 502, 14569, 287739, 8652810)),
        ("rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9", (27, 916, 25798, 890435, 26302461)),
        ("rqbbknr1/1ppp2pp/p5n1/4pp2/P7/1PP5/1Q1PPPPP/R1BBKNRN w GAga - 0 9", (24, 600, 15347, 408207, 11029596)),
    ],
)
def test_published_chess960_totals(fen: str, totals: tuple[int, ...]) -> None:
    for depth, total in enumerate(totals, 1):
        if total < BRIEF:
            assert perft(fen, depth) == total, depth
