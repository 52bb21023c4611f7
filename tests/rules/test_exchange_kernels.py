"""The kernels of exchanges, each called by itself, beside a search of all legal captures by python-chess."""

import random

import chess
import numpy as np
import pytest

from kernel_positions import TABLES, move_word, position_of, random_boards, rare_boards
from legal_exchanges import VALUES, lost_on, won_by
from rookery.rules import exchange, exchange_kernels, exchange_search, swap_off

FENS = (
    # Pins, checks and kings that take part.
    "4k3/8/8/8/1b6/2n5/3R4/3RK3 w - - 0 1",
    "4r1k1/8/8/3p4/4N3/5B2/8/4K3 w - - 0 1",
    "4k3/4r3/8/3pp3/3PP3/8/4Q3/4K3 w - - 0 1",
    "3rk3/8/2n5/3p4/2P1P3/5B2/8/3RK2b w - - 0 1",
    "k2r4/3q4/3r4/3p4/4N3/2N2B2/3R4/K2Q4 w - - 0 1",
    "6k1/5ppp/4p3/3b4/2B1P3/1B6/8/3Q2K1 b - - 0 1",
    "7k/1P1r4/2n5/8/8/5B2/6B1/1R5K w - - 0 1",
    "r1b3k1/1P6/8/8/8/8/1R6/1R4K1 w - - 0 1",
    "8/3k4/3p4/4P3/5K2/8/8/4R3 w - - 0 1",
    "8/8/3k4/3pP3/3K4/8/8/3R4 w - d6 0 1",
    "3q3k/3r4/3r4/3p4/2P1P3/2N5/3Q4/3R2K1 w - - 0 1",
    "k7/8/1b6/2p5/3P4/4B3/5Q2/6K1 w - - 0 1",
    "b6k/1q6/2b5/3p4/4P3/5B2/6Q1/7B w - - 0 1",
    "K2r3k/3r4/8/r2p3R/3N4/2N5/3R4/3R4 w - - 0 1",
    "4k3/3n4/8/1B2p3/3P4/4R3/8/4K3 b - - 0 1",
    "4k3/4r3/4b3/3P4/2N1R3/8/4Q3/4K3 b - - 0 1",
)


def crowded(number: int, seed: int) -> list[chess.Board]:
    """Return legal positions with many pieces around few squares."""
    rng = random.Random(seed)
    boards: list[chess.Board] = []
    while len(boards) < number:
        board = chess.Board(None)
        for i, square in enumerate(rng.sample(chess.SQUARES, rng.choice((8, 14, 22)))):
            sign = "Kk"[i] if i < 2 else rng.choice("QRBNPqrbnp" if 8 <= square < 56 else "QRBNqrbn")
            board.set_piece_at(square, chess.Piece.from_symbol(sign))
        board.turn = rng.random() < 0.5
        if not board.was_into_check() and board.legal_moves:
            boards.append(board)
    return boards


BOARDS = [*map(chess.Board, FENS), *rare_boards()[:8], *random_boards(3, 81), *crowded(24, 82)]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_legal_exchanges(board: chess.Board) -> None:
    p, space = position_of(board), exchange_search.new_space()
    moves = sorted(board.legal_moves, key=lambda move: (not board.is_capture(move), move.uci()))
    for move in moves[:12]:
        word = move_word(board, move)
        assert int(exchange.legal_exchange(p, word, space, TABLES)) == won_by(board, move)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_pieces_that_are_lost(board: chess.Board) -> None:
    p, space = position_of(board), exchange_search.new_space()
    pieces = board.occupied_co[board.turn] & ~board.kings
    board = board.copy(stack=False)
    for square in list(chess.scan_forward(pieces))[:8]:
        if board.was_into_check() or board.is_check():
            break
        lost = lost_on(board, square)
        for loss in {1, 100, 300, max(lost, 1), lost + 1}:
            found = exchange.is_lost(p, square, np.int64(loss), space, TABLES)
            assert bool(found) == (lost >= loss)


def test_values_of_pieces() -> None:
    assert swap_off.VALUES.tolist() == [0, 100, 320, 330, 500, 900, *[0] * 10]
    assert swap_off.QUEENING == 800
    assert swap_off.BACK_RANKS == chess.BB_BACKRANKS
    board = chess.Board("7k/8/8/8/8/8/8/K1QRBNP1 w - - 0 1")
    p = position_of(board)
    for squares, square in (((2, 3, 4, 5, 6), 6), ((2, 3, 4, 5), 5), ((2, 3, 4), 4), ((2, 3), 3), ((2,), 2), ((0,), 0)):
        taker = swap_off.least_valuable(p, sum(1 << one for one in squares))
        assert int(taker.piece) == 1 << square
        assert int(taker.value) == VALUES[board.piece_type_at(square) or 0]


@pytest.mark.parametrize("board", BOARDS[::3], ids=lambda board: board.fen())
def test_attackers_of_both_sides(board: chess.Board) -> None:
    p = position_of(board)
    leapers = board.pawns | board.knights | board.kings
    for square in chess.SQUARES:
        both = board.attackers_mask(True, square) | board.attackers_mask(False, square)
        assert int(swap_off.attackers_of_both(p, square, board.occupied, TABLES)) == both
        assert int(swap_off.leapers_of_both(p, square)) == both & leapers
        straight = chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0]
        near = chess.BB_DIAG_ATTACKS[square][0] & (board.bishops | board.queens)
        near |= straight & (board.rooks | board.queens) | both & leapers
        assert int(swap_off.near_of_both(p, square)) == near
        pieces = swap_off.around(p, square, board.occupied, TABLES)
        assert (int(pieces.near), int(pieces.attackers)) == (near, both)
        assert int(pieces.hidden) in (0, near & ~both)


def test_the_start_of_an_exchange() -> None:
    board = chess.Board("n3k3/1P6/8/3pP3/8/2N5/8/4K2R w K d6 0 1")
    p = position_of(board)
    for uci, gain, exposed, left in (
        ("c3d5", 100, 320, ["c3"]),
        ("c3b1", 0, 320, ["c3"]),
        ("e5d6", 100, 100, ["e5", "d5"]),
        ("b7b8q", 800, 900, ["b7"]),
        ("b7a8n", 320 + 220, 320, ["b7"]),
        ("b7a8r", 320 + 400, 500, ["b7"]),
    ):
        move = chess.Move.from_uci(uci)
        e = exchange.started(p, move_word(board, move))
        assert (int(e.square), int(e.gain), int(e.exposed)) == (move.to_square, gain, exposed)
        assert int(e.occupied) == board.occupied & ~sum(1 << chess.parse_square(name) for name in left)
    castling = move_word(board, chess.Move.from_uci("e1g1"))
    space = exchange_search.new_space()
    assert int(exchange.legal_exchange(p, castling, space, TABLES)) == 0
    assert int(exchange.swapped_off(p, castling, space.gains, TABLES)) == 0


def test_work_space_has_a_row_for_each_capture() -> None:
    space = exchange_search.new_space()
    assert (space.gains.shape, space.boards.shape, space.scores.shape) == ((65,), (65, 2), (65, 4))
    parts = [space.gains, space.boards, space.scores]
    for n, part in enumerate(parts):
        part[...] = n
    assert [set(part.ravel().tolist()) for part in parts] == [{0}, {1}, {2}]


@pytest.mark.parametrize("board", BOARDS[::4], ids=lambda board: board.fen())
def test_captures_that_leave_no_king_attacked(board: chess.Board) -> None:
    p = position_of(board)
    us, them = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    for move in board.pseudo_legal_moves:
        if board.is_capture(move) and not board.is_en_passant(move):
            left = board.occupied & ~(1 << move.from_square)
            found = exchange_kernels.is_legal_capture(p, move.to_square, 1 << move.from_square, us, them, left, TABLES)
            assert bool(found) == board.is_legal(move)


def mask(names: str) -> int:
    return sum(1 << chess.parse_square(name) for name in names.split())


@pytest.mark.parametrize(
    ("fen", "square", "able", "uncovered"),
    [
        ("4r1k1/8/8/8/3pR3/8/8/4K3 w - - 0 1", "d4", "e4", "e8"),
        ("4r1k1/8/8/8/3pR3/8/8/4K3 w - - 0 1", "d4", "", ""),
        ("4r1k1/8/8/8/4R3/3pK3/8/8 w - - 0 1", "d3", "e3", ""),  # a king's capture is the last
        ("4r1k1/8/8/8/8/3pK3/8/8 w - - 0 1", "d3", "e3", ""),
        ("4r1k1/8/8/8/3pR3/4K3/8/8 w - - 0 1", "d4", "e4 e3", "e8"),
        ("4r1k1/8/8/8/3pR3/8/4P3/4K3 w - - 0 1", "d4", "e4", ""),  # the pawn still stands between
        ("6k1/8/8/8/3pR3/8/8/4K3 w - - 0 1", "d4", "e4", ""),
        ("6k1/8/8/8/3pR3/5n2/8/4K3 w - - 0 1", "d4", "e4", "f3"),
    ],
)
def test_what_captures_uncover(fen: str, square: str, able: str, uncovered: str) -> None:
    board = chess.Board(fen)
    p = position_of(board)
    us, them = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    sq = chess.parse_square(square)
    found = exchange.uncovered(p, sq, us, them, board.occupied, mask(able), TABLES)
    assert int(found) == mask(uncovered)


def test_what_lines_to_a_king_say() -> None:
    board = chess.Board("4r1k1/8/8/8/3pR2b/2P5/5P2/4K3 w - - 0 1")
    p, us = position_of(board), board.occupied_co[chess.WHITE]
    near = int(swap_off.near_of_both(p, chess.D4)) & board.occupied
    lines = exchange.unable(p, us, board.occupied, near, mask("e8"))
    assert [int(one) for one in lines] == [mask("e4"), 0, 0]
    lines = exchange.unable(p, us, board.occupied, near, mask("h4"))  # f2 stands between, and h4 attacks no d4
    assert int(lines.checkers) == 0
    assert int(exchange.king_of(p, us, board.occupied)) == mask("e1")
    assert int(exchange.king_of(p, us, board.occupied & ~mask("e1"))) == 0


def test_takers_that_are_tried_first() -> None:
    board = chess.Board("6k1/8/8/3p4/2P1P3/1BN5/3R4/3Q2K1 w - - 0 1")
    p, us = position_of(board), board.occupied_co[chess.WHITE]
    assert int(exchange_kernels.first_takers(p, chess.D5, us, board.occupied, 0, TABLES)) == mask("c4")
    free = exchange_kernels.first_takers(p, chess.D5, us, board.occupied, mask("c4 e4"), TABLES)
    assert int(free) == mask("c4 e4 c3")
    both = exchange_kernels.bound_pieces(p, chess.D5, us, us ^ board.occupied, board.occupied, 0)
    assert int(both) == mask("c4 d2")  # before the bishop and before the queen
    quiet = exchange_kernels.first_takers(p, chess.A5, us, board.occupied, 0, TABLES)
    assert int(quiet) == 0
    lines = exchange_kernels.along_lines(p, chess.G8, us, board.occupied)
    assert int(lines) == mask("b3 c4 d5")
