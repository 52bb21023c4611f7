"""The dictionary's table of names: its motifs and themes exist, and its queries are queries."""

import re
from pathlib import Path
from typing import Final

import pytest

from rookery import Query
from rookery.data.puzzles import THEMES
from rookery.positions.motifs import MOTIF_BY_NAME

INDEX: Final = (Path(__file__).parents[3] / "docs" / "motifs" / "index.md").read_text(encoding="utf-8")
TABLE: Final = INDEX.partition("| name | squares of a position |")[2].split("\n\n")[0].splitlines()[2:]
ROWS: Final = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_names_and_queries_of_a_row(row: list[str]) -> None:
    _, motifs, themes, queries = (re.findall("`(.+?)`", cell) for cell in row)
    assert set(motifs) <= MOTIF_BY_NAME.keys()
    assert set(themes) <= set(THEMES)
    for query in queries:
        assert Query(query).kind in ("set", "condition")


def test_the_table_has_many_rows() -> None:
    assert len(ROWS) > 20
