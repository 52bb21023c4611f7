"""The kernels that read and write SAN, each called by itself, beside python-chess and plain definitions."""

import random
from typing import Any

import chess
import numpy as np
import pytest

from kernel_positions import (
    CASTLING,
    EN_PASSANT,
    PROMOTION,
    TABLES,
    move_word,
    position_of,
    random_boards,
    rare_boards,
    words_of,
    words_of_position,
)
from loaded_again import loaded_again
from rookery.rules.notation import san_reader, san_spelling, san_writer

BOARDS = rare_boards() + random_boards(4, 21) + random_boards(5, 22, chess960=True)
EVERYWHERE = (1 << 64) - 1
PIECES = "PNBRQK"
NO_MOVE, USUAL, CASTLES_RIGHT, CASTLES_LEFT, NULL, BY_SQUARES = range(6)


def as_bytes(text: str) -> Any:
    return np.frombuffer(("e4 " + text).encode() + bytes(64), np.uint8)


def spelled(text: str, lower: int = 0) -> tuple[int, ...]:
    found = san_spelling.parse_move_text(as_bytes(text), 3, 3 + len(text.encode()), lower)
    return tuple(map(int, found))


def usual(kind: str, target: str, mask: int = EVERYWHERE, becomes: str = "") -> tuple[int, ...]:
    number = "nbrq".index(becomes) + 1 if becomes else 0
    return USUAL, PIECES.index(kind), chess.parse_square(target), mask, number


def file_mask(letter: str) -> int:
    return chess.BB_FILES["abcdefgh".index(letter)]


def rank_mask(digit: str) -> int:
    return chess.BB_RANKS["12345678".index(digit)]


def read(board: chess.Board, text: str) -> int:
    return int(san_reader.read_san(as_bytes(text), 3, 3 + len(text.encode()), position_of(board), TABLES))


def write(board: chess.Board, move: int, full: int = 0, n: int = 2) -> str:
    out: Any = np.full(20, ord("?"), np.uint8)
    end = int(san_writer.write_san(out, n, position_of(board), move, full, TABLES))
    assert bytes(out[:n]) == b"?" * n
    assert bytes(out[n + 8 :]) == b"?" * (12 - n)
    return bytes(out[n:end]).decode()


# Texts without a position.


def test_targets_are_spelled() -> None:
    for square in chess.SQUARE_NAMES:
        assert spelled(square) == usual("P", square, file_mask(square[0]))
        assert spelled("N" + square) == usual("N", square)
        assert spelled("e4" + square) == (BY_SQUARES, 0, chess.parse_square(square), 1 << chess.E4, 0)
        source = 1 << chess.parse_square(square)
        assert spelled(square + "e4") == (BY_SQUARES, 0, chess.E4, source, 0)
        assert spelled("Q" + square + "xe4") == usual("Q", "e4", source)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e4", usual("P", "e4", file_mask("e"))),
        ("Pe4", usual("P", "e4", file_mask("e"))),
        ("exd5", usual("P", "d5", file_mask("e"))),
        ("ed5", usual("P", "d5", file_mask("e"))),
        ("e-d5", usual("P", "d5", file_mask("e"))),
        ("Pexd5", usual("P", "d5", file_mask("e"))),
        ("Pe4xd5", usual("P", "d5", 1 << chess.E4)),
        ("P4xd5", usual("P", "d5", rank_mask("4") & file_mask("d"))),
        ("4d5", usual("P", "d5", rank_mask("4") & file_mask("d"))),
        ("xd5", usual("P", "d5", file_mask("d"))),
        ("exd6e.p.", usual("P", "d6", file_mask("e"))),
        ("exd6e.p.+", None),
        ("exd6+e.p.", usual("P", "d6", file_mask("e"))),
        ("e.p.", None),
        ("Nf3", usual("N", "f3")),
        ("Nbf3", usual("N", "f3", file_mask("b"))),
        ("N1f3", usual("N", "f3", rank_mask("1"))),
        ("Ng1f3", usual("N", "f3", 1 << chess.G1)),
        ("Ng1-f3", usual("N", "f3", 1 << chess.G1)),
        ("Bxf3", usual("B", "f3")),
        ("Baxf3", usual("B", "f3", file_mask("a"))),
        ("R8xh3+", usual("R", "h3", rank_mask("8"))),
        ("Qh1xa8#", usual("Q", "a8", 1 << chess.H1)),
        ("Ke1", usual("K", "e1")),
        ("Ke1++", usual("K", "e1")),
        ("Ke1+#", usual("K", "e1")),
        ("e8=Q", usual("P", "e8", file_mask("e"), "q")),
        ("e8Q", usual("P", "e8", file_mask("e"), "q")),
        ("e8=n", usual("P", "e8", file_mask("e"), "n")),
        ("exd8=B+", usual("P", "d8", file_mask("e"), "b")),
        ("Pe8=R", usual("P", "e8", file_mask("e"), "r")),
        ("Ne8=R", usual("N", "e8", EVERYWHERE, "r")),
        ("e7e8q", (BY_SQUARES, 0, chess.E8, 1 << chess.E7, 4)),
        ("e7e8=N", (BY_SQUARES, 0, chess.E8, 1 << chess.E7, 1)),
        ("e7-e8B", (BY_SQUARES, 0, chess.E8, 1 << chess.E7, 2)),
        ("e7xd8r#", (BY_SQUARES, 0, chess.D8, 1 << chess.E7, 3)),
        ("a1a1", (BY_SQUARES, 0, chess.A1, 1 << chess.A1, 0)),
        ("O-O", (CASTLES_RIGHT, 0, 0, 0, 0)),
        ("0-0+", (CASTLES_RIGHT, 0, 0, 0, 0)),
        ("O-O-O#", (CASTLES_LEFT, 0, 0, 0, 0)),
        ("0-0-0", (CASTLES_LEFT, 0, 0, 0, 0)),
        ("--", (NULL, 0, 0, 0, 0)),
        ("Z0", (NULL, 0, 0, 0, 0)),
        ("0000", (NULL, 0, 0, 0, 0)),
        ("@@@@", (NULL, 0, 0, 0, 0)),
        ("--+", (NULL, 0, 0, 0, 0)),
    ],
)
def test_texts_that_are_moves(text: str, expected: tuple[int, ...] | None) -> None:
    assert spelled(text) == (expected or (NO_MOVE, 0, 0, 0, 0))
    if expected and not text.endswith("."):
        assert spelled(text + "e.p.") == expected


NO_MOVES = """
    e N + ## Q+ 4 =Q e=Q ee=Q Q e4= e4==Q e8=K e8=P e8=QQ e8Q= e9 i4 e0 `4 Ni3 N9f3 Nif3 Nf Xf3 nf3 NNf3 Nfgf3 N12f3
    Nf3f Nf3- O- -O O-O- O-O-0 O-0 0-O O+O OOO O-O-O-O 0-0-0-0 o-o o-o-o O-O-OO O-- -0 0- Z- -Z Z1 ZZ 0 00 000 00000
    @@@ @@@@@ 000@ 00@0 0@00 @000 1111 ---- ZZZZ e4.p. e4e.p e4e.q. e4ep.. e4, e4xx e--d5 e-xd5 Ng1--f3 Pe PP x xx e4xe
    1e4e5 e45d5 ex
"""


@pytest.mark.parametrize("text", [*NO_MOVES.split(), "", "e4 ", " e4", "e\0"])
def test_texts_that_are_no_moves(text: str) -> None:
    assert spelled(text) == (NO_MOVE, 0, 0, 0, 0)


def test_small_letters_castle_where_they_may() -> None:
    assert spelled("o-o", 1)[0] == spelled("O-O", 1)[0] == spelled("0-0", 1)[0] == CASTLES_RIGHT
    assert spelled("o-o-o", 1)[0] == CASTLES_LEFT
    for text in ("o-O", "O-o", "o-o-", "o-0-o", "p-p", "x-x", "o-o-O"):
        assert spelled(text, 1)[0] == NO_MOVE


def test_longer_words_are_no_moves() -> None:
    for n in (57, 58):
        assert spelled("e4" + "+" * n)[0] == USUAL
    assert spelled("e4" + "+" * 59)[0] == NO_MOVE
    assert spelled("e4" + "#" * 54 + "e.p.")[0] == USUAL
    assert spelled("e4" + "#" * 55 + "e.p.")[0] == NO_MOVE


def test_letters_of_pieces_and_promotions() -> None:
    for sign in map(chr, range(1, 128)):
        if sign in PIECES:
            assert spelled(sign + "e4")[1] == PIECES.index(sign)
        elif sign in "abcdefgh":
            assert spelled(sign + "e4") == usual("P", "e4", file_mask(sign))
        elif sign in "12345678":
            assert spelled(sign + "e4") == usual("P", "e4", rank_mask(sign) & file_mask("e"))
        elif sign in "-x":
            assert spelled(sign + "e4") == usual("P", "e4", file_mask("e"))
        else:
            assert spelled(sign + "e4")[0] == NO_MOVE
        becomes = "nbrq".find(sign.lower()) + 1
        if becomes:
            assert spelled("e8=" + sign)[4] == spelled("e8" + sign)[4] == becomes
        elif sign not in "+#":
            assert spelled("e8=" + sign)[0] == NO_MOVE


def test_null_texts() -> None:
    for text, length, expected in (
        ("--", 2, True),
        ("Z0", 2, True),
        ("0000", 4, True),
        ("@@@@", 4, True),
        ("00", 2, False),
        ("0000", 3, False),
        ("--00", 4, False),
        ("0001", 4, False),
        ("0010", 4, False),
        ("0100", 4, False),
        ("@@@0", 4, False),
        ("aaaa", 4, False),
        ("-0", 2, False),
        ("0-", 2, False),
        ("Z-", 2, False),
    ):
        assert bool(san_spelling.is_null(as_bytes(text), 3, length)) == expected


def test_files_and_ranks() -> None:
    for n in range(8):
        assert san_spelling.file_of(n) == chess.BB_FILES[n]
        assert san_spelling.rank_of(n) == chess.BB_RANKS[n]


def test_tables_of_letters_that_are_filled_again() -> None:
    again = loaded_again("rookery.rules.notation.san_spelling")
    assert again.KIND_OF_LETTER.tolist() == [PIECES.find(chr(n)) % 256 for n in range(256)]
    for sign, becomes in (("N", 1), ("b", 2), ("R", 3), ("q", 4), ("n", 1), ("B", 2), ("r", 3), ("Q", 4)):
        assert again.parse_move_text(as_bytes("e8" + sign), 3, 6, 0).becomes == becomes
    assert again.LONGEST == 60


# Texts of a position.


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_moves_are_read_as_python_chess_writes_them(board: chess.Board) -> None:
    p = position_of(board)

    def read(text: str) -> int:
        return int(san_reader.read_san(as_bytes(text), 3, 3 + len(text), p, TABLES))

    moves = {move_word(board, move): move for move in list(board.legal_moves)[:24]}
    for word, move in moves.items():
        san, lan = board.san(move), board.lan(move)
        assert read(san) == read(san.rstrip("+#") + "!?") == read(lan) == word
        if not board.is_castling(move):
            assert read(move.uci()) == word


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_moves_are_written_as_python_chess_writes_them(board: chess.Board) -> None:
    p = position_of(board)
    for move in list(board.legal_moves)[:24]:
        word = move_word(board, move)
        for full, text in ((0, board.san(move)), (1, board.lan(move))):
            out: Any = np.full(20, ord("?"), np.uint8)
            end, child = san_writer.write_and_make(out, 3, p, word, full, TABLES)
            assert bytes(out[: int(end)]).decode() == "???" + text
        after = board.copy()
        after.push(move)
        after.ep_square = after.ep_square if child.en_passant else None  # python-chess forgets some squares
        assert words_of_position(child) == words_of(after) or child.en_passant


@pytest.mark.parametrize("board", BOARDS[::3], ids=lambda board: board.fen())
def test_squares_of_illegal_moves_are_refused(board: chess.Board) -> None:
    rng, p = random.Random(1), position_of(board)
    legal = {board.uci(move, chess960=True) for move in board.legal_moves} | {m.uci() for m in board.legal_moves}
    legal |= {board.uci(move, chess960=False) for move in board.legal_moves}
    for _ in range(30):
        text = chess.Move(rng.randrange(64), rng.randrange(64)).uci()
        if text not in legal:
            assert int(san_reader.read_san(as_bytes(text), 3, 7, p, TABLES)) == san_reader.REFUSED
            word = chess.parse_square(text[:2]) + 64 * chess.parse_square(text[2:])
            out: Any = np.zeros(16, np.uint8)
            assert word == 0 or san_writer.write_any(out, p, word, 0, TABLES) == 0
            for kind in (EN_PASSANT, PROMOTION, CASTLING):
                assert san_writer.write_san(out, 0, p, word | kind, 0, TABLES) == 0


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        ("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "Nd2", None),
        ("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "Nbd2", "b1d2"),
        ("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "b1d2", "b1d2"),
        ("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "Ng1d2", None),
        ("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "N1d2", None),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", None),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", None),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=B", "a7a8b"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a7a8n"),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a3=Q", None),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a3q", None),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a3", "a2a3"),
        ("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a1=R+", "a2a1r"),
        ("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a1", None),
        ("4k3/7R/8/8/8/8/8/4K3 w - - 0 1", "Rh8", "h7h8"),  # not only pawns reach the last rank
        ("4k3/7R/8/8/8/8/8/4K3 w - - 0 1", "Rh8=Q", None),
        ("4k3/7R/8/8/8/8/8/4K3 w - - 0 1", "h7h8q", None),
        ("4k3/7R/8/8/8/8/8/4K3 w - - 0 1", "h7h8", "h7h8"),
        ("4k3/7Q/8/8/8/8/8/4K3 w - - 0 1", "h7e7", "h7e7"),
        ("4k3/7Q/8/8/8/8/8/4K3 w - - 0 1", "h7e4", "h7e4"),
        ("4k3/7B/8/8/8/8/8/4K3 w - - 0 1", "h7e4", "h7e4"),
        ("4k3/7B/8/8/8/8/8/4K3 w - - 0 1", "h7e7", None),
        ("4k3/7N/8/8/8/8/8/4K3 w - - 0 1", "h7f6", "h7f6"),
        ("4k3/7N/8/8/8/8/8/4K3 w - - 0 1", "h7e7", None),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O", "e1c1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "e1c1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", "e1c1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Kg1", None),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1q", None),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1b1", None),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", None),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", None),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", None),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "O-O-O", "e8c8"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "O-O", "e8g8"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d6", None),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "exd6", None),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", None),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "Pexd5!", "e4d5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5e.p.", None),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5.", None),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5.!", None),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5!?!", "e4d5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "!", None),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "", None),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d4d5", None),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e8d8", None),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "c8c9", None),
    ],
)
def test_texts_of_positions(fen: str, text: str, uci: str | None) -> None:
    board = chess.Board(fen)
    expected = san_reader.REFUSED if uci is None else move_word(board, chess.Move.from_uci(uci))
    assert read(board, text) == expected


def test_the_null_move_is_read_also_in_check_and_written_only_without() -> None:
    for fen, text in (("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--"), ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "")):
        board = chess.Board(fen)
        assert read(board, "--") == read(board, "Z0!") == 0
        assert write(board, 0) == text
        p = position_of(board)
        out: Any = np.full(9, ord("?"), np.uint8)
        end, child = san_writer.write_and_make(out, 4, p, 0, 0, TABLES)
        assert bytes(out[4 : int(end)]).decode() == text
        board.push(chess.Move.null()) if text else None
        assert words_of_position(child) == words_of(board)


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        ("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "b1d2", "Nbd2"),
        ("4k3/8/8/8/1N6/8/1N6/3K4 w - - 0 1", "b2d3", "N2d3"),
        ("4k3/8/8/8/1N3N2/8/1N6/3K4 w - - 0 1", "b4d3", "Nb4d3"),
        ("4k3/8/8/8/1N3N2/8/1N6/3K4 w - - 0 1", "f4d3", "Nfd3"),
        ("4k3/8/8/8/1b6/8/3N4/1N2K3 w - - 0 1", "b1c3", "Nc3"),
        ("4k3/8/8/8/8/8/8/R3QRK1 w - - 0 1", "a1c1", "Rc1+"),  # a queen is no rival of a rook
        ("4k3/8/8/8/8/8/8/R3Q1K1 w - - 0 1", "e1c1", "Qc1"),
        ("6k1/8/8/8/8/2Q5/8/B3K3 w - - 0 1", "a1b2", "Bb2"),  # nor of a bishop
        ("6k1/8/8/8/8/2Q5/8/B3K3 w - - 0 1", "c3b2", "Qb2"),
        ("6k1/8/8/3P4/8/2N5/3K4/8 w - - 0 1", "c3d1", "Nd1"),  # nor a king of a knight
        ("8/8/8/8/8/1K3N2/8/6k1 w - - 0 1", "b3c2", "Kc2+"),
    ],
)
def test_texts_that_tell_pieces_apart(fen: str, uci: str, san: str) -> None:
    board = chess.Board(fen)
    assert board.san(chess.Move.from_uci(uci)) == san
    assert write(board, move_word(board, chess.Move.from_uci(uci))) == san


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_kinds_that_are_left_out_are_found(board: chess.Board) -> None:
    p = position_of(board)
    for move in list(board.legal_moves)[-25:]:
        for full, text in ((0, board.san(move)), (1, board.lan(move))):
            out: Any = np.zeros(16, np.uint8)
            word = move_word(board, move)
            if not word & PROMOTION or word & EN_PASSANT:
                word &= 0xFFF
            end = int(san_writer.write_any(out, p, word, full, TABLES))
            assert bytes(out[:end]).decode() == text


def test_kings_go_to_their_castled_square_without_a_kind() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    out: Any = np.zeros(16, np.uint8)
    for target, text in ((chess.G1, "O-O"), (chess.C1, "O-O-O"), (chess.H1, "O-O"), (chess.F1, "Kf1"), (chess.B1, "")):
        end = int(san_writer.write_any(out, position_of(board), chess.E1 | target << 6, 0, TABLES))
        assert bytes(out[:end]).decode() == text
    end = int(san_writer.write_any(out, position_of(board), 0, 0, TABLES))
    assert bytes(out[:end]).decode() == "--"


# The entrances of single texts.


def test_single_texts_and_moves() -> None:
    board = chess.Board(rare_boards()[0].fen())
    row = np.array([*words_of(board), 0, 0, 0, 0], np.uint64)
    for move in list(board.legal_moves)[:10]:
        word = move_word(board, move)
        assert san_reader.move_of(board.san(move), row) == word
        assert san_writer.san_of(row, word) == board.san(move)
        assert san_writer.san_of(row, word, full=True) == board.lan(move)
    assert san_reader.move_of("Nf9", row) == san_reader.REFUSED
    assert san_writer.san_of(row, 1) == ""
    assert tuple(san_reader.spelled_move("exd8=Q+!")) == usual("P", "d8", file_mask("e"), "q")
    assert tuple(san_reader.spelled_move("e4.")) == (NO_MOVE, 0, 0, 0, 0)
    assert tuple(san_reader.spelled_move("\ud800e4")) == (NO_MOVE, 0, 0, 0, 0)


def test_longest_texts() -> None:
    assert len("Qa1xb2+") == len("exd8=Q#") == san_writer.LONGEST
    assert len("e7xd8=Q#") == san_writer.LONGEST_IN_FULL
