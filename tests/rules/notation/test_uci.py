"""The kernels of UCI, each called by itself, beside python-chess and plain definitions."""

from typing import Any

import chess
import numpy as np
import pytest

from rookery.rules.notation import uci

SQUARES = range(64)
PROMOTION, EN_PASSANT, CASTLING = 0x4000, 0x8000, 0xC000
PIECES = {chess.KNIGHT: 0, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 3}


def read(text: str, before: str = "", after: str = "") -> int:
    """Return what the reader makes of a text that stands between others."""
    whole = np.frombuffer((before + text + after + "\0" * 8).encode(), np.uint8)
    return int(uci.read_uci(whole, len(before), len(text)))


def written(move: int, n: int = 0) -> tuple[str, bytes]:
    """Return the text of a move that is written from byte `n` on, and what stands before it."""
    out: Any = np.full(16, ord("?"), np.uint8)
    end = int(uci.write_uci(out, n, move))
    assert bytes(out[n + 5 :]) == b"?" * (11 - n)
    return bytes(out[n:end]).decode(), bytes(out[:n])


@pytest.mark.parametrize("source", [0, 7, 12, 27, 56, 63])
def test_squares_are_read_and_written_as_python_chess_does(source: int) -> None:
    for target in SQUARES:
        if source != target:
            text = chess.Move(source, target).uci()
            move = source + 64 * target
            assert read(text) == move
            assert written(move)[0] == text


def test_every_source_is_read_and_written() -> None:
    for source in SQUARES:
        for target in (source ^ 1, source ^ 56, source ^ 63):
            text = chess.Move(source, target).uci()
            assert read(text) == source + 64 * target
            assert written(source + 64 * target)[0] == text


@pytest.mark.parametrize(("piece", "number"), PIECES.items())
@pytest.mark.parametrize(("source", "target"), [(48, 56), (55, 62), (8, 0), (15, 7)])
def test_promotions_are_read_and_written(source: int, target: int, piece: int, number: int) -> None:
    text = chess.Move(source, target, piece).uci()
    move = source + 64 * target + 4096 * number + PROMOTION
    assert read(text) == move
    assert written(move)[0] == text


def test_a_text_may_stand_anywhere() -> None:
    assert read("e2e4", "a7a8q ", " d2d4") == 12 + 64 * 28
    assert read("e7e8r", "a7a8q ", "q") == 52 + 64 * 60 + 4096 * 2 + PROMOTION
    assert read("e7e8", "", "q") == 52 + 64 * 60
    assert written(12 + 64 * 28, 3) == ("e2e4", b"???")
    assert written(52 + 64 * 60 + 4096 + PROMOTION, 2) == ("e7e8b", b"??")


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("sign", ["`", "i", "0", "9", "A", "H", "-", " ", "\0", "~", "5", "b"])
def test_a_square_is_a_file_and_a_rank(place: int, sign: str) -> None:
    text = "e2d7"[:place] + sign + "e2d7"[place + 1 :]
    right = sign == ("b" if place in (0, 2) else "5")
    move = chess.Move.from_uci(text) if right else None
    assert read(text) == (move.from_square + 64 * move.to_square if move else uci.NO_MOVE)
    if not right:
        assert read(text + "q") == uci.NO_MOVE


@pytest.mark.parametrize("text", ["", "e", "e2", "e2e", "e2e4qq", "e2e4e5e6"])
def test_a_text_of_another_length_is_no_move(text: str) -> None:
    assert read(text, after="e4e5") == uci.NO_MOVE


def test_the_letters_of_promotions() -> None:
    for sign in map(chr, range(1, 128)):
        expected = {"n": 0, "b": 1, "r": 2, "q": 3}.get(sign)
        move = uci.NO_MOVE if expected is None else 52 + 64 * 60 + 4096 * expected + PROMOTION
        assert read("e7e8" + sign) == move


def test_the_null_move() -> None:
    assert read("0000") == 0
    assert written(0)[0] == "0000"
    for text in ("0000q", "1000", "0100", "0010", "0001", "0011", "1100", "1111", "000", "00000", "a1a1", "h8h8"):
        assert read(text) == uci.NO_MOVE
    for move in (1, 64, 63, 63 << 6):
        assert written(move)[0] == chess.SQUARE_NAMES[move & 63] + chess.SQUARE_NAMES[move >> 6]


def test_kings_and_rooks_of_classical_chess() -> None:
    classical = {(4, 7), (4, 0), (60, 63), (60, 56)}
    for king in SQUARES:
        for rook in {*range(8), *range(56, 64), *(square for square in SQUARES if abs(square - king) < 6)}:
            assert bool(uci.castles_in_classical_chess(king, rook)) == ((king, rook) in classical)


def test_castling_goes_to_the_square_of_the_king_or_the_rook() -> None:
    for king, rook, to in ((4, 7, 6), (4, 0, 2), (60, 63, 62), (60, 56, 58)):
        word = CASTLING | rook << 6 | king
        assert uci.move_of_word(word, 0) == king | to << 6
        assert uci.move_of_word(word, 1) == king | rook << 6
    for king, rook in ((4, 6), (4, 1), (60, 61), (5, 7), (3, 0), (59, 63), (61, 56)):
        for chess960 in (0, 1):
            assert uci.move_of_word(CASTLING | rook << 6 | king, chess960) == king | rook << 6


@pytest.mark.parametrize("chess960", [0, 1])
def test_other_words_keep_their_squares(chess960: int) -> None:
    for squares in (12 | 28 << 6, 4 | 7 << 6, 63 << 6, 63, 0):
        assert uci.move_of_word(squares, chess960) == squares
        assert uci.move_of_word(squares | EN_PASSANT, chess960) == squares
        for piece in range(4):
            word = squares | PROMOTION | piece << 12
            assert uci.move_of_word(word, chess960) == word
