"""The uses that `rookery bench attacks --columns` and `rookery doctor` time: right answers, figures and advice."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from rookery.bench.quiet import Limits, Watch
from rookery.bench.turns import WrongAnswer
from rookery.bench.uses import advice, code_cost, measuring, workloads
from rookery.bench.uses.columns import COLUMNS, TimedCall
from rookery.cli import main
from rookery.techniques import technique
from thinning import slow

pytestmark = pytest.mark.compiler  # a benchmark compiles what it times
ANY = Limits(share=0, others=2, noise=1e9)  # every machine is quiet enough


def test_the_harness_is_that_of_chess_movegen() -> None:
    """Its first occupancy, its first squares and the XOR after 2,000 positions, as its own programs print them."""
    work = workloads.harness()
    assert int(work.occupied[0]) == 0x160180D307182834
    assert work.squares[0].tolist() == [52, 31, 36, 22, 51, 30, 43, 55, 48, 27, 21, 3]
    pairs = ((sq, int(o)) for row, o in zip(work.squares.tolist(), work.occupied, strict=True) for sq in row)
    assert workloads.xor_of(pairs) == work.right == 0xE94B57081311A561


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("of", [slow("kogge-stone"), "rotated-heinz"])  # one without tables, one with its own state
def test_each_use_checks_its_answers(name: str, of: str) -> None:
    call = COLUMNS[name].make(technique(of))
    assert call.units > 1000
    answer = call.run()
    if name == "arrays":
        assert call.right(answer)
        call.run()
        answer[5] ^= np.uint64(1)
        assert not call.right(answer)
    else:
        assert call.right(answer)
        assert not call.right(int(answer) ^ 1)


def test_densities_are_a_half_a_quarter_and_an_eighth() -> None:
    for words in (1, 2, 3):
        full = np.bitwise_count(workloads.at_density(words).occupied).mean() / 64
        assert abs(full - 2.0**-words) < 0.02


def test_games_have_sliders_on_their_squares() -> None:
    work, sliders = workloads.squares_of_games(), workloads.sliders_of_games()
    rows = sliders.sliders[sliders.sliders != 0]
    assert all(int(row) >> sq & 1 for row, squares in zip(rows, work.squares.tolist(), strict=True) for sq in squares)
    assert np.all((sliders.sliders & ~sliders.occupied) == 0)


def test_a_measurement_and_its_comparison() -> None:
    result = measuring.measure([technique("qbb")], ["latency", "all-squares"], rounds=3)
    assert [row["name"] for row in result["techniques"]] == ["pext", "qbb"]
    (pext, qbb) = result["techniques"]
    for name in ("latency", "all-squares"):
        assert pext[name]["to_pext"] == 1
        low, high = qbb[name]["ns_quartiles"]
        assert 0 < low <= qbb[name]["ns"] <= high
    assert measuring.changed(result, result) == []
    slower = json.loads(json.dumps(result))
    slower["techniques"][1]["latency"].update(to_pext=0.01, to_pext_quartiles=[0.009, 0.011])
    slower["noise"] = result["noise"] = {"latency": 0.01, "all-squares": 0.01}
    found = measuring.changed(slower, result)
    assert [(row["technique"], row["column"], row["now"]) for row in found] == [("qbb", "latency", 0.01)]
    # In noise, the same difference says nothing.
    slower["noise"]["latency"] = 5.0
    assert measuring.changed(slower, result) == []
    slower.update(repeat={"latency": 0.0, "all-squares": 0.0}, share={"latency": 1.0, "all-squares": 0.5})
    noisy, starved = measuring.noise_warnings(slower)
    assert noisy.startswith("latency: the same work differed by 500% from round to round. The machine is too busy")
    assert starved.startswith("all-squares: other programs took CPU time away, and left 50%. The machine is too busy")
    assert measuring.noise_warnings(slower, ANY) == []


def test_what_is_watched_while_something_is_timed() -> None:
    result = measuring.measure([technique("qbb")], ["latency"], rounds=2)
    assert 0 < result["share"]["latency"] <= 1
    assert result["repeat"]["latency"] >= 0


def test_a_wrong_answer_ends_a_measurement() -> None:
    wrong = TimedCall(lambda: 1, 10, lambda answer: answer == 2)
    with pytest.raises(WrongAnswer, match="qbb answered wrongly"):
        measuring.seconds_of(wrong, 1, "qbb")


def test_unknown_columns_and_no_rounds_are_errors() -> None:
    with pytest.raises(ValueError, match="columns: 'speed' is unknown; known are arrays, calls"):
        measuring.measure([], ["speed"], rounds=1)
    with pytest.raises(ValueError, match="rounds: 0: expected at least 1"):
        measuring.measure([], ["latency"], rounds=0)


def test_instructions_are_counted_up_to_the_end_of_the_function() -> None:
    text = "\n".join(
        [
            "f:",
            "\tmovq\t24(%rsp), %rsi",
            ".LBB0_1:",
            "\tleaq\t(%rax,%r9,8), %r9",
            "\torq\t(%r9,%r10,8), %rax",
            "\tjne\t.LBB0_1",
            "\tretq",
            ".Lfunc_end0:",
            "\tpushq\t%rbp",
        ]
    )
    assert code_cost.counted(text) == code_cost.Cost(instructions=5, loads=1, bytes=8, loops=True)
    assert code_cost.counted(text.replace("jne\t.LBB0_1", "jne\t.LBB0_2")).loops is False


def test_the_code_of_techniques_is_what_they_are() -> None:
    pext, rays = code_cost.cost(technique("pext")), code_cost.cost(technique("rays"))
    assert not pext.loops
    assert rays.loops
    assert (pext.loads, pext.bytes) == (5, 40)  # a record of two masks and two offsets in one word, and two answers


def row(name: str, ns: float, spread: float, table_bytes: int = 0) -> dict[str, Any]:
    return {"name": name, "table_bytes": table_bytes, "arrays": {"ns": ns, "ns_quartiles": [ns - spread, ns + spread]}}


def test_equally_fast_techniques_are_recommended_together() -> None:
    use = advice.Use("arrays", "arrays")
    rows = [row("a", 3.0, 0.2), row("b", 2.0, 0.2), row("c", 2.3, 0.2), row("d", 1.0, 0.1, 1 << 20)]
    assert [one["name"] for one in advice.best(use, rows)] == ["d"]
    small = advice.Use("small", "arrays", lambda one: one["table_bytes"] <= advice.SMALL)
    assert [one["name"] for one in advice.best(small, rows)] == ["b", "c"]


def found(noise: float = 0.01, repeat: float = 0.01, share: float = 1.0, others: float | None = 0.0) -> dict[str, Any]:
    """A measurement of three techniques over arrays."""
    rows = [row("a", 3.0, 0.1), row("b", 2.0, 0.1), row("c", 2.15, 0.1)]
    signs = {name: {"arrays": value} for name, value in (("noise", noise), ("repeat", repeat), ("share", share))}
    return {"techniques": rows, "others": others, **signs}


def test_a_quiet_machine_gets_a_recommendation() -> None:
    use = advice.Use("arrays", "arrays")
    assert advice.recommend(use, found(), Limits()) == {
        "use": "arrays",
        "column": "arrays",
        "techniques": ["b", "c"],
        "reason": None,
    }
    # What differs by less than the noise is recommended together, too.
    rows = found()
    rows["techniques"][2] = row("c", 2.3, 0.1)
    assert advice.recommend(use, rows, Limits())["techniques"] == ["b"]
    rows["repeat"]["arrays"] = 0.12
    assert advice.recommend(use, rows, Limits())["techniques"] == ["b", "c"]


@pytest.mark.parametrize(
    ("signs", "reason"),
    [
        ({"share": 0.61}, "other programs took CPU time away, and left 61%"),
        ({"others": 0.4}, "other programs used 40% of all CPUs"),
        ({"repeat": 0.2}, "the same work differed by 20% within a round"),
        ({"noise": 0.3}, "the same work differed by 30% from round to round"),
    ],
)
def test_a_busy_machine_gets_none(signs: dict[str, float], reason: str) -> None:
    use = advice.Use("arrays", "arrays")
    one = advice.recommend(use, found(**signs), Limits())
    assert one["techniques"] == []
    assert one["reason"] == f"the machine is too busy to tell: {reason}"
    assert advice.recommend(use, found(**signs), ANY)["techniques"]
    both = advice.recommend(use, found(share=0.5, others=0.9), Limits())["reason"]
    assert "left 50%; other programs used 90%" in both


def test_noise_that_exceeds_the_differences_gives_none() -> None:
    use = advice.Use("arrays", "arrays")
    one = advice.recommend(use, found(repeat=0.6), Limits(noise=1.0))
    assert one["techniques"] == []
    assert one["reason"].endswith("all 3 differ by no more than the noise of 60%")
    alone = found(repeat=0.6)
    alone["techniques"] = alone["techniques"][:1]  # one technique differs from no other
    assert advice.recommend(use, alone, Limits(noise=1.0))["techniques"] == ["a"]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two candidates, and a machine that counts as quiet whatever it does."""
    for name in ("CANDIDATES", "ENGINE_CANDIDATES"):
        monkeypatch.setattr(advice, name, ("pext", "hyperbola"))
    monkeypatch.setattr(advice, "LIMITS", ANY)
    monkeypatch.setattr(Watch, "repeat", 0.0)


@pytest.mark.usefixtures("few")
def test_the_doctor(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    printed = CliRunner().invoke(main, ["doctor", "--rounds", "1", "--plot", "--html", str(path)], terminal_width=200)
    assert printed.exit_code == 0, printed.output
    for text in (
        "CPU",
        "bounds",
        "x bound",
        "bytes",
        "throughput",
        "latency",
        "inside an engine",
        "little memory",
        "hyperbola",
        "█",
        "the timed program got at least",
    ):
        assert text in printed.output
    page = path.read_text(encoding="utf-8")
    columns = {use.column for use in advice.USES}
    if "not measured: perft in C" in printed.output:
        assert not shutil.which("cc")
    else:
        columns |= {use.column for use in advice.ENGINE_USES}
        assert "perft of start 4, kiwipete 3, 2 techniques" in printed.output
        assert "warm, M nodes/s" in printed.output
    assert page.count("<h2>") == 2 + len(columns)
    assert "hyperbola" in page
    assert "<script" not in page


@pytest.mark.usefixtures("few")
def test_the_doctor_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler, what an engine would need is not measured, and nothing else stands in for it."""
    monkeypatch.setenv("CC", "no-such-compiler")
    printed = CliRunner().invoke(main, ["doctor", "--rounds", "1", "--json"])
    assert printed.exit_code == 0
    found = json.loads(printed.stdout)
    uses = [*advice.USES, *advice.ENGINE_USES]
    assert [one["use"] for one in found["recommendations"]] == [use.name for use in uses]
    here, engine = found["recommendations"][: len(advice.USES)], found["recommendations"][len(advice.USES) :]
    assert all(one["techniques"] for one in here)
    missing = "CC: 'no-such-compiler': there is no such command"
    assert [(one["techniques"], one["reason"]) for one in engine] == [([], f"not measured: {missing}")] * len(engine)
    assert found["engine"] is None
    assert found["not_measured"] == [
        {"what": "perft in C: how fast techniques are inside an engine", "reason": missing}
    ]
    assert {"machine", "caches", "code_cache", "instructions", "noise", "repeat", "share", "others"} <= set(found)
    assert found["code_cache"]["functions"] > 0
    hyperbola = next(one for one in found["techniques"] if one["name"] == "hyperbola")
    assert hyperbola["code"]["instructions"] > 20


@pytest.mark.usefixtures("few")
def test_the_doctor_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is recommended, each use says why, and the status tells scripts."""
    monkeypatch.setattr(advice, "LIMITS", Limits(share=1.1))
    monkeypatch.setattr(advice, "CANDIDATES", ("pext",))
    printed = CliRunner().invoke(main, ["doctor", "--rounds", "1"])
    assert printed.exit_code == 1
    text = " ".join(printed.output.split())
    assert text.count("nothing: the machine is too busy to tell: other programs took CPU time away") >= len(advice.USES)


def test_columns_and_against_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "uses.json"
    command = ["bench", "attacks", "qbb", "--rounds", "2", "--columns", "latency,harness", "--out", str(path)]
    printed = CliRunner().invoke(main, command)
    assert printed.exit_code == 0, printed.output
    assert "harness, ns" in printed.output
    again = CliRunner().invoke(main, ["bench", "attacks", "qbb", "--rounds", "2", "--against", str(path), "--json"])
    assert again.exit_code == 0, again.output
    assert list(json.loads(again.stdout)["columns"]) == ["latency", "harness"]


@pytest.mark.parametrize(("content", "reason"), [("{", "not JSON"), ("[]", "expected the output"), ("{}", "expected")])
def test_a_file_to_compare_with_must_be_a_measurement(content: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(content, encoding="utf-8")
    printed = CliRunner().invoke(main, ["bench", "attacks", "--against", str(path)])
    assert printed.exit_code == 2
    assert f"--against: {path}: {reason}" in printed.output
