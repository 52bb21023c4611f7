"""Perft, many positions at once: the totals of the scalar generator and published ones, in threads, with any table."""

import itertools
import re
from collections.abc import Iterable
from typing import Any

import chess
import numpy as np
import pytest

from corpus import EDGES, STRANGE, corpus
from rookery.board.board import Board
from rookery.counting.perft import perft
from rookery.counting.walk import on_lanes, slices
from rookery.counting.workers import counting, parts
from thinning import few


def test_four_plies_below_any_position_are_as_many_as_the_scalar_generator_finds() -> None:
    boards = [*corpus(1200, seed=7), *map(Board.unchecked, STRANGE[:2])]
    for board in boards:
        assert sum(on_lanes(board, 4)) == sum(slices(board, 4)), board.fen()


@pytest.mark.slow
def test_four_plies_below_many_positions() -> None:
    for board in [*corpus(20_000, seed=8), *without_kings(corpus(4_000, seed=9))]:
        assert sum(on_lanes(board, 4)) == sum(slices(board, 4)), board.fen()


def without_kings(boards: Iterable[Board]) -> list[Board]:
    """The boards in turn without the white king, the black one and both."""
    found = []
    for board, taken in zip(boards, itertools.cycle(("K", "k", "Kk")), strict=False):
        pieces, turn, _, en_passant = board.fen(en_passant="fen").split()[:4]
        plain = re.sub(r"\d", lambda empty: "1" * int(empty[0]), pieces).translate(dict.fromkeys(map(ord, taken), "1"))
        packed = re.sub(r"1+", lambda empty: str(len(empty[0])), plain)
        found.append(Board.unchecked(f"{packed} {turn} - {en_passant} 0 1"))
    return found


# On many of these boards pawns take en passant, and nothing can be exposed by that.
PAWNS_WITHOUT_KINGS = [
    "8/2p1p1p1/8/3P1P2/3p1p2/8/2P1P1P1/8 w - - 0 1",
    "8/1pppppp1/8/2P1P3/3p1p2/8/1P1P1PPP/4r3 w - - 0 1",
    "b7/1pppppp1/8/2P1P3/3p1p2/8/1P1P1PPP/R3r3 b - - 0 1",
    "4k3/2p1p1p1/8/3P1P2/3p1p2/8/2P1P1P1/r7 w - - 0 1",
]


def by_python_chess(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += by_python_chess(board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize("fen", few(PAWNS_WITHOUT_KINGS, 2))
def test_en_passant_on_boards_without_a_king(fen: str) -> None:
    board = Board.unchecked(fen)
    assert perft(board, 4) == sum(slices(board, 4)) == by_python_chess(chess.Board(fen), 4)
    leaves = sum(slices(board, 6))
    assert perft(board, 6) == perft(board, 6, hash_mb=1) == leaves


def test_four_plies_below_boards_without_a_king() -> None:
    for board in without_kings(corpus(300, seed=9)):
        assert sum(on_lanes(board, 4)) == sum(slices(board, 4)), board.fen()


# Those with more moves have a hundred million leaves; they are among the corpus. python-chess counts them, because
# nothing is to be compiled before a test runs.
@pytest.mark.parametrize("fen", [fen for fen in EDGES if chess.Board(fen, chess960=True).legal_moves.count() <= 60])
def test_edges_five_plies_deep(fen: str) -> None:
    board = Board.unchecked(fen)
    assert sum(on_lanes(board, 5)) == sum(slices(board, 5))


TOTALS = [
    ("start", 6, 119_060_324),
    ("kiwipete", 5, 193_690_690),
    ("position3", 6, 11_030_083),
    ("position4", 5, 15_833_292),
    ("position5", 5, 89_941_194),
    ("position6", 5, 164_075_551),
]


@pytest.mark.parametrize(("name", "depth", "leaves"), TOTALS)
def test_published_totals(name: str, depth: int, leaves: int) -> None:
    assert perft(name, depth) == leaves


@pytest.mark.parametrize("depth", range(5))
def test_shallow_depths(depth: int) -> None:
    assert perft("kiwipete", depth) == [1, 48, 2039, 97862, 4085603][depth]
    assert perft("kiwipete", depth, threads=2, hash_mb=1) == [1, 48, 2039, 97862, 4085603][depth]


@pytest.mark.parametrize("threads", few([1, 2, 3, 8], 2))
@pytest.mark.parametrize("megabytes", [0, 1, 3, 64])
def test_threads_and_tables_change_no_total(threads: int, megabytes: int) -> None:
    for name, depth, leaves in TOTALS[:4]:
        assert perft(name, depth, threads=threads, hash_mb=megabytes) == leaves


def test_a_table_of_one_bucket_changes_no_total(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery.counting.workers.table", lambda megabytes: np.zeros(8, np.uint64))
    assert perft("position3", 6, hash_mb=1, threads=2) == 11_030_083


@pytest.mark.slow
def test_the_start_position_eight_plies_deep() -> None:
    assert perft("start", 8) == 84_998_978_956
    assert perft("start", 8, threads=2, hash_mb=512) == 84_998_978_956


@pytest.mark.slow
def test_the_start_position_nine_plies_deep_with_a_table() -> None:
    assert perft("start", 9, threads=2, hash_mb=1024) == 2_439_530_234_167


def test_parts_are_the_whole_tree() -> None:
    board = Board()
    for depth in (1, 4, 5, 6):
        pieces = parts(board, depth)
        assert sum(sum(on_lanes(*piece)) for piece in pieces) == [0, 20, 400, 8902, 197281, 4865609, 119060324][depth]


def test_progress_ends_with_the_whole() -> None:
    steps = list(counting(Board(), 7, threads=2))
    assert steps[-1] == (3_195_901_860, 3_195_901_860, 400, 400)
    assert [step.nodes for step in steps] == sorted(step.nodes for step in steps)
    assert len(steps) > 3


def test_an_error_in_a_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> Any:
        raise RuntimeError("broken")

    monkeypatch.setattr("rookery.counting.workers.portions", broken)
    with pytest.raises(RuntimeError, match="broken"):
        list(counting(Board(), 5, threads=2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 0}, "threads: 0: expected an int of at least 1"),
        ({"threads": 1.5}, "threads: 1.5: expected"),
        ({"hash_mb": -1}, "hash_mb: -1: expected an int from 0"),
        ({"technique": "pext", "threads": 2}, "technique: 'pext' selects the scalar generator"),
        ({"technique": "pext", "hash_mb": 1}, "technique: 'pext' selects the scalar generator"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        perft("start", 3, **options)
