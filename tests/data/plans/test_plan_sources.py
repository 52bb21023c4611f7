"""Sources of plans: the same games and positions, however they are stored, give the same rows."""

import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
from rookery import Board, Games, Positions, ScoredPositions, read_pgn, scan
from rookery.games.errors import GameErrorException
from rookery.sources.failures import NotGamesError

GAMES = Path("tests/samples/lichess-2025-05.pgn")
ASKED = ("number", "game", "ply", "fen", "move", "White", "WhiteElo", "clock", "eval", "result")
QUERY = "is_check or next(is_check)"
FENS = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", chess.STARTING_FEN]


@pytest.fixture(scope="module")
def games() -> Games:
    return read_pgn(GAMES)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = scan(GAMES).positions(QUERY).select(*ASKED).collect().to_pylist()
    assert len(found) > 40
    return found


def stored(kind: str, folder: Path, games: Games) -> Any:
    """Return the games as a source of some kind."""
    if kind == "memory":
        return games
    if kind in ("table", "batches"):
        return games.to_arrow() if kind == "table" else games.to_arrow().to_reader(5)
    path = folder / f"games.{kind}"
    if kind == "pgn.gz":
        path.write_bytes(gzip.compress(GAMES.read_bytes()))
    elif kind == "pgn.zst":
        return "docs/lichess-2025-05.pgn.zst"
    else:
        rookery.write_parquet(games, path)
    return path


@pytest.mark.parametrize("kind", ["memory", "table", "batches", "pgn.gz", "pgn.zst", "parquet", "arrow"])
@pytest.mark.parametrize("executor", [None, "processes:2"])
def test_games(kind: str, executor: str | None, games: Games, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    plan = scan(stored(kind, tmp_path, games)).positions(QUERY).select(*ASKED)
    assert plan.collect(executor=executor, threads=2).to_pylist() == rows


@pytest.mark.parametrize("kind", ["memory", "table", "batches", "pgn.gz", "parquet"])
def test_conditions_on_headers(kind: str, games: Games, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    found = scan(stored(kind, tmp_path, games), where="WhiteElo > 1500").positions(QUERY).select("number", "ply")
    assert found.collect().to_pylist() == [
        {"number": row["number"], "ply": row["ply"]} for row in rows if (row["WhiteElo"] or 0) > 1500
    ]


def test_several_files_are_numbered_on(rows: list[dict[str, Any]]) -> None:
    found = scan([GAMES, GAMES]).positions(QUERY).select(*ASKED).collect().to_pylist()
    number = max(row["game"] for row in scan(GAMES).select("game").collect().to_pylist()) + 1
    assert found == [*rows, *({**row, "game": row["game"] + number} for row in rows)]


def test_ranges_of_a_file_are_numbered_on(
    rows: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rookery.data.pipeline.inputs.TASK_BYTES", 4_000)
    plan = scan(GAMES).positions(QUERY).select(*ASKED)
    assert plan.collect(threads=2).to_pylist() == rows


def training(folder: Path, name: str) -> tuple[Path, ScoredPositions]:
    path = folder / name
    rows = ScoredPositions.from_games(read_pgn(GAMES))
    rows = rows[rows.moves != 0]
    scores = np.arange(len(rows)) % 700 - 350
    rookery.write_training(
        ScoredPositions(rows.positions, moves=rows.moves, scores=scores, results=rows.results, plies=rows.plies), path
    )
    return path, rookery.read_training(path)


@pytest.mark.parametrize("name", ["rows.binpack", "rows.plain", "rows.bin", "rows.viriformat"])
def test_training_data(name: str, tmp_path: Path) -> None:
    path, right = training(tmp_path, name)
    query = "not move.captures and ply > 16"
    columns = ("ply", "fen", "move", "score", "result", "number")
    found = scan(path).positions(query).select(*columns).collect()
    chosen = right.where(query)
    assert found["fen"].to_pylist() == chosen.positions.to_fens()
    assert found["ply"].to_pylist() == chosen.plies.tolist()
    assert found["move"].to_pylist() == chosen.positions.uci(chosen.moves).tolist()
    assert found["result"].to_pylist() == [(result + 1) / 2 for result in chosen.results.tolist()]
    assert found.equals(scan(right).positions(query).select(*columns).collect())
    assert 0 < found.num_rows < len(right)
    with pytest.raises(ValueError, match="'WhiteElo': asks about headers"):
        scan(path).select("WhiteElo").collect()
    with pytest.raises(ValueError, match=r"where: .*neither headers nor columns"):
        scan(path, where="WhiteElo > 3").collect()


def test_training_data_in_ranges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _ = training(tmp_path, "rows.bin")
    monkeypatch.setattr("rookery.data.training.tasks.division.RANGE", 4_000)
    whole = scan(path).positions("is_check").select("fen", "ply")
    assert (
        whole.collect(threads=2).num_rows == rookery.read_training(path, query="is_check").positions.columns.state.size
    )
    games = scan(path).positions("is_check").select("number")  # which needs whole games
    assert games.collect(threads=2).num_rows == whole.collect().num_rows


def test_lines(tmp_path: Path) -> None:
    files = {
        "fens.epd": "\n".join(FENS),
        "rows.csv": "id,fen,cp\n" + "".join(f"{i},{fen},{10 * i}\n" for i, fen in enumerate(FENS)),
        "rows.jsonl": "".join(f'{{"id": {i}, "fen": "{fen}", "cp": {10 * i}}}\n' for i, fen in enumerate(FENS)),
    }
    right = [chess.Board(fen).legal_moves.count() for fen in FENS]
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        plan = scan(tmp_path / name).select("fen", n="legal_moves")
        assert plan.collect().to_pydict() == {"fen": FENS, "n": right}
    for name in ("rows.csv", "rows.jsonl"):
        found = scan(tmp_path / name, where="cp >= 10 and cp < 20").select("fen", "cp").collect()
        assert found["fen"].to_pylist() == FENS[1:2]
    with pytest.raises(ValueError, match=r"where: depth: not a column of .*csv: expected one of id, fen, cp"):
        scan(tmp_path / "rows.csv", where='depth == "3"').collect()
    with pytest.raises(ValueError, match=r"encoding: 'cp1251': .* has no games"):
        scan(tmp_path / "fens.epd", encoding="cp1251").collect()
    with pytest.raises(ValueError, match="query: 'ply > 3': asks about games"):
        scan(tmp_path / "fens.epd").positions("ply > 3").collect()


def test_numbers_that_are_missing_meet_no_condition(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"cp,fen\n5,{FENS[0]}\n,{FENS[1]}\n-7,{FENS[2]}\n")
    assert scan(path, where="cp < 6").collect()["fen"].to_pylist() == [FENS[0], FENS[2]]
    assert scan(path, where="not cp < 0").collect()["fen"].to_pylist() == [FENS[0]]


def test_objects_in_memory(games: Games) -> None:
    positions = Positions.from_fens(FENS)
    assert scan(positions).positions("us.rooks").collect().to_pydict() == {"fen": FENS[1:]}
    table = pa.table({"id": [1, 2, 3], "fen": FENS})
    assert scan(table).positions("us.rooks").collect().to_pydict() == {"id": [2, 3], "fen": FENS[1:]}
    hits = games.search("is_check", headers=["White"])
    found = scan(hits).positions("us.queens").select("number", "ply", "fen", "White").collect()
    right = games.search("is_check and us.queens", headers=["White"])
    assert found.to_pydict() == {
        "number": right.number.tolist(),
        "ply": right.ply.tolist(),
        "fen": right.fens(),
        "White": right["White"].tolist(),
    }
    assert scan([positions, positions]).collect().num_rows == 6


def test_positions_that_are_missing_are_left_out() -> None:
    positions = Positions.from_fens([*FENS, "bad"], errors="mark")
    assert scan(positions).collect().num_rows == len(FENS)


def test_standard_input() -> None:
    code = (
        "import rookery; print(rookery.scan('-', format='games').positions('is_check').select('number', 'ply')"
        ".collect().num_rows)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=GAMES.read_bytes(), capture_output=True, check=True)
    assert int(done.stdout) == len(read_pgn(GAMES).search("is_check"))


def test_json_of_sites(tmp_path: Path) -> None:
    path = tmp_path / "games.ndjson"
    path.write_text('{"id": "abcd1234", "moves": "e4 e5 Nf3", "status": "resign", "winner": "white"}\n')
    board = Board()
    assert scan(path).select("move", "fen").collect().to_pylist()[0] == {"move": "e2e4", "fen": board.fen()}


def test_a_star_is_all_columns(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(f"id,fen\n7,{FENS[0]}\n")
    assert scan(tmp_path / "rows.csv").select("*", "legal_moves").collect().to_pylist() == [
        {"id": 7, "fen": FENS[0], "legal_moves": 6}
    ]
    assert scan(GAMES).select("*", "clock").collect().schema.names == ["file", "number", "ply", "fen", "move", "clock"]
    with pytest.raises(ValueError, match=r"select: 'id': is a column of .*csv, too: give it another name"):
        scan(tmp_path / "rows.csv").select("*", id="legal_moves").collect()


# Tables of games in memory.

unread = pytest.mark.filterwarnings("ignore:.* could not be read to the end")
TEXTS = ["1. e4 e5 2. Ke2 Ke7 *", "1. d4 xx", "", '[Result "1-0"]\n\n1. e4 d5 2. exd5 1-0'] * 3


def table_of_texts() -> pa.Table:
    return pa.table({"movetext": TEXTS, "White": [f"name {i}" for i in range(len(TEXTS))], "n": range(len(TEXTS))})


@unread
@pytest.mark.parametrize("bad", ["keep", "skip"])
@pytest.mark.parametrize("where", [None, "White == 'name 0' or n > 5", "plies > 3"])
def test_a_table_of_texts_in_memory_is_as_its_file(bad: Any, where: str | None, tmp_path: Path) -> None:
    table = table_of_texts()
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=5)
    for source in (table, table.to_batches()[0], table.to_reader(3)):
        found, expected = (
            scan(one, where=where, bad=bad).select("number", "White", "ply", "fen", "result").collect()
            for one in (source, tmp_path / "a.parquet")
        )
        assert found.equals(expected)
        assert found.num_rows


@unread
def test_bad_games_of_tables_in_memory_are_reported(tmp_path: Path) -> None:
    table = table_of_texts()
    pq.write_table(table, tmp_path / "a.parquet")
    reports = []
    for source in (table, tmp_path / "a.parquet"):
        written = scan(source).write_csv(tmp_path / "b.csv", errors=tmp_path / "bad.jsonl")
        reports.append((written, (tmp_path / "bad.jsonl").read_text().replace(str(tmp_path / "a.parquet"), "memory")))
        with pytest.raises(GameErrorException, match=r"game 2, line 1, move 1\.\.\.: SAN move: 'xx'"):
            scan(source, bad="raise").collect()
    assert reports[0] == reports[1]
    assert (reports[0][0].bad, reports[0][0].games) == (3, 12)


def test_the_format_of_a_table_in_memory_decides(tmp_path: Path) -> None:
    table = pa.table({"movetext": ["1. e4 *"], "fen": [FENS[0]]})
    pq.write_table(table, tmp_path / "a.parquet")
    for source in (table, tmp_path / "a.parquet"):
        assert scan(source).select("ply").collect().num_rows == 2
        assert scan(source, format="table").select("ply").collect().num_rows == 2
        assert scan(source, format="fen").select("fen", "movetext").collect().to_pylist() == [
            {"fen": FENS[0], "movetext": "1. e4 *"}
        ]
    with pytest.raises(NotGamesError, match=r"memory: a table .* of 'fen': expected games"):
        scan(pa.table({"fen": FENS}), format="games").collect()


def test_games_of_tables_in_memory_are_written(games: Games, tmp_path: Path) -> None:
    rookery.write_parquet(games, tmp_path / "a.parquet")
    for i, source in enumerate((tmp_path / "a.parquet", games.to_arrow(), games)):
        scan(source).write_pgn(tmp_path / f"{i}.pgn")
        scan(source).write_training(tmp_path / f"{i}.bullet")
    for kind in ("pgn", "bullet"):
        first, *others = ((tmp_path / f"{i}.{kind}").read_bytes() for i in range(3))
        assert first
        assert others == [first, first]


def test_a_stream_of_a_table_is_read_once() -> None:
    table = pa.table({"fen": FENS, "n": range(3)})
    plan = scan(table.to_reader(2)).select("n", "legal_moves")
    assert plan.collect().column("n").to_pylist() == [0, 1, 2]
    assert plan.collect().equals(scan(table).select("n", "legal_moves").collect())


@pytest.mark.parametrize("where", [None, "Opening == 'King'", "ECO != ''"])
def test_openings_are_named_in_memory_as_in_files(where: str | None, tmp_path: Path) -> None:
    names = tmp_path / "names.tsv"
    names.write_bytes(b"eco\tname\tpgn\nC60\tRuy Lopez\t1. e4 e5 2. Nf3 Nc6 3. Bb5\nA00\tKing\t1. e4\n")
    games = read_pgn(b"1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n1. e4 c5 *\n\n1. d4 d5 *\n")
    rookery.write_parquet(games, tmp_path / "a.parquet")
    expected = scan(tmp_path / "a.parquet", where=where, names=names).select("number", "ply", "ECO", "Opening")
    assert set(expected.collect().column("Opening").to_pylist()) >= {"King"}
    for source in (games, games.to_arrow()):
        plan = scan(source, where=where, names=names)
        assert plan.select("number", "ply", "ECO", "Opening").collect().equals(expected.collect())
        plan.write_pgn(tmp_path / "a.pgn")
        scan(tmp_path / "a.parquet", where=where, names=names).write_pgn(tmp_path / "b.pgn")
        assert (tmp_path / "a.pgn").read_bytes() == (tmp_path / "b.pgn").read_bytes()
