"""A dozen positions against python-chess: moves, checks, pins, endings, keys, texts. They run in plain Python, too."""

import chess
import numpy as np
import pytest

from rookery import Board, Positions
from rookery.positions.queries.questions import may_check

FENS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "8/8/8/1k6/2Pp4/8/8/4K2B b - c3 0 1",
    "4k3/8/4r3/8/1b6/2N5/4B3/4K3 w - - 0 1",
    "4k3/8/8/8/8/5n2/4r3/4K3 w - - 0 1",
    "4R1k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 99 80",
    "7k/8/8/3Q4/1Q6/8/3Q1Q2/K7 w - - 0 1",
)
BOARDS = [chess.Board(fen) for fen in FENS]


@pytest.fixture
def positions() -> Positions:
    return Positions.from_fens(FENS)


def after(board: chess.Board, move: chess.Move) -> chess.Board:
    played = board.copy(stack=False)
    played.push(move)
    return played


def test_checks_and_endings(positions: Positions) -> None:
    assert positions.legal_move_counts().tolist() == [board.legal_moves.count() for board in BOARDS]
    assert positions.is_check().tolist() == [board.is_check() for board in BOARDS]
    assert positions.is_checkmate().tolist() == [board.is_checkmate() for board in BOARDS]
    assert positions.is_stalemate().tolist() == [board.is_stalemate() for board in BOARDS]
    assert positions.checkers().tolist() == [int(board.checkers()) for board in BOARDS]


@pytest.mark.parametrize(("side", "colour"), [("white", chess.WHITE), ("black", chess.BLACK)])
def test_pins(positions: Positions, side: str, colour: chess.Color) -> None:
    pinned = [
        sum(1 << square for square in chess.SquareSet(board.occupied_co[colour]) if board.is_pinned(colour, square))
        for board in BOARDS
    ]
    assert positions.pinned(side=side).tolist() == pinned  # type: ignore[arg-type]


def test_moves_and_their_texts(positions: Positions) -> None:
    moves = positions.legal_moves()
    for i, board in enumerate(BOARDS):
        words = moves[i]
        alone = positions[[i] * len(words)]
        by_uci = dict(zip(alone.uci(words).tolist(), alone.san(words).tolist(), strict=True))
        assert by_uci == {move.uci(): board.san(move) for move in board.legal_moves}
        assert alone.parse_san(list(by_uci.values())).tolist() == words.tolist()


@pytest.mark.parametrize("board", BOARDS, ids=chess.Board.board_fen)
def test_positions_after_moves(board: chess.Board) -> None:
    parent = Positions.from_fens([board.fen()])
    moves = parent.legal_moves()
    parents = parent[np.zeros(moves.moves.size, int)]
    played = parents.play(moves.moves)
    boards = [after(board, chess.Move.from_uci(text)) for text in parents.uci(moves.moves).tolist()]
    fens = [Board(one.fen(en_passant="fen")).fen() for one in boards]
    assert played.to_fens() == fens
    assert played.keys().tolist() == [Board(fen).key for fen in fens]
    checks = [one.is_check() for one in boards]
    assert played.is_check().tolist() == checks
    maybe = np.empty(moves.moves.size, np.bool_)
    may_check(parent.columns, moves.offsets, moves.moves, maybe)
    assert all(maybe[checks])


def test_texts_and_tables(positions: Positions) -> None:
    assert positions.to_fens() == [Board(fen).fen() for fen in FENS]
    assert Positions.from_fens(positions.to_fens()) == positions
    assert Positions.from_boards([Board(fen) for fen in FENS]) == positions
    again = Positions.concatenate([positions, positions[::-1]])
    assert len(again.unique()) == len(set(FENS))
    assert positions["pawns"].tolist() == [board.pawns for board in BOARDS]
    assert positions["kings"].tolist() == [board.kings for board in BOARDS]
    assert positions["diagonals"].tolist() == [board.bishops | board.queens for board in BOARDS]
    assert positions["white"].tolist() == [board.occupied_co[chess.WHITE] for board in BOARDS]


def test_moves_that_cannot_give_check_are_not_named() -> None:
    start = Positions.from_fens([chess.STARTING_FEN])
    moves = start.legal_moves()
    maybe = np.ones(20, np.bool_)
    may_check(start.columns, moves.offsets, moves.moves, maybe)
    assert not maybe.any()
