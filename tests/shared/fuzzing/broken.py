"""Targets that fail in each way that the driver must notice. They are not among those of `pytest -m fuzz`."""

import ctypes
import os
import random
from typing import Final

from fuzzing import Target


def make(rng: random.Random) -> bytes:
    """Return lines of small numbers; 7 is in one of four."""
    return b"".join(b"%d\n" % rng.randrange(20) for _ in range(3))


def check_nothing(data: bytes) -> None:
    """Accept everything."""


def check_answer(data: bytes) -> None:
    """Fail if there is a 7."""
    assert b"7" not in data


def check_crash(data: bytes) -> None:
    """Crash Python if there is a 7."""
    if b"7" in data:
        ctypes.string_at(0)


def check_end(data: bytes) -> None:
    """End the process if there is a 7."""
    if b"7" in data:
        os._exit(3)


def check_time(data: bytes) -> None:
    """Take long if there is a 7."""
    while b"7" in data:
        pass


def check_memory(data: bytes) -> None:
    """Take more memory than there is if there is a 7."""
    if b"7" in data:
        bytearray(1 << 40)


def check_once(data: bytes) -> None:
    """Fail at the second input of a process alone."""
    _SEEN.append(data)
    assert len(_SEEN) != 2


_SEEN: Final[list[bytes]] = []
TARGETS: Final = (
    Target("nothing", make, check_nothing),
    Target("answer", make, check_answer),
    Target("crash", make, check_crash),
    Target("end", make, check_end),
    Target("time", make, check_time, 0.2),
    Target("memory", make, check_memory),
    Target("once", make, check_once),
)
