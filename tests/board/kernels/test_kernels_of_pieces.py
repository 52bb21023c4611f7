"""The kernels that say where pieces stand, what they attack and what may still be done, judged by python-chess."""

import chess
import numpy as np
import pytest

from kernel_rows import call, is_refused, number_of, ours, row_of, their_boards
from rookery.board.board import Board
from rookery.native_methods.kinds import ROW_WORDS
from rookery.rules.exchange_search import SPACE_BYTES
from rookery.rules.faults import UNREACHABLE

BOARDS = their_boards(80)
COLOURS = (chess.WHITE, chess.BLACK)
ODD = tuple(chess.Board(fen) for fen in ("8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/K6K w - - 0 1"))


def odd_rows() -> list[tuple[chess.Board, np.ndarray]]:
    return [(board, row_of(Board.unchecked(board.fen()))) for board in ODD]


def test_pieces_agree_with_python_chess() -> None:
    for board, row in [*((board, row_of(ours(board))) for board in BOARDS), *odd_rows()]:
        for square in chess.SQUARES:
            piece = board.piece_at(square)
            assert call("piece_at", row, square) == number_of(piece)
            assert call("piece_type_at", row, square) == (piece.piece_type if piece else 0)
            assert call("color_at", row, square) == (0 if piece is None else 1 if piece.color else 2)
        out = np.zeros(128, np.uint8)
        n = call("piece_map", row, out)
        pairs = {int(out[2 * i]): int(out[2 * i + 1]) for i in range(n)}
        assert [*pairs.items()] == sorted((s, number_of(p)) for s, p in board.piece_map().items())
        for colour in COLOURS:
            assert call("pieces_of", row, int(colour)) == board.occupied_co[colour]
            king = board.king(colour)
            if int(board.pieces(chess.KING, colour)).bit_count() < 2:
                assert call("king", row, int(colour)) == (64 if king is None else king)
            for kind in chess.PIECE_TYPES:
                assert call("pieces", row, kind, int(colour)) == int(board.pieces(kind, colour))


def test_of_several_kings_the_lowest_counts() -> None:
    assert call("king", odd_rows()[1][1], 1) == 0


def test_a_square_with_several_pieces_has_one_number() -> None:
    row = np.zeros(ROW_WORDS, np.uint64)
    row[:7] = 1
    for boards in range(32):
        row[:5] = [boards >> i & 1 for i in range(5)]
        assert call("piece_at", row, 0) <= 12


def test_attributes_agree_with_python_chess() -> None:
    for board in BOARDS:
        row = row_of(ours(board))
        for name in ("pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied"):
            assert call(name, row) == getattr(board, name)
        assert call("castling_rights", row) == board.clean_castling_rights()
        assert call("ep_square", row) == (64 if board.ep_square is None else board.ep_square)
        assert call("turn", row) == board.turn
        assert call("halfmove_clock", row) == board.halfmove_clock
        assert call("fullmove_number", row) == board.fullmove_number
        assert call("ply", row) == board.ply()


def test_castling_rights_agree_with_python_chess() -> None:
    kinds = ("has_castling_rights", "has_kingside_castling_rights", "has_queenside_castling_rights")
    seen = set()
    for board in BOARDS:
        row = row_of(ours(board))
        for colour in COLOURS:
            found = [bool(call(name, row, int(colour))) for name in kinds]
            assert found == [getattr(board, name)(colour) for name in kinds], board.fen()
            seen.add(tuple(found))
        assert call("has_chess960_castling_rights", row) == board.has_chess960_castling_rights(), board.fen()
    assert len(seen) == 4


def test_attacks_agree_with_python_chess() -> None:
    for board in BOARDS:
        row = row_of(ours(board))
        for square in chess.SQUARES[::3]:
            assert call("attacks", row, square) == int(board.attacks(square))
            for colour in COLOURS:
                white = int(colour)
                assert call("attackers", row, white, square) == int(board.attackers(colour, square))
                assert call("is_attacked_by", row, white, square) == board.is_attacked_by(colour, square)
                through = int(board.occupied & ~board.kings & ~chess.BB_FILE_D)
                found = call("attackers_if_occupied", row, white, square, through)
                assert found == int(board.attackers(colour, square, occupied=chess.SquareSet(through)))
                own = board.color_at(square) == colour
                assert call("is_pinned", row, white, square) == (own and board.is_pinned(colour, square))
                expected = int(board.pin(colour, square)) if own else (1 << 64) - 1
                assert call("pin", row, white, square) == expected


def test_exchanges_are_those_of_the_board() -> None:
    space = np.zeros(SPACE_BYTES, np.uint8)
    for board in BOARDS[::6]:
        mine = ours(board)
        row = row_of(mine)
        for move in mine.generate_legal_moves():
            assert call("see", row, int(move), space) == mine.see(move)
            assert call("pseudo_legal_see", row, int(move), space) == mine.pseudo_legal_see(move)
    assert is_refused(call("see", row_of(Board()), 12 | 36 << 6, space))
    assert is_refused(call("pseudo_legal_see", row_of(Board()), 0, space))


def test_mirrored_boards_agree_with_python_chess() -> None:
    for board in BOARDS:
        out = np.ones(ROW_WORDS, np.uint64)
        call("mirror", row_of(ours(board)), out)
        assert out.tolist() == row_of(ours(board.mirror())).tolist(), board.fen()


def test_setting_a_piece_drops_the_rights_that_it_rules_out() -> None:
    for board in BOARDS[::10]:
        mine = ours(board)
        for square in chess.SQUARES[::5]:
            for piece in range(13):
                out, changed = np.ones(ROW_WORDS, np.uint64), mine.copy()
                letter = "\0PNBRQKpnbrqk"[piece]
                assert call("set_piece_at", row_of(mine), square, ord(letter), out) == 0
                changed.set_piece_at(square, letter if piece else None)
                assert out.tolist() == row_of(changed).tolist()
    for letter in "xX.\x7f":
        assert is_refused(call("set_piece_at", row_of(Board()), 0, ord(letter), np.zeros(ROW_WORDS, np.uint64)))


@pytest.mark.parametrize("fen", ["8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1"])
def test_faults(fen: str) -> None:
    assert not call("is_valid", row_of(Board.unchecked(fen)))
    assert call("faults", row_of(Board.unchecked(fen)))
    for board in BOARDS:
        found = call("faults", row_of(ours(board)))
        assert not found & ~UNREACHABLE
        assert call("is_valid", row_of(ours(board))) == (not found)
