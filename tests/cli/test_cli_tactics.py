"""``rookery tactics`` with files of puzzles."""

import csv
import json
from pathlib import Path

from command_line import document, run

SAMPLE = Path(__file__).parents[1] / "samples" / "puzzles.csv"
MATE = "6k1/5ppp/8/8/8/7P/5PP1/R5K1 b - - 0 1"


def test_tags(tmp_path: Path) -> None:
    out = tmp_path / "tags.csv"
    printed = document("tactics", str(SAMPLE), "-o", str(out))
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert (printed["puzzles"], printed["bad"], printed["complete"]) == (len(rows), 0, True)
    assert printed["themes"]["fork"] == sum("fork" in row["Themes"].split() for row in rows)
    with out.open(encoding="utf-8", newline="") as file:
        assert [row["PuzzleId"] for row in csv.DictReader(file)] == [row["PuzzleId"] for row in rows]
    assert "puzzles/s" in run("tactics", str(SAMPLE)).stdout


def test_bad_rows(tmp_path: Path) -> None:
    puzzles, errors, out = tmp_path / "puzzles.csv", tmp_path / "errors.json", tmp_path / "tags.csv"
    puzzles.write_text(f"PuzzleId,FEN,Moves\na,{MATE},g8h8 a1a8\nb,{MATE},g8h8 a1a9\n")
    result = run("tactics", str(puzzles), "-o", str(out), "--errors", str(errors), status=1)
    assert "line 3: Moves 'a1a9': expected a move in UCI notation (move 2 of the line)" in result.stderr
    assert out.read_text() == "PuzzleId,Themes\na,backRankMate endgame mate mateIn1 oneMove rookEndgame\n"
    (line,) = errors.read_text().splitlines()
    assert json.loads(line) == {
        "line": 3,
        "puzzle": "b",
        "field": "Moves",
        "value": "a1a9",
        "reason": "expected a move in UCI notation (move 2 of the line)",
    }


def test_wrong_arguments(tmp_path: Path) -> None:
    assert "there is no such file" in run("tactics", str(tmp_path / "puzzles.csv"), status=2).stderr
    puzzles = tmp_path / "puzzles.csv"
    puzzles.write_text("PuzzleId,FEN\n")
    assert "expected the columns PuzzleId, FEN and Moves" in run("tactics", str(puzzles), status=2).stderr
    assert (
        "is the file of puzzles itself" in run("tactics", str(puzzles), "-o", str(puzzles), "--force", status=2).stderr
    )
    assert "not for a position" in run("tactics", MATE, "-o", str(tmp_path / "x"), status=2).stderr
