"""``rookery openings``, compared with the tree that it counts."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess
import chess.pgn
import pyarrow.parquet
import pytest

import rookery
from command_line import document, run
from game_samples import SAMPLE
from rookery.games.openings.tree import OpeningTree


@pytest.fixture(scope="module")
def tree() -> OpeningTree:
    return rookery.read_pgn(SAMPLE).opening_tree()


def test_the_start_position(tree: OpeningTree) -> None:
    printed = document("openings", str(SAMPLE))
    assert (printed["games"], printed["positions"], printed["moves"]) == (12, len(tree), tree.move_count)
    position = printed["position"]
    assert position["fen"] == rookery.STARTING_FEN
    assert position["games"] == 12
    assert [(move["san"], move["games"]) for move in position["moves"]] == [(m.san, m.games) for m in tree.root.moves]
    assert position["moves"][0]["example"] == {"file": str(SAMPLE), "number": 1}
    assert printed["complete"] is True


def test_a_position_by_moves_and_by_fen(tree: OpeningTree) -> None:
    after = tree.root.play("e4 e5")
    printed = document("openings", str(SAMPLE), "--moves", "1. e4 e5")["position"]
    assert printed == document("openings", str(SAMPLE), "--fen", after.board.fen())["position"]
    assert (
        printed
        == document("openings", str(SAMPLE), "--fen", tree.root.play("e4").board.fen(), "--moves", "e5")["position"]
    )
    assert printed["games"] == after.games
    assert printed["score"] == after.score
    assert printed["performance"] == after.performance
    table = run("openings", str(SAMPLE), "--moves", "e4 e5").output
    for move in after.moves:
        assert f" {move.san} " in table
    assert "Petrov's Defense" in table


def test_a_position_that_no_game_reaches() -> None:
    refused = " ".join(run("openings", str(SAMPLE), "--moves", "h4", status=1).output.split())
    fen = "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq - 0 1"
    assert f"Error: {fen}: expected a position that a game reaches within 20 half-moves" in refused
    assert "'Ke2' is not legal" in run("openings", str(SAMPLE), "--moves", "Ke2", status=2).output
    refused = run("openings", str(SAMPLE), "--moves", "e4 e5 Nf3", "--min-games", "9", status=1).output
    assert "expected a position that 9 games reach" in " ".join(refused.split())


def test_depth_where_and_min_games(tree: OpeningTree) -> None:
    assert document("openings", str(SAMPLE), "--depth", "3")["positions"] == len(
        rookery.read_pgn(SAMPLE).opening_tree(3)
    )
    assert document("openings", str(SAMPLE), "--min-games", "2")["moves"] == tree.pruned(2).move_count
    strong = rookery.read_pgn(SAMPLE, where="WhiteElo >= 1500")
    assert document("openings", str(SAMPLE), "--where", "WhiteElo >= 1500")["games"] == len(strong) > 0
    rapid = rookery.read_pgn(SAMPLE, where='TimeControl == "600+0"')
    assert document("openings", str(SAMPLE), "--where", 'TimeControl == "600+0"')["games"] == len(rapid) > 0
    refused = run("openings", str(SAMPLE), "--where", "WhitElo > '5'", status=2).output
    assert "no game has this header; did you mean 'WhiteElo'?" in refused


def test_outputs(tree: OpeningTree, tmp_path: Path) -> None:
    expected = tree.to_arrow().to_pylist()
    for suffix in ("parquet", "csv", "json", "html"):
        assert document("openings", str(SAMPLE), "-o", str(tmp_path / f"tree.{suffix}"))["out"].endswith(suffix)
    assert pyarrow.parquet.read_table(tmp_path / "tree.parquet")["san"].to_pylist() == [row["san"] for row in expected]
    rows = json.loads((tmp_path / "tree.json").read_text())
    assert [row["games"] for row in rows] == [row["games"] for row in expected]
    assert rows[0]["last_played"] == "2025-05-01"
    lines = list(csv.DictReader(io.StringIO((tmp_path / "tree.csv").read_text())))
    assert [line["san"] for line in lines] == [row["san"] for row in expected]
    assert lines[0]["file"] == str(SAMPLE)
    assert (tmp_path / "tree.html").read_text().startswith("<!DOCTYPE html>")
    assert "expected a name that ends in .parquet, .csv" in run("openings", str(SAMPLE), "-o", "x.pgn", status=2).output
    assert "--force" in run("openings", str(SAMPLE), "-o", str(tmp_path / "tree.csv"), status=2).output
    page = tmp_path / "h4.html"
    assert (
        "no game reaches the position"
        in run("openings", str(SAMPLE), "--moves", "h4", "-o", str(page), status=1).output
    )
    assert not page.exists()


@pytest.mark.parametrize("executor", [[], ["--executor", "threads:2"]])
def test_games_with_a_position_count(executor: list[str]) -> None:
    with SAMPLE.open() as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    ends = [game.end().board() for game in games]
    late = sum(
        any(board.is_check() for board in boards_of(game) if 20 <= board.ply() <= 40 and board.ply() % 2 == 0)
        for game in games
    )
    options = ["--query", "is_check", "--from-ply", "20", "--to-ply", "40", "--every", "2"]
    assert document("openings", str(SAMPLE), *options, *executor)["games"] == late
    assert 0 < late < len(games)
    mates = document("openings", str(SAMPLE), "--query", "is_mate", *executor)
    assert mates["games"] == sum(board.is_checkmate() for board in ends)
    assert "expected a condition" in run("openings", str(SAMPLE), "--query", "ply", status=2).output


def boards_of(game: chess.pgn.Game) -> list[chess.Board]:
    return [game.board(), *(node.board() for node in game.mainline())]


def test_several_files_and_a_damaged_one(tmp_path: Path) -> None:
    cut = tmp_path / "cut.pgn"
    cut.write_bytes(SAMPLE.read_bytes()[:-30])
    printed = document("openings", str(SAMPLE), str(cut), status=1)
    assert printed["games"] == 24
    assert printed["complete"] is False
    assert "cut.pgn" in printed["failures"][0]
    assert {example["file"] for example in printed["position"]["examples"]} == {str(SAMPLE)}
    (tmp_path / "text.pgn").write_text("1. nothing\n")
    assert "is it PGN?" in run("openings", str(tmp_path / "text.pgn"), status=1).output


def test_standard_input() -> None:
    command = [sys.executable, "-m", "rookery", "openings", "-", "--json"]
    done = subprocess.run(command, input=SAMPLE.read_bytes(), capture_output=True, check=True)
    assert json.loads(done.stdout)["position"]["examples"][0] == {"file": "standard input", "number": 1}


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
def test_ctrl_c_shows_what_was_counted(tmp_path: Path) -> None:
    out = tmp_path / "tree.csv"
    command = [sys.executable, "-m", "rookery", "openings", "-", "-o", str(out)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(SAMPLE.read_bytes())
        process.stdin.flush()
        time.sleep(5)
        os.kill(process.pid, signal.SIGINT)
        printed = process.stdout.read().decode()
    assert process.returncode == 130
    assert printed.startswith("interrupted: nothing was written\n")
    assert not out.exists()
