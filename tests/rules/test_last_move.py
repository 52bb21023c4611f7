"""Strict positions: a check that no last move can have given is refused, and nothing that a game reaches."""

import random
from collections.abc import Iterator

import chess
import pytest

from rookery.board.board import Board
from rookery.board.moves import Move

IMPOSSIBLE = chess.STATUS_IMPOSSIBLE_CHECK | chess.STATUS_TOO_MANY_CHECKERS
NOT_BOTH = "no single move can have given both"


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("8/8/N7/2k5/N7/8/8/3K4 b - - 0 1", f"check from a4 and a6: {NOT_BOTH}"),  # two knights
        ("8/8/2k5/1P1P4/8/8/8/3K4 b - - 0 1", f"check from b5 and d5: {NOT_BOTH}"),  # two pawns
        ("8/8/2k5/1P6/1N6/8/8/3K4 b - - 0 1", f"check from b4 and b5: {NOT_BOTH}"),  # pawn and knight
        ("1N6/8/2k5/8/8/8/8/2R1K3 b - - 0 1", f"check from c1 and b8: {NOT_BOTH}"),  # not from the rook's file
        (
            "8/8/2k5/8/8/8/8/2R1K2B b - - 0 1",
            f"check from c1 and h1: {NOT_BOTH}",
        ),  # sliders
        ("4k1Q1/8/8/8/8/8/8/4RK2 b - - 0 1", f"check from e1 and g8: {NOT_BOTH}"),  # on e6 the queen gave check already
        ("8/8/2k1R3/8/4R3/8/8/4K3 b - - 0 1", None),  # one rook checks
        ("2R5/8/2k1R3/8/8/8/8/4K3 b - - 0 1", f"check from e6 and c8: {NOT_BOTH}"),  # two rooks
        ("R1k1R3/8/8/8/8/8/8/4K3 b - - 0 1", "two pieces on one line cannot both have come to give it"),
        ("8/8/2k1R3/8/B7/8/1N6/2R1K3 b - - 0 1", "no move gives check with three pieces"),
        ("8/8/8/8/8/3k4/4P3/4K3 b - - 0 1", "check from e2: no move can have given it"),  # no pawn comes to e2
        ("8/8/8/8/R3P2k/8/8/4K3 b - e3 0 1", "before the pawn's jump to e4 black was in check, and white to move"),
        ("8/8/8/8/4P3/5k2/8/4K2B b - e3 0 1", "check from h1: the pawn's jump to e4 cannot have opened it"),
        # What a game reaches.
        ("3k4/8/8/6B1/8/8/8/3RK3 b - - 0 1", None),  # Bd2-g5
        ("3k4/8/4N3/8/8/8/8/3RK3 b - - 0 1", None),  # Nd4-e6
        ("8/8/2k5/N7/8/8/8/2R1K3 b - - 0 1", None),  # Nc4-a5
        ("5k2/6P1/8/8/8/8/8/4KR2 b - - 0 1", None),  # f6xg7
        ("3Q1k2/8/8/8/8/8/8/4K3 b - - 0 1", None),
        ("3Nk3/8/2B5/8/8/8/8/4K3 b - - 0 1", None),
        ("2Q1k3/8/8/8/8/7B/8/4K3 b - - 0 1", None),
        ("4N3/2k4R/8/8/8/8/8/4K3 b - - 0 1", None),  # e7-e8 became a knight, and opened the rook's way
        ("3k1Q2/8/8/8/7B/8/8/4K3 b - - 0 1", f"check from h4 and f8: {NOT_BOTH}"),  # on e7 the pawn gave check already
        ("2k2R2/4P3/8/8/8/8/8/4K3 b - - 0 1", None),
        ("8/8/8/8/8/8/PPPPPPPP/2k2RK1 b - - 0 1", None),  # only castling gave it
        ("8/8/8/8/8/8/PPPP1PPP/2k1QRK1 b - - 0 1", None),
        ("8/5k2/3P4/8/8/1B6/8/K7 b - - 0 1", None),  # e5xd6 in passing opened it
        ("8/4k3/3P4/8/8/8/8/K3R3 b - - 0 1", None),  # pawn and rook, by the same capture
        ("8/8/3P1k2/8/8/8/1B6/K4R2 b - - 0 1", f"check from f1 and b2: {NOT_BOTH}"),
        ("8/3k4/8/8/4P3/8/8/K7 b - - 0 1", None),
        ("8/8/8/3k4/4P3/8/8/K7 b - - 0 1", None),
        ("8/8/8/3k4/4P3/8/8/K7 b - e3 0 1", None),
    ],
)
def test_checks(fen: str, reason: str | None) -> None:
    board = Board.unchecked(fen)
    for one in (board, board.mirror()):
        printed = [fault for fault in one.status() if fault.strict]
        assert len(printed) == (reason is not None), printed
        assert all(fault.strict for fault in one.status())
        assert one.is_valid() == (reason is None)
        plain = one.fen(en_passant="fen")
        assert Board(plain) == one  # it can be played on
        if reason is None:
            assert Board(plain, strict=True) == one
        else:
            with pytest.raises(ValueError, match="check"):
                Board(plain, strict=True)
    assert reason is None or reason in str(board.status()[0])


def double_checks(board: Board, moves: list[Move]) -> list[Move]:
    """Those moves that uncover a check and give another."""
    found = []
    discoverers = board.discoverers(board.turn)
    for move in moves:
        if move.from_square in discoverers or board.is_en_passant(move) or move.promotion:
            board.push(move)
            if len(board.checkers()) > 1:
                found.append(move)
            board.pop()
    return found


def games(seed: int, number: int) -> Iterator[Board]:
    """Boards of random games, classical and Chess960, that like to give check."""
    rng = random.Random(seed)
    while number > 0:
        board = Board.from_chess960_pos(rng.randrange(960)) if rng.random() < 0.5 else Board()
        for _ in range(rng.choice((60, 150, 300))):
            moves = board.generate_legal_moves()
            if not moves:
                break
            how = rng.random()
            chosen = double_checks(board, moves)
            if not chosen and how < 0.3:
                chosen = board.generate_checks()
            elif not chosen and how < 0.5:
                chosen = [m for m in moves if board.is_castling(m) or board.is_en_passant(m) or m.promotion]
            board.push(rng.choice(chosen or moves))
            yield board
            number -= 1


def no_game_is_refused(seed: int, number: int) -> None:
    checks = double = jumps = 0
    for board in games(seed, number):
        assert board.is_valid(), (board.fen(en_passant="fen"), board.peek())
        assert board.status() == []
        plain = board.fen(shredder=True, en_passant="fen")
        Board(plain, strict=True)
        without_rights = Board.unchecked(" ".join([*plain.split()[:2], "-", *plain.split()[3:]]))
        assert not [fault for fault in without_rights.status() if "check" in fault.reason]
        checks += board.is_check()
        double += len(board.checkers()) == 2
        jumps += board.ep_square is not None
    assert min(checks / 10, jumps / 50, double) > number / 2000


def test_positions_of_games_are_possible() -> None:
    no_game_is_refused(1, 10_000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_positions_of_games_are_possible(seed: int) -> None:
    no_game_is_refused(seed, 50_000)


def test_what_python_chess_refuses_is_refused() -> None:
    """Kings and a few pieces, scattered: theirs sees pieces on one line, three checkers and jumps of pawns."""
    rng = random.Random(5)
    theirs_refused = ours_refused = 0
    for _ in range(6000):
        board = chess.Board(None)
        signs = ["K", "k", *rng.choices("PNBRQ", k=rng.randrange(2, 6)), *rng.choices("pnbrq", k=rng.randrange(3))]
        for sign, square in zip(signs, rng.sample(range(8, 56), len(signs)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(sign))
        board.turn = chess.BLACK
        jumped = [s - 8 for s in board.pieces(chess.PAWN, chess.WHITE) if s >> 3 == 3]
        if jumped and rng.random() < 0.5:
            board.ep_square = rng.choice(jumped)
        if board.status() & ~IMPOSSIBLE:
            continue
        ours = Board(board.fen(en_passant="fen"))
        if board.status() & IMPOSSIBLE:
            theirs_refused += 1
            assert not ours.is_valid(), ours
        ours_refused += not ours.is_valid()
        assert ours.is_valid() == (ours.status() == [])
        # One checker of the pieces that move anywhere has come from somewhere.
        (checker,) = ours.checkers() if len(ours.checkers()) == 1 else (None,)
        if checker is not None and ours.kind_at(checker) != "p" and board.ep_square is None and len(signs) < 5:
            assert ours.is_valid(), ours
    assert theirs_refused > 50
    assert ours_refused > 2 * theirs_refused
