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
from rookery.counting.engines import comparison
from rookery.counting.engines.comparison import WHY, Difference, first_difference
from rookery.counting.engines.uci import Uci
from rookery.counting.walk import POSITIONS

CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")

ENGINE = f"{shlex.quote(sys.executable)} {shlex.quote(str(Path(uci_engine.__file__)))}"
# The knight takes the rook on h1, and with it White's right to castle there.
ROOK_IS_TAKEN = "4k3/8/8/8/8/6n1/P7/4K2R b K - 0 1"
# Black may castle, and after he has taken that back.
MAY_CASTLE = "r3k3/7p/8/8/8/8/8/4K3 w q - 0 1"


class Impatient(Uci):
    """Waits for half a second only, once the engine has started."""

    def __init__(self, command: str, *, chess960: bool = False) -> None:
        super().__init__(command, chess960=chess960)
        self.handshake = 0.5


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


# Lines of moves and the line of the total are read separately: each way to print one, with a way to print the other.
WAYS = [
    pytest.param(style, total, marks=() if 0 in (i, j) else pytest.mark.slow)
    for i, style in enumerate(uci_engine.PRINTS)
    for j, total in enumerate(uci_engine.TOTALS)
]


@pytest.mark.parametrize(("style", "total"), WAYS)
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
    assert board.fen(en_passant="fen") == found.fen
    assert found.suspect == "move generation"
    assert found.extra == []
    assert found.missing
    assert all(board.is_en_passant(chess.Move.from_uci(uci)) for uci in found.missing)
    text = run("perft", "kiwipete", "3", "--against", f"{ENGINE} no-en-passant", status=1).stdout
    assert found.fen in text
    assert f"it does not find: {found.missing[0]}" in text
    assert f"suspect: move generation: {WHY['move generation']}" in text
    assert f"  position fen {found.fen}\n  go perft " in text


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
    assert found.moves == ["e1d1"]
    assert found.counts.keys() == {"h7h6", "h7h5"}  # which the engine counts after castling
    assert all(theirs < ours for ours, theirs in found.counts.values())


def test_an_engine_that_counts_differently_the_second_time() -> None:
    assert difference(MAY_CASTLE, 3, "forgets").suspect == "state between searches"


def test_a_hash_table_that_takes_positions_for_others_is_found() -> None:
    found = difference("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 3, "hash")
    assert (found.suspect, found.moves) == ("unmaking moves or hash table", [])
    assert set(found.counts) < {"a7a8q", "a7a8r", "a7a8b", "a7a8n"}


def test_a_total_that_is_not_the_sum_is_a_difference() -> None:
    found = difference("8/8/8/8/8/8/8/K1k5 w - - 0 1", 2, "bad-total")
    assert (found.suspect, found.counts, found.theirs) == ("adding", {}, found.ours + 1)


# The classical bugs, one after the other: which position is shown, which moves, and what is suspect.


@pytest.mark.parametrize(
    ("fault", "fen", "depth", "suspect", "moves", "found_in", "missing", "extra"),
    [
        # The capture would leave the black king on the rank of the white queen.
        (
            "pinned-en-passant",
            "8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1",
            2,
            "move generation",
            ["d2d4"],
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            [],
            ["e4d3"],
        ),
        (
            "pinned-en-passant",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            1,
            "move generation",
            [],
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            [],
            ["e4d3"],
        ),
        (
            "no-en-passant",
            "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
            2,
            "move generation",
            ["e2e4"],
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            ["d4e3"],
            [],
        ),
        (
            "forgets-en-passant",
            "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
            3,
            "making moves",
            ["e2e4"],
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            ["d4e3"],
            [],
        ),
        (
            "no-underpromotion",
            "k7/8/8/7P/8/8/8/K7 w - - 0 1",
            5,
            "move generation",
            ["h5h6", "*", "h6h7", "*"],
            "*",
            ["h7h8b", "h7h8n", "h7h8r"],
            [],
        ),
        (
            "castles-through-check",
            "5r2/4k3/8/8/8/8/7P/R3K2R b KQ - 0 1",
            2,
            "move generation",
            ["*"],
            "*",
            [],
            ["e1g1"],
        ),
    ],
    ids=lambda value: str(value)[:20],
)
def test_wrong_moves_are_found_where_they_are(
    fault: str,
    fen: str,
    depth: int,
    suspect: str,
    moves: list[str],
    found_in: str,
    missing: list[str],
    extra: list[str],
) -> None:
    found = difference(fen, depth, fault)
    assert len(found.moves) == len(moves)
    assert all(expected in ("*", move) for expected, move in zip(moves, found.moves, strict=True))
    board = chess.Board(fen)
    for move in found.moves:
        board.push_uci(move)
    assert found.fen == board.fen(en_passant="fen")
    assert found_in in ("*", found.fen)
    assert (found.suspect, sorted(found.missing), sorted(found.extra)) == (suspect, missing, extra)
    result = run("perft", fen, str(depth), "--against", f"{ENGINE} {fault}", status=1)
    assert f"differs after {' '.join(found.moves) or 'no move'}, in\n  {found.fen}\n" in result.stdout
    assert f"suspect: {suspect}: " in result.stdout
    assert "\n".join(f"  {command}" for command in found.commands) in result.stdout
    answer = document("perft", fen, str(depth), "--against", f"{ENGINE} {fault}", status=1)
    assert (answer["fen"], answer["difference"]["fen"]) == (fen, found.fen)


# Pawns and knight that leave few moves: the rook may leave h1 and come back, or the knight a1.
ROOK_COMES_BACK = "k7/pp6/8/8/8/7p/7P/N3K2R w K - 0 1"
# e2e3, e3e4 and a king's move, or two of the king and e2e4.
PAWN_COMES_LATE = "k7/8/8/8/3p4/8/4P3/3K4 w - - 0 1"


@pytest.mark.parametrize(
    ("faults", "fen", "depth", "suspect"),
    [
        ("unmake", MAY_CASTLE, 4, "unmaking moves or hash table"),
        ("unmake-gives-castling", MAY_CASTLE.replace("q", "-"), 4, "unmaking moves or hash table"),
        ("hash-without-castling", ROOK_COMES_BACK, 5, "unmaking moves or hash table"),
        ("hash-without-en-passant", PAWN_COMES_LATE, 6, "unmaking moves or hash table"),
        ("keeps-table hash-without-castling", ROOK_COMES_BACK, 5, "state between searches"),
    ],
)
def test_wrong_counts_of_right_moves_are_found(faults: str, fen: str, depth: int, suspect: str) -> None:
    found = difference(fen, depth, faults)
    assert (found.suspect, found.missing, found.extra, found.repeated) == (suspect, [], [], [])
    assert found.counts
    board = chess.Board(fen)
    for move in found.moves:
        board.push_uci(move)
    assert found.fen == board.fen(en_passant="fen")


def test_a_complete_hash_key_is_not_suspect() -> None:
    for fen, depth in ((ROOK_COMES_BACK, 5), (PAWN_COMES_LATE, 6)):
        assert first_difference(Board(fen), depth, f"{ENGINE} keeps-table hash-complete") is None


# Engines that say little, or nothing.


def test_an_engine_that_ends_is_a_clear_error() -> None:
    result = run("perft", "start", "2", "--against", f"{ENGINE} dies", status=2)
    assert f"has ended without an answer to 'position fen {Board().fen()}' and 'go perft 1'" in result.stderr
    fen = "k7/8/7P/8/8/8/8/K7 w - - 0 1"
    result = run("perft", fen, "3", "--against", f"{ENGINE} dies-at-promotion", status=2)
    assert f"to 'position fen {fen}' and 'go perft 3'" in result.stderr


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("silent", "after 'position fen 8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1' and 'go perft 1': expected a line"),
        ("garbage", "'go perft 1': its last line is '\\x1b[31m\\x00: 20 nodes'; expected a line for each move"),
    ],
)
def test_an_engine_that_never_counts_is_an_error(fault: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "Uci", Impatient)
    result = run("perft", "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "2", "--against", f"{ENGINE} {fault}", status=2)
    assert message in result.stderr
    assert "has not counted on for 0.5 s" in result.stderr
    assert "\x1b" not in result.output


@pytest.mark.parametrize("command", ["cat", "yes", "sleep 60", "sh -c 'while read x; do :; done'"])
def test_a_program_that_is_no_engine_is_reported_soon(command: str) -> None:
    if not shutil.which(command.split()[0]):
        pytest.skip(f"no {command.split()[0]}")
    with pytest.raises(ValueError, match=r"not answered 'uci' with 'uciok' in 0\.5 s: expected a UCI engine"):
        Uci(command, handshake=0.5)


def test_an_engine_without_perft_is_reported_soon() -> None:
    with (
        Impatient(f"{ENGINE} knows-no-perft") as engine,
        pytest.raises(
            ValueError, match=r"'go perft 1': its last line is 'info depth 2 nodes 20 pv e2e4'; expected a line"
        ),
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
def test_any_command_is_printed_without_markup(command: str, message: str) -> None:
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
