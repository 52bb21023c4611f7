"""A dataset is a sink of a plan: its rows are those of the plan, whatever its steps, its source and its executor."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rookery
from naive_datasets import DOCS, docs_text
from rookery import make_dataset, open_dataset, read_pgn, scan
from rookery.data.plans.plan import Plan
from rookery.sources.failures import DamagedFileError
from rookery.sources.files import Damaged

ROW = ("file", "number", "fen", "move", "ply")
GAMES = scan(DOCS)
PLANS: dict[str, tuple[Plan, Any]] = {
    "all": (GAMES, lambda plan: plan.select(*ROW)),
    "chosen": (
        scan(DOCS, where="WhiteElo > 1200").positions("not is_check", every=3, from_ply=4),
        lambda plan: plan.select(*ROW),
    ),
    "own columns": (
        GAMES.select("White", "key", elo="elo(us)", check="is_check"),
        lambda plan: GAMES.select(*ROW, "White", "key", elo="elo(us)", check="is_check"),
    ),
    "unique": (GAMES.unique(), lambda plan: GAMES.select(*ROW).unique()),
    "by an expression": (
        GAMES.unique("ply // 2", "is_check"),
        lambda plan: GAMES.select(*ROW).unique("ply // 2", "is_check"),
    ),
    "counted": (
        GAMES.select(elo="elo(us)").unique(n="count", elo="max(elo(us))"),
        lambda plan: GAMES.select(*ROW, elo="elo(us)").unique(n="count", elo="max(elo(us))"),
    ),
    "sorted": (
        GAMES.select("White").sort("White", "ply", descending=[True, False]).head(77),
        lambda plan: GAMES.select(*ROW, "White").sort("White", "ply", descending=[True, False]).head(77),
    ),
    "sampled": (GAMES.sample(100, seed=5).shuffle(3), lambda plan: GAMES.select(*ROW).sample(100, seed=5).shuffle(3)),
    "the first": (GAMES.head(40), lambda plan: GAMES.select(*ROW).head(40)),
}


def rows_of(folder: Path, split: str = "train") -> list[dict[str, Any]]:
    left_out = ("score", "result")
    table = open_dataset(folder, split, policy=None, value=None).to_arrow()
    return [{name: value for name, value in row.items() if name not in left_out} for row in table.to_pylist()]


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("shards", [None, 3])
def test_a_dataset_has_the_rows_of_its_plan(name: str, shards: int | None, tmp_path: Path) -> None:
    plan, with_row = PLANS[name]
    made = plan.write_dataset(tmp_path / "a", policy=None, value=None, shards=shards)
    expected = with_row(plan).collect().to_pylist()
    assert len(expected) > 30
    assert rows_of(tmp_path / "a") == expected
    assert made.rows == {"train": len(expected)}
    of_reading = ("games", "bad games", "positions")
    assert made.counts["positions"] - len(expected) == sum(n for k, n in made.counts.items() if k not in of_reading)
    assert len(made.shards) == (shards or 1)
    assert made.plan.startswith(f"{plan!r}.write_dataset('DATASET'")
    options: Any = {"executor": "threads:2"} if shards else {"threads": 2}
    plan.write_dataset(tmp_path / "b", policy=None, value=None, shards=shards, **options)
    assert {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()
    }


@pytest.mark.parametrize("last", [True, False])
def test_the_last_split_divides_the_rows(last: bool, tmp_path: Path) -> None:
    plan = GAMES.select("White").split(0.5, 0.3, 0.2, by="player")
    plan = plan if last else plan.shuffle(2)
    made = plan.write_dataset(tmp_path / "a", policy=None, value=None)
    whole = GAMES.select(*ROW, "White").split(0.5, 0.3, 0.2, by="player")
    rows = (whole if last else whole.shuffle(2)).collect().to_pylist()
    for split in ("train", "validation", "test"):
        expected = [{k: v for k, v in row.items() if k != "split"} for row in rows if row["split"] == split]
        assert made.rows[split] == len(expected) > 0
        assert rows_of(tmp_path / "a", split) == expected


def test_rows_that_do_not_fit_into_memory_are_the_same(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text(docs_text() * 40)
    for name, memory in (("small", "1MB"), ("large", "1GB")):
        plan = scan(games).select("White").unique(n="count", memory=memory).shuffle(4, memory=memory)
        plan.split(0.9, 0.1).write_dataset(tmp_path / name, targets="mean", shards=5)
    contents = [{one.name: one.read_bytes() for one in (tmp_path / name).iterdir()} for name in ("small", "large")]
    assert {name: content for name, content in contents[0].items() if name != "manifest.json"} == {
        name: content for name, content in contents[1].items() if name != "manifest.json"
    }


def test_make_dataset_is_a_plan(tmp_path: Path) -> None:
    options: Any = {"where": "WhiteElo > 1000", "query": "ply > 3", "every": 2, "unique": True, "max_positions": 150}
    options |= {"sort": "-ply", "seed": 4, "split": [0.7, 0.3], "by": "position", "columns": {"white": "White"}}
    options |= {"history": 2}
    made = make_dataset(DOCS, tmp_path / "a", **options)
    plan = scan(DOCS, where="WhiteElo > 1000").positions("ply > 3", every=2).select(white="White").unique()
    plan = plan.sample(150, seed=4).sort("ply", descending=True).split(0.7, 0.3, by="position")
    plan.write_dataset(tmp_path / "b", history=2)
    eval(made.plan.replace("'DATASET'", f"{str(tmp_path / 'c')!r}"), {"scan": scan})
    shards = [{path.name: path.read_bytes() for path in (tmp_path / name).glob("*.npy")} for name in "abc"]
    assert shards[0] == shards[1] == shards[2]
    assert made.counts["left out"] > 0
    plies = [row["ply"] for split in made.rows for row in rows_of(tmp_path / "a", split)]
    assert set(plies) <= set(range(4, 300, 2))
    for split in made.rows:
        own = [row["ply"] for row in rows_of(tmp_path / "a", split)]
        assert own == sorted(own, reverse=True)


def test_objects_in_memory_are_sources(tmp_path: Path) -> None:
    games = read_pgn(DOCS)
    scan(games).select("White").write_dataset(tmp_path / "a")
    GAMES.select("White").write_dataset(tmp_path / "b")
    shards = [(tmp_path / name / "train-00000.npy").read_bytes() for name in "ab"]
    assert np.array_equal(*(np.load(tmp_path / name / "train-00000.npy")["position"] for name in "ab"))
    assert len(shards[0]) == len(shards[1])
    with pytest.raises(FileExistsError, match="has a dataset of other inputs or options"):
        scan(games).select("White").write_dataset(tmp_path / "a")
    scan(rookery.ScoredPositions.from_games(games)).write_dataset(tmp_path / "c")
    assert open_dataset(tmp_path / "c").read() == open_dataset(tmp_path / "b").read()


def test_positions_without_games_have_own_columns(tmp_path: Path) -> None:
    fens = list(read_pgn(DOCS).positions().to_fens()[:9])
    names = [None if i == 5 else f"name {i % 3}" for i in range(9)]
    lines = [
        f"{fen},{i if i % 4 else ''},{'' if i == 5 else f'name {i % 3}'},2025-01-0{i + 1}" for i, fen in enumerate(fens)
    ]
    (tmp_path / "a.csv").write_text("fen,number of it,name,day\n" + "\n".join(lines) + "\nbad,1,x,2025-01-01\n")
    plan = scan(tmp_path / "a.csv").select("number of it")
    with pytest.raises(ValueError, match="select: 'number of it': expected a name for it"):
        plan.write_dataset(tmp_path / "none", policy=None, value=None)
    (tmp_path / "a.csv").write_text((tmp_path / "a.csv").read_text().replace("number of it", "points"))
    plan = scan(tmp_path / "a.csv").select("name", "day", "points", half="points / 2", checks="is_check")
    for wrong in ({}, {"policy": None}, {"value": None}):
        with pytest.raises(
            ValueError, match=r"(policy|value): '.*': .*a.csv has no (moves|results and scores of its own)"
        ):
            plan.write_dataset(tmp_path / "none", **wrong)  # type: ignore[arg-type]
    assert not (tmp_path / "none").exists()
    made = plan.write_dataset(tmp_path / "a", policy=None, value=None, errors=tmp_path / "bad.jsonl")
    (failure,) = made.failures
    assert failure.startswith(f"{tmp_path / 'a.csv'}: line 11: ")
    assert len((tmp_path / "bad.jsonl").read_text().splitlines()) == 1
    (batch,) = open_dataset(tmp_path / "a", batch=20)
    assert open_dataset(tmp_path / "a").read().positions.to_fens() == fens
    assert batch.planes.shape == (9, 18, 8, 8)
    assert batch.columns["name"].tolist() == names
    assert [str(day)[:10] for day in batch.columns["day"]] == [f"2025-01-0{i + 1}" for i in range(9)]
    points = [float(i) if i % 4 else np.nan for i in range(9)]
    assert np.array_equal(batch.columns["points"], points, equal_nan=True)
    assert np.array_equal(batch.columns["half"], np.array(points) / 2, equal_nan=True)
    assert batch.columns["checks"].dtype == np.bool_


# Texts.


@pytest.mark.parametrize("shuffle", [True, False])
def test_texts_come_back_in_batches_and_tables(shuffle: bool, tmp_path: Path) -> None:
    plan = GAMES.select("White", "UTCDate", text="fen")
    made = plan.shuffle(1).split(0.7, 0.3).write_dataset(tmp_path / "a", shards=4)
    assert {one.file for one in made.texts} == {
        f"{name}-0000{i}.arrow" for name in ("White", "UTCDate", "text") for i in range(4)
    }
    games = read_pgn(DOCS)
    white, days = games.column("White").tolist(), [str(day) for day in games.column("UTCDate")]
    for split in ("train", "validation"):
        dataset = open_dataset(tmp_path / "a", split, batch=50, shuffle=shuffle, check=True)
        table = dataset.to_arrow().to_pylist()
        assert [row["White"] for row in table] == [white[row["number"] - 1] for row in table]
        assert [row["UTCDate"] for row in table] == [days[row["number"] - 1] for row in table]
        assert [row["text"] for row in table] == [row["fen"] for row in table]
        found = [text for batch in pickle.loads(pickle.dumps(dataset)) for text in batch.columns["text"].tolist()]
        assert (sorted(found) if shuffle else found) == (sorted if shuffle else list)([row["fen"] for row in table])
        for batch in dataset:  # texts and numbers are those of the same rows
            boards = rookery.Positions.from_fens(batch.columns["text"].tolist())
            assert np.array_equal(boards.planes(dataset.planes[:12], dtype=np.float32), batch.planes[:, :12])


def test_damaged_texts_are_errors(tmp_path: Path) -> None:
    make_dataset(DOCS, tmp_path / "a", split=[1], columns="White")
    path = tmp_path / "a" / "White-00000.arrow"
    content = path.read_bytes()
    path.write_bytes(content[:-1])
    with pytest.raises(Damaged, match=r"White-00000.arrow: has .* bytes: expected"):
        list(open_dataset(tmp_path / "a"))
    path.write_bytes(content.replace(b"alanbrito4", b"alanbrito5"))
    with pytest.raises(Damaged, match=r"White-00000.arrow: damaged: its digest"):
        open_dataset(tmp_path / "a", check=True)
    path.write_bytes(content)
    shard = tmp_path / "a" / "train-00000.npy"
    rows = np.load(shard)
    rows["White"][3] = 10**6
    np.save(shard, rows)
    with pytest.raises(Damaged, match="a shard is damaged: an unknown text"):
        list(open_dataset(tmp_path / "a"))


# Interruptions and errors.


def test_an_interrupted_plan_goes_on(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text(docs_text())
    paths = [games]
    for i in range(5):
        paths.append(tmp_path / f"{i}.pgn")
        paths[-1].write_text(docs_text())
    plan = scan([str(path) for path in paths]).unique(n="count").shuffle(1).split(0.8, 0.2)
    calls = 0

    def stop(done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        plan.write_dataset(tmp_path / "a", progress=stop, executor="threads:1")
    assert (tmp_path / "a" / "unfinished" / "journal").read_bytes().count(b"\n") > 3
    with pytest.raises(ValueError, match=r"is of other work .*--force"):
        plan.shuffle(2).write_dataset(tmp_path / "a")
    first = plan.write_dataset(tmp_path / "a")
    assert first.rows == plan.write_dataset(tmp_path / "b").rows
    assert {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()
    }
    before = (tmp_path / "a" / "train-00000.npy").stat().st_mtime_ns
    assert plan.write_dataset(tmp_path / "a") == first
    assert (tmp_path / "a" / "train-00000.npy").stat().st_mtime_ns == before
    again = plan.write_dataset(tmp_path / "a", value="eval", force=True)
    assert sum(again.rows.values()) < sum(first.rows.values())


def test_a_file_that_is_cut_leaves_no_dataset(tmp_path: Path) -> None:
    whole = Path(DOCS).read_bytes()
    (tmp_path / "cut.pgn.zst").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedFileError, match=r"cut.pgn.zst"):
        scan([DOCS, str(tmp_path / "cut.pgn.zst")], format="games").unique().write_dataset(tmp_path / "a")
    assert not (tmp_path / "a").exists()


WRONG: list[tuple[Any, dict[str, Any], str]] = [
    (GAMES, {"targets": "mean"}, "targets: 'mean': expected unique"),
    (GAMES.unique("ply"), {"targets": "mean"}, "targets: 'mean': expected unique"),
    (GAMES.select("fen"), {}, "select: 'fen': rows have this column"),
    (GAMES.select("elo(us)"), {}, r"select: 'elo\(us\)': expected a name for it"),
    (GAMES.group_by("ply").agg("count"), {}, "group_by: makes other rows"),
    (GAMES, {"shards": 0}, "shards: 0"),
    (GAMES, {"planes": "leela"}, "planes: 'leela': rows have 0 earlier positions"),
    (GAMES, {"progress": 3}, "progress: 3"),
    (GAMES, {"errors": "none/bad.jsonl"}, "errors"),
]


@pytest.mark.parametrize(("plan", "wrong", "message"), WRONG)
def test_wrong_arguments_are_named(plan: Any, wrong: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises((ValueError, TypeError, FileNotFoundError), match=message):
        plan.write_dataset(tmp_path / "a", **wrong)
    assert not (tmp_path / "a").exists()
