"""Perft against engines: right ones, ones with faults of our making, ones that say little, and Stockfish."""

import shlex
import shutil
import sys
from pathlib import Path

import chess
import pytest

import uci_engine
from command_line import KIWIPETE, document, run
from rookery import Board
from rookery.counting.comparison import WHY, Difference, first_difference
from rookery.counting.uci import Uci
from rookery.counting.walk import POSITIONS

CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")

ENGINE = f"{shlex.quote(sys.executable)} {shlex.quote(str(Path(uci_engine.__file__)))}"
# The knight takes the rook on h1, and with it White's right to castle there.
ROOK_IS_TAKEN = "4k3/8/8/8/8/6n1/P7/4K2R b K - 0 1"
# Black may castle, and after he has taken that back.
MAY_CASTLE = "r3k3/7p/8/8/8/8/8/4K3 w q - 0 1"


def difference(fen: str, depth: int, options: str) -> Difference:
    found = first_difference(Board(fen), depth, f"{ENGINE} {options}")
    assert found is not None
    assert found.ours == perft(chess.Board(found.fen), int(found.commands[-1].removeprefix("go perft ")))
    return found


def perft(board: chess.Board, depth: int) -> int:
    return sum(perft_after(board, move, depth) for move in list(board.legal_moves))


def perft_after(board: chess.Board, move: chess.Move, depth: int) -> int:
    board.push(move)
    leaves = perft(board, depth - 1) if depth > 1 else 1
    board.pop()
    return leaves


def test_a_correct_engine_agrees() -> None:
    assert first_difference(Board(KIWIPETE), 2, ENGINE) is None
    assert first_difference(Board(CHESS960), 2, ENGINE) is None
    text = run("perft", "kiwipete", "2", "--against", ENGINE).stdout
    assert "agrees on every move of the position, 2 plies deep" in text
    assert document("perft", "start", "1", "--against", ENGINE)["difference"] is None


@pytest.mark.parametrize("total", uci_engine.TOTALS)
@pytest.mark.parametrize("style", uci_engine.PRINTS)
def test_every_way_to_print_is_read(style: str, total: str) -> None:
    promotions = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    options = f"--print {style} --total {total}"
    assert first_difference(Board(promotions), 2, f"{ENGINE} {options}") is None
    assert difference(promotions, 2, f"{options} one-more").counts["a7a8q"] == (3, 4)


@pytest.mark.parametrize("total", uci_engine.TOTALS)
def test_an_engine_may_answer_while_it_counts(total: str) -> None:
    assert first_difference(Board(MAY_CASTLE), 2, f"{ENGINE} --total {total} thread slow") is None
    board = Board("k7/8/8/pP6/8/8/8/K7 w - a6 0 1")
    legal = [move.uci() for move in board.legal_moves]
    with Uci(f"{ENGINE} --total {total} thread slow no-en-passant", handshake=1.5) as engine:
        assert set(legal) - engine.divide(board.fen(), 1, legal=legal).leaves.keys() == {"b5a6"}


def test_moves_after_the_last_are_none() -> None:
    for fen in ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"):  # stalemate, mate
        for total in uci_engine.TOTALS:
            assert first_difference(Board(fen), 2, f"{ENGINE} --total {total}") is None


def test_the_first_position_with_other_moves_is_found() -> None:
    found = difference(KIWIPETE, 3, "no-en-passant")
    board = chess.Board(KIWIPETE)
    for uci in found.moves:
        board.push_uci(uci)
    assert len(found.moves) < 3
    assert board.fen() == found.fen
    assert found.suspect == "move generation"
    assert found.extra == []
    assert found.missing
    assert all(board.is_en_passant(chess.Move.from_uci(uci)) for uci in found.missing)
    text = run("perft", "kiwipete", "3", "--against", f"{ENGINE} no-en-passant", status=1).stdout
    assert found.fen in text
    assert f"it does not find: {found.missing[0]}" in text
    assert f"suspect: move generation: {WHY['move generation']}" in text
    assert f"  position fen {Board(found.fen).fen()}\n  go perft " in text


def test_illegal_moves_are_found() -> None:
    fen = "4k3/8/8/8/8/8/4r3/K7 w - - 0 1"
    found = difference(fen, 2, "king-into-check")
    assert (found.missing, found.moves, found.suspect) == ([], [], "move generation")
    assert found.extra in (["a1b2"], ["a1a2"])
    answer = document("perft", fen, "2", "--against", f"{ENGINE} king-into-check", status=1)
    assert answer["difference"]["extra"] == found.extra


def test_a_move_found_twice_is_a_difference() -> None:
    found = difference(MAY_CASTLE, 2, "twice")
    assert (found.moves, found.missing, found.extra, len(found.repeated)) == ([], [], [], 1)
    text = run("perft", MAY_CASTLE, "2", "--against", f"{ENGINE} twice", status=1).stdout
    assert f"it finds twice: {found.repeated[0]}" in text


def test_an_engine_that_counts_one_more_does_not_agree() -> None:
    """All moves and all counts one move on are right: only from above something is added."""
    found = difference(MAY_CASTLE, 3, "one-more")
    assert (found.missing, found.extra, found.repeated) == ([], [], [])
    assert found.suspect == "unmaking moves or hash table"
    assert all(theirs == ours + 1 for ours, theirs in found.counts.values())
    assert set(found.counts) == {m.uci() for m in chess.Board(found.fen).legal_moves}
    result = run("perft", MAY_CASTLE, "3", "--against", f"{ENGINE} one-more", status=1)
    assert "agrees" not in result.output
    assert "the moves are the same, the counts are not" in result.stdout
    assert "suspect: unmaking moves or hash table" in result.stdout


def test_castling_rights_that_outlive_the_rook_are_found_by_making_the_moves() -> None:
    """The engine is right about every FEN, and wrong about what it comes to by itself."""
    found = difference(ROOK_IS_TAKEN, 3, "keeps-castling")
    assert found.suspect == "making moves"
    assert found.moves == ["g3h1"]
    assert found.extra == ["e1g1"]
    assert found.commands == [f"position fen {ROOK_IS_TAKEN} moves g3h1", "go perft 1"]
    text = run("perft", ROOK_IS_TAKEN, "2", "--against", f"{ENGINE} keeps-castling", status=1).stdout
    assert "it finds, but illegal: e1g1" in text
    assert "suspect: making moves" in text


def test_what_is_not_taken_back_is_found() -> None:
    found = difference(MAY_CASTLE, 4, "unmake")
    assert found.suspect == "unmaking moves or hash table"
    assert found.moves == []
    assert all(theirs < ours for ours, theirs in found.counts.values())


def test_an_engine_that_counts_otherwise_when_asked_again() -> None:
    assert difference(MAY_CASTLE, 3, "forgets").suspect == "state between searches"


def test_a_hash_table_that_takes_positions_for_others_is_found() -> None:
    found = difference("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 3, "hash")
    assert (found.suspect, found.moves) == ("unmaking moves or hash table", [])
    assert set(found.counts) < {"a7a8q", "a7a8r", "a7a8b", "a7a8n"}


def test_a_total_that_is_not_the_sum_is_a_difference() -> None:
    found = difference("8/8/8/8/8/8/8/K1k5 w - - 0 1", 2, "bad-total")
    assert (found.suspect, found.counts, found.theirs) == ("adding", {}, found.ours + 1)


# Engines that say little, or nothing.


def test_an_engine_that_ends_is_a_clear_error() -> None:
    result = run("perft", "start", "2", "--against", f"{ENGINE} dies", status=2)
    assert "has ended without an answer" in result.stderr.replace("\n", " ")


@pytest.mark.parametrize("command", ["cat", "yes", "sleep 60", "sh -c 'while read x; do :; done'"])
def test_what_is_no_engine_is_told_soon(command: str) -> None:
    if not shutil.which(command.split()[0]):
        pytest.skip(f"no {command.split()[0]}")
    with pytest.raises(ValueError, match=r"not answered 'uci' with 'uciok' in 0\.5 s: expected a UCI engine"):
        Uci(command, handshake=0.5)


def test_an_engine_that_knows_no_perft_is_told_soon() -> None:
    with (
        Uci(f"{ENGINE} knows-no-perft", handshake=0.5) as engine,
        pytest.raises(ValueError, match=r"nothing for 0\.5 s: expected a line for each move after 'go perft 1'"),
    ):
        engine.divide(Board().fen(), 1, legal=["e2e4"])


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/bin/false [/red]", "has ended"),
        ("[red]no-such-engine[/blue]", "'[red]no-such-engine[/blue]' cannot be started"),
        ("no 'such", "No closing quotation"),
        ("", "expected a command"),
        ("no\x1b[31msuch", "'no\\x1b[31msuch' cannot be started"),
    ],
)
def test_any_command_is_told_as_it_is(command: str, message: str) -> None:
    result = run("perft", "start", "2", "--against", command, status=2)
    assert message in result.stderr.replace("\n", " ")
    assert "\x1b" not in result.output


def test_markup_in_the_name_of_a_good_engine_is_text(tmp_path: Path) -> None:
    engine = tmp_path / "[red]engine[/red].py"
    engine.parent.mkdir()
    engine.write_text(f"import runpy; runpy.run_path({uci_engine.__file__!r}, run_name='__main__')", encoding="utf-8")
    command = f"{shlex.quote(sys.executable)} {shlex.quote(str(engine))}"
    assert f"{command} agrees on every move" in run("perft", "start", "1", "--against", command).stdout


@pytest.mark.skipif(STOCKFISH is None, reason="no Stockfish; .ci/run installs Debian's")
@pytest.mark.parametrize("fen", [KIWIPETE, POSITIONS["position3"], CHESS960])
def test_stockfish_agrees(fen: str) -> None:
    assert STOCKFISH is not None
    assert first_difference(Board(fen), 4, STOCKFISH) is None
