"""First answers of new processes: timed only when they are right."""

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

import first_answers as start
import rookery
from rookery.bench.turns import WrongAnswer

SOURCE = Path(rookery.__file__).parents[1]
IMPORTED, QUEEN = start.QUESTIONS[:2]


def test_first_answers_are_timed_with_an_empty_cache_and_a_full_one_and_another_checkout() -> None:
    result = start.measure(rounds=1, other=SOURCE, questions=(QUEEN,))
    empty, full = result["rows"]
    assert (empty["what"], empty["cache"], full["cache"]) == ("queen_attacks", "empty", "full")
    for row in (empty, full):
        assert min(row["seconds"], row["cpu_seconds"], row["other_seconds"], row["other_cpu_seconds"]) > 0
        # One round: the ratio of the medians is that of the round, up to their rounding.
        assert row["cpu_ratio"] == pytest.approx(row["cpu_seconds"] / row["other_cpu_seconds"], rel=0.02)


def test_a_wrong_answer_is_not_timed(tmp_path: Path) -> None:
    with pytest.raises(WrongAnswer, match=r"import rookery, of .* expected e5, found"):
        start.ask(IMPORTED._replace(answer="e5"), SOURCE, tmp_path)
    with pytest.raises(WrongAnswer, match="ZeroDivisionError"):
        start.ask(IMPORTED._replace(arguments=("-c", "1 / 0")), SOURCE, tmp_path)


@pytest.mark.slow
def test_every_question_has_its_answer(tmp_path: Path) -> None:
    for question in start.QUESTIONS[2:]:
        assert start.ask(question, SOURCE, tmp_path).cpu > 0


def test_what_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected a folder that holds the package rookery"):
        start.measure(other=tmp_path)
    with pytest.raises(ValueError, match="rounds: 0"):
        start.measure(rounds=0)


def test_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(start, "measure", partial(start.measure, questions=(IMPORTED,)))
    out = tmp_path / "start.json"
    done = CliRunner().invoke(start.main, ["--rounds", "1", "--other", str(SOURCE), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert {"other_seconds", "cpu_ratio"} <= set(json.loads(out.read_text(encoding="utf-8"))["rows"][0])
    document = json.loads(CliRunner().invoke(start.main, ["--rounds", "1"]).stdout)
    assert [row["cache"] for row in document["rows"]] == ["empty", "full"]
    assert "other_seconds" not in document["rows"][0]
