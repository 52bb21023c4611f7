"""The kernels of faults, each called by itself: by python-chess for boards, and by hand for the last move."""

import random

import chess
import numpy as np
import pytest

from kernel_positions import TABLES, position_of, random_boards, rare_boards, row_of
from rookery.board.kernels.compiled import compiled
from rookery.rules import faults
from rookery.rules.position import Position

STATUS = {
    chess.STATUS_PAWNS_ON_BACKRANK: faults.PAWNS_ON_BACK_RANK,
    chess.STATUS_TOO_MANY_WHITE_PAWNS: faults.WHITE_PAWNS,
    chess.STATUS_TOO_MANY_BLACK_PAWNS: faults.BLACK_PAWNS,
    chess.STATUS_TOO_MANY_WHITE_PIECES: faults.WHITE_PIECES,
    chess.STATUS_TOO_MANY_BLACK_PIECES: faults.BLACK_PIECES,
}
NEW = faults.IMPOSSIBLE_CHECK


def mask_of(board: chess.Board) -> int:
    return int(faults.faults_of(position_of(board), TABLES))


def scattered(seed: int) -> chess.Board:
    """Return a board with pieces anywhere, and perhaps an en-passant square."""
    rng = random.Random(seed)
    board = chess.Board(None)
    number = rng.choice((2, 3, 5, 9, 20, 36))
    for i, square in enumerate(rng.sample(chess.SQUARES, number)):
        sign = "Kk"[i] if i < 2 and rng.random() < 0.9 else rng.choice("PPPPppppNnBbRrQqKk"[: 16 + (seed % 4 == 0) * 2])
        board.set_piece_at(square, chess.Piece.from_symbol(sign))
    board.turn = rng.random() < 0.5
    if rng.random() < 0.6:
        board.ep_square = rng.randrange(8) + (40 if board.turn else 16)
    return board


@pytest.mark.parametrize("seed", range(0, 120, 10))
def test_faults_of_scattered_pieces(seed: int) -> None:
    for board in map(scattered, range(seed, seed + 10)):
        found = int(faults.playing_faults(position_of(board), TABLES))
        status = board.status()
        for theirs, ours in STATUS.items():
            assert bool(found & ours) == bool(status & theirs)
        kings = [len(board.pieces(chess.KING, colour)) for colour in (chess.WHITE, chess.BLACK)]
        assert bool(found & faults.WHITE_KINGS) == (kings[0] != 1)
        assert bool(found & faults.BLACK_KINGS) == (kings[1] != 1)
        if kings == [1, 1]:
            white, black = board.king(chess.WHITE), board.king(chess.BLACK)
            assert white is not None
            assert black is not None
            assert bool(found & faults.ADJACENT_KINGS) == (chess.square_distance(white, black) == 1)
            assert bool(found & faults.OPPOSITE_CHECK) == bool(status & chess.STATUS_OPPOSITE_CHECK)
        jump = found & (faults.EN_PASSANT_PAWN | faults.EN_PASSANT_WAY)
        assert bool(jump) == bool(status & chess.STATUS_INVALID_EP_SQUARE)
        target = int(faults.possible_en_passant(position_of(board)))
        assert target == (0 if jump or board.ep_square is None else 1 << board.ep_square)
        assert not int(faults.form_faults(position_of(board)))


@pytest.mark.parametrize("board", rare_boards() + random_boards(4, 71), ids=lambda board: board.fen())
def test_positions_of_games_have_no_fault(board: chess.Board) -> None:
    if board.status() == chess.STATUS_VALID and board.move_stack:
        assert mask_of(board) == 0
    assert int(faults.playing_faults(position_of(board), TABLES)) & faults.FORM == 0


@pytest.mark.parametrize(
    ("fen", "castling", "found", "possible"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", 0x81, 0, 0x81),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", 0x83, faults.CASTLING_ROOK, 0x81),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", 0x81 << 56, faults.CASTLING_ROOK, 0),
        ("4k3/8/8/8/8/8/8/RR2KR1R w - - 0 1", 0x22, 0, 0x22),
        ("4k3/8/8/8/8/8/8/RR2KR1R w - - 0 1", 0x03, faults.CASTLING_TWICE, 0x01),
        ("4k3/8/8/8/8/8/8/RR2KR1R w - - 0 1", 0xA0, faults.CASTLING_TWICE, 0x80),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", 0x81, faults.CASTLING_KING | faults.CASTLING_TWICE, 0),
        ("4k3/8/8/8/8/8/8/R2KK2R w - - 0 1", 0x81, faults.CASTLING_KING, 0x81),
        ("4k3/8/8/8/8/8/8/Q3K2B w - - 0 1", 0x81, faults.CASTLING_ROOK, 0),
        ("4k3/8/8/8/8/8/8/r3K2r w - - 0 1", 0x01, faults.CASTLING_ROOK, 0),
        ("r3k2r/8/8/8/8/8/8/4K3 w - - 0 1", 0x81 << 56, 0, 0x81 << 56),
        ("r3k2r/8/8/8/8/8/8/4K3 b - - 0 1", 0x81 << 56, 0, 0x81 << 56),
        ("rr2kr1r/8/8/8/8/8/8/4K3 b - - 0 1", 0xA3 << 56, faults.CASTLING_TWICE, 0x81 << 56),
        ("r6r/4k3/8/8/8/8/8/4K3 b - - 0 1", 0x80 << 56, faults.CASTLING_KING, 0),
    ],
)
def test_rights_that_cannot_be(fen: str, castling: int, found: int, possible: int) -> None:
    p = position_of(chess.Board(fen))._replace(castling=np.uint64(castling))
    assert int(faults.form_faults(p)) & ~faults.CASTLING_KING == found & ~faults.CASTLING_KING
    if found != faults.CASTLING_ROOK:
        assert int(faults.form_faults(p)) == found
    assert int(faults.possible_castling(p)) == possible


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"knights": 1 << 8}, faults.OVERLAPPING_KNIGHTS),
        ({"diagonals": 1 << 8}, faults.OVERLAPPING_DIAGONALS),
        ({"orthogonals": 1 << 8}, faults.OVERLAPPING_ORTHOGONALS),
        ({"kings": 1 << 4 | 1 << 60 | 1 << 8}, faults.OVERLAPPING_KINGS),
        ({"us": 1 << 4}, faults.COLOURS),
        ({"us": 1 << 4 | 1 << 8 | 1 << 60}, faults.COLOURS),
        ({"them": 1 << 60 | 1 << 33}, faults.COLOURS),
        ({"en_passant": 1 << 41}, 0),
        ({"en_passant": 1 << 33}, faults.EN_PASSANT_RANK),
        ({"en_passant": 3 << 41}, faults.EN_PASSANT_RANK),
        ({"en_passant": 1 << 17}, faults.EN_PASSANT_RANK),
        ({"en_passant": 1 << 17, "turn": 1}, 0),
        ({"en_passant": 1 << 41, "turn": 1}, faults.EN_PASSANT_RANK),
    ],
)
def test_words_that_are_no_position(changed: dict[str, int], found: int) -> None:
    p = position_of(chess.Board("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"))
    p = p._replace(**{name: np.uint64(word) for name, word in changed.items()})
    assert int(faults.form_faults(p)) == found
    if found == faults.EN_PASSANT_RANK:
        assert int(faults.possible_en_passant(p)) == 0


@pytest.mark.parametrize(
    ("fen", "found"),
    [
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", 0),
        ("4k3/8/8/8/8/8/8/4K3 w - d6 0 1", faults.EN_PASSANT_PAWN),
        ("4k3/8/8/3P4/8/8/8/4K3 w - d6 0 1", faults.EN_PASSANT_PAWN),
        ("4k3/3n4/8/3p4/8/8/8/4K3 w - d6 0 1", faults.EN_PASSANT_WAY),
        ("4k3/8/3N4/3p4/8/8/8/4K3 w - d6 0 1", faults.EN_PASSANT_WAY | faults.OPPOSITE_CHECK),
        ("4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1", 0),
        ("4k3/8/8/8/3P4/8/3N4/4K3 b - d3 0 1", faults.EN_PASSANT_WAY),
        ("4k3/8/8/8/8/3n4/8/4K3 b - d3 0 1", faults.EN_PASSANT_PAWN | faults.OPPOSITE_CHECK),
        ("4k3/8/8/8/3p4/8/8/4K3 b - d3 0 1", faults.EN_PASSANT_PAWN),
    ],
)
def test_pawns_that_cannot_have_jumped(fen: str, found: int) -> None:
    board = chess.Board(fen)
    assert int(faults.playing_faults(position_of(board), TABLES)) == found


@pytest.mark.parametrize(
    ("pieces", "promoted"),
    [
        ("", 0),
        ("NNBRRQ", 0),
        ("NNN", 1),
        ("NNNNN", 3),
        ("RRR", 1),
        ("QQ", 1),
        ("QQQRRRNNN", 4),
    ],
)
def test_promoted_pieces(pieces: str, promoted: int) -> None:
    board = chess.Board(None)
    for square, sign in zip(range(16, 64), pieces, strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(sign))
    diagonals, orthogonals = board.bishops | board.queens, board.rooks | board.queens
    assert int(faults.promoted_pieces(board.knights, diagonals, orthogonals)) == promoted
    for square in (0, 1, 2, 3, 9):  # bishops on dark and light squares
        diagonals |= 1 << square
        bishops = diagonals & ~orthogonals
        more = [(bishops & colour).bit_count() for colour in (chess.BB_DARK_SQUARES, chess.BB_LIGHT_SQUARES)]
        found = int(faults.promoted_pieces(board.knights, diagonals, orthogonals))
        assert found == promoted + sum(max(number - 1, 0) for number in more)


@pytest.mark.parametrize(
    ("fen", "found"),
    [
        ("4k3/8/8/8/8/PPPPPPPP/8/RRR1K3 w - - 0 1", faults.WHITE_PROMOTED),
        ("4k3/8/8/8/8/PPPPPPP1/8/RRR1K3 w - - 0 1", 0),
        ("rrr1k3/8/pppppppp/8/8/8/8/4K3 w - - 0 1", faults.BLACK_PROMOTED),
        ("rrr1k3/8/pppppppp/8/8/8/8/4K3 b - - 0 1", faults.BLACK_PROMOTED),
        ("rrr1k3/8/1ppppppp/8/8/8/8/4K3 b - - 0 1", 0),
    ],
)
def test_more_promoted_pieces_than_missing_pawns(fen: str, found: int) -> None:
    assert mask_of(chess.Board(fen)) == found


@pytest.mark.parametrize(
    ("fen", "found"),
    [
        # One piece gives check, and may have come.
        ("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", 0),
        ("8/8/8/3k4/4P3/8/8/K7 b - - 0 1", 0),
        ("8/8/8/8/8/3k4/4P3/4K3 b - - 0 1", NEW),  # no pawn comes to its first rank
        ("8/8/8/8/5P1P/6B1/5P1k/4K3 b - - 0 1", NEW),  # the bishop is shut in, and is no pawn
        ("8/8/8/8/5P1P/6B1/7k/4K3 b - - 0 1", 0),  # from f2
        # A pawn that became a piece, with and without a capture.
        ("3Nk3/8/2B5/8/8/8/8/4K3 b - - 0 1", 0),
        ("4N3/2k4R/8/8/8/8/8/4K3 b - - 0 1", 0),
        ("3k1Q2/8/8/8/7B/8/8/4K3 b - - 0 1", NEW),
        ("2k2R2/4P3/8/8/8/8/8/4K3 b - - 0 1", 0),
        # Two pieces.
        ("8/8/N7/2k5/N7/8/8/3K4 b - - 0 1", NEW),
        ("8/8/2k5/N7/8/8/8/2R1K3 b - - 0 1", 0),
        ("8/8/2k5/1P1P4/8/8/8/3K4 b - - 0 1", NEW),
        ("R1k1R3/8/8/8/8/8/8/4K3 b - - 0 1", NEW),
        ("8/8/2k1R3/8/B7/8/1N6/2R1K3 b - - 0 1", faults.TOO_MANY_CHECKERS),
        # En passant opened the line.
        ("8/5k2/3P4/8/8/1B6/8/K7 b - - 0 1", 0),
        ("8/4k3/3P4/8/8/8/8/K3R3 b - - 0 1", 0),
        ("8/8/3P1k2/8/8/8/1B6/K4R2 b - - 0 1", NEW),
        # The jump of a pawn was the last move.
        ("8/8/8/3k4/4P3/8/8/K7 b - e3 0 1", 0),
        ("8/8/8/8/R3P2k/8/8/4K3 b - e3 0 1", faults.IMPOSSIBLE_JUMP),
        ("8/8/8/8/4P3/5k2/8/4K2B b - e3 0 1", faults.IMPOSSIBLE_JUMP),
        # Only castling can have brought the rook: every other way gave check already.
        ("8/8/8/8/8/5k2/8/4nRK1 b - - 0 1", 0),
        ("8/8/8/8/8/5k2/3N4/4nRK1 b - - 0 1", NEW),
        ("8/8/8/8/8/3k4/8/2KRn3 b - - 0 1", 0),
        ("8/8/8/8/8/3k4/5N2/2KRn3 b - - 0 1", NEW),
        ("8/8/8/8/8/8/PPPPPPPP/2k2RK1 b - - 0 1", 0),
        ("8/8/8/8/8/8/PPPP1PPP/2k1QRK1 b - - 0 1", 0),
    ],
)
def test_the_last_move(fen: str, found: int) -> None:
    board = chess.Board(fen)
    for one in (board, board.mirror()):
        code = compiled()  # some of these kernels run in Python only as parts of an entry
        assert code.faults(row_of(one), code.tables) == found


def test_sides_of_faults_are_bits_next_to_each_other() -> None:
    empty = position_of(chess.Board("4k3/8/8/8/8/8/8/8 w - - 0 1"))
    assert int(faults.faults_of(empty, TABLES)) == faults.WHITE_KINGS == 1 << 9
    assert faults.BLACK_KINGS == faults.WHITE_KINGS << 1
    assert faults.BLACK_PIECES == faults.WHITE_PIECES << 1
    assert faults.BLACK_PAWNS == faults.WHITE_PAWNS << 1
    assert faults.BLACK_PROMOTED == faults.WHITE_PROMOTED << 1
    assert faults.FORM == (1 << 9) - 1
    assert sum(1 << n for n in range(20, 25)) == faults.UNREACHABLE
    assert isinstance(empty, Position)
