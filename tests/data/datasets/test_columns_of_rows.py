"""What options add to rows: own columns, earlier positions, and the mean of all rows of a position."""

import itertools
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest

from naive_datasets import DOCS
from rookery import Positions, ScoredPositions, encoders, make_dataset, open_dataset, read_pgn, write_training
from rookery.sources import files
from rookery.sources.files import Damaged

CLOCKS = """[WhiteElo "1500"]

1. e4 { [%clk 0:03:00] [%eval 0.3] } e5 { [%clk 0:02:59] } 2. Nf3 { [%clk 0:02:58] [%eval 0.5] } 1-0

[WhiteElo "1700"]
[BlackElo "1800"]

1. e4 { [%eval 0.1] } c5 2. Nf3 1/2-1/2

1. d4 { [%eval -0.3] } d5 0-1
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(CLOCKS)
    return path


@pytest.mark.parametrize("options", [{}, {"shuffle": True}, {"unique": True}])
def test_own_columns_are_values_of_expressions(options: Any, games: Path, tmp_path: Path) -> None:
    columns = {"elo": "elo(us)", "clock": "clock(us)", "pawns": "count(us.pawns)", "check": "is_check", "key": "key"}
    made = make_dataset(games, tmp_path / "a", columns=columns, split=[1], **options)
    dataset = open_dataset(tmp_path / "a", batch=3)
    assert made.row["elo"] == np.float32
    table = dataset.to_arrow()
    assert table.column_names[-5:] == list(columns)
    rows = table.to_pylist()
    first = next(row for row in rows if row["fen"].startswith("rnbqkbnr/pppppppp") and row["number"] == 1)
    assert (first["elo"], first["clock"], first["pawns"], first["check"]) == (1500, None, 8, False)
    assert table["key"].to_pylist() == dataset.read().positions.keys().tolist()
    found = [(row["elo"], row["clock"]) for row in rows if row["number"] == 1 and row["ply"]]
    assert (None, None) in found or options  # the rating of black, and its clock before its first move
    if not options:
        assert [row["elo"] for row in rows] == [1500, None, 1500, 1700, 1800, 1700, None, None]
        assert [row["clock"] for row in rows] == [None, None, 180, *[None] * 5]
    for name in columns:
        batches = np.concatenate([batch.columns[name] for batch in dataset])
        stored = np.concatenate([dataset._rows.mapped(i)[name] for i in range(len(dataset._rows.shards))])
        assert np.array_equal(batches, stored, equal_nan=name in ("elo", "clock"))
    shard = np.load(tmp_path / "a" / "train-00000.npy")
    assert shard["pawns"].min() == 8


def test_own_columns_of_training_data(games: Path, tmp_path: Path) -> None:
    rows = ScoredPositions.from_games(read_pgn(games))
    write_training(rows, tmp_path / "a.plain", no_result="draw")
    made = make_dataset(tmp_path / "a.plain", tmp_path / "a", columns="half=ply, good=eval(us)", split=[1])
    (batch,) = open_dataset(tmp_path / "a")
    assert made.rows["train"] == batch.columns["half"].size
    assert batch.columns["half"].tolist() == open_dataset(tmp_path / "a").to_arrow()["ply"].to_pylist()
    with pytest.raises(ValueError, match=r"asks about headers, and .* is training data without them"):
        make_dataset(tmp_path / "a.plain", tmp_path / "b", columns="elo=elo(us)")
    names = b"eco\tname\tpgn\nC20\tOpen Game\t1. e4 e5\n"
    of_games: dict[str, Any] = {"where": "WhiteElo > 1", "encoding": "cp1251", "letters": "german", "names": names}
    for option, value in of_games.items():
        with pytest.raises(ValueError, match=rf"^{option}: .*a\.plain has n(o games|either headers nor columns)"):
            make_dataset([games, tmp_path / "a.plain"], tmp_path / "b", **{option: value})
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"score": "elo(us)"}, "columns: 'score': rows have this column: expected another name"),
        ("elo(us)", r"columns: 'elo\(us\)': expected a name for it: name=elo\(us\)"),
        ("elo=elo(", "columns: "),
    ],
)
def test_columns_that_cannot_be_stored_are_named(columns: Any, message: str, games: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        make_dataset(games, tmp_path / "a", columns=columns)


def test_positions_that_are_unique_have_the_mean_of_all_rows(games: Path, tmp_path: Path) -> None:
    # By python-chess: how the games went on from each position, for the side to move.
    results: dict[str, list[int]] = defaultdict(list)
    moves: dict[str, Counter[str]] = defaultdict(Counter)
    with games.open() as file:
        for game in iter(lambda: chess.pgn.read_game(file), None):
            white = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[game.headers["Result"]]
            for node in game.mainline():
                board = node.parent.board()
                results[board.epd()].append(white if board.turn else -white)
                moves[board.epd()][node.move.uci()] += 1
    options: Any = {"unique": True, "targets": "mean", "split": [1], "columns": {"elo": "elo(us)"}}
    make_dataset(games, tmp_path / "a", **options)
    dataset = open_dataset(tmp_path / "a")
    (batch,) = dataset
    rows = dataset.to_arrow().to_pylist()
    assert len(rows) == len(results) == 5
    for row, value in zip(rows, batch.value, strict=True):
        seen = results[chess.Board(row["fen"]).epd()]
        assert row["count"] == len(seen)
        assert (row["wins"], row["draws"], row["losses"]) == (seen.count(1), seen.count(0), seen.count(-1))
        assert value == pytest.approx(sum(seen) / len(seen))
        assert row["move"] == moves[chess.Board(row["fen"]).epd()].most_common(1)[0][0]
    start, after_e4 = (next(row for row in rows if row["count"] == n) for n in (3, 2))
    assert start["elo"] == 1600
    assert start["mean_score"] is None
    assert after_e4["mean_score"] == -20
    (scored,) = open_dataset(tmp_path / "a", value="eval")
    assert scored.value.size == 2  # after 1. e4 and 1. d4
    assert repr(batch).startswith("BatchWithColumns(planes=array(")
    with pytest.raises(ValueError, match="targets: 'mean': expected unique"):
        make_dataset(games, tmp_path / "b", targets="mean")


def test_rows_without_an_evaluation_are_dropped_and_counted(games: Path, tmp_path: Path) -> None:
    made = make_dataset(games, tmp_path / "a", split=[1], value="eval")
    assert made.counts["no score"] == 5
    make_dataset(games, tmp_path / "b", split=[1])
    dataset = open_dataset(tmp_path / "b", batch=2, value="eval", shuffle=True)
    assert dataset.dropped == {"no score": 5}
    values = np.concatenate([batch.value for batch in dataset])
    assert dataset.rows == values.size == made.rows["train"] == 3
    assert not np.isnan(values).any()
    assert dataset.to_arrow()["score"].null_count == 0


def test_evaluations_that_no_game_has_are_an_error(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 e5 2. Nf3 1-0\n\n1. d4 d5 0-1\n")
    with pytest.raises(ValueError, match=r"value: 'eval': none of 5 positions has an evaluation: expected games with"):
        make_dataset(games, tmp_path / "a", value="eval")
    assert not (tmp_path / "a").exists()
    make_dataset(games, tmp_path / "a", split=[1])
    with pytest.raises(ValueError, match=r"value: 'eval': no score in 5 of the 5 rows of train: none are left"):
        open_dataset(tmp_path / "a", value="eval")
    games.write_text("1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n")
    with pytest.raises(
        ValueError, match=r"value: 'result': none of 5 positions has a result: expected games that ended"
    ):
        make_dataset(games, tmp_path / "b")


@pytest.mark.parametrize("options", [{}, {"shuffle": True, "unique": True}])
def test_planes_of_earlier_positions(options: Any, tmp_path: Path) -> None:
    made = make_dataset(DOCS, tmp_path / "a", history=7, policy=None, value=None, split=[1], **options)
    games = read_pgn(DOCS)
    every = games.positions("all")
    dataset = open_dataset(tmp_path / "a", batch=50)
    table = dataset.to_arrow()
    assert table.column_names == ["file", "number", "fen", "move", "score", "result", "ply"]
    lines = {key: i for i, key in enumerate(zip((every.game + 1).tolist(), every.ply.tolist(), strict=True))}
    at = [lines[key] for key in zip(table["number"].to_pylist(), table["ply"].to_pylist(), strict=True)]
    planes = np.concatenate([batch.planes for batch in dataset])
    assert planes.shape == (made.rows["train"], 8 * 18, 8, 8)
    whites = every.turn
    for i, k in itertools.product(range(0, len(at), 7), range(8)):
        own = planes[i, k * 18 : k * 18 + 12]
        if every.ply[at[i]] < k:
            assert not own.any()
            continue
        board = chess.Board(every[at[i] - k].fen())
        expected = np.zeros((12, 8, 8))
        for square, piece in board.piece_map().items():
            mine = piece.color == whites[at[i]]
            seen = square if whites[at[i]] else chess.square_mirror(square)
            expected[piece.piece_type - 1 + 6 * (not mine), chess.square_rank(seen), chess.square_file(seen)] = 1
        assert np.array_equal(own, expected)
    short = open_dataset(tmp_path / "a", batch=50, history=1)
    assert np.array_equal(np.concatenate([batch.planes for batch in short]), planes[:, :36])
    make_dataset(DOCS, tmp_path / "b")
    with pytest.raises(ValueError, match="history: 2: rows have 0 earlier positions"):
        open_dataset(tmp_path / "b", history=2)


@pytest.mark.parametrize("name", ["leela", "leela-3", "leela-133"])
def test_planes_of_leela_are_those_of_the_encoder(name: Any, tmp_path: Path) -> None:
    back = (
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 6. Ke2 Ke7 7. Ke1 Ke8 8. a4 a5 9. Nf3 Nc6 10. Bc4 *\n\n"
    )
    path = tmp_path / "games.pgn"
    path.write_text(back + "1. e4 a6 2. e5 d5 3. exd6 *\n")
    make_dataset(path, tmp_path / "a", planes=name, history=7, value=None, split=[1])
    number = int(name.partition("-")[2] or 1)
    expected = encoders.leela_planes(read_pgn(path), number).to_dense()  # type: ignore[arg-type]
    found = np.concatenate([batch.planes for batch in open_dataset(tmp_path / "a", batch=10)])
    assert np.array_equal(found, expected)
    with pytest.raises(ValueError, match="planes: 'leela': rows have 3 earlier positions: expected history=7"):
        make_dataset(path, tmp_path / "b", planes="leela", history=3)


STATES: list[tuple[dict[str, Any], str]] = [
    ({"seed": 2}, "state: seed 1: does not fit a dataset with seed 2"),
    ({"batch": 99}, "state: rows|state: batch 100: does not fit a dataset with batch 99"),
    ({"split": "validation"}, "state: dataset '[0-9a-f]{16}': does not fit a dataset with dataset"),
    ({"shuffle": False}, "state: shuffle True: does not fit"),
    ({"world_size": 2}, "state: world_size 1: does not fit"),
]


@pytest.mark.parametrize(("other", "message"), STATES)
def test_states_of_other_datasets_are_refused(other: Any, message: str, tmp_path: Path) -> None:
    make_dataset(DOCS, tmp_path / "a", split=[0.5, 0.5])
    options: Any = {"batch": 100, "shuffle": True, "seed": 1}
    state = open_dataset(tmp_path / "a", **options).state_dict()
    dataset = open_dataset(tmp_path / "a", **{**options, **other})
    with pytest.raises(ValueError, match=message):
        dataset.load_state_dict(state)
    open_dataset(tmp_path / "a", **options, value=None).load_state_dict(state)
    with pytest.raises(ValueError, match=r"state: batch 9: expected at most \d, the batches of an epoch"):
        dataset.load_state_dict({"epoch": 0, "batch": 9})


def test_epochs_mix_rows_of_all_shards(tmp_path: Path) -> None:
    make_dataset(DOCS, tmp_path / "a", split=[1], shards=4, unique=True, columns={"unique": "key"})
    dataset = open_dataset(tmp_path / "a", batch=60, shuffle=True)
    epochs = [[batch.columns["unique"].tolist() for batch in dataset] for _ in range(3)]
    keys = dataset.read().positions.keys()
    shard = dict(zip(keys.tolist(), np.searchsorted(dataset._rows.starts, np.arange(keys.size), "right"), strict=True))
    for epoch in epochs:
        assert sorted(itertools.chain(*epoch)) == sorted(keys.tolist())
        assert all(len({shard[key] for key in batch}) == 4 for batch in epoch[:-1])
    together = [{frozenset(pair) for batch in epoch for pair in itertools.combinations(batch, 2)} for epoch in epochs]
    assert len(together[0] & together[1]) < 0.2 * len(together[0])  # one in ten is what chance leaves


def test_datasets_of_older_versions_are_opened(tmp_path: Path) -> None:
    make_dataset(DOCS, tmp_path / "a", split=[1], unique=True)
    content = json.loads((tmp_path / "a" / "manifest.json").read_text())
    content.pop("digest")
    mark = content.pop("about")
    content["command"] = content.pop("plan")
    del content["texts"]
    for name in ("columns", "history", "targets", "splits"):
        del content["options"][name]
    content["options"] |= {"split": [0.9, 0.1], "dedupe": True, "by": "game"}
    files.save(tmp_path / "a" / "manifest.json", files.Kind("manifest", mark), content)
    dataset = open_dataset(tmp_path / "a", batch=1000)
    assert [batch.planes.shape for batch in dataset] == [(601, 18, 8, 8)]
    assert dataset.manifest.options.splits == ("train", "validation")


def test_a_damaged_row_of_history_is_an_error(tmp_path: Path) -> None:
    make_dataset(DOCS, tmp_path / "a", split=[1], history=2)
    shard = tmp_path / "a" / "train-00000.npy"
    content = bytearray(shard.read_bytes())
    start = len(content) - np.load(shard).nbytes
    row = np.load(shard).dtype
    content[start + 5 * row.itemsize + row.fields["earlier"][1] + 3] ^= 0xFF
    shard.write_bytes(content)
    with pytest.raises(Damaged, match="a shard is damaged"):
        list(open_dataset(tmp_path / "a"))


def test_the_command_takes_them_all(games: Path, tmp_path: Path) -> None:
    from command_line import run

    arguments = ["--select", "elo=elo(us), clock=clock(us)", "--history", "2", "--unique", "--targets", "mean"]
    run("dataset", str(games), "-o", str(tmp_path / "a"), "--split", "1", *arguments)
    options: Any = {
        "columns": {"elo": "elo(us)", "clock": "clock(us)"},
        "history": 2,
        "unique": True,
        "targets": "mean",
    }
    made = make_dataset(games, tmp_path / "b", split=[1], **options)
    assert (tmp_path / "a" / "train-00000.npy").read_bytes() == (tmp_path / "b" / "train-00000.npy").read_bytes()
    steps = "select(elo='elo(us)', clock='clock(us)').unique().split(1.0, by='game')"
    assert made.plan == f"scan('{games}').{steps}.write_dataset('DATASET', history=2, targets='mean')"
    assert isinstance(open_dataset(tmp_path / "a").read().positions, Positions)
