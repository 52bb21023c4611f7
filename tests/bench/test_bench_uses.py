"""The benchmarks of uses and chapters: they run, check what they time, and have a row for everything they are about."""

import json
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

import cells
import chapter_figures
import chapters
from rookery.techniques import ALL

ROOT = Path(__file__).parents[2]


def recorded(name: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((ROOT / "benchmarks" / f"{name}.json").read_text(encoding="utf-8"))
    return result


def test_the_record_is_of_techniques_in_their_order() -> None:
    rows = recorded("technique_uses")["techniques"]
    names = [row["name"] for row in rows]
    assert names == [t.name for t in ALL if t.name in names]
    (reference,) = (row for row in rows if row["name"] == "pext")
    assert {reference[f"{use}_to_pext"] for use in ("one_at_a_time", "perft")} == {1}
    for row in rows:  # figures and ratios say the same
        assert row["perft_million_nodes_a_second"] == pytest.approx(
            reference["perft_million_nodes_a_second"] * row["perft_to_pext"], abs=0.1
        )
        assert row["one_at_a_time_ns"] == pytest.approx(
            reference["one_at_a_time_ns"] / row["one_at_a_time_to_pext"], abs=0.01
        )


def test_every_chapter_has_a_row() -> None:
    result = chapters.measure(progress=lambda _: None, rounds=1)
    names = [path.stem for path in sorted((ROOT / "docs" / "tutorial").glob("[0-9]*.md"))]
    names = [name for name in names if not name.startswith("00")]  # which asks what loops cost
    names = [name for name in names if name == "06-fills" or name not in chapter_figures.IDEAS]  # measured in perft
    assert not any(f"`{t.name}`" in row["what"] for row in result["rows"] for t in ALL)  # no speed is recorded twice
    for found in (result, recorded("chapters")):
        assert list(dict.fromkeys(row["chapter"] for row in found["rows"])) == names


def test_cells_count_legal_moves_as_python_chess_does() -> None:
    positions = chapters.simple_positions()[:40]
    colours = np.array([0 if fen.split()[1] == "w" else cells.BLACK for fen in positions.to_fens()])
    out = np.zeros(len(positions), np.int64)
    lists = np.zeros(64, np.int64), np.zeros(64, np.int64)
    cells.count_moves(chapters.boards_of(positions), colours, out, cells.STEPS, *lists)
    assert out.tolist() == [chess.Board(fen).legal_moves.count() for fen in positions.to_fens()]
    assert len(set(out.tolist())) > 10
