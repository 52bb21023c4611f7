"""``rookery techniques | attacks | verify``."""

import json

import pytest

from command_line import KIWIPETE, document, run
from rookery import technique, techniques, verify
from rookery.counting.walk import POSITIONS
from rookery.techniques.base import Technique


def test_techniques() -> None:
    lines = run("techniques").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [t.name for t in techniques()]
    cards = document("techniques")
    assert [card["name"] for card in cards] == [t.name for t in techniques()]
    assert all(card["table_bytes"] == technique(card["name"]).table_bytes for card in cards)


def test_attacks_draws_the_position_and_the_attacks() -> None:
    text = run("attacks", KIWIPETE, "f3").stdout
    assert "what the queen on f3 attacks: 14 squares, 0x000020a070dc7000" in text
    assert "3 . . N . . Q . p   . . N 1 1 Q 1 p" in text
    assert "n f6" in text


def test_attacks_by_every_technique() -> None:
    text = run("attacks", KIWIPETE, "f3", "--technique", "all").stdout
    assert f"{len(techniques())} of {len(techniques())} techniques agree" in text
    assert text.count("0x000020a070dc7000") == len(techniques()) + 1
    answers = document("attacks", KIWIPETE, "f3", "--technique", "all")
    assert answers["squares"][:2] == ["e2", "f2"] or "e2" in answers["squares"]
    assert all(t["agrees"] for t in answers["techniques"])


@pytest.mark.parametrize(("piece", "count"), [("rook", 11), ("b", 6), ("queen", 17), (None, 17)])
def test_attacks_of_another_piece(piece: str | None, count: int) -> None:
    option = ["--piece", piece] if piece else []
    answer = document("attacks", "8/8/8/8/8/1p4p1/8/Q6Q", "a1", *option)
    expected = verify.oracle({"b": "bishop", None: "queen"}.get(piece, str(piece)), 0, 0x420081)
    assert answer["attacks"] == f"0x{expected:016x}"
    assert len(answer["squares"]) == expected.bit_count()
    assert count


@pytest.mark.parametrize("position", POSITIONS)
def test_attacks_takes_the_names_of_positions(position: str) -> None:
    requested = [
        json.loads(run("attacks", p, "e4", "--piece", "q", "--json").stdout) for p in (position, POSITIONS[position])
    ]
    assert requested[0] == requested[1]
    assert "expected a FEN or one of start, kiwipete" in run("attacks", "startx", "e4", status=2).stderr


def test_a_technique_that_disagrees_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Technique, "ask", lambda self, *rest: 0 if self.name == "rays" else verify.oracle(*rest))
    result = run("attacks", KIWIPETE, "f3", "--technique", "all", status=1)
    assert "rays" in result.stderr
    assert "NO" in result.stdout


def test_verify_some() -> None:
    text = run("verify", "pext", "hyperbola").stdout
    assert "proved:" in text
    assert " 0 mismatches" in text
    answer = document("verify", "pext")
    assert answer["mismatches"] == 0
    assert answer["complete"] is True
    assert {check["check"] for check in answer["checks"]} == {"rook", "bishop", "queen", "one by one", "toggling"}


def test_verify_exits_with_1_on_a_mismatch(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = verify.Result("pext", "rook", 10, 1, verify.Mismatch("rook", "a1", 1, 2, 3))
    monkeypatch.setattr(verify, "checks", lambda t: [("rook", lambda: wrong)])
    result = run("verify", "pext", status=1)
    assert "1 mismatches" in result.stdout
    assert "rook on a1, occupied 0x0000000000000001: expected 0x0000000000000002" in result.stdout
    assert document("verify", "pext", status=1)["checks"][0]["first"]["got"] == 3


def test_verify_interrupted_prints_what_it_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> verify.Result:
        raise KeyboardInterrupt

    good = verify.Result("pext", "rook", 10, 0, None)
    monkeypatch.setattr(verify, "checks", lambda t: [("rook", lambda: good), ("bishop", interrupt)])
    assert "interrupted after 10 cases, 0 mismatches" in run("verify", "pext", status=130).stdout
    assert document("verify", "pext", status=130)["complete"] is False
