"""The kernels behind native functions of squares, pieces and bitboards, in Python, judged by python-chess."""

import random
from typing import Any

import chess
import numpy as np
import pytest

from rookery.bitboards import machine_code
from rookery.bitboards.pieces import PIECES
from rookery.kernel import U64, wrapping
from rookery.native_methods.kinds import REFUSED, TWINS

ALL = (1 << 64) - 1
WORDS = [0, 1, 1 << 63, ALL, 0x00FF00FF00FF00FF, *(random.Random(5).getrandbits(64) for _ in range(20))]


def call(name: str, *words: int) -> int:
    """Run a kernel in Python, on words."""
    with wrapping():
        return int(getattr(machine_code, name).function(*map(U64, words))) & ALL


@pytest.mark.parametrize("a", range(0, 64, 3))
def test_squares(a: int) -> None:
    assert call("square", chess.square_file(a), chess.square_rank(a)) == a
    assert call("square_file", a) == chess.square_file(a)
    assert call("square_rank", a) == chess.square_rank(a)
    assert call("square_mirror", a) == chess.square_mirror(a)
    assert call("square_name", a) == a
    for b in range(64):
        assert call("square_distance", a, b) == chess.square_distance(a, b)
        assert call("square_manhattan_distance", a, b) == chess.square_manhattan_distance(a, b)


def parsed(text: str) -> int:
    signs = np.frombuffer(text.encode().ljust(8, b"\0"), np.uint8)
    with wrapping():
        return int(machine_code.parse_square.function(signs.astype(U64), U64(len(text))))


def test_names_of_squares() -> None:
    assert [parsed(name) for name in chess.SQUARE_NAMES] == chess.SQUARES
    for text in ("", "e", "e44", "`1", "i1", "a0", "a9", "A1", "1a", "h0", "h9", "@4"):
        assert parsed(text) == REFUSED


def test_pieces_are_numbered_from_white_s_pawn_to_black_s_king() -> None:
    for number, letter in enumerate("PNBRQKpnbrqk", 1):
        assert list(PIECES)[number - 1] == letter
        assert call("from_symbol", ord(letter)) == call("symbol", ord(letter)) == number
    for letter in "\0AOQpx@[`{\x7f 1".replace("Q", "").replace("p", ""):
        assert call("from_symbol", ord(letter)) == REFUSED
        assert call("symbol", ord(letter)) == 0
    for kind in chess.PIECE_TYPES:
        assert call("new_piece", kind, 1) == kind
        assert call("new_piece", kind, 0) == kind + 6
        assert call("piece_symbol", kind) == call("piece_name", kind) == kind


def test_boards_of_one_word() -> None:
    for board in WORDS:
        assert call("new_board", board) == board
        assert call("fill_set", 7, board) == board
        assert call("length", board) == board.bit_count()
        assert call("complement", board) == board ^ ALL
        assert bool(call("has_squares", board)) == bool(board)
        out = np.zeros(65, np.uint8)
        with wrapping():
            n = int(machine_code.squares.function(U64(board), out))
        assert out[:n].tolist() == list(chess.SquareSet(board))
        assert not out[n:].any()


def test_boards_of_two_words() -> None:
    for a in WORDS:
        for b in WORDS:
            assert call("intersection", a, b) == a & b
            assert call("union", a, b) == a | b
            assert call("difference", a, b) == a ^ b
            assert call("without", a, b) == a & ~b & ALL


def test_boards_and_squares() -> None:
    for board in WORDS:
        for square in chess.SQUARES:
            assert call("contains", board, square) == board >> square & 1
            assert call("with_square", board, square) == board | 1 << square
            assert call("without_square", board, square) == board & ~(1 << square)


def test_the_slots_of_operators_and_the_functions_that_may_refuse() -> None:
    """Wrappers have the slots and the kernels that their names say."""
    own = {name: twin for name, twin in TWINS.items() if twin.entry.function.__module__ == machine_code.__name__}
    slots = {name: twin.slot for name, twin in own.items() if twin.slot}
    assert all(slot == name.rpartition(".")[2] for name, slot in slots.items())
    assert {name for name, twin in own.items() if twin.refuses} == {"parse_square", "Piece.from_symbol"}
    assert not any(twin.tables or twin.is_getter for twin in own.values())
    assert {name for name, twin in own.items() if not twin.is_method} == {
        "square", "square_file", "square_rank", "square_mirror", "square_name", "square_distance",
        "square_manhattan_distance", "parse_square", "piece_symbol", "piece_name",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "size"), [("square", 7), ("square_file", 63), ("SquareSet.add", 63), ("Bitboard.__contains__", 63)]
)
def test_the_greatest_argument(name: str, size: int) -> None:
    arguments: Any = [kind for kind in TWINS[name].arguments if kind.name == "square"]
    assert [kind.size for kind in arguments] == [size] * len(arguments)
