"""The kernels that judge single moves, each called by itself, beside python-chess and the generator."""

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
    words_of_position,
)
from rookery.rules import constants, faults, generate, legality, position

ALL = (1 << 64) - 1
BOARDS = rare_boards() + random_boards(3, 51) + random_boards(3, 52, chess960=True)
OVERLAP = faults.COLOURS * 2 - 1 | faults.CASTLING_ROOK  # faults that no move leaves, legal or not
KINDS = {piece: piece - 1 for piece in chess.PIECE_TYPES}


def impossible_boards() -> list[chess.Board]:
    """Return boards without kings, with many, with adjacent ones, and with pieces where none can be."""
    fens = (
        "8/8/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/R2Q4 w - d6 0 1",
        "8/8/8/2kK4/8/R2N4/P7/8 w - - 0 1",
        "8/8/8/2kK4/8/R2N4/P6p/8 b - - 0 1",
        "4k3/4q3/8/8/8/K2K3K/P7/R6R w - - 0 1",
        "P2k3P/8/8/8/8/p6p/8/P2K3P w - - 0 1",
        "p2k3p/P6P/8/8/8/8/p6p/p2K3p b - - 0 1",
    )
    return [chess.Board(fen) for fen in fens]


def some_words(board: chess.Board, number: int) -> list[int]:
    """Return words of moves, possible and not: from a piece to anywhere, of each kind."""
    rng = random.Random(board.fen())
    sources = [square for square in chess.SQUARES if board.occupied >> square & 1]
    words = [rng.choice(sources) | rng.randrange(64) << 6 for _ in range(number)]
    return words + [word | rng.randrange(1, 16) << 12 for word in words] + [0]


def listed(p: Any) -> set[int]:
    moves: Any = np.zeros(constants.MOST_MOVES + 64, np.uint16)
    return set(moves[: int(generate.generate(p, TABLES, generate.List(moves), ALL, ALL))].tolist())


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_moves_are_legal_if_python_chess_lists_them(board: chess.Board) -> None:
    p = position_of(board)
    legal = {move_word(board, move) for move in board.legal_moves}
    pseudo = {move_word(board, move) for move in board.pseudo_legal_moves}
    usual = {word for word in pseudo if word < EN_PASSANT}
    for word in sorted(pseudo)[::2] + some_words(board, 30):
        if word:
            assert int(legality.is_legal(p, word, TABLES)) == (word in legal)
        assert int(legality.is_pseudo_legal(p, word, TABLES)) == (word in usual)
        if word in usual:
            assert int(legality.leaves_king_safe(p, word, TABLES)) == (word in legal)
        if word in legal:
            assert int(legality.breaks_form(p, word)) == 0
    assert int(legality.is_legal(p, 0, TABLES)) == (not board.is_check())


@pytest.mark.parametrize("board", impossible_boards(), ids=lambda board: board.fen())
def test_moves_on_impossible_boards_are_legal_if_the_generator_lists_them(board: chess.Board) -> None:
    p = position_of(board)
    legal = listed(p)
    for word in sorted(legal) + some_words(board, 60):
        if word:
            assert int(legality.is_legal(p, word, TABLES)) == (word in legal)
            assert (int(legality.sources_of(p, word, TABLES)) >> (word & 63) & 1) == (word in legal)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_sources_and_words_of_moves(board: chess.Board) -> None:
    p = position_of(board)
    legal = {move_word(board, move): move for move in board.legal_moves}
    for word in sorted(legal)[::3] + some_words(board, 12):
        alike = [other & 63 for other in legal if other >> 6 == word >> 6]
        assert int(legality.sources_of(p, word, TABLES)) == sum(1 << source for source in alike)
    for word in sorted(legal)[::2]:
        squares = word & 0xFFF if word >> 14 != 1 else word
        assert int(legality.word_of_legal(p, squares, TABLES)) == word
    by_squares = {word & 0xFFF if word >> 14 != 1 else word for word in legal}
    castled = {move.from_square | move.to_square << 6 for move in legal.values() if board.is_castling(move)}
    castled |= {word & 63 | (word & 56 | (6 if word >> 6 & 63 > word & 63 else 2)) << 6 for word in castled}
    for word in some_words(board, 25):
        if word < 1 << 12 and word not in by_squares | castled:
            assert int(legality.word_of_legal(p, word, TABLES)) == 0


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_en_passant_that_is_legal(board: chess.Board) -> None:
    number = sum(board.is_en_passant(move) for move in board.legal_moves)
    assert int(legality.legal_en_passant(position_of(board), TABLES)) == number
    target = 1 << board.ep_square if number and board.ep_square is not None else 0
    assert int(legality.legal_en_passant_target(position_of(board), TABLES)) == target


def test_a_push_to_the_square_of_en_passant_is_no_capture() -> None:
    board = chess.Board("4k3/8/8/3PP3/8/8/8/4K3 w - - 0 1")
    p = position_of(board)._replace(en_passant=np.uint64(1 << chess.D6))
    assert int(legality.word_of_legal(p, chess.D5 | chess.D6 << 6, TABLES)) == chess.D5 | chess.D6 << 6
    p = position_of(chess.Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"))
    assert int(legality.word_of_legal(p, chess.E5 | chess.D6 << 6, TABLES)) == chess.E5 | chess.D6 << 6 | EN_PASSANT
    assert int(legality.word_of_legal(p, chess.E5 | chess.E6 << 6, TABLES)) == chess.E5 | chess.E6 << 6


@pytest.mark.parametrize(
    ("fen", "rooks", "expected"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1", "h1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1", "a1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1 h1", None),  # which?
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "a1 h1", "a1"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1", None),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1 h1", "a1"),
        ("4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", "a1", None),
        ("4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1", "a1 h1", "a1"),
        ("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1", "a1"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "a8", "a8"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "a1", None),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a8", None),
        ("4k3/8/8/8/8/8/8/1rR1K3 w C - 0 1", "c1", None),  # the rook shields its king
        ("4k3/8/8/8/8/8/8/2R1K3 w C - 0 1", "c1", "c1"),
    ],
)
def test_the_only_castling_with_some_rooks(fen: str, rooks: str, expected: str | None) -> None:
    board = chess.Board(fen, chess960=True)
    mask = sum(1 << chess.parse_square(name) for name in rooks.split())
    king = board.king(board.turn)
    assert king is not None
    word = CASTLING | chess.parse_square(expected) << 6 | king if expected else 0
    assert int(legality.castling_move(position_of(board), mask, TABLES)) == word


def test_rooks_that_a_king_may_mean() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for board.turn, back in ((chess.WHITE, 0), (chess.BLACK, 56)):
        p = position_of(board)
        corners = 1 << back | 1 << back + 7
        assert int(legality.beside_king(p, 1)) == ALL << back + 4 & ALL
        assert int(legality.beside_king(p, 0)) == (1 << back + 4) - 1
        for target in chess.SQUARES:
            found = int(legality.castling_rooks_of(p, back + 4, target)) & corners
            if target in (back, back + 7):
                assert found == 1 << target
            elif target in (back + 2, back + 6):
                assert found == 1 << (back if target == back + 2 else back + 7)
            elif target != back + 4:
                assert found == 0
    p = position_of(chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w q - 0 1"))
    assert int(legality.castling_rooks_of(p, chess.E1, chess.G1)) == 0
    without = position_of(chess.Board(None))
    assert int(legality.beside_king(without, 0)) == int(legality.beside_king(without, 1)) == 0


FORM = chess.Board("r3k2r/2p5/8/3pP3/8/P1N5/1P3P2/R3K2R w KQkq d6 0 1")


@pytest.mark.parametrize(
    ("uci", "kind", "keeps"),
    [
        ("e5e6", 0, True),
        ("e5d6", EN_PASSANT, True),
        ("e5d6", 0, True),
        ("e5f6", EN_PASSANT, False),  # another square
        ("c3d6", EN_PASSANT, False),  # no pawn
        ("c3d5", 0, True),
        ("c3d5", PROMOTION, False),
        ("b2b8", PROMOTION, True),
        ("c3a3", 0, False),  # ours
        ("d5d4", 0, False),  # theirs
        ("d4d5", 0, False),  # no piece
        ("c3h8", 0, True),  # impossible, and a position all the same
        ("b2b4", 0, True),
        ("e5e7", 0, True),  # a square of rank 6 is skipped
        ("f2f4", 0, True),
        ("a3a5", 0, False),  # a pawn that jumps over rank 4
        ("c3c5", 0, True),
        ("e1h1", CASTLING, True),
        ("e1a1", CASTLING, True),
        ("e1g1", CASTLING, False),
        ("e1a8", CASTLING, False),
        ("c3h1", CASTLING, False),
        ("e8h8", CASTLING, False),
    ],
)
def test_moves_that_keep_the_form(uci: str, kind: int, keeps: bool) -> None:
    word = chess.parse_square(uci[:2]) | chess.parse_square(uci[2:4]) << 6 | kind
    p = position_of(FORM)
    assert (int(legality.breaks_form(p, word)) == 0) == keeps
    if keeps:
        child = position.Position(*map(np.uint64, position.make(p, word, TABLES)))
        assert not int(faults.form_faults(child)) & OVERLAP


def test_castling_over_a_piece_breaks_the_form() -> None:
    word = chess.E1 | chess.H1 << 6 | CASTLING
    for square, keeps in ((chess.F1, False), (chess.G1, False), (chess.D1, True)):
        board = FORM.copy()
        board.set_piece_at(square, chess.Piece.from_symbol("N"))
        assert (int(legality.breaks_form(position_of(board), word)) == 0) == keeps
    assert int(legality.breaks_form(position_of(FORM), 0)) == 0


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_moves_after_which_the_words_are_a_position(board: chess.Board) -> None:
    p = position_of(board)
    for word in some_words(board, 25):
        if word & 63 != word >> 6 & 63 and not int(legality.breaks_form(p, word)):
            child = position.Position(*map(np.uint64, position.make(p, word, TABLES)))
            assert not int(faults.form_faults(child)) & OVERLAP


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_moves_by_piece_and_target(board: chess.Board) -> None:
    p, rng = position_of(board), random.Random(board.fen())
    moves = [move for move in board.legal_moves if not board.is_castling(move)]
    for _ in range(40):
        piece, target = rng.choice(chess.PIECE_TYPES), rng.randrange(64)
        if moves and rng.random() < 0.8:
            move = rng.choice(moves)
            piece, target = board.piece_type_at(move.from_square) or 0, move.to_square
        mask = rng.choice([ALL, ALL, rng.getrandbits(64), 1 << rng.randrange(64)])
        found = legality.resolve(p, KINDS[piece], target, mask, TABLES)
        sources = {
            m.from_square for m in moves if m.to_square == target and board.piece_type_at(m.from_square) == piece
        }
        sources = {source for source in sources if mask >> source & 1}
        assert bool(found.legal) == (len(sources) == 1)
        if len(sources) == 1:
            source = sources.pop()
            assert int(found.source) == 1 << source
            move = next(m for m in moves if (m.from_square, m.to_square) == (source, target))
            assert int(found.victim) == (1 << (target ^ 8) if board.is_en_passant(move) else 0)
            if not move.promotion:
                made = legality.make_resolved(p, KINDS[piece], target, found, TABLES)
                assert words_of_position(made) == words_of_position(position.make(p, move_word(board, move), TABLES))
                assert made.state == position.make(p, move_word(board, move), TABLES).state


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_pseudo_legal_moves(board: chess.Board) -> None:
    expected = {move_word(board, move) for move in board.pseudo_legal_moves if not board.is_castling(move)}
    expected |= {move_word(board, move) for move in board.legal_moves if board.is_castling(move)}
    moves: Any = np.zeros(constants.MOST_MOVES + 64, np.uint16)
    n = int(legality.generate_pseudo_legal(position_of(board), TABLES, generate.List(moves)))
    assert n == len(expected)
    assert set(moves[:n].tolist()) == expected


def test_pseudo_legal_moves_of_several_kings_and_of_none() -> None:
    for board in impossible_boards()[:5]:
        moves: Any = np.zeros(constants.MOST_MOVES + 64, np.uint16)
        n = int(legality.generate_pseudo_legal(position_of(board), TABLES, generate.List(moves)))
        assert set(moves[:n].tolist()) == {move_word(board, move) for move in board.pseudo_legal_moves}


def test_numbers_of_kinds_and_bits() -> None:
    assert (legality.PAWN, legality.KNIGHT, legality.BISHOP) == (0, 1, 2)
    assert (legality.ROOK, legality.QUEEN, legality.KING) == (3, 4, 5)
    sink = legality.reach(12 | 60 << 6 | PROMOTION | 2 << 12)
    assert (int(sink.target), int(sink.kind)) == (1 << 60, PROMOTION | 2 << 12)
