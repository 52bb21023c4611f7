"""Perft, legal moves and FEN reading beside the Python chess libraries that are installed.

Each row times the same work here and by a peer, in turns, several rounds; its ratio is the median of the rounds'
ratios. Every answer is compared: the leaves with the published totals, moves and positions with the peer's own.
"""

import importlib
import statistics
import time
from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import Any, NamedTuple

from rookery.bench.attacks import WrongAnswer
from rookery.bench.machine import describe
from rookery.lanes.perft import perft
from rookery.rules.board import Board
from rookery.rules.engine import default_technique
from rookery.rules.perft import POSITIONS

KIWIPETE = POSITIONS["kiwipete"]


class Row(NamedTuple):
    """One comparison: `ours` and `theirs` do the same work `times` times over and return the same."""

    what: str
    peer: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    expected: Any
    times: int
    units: int  # leaves, moves or boards each time
    unit: str


def _installed(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def rows() -> list[Row]:
    """The comparisons with the peers that are installed."""
    found = []
    chessmg = _installed("chessmg")
    if chessmg:
        for name, depth, leaves in (("start", 6, 119_060_324), ("kiwipete", 5, 193_690_690)):
            fen = POSITIONS[name]
            found.append(
                Row(
                    f"perft {name} {depth}",
                    "chessmg",
                    partial(perft, fen, depth),
                    partial(chessmg.perft, fen, depth),
                    leaves,
                    1,
                    leaves,
                    "nodes",
                )
            )
    chess = _installed("chess")
    if chess:
        ours, theirs = Board(KIWIPETE), chess.Board(KIWIPETE)
        listed = sorted(move.uci() for move in theirs.legal_moves)
        found.append(
            Row(
                "list(board.legal_moves), Kiwipete",
                "chess",
                lambda: list(ours.legal_moves),
                lambda: list(theirs.legal_moves),
                listed,
                500,
                len(listed),
                "moves",
            )
        )
        found.append(
            Row(
                "Board(fen), Kiwipete",
                "chess",
                lambda: Board(KIWIPETE),
                lambda: chess.Board(KIWIPETE),
                KIWIPETE,
                500,
                1,
                "boards",
            )
        )
    return found


def _comparable(answer: Any) -> Any:
    if isinstance(answer, list):
        return sorted(move.uci() for move in answer)
    return answer.fen() if hasattr(answer, "fen") else answer


def _seconds(row: Row, work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    for _ in range(row.times):
        answer = work()
    seconds = (time.perf_counter() - start) / row.times
    if _comparable(answer) != row.expected:
        raise WrongAnswer(f"{row.what}: got {str(_comparable(answer))[:80]}, expected {str(row.expected)[:80]}")
    return seconds


def measure(*, rounds: int = 5, progress: Callable[[str], None] = lambda what: None) -> dict[str, Any]:
    """Time all rows; `progress` is told which."""
    if rounds < 1:
        raise ValueError(f"rounds: {rounds}: expected at least 1")
    results = []
    for row in rows():
        progress(f"{row.what} beside {row.peer}: compiling")
        row.ours()
        row.theirs()
        ours, theirs = [], []
        for i in range(rounds):
            progress(f"{row.what} beside {row.peer}: round {i + 1} of {rounds}")
            ours.append(_seconds(row, row.ours))
            theirs.append(_seconds(row, row.theirs))
        results.append(
            {
                "what": row.what,
                "peer": row.peer,
                "peer_version": metadata.version(row.peer),
                "unit": row.unit,
                "ours_per_second": round(row.units / statistics.median(ours)),
                "theirs_per_second": round(row.units / statistics.median(theirs)),
                "ratio": round(statistics.median(t / o for o, t in zip(ours, theirs, strict=True)), 2),
            }
        )
    return {
        "benchmark": "perft",
        "command": "rookery bench perft --peers",
        "machine": describe(),
        "technique": default_technique().name,
        "rounds": rounds,
        "rows": results,
    }
