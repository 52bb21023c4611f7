"""The least depth of a perft that shows a fault, against boards of python-chess with the fault."""

import chess
import pytest
from uci_engine import Castling, CastlingOfMovedRook, EnPassantForEver

from rookery import Board
from rookery.counting.engines.visible_faults import FAULTS, Fault, depths_that_show_faults

CAPTURED: Fault = "a castling right kept after the rook was captured"
MOVED: Fault = "a castling right kept after the rook moved"
EN_PASSANT: Fault = "an en-passant square that is never cleared"
WRONG: dict[Fault, type[chess.Board]] = {CAPTURED: Castling, MOVED: CastlingOfMovedRook, EN_PASSANT: EnPassantForEver}
PLIES = 3
POSITIONS = """
4k3/8/8/8/8/6n1/P7/4K2R b K - 0 1
4k3/8/8/8/8/4n1n1/P7/4K2R b K - 0 1
4k3/8/8/8/4b3/8/P7/4KN1R b K - 0 1
4k3/8/8/8/4b3/8/P7/4K1NR b K - 0 1
k7/8/8/8/8/1n6/7P/R3K3 b Q - 0 1
k7/8/8/8/8/1n6/7P/RN2K3 b Q - 0 1
k7/8/8/8/8/1n6/7P/R2QK3 b Q - 0 1
k2r4/8/8/8/8/1n6/7P/R3K3 b Q - 0 1
k1r5/8/8/8/8/1n6/7P/R3K3 b Q - 0 1
kr6/8/8/8/8/2n5/7P/R3K3 b Q - 0 1
r3k3/7p/1N6/8/8/8/8/4K3 w q - 0 1
4k2r/p7/6N1/8/8/8/8/4K3 w k - 0 1
4k2r/p7/6N1/8/8/8/8/4KR2 w k - 0 1
4k2r/p7/6N1/8/8/8/8/4K1R1 w k - 0 1
r3k2r/8/6N1/8/8/8/8/4K3 w kq - 0 1
4k3/7p/8/8/8/8/P7/R3K3 w Q - 0 1
4k3/7p/8/8/8/8/P6P/4K2R w K - 0 1
4k2r/7p/8/8/8/8/8/4K3 b k - 0 1
r3k3/p7/8/8/8/8/8/4K3 b q - 0 1
4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1
4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1
4k3/8/8/8/3p4/8/2P1P3/4K3 w - - 0 1
4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1
4k3/4p3/8/5P2/8/8/8/4K3 b - - 0 1
4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1
4k3/8/8/3p4/8/8/P7/4K3 w - - 0 1
8/8/8/8/k2p4/8/4P3/3K4 w - - 0 1
""".strip().splitlines()


def moves(board: chess.Board, depth: int) -> list[str]:
    """Return all sequences of so many moves."""
    found = []
    for move in list(board.legal_moves):
        board.push(move)
        found += [f"{move} {rest}" for rest in moves(board, depth - 1)] if depth > 1 else [str(move)]
        board.pop()
    return sorted(found)


@pytest.mark.parametrize("fault", WRONG)
@pytest.mark.parametrize("fen", POSITIONS)
def test_a_fault_shows_where_a_board_with_it_has_other_moves(fen: str, fault: Fault) -> None:
    depths = depths_that_show_faults(Board(fen), 3000)
    assert depths.searched >= PLIES
    right, wrong = chess.Board(fen), WRONG[fault](fen)
    differing = (depth for depth in range(1, PLIES + 1) if moves(right, depth) != moves(wrong, depth))
    least = depths.least[fault]
    assert (least if least is not None and least <= PLIES else None) == next(differing, None)


@pytest.mark.parametrize(("most", "searched"), [(0, 0), (1, 1), (2, 1), (3, 2)])
def test_a_ply_of_more_positions_is_not_searched(most: int, searched: int) -> None:
    depths = depths_that_show_faults(Board("7k/8/8/8/8/8/8/K7 w - - 0 1"), most)
    assert depths.searched == searched
    assert set(depths.least) == set(FAULTS)
    assert set(depths.least.values()) == {None}


def test_deeper_faults_are_those_beyond_a_depth() -> None:
    depths = depths_that_show_faults(Board("4k3/P7/8/8/8/6n1/8/4K2R b K - 0 1"), 2000)
    assert (depths.least["castling"], depths.least["promotion"], depths.least[CAPTURED]) == (2, 2, 2)
    assert depths.deeper_than(1).keys() >= {"castling", "promotion", CAPTURED}
    assert depths.deeper_than(2).keys() == {f for f in FAULTS if depths.least[f] is None or depths.least[f] > 2}  # type: ignore[operator]
    assert depths.deeper_than(2)["en passant"] is None
