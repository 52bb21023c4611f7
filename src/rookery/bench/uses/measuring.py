"""All techniques and uses in turns, with medians, quartiles, and what has changed since an earlier measurement."""

import contextlib
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from rookery.bench.machine import describe
from rookery.bench.quiet import LIMITS, Limits, Watch, reasons
from rookery.bench.turns import WrongAnswer
from rookery.bench.uses.columns import COLUMNS, TimedCall, UseColumn
from rookery.techniques import technique
from rookery.techniques.base import Technique

REFERENCE: Final = "pext"
SLICE: Final = 0.004  # seconds
LEAST_CHANGE: Final = 0.03  # smaller changes of a ratio are not reported


@contextlib.contextmanager
def pinned() -> Iterator[None]:
    """Keep this process on one CPU, where the system allows it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def timed(call: Callable[[], Any], times: int, watch: Watch | None = None) -> tuple[float, Any]:
    """Return the CPU seconds of one call, measured over so many in a row, and the answer of the last.

    Other programs on the machine take wall time away, and CPU time hardly. `watch` compares the two.
    """
    began, start = time.perf_counter(), time.thread_time()
    for _ in range(times):
        answer = call()
    seconds = time.thread_time() - start
    if watch:
        watch.add(seconds, time.perf_counter() - began)
    return seconds / times, answer


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the lower quartile, the median and the upper quartile."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    lower, middle, upper = statistics.quantiles(values, n=4, method="inclusive")
    return lower, middle, upper


def seconds_of(call: TimedCall, times: int, who: str, watch: Watch | None = None) -> float:
    """Return the seconds of one unit of a call, after checking its answer."""
    seconds, answer = timed(call.run, times, watch)
    if not call.right(answer):
        raise WrongAnswer(f"{who} answered wrongly while it was timed")
    return seconds / call.units


def spread(seconds: Sequence[float]) -> float:
    """Return the distance of the quartiles as a part of the median."""
    lower, middle, upper = quartiles(seconds)
    return round((upper - lower) / max(middle, 1e-12), 3)


def figure(own: Sequence[float], reference: Sequence[float]) -> dict[str, Any]:
    """Return the figures of a technique in a use: nanoseconds, and the speed compared with the reference."""
    lower, middle, upper = (round(one * 1e9, 3) for one in quartiles(own))
    ratios = [theirs / max(ours, 1e-12) for ours, theirs in zip(own, reference, strict=True)]
    low, ratio, high = (round(one, 3) for one in quartiles(ratios))
    return {"ns": middle, "ns_quartiles": [lower, upper], "to_pext": ratio, "to_pext_quartiles": [low, high]}


def in_turns(
    techniques: Sequence[Technique],
    column: UseColumn,
    rounds: int,
    progress: Callable[[str], None],
    watch: Watch | None = None,
) -> dict[str, list[float]]:
    """Return the seconds of a look-up in each round, by technique. The techniques take turns.

    With `watch`, the first technique is timed again at the end of each round.
    """
    made: dict[str, TimedCall] = {}
    times: dict[str, int] = {}
    for t in techniques:
        progress(f"{column.name}: compiling {t.name}")
        call = made[t.name] = column.make(t)
        call.run()
        times[t.name] = max(1, round(SLICE / max(timed(call.run, 1)[0], 1e-9)))
    found: dict[str, list[float]] = {t.name: [] for t in techniques}
    for i in range(rounds):
        progress(f"{column.name}: round {i + 1} of {rounds}")
        for name, call in made.items():
            found[name].append(seconds_of(call, times[name], f"{name} ({column.name})", watch))
        if watch:
            first = techniques[0].name
            again = seconds_of(made[first], times[first], f"{first} ({column.name})", watch)
            watch.pairs.append((found[first][-1], again))
    return found


def measure(
    techniques: Sequence[Technique],
    columns: Sequence[str],
    *,
    rounds: int,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time techniques in some uses, in turns on one CPU. Each answer is compared with the oracle's.

    For each use a row of the result has the median nanoseconds of a look-up, its quartiles, and the speed compared with
    `pext` in the same rounds with its quartiles. ``noise`` is the spread of the reference's own rounds, from the lower
    to the upper quartile, as a part of its median. ``repeat`` is by how much it differed within a round, and ``share``
    the part of a CPU that this process got; see `rookery.bench.quiet`.
    """
    if rounds < 1:
        raise ValueError(f"rounds: {rounds}: expected at least 1")
    unknown = [name for name in columns if name not in COLUMNS]
    if unknown:
        raise ValueError(f"columns: {unknown[0]!r} is unknown; known are {', '.join(COLUMNS)}")
    reference = technique(REFERENCE)
    field = [reference, *(t for t in techniques if t is not reference)]
    rows: dict[str, dict[str, Any]] = {
        t.name: {"name": t.name, "table_bytes": t.table_bytes, "needs": str(t.needs)} for t in field
    }
    noise = {}
    watches = {name: Watch() for name in columns}
    for name in columns:
        with pinned():
            seconds = in_turns(field, COLUMNS[name], rounds, progress, watches[name])
        noise[name] = spread(seconds[REFERENCE])
        for t in field:
            rows[t.name][name] = figure(seconds[t.name], seconds[REFERENCE])
    chosen = {t.name for t in techniques}
    return {
        "benchmark": "uses",
        "command": "rookery bench attacks --columns " + ",".join(columns),
        "machine": describe(),
        "rounds": rounds,
        "columns": {name: COLUMNS[name].what for name in columns},
        "noise": noise,
        "repeat": {name: watch.repeat for name, watch in watches.items()},
        "share": {name: watch.share for name, watch in watches.items()},
        "techniques": [row for name, row in rows.items() if name in chosen or name == REFERENCE],
    }


def noise_warnings(result: dict[str, Any], limits: Limits = LIMITS) -> list[str]:
    """Return a warning for each use in which the machine was too busy to tell techniques apart."""
    why = ((name, reasons({"others": None, **result}, name, limits)) for name in result["noise"])
    return [
        f"{name}: {'; '.join(found)}. The machine is too busy to tell techniques apart: run this again when it is "
        "quiet, or with more --rounds."
        for name, found in why
        if found
    ]


def changed(now: dict[str, Any], before: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what has changed between two measurements beyond their noise.

    The quartiles of both ratios do not overlap, and their difference is larger than the noise of either measurement.
    """
    earlier = {row["name"]: row for row in before["techniques"]}
    found = []
    for row in now["techniques"]:
        for name in now["columns"]:
            old = earlier.get(row["name"], {}).get(name)
            if not old or row["name"] == REFERENCE:
                continue
            (low, high), (old_low, old_high) = row[name]["to_pext_quartiles"], old["to_pext_quartiles"]
            apart = low > old_high or high < old_low
            noise = max(LEAST_CHANGE, now["noise"][name], before["noise"][name])
            if apart and abs(row[name]["to_pext"] / old["to_pext"] - 1) > noise:
                found.append(
                    {"technique": row["name"], "column": name, "before": old["to_pext"], "now": row[name]["to_pext"]}
                )
    return found
