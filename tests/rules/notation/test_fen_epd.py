"""FEN and EPD: what is read is written, and what is wrong is told with field, value and reason."""

import random
import re
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.positions.positions import Positions
from rookery.rules.notation.fen import parse_fen
from rookery.rules.notation.start import START, START_POSITION
from thinning import examples, few


@st.composite
def walks(draw: st.DrawFn) -> Board:
    """Boards some random moves from a start position, of both kinds of chess."""
    number = draw(st.none() | st.integers(0, 959))
    board = Board() if number is None else Board(chess.Board.from_chess960_pos(number).fen(), chess960=True)
    for choice in draw(st.lists(st.integers(0, 1 << 16), max_size=40)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[choice % len(moves)])
    return board


@given(walks(), st.sampled_from(["legal", "fen", "xfen"]), st.booleans())
@examples(150)
def test_fen_round_trip(board: Board, en_passant: str, shredder: bool) -> None:
    fen = board.fen(en_passant=en_passant, shredder=shredder)  # type: ignore[arg-type]
    again = Board(fen, None if shredder and board.castling_rights else board.chess960)
    assert again.fen(en_passant=en_passant, shredder=shredder) == fen  # type: ignore[arg-type]
    assert again.key == board.key
    assert again.placement == board.placement
    assert again.castling_rights == board.castling_rights
    assert (again.halfmove_clock, again.fullmove_number) == (board.halfmove_clock, board.fullmove_number)
    assert again == board
    assert Board(fen, again.chess960, strict=True) == again
    assert board.is_valid()
    if en_passant == "fen":
        assert again.ep_square == board.ep_square


@given(walks())
@examples(100)
def test_mirrored_twice_is_the_same(board: Board) -> None:
    again = board.mirror().mirror()
    assert again == board
    assert again.key == board.key
    assert board.mirror().key != board.key
    assert board.mirror().fen() == Board(board.mirror().fen(shredder=board.chess960), board.chess960).fen()
    theirs = chess.Board(board.fen(), chess960=board.chess960).mirror()
    assert board.mirror().fen() == theirs.fen()


@pytest.mark.parametrize("chess960", [None, True, False])
def test_the_start_is_what_its_fen_says(chess960: bool | None) -> None:
    found = parse_fen(START, chess960)
    assert (*found.words.tolist()[:10],) == START_POSITION
    assert (found.halfmove_clock, found.fullmove_number, found.chess960) == (0, 1, bool(chess960))
    assert Board(START, chess960).words().tolist() == found.words.tolist()
    board = Board(START, chess960, strict=True)
    board.push_san("e4")
    assert Board(chess960=chess960).fen() == START == chess.STARTING_FEN


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7", START.replace("0 1", "7 1")),
        (START.replace("0 1", "0 0"), START),
        (f"  {START.replace(' ', '   ')}\n", START),
        (START.replace(" ", "\t"), START),
        (START.replace("0 1", "007 010"), START.replace("0 1", "7 10")),
    ],
)
def test_what_may_be_left_out_or_added(fen: str, expected: str) -> None:
    assert Board(fen).fen() == expected


KINGS = "4k3/8/8/8/8/8/8/4K3"


@pytest.mark.parametrize(
    ("fen", "parts"),
    [
        # The fields one by one: the message names field, value and reason.
        ("", ["FEN", "''", "0 fields"]),
        (KINGS, [repr(KINGS), "1 fields, expected 6"]),
        (f"{KINGS} w -", ["3 fields, expected 6"]),
        (f"{KINGS} w - - 0 1 2", ["7 fields, expected 6"]),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", ["FEN field 1 (pieces)", "'4k3/8/8/8/8/8/4K3'", "7 ranks, expected 8"]),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", ["FEN field 1 (pieces), rank 1", "'4K2'", "7 squares, expected 8"]),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", ["rank 1", "'4K4'", "9 squares, expected 8"]),
        ("4k3/8/8/8/8/8/8/4X3 w - - 0 1", ["rank 1", "'4X3'", "unexpected 'X'"]),
        ("4k3/8/8/53/8/8/8/4K3 w - - 0 1", ["rank 5", "'53'", "two digits in a row"]),
        ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", ["rank 5", "unexpected '9'"]),
        ("4k3/8/8/0p7/8/8/8/4K3 w - - 0 1", ["rank 5", "unexpected '0'"]),
        (f"{KINGS}/ w - - 0 1", ["9 ranks, expected 8"]),
        (f"{KINGS} x - - 0 1", ["FEN field 2 (side to move)", "'x'", "expected 'w' or 'b'"]),
        (f"{KINGS} W - - 0 1", ["FEN field 2 (side to move)", "'W'"]),
        (f"{KINGS} wb - - 0 1", ["FEN field 2 (side to move)", "'wb'"]),
        (f"{KINGS} w x - 0 1", ["FEN field 3 (castling)", "'x'", "unexpected 'x'"]),
        (f"{KINGS} w KQkx - 0 1", ["FEN field 3 (castling)", "'KQkx'", "'K' has no rook"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkx - 0 1", ["FEN field 3 (castling)", "'KQkx'", "unexpected 'x'"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQ-kq - 0 1", ["FEN field 3 (castling)", "'KQ-kq'", "unexpected '-'"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", ["FEN field 3 (castling)", "'KK'", "again"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KH - 0 1", ["FEN field 3 (castling)", "'KH'", "again"]),
        ("r3k2r/8/8/8/8/8/8/R3KR1R w FH - 0 1", ["FEN field 3 (castling)", "'FH'", "same side"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w B - 0 1", ["FEN field 3 (castling)", "'B' has no rook"]),
        ("r3k2r/8/8/8/8/8/4K3/R6R w K - 0 1", ["FEN field 3 (castling)", "'K'", "king", "back rank"]),
        ("r3k2r/8/8/8/8/8/8/4K2R w Q - 0 1", ["FEN field 3 (castling)", "'Q' has no rook"]),
        (f"{KINGS} w - x 0 1", ["FEN field 4 (en passant)", "'x'", "expected '-' or a square"]),
        (f"{KINGS} w - e9 0 1", ["FEN field 4 (en passant)", "'e9'"]),
        (f"{KINGS} w - E6 0 1", ["FEN field 4 (en passant)", "'E6'"]),
        (f"{KINGS} w - e3 0 1", ["FEN field 4 (en passant)", "'e3'", "rank 6 when white is to move"]),
        (f"{KINGS} b - e6 0 1", ["FEN field 4 (en passant)", "'e6'", "rank 3 when black is to move"]),
        (f"{KINGS} w - - -1 1", ["FEN field 5 (halfmove clock)", "'-1'", "expected a number"]),
        (f"{KINGS} w - - x 1", ["FEN field 5 (halfmove clock)", "'x'", "expected a number"]),
        (f"{KINGS} w - - 1.5 1", ["FEN field 5 (halfmove clock)", "'1.5'"]),
        (f"{KINGS} w - - 1_0 1", ["FEN field 5 (halfmove clock)", "'1_0'"]),
        (f"{KINGS} w - - ٣ 1", ["FEN field 5 (halfmove clock)", "'٣'"]),
        (f"{KINGS} w - - 0 +1", ["FEN field 6 (fullmove number)", "'+1'", "expected a number"]),
        (f"{KINGS} w - - 0 99999999999999999999", ["FEN field 6 (fullmove number)", "'99999999999999999999'"]),
        # Positions that cannot be.
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", ["'8/8/8/8/8/8/8/4K3 w - - 0 1'", "black has no king, expected one"]),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", ["white has no king, expected one"]),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", ["white has 2 kings, expected one"]),
        ("4k1k1/8/8/8/8/8/8/3KK3 b - - 0 1", ["white has 2 kings, expected one", "black has 2 kings, expected one"]),
        ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", ["the kings on e1 and e2 are adjacent"]),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", ["white is to move, but black's king is in check from e2"]),
        ("4k3/8/8/8/8/3n4/8/4K3 b - - 0 1", ["black is to move, but white's king is in check from d3"]),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", ["white pawn on a8: pawns never stand on a back rank"]),
        ("4k3/8/8/8/8/8/8/P3K2p w - - 0 1", ["white pawn on a1", "black pawn on h1"]),
        ("4k3/8/8/P7/8/P7/PPPPPPP1/4K3 w - - 0 1", ["white has 9 pawns, at most 8"]),
        ("rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w - - 0 1", ["black has 17 pieces, at most 16"]),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", ["en passant on e6", "no black pawn on e5 has jumped over it"]),
        ("4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", ["en passant on e6", "no black pawn on e5"]),
        ("3k4/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", ["en passant on e6", "e6, where the pawn came along, is occupied"]),
        ("3k4/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", ["en passant on e6", "e7, where the pawn came along, is occupied"]),
        ("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", ["en passant on e3", "e2, where the pawn came along, is occupied"]),
    ],
)
def test_errors(fen: str, parts: list[str]) -> None:
    with pytest.raises(ValueError, match=r"^FEN") as error:
        Board(fen)
    for part in parts:
        assert part in str(error.value)
    board = Board()
    board.push_san("e4")
    before = board.copy()
    with pytest.raises(ValueError, match=r"^FEN"):
        board.set_fen(fen)
    assert board == before  # nothing is half set up
    assert board.move_stack == before.move_stack
    assert board.key == before.key


@pytest.mark.parametrize("fen", [5, b"8/8/8/8/8/8/8/8 w - - 0 1", ["w"], 1.5])
def test_what_is_not_text(fen: object) -> None:
    with pytest.raises(TypeError, match=r"^FEN: .*: expected text$"):
        Board(fen)  # type: ignore[arg-type]


def test_status_has_every_fault() -> None:
    board = Board.empty()
    for square, piece in ((0, "P"), (60, "k"), (61, "k"), (4, "K"), (52, "R")):
        board.set_piece_at(square, piece)
    assert not board.is_valid()
    assert [fault.reason for fault in board.status()] == [
        "white pawn on a1: pawns never stand on a back rank",
        "black has 2 kings, expected one",
    ]
    assert Board().status() == []


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("4k3/8/8/8/8/8/8/RRR1K3 w - - 0 1", None),
        ("4k3/8/8/8/8/PPPPPPPP/8/RRR1K3 w - - 0 1", "white has 1 promoted pieces but lacks only 0 pawns"),
        ("4k3/8/8/8/8/PPPPPPP1/8/QQQ1K3 w - - 0 1", "white has 2 promoted pieces but lacks only 1 pawns"),
        ("4k3/8/8/8/8/PPPPPPPP/8/B1B1K3 w - - 0 1", "white has 1 promoted pieces"),
        ("4k3/8/8/8/8/PPPPPPPP/8/BB2K3 w - - 0 1", None),
        ("k3r3/8/8/7b/8/3n4/8/4K3 w - - 0 1", None),  # knight and rook: a discovered check
        ("k3r3/8/8/8/1b5b/8/8/4K3 w - - 0 1", "no move gives check with three pieces"),
        ("k3r3/8/8/4K3/8/8/8/4r3 w - - 0 1", "two pieces on one line"),
        ("k3b3/8/8/3pP3/K7/8/8/8 w - d6 0 1", None),  # the jump opened it
        ("k4b2/8/8/3pP3/1K6/8/8/8 w - d6 0 1", "the pawn's jump to d5 cannot have opened it"),
    ],
)
def test_faults_that_are_strict(fen: str, reason: str | None) -> None:
    board = Board(fen)  # accepted, since it can be played on
    if reason is None:
        assert board.is_valid()
        assert Board(fen, strict=True) == board
        return
    assert [fault.strict for fault in board.status()] == [True]
    with pytest.raises(ValueError, match=re.escape(fen)) as error:
        Board(fen, strict=True)
    assert reason in str(error.value)
    with pytest.raises(ValueError, match=re.escape(reason)):
        Board().set_fen(fen, strict=True)
    mirrored = board.mirror().fen(en_passant="fen")
    Board(mirrored)
    with pytest.raises(ValueError, match="FEN"):
        Board(mirrored, strict=True)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_refused_is_what_status_says(seed: int) -> None:
    # Whatever stands on the board: the constructor raises exactly for the faults that are not strict.
    rng = random.Random(seed)
    signs = "KkKkPPPPppppNnBbRrQq"
    accepted = 0
    for _ in range(150):
        board = chess.Board.empty()
        number = rng.choice((2, 2, 3, 6, 20, 40))
        squares = rng.sample(range(64), number)
        for i, square in enumerate(squares):
            sign = "Kk"[i] if i < 2 and rng.random() < 0.95 else rng.choice(signs[4:] if rng.random() < 0.9 else signs)
            board.set_piece_at(square, chess.Piece.from_symbol(sign))
        board.turn = rng.random() < 0.5
        if rng.random() < 0.5:
            jumped = [
                s + (8 if board.turn else -8)
                for s in board.pieces(chess.PAWN, not board.turn)
                if s >> 3 == (4 if board.turn else 3)
            ]
            board.ep_square = rng.choice(jumped) if jumped else None
        fen = board.fen(en_passant="fen")
        status = board.status()
        faulty = bool(
            status
            & (
                chess.STATUS_NO_WHITE_KING
                | chess.STATUS_NO_BLACK_KING
                | chess.STATUS_TOO_MANY_KINGS
                | chess.STATUS_TOO_MANY_WHITE_PAWNS
                | chess.STATUS_TOO_MANY_BLACK_PAWNS
                | chess.STATUS_PAWNS_ON_BACKRANK
                | chess.STATUS_TOO_MANY_WHITE_PIECES
                | chess.STATUS_TOO_MANY_BLACK_PIECES
                | chess.STATUS_OPPOSITE_CHECK
                | chess.STATUS_INVALID_EP_SQUARE
            )
        )
        if faulty:
            with pytest.raises(ValueError, match="FEN"):
                Board(fen)
        else:
            ours = Board(fen)
            assert all(fault.strict for fault in ours.status())
            assert ours.fen(en_passant="fen") == fen
            accepted += 1
    assert accepted > 10


@pytest.mark.parametrize(
    ("fen", "chess960", "written", "shredder"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", False, "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", True, "KQkq", "HAha"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", True, "KQkq", "GBgb"),
        ("1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 0 1", True, "KQkq", "GBgb"),
        ("4k3/8/8/8/8/8/8/R1R1K2R w CH - 0 1", True, "KC", "HC"),
        ("4k3/8/8/8/8/8/8/R1R1K2R w KQ - 0 1", False, "KQ", "HA"),
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", True, "G", "G"),
        ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", False, "K", "H"),
        ("r2k3r/8/8/8/8/8/8/R3K2R b KQ - 0 1", False, "KQ", "HA"),
        ("r2k3r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", True, "KQkq", "HAha"),
        ("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", False, "-", "-"),
    ],
)
def test_chess960_is_recognised(fen: str, chess960: bool, written: str, shredder: str) -> None:
    board = Board(fen)
    assert board.chess960 is chess960
    assert board.fen().split()[2] == written
    assert board.fen(shredder=True).split()[2] == shredder
    theirs = chess.Board(fen, chess960=True)
    assert board.castling_rights == theirs.clean_castling_rights()
    assert (written, shredder) == (theirs.fen().split()[2], theirs.fen(shredder=True).split()[2])
    assert Board(fen, chess960=True).chess960
    assert Board(fen, chess960=True).castling_rights == board.castling_rights
    if chess960:
        with pytest.raises(ValueError, match=r"FEN field 3 \(castling\): .* is Chess960, but chess960=False"):
            Board(fen, chess960=False)
    else:
        assert not Board(fen, chess960=False).chess960


def test_all_chess960_starts() -> None:
    for number in range(960):
        theirs = chess.Board.from_chess960_pos(number)
        for shredder in (False, True):
            fen = theirs.fen(shredder=shredder)
            board = Board(fen)
            assert board.fen(shredder=shredder) == fen
            assert board.castling_rights == theirs.castling_rights
            # Two starts have king and rooks where classical chess has them, one of them the classical itself.
            assert board.chess960 is (shredder or not re.match("r...k..r", fen))


def test_an_unknown_way_to_write_en_passant() -> None:
    for fen in (START, "7k/8/8/3pP3/8/8/8/K7 w - d6 0 1"):
        with pytest.raises(ValueError, match="en_passant: 'always': expected 'legal', 'fen' or 'xfen'"):
            Board(fen).fen(en_passant="always")  # type: ignore[arg-type]


# EPD


def test_operations_are_kept_and_written_back() -> None:
    epd = 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "mate in 1"; ce 32000; c0 "a;b";'
    board, operations = Board.from_epd(epd)
    assert operations == {"bm": [board.parse_san("Qxf7#")], "id": "mate in 1", "ce": 32000, "c0": "a;b"}
    assert isinstance(operations["bm"][0], Move)
    assert board.epd(**operations) == epd
    theirs, their_operations = chess.Board.from_epd(epd)
    assert {**operations, "bm": [chess.Move.from_uci(m.uci()) for m in operations["bm"]]} == their_operations
    assert theirs.epd(**their_operations) == epd  # type: ignore[arg-type]


def test_lines_and_several_moves() -> None:
    epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - pv e4 e5 Nf3; bm d4 e4; am f3 g4; hmvc 3; fmvn 7;"
    board, operations = Board.from_epd(epd)
    assert [move.uci() for move in operations["pv"]] == ["e2e4", "e7e5", "g1f3"]
    assert [move.uci() for move in operations["bm"]] == ["d2d4", "e2e4"]
    assert [move.uci() for move in operations["am"]] == ["f2f3", "g2g4"]
    assert (board.halfmove_clock, board.fullmove_number) == (3, 7)
    assert board.move_stack == []
    assert board.epd(**operations) == epd
    assert Board.from_epd(board.epd(**operations))[1] == operations


def test_an_epd_without_operations() -> None:
    board, operations = Board.from_epd(f"{KINGS} w - -")
    assert operations == {}
    assert board.epd() == f"{KINGS} w - -"
    assert Board.from_epd(f"{KINGS} w - - resign; noop;")[1] == {"resign": None, "noop": None}
    assert board.epd(resign=None) == f"{KINGS} w - - resign;"


@given(
    st.dictionaries(
        st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,9}", fullmatch=True).filter(
            lambda name: name not in ("bm", "am", "pv", "sm", "hmvc", "fmvn")
        ),
        st.none()
        | st.integers(-(10**9), 10**9)
        | st.text(max_size=20)
        | st.lists(st.integers(0, 99) | st.text(max_size=5), min_size=2, max_size=4),
        max_size=5,
    )
)
@settings(deadline=None)
def test_any_operations_round_trip(operations: dict[str, object]) -> None:
    if {"shredder", "en_passant", "self"} & operations.keys():
        return
    epd = Board().epd(**operations)  # type: ignore[arg-type]
    board, again = Board.from_epd(epd)
    assert board == Board()
    assert again == operations
    assert board.epd(**again) == epd


@pytest.mark.parametrize(
    ("epd", "message"),
    [
        ("", r"^EPD: '' has 0 fields"),
        (f"{KINGS} w -", r"^EPD: .* has 3 fields, expected four and operations"),
        (f'{KINGS} w - - id "open;', r"^EPD operation: .*the quote is not closed"),
        (f"{KINGS} w - - id 1; id 2;", r"^EPD operation: 'id' is given twice"),
        (f"{KINGS} w - - 5 x;", r"^EPD operation: '5': expected a letter, then letters"),
        (f"{KINGS} w - - bm e4;", r"^SAN move: 'e4' is not legal"),
        (f"{KINGS} w - - bm xx;", r"^SAN move: 'xx'"),
        (f"{KINGS} w - - bm 5;", r"^SAN move: '5'"),
        (f"{KINGS} w - - pv Kd1 Kd1;", r"^SAN move: 'Kd1' is not legal"),
        (f"{KINGS} w - - hmvc x;", r"^EPD: .*hmvc"),
        (f"{KINGS} w - - hmvc -1;", r"^EPD: .*hmvc"),
        (f"{KINGS} w - e9 id 1;", r"^FEN field 4 \(en passant\): 'e9'"),
        (f"{KINGS} w - - 0 1", r"^EPD operation: '0'"),
    ],
)
def test_epd_errors(epd: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Board.from_epd(epd)


@pytest.mark.parametrize("opcode", ["a b", "5", "", "x;", 'q"'])
def test_an_opcode_that_could_not_be_read_is_not_written(opcode: str) -> None:
    with pytest.raises(ValueError, match="EPD operation"):
        Board().epd(**{opcode: 1})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("operations", "number"),
    few(
        [
            ("c0 " + "1 " * 1_500_000 + ";", 1),
            ("c0 " + '"a\\\\b" ' * 300_000 + ";", 1),
            ("".join(f"c{i};" for i in range(300_000)), 300_000),
            ("bm " + "e4 " * 20_000 + ";", 1),
        ],
        2,
    ),
    ids=["operands", "quoted", "operations", "moves"],
)
def test_a_long_epd_takes_no_longer_than_it_is(operations: str, number: int) -> None:
    """Nothing is quadratic: that would take minutes."""
    board, found = Board.from_epd(f"{START[:-4]} {operations}")
    assert board == Board()
    assert len(found) == number


@pytest.mark.parametrize(
    "rest", ["9" * 10**6, "x" * 10**6 + "!", '"' + "\\" * 10**6, "(" * 10**6, 'id "' + "(" * 10**6]
)
def test_errors_about_a_long_epd_are_short(rest: str) -> None:
    for epd in (f"{START[:-4]} {rest}", rest):
        with pytest.raises(ValueError, match="EPD") as error:
            Board.from_epd(epd)
        assert len(str(error.value)) < 300


def test_validity_is_a_bool() -> None:
    assert Board().is_valid() is True
    assert Board.empty().is_valid() is False


EMPTY_OPERATIONS = [
    "bm e4",
    "bm e4;;",
    'bm e4; ;id "x";',
    "; bm e4;",
    "-;",
    "- ; bm e4;",
    " -  ",
    "resign",
    'id "x"',
    "ce 35",
    "ce +35;",
    "bm e4 d4",
    'bm e4; id "x"; -',
    "hmvc 7 ;fmvn 3",
    "fmvn 0;",
    "sm Nf3;",
    "pm e4; am a3; c3 Nc3",
    'c0 "Nf3"; id "e4"; pm d4',
    "pv e4 e5 Nf3; sm Nh3;",
    "bm;",
    'c0 ";;"; c1 "-"',
    'c0 "a\\"b";\tbm  e4\t;;',
]


@pytest.mark.parametrize("operations", EMPTY_OPERATIONS)
def test_operations_are_read_as_python_chess_reads_them(operations: str) -> None:
    epd = f"{START[:-4]} {operations}"
    board, found = Board.from_epd(epd)
    theirs = chess.Board()
    expected = theirs.set_epd(epd)

    def plain(value: object) -> object:
        if isinstance(value, list):
            return [plain(one) for one in value]
        return str(value), isinstance(value, (Move, chess.Move)), type(value) is str

    assert {name: plain(value) for name, value in found.items()} == {n: plain(v) for n, v in expected.items()}
    assert board.fen() == theirs.fen()
    assert Positions.from_fens([epd])[0] == board


@pytest.mark.parametrize(
    ("operations", "error"),
    [
        ("pm e5;", "'e5' is not legal"),
        ("sm Nf9;", "expected a move"),
        ('sm "Nf6"', "'Nf6' is not legal"),
        ("c0 Ke2;", "'Ke2' is not legal"),
    ],
)
def test_operands_that_look_like_moves_are_legal(operations: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        Board.from_epd(f"{START[:-4]} {operations}")


def test_operands_without_quotes_that_are_no_moves_are_texts() -> None:
    _, found = Board.from_epd(f"{START[:-4]} c0 hello; c1 two words; eco B12; c2 e4 e5;")
    assert found == {"c0": "hello", "c1": ["two", "words"], "eco": "B12", "c2": ["e4", "e5"]}
    assert {type(one) for value in found.values() for one in (value if isinstance(value, list) else [value])} == {str}


@pytest.mark.parametrize("operations", [";", ";;", " ; "])
def test_semicolons_alone_are_no_operation(operations: str) -> None:
    epd = f"{START[:-4]} {operations}"
    board, found = Board.from_epd(epd)
    assert (board, found) == (Board(), {})
    assert Positions.from_fens([epd])[0] == board


MOVES = [Move.from_uci(uci) for uci in ("g1f3", "e2e4", "a2a3")]


@pytest.mark.parametrize(
    ("operations", "written"),
    [
        ({"bm": MOVES}, "bm Nf3 a3 e4;"),
        ({"bm": tuple(MOVES)}, "bm Nf3 a3 e4;"),
        ({"bm": set(MOVES)}, "bm Nf3 a3 e4;"),
        ({"am": frozenset(MOVES)}, "am Nf3 a3 e4;"),
        ({"bm": MOVES[0]}, "bm Nf3;"),
        ({"sm": MOVES[1]}, "sm e4;"),
        ({"pv": [MOVES[1], Move.from_uci("e7e5")]}, "pv e4 e5;"),
        ({"bm": []}, "bm;"),
        ({"bm": None, "resign": None}, "bm; resign;"),
        ({"ce": 35, "acs": 1.5, "id": "x"}, 'ce 35; acs 1.5; id "x";'),
    ],
)
def test_operands_are_written_as_python_chess_writes_them(operations: dict[str, Any], written: str) -> None:
    def theirs(value: Any) -> Any:
        if isinstance(value, Move):
            return chess.Move.from_uci(value.uci())
        return [theirs(one) for one in value] if isinstance(value, (list, tuple, set, frozenset)) else value

    assert Board().epd(**operations) == f"{START[:-4]} {written}"
    assert chess.Board().epd(**{name: theirs(value) for name, value in operations.items()})[len(START) - 3 :] == written


def test_more_operands() -> None:
    start = START[:-4]
    assert Board().epd(bm=(move for move in MOVES)) == f"{start} bm Nf3 a3 e4;"
    assert Board().epd(bm=map(int, MOVES)) == f"{start} bm Nf3 a3 e4;"
    assert Board().epd(c0=[1, "a", MOVES[0]], bm="e4") == f'{start} c0 1 "a" Nf3; bm e4;'
    for wrong in (float("inf"), float("nan"), True, b"x", {"a": 1}, object(), [None]):
        with pytest.raises(TypeError, match=r"^EPD operation c0: .*: expected a move, a text, a finite number"):
            Board().epd(c0=wrong)
    with pytest.raises(ValueError, match="not legal"):
        Board().epd(bm={Move.from_uci("e2e5")})


@pytest.mark.parametrize("name", ["halfmove_clock", "fullmove_number"])
def test_counters_are_checked(name: str) -> None:
    board = Board()
    least = 0 if name == "halfmove_clock" else 1
    for value in (least, 7, 999_999_999, np.int64(3)):
        setattr(board, name, value)
        assert getattr(board, name) == value
        assert type(getattr(board, name)) is int
        assert Board(board.fen()) == board
    for value in (least - 1, -5, 1_000_000_000, 1 << 70):
        with pytest.raises(ValueError, match=rf"^{name}: {value}: expected {least} to 999,999,999$"):
            setattr(board, name, value)
        with pytest.raises(ValueError, match=rf"^{name}: "):
            Board.from_words(Board().words(), **{name: value})  # type: ignore[arg-type]
    for wrong in ("x", None, 1.0, True, [1]):
        with pytest.raises(TypeError, match=rf"^{name}: .*: expected an int from {least} to 999,999,999$"):
            setattr(board, name, wrong)
    assert getattr(board, name) == 3
