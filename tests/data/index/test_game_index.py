"""Indices of games: each count of each position as opening trees, scans and python-chess have it."""

import gzip
import io
import os
import pickle
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest

import rookery
from game_samples import SAMPLE, UGLY
from meeting_games import made_games
from rookery import Board, GameIndex, OpeningTree, index_games, open_index
from rookery.data.index import aggregates, buckets, catalogue, game_index, rows
from rookery.sources import files as documents
from rookery.sources.failures import ChangedFileWarning, NotGamesError

pytest.importorskip("pyarrow")

_STATISTICS = (
    *("games", "white_wins", "draws", "black_wins", "score", "average_rating", "performance"),
    *("first_played", "last_played"),
)
_DEPTH = 1 << 20


@pytest.fixture(params=[1, 64], ids=lambda least: f"least {least}")
def small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of frequent positions are stored, and files have several row groups, however few games there are."""
    for module in (buckets, game_index):
        monkeypatch.setattr(module, "LEAST", request.param)
    monkeypatch.setattr(buckets, "_ROWS", 200)
    monkeypatch.setattr(rows, "ROW_GROUP", 16)
    monkeypatch.setattr(aggregates, "_GROUP", 8)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Files of games that meet, are bad, begin elsewhere or have null moves."""
    texts = {
        "made.pgn": made_games(30, 1),
        "more.pgn": made_games(20, 2),
        "ugly.pgn": UGLY,
        "null.pgn": "1. e4 -- 2. d4 -- 3. Nf3 1-0\n\n1. e4 e5 2. Nf3 Ng8 *",
        "starts.pgn": '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Kd7 2. Kd2 Ke8 3. Ke1 Kd7 1/2-1/2\n',
    }
    paths = []
    for name, text in texts.items():
        paths.append(tmp_path / name)
        paths[-1].write_bytes(text.encode())
    return [*paths[:2], SAMPLE, *paths[2:]]


def tree_of(files: list[Path]) -> OpeningTree:
    tree = OpeningTree(_DEPTH)
    for path in files:
        for games in rookery.scan_pgn(path):
            tree.add(games)
    return tree


def check_equal(index: GameIndex, files: list[Path]) -> None:
    """Compare each position and move of an index with those of a tree, and all of its rows with a scan."""
    tree = tree_of(files)
    assert index.games == tree.games
    for expected in tree:
        found = index.at(expected.board, limit=1 << 20)
        assert [getattr(found, name) for name in _STATISTICS] == [getattr(expected, name) for name in _STATISTICS]
        assert [found.hit_count, found.examples] == [len(found.hits), expected.examples]
        moves = [[move.san, move.example, *(getattr(move, name) for name in _STATISTICS)] for move in found.moves]
        assert moves == [
            [move.san, move.example, *(getattr(move, name) for name in _STATISTICS)] for move in expected.moves
        ]
        assert sum(move.hit_count for move in found.moves) == np.count_nonzero(~found.hits.ended)
    scanned = Counter[tuple[int, int, int, int]]()
    games = 0
    for path in files:
        for block in rookery.scan_pgn(path):
            positions = block.positions("all")
            ended = positions.ply == block.plies[positions.game]
            played = np.where(ended, -1, positions.played_moves().astype(np.int64))
            columns = (positions.keys(), positions.game + games, positions.ply, played)
            scanned.update(zip(*(column.tolist() for column in columns), strict=True))
            games += len(block)
    looked_up = Counter[tuple[int, int, int, int]]()
    for position in tree:
        hits = index.at(position.board, limit=1 << 20).hits
        played = np.where(hits.ended, -1, hits.moves.astype(np.int64)).tolist()
        assert sorted(zip(hits.game, hits.ply, strict=True)) == list(zip(hits.game, hits.ply, strict=True))
        key = position.board.key
        looked_up.update((key, *one) for one in zip(hits.game.tolist(), hits.ply.tolist(), played, strict=True))
    assert looked_up == scanned
    assert len(index) == scanned.total()


@pytest.mark.usefixtures("small")
def test_each_count_is_that_of_a_tree_and_of_a_scan(files: list[Path], tmp_path: Path) -> None:
    index = index_games(files, tmp_path / "index")
    assert len(list((tmp_path / "index").glob("hits-*"))) > 1
    check_equal(index, files)
    assert index.parts == 1


@pytest.mark.usefixtures("small")
def test_games_that_are_added_and_merged_count_like_those_of_one_call(files: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "index"
    index_games(files[0], folder)
    index_games(files[4], folder)
    index = index_games([files[0], files[5]], folder)
    in_order = [files[0], files[4], files[5]]
    assert index.parts == 2
    check_equal(index, in_order)
    merged = index_games(files[0], folder, merge=True)
    assert merged.parts == 1
    check_equal(merged, in_order)
    whole = index_games(in_order, tmp_path / "whole")
    for what in ("hits", "moves", "facts"):
        contents = [[path.read_bytes() for path in sorted(made.folder.glob(f"{what}-*"))] for made in (merged, whole)]
        assert contents[0] == contents[1]
    assert not (tmp_path / "index.parts").exists()


@pytest.mark.parametrize("added", [False, True])
def test_positions_of_most_games_are_written_piece_by_piece(
    added: bool, files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (buckets, game_index):
        monkeypatch.setattr(module, "LEAST", 4)
    monkeypatch.setattr(rows, "ROW_GROUP", 16)
    expected = index_games(files, tmp_path / "sorted")
    pieces: list[tuple[int, int]] = []
    written = buckets._written

    def noted(key: int, task: Any, *more: Any) -> Any:
        pieces.append((key, max(piece.size for piece in buckets._pieces(task, more[0]))))
        return written(key, task, *more)

    monkeypatch.setattr(buckets, "_ROWS", 100)
    monkeypatch.setattr(buckets, "divided", lambda _: [0, rows.SLICES])  # one bucket, however many rows
    monkeypatch.setattr("rookery.data.index.making.divided", lambda _: [0, rows.SLICES])
    monkeypatch.setattr(buckets, "_written", noted)
    for i in range(len(files)) if added else ():
        index_games(files[: i + 1], tmp_path / "index")
    index = index_games(files, tmp_path / "index", merge=True)
    assert Board().key in {key for key, _ in pieces}
    check_equal(index, files)
    for what in ("hits", "moves"):
        ours, theirs = (
            [path.read_bytes() for path in sorted(one.folder.glob(f"{what}-*"))] for one in (index, expected)
        )
        assert ours == theirs


def test_parts_of_about_one_size_are_merged(files: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "index"
    for i, path in enumerate(files[:2]):
        path.write_text(made_games(20, i))
        index = index_games(path, folder)
    assert index.parts == 1
    check_equal(index, files[:2])


def test_counts_are_those_of_python_chess(tmp_path: Path) -> None:
    path = tmp_path / "made.pgn"
    path.write_text(made_games(50, 3))
    index = index_games(path, tmp_path / "index")
    hits: dict[str, list[tuple[int, int, str | None]]] = defaultdict(list)
    boards = {}
    text = io.StringIO(path.read_text())
    number = 0
    while (game := chess.pgn.read_game(text)) is not None:
        node: chess.pgn.GameNode = game
        while True:
            board = node.board()
            epd = board.epd(en_passant="legal")
            boards[epd] = board.fen(en_passant="legal")
            following = node.next()
            hits[epd].append((number, board.ply(), following.move.uci() if following is not None else None))
            if following is None:
                break
            node = following
        number += 1
    assert len(index) == sum(map(len, hits.values()))
    for epd, expected in hits.items():
        found = index.at(boards[epd])
        assert found.games == len({game for game, _, _ in expected})
        assert [(hit["game"], hit["ply"]) for hit in found.hits] == [(game, ply) for game, ply, _ in expected]
        played = Counter((game, move) for game, _, move in expected if move is not None)
        assert {move.move.uci(): move.games for move in found.moves} == Counter(move for _, move in played)


def test_the_first_hits_are_given_as_games(tmp_path: Path) -> None:
    index = index_games(SAMPLE, tmp_path / "index")
    position = index.at(Board()).play("e4")
    assert len(index.at(position.board, limit=2).hits) == 2
    games = index.read_games(position.hits.game[::-1])
    expected = rookery.read_pgn(SAMPLE)[position.hits.game[::-1]]
    assert games["White"].tolist() == expected["White"].tolist()
    assert games.moves == expected.moves
    assert pickle.loads(pickle.dumps(index)).at(Board()).games == index.games
    assert Board() in index
    assert "8/8/8/8/8/8/8/K1k5 w - - 0 1" not in index


def test_duckdb_and_polars_read_the_tables(files: list[Path], tmp_path: Path) -> None:
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    files[0].write_text(made_games(70, 4))
    index = index_games(files[:3], tmp_path / "index")
    board = Board()
    expected = index.at(board)
    query = f"SELECT game, ply, move FROM '{index.folder}/hits-*.parquet' WHERE key = {board.key} ORDER BY game, ply"
    moves = [
        None if ended else move for move, ended in zip(expected.hits.moves.tolist(), expected.hits.ended, strict=True)
    ]
    places = list(zip(expected.hits.game.tolist(), expected.hits.ply.tolist(), moves, strict=True))
    assert duckdb.sql(query).fetchall() == places
    frame = polars.scan_parquet(index.folder / "hits-*.parquet").filter(polars.col("key") == board.key).collect()
    assert frame.select("game", "ply", "move").sort("game", "ply").rows() == places
    counts = f"SELECT games, hits FROM '{index.folder}/moves-*.parquet' WHERE key = {board.key} AND move IS NULL"
    assert duckdb.sql(counts).fetchall() == [(expected.games, expected.hit_count)]


def test_a_plan_over_an_index_looks_positions_up(tmp_path: Path) -> None:
    index = index_games(SAMPLE, tmp_path / "index")
    plan = rookery.scan(tmp_path / "index")
    assert plan.at(Board()).games == index.games
    assert len(plan.at(Board(), limit=3).hits) == 3
    with pytest.raises(ValueError, match=r"at: scan\(.*index'\).positions\(.*: expected a plan without steps"):
        plan.positions("is_check").at(Board())
    with pytest.raises(ValueError, match=r"at: scan\(.*: expected the folder of an index"):
        rookery.scan(SAMPLE).at(Board())
    rows = plan.select("White", "fen", "move").collect()
    assert rows == rookery.scan(SAMPLE).select("White", "fen", "move").collect()


def test_an_index_says_that_its_games_have_changed(files: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "index"
    index = index_games(files[0], folder)
    games = index.games
    with files[0].open("a") as file:
        file.write("\n\n1. a3 *\n")
    with pytest.warns(ChangedFileWarning, match=r"made.pgn: has changed since it was indexed \(it had [\d,]+ bytes"):
        assert open_index(folder).games == games
    with pytest.raises(ValueError, match=r"source: .*made.pgn: has changed since it was indexed .*: --force"):
        index_games(files[0], folder)
    assert index_games(files[0], folder, force=True).games == games + 1
    files[0].unlink()
    with pytest.warns(ChangedFileWarning, match="made.pgn: is missing since it was indexed"):
        open_index(folder)


def test_damaged_and_foreign_folders_are_refused(files: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "index"
    index_games(files[0], folder)
    hits = next(folder.glob("hits-*"))
    hits.write_bytes(hits.read_bytes()[:-1])
    with pytest.raises(
        ValueError, match=r"index: .*hits-.*: has [\d,]+ bytes: expected [\d,]+ bytes: make the index again"
    ):
        open_index(folder)
    with pytest.raises(ValueError, match=r"make the index again, by --force"):
        index_games(files[0], folder)
    index_games(files[0], folder, force=True)
    with pytest.raises(FileNotFoundError, match="there is no index"):
        open_index(tmp_path / "nowhere")
    with pytest.raises(FileExistsError, match="has other files"):
        index_games(files[0], tmp_path)
    with pytest.raises(ValueError, match=r"where: 'WhiteElo > 1': the index was made with None: expected the same"):
        index_games(files[1], folder, where="WhiteElo > 1")
    (tmp_path / "bad.pgn").write_text("1. Qh5 *\n\n1. Ke2 *")
    with pytest.raises(NotGamesError, match=r"bad\.pgn"):
        index_games(tmp_path / "bad.pgn", tmp_path / "other")
    assert not (tmp_path / "other.parts").exists()


def test_changed_bytes_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (buckets, game_index):
        monkeypatch.setattr(module, "LEAST", 2)
    path, folder = tmp_path / "made.pgn", tmp_path / "index"
    path.write_text(made_games(3, 1))
    boards = rookery.read_pgn(path).positions("all").to_fens()[:9:8]

    def answers() -> list[Any]:
        index = open_index(folder)
        found = [index.at(board) for board in boards]
        counts = [[(move.san, *(getattr(move, name) for name in _STATISTICS)) for move in one.moves] for one in found]
        return [counts, [one.hits.to_arrow() for one in found], index.read_games([0, 2])]

    index_games(path, folder)
    expected = answers()
    found: dict[str, int] = {}
    for file in folder.glob("*-*"):
        data = file.read_bytes()
        what = file.name.partition("-")[0]
        for at in range(0, len(data), max(len(data) // 20, 1)):
            file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            try:
                assert answers() == expected, (file.name, at)
            except (ValueError, OSError) as error:
                found[what] = found.get(what, 0) + 1
                assert file.name in str(error)  # noqa: PT017  # bytes that are not used change nothing
        file.write_bytes(data)
    assert found.keys() == {"facts", "hits", "games", "moves"}
    facts = next(folder.glob("facts-*"))
    data = facts.read_bytes()
    facts.write_bytes(bytes([data[0] ^ 1]) + data[1:])
    path.with_name("more.pgn").write_text(made_games(3, 2))
    with pytest.raises(ValueError, match=r"facts-0000\.bin: damaged from byte 0 on: make the index again"):
        index_games(path.with_name("more.pgn"), folder, merge=True)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("bad", "none", r"index\.json: bad: 'none': expected int"),
        ("parts", [{"number": 0}], r"index\.json: parts\[0\]\.first_game: is missing"),
        ("sizes", {"a": True}, r"index\.json: sizes\['a'\]: True: expected int"),
        ("inputs", {"a": 1}, r"index\.json: inputs\['a'\]: 1: expected the fields of Identity"),
        ("inputs", {"a": [1, [], ""]}, r"index\.json: inputs\['a'\]\.changed: \[\]: expected int \| str \| None"),
        ("failures", 3, r"index\.json: failures: 3: expected list\[str\]"),
        ("more", 3, r"index\.json: more: unknown: expected parts, "),
    ],
)
def test_fields_of_a_catalogue_have_their_types(
    files: list[Path], tmp_path: Path, field: str, value: object, message: str
) -> None:
    index_games(files[0], tmp_path / "index")
    path = tmp_path / "index" / catalogue.NAME
    content = documents.load(path, catalogue.KIND)
    assert content is not None
    documents.save(path, catalogue.KIND, content | {field: value})
    with pytest.raises(ValueError, match=rf"{message}.*: make the index again"):
        open_index(tmp_path / "index")
    assert index_games(files[0], tmp_path / "index", force=True).games == 30


def test_an_index_may_have_no_games(files: list[Path], tmp_path: Path) -> None:
    index = index_games(files[0], tmp_path / "index", where="WhiteElo > 9999")
    assert (index.games, len(index), index.tables) == (0, 0, [])
    assert Board() not in index
    assert len(index.read_games([])) == len(index.examples([])) == 0
    index = index_games(files[1], tmp_path / "index", where="WhiteElo > 9999", merge=True)
    assert (index.games, index.parts) == (0, 1)


def test_a_file_is_indexed_once(files: list[Path], tmp_path: Path) -> None:
    assert index_games([files[0], files[0]], tmp_path / "index").games == 30


def test_damaged_files_are_indexed_to_the_damage(files: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "cut.pgn.gz"
    path.write_bytes(gzip.compress(SAMPLE.read_bytes())[:-2000])
    index = index_games([files[0], path], tmp_path / "index", where="WhiteElo > 0")
    assert 0 < index.games < 42
    assert index.bad == 1  # the game that is cut; the damage of the file is no game
    assert [message.partition(":")[0] for message in index.failures] == [str(path)]
    assert open_index(tmp_path / "index").failures == index.failures


def test_bad_games_are_counted(files: list[Path], tmp_path: Path) -> None:
    index = index_games([files[0], files[3]], tmp_path / "index")
    assert index.bad == sum(error.game > 0 for path in files[:4:3] for error in rookery.read_pgn(path).errors) > 0


def contents_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_executors_make_the_same_files(files: list[Path], tmp_path: Path) -> None:
    folders = [tmp_path / "threads", tmp_path / "processes"]
    index_games(files, folders[0], threads=2)
    index_games(files, folders[1], executor="processes:2")
    assert contents_of(folders[0]) == contents_of(folders[1])


def interrupted(done: int, _total: int) -> None:
    if done:
        raise KeyboardInterrupt


def test_interrupted_work_goes_on(files: list[Path], tmp_path: Path) -> None:
    whole = index_games(files, tmp_path / "whole").folder
    with pytest.raises(KeyboardInterrupt):
        index_games(files, tmp_path / "index", progress=interrupted)
    assert (tmp_path / "index.parts").exists()
    index_games(files, tmp_path / "index")
    assert contents_of(whole) == contents_of(tmp_path / "index")
    assert not (tmp_path / "index.parts").exists()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_killed_work_goes_on(tmp_path: Path) -> None:
    names = []
    for i in range(40):
        names.append(tmp_path / f"{i:02d}.pgn")
        names[-1].write_text(made_games(100, i))
    folder = tmp_path / "index"
    command = [sys.executable, "-m", "rookery", "index", *map(str, names), "-o", str(folder)]
    kills = 0
    for least in (5, 45, 85):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        for _ in waiting(60):
            if process.poll() is not None or len(list((tmp_path / "index.parts").glob("part-*"))) >= least:
                break
        kills += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert kills
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    whole = index_games(names, tmp_path / "whole").folder
    assert contents_of(whole) == contents_of(folder)


def waiting(seconds: float) -> Iterator[None]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.005)


def test_long_games_are_refused(tmp_path: Path) -> None:
    games = rookery.read_pgn(b"1. e4 *")
    table: Any = games.to_arrow().select(["moves"])
    shuffled = rookery.read_pgn(b"1. Nf3 Nf6 2. Ng1 Ng8 *").moves.moves.tolist()
    pa = pytest.importorskip("pyarrow")
    moves = pa.array([shuffled * 16_384], table.schema.field("moves").type)
    rookery.write_parquet(rookery.Games.from_arrow(pa.table({"moves": moves})), tmp_path / "long.parquet")
    with pytest.raises(ValueError, match=r"game 1: 65,536 half-moves: expected 65,535 at most\n.*long.parquet"):
        index_games(tmp_path / "long.parquet", tmp_path / "index")
