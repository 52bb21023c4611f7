"""Boards given to python-chess, compared with boards that python-chess makes by itself from the same game."""

import sys
from typing import Any

import chess
import pytest

from rookery.board.board import Board
from test_like_python_chess import pairs

# Every public attribute of a chess.Board.
STATE = (
    "pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied_co", "occupied", "promoted", "turn",
    "castling_rights", "ep_square", "halfmove_clock", "fullmove_number", "chess960", "move_stack",
)  # fmt: skip


def state(board: chess.Board) -> list[Any]:
    return [getattr(board, name) for name in STATE]


def test_the_attributes_are_all_that_a_board_has() -> None:
    assert {name for name in vars(chess.Board()) if name[0] != "_"} == set(STATE)


def test_each_attribute_is_what_python_chess_has_after_the_same_moves() -> None:
    promoted = castled = passing = 0
    for ours, theirs in pairs():
        expected = chess.Board(theirs.root().fen(en_passant="fen", shredder=theirs.chess960), chess960=theirs.chess960)
        for move in theirs.move_stack:
            castled += expected.is_castling(move)
            passing += expected.is_en_passant(move)
            expected.push(move)
        promoted += bool(expected.promoted)
        given = ours.to_chess()
        assert type(given) is chess.Board
        assert state(given) == state(expected)
        assert all(type(move) is chess.Move for move in given.move_stack)
        assert given.ply() == ours.ply()
        while given.move_stack:  # the states before each move are those of python-chess, too
            assert given.pop() == expected.pop()
            assert state(given) == state(expected)
    assert min(promoted, castled, passing) > 20


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",  # no capture is possible there
        "4k3/8/8/8/8/8/8/R3K2R b Q - 12 77",
        "8/8/8/8/8/8/8/8 b - - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    ],
)
def test_positions_without_moves(fen: str) -> None:
    ours = Board.unchecked(fen)
    theirs = chess.Board(fen, chess960=ours.chess960)
    assert state(ours.to_chess()) == state(theirs)
    assert state(ours.copy().to_chess(chess.Board)) == state(theirs)


def test_null_moves() -> None:
    ours, theirs = Board(), chess.Board()
    for san in ("e4", "--", "d4", "--"):
        ours.push_san(san)
        theirs.push_san(san)
    assert state(ours.to_chess()) == state(theirs)
    assert Board.from_chess(theirs) == ours
    assert Board.from_chess(theirs).move_stack == ours.move_stack


def test_a_copy_shares_nothing() -> None:
    ours = Board()
    ours.push_san("e4")
    first, second = ours.to_chess(), ours.to_chess()
    first.push_san("e5")
    first.remove_piece_at(chess.A1)
    first.move_stack.clear()
    assert state(second) == state(ours.to_chess())
    assert ours.move_stack == [ours.peek()]


class Counting(chess.Board):
    """A class of a user, with an attribute of its own and another `push`."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.pushed = 0

    def push(self, move: chess.Move) -> None:
        self.pushed += 1
        super().push(move)


def test_derived_classes() -> None:
    ours = Board()
    for san in ("e4", "e5", "Nf3"):
        ours.push_san(san)
    given = ours.to_chess(Counting)
    assert type(given) is Counting
    assert (given.pushed, given.fen()) == (3, ours.fen())


@pytest.mark.parametrize("wrong", ["x", 5, chess, chess.Board(), int, chess.BaseBoard])
def test_classes_that_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^board_class: .*: expected (chess\.Board, or|a board of python-chess)"):
        Board().to_chess(wrong)


def test_without_python_chess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(ImportError, match=r"^to_chess: expected python-chess: pip install chess$"):
        Board().to_chess()
