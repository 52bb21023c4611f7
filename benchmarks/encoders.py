"""Time the encoders of nets over arrays of positions of random games, and check what they count.

``python benchmarks/encoders.py`` measures CPU times of one thread, so that a busy machine changes them little. A goal
is the speed that an encoder is to reach on one core.
"""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np

from recording import out_option, record
from rookery import Games, Positions, encoders, read_pgn
from rookery.bench.games import texts
from rookery.bench.machine import describe


class Case(NamedTuple):
    """An encoder: its name, what it returns, its goal in million positions per second, a call, and what that counts."""

    name: str
    result: str
    goal: float | None
    encode: Callable[[Positions, Games], Any]
    counted: Callable[[Any], int]
    expected: Callable[[Positions], int]


def _pieces(positions: Positions) -> int:
    c = positions.columns
    boards = (c.pawns, c.knights, c.diagonals | c.orthogonals, c.kings)
    return sum(int(np.bitwise_count(board).sum()) for board in boards)


def _moves(positions: Positions) -> int:
    return int(positions.legal_move_counts().sum())


def _features(features: Any) -> int:
    return int(features.indices.size)


def _mask(layout: Any) -> Case:
    return Case(
        f"policy_mask({layout!r})",
        "masks of legal moves",
        None,
        lambda positions, _: positions.policy_mask(layout),
        lambda mask: int(np.count_nonzero(mask)),
        _moves,
    )


CASES: Final = (
    Case("halfkp", "lists", None, lambda p, _: encoders.halfkp(p), _features, lambda p: _pieces(p) - 2 * len(p)),
    Case("halfka_v2_hm", "lists", 5.0, lambda p, _: encoders.halfka_v2_hm(p), _features, _pieces),
    Case("full_threats", "lists", 2.0, lambda p, _: encoders.full_threats(p), lambda f: len(f), len),
    Case("pawn_pairs", "lists", None, lambda p, _: encoders.pawn_pairs(p), lambda f: len(f), len),
    Case("sfnnv16", "lists", None, lambda p, _: encoders.sfnnv16(p), lambda f: len(f), len),
    Case(
        "leela_planes",
        "112 bitboards",
        None,
        lambda _, g: encoders.leela_planes(g),
        lambda found: len(found.words),
        len,
    ),
    Case(
        "maia2_planes",
        "18 planes",
        None,
        lambda p, _: encoders.maia2_planes(p),
        lambda planes: int(planes[:, :12].sum(dtype=np.int64)),
        _pieces,
    ),
    Case("maia3_squares", "64 squares of 96", None, lambda _, g: encoders.maia3_squares(g), len, len),
    Case("searchless_tokens", "77 tokens", None, lambda p, _: encoders.searchless_tokens(p), len, len),
    *map(_mask, ("alphazero", "leela", "uci", "maia3")),
    Case(
        "concepts",
        "see, attacks, mobility, passed",
        None,
        lambda p, _: encoders.concepts(p, "see, attacks, mobility, passed"),
        lambda found: len(found["see"]),
        len,
    ),
)


def measure(games: int = 200, rounds: int = 7, progress: Callable[[str], None] = lambda what: None) -> dict[str, Any]:
    """Time each encoder."""
    if games < 1 or rounds < 1:
        raise ValueError(f"games: {games}, rounds: {rounds}: expected at least 1")
    read = read_pgn("".join(texts(False)[:games]).encode())
    before_moves = read.positions()
    positions = Positions(before_moves.columns)
    rows = []
    for case in CASES:
        seconds = []
        for i in range(rounds + 1):  # the first one compiles
            progress(f"{case.name}, round {i}")
            start = time.process_time()
            found = case.encode(positions, read)
            seconds.append(time.process_time() - start)
        if case.counted(found) != case.expected(before_moves):
            raise AssertionError(f"{case.name}: {case.counted(found)}: expected {case.expected(before_moves)}")
        speed = len(positions) / statistics.median(seconds[1:]) / 1e6
        rows.append(
            {"encoder": case.name, "result": case.result, "goal": case.goal, "million_a_second": round(speed, 3)}
        )
    return {
        "benchmark": "encoders",
        "command": "python benchmarks/encoders.py",
        "machine": describe(),
        "positions": len(positions),
        "rounds": rounds,
        "rows": rows,
    }


@click.command()
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, help="Random games.")
@click.option("--rounds", type=click.IntRange(1), default=7, show_default=True)
@out_option
def main(games: int, rounds: int, out: Path | None) -> None:
    """Time the encoders of nets."""
    record(measure, out, games=games, rounds=rounds)


if __name__ == "__main__":
    main()
