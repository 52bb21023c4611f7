"""Rows of a benchmark: the same work by rookery and by a peer, in turns, with every answer checked.

Machines are shared and clock rates vary, so a figure is the median of its rounds, and a ratio the median of the ratios
of the rounds.
"""

import importlib
import statistics
import time
from collections.abc import Callable, Iterable
from importlib import metadata
from typing import Any, Literal, NamedTuple

SLICE = 0.02  # seconds: what is quicker is done several times over


class WrongAnswer(RuntimeError):
    """An answer was wrong while it was timed: its figure would be worth nothing."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with the rows that were complete."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        super().__init__(f"{len(rows)} rows were complete")
        self.rows = rows


class TimedWork(NamedTuple):
    """The work of one side of a row.

    `right` tells whether an answer is right. Of several calls in a row it sees the last answer, and may spoil it, so
    that no array stays right by itself. What takes long has a `warm` that compiles the same code and is soon done.
    """

    call: Callable[[], Any]
    units: int  # done by each call
    right: Callable[[Any], bool]
    warm: Callable[[], Any] | None = None


class TimedRow(NamedTuple):
    """One comparison; without a peer, one figure."""

    what: str
    unit: str
    ours: TimedWork
    theirs: TimedWork | None = None
    peer: str | None = None
    their_work: str | None = None  # where it is other work than ours, of which only the rates compare
    ratio_of: Literal["speed", "time"] = "speed"  # ours to theirs
    most_rounds: int | None = None


def installed(name: str) -> Any:
    """Return the module of a peer, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def timed(call: Callable[[], Any], times: int) -> tuple[float, Any]:
    """Return the seconds of one call, measured over so many in a row, and the answer of the last."""
    start = time.perf_counter()
    for _ in range(times):
        answer = call()
    return (time.perf_counter() - start) / times, answer


def _times(work: TimedWork) -> int:
    """Warm up, and return how often to call in a round."""
    if work.warm is not None:
        work.warm()
        return 1
    work.call()
    return max(1, round(SLICE / timed(work.call, 1)[0]))


def _rate(row: TimedRow, who: str, work: TimedWork, times: int) -> float:
    seconds, answer = timed(work.call, times)
    if not work.right(answer):
        raise WrongAnswer(f"{row.what}: {who} answered wrongly while it was timed: {str(answer)[:80]}")
    return work.units / seconds


def compare(row: TimedRow, rounds: int, progress: Callable[[str], None]) -> dict[str, Any]:
    """Time a row."""
    name = f"{row.what}, compared with {row.peer}" if row.peer else row.what
    progress(f"{name}: compiling")
    sides = [("rookery", row.ours), *([(row.peer or "", row.theirs)] if row.theirs else [])]
    times = [_times(work) for _, work in sides]
    rounds = min(rounds, row.most_rounds or rounds)
    rates: list[list[float]] = [[] for _ in sides]
    for i in range(rounds):
        progress(f"{name}: round {i + 1} of {rounds}")
        for (who, work), n, found in zip(sides, times, rates, strict=True):
            found.append(_rate(row, who, work, n))
    result: dict[str, Any] = {
        "what": row.what,
        "unit": row.unit,
        "rounds": rounds,
        "ours_per_second": round(statistics.median(rates[0])),
    }
    if row.theirs is None:
        return result
    upper, lower = rates if row.ratio_of == "speed" else reversed(rates)
    ratios = [a / b for a, b in zip(upper, lower, strict=True)]
    return result | {
        "peer": row.peer,
        "peer_version": version(row.peer or ""),
        "their_work": row.their_work,
        "theirs_per_second": round(statistics.median(rates[1])),
        "ratio_of": row.ratio_of,
        "ratio": round(statistics.median(ratios), 2),
        "spread": [round(min(ratios), 2), round(max(ratios), 2)],
    }


def compare_all(rows: Iterable[TimedRow], rounds: int, progress: Callable[[str], None]) -> list[dict[str, Any]]:
    """Time rows. Ctrl-C raises `Interrupted`."""
    if rounds < 1:
        raise ValueError(f"rounds: {rounds}: expected at least 1")
    done: list[dict[str, Any]] = []
    try:
        for row in rows:
            done.append(compare(row, rounds, progress))  # noqa: PERF401  # what is done must outlive an interruption
    except KeyboardInterrupt:
        raise Interrupted(done) from None
    return done


def version(peer: str) -> str | None:
    """Return the version of an installed peer, or None."""
    try:
        return metadata.version(peer)
    except metadata.PackageNotFoundError:  # a peer of our own house
        return None
