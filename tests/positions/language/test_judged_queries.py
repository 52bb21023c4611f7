"""Queries judged by scoutfish, CQL and esca, as docs/queries-judged.md records it.

The programs run where environment variables name them: see that page. pgn-extract has its own tests.
"""

import json
import os
from pathlib import Path
from typing import Any, Final

import pytest

import query_judges
import query_peers
from judges import cql, esca, scoutfish
from rookery import Query

RECORDED: Final = json.loads(query_judges.RECORDED.read_text(encoding="utf-8"))["judges"]


def program(variable: str) -> Path:
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"{variable} does not name a build: see docs/queries-judged.md")
    return Path(value)


def answers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows without what is written about them, times, and answers about more games."""
    return [{k: v for k, v in row.items() if k not in ("query", "text", "verdict", "seconds", "more")} for row in rows]


@pytest.mark.parametrize("judge", query_judges.QUESTIONS)
def test_recorded_queries_are_those_of_today(judge: str) -> None:
    asked = {question.name: question for question in query_judges.QUESTIONS[judge]}
    rows = RECORDED[judge]["rows"]
    assert [row["name"] for row in rows] == list(asked)
    for row in rows:
        question = asked[row["name"]]
        assert (row["query"], row["text"], row["verdict"]) == (question.query, question.text, question.verdict)
        Query(question.query)


def test_each_example_of_cql_is_asked_or_given_a_reason() -> None:
    said = [question.name for question in cql.QUESTIONS] + ["persistent"]
    unsaid = [name for names in cql.UNSAID.values() for name in names]
    assert not set(said) & set(unsaid)
    assert len(set(said + unsaid)) == len(said + unsaid) == 90


def test_scoutfish() -> None:
    found = scoutfish.compare(program("ROOKERY_SCOUTFISH"))
    assert answers(found["rows"]) == answers(RECORDED["scoutfish"]["rows"])


def test_cql() -> None:
    found = cql.compare(program("ROOKERY_CQL"))
    assert answers(found["rows"]) == answers(RECORDED["cql"]["rows"])


def test_esca() -> None:
    python, folder = program("ROOKERY_ESCA"), program("ROOKERY_CQL")
    if not query_judges.LICHESS.exists():
        pytest.skip("needs ../shared/data")
    found, _ = esca.compare(python, query_judges.fens_for_esca(folder / "sample.pgn"))
    assert answers(found["rows"]) == answers(RECORDED["esca"]["rows"])


def test_timed_questions_have_the_same_answers() -> None:
    scoutfish_folder, cql_folder = (os.environ.get(name) for name in ("ROOKERY_SCOUTFISH", "ROOKERY_CQL"))
    found = query_peers.measure(
        rounds=1,
        plies=1,
        scoutfish=Path(scoutfish_folder) / "src" / "scoutfish" if scoutfish_folder else None,
        cql=Path(cql_folder) if cql_folder else None,
    )
    assert {row["peer"] for row in found["rows"]} <= {"scoutfish", "pgn-extract", "CQL"}
