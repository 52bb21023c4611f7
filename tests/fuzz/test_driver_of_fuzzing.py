"""The driver keeps an input of each kind of fault, whatever it does to the process, and makes the input small."""

import random
from pathlib import Path

import pytest

from fuzzing import broken
from fuzzing.driver import run, shrunk

TARGETS = {target.name: target for target in broken.TARGETS}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("answer", "AssertionError in broken.py:check_answer, from assert"),
        ("crash", "crash: SIGSEGV"),
        ("end", "crash: status 3"),
        ("time", "takes more than 0.2 seconds"),
        ("memory", "MemoryError in broken.py:check_memory, from bytearray"),
    ],
)
def test_faults_leave_a_small_input(name: str, kind: str, tmp_path: Path) -> None:
    report = run(TARGETS[name], 0.5, 1, tmp_path)
    assert len(report.faults) == 1
    fault = report.faults[0]
    assert fault.kind.startswith(kind)
    assert fault.path.read_bytes() == b"7"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [fault.path]
    assert f"example {fault.example}: {kind}" in str(report)
    assert "broken.py" in fault.text or name == "end"


def test_a_run_is_repeated_by_its_seed(tmp_path: Path) -> None:
    target = TARGETS["answer"]
    for seed in (5, 6):
        example = run(target, 0.1, seed, tmp_path).faults[0].example
        inputs = [target.make(random.Random(f"{seed} {number}")) for number in range(example + 1)]
        assert [b"7" in data for data in inputs] == [False] * example + [True]


def test_no_fault_leaves_no_file(tmp_path: Path) -> None:
    report = run(TARGETS["nothing"], 0.2, 1, tmp_path)
    assert report.faults == []
    assert report.examples > 10
    assert list(tmp_path.iterdir()) == []


def test_a_fault_that_is_not_repeated_is_reported(tmp_path: Path) -> None:
    fault = run(TARGETS["once"], 0.1, 1, tmp_path).faults[0]
    assert "it did not fail" in fault.text
    assert fault.path.read_bytes().count(b"\n") == 3


def test_smaller_inputs_fail_too() -> None:
    data = b"one\ntwo\nthree\n" * 50 + b"needle in hay" + b"four\n" * 50
    assert shrunk(data, lambda smaller: b"needle" in smaller) == b"needle"
    assert shrunk(data, lambda smaller: smaller.count(b"o") > 2) == b"ooo"
    assert shrunk(data, lambda smaller: False) == data
