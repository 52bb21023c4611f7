"""The names of faults: what an engine does wrong, and the depth that shows it."""

import chess
import pytest
from test_engine_comparison import ENGINE, ROOK_IS_TAKEN

from command_line import KIWIPETE, document, run
from rookery import Board
from rookery.counting.engines.comparison import first_difference
from rookery.counting.engines.named_faults import named_faults
from rookery.counting.engines.visible_faults import FAULTS, Fault, depths_that_show_faults
from thinning import few

CAPTURED: Fault = "a castling right kept after the rook was captured"
MOVED: Fault = "a castling right kept after the rook moved"
EN_PASSANT: Fault = "an en-passant square that is never cleared"
PAWNS = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"

# Each: a position, moves made from there, a move that is missing or should not be there, and the name of the fault.
EXTRA = [
    (ROOK_IS_TAKEN, "g3h1", "e1g1", "White's right to castle kingside is kept after g3h1 captured the rook"),
    ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "a8b8 e1e2 b8a8 e2e1", "e8c8",
     "Black's right to castle queenside is kept after the rook moved (a8b8)"),
    ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1e2 e8e7 e2e1 e7e8", "e1c1",
     "White's right to castle queenside is kept after the king moved (e1e2)"),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "", "e1c1", "White castles queenside without the right to"),
    ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "", "e1g1", "the king castles out of check"),
    ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "", "e1c1", "the king castles queenside over an occupied square"),
    ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "", "e1g1", "the king castles kingside over or onto an attacked square"),
    ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "", "e1h1", "the king castles kingside over or onto an attacked square"),
    (PAWNS, "e2e4 e8d7 e1d1", "d4e3", "the en-passant square e3 is not cleared by e8d7"),
    (PAWNS, "", "e2d3", "a pawn captures on d3, which is empty"),
    ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "", "e4d3",
     "an en-passant capture takes both pawns off the king's rank and exposes it"),
    ("8/8/8/k7/3Pp3/8/8/4B1K1 b - d3 0 1", "", "e4d3", "an en-passant capture leaves the king in check"),
    ("6k1/8/8/8/3Pp3/8/B7/6K1 b - d3 0 1", "", "e4d3", "an en-passant capture leaves the king in check"),
    ("4k3/8/8/8/3Pp3/8/8/4R1K1 b - d3 0 1", "", "e4d3", "an en-passant capture exposes the king on a diagonal or file"),
    ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "", "a7a8", "a pawn reaches the last rank without a promotion"),
    ("8/8/P7/8/8/8/8/k1K5 w - - 0 1", "", "a6a7q", "a pawn promotes too early"),
    ("8/8/8/8/8/8/8/k1K4R w - - 0 1", "h1h3 a1a2", "h1g1",
     "the rook that stood on h1 before h1h3 still moves from there"),
    ("8/8/8/8/8/8/8/k1K4R w - - 0 1", "", "e4e5", "a piece moves from e4, where White has none"),
    ("8/8/8/8/8/8/8/k1K4R w - - 0 1", "", "h1c1", "a rook captures a piece of its own side"),
    ("8/8/8/8/8/8/7P/k1K4R w - - 0 1", "", "h1h3", "a rook passes through an occupied square"),
    ("8/8/8/8/8/8/7P/k1K4R w - - 0 1", "", "h1g2", "a rook does not move from h1 to g2"),
    ("8/8/8/8/8/7k/7P/2K5 w - - 0 1", "", "h2h4", "a pawn steps onto or over an occupied square, or too far"),
    ("8/8/8/8/6k1/p7/7P/2K5 w - - 0 1", "", "h2a3", "a pawn captures a square that it does not attack"),
    ("8/8/8/8/8/8/4r3/K1k5 w - - 0 1", "", "a1b1", "the king steps next to the other king"),
    ("8/8/8/8/8/8/4r3/K4k2 w - - 0 1", "", "a1a2", "the king steps onto an attacked square"),
    ("8/8/8/8/8/1r6/1r6/K4k2 w - - 0 1", "", "a1b2",
     "the king steps onto an attacked square and captures a defended piece"),
    ("8/8/8/8/r2K4/8/8/4k3 w - - 0 1", "", "d4e4", "the king retreats along the line of the slider that checks it"),
    ("8/8/8/8/r2K4/8/8/N6k w - - 0 1", "", "a1b3", "a knight moves without answering the check"),
    ("3r4/8/8/1n6/3K4/8/8/N6k w - - 0 1", "", "a1b3", "another piece than the king moves in double check"),
    ("8/8/8/8/r1NK4/8/8/4k3 w - - 0 1", "", "c4a5", "a pinned knight leaves the line of its pin"),
]  # fmt: skip
MISSING = [
    (PAWNS, "e2e4", "d4e3", "no en-passant square is set by e2e4"),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "", "d4e3", "an en-passant capture is not found"),
    ("8/8/8/5k2/3pP3/8/8/4K3 b - e3 0 1", "", "d4e3", "an en-passant capture that answers a check is not found"),
    ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "", "e1c1", "castling queenside is not found"),
    ("4k3/7p/8/8/8/8/7P/R3K3 w Q - 0 1", "h2h3 h7h6", "e1c1", "White's right to castle queenside is lost by h2h3 h7h6"),
    ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "", "a7a8n", "underpromotions are not found"),
    ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "", "a7a8q", "a promotion to a queen is not found"),
    ("8/8/8/8/r2K4/8/8/4k3 w - - 0 1", "", "d4d5", "a king's move out of check is not found"),
    ("8/8/8/8/r2K4/8/7k/R7 w - - 0 1", "", "a1a4", "a capture of the checking piece is not found"),
    ("8/8/8/8/r2K4/8/1N6/4k3 w - - 0 1", "", "b2c4", "a move between checker and king is not found"),
    ("8/8/8/8/r1RK4/8/8/4k3 w - - 0 1", "", "c4b4", "a pinned rook does not move along the line of its pin"),
    ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "", "a2a4", "a pawn's double step is not found"),
    ("4k3/8/8/8/8/8/P7/4K1N1 w - - 0 1", "", "g1f3", "moves of a knight are not found"),
    ("4k3/8/8/8/8/5p2/P7/4K1N1 w - - 0 1", "", "g1f3", "captures of a knight are not found"),
]


@pytest.mark.parametrize(("fen", "moves", "uci", "name"), EXTRA)
def test_an_illegal_move_is_named(fen: str, moves: str, uci: str, name: str) -> None:
    board = chess.Board(fen)
    for made in moves.split():
        board.push_uci(made)
    assert chess.Move.from_uci(uci) not in board.legal_moves
    assert named_faults(Board(fen), moves.split(), [], [uci]) == [name]


@pytest.mark.parametrize(("fen", "moves", "uci", "name"), MISSING)
def test_a_legal_move_that_is_missing_is_named(fen: str, moves: str, uci: str, name: str) -> None:
    board = chess.Board(fen)
    for made in moves.split():
        board.push_uci(made)
    assert chess.Move.from_uci(uci) in board.legal_moves
    assert named_faults(Board(fen), moves.split(), [uci], []) == [name]


def test_each_fault_is_named_once() -> None:
    fen = "8/P7/8/8/8/8/8/k1K5 w - - 0 1"
    assert named_faults(Board(fen), [], ["a7a8n", "a7a8b"], []) == ["underpromotions are not found"]


# The depth at which a fault shows is the least depth at which an engine with the fault differs.

ENGINES = [
    ("keeps-castling", CAPTURED, "is kept after {} captured the rook"),
    ("keeps-castling-of-moved-rook", MOVED, "is kept after the rook moved"),
    ("never-clears-en-passant", EN_PASSANT, "the en-passant square e3 is not cleared by"),
]
POSITIONS = [
    ROOK_IS_TAKEN,
    "r3k3/8/8/8/8/8/6b1/4K2R b Kq - 0 1",
    "k7/8/8/8/8/8/1r6/R3K3 b Q - 0 1",
    PAWNS,
    "8/8/8/8/k2p4/8/4P3/3K4 w - - 0 1",
]


@pytest.mark.parametrize("fen", few(POSITIONS, 1))
@pytest.mark.parametrize(("engine", "fault", "name"), ENGINES)
def test_the_least_depth_is_where_an_engine_with_the_fault_differs(
    engine: str, fault: Fault, name: str, fen: str
) -> None:
    least = depths_that_show_faults(Board(fen), 1000).least[fault]
    if least is None or least > 4:
        assert first_difference(Board(fen), 3, f"{ENGINE} {engine}") is None
        return
    if least > 1:
        assert first_difference(Board(fen), least - 1, f"{ENGINE} {engine}") is None
    found = first_difference(Board(fen), least, f"{ENGINE} {engine}")
    assert found is not None
    assert found.suspect == "making moves"
    assert len(found.faults) == 1
    assert name.format(found.moves[-1]) in found.faults[0]


def naive_depths(fen: str, plies: int) -> dict[str, int]:
    """Return the least depth of each kind of move, by python-chess."""
    least: dict[str, int] = {}
    level = [chess.Board(fen)]
    for depth in range(1, plies + 1):
        below = []
        for board in level:
            for move in board.legal_moves:
                kinds = (board.is_castling(move), board.is_en_passant(move), move.promotion)
                for kind, holds in zip(("castling", "en passant", "promotion"), kinds, strict=True):
                    if holds:
                        least.setdefault(kind, depth)
                child = board.copy(stack=False)
                child.push(move)
                below.append(child)
        level = below
    return least


@pytest.mark.parametrize("fen", [KIWIPETE, "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", chess.STARTING_FEN])
def test_the_least_depth_of_kinds_of_moves(fen: str) -> None:
    depths = depths_that_show_faults(Board(fen), 2_500)
    assert depths.searched >= 2
    expected = naive_depths(fen, depths.searched)
    found = {kind: depths.least[kind] for kind in FAULTS[:3]}
    assert {kind: least for kind, least in found.items() if least is not None and least <= depths.searched} == expected


def test_the_command_names_the_fault_and_what_a_deeper_run_would_show() -> None:
    text = run("perft", ROOK_IS_TAKEN, "2", "--against", f"{ENGINE} keeps-castling", status=1).stdout
    assert "\nfault: White's right to castle kingside is kept after g3h1 captured the rook\n" in text
    text = run("perft", ROOK_IS_TAKEN, "1", "--against", f"{ENGINE} keeps-castling").stdout
    assert "agrees on every move of the position, 1 ply deep.\nThis run does not show faults of:\n" in text
    assert f"\n  {CAPTURED}: depth 2 would\n" in text
    assert "\n  en passant: none of the first " in text
    answer = document("perft", ROOK_IS_TAKEN, "1", "--against", f"{ENGINE} keeps-castling")
    assert answer["needs_deeper_run"][CAPTURED] == 2
    assert answer["needs_deeper_run"]["en passant"] is None
    assert "castling" not in document("perft", KIWIPETE, "1", "--against", ENGINE)["needs_deeper_run"]
    assert answer["plies_searched"] >= 4


@pytest.mark.parametrize("fen", [KIWIPETE, "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "4k3/P7/8/8/8/8/4r3/R3K2R w KQ - 0 1"])
def test_any_move_can_be_asked_about(fen: str) -> None:
    """Engines print whatever they like: each pair of squares, with and without a promotion."""
    board = chess.Board(fen)
    names = [
        f"{source}{target}{kind}" for source in chess.SQUARE_NAMES for target in chess.SQUARE_NAMES for kind in "|q"
    ]
    illegal = [uci for uci in (name.strip("|") for name in names) if uci not in {m.uci() for m in board.legal_moves}]
    start = Board(fen)
    unnamed = [uci for uci in illegal if len(named_faults(start, [], [], [uci])) != 1]
    assert unnamed == []
