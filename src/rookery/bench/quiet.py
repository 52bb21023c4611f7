"""Judge whether a machine was quiet enough to tell techniques apart, by what was timed.

There are three signs of a busy machine. Other programs take the CPU away from the one that is timed. They keep the
other CPUs busy, which share caches and clock rates with it. And the same work, timed twice in each round, takes
different times.
"""

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import quantiles
from typing import Any, Final, NamedTuple

_STAT: Final = Path("/proc/stat")
_IDLE: Final = (3, 4)  # the numbers of a CPU's line that count time without work: idle, and waiting for a disk


class Limits(NamedTuple):
    """How quiet a machine must be.

    `share` is the least part of a CPU that the timed program got, `others` the most that other programs used of all
    CPUs, and `noise` the most by which the same work may differ from round to round, or within one.
    """

    share: float = 0.9
    others: float = 0.25
    noise: float = 0.15


LIMITS: Final = Limits()


class Watch:
    """A record of how one use was timed: seconds of CPU and of the clock, and work that was timed twice in a round."""

    def __init__(self) -> None:
        self.cpu = 0.0
        self.wall = 0.0
        self.pairs: list[tuple[float, float]] = []  # the same work, at both ends of a round

    def add(self, cpu: float, wall: float) -> None:
        """Count something that was timed."""
        self.cpu += cpu
        self.wall += wall

    @property
    def share(self) -> float:
        """Return the part of a CPU that the timed program got."""
        return round(min(1.0, self.cpu / self.wall), 3) if self.wall else 1.0

    @property
    def repeat(self) -> float:
        """Return by how much the same work differed within a round: the wider quartile of the ratios, less one."""
        ratios = [second / max(first, 1e-12) for first, second in self.pairs]
        lower, upper = ends(ratios)
        return round(max(abs(lower - 1), abs(upper - 1)), 3)


def ends(values: Sequence[float]) -> tuple[float, float]:
    """Return the lower and the upper quartile; of one value, the value, and of none, 1."""
    if len(values) < 2:
        return (values[0], values[0]) if values else (1.0, 1.0)
    lower, _, upper = quantiles(values, n=4, method="inclusive")
    return lower, upper


def reasons(found: dict[str, Any], column: str, limits: Limits) -> list[str]:
    """Return why a use was not timed well enough to tell techniques apart: none if the machine was quiet.

    `found` has `others`, and `share`, `repeat` and `noise` by use.
    """
    share, repeat, noise, others = (
        found["share"][column],
        found["repeat"][column],
        found["noise"][column],
        found["others"],
    )
    found_reasons = []
    if share < limits.share:
        found_reasons.append(f"other programs took CPU time away, and left {share:.0%}")
    if others is not None and others > limits.others:
        found_reasons.append(f"other programs used {others:.0%} of all CPUs")
    if max(repeat, noise) > limits.noise:
        where = "within a round" if repeat >= noise else "from round to round"
        found_reasons.append(f"the same work differed by {max(repeat, noise):.0%} {where}")
    return found_reasons


class Others:
    """The part of all CPUs that other programs used in a block; None if the system does not report it."""

    share: float | None = None


@contextlib.contextmanager
def watch_others() -> Iterator[Others]:
    """Watch what other programs use in a block. Child processes that were waited for there are not other programs."""
    found = Others()
    busy, own, wall = _busy(), _own(), time.perf_counter()
    try:
        yield found
    finally:
        seconds = (time.perf_counter() - wall) * _cpus()
        after = _busy()
        if busy is not None and after is not None:
            used = after - busy - (_own() - own)
        elif hasattr(os, "getloadavg"):
            used = (os.getloadavg()[0] - 1) / _cpus() * seconds  # one is this process
        else:
            return
        found.share = round(min(1.0, max(0.0, used / max(seconds, 1e-9))), 3)


def _cpus() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _own() -> float:
    return sum(os.times()[:4])  # of this process and of its children


def _busy() -> float | None:
    """Return the seconds for which the CPUs of this process have worked, or None if the system does not report them."""
    if not hasattr(os, "sched_getaffinity") or not hasattr(os, "sysconf"):
        return None
    try:
        lines = _STAT.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    ours = {f"cpu{n}" for n in os.sched_getaffinity(0)}
    ticks = 0
    for line in lines:
        name, *numbers = line.split()
        if name in ours:
            ticks += sum(int(n) for i, n in enumerate(numbers[:8]) if i not in _IDLE)
    return ticks / os.sysconf("SC_CLK_TCK")
