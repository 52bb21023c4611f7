"""The signs of a busy machine, and what they are read from."""

import os
from pathlib import Path

import pytest

from rookery.bench import quiet
from rookery.bench.quiet import Watch


def test_the_share_of_a_cpu() -> None:
    watch = Watch()
    assert watch.share == 1
    watch.add(1.0, 2.0)
    watch.add(2.0, 2.0)
    assert watch.share == 0.75
    watch.add(2.0, 1.0)  # clocks of different steps
    assert watch.share == 1


def test_the_same_work_timed_twice() -> None:
    watch = Watch()
    assert watch.repeat == 0
    watch.pairs = [(1.0, 1.2)]
    assert watch.repeat == 0.2
    watch.pairs = [(1.0, 0.9), (1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (1.0, 50.0)]
    assert watch.repeat == 0  # one interruption in five rounds
    watch.pairs = [(1.0, 0.5), (1.0, 0.8), (1.0, 1.0), (1.0, 1.1), (1.0, 1.2)]
    assert watch.repeat == 0.2


def stat(*busy: int) -> str:
    """Return a file of the system's with the ticks that each CPU has worked, half of them for users."""
    lines = [f"cpu{i} {ticks - ticks // 2} 0 {ticks // 2} 9999 7 0 0 0 0 0" for i, ticks in enumerate(busy)]
    return "\n".join(["cpu 1 1 1 1 1 1 1 1 1 1", *lines, "intr 5", ""])


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system does not report its CPUs")
def test_others_are_what_our_cpus_did_beyond_our_own_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "stat"
    monkeypatch.setattr(quiet, "_STAT", path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda who: {0, 2})
    monkeypatch.setattr(os, "sysconf", lambda name: 100)
    seconds, own = iter([10.0, 20.0]), iter([1.0, 5.0])
    monkeypatch.setattr(quiet, "_own", lambda: next(own))
    monkeypatch.setattr("time.perf_counter", lambda: next(seconds))
    path.write_text(stat(1000, 5000, 2000), encoding="ascii")
    with quiet.watch_others() as others:
        path.write_text(stat(1500, 90_000, 2400), encoding="ascii")  # CPU 1 is not ours
    assert others.share == (5 + 4 - 4) / 20


def test_others_are_guessed_from_the_load_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(quiet, "_STAT", tmp_path / "none")
    monkeypatch.setattr(quiet, "_cpus", lambda: 4)
    monkeypatch.setattr(os, "getloadavg", lambda: (3.0, 0.0, 0.0), raising=False)
    with quiet.watch_others() as others:
        pass
    assert others.share == 0.5
    monkeypatch.delattr(os, "getloadavg")
    with quiet.watch_others() as others:
        pass
    assert others.share is None
