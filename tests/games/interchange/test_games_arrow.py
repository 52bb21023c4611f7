"""Games as Arrow tables and Parquet files: nothing is lost, and data frame libraries take them."""

import datetime
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
from game_samples import ALL, SAMPLE, UGLY, ugly
from rookery.games.games import Games
from rookery.games.interchange import left_out, schema
from rookery.games.read.reader import read_pgn, scan_pgn
from rookery.pgn.scan.lexing.vocabulary import COLUMNS


def same(a: Games, b: Games) -> bool:
    places = (a.numbers == b.numbers).all() and (a.offsets == b.offsets).all()
    return a == b and bool(places) and a.errors == b.errors


def test_there_and_back() -> None:
    games = ugly()
    assert len(games) == 6
    assert len(games.errors) == 1
    for some in (games, games[2:], games[::2], games[:0], read_pgn(SAMPLE), ugly(headers=None), ugly(headers=[])):
        table = some.to_arrow()
        table.validate(full=True)
        again = Games.from_arrow(table)
        assert same(again, some)
        assert [str(game) for game in again] == [str(game) for game in some]
        assert again.to_arrow() == table


def test_equality_sees_every_column() -> None:
    games = ugly()
    for old, new in (
        ("Größe", "Grösse"), ("e5 {", "e6 {"), ("0:03:00.5", "0:03:00"), ("#-3", "#-4"), ("0:00:01", "0:00:02"),
        ("before", "after"), ("$1", "$2"), ("1. c4", "1. c3"), ("4k3", "3k4"), ("61. Kd2 1-0", "61. Kd2 0-1"),
        ('"?"', '"1"'), ("05.01", "05.02"), ("bqnrkr1b/", "nqbrkr1b/"),
    ):  # fmt: skip
        assert old in UGLY
        assert read_pgn(UGLY.replace(old, new, 1).encode(), **ALL) != games, old
    assert read_pgn(("\n\n" + UGLY).encode(), **ALL) == games


def test_the_schema() -> None:
    schema = read_pgn(SAMPLE).to_arrow().schema
    # Names that differ only in case are one name to DuckDB: ``date`` stands for both dates.
    assert schema.names[:2] == ["file", "number"]
    assert schema.names[2 : len(COLUMNS) + 2] == ["date" if name == "Date" else name for name in COLUMNS]
    types = {field.name: field.type for field in schema}
    assert types["WhiteElo"] == types["BlackRatingDiff"] == pa.int16()
    assert types["UTCDate"] == pa.date32()
    assert types["UTCTime"] == pa.time32("s")
    assert types["White"] == types["start"] == types["Result"] == types["parse_error"] == pa.string()
    assert types["moves"] == pa.list_(pa.uint16())
    assert types["clocks"] == types["evals"] == types["emts"] == pa.list_(pa.float32())
    assert schema.field("clocks").metadata[b"unit"] == b"s"
    assert rookery.__version__.encode() in schema.metadata[b"rookery games"]
    assert ugly()[:0].to_arrow().schema == ugly().to_arrow().schema


def test_values() -> None:
    row, chess960, promotion, shuffled, _, bad = ugly().to_arrow().to_pylist()
    assert row["Event"] == "Größe"
    assert row["White"] == 'Anna "A"'
    assert row["WhiteElo"] is None
    assert row["WhiteRatingDiff"] == -7
    assert row["UTCDate"] == datetime.date(2025, 5, 1)
    assert row["UTCTime"] == datetime.time(23, 59, 58)
    assert row["Opening"] == ""
    assert row["Result"] == "1/2-1/2"
    assert row["start"] is None
    assert row["clocks"] == [180.5, None, None]
    assert row["evals"] == [-997.0, None, None]
    assert row["emts"] == [None, 1.0, None]
    assert row["date"] == datetime.date(2025, 5, 1)
    assert row["tags"] == [
        {"name": "WhiteElo", "value": "?"},
        {"name": "Date", "value": None},
    ]
    assert row["nags"] == [{"ply": 1, "nag": 1, "after": 0}, {"ply": 1, "nag": 1, "after": 0}]
    assert row["comments"][-1] == {"ply": 3, "text": " rest } of line", "after": 0}
    assert row["variations"] == [{"ply": 1, "text": "1. d4 {} (1. c4)"}]
    assert chess960["chess960"]
    assert chess960["start"] == "bqnrkr1b/pppppppp/8/8/8/8/PPPPPPPP/BQNRKR1B w FDfd - 0 1"
    assert promotion["start"] == "4k3/P7/8/8/8/8/8/4K3 w - - 5 60"
    assert not promotion["chess960"]
    assert shuffled["chess960"]
    assert bad["parse_error"].startswith("game 6, line 31, move 1...: SAN move: 'Ke2'")
    assert bad["fault"]["move"] == "Ke2"
    assert len(bad["moves"]) == 1


def test_parquet(tmp_path: Path) -> None:
    games = Games.concatenate([ugly()] * 5)
    path = tmp_path / "games.parquet"
    assert rookery.write_parquet(games, path, row_group_size=7) == 30
    file = pq.ParquetFile(path)
    assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == [7, 7, 7, 7, 2]
    assert file.schema_arrow.names == games.to_arrow().schema.names
    assert file.schema_arrow.metadata == games.to_arrow().schema.metadata
    assert file.schema_arrow.field("evals").metadata[b"unit"] == b"pawns"
    assert file.schema_arrow.field("UTCTime").type == pa.time32("ms")  # Parquet has no seconds
    assert same(rookery.read_parquet(path), games)
    with rookery.scan_parquet(path, columns=["White"], threads=2) as scan:
        parts = list(scan)
    assert [len(part) for part in parts] == [7, 7, 7, 7, 2]
    assert list(parts[0].headers) == ["White"]
    assert Games.concatenate(parts).moves == games.moves
    assert Games.concatenate(parts).starts == games.starts
    assert [path] == list(tmp_path.iterdir())


def test_parquet_block_by_block(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    text = UGLY.encode() * 50
    with scan_pgn(text, games=13, **ALL) as scan:
        assert rookery.write_parquet(scan, path, row_group_size=40) == 300
    file = pq.ParquetFile(path)
    assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == [40] * 7 + [20]
    assert same(rookery.read_parquet(path), read_pgn(text, **ALL))
    with scan_pgn(b"\n") as scan:
        assert rookery.write_parquet(scan, path) == 0
    assert len(rookery.read_parquet(path)) == 0


def test_errors_of_games_that_were_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of the input are the good ones and the bad ones, before and after."""
    text = UGLY.encode() * 20
    games = read_pgn(text, errors="skip")
    assert (len(games), len(games.errors)) == (100, 20)
    assert Games.from_arrow(games.to_arrow()).errors == games.errors
    assert Games.from_arrow(games.to_arrow().slice(0, 3)).errors == games.errors
    path = tmp_path / "games.parquet"
    with scan_pgn(text, games=13, errors="skip") as scan:
        assert rookery.write_parquet(scan, path, row_group_size=17) == 100
    assert same(rookery.read_parquet(path), games)
    with rookery.scan_parquet(path, columns=["White"]) as parts:
        assert [len(part.errors) for part in parts] == [20, 0, 0, 0, 0, 0]
    rookery.write_parquet(read_pgn(b"1. e5 *", errors="skip"), path)
    none = rookery.read_parquet(path)
    assert (len(none), [error.move for error in none.errors]) == (0, ["e5"])
    monkeypatch.setattr(left_out, "_MOST", 7)
    rookery.write_parquet(games, path)
    again = rookery.read_parquet(path)
    assert again.errors[:7] == games.errors[:7]
    assert again.errors[7].reason == "13 more errors of games that were left out were not kept"


def test_what_goes_wrong_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    rookery.write_parquet(ugly(), path)
    before = path.read_bytes()

    def blocks() -> Any:
        yield ugly()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rookery.write_parquet(blocks(), path, row_group_size=2)
    with pytest.raises(TypeError, match=r"^games\[1\]: 5: expected Games"):
        rookery.write_parquet([ugly(), 5], path, row_group_size=2)  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"^games: 5: expected Games"):
        rookery.write_parquet(5, path)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^row_group_size: 0: expected"):
        rookery.write_parquet(ugly(), path, row_group_size=0)
    assert path.read_bytes() == before
    assert [path] == list(tmp_path.iterdir())


def test_bad_tables_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = ugly().to_arrow()
    with pytest.raises(TypeError, match=r"^table: int: expected an Arrow table"):
        Games.from_arrow(5)
    with pytest.raises(ValueError, match=r"^no column moves: expected a table of games"):
        Games.from_arrow(table.drop_columns(["moves"]))
    with pytest.raises(TypeError, match=r"^moves: a column of string: expected lists"):
        Games.from_arrow(table.set_column(table.schema.names.index("moves"), "moves", table["White"]))
    with pytest.raises(ValueError, match=r"^clocks: lists of other lengths"):
        Games.from_arrow(table.set_column(table.schema.names.index("clocks"), "clocks", table["clocks"].take([0] * 6)))
    with pytest.raises(ValueError, match=r"^Result: '2-0': expected one of"):
        Games.from_arrow(table.set_column(table.schema.names.index("Result"), "Result", pa.array(["2-0"] * 6)))
    with pytest.raises(ValueError, match=r"^table: games of format 99: expected 1"):
        Games.from_arrow(table.replace_schema_metadata({"rookery games": '{"format": 99}'}))
    with pytest.raises(ValueError, match=r"^header 'moves': a column of games has that name"):
        read_pgn(b'[moves "5"]\n\n*', headers=["moves"]).to_arrow()
    with pytest.raises(FileNotFoundError):
        rookery.read_parquet(tmp_path / "none")
    with pytest.raises(IsADirectoryError, match="is a directory: expected a Parquet file"):
        rookery.read_parquet(tmp_path)
    (tmp_path / "text").write_text("PAR1")
    with pytest.raises(ValueError, match="no Parquet file, or damaged"):
        rookery.read_parquet(tmp_path / "text")
    rookery.write_parquet(ugly(), tmp_path / "good")
    with pytest.raises(ValueError, match=r"^columns: 'Anna': expected some of file, number, Event"):
        rookery.scan_parquet(tmp_path / "good", columns=["Anna"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for call in (
        ugly().to_arrow,
        lambda: Games.from_arrow(table),
        lambda: rookery.write_parquet(ugly(), tmp_path / "x"),
    ):
        with pytest.raises(ModuleNotFoundError, match="pip install pyarrow"):
            call()


def test_a_parquet_file_that_is_damaged_within(tmp_path: Path) -> None:
    games = Games.concatenate([read_pgn(SAMPLE)] * 3)
    path = tmp_path / "games.parquet"
    rookery.write_parquet(games, path, row_group_size=12)
    data = bytearray(path.read_bytes())
    start = pq.ParquetFile(path).metadata.row_group(2).column(0).dictionary_page_offset
    data[start : start + 200] = bytes(200)
    path.write_bytes(data)
    with pytest.raises(OSError, match=r"games\.parquet: row group 3 of 3: damaged: ") as caught:
        rookery.read_parquet(path)
    assert caught.value.games == games[:24]  # type: ignore[attr-defined]


def test_moves_are_checked(tmp_path: Path) -> None:
    games = Games.concatenate([read_pgn(SAMPLE), ugly(), read_pgn(SAMPLE)])
    places = np.random.default_rng(0).integers(0, games.moves.moves.size, 60)
    for k, place in enumerate(places.tolist()):
        table = games.to_arrow()
        words = games.moves.moves.copy()
        words[place] ^= 1 << k % 16
        changed = pa.ListArray.from_arrays(pa.array(games.moves.offsets.astype(np.int32)), pa.array(words))
        table = table.set_column(table.schema.names.index("moves"), "moves", changed)
        bad = Games.from_arrow(table, check=False)
        legal = True
        for i in range(len(bad)):
            board = bad.board(i)
            for word in bad.moves[i].tolist():
                if legal and (word not in map(board.move_word, board.legal_moves) if word else board.is_check()):
                    legal = False
                    with pytest.raises(ValueError, match=rf"^moves\[{i}\], half-move \d+: .* is not legal in '"):
                        Games.from_arrow(table)
                if not legal:
                    break
                board.push(word)
        if legal:
            assert Games.from_arrow(table) == bad
    path = tmp_path / "games.parquet"
    rookery.write_parquet(bad, path)
    assert rookery.read_parquet(path, check=False) == bad


def test_other_forms_of_tables() -> None:
    games = ugly()
    table = games.to_arrow()
    chunked = pa.concat_tables([table.slice(0, 1), table.slice(1, 0), table.slice(1)])
    assert same(Games.from_arrow(chunked), games)
    assert Games.from_arrow(table.slice(2, 3)) == games[2:5]
    (batch,) = table.to_batches()
    assert same(Games.from_arrow(batch), games)
    assert pa.table(games) == table
    assert pa.schema(games) == table.schema
    assert same(Games.from_arrow(games), games)
    with pytest.raises(ValueError, match=r"^moves\[1\], half-move 1: e1f1 is not legal"):
        Games.from_arrow(table.select(["moves"]))  # without start positions
    bare = Games.from_arrow(table.select(["moves"]), check=False)
    assert bare.moves == games.moves
    assert bare.results.tolist() == ["*"] * 6
    assert bare.numbers.tolist() == [1, 2, 3, 4, 5, 6]


def test_more_than_fits_into_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    games = Games.concatenate([ugly(errors="skip"), ugly(), *[ugly()] * 20])
    whole = games.to_arrow()
    assert whole["moves"].num_chunks == 1
    monkeypatch.setattr(schema, "LARGEST", 500)
    table = games.to_arrow()
    assert table["moves"].num_chunks > 5
    assert table == whole
    assert same(Games.from_arrow(table), games)
    assert same(Games.from_arrow(whole), games)
    assert len(Games.from_arrow(table[:0])) == 0


def test_polars(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    games = read_pgn(SAMPLE)
    frame = polars.DataFrame(games)
    assert frame["White"].to_list() == games["White"].tolist()
    assert frame["moves"].list.len().to_list() == games.plies.tolist()
    assert same(Games.from_arrow(frame), games)
    path = tmp_path / "games.parquet"
    rookery.write_parquet(games, path)
    found = polars.scan_parquet(path).filter(polars.col("WhiteElo") >= 1500).select("White").collect()
    assert found["White"].to_list() == games[(games["WhiteElo"] >= 1500).filled(False)]["White"].tolist()
    plies = frame.select("moves", "clocks").explode("moves", "clocks")
    assert len(plies) == games.plies.sum()
    assert same(Games.from_arrow(polars.DataFrame(ugly())), ugly())


def test_duckdb(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    games = read_pgn(SAMPLE)
    path = tmp_path / "games.parquet"
    rookery.write_parquet(games, path)
    number, plies = duckdb.sql(f"select count(*), sum(len(moves)) from '{path}'").fetchall()[0]
    assert (number, plies) == (len(games), games.plies.sum())
    assert duckdb.sql("select count(*) from games").fetchall() == [(len(games),)]
    assert Games.from_arrow(duckdb.sql("select * from games").to_arrow_table()) == games


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    games = read_pgn(SAMPLE)
    frame = games.to_arrow().to_pandas()
    assert frame["WhiteElo"].tolist() == games["WhiteElo"].tolist()
    assert np.array_equal(np.concatenate(frame["moves"].tolist()), games.moves.moves)
    assert Games.from_arrow(pa.Table.from_pandas(frame)).moves == games.moves
    assert pandas.Series(games["White"]).tolist() == games["White"].tolist()
