"""Time each technique in three uses: ``python benchmarks/technique_uses.py --out benchmarks/technique_uses.json``.

Which technique is fast depends on how it is used. The script measures the attacks of a queen over arrays, the same
attacks one at a time in compiled code, and perft by the scalar generator. In each use the techniques take turns, and
every answer is checked.

One at a time means: a square becomes empty or occupied, then the attacks of a queen are looked up, and so on. The same
2,048 changes are repeated, so that the parts of the tables in use are in the cache. Each look-up waits for the one
before it. A technique that keeps rotated boards updates them at each change, as a chess program does.
"""

import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from recording import out_option, record
from rookery import verify
from rookery.bench import attacks, perft_by_technique
from rookery.bench.attacks import REFERENCE
from rookery.bench.machine import describe
from rookery.bench.perft import LEAVES
from rookery.bench.turns import WrongAnswer, timed
from rookery.board.board import Board
from rookery.counting.walk import POSITIONS
from rookery.kernel import U64, Word, entry
from rookery.protocol import QUESTIONS, prepare, toggle
from rookery.protocol import attacks as attacks_of
from rookery.techniques import ALL
from rookery.techniques import technique as technique_of

CHANGES: Final = 2048
PASSES: Final = 8  # over the changes: even, so that the last occupancy is the first
SLICE: Final = 0.004  # seconds
PERFT: Final = ("kiwipete", 4)


@entry
def change_and_look(question: Any, squares: Any, changed: Any, first: Word, zero: Word, t: Any) -> Any:
    """Change the occupancy of a square and look up the attacks from another, again and again.

    Return a word that depends on all answers and their order. `zero` is 0, which the compiler does not know: each
    look-up has to wait for the last.
    """
    state = prepare(first, t)
    total: Word = 0
    for _ in range(PASSES):
        for i in range(squares.size):
            state = toggle(state, U64(changed[i]), t)
            sq = U64(squares[i]) ^ (total & zero)
            total = (total << 1 | total >> 63) + attacks_of(question, sq, state, t)
    return total


def changes(seed: int) -> tuple[Any, Any, int]:
    """Return the squares that are looked up, those whose occupancy changes, and the first occupancy."""
    rng = np.random.default_rng(seed)
    first = int(np.bitwise_and.reduce(rng.integers(0, 1 << 64, 2, dtype=np.uint64)))
    squares = rng.integers(0, 64, CHANGES).astype(np.uint8)
    occupied, changed = first, []
    for _ in range(CHANGES // 2):  # a piece leaves a square, and arrives at another
        full, empty = ([sq for sq in range(64) if (occupied >> sq & 1) == wanted] for wanted in (1, 0))
        changed += [int(rng.choice(full)), int(rng.choice(empty))]
        occupied ^= 1 << changed[-2] ^ 1 << changed[-1]
    return squares, np.array(changed, np.uint8), first


def expected(squares: Any, changed: Any, occupied: int) -> int:
    """Return what `change_and_look` returns, by the oracle."""
    answers = []
    for sq, other in zip([*squares.tolist()] * 2, [*changed.tolist()] * 2, strict=True):
        occupied ^= 1 << other
        answers.append(verify.oracle("queen", sq, occupied))
    total = 0
    for answer in answers * (PASSES // 2):
        total = (total << 1 | total >> 63) + answer & (1 << 64) - 1
    return total


def one_at_a_time(rounds: int, progress: Callable[[str], None]) -> dict[str, list[float]]:
    """Return the seconds of one look-up, by technique and round."""
    squares, changed, first = changes(0)
    right = expected(squares, changed, first)
    calls, repeats = {}, {}
    for t in ALL:
        progress(f"one at a time: compiling {t.name}")
        call = partial(change_and_look, QUESTIONS["queen"], squares, changed, U64(first), U64(0), t.tables())
        call()
        calls[t.name] = call
        repeats[t.name] = max(1, round(SLICE / timed(call, 2)[0]))
    found: dict[str, list[float]] = {t.name: [] for t in ALL}
    for i in range(rounds):
        progress(f"one at a time: round {i + 1} of {rounds}")
        for name, call in calls.items():
            seconds, answer = timed(call, repeats[name])
            if int(answer) != right:
                raise WrongAnswer(f"{name} answered wrongly while it was timed")
            found[name].append(seconds / CHANGES / PASSES)
    return found


def perft(rounds: int, progress: Callable[[str], None]) -> list[perft_by_technique.Run]:
    """Return the runs of perft; WrongAnswer if a count is wrong."""
    name, depth = PERFT
    runs = []
    for run in perft_by_technique.in_turns(Board(POSITIONS[name]), depth, ALL, rounds):
        progress(f"perft: {run.technique}, round {run.round} of {rounds}")
        if run.nodes != LEAVES[name][depth]:
            raise WrongAnswer(f"{run.technique} counted {run.nodes} nodes while it was timed")
        runs.append(run)
    return runs


def measure(*, progress: Callable[[str], None], rounds: int) -> dict[str, Any]:
    """Return the result of all three."""
    arrays = {row["name"]: row for row in attacks.measure(ALL, rounds=rounds, progress=progress)["techniques"]}
    single = one_at_a_time(rounds, progress)
    runs = perft(rounds, progress)
    ranks = {rank.technique: rank for rank in perft_by_technique.ranked(runs)}
    rows = []
    for t in ALL:
        pace = [theirs / ours for ours, theirs in zip(single[t.name], single[REFERENCE], strict=True)]
        own, first = ([r.seconds for r in runs if r.technique == name] for name in (t.name, REFERENCE))
        rows.append(
            {
                "name": t.name,
                "arrays_million_queens_a_second": arrays[t.name]["million_queens_a_second"],
                "arrays_to_pext": arrays[t.name]["ratio_to_pext"],
                "one_at_a_time_ns": round(statistics.median(single[t.name]) * 1e9, 2),
                "one_at_a_time_to_pext": round(statistics.median(pace), 3),
                "perft_million_nodes_a_second": round(ranks[t.name].nodes / ranks[t.name].seconds / 1e6, 1),
                "perft_to_pext": round(statistics.median(b / a for a, b in zip(own, first, strict=True)), 3),
                "table_bytes": technique_of(t.name).table_bytes,
            }
        )
    return {
        "benchmark": "technique_uses",
        "command": "python benchmarks/technique_uses.py",
        "machine": describe(),
        "rounds": rounds,
        "perft": list(PERFT),
        "changes": CHANGES,
        "techniques": rows,
    }


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True)
@out_option
def main(rounds: int, out: Path | None) -> None:
    """Time every technique over arrays, one look-up at a time, and in perft."""
    record(measure, out, rounds=rounds)


if __name__ == "__main__":
    main()
