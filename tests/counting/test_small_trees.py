"""Trees of few moves, counted and classified as python-chess does; a moment each, even where kernels run as Python."""

import chess
import numpy as np
import pytest

from rookery.board.board import Board
from rookery.counting.perft import perft
from rookery.counting.visitors import Units, table, workspace
from rookery.counting.walk import divide, on_lanes, portions, slices, statistics
from rookery.counting.workers import parts
from rookery.techniques import technique
from small_positions import SMALL, leaves


def classified(board: chess.Board, depth: int) -> list[int]:
    """Return what `MoveStatistics` holds of the moves of the last ply."""
    counts = np.zeros(9, int)
    for move in list(board.legal_moves):
        capture, en_passant, castles = board.is_capture(move), board.is_en_passant(move), board.is_castling(move)
        board.push(move)
        if depth > 1:
            counts += classified(board, depth - 1)
        else:
            arrived = (
                (move.from_square + move.to_square) // 2 if castles else move.to_square
            )  # of the rook that castles
            checkers = board.checkers()
            double = len(checkers) > 1
            discovered = bool(checkers) and not double and arrived not in checkers
            promotes = move.promotion is not None
            kinds = [
                1,
                capture,
                en_passant,
                castles,
                promotes,
                bool(checkers),
                discovered,
                double,
                board.is_checkmate(),
            ]
            counts += np.array(kinds, int)
        board.pop()
    return counts.tolist()


@pytest.mark.parametrize("fen", SMALL)
def test_three_plies_at_once_are_as_many_as_python_chess_finds(fen: str) -> None:
    assert sum(on_lanes(Board(fen), 4)) == leaves(chess.Board(fen), 4)


@pytest.mark.parametrize("fen", SMALL)
def test_colours_do_not_matter_to_three_plies_at_once(fen: str) -> None:
    mirrored = chess.Board(fen).mirror()
    assert sum(on_lanes(Board(mirrored.fen()), 4)) == leaves(mirrored, 4)


@pytest.mark.parametrize("name", ["pext", "rotated-hyatt"])
@pytest.mark.parametrize("fen", SMALL)
def test_two_plies_at_once_are_as_many_as_python_chess_finds(fen: str, name: str) -> None:
    board = chess.Board(fen)
    for turned in (board, board.mirror()):
        assert sum(slices(Board(turned.fen()), 3, technique(name))) == leaves(turned, 3)


@pytest.mark.parametrize("fen", SMALL)
def test_moves_are_classified_as_by_python_chess(fen: str) -> None:
    board = chess.Board(fen)
    for turned in (board, board.mirror()):
        for depth in (1, 3):
            *_, found = statistics(Board(turned.fen()), depth)
            assert list(found) == classified(turned, depth)


@pytest.mark.parametrize("megabytes", [0, 1])
def test_a_table_is_filled_and_read_by_one_visitor(megabytes: int) -> None:
    fen = "k7/p7/2K5/1P6/8/8/8/8 b - - 0 1"
    visitor = Units(workspace(), table(megabytes))
    expected = [leaves(chess.Board(fen), depth) for depth in (4, 5)]
    for _ in range(2):
        assert [sum(portions(Board(fen), depth, visitor)) for depth in (4, 5)] == expected
    assert bool(visitor.table.any()) == (megabytes > 0)


def test_each_move_of_the_root_is_counted_by_itself() -> None:
    fen = SMALL[0]
    board = chess.Board(fen)
    found = {move.uci(): nodes for move, nodes in divide(Board(fen), 3)}
    assert found.keys() == {move.uci() for move in board.legal_moves}
    for uci, nodes in found.items():
        board.push_uci(uci)
        assert nodes == leaves(board, 2)
        board.pop()


# Castling with rooks on other files, and no rook that may castle beyond the king's own side.
FISCHER = [
    "4k3/8/8/8/8/pppp1pp1/PPPP1PP1/1R2K1R1 w GB - 0 1",
    "4k3/8/8/8/8/pp1pppp1/PP1PPPP1/R1K3R1 w GA - 0 1",
    "4k3/8/8/8/8/1p1ppp1p/1P1PPP1P/R3K1R1 w AG - 0 1",
]


@pytest.mark.parametrize("fen", FISCHER)
def test_castling_of_chess960_is_counted_as_by_python_chess(fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    for turned in (board, board.mirror()):
        ours = Board(turned.fen(shredder=True), chess960=True)
        assert sum(on_lanes(ours, 4)) == sum(slices(ours, 4)) == leaves(turned, 4)
        before = ours.copy()
        before.turn = not before.turn
        assert sum(on_lanes(before, 5)) == sum(slices(before, 5))


@pytest.mark.parametrize(
    "fen", ["k1k5/8/8/8/8/8/8/K7 w - - 0 1", "k7/8/8/8/8/8/8/K1K5 w - - 0 1", "k7/8/8/p7/P7/8/8/8 w - - 0 1"]
)
def test_sides_with_two_kings_or_none_are_counted_one_move_at_a_time(fen: str) -> None:
    for board in (Board.unchecked(fen), Board.unchecked(fen).mirror()):
        assert sum(on_lanes(board, 4)) == sum(slices(board, 4))


@pytest.mark.parametrize(
    ("depth", "number", "left"),
    [(0, 1, 0), (3, 1, 3), (4, 1, 4), (5, 20, 4), (6, 400, 4), (7, 400, 5), (8, 400, 6), (9, 8902, 6)],
)
def test_a_count_is_cut_into_parts_of_equal_depth(depth: int, number: int, left: int) -> None:
    pieces = parts(Board(), depth)
    assert (len(pieces), {piece.depth for piece in pieces}) == (number, {left})


@pytest.mark.parametrize("depth", range(5))
def test_the_scalar_generator_and_the_lanes_begin_at_depth_0(depth: int) -> None:
    board = chess.Board(SMALL[0])
    expected = leaves(board, depth) if depth else 1
    for name in (None, "kogge-stone"):
        t = None if name is None else technique(name)
        assert sum(slices(Board(SMALL[0]), depth, t)) == expected
        assert perft(SMALL[0], depth, technique=name) == expected
    assert perft(SMALL[0], depth) == expected
