"""Moves that were found legal when a file was written are not checked again, and all others are."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
from game_samples import SAMPLE
from rookery.games.games import Games
from rookery.games.interchange import checked_moves, table_files

KEY = b"rookery moves checked"
FEN_GAME = b'[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Kd7 2. e5 *\n\n'


@pytest.fixture
def games() -> Games:
    return rookery.read_pgn([SAMPLE, FEN_GAME * 3])


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (table_files, checked_moves):
        monkeypatch.setattr(module, "BATCH", 3)


def readers() -> list[Callable[[Path], Any]]:
    return [
        rookery.read_parquet,
        rookery.read_pgn,
        lambda path: rookery.search(path, "is_check"),
        lambda path: rookery.read_parquet(path, where="plies > 2"),
        lambda path: rookery.read_pgn(path, where="plies > 2"),
    ]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("reader", readers())
def test_moves_that_were_checked_are_not_checked_again(
    reader: Callable[[Path], Any], games: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.parquet"
    rookery.write_parquet(games, path, row_group_size=7)
    expected = reader(path)
    calls: list[int] = []
    monkeypatch.setattr(
        "rookery.games.methods.tables.check_moves.illegal_move",
        lambda games: calls.append(games.plies.columns["moves"].size),
    )
    found = reader(path)
    assert not any(calls)
    assert len(found) == len(expected) > 0
    pq.write_table(pq.read_table(path).replace_schema_metadata({}), path)
    reader(path)
    assert any(calls)


def changed(path: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    """Change a file as another program does, and keep its metadata and its row groups."""
    table = pq.read_table(path)
    table = table.drop_columns([name for name in ("clocks", "evals", "emts") if name in table.column_names])
    metadata = pq.read_metadata(path).metadata
    pq.write_table(change(table).replace_schema_metadata(metadata), path, row_group_size=7)
    assert KEY in pq.read_metadata(path).metadata


def with_column(table: pa.Table, name: str, values: list[Any]) -> pa.Table:
    i = table.schema.get_field_index(name)
    return table.set_column(i, name, pa.array(values, table.schema.field(name).type))


def move_changed(table: pa.Table) -> pa.Table:
    moves = table["moves"].to_pylist()
    moves[-1][1] = 0o7700  # a1h8
    return with_column(table, "moves", moves)


def move_twice(table: pa.Table) -> pa.Table:
    moves = table["moves"].to_pylist()
    moves[5].append(moves[5][-1])
    return with_column(table, "moves", moves)


def other_lengths(table: pa.Table) -> pa.Table:
    moves = table["moves"].to_pylist()
    moves[1].insert(0, moves[0].pop())
    return with_column(table, "moves", moves)


def other_start(table: pa.Table) -> pa.Table:
    fens = table["start"].to_pylist()
    fens[-1] = "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1"
    return with_column(table, "start", fens)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("change", [move_changed, move_twice, other_lengths, other_start])
@pytest.mark.parametrize("reader", readers())
def test_changed_moves_are_checked(
    change: Callable[[pa.Table], pa.Table], reader: Callable[[Path], Any], games: Games, tmp_path: Path
) -> None:
    path = tmp_path / "games.parquet"
    rookery.write_parquet(games, path, row_group_size=7)
    changed(path, change)
    with pytest.raises(ValueError, match="is not legal in"):
        reader(path)


@pytest.mark.parametrize("reader", readers())
def test_illegal_moves_get_no_digest(reader: Callable[[Path], Any], games: Games, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    broken = Games.from_arrow(move_changed(games.to_arrow()), check=False)
    rookery.write_parquet([games, broken, games], path, row_group_size=len(games))
    with pytest.raises(ValueError, match="is not legal in"):
        reader(path)


@pytest.mark.parametrize("order", [slice(None, None, -1), slice(2, None), slice(0, 4)])
def test_other_rows_are_read_as_before(order: slice, games: Games, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    rookery.write_parquet(games, path)
    rows = np.arange(len(games))[order]
    changed(path, lambda table: table.take(pa.array(rows)))
    expected = games[rows]
    for found in (rookery.read_parquet(path), rookery.read_pgn(path)):
        assert found.plies.tolist() == expected.plies.tolist()
        assert found.moves.moves.tolist() == expected.moves.moves.tolist()


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"[1, 2]", b"[[]]", b'[["x"]]', b"[[null, 7]]", b"null"])
def test_metadata_of_others(content: bytes, games: Games, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    rookery.write_parquet(games, path)
    metadata = {**pq.read_metadata(path).metadata, KEY: content}
    pq.write_table(pq.read_table(path).replace_schema_metadata(metadata), path)
    for found in (rookery.read_parquet(path), rookery.read_pgn(path)):
        assert found.moves.moves.tolist() == games.moves.moves.tolist()


def test_lists_of_other_types(games: Games, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    rookery.write_parquet(games, path)
    changed(path, lambda table: pa.table({"moves": table["moves"].cast(pa.list_(pa.int32()))}))
    with pytest.raises(ValueError, match=r"moves\[\d+\], half-move"):  # those of Chess960 and of other starts
        rookery.read_parquet(path)
