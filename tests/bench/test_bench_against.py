"""Checkouts are compared with each other, and perft with a program, only when their answers are the same."""

import json
import sys
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import against
import gigantua
import rookery
from rookery.bench.turns import WrongAnswer

SOURCE = Path(rookery.__file__).parents[1]
QUICK = against.Work("squares", "", "rookery.square_name(27)", 1000)


def test_a_checkout_is_compared_with_another_and_with_itself() -> None:
    result = against.measure(other=SOURCE, rounds=2, works=[QUICK], games=1)
    (row,) = result["rows"]
    assert (row["what"], row["answer"]) == ("squares", "d4")
    assert row["spread"][0] <= row["ratio"] <= row["spread"][1]
    assert row["equals_spread"][0] <= row["equals"] <= row["equals_spread"][1]
    assert min(row["seconds"], row["other_seconds"], row["ratio"], row["equals"]) > 0
    assert result["least"] == row["ratio"]
    assert set(result["commits"]) == {"this", "other"}


def _another(folder: Path, answer: str) -> Path:
    (folder / "rookery").mkdir()
    (folder / "rookery" / "__init__.py").write_text(f"def square_name(square): return {answer!r}\n", encoding="utf-8")
    return folder


def test_another_answer_is_not_compared(tmp_path: Path) -> None:
    with pytest.raises(WrongAnswer, match="squares: the other answered e5, expected d4"):
        against.measure(other=_another(tmp_path, "e5"), rounds=1, works=[QUICK], games=1)
    with pytest.raises(click.ClickException, match="ZeroDivisionError"):
        against.measure(other=SOURCE, rounds=1, works=[QUICK._replace(timed="1 / 0")], games=1)
    with pytest.raises(ValueError, match="expected a folder that holds rookery"):
        against.measure(other=tmp_path / "rookery")
    with pytest.raises(ValueError, match="rounds: 0"):
        against.measure(other=SOURCE, rounds=0)


@pytest.mark.slow
def test_every_work_runs(tmp_path: Path) -> None:
    result = against.measure(
        other=SOURCE, rounds=1, games=3, works=[work._replace(times=1) for work in against.WORK], cache=tmp_path
    )  # fmt: skip
    answers = {row["what"]: row["answer"] for row in result["rows"]}
    assert answers["perft start 6"] == "119060324"
    assert answers["perft kiwipete 4, scalar"] == "4085603"
    # Three games may have no mate.
    assert all(answer not in ("0", "") for what, answer in answers.items() if what != "a search with few hits")


def test_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(against, "WORK", (QUICK, QUICK._replace(what="others")))
    monkeypatch.setattr(against, "measure", partial(against.measure, games=1))
    out = tmp_path / "against.json"
    done = CliRunner().invoke(against.main, [str(SOURCE), "--rounds", "1", "--only", "squ", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert [row["what"] for row in json.loads(out.read_text(encoding="utf-8"))["rows"]] == ["squares"]
    assert "of the other's speed; equals" in done.stderr
    assert "no work holds x" in CliRunner().invoke(against.main, [str(SOURCE), "--only", "x"]).output


@pytest.mark.skipif(sys.platform == "win32", reason="a script with a first line that names its interpreter")
def test_perft_is_compared_with_a_program(tmp_path: Path) -> None:
    """A script stands in for Gigantua: it prints what Gigantua prints, at 1 million leaves per second."""
    program = tmp_path / "gigantua"
    lines = 'for depth, leaves in ((1, 20), (2, 400), (3, 8902)): print(f"Perft {depth}: {leaves} 9ms 1 MNodes/s")'
    program.write_text(f"#!{sys.executable}\n{lines}\n", encoding="utf-8")
    program.chmod(0o755)
    result = gigantua.measure(program=program, build="by hand", rounds=1, depths=[("start", 3)])
    (row,) = result["rows"]
    assert (row["leaves"], row["million_leaves_per_second"]["gigantua"], result["build"]) == (8902, 1, "by hand")
    for kind in ("scalar", "lanes"):
        assert row["ratios"][kind] == pytest.approx(row["million_leaves_per_second"][kind], abs=0.06)
    with pytest.raises(click.ClickException, match="expected 'Perft 4:'"):
        gigantua.measure(program=program, rounds=1, depths=[("start", 4)])
    program.write_text(f"#!{sys.executable}\n{lines.replace('8902', '8903')}\n", encoding="utf-8")
    with pytest.raises(WrongAnswer, match="perft start 3, scalar: 8902, Gigantua 8903"):
        gigantua.measure(program=program, rounds=1, depths=[("start", 3)])
