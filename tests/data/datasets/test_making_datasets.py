"""Datasets compared with python-chess: which rows they have, splits by game, duplicates, order, drops."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

import rookery
from naive_datasets import DOCS, NaiveRow, docs_text, naive_games, naive_key
from played_games import KIWIPETE
from rookery import Positions, ScoredPositions, make_dataset, open_dataset, read_pgn, write_parquet, write_training
from rookery.data.datasets import manifest
from rookery.data.datasets.rows import ROW, packed, scored
from rookery.data.pipeline import inputs
from rookery.data.plans import verbs
from rookery.sources import files
from rookery.sources.failures import DamagedFileError
from thinning import few

SPLIT = (0.6, 0.2, 0.2)


def rows_of(folder: Path, split: str) -> list[NaiveRow]:
    rows = open_dataset(folder, split).read()
    fens = rows.positions.to_fens(en_passant="fen")
    moves = rows.positions.uci(rows.moves).tolist()
    return [NaiveRow(*row) for row in zip(fens, moves, rows.results.tolist(), rows.plies.tolist(), strict=True)]


def random_game(rng: random.Random, plies: int) -> str:
    board = chess.Board()
    words = []
    for _ in range(plies):
        if board.is_game_over():
            break
        move = rng.choice(list(board.legal_moves))
        words.append(board.san(move))
        board.push(move)
    result = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    return f'[Event "?"]\n[Result "{result}"]\n\n{" ".join(words)} {result}\n\n'


@pytest.fixture(scope="module")
def text() -> str:
    """Games of which some are equal, and some share their beginnings."""
    rng = random.Random(5)
    games = [random_game(rng, rng.randrange(1, 60)) for _ in range(60)]
    return docs_text() + "\n" + "".join([*games, *games[:15]])


@pytest.fixture(scope="module")
def pgn(text: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.pgn"
    path.write_text(text)
    return path


def test_rows_are_those_of_python_chess(pgn: Path, text: str, tmp_path: Path) -> None:
    games = naive_games(text)
    expected = Counter(row for game in games for row in game)
    made = make_dataset(pgn, tmp_path / "a", split=SPLIT, shards=3, shuffle=True)
    found = [row for split in made.rows for row in rows_of(tmp_path / "a", split)]
    assert Counter(found) == expected
    assert sum(made.rows.values()) == len(found)
    assert made.counts["games"] == len(games)
    assert made.counts["positions"] == sum(len(list(game)) for game in games) + made.counts["no result"] + len(games)


def test_rows_keep_the_order_of_the_inputs(pgn: Path, text: str, tmp_path: Path) -> None:
    make_dataset(pgn, tmp_path / "a", split=[1])
    assert rows_of(tmp_path / "a", "train") == [row for game in naive_games(text) for row in game]


def test_no_game_is_in_two_splits_in_whatever_file_it_comes(pgn: Path, text: str, tmp_path: Path) -> None:
    games = [game for game in naive_games(text) if game]
    made = make_dataset(pgn, tmp_path / "a", split=SPLIT)
    side: dict[NaiveRow, set[str]] = {}
    for split in made.rows:
        for row in rows_of(tmp_path / "a", split):
            side.setdefault(row, set()).add(split)
    own = [row for row, n in Counter(row for game in map(tuple, games) for row in set(game)).items() if n == 1]
    assert all(len(side[row]) == 1 for row in own)
    for game in games:  # a row that no other game has tells the split of its game
        assert len({next(iter(side[row])) for row in game if row in set(own)}) <= 1
    # Each game alone, in a file of its own, goes to the same split, with any seed.
    chosen = [i for i, game in enumerate(games) if set(game) & set(own)][:12]
    blocks = [block for block in text.split("[Event ")[1:] if "*\n" not in block]
    for i in chosen:
        file = tmp_path / f"{i}.pgn"
        file.write_text("[Event " + blocks[i])
        alone = make_dataset(file, tmp_path / f"alone-{i}", split=SPLIT, seed=i, shuffle=True)
        split = next(name for name, n in alone.rows.items() if n)
        row = next(row for row in games[i] if row in set(own))
        assert side[row] == {split}


@pytest.mark.parametrize("equal_hashes", few([False, True], 1))
def test_each_position_occurs_once_even_if_all_hashes_are_equal(
    equal_hashes: bool, pgn: Path, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if equal_hashes:
        monkeypatch.setattr(verbs, "hashes_of", lambda batch, names: np.zeros(batch.num_rows, np.uint64))
    first: dict[str, NaiveRow] = {}
    for game in naive_games(text):
        for row in game:
            first.setdefault(naive_key(row), row)
    made = make_dataset(pgn, tmp_path / "a", split=SPLIT, unique=True, shards=4)
    found = [row for split in made.rows for row in rows_of(tmp_path / "a", split)]
    assert sorted(found) == sorted(first.values())
    assert made.counts["repeated"] == sum(map(len, naive_games(text))) - len(first)


def test_a_shuffle_is_a_permutation_that_the_seed_decides(pgn: Path, tmp_path: Path) -> None:
    orders = {}
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        make_dataset(pgn, tmp_path / name, split=[1], shuffle=True, seed=seed, shards=2)
        orders[name] = rows_of(tmp_path / name, "train")
    make_dataset(pgn, tmp_path / "plain", split=[1])
    in_order = rows_of(tmp_path / "plain", "train")
    assert orders["a"] == orders["b"] != orders["c"]
    assert sorted(orders["a"]) == sorted(orders["c"]) == sorted(in_order)
    place = {row: i for i, row in enumerate(in_order)}
    places = np.array([place[row] for row in orders["a"]], float)
    assert abs(np.corrcoef(places, np.arange(places.size))[0, 1]) < 0.1
    neighbours = np.abs(np.diff(places)) <= 1
    assert neighbours.mean() < 0.05


def test_ranges_of_a_file_make_the_rows_of_the_whole_file(
    pgn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_dataset(pgn, tmp_path / "whole", split=[1])
    monkeypatch.setattr(inputs, "TASK_BYTES", 4096)
    assert pgn.stat().st_size > 4 * 4096
    make_dataset(pgn, tmp_path / "ranges", split=[1], threads=2)
    assert rows_of(tmp_path / "ranges", "train") == rows_of(tmp_path / "whole", "train")


def test_games_come_from_parquet_packed_files_and_training_data_too(text: str, pgn: Path, tmp_path: Path) -> None:
    games = read_pgn(pgn)
    write_parquet(games, tmp_path / "games.parquet")
    write_training(ScoredPositions.from_games(read_pgn(DOCS)), tmp_path / "games.plain")
    make_dataset(pgn, tmp_path / "pgn", split=SPLIT)
    made = make_dataset(tmp_path / "games.parquet", tmp_path / "parquet", split=SPLIT)
    for split in made.rows:
        assert rows_of(tmp_path / "parquet", split) == rows_of(tmp_path / "pgn", split)
    make_dataset([DOCS, str(pgn)], tmp_path / "two", split=[1])
    both = [row for game in naive_games(docs_text() + "\n" + text) for row in game]
    assert rows_of(tmp_path / "two", "train") == both
    made = make_dataset(tmp_path / "games.plain", tmp_path / "training", split=SPLIT, value=None)
    from_games = make_dataset(DOCS, tmp_path / "docs", split=SPLIT, value=None)
    assert sum(made.rows.values()) <= sum(from_games.rows.values())


def test_conditions_select_games_and_positions(pgn: Path, text: str, tmp_path: Path) -> None:
    make_dataset(pgn, tmp_path / "checks", split=[1], query="is_check")
    expected = [row for game in naive_games(text) for row in game if chess.Board(row.fen).is_check()]
    assert rows_of(tmp_path / "checks", "train") == expected
    made = make_dataset(pgn, tmp_path / "white", split=[1], where='Result == "1-0"', query='header("Result") == "1-0"')
    assert made.rows["train"] == sum(len(game) for game in naive_games(text) if game and game[0].result == 1)


def test_a_quiet_filter_selects_positions_as_trainers_do(pgn: Path, text: str, tmp_path: Path) -> None:
    query = "ply >= 8 and ply % 3 == 0 and not is_check and not move.captures and result == 1"
    make_dataset(pgn, tmp_path / "quiet", split=[1], query=query)
    expected = [row for game in naive_games(text) for row in game if is_quiet(row) and row.result == 1]
    assert expected
    assert rows_of(tmp_path / "quiet", "train") == expected


def is_quiet(row: NaiveRow) -> bool:
    board = chess.Board(row.fen)
    return (
        row.ply >= 8 and row.ply % 3 == 0 and not board.is_check() and not board.is_capture(board.parse_uci(row.move))
    )


@pytest.mark.parametrize("kind", ["binpack", "plain"])
def test_queries_select_training_data_by_plies_moves_scores_and_results(kind: Any, tmp_path: Path) -> None:
    rows = ScoredPositions.from_games(read_pgn(DOCS))
    rows.scores[:] = np.random.default_rng(3).integers(-900, 900, len(rows))
    keep = (rows.moves != 0) & (rows.results >= -1)
    source = tmp_path / "games.data"
    write_training(rows[keep], source, kind)
    make_dataset(source, tmp_path / "all", split=[1], format=kind)
    make_dataset(
        source,
        tmp_path / "quiet",
        split=[1],
        format=kind,
        query="ply >= 8 and ply % 3 == 0 and not is_check and not move.captures and result == 1 and abs(eval) < 5",
    )
    everything, scores = rows_of(tmp_path / "all", "train"), open_dataset(tmp_path / "all").read().scores.tolist()
    quiet = [
        row
        for row, score in zip(everything, scores, strict=True)
        if is_quiet(row) and row.result == 1 and abs(score) < 500
    ]
    assert quiet
    assert rows_of(tmp_path / "quiet", "train") == quiet
    make_dataset(source, tmp_path / "next", split=[1], format=kind, query="eval_before(white) > 0 and not is_check")
    before = [None, *scores[:-1]]
    expected = []
    for i, row in enumerate(everything):
        board = chess.Board(row.fen)
        follows = i > 0 and row.ply == everything[i - 1].ply + 1
        white = (-1 if board.turn else 1) * (before[i] or 0)  # the player before is the other one
        if follows and white > 0 and not board.is_check():
            expected.append(row)
    assert rows_of(tmp_path / "next", "train") == expected
    with pytest.raises(ValueError, match=r"asks about headers, and .* is training data without them"):
        make_dataset(source, tmp_path / "bad", split=[1], format=kind, query='header("ECO") == "A00"')
    assert not (tmp_path / "bad").exists()


@pytest.mark.parametrize("options", [{}, {"shuffle": True, "shards": 3}, {"unique": True, "shards": 2}])
def test_of_many_positions_a_random_sample_is_kept(options: dict[str, Any], pgn: Path, tmp_path: Path) -> None:
    make_dataset(pgn, tmp_path / "all", split=[1], **options)
    everything = rows_of(tmp_path / "all", "train")
    samples = []
    for seed in (0, 1):
        made = make_dataset(pgn, tmp_path / f"{seed}", split=[1], max_positions=200, seed=seed, **options)
        samples.append(rows_of(tmp_path / f"{seed}", "train"))
        assert made.rows["train"] == len(samples[-1])
        assert made.counts["left out"] + made.rows["train"] == len(everything)
        assert ".sample(200" in made.plan
        assert Counter(samples[-1]) <= Counter(everything)
        # A sample of the whole: its plies are spread like all plies.
        assert abs(np.mean([row.ply for row in samples[-1]]) - np.mean([row.ply for row in everything])) < 4
    assert len(samples[0]) == len(samples[1]) == 200
    assert samples[0] != samples[1]
    whole = make_dataset(pgn, tmp_path / "whole", split=[1], max_positions=10**6, **options)
    assert (whole.rows["train"], whole.counts["left out"]) == (len(everything), 0)


def test_rows_without_what_is_learnt_are_dropped_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. Nf3 *\n\n1. d4 1-0\n")
    made = make_dataset(path, tmp_path / "eval", split=[1], value="eval")
    assert (made.rows, made.counts) == (
        {"train": 2},
        {"games": 2, "bad games": 0, "positions": 6, "no move": 2, "no score": 2},
    )
    made = make_dataset(path, tmp_path / "result", split=[1], policy=None)
    assert (made.rows["train"], made.counts["no result"]) == (2, 4)
    made = make_dataset(path, tmp_path / "all", split=[1], policy=None, value=None)
    assert made.rows["train"] == 6


def test_every_position_comes_back_as_it_was() -> None:
    fens = [
        KIWIPETE,
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 9",
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 99 134217727",
        "4k3/8/8/8/8/8/8/4K2R w K - 999999999 1",
        "QQQQQQQQ/QQQQQQQQ/8/8/8/8/kqqqqqqq/qqqqqqqK b - - 3 7",
    ]
    numbers = list(range(6))
    positions = Positions.from_fens(fens)
    rows = ScoredPositions(positions, moves=numbers, scores=numbers, results=[0, 1, -1] * 2, plies=numbers)
    assert scored(packed(rows)) == rows
    assert ROW["position"].itemsize == 32
    assert ROW.itemsize == 48
    too_many = ["QQQQQQQQ/QQQQQQQQ/Q7/8/8/8/kqqqqqqq/qqqqqqqK b - - 3 7", "4k3/8/8/8/8/8/8/4K3 w - - 0 134217728"]
    assert not packed(ScoredPositions(Positions.from_fens(too_many)))["position"].any()


def test_the_manifest_says_what_is_there(pgn: Path, tmp_path: Path) -> None:
    planes = ["our_pawns", "checkers"]
    made = make_dataset(pgn, tmp_path / "a", planes=planes, policy="leela", split=[1], seed=3, shuffle=True)
    document = json.loads((tmp_path / "a" / "manifest.json").read_text())
    assert document["rows"] == made.rows
    sink = "write_dataset('DATASET', planes=['our_pawns', 'checkers'], policy='leela')"
    assert document["plan"] == f"scan('{pgn}').shuffle(3).split(1.0, by='game').{sink}"
    assert document["versions"]["rookery"] == rookery.__version__
    described = {"path": str(pgn), "bytes": pgn.stat().st_size, "format": "games", "name": str(pgn)}
    assert document["inputs"] == [described]
    assert [name for name, *_ in document["schema"]] == list(ROW.names or ())
    listed = {"manifest.json", *(shard["file"] for shard in document["shards"])}
    assert {path.name for path in (tmp_path / "a").iterdir()} == listed


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("rows", {"train": "all"}, r"rows\['train'\]: 'all': expected int"),
        ("shards", [{"file": "a"}], r"shards\[0\]\.split: is missing"),
        ("shards", 3, r"shards: 3: expected tuple\["),
        ("options", None, r"options: None: expected the fields of Options"),
        ("options", {"policy": None, "value": None}, r"options\.planes: is missing"),
        ("options", {"planes": [], "policy": 3, "value": None}, r"options\.policy: 3: expected str \| None"),
        ("files", [None], r"files\[0\]: None: expected str"),
    ],
)
def test_fields_of_a_manifest_have_their_types(pgn: Path, tmp_path: Path, field: str, value: Any, message: str) -> None:
    make_dataset(pgn, tmp_path / "a")
    path = tmp_path / "a" / manifest.NAME
    content = files.load(path, manifest.KIND)
    assert content is not None
    files.save(path, manifest.KIND, content | {field: value})
    with pytest.raises(ValueError, match=rf"manifest\.json: {message}.*: make the dataset again"):
        open_dataset(tmp_path / "a")


def test_a_damaged_file_leaves_no_dataset(tmp_path: Path) -> None:
    whole = Path(DOCS).read_bytes()
    (tmp_path / "cut.pgn.zst").write_bytes(whole[: len(whole) // 2])
    games = read_pgn(b"1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. Nf3 1-0")
    write_training(ScoredPositions.from_games(games), tmp_path / "rows.bin")
    (tmp_path / "cut.bin").write_bytes((tmp_path / "rows.bin").read_bytes()[:-3])
    for name in ("cut.pgn.zst", "cut.bin"):
        with pytest.raises(DamagedFileError, match=name):
            make_dataset([DOCS, tmp_path / name], tmp_path / "a", split=[1])
        assert not (tmp_path / "a").exists()


def test_bad_rows_of_text_are_left_out_and_listed(tmp_path: Path) -> None:
    (tmp_path / "rows.txt").write_text("x | 1 | 1.0\n8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 | 310 | 1.0\n")
    made = make_dataset(tmp_path / "rows.txt", tmp_path / "a", split=[1], policy=None)
    assert made.rows == {"train": 1}
    assert len(made.failures) == 1
    assert "rows.txt: line 1: FEN 'x'" in made.failures[0]
    assert rookery.open_dataset(tmp_path / "a").manifest.failures == made.failures


def test_folders_with_anything_else_are_refused(pgn: Path, tmp_path: Path) -> None:
    make_dataset(pgn, tmp_path / "a", split=[1])
    assert make_dataset(pgn, tmp_path / "a", split=[1]) == make_dataset(pgn, tmp_path / "b", split=[1])
    with pytest.raises(FileExistsError, match="has a dataset of other inputs or options"):
        make_dataset(pgn, tmp_path / "a", split=[1], unique=True)
    with pytest.raises(FileExistsError, match="has other files"):
        make_dataset(pgn, tmp_path, split=[1])
    with pytest.raises(FileExistsError, match="is a file"):
        make_dataset(pgn, pgn, split=[1])


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"split": (0.5, 0.6)}, "split: .*expected 1 to 3 numbers that add up to 1"),
    ({"split": (2, -1)}, r"split\[0\]: 2: expected a number from 0 to 1"),
    ({"split": "1"}, "split: '1'"),
    ({"planes": ["pawns"]}, "planes: channels: 'pawns'"),
    ({"planes": "all"}, "planes: 'all'"),
    ({"planes": []}, "planes: no channels"),
    ({"policy": "lc0"}, "policy: 'lc0'"),
    ({"value": "score"}, "value: 'score'"),
    ({"by": "file"}, "by: 'file'"),
    ({"query": "is_check +"}, "query"),
    ({"where": "WhiteElo >"}, "where"),
    ({"seed": -1}, "seed: -1"),
    ({"max_positions": 0}, "max_positions: 0"),
    ({"shards": 0}, "shards: 0"),
    ({"threads": 0}, "threads: 0"),
    ({"format": "pgn"}, "format: 'pgn'"),
    ({"executor": "many"}, "executor: 'many'"),
    ({"watch": 5}, "watch: 5"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_wrong_arguments_are_named(wrong: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        make_dataset(DOCS, tmp_path / "a", **wrong)
    assert not (tmp_path / "a").exists()
