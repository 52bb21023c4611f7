"""Labelled positions in the forms that trainers use: EPD as python-chess reads it, brackets, lines and tables."""

import json
import random
from pathlib import Path
from typing import Any

import chess
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
import zstandard

from command_line import run
from rookery import ScoredPositions, annotate, make_dataset, read_training, scan, scan_training
from rookery.sources.failures import DamagedFileWarning
from training_samples import game

FEN = "8/8/8/4k3/8/8/4P3/4K3"
WHITE, BLACK = f"{FEN} w - - 0 1", f"{FEN} b - - 0 1"


def read(text: str, kind: str = "text") -> tuple[list[int], list[int]]:
    rows = read_training(text.encode(), kind)
    return rows.scores.tolist(), rows.results.tolist()


def mate(moves: int) -> int:
    """The score of a mate: who mates moves last, so a mate in n moves takes 2n - 1 plies, or 2n for the other side."""
    return 32_000 - (2 * moves - 1) if moves > 0 else -32_000 - 2 * moves


@pytest.mark.parametrize(
    ("label", "scores", "result"),
    [
        ("| 310 | 1.0", (310, -310), 1),
        ("| -310 | 0-1", (-310, 310), -1),
        ("| +7 |", (7, -7), None),
        ("| 7", (7, -7), None),
        ("| 0.5", None, 0),
        ("| 1-0", None, 1),
        ("| #+3 | [1.0]", (mate(3), mate(-3)), 1),
        ("| #-2 | 0.0", (mate(-2), mate(2)), -1),
        ("| M3 | 1.0", (mate(3), mate(-3)), 1),
        ("| -#2 |", (mate(-2), mate(2)), None),
        ("[0.5]", None, 0),
        ("[1.0];", None, 1),
        ("[1-0]", None, 1),
        ("[1/2-1/2]", None, 0),
        ("[0]", None, -1),
        ("; [0.500]", None, 0),
        ("1/2-1/2", None, 0),
        ("0.0", None, -1),
        ('"1-0";', None, 1),
        (";0.5", None, 0),
        (", 0-1", None, -1),
        ('c9 "1-0";', None, 1),
        ('ce 35; c9 "1-0";', (35, 35), 1),
        ("dm 4;", (mate(4), mate(4)), None),
        ('hmvc 0; c9 "1/2-1/2"; id "x; y";', None, 0),
    ],
)
def test_labels_are_seen_from_the_side_to_move(label: str, scores: tuple[int, int] | None, result: int | None) -> None:
    found, results = read(f"{WHITE} {label}\n{BLACK} {label}\n")
    assert found == list(scores or (-32_768, -32_768))
    assert results == ([-128, -128] if result is None else [result, -result])


def test_epd_is_read_as_python_chess_reads_it(tmp_path: Path) -> None:
    rng = random.Random(3)
    lines, expected = [], []
    for entry in game(4, plies=80):
        result, score = rng.choice(["1-0", "0-1", "1/2-1/2"]), rng.randint(-900, 900)
        lines.append(entry.board.epd(c9=result, ce=score, id="a; b"))
        board, operations = chess.Board.from_epd(lines[-1])
        white = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[str(operations["c9"])]
        expected.append((operations["ce"], white if board.turn else -white, board.fen().split()[:4]))
    path = tmp_path / "quiet.epd"
    path.write_text("\n".join(lines))
    rows = read_training(path)
    fens = [fen.split()[:4] for fen in rows.positions.to_fens()]
    assert list(zip(rows.scores.tolist(), rows.results.tolist(), fens, strict=True)) == expected
    assert make_dataset(path, tmp_path / "made", split=[1], policy=None).rows == {"train": len(lines)}


def test_mates_of_a_table_stay_apart_from_scores() -> None:
    text = f"\ufeffFEN,Evaluation\n{WHITE},+56\n{BLACK},-10\n{WHITE},#+3\n{BLACK},#+3\n{BLACK},#-1\n{BLACK},#0\n"
    scores, _ = read(text, "csv")
    assert scores == [56, 10, mate(3), mate(-3), mate(1), mate(0)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"{WHITE} [0.5] 35", "'35' after [0.5]: whose score it is is not known"),
        (WHITE, "expected FEN | score | result, FEN [result], or an EPD with c9, ce or dm"),
        (f"{WHITE} | 1 | 2 | 3", "expected FEN | score | result"),
        (f"{WHITE} | 0.35 | 1.0", "cp '0.35': expected -32,767 to 32,767"),
        (f"{WHITE} | #x", "mate 'x': expected -500 to 500"),
        (f"{WHITE} [0.7]", "result '[0.7]': expected 1-0"),
        (f"{WHITE} 0.7", "result '0.7': expected 1-0"),
        (f'{FEN} w - - c9 "draw";', "result 'draw': expected 1-0"),
        (f'{FEN} w - - c9 "1-0', "the quote is not closed"),
        ("x [0.5]", "FEN 'x'"),
    ],
)
def test_bad_labels_are_named_with_their_lines(line: str, reason: str) -> None:
    with scan_training(f"{WHITE} [0.5]\n{line}\n{BLACK} [0.5]\n".encode(), "text", errors="skip") as scan:
        assert len(ScoredPositions.concatenate(scan)) == 2
    (bad,) = scan.bad_rows
    assert (bad.line, bad.text) == (2, line)
    assert reason in bad.reason


def test_annotate_makes_columns_of_labels(tmp_path: Path) -> None:
    lines = [
        f"{BLACK} | 35 | 1.0",
        f"{WHITE} | #-3",
        f'{FEN} b - - c9 "1/2-1/2"; ce 20;',
        "x [0.5]",
        f"{WHITE} 3",
        f"{WHITE} [0.0]",
    ]
    (tmp_path / "a.txt").write_text("\n".join(lines))
    made = annotate(tmp_path / "a.txt", tmp_path / "a.csv", "legal_moves", errors=tmp_path / "bad.jsonl")
    assert (made.rows, made.bad) == (4, 2)
    table = pyarrow.csv.read_csv(tmp_path / "a.csv")
    assert table.drop_columns(["legal_moves"]).to_pydict() == {
        "fen": [BLACK, WHITE, f"{FEN} b - -", WHITE],
        "cp": [35, None, -20, None],
        "mate": [None, -3, None, None],
        "result": ["1-0", "", "1/2-1/2", "0-1"],
    }
    assert [json.loads(line)["line"] for line in (tmp_path / "bad.jsonl").read_text().splitlines()] == [4, 5]


def test_labelled_files_are_converted(tmp_path: Path) -> None:
    (tmp_path / "a.epd").write_text(f'{FEN} b - - c9 "1-0"; ce -35;\n')
    (tmp_path / "b.csv").write_text(f"FEN,Evaluation\n{WHITE},#+3\n")
    paths = [str(tmp_path / name) for name in ("a.epd", "b.csv", "c.plain")]
    run("convert", *paths[:2], "-o", paths[2], "--no-result", "draw")
    rows = read_training(paths[2])
    assert rows.scores.tolist() == [-35, 31_995]
    assert rows.results.tolist() == [-1, 0]


def test_positions_with_results_alone_are_written_with_scores_of_0(tmp_path: Path) -> None:
    (tmp_path / "a.epd").write_text(f'{FEN} b - - c9 "1-0";\n{FEN} w - - ce 30;\n{FEN} w - -\n')
    paths = [str(tmp_path / name) for name in ("a.epd", "b.plain", "c.bullet")]
    assert "--no-score zero writes" in run("convert", paths[0], "-o", paths[1], status=1).stdout
    run("convert", paths[0], "-o", paths[2], "--no-score", "zero", "--no-result", "draw", status=1)
    rows = read_training(paths[2])
    assert rows.scores.tolist() == [0, 30]
    assert rows.results.tolist() == [-1, 0]


def test_a_dataset_of_positions_without_moves_says_so(tmp_path: Path) -> None:
    (tmp_path / "quiet.epd").write_text(f'{FEN} b - - c9 "1-0";\n{FEN} w - - c9 "0-1";\n')
    with pytest.raises(ValueError, match=r"policy: 'alphazero': none of 2 positions has a move: expected rows"):
        make_dataset(tmp_path / "quiet.epd", tmp_path / "made", split=[1])
    assert not (tmp_path / "made").exists()
    assert run("dataset", str(tmp_path / "quiet.epd"), "-o", str(tmp_path / "made"), status=2).stderr


def test_plans_ask_about_the_scores_of_labels(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"FEN,Evaluation\n{WHITE},+56\n{BLACK},-410\n{BLACK},-10\n{WHITE},#+3\n")
    (tmp_path / "b.epd").write_text(f'{FEN} b - - c9 "1-0"; ce -35;\n{FEN} w - - c9 "1-0";\n')
    plan = scan([tmp_path / "a.csv", tmp_path / "b.epd"], format="labels").positions("abs(score) < 400")
    rows = plan.select("file", "score", "result").collect()
    assert rows.column("score").to_pylist() == [56, 10, -35]
    assert rows.column("result").to_pylist() == [None, None, 0]
    paths = [str(tmp_path / name) for name in ("a.csv", "c.csv")]
    out = run("annotate", paths[0], "--from", "labels", "--query", "score > 300", "-o", paths[1])
    assert "2 rows written" in out.stdout
    with pytest.raises(ValueError, match="reads its labels as scores"):
        scan(tmp_path / "a.csv").positions("score > 0").collect()


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.jsonl", "a.jsonl.zst", "evals.jsonl"])
def test_tables_and_json_are_labelled_positions(name: str, tmp_path: Path) -> None:
    pawn = f"{FEN} w - - 0 1"
    rows: list[dict[str, Any]] = [
        {"FEN": pawn, "cp": 35, "mate": None, "line": "e2e4 e5d4", "depth": 20},
        {"FEN": BLACK, "cp": None, "mate": -3, "line": "e5e4", "depth": 30},
        {"FEN": "x", "cp": 1, "mate": None, "line": None, "depth": 1},
        {"FEN": pawn, "cp": -7, "mate": None, "line": None, "depth": 1},
    ]
    path = tmp_path / name
    if name.startswith("evals"):
        shallow = {"pvs": [{"cp": 1000, "line": "e1d1"}], "knodes": 1, "depth": 1}
        lines = []
        for row in rows:
            first = {name: row[name] for name in ("cp", "mate", "line") if row[name] is not None}
            lines.append(json.dumps({"fen": row["FEN"], "evals": [shallow, {"pvs": [first], "depth": 9}]}))
        path.write_text("\n".join(lines))
    elif ".jsonl" in name:
        text = "\n".join(json.dumps(row).replace("FEN", "fen") for row in rows).encode()
        path.write_bytes(zstandard.compress(text) if name.endswith(".zst") else text)
    elif name == "a.parquet":
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=2)
    else:
        with pa.ipc.new_file(path, pa.Table.from_pylist(rows).schema) as writer:
            writer.write_table(pa.Table.from_pylist(rows))
    out = run("convert", str(path), "-o", str(tmp_path / "b.plain"), "--no-result", "draw", status=1).stdout
    assert "3 positions read, 1 bad row, 3 written" in out
    found = read_training(tmp_path / "b.plain")
    assert found.scores.tolist() == [35, mate(3), -7]
    assert found.positions.uci(found.moves).tolist() == ["e2e4", "e5e4", "0000"]
    with pytest.warns(DamagedFileWarning):
        table = scan(path, format="labels").positions("score < 0").select("fen", "score").collect()
    assert table.to_pylist() == [{"fen": pawn, "score": -7}]


def test_columns_without_labels_are_no_training_data(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"fen": WHITE, "themes": "x"}))
    with pytest.raises(ValueError, match=r"a\.jsonl: has no scores: expected games or training data"):
        scan(tmp_path / "a.jsonl").write_training(tmp_path / "b.plain")
