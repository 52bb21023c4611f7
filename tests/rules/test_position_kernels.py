"""The kernels of positions and of the generator of moves, each called by itself, beside python-chess."""

import itertools
import random
from typing import Any

import chess
import numpy as np
import pytest

from kernel_positions import (
    CASTLING,
    EN_PASSANT,
    PROMOTION,
    TABLES,
    move_word,
    position_of,
    random_boards,
    rare_boards,
    row_of,
    words_of,
    words_of_position,
)
from rookery.rules import attack_tables, constants, generate, position
from rookery.techniques import technique

ALL = (1 << 64) - 1
BOARDS = rare_boards() + random_boards(4, 41) + random_boards(4, 42, chess960=True)
SOME = BOARDS[::3]


def listed(p: Any, noisy: int = ALL, quiet: int = ALL) -> set[int]:
    """Return the words of the moves that the generator lists."""
    moves: Any = np.zeros(constants.MOST_MOVES + 64, np.uint16)
    n = int(generate.generate(p, TABLES, generate.List(moves), noisy, quiet))
    words = moves[:n].tolist()
    assert len(set(words)) == n
    return set(words)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_moves_are_made_as_python_chess_makes_them(board: chess.Board) -> None:
    p = position_of(board)
    for move in board.legal_moves:
        child = position.make(p, move_word(board, move), TABLES)
        after = board.copy(stack=False)
        after.push(move)
        assert words_of_position(child) == words_of(after)
        assert child.state == after.occupied


@pytest.mark.parametrize("board", SOME, ids=lambda board: board.fen())
def test_a_null_move_is_made(board: chess.Board) -> None:
    p = position_of(board)
    after = board.copy(stack=False)
    after.push(chess.Move.null())
    assert words_of_position(position.passed(p)) == words_of(after)
    assert position.passed(p).state == p.state


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_moves_are_listed_and_counted(board: chess.Board) -> None:
    p = position_of(board)
    expected = {move_word(board, move) for move in board.legal_moves}
    assert listed(p) == expected
    assert int(generate.generate(p, TABLES, generate.Count(), ALL, ALL)) == len(expected)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_targets_of_noisy_and_quiet_moves(board: chess.Board) -> None:
    rng, p = random.Random(board.fen()), position_of(board)
    legal = {move_word(board, move): board.is_capture(move) or move.promotion for move in board.legal_moves}
    for noisy, quiet in ((ALL, 0), (0, ALL), (rng.getrandbits(64), 0), (rng.getrandbits(64), rng.getrandbits(64))):
        expected = {word for word, is_noisy in legal.items() if (noisy if is_noisy else quiet) >> (word >> 6 & 63) & 1}
        assert listed(p, noisy, quiet) == expected
        assert int(generate.generate(p, TABLES, generate.Count(), noisy, quiet)) == len(expected)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_moves_with_known_facts(board: chess.Board) -> None:
    p = position_of(board)
    king = board.king(board.turn)
    assert king is not None
    checks = generate.leaper_checks_of(generate.Nothing(), p, king)
    leapers = board.checkers_mask() & (board.knights | board.pawns)
    assert int(checks) == leapers
    attacked = generate.attacked_near(p, king, 1, TABLES)
    rooks = attack_tables.with_free_ways(king, p.castling & p.us, board.occupied)
    facts = generate.Facts(*map(np.uint64, (checks, attacked, rooks)))
    count = generate.generate_knowing(facts, p, TABLES, generate.Count(), ALL, ALL)
    assert int(count) == board.legal_moves.count()


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_checks_and_attackers(board: chess.Board) -> None:
    p = position_of(board)
    assert int(generate.checkers_of(p, TABLES)) == board.checkers_mask()
    sliders = board.bishops | board.rooks | board.queens
    for square in range(0, 64, 3):
        theirs = board.attackers_mask(not board.turn, square)
        assert int(generate.attackers_of(p, square, p.state, TABLES)) == theirs
        both = board.attackers_mask(True, square) | board.attackers_mask(False, square)
        assert int(generate.sliders_to(p, square, p.state, TABLES)) == both & sliders


def test_no_king_is_in_no_check() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/QQQQRRRR b - - 0 1")
    board.remove_piece_at(chess.E8)
    assert int(generate.checkers_of(position_of(board), TABLES)) == 0
    assert listed(position_of(board)) == set()


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_what_is_attacked_near_a_king(board: chess.Board) -> None:
    p, king = position_of(board), board.king(board.turn)
    assert king is not None
    without = board.copy(stack=False)
    without.remove_piece_at(king)
    back = king & 56
    for castles in (0, 1):
        goals = chess.BB_KING_ATTACKS[king]
        if castles:
            goals |= chess.between(king, back + 6) | chess.between(king, back + 2) | 1 << back + 6 | 1 << back + 2
        danger = int(generate.attacked_near(p, king, castles, TABLES))
        for square in chess.scan_forward(goals & ~(1 << king)):
            assert danger >> square & 1 == without.is_attacked_by(not board.turn, square)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_pins_and_answers_to_checks(board: chess.Board) -> None:
    p, king = position_of(board), board.king(board.turn)
    assert king is not None
    safety = generate.safety_of(generate.Nothing(), p, TABLES, king)
    checkers = board.checkers_mask()
    assert int(safety.checkers) == checkers
    if not checkers:
        assert int(safety.check_mask) == ALL
    elif not checkers & checkers - 1:
        assert int(safety.check_mask) == checkers | chess.between(king, chess.lsb(checkers))
    for square in chess.scan_forward(board.occupied_co[board.turn] & ~(1 << king)):
        straight = square >> 3 == king >> 3 or square & 7 == king & 7
        pinned = int(safety.pin_o if straight else safety.pin_d) >> square & 1
        assert pinned == board.is_pinned(board.turn, square)
        if pinned:  # to the pinning piece, this included
            ray = int(safety.pin_o if straight else safety.pin_d) & board.pin_mask(board.turn, square)
            ends = ray & board.occupied_co[not board.turn]
            assert ends.bit_count() == 1
            assert ray == chess.between(king, chess.lsb(ends)) | ends


def test_castling_squares() -> None:
    for back in (0, 56):
        for king, rook in itertools.permutations(range(8), 2):
            to = (6, 5) if rook > king else (2, 3)
            found = position.castling_squares(back + king, back + rook)
            assert tuple(map(int, found)) == (back + to[0], back + to[1])


@pytest.mark.parametrize("board", SOME, ids=lambda board: board.fen())
def test_types_of_pieces(board: chess.Board) -> None:
    p = position_of(board)
    for square in chess.SQUARES:
        assert int(position.piece_type_on(p, square)) == (board.piece_type_at(square) or 0)
        masks = [board.pawns, board.knights, board.bishops | board.queens, board.rooks | board.queens, board.kings]
        expected = [ALL if mask >> square & 1 else 0 for mask in masks]
        assert [int(mask) for mask in position.boards_of(p, 1 << square)] == expected


def test_squares_that_pawns_skip() -> None:
    for source, target in itertools.product(chess.SQUARES, repeat=2):
        skipped = 1 << (source + target) // 2 if abs(source - target) == 16 else 0
        if abs(source - target) in (0, 1, 7, 8, 9, 15, 16, 17, 24):
            assert int(position.skipped_square(1 << source, 1 << target)) == skipped
    assert int(position.skipped_square(0, 1 << 28)) == 0


def test_squares_that_are_occupied_after_a_move() -> None:
    p = position_of(chess.Board())
    pieces = int(p.us | p.them)
    assert int(position.occupied_after(p, 1 << 12, 1 << 28, 0)) == pieces ^ (1 << 12 | 1 << 28)
    assert int(position.occupied_after(p, 1 << 12, 1 << 51, 1 << 52)) == pieces ^ (1 << 12 | 1 << 52)


@pytest.mark.parametrize("name", ["kindergarten", "rotated-hyatt"])
def test_rows_keep_positions_with_their_state(name: str) -> None:
    tables: Any = technique(name).tables()
    for board in SOME:
        p = position.prepared(row_of(board), tables)
        row: Any = np.zeros(constants.WORDS, np.uint64)
        position.store(row, p)
        assert row[:10].tolist() == words_of(board)
        again = position.load(row, tables)
        assert tuple(again[:10]) == tuple(p[:10])
        state = [int(word) for word in (p.state if isinstance(p.state, tuple) else [p.state])]
        assert row[10 : 10 + len(state)].tolist() == state
        assert [int(word) for word in (again.state if isinstance(again.state, tuple) else [again.state])] == state
        same = position.same_state(p.state, board.occupied)
        assert [int(word) for word in (same if isinstance(same, tuple) else [same])] == state


MATERIAL = ["", *"N B R Q P n b r q p NN NB BB Bb Nn Nb Bn bb nn Nq Nr Np NNq BBb BBp Bnb".split()]


@pytest.mark.parametrize("material", MATERIAL)
def test_sides_that_cannot_mate(material: str) -> None:
    rng = random.Random(material)
    for _ in range(12):
        board = chess.Board(None)
        squares = rng.sample(range(8, 56), 2 + len(material))
        for square, sign in zip(squares, "Kk" + material, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(sign))
        for board.turn in (chess.WHITE, chess.BLACK):
            p = position_of(board)
            mine = board.has_insufficient_material(board.turn)
            other = board.has_insufficient_material(not board.turn)
            assert int(position.insufficient_sides(p)) == mine + 2 * other
            assert bool(position.cannot_mate(p, p.us, p.them)) == mine
            assert bool(position.is_insufficient(p)) == (mine and other)


def test_promotions_castling_and_en_passant_in_words() -> None:
    board = chess.Board("n3k3/1P6/8/3pP3/8/8/8/R3K2R w KQ d6 0 1")
    words = listed(position_of(board))
    assert {49 | 57 << 6 | PROMOTION | piece << 12 for piece in range(4)} <= words
    assert {49 | 56 << 6 | PROMOTION | piece << 12 for piece in range(4)} <= words
    assert {4 | 7 << 6 | CASTLING, 4 | 0 << 6 | CASTLING, 36 | 43 << 6 | EN_PASSANT} <= words
    assert {word for word in words if word >> 14 == 3} == {4 | 7 << 6 | CASTLING, 4 | CASTLING}
