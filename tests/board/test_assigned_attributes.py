"""Attributes of a board that may be assigned, judged by python-chess; and what the errors of the others say."""

import copy
import pickle
import random
import re
from typing import Any

import chess
import pytest

from rookery import BLACK, Bitboard, Board, SquareSet

IN_CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def same_moves(ours: Board, theirs: chess.Board) -> None:
    assert sorted(ours.uci(move) for move in ours.legal_moves) == sorted(move.uci() for move in theirs.legal_moves)
    assert ours.legal_moves.count() == ours.count_legal_moves() == theirs.legal_moves.count()
    assert sorted(ours.uci(move) for move in ours.pseudo_legal_moves) == sorted(
        move.uci() for move in theirs.pseudo_legal_moves
    )


@pytest.mark.parametrize("seed", range(20))
def test_the_other_side_s_moves_are_those_of_python_chess(seed: int) -> None:
    rng = random.Random(seed)
    theirs = chess.Board() if seed % 3 else chess.Board.from_chess960_pos(rng.randrange(960))
    ours = Board.from_chess(theirs)
    in_check = jumped = 0
    while not theirs.is_game_over() and theirs.ply() < 120:
        moves = list(theirs.legal_moves)
        checks = [move for move in moves if theirs.gives_check(move)]
        move = rng.choice(checks if checks and rng.random() < 0.4 else moves)
        theirs.push(move)
        ours.push_uci(move.uci())
        before, row, status = ours.fen(en_passant="fen"), ours.words().tolist(), ours.status()
        in_check += theirs.is_check()
        jumped += theirs.ep_square is not None
        for board in (ours, theirs):
            board.turn = not board.turn
        assert ours.turn == theirs.turn
        assert ours.is_check() == theirs.is_check()
        assert ours.is_checkmate() == theirs.is_checkmate()
        assert ours.fen() == theirs.fen()
        same_moves(ours, theirs)
        for board in (ours, theirs):
            board.turn = not board.turn
        assert ours.fen(en_passant="fen") == before == theirs.fen(en_passant="fen")
        assert (ours.words().tolist(), ours.status()) == (row, status)
        same_moves(ours, theirs)
    assert jumped
    assert in_check


def test_mobility_in_check() -> None:
    """What programs do to count the moves of both sides."""
    board, theirs = Board(IN_CHECK), chess.Board(IN_CHECK)
    counts = []
    for one in (board, theirs):
        one.turn = not one.turn
        counts.append(one.legal_moves.count())
        one.turn = not one.turn
    assert counts == [18, 18]
    assert board == Board(IN_CHECK)
    board.turn = BLACK
    assert [fault.reason for fault in board.status()] == ["black is to move, but white's king is in check from e2"]
    assert not board.is_valid()


@pytest.mark.parametrize("again", [Board.copy, copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))])
def test_copies_turn_back_with_the_en_passant_square(again: Any) -> None:
    fen = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"
    board = Board(fen)
    board.turn = "white"
    other = again(board)
    assert other.ep_square is None
    other.turn = False
    assert other.fen() == fen
    board.push_san("Kd1")
    board.turn = not board.turn
    assert board.ep_square is None, "a move has been made since"
    board.turn = not board.turn
    board.pop()
    board.turn = not board.turn
    assert board.fen() == fen
    board.turn = not board.turn
    board.remove_piece_at(28)
    board.turn = not board.turn
    assert board.fen() == "4k3/8/8/8/3p4/8/8/4K3 b - - 0 1"


@pytest.mark.parametrize("value", [None, 2, 0, "w", "weiss", [True]])
def test_a_turn_is_a_colour(value: Any) -> None:
    board = Board()
    with pytest.raises((TypeError, ValueError), match=r"^turn: .*: expected"):
        board.turn = value
    assert board == Board()


@pytest.mark.parametrize("rights", [0, 1, 1 << 7, 1 << 56 | 1, 1 << 63 | 1 << 7 | 1])
def test_castling_rights_that_are_assigned(rights: int) -> None:
    ours, theirs = Board(ROOKS), chess.Board(ROOKS)
    ours.castling_rights = SquareSet(rights)
    theirs.castling_rights = rights
    assert ours.fen() == theirs.fen()
    same_moves(ours, theirs)
    assert ours.castling_rights == rights
    assert isinstance(ours.castling_rights, Bitboard)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1 << 28, "castling_rights: e4: expected rooks on the back rank"),
        (1 << 4, "castling_rights: e1: expected rooks"),
        (1 << 1 | 1, "castling_rights: b1: expected rooks"),
        ("KQ", "castling_rights: 'KQ': expected a board"),
        (-1, "castling_rights: -1 is outside"),
    ],
)
def test_castling_rights_that_cannot_be(value: Any, message: str) -> None:
    board = Board(ROOKS)
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(message)}"):
        board.castling_rights = value
    assert board == Board(ROOKS)


def test_rights_of_chess960_only() -> None:
    fen = "4k3/8/8/8/8/8/8/1R2K3 w - - 0 1"
    board = Board(fen)
    with pytest.raises(ValueError, match=r"^castling_rights: b1: only Chess960 has these rights: set chess960 first"):
        board.castling_rights = 1 << 1
    board.chess960 = True
    board.castling_rights = 1 << 1
    assert board.fen(shredder=True) == "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1"


def test_en_passant_squares_that_are_assigned() -> None:
    fen = "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"
    ours, theirs = Board(fen), chess.Board(fen)
    ours.ep_square = theirs.ep_square = 43
    assert ours.fen() == theirs.fen()
    same_moves(ours, theirs)
    ours.ep_square = theirs.ep_square = None
    assert ours.fen() == theirs.fen() == fen
    for square in set(range(64)) - {43}:
        with pytest.raises(ValueError, match=r"^ep_square: .*: no pawn can have jumped over it"):
            ours.ep_square = square
    others: tuple[Any, ...] = ("d6", 64, True)
    for wrong in others:
        with pytest.raises((TypeError, ValueError), match=r"^ep_square: "):
            ours.ep_square = wrong
    assert ours.fen() == fen


@pytest.mark.parametrize(
    "name", ["pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied", "placement", "move_stack"]
)
def test_what_cannot_be_assigned_says_what_to_use(name: str) -> None:
    board = Board()
    instead = "push and pop" if name == "move_stack" else "set_piece_at and set_piece_map"
    with pytest.raises(AttributeError, match=f"^{name}: cannot be assigned: {instead} change"):
        setattr(board, name, 0)
    assert board == Board()


def test_attributes_follow_the_position() -> None:
    """Machine code keeps them in slots: whatever changes the position changes them, too."""
    rng = random.Random(4)
    ours, theirs = Board(), chess.Board()
    changes: list[Any] = [
        lambda b, _: b.push(rng.choice([*b.legal_moves])) if any(b.legal_moves) else b.reset(),
        lambda b, _: b.pop() if b.move_stack else b.clear(),
        lambda b, _: b.push_uci(next(iter(b.legal_moves)).uci()) if any(b.legal_moves) else b.reset(),
        lambda b, _: b.set_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 7 300"),
        lambda b, _: b.set_piece_at(rng.randrange(64), None),
        lambda b, n: setattr(b, "halfmove_clock", n),
        lambda b, n: setattr(b, "fullmove_number", n + 1),
        lambda b, _: setattr(b, "turn", not b.turn),
        lambda b, _: setattr(b, "ep_square", None),
    ]
    made: list[Any] = [Board.copy, copy.deepcopy, lambda b: b.copy(stack=False), Board.mirror, Board.root]
    made.append(lambda b: pickle.loads(pickle.dumps(b)))
    for _ in range(3000):
        change, n = rng.choice(changes), rng.choice([0, 1, 99, 255, 256, 257, 10_000])
        change(ours, n)
        for board in (ours, rng.choice(made)(ours)):
            theirs.set_fen(board.fen(en_passant="fen"))
            found = board.turn, board.ep_square, board.halfmove_clock, board.fullmove_number
            assert found == (theirs.turn, theirs.ep_square, theirs.halfmove_clock, theirs.fullmove_number)
        ours = ours if any(ours.pieces("king", side) for side in (True, False)) else Board()
    for name in ("turn", "ep_square", "halfmove_clock", "fullmove_number"):
        with pytest.raises(AttributeError):
            delattr(ours, name)
        assert getattr(Board, name).__doc__.startswith("Return the ")


def test_a_derived_class_may_have_attributes_of_its_own() -> None:
    class Other(Board):
        @property  # type: ignore[override]
        def turn(self) -> str:
            return "mine"

        @turn.setter
        def turn(self, value: object) -> None:
            self.assigned = value

    board = Other()
    board.turn = "yours"
    assert (board.turn, board.assigned, board.halfmove_clock) == ("mine", "yours", 0)
    board.halfmove_clock = 5
    assert (board.halfmove_clock, board.fen().split()[4]) == (5, "5")
