"""The benchmark of encoders: it runs, checks what it times, and its table shows what was recorded."""

import json
from pathlib import Path

import pytest

import encoder_tables
import encoders as benchmark

RECORDED = Path(__file__).parents[2] / "benchmarks" / "encoders.json"


def test_it_times_every_case() -> None:
    result = benchmark.measure(games=4, rounds=1)
    names = [case.name for case in benchmark.CASES]
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))["rows"]
    assert [row["encoder"] for row in result["rows"]] == names == [row["encoder"] for row in recorded]
    assert all(f"`{name}`" in encoder_tables.speeds() for name in names)
    assert all(row["million_a_second"] >= row["goal"] for row in recorded if row["goal"])
    with pytest.raises(ValueError, match="games: 0, rounds: 1: expected at least 1"):
        benchmark.measure(games=0, rounds=1)


def test_a_wrong_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = benchmark.CASES[0]._replace(expected=lambda positions: -1)
    monkeypatch.setattr(benchmark, "CASES", (wrong,))
    with pytest.raises(AssertionError, match=r"halfkp: .*: expected -1"):
        benchmark.measure(games=2, rounds=1)
