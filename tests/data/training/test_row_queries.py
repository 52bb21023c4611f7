"""Queries over training data: the rows that are read, as python-chess and plain Python select them."""

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from naive_training import Entry
from plan_rows import rows_of_plan
from rookery import ScoredPositions, read_pgn, read_training, scan, scan_training, write_training
from rookery.data.training.selection import RowSelection
from rookery.data.training.tasks import division
from training_samples import facts, game, games, naive_facts, rows_of

QUERIES: dict[str, Callable[[Entry], bool]] = {
    "not move.captures and abs(score) < 400 and ply > 16": lambda e: (
        not e.board.is_capture(e.move) and abs(e.score) < 400 and e.ply > 16
    ),
    "result == 1": lambda e: e.result == 1,
    "result(white) == 0.5": lambda e: e.result == 0,
    "score(white) > 100": lambda e: (e.score if e.board.turn else -e.score) > 100,
    "score(them) > 100": lambda e: -e.score > 100,
    "score(black) < -31000": lambda e: (-e.score if e.board.turn else e.score) < -31000,
    "not is_check and not move.is_check": lambda e: not e.board.is_check() and not e.board.gives_check(e.move),
    "move.promotes or move.castles": lambda e: bool(e.move.promotion) or e.board.is_castling(e.move),
    "count(occupied) <= 6": lambda e: len(e.board.piece_map()) <= 6,
}


def selected(entries: list[Entry], holds: Callable[[Entry], bool]) -> list[tuple[str, str, int, int, int]]:
    return naive_facts([entry for entry in entries if holds(entry)])


@pytest.mark.parametrize("query", QUERIES)
def test_the_rows_that_meet_a_query_are_read(query: str) -> None:
    entries = list(games(30))
    rows = rows_of(entries)
    expected = selected(entries, QUERIES[query])
    assert 0 < len(expected) < len(entries)
    assert facts(rows.where(query)) == expected
    file = io.BytesIO()
    write_training(rows, file, "packed-sfen")
    readable = [entry for entry in entries if entry.board.halfmove_clock < 128]
    for batch in (7, 4096):
        with scan_training(file.getvalue(), "packed-sfen", batch=batch, query=query) as scan:
            assert facts(ScoredPositions.concatenate(scan)) == selected(readable, QUERIES[query])


def test_rows_are_skipped_thinned_and_limited_after_the_query() -> None:
    entries = list(games(30))
    file = io.BytesIO()
    write_training(rows_of(entries), file, "plain")
    for batch in (1, 5, 100_000):
        with scan_training(
            file.getvalue(), "plain", batch=batch, query="ply > 3", skip=10, every=7, limit_score=100
        ) as scan:
            found = ScoredPositions.concatenate(scan)
        kept = [entry for entry in entries if entry.ply > 3][10::7]
        limited = [entry._replace(score=max(-100, min(100, entry.score))) for entry in kept]
        assert facts(found) == naive_facts(limited)


def test_a_limit_leaves_missing_scores_and_a_query_neither_holds_nor_fails_for_them() -> None:
    text = "\n".join(f"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 | {cp} | {result}" for cp, result in [("", "1.0"), ("900", "")])
    rows = read_training(text.encode(), "text", limit_score=200)
    assert rows.scores.tolist() == [-32768, 200]
    assert len(rows.where("score > 0")) + len(rows.where("not score > 0")) == 1
    assert len(rows.where("result == 1")) + len(rows.where("not result == 1")) == 1


@pytest.mark.parametrize("query", [*QUERIES, "previous(score > 0)", "eval_before > 0", "ever(move.promotes)"])
def test_tasks_select_the_rows_that_a_scan_selects(query: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(division, "RANGE", 1 << 12)
    path, out = tmp_path / "rows.bin", tmp_path / "out.plain"
    write_training(rows_of([entry for seed in range(20) for entry in game(seed, plies=60)]), path)
    found = rows_of_plan([path, path], "threads:2", query)
    once = read_training(path, query=query)
    assert found.rows == ScoredPositions.concatenate([once, once])
    assert not found.failures
    assert found.positions == 2 * len(read_training(path))
    scan([path, path]).positions(query).write_training(out, skip=5, every=3, limit_score=90, threads=2)
    right = tmp_path / "right.plain"
    write_training(read_training(path, query=query, skip=5, every=3, limit_score=90), right)
    assert out.read_bytes().startswith(right.read_bytes())
    assert len(read_training(out)) == len(found.rows[5::3])


def test_positions_of_games_are_selected_with_their_headers_and_clocks() -> None:
    games = read_pgn(b'[White "Anna"]\n\n1. e4 {[%eval 0.35] [%clk 0:01:00]} e5 {[%eval #-3]} 2. Nf3 *\n\n1. d4 *')
    query = 'White == "Anna" and score > -100 and clock(them) == 60'
    (rows,) = RowSelection(query).of_games(games)
    assert rows.scores.tolist() == [-35]
    assert scan(games).positions(query).stats().scores == {-100: 1}
    assert games.positions("all").evaluate("score(white)").tolist()[1:3] == [35, -31994]


def test_a_row_before_that_was_left_out_is_not_taken_for_the_half_move_before() -> None:
    entries = [entry for entry in games(30) if entry.ply % 2 == 0]
    assert np.isnan(rows_of(entries).evaluate("eval_before")).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"query": "score"}, "a condition or a set, not a number"),
        ({"query": 'White == "Anna"'}, "training data has no headers"),
        ({"query": "scor > 1"}, "did you mean score"),
        ({"every": 0}, "every"),
        ({"skip": -1}, "skip"),
        ({"limit_score": 0}, "limit_score"),
        ({"limit_score": 40_000}, "limit_score"),
    ],
)
def test_wrong_selections_are_errors(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_training(b"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1 | 310 | 1.0\n", "text", **arguments)  # type: ignore[arg-type]
