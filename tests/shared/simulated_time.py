"""A clock from a seed, in place of that of the system where a time decides what happens to files."""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final
from unittest import mock

from rookery.counting import workers
from rookery.sources import leftovers

DECIDING: Final = (leftovers, workers)  # when files are looked for that others left, and when a checkpoint is saved
_STEPS: Final = (61.0, 3_600.0, 200_000.0)  # seconds: every pause is over; some make files of other machines old


class SimulatedTime:
    """A clock in place of the module ``time``. Much time passes between two readings.

    The time of day is set back now and then, as that of a machine may be.
    """

    def __init__(self, seed: object) -> None:
        self._rng = random.Random(f"{seed} time")
        self._now = 0.0

    def monotonic(self) -> float:
        self._now += self._rng.choice(_STEPS)
        return self._now

    def time(self) -> float:
        return time.time() + self._rng.choice((-1, 1, 1)) * self.monotonic()


@contextmanager
def simulated_time(seed: object) -> Iterator[SimulatedTime]:
    """Let a simulated clock decide in the ``with`` block."""
    clock = SimulatedTime(seed)
    with ExitStack() as stack:
        for module in DECIDING:
            stack.enter_context(mock.patch.object(module, "time", clock))
        stack.enter_context(mock.patch.object(leftovers, "_last_scans", {}))  # by the other clock
        yield clock
