"""A game has one identity, its file and its number there, in every table: joins by both are exact."""

import csv
import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
from command_line import run
from game_samples import SAMPLE
from rookery.games.games import Games
from rookery.games.openings.tree import OpeningTree
from rookery.games.read.reader import read_pgn, scan_pgn
from rookery.games.search.hits import Hits
from thinning import slow

GAMES = '[Event "{0}"]\n[White "{0}"]\n\n1. e4 e5 *\n\n[Event "{0}"]\n[White "{0}2"]\n\n1. d4 d5 2. c4 *\n\n'
IDENTITY = [pa.field("file", pa.string()), pa.field("number", pa.int64())]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [tmp_path / "a.pgn", tmp_path / "b.pgn"]
    for path in paths:
        path.write_text(GAMES.format(path.stem) * 3)
    return [str(path) for path in paths]


def right(files: list[str]) -> list[tuple[str, int]]:
    return [(file, number) for file in files for number in range(1, 7)]


def pairs(table: Any) -> list[tuple[str, int]]:
    return list(zip(table["file"].to_pylist(), table["number"].to_pylist(), strict=True))


def found(source: Any, query: str = "ply == 0", **options: Any) -> Hits:
    hits = rookery.search(source, query, **options)
    assert isinstance(hits, Hits)
    return hits


def start_of(schema: pa.Schema) -> list[pa.Field]:
    return [pa.field(field.name, field.type) for field in schema][:2]


def test_games_in_memory(files: list[str]) -> None:
    games = read_pgn(files)
    assert list(zip(games.files.tolist(), games.numbers.tolist(), strict=True)) == right(files)
    assert games["file"].tolist() == games.files.tolist()
    assert games["number"].tolist() == games.numbers.tolist()
    some = games[np.array([11, 0, 7])]
    assert pairs(some.to_arrow()) == [(files[1], 6), (files[0], 1), (files[1], 2)]
    assert pairs(pickle.loads(pickle.dumps(some)).to_arrow()) == pairs(some.to_arrow())
    assert pairs(Games.concatenate([games[8:], games[:2]]).to_arrow()) == right(files)[8:] + right(files)[:2]
    with scan_pgn(files, games=5) as scan:
        assert [pair for part in scan for pair in pairs(part.to_arrow())] == right(files)
    assert read_pgn(b"1. e4 *").files.tolist() == [""]


@pytest.mark.parametrize(
    ("executor", "threads"),
    [(None, 1), (None, 2), ("threads:2", 1), ("threads:2", 2), ("processes:1", 1), slow("processes:1", 2)],
)
def test_every_table_begins_with_the_identity(
    files: list[str], executor: str | None, threads: int, tmp_path: Path
) -> None:
    out = tmp_path / "games.parquet"
    rookery.pgn_to_parquet(files, out, executor=executor, threads=threads)
    table = pq.read_table(out)
    assert start_of(table.schema) == IDENTITY
    assert pairs(table) == right(files)
    for source in (files, str(out)):
        hits = found(source, executor=executor, threads=threads).to_arrow()
        assert start_of(hits.schema) == IDENTITY
        assert pairs(hits) == right(files)
    positions = read_pgn(files).positions("last")
    assert start_of(positions.to_arrow().schema) == IDENTITY
    assert pairs(positions.to_arrow()) == right(files)
    assert list(zip(positions.file.tolist(), positions.number.tolist(), strict=True)) == right(files)
    for source in (files, [str(out)]):
        annotated = tmp_path / "positions.parquet"
        rookery.annotate(source, annotated, {"ply0": "ply"}, every=100, threads=threads)
        rows = pq.read_table(annotated)
        assert start_of(rows.schema) == IDENTITY
        assert pairs(rows) == right(files)
        annotated.unlink()


def test_tables_of_tables(files: list[str], tmp_path: Path) -> None:
    """A table of a table has the files of PGN, whichever rows are left."""
    first, second = tmp_path / "first.parquet", tmp_path / "second.parquet"
    rookery.write_parquet(read_pgn(files), first, row_group_size=4)
    for games in (
        read_pgn(str(first)),
        read_pgn(str(first), threads=2),
        rookery.read_parquet(first),
        rookery.read_parquet(first, columns=["White"]),
        Games.from_arrow(pq.read_table(first)),
        read_pgn(io.BytesIO(first.read_bytes())),
    ):
        assert pairs(games.to_arrow()) == right(files)
    chosen = [pair for pair in right(files) if pair[1] % 2 == 0]
    where = 'White.endswith("2")'
    for games in (read_pgn(str(first), where=where), rookery.read_parquet(first, where=where)):
        assert pairs(games.to_arrow()) == chosen
        rookery.write_parquet(games, second)
        assert pairs(read_pgn(str(second)).to_arrow()) == chosen


def test_files_in_archives_have_names_of_their_own(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        for name in ("a.pgn", "b.pgn"):
            archive.writestr(name, GAMES.format(name))
    path = str(tmp_path / "games.zip")
    expected = [(f"{path}/{name}", number) for name in ("a.pgn", "b.pgn") for number in (1, 2)]
    assert pairs(read_pgn(path).to_arrow()) == expected
    assert pairs(found(path).to_arrow()) == expected
    rookery.pgn_to_parquet(path, tmp_path / "games.parquet", executor="threads:1")
    assert pairs(pq.read_table(tmp_path / "games.parquet")) == expected


def test_the_join_of_the_guide_is_exact_with_two_files(tmp_path: Path) -> None:
    """Hits in checks of two files join the games of both once each, as python-chess counts them."""
    paths = [tmp_path / "one.pgn", tmp_path / "two.pgn"]
    for path in paths:
        path.write_bytes(SAMPLE.read_bytes())
    checks = 0
    with SAMPLE.open(encoding="utf-8") as text:
        for game in iter(lambda: chess.pgn.read_game(text), None):
            checks += sum(node.board().is_check() for node in (game, *game.mainline()))
    games, hits = tmp_path / "games.parquet", tmp_path / "hits.parquet"
    rookery.write_parquet(read_pgn([str(path) for path in paths]), games)
    for source in ([str(path) for path in paths], str(games)):
        pq.write_table(found(source, "is_check").to_arrow(), hits)
        (joined,) = duckdb.sql(f"SELECT count(*) FROM '{hits}' JOIN '{games}' USING (file, number)").fetchall()
        assert joined == (2 * checks,)
        (same,) = duckdb.sql(f"SELECT count(*) FROM '{hits}' JOIN '{games}' USING (number)").fetchall()
        assert same > joined  # what a join by the number alone gives


def test_csv_of_games(files: list[str], tmp_path: Path) -> None:
    run("games", *files, "-o", str(tmp_path / "games.csv"))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "games.csv").read_text())))
    assert list(rows[0])[:2] == ["file", "number"]
    assert [(row["file"], int(row["number"])) for row in rows] == right(files)


def test_opening_trees_name_games(files: list[str]) -> None:
    tree = read_pgn(files)[1:].opening_tree()
    rows = {row["san"]: (row["file"], row["number"]) for row in tree.to_arrow().to_pylist()}
    assert rows == {
        "d4": (files[0], 2),
        "d5": (files[0], 2),
        "c4": (files[0], 2),
        "e4": (files[0], 3),
        "e5": (files[0], 3),
    }
    other = OpeningTree()
    other.add(read_pgn(files[1]))
    other.merge(tree)
    assert other.root["e4"].example == (files[1], 1)
    schema = tree.to_arrow("positions").schema
    assert [schema.field(name) for name in ("file", "number")] == IDENTITY


def older(path: Path, games: Games) -> None:
    """Write a table as an earlier version did, without files."""
    table = games.to_arrow().drop_columns(["file"])
    pq.write_table(table, path, row_group_size=5)


def test_older_tables_say_what_is_missing(files: list[str], tmp_path: Path) -> None:
    path = tmp_path / "older.parquet"
    older(path, read_pgn(files))
    numbers = [number for _, number in right(files)]
    said = f"{path}: no column 'file': games have the name of the table, and those of several files may share numbers"
    for games in (
        read_pgn(str(path)),
        read_pgn(str(path), threads=2),
        read_pgn(str(path), where='White.startswith("b")'),
        rookery.read_parquet(path),
        rookery.read_parquet(path, where='White.startswith("b")'),
    ):
        assert set(games.files) == {str(path)}
        assert games.numbers.tolist() == numbers[-len(games) :]
        assert list(map(str, games.warnings)) == [said]
    assert set(found(str(path)).file) == {str(path)}
    assert Games.from_arrow(pq.read_table(path)).files.tolist() == [""] * 12
    assert read_pgn(files).warnings == ()


def test_tables_of_other_programs_are_files_themselves(tmp_path: Path) -> None:
    path = tmp_path / "moves.parquet"
    moves = read_pgn(GAMES.format("a").encode() * 3).to_arrow().select(["moves"])
    pq.write_table(moves, path, row_group_size=2)
    expected = [(str(path), number) for number in range(1, 7)]
    for games in (read_pgn(str(path)), rookery.read_parquet(path), rookery.read_parquet(path, columns=[])):
        assert pairs(games.to_arrow()) == expected
        assert games.warnings == ()
    texts = tmp_path / "texts.parquet"
    pq.write_table(pa.table({"movetext": ["1. e4 *"] * 3}), texts)
    assert pairs(read_pgn(str(texts)).to_arrow()) == [(str(texts), number) for number in (1, 2, 3)]


def test_texts_in_a_column_are_files_themselves() -> None:
    column = pa.array(["1. e4 *\n\n1. d4 *", "1. c4 *"])
    assert pairs(read_pgn(column).to_arrow()) == [("row 0", 1), ("row 0", 2), ("row 1", 1)]
    table = pa.table({"movetext": ["1. e4 *", "1. d4 *"]})
    assert pairs(read_pgn(table).to_arrow()) == [("", 1), ("", 2)]
