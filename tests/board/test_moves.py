"""Moves: 16 bits, one object each."""

import copy
import pickle

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.board.board import Board
from rookery.board.moves import (
    CASTLING,
    CHESS960,
    CLASSICAL,
    EN_PASSANT,
    PROMOTION,
    PROMOTIONS,
    Move,
    UciParts,
    parse_uci_parts,
    word_of,
)

squares = st.integers(0, 63)
words = st.integers(0, 0xFFFF)


@given(squares, squares, st.sampled_from([None, *PROMOTIONS]))
def test_the_layout(source: int, target: int, promotion: str | None) -> None:
    move = Move.of(source, target, promotion=promotion)
    becomes = "nbrq".index(promotion) << 12 | 1 << 14 if promotion else 0
    assert int(move) == source | target << 6 | becomes
    assert (move.from_square, move.to_square) == (source, target)
    assert move.promotion == (chess.PIECE_SYMBOLS.index(promotion) if promotion else None)
    assert Move(source, target, promotion) is Move(source, target, move.promotion) is move
    assert word_of(source, target, promotion) == int(move)


@pytest.mark.parametrize(
    ("fen", "uci", "word"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", 12 | 28 << 6),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8n", 48 | 56 << 6 | 0 << 12 | 1 << 14),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8b", 48 | 56 << 6 | 1 << 12 | 1 << 14),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8r", 48 | 56 << 6 | 2 << 12 | 1 << 14),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", 48 | 56 << 6 | 3 << 12 | 1 << 14),
        ("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", 36 | 43 << 6 | 2 << 14),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 4 | 7 << 6 | 3 << 14),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", 4 | 0 << 6 | 3 << 14),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8g8", 60 | 63 << 6 | 3 << 14),
    ],
)
def test_the_words_of_moves_on_a_board(fen: str, uci: str, word: int) -> None:
    move = Board(fen).parse_uci(uci)
    board = Board(fen)
    assert board.move_word(move) == word
    assert move is Move(word)
    assert move.uci() == str(move) == uci
    assert repr(move) == f"Move({uci!r})"
    assert (board.is_castling(move), board.is_en_passant(move)) == (word >> 14 == CASTLING, word >> 14 == EN_PASSANT)
    assert (int(move) == word) is (word >> 14 < EN_PASSANT)


def test_a_word_of_castling_is_a_move_of_each_kind_of_chess() -> None:
    for source, target, steps, taking in (
        ("e1", "h1", "e1g1", "e1h1"),
        ("e8", "a8", "e8c8", "e8a8"),
        # Only Chess960 has these: a king steps from f1 to g1, too.
        ("b1", "a1", "b1a1", "b1a1"),
        ("f1", "h1", "f1h1", "f1h1"),
        ("g8", "h8", "g8h8", "g8h8"),
        ("e1", "g1", "e1g1", "e1g1"),
    ):
        word = word_of(parse_square(source), parse_square(target), kind=CASTLING)
        assert (Move.from_word(word).uci(), Move.from_word(word, chess960=True).uci()) == (steps, taking)
        assert Move(word) is Move.from_word(word) is Move.from_word(np.uint16(word))


@given(words)
def test_every_word_is_one_object(word: int) -> None:
    for move in (Move(word), Move.from_word(word, chess960=True)):
        assert isinstance(move, Move)
        assert move is Move(int(move)) is CLASSICAL[move] is CHESS960[move] is Move(move)
        assert pickle.loads(pickle.dumps(move)) is move
        assert copy.copy(move) is copy.deepcopy(move) is move
        assert move.from_square | move.to_square << 6 | int(move) & 0xF000 == int(move)
        if word >> 14 <= PROMOTION:
            assert int(move) in (word, word & 0xFFF)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_of_every_protocol(protocol: int) -> None:
    moves = [Move(0), Move.of(12, 28), Move(0xFFFF)]
    assert all(a is b for a, b in zip(pickle.loads(pickle.dumps(moves, protocol)), moves, strict=True))


@given(words, words)
def test_moves_are_equal_if_they_print_alike(a: int, b: int) -> None:
    for one, other in ((Move(a), Move(b)), (Move(a), Move(a & 0xFFF | b & 0xF000))):
        alike = one.uci() == other.uci()
        assert (one == other) is (one is other) is alike
        assert (one != other) is not alike
        assert len({one, other}) == 2 - alike
        assert (one <= other and one >= other) is alike
        assert (one < other) + (one > other) + alike == 1


def test_all_words_are_as_many_moves_as_they_print() -> None:
    moves = [Move(word) for word in range(1 << 16)]
    assert len(set(moves)) == len({move.uci() for move in moves}) == 64 * 64 * 5


@given(words, words)
def test_a_move_compared_with_an_int(word: int, other: int) -> None:
    move = Move(word)
    assert (move == other) is (other == move) is (int(move) == other)
    assert (move != other) is not (move == other)
    if move == other:
        assert hash(move) == hash(other)
    assert move != "e2e4"  # type: ignore[comparison-overlap]
    with pytest.raises(TypeError):
        _ = move < "e2e4"  # type: ignore[operator]


@pytest.mark.parametrize(
    ("fen", "chess960", "san", "uci"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", False, "O-O", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", False, "O-O-O", "e8c8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", True, "O-O", "e1h1"),
        ("4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1", True, "O-O", "f1h1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", False, "exd6", "e5d6"),
    ],
)
def test_a_move_read_without_a_board_is_that_of_the_board(fen: str, chess960: bool, san: str, uci: str) -> None:
    board = Board(fen, chess960)
    move = Move.from_uci(uci)
    assert board.parse_san(san) == move
    assert {move: 1}[board.parse_san(san)] == 1
    assert move in {legal: board.san(legal) for legal in board.legal_moves}
    assert move in list(board.legal_moves)
    assert repr(move) == repr(board.parse_san(san))


def test_legal_moves_of_chess960_stay_distinct() -> None:
    board = Board("4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1", chess960=True)
    moves = list(board.legal_moves)
    assert len(set(moves)) == len(moves)
    assert board.parse_san("Kg1") != board.parse_san("O-O")


@pytest.mark.parametrize(
    ("fen", "made_as", "means"),
    [
        ("k7/8/8/8/8/8/7K/4R3 w - - 0 1", word_of(4, 7, kind=CASTLING), "Rg1"),
        ("k7/8/8/8/8/8/7K/4R1n1 w - - 0 1", word_of(4, 7, kind=CASTLING), "Rxg1"),
        ("4k3/8/8/8/8/8/8/5K2 w - - 0 1", word_of(5, 6, kind=CASTLING), "Kg1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", word_of(12, 28, kind=EN_PASSANT), "e4"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Move.of(4, 7), "O-O"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", word_of(4, 7, kind=CASTLING), "O-O"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", word_of(36, 43, kind=EN_PASSANT), "exd6"),
    ],
)
def test_a_board_takes_words_and_both_forms_of_castling(fen: str, made_as: int, means: str) -> None:
    board = Board(fen)
    move = board.parse_san(means)
    assert made_as in board.legal_moves
    assert board.san(made_as) == board.san(move)
    assert board.move_word(made_as) == board.move_word(move)
    for ask in (board.is_capture, board.is_en_passant, board.is_castling, board.is_zeroing, board.gives_check):
        assert ask(made_as) is ask(move)
    after = board.copy()
    after.push(made_as)
    assert after.peek() is move
    board.push(move)
    assert after == board


@given(squares, squares, st.sampled_from([None, *PROMOTIONS]))
def test_uci_is_that_of_python_chess(source: int, target: int, promotion: str | None) -> None:
    if source == target:
        return  # python-chess knows no such move
    kind = chess.PIECE_SYMBOLS.index(promotion) if promotion else None
    theirs = chess.Move(source, target, kind)
    assert Move.of(source, target, promotion=promotion).uci() == theirs.uci()
    assert parse_uci_parts(theirs.uci()) == UciParts(source, target, promotion)


def test_the_null_move() -> None:
    assert Move.null() is Move(0) is Move()
    assert Move.null().uci() == "0000" == chess.Move.null().uci()
    assert not Move.null()
    assert Move.of(12, 28)
    board = Board()
    board.push(Move.null())
    assert board.fen() == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1"
    assert board.pop() is Move.null()
    assert board == Board()
    assert Move.null() not in board.legal_moves


@pytest.mark.parametrize("word", [-1, 1 << 16, 1 << 64, "e2e4", 1.5, None, b"e2"])
def test_a_word_that_is_none(word: object) -> None:
    with pytest.raises(ValueError, match=r"^move: .*: expected an int from 0 to 65535$") as error:
        Move(word)  # type: ignore[arg-type]
    assert repr(word) in str(error.value)


def test_errors_of_parts() -> None:
    with pytest.raises(ValueError, match=r"^from_square: 64 is off the board: expected 0 \(a1\) to 63 \(h8\)$"):
        Move.of(64, 0)
    with pytest.raises(ValueError, match=r"^to_square: -1 is off the board"):
        Move.of(0, -1)
    for promotion in ("k", "p", "", "nb"):
        with pytest.raises(ValueError, match=rf"^promotion: '{promotion}': expected KNIGHT "):
            Move.of(48, 56, promotion=promotion)


@pytest.mark.parametrize("word", [-1, 1 << 16, 1 << 64, "e2e4", 1.5, None, True])
def test_what_is_no_word(word: object) -> None:
    for chess960 in (False, True):
        with pytest.raises((TypeError, ValueError), match=r"^word: .*: expected an int from 0 to 65535$"):
            Move.from_word(word, chess960=chess960)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e2",
        "e2e",
        "e2e9",
        "i2e4",
        "e2e4k",
        "e2e4Q",
        "E2E4",
        "e2-e4",
        "e2e4q ",
        " e2e4",
        "e2e4qq",
        "e2\uff454",
        "0000",
        "a1a1",  # python-chess refuses it, too
        "e7e7q",
    ],
)
def test_a_text_that_is_no_uci_move(text: str) -> None:
    with pytest.raises(ValueError, match=r"^UCI move: .*: expected two squares and perhaps a promotion") as error:
        parse_uci_parts(text)
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("text", [None, 5, b"e2e4", ["e2", "e4"]])
def test_what_is_not_even_text(text: object) -> None:
    with pytest.raises((ValueError, TypeError), match="UCI move"):
        parse_uci_parts(text)  # type: ignore[arg-type]


def test_what_is_not_legal_may_not_be_pushed() -> None:
    board = Board()
    before = board.fen()
    for move in (Move.of(12, 36), Move.of(12, 28, promotion="q"), Move.of(12, 19), Move.of(4, 7)):
        assert move not in board.legal_moves
        with pytest.raises(ValueError, match=rf"^move: {move} is not legal in 'rnbq"):
            board.push(move)
    assert board.fen() == before
    assert board.move_stack == []
    for number in (-1, 1 << 16, 1 << 70):
        assert number not in board.legal_moves
    for take in (board.pop, board.peek):
        with pytest.raises(IndexError, match="no move has been made"):
            take()


def test_the_null_move_does_not_leave_a_check() -> None:
    board = Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    with pytest.raises(ValueError, match="null move: the king is in check"):
        board.push(Move.null())


@pytest.mark.parametrize("text", ["e2e4", None, 1.5, [12, 28]])
def test_what_is_no_move_may_not_be_pushed(text: object) -> None:
    board = Board()
    with pytest.raises((TypeError, ValueError), match="move"):
        board.push(text)  # type: ignore[arg-type]
    assert board == Board()
    assert board.move_stack == []


def test_the_word_of_a_move_will_do() -> None:
    board = Board()
    word = 12 | 28 << 6
    assert word in board.legal_moves
    assert board.is_legal(word)
    board.push(word)
    assert board.piece_at(28) == "P"
    assert board.pop() is Move(word)


def test_names_of_all_squares() -> None:
    assert [Move.of(square, square ^ 1).uci()[:2] for square in range(64)] == list(SQUARE_NAMES)
