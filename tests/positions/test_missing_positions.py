"""Lines that cannot be read, with ``errors="mark"``: every method of `Positions` answers with missing values."""

import inspect
import pickle
from typing import Any

import numpy as np
import polars
import pyarrow as pa
import pytest

from rookery import Board, Positions, Query
from rookery.positions.moves import Moves
from rookery.positions.positions import MarkedPositions
from rookery.rules.notation.start import START

LINES = [
    *(START, "bad", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", ""),
    *("r3k2r/8/8/8/8/8/4p3/R3K2R b KQkq - 3 9", None, "8/8/8/8/8/4k3/4p3/4K3 w - -"),
]
MISSING = np.array([False, True, False, True, False, True, False])
PRESENT = np.flatnonzero(~MISSING)
MARKED = Positions.from_fens(LINES, errors="mark")
PLAIN = Positions.from_fens([LINES[i] for i in PRESENT])
WORDS = np.zeros(7, np.uint16)
WORDS[PRESENT] = [moves[0] if len(moves) else 0 for moves in PLAIN.legal_moves()]
PLAYABLE = np.array([0, 2, 4])  # the last position is a stalemate

# Arguments of the methods that need some: words of moves are those of the rows.
ARGUMENTS: dict[str, Any] = {
    "attacks": [["both"], ["us", "rook"]],
    "attacks_from": [["e4", "rook"]],
    "evaluate": [["us.pawns"], ["count(us.pieces)"], ["is_check"], ["signature"], ["material(us) / 2"]],
    "forks": [["knight", "kr"]],
    "mobility": [[], ["rook"]],
    "motif": [["hanging"]],
    "planes": [[], {"dtype": np.float32}],
    "policy_mask": [[], {"packed": True}],
    "progressive_mobility": [["rook"]],
    "select": [["is_check", "count(pawns)"]],
}
OF_MOVES = ("captured_pieces", "moving_pieces", "policy_index", "san", "see", "uci")
ELSEWHERE = {
    *("bad_lines", "column", "columns", "copy", "marked", "nbytes", "taken", "to_arrow", "to_dict", "to_numpy"),
    *("to_pandas", "to_polars", "unique", "where", "play", "parse_san", "policy_moves", "random_moves", "rollouts"),
    *OF_MOVES,
}


def names() -> list[str]:
    static = {name: inspect.getattr_static(Positions, name) for name in dir(Positions) if not name.startswith("_")}
    return [name for name, attribute in static.items() if not isinstance(attribute, classmethod)]


def compare(value: Any, right: Any) -> None:
    """Check an answer for `MARKED` against that for `PLAIN`: missing where `MISSING`, and else the same."""
    if isinstance(right, Moves):
        assert [None if one is None else one.tolist() for one in value] == with_gaps([one.tolist() for one in right])
        assert value.to_arrow()["moves"].to_pylist() == with_gaps([one.tolist() for one in right])
    elif isinstance(right, np.ndarray):
        axis = right.shape.index(PRESENT.size) if right.shape[0] != PRESENT.size else 0
        value, right = np.moveaxis(value, axis, 0), np.moveaxis(right, axis, 0)
        assert len(value) == MISSING.size
        for i, row in enumerate(value):
            if MISSING[i]:
                assert is_missing(row), (i, row)
        got = np.ma.filled(value[PRESENT]) if isinstance(value, np.ma.MaskedArray) else value[PRESENT]
        assert np.array_equal(got, right, equal_nan=right.dtype.kind == "f")
    elif isinstance(right, list):
        assert value == with_gaps(right)
    elif isinstance(right, dict):
        assert value.keys() == right.keys()
        for name, one in right.items():
            compare(value[name], one)
    elif isinstance(right, tuple):
        for one, other in zip(value, right, strict=True):
            compare(one, other)
    else:
        raise AssertionError(f"no comparison for {type(right)}")


def is_missing(row: Any) -> bool:
    if row is None or row is np.ma.masked:
        return True
    if isinstance(row, np.ma.MaskedArray):
        return bool(np.ma.getmaskarray(row).all())
    return not isinstance(row, str) and bool(np.isnan(row).all())


def with_gaps(values: list[Any]) -> list[Any]:
    found = iter(values)
    return [None if is_missing else next(found) for is_missing in MISSING.tolist()]


@pytest.mark.parametrize("name", sorted(set(names()) - ELSEWHERE))
def test_every_answer_is_missing(name: str) -> None:
    if isinstance(inspect.getattr_static(Positions, name), property):
        compare(getattr(MARKED, name), getattr(PLAIN, name))
        return
    for given in ARGUMENTS.get(name, [[]]):
        positional, named = ([], given) if isinstance(given, dict) else (given, {})
        compare(getattr(MARKED, name)(*positional, **named), getattr(PLAIN, name)(*positional, **named))
        part = MARKED[PRESENT]  # without a missing position, answers are as ever
        may_be_unknown = name in ("can_mate", "is_dead")  # for any position
        assert isinstance(getattr(part, name)(*positional, **named), np.ma.MaskedArray) == may_be_unknown


@pytest.mark.parametrize("name", OF_MOVES)
def test_answers_about_moves(name: str) -> None:
    some = np.array([0, 1, 2, 3, 4, 5])
    value = getattr(MARKED[some], name)(WORDS[some])
    right = getattr(PLAIN[:3], name)(WORDS[PLAYABLE])
    assert [is_missing(one) for one in value] == MISSING[some].tolist()
    assert value[PLAYABLE].tolist() == right.tolist()
    if name == "policy_index":  # takes one move for each position
        return
    assert getattr(MARKED, name)(MARKED.legal_moves()).tolist() == getattr(PLAIN, name)(PLAIN.legal_moves()).tolist()


def test_positions_made_of_these() -> None:
    some = MARKED[:6]
    played = some.play(WORDS[:6])
    assert isinstance(played, MarkedPositions)
    assert played.to_fens() == with_gaps([*PLAIN[:3].play(WORDS[PLAYABLE]).to_fens(), ""])[:6]
    with pytest.raises(ValueError, match=r"^moves\[2\]: a1b1 is not legal"):
        some.play(np.where(np.arange(6) == 2, 1 << 6, WORDS[:6]).astype(np.uint16))
    words = MARKED[:3].parse_san(["e4", "", "a8=Q"])
    assert [is_missing(word) for word in words] == [False, True, False]
    assert words[[0, 2]].tolist() == PLAIN[:2].parse_san(["e4", "a8=Q"]).tolist()
    assert [is_missing(word) for word in MARKED[[1, 3]].parse_san(["", ""])] == [True, True]
    drawn = MARKED.random_moves(1)
    assert [is_missing(one) for one in drawn] == MISSING.tolist()
    rolled = MARKED.rollouts(1)
    assert rolled.final.marked.tolist() == MISSING.tolist()
    assert [is_missing(one) for one in rolled.plies] == MISSING.tolist()
    assert MARKED.unique().marked.sum() == 1


def test_conditions_do_not_hold() -> None:
    """Nor do their negations: a missing position is neither in check nor out of it."""
    assert len(MARKED.where("is_check")) + len(MARKED.where("not is_check")) == PRESENT.size
    query = Query("not is_check")
    assert query.mask(MARKED).tolist() == [not missing for missing in MISSING.tolist()]
    assert query.evaluate(MARKED).tolist() == MARKED.evaluate("not is_check").tolist() == with_gaps([True] * 4)
    assert not MARKED.where("not is_check").marked.any()


def test_rows_and_columns() -> None:
    assert MARKED[1] is None
    assert MARKED[0] == Board()
    assert list(MARKED) == with_gaps(list(PLAIN))
    assert is_missing(MARKED["pawns"][1])
    assert MARKED.to_dict()["kings"] == with_gaps(PLAIN.to_dict()["kings"])
    assert MARKED.to_numpy()["kings"].tolist()[1] == 0  # the columns as they are
    assert "missing" in MARKED._repr_html_()


def test_parts_and_copies_keep_what_is_missing() -> None:
    for copy in (
        MARKED[:],
        MARKED.copy(),
        MARKED[np.arange(7)],
        Positions.concatenate([MARKED[:3], MARKED[3:]]),
        pickle.loads(pickle.dumps(MARKED)),
        Positions.from_numpy(MARKED.to_numpy()),
        Positions.from_arrow(MARKED.to_arrow()),
        Positions.from_arrow(MARKED.to_polars()),
        Positions.from_fens(MARKED.to_fens(), errors="mark"),
    ):
        assert isinstance(copy, MarkedPositions)
        assert copy == MARKED
        assert copy.marked.tolist() == MISSING.tolist()
    mixed = Positions.concatenate([PLAIN, MARKED])
    assert mixed.legal_move_counts().tolist() == [
        *PLAIN.legal_move_counts().tolist(),
        *MARKED.legal_move_counts().tolist(),
    ]
    assert type(PLAIN) is type(Positions.from_fens([START], errors="mark")) is Positions


def test_tables_have_nulls() -> None:
    table = MARKED.to_arrow()
    assert [column.null_count for column in table.columns] == [3] * 9
    assert polars.DataFrame(MARKED)["state"].null_count() == 3
    bad = table.set_column(0, "pawns", pa.array([1] * 7, pa.uint64()))
    with pytest.raises(ValueError, match="nulls"):
        Positions.from_arrow(bad)


def test_an_array_of_the_caller() -> None:
    out = np.full(7, 99, np.uint16)
    counts = MARKED.legal_move_counts(out=out)
    assert np.shares_memory(counts, out)
    assert counts.tolist() == with_gaps(PLAIN.legal_move_counts().tolist())
