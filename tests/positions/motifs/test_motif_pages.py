"""The dictionary's table of names: its motifs and themes exist, and its queries are queries."""

import re
from pathlib import Path
from typing import Final

import pytest

import rookery
from rookery import Query
from rookery.data.puzzles import THEMES
from rookery.positions.motifs import MOTIF_BY_NAME

DOCS: Final = Path(__file__).parents[3] / "docs"
INDEX: Final = (DOCS / "motifs" / "index.md").read_text(encoding="utf-8")
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


def test_a_condition_with_a_mate_asks_about_the_mated_side(tmp_path: Path) -> None:
    """Black, rated 1000, is mated: the pages say which side `elo` is about."""
    for page in ("queries.md", "motifs/mates.md"):
        text = " ".join((DOCS / page).read_text(encoding="utf-8").split())
        assert "`smothered_mate and elo < 1500` finds players rated below 1500 who were mated" in text, page
    game = '[White "A"]\n[Black "B"]\n[WhiteElo "2000"]\n[BlackElo "1000"]\n[Result "1-0"]\n\n'
    game += "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nd7 5. Qe2 Ngf6 6. Nd6# 1-0\n"
    path = tmp_path / "mated.pgn"
    path.write_text(game, encoding="utf-8")
    counts = [len(rookery.search(path, f"smothered_mate and {rest}")) for rest in ("elo < 1500", "elo(them) < 1500")]
    assert counts == [1, 0]
