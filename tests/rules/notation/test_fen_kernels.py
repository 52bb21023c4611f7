"""The kernels that read and write FEN, each called by itself, beside python-chess and plain definitions."""

import itertools
from typing import Any

import chess
import numpy as np
import pytest

import kernel_positions
from kernel_positions import position_of, random_boards
from loaded_again import loaded_again
from rookery.rules.notation import fen, fen_reasons, fen_words, fen_writer

KINGS = "4k3/8/8/8/8/8/8/4K3"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R"
BLANKS = " \t\n\v\f\r"
BOARDS = random_boards(6, 1) + random_boards(6, 2, chess960=True)


def as_bytes(text: str) -> Any:
    return np.frombuffer((text + ";" * 8).encode(), np.uint8)  # what stands behind a text is not read


def read(text: str, *, epd: bool = False, drop: bool = False) -> tuple[int, list[int], list[int]]:
    """Return the reason for refusal, the words of the position, and the report; what was there is overwritten."""
    row, report = np.full(14, 0xABCDEF, np.uint64), np.full(5, 77, np.int64)
    refused = fen.read_fen(as_bytes("zz" + text), 2, 2 + len(text), row, report, int(epd), int(drop))
    report[2] -= 2 if report[2] else 0
    return int(refused), row[:10].tolist(), report.tolist()


def words_of(text: str) -> list[int]:
    """Return the ten words of a position by python-chess."""
    return kernel_positions.words_of(chess.Board(text, chess960=True))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_positions_are_read_as_python_chess_reads_them(board: chess.Board) -> None:
    for shredder in (False, True):
        text = board.fen(shredder=shredder, en_passant="fen")
        refused, words, report = read(text)
        assert not refused
        assert words == words_of(text)
        assert report[:2] == [board.halfmove_clock, board.fullmove_number]
        assert report[4] == 0


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_positions_are_written_as_python_chess_writes_them(board: chess.Board) -> None:
    row = kernel_positions.row_of(board)
    target = 0 if board.ep_square is None else 1 << board.ep_square
    p = position_of(board)
    for shredder in (False, True):
        out: Any = np.zeros(fen_writer.ROOM, np.uint8)
        end = int(fen_writer.write_fields(out, 3, p, target, int(shredder)))
        theirs = board.fen(shredder=shredder, en_passant="fen").rsplit(" ", 2)[0]
        assert bytes(out[:end]).decode() == "\0\0\0" + theirs
        assert fen_writer.four_fields(row, target, shredder=shredder) == theirs


@pytest.mark.parametrize("sign", "PNBRQKpnbrqk")
def test_a_piece_is_read_on_each_file_and_rank(sign: str) -> None:
    for square in (0, 7, 9, 18, 27, 36, 45, 54, 56, 63):
        board = chess.BaseBoard.empty()
        board.set_piece_at(square, chess.Piece.from_symbol(sign))
        text = f"{board.board_fen()} w - - 0 1"
        assert read(text)[:2] == (0, words_of(text))


@pytest.mark.parametrize(
    "pieces",
    [
        *("", "8", "/", "8/8/8/8/8/8/8", "8/8/8/8/8/8/8/7", "8/8/8/8/8/8/8/9", "8/8/8/8/8/8/8/8/", "8/8/8/8/8/8/8/8/8"),
        *("7/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/71", "8/8/8/44/8/8/8/8", "pp8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/k8"),
        *("8/8/8/8/8/8/8/7x", "8/8/8/0p7/8/8/8/8", "8//8/8/8/8/8/8", "/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8-"),
        *("kkkkkkkkk", "p16/8/8/8/8/8/8"),
        *("8/8/8/8/8/8/pppppppp1/7", "8/8/8/8/8/8/7/p8", "8/8/7/p8/8/8/8/8"),
    ],
)
def test_pieces_that_are_refused(pieces: str) -> None:
    assert read(f"{pieces} w - - 0 1" if pieces else "  w - - 0 1")[0] in (fen_reasons.PIECES, fen_reasons.FIELDS)
    if pieces:
        assert read(f"{pieces} w - - 0 1")[0] == fen_reasons.PIECES


def test_digits_of_a_rank_with_pieces_between() -> None:
    for text in ("1p1p1p1p", "2p5", "p3p3", "ppppppp1", "1ppppppp", "4p3", "5pp1", "6p1", "7p", "p7"):
        whole = f"8/{text}/8/8/8/8/8/{text.upper()} b - - 0 1"
        assert read(whole)[:2] == (0, words_of(whole))


@pytest.mark.parametrize(
    ("pieces", "rights", "castling", "chess960"),
    [
        (CASTLES, "KQkq", 0x8100000000000081, 0),
        (CASTLES, "K", 0x80, 0),
        (CASTLES, "Q", 0x01, 0),
        (CASTLES, "k", 0x80 << 56, 0),
        (CASTLES, "q", 0x01 << 56, 0),
        (CASTLES, "qkQK", 0x8100000000000081, 0),
        (CASTLES, "-", 0, 0),
        (CASTLES, "H", 0x80, 1),
        (CASTLES, "A", 0x01, 1),
        (CASTLES, "h", 0x80 << 56, 1),
        (CASTLES, "a", 0x01 << 56, 1),
        (CASTLES, "Kq", 0x80 | 0x01 << 56, 0),
        (CASTLES, "Hq", 0x80 | 0x01 << 56, 1),
        ("4k3/8/8/8/8/8/8/RR1RK1RR", "KQ", 0x81, 0),  # the outermost
        ("4k3/8/8/8/8/8/8/1R1RK1R1", "KQ", 0x42, 1),
        ("4k3/8/8/8/8/8/8/RR1RK1RR", "DG", 0x48, 1),
        ("4k3/8/8/8/8/8/8/Q1R1K1RQ", "KQ", 0x44, 1),  # queens are no rooks
        ("4k3/8/8/8/8/8/8/R4K1R", "KQ", 0x81, 1),
        ("r4k1r/8/8/8/8/8/8/4K3", "kq", 0x81 << 56, 1),
        ("1r2k1r1/8/8/8/8/8/8/4K3", "kq", 0x42 << 56, 1),
        ("1r2k1r1/8/8/8/8/8/8/4K3", "bg", 0x42 << 56, 1),
        ("4k3/8/8/8/8/8/8/RK5r", "Q", 0x01, 1),
    ],
)
@pytest.mark.parametrize("side", ["w", "b"])
def test_rights_are_rooks(pieces: str, rights: str, castling: int, chess960: int, side: str) -> None:
    for drop in (False, True):
        refused, words, report = read(f"{pieces} {side} {rights} - 3 5", drop=drop)
        assert (refused, words[7], report[3:]) == (0, castling, [chess960, 0])
        assert report[:2] == [3, 5]


@pytest.mark.parametrize(
    ("pieces", "rights", "reason", "place", "left"),
    [
        (CASTLES, "x", fen_reasons.RIGHTS_SIGN, 0, None),
        (CASTLES, "KQkx", fen_reasons.RIGHTS_SIGN, 3, None),
        (CASTLES, "KQ-", fen_reasons.RIGHTS_SIGN, 2, None),
        (CASTLES, "--", fen_reasons.RIGHTS_SIGN, 0, None),
        (CASTLES, "I", fen_reasons.RIGHTS_SIGN, 0, None),
        (CASTLES, "i", fen_reasons.RIGHTS_SIGN, 0, None),
        (CASTLES, "@", fen_reasons.RIGHTS_SIGN, 0, None),
        (CASTLES, "`", fen_reasons.RIGHTS_SIGN, 0, None),
        (CASTLES, "KK", fen_reasons.RIGHTS_TWICE, 1, 0x80),
        (CASTLES, "QHK", fen_reasons.RIGHTS_TWICE, 2, 0x81),
        (CASTLES, "qq", fen_reasons.RIGHTS_TWICE, 1, 1 << 56),
        (CASTLES, "KB", fen_reasons.RIGHTS_ROOK, 1, 0x80),
        (CASTLES, "g", fen_reasons.RIGHTS_ROOK, 0, 0),
        ("4k3/8/8/8/8/8/8/R3K3", "K", fen_reasons.RIGHTS_ROOK, 0, 0),
        ("4k3/8/8/8/8/8/8/4K2R", "KQ", fen_reasons.RIGHTS_ROOK, 1, 0x80),
        ("4k3/8/8/8/8/8/R7/4K2r", "K", fen_reasons.RIGHTS_ROOK, 0, 0),
        ("4k2R/8/8/8/8/8/8/4K3", "k", fen_reasons.RIGHTS_ROOK, 0, 0),
        ("4k3/8/8/8/8/8/8/4K2Q", "K", fen_reasons.RIGHTS_ROOK, 0, 0),
        ("4k3/8/8/8/8/8/4K3/7R", "K", fen_reasons.RIGHTS_KING, 0, 0),
        ("8/4k3/8/8/8/8/8/r3K2R", "Kq", fen_reasons.RIGHTS_KING, 1, 0x80),
        ("r6r/8/8/8/8/8/8/R3K2R", "Qk", fen_reasons.RIGHTS_KING, 1, 0x01),
        ("4k3/8/8/8/8/8/8/R2KK2R", "K", fen_reasons.RIGHTS_KING, 0, 0),
        ("r3k2r/8/8/8/8/8/4K3/R6R", "Kkq", fen_reasons.RIGHTS_KING, 0, 0x81 << 56),
        ("r3k2r/8/8/8/8/8/4K3/R6R", "KQkq", fen_reasons.RIGHTS_KING, 0, 0x81 << 56),
        (CASTLES, "KKqQ", fen_reasons.RIGHTS_TWICE, 1, 0x81 | 1 << 56),
        (CASTLES, "KBqQ", fen_reasons.RIGHTS_ROOK, 1, 0x81 | 1 << 56),
        ("4k3/8/8/8/8/8/4K3/R3K2R", "Q", fen_reasons.RIGHTS_KING, 0, 0),
        ("4k3/8/8/8/8/8/8/R3KRRR", "HG", fen_reasons.RIGHTS_SIDE, 1, None),
        ("4k3/8/8/8/8/8/8/RRR1K3", "QB", fen_reasons.RIGHTS_SIDE, 1, None),
        ("r2rk3/8/8/8/8/8/8/4K3", "da", fen_reasons.RIGHTS_SIDE, 1, None),
        ("4krr1/8/8/8/8/8/8/4K3", "kf", fen_reasons.RIGHTS_SIDE, 1, None),
    ],
)
def test_rights_that_are_refused_or_dropped(
    pieces: str, rights: str, reason: int, place: int, left: int | None
) -> None:
    text = f"{pieces} w {rights} - 0 1"
    refused, _, report = read(text)
    assert (refused, report[2]) == (reason, len(f"{pieces} w ") + place)
    assert fen.refusal(text) == (reason, len(f"{pieces} w ") + place)
    refused, words, report = read(text, drop=True)
    if left is None:
        assert refused == reason
    else:
        assert (refused, words[7], report[4]) == (0, left, 1)


def test_squares_of_en_passant() -> None:
    for side, square in itertools.product("wb", chess.SQUARE_NAMES):
        text = f"{KINGS} {side} - {square} 0 1"
        right = square[1] == {"w": "6", "b": "3"}[side]
        refused, words, report = read(text)
        assert refused == (0 if right else fen_reasons.TARGET_RANK)
        assert words[8] == (1 << chess.parse_square(square) if right else 0)
        assert report[4] == 0
        refused, words, report = read(text, drop=True)
        assert (refused, report[4]) == (0, int(not right))
        assert words[8] == (1 << chess.parse_square(square) if right else 0)


@pytest.mark.parametrize("target", ["e", "e66", "i6", "`6", "e9", "e0", "E6", "6e", "--", "x", "-6"])
def test_targets_that_are_no_squares(target: str) -> None:
    for drop in (False, True):
        assert read(f"{KINGS} w - {target} 0 1", drop=drop)[0] == fen_reasons.TARGET


@pytest.mark.parametrize("side", ["W", "B", "ww", "bw", "-", "x", "wb"])
def test_sides_that_are_refused(side: str) -> None:
    assert read(f"{KINGS} {side} - - 0 1")[0] == fen_reasons.SIDE


@pytest.mark.parametrize(
    ("rest", "epd", "refused", "counters"),
    [
        ("", 0, 0, (0, 1)),
        ("  ", 0, 0, (0, 1)),
        (" 7", 0, 0, (7, 1)),
        (" 7 ", 1, 0, (7, 1)),
        (" 0 0", 0, 0, (0, 1)),
        (" 3 9", 0, 0, (3, 9)),
        (" 3 9 ", 1, 0, (3, 9)),
        ("\t12\n345\r", 0, 0, (12, 345)),
        (" 999999999 999999999", 0, 0, (999999999, 999999999)),
        (" 1000000000 1", 0, fen_reasons.CLOCK, None),
        (" 0 1000000000", 0, fen_reasons.NUMBER, None),
        (" x 1", 0, fen_reasons.CLOCK, None),
        (" 1 x", 0, fen_reasons.NUMBER, None),
        (" -1 1", 0, fen_reasons.CLOCK, None),
        (" - 1", 0, fen_reasons.CLOCK, None),
        (" 1; 2", 0, fen_reasons.CLOCK, None),
        (" 1 - ", 0, fen_reasons.NUMBER, None),
        (" 0 1 2", 0, fen_reasons.FIELDS, None),
        (" 0 1 -", 0, fen_reasons.FIELDS, None),
        (" 0 1 x", 0, fen_reasons.FIELDS, None),
        (" bm e4", 0, fen_reasons.CLOCK, None),
        (" bm", 0, fen_reasons.CLOCK, None),
        (" 5 e4;", 0, fen_reasons.NUMBER, None),
        (" bm e4", 1, 0, (0, 1)),
        (" bm e4;", 1, 0, (0, 1)),
        (" ;", 1, 0, (0, 1)),
        (" -", 1, 0, (0, 1)),
        (" 5 bm e4;", 1, 0, (5, 1)),
        (" 5 ;bm e4;", 1, 0, (5, 1)),
        (" 5; bm e4;", 1, 0, (5, 1)),
        (" 5 6 bm e4;", 1, 0, (5, 6)),
        (" 5 6;", 1, 0, (5, 6)),
        (" 5 6 -", 1, 0, (5, 6)),
        (" 5 6 7", 1, fen_reasons.FIELDS, None),
        (" 5 6 7 a;", 1, fen_reasons.FIELDS, None),
        (" 5x 6", 1, fen_reasons.CLOCK, None),
        (" 5 6x", 1, fen_reasons.NUMBER, None),
        (" hmvc 5; fmvn 6;", 1, 0, (5, 6)),
        (" hmvc 5; fmvn 0;", 1, 0, (5, 1)),
        (" hmvc 0; fmvn 2", 1, 0, (0, 2)),
        (" fmvn 6; hmvc 5", 1, 0, (5, 6)),
        (" fmvn 6", 1, 0, (0, 6)),
        (" 3 4 hmvc 5;", 1, 0, (5, 4)),
        (" hmvd 5; fmvm 6; hmv 7; hmvcc 8; fmv 9; fmvnn 2;", 1, 0, (0, 1)),
        (" hmvc 5; hmvc 5;", 1, fen_reasons.OPERATIONS, None),
        (" fmvn 5; fmvn 5;", 1, fen_reasons.OPERATIONS, None),
        (" hmvc;", 1, fen_reasons.COUNTERS, None),
        (" hmvc 1 2;", 1, fen_reasons.COUNTERS, None),
        (" hmvc x;", 1, fen_reasons.COUNTERS, None),
        (" fmvn -1;", 1, fen_reasons.COUNTERS, None),
        (" fmvn 1000000000;", 1, fen_reasons.COUNTERS, None),
        (' id "open;', 1, fen_reasons.OPERATIONS, None),
        (" a$ 1;", 1, fen_reasons.OPERATIONS, None),
        (" a 1; 5 x;", 1, fen_reasons.OPERATIONS, None),
        (" a 1; _x;", 1, fen_reasons.OPERATIONS, None),
        (' id "closed"; c0 "a;b\\"c" d; hmvc 4;', 1, 0, (4, 1)),
        (" - ; ;; - hmvc 4; -", 1, 0, (4, 1)),
    ],
)
def test_counters_and_operations(rest: str, epd: int, refused: int, counters: tuple[int, int] | None) -> None:
    found, words, report = read(f"{KINGS} b - -{rest}", epd=bool(epd))
    assert found == refused
    if counters:
        assert report == [*counters, 0, 0, 0]
        assert words == words_of(f"{KINGS} b - - 0 1")


@pytest.mark.parametrize(
    ("text", "epd", "few_or_many"),
    [
        ("", 0, True),
        ("   ", 1, True),
        (KINGS, 0, True),
        (f"{KINGS} w", 0, True),
        (f"{KINGS} w -", 1, True),
        (f"{KINGS} x - -", 0, False),
        (f"{KINGS} x - - 0", 0, False),
        (f"{KINGS} x - - 0 1", 0, False),
        (f"  {KINGS}  x - - 0 1  ", 0, False),
        (f"{KINGS} x - - 0 1 2", 0, True),
        (f"{KINGS} x - - 0 1 2", 1, True),
        (f"{KINGS} x - - a 1 2 3 4", 1, False),
        (f"{KINGS} x - - a 1 2 3 4", 0, True),
        (f"{KINGS} x - - 0 a 2 3 4", 1, False),
        (f"{KINGS} x - - 0 1 a 3 4", 1, False),
        (f"{KINGS} x - a", 1, False),
        (f"{KINGS} x a", 1, True),
    ],
)
def test_the_number_of_fields_comes_first(text: str, epd: int, few_or_many: bool) -> None:
    refused = read(text, epd=bool(epd))[0]
    assert (refused == fen_reasons.FIELDS) == few_or_many
    if not few_or_many:
        assert refused == fen_reasons.SIDE


def test_words_that_are_left_from_another_position_are_overwritten() -> None:
    assert read(f"{KINGS} w - - 0 1") == (0, words_of(f"{KINGS} w - - 0 1"), [0, 1, 0, 0, 0])


# Parts of a text.


def test_blanks_and_letters() -> None:
    for c in range(256):
        assert bool(fen_words.is_blank(c)) == (chr(c) in BLANKS)
        assert bool(fen_words.is_letter(c)) == (chr(c).isascii() and chr(c).isalpha())


def test_where_blanks_fields_and_numbers_end() -> None:
    for blank in BLANKS:
        text = as_bytes(f"ab{blank}{blank}cd;")
        for i, expected in ((0, 0), (1, 1), (2, 4), (3, 4), (4, 4)):
            assert fen_words.past_blanks(text, i, 7) == expected
        for i, expected in ((0, 2), (1, 2), (2, 2), (4, 7), (7, 7)):
            assert fen_words.field_end(text, i, 7) == expected
        for i, expected in ((0, 2), (2, 2), (4, 6), (6, 6)):
            assert fen_words.number_end(text, i, 7) == expected
        assert fen_words.past_blanks(text, 2, 3) == 3
        assert fen_words.field_end(text, 4, 5) == fen_words.number_end(text, 4, 5) == 5


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("7", 7),
        ("9", 9),
        ("10", 10),
        ("007", 7),
        ("123456789", 123456789),
        ("999999999", 999999999),
        ("1234567890", -1),
        ("x", -1),
        ("1x", -1),
        ("/", -1),
        (":", -1),
        ("-1", -1),
        ("+1", -1),
        ("1 2", -1),
        ("", 0),
    ],
)
def test_numbers(text: str, number: int) -> None:
    assert fen_words.read_number(as_bytes("5" + text + "5"), 1, 1 + len(text)) == number


def test_empty_operations() -> None:
    for text, expected in ((";", True), ("-", True), ("- ", True), ("-\t", True), ("-;", True), ("-x", False)):
        assert bool(fen_words.is_empty_operation(as_bytes("x" + text), 1, 1 + len(text))) == expected
    for text in ("x", " ", "5", "--", "_", '"'):
        assert not fen_words.is_empty_operation(as_bytes("x" + text), 1, 1 + len(text))
    assert fen_words.is_empty_operation(np.frombuffer(b"x-yy", np.uint8), 1, 2)  # it ends with the text
    for text in ("a", "Z", ";", "-", "5", "-5", "_"):
        begins = fen_words.begins_operations(as_bytes("x" + text), 1, 1 + len(text))
        assert bool(begins) == (text in ("a", "Z", ";", "-"))


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("bm", 2),
        ("bm e4", 2),
        ("b;", 1),
        ("a_b-c9Z0 x", 8),
        ("a", 1),
        ("5a", 0),
        ("_a", 0),
        ("-a", 0),
        ("a.b", 0),
        ("a/b", 0),
        ("a:b", 0),
        ('a"', 0),
        ("a\tb", 1),
        ("z[", 0),
        ("z@", 0),
    ],
)
def test_opcodes(text: str, length: int) -> None:
    found = fen_words.opcode_end(as_bytes("  " + text), 2, 2 + len(text))
    assert found == (2 + length if length else 0)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("e4", 2),
        ("e4;", 2),
        ("e4 d4", 2),
        ('"a b;c" d', 7),
        ('""', 2),
        ('"a\\"b" c', 6),
        ('"a\\\\" c', 5),
        ('"a\\\\"b"', 5),
        ('"open', 0),
        ('"', 0),
        ('"open\\"', 0),
        ('"a\\', 0),
        ('x"y', 3),
        ("\\", 1),
    ],
)
def test_operands(text: str, length: int) -> None:
    found = fen_words.operand_end(as_bytes("  " + text), 2, 2 + len(text))
    assert found == (2 + length if length else 0)


# The writer.


def rank_text(signs: str) -> str:
    """Return a rank of a FEN from eight signs, with dots for empty squares."""
    return "".join(str(len(list(run))) if dot else "".join(run) for dot, run in itertools.groupby(signs, "8".__eq__))


def word_of_signs(signs: str) -> int:
    return int.from_bytes(signs.replace("8", "\0").encode(), "little")


@pytest.mark.parametrize("module", [fen_writer, None], ids=["in use", "loaded again"])
def test_ranks_are_written(module: Any) -> None:
    writer = module or loaded_again("rookery.rules.notation.fen_writer")
    for occupied in range(256):
        signs = "".join("PnBrQkbN"[file] if occupied >> file & 1 else "8" for file in range(8))
        out: Any = np.full(16, ord("?"), np.uint8)
        end = int(writer.write_rank(out, 2, word_of_signs(signs), occupied))
        assert bytes(out[:end]).decode() == f"??{rank_text(signs)}/"
        assert bytes(out[11:]) == b"?" * 5


@pytest.mark.parametrize("board", [*BOARDS[::4], chess.Board(None)], ids=lambda board: board.board_fen())
def test_signs_and_first_fields_are_written(board: chess.Board) -> None:
    for turn in (chess.WHITE, chess.BLACK):
        board.turn = turn
        p = position_of(board)
        planes = fen_writer.sign_planes(p, board.occupied, board.occupied_co[chess.BLACK])
        for rank in range(8):
            signs = [board.piece_at(8 * rank + file) for file in range(8)]
            word = int.from_bytes(b"".join(str(piece or "\0").encode() for piece in signs), "little")
            assert fen_writer.signs_of_rank(planes, 8 * rank) == word
        out: Any = np.zeros(fen_writer.ROOM, np.uint8)
        end = int(fen_writer.write_pieces(out, 1, p))
        assert bytes(out[1:end]).decode() == board.board_fen()


@pytest.mark.parametrize(
    ("text", "shredder", "field"),
    [
        ("4k3/8/8/8/8/8/8/R1R1K2R w CH - 0 1", 0, "KC"),
        ("4k3/8/8/8/8/8/8/R1R1K2R w CH - 0 1", 1, "HC"),
        ("4k3/8/8/8/8/8/8/R1R1K2R b CH - 0 1", 0, "KC"),
        ("r1r1k2r/8/8/8/8/8/8/4K3 w hc - 0 1", 0, "kc"),
        ("r1r1k2r/8/8/8/8/8/8/4K3 b hc - 0 1", 1, "hc"),
        ("q1r1k1rq/8/8/8/8/8/8/Q1R1K1RQ w KQkq - 0 1", 0, "KQkq"),  # queens are no outer rooks
        ("R1r1k1rR/8/8/8/8/8/8/r1R1K1Rr w KQkq - 0 1", 0, "KQkq"),  # nor those of the other side
        ("4k3/8/8/8/8/8/R6R/1R2K1R1 w KQ - 0 1", 0, "KQ"),  # nor those of other ranks
        ("4k1rr/8/8/8/8/8/8/4K1RR b Gg - 0 1", 0, "Gg"),
        ("4k1rr/8/8/8/8/8/8/4K1RR w Hh - 0 1", 0, "Kk"),
        ("4k1rr/8/8/8/8/8/8/4K1RR w Hh - 0 1", 1, "Hh"),
        (f"{CASTLES} b - - 0 1", 0, "-"),
        (f"{CASTLES} w q - 0 1", 0, "q"),
    ],
)
def test_rights_are_written(text: str, shredder: int, field: str) -> None:
    p = position_of(chess.Board(text, chess960=True))
    out: Any = np.zeros(32, np.uint8)
    for target, square in ((0, "-"), (1 << 44, "e6"), (1 << 16, "a3"), (1 << 47, "h6")):
        end = int(fen_writer.write_other_fields(out, 2, p, target, shredder))
        assert bytes(out[2:end]).decode() == f" {text.split()[1]} {field} {square}"


@pytest.mark.parametrize("value", [0, 1, 9, 10, 11, 50, 99, 100, 101, 999, 1000, 1001, 12345, 999999999, 4294967295])
def test_counters_are_written(value: int) -> None:
    for clock, number in ((value, 1), (0, value)):
        out: Any = np.full(40, ord("?"), np.uint8)
        end = int(fen_writer.write_counters(out, 3, clock, number))
        assert bytes(out[:end]).decode() == f"??? {clock} {number}"


def test_no_fen_needs_more_room() -> None:
    pieces = "/".join(["rnbqkbnr"] * 8)
    assert len(f"{pieces} b ABCDEFGHabcdefgh a3 4294967295 4294967295") <= fen_writer.ROOM - 9


@pytest.mark.parametrize("turn", [chess.WHITE, chess.BLACK])
def test_a_target_next_to_a_pawn(turn: bool) -> None:
    rank = 5 if turn else 2
    for file in range(8):
        target = chess.square(file, rank)
        for pawn in chess.SQUARES:
            pawns, attacks = 1 << pawn, chess.BB_PAWN_ATTACKS[turn][pawn]
            for us in (pawns, 0):
                found = fen_writer.target_next_to_pawn(pawns, us, 1 << target, int(not turn))
                assert found == (us and attacks & 1 << target)


# The tables and the entrance.


def test_tables_that_are_filled_again_are_the_same() -> None:
    again = loaded_again("rookery.rules.notation.fen")
    row, report = np.zeros(14, np.uint64), np.zeros(5, np.int64)
    for text in ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "1p6/2p5/3p4/4p3/5p2/6p1/7p/p7 b - - 0 1"):
        assert again.read_fen(as_bytes(text), 0, len(text), row, report, 0, 0) == 0
        assert row[:10].tolist() == words_of(text)
    for sign in map(chr, range(33, 127)):
        text = f"{sign}7/8/8/8/8/8/8/8 w - - 0 1"
        refused = again.read_fen(as_bytes(text), 0, len(text), row, report, 0, 0)
        assert (refused == 0) == (sign in "PNBRQKpnbrqk")
    assert again.START_WORDS.tolist() == [*words_of(chess.STARTING_FEN), 0, 0, 0, 0]


def test_the_words_of_the_start_are_those_of_its_fen() -> None:
    assert fen.START_WORDS.tolist() == [*words_of(chess.STARTING_FEN), 0, 0, 0, 0]
    row, report = np.zeros(14, np.uint64), np.zeros(5, np.int64)
    fen.read_fen(as_bytes(chess.STARTING_FEN), 0, len(chess.STARTING_FEN), row, report, 0, 0)
    assert row.tolist() == fen.START_WORDS.tolist()


def test_options_of_the_reader() -> None:
    text = f"{CASTLES} w KQkq - 4 9"
    for chess960, expected in ((None, False), (False, False), (True, True)):
        found = fen.parse_fen(text, chess960)
        assert (found.halfmove_clock, found.fullmove_number, found.chess960) == (4, 9, expected)
        assert found.words.tolist() == [*words_of(text), 0, 0, 0, 0]
    files = text.replace("KQkq", "HAha")
    assert fen.parse_fen(files).chess960 is fen.parse_fen(files, True).chess960 is True
    with pytest.raises(ValueError, match=r"is Chess960, but chess960=False was passed"):
        fen.parse_fen(files, False)
    with pytest.raises(ValueError, match=r"field 3 \(castling\): 'x': unexpected 'x'"):
        fen.parse_fen(f"{CASTLES} w x - 4 9", False)
    with pytest.raises(ValueError, match=r"field 5 \(halfmove clock\): 'bm'"):
        fen.parse_fen(f"{KINGS} w - - bm Kd1;")
    assert fen.parse_fen(f"{KINGS} w - - hmvc 3;", epd=True).halfmove_clock == 3
    with pytest.raises(ValueError, match="no rook"):
        fen.parse_fen(f"{KINGS} w K - 0 1")
    assert fen.parse_fen(f"{KINGS} w K e3 0 1", drop=True).words.tolist() == [*words_of(f"{KINGS} w - - 0 1"), *[0] * 4]
    with pytest.raises(ValueError, match=r"FEN field 1 \(pieces\)"):
        fen.parse_fen(KINGS.replace("k", "\u212a") + " w - - 0 1")  # the sign of Kelvin
    with pytest.raises(TypeError, match=r"^FEN: 5: expected text$"):
        fen.parse_fen(5)  # type: ignore[arg-type]
    assert fen.refusal(text) == (0, len(text.split()[0]) + 6)
    assert fen.refusal("") == (fen_reasons.FIELDS, 0)
