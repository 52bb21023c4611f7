"""The benchmark of queries: its games are legal, its answers are found in two ways, and a wrong one is an error."""

import functools
import io
import json
from pathlib import Path
from typing import Any

import chess.pgn
import numpy as np
import pytest

import query_speeds
from command_line import run
from rookery import Games, read_pgn
from rookery.bench import query, turns
from rookery.bench.played_games import played_games
from rookery.bench.questions import QUESTIONS


@functools.cache
def some_games() -> Games:
    return read_pgn(played_games(3000))


@pytest.fixture(autouse=True)
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "SLICE", 0.0001)


def test_played_games_are_legal_and_the_same_in_every_run() -> None:
    text = played_games(1000, seed=5)
    assert text == played_games(1000, seed=5) != played_games(1000, seed=6)
    file = io.StringIO(text.decode())
    games = list(iter(lambda: chess.pgn.read_game(file), None))
    assert len(games) == 15
    assert len({str(game.mainline_moves()) for game in games}) == 15
    for game in games:
        board = game.end().board()
        assert not game.errors
        assert 1 < len(board.move_stack) <= 130
        if board.is_checkmate():
            assert game.headers["Result"] == board.result()
        assert all(node.clock() is not None for node in game.mainline())


def test_the_simple_player_prefers_better_moves() -> None:
    """Played by random moves, games rarely end by mate within 130 half-moves."""
    mates = len(some_games().search("is_mate"))
    assert mates > len(some_games()) / 20


@pytest.mark.parametrize("case", query.CASES, ids=lambda case: case.what)
def test_both_ways_find_the_same_positions(case: query.Case) -> None:
    positions = some_games().positions("all")
    assert np.array_equal(positions.evaluate(case.query) != 0, case.second_way(positions))


def test_a_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []
    result = query.measure(plies=700, rounds=1, progress=printed.append)
    rows = {row["what"]: row for row in result["rows"]}
    assert rows.keys() >= query.GOALS.keys()
    assert rows["material"]["goal"] == 100e6
    assert (result["games"], result["plies"]) == (10, query.plies_of(read_pgn(played_games(700))))
    assert len(result["first_answers"]) == len(query.NEW_QUESTIONS)
    assert [answer["name"] for answer in result["gallery"]] == [question.name for question in QUESTIONS]
    assert all(answer["seconds"] > 0 for answer in result["gallery"])
    assert "writing games" in printed
    (tmp_path / "query.json").write_text(json.dumps(result), encoding="utf-8")
    puzzles = query_speeds.BENCHMARKS.parent / "benchmarks" / "puzzles.json"
    (tmp_path / "puzzles.json").write_bytes(puzzles.read_bytes())
    monkeypatch.setattr(query_speeds, "BENCHMARKS", tmp_path)
    block = query_speeds.searches()
    assert "| material | " in block
    assert "| two threads compared with one | " in block


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "QUESTIONS", QUESTIONS[:2])
    games, path = tmp_path / "games.pgn", tmp_path / "query.json"
    games.write_bytes(played_games(300))
    text = run("bench", "query", str(games), "--rounds", "1", "--out", str(path)).stdout
    assert "from PGN" in text
    assert QUESTIONS[0].name[:20] in text
    recorded = json.loads(path.read_text(encoding="utf-8"))
    assert recorded["games"] == 4


def test_a_wrong_answer_spoils_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Games.search

    def wrong(self: Games, *args: Any, **options: Any) -> Any:
        return right(self, *args, **options)[1:]

    monkeypatch.setattr(Games, "search", wrong)
    rows = [row for row in query.case_rows(some_games()) if row.what == "mates"]
    with pytest.raises(turns.WrongAnswer, match="mates: rookery answered wrongly"):
        turns.compare_all(rows, 1, lambda what: None)


def test_bad_sizes() -> None:
    with pytest.raises(ValueError, match="plies: 0: expected at least 1"):
        query.measure(plies=0)
