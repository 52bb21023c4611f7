"""The work that threads share is timed with one thread and two, if its answers are right, and the lock is watched."""

import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import lock_held
import threads


def test_python_holds_the_lock_and_a_sleeping_thread_does_not(tmp_path: Path) -> None:
    watcher = lock_held.watcher(tmp_path)
    if watcher is None:
        pytest.skip("no C compiler, or no internal headers of Python")

    def count() -> None:
        end = time.perf_counter() + 0.2
        while time.perf_counter() < end:
            pass

    assert lock_held.share(watcher, count) > 0.8
    assert lock_held.share(watcher, lambda: time.sleep(0.2)) < 0.2


def test_the_lock_is_unknown_without_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert lock_held.watcher(tmp_path) is None


def test_chosen_work_is_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "POSITIONS", 4096)
    monkeypatch.setattr(threads, "_of_processes", lambda rounds: 1.5 * rounds)
    out = tmp_path / "threads.json"
    arguments = [
        "--megabytes",
        "1",
        "--rounds",
        "1",
        "--only",
        "counts of 4,096",
        "--only",
        "search P",
        "--out",
        str(out),
    ]
    done = CliRunner().invoke(threads.main, arguments)
    assert done.exit_code == 0, done.output
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["two_processes"] == 1.5
    assert [row["work"] for row in result["rows"]] == [
        "search PGN",
        "search Parquet",
        "legal move counts of 4,096 positions",
    ]
    for row in result["rows"]:
        assert min(row["scale"], row["wall_1"], row["cpu_2"]) >= 0
        assert row["lock_1"] is None or 0 <= row["lock_1"] <= 1
    assert "lock held" in done.stderr
    with pytest.raises(ValueError, match="no work holds 'x'"):
        threads.measure(1, 1, ["x"])


def test_a_wrong_answer_is_not_timed() -> None:
    work = threads.Work("two", lambda number: number, 1)
    with pytest.raises(AssertionError, match="two, 2 threads: 2: expected 1"):
        threads._timed(work, 1, None, lambda what: None)
