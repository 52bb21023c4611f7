"""``rookery perft | moves | fen``."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess
import pytest
from click.testing import CliRunner, Result

from rookery import techniques
from rookery.cli import main
from rookery.counting.walk import POSITIONS, Statistics, as_board, statistics

KIWIPETE = POSITIONS["kiwipete"]
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


def run(*arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status, result.output + str(result.exception)
    return result


def document(*arguments: str, status: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", status=status).stdout)


@pytest.mark.parametrize("position", ["kiwipete", KIWIPETE])
def test_perft(position: str) -> None:
    assert run("perft", position, "3").stdout.startswith("97,862 nodes, ")
    answer = document("perft", position, "3")
    assert (answer["nodes"], answer["complete"], answer["fen"]) == (97862, True, KIWIPETE)
    assert [document("perft", position, str(depth))["nodes"] for depth in (0, 1, 2)] == [1, 48, 2039]
    assert document("perft", position, "1", "--technique", "kogge-stone")["nodes"] == 48


def test_perft_recognises_chess960() -> None:
    assert document("perft", CHESS960, "3")["nodes"] == 12189


def test_threads_and_hash() -> None:
    for options in ((), ("--threads", "2"), ("--hash", "1"), ("--threads", "3", "--hash", "2")):
        assert run("perft", "kiwipete", "4", *options).stdout.startswith("4,085,603 nodes, ")


def test_a_checkpoint_is_told(tmp_path: Path) -> None:
    file = str(tmp_path / "count.json")
    assert run("perft", "start", "5", "--checkpoint", file).stdout.startswith("4,865,609 nodes, ")
    again = run("perft", "start", "5", "--checkpoint", file).stdout
    assert again.startswith("4,865,609 nodes (4,865,609 of them from the checkpoint), ")


@pytest.mark.parametrize("other", [("--divide",), ("--stats",), ("--technique", "pext")])
def test_threads_are_for_plain_counts(other: tuple[str, ...]) -> None:
    result = run("perft", "start", "3", "--threads", "2", *other, status=2)
    assert "--threads, --hash and --checkpoint are for plain counts on lanes" in result.output


def test_divide() -> None:
    lines = run("perft", "start", "3", "--divide").stdout.splitlines()
    assert "e2e4: 600" in lines
    assert lines[-1].startswith("20 moves, 8,902 nodes")
    moves = document("perft", "start", "3", "--divide")["moves"]
    assert sum(moves.values()) == 8902
    assert set(moves) == {move.uci() for move in chess.Board().legal_moves}


def test_statistics() -> None:
    rows = document("perft", "kiwipete", "4", "--stats")["depths"]
    assert rows[-1] == {
        "depth": 4,
        "nodes": 4085603,
        "captures": 757163,
        "en_passants": 1929,
        "castles": 128013,
        "promotions": 15172,
        "checks": 25523,
        "discovered_checks": 42,
        "double_checks": 6,
        "mates": 43,
    }
    text = run("perft", "position3", "3", "--stats").stdout
    assert "2,812" in text
    assert "discovered checks" in text


@pytest.mark.parametrize(
    ("position", "depth", "published"),
    [
        ("start", 5, (4865609, 82719, 258, 0, 0, 27351, 6, 0, 347)),
        ("kiwipete", 3, (97862, 17102, 45, 3162, 0, 993, 0, 0, 1)),
        ("position3", 5, (674624, 52051, 1165, 0, 0, 52950, 1292, 3, 0)),
    ],
)
def test_statistics_are_those_published(position: str, depth: int, published: tuple[int, ...]) -> None:
    """The tables of the chessprogramming wiki's page "Perft Results"."""
    assert list(statistics(as_board(position), depth))[-1] == Statistics(*published)


@pytest.mark.slow
def test_every_technique_in_one_table() -> None:
    rows = document("perft", "kiwipete", "3", "--technique", "all")["techniques"]
    assert {row["technique"] for row in rows} == {t.name for t in techniques()}
    assert {row["nodes"] for row in rows} == {97862}


def test_some_techniques_in_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    some = tuple(t for t in techniques() if t.name in ("pext", "magic-fancy", "rotated-heinz"))
    monkeypatch.setattr(sys.modules["rookery.techniques"], "ALL", some)
    text = run("perft", "kiwipete", "3", "--technique", "all").stdout
    assert text.count("97,862") == 3
    assert "rotated-heinz" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("perft", "start", "3", "--rounds", "2"), "--rounds: goes with --technique all only"),
        (("perft", "startx", "3"), "position: 'startx': expected a FEN or one of start, kiwipete"),
        (("perft", "start", "-1"), "No such option"),
        (("perft", "start", "65"), "depth: 65: expected 0 to 64"),
        (("perft", "start", "x"), "is not a valid integer"),
        (("perft", "start", "0", "--divide"), "depth: 0: expected at least 1 to divide"),
        (("perft", "start", "2", "--divide", "--stats"), "choose one"),
        (("perft", "start", "2", "--against", "no-such-engine"), "'no-such-engine' cannot be started"),
        (("perft", "8/8/8/8/8/8/8/8 w - - 0 1", "2"), "white has no king"),
        (("moves", "8/8 w - - 0 1"), "has 2 ranks, expected 8"),
    ],
)
def test_errors_are_for_people(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments, status=2)
    assert message in result.stderr.replace("\n", " ")


def test_ctrl_c_prints_what_is_known_within_a_second() -> None:
    command = [sys.executable, "-m", "rookery", "perft", "start", "9", "--json"]
    run("perft", "start", "3")  # compiled, so that the signal meets the counting
    for patience in (5, 30):  # a busy machine may still be importing after five seconds
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(patience)
            process.send_signal(signal.SIGINT)
            sent = time.perf_counter()
            try:
                stdout, _ = process.communicate(timeout=60)
            finally:
                process.kill()  # or the end of the block waits for it
            waited = time.perf_counter() - sent
        if stdout:
            break
    answer = json.loads(stdout)
    assert process.returncode == 130
    assert answer["complete"] is False
    assert 0 < answer["nodes"] < 2_439_530_234_167
    assert waited < 5  # a second on an idle machine; this one may be busy


def test_moves() -> None:
    answer = document("moves", "kiwipete")
    board = chess.Board(KIWIPETE)
    assert {(m["uci"], m["san"]) for m in answer["moves"]} == {(m.uci(), board.san(m)) for m in board.legal_moves}
    captures = document("moves", "kiwipete", "--captures")
    assert {m["uci"] for m in captures["moves"]} == {m.uci() for m in board.generate_legal_captures()}
    assert "48 legal moves" in run("moves", "kiwipete").stdout
    assert "8 captures and promotions" in run("moves", "kiwipete", "--captures").stdout


def test_fen() -> None:
    text = run("fen", KIWIPETE).stdout
    assert "white to move, 48 legal moves" in text
    assert "p . p p q p b ." in text
    assert document("fen", KIWIPETE) == {"fen": KIWIPETE, "valid": True, "faults": []}


def test_fen_explains_every_fault() -> None:
    text = run("fen", "Pk6/8/8/8/8/8/8/KKq5 w - e6 0 1", status=1).stdout
    for fault in (
        "white pawn on a8: pawns never stand on a back rank",
        "white has 2 kings, expected one",
        "en passant on e6: no black pawn on e5 has jumped over it",
    ):
        assert fault in text
    answer = document("fen", "k7/8/8/8/8/8/8/K7 x - - 0 1", status=1)
    assert answer["valid"] is False
    assert answer["faults"] == ["FEN field 2 (side to move): 'x': expected 'w' or 'b'"]
