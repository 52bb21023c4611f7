"""`Plan.explain`: predictions from a sample, and what a run finds."""

import re
from pathlib import Path

import pytest

from rookery import Positions, ScoredPositions, read_pgn, scan, write_training

GAMES = Path("tests/samples/lichess-2025-05.pgn")


def values(text: str) -> list[list[str]]:
    """Return what stands behind the steps, row by row, without the heads."""
    return [re.split(r" {2,}", line)[1:] for line in text.splitlines()[1:]]


def found(row: list[str]) -> str:
    """Return the actual number of rows in a row: the first one after the prediction that is not a guess."""
    return next(value for value in row[1:] if not value.startswith("~"))


def test_actual_rows_are_those_of_a_run() -> None:
    plan = scan(GAMES).positions("is_check", every=2).select("ply").unique("ply").sort("ply").head(4)
    text = plan.explain(run=True)
    steps = [line.split("  ")[0] for line in text.splitlines()[1:]]
    assert steps[1:3] == ["positions('is_check', every=2)", "select('ply')"]
    chosen = scan(GAMES).positions("is_check", every=2).select("ply").collect()["ply"].to_pylist()
    right = ["645", str(len(chosen)), str(len(chosen)), str(len(set(chosen))), "4"]
    assert [found(row) for row in values(text)] == right


def test_small_files_are_predicted_exactly() -> None:
    read, chosen, selected = values(scan(GAMES).positions("is_check").select("ply").explain())
    right = scan(GAMES).positions("is_check").collect().num_rows
    assert (read[0], chosen[0], selected[0]) == ("~645", f"~{right}", f"~{right}")
    assert selected[1].startswith("~")


def test_large_files_are_predicted_from_their_first_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(GAMES.read_bytes() * 20)
    monkeypatch.setattr("rookery.data.pipeline.inputs.TASK_BYTES", 1 << 17)
    (read,) = values(scan(path).explain())
    assert 0.8 * 20 * 645 < int(read[0].lstrip("~").replace(",", "")) < 1.2 * 20 * 645


def test_all_kinds_of_sources_are_explained(tmp_path: Path) -> None:
    games = read_pgn(GAMES)
    rows = ScoredPositions.from_games(games)
    write_training(ScoredPositions(rows.positions, scores=rows.plies, results=rows.results), tmp_path / "rows.plain")
    (tmp_path / "fens.txt").write_text("\n".join(rows.positions.to_fens()))
    for source in (games, rows, rows.positions, tmp_path / "rows.plain", tmp_path / "fens.txt"):
        (row,) = values(scan(source).explain(run=True))
        assert row[0] == f"~{found(row)}"
    (row,) = values(scan(Positions.from_fens([])).explain())
    assert row[0] == "~0"
