"""The calls of a board are compared with the installed peers, and a wrong answer stops the benchmark."""

import gc
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import click
import pytest
from click.testing import CliRunner

import board_calls
import figures
from boards import alpha_beta
from boards.calls import CALLS
from boards.corpus import corpus
from boards.libraries import LIBRARIES, ORACLE, OURS, RIVALS, library
from rookery.bench import turns
from rookery.board.board import Board

RECORDED = Path(__file__).parents[2] / "benchmarks" / "board.json"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(turns, "SLICE", 0.0001)
    gc.freeze()  # each call is timed after a collection, which looks through all that other tests have imported
    yield
    gc.unfreeze()


def test_every_call_is_compared_with_python_chess(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    printed: list[str] = []
    result = board_calls.measure(rounds=1, positions=3, depth=1, progress=printed.append)
    assert [row["what"] for row in result["rows"]] == [call.what for call in CALLS]
    assert all(row["nanoseconds"][OURS] > 0 and row["nanoseconds"][ORACLE] > 0 for row in result["rows"])
    assert all(row["to_python_chess"] > 0 for row in [*result["rows"], *result["alpha_beta"]])
    assert [row["nodes"] for row in result["alpha_beta"]] == [21, 49]
    assert printed[-1] == "alpha-beta, kiwipete"
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "board.json").write_text(json.dumps(result), encoding="utf-8")
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    san = next(row["nanoseconds"] for row in result["rows"] if row["what"] == "b.san(m)")
    assert f"| `b.san(m)` | {san[OURS]:,.0f} | {san[ORACLE]:,.0f} |" in figures.board()


def test_many_calls_are_those_of_peers() -> None:
    assert len({call.what for call in CALLS}) == len(CALLS)
    for rival in RIVALS:
        assert sum(rival in call.expressions for call in CALLS) >= 40
    assert all({OURS, ORACLE} <= set(call.expressions) <= set(LIBRARIES) for call in CALLS)


def test_the_games_have_checkmates_and_a_history_and_are_the_same_each_time() -> None:
    games = corpus(chess).games
    assert len(games) == 100
    assert games == corpus(chess).games
    assert min(map(len, games)) > 0
    boards = [chess.Board() for _ in games]
    for board, game in zip(boards, games, strict=True):
        for move in game:
            board.push_uci(move)
    assert {board.is_checkmate() for board in boards} == {True, False}
    assert {board.turn for board in boards} == {True, False}


def test_a_wrong_answer_stops_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    (check,) = (call for call in CALLS if call.what == "b.is_check()")
    monkeypatch.setattr(Board, "is_check", lambda self: True)
    with pytest.raises(turns.WrongAnswer, match=r"b\.is_check\(\): rookery answered wrongly .*: True, python"):
        board_calls.measure(rounds=1, positions=2, calls=[check])
    monkeypatch.setattr(alpha_beta, "MATE", 0)
    monkeypatch.setattr(Board, "pieces", lambda self, kind, color: ())
    with pytest.raises(turns.WrongAnswer, match=r"alpha-beta, kiwipete: rookery found Found\(score=0"):
        board_calls.measure(rounds=1, positions=2, calls=[], depth=1)


def test_without_python_chess_there_is_no_comparison_and_other_missing_peers_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(board_calls, "installed", lambda name: chess if name == ORACLE else None)
    board_calls.measure(rounds=1, positions=1, calls=[], depth=1)
    named = capsys.readouterr().err
    assert all(f"{name} is not installed, so it has no figures: pip install {name}" in named for name in RIVALS)
    monkeypatch.setattr(board_calls, "installed", lambda name: None)
    with pytest.raises(click.ClickException, match="python-chess is not installed"):
        board_calls.measure(rounds=1)


def _row(what: str, to_python_chess: float, to_rival: float | None) -> dict[str, Any]:
    return {"what": what, "to_python_chess": to_python_chess, "to_faster_rival": to_rival}


def test_the_summary_counts_only_calls_that_a_rival_has() -> None:
    rows = [_row("a", 0.99, 2), _row("b", 3, 1), _row("c", 1, 0.49), _row("d", 2, None), _row("e", 1, 0.5)]
    assert board_calls.summary(rows) == {
        "calls": 5,
        "slower_than_python_chess": ["a"],
        "calls_of_rivals": 4,
        "twice_as_fast": 1,
        "at_least_as_fast": 2,
        "below_half": ["c"],
    }


def test_ratios_are_medians_of_the_ratios_of_rounds() -> None:
    taken = {OURS: [1.0, 2.0, 1.0], "a": [3.0, 4.0, 9.0], "b": [5.0, 2.0, 8.0]}
    assert board_calls.median_ratio(taken, ["a", "b"]) == 3  # 3, 1 and 8
    assert board_calls.median_ratio(taken, ["c"]) is None


def test_alpha_beta_finds_the_score_of_minimax() -> None:
    def minimax(board: chess.Board, depth: int) -> int:
        if depth == 0:
            values = dict(alpha_beta.VALUES)
            return sum(
                values.get(piece.piece_type, 0) * (1 if piece.color == board.turn else -1)
                for piece in board.piece_map().values()
            )
        scores = []
        for move in board.legal_moves:
            board.push(move)
            scores.append(-minimax(board, depth - 1))
            board.pop()
        return max(scores, default=-alpha_beta.MATE if board.is_check() else 0)

    names = {name: found for name in LIBRARIES if (found := library(name, corpus(chess, 0)))}
    mate_in_one = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
    for fen, depth in ((chess.STARTING_FEN, 2), (mate_in_one, 3), ("k7/8/1Q6/8/8/8/8/K7 b - - 0 1", 2)):
        expected = minimax(chess.Board(fen), depth)
        for name, found in names.items():
            assert alpha_beta.search(name, found.names, fen, depth)().score == expected


def test_the_command(tmp_path: Path) -> None:
    out = tmp_path / "board.json"
    options = ["--rounds", "1", "--positions", "1", "--call", "b.turn", "--call", "b.pawns", "--out", str(out)]
    done = CliRunner().invoke(board_calls.main, options)
    assert done.exit_code == 0, done.output
    assert [row["what"] for row in json.loads(out.read_text(encoding="utf-8"))["rows"]] == ["b.pawns", "b.turn"]
    assert "python-chess in" in done.stderr
    assert "Alpha-beta, kiwipete, depth 3" in done.stderr
    refused = CliRunner().invoke(board_calls.main, ["--call", "b.fly()"])
    assert "no call holds b.fly()" in refused.output


def test_the_record_covers_every_call_and_peer() -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert [row["what"] for row in recorded["rows"]] == [call.what for call in CALLS]
    assert all(recorded["peers"].values())
    for row, call in zip(recorded["rows"], CALLS, strict=True):
        assert {name for name, time in row["nanoseconds"].items() if time is not None} == set(call.expressions)
    assert recorded["summary"] == board_calls.summary(recorded["rows"])
