"""The row of a board: what copies and history share, and what survives copying and pickling."""

import copy
import pickle
import random
import subprocess
import sys
import threading
import typing

import chess
import pytest

from rookery.board import copying, listing, placing, playing, rights, rows, setup
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.rules.notation.fen_reasons import LONGEST

POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 7",
    "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 12",
)


class Plain(Board):
    """A subclass whose boards have a dict."""


class Slotted(Board):
    """A subclass with a slot of its own."""

    __slots__ = ("note",)


def played(kind: type[Board], plies: int, seed: int = 0) -> Board:
    """Return a board after a random game."""
    rng, board = random.Random(seed), kind()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    return board


@pytest.mark.parametrize("fen", POSITIONS)
def test_words_of_a_row(fen: str) -> None:
    board, theirs = Board(fen), chess.Board(fen)
    words = rows.unpack(board._row)
    us, them = theirs.occupied_co[theirs.turn], theirs.occupied_co[not theirs.turn]
    assert type(board._row) is bytes
    assert len(board._row) == 8 * rows.WORDS == 112
    assert words == (
        theirs.pawns, theirs.knights, theirs.bishops | theirs.queens, theirs.rooks | theirs.queens, theirs.kings,
        us, them, theirs.castling_rights, 1 << theirs.ep_square if theirs.ep_square else 0, not theirs.turn,
        theirs.halfmove_clock, 0, theirs.fullmove_number, 0,
    )  # fmt: skip
    assert board.words().tolist() == [*words[:10], 0, 0, 0, 0]
    assert rows.packed(words) == board._row == rows.row_of(words[:10], words[10], words[12])


def test_history_holds_the_rows_themselves() -> None:
    board = Board()
    start = board._row
    board.push_san("e4")
    after = board._row
    board.push_san("c5")
    assert [row is kept for row, kept in zip(board._history, (start, after), strict=True)] == [True, True]
    board.pop()
    assert board._row is after
    board.pop()
    assert board._row is start
    assert not board._history


def test_an_entry_of_the_history_is_one_row() -> None:
    board = played(Board, 40)
    assert {(type(row), len(row)) for row in board._history} == {(bytes, 112)}


@pytest.mark.parametrize("kind", [Board, Plain, Slotted])
def test_copies_share_rows(kind: type[Board]) -> None:
    board = played(kind, 30)
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert type(other) is kind
        assert other._row is board._row
        assert all(ours is theirs for ours, theirs in zip(board._history, other._history, strict=True))
        assert other._history is not board._history
    short = board.copy(stack=4)
    assert (short._row is board._row, short.move_stack) == (True, board.move_stack[-4:])
    assert board.root()._row is board._history[0]


@pytest.mark.parametrize("kind", [Board, Plain, Slotted])
@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_pickles(kind: type[Board], protocol: int) -> None:
    board = played(kind, 50, seed=1)
    again = pickle.loads(pickle.dumps(board, protocol))
    assert type(again) is kind
    assert (again, again.key, again.move_stack) == (board, board.key, board.move_stack)
    assert (again._row, again._history, again.chess960) == (board._row, board._history, board.chess960)
    while board.move_stack:
        assert again.pop() is board.pop()
    assert again == board == kind()


def test_moves_that_led_here_are_kept_with_their_kind() -> None:
    board = Board("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1")
    words = []
    for text in ("e5d6", "e8g8", "b7a8q", "g8g7", "e1c1", "0000"):
        move = Move.from_uci(text)
        words.append(board.move_word(move))
        board.push(move)
        assert rows.unpack(board._row)[rows.MOVE] == words[-1]
        assert board.peek() is move
    assert [word >> 14 for word in words] == [2, 3, 1, 0, 3, 0]
    assert [move.uci() for move in board.move_stack] == ["e5d6", "e8g8", "b7a8q", "g8g7", "e1c1", "0000"]


def test_chess960_moves_are_taken_back_in_their_form() -> None:
    board = Board("4k3/8/8/8/8/8/8/4K2R w H - 0 1", chess960=True)
    castling = board.parse_uci("e1h1")
    board.push(castling)
    assert board.move_stack == [castling]
    assert board.pop() is castling


def test_assigning_the_turn_twice_restores_the_row() -> None:
    board = Board(POSITIONS[2])
    before = board._row
    board.turn = not board.turn
    assert rows.unpack(board._row)[rows.EN_PASSANT] == 0
    assert Board.from_words(board.words().tolist()).words().tolist() == board.words().tolist()
    board.turn = not board.turn
    assert board._row == before


def test_rows_are_compared_by_legal_captures_en_passant() -> None:
    """The square that a pawn jumped over counts only where it can be captured there."""
    board, theirs = Board(), chess.Board()
    line = "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1".split()
    for text in line:
        board.push_uci(text)
        theirs.push_uci(text)
        for count in (2, 3):
            assert board.is_repetition(count) == theirs.is_repetition(count), (text, count)
    assert board.repetitions() == 3
    pinned = Board("8/8/8/K2pP2r/8/8/8/7k w - d6 0 2")
    assert pinned == Board("8/8/8/K2pP2r/8/8/8/7k w - - 0 2")
    assert Board("7k/8/8/K2pP3/8/8/8/8 w - d6 0 2") != Board("7k/8/8/K2pP3/8/8/8/8 w - - 0 2")


def test_one_board_is_read_by_threads_while_others_copy_it() -> None:
    board = played(Board, 60, seed=2)
    expected = (board.fen(), list(board.legal_moves), board.key, board.move_stack, board.repetitions())
    wrong: list[object] = []
    begin = threading.Barrier(8)

    def read() -> None:
        begin.wait()
        for _ in range(100):
            found = (board.fen(), list(board.legal_moves), board.key, board.move_stack, board.repetitions())
            if found != expected:
                wrong.append(found)

    def change_copies() -> None:
        begin.wait()
        for _ in range(100):
            other = board.copy()
            taken = [other.pop() for _ in range(10)]
            for move in reversed(taken):
                other.push(move)
            other.turn = other.turn
            if (other, other._history) != (board, board._history):
                wrong.append(other)

    threads = [threading.Thread(target=work) for work in (read, change_copies) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_boards_and_moves_import_neither_numpy_nor_numba() -> None:
    code = """
import sys
import rookery.board.board, rookery.board.moves
print(sorted({"numpy", "numba", "llvmlite", "click", "rich", "rookery.rules.position"} & sys.modules.keys()))
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_counters_hold_what_a_fen_can_hold() -> None:
    assert rows.MOST_COUNTED == 10**LONGEST - 1


def test_functions_name_classes_that_their_modules_know() -> None:
    """Annotations name `Board`, which the modules of its functions cannot import."""
    for function in (playing.push, placing.piece_at, copying.copy, setup.set_fen, listing.legal_moves, rights.set_turn):
        assert typing.get_type_hints(function)["board"] in (Board, copying.B)
