"""Million queens per second, technique by technique, as ratios to `pext` in the same run.

Machines are shared and clocks wander, so the techniques take turns in short slices of CPU time, round after round; a
figure is the median of its rounds, a ratio the median of the rounds' own ratios. Every slice's answers are compared
with the oracle's before the next begins.
"""

import re
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from rookery import verify
from rookery.bench.machine import describe
from rookery.bench.turns import WrongAnswer
from rookery.bench.uses.measuring import timed
from rookery.techniques import technique
from rookery.techniques.base import Technique
from rookery.techniques.base.protocol import QUESTIONS

REFERENCE = "pext"
SLICE = 0.004  # seconds


def measure(
    techniques: Sequence[Technique],
    *,
    positions: int = 8192,
    rounds: int = 25,
    seed: int = 0,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time ``queen`` over `positions` random squares and occupancies, each a quarter full, in the public call.

    `progress` is called with what is being done, once per technique and once per round. Ctrl-C ends it after the last
    whole round.
    """
    if positions < 1 or rounds < 1:
        raise ValueError(f"positions, rounds: {positions}, {rounds}: expected at least 1 of each")
    reference = technique(REFERENCE)
    field = [reference, *(t for t in techniques if t is not reference)]
    rng = np.random.default_rng(seed)
    squares = rng.integers(0, 64, positions).astype(np.uint8)
    occupied = np.bitwise_and.reduce(rng.integers(0, 1 << 64, (2, positions), dtype=np.uint64))
    pairs = list(zip(squares.tolist(), occupied.tolist(), strict=True))
    expected = np.array([verify.oracle("queen", sq, o) for sq, o in pairs], np.uint64)
    out = np.empty_like(occupied)

    repeats = {}
    for t in field:
        progress(f"compiling {t.name}")
        t.queen(squares, occupied, out)
        t.queen(*pairs[0])
        repeats[t.name] = max(1, round(SLICE / timed(partial(t.queen, squares, occupied, out), 2)[0]))
    seconds: dict[str, list[float]] = {t.name: [] for t in field}
    calls: dict[str, list[float]] = {t.name: [] for t in field}
    done = 0
    try:
        while done < rounds:
            progress(f"round {done + 1} of {rounds}")
            for t in field:
                out.fill(0)
                seconds[t.name].append(timed(partial(t.queen, squares, occupied, out), repeats[t.name])[0])
                if not np.array_equal(out, expected):
                    raise WrongAnswer(f"{t.name} answered wrongly while it was timed")
                sq, board = pairs[done % positions]
                calls[t.name].append(timed(partial(t.queen, sq, board), 500)[0])
            done += 1
    except KeyboardInterrupt:
        if not done:
            raise
    for t in field:  # an interrupted round is not reported
        del seconds[t.name][done:], calls[t.name][done:]
    rows = []
    for t in field:
        pace = [theirs / ours for ours, theirs in zip(seconds[t.name], seconds[REFERENCE], strict=True)]
        rows.append(
            {
                "name": t.name,
                "million_queens_a_second": round(positions / statistics.median(seconds[t.name]) / 1e6, 1),
                "ratio_to_pext": round(statistics.median(pace), 3),
                "one_call_us": round(statistics.median(calls[t.name]) * 1e6, 2),
                "table_bytes": t.table_bytes,
            }
        )
    order = {t.name: i for i, t in enumerate(techniques)}
    rows.sort(key=lambda row: order.get(str(row["name"]), -1))
    return {
        "benchmark": "attacks",
        "command": "rookery bench attacks",
        "machine": describe(),
        "positions": positions,
        "rounds": done,
        "complete": done == rounds,
        "occupancy": "two random words ANDed",
        "techniques": rows,
    }


def vector_registers(t: Technique, mover: str = "queen") -> dict[str, int]:
    """Count how often the array loop of a technique names vector registers of each width, and gathers.

    A loop that was not vectorised names a dozen at most, to move scalars about.
    """
    boards = np.empty(1, np.uint64)
    text = t.loop.assembly(QUESTIONS[mover], np.empty(1, np.uint8), boards, boards, t.tables())
    return registers_named(text)


def registers_named(assembly: str) -> dict[str, int]:
    """Count how often machine code names vector registers of each width, and gathers."""
    return {name: len(re.findall(pattern, assembly)) for name, pattern in _REGISTERS.items()}


_REGISTERS = {"zmm": r"%zmm\d", "ymm": r"%ymm\d", "gather": r"\bvp?gather"}
