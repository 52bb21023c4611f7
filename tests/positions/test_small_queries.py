"""Queries of a few dozen positions against python-chess and boards; they run in plain Python, too.

The tests of many thousands of positions judge the machine code; these are quick where kernels run as Python.
"""

from typing import Any, Final

import chess
import numpy as np
import pytest

from rookery import Board, Positions
from rookery.aliases import PolicyLayout
from rookery.positions.positions import Positions as Array
from scattered import FAMILIES, scattered
from small_positions import SMALL
from test_few_positions import FENS
from test_planes import ALL, CONSTANT, definition, plane
from test_policy import LAYOUTS, index_of
from test_positions_queries import discovered_by, pinners_of

BOTH_ENDS: Final = (
    "3R4/8/8/3k4/3R4/8/8/K7 b - - 0 1",
    "8/8/8/2RkR3/8/8/8/K7 b - - 0 1",
    "8/8/2B5/3k4/4B3/8/8/K7 b - - 0 1",
    "8/8/4B3/3k4/2B5/8/8/K7 b - - 0 1",
    "k7/8/8/8/8/8/8/5qKq w - - 0 1",
)


def pieces_anywhere() -> list[str]:
    """Return a few boards of each family whose side that is not to move is not in check."""
    found = []
    for family in FAMILIES:
        if family != "kings":
            some = scattered(FAMILIES[family], 40, 3)
            found += some[some.checkers("them") == 0][:4].to_fens(en_passant="fen")
    return found


@pytest.fixture(scope="module")
def boards() -> list[chess.Board]:
    boards = [chess.Board(fen) for fen in (*FENS, *SMALL, *BOTH_ENDS, *pieces_anywhere())]
    assert 45 < len(boards) < 70
    return boards


@pytest.fixture(scope="module")
def positions(boards: list[chess.Board]) -> Array:
    return Positions.from_fens([board.fen(en_passant="fen") for board in boards])


KINDS: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")
SIDES: Final = ("us", "them", "white", "black")


def colour(board: chess.Board, side: str) -> chess.Color:
    return {"us": board.turn, "them": not board.turn, "white": chess.WHITE, "black": chess.BLACK}[side]


def attacks(board: chess.Board, side: str, kind: int) -> int:
    found = 0
    for square in board.pieces(kind, colour(board, side)):
        found |= board.attacks_mask(square)
    return found


@pytest.mark.parametrize("side", SIDES)
def test_attacks(boards: list[chess.Board], positions: Array, side: Any) -> None:
    by_kind = [[attacks(board, side, kind) for board in boards] for kind in chess.PIECE_TYPES]
    for kind, name in enumerate(KINDS):
        assert positions.attacks(side, name).tolist() == by_kind[kind]  # type: ignore[arg-type]
    assert positions.attacks(side).tolist() == np.bitwise_or.reduce(np.array(by_kind, np.uint64)).tolist()
    if side == "white":
        assert positions.attack_maps()[:6].tolist() == by_kind
    if side == "black":
        assert positions.attack_maps()[6:].tolist() == by_kind
    counts = [[len(board.attackers(colour(board, side), square)) for square in chess.SQUARES] for board in boards]
    assert positions.attack_counts(side).tolist() == counts


@pytest.mark.parametrize("side", SIDES)
def test_mobility(boards: list[chess.Board], positions: Array, side: Any) -> None:
    def mobility(board: chess.Board, kind: int) -> int:
        own = colour(board, side)
        return sum(len(board.attacks(s) - board.occupied_co[own]) for s in board.pieces(kind, own))

    expected = [[mobility(board, kind) for board in boards] for kind in chess.PIECE_TYPES]
    assert positions.mobility(side=side).tolist() == expected
    for kind, name in enumerate(KINDS):
        assert positions.mobility(name, side=side).tolist() == expected[kind]  # type: ignore[arg-type]


def reached(board: chess.Board, own: chess.Color, kind: int, moves: int) -> int:
    """Return where some pieces of a kind get in a number of moves, by moving each alone on python-chess."""
    squares = set(board.pieces(kind, own))
    found: set[int] = set()
    for _ in range(moves):
        following = set()
        for square in squares:
            alone = board.copy(stack=False)
            alone.set_piece_at(square, chess.Piece(kind, own))
            following |= set(alone.attacks(square) - board.occupied_co[own])
        found |= following
        squares = {square for square in following if not board.occupied >> square & 1}
    return sum(1 << square for square in found)


@pytest.mark.parametrize("moves", [1, 2, 3])
@pytest.mark.parametrize("name", ["bishop", "rook", "queen"])
def test_squares_reached_in_several_moves(boards: list[chess.Board], positions: Array, name: Any, moves: int) -> None:
    for side in ("us", "black"):
        expected = [reached(board, colour(board, side), KINDS.index(name) + 1, moves) for board in boards]
        found = positions.progressive_mobility(name, moves, side=side)
        assert found.tolist() == expected


def test_checks_pins_and_dangers(boards: list[chess.Board], positions: Array) -> None:
    for side, other in (("us", "them"), ("them", "us")):
        danger = []
        for board in boards:
            bare = board.copy(stack=False)
            bare.remove_piece_at(board.king(colour(board, side)) or 0)
            danger.append(sum(1 << s for s in chess.SQUARES if bare.is_attacked_by(colour(board, other), s)))
        assert positions.king_danger(side).tolist() == danger  # type: ignore[arg-type]
        pinners = [pinners_of(board, colour(board, side)) for board in boards]
        assert positions.pinners(side).tolist() == pinners  # type: ignore[arg-type]
        discoverers = [discovered_by(board, colour(board, side)) for board in boards]
        assert positions.discoverers(side).tolist() == discoverers  # type: ignore[arg-type]
    assert positions.checkers().tolist() == [int(board.checkers()) for board in boards]
    assert positions.legal_move_counts().tolist() == [board.legal_moves.count() for board in boards]
    assert positions.is_check().tolist() == [board.is_check() for board in boards]
    assert positions.is_checkmate().tolist() == [board.is_checkmate() for board in boards]
    assert positions.is_stalemate().tolist() == [board.is_stalemate() for board in boards]


def line_of(pin: int) -> str:
    """Return the name of the line that a pin is on."""
    low, high = chess.lsb(pin), chess.msb(pin)
    files = chess.square_file(high) - chess.square_file(low)
    ranks = chess.square_rank(high) - chess.square_rank(low)
    return "file" if not files else "rank" if not ranks else "diagonal" if files > 0 else "antidiagonal"


@pytest.mark.parametrize("line", ["file", "rank", "diagonal", "antidiagonal"])
def test_pins_on_each_line(boards: list[chess.Board], positions: Array, line: Any) -> None:
    for side in ("us", "them"):
        expected = []
        for board in boards:
            own = colour(board, side)
            squares = [s for s in chess.SquareSet(board.occupied_co[own]) if board.is_pinned(own, s)]
            squares = [s for s in squares if s != board.king(own) and line_of(int(board.pin(own, s))) == line]
            expected.append(sum(1 << s for s in squares))
        assert positions.pinned(side, line).tolist() == expected


def test_lists_of_moves(boards: list[chess.Board], positions: Array) -> None:
    moves, captures = positions.legal_moves(), positions.captures()
    for i, board in enumerate(boards):
        texts = positions[[i] * len(moves[i])].uci(moves[i]).tolist()
        assert sorted(texts) == sorted(move.uci() for move in board.legal_moves)
        loud = positions[[i] * len(captures[i])].uci(captures[i]).tolist()
        expected = [move.uci() for move in board.legal_moves if board.is_capture(move) or move.promotion]
        assert sorted(loud) == sorted(expected)


def test_pieces_of_moves(boards: list[chess.Board], positions: Array) -> None:
    moves = positions.legal_moves()
    moving, captured = positions.moving_pieces(moves).tolist(), positions.captured_pieces(moves).tolist()
    i = 0
    for number, board in enumerate(boards):
        for text in positions[[number] * len(moves[number])].uci(moves[number]).tolist():
            move = chess.Move.from_uci(text)
            assert moving[i] == board.piece_type_at(move.from_square)
            taken = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square) or 0
            assert captured[i] == (0 if board.is_castling(move) else taken)
            i += 1


THIRDS: Final = pytest.mark.parametrize("third", [0, 1, 2])


@THIRDS
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_planes(boards: list[chess.Board], positions: Array, dtype: Any, third: int) -> None:
    planes = positions[third::3].planes(ALL, dtype=dtype)
    for i, board in enumerate(boards[third::3]):
        expected = definition(board, dtype)
        for k, name in enumerate(ALL):
            assert np.allclose(planes[i, k], plane(name, expected[name], board.turn)), (name, board.fen())
    assert set(ALL) > CONSTANT


@THIRDS
@pytest.mark.parametrize("layout", LAYOUTS)
def test_policies(boards: list[chess.Board], positions: Array, layout: PolicyLayout, third: int) -> None:
    positions = positions[third::3]
    mask = positions.policy_mask(layout)
    for i, board in enumerate(boards[third::3]):
        fen = board.fen(en_passant="fen", shredder=True)
        peer = chess.Board(fen, chess960=True)  # so that castling is king takes rook
        expected = [index_of(layout, move, peer.turn, peer.is_castling(move)) for move in peer.legal_moves]
        assert np.flatnonzero(mask[i]).tolist() == sorted(e for e in expected if e is not None)
    moves = positions.legal_moves()
    repeated = positions[np.repeat(np.arange(len(positions)), np.diff(moves.offsets))]
    index = repeated.policy_index(moves.moves, layout)
    rows = np.repeat(np.arange(len(positions)), np.diff(moves.offsets))
    assert mask[rows, index].all()
    assert repeated.policy_moves(index, layout).tolist() == moves.moves.tolist()


@THIRDS
def test_validity_and_outcomes(positions: Array, third: int) -> None:
    positions = positions[third::3]
    boards = list(positions)
    assert positions.is_valid().tolist() == [board.is_valid() for board in boards]
    for claim_draw in (False, True):
        found = positions.outcomes(claim_draw=claim_draw)
        for board, outcome, termination in zip(boards, found.outcome, found.termination, strict=True):
            expected = board.outcome(claim_draw=claim_draw)
            assert (termination != 0) == (expected is not None)
            assert outcome == (0 if expected is None or expected.winner is None else 1 if expected.winner else -1)


def test_random_games_follow_the_rules() -> None:
    starts = Positions.from_fens([*SMALL[:4], "8/8/8/8/8/1k6/8/K6R w - - 90 100", "7k/8/8/8/8/8/8/KB5R w - - 0 1"])
    games = starts.rollouts(5, max_plies=30, moves=True)
    assert games.moves is not None
    for start, moves, plies, final in zip(starts, games.moves, games.plies, games.final, strict=True):
        board = chess.Board(start.fen(en_passant="fen"))
        for text in Positions.from_boards([start])[[0] * len(moves)].uci(moves).tolist():
            assert not board.is_game_over()
            board.push(chess.Move.from_uci(text))
        assert plies == len(moves)
        assert final.fen(en_passant="fen") == board.fen(en_passant="fen")
        assert plies == 30 or board.is_game_over(claim_draw=False) or board.is_fifty_moves() or board.is_repetition(3)


def test_drawn_moves_are_legal(positions: Array) -> None:
    drawn, legal = positions.random_moves(3), positions.legal_moves()
    for word, moves in zip(drawn.tolist(), legal, strict=True):
        assert word in moves.tolist() if moves.size else word == 0
    assert len({*drawn.tolist()}) > 20


def test_keys_and_equal_positions(positions: Array) -> None:
    assert positions.keys().tolist() == [board.key for board in positions]
    again = Positions.concatenate([positions, positions[::-1]])
    distinct, group = again.unique(return_inverse=True)
    assert len(distinct) == len({board.fen() for board in positions})
    assert distinct[group] == again
    assert Board(FENS[0]).key == positions.keys()[0]
