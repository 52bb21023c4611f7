"""Names of openings by position: python-chess finds the deepest one of each game."""

import io
import pickle
import random
import re
from pathlib import Path
from typing import Any, Final

import chess
import chess.pgn
import numpy as np
import pyarrow as pa
import pytest

import rookery
from command_line import document, run
from game_samples import SAMPLE
from rookery import Board, OpeningNames, read_opening_names, read_pgn
from rookery.games.headers.opening_names import OpeningName
from rookery.games.read.options import ReadOptions

WITH_HEADERS: Final = re.split(r"\n\n+(?=\[Event)", SAMPLE.read_text().strip())
TEXTS: Final = [re.sub(r'\[(?:ECO|Opening) "[^"]*"\]\n', "", text) for text in WITH_HEADERS]
# The same pieces stand there after more moves, too; black loses a move.
TRANSPOSED: Final = "1. e3 e6 2. e4 e5 3. Nf3 Nf6 4. Nc3 Nc6 5. Bb5 Bb4 *"
PGN: Final = "\n\n".join([*TEXTS, TRANSPOSED, "1. a3 a6 *", '[ECO "?"]\n[Opening "Mine"]\n\n1. e4 e5 *', "*"]).encode()


def parsed(text: bytes) -> list[chess.pgn.Game]:
    file = io.StringIO(text.decode())
    return list(iter(lambda: chess.pgn.read_game(file), None))


def made_names() -> list[tuple[str, str, list[chess.Move]]]:
    """Return codes, names and moves: some of the beginnings of the games, with names of our own."""
    rng, lines = random.Random(4), {}
    for game in parsed(PGN):
        moves = list(game.mainline_moves())
        for plies in {1, 2, 3, rng.randrange(4, 14)}:
            board = chess.Board()
            for move in moves[:plies]:
                board.push(move)
            if len(moves) >= plies and rng.random() < 0.8:
                lines[board.epd()] = moves[:plies]
    named = enumerate(lines.values())
    return [(f"{'ABCDE'[k % 5]}{k:02}", f'Opening {k}: Größe, "{k}"', moves) for k, moves in named]


NAMES: Final = made_names()


def names_file(*columns: str, rows: Any = NAMES) -> bytes:
    lines = ["\t".join(columns)]
    for eco, name, moves in rows:
        board = chess.Board()
        pgn = board.variation_san(moves)
        for move in moves:
            board.push(move)
        fields = {"eco": eco, "name": name, "pgn": pgn, "uci": " ".join(map(str, moves)), "epd": board.epd()}
        lines.append("\t".join(fields[column] for column in columns))
    return "\n".join(lines).encode() + b"\n"


FILE: Final = names_file("eco", "name", "pgn")


def expected(text: bytes = PGN) -> list[tuple[str | None, str | None]]:
    """Return the ECO code and the opening of each game, found with python-chess."""
    by_epd: dict[str, tuple[str | None, str | None]] = {}
    for eco, name, moves in NAMES:
        board = chess.Board()
        for move in moves:
            board.push(move)
        by_epd[board.epd()] = eco, name
    found: list[tuple[str | None, str | None]] = []
    for game in parsed(text):
        deepest: tuple[str | None, str | None] = (None, None)
        board = game.board()
        for move in game.mainline_moves():
            board.push(move)
            deepest = by_epd.get(board.epd(), deepest)
        given = [game.headers.get(name) for name in ("ECO", "Opening")]
        first, second = (own if own not in (None, "?") else named for own, named in zip(given, deepest, strict=True))
        found.append((first, second))
    return found


def named(games: Any) -> list[tuple[str | None, str | None]]:
    table = games.to_arrow()
    return list(zip(table["ECO"].to_pylist(), table["Opening"].to_pylist(), strict=True))


def test_games_have_the_name_of_their_deepest_position() -> None:
    games = read_pgn(PGN, names=read_opening_names(FILE))
    assert named(games) == expected()
    assert len({eco for eco, _ in expected()}) > 8
    assert named(games)[len(TEXTS)][0] is not None  # by another order of moves
    assert named(games)[-2:] == [(expected()[-2][0], "Mine"), (None, None)]
    assert named(read_pgn(PGN).with_opening_names(FILE)) == expected()
    given = [game.headers["ECO"] for game in parsed("\n\n".join(WITH_HEADERS).encode())]
    assert read_pgn("\n\n".join(WITH_HEADERS).encode(), names=FILE)["ECO"].tolist() == given  # headers stay


@pytest.mark.parametrize(
    "columns",
    [("eco", "name", "uci"), ("epd", "eco", "name"), ("eco", "name", "pgn", "uci", "epd")],
)
def test_columns_of_names(columns: tuple[str, ...], tmp_path: Path) -> None:
    content = names_file(*columns)
    names = read_opening_names(content)
    assert names == read_opening_names(names_file("eco", "name", "epd"))
    assert names.files == ()
    assert len(names) == len(NAMES)
    path = tmp_path / "names.tsv"
    path.write_bytes(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"))
    assert read_opening_names(path) == names
    halves = tmp_path / "a.tsv", tmp_path / "b.tsv"
    for half, rows in zip(halves, (NAMES[:5], NAMES[5:]), strict=True):
        half.write_bytes(names_file("eco", "name", "pgn", rows=rows))
    assert read_opening_names(list(halves)) == names
    again = pickle.loads(pickle.dumps(read_opening_names(list(halves))))  # our own bytes
    assert again.files == tuple(map(str, halves))
    assert read_opening_names(str(tmp_path / "[ab].tsv")) == names
    assert pickle.loads(pickle.dumps(names)) == names  # our own bytes


def test_positions_are_found() -> None:
    names = read_opening_names(FILE)
    for eco, name, moves in NAMES:
        board = Board()
        for move in moves:
            board.push_uci(move.uci())
        assert names.find(board) == (eco, name) == names.find(board.fen())
    assert names.find("8/8/8/8/8/8/8/K1k5 w - - 0 1") is None
    assert repr(names) == f"<names of {len(NAMES)} positions>"


WHERE: Final = ('ECO.startswith("A") or Opening == "Mine"', "ECO is None", 'not ECO.startswith("B") and plies > 3')


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("form", ["pgn", "threads", "parquet", "column", "movetext"])
def test_conditions_know_the_names(where: str, form: str, tmp_path: Path) -> None:
    plain = read_pgn(PGN)
    filled = plain.with_opening_names(FILE)
    wanted = read_pgn(PGN, names=FILE, where=where)
    rows = [
        i
        for i, (eco, name) in enumerate(expected())
        if (
            (eco is not None and eco.startswith("A")) or name == "Mine",
            eco is None,
            eco is not None and not eco.startswith("B") and plain.plies[i] > 3,
        )[WHERE.index(where)]
    ]
    assert (wanted.numbers - 1).tolist() == rows
    if form == "threads":
        assert read_pgn(PGN, names=FILE, where=where, threads=2) == wanted
    elif form == "parquet":
        for name, games in (("plain", plain), ("filled", filled)):
            rookery.write_parquet(games, tmp_path / f"{name}.parquet")
            again = read_pgn(tmp_path / f"{name}.parquet", names=FILE, where=where)
            assert (again.numbers - 1).tolist() == rows
            assert named(again) == named(wanted)
    elif form == "column":
        texts = [str(game) for game in plain]
        again = read_pgn(pa.array(texts), names=FILE, where=where)
        assert again.rows is not None
        assert again.rows.tolist() == rows
        assert named(again) == named(wanted)
    elif form == "movetext":
        ecos = [None if eco == "?" else eco for eco in plain.to_arrow()["ECO"].to_pylist()]
        openings = plain.to_arrow()["Opening"].to_pylist()
        texts = [str(game).rpartition("]\n\n")[2] for game in plain]
        table = pa.table({"movetext": texts, "ECO": ecos, "Opening": openings})
        again = read_pgn(table, names=FILE, where=where)
        assert (again.numbers - 1).tolist() == rows
        assert named(again) == named(wanted)


def test_trees_name_positions() -> None:
    for tree in (read_pgn(PGN).opening_tree(12, names=FILE), rookery.OpeningTree(12, names=FILE)):
        if not tree.games:
            tree.add(read_pgn(PGN))
        names = read_opening_names(FILE)
        known = 0
        for position in tree:
            if (found := names.find(position.board)) is not None:
                assert (position.eco, position.opening) == found
                known += 1
        assert known > 20
        assert tree.pruned(2).root.play("e4").opening == tree.root.play("e4").opening
        table = tree.to_arrow("positions").to_pylist()
        assert [row["opening"] for row in table] == [position.opening for position in tree]


def test_searches_group_by_names() -> None:
    found = rookery.search(PGN, "ply == 1", group_by="Opening", names=FILE).to_dict()
    counted: dict[str | None, int] = {}
    for (_, name), game in zip(expected(), read_pgn(PGN), strict=True):
        if game.moves:
            counted[name] = counted.get(name, 0) + 1
    assert dict(zip(found["Opening"], found["games"], strict=True)) == counted
    hits = rookery.search(PGN, "ply == 1", headers=["ECO"], names=FILE, where='ECO.startswith("A")')
    assert all(eco.startswith("A") for eco in hits.to_dict()["ECO"])
    assert len(hits) == sum(bool(eco and eco.startswith("A")) for eco, _ in expected())


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    games, names = tmp_path / "games.pgn", tmp_path / "names.tsv"
    games.write_bytes(PGN)
    names.write_bytes(FILE)
    return str(games), str(names)


@pytest.mark.parametrize("executor", [(), ("--executor", "processes:2")])
def test_commands(files: tuple[str, str], executor: tuple[str, ...], tmp_path: Path) -> None:
    games, names = files
    run("games", games, "--names", names, "-o", str(tmp_path / "out.parquet"), *executor)
    assert named(rookery.read_parquet(tmp_path / "out.parquet")) == expected()
    answer = document("search", games, "ply == 1", "--by", "ECO", "--names", names, *executor)
    rows = {row["value"]: row["games"] for row in answer["counts"]}
    assert rows == {eco: sum(e == eco for e, _ in expected()[:-1]) for eco in {e for e, _ in expected()[:-1]}}
    run("annotate", games, "--names", names, "-o", str(tmp_path / "a.csv"), "--features", "opening=Opening", *executor)
    assert "Größe" in (tmp_path / "a.csv").read_text()


def test_more_commands(files: tuple[str, str], tmp_path: Path) -> None:
    games, names = files
    answer = document("openings", games, "--names", names, "--moves", "e4")
    found = read_opening_names(FILE).find("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    assert (answer["position"]["eco"], answer["position"]["opening"]) == found
    run("games", games, "--names", names, "-o", str(tmp_path / "out.pgn"))
    assert named(read_pgn(tmp_path / "out.pgn")) == expected()
    run(
        "search",
        games,
        "ply == 1",
        "--names",
        names,
        "--where",
        'ECO.startswith("A")',
        "-o",
        str(tmp_path / "hits.pgn"),
    )
    assert all(eco.startswith("A") for eco in read_pgn(tmp_path / "hits.pgn")["ECO"])
    table = rookery.scan(games, names=names, where='ECO.startswith("A")').select("fen").collect()
    assert table.num_rows > 0


def test_rows_and_indices_use_names(files: tuple[str, str], tmp_path: Path) -> None:
    games, names = files
    where = 'ECO.startswith("A")'
    chosen = read_pgn(PGN, names=FILE, where=where)
    wanted = int((chosen.plies + 1).sum())
    assert 0 < len(chosen) < len(read_pgn(PGN))
    with_names = (games, "--names", names, "--where", where)
    assert document("stats", *with_names)["positions"] == wanted
    converted = document("convert", *with_names, "--no-score", "zero", "-o", str(tmp_path / "a.plain"))
    assert converted["positions"] == wanted
    options = ("--query", "not Opening.startswith('nothing')", "--policy", "none", "--value", "none", "--split", "1")
    made = document("dataset", *with_names, *options, "-o", str(tmp_path / "set"))
    assert made["rows"] == {"train": wanted}
    assert f"names={read_opening_names(names)!r}" in made["plan"]
    again = document("dataset", *with_names, *options, "-o", str(tmp_path / "set"))
    assert (again["work"], again["options"]) == (made["work"], made["options"])
    with pytest.raises(FileExistsError, match="other inputs or options"):
        rookery.make_dataset(games, tmp_path / "set", where=where, policy=None, value=None, split=[1])
    written = rookery.make_dataset(games, tmp_path / "bytes", where=where, names=FILE, policy=None, value=None)
    assert f"names={read_opening_names(FILE)!r}" in written.plan
    index = document("index", *with_names, "-o", str(tmp_path / "index"))
    assert (index["games"], index["positions"]) == (len(chosen), wanted)
    assert named(rookery.open_index(tmp_path / "index").read_games(range(len(chosen)))) == named(chosen)
    for other in (None, names_file("eco", "name", "pgn", rows=NAMES[:1])):
        with pytest.raises(ValueError, match=r"names: .*: the index was made with"):
            rookery.index_games(games, tmp_path / "index", where=where, names=other)


def test_duplicates_use_names(files: tuple[str, str], tmp_path: Path) -> None:
    games, names = files
    run("duplicates", games, "--names", names, "-o", str(tmp_path / "out.pgn"))
    kept = read_pgn(tmp_path / "out.pgn")
    assert set(named(kept)) == set(expected())
    assert 0 < len(kept) <= len(expected())


def test_rows_have_no_names(files: tuple[str, str], tmp_path: Path) -> None:
    rows = tmp_path / "rows.plain"
    rows.write_bytes(b"")
    refused = run("convert", str(rows), "--names", files[1], "-o", str(tmp_path / "a.bullet"), status=2)
    assert "names: <names of " in refused.stderr
    assert "rows.plain has no games: expected files of games" in refused.stderr


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "source: no names: expected lines with an ECO code"),
        (b"eco\tname\tpgn\n", "source: no names"),
        (b"eco,name,pgn\n", "source: line 1: 'eco,name,pgn': expected the columns eco, name, and pgn, uci or epd"),
        (b"eco\tname\n", "source: line 1: 'eco\\tname': expected the columns"),
        (b"eco\tname\tpgn\nA00\tx\n", "source: line 2: 2 fields: expected 3"),
        (b"eco\tname\tpgn\n\nA00\tx\t1. e5\n", "source: line 3: SAN move: 'e5'"),
        (b"eco\tname\tuci\nA00\tx\te2e5\n", "source: line 2: UCI move: 'e2e5'"),
        (b"eco\tname\tepd\nA00\tx\t8/8\n", "source: line 2: EPD: '8/8' has 1 fields"),
        (
            b"eco\tname\tpgn\nA00\tx\t1. e4 e5\nA01\ty\t1. e4 e5\n",
            "source: line 3: 'A01 y': its position has another name: source: line 2",
        ),
    ],
)
def test_bad_files_are_refused(content: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        read_opening_names(content)


def test_options() -> None:
    with pytest.raises(ValueError, match=r"^names: .*: openings are named by their moves: expected moves=True$"):
        read_pgn(PGN, names=FILE, moves=False)
    with pytest.raises(TypeError, match=r"^names: 5: expected OpeningNames"):
        read_pgn(PGN, names=5)
    names = read_opening_names(FILE)
    assert ReadOptions(names=names).content()["names"] == names.digest
    assert "names" not in ReadOptions().content()
    assert isinstance(ReadOptions(names=FILE).names, OpeningNames)  # type: ignore[arg-type]


def test_a_pattern_stands_for_the_files_of_a_collection(files: tuple[str, str], tmp_path: Path) -> None:
    games, names = files
    (tmp_path / "parts").mkdir()
    header, *lines = Path(names).read_text().splitlines()
    for i, line in enumerate(lines):
        (tmp_path / "parts" / f"{i}.tsv").write_text(f"{header}\n{line}\n")
    outputs = []
    for given in (names, str(tmp_path / "parts" / "*.tsv")):
        run("games", games, "--names", given, "-o", str(tmp_path / "out.csv"), "--force")
        outputs.append((tmp_path / "out.csv").read_text())
    assert outputs[0] == outputs[1]
    assert "no file matches" in run("games", games, "--names", str(tmp_path / "no*.tsv"), status=1).output


def test_names_are_found_in_whatever_order_they_come() -> None:
    """The table has 64 slots for 16 keys, so that keys meet in it. Each is the first one once."""
    line = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O".split()
    games = read_pgn("\n\n".join(f"{' '.join(line[:plies])} *" for plies in range(1, 17)).encode())
    keys = games.positions("last").keys().tolist()
    for turn in range(16):
        ordered = keys[turn:] + keys[:turn]
        names = OpeningNames(ordered, [OpeningName(f"A{k:02}", str(key)) for k, key in enumerate(ordered)], 32)
        assert names.rows_of_games(games.columns).tolist() == [ordered.index(key) for key in keys]
        assert names.rows_of_keys(np.array([*ordered, 0, 2**64 - 1], np.uint64)).tolist() == [*range(16), -1, -1]


def test_names_in_tables_stay(tmp_path: Path) -> None:
    games = read_pgn(b'[ECO "X99"]\n[Opening "Mine"]\n\n1. e4 *\n\n[White "a"]\n\n1. e4 *\n\n1. d4 *')
    rookery.write_parquet(games, tmp_path / "games.parquet")
    own = b"eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\n"
    for where, rows in (("ECO is not None", [0, 1]), ('ECO == "X99"', [0]), ('Opening.startswith("King")', [1])):
        again = read_pgn(tmp_path / "games.parquet", names=own, where=where)
        assert named(again) == [[("X99", "Mine"), ("B00", "King's Pawn Game")][row] for row in rows]
