"""Perft, legal moves and FEN reading, compared with the Python chess libraries that are installed.

Every answer is checked: leaves against the published totals, moves and positions against the peer's.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from rookery.bench.machine import describe
from rookery.bench.turns import TimedRow, TimedWork, compare_all, installed
from rookery.board.board import Board
from rookery.counting.walk import POSITIONS, slices
from rookery.rules.compiled import default_technique

KIWIPETE = POSITIONS["kiwipete"]

# Leaves by depth, from 0 on: the chessprogramming wiki's page "Perft Results".
LEAVES: Final = {
    "start": (1, 20, 400, 8_902, 197_281, 4_865_609, 119_060_324, 3_195_901_860, 84_998_978_956),
    "kiwipete": (1, 48, 2_039, 97_862, 4_085_603, 193_690_690, 8_031_647_685),
}


def scalar_perft(fen: str, depth: int) -> int:
    """Run perft with the scalar generator, one position at a time."""
    return sum(slices(Board(fen), depth))


def perft_work(count: Callable[..., int], name: str, depth: int, **options: Any) -> TimedWork:
    """Return the work of a perft of one of `LEAVES`, by a function that takes a FEN and a depth."""
    leaves, fen = LEAVES[name][depth], POSITIONS[name]
    return TimedWork(
        partial(count, fen, depth, **options), leaves, leaves.__eq__, partial(count, fen, min(depth, 4), **options)
    )


def rows() -> list[TimedRow]:
    """Return the comparisons with the peers that are installed."""
    found = []
    chessmg = installed("chessmg")
    if chessmg:
        for name, depth in (("start", 6), ("kiwipete", 5)):
            ours, theirs = perft_work(scalar_perft, name, depth), perft_work(chessmg.perft, name, depth)
            found.append(TimedRow(f"perft {name} {depth}, scalar", "nodes", ours, theirs, "chessmg"))
    chess = installed("chess")
    if chess:
        our_board, their_board = Board(KIWIPETE), chess.Board(KIWIPETE)
        listed = sorted(move.uci() for move in their_board.legal_moves)

        def same_moves(moves: Any) -> bool:
            return sorted(move.uci() for move in moves) == listed

        def same_board(board: Any) -> bool:
            return bool(board.fen() == KIWIPETE)

        found.append(
            TimedRow(
                "list(board.legal_moves), Kiwipete",
                "moves",
                TimedWork(lambda: list(our_board.legal_moves), len(listed), same_moves),
                TimedWork(lambda: list(their_board.legal_moves), len(listed), same_moves),
                "chess",
            )
        )
        found.append(
            TimedRow(
                "Board(fen), Kiwipete",
                "boards",
                TimedWork(partial(Board, KIWIPETE), 1, same_board),
                TimedWork(partial(chess.Board, KIWIPETE), 1, same_board),
                "chess",
            )
        )
    return found


def measure(*, rounds: int = 5, progress: Callable[[str], None] = lambda what: None) -> dict[str, Any]:
    """Time all rows; `progress` is called with each."""
    return {
        "benchmark": "perft",
        "command": "rookery bench perft --peers",
        "machine": describe(),
        "technique": default_technique().name,
        "rounds": rounds,
        "rows": compare_all(rows(), rounds, progress),
    }
