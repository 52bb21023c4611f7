"""The constants of moves and the tables of moves on an empty board, by their definitions."""

from typing import Any

import chess
import numpy as np

from kernel_positions import position_of, random_boards, rare_boards
from loaded_again import loaded_again
from rookery.rules import attack_tables, constants


def test_constants() -> None:
    assert constants.default_tables() == ()
    kinds = (constants.KIND_MASK, constants.PROMOTION, constants.EN_PASSANT, constants.CASTLING)
    assert kinds == (0xC000, 0x4000, 0x8000, 0xC000)
    assert (constants.TO_SHIFT, constants.BECOMES_SHIFT, constants.SIX_BITS) == (6, 12, 0x3F)
    assert (constants.KNIGHT, constants.BISHOP, constants.ROOK, constants.QUEEN) == (0, 1, 2, 3)
    assert len(["ten words"] * 10 + ["a state of four"] * 4) == constants.WORDS
    assert (constants.MOST_MOVES, constants.MOST_CAPTURES, constants.REPORT) == (1098, 64, 5)


def test_moves_on_an_empty_board() -> None:
    assert int(attack_tables.way_of_king(4, 7)) == 0x60
    for square in chess.SQUARES:
        assert attack_tables.KNIGHT_MOVES[square] == chess.BB_KNIGHT_ATTACKS[square]
        assert attack_tables.KING_MOVES[square] == chess.BB_KING_ATTACKS[square]
        assert attack_tables.PAWN_ATTACKS[0, square] == chess.BB_PAWN_ATTACKS[chess.WHITE][square]
        assert attack_tables.PAWN_ATTACKS[1, square] == chess.BB_PAWN_ATTACKS[chess.BLACK][square]
        rook = chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0]
        assert attack_tables.EMPTY_ROOK[square] == rook
        assert attack_tables.EMPTY_BISHOP[square] == chess.BB_DIAG_ATTACKS[square][0]


def ways(king: int, rook: int) -> tuple[int, int]:
    """Return the squares that a king passes and reaches, and those that must be empty, when it castles."""
    back = king & 56
    king_to, rook_to = (back + 6, back + 5) if rook > king else (back + 2, back + 3)
    passed = chess.between(king, king_to) | 1 << king_to
    both = passed | chess.between(rook, rook_to) | 1 << rook_to
    return passed, both & ~(1 << king | 1 << rook)


def test_ways_of_kings() -> None:
    again = loaded_again("rookery.rules.attack_tables")
    for back in (0, 56):
        for king in range(back, back + 8):
            for rook in range(back, back + 8):
                if king == rook:
                    continue
                passed, both = ways(king, rook)
                for module in (attack_tables, again):
                    assert int(module.way_of_king(king, rook)) == passed
                    assert module.is_way_free(king, rook, ~both & chess.BB_ALL)
                for square in chess.scan_forward(both):
                    assert not attack_tables.is_way_free(king, rook, 1 << square)


def test_rooks_with_free_ways() -> None:
    for king in (1, 4, 6, 60):
        back = king & 56
        rooks = sum(1 << back + file for file in (0, 2, 5, 7) if back + file != king)
        for blocker in range(back, back + 8):
            occupied = rooks | 1 << king | 1 << blocker
            free = [rook for rook in chess.scan_forward(rooks) if not ways(king, rook)[1] & occupied]
            assert int(attack_tables.with_free_ways(king, rooks, occupied)) == sum(1 << rook for rook in free)


def goals(king: int, castles: int) -> int:
    """Return where a king may go: its steps, and if it `castles`, all that it may pass on its rank."""
    found = chess.BB_KING_ATTACKS[king]
    for rook in (king & 56, king & 56 | 7) if castles else ():
        found |= ways(king, rook)[0]
    return found


def test_where_pieces_attack_what_a_king_may_reach() -> None:
    again = loaded_again("rookery.rules.attack_tables")
    tables = (
        chess.BB_KNIGHT_ATTACKS,
        chess.BB_KING_ATTACKS,
        [chess.BB_DIAG_ATTACKS[square][0] for square in chess.SQUARES],
        [chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0] for square in chess.SQUARES],
    )
    for king in (1, 4, 6, 28, 60, 35, 57):
        for castles in (0, 1):
            for piece, table in enumerate(tables):
                near = 0
                for goal in chess.scan_forward(goals(king, castles)):
                    near |= table[goal]
                for module in (attack_tables, again):
                    assert int(module.NEAR_KINGS[8 * king + 4 * castles + piece]) == near
            for slider in (0, 7, 19, 28, 37, 60, 63):
                path = 0
                for goal in chess.scan_forward(goals(king, castles)):
                    if tables[2][goal] >> slider & 1 or tables[3][goal] >> slider & 1:
                        path |= chess.between(slider, goal) | 1 << goal
                for module in (attack_tables, again):
                    assert int(module.PATHS_TO_KINGS[128 * king + 64 * castles + slider]) == path


def test_leapers_to_a_square() -> None:
    for board in [*rare_boards()[:6], *random_boards(2, 31)]:
        p: Any = position_of(board)
        for square in chess.SQUARES:
            pawns = chess.BB_PAWN_ATTACKS[board.turn][square] & board.pawns
            leapers = chess.BB_KNIGHT_ATTACKS[square] & board.knights | chess.BB_KING_ATTACKS[square] & board.kings
            assert int(attack_tables.leapers_to(p, square)) == pawns | leapers
    assert np.array(attack_tables.KNIGHT_MOVES).dtype == np.uint64
