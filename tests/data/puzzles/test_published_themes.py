"""All puzzles of the shared data: their themes are the published ones, but for recorded and explained differences."""

import json
import re
from pathlib import Path

import pytest

import puzzle_themes

ROOT = Path(__file__).resolve().parents[3]
RECORDED = json.loads((ROOT / "benchmarks" / "puzzles.json").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "puzzle-themes.md").read_text(encoding="utf-8")


@pytest.mark.skipif(not puzzle_themes.PUZZLES.is_file(), reason="needs ../shared/data/puzzles.csv.xz")
def test_all_puzzles() -> None:
    found = puzzle_themes.measure(rounds=1)
    for key in ("puzzles", "themes", "differences"):
        assert found[key] == RECORDED[key]


def test_the_sample_alone() -> None:
    found = puzzle_themes.measure(puzzles=ROOT / "tests" / "samples" / "puzzles.csv", rounds=1)
    assert found["differences"] == []
    assert all(row["both"] > 0 for row in found["themes"])


def test_lichess_tagger_agreed_on_all() -> None:
    assert RECORDED["lichess_tagger"]["differences"] == []


def test_the_page_explains_each_difference() -> None:
    section = PAGE[PAGE.index("## The differences, one by one") :]
    rows = re.findall(r"^\| (\w{5}) \| `([^`]*)` \| (.+) \|$", section, re.MULTILINE)
    expected = {
        row["puzzle"]: [f"+{theme}" for theme in row["only_here"]] + [f"-{theme}" for theme in row["only_published"]]
        for row in RECORDED["differences"]
    }
    assert {puzzle: themes.split() for puzzle, themes, _ in rows} == expected
    assert all(why.endswith(".") for _, _, why in rows)


def test_the_page_names_every_theme() -> None:
    definitions = PAGE[: PAGE.index("## How it is judged")]
    spelled = set(re.findall(r"`(\w+)`", definitions))
    # Rows like "`mateIn1` ... `mateIn5`" name the first and the last.
    spelled |= {"mateIn2", "mateIn3", "mateIn4", "bishopEndgame", "knightEndgame", "rookEndgame"}
    assert {row["theme"] for row in RECORDED["themes"]} <= spelled
