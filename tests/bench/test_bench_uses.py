"""The benchmarks of uses and chapters: they run, check what they time, and have a row for everything they are about."""

import json
from pathlib import Path
from typing import Any

import chess
import numpy as np

import cells
import chapters
from rookery.techniques import ALL

ROOT = Path(__file__).parents[2]


def recorded(name: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((ROOT / "benchmarks" / f"{name}.json").read_text(encoding="utf-8"))
    return result


def test_the_record_has_every_technique() -> None:
    rows = recorded("technique_uses")["techniques"]
    assert [row["name"] for row in rows] == [t.name for t in ALL]
    (reference,) = (row for row in rows if row["name"] == "pext")
    assert {reference[f"{use}_to_pext"] for use in ("arrays", "one_at_a_time", "perft")} == {1}


def test_every_chapter_has_a_row() -> None:
    result = chapters.measure(progress=lambda _: None, rounds=1)
    names = [path.stem for path in sorted((ROOT / "docs" / "tutorial").glob("[0-9]*.md"))]
    names = [name for name in names if not name.startswith("00")]  # which asks what loops cost
    for found in (result, recorded("chapters")):
        assert list(dict.fromkeys(row["chapter"] for row in found["rows"])) == names


def test_what_chapters_say_of_their_figures_is_recorded() -> None:
    uses = {row["name"]: row for row in recorded("technique_uses")["techniques"]}
    alone = {name: row["one_at_a_time_ns"] for name, row in uses.items()}
    perft = {name: row["perft_to_pext"] for name, row in uses.items()}  # of rounds in turns
    ratios: dict[str, list[float]] = {}
    for row in recorded("chapters")["rows"]:
        ratios.setdefault(row["chapter"], []).append(row["ratio"])
    one_king, all_pieces = ratios["04-scanning"]
    assert all_pieces < 1.5 < one_king  # visiting all squares gains little
    assert alone["classical"] < alone["kogge-stone"]  # for a single queen, on a Zen 3
    assert alone["magic-fancy"] > alone["hyperbola"]  # each look-up waits for the one before it
    assert perft["magic-fancy"] > max(perft[name] for name in ("hyperbola", "kindergarten", "rotated-hyatt-64"))
    assert perft["pext"] == max(perft.values())
    found = recorded("magics")["find"]
    assert all(row["median_ms"] < 1 for row in found)  # less than a thousandth of a second


def test_cells_count_legal_moves_as_python_chess_does() -> None:
    positions = chapters.simple_positions()[:40]
    colours = np.array([0 if fen.split()[1] == "w" else cells.BLACK for fen in positions.to_fens()])
    out = np.zeros(len(positions), np.int64)
    lists = np.zeros(64, np.int64), np.zeros(64, np.int64)
    cells.count_moves(chapters.boards_of(positions), colours, out, cells.STEPS, *lists)
    assert out.tolist() == [chess.Board(fen).legal_moves.count() for fen in positions.to_fens()]
    assert len(set(out.tolist())) > 10
