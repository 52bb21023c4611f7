"""One perft by several techniques, ranked.

A single count of a few milliseconds is too noisy, so the techniques take turns in every round, and fast ones count
several times. A figure is the median of its rounds, a ratio the median of the ratios of the rounds.
"""

import statistics
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rookery.bench.turns import SLICE, timed
from rookery.board.board import Board
from rookery.counting.walk import slices
from rookery.techniques.base import Technique


class PerftRun(NamedTuple):
    """A technique's perft in one round, the first being 1."""

    technique: str
    round: int
    nodes: int
    seconds: float


class RankedTechnique(NamedTuple):
    """A technique's rounds. `ratio` is its speed to that of the first technique; `spread` its least and greatest."""

    technique: str
    nodes: int
    seconds: float
    ratio: float
    spread: tuple[float, float]


def in_turns(board: Board, depth: int, techniques: Sequence[Technique], rounds: int) -> Iterator[PerftRun]:
    """Yield the count of every technique in each round. Each is compiled before the clock starts."""
    times: dict[str, int] = {}
    for i in range(1, rounds + 1):
        for t in techniques:

            def count(t: Technique = t) -> int:
                return sum(slices(board, depth, t))

            if i > 1:
                seconds, nodes = timed(count, times[t.name])
            else:
                sum(slices(board, min(depth, 2), t))
                seconds, nodes = timed(count, 1)
                times[t.name] = max(1, round(SLICE / max(seconds, 1e-9)))
                if times[t.name] > 1:
                    seconds, nodes = timed(count, times[t.name])
            yield PerftRun(t.name, i, nodes, seconds)


def ranked(runs: Sequence[PerftRun]) -> list[RankedTechnique]:
    """Return the techniques, fastest first.

    The first one to run is the reference for the others. If counts differ, the first count that differs is reported.
    """
    by_name: dict[str, list[PerftRun]] = {}
    for run in runs:
        by_name.setdefault(run.technique, []).append(run)
    rows = []
    for name, own in by_name.items():
        first = by_name[runs[0].technique]
        ratios = [theirs.seconds / max(run.seconds, 1e-9) for run, theirs in zip(own, first, strict=False)]
        rows.append(
            RankedTechnique(
                name,
                next((run.nodes for run in own if run.nodes != runs[0].nodes), own[0].nodes),
                statistics.median(run.seconds for run in own),
                round(statistics.median(ratios), 3),
                (round(min(ratios), 3), round(max(ratios), 3)),
            )
        )
    return sorted(rows, key=lambda row: row.seconds)
