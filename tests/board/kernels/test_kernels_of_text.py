"""The kernels that read and write FENs and moves, judged by python-chess."""

import random

import chess
import numpy as np
import pytest

from kernel_rows import call, is_refused, ours, padded, row_of, their_boards, written
from rookery.board.board import Board
from rookery.board.moves import CHESS960, CLASSICAL, Move, parse_uci_parts
from rookery.native_methods.kinds import ROW_WORDS

BOARDS = their_boards(120)
IN_CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"


# Positions.


def test_written_positions_agree_with_python_chess() -> None:
    targets = 0
    for board in BOARDS:
        row = row_of(ours(board))
        assert written("fen", row) == board.fen(), board.fen()
        assert written("epd", row) == board.epd()
        assert written("board_fen", row) == board.board_fen()
        assert written("drawing", row) == str(board)
        targets += board.has_legal_en_passant()
    assert targets > 2


def read(text: str) -> tuple[int, list[int]]:
    out, space = np.ones(ROW_WORDS, np.uint64), np.zeros(40, np.uint8)
    return call("set_fen", *padded(text), out, space), out.tolist()


def test_read_positions_agree_with_python_chess() -> None:
    for board in BOARDS:
        for text in (board.fen(en_passant="fen"), board.shredder_fen(en_passant="fen"), board.epd(en_passant="fen")):
            mine = Board(text)
            chess960, row = read(text)
            assert chess960 == mine.chess960
            assert row == row_of(mine).tolist()
            again = chess.Board(text, chess960=bool(chess960))
            assert row[5 if again.turn else 6] == again.occupied_co[chess.WHITE]
            assert row[10:] == [again.halfmove_clock, 0, again.fullmove_number, 0]


def test_damaged_positions_are_read_as_by_the_board() -> None:
    rng = random.Random(3)
    refused = 0
    for board in BOARDS:
        text = board.fen(en_passant="fen")
        for _ in range(10):
            i = rng.randrange(len(text) + 1)
            damaged = text[:i] + rng.choice(["", "x", " ", "/", "8", "K", "q", "-", "9", "e3"]) + text[i + 1 :]
            try:
                expected = row_of(Board(damaged)).tolist()
            except ValueError:
                refused += 1
                assert is_refused(read(damaged)[0]), damaged
            else:
                assert read(damaged)[1] == expected, damaged
    assert refused > 100


# SAN.


def test_written_moves_agree_with_python_chess() -> None:
    for board in BOARDS:
        row = row_of(ours(board))
        for move in board.legal_moves:
            text = board.uci(move)
            assert written("san", row, int(Move.from_uci(text))) == board.san(move)
            assert written("lan", row, int(Move.from_uci(text))) == board.lan(move)
            assert written("uci", row, int(board.chess960), int(Move.from_uci(text))) == text


def test_moves_that_are_not_legal_have_no_san() -> None:
    out = np.zeros(16, np.uint8)
    for text in ("e2e5", "e1g1", "e7e5"):
        assert is_refused(call("san", row_of(Board()), int(Move.from_uci(text)), out))
    assert written("san", row_of(Board()), 0) == "--"
    assert is_refused(call("san", row_of(Board(IN_CHECK)), 0, out))


def test_read_moves_agree_with_python_chess() -> None:
    for board in BOARDS:
        row = row_of(ours(board))
        moves = CHESS960 if board.chess960 else CLASSICAL
        for theirs in board.legal_moves:
            move = Move.from_uci(board.uci(theirs))
            out, pushed = np.ones(ROW_WORDS, np.uint64), np.ones(ROW_WORDS, np.uint64)
            word = call("push", row, int(move), pushed)
            for name, text in (("san", board.san(theirs)), ("uci", board.uci(theirs))):
                assert call(f"parse_{name}", row, *padded(text)) == word
                assert moves[word] is move
                assert call(f"push_{name}", row, *padded(text), out) == word
                assert out.tolist() == pushed.tolist()
            assert call("has_uci", row, *padded(board.uci(theirs)))


@pytest.mark.parametrize("text", ["", "e", "e5", "Nf6", "O-O", "Ke2", "castles", "e2e5", "Nbd2", "♘f3", "--x"])
def test_texts_that_are_no_legal_move_are_left_to_python(text: str) -> None:
    out = np.zeros(ROW_WORDS, np.uint64)
    if text.isascii():
        assert is_refused(call("parse_san", row_of(Board()), *padded(text)))
        assert is_refused(call("push_san", row_of(Board()), *padded(text), out))
        assert is_refused(call("parse_uci", row_of(Board()), *padded(text)))
        assert is_refused(call("push_uci", row_of(Board()), *padded(text), out))


def test_null_moves_in_text() -> None:
    out = np.zeros(ROW_WORDS, np.uint64)
    for name, text in (("san", "--"), ("uci", "0000")):
        assert call(f"parse_{name}", row_of(Board(IN_CHECK)), *padded(text)) == 0
        assert is_refused(call(f"push_{name}", row_of(Board(IN_CHECK)), *padded(text), out))
        assert call(f"push_{name}", row_of(Board()), *padded(text), out) == 0
        assert out[9:].tolist() == [1, 1, 0, 1, 0]
    assert call("has_uci", row_of(Board()), *padded("0000")) == 0


# UCI.


def test_every_short_text_is_read_as_by_parse_uci_parts() -> None:
    row, rng = row_of(Board()), random.Random(1)
    signs = "abhi1089nbrqkNQ-=0"
    for _ in range(20_000):
        text = "".join(rng.choice(signs) for _ in range(rng.choice((3, 4, 4, 5, 5, 6))))
        if text == "0000":
            continue
        try:
            parts = parse_uci_parts(text)
        except ValueError:
            assert is_refused(call("has_uci", row, *padded(text))), text
        else:
            move = chess.Move(parts.from_square, parts.to_square, "..nbrq".index(parts.promotion or ".") or None)
            assert call("has_uci", row, *padded(text)) == (move in chess.Board().legal_moves)


def test_castling_is_written_in_the_form_of_the_board() -> None:
    boards = ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4KR2 w F - 0 1", chess.STARTING_FEN]
    for fen in boards:
        row, mine = row_of(Board(fen)), Board(fen)
        for word in [*range(1, 1 << 12), 1 << 14 | 12 << 6]:
            move = CLASSICAL[word]
            for chess960 in (False, True):
                assert written("uci", row, int(chess960), int(move)) == mine.uci(move, chess960=chess960)
    assert written("uci", row_of(Board()), 0, 0) == "0000"
