"""Rows of tables that a condition or a summary leaves out before their moves are read, and how far a search is."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rookery
from rookery import Query, read_pgn
from rookery.games.headers.where import Condition
from rookery.games.interchange.selection import Selection
from rookery.games.read.options import ReadOptions
from rookery.games.search.files import FileSearch, Progress
from rookery.games.search.find import checked_options
from rookery.sources.failures import DamagedFileWarning
from rookery.sources.streams import check_source

PGN = b'[White "a"]\n\n1. e4 *\n\n[White "b"]\n\n1. d4 d5 *\n\n[White "a"]\n\n1. c4 c5 2. Nc3 *\n'


@pytest.mark.parametrize(
    ("where", "possible", "expected"),
    [
        (None, [True, False, True], [True, False, True]),
        (None, [False, False, False], [False, False, False]),
        ('White == "a"', None, [True, False, True]),
        ('White == "a"', [False, True, True], [False, False, True]),
        ('White == "a" and plies > 1', [True, True, True], [False, False, True]),
        ('White == "c"', [True, True, True], [False, False, False]),
    ],
)
def test_rows_are_left_out_by_conditions_and_summaries(
    where: str | None, possible: list[bool] | None, expected: list[bool]
) -> None:
    games = read_pgn(PGN)
    table = games.to_arrow()
    condition = None if where is None else Condition(where, games.headers)
    selection = Selection(table.schema, condition, None if possible is None else lambda _: np.array(possible))
    assert selection.is_needed
    assert selection.rows(table.select(selection.names)).tolist() == expected


def test_rows_whose_summaries_are_unknown_are_kept() -> None:
    table = read_pgn(PGN).to_arrow()
    k = table.column_names.index("plies")
    unknown = table.set_column(k, "plies", without_the_first(table, k))
    selection = Selection(unknown.schema, None, lambda summaries: np.zeros(len(summaries), np.bool_))
    assert selection.rows(unknown.select(selection.names)).tolist() == [True, False, False]
    without = table.drop_columns(["plies"])
    assert not Selection(without.schema, None, lambda summaries: np.zeros(len(summaries), np.bool_)).is_needed


def without_the_first(table: Any, k: int) -> Any:
    """Return a column of a table with its first value missing."""
    return pa.array([None, *table.column(k).to_pylist()[1:]], table.schema.field(k).type)


@pytest.mark.parametrize("suffix", ["pgn", "parquet"])
@pytest.mark.parametrize(("query", "hits"), [("plies > 2", 4), ("ply == 0", 3), ("plies > 9", 0)])
def test_games_that_summaries_rule_out_count_as_searched(tmp_path: Path, suffix: str, query: str, hits: int) -> None:
    path = tmp_path / f"games.{suffix}"
    if suffix == "pgn":
        path.write_bytes(PGN)
    else:
        rookery.write_parquet(read_pgn(PGN), path)
    seen: list[Progress] = []
    with FileSearch(
        check_source([str(path)]), Query(query), checked_options((), None, False, 0, None), ReadOptions()
    ) as search:
        search.watch = seen.append
        assert sum(len(found) for _, found in search) == hits
    assert search.progress[:3] == (3, 6, hits)
    assert search.progress.bad == 0
    assert search.progress.bytes_read == path.stat().st_size
    assert (search.unreadable, search.failures) == ([], [])
    assert all(progress.games <= 3 for progress in seen)


def test_files_of_bad_games_alone_are_named(tmp_path: Path) -> None:
    bad, mixed = tmp_path / "bad.pgn", tmp_path / "mixed.pgn"
    bad.write_bytes(b"1. Ke4 *\n\n1. Ke5 *\n")
    mixed.write_bytes(b"1. Ke4 *\n\n1. e4 *\n")
    options = checked_options((), None, False, 0, None)
    for reading, expected in (
        (ReadOptions(), [f"{bad}: every game in it is bad (2): is it PGN?"]),
        (ReadOptions(where="plies >= 0"), []),
    ):
        sources = check_source([str(mixed), str(bad)])
        with FileSearch(sources, Query("ply == 0"), options, reading) as search:
            assert sum(len(found) for _, found in search) == 4
        assert search.unreadable == expected
        assert search.progress.bad == 3


@pytest.mark.parametrize("write", [rookery.pgn_to_parquet, lambda source, path, **options: rookery.write_parquet(
    read_pgn(source), path, **options)])  # fmt: skip
def test_a_row_group_has_a_game_at_least(write: Any, tmp_path: Path) -> None:
    source = tmp_path / "games.pgn"
    source.write_bytes(PGN)
    assert write(str(source), tmp_path / "a.parquet", row_group_size=1) == 3
    with rookery.scan_parquet(tmp_path / "a.parquet") as groups:
        assert [len(group) for group in groups] == [1, 1, 1]
    with pytest.raises(ValueError, match=r"^row_group_size: 0: expected an int of at least 1"):
        write(str(source), tmp_path / "b.parquet", row_group_size=0)


def test_damage_of_a_file_is_not_a_bad_game(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn.gz"
    packed = gzip.compress(b"1. e4 *\n\n1. Ke5 *\n\n" * 50)
    path.write_bytes(packed[: len(packed) - 12])
    with pytest.warns(DamagedFileWarning):
        expected = int(read_pgn(str(path)).is_bad.sum())
    options = checked_options((), None, False, 0, None)
    search = FileSearch(check_source([str(path)]), Query("ply == 0"), options, ReadOptions())
    with search, pytest.warns(DamagedFileWarning):
        assert len(list(search)) > 0
    assert search.progress.bad == expected > 0
    assert len(search.failures) == 1
