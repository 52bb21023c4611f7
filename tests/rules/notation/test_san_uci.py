"""SAN and UCI, both ways, and what is told when a text is ambiguous, illegal or malformed."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.board.board import Board
from rookery.board.moves import IllegalMoveError, Move
from thinning import examples

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@st.composite
def walks(draw: st.DrawFn) -> Board:
    """Boards some random moves from a start position or from one with much to disambiguate."""
    number = draw(st.integers(-3, 959))
    fen = {
        -1: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        -2: "8/1PP1P1P1/7k/Q2Q3N/8/N2Q2N1/8/R2K3R w - - 0 1",
        -3: START,
    }.get(number)
    board = Board(fen) if fen else Board(chess.Board.from_chess960_pos(number).fen(), chess960=True)
    for choice in draw(st.lists(st.integers(0, 1 << 16), max_size=30)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[choice % len(moves)])
    return board


@given(walks())
@examples(100)
def test_round_trips(board: Board) -> None:
    theirs = chess.Board(board.fen(en_passant="fen", shredder=board.chess960), chess960=board.chess960)
    sans = set()
    for move in board.legal_moves:
        san = board.san(move)
        assert san == theirs.san(chess.Move.from_uci(board.uci(move)))
        assert board.parse_san(san) is move
        assert board.parse_san(san.rstrip("+#")) is move
        assert board.parse_san(san + "!?") is move
        assert board.parse_uci(board.uci(move)) is move
        assert board.parse_uci(board.uci(move, chess960=True)) is move
        sans.add(san)
    assert len(sans) == len(board.legal_moves)
    assert all(f" {san}" in f" {board.legal_moves!r}".replace(",", "").replace(">", "") for san in sans)


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        (START, "g1f3", "Nf3"),
        (START, "e2e4", "e4"),
        ("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "b1d2", "Nbd2"),  # by file
        ("4k3/8/8/8/1N6/8/1N6/3K4 w - - 0 1", "b2d3", "N2d3"),  # by rank
        ("4k3/8/8/8/1N3N2/8/1N6/3K4 w - - 0 1", "b4d3", "Nb4d3"),  # by both
        ("4k3/8/8/8/1b6/8/3N4/1N2K3 w - - 0 1", "b1c3", "Nc3"),  # the other one is pinned
        ("4k3/8/8/8/1b6/8/3N1N2/4K3 w - - 0 1", "f2e4", "Ne4"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"),
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1f1", "Rf1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1f1", "Kf1"),
    ],
)
def test_known_texts(fen: str, uci: str, san: str) -> None:
    board = Board(fen)
    move = board.parse_uci(uci)
    assert board.san(move) == san
    assert board.parse_san(san) is move
    assert board.uci(move) == uci
    before = board.copy()
    assert board.push_san(san) is move
    assert board.pop() is move
    assert board.push_uci(uci) is move
    assert board.pop() is move
    assert board == before


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        (START, "Ng1f3", "g1f3"),  # more than needed
        (START, "Ng1-f3", "g1f3"),
        (START, "e2e4", "e2e4"),
        (START, "e2-e4", "e2e4"),
        (START, "e4!?", "e2e4"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8Q", "a7a8q"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=q", "a7b8q"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0-0", "e1c1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O+", "e1g1"),
    ],
)
def test_other_spellings_are_read(fen: str, text: str, uci: str) -> None:
    board = Board(fen)
    assert board.parse_san(text) is board.parse_uci(uci)


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (
            "4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1",
            "Nd2",
            "is ambiguous in '4k3/8/.*': b1d2 or f1d2",
        ),
        ("4k3/8/8/8/1N3N2/8/1N6/3K4 w - - 0 1", "Nd3", "is ambiguous in .*: b2d3 or b4d3 or f4d3"),
        ("4k3/8/8/8/1N3N2/8/1N6/3K4 w - - 0 1", "Nbd3", "is ambiguous in .*: b2d3 or b4d3"),
        (START, "e5", "is not legal in 'rnbq"),
        (START, "Nd2", "is not legal in"),
        (START, "O-O", "is not legal in"),
        (START, "O-O-O", "is not legal in"),
        (START, "Ngh4", "is not legal in"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", "is not legal in"),  # a capture names its file
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", "is not legal in"),  # into what?
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a3=Q", "is not legal in"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=K", "expected a move like"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Kg1", "is not legal in"),
        (START, "", "expected a move like 'Nf3'"),
        (START, "e9", "expected a move like"),
        (START, "i4", "expected a move like"),
        (START, "Nf", "expected a move like"),
        (START, "Xf3", "expected a move like"),
        (START, "nf3", "expected a move like"),
        (START, "N f3", "expected a move like"),
        (START, "O-O-O-O", "expected a move like"),
        (START, "o-o", "expected a move like"),
        (START, "Nf3 e5", "expected a move like"),
        (START, "e4\n", "expected a move like"),
        (START, "e\uff14", "expected a move like"),
        (START, "1. e4", "expected a move like"),
        (START, "!", "expected a move like"),
    ],
)
def test_san_errors(fen: str, text: str, reason: str) -> None:
    board = Board(fen)
    for read in (board.parse_san, board.push_san):
        with pytest.raises(ValueError, match=rf"^SAN move: .*{reason}") as error:
            read(text)
        assert repr(text) in str(error.value)
    assert board.fen() == fen


@pytest.mark.parametrize("text", [None, 5, b"e4", ["e4"]])
def test_san_that_is_not_text(text: object) -> None:
    with pytest.raises(TypeError, match=r"^SAN move: .*: expected text$"):
        Board().parse_san(text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (START, "e2e5", "is not legal in 'rnbq"),
        (START, "e7e5", "is not legal in"),
        (START, "e2e4q", "is not legal in"),
        (START, "e1g1", "is not legal in"),
        (START, "a1a1", "expected two squares"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "is not legal in"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", "expected two squares"),
        (START, "", "expected two squares and perhaps a promotion, like 'e2e4' or 'e7e8q'"),
        (START, "e4", "expected two squares"),
        (START, "e2-e4", "expected two squares"),
        (START, "E2E4", "expected two squares"),
        (START, "e2e9", "expected two squares"),
        (START, "000", "expected two squares"),
        (START, "Nf3", "expected two squares"),
    ],
)
def test_uci_errors(fen: str, text: str, reason: str) -> None:
    board = Board(fen)
    for read in (board.parse_uci, board.push_uci):
        with pytest.raises(ValueError, match=rf"^UCI move: .*{reason}") as error:
            read(text)
        assert repr(text) in str(error.value)
    assert board.fen() == fen


@pytest.mark.parametrize("text", [None, 5, b"e2e4", ["e2e4"]])
def test_uci_that_is_not_text(text: object) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^UCI move"):
        Board().parse_uci(text)  # type: ignore[arg-type]


def test_null_moves() -> None:
    board = Board()
    assert board.parse_uci("0000") is board.parse_san("--") is Move.null()
    assert board.san(Move.null()) == "--"
    assert board.uci(Move.null()) == "0000"
    board.push_san("--")
    assert not board.turn
    assert board.push_uci("0000") is Move.null()
    assert board.pop() is board.pop() is Move.null()
    assert board == Board()


def test_castling_in_both_forms() -> None:
    board = Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    short = board.parse_uci("e1g1")
    assert board.parse_uci("e1h1") is short is board.parse_san("O-O")
    assert board.uci(short) == "e1g1"
    assert Board(board.fen(), chess960=True).uci(short) == "e1h1"
    assert board.parse_uci("e1c1") is board.parse_uci("e1a1") is board.parse_san("O-O-O")


def test_san_of_what_is_not_legal() -> None:
    board = Board()
    for move in (Move.of(12, 36), Move.of(4, 6), Move(0xFFFF)):
        with pytest.raises(ValueError, match=f"^move: {move} is not legal in 'rnbq"):
            board.san(move)
    assert board.move_stack == []


def test_repr_of_legal_moves() -> None:
    board = Board("7k/8/8/8/8/8/r7/7K w - - 0 1")
    assert repr(board.legal_moves) == "<legal moves: Kg1>"
    assert bool(board.legal_moves)
    assert not Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").legal_moves


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        (START, "Pe4", "e2e4"),
        (START, "g1f3", "g1f3"),
        (START, "g1-f3!?", "g1f3"),
        (START, "Ng1-f3", "g1f3"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1a1", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1xa8+", "a1a8"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "Pa8=N", "a7a8n"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "Pexd6", "e5d6"),
    ],
)
def test_both_squares_or_the_letter_of_the_pawn(fen: str, text: str, uci: str) -> None:
    assert Board(fen).parse_san(text).uci() == uci


@pytest.mark.parametrize("text", ["g1g3", "e1g1", "e7e5", "g1f3q", "a3a4", "g1g1", "Pg1f3", "P"])
def test_both_squares_and_no_legal_move(text: str) -> None:
    with pytest.raises(ValueError, match="SAN move"):
        Board().parse_san(text)


def test_an_illegal_move_of_a_variation_is_named() -> None:
    line = [Move.from_uci(text) for text in ("e2e4", "e7e5", "e4e5")]
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    with pytest.raises(IllegalMoveError, match=rf"^variation\[2\]: illegal move e4e5 in '{fen}'$"):
        Board().variation_san(line)
