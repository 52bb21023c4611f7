"""Columns of games: which fit together, and how they are joined."""

import re
from typing import Any

import numpy as np
import pytest

from rookery import Games, Positions, read_pgn
from rookery.frames.columns import Categorical, Lists, Texts
from rookery.games.game_columns import GameColumns, Reports, Starts, TableName
from rookery.games.interchange import schema
from rookery.games.interchange.left_out import read_report

PGN = (
    b'[White "a"]\n\n1. e4 {[%clk 0:01:00]} e5 {[%clk 0:01:00]} *\n\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *'
)


def columns() -> GameColumns:
    return read_pgn(PGN).columns


def starts(places: list[int], table: Positions) -> dict[str, Any]:
    return {"starts": Starts(np.array(places, np.int32), table)}


def plies(offsets: list[int], **values: Any) -> dict[str, Any]:
    own = columns().plies
    return {"plies": Lists(np.array(offsets, np.int64), {**own.columns, **values})}


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"scores": np.zeros(2, np.int8)}, TypeError, "scores: "),
        ({"numbers": np.zeros((2, 1), np.int64)}, TypeError, "numbers: "),
        ({"offsets": [0, 0]}, TypeError, "offsets: [0, 0]: expected one dimension of int64"),
        ({"dates": np.zeros(2, np.int64)}, TypeError, "dates: "),
        ({"numbers": np.zeros(3, np.int64)}, ValueError, "numbers: 3 games: expected 2, as in scores"),
        ({"files": Categorical.of("", 1)}, ValueError, "files: 1 games: expected 2, as in scores"),
        ({"dates": np.zeros(0, np.int32)}, ValueError, "dates: 0 games: expected 2, as in scores"),
        ({"headers": {"White": Texts.of(["a"])}}, ValueError, "headers['White']: 1 games: expected 2, as in scores"),
        ({"scores": np.zeros(1, np.uint8)}, ValueError, "files: 2 games: expected 1, as in scores"),
        ({"scores": np.array([0, 4], np.uint8)}, ValueError, "scores: 4: expected 0 to 3"),
        (plies([0, 2, 3], moves=np.zeros(3, np.int16)), TypeError, "moves: "),
        (plies([0, 2, 3], clocks=np.zeros(2, np.float32)), ValueError, "clocks: 2 values: expected 3, one for each"),
        (plies([-1, 2, 3]), ValueError, "plies: offsets from -1 to 3 of 3 moves: expected offsets that never fall"),
        (plies([0, 2, 4]), ValueError, "plies: offsets from 0 to 4 of 3 moves: expected offsets that never fall"),
        (plies([2, 1, 3]), ValueError, "plies: offsets from 2 to 3 of 3 moves: expected offsets that never fall"),
        (plies([0, 3]), ValueError, "plies: 1 games: expected 2, as in scores"),
        (starts([-2, 0], columns().starts.table), ValueError, "starts: places from -2 to 0: "),
        (starts([0, 1], columns().starts.table), ValueError, "starts: places from 0 to 1: expected -1 to 0"),
        (starts([0, 0], Positions.from_boards([])), ValueError, "starts: places from 0 to 0: expected -1 to -1"),
    ],
)
def test_columns_that_do_not_fit_are_named(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^columns: {re.escape(message)}"):
        Games(columns().replace(**changes))


def test_columns_at_their_limits_fit() -> None:
    for changes in (
        plies([0, 0, 0]),
        plies([1, 3, 3]),
        {"scores": np.array([3, 0], np.uint8)},
        starts([-1, -1], Positions.from_boards([])),
    ):
        assert len(Games(columns().replace(**changes))) == 2
    assert len(Games(GameColumns.empty())) == 0
    with pytest.raises(TypeError, match=r"^columns: 5: expected GameColumns; rookery\.read_pgn reads games"):
        Games(5)  # type: ignore[arg-type]


def test_columns_are_joined() -> None:
    first, second = (
        columns(),
        read_pgn(b"1. d4 Ke7 *", clocks=False).columns.replace(headers=columns().cut(0, 1).headers),
    )
    assert len(GameColumns.joined([])) == 0
    assert GameColumns.joined([first]) is first
    both = GameColumns.joined([first, second, first])
    assert len(both) == both.size == 5
    assert both.starts.places.tolist() == [-1, 0, -1, -1, 1]
    assert both.plies.offsets.tolist() == [0, 2, 3, 4, 6, 7]
    assert np.isnan(both.ply_values("clocks")).tolist() == [False, False, True, True, False, False, True]
    assert [row for row, _ in both.errors.items] == [2]
    assert both.starts.chess960 is None


def test_reports_stay_with_their_games() -> None:
    errors = read_pgn(b"1. Ke4 *\n\n1. e4 *\n\n1. Ke5 *").columns.errors
    assert [row for row, _ in errors.items] == [0, 2]
    chosen = errors.chosen(np.array([2, 1, 2, 0]))
    assert [(row, report.move) for row, report in chosen.items] == [(0, "Ke5"), (2, "Ke5"), (3, "Ke4")]
    assert chosen.size == 4
    assert Reports(3).chosen(np.array([0, 0])).size == 2
    left_out = [(-1, report) for _, report in errors.items[:1]]
    joined = Reports.joined([errors, errors.after(left_out), errors])
    assert joined.size == 9
    assert [row for row, _ in joined.items] == [0, 2, -1, 3, 5, 6, 8]
    assert [row for row, _ in joined.left_out] == [-1]
    assert [row for row, _ in joined.of_rows] == [0, 2, 3, 5, 6, 8]


def test_a_table_has_a_name_if_all_parts_have_it() -> None:
    a, b = TableName("a"), TableName("b")
    assert TableName.joined([a, a]) == a
    assert TableName.joined([a, b]) == TableName()
    assert TableName.joined([a, TableName()]) == TableName()


@pytest.mark.parametrize("number", [0, 1, 2, 3, 5, 8])
@pytest.mark.parametrize(("largest", "most"), [(7, 2), (6, 1), (4, 1), (1, 1), (100, 100)])
def test_tables_have_chunks_of_games_that_fit(
    number: int, largest: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = read_pgn(b"\n\n".join([b"1. e4 e5 2. Nf3 *"] * number))
    monkeypatch.setattr(schema, "LARGEST", largest)
    table = games.to_arrow()
    sizes = [len(chunk) for chunk in table["moves"].chunks]
    assert sum(sizes) == table.num_rows == number
    assert max(sizes, default=0) <= most
    assert len(sizes) <= max(number, 1)
    assert Games.from_arrow(table) == games


def test_reports_in_tables_have_all_fields() -> None:
    (error,) = read_pgn(b"1. Ke4 *").errors
    fields = error._asdict()
    assert read_report("errors[0]", fields) == error
    assert read_report("errors[0]", {**fields, "line": float(error.line)}) == error  # as pandas has it
    for wrong in (
        None,
        5,
        [fields],
        {**fields, "line": 1.5},
        {**fields, "more": 1},
        {"file": ""},
        {**fields, "move": 1},
    ):
        with pytest.raises(ValueError, match=r"^errors\[0\]: .*: expected file \(str\), game \(int\), line \(int\), "):
            read_report("errors[0]", wrong)
