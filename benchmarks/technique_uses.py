"""Time each technique in two uses: ``python benchmarks/technique_uses.py --out benchmarks/technique_uses.json``.

Which technique is fast depends on how it is used. The script measures the attacks of a queen, one at a time in compiled
code, and perft by the scalar generator; `rookery bench attacks` measures arrays. In each use the techniques take turns,
and every answer is checked. Speeds are compared with `pext` in the same round: a technique's figure is that of `pext`
times the median of these ratios, so that figures and ratios agree.

One at a time means: a square becomes empty or occupied, then the attacks of a queen are looked up, and so on. The same
2,048 changes are repeated, so that the parts of the tables in use are in the cache. Each look-up waits for the one
before it. A technique that keeps rotated boards updates them at each change, as a chess program does.
"""

import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from recording import out_option, record
from rookery.bench import perft_by_technique
from rookery.bench.machine import describe
from rookery.bench.perft import LEAVES
from rookery.bench.turns import WrongAnswer
from rookery.bench.uses import measuring, workloads
from rookery.bench.uses.columns import COLUMNS
from rookery.bench.uses.measuring import REFERENCE
from rookery.board.board import Board
from rookery.counting.walk import POSITIONS
from rookery.techniques import ALL
from rookery.techniques import technique as technique_of

PERFT: Final = ("kiwipete", 4)


def perft(rounds: int, progress: Callable[[str], None]) -> list[perft_by_technique.PerftRun]:
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
    """Return the result of both."""
    single = measuring.in_turns(ALL, COLUMNS["latency"], rounds, progress)
    runs = perft(rounds, progress)
    (rank,) = (rank for rank in perft_by_technique.ranked(runs) if rank.technique == REFERENCE)
    ns, perft_speed = measuring.figure(single[REFERENCE], single[REFERENCE])["ns"], rank.nodes / rank.seconds / 1e6
    rows = []
    for t in ALL:
        alone = measuring.figure(single[t.name], single[REFERENCE])["to_pext"]
        own, first = ([r.seconds for r in runs if r.technique == name] for name in (t.name, REFERENCE))
        in_perft = round(statistics.median(b / a for a, b in zip(own, first, strict=True)), 3)
        rows.append(
            {
                "name": t.name,
                "one_at_a_time_ns": round(ns / alone, 2),
                "one_at_a_time_to_pext": alone,
                "perft_million_nodes_a_second": round(perft_speed * in_perft, 1),
                "perft_to_pext": in_perft,
                "table_bytes": technique_of(t.name).table_bytes,
            }
        )
    return {
        "benchmark": "technique_uses",
        "command": "python benchmarks/technique_uses.py",
        "machine": describe(),
        "rounds": rounds,
        "perft": list(PERFT),
        "changes": workloads.CHANGES,
        "techniques": rows,
    }


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=15, show_default=True)
@out_option
def main(rounds: int, out: Path | None) -> None:
    """Time every technique one look-up at a time, and in perft."""
    record(measure, out, rounds=rounds)


if __name__ == "__main__":
    main()
