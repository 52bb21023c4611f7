"""The verbs of plans over games: python-chess says which positions are equal, what results are, and who plays."""

import collections
import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from command_line import run
from naive_datasets import DOCS, docs_text
from rookery import ScoredPositions, make_dataset, open_dataset, read_pgn, scan, search, write_training
from rookery.games.search.hits import Hits

pa = pytest.importorskip("pyarrow")

POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


def positions() -> Iterator[tuple[chess.pgn.Game, chess.Board]]:
    """Every position of the documentation's games."""
    file = io.StringIO(docs_text())
    while (game := chess.pgn.read_game(file)) is not None:
        board = game.board()
        yield game, board.copy()
        for move in game.mainline_moves():
            board.push(move)
            yield game, board.copy()


def key_of(board: chess.Board) -> str:
    return " ".join(board.epd().split(" ")[:4])


def test_unique_positions_are_those_of_a_dict_by_epd() -> None:
    first: dict[str, str] = {}
    points = collections.defaultdict(list)
    for game, board in positions():
        first.setdefault(key_of(board), board.fen())
        points[key_of(board)].append(POINTS[game.headers["Result"]])
    plan = scan(DOCS).select("fen").unique(n="count", score="mean(result(white))", r="results(white)")
    rows = plan.collect(threads=2).to_pylist()
    assert [row["fen"] for row in rows] == list(first.values())
    for row, own in zip(rows, points.values(), strict=True):
        assert row["n"] == len(own)
        assert row["score"] == pytest.approx(sum(own) / len(own))
        assert [row["r_wins"], row["r_draws"], row["r_losses"]] == [own.count(value) for value in (1, 0.5, 0)]
        assert row["r_score"] == pytest.approx(row["score"])
    assert set(plan.collect().column_names) == {"fen", "n", "score", "r_wins", "r_draws", "r_losses", "r_score"}


def test_groups_of_expressions() -> None:
    expected: dict[Any, list[int]] = collections.defaultdict(list)
    for game, board in positions():
        own = game.headers["WhiteElo" if board.turn else "BlackElo"]
        expected[int(own) // 200, board.is_check()].append(len(board.piece_map()))
    plan = scan(DOCS).group_by("is_check", elo="elo(us) // 200").agg("count", pieces="mean(count(occupied))")
    rows = plan.collect().to_pylist()
    assert [(row["is_check"], row["elo"]) for row in rows] == sorted((check, elo) for elo, check in expected)
    for row in rows:
        own_counts = expected[row["elo"], row["is_check"]]
        assert row["count"] == len(own_counts)
        assert row["pieces"] == pytest.approx(sum(own_counts) / len(own_counts))


@pytest.mark.parametrize("query", ["white.pawns & e4", "is_check"])
@pytest.mark.parametrize("by", ["Result", "ECO", "elo(us) // 200"])
def test_groups_are_the_counts_of_a_search(query: str, by: str) -> None:
    games = read_pgn(DOCS)
    counts = search(games, query, group_by=by)
    assert not isinstance(counts, Hits)
    expected = {count.value: (count.hits, count.games) for count in counts}
    for source in (DOCS, games):
        plan = scan(source).positions(query).group_by(value=by).agg("games", hits="count")
        rows = plan.collect(threads=2).to_pylist()
        assert {str(row["value"]).removesuffix(".0"): (row["hits"], row["games"]) for row in rows} == expected


def test_games_of_positions() -> None:
    games = collections.defaultdict(set)
    for game, board in positions():
        games[key_of(board)].add(game.headers["Site"])
    rows = scan(DOCS).select("fen").unique(n="games").collect().to_pylist()
    assert [row["n"] for row in rows] == [len(own) for own in games.values()]


def test_rows_are_sorted_by_an_expression() -> None:
    expected = [board for _, board in positions()]
    expected.sort(key=lambda board: -len(board.piece_map()))
    plan = scan(DOCS).select("fen").sort("count(occupied)", descending=True)
    assert plan.collect().column("fen").to_pylist() == [board.fen() for board in expected]
    assert plan.head(7).collect().column("fen").to_pylist() == [board.fen() for board in expected[:7]]
    assert plan.collect().column_names == ["fen"]


@pytest.mark.parametrize("executor", [None, "threads:2", pytest.param("processes:2", marks=pytest.mark.slow)])
def test_a_shuffle_is_the_same_on_any_executor(executor: str | None) -> None:
    plan = scan([DOCS, "docs/*.pgn.zst"]).select("game", "ply", "fen")
    rows = plan.collect()
    shuffled = plan.shuffle(7).collect(executor=executor)
    assert shuffled.equals(plan.shuffle(7).collect())
    assert not shuffled.equals(plan.shuffle(8).collect())
    assert not shuffled.equals(rows)
    assert shuffled.sort_by([("game", "ascending"), ("ply", "ascending")]).equals(rows)


@pytest.mark.parametrize(
    ("by", "name"),
    [
        ("game", lambda game, board: game.headers["Site"]),
        ("date", lambda game, board: game.headers["Date"]),
        ("player", lambda game, board: game.headers["White" if board.turn else "Black"]),
        ("position", lambda game, board: key_of(board)),
        ("ply // 10", lambda game, board: board.ply() // 10),
    ],
)
def test_splits_never_divide(by: str, name: Any) -> None:
    rows = scan(DOCS).select("fen").split(0.5, 0.3, 0.2, by=by).collect().to_pylist()
    parts: dict[Any, str] = {}
    for row, (game, board) in zip(rows, positions(), strict=True):
        assert row["fen"] == board.fen()
        assert parts.setdefault(name(game, board), row["split"]) == row["split"]
    assert len(set(parts.values())) > 1 or by == "date"


@pytest.mark.parametrize("by", ["game", "date", "player", "position", "game of training data"])
def test_splits_are_those_of_datasets(by: Any, tmp_path: Path) -> None:
    source: Any = DOCS
    if by.endswith("data"):
        by, source = "game", tmp_path / "rows.plain"
        write_training(ScoredPositions.from_games(read_pgn(DOCS)), source)
    made = make_dataset(source, tmp_path / "set", split=[0.6, 0.2, 0.2], by=by, value=None, policy=None)
    rows = scan(source).select("fen").split(0.6, 0.2, 0.2, by=by).collect().to_pylist()
    assert sum(made.rows.values()) == len(rows)
    for name in ("train", "validation", "test"):
        expected = [row["fen"] for row in rows if row["split"] == name]
        found = open_dataset(tmp_path / "set", name).read().positions.to_fens() if made.rows[name] else []
        assert found == expected


def test_training_data_is_not_divided_by_headers(tmp_path: Path) -> None:
    write_training(ScoredPositions.from_games(read_pgn(DOCS)), tmp_path / "rows.plain")
    with pytest.raises(ValueError, match="select: 'Date': asks about headers"):
        make_dataset(tmp_path / "rows.plain", tmp_path / "set", by="date")


def test_unique_positions_of_training_data(tmp_path: Path) -> None:
    rows = ScoredPositions.from_games(read_pgn(DOCS))
    found = scan(rows).select("fen").unique(n="count").collect().to_pylist()
    expected = collections.Counter(key_of(board) for _, board in positions())
    assert [row["n"] for row in found] == list(expected.values())
    assert [key_of(chess.Board(row["fen"])) for row in found] == list(expected)


def test_verbs_follow_each_other() -> None:
    plan = scan(DOCS).select("fen", "result").shuffle(1).unique(n="count").split(0.5, 0.5, by="position")
    rows = plan.sort("n", descending=True).head(3).collect().to_pylist()
    assert [row["n"] for row in rows] == sorted(collections.Counter(key_of(b) for _, b in positions()).values())[:-4:-1]
    counts = scan(DOCS).group_by("ply").agg("count").group_by("count").agg(n="count").collect()
    assert sum(row["n"] for row in counts.to_pylist()) == max(board.ply() for _, board in positions()) + 1


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda p: p.group_by(), "by: no columns"),
        (lambda p: p.sort("ply", descending=[True, False]), "descending: .*: expected a truth value, or one for each"),
        (lambda p: p.group_by("ply").agg("sum(White)"), r"agg: sum\(White\): a column of 'string': expected numbers"),
        (lambda p: p.group_by("ply").agg("median(eval)"), r"aggregates: 'median\(eval\)': expected sum"),
        (lambda p: p.group_by("ply").agg(), "agg: no aggregates"),
        (
            lambda p: p.group_by("ply").agg("count").sort("fen"),
            "sort: 'fen': no such column: expected one of ply",
        ),
        (lambda p: p.group_by("ply").agg("count").unique(), r"unique: '\(position\)': no such column"),
        (lambda p: p.split(0.5, 0.6), "fractions: .*: expected 1 to 3 numbers that add up to 1"),
        (lambda p: p.shuffle(memory="5 cats"), "memory: '5 cats': expected bytes"),
        (lambda p: p.shuffle(memory=5), "memory: 5: expected bytes"),
        (lambda p: p.shuffle(1).select("fen"), "select: comes after shuffle"),
    ],
)
def test_wrong_arguments_are_named(make: Any, words: str) -> None:
    with (
        pytest.raises(ValueError, match=words) if "a column of" not in words else pytest.raises(TypeError, match=words)
    ):
        make(scan(DOCS)).collect()


def test_the_first_rows_need_few_games(tmp_path: Path) -> None:
    text = docs_text()
    path = tmp_path / "games.pgn"
    path.write_text((text + "\n\n") * 40)
    seen: list[int] = []
    plan = scan(path).select("fen").head(3)
    ready = plan._ready(1)
    with ready.job(None, 1, str(tmp_path / "out.arrow"), ".arrow", force=False) as job:
        results = list(ready.read(job, ".arrows", lambda done, total: seen.append(done)))
        assert len(results) == 1
        rows = ready.exchanged(job, ready.parts(results))
        assert rows.parts[0].rows == 3
    assert plan.collect().num_rows == 3
    assert scan(path).select("fen").head(2000).shuffle().head(1500).collect().num_rows == 1500


VERBS: list[Any] = [
    lambda plan: plan.shuffle(3),
    lambda plan: plan.unique(n="count", games="games", score="mean(eval)"),
    lambda plan: plan.group_by("ECO", ten="ply // 10").agg("count, games, mean(eval), sum(clock), results(us)"),
    lambda plan: plan.sort("eval", "clock", descending=[True, False]),
    lambda plan: plan.split(0.5, 0.5, by="player"),
    lambda plan: plan.head(100).shuffle(2).head(50),
]


@pytest.mark.parametrize("verb", VERBS, ids=["shuffle", "unique", "group_by", "sort", "split", "head"])
def test_neither_division_nor_packing_changes_anything(
    verb: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, packed = tmp_path / "games.pgn", tmp_path / "games.pgn.gz"
    text = docs_text().encode() * 3
    path.write_bytes(text)
    packed.write_bytes(gzip.compress(text))
    expected = verb(scan(path)).collect()
    names = [name for name in expected.column_names if name != "file"]
    assert verb(scan(packed)).collect().select(names).equals(expected.select(names))
    monkeypatch.setattr("rookery.data.pipeline.inputs.TASK_BYTES", 2_000)
    plan = verb(scan(path))
    assert len(plan._ready(1).job(None, 1, None, "", force=False).inputs[0]) > 5
    assert plan.collect(threads=3).equals(expected)


def test_annotate_takes_the_same_verbs(tmp_path: Path) -> None:
    out = tmp_path / "rows.arrow"
    words = ["--select", "fen", "--sort", "-ply", "--shuffle", "--seed", "4", "--split", "0.5,0.5"]
    run("annotate", DOCS, "-o", str(out), *words, "--split-by", "player", "--memory", "1MB")
    plan = scan(DOCS).select("fen").sort("ply", descending=True).shuffle(4).split(0.5, 0.5, by="player")
    with pa.OSFile(str(out)) as file:
        assert pa.ipc.open_file(file).read_all().equals(plan.collect())
