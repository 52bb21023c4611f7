"""The whole text of reasons: which faults a FEN and a position have, in which order, and why a move is refused."""

from collections.abc import Sequence

import chess
import pytest

from rookery.board.board import Board
from rookery.board.moves import AmbiguousMoveError, IllegalMoveError, InvalidMoveError
from rookery.board.reasons import Fault, board_without_impossible_rights, every_fault

KINGS = "4k3/8/8/8/8/8/8/4K3"
COUNT = "expected 6: pieces, side to move, castling, en passant, and two counters (which may be left out)"
SIDE = "FEN field 2 (side to move): 'x': expected 'w' or 'b'"
NO_ROOK = "has no rook on the back rank to castle with"
NINE = "expected a number of at most 9 digits"


@pytest.mark.parametrize(
    ("fen", "faults"),
    [
        ("", [f"FEN: '' has 0 fields, {COUNT}"]),
        (f"{KINGS} w -", [f"FEN: '{KINGS} w -' has 3 fields, {COUNT}"]),
        (f"{KINGS} w - - 0 1 2", [f"FEN: '{KINGS} w - - 0 1 2' has 7 fields, {COUNT}"]),
        (f"{KINGS} w - -", []),
        (f"{KINGS} w - - 3", []),
        (
            f"{KINGS} w KQkq - 0 1",
            [f"FEN field 3 (castling): 'KQkq': '{sign}' {NO_ROOK}" for sign in "KQkq"],
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w QKxk z9 a b",
            [
                f"FEN field 3 (castling): 'QKxk': 'K' {NO_ROOK}",
                "FEN field 3 (castling): 'QKxk': unexpected 'x'",
                f"FEN field 3 (castling): 'QKxk': 'k' {NO_ROOK}",
                "FEN field 4 (en passant): 'z9': expected '-' or a square",
                f"FEN field 5 (halfmove clock): 'a': {NINE}",
                f"FEN field 6 (fullmove number): 'b': {NINE}",
            ],
        ),
        (
            "9/8/8/8/8/8/8/8 w Qy - 0 1",  # whether a rook is missing cannot be said
            [
                "FEN field 1 (pieces), rank 8: '9': unexpected '9', expected one of PNBRQKpnbrqk or 1 to 8",
                "FEN field 3 (castling): 'Qy': unexpected 'y'",
            ],
        ),
        (
            "4k3/8/8/9/8/8/8/4K3 x Q e4 -1 1",
            [
                "FEN field 1 (pieces), rank 5: '9': unexpected '9', expected one of PNBRQKpnbrqk or 1 to 8",
                SIDE,
                "FEN field 4 (en passant): 'e4': expected a square on rank 3 or 6",
                f"FEN field 5 (halfmove clock): '-1': {NINE}",
            ],
        ),
        ("4k3/8/8/8/4P3/8/8/4K3 x - e3 0 1", [SIDE]),
        ("4k3/8/8/4p3/8/8/8/4K3 x - e6 0 1", [SIDE]),
        (f"{KINGS} w - e3 0 1", ["FEN field 4 (en passant): 'e3': expected a square on rank 6 when white is to move"]),
        (f"{KINGS} b - e6 0 1", ["FEN field 4 (en passant): 'e6': expected a square on rank 3 when black is to move"]),
        (f"{KINGS} b - e3 0 1", ["en passant on e3: no white pawn on e4 has jumped over it"]),
        ("4k3/8/8/8/8/8/4q3/4K2P x - - 0 1", [SIDE, "white pawn on h1: pawns never stand on a back rank"]),
        ("4k3/8/8/8/8/8/4q3/4K3 x - - 0 1", [SIDE]),
        ("8/8/8/8/8/8/8/8 x - - 0 1", [SIDE, "white has no king, expected one", "black has no king, expected one"]),
        (
            f"{KINGS} w - - 1234567890 -",
            [
                f"FEN field 5 (halfmove clock): '1234567890': {NINE}",
                f"FEN field 6 (fullmove number): '-': {NINE}",
            ],
        ),
        (
            "4k3/8/8/8/8/8/8/RR2K3 w BA - 0 1",
            ["FEN field 3 (castling): 'BA': 'A' is a second rook on the same side of the king"],
        ),
        ("4k3/8/8/8/8/8/4K3/R7 w Q - 0 1", ["FEN field 3 (castling): 'Q': 'Q' needs one king, on its back rank"]),
        ("4k3/8/8/8/8/8/8/R3K3 w QQ - 0 1", ["FEN field 3 (castling): 'QQ': 'Q' says again that a rook may castle"]),
        (
            "3qk3/8/8/8/8/8/PPPPPPPP/QQ1QK3 w - - 0 1",
            ["white has 2 promoted pieces but lacks only 0 pawns (no game can reach this)"],
        ),
        (
            "3qk3/pppppp2/7p/8/8/8/8/q2qK3 b - - 0 1",
            [
                "black has 2 promoted pieces but lacks only 1 pawns (no game can reach this)",
                "black is to move, but white's king is in check from d1",
            ],
        ),
    ],
)
def test_all_faults_of_a_fen(fen: str, faults: list[str]) -> None:
    assert every_fault(fen) == faults
    reachable = [fault for fault in faults if "no game can reach" not in fault]
    assert every_fault(fen, unreachable=False) == reachable


def test_no_more_than_fifty_faults_are_reported() -> None:
    letters = [chr(sign) for sign in range(0x100, 0x100 + 60)]
    faults = every_fault(f"{KINGS} w {''.join(letters)} - x 1")
    assert len(faults) == 50
    assert [fault[-3:] for fault in faults] == [repr(sign) for sign in letters[:50]]
    assert len(every_fault(f"{KINGS} w {''.join(letters[:49])} - x 1")) == 50
    assert every_fault(f"{KINGS} w {''.join(letters[:49])} - x 1")[-1].startswith("FEN field 5")
    assert len(every_fault(f"{KINGS} w {''.join(letters[:48])} - x 1")) == 49


@pytest.mark.parametrize(
    ("fen", "faults"),
    [
        ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1", [("white has 2 kings, expected one", False)]),
        ("4kk2/8/8/8/8/8/8/4K3 b - - 0 1", [("black has 2 kings, expected one", False)]),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", [("black has no king, expected one", False)]),
        (
            "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
            [("black has 9 pawns, at most 8", False)],
        ),
        (
            "4k3/pppppppp/8/8/8/nn6/nnnnnn2/4K2n w - - 0 1",
            [
                ("black has 18 pieces, at most 16", False),
                ("black has 7 promoted pieces but lacks only 0 pawns", True),
            ],
        ),
        (
            "4k3/ppppppp1/8/8/8/8/8/bb1bbbK1 w - - 0 1",
            [("black has 3 promoted pieces but lacks only 1 pawns", True)],
        ),
        ("p3k3/8/8/8/8/8/8/4K3 w - - 0 1", [("black pawn on a8: pawns never stand on a back rank", False)]),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", [("white pawn on h8: pawns never stand on a back rank", False)]),
        (
            "4k3/4r3/8/8/8/8/8/3RK3 b - e3 0 1",
            [
                ("black is to move, but white's king is in check from e7", False),
                ("en passant on e3: no white pawn on e4 has jumped over it", False),
            ],
        ),
        (
            "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1",
            [("en passant on e3: e2, where the pawn came along, is occupied", False)],
        ),
        (
            "4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1",
            [("en passant on e6: e7, where the pawn came along, is occupied", False)],
        ),
        (
            "4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1",
            [("en passant on e6: e6, where the pawn came along, is occupied", False)],
        ),
        (
            "k4b2/8/8/3pP3/1K6/8/8/8 w - d6 0 1",
            [("check from f8: the pawn's jump to d5 cannot have opened it", True)],
        ),
        (
            "8/8/8/1k6/3Pp3/8/8/K4B2 b - d3 0 1",
            [("check from f1: the pawn's jump to d4 cannot have opened it", True)],
        ),
        (
            "8/8/8/K3p2r/8/8/8/4k3 w - e6 0 1",
            [("en passant on e6: before the pawn's jump to e5 white was in check, and black to move", True)],
        ),
        ("8/8/N7/2k5/N7/8/8/3K4 b - - 0 1", [("check from a4 and a6: no single move can have given both", True)]),
        (
            "k3r3/8/8/4K3/8/8/8/4r3 w - - 0 1",
            [("check from e1 and e8: two pieces on one line cannot both have come to give it", True)],
        ),
        (
            "k3r3/8/8/8/1b5b/8/8/4K3 w - - 0 1",
            [("check from b4 and h4 and e8: no move gives check with three pieces", True)],
        ),
        ("4k3/8/8/8/8/4K3/3p4/8 w - - 0 1", []),
    ],
)
def test_all_faults_of_a_position(fen: str, faults: Sequence[tuple[str, bool]]) -> None:
    found = Board.unchecked(fen).status()
    assert [(fault.reason, fault.strict) for fault in found] == faults
    assert [str(fault) for fault in found] == [reason for reason, _ in faults]
    assert not Fault("a reason").strict


WORDS = Board.unchecked("4k3/8/8/8/8/8/8/RR2K2R w - - 0 1").words()[:10].tolist()


@pytest.mark.parametrize(
    ("index", "bits", "reasons"),
    [
        (
            (1, 2),
            1 << 27,
            ["d4: several pieces on one square", "d4: expected every piece, and nothing else, to have one colour"],
        ),
        ((1,), 1 << 4, ["e1: several pieces on one square"]),
        ((4,), 1 << 0, ["a1: several pieces on one square", "white has 2 kings, expected one"]),
        ((1, 5, 6), 1 << 27, ["d4: expected every piece, and nothing else, to have one colour"]),
        ((6,), 1 << 27 | 1 << 28, ["d4 and e4: expected every piece, and nothing else, to have one colour"]),
        ((7,), 1 << 3, ["castling with d1: no white rook stands there"]),
        ((7,), 1 << 0 | 1 << 1, ["castling with b1: a second rook on the same side of the king"]),
        (
            (7,),
            1 << 56 | 1 << 24,
            ["castling with a8: no black rook stands there", "castling with a4: not on a back rank"],
        ),
        ((7,), 1 << 0 | 1 << 7, []),
        ((8,), 1 << 35, ["en passant on d5: expected rank 6"]),
        ((8,), 1 << 43, ["en passant on d6: no black pawn on d5 has jumped over it"]),
    ],
)
def test_all_faults_of_words(index: tuple[int, ...], bits: int, reasons: list[str]) -> None:
    words = WORDS.copy()
    for i in index:
        words[i] ^= bits
    assert [fault.reason for fault in Board.from_words(words).status()] == reasons


def test_rights_of_a_king_off_its_back_rank() -> None:
    board = Board.unchecked("4k3/8/8/8/8/8/4K3/R6R w - - 0 1")
    words = board.words()[:10].tolist()
    words[7] = 1 << 0 | 1 << 7
    off = "white's king is off its back rank"
    assert [fault.reason for fault in Board.from_words(words).status()] == [
        f"castling with a1: {off}",
        f"castling with h1: {off}",
    ]


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w KQkq e6 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
        ("r3k2r/8/8/3pP3/8/8/8/4K3 w KQkq d6 3 9", "r3k2r/8/8/3pP3/8/8/8/4K3 w kq d6 3 9"),
        ("4k3/8/8/8/8/8/8/4K2R b K - 5 9", "4k3/8/8/8/8/8/8/4K2R b K - 5 9"),
        ("k3r3/8/8/8/1b5b/8/8/4K3 w K - 0 1", "k3r3/8/8/8/1b5b/8/8/4K3 w - - 0 1"),  # strict faults do not matter
    ],
)
def test_rights_that_the_pieces_rule_out_are_dropped(fen: str, expected: str) -> None:
    assert board_without_impossible_rights(fen).fen(en_passant="fen") == expected


def test_other_faults_are_still_refused() -> None:
    fen = "4k3/8/8/8/8/8/8/P6P w KQ - 0 1"
    with pytest.raises(ValueError, match=r"^FEN: .*: ") as error:
        board_without_impossible_rights(fen)
    pawns = [f"white pawn on {name}1: pawns never stand on a back rank" for name in "ah"]
    assert str(error.value) == f"FEN: {fen!r}: {'; '.join(['white has no king, expected one', *pawns])}"
    assert board_without_impossible_rights("4k3/8/8/8/8/8/8/4K2R w K - 0 1", True).chess960
    assert not board_without_impossible_rights("4k3/8/8/8/8/8/8/4K2R w K - 0 1").chess960


@pytest.mark.parametrize(
    ("fen", "text", "error", "reason"),
    [
        (chess.STARTING_FEN, "Nd2", IllegalMoveError, ""),
        (chess.STARTING_FEN, "O-O", IllegalMoveError, ""),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", IllegalMoveError, ": a pawn becomes a piece there, like 'a8=Q'"),
        (
            "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "axb8+",
            IllegalMoveError,
            ": a pawn becomes a piece there, like 'axb8=Q'",
        ),
        (
            "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "axb8#",
            IllegalMoveError,
            ": a pawn becomes a piece there, like 'axb8=Q'",
        ),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "b8", IllegalMoveError, ""),
        ("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "a7=Q", IllegalMoveError, ""),
        ("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "Nd2", AmbiguousMoveError, ": b1d2 or f1d2"),
        ("4k3/8/8/8/8/8/K7/R6R w - - 0 1", "Re1+", AmbiguousMoveError, ": a1e1 or h1e1"),
        ("8/8/8/8/8/8/2K5/Q6Q b - - 0 1", "Qd4", IllegalMoveError, ""),
    ],
)
def test_why_a_move_is_refused(fen: str, text: str, error: type[ValueError], reason: str) -> None:
    board = Board.unchecked(fen)
    what = "is ambiguous" if error is AmbiguousMoveError else "is not legal"
    with pytest.raises(error) as refusal:
        board.parse_san(text)
    assert str(refusal.value) == f"SAN move: {text!r} {what} in {board.fen()!r}{reason}"


def test_a_text_that_is_no_move_is_shown() -> None:
    with pytest.raises(InvalidMoveError) as error:
        Board().parse_san("castles")
    assert str(error.value) == "SAN move: 'castles': expected a move like 'Nf3', 'exd5', 'e8=Q' or 'O-O'"
