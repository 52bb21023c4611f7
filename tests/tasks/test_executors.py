"""Names of executors, and descriptions of work that differ."""

import os
from typing import Any

import pytest

from rookery.tasks.differences import difference
from rookery.tasks.executors import open_executor


@pytest.mark.parametrize("number", [1, 2, 4096])
def test_a_number_of_threads(number: int) -> None:
    with open_executor(f"threads:{number}") as executor:
        assert executor._max_workers == number  # type: ignore[attr-defined]
        assert executor.submit(abs, -3).result() == 3


@pytest.mark.parametrize("rest", ["0", "4097", "-1", "two", "1.5", "²", "٣", " 2"])
def test_numbers_of_workers_that_are_refused(rest: str) -> None:
    with (
        pytest.raises(ValueError, match=r"^executor: .*: expected a number of workers from 1 to 4096 after the colon"),
        open_executor(f"threads:{rest}"),
    ):
        pass


@pytest.mark.parametrize(("cpus", "expected"), [(3, 3), (None, 1)])
def test_by_default_there_is_a_thread_for_each_cpu(
    cpus: int | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if hasattr(os, "sched_getaffinity"):
        with open_executor("threads") as executor:
            assert executor._max_workers == len(os.sched_getaffinity(0))  # type: ignore[attr-defined]
        monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: cpus)
    with open_executor("threads") as executor:
        assert executor._max_workers == expected  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("found", "expected", "words"),
    [
        ({"a": 1}, {"a": 1}, ""),
        ([1], {"a": 1}, "of another kind"),
        ({"a": 1}, [1], "of another kind"),
        ({"a": 1}, {"a": 2}, "a was 1, now 2"),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, "c was 2, now 3"),
        ({"a": {"b": 1}}, {"a": 3}, "other a"),
        ({"a": 3}, {"a": {"b": 1}}, "other a"),
        ({"a": [1]}, {"a": None}, "other a"),
        ({"a": "x" * 40}, {"a": 1}, f"a was '{'x' * 40}', now 1"),
        ({"a": "x" * 41}, {"a": 1}, "other a"),
        ({"a": 1}, {"a": "x" * 41}, "other a"),
        ({}, dict.fromkeys("abcd", 1), "a was None, now 1, b was None, now 1, c was None, now 1"),
    ],
)
def test_differences_are_named(found: Any, expected: Any, words: str) -> None:
    assert difference(found, expected) == words
