"""``rookery bench``."""

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import document, run
from rookery.bench import lanes

pytestmark = pytest.mark.compiler  # a benchmark compiles what it times


def test_bench_attacks(tmp_path: Any) -> None:
    path = tmp_path / "attacks.json"
    text = run("bench", "attacks", "rays", "--rounds", "1", "--positions", "64", "--out", str(path)).stdout
    assert "rays" in text
    assert "pext" in text
    recorded = json.loads(path.read_text(encoding="utf-8"))
    assert {row["name"] for row in recorded["techniques"]} == {"pext", "rays"}


def test_bench_lanes(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    every = lanes.rows

    def few(positions: int, *, quick: bool) -> Any:
        return [row for row in every(positions, quick=quick) if row.what.startswith(("legal", "Positions"))]

    monkeypatch.setattr(lanes, "PERFTS", ())
    monkeypatch.setattr(lanes, "rows", few)
    path = tmp_path / "lanes.json"
    text = run("bench", "lanes", "--quick", "--rounds", "1", "--positions", "16", "--out", str(path)).stdout
    assert "one by one" in text
    assert "M positions/s" in text
    recorded = json.loads(path.read_text(encoding="utf-8"))
    assert {row["what"] for row in recorded["rows"]} == {"legal move counts", "Positions.from_fens"}
    assert document("bench", "lanes", "--quick", "--rounds", "1", "--positions", "16")["benchmark"] == "lanes"


def test_an_interrupted_benchmark_prints_the_complete_rows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from rookery.bench import lanes, turns

    work = turns.TimedWork(lambda: 7, 1, (7).__eq__)
    rows = [turns.TimedRow("sevens", "sevens", work), turns.TimedRow("more sevens", "sevens", work)]
    good = turns.compare

    def once(row: turns.TimedRow, *rest: Any) -> dict[str, Any]:
        if row is rows[1]:
            raise KeyboardInterrupt
        return good(row, *rest)

    monkeypatch.setattr(lanes, "rows", lambda *_, **__: rows)
    monkeypatch.setattr(turns, "compare", once)
    path = tmp_path / "out.json"
    text = run("bench", "lanes", "--rounds", "1", "--out", str(path), status=130).stdout
    assert "sevens/s" in text
    assert "more sevens" not in text
    assert "interrupted: 1 rows were complete" in text
    document = json.loads(run("bench", "lanes", "--rounds", "1", "--json", status=130).stdout)
    assert (document["complete"], [row["what"] for row in document["rows"]]) == (False, ["sevens"])
    assert not path.exists()


def test_an_interrupted_benchmark_of_techniques_prints_the_complete_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    from rookery.bench import attacks, turns

    good, calls = turns.timed, 0

    def until(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        # Two techniques: one timing each to begin with, then two each a round; in the third round it breaks off.
        if calls == 2 + 4 + 4 + 3:
            raise KeyboardInterrupt
        return good(*arguments)

    monkeypatch.setattr(attacks, "timed", until)
    command = ["bench", "attacks", "rays", "--rounds", "5", "--positions", "8"]
    document = json.loads(run(*command, "--json", status=130).stdout)
    assert (document["rounds"], document["complete"]) == (2, False)
    assert {row["name"] for row in document["techniques"]} == {"pext", "rays"}
    calls = 0
    assert "2 rounds of 5: interrupted" in run(*command, status=130).stdout
    calls = 10
    assert "interrupted" in run(*command, status=130).stderr
