"""`annotate`: every format of input, bad rows, and columns that python-chess confirms."""

import gzip
import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import chess
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
from command_line import document, run
from packed import PACKERS
from random_positions import random_position
from rookery.data.pipeline import inputs
from thinning import slow

ALL = "legal_moves,mobility,attacks,checkers,pins,is_check,is_mate,is_stalemate,material,signature,key,tags"
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}


def boards(n: int, seed: int = 1) -> list[chess.Board]:
    """Return boards of random games."""
    rng, board = random.Random(seed), chess.Board()
    found: list[chess.Board] = []
    while len(found) < n:
        moves = list(board.legal_moves)
        if not moves or rng.random() < 0.01:
            found.append(board.copy(stack=False))
            board = chess.Board()
            continue
        board.push(rng.choice(moves))
        found.append(board.copy(stack=False))
    return found[:n]


def pieces(board: chess.Board, colour: chess.Color) -> str:
    return "".join(
        symbol * len(board.pieces(kind, colour)) for kind, symbol in zip(range(6, 0, -1), "KQRBNP", strict=True)
    )


def expected(board: chess.Board) -> dict[str, Any]:
    """Return the values of features, found by python-chess."""
    own = board.occupied_co[board.turn]
    attacks = [board.attacks_mask(square) for square in chess.scan_forward(own)]
    union = 0
    for attacked in attacks:
        union |= attacked
    pinned = [square for square in chess.scan_forward(own) if board.is_pinned(board.turn, square)]
    return {
        "legal_moves": board.legal_moves.count(),
        "mobility": sum((attacked & ~own).bit_count() for attacked in attacks),
        "attacks": union,
        "checkers": board.checkers_mask(),
        "pins": sum(1 << square for square in pinned),
        "is_check": board.is_check(),
        "is_mate": board.is_checkmate(),
        "is_stalemate": board.is_stalemate(),
        "material": sum(VALUES[piece.piece_type] for piece in board.piece_map().values() if piece.color == board.turn),
        "signature": f"{pieces(board, chess.WHITE)}v{pieces(board, chess.BLACK)}",
    }


@pytest.mark.parametrize("n", [2_000, slow(100_000)])
def test_columns_are_those_of_single_boards(n: int, tmp_path: Path) -> None:
    made = boards(n)
    rng = random.Random(7)
    made[: n // 4] = [random_position(rng, False) for _ in range(n // 4)]
    (tmp_path / "fens.txt").write_text("".join(board.fen() + "\n" for board in made))
    done = rookery.annotate(tmp_path / "fens.txt", tmp_path / "out.parquet", ALL)
    assert done == (n, 0, n, 0, ())
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    positions = rookery.Positions.from_fens([board.fen() for board in made])
    for board, row, key, tags in zip(made, rows, positions.keys().tolist(), positions.tags().tolist(), strict=True):
        assert row == {"fen": board.fen(), **expected(board), "key": key, "tags": tags}


FENS = [board.fen() for board in boards(50)]


def written(folder: Path, name: str) -> Path:
    """Write the same rows in a format."""
    path = folder / name
    table = pa.table({"id": [str(i) for i in range(len(FENS))], "fen": FENS})
    if name.endswith(".parquet"):
        pq.write_table(table, path, row_group_size=7)
    elif name.endswith(".arrow"):
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table, 9)
    elif name.endswith(".arrows"):
        with pa.ipc.new_stream(path, table.schema) as file:
            file.write_table(table, 9)
    elif ".jsonl" in name:
        path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    elif ".csv" in name:
        path.write_text("id,FEN\n" + "".join(f'{i},"{fen}"\n' for i, fen in enumerate(FENS)))
    elif name.endswith(".tsv"):
        path.write_text("id\tfen\r\n" + "".join(f"{i}\t{fen}\r\n" for i, fen in enumerate(FENS)))
    else:
        path.write_text("".join(f"{fen}\n" for fen in FENS))
    return path


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.tsv", "a.jsonl", "a.parquet", "a.arrow", "a.arrows"])
def test_every_format_gives_the_same_rows(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, name)
    done = rookery.annotate(path, tmp_path / "out.parquet", "legal_moves, white=white_to_move")
    lines = len(FENS) + (name in ("a.csv", "a.tsv"))
    assert done == (len(FENS), 0, lines, 0, ())
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column("fen").to_pylist() == FENS
    made = [chess.Board(fen) for fen in FENS]
    assert table.column("legal_moves").to_pylist() == [board.legal_moves.count() for board in made]
    assert table.column("white").to_pylist() == [board.turn for board in made]
    assert str(table.schema.field("legal_moves").type) == "uint16"
    if name != "a.txt":
        kind = int if name in ("a.csv", "a.tsv") else str
        assert table.column("id").to_pylist() == [kind(i) for i in range(len(FENS))]


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.jsonl"])
def test_packed_files(name: str, packer: str, tmp_path: Path) -> None:
    path = written(tmp_path, name)
    rookery.annotate(path, tmp_path / "plain.parquet", "legal_moves")
    content = path.read_bytes()
    path.write_bytes(PACKERS[packer](content))
    rookery.annotate(path, tmp_path / "packed.parquet", "legal_moves")
    assert (tmp_path / "packed.parquet").read_bytes() == (tmp_path / "plain.parquet").read_bytes()


def test_utf_16_and_a_byte_order_mark(tmp_path: Path) -> None:
    text = written(tmp_path, "a.csv").read_text()
    for encoding in ("utf-8-sig", "utf-16"):
        (tmp_path / "b.csv").write_text(text, encoding)
        assert rookery.annotate(tmp_path / "b.csv", tmp_path / "out.parquet", "legal_moves").rows == len(FENS)


GOOD = FENS[0].encode()
LINES = [
    GOOD,
    b"",
    b"bad",
    GOOD + b"\0",
    b"\xff\xfe caf\xe9",
    b"  ",
    b"x" * 3_000_000,
    GOOD + b" " * 2_000_000,
    FENS[1].encode() + b"\r",
    "é".encode(),
    b"8/8/8/8/8/8/8/8 x - - 0 1",
    FENS[2].encode(),
]


def test_bad_lines_are_listed_with_line_text_and_reason(tmp_path: Path) -> None:
    path = tmp_path / "fens.txt"
    path.write_bytes(b"\n".join(LINES))
    done = rookery.annotate(path, tmp_path / "out.parquet", "legal_moves", errors=tmp_path / "bad.jsonl")
    bad = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    assert done.lines == len(LINES)
    assert done.rows + done.bad == len(LINES) - 2
    assert pq.read_table(tmp_path / "out.parquet").column("fen").to_pylist() == FENS[:3]
    assert [row["line"] for row in bad] == [3, 4, 5, 7, 8, 10, 11]
    assert {row["file"] for row in bad} == {str(path)}
    assert "not UTF-8 at byte 1" in bad[2]["reason"]
    assert "more than 1,048,576 bytes" in bad[3]["reason"]
    assert "more than 1,048,576 bytes" in bad[4]["reason"]
    assert bad[0]["text"] == "bad"
    assert all(row["reason"] for row in bad)


def test_lines_of_bad_rows_do_not_depend_on_the_division(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "fens.txt"
    path.write_bytes(b"\n".join(LINES * 3))
    found = Counter[bytes]()
    for size in (inputs.TASK_BYTES, 10, 57, 1_000, 2_500_000):
        monkeypatch.setattr(inputs, "TASK_BYTES", size if size > 1_000 else 100_000 + size)
        rookery.annotate(path, tmp_path / "out.parquet", "legal_moves", errors=tmp_path / "bad.jsonl")
        found[(tmp_path / "bad.jsonl").read_bytes() + (tmp_path / "out.parquet").read_bytes()] += 1
    assert len(found) == 1


def test_bad_rows_of_csv_json_and_tables(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'fen,n\n%b,1\nbad,2\n%b\n"%b,3\n%b,\xff\n%b,4\n' % ((GOOD,) * 5))
    (tmp_path / "a.jsonl").write_text(
        "".join(
            line + "\n"
            for line in (
                json.dumps({"fen": FENS[0], "n": 1}),
                "{not json",
                json.dumps({"fen": "bad", "n": 2}),
                json.dumps({"n": 3}),
                "",
                json.dumps({"fen": FENS[0], "n": 4, "more": [1]}) + json.dumps({"fen": FENS[0], "n": 5}),
                json.dumps({"fen": FENS[0], "n": 6}),
            )
        )
    )
    pq.write_table(pa.table({"fen": [FENS[0], None, "bad"], "n": [1, 2, 3]}), tmp_path / "a.parquet")
    for name, rows, lines in (
        ("a.csv", 2, [3, 4, 5, 6]),
        ("a.jsonl", 2, [2, 3, 4, 6]),
        ("a.parquet", 1, [2, 3]),
    ):
        done = rookery.annotate(tmp_path / name, tmp_path / "out.parquet", "legal_moves", errors=tmp_path / "bad.jsonl")
        bad = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
        assert [row["line"] for row in bad] == lines, name
        assert (done.rows, done.bad) == (rows, len(lines)), name


def test_evaluations_of_lichess(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {
            "fen": "7r/1p3k2/p1bPR3/5p2/2B2P1p/8/PP4P1/3K4 b - -",
            "evals": [
                {"pvs": [{"cp": 69, "line": "f7g7 e6e2"}], "knodes": 4189972, "depth": 46},
                {"pvs": [{"cp": 68, "line": "f7g7"}, {"cp": 163, "line": "h8d8"}], "knodes": 606024, "depth": 36},
            ],
        },
        {
            "fen": "8/8/8/8/8/k7/7q/K7 b - -",
            "evals": [{"pvs": [{"mate": -1, "line": "h2a2"}], "knodes": 5, "depth": 9}],
        },
        {"fen": "8/8/8/8/8/k7/7q/K7 w - -", "evals": []},
    ]
    (tmp_path / "evals.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert rookery.annotate(tmp_path / "evals.jsonl", tmp_path / "out.parquet", "legal_moves").rows == 3
    table = pq.read_table(tmp_path / "out.parquet").drop_columns("legal_moves").to_pylist()
    assert table == [
        {"fen": rows[0]["fen"], "depth": 46, "knodes": 4189972, "cp": 69, "mate": None, "line": "f7g7 e6e2"},
        {"fen": rows[1]["fen"], "depth": 9, "knodes": 5, "cp": None, "mate": -1, "line": "h2a2"},
        {"fen": rows[2]["fen"], "depth": None, "knodes": None, "cp": None, "mate": None, "line": None},
    ]


PGN = '[White "Anna"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 d5 2. Qx9 *\n\n1. c4 *\n'


def test_games_and_their_positions(tmp_path: Path) -> None:
    for name in ("a.pgn", "b.pgn"):
        (tmp_path / name).write_text(PGN)
    out = tmp_path / "out.parquet"
    done = rookery.annotate(
        [tmp_path / "a.pgn", tmp_path / "b.pgn"], out, ["legal_moves", 'white=header("White")'], every=2,
        errors=tmp_path / "bad.jsonl",
    )  # fmt: skip
    assert (done.rows, done.bad, done.games) == (12, 2, 6)
    table = pq.read_table(out)
    assert table.column_names == ["file", "number", "ply", "fen", "legal_moves", "white"]
    assert table.column("file").to_pylist() == [str(tmp_path / name) for name in ("a.pgn", "b.pgn") for _ in range(6)]
    assert table.column("number").to_pylist() == [1, 1, 1, 2, 2, 3] * 2
    assert table.column("ply").to_pylist() == [0, 2, 4, 0, 2, 0] * 2
    fens = table.column("fen").to_pylist()
    assert [chess.Board(fen).legal_moves.count() for fen in fens] == table.column("legal_moves").to_pylist()
    assert chess.Board(fens[2]).board_fen() == "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"
    assert [json.loads(line)["line"] for line in (tmp_path / "bad.jsonl").read_text().splitlines()] == [5, 5]
    rookery.write_parquet(rookery.read_pgn([tmp_path / "a.pgn", tmp_path / "b.pgn"]), tmp_path / "games.parquet")
    rookery.annotate(tmp_path / "games.parquet", tmp_path / "stored.parquet", "legal_moves", every=2)
    stored = pq.read_table(tmp_path / "stored.parquet")
    assert stored.equals(table.select(stored.column_names))  # the table knows the files of its games


def test_damaged_files_keep_the_rows_before(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress("".join(f"{fen}\n" for fen in FENS * 200).encode())[:-2_000])
    done = rookery.annotate(path, tmp_path / "out.parquet", "legal_moves")
    assert "cut short" in done.failures[0]
    assert 0 < done.rows < len(FENS) * 200
    content = bytearray(written(tmp_path, "a.parquet").read_bytes())
    content[100:200] = b"\xff" * 100
    (tmp_path / "b.parquet").write_bytes(content)
    assert "damaged Parquet" in rookery.annotate(tmp_path / "b.parquet", tmp_path / "out.parquet", "key").failures[0]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (b"%PDF-1.4", {}, "a PDF document: expected FENs"),
        (b"a,b\n1,2\n", {"source": "csv"}, "fen: 'fen': not a column in line 1 of"),
        (GOOD, {"features": "legal_movs"}, "did you mean legal_moves"),
        (GOOD, {"features": "elo(us)"}, "asks about games"),
        (GOOD, {"features": "fen=count(pawns)"}, "is a column of"),
        (GOOD, {"features": "key,key"}, "named twice"),
        (GOOD, {"features": []}, "expected at least one of legal_moves"),
        (GOOD, {"out": "out.txt"}, "ends in .parquet, .arrow, .csv"),
        (GOOD, {"every": 0}, "every: 0"),
        (GOOD, {"executor": "nonsense"}, "executor: 'nonsense'"),
        (GOOD, {"source": "xml"}, "source: 'xml'"),
    ],
)
def test_errors_are_for_people(content: bytes, options: dict[str, Any], message: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(content)
    options = {"features": "legal_moves", "out": "out.parquet"} | options
    with pytest.raises(ValueError, match=re.escape(message)):
        rookery.annotate(tmp_path / "a", tmp_path / options.pop("out"), **options)


def test_files_with_different_columns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected the same columns in all files"):
        rookery.annotate(
            [written(tmp_path, "a.txt"), written(tmp_path, "a.csv")], tmp_path / "out.parquet", "legal_moves"
        )


def test_the_command(tmp_path: Path) -> None:
    path, out = written(tmp_path, "a.txt"), str(tmp_path / "out.csv")
    result = run(
        "annotate", str(path), "-o", out, "--features", "legal_moves,mobility", "--features", "pawns=count(pawns)"
    )
    assert f"{len(FENS)} lines read, {len(FENS)} rows written, 0 bad" in result.stdout
    assert Path(out).read_text().splitlines()[0] == '"fen","legal_moves","mobility","pawns"'
    assert len(Path(out).read_text().splitlines()) == len(FENS) + 1
    path.write_text("bad\n" + FENS[0])
    result = run("annotate", str(path), "-o", out, "--force", status=1)
    assert "1 bad row; --errors FILE lists them" in result.stderr
    found = document("annotate", str(path), "-o", out, "--force", "--errors", str(tmp_path / "bad"), status=1)
    assert (found["rows"], found["bad"], found["lines"]) == (1, 1, 2)
    assert json.loads((tmp_path / "bad").read_text())["line"] == 1
    assert "No such file" in run("annotate", str(tmp_path / "none"), "-o", out, status=2).stderr.replace(
        "does not exist", "No such file"
    )
