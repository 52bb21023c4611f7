"""``rookery search``."""

import csv
import gzip
import io
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess
import chess.pgn
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from click.testing import CliRunner

import rookery
from command_line import document, run
from game_samples import SAMPLE
from rookery.cli import main
from thinning import few

COLUMNS = ["file", "number", "ply", "fen", "san", "uci", "squares", "White", "Black"]


def checks() -> list[tuple[int, int, str]]:
    """The number of the game, the half-move and the FEN of every position in check, by python-chess."""
    found = []
    with SAMPLE.open(encoding="utf-8") as file:
        for number in range(1, 13):
            game = chess.pgn.read_game(file)
            assert game is not None
            board = game.board()
            for move in [*game.mainline_moves(), None]:
                if board.is_check():
                    found.append((number, board.ply(), board.fen(en_passant="fen")))
                if move:
                    board.push(move)
    return found


CHECKS = checks()


def test_boards_a_list_and_a_summary() -> None:
    printed = run("search", str(SAMPLE), "attackers(us.king, by=them)").stdout
    first = printed.splitlines()
    assert first[:2] == [
        "game 1, 16... Kf7         game 1, 21. Kf2           game 1, 22. end",
        "alanbrito4 - Meridyan     alanbrito4 - Meridyan     alanbrito4 - Meridyan",
    ]
    assert first[7] == "3 B*P N . . P . P         3 B P . . . P . b         3 B P . . . P . b"
    assert first[10] == "  a b c d e f g h           a b c d e f g h           a b c d e f g h"
    assert max(map(len, first)) <= 80
    listed = printed.split("\n\n")[1].splitlines()
    assert listed[0].split() == ["game", "move", "squares", "White", "Black"]
    assert listed[1].split() == ["1", "16...", "Kf7", "a3", "alanbrito4", "Meridyan"]
    assert len(listed) == 11
    games = len({number for number, _, _ in CHECKS})
    assert re.search(rf"^{len(CHECKS)} hits in {games} of 12 games, 633 plies, [\d.]+ s, [\d.]+ M plies/s$", first[-1])


def test_how_many_hits_are_shown() -> None:
    for boards, listed in ((0, 0), (1, 0), (0, 3), (5, 2), (50, 50)):
        printed = run("search", str(SAMPLE), "is_check", "--boards", str(boards), "--list", str(listed)).stdout
        assert printed.count("a b c d e f g h") == min(boards, len(CHECKS))
        assert len(re.findall(r"^ +\d+  \d+\.", printed, re.M)) == min(listed, len(CHECKS))
    printed = run("search", str(SAMPLE), "is_check and is_stalemate").stdout
    assert printed.startswith("0 hits in 0 of 12 games, ")
    assert run("search", str(SAMPLE), "is_mate").stdout.splitlines()[-1].startswith("1 hit in 1 of 12 games, ")


def test_several_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.pgn.gz").write_bytes(gzip.compress(SAMPLE.read_bytes()))
    (tmp_path / "b.pgn.zst").write_bytes(zstandard.compress(SAMPLE.read_bytes()))
    rookery.write_parquet(rookery.read_pgn(SAMPLE), tmp_path / "c.parquet")
    printed = document("search", str(tmp_path / "*.pgn*"), str(tmp_path / "c.parquet"), "is_check")
    assert (printed["hits"], printed["games"], printed["plies"]) == (3 * len(CHECKS), 36, 3 * 633)
    files = [row["file"] for row in printed["rows"]]
    # Hits in a table name the file of PGN that its games come from.
    assert list(dict.fromkeys(files)) == [str(tmp_path / "a.pgn.gz"), str(tmp_path / "b.pgn.zst"), str(SAMPLE)]
    text = run("search", str(tmp_path / "*.pgn*"), "is_mate").stdout
    assert re.search(r"^ file +game +move +White +Black *$", text, re.M) or "file" not in text.splitlines()[0]
    assert "a.pgn.gz" in text


def test_json() -> None:
    printed = document("search", str(SAMPLE), "attackers(us.king, by=them)", "--headers", "ECO, White")
    rows = printed["rows"]
    assert [(row["number"], row["ply"], row["fen"]) for row in rows] == CHECKS
    assert list(rows[0]) == [*COLUMNS[:7], "ECO", "White"]
    for row in rows:
        board = chess.Board(row["fen"])
        assert row["squares"] == [chess.square_name(square) for square in board.checkers()]
        assert (row["san"] == "") == (row["uci"] == "")
        assert not row["san"] or board.parse_san(row["san"]).uci() == row["uci"]
    assert (printed["hits"], printed["games"], printed["plies"]) == (len(CHECKS), 12, 633)
    assert (printed["complete"], printed["failures"], printed["out"]) == (True, [], None)
    assert "rows" not in document("search", str(SAMPLE), "is_check", "--count")


def test_count() -> None:
    assert run("search", str(SAMPLE), "is_check", "--count").stdout == f"{len(CHECKS)}\n"
    assert run("search", str(SAMPLE), "is_check", "--count", "--limit", "5").stdout == "5\n"
    games = len({number for number, _, _ in CHECKS})
    assert run("search", str(SAMPLE), "is_check", "--count", "--one-per-game").stdout == f"{games}\n"
    assert run("search", str(SAMPLE), "is_check", "--count", "--threads", "2").stdout == f"{len(CHECKS)}\n"


def test_counts_by_a_header_or_an_expression() -> None:
    games = rookery.read_pgn(SAMPLE)
    printed = document("search", str(SAMPLE), "is_check", "--by", "ECO")
    expected: dict[str, list[int]] = {}
    for number, _, _ in CHECKS:
        expected.setdefault(str(games["ECO"][number - 1]), []).append(number)
    rows = {count["value"]: (count["hits"], count["games"]) for count in printed["counts"]}
    assert rows == {eco: (len(numbers), len(set(numbers))) for eco, numbers in expected.items()}
    text = run("search", str(SAMPLE), "is_check", "--by", "ECO").stdout
    assert re.match(r" ECO  hits  games *\n C44     6      1 *\n", text)
    assert "a b c d e f g h" not in text
    by_side = document("search", str(SAMPLE), "is_check", "--by", "white_to_move")["counts"]
    white = sum(chess.Board(fen).turn for _, _, fen in CHECKS)
    assert {count["value"]: count["hits"] for count in by_side} == {"True": white, "False": len(CHECKS) - white}


@pytest.mark.parametrize("by", ["ECO", "elo(us)//500, is_check"])
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow"])
def test_a_table_of_counts_is_written(by: str, suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    counts = document("search", str(SAMPLE), "ply > 9", "--by", by)["counts"]
    path = tmp_path / f"counts{suffix}"
    written = document("search", str(SAMPLE), "ply > 9", "--by", by, "-o", str(path), "--threads", "2")
    assert written["values"] == len(counts)
    if suffix == ".csv":
        lines = path.read_text().splitlines()
        assert lines[0].endswith('"hits","games"')
        assert [tuple(map(int, line.split(",")[-2:])) for line in lines[1:]] == [
            (count["hits"], count["games"]) for count in counts
        ]


def test_choice_of_games() -> None:
    games = rookery.read_pgn(SAMPLE)
    strong = {i + 1 for i in range(12) if games["WhiteElo"][i] >= 1500}
    printed = document("search", str(SAMPLE), "is_check", "--where", "WhiteElo >= 1500")
    assert [(row["number"], row["ply"]) for row in printed["rows"]] == [c[:2] for c in CHECKS if c[0] in strong]
    assert printed["games"] == len(strong)


def test_order_and_context() -> None:
    arguments = ("search", str(SAMPLE), "is_check", "--sort-by", "count(us.pieces)", "--limit", "4", "--context", "1")
    rows = document(*arguments)["rows"]
    sizes = [bin(chess.Board(fen).occupied_co[chess.Board(fen).turn]).count("1") for _, _, fen in CHECKS]
    assert [row["value"] for row in rows] == sorted(sizes, reverse=True)[:4]
    assert all(row["context"].split()[1] == "*" for row in rows)
    text = run(*arguments).stdout
    assert re.search(r"^ value  game  move +squares +White +Black +context *$", text, re.M)
    assert text.splitlines()[-1].startswith("4 hits in ")


@pytest.mark.parametrize("query", ["elo > 1500", 'header("ECO") != "B01"', "elo - elo(them) > 100 and is_check"])
def test_headers_in_queries(query: str, tmp_path: Path) -> None:
    expected = len(rookery.read_pgn(SAMPLE).search(query))
    assert expected
    assert document("search", str(SAMPLE), query, "--count")["hits"] == expected
    run("search", str(SAMPLE), query, "-o", str(tmp_path / "hits.pgn"))
    assert len(rookery.read_pgn(tmp_path / "hits.pgn"))
    values = document("search", str(SAMPLE), "is_check", "--sort-by", "elo", "--limit", "2")["rows"]
    assert len(values) == 2


def columns(line: str) -> list[str]:
    return re.split(r"  +", line)


def test_explanation() -> None:
    text = run("search", str(SAMPLE), "is_check and count(us.pieces) > 8", "--explain").stdout
    head, joined, *terms = text.splitlines()[-4:]
    assert head.split("  ")[0] == "term"
    assert joined == "all, in this order"
    measured = {term[1]: [int(number.replace(",", "")) for number in term[3:]] for term in map(columns, terms)}
    assert measured.keys() == {"is_check", "count(us.pieces) > 8"}
    assert all(evaluated >= true > 0 for evaluated, true in measured.values())
    printed = document("search", str(SAMPLE), "is_check and count(us.pieces) > 8", "--explain", "--count")
    assert printed["plan"][1] == "all, in this order"


def test_tables(tmp_path: Path) -> None:
    paths = {suffix: tmp_path / f"hits.{suffix}" for suffix in ("parquet", "arrow", "csv")}
    for path in paths.values():
        printed = run("search", str(SAMPLE), "attackers(us.king, by=them)", "-o", str(path)).stdout
        assert f"{len(CHECKS)} hits in " in printed
    tables = [pq.read_table(paths["parquet"]), pa.ipc.open_file(paths["arrow"]).read_all()]
    for table in tables:
        assert table.column_names == COLUMNS
        assert table.schema.field("squares").type == pa.uint64()
        rows = zip(*(table[name].to_pylist() for name in ("number", "ply", "fen")), strict=True)
        assert list(rows) == CHECKS
    with paths["csv"].open(encoding="utf-8", newline="") as file:
        csv_rows = list(csv.DictReader(file))
    assert [(int(row["number"]), int(row["ply"]), row["fen"]) for row in csv_rows] == CHECKS
    boards = [rookery.Bitboard.of(*row["squares"].split()) for row in csv_rows]
    assert list(map(int, boards)) == tables[0]["squares"].to_pylist()
    assert len(list(tmp_path.iterdir())) == 3


def test_rows_of_plans(tmp_path: Path) -> None:
    """The options have the same names and the same rows as those of ``rookery annotate``."""
    options = ["--select", "number,ply", "--select", "n=legal_moves", "--every", "2", "--sort=-ply"]
    written = document("search", str(SAMPLE), "is_check", *options, "-o", str(tmp_path / "searched.csv"))
    assert (written["games"], written["rows"]) == (12, sum(ply % 2 == 0 for _, ply, _ in checks()))
    run("annotate", str(SAMPLE), "--query", "is_check", *options, "-o", str(tmp_path / "annotated.csv"))
    text = (tmp_path / "searched.csv").read_text()
    assert text == (tmp_path / "annotated.csv").read_text()
    rows = list(csv.reader(io.StringIO(text)))
    by_number = sorted((number, ply, fen) for number, ply, fen in checks() if ply % 2 == 0)
    expected = [[str(n), str(ply), str(chess.Board(fen).legal_moves.count())] for n, ply, fen in by_number]
    assert rows == [["number", "ply", "n"], *sorted(expected, key=lambda row: -int(row[1]))]


def test_plans_keep_positions_once_and_stop_at_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    document("search", str(SAMPLE), "ply < 3", "--unique", "--select", "fen", "-o", str(path))
    fens = pq.read_table(path).column("fen").to_pylist()
    whole = rookery.scan(SAMPLE).positions(to_ply=2).select("fen").collect().column("fen").to_pylist()
    assert fens == list(dict.fromkeys(whole))
    cut = tmp_path / "cut.parquet"
    document("search", str(SAMPLE), "ply < 3", "--shuffle", "--seed", "5", "--limit", "7", "-o", str(cut))
    expected = rookery.scan(SAMPLE).positions(to_ply=2).shuffle(5).head(7).collect()
    assert pq.read_table(cut).to_pylist() == expected.to_pylist()
    games = tmp_path / "out.pgn"
    assert document("search", str(SAMPLE), "is_mate", "--every", "2", "-o", str(games))["rows"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--select", "fen"), "--sample, --unique, --sort, --shuffle and --split make the rows of -o: expected -o"),
        (("--every", "2"), "--sample, --unique, --sort, --shuffle and --split make the rows of -o: expected -o"),
        (("--unique", "--context", "1", "-o", "x.csv"), "--context: shows hits: expected an output without --by"),
        (("--sort", "ply", "--headers", "ECO", "-o", "x.csv"), "--headers: shows hits: expected an output without"),
        (("--by", "ECO", "--count", "-o", "x.csv"), "--count: shows hits: expected an output without --by"),
        (("--by", "ECO", "--unique", "-o", "x.csv"), "--by: counts all hits: expected none of --sort-by"),
        (("--select", "fen", "-o", "x.pgn"), "write_pgn: writes whole games"),
    ],
)
def test_options_of_plans_and_of_hits(
    options: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in run("search", str(SAMPLE), "is_check", *options, status=2).stderr
    assert not list(tmp_path.iterdir())


def test_tables_are_sorted_and_cut(tmp_path: Path) -> None:
    path = tmp_path / "hits.csv"
    order = ("--sort-by", "-ply", "--limit", "3", "--headers", "")
    run("search", str(SAMPLE), "is_check", "-o", str(path), *order)
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert list(rows[0]) == [*COLUMNS[:7], "value"]
    assert [int(row["ply"]) for row in rows] == sorted(ply for _, ply, _ in CHECKS)[:3]


def test_no_hits(tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").write_text("\n")
    for source in (SAMPLE, tmp_path / "empty.pgn"):
        for suffix in ("parquet", "arrow", "csv", "pgn"):
            path = tmp_path / f"hits.{suffix}"
            assert document("search", str(source), "is_stalemate", "-o", str(path), "--force")["hits"] == 0
            assert path.exists()
        assert pq.read_table(tmp_path / "hits.parquet").num_rows == 0
        assert (tmp_path / "hits.csv").read_text().startswith("file,number,ply,fen")
        assert (tmp_path / "hits.pgn").read_text() == ""


def test_games_with_hits(tmp_path: Path) -> None:
    path = tmp_path / "mates.pgn"
    run("search", str(SAMPLE), "is_check", "-o", str(path))
    games, found = rookery.read_pgn(SAMPLE), rookery.read_pgn(path)
    numbers = sorted({number for number, _, _ in CHECKS})
    assert found["White"].tolist() == [games["White"][number - 1] for number in numbers]
    assert [found.plies[i] for i in range(len(found))] == [games.plies[number - 1] for number in numbers]
    assert "%clk" in path.read_text()


def test_standard_input() -> None:
    result = CliRunner().invoke(main, ["search", "-", "is_check", "--json"], input=SAMPLE.read_bytes())
    assert result.exit_code == 0, result.output
    printed = json.loads(result.stdout)
    assert [(row["number"], row["ply"], row["fen"]) for row in printed["rows"]] == CHECKS
    assert printed["rows"][0]["file"] == "standard input"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("is_chek",), "unknown name is_chek: expected a name of the language; did you mean is_check?\n"),
        (("is_check and",), "query: "),
        (("count(us.pawns)",), "expected a condition or a set, not a number; compare it with a value"),
        (("is_check", "--by", "nonsense"), "unknown name nonsense"),
        (("is_check", "--sort-by", "us.pawns"), "sort_by: us.pawns: expected a number, not a set"),
        (("is_check", "--where", "Elo = 3"), "where: =: expected '=='"),
        (("is_check", "--where", "Elo == 3"), "Elo"),
        (("is_check", "-o", "hits.txt"), "-o: hits.txt: expected a name that ends in .parquet, .arrow, .csv, .pgn"),
        (("is_check", "--by", "ECO", "--limit", "3"), "--by: counts all hits"),
        (("is_check", "--sort-by", "ply", "-o", "hits.pgn"), "--sort-by: orders hits, not games"),
        (("is_check", "--limit", "-1"), "--limit"),
        (("is_check", "--context", "-1"), "--context"),
        (("is_check", "--threads", "0"), "--threads"),
    ],
)
def test_wrong_arguments(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("search", str(SAMPLE), *arguments, status=2)
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []


def test_errors_of_a_query_point_at_the_place() -> None:
    query = "us.knights & knight_atacks(them.king)"
    lines = run("search", str(SAMPLE), query, status=2).stderr.splitlines()
    assert f"    {query}" in lines
    caret = lines[lines.index(f"    {query}") + 1]
    assert caret == "    " + " " * query.index("knight_atacks") + "^" * len("knight_atacks")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    assert "nowhere.pgn" in run("search", str(tmp_path / "nowhere.pgn"), "is_check", status=2).stderr
    result = run("search", "is_check", str(SAMPLE), status=2)
    assert "'is_check'" in result.stderr


def test_bad_games_are_searched_up_to_the_fault(tmp_path: Path) -> None:
    path = tmp_path / "bad.pgn"
    path.write_text('[Event "x"]\n\n1. e4 e5 2. Ke5 d5 *\n\n1. e4 *\n')
    printed = document("search", str(path), "ply >= 0", status=1)
    assert [(row["number"], row["ply"]) for row in printed["rows"]] == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]
    assert printed["bad"] == 1
    assert (printed["games"], printed["plies"], printed["complete"]) == (2, 3, True)


@pytest.mark.parametrize("suffix", ["csv", "pgn"])
def test_what_precedes_the_damage_is_searched(tmp_path: Path, suffix: str) -> None:
    data = b"".join(zstandard.compress(SAMPLE.read_bytes()) for _ in range(2))
    path = tmp_path / "cut.zst"
    path.write_bytes(data[:-100])
    result = run("search", str(path), str(SAMPLE), "is_check", "-o", str(tmp_path / f"hits.{suffix}"), status=1)
    assert "Error: " in result.stderr
    assert "cut.zst: cut short" in " ".join(result.stderr.split())
    printed = document("search", str(path), str(SAMPLE), "is_check", status=1)
    assert not printed["complete"]
    assert printed["hits"] >= 2 * len(CHECKS)
    assert (tmp_path / f"hits.{suffix}").stat().st_size > 1000


def test_texts_of_headers_are_printed_without_markup(tmp_path: Path) -> None:
    path = tmp_path / "odd.pgn"
    path.write_text('[White "[red]\x1b[31m{0}"]\n[OddName "[/x]"]\n\n1. e4 *\n', encoding="utf-8")
    printed = run("search", str(path), "ply == 0", "--headers", "White,OddName").stdout
    assert "\x1b" not in printed
    assert "[red]\\x1b[31m{0}" in printed
    assert "[/x]" in printed
    assert "[red]\\x1b[31m{0}" in run("search", str(path), "ply == 0", "--by", "White").stdout
    by = 'count(pattern("[QR]???????"))'
    assert run("search", str(path), "ply == 0", "--by", by).stdout.startswith(f" {by} ")


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.parametrize("suffix", few(["csv", "parquet", "pgn"], 1))
def test_an_interrupt_leaves_nothing_half_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"hits.{suffix}"
    command = [sys.executable, "-m", "rookery", "search", "-", "ply >= 0", "-o", str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:  # type: ignore[call-overload]
        for _ in range(600):  # the file under another name says that reading has begun
            if list(tmp_path.iterdir()):
                break
            time.sleep(0.1)
        process.stdin.write(SAMPLE.read_text())
        process.stdin.flush()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert stdout.startswith("interrupted: nothing was written\n")
    assert list(tmp_path.iterdir()) == []


def test_queries_read_the_headers_that_they_need() -> None:
    headers = []
    with SAMPLE.open(encoding="utf-8") as file:
        while (found := chess.pgn.read_headers(file)) is not None:
            headers.append(found)
    options = ["--headers", "Event", "--count"]
    strong = sum(int(found["BlackElo"]) > 1300 for found in headers)
    assert run("search", str(SAMPLE), "elo > 1300 and ply == 1", *options).stdout == f"{strong}\n"
    french = sum(found["ECO"].startswith("C0") for found in headers)
    assert run("search", str(SAMPLE), '"C0" in header("ECO") and ply == 1', *options).stdout == f"{french}\n"
    rows = document("search", str(SAMPLE), "ply == 0", "--sort-by", "elo - elo(them)")["rows"]
    gaps = [int(found["WhiteElo"]) - int(found["BlackElo"]) for found in headers]
    assert [row["value"] for row in rows] == sorted(gaps, reverse=True)


def test_errors_name_the_option() -> None:
    for by in ("move.piec", "signatur"):
        assert run("search", str(SAMPLE), "is_check", "--by", by, status=2).stderr.startswith("Error: --by: ")


def test_an_executor_finds_the_same(tmp_path: Path) -> None:
    wanted = ["search", str(SAMPLE), "is_check", "--headers", "White"]
    here, there = document(*wanted), document(*wanted, "--executor", "threads:2")
    for answer in (here, there):
        del answer["seconds"]
    assert here == there
    assert run(*wanted, "--count", "--executor", "processes:1").stdout == f"{len(CHECKS)}\n"
    for other in (["-o", str(tmp_path / "hits.pgn")], ["--explain"]):
        assert "--executor: goes neither with" in run(*wanted, "--executor", "threads:1", *other, status=2).stderr
    assert "executor: 'nothing': expected" in run(*wanted, "--executor", "nothing", status=2).stderr


def test_an_interrupted_plan_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rookery.data.plans.running import Ready

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    command = ["search", str(SAMPLE), "is_check", "-o", str(tmp_path / "out.csv"), "--select", "ply"]
    with monkeypatch.context() as patch:
        patch.setattr(Ready, "write", interrupted)
        assert run(*command, status=130).stdout.startswith("interrupted: the same command goes on from here")
    run(*command)
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
