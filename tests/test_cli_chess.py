"""``rookery perft | moves | fen``, and perft against engines: a real one, and ones with faults of our making."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess
import pytest
from click.testing import CliRunner, Result

from rookery import Board, techniques
from rookery.cli import main
from rookery.rules.against import Difference, Uci, first_difference
from rookery.rules.perft import POSITIONS, Statistics, as_board, statistics

KIWIPETE = POSITIONS["kiwipete"]
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")


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


# Engines.

FAULTY = """
import sys, chess
board, fault = chess.Board(), sys.argv[1]
def legal(b):
    moves = list(b.legal_moves)
    if fault == "no en passant":
        moves = [m for m in moves if not b.is_en_passant(m)]
    if fault == "king steps into check" and b.king(b.turn) is not None:
        moves += [m for m in b.pseudo_legal_moves if m.from_square == b.king(b.turn) and m not in moves][:1]
    return moves
def perft(b, depth):
    if depth == 0:
        return 1
    total = 0
    for m in legal(b):
        b.push(m)
        total += perft(b, depth - 1)
        b.pop()
    return total
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("uciok")
    elif words[:1] == ["isready"]:
        print("readyok")
    elif words[:2] == ["position", "fen"]:
        board = chess.Board(" ".join(words[2:]))
    elif words[:2] == ["go", "perft"]:
        if fault == "dies":
            sys.exit(1)
        for m in legal(board):
            board.push(m)
            print(f"{m.uci()}: {perft(board, int(words[2]) - 1)}")
            board.pop()
        print("Nodes searched: 0")
    elif words[:1] == ["quit"]:
        break
    sys.stdout.flush()
"""


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    script = tmp_path / "engine.py"
    script.write_text(FAULTY, encoding="utf-8")
    return f"{sys.executable} {script}"


def test_a_correct_engine_agrees(faulty: str) -> None:
    assert first_difference(Board(KIWIPETE), 2, f"{faulty} none") is None
    assert "agrees on every move" in run("perft", "kiwipete", "2", "--against", f"{faulty} none").stdout


def test_the_first_position_with_other_moves_is_found(faulty: str) -> None:
    found = first_difference(Board(KIWIPETE), 3, f"{faulty} 'no en passant'")
    assert isinstance(found, Difference)
    board = chess.Board(KIWIPETE)
    for uci in found.moves:
        board.push_uci(uci)
    assert len(found.moves) < 3
    assert board.fen() == found.fen
    assert found.extra == []
    assert found.missing
    assert all(board.is_en_passant(chess.Move.from_uci(uci)) for uci in found.missing)
    text = run("perft", "kiwipete", "3", "--against", f"{faulty} 'no en passant'", status=1).stdout
    assert found.fen in text
    assert f"it does not find: {found.missing[0]}" in text


def test_illegal_moves_are_found(faulty: str) -> None:
    fen = "4k3/8/8/8/8/8/4r3/K7 w - - 0 1"
    found = first_difference(Board(fen), 2, f"{faulty} 'king steps into check'")
    assert found is not None
    assert found.missing == []
    assert found.extra in (["a1b2"], ["a1a2"])
    assert found.moves == []
    answer = document("perft", fen, "2", "--against", f"{faulty} 'king steps into check'", status=1)
    assert answer["difference"]["extra"] == found.extra


def test_an_engine_that_ends_is_a_clear_error(faulty: str) -> None:
    result = run("perft", "start", "2", "--against", f"{faulty} dies", status=2)
    assert "has ended without an answer" in result.stderr.replace("\n", " ")
    with pytest.raises(ValueError, match="has said nothing for"):
        Uci(f"{sys.executable} -c 'import time; time.sleep(30)'", patience=0.5)


@pytest.mark.skipif(STOCKFISH is None, reason="no Stockfish; .ci/run installs Debian's")
@pytest.mark.parametrize("fen", [KIWIPETE, POSITIONS["position3"], CHESS960])
def test_stockfish_agrees(fen: str) -> None:
    assert STOCKFISH is not None
    assert first_difference(Board(fen), 4, STOCKFISH) is None
