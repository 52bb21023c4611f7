"""The benchmark of dead positions: it checks what it times, and its table shows what was recorded."""

import json
from pathlib import Path

import pytest

import dead_positions as benchmark
import dead_tables

TESTS = Path(__file__).parents[1]
LABELLED = TESTS / "rules" / "helpmates" / "labelled.txt"
RECORDED = TESTS.parent / "benchmarks" / "dead_positions.json"


def first_lines(target: Path, number: int) -> Path:
    lines = [line for line in LABELLED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    target.write_text("\n".join(lines[:number]), encoding="utf-8")
    return target


def test_it_times_both_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "LIMIT", 200)
    path = first_lines(tmp_path / "list.txt", 20)
    result = benchmark.measure(path, rounds=1, composed=path)
    assert (result["positions"], result["questions"]) == (20, 40)
    assert result["composed"]["questions"] == 40
    assert [row["what"] for row in result["rows"]] == ["full", "fast"]
    assert all(row["ours_per_second"] > 0 and row["theirs_per_second"] is None for row in result["rows"])
    assert result["rows"][1]["cannot_mate"] <= result["rows"][0]["cannot_mate"]
    with pytest.raises(ValueError, match="rounds: 0: expected at least 1"):
        benchmark.measure(path, rounds=0)


def test_it_takes_turns_with_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "LIMIT", 200)
    answer = {"version": "3", "questions": 40, "wrong": 0, "full_seconds": 4.0, "fast_seconds": 2.0}
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho '{json.dumps(answer)}'\n", encoding="utf-8")
    program.chmod(0o755)
    path = first_lines(tmp_path / "list.txt", 20)
    result = benchmark.measure(path, rounds=1, chasolver=program)
    assert result["chasolver"] == "3"
    assert [row["theirs_per_second"] for row in result["rows"]] == [10, 20]
    program.write_text(f"#!/bin/sh\necho '{json.dumps(answer | {'wrong': 1})}'\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="1 wrong answers"):
        benchmark.measure(path, rounds=1, chasolver=program)


def test_a_wrong_answer_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("-- 7k/8/6K1/8/8/8/8/6Q1 w - - 0 1\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="white: expected False"):
        benchmark.measure(path, rounds=1)
    path.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"list\.txt: no positions"):
        benchmark.measure(path, rounds=1)


def test_the_table_shows_the_record() -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    full, fast = recorded["rows"]
    text = dead_tables.speeds()
    assert all(f"{row['ours_per_second']:,}" in text and f"{row['ratio']:.1f}" in text for row in (full, fast))
    assert full["ours_per_second"] >= 50_000
    assert fast["ours_per_second"] >= 5_000_000
