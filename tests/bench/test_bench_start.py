"""First answers of new processes: timed only when they are right."""

import json
import zipfile
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import figures
import first_answers as start
import rookery
from rookery.bench.turns import WrongAnswer, version

SOURCE = Path(rookery.__file__).parents[1]
CHESS, NUMPY, IMPORTED, QUEEN = start.QUESTIONS[:4]


def test_first_answers_are_timed_with_an_empty_cache_and_a_full_one_and_against_another_checkout() -> None:
    result = start.measure(rounds=1, runs=1, against=SOURCE, questions=(QUEEN,))
    empty, full = result["rows"]
    assert (empty["what"], empty["cache"], full["cache"]) == ("queen_attacks", "empty", "full")
    assert result["environment"] == "checkout"
    for row in (empty, full):
        assert min(row["seconds"], row["cpu_seconds"], row["against_seconds"], row["against_cpu_seconds"]) > 0
        # One round: the ratio of the medians is that of the round, up to their rounding.
        assert row["cpu_ratio"] == pytest.approx(row["cpu_seconds"] / row["against_cpu_seconds"], rel=0.02)
    assert empty["cpu_seconds"] > full["cpu_seconds"]


def test_the_time_beyond_a_yardstick_is_a_median_of_differences_and_yardsticks_need_no_cache() -> None:
    assert (CHESS.what, NUMPY.what) == ("import chess", "import numpy")
    asked = IMPORTED._replace(beyond=NUMPY.what)
    empty, numpy, row = start.measure(rounds=1, runs=1, questions=(NUMPY, asked))["rows"]
    assert [(r["what"], r["cache"]) for r in (empty, numpy)] == [("import rookery", "empty"), ("import numpy", "full")]
    assert row["beyond"] == "import numpy"
    assert row["cpu_seconds_beyond"] == pytest.approx(row["cpu_seconds"] - numpy["cpu_seconds"], abs=0.002)
    times = [[start.Seconds(0, cpu) for cpu in values] for values in ((5, 9, 8), (1, 2, 7))]
    assert start._beyond(times[:1], times[1:], "x") == {"beyond": "x", "cpu_seconds_beyond": 4}


def test_a_wrong_answer_is_not_timed(tmp_path: Path) -> None:
    with pytest.raises(WrongAnswer, match=r"import rookery, of .* expected e5, found"):
        start.ask(IMPORTED._replace(answer="e5"), SOURCE, tmp_path)
    with pytest.raises(WrongAnswer, match="ZeroDivisionError"):
        start.ask(IMPORTED._replace(arguments=("-c", "1 / 0")), SOURCE, tmp_path)


@pytest.mark.slow
def test_every_question_has_its_answer(tmp_path: Path) -> None:
    for question in start.QUESTIONS:
        assert start.ask(question, SOURCE, tmp_path).cpu > 0
    yardsticks = {question.what for question in start.QUESTIONS if question.yardstick}
    assert {question.beyond for question in start.QUESTIONS} == yardsticks | {None}


def test_what_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected a folder that holds rookery"):
        start.measure(against=tmp_path)
    with pytest.raises(ValueError, match="rounds: 0"):
        start.measure(rounds=0)
    with pytest.raises(ValueError, match="runs: 0"):
        start.measure(runs=0)


def test_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(start, "measure", partial(start.measure, questions=(NUMPY, IMPORTED)))
    out = tmp_path / "benchmarks" / "start.json"
    out.parent.mkdir()
    options = ["--rounds", "1", "--runs", "1"]
    done = CliRunner().invoke(start.main, [*options, "--against", str(SOURCE), "--out", str(out)])
    assert done.exit_code == 0, done.output
    rows = json.loads(out.read_text(encoding="utf-8"))["rows"]
    assert {"against_seconds", "cpu_ratio"} <= set(rows[0])
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    empty, _, full = rows
    line = f"| `import rookery` | {empty['seconds']:.2f} | {full['seconds']:.2f} | {full['cpu_seconds']:.3f} |  |"
    assert line in figures.start()
    document = json.loads(CliRunner().invoke(start.main, options).stdout)
    assert [row["cache"] for row in document["rows"]] == ["empty", "full", "full"]
    assert "against_seconds" not in document["rows"][0]


def test_an_installation_is_timed_with_its_first_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The wheel holds a package named rookery that does nothing but answer."""
    if version("uv") is None:
        pytest.skip("uv is not installed: pip install uv")
    wheel = tmp_path / "rookery-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("rookery/__init__.py", "class Board:\n    legal_moves = range(20)\n")
        packed.writestr("rookery-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: rookery\nVersion: 1.0\n")
        packed.writestr("rookery-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        packed.writestr("rookery-1.0.dist-info/RECORD", "")
    found = start.installations(wheel, runs=1)
    assert found["wheel"] == wheel.name
    assert found["both"]["seconds"] == pytest.approx(
        found["uv pip install"]["seconds"] + found["Board().legal_moves"]["seconds"], abs=0.002
    )


def test_without_uv_there_is_no_installation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(start, "version", lambda package: None)
    with pytest.raises(click.ClickException, match="uv is not installed: pip install uv"):
        start.installations(tmp_path / "rookery.whl", runs=1)
