"""The recorded answers belong to the questions, follow from the searches, and are found again."""

from pathlib import Path
from typing import Any

import pytest

from formulas import ledger
from formulas.confirmation import confirm
from formulas.deepening import deepen
from formulas.questions import OPERATIONS, QUESTIONS, Question, question

PATH = Path(__file__).parents[2] / "research" / "ledger.json"


@pytest.fixture(scope="module")
def rows() -> dict[str, Any]:
    return ledger.read(PATH)


def test_every_question_is_answered_in_order(rows: dict[str, Any]) -> None:
    assert list(rows) == [q.name for q in QUESTIONS]


@pytest.mark.parametrize("q", QUESTIONS, ids=lambda q: q.name)
def test_an_answer_follows_from_its_searches(q: Question, rows: dict[str, Any]) -> None:
    row = rows[q.name]
    assert row["inputs"] == list(q.names)
    assert row["movers"] == list(q.movers)
    assert row["operations"] == OPERATIONS[q.operations]
    assert row["operation_texts"] == [operation.text.format(x="x", y="y") for operation in q.operations]
    assert row["table"] == (
        {key: value for key, value in q.table._asdict().items() if key != "after"} if q.table else None
    )
    assert row["known"] == len(q.published.steps)
    assert row["known_formula"] == q.published.formula()
    # every length from one on, up to the fewest operations or as far as the question goes
    last = row["fewest"] or q.longest
    assert [length["operations"] for length in row["lengths"]] == list(range(1, last + 1))
    assert row["none_up_to"] == (row["fewest"] - 1 if row["fewest"] else q.longest)
    assert bool(row["programs"]) == bool(row["fewest"])
    assert row["none_up_to"] < row["known"]
    # the second search finds none where the first finds none, and some where it finds some
    assert [c["operations"] for c in row["confirmed"]] == list(range(2, min(last, q.confirmed) + 1))
    hits = {length["operations"]: length["hits"] for length in row["lengths"]}
    # programs with words from a table may be right on each two cases, and wrong on three
    if not (q.table and q.table.entry_bits == 64):
        assert [n for n, found in hits.items() if found] == ([row["fewest"]] if row["fewest"] else [])
    for confirmation in row["confirmed"]:
        assert (confirmation["right"] > 0) == (hits[confirmation["operations"]] > 0)
        assert confirmation["programs"] > 0


@pytest.mark.parametrize("name", ["ray-unmasked", "line-reverse", "line-lanes-halves"])
def test_a_recorded_answer_is_found_again(name: str, rows: dict[str, Any], tmp_path: Path) -> None:
    q = question(name)
    answer = deepen(q, q.longest, tmp_path)
    again, recorded = ledger.row(answer, confirm(answer, 4, tmp_path)), rows[name]
    assert again["programs"] == recorded["programs"]
    for key in ("operations", "cases", "sets", "tests", "hits", "rounds"):
        assert [length[key] for length in again["lengths"]] == [length[key] for length in recorded["lengths"]]
    for new, old in zip(again["confirmed"], recorded["confirmed"], strict=False):
        assert (new["programs"], new["right"]) == (old["programs"], old["right"])


def test_a_row_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    for n in (1, 2):
        for name in ("ray-unmasked", "ray"):
            ledger.update(path, {"name": name, "known": n})
    assert ledger.read(path) == {
        "ray": {"name": "ray", "known": 2},
        "ray-unmasked": {"name": "ray-unmasked", "known": 2},
    }
    assert list(ledger.read(path)) == ["ray", "ray-unmasked"]


def test_a_ledger_that_is_not_there_has_no_rows(tmp_path: Path) -> None:
    assert ledger.read(tmp_path / "none.json") == {}
