"""The mask of faults: each bit by a position that has it, and words that do not describe a position."""

import pytest

from rookery.bitboards.squares import parse_square
from rookery.board.board import Board
from rookery.board.kernels.compiled import compiled
from rookery.positions.positions import Positions
from rookery.rules import faults

BY_FEN = {
    faults.WHITE_KINGS: "4k3/8/8/8/8/8/8/8 w - - 0 1",
    faults.WHITE_PIECES: "4k3/8/8/8/8/1NNNN3/NNNNNNNN/NNN1K2N w - - 0 1",
    faults.WHITE_PAWNS: "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
    faults.PAWNS_ON_BACK_RANK: "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
    faults.ADJACENT_KINGS | faults.OPPOSITE_CHECK: "8/8/8/8/8/8/4k3/4K3 w - - 0 1",
    faults.OPPOSITE_CHECK: "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
    faults.EN_PASSANT_PAWN: "4k3/8/8/8/4P3/8/8/4K3 w - d6 0 1",
    faults.EN_PASSANT_WAY: "4k3/3p4/8/3p4/8/8/8/4K3 w - d6 0 1",
    faults.WHITE_PROMOTED: "4k3/8/8/8/8/PPPPPPPP/8/QQ2K3 w - - 0 1",
    faults.TOO_MANY_CHECKERS: "k3r3/8/8/8/1b5b/8/8/4K3 w - - 0 1",
    faults.IMPOSSIBLE_CHECK: "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1",
    faults.IMPOSSIBLE_JUMP: "k4b2/8/8/3pP3/1K6/8/8/8 w - d6 0 1",
}


def mask_of(board: Board) -> int:
    code = compiled()
    return code.faults(board.words(), code.tables)


@pytest.mark.parametrize(("mask", "fen"), BY_FEN.items())
def test_each_bit(mask: int, fen: str) -> None:
    board = Board.unchecked(fen)
    found = mask_of(board)
    if mask == faults.WHITE_PIECES:  # as many knights are also too many promoted ones
        found &= ~faults.WHITE_PROMOTED
    assert found == mask
    assert all(fault.strict for fault in board.status()) == (not found & ~faults.UNREACHABLE)
    # The same for black: bits of one side are next to each other.
    of_white = mask & (faults.WHITE_KINGS | faults.WHITE_PIECES | faults.WHITE_PAWNS | faults.WHITE_PROMOTED)
    found = mask_of(board.mirror())
    if mask == faults.WHITE_PIECES:
        found &= ~faults.BLACK_PROMOTED
    assert found == (mask ^ of_white) | of_white << 1


ROOKS_AND_KINGS = "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"


@pytest.mark.parametrize(
    ("mask", "index", "bits", "reason"),
    [
        (faults.OVERLAPPING_KNIGHTS, (0, 1, 5), 1 << 27, "d4: several pieces on one square"),
        (faults.OVERLAPPING_DIAGONALS, (1, 2, 5), 1 << 27, "d4: several pieces on one square"),
        (faults.OVERLAPPING_ORTHOGONALS, (1, 3, 5), 1 << 27, "d4: several pieces on one square"),
        (faults.OVERLAPPING_KINGS, (2,), 1 << 4, "e1: several pieces on one square"),
        (faults.COLOURS, (1,), 1 << 27, "d4: expected every piece, and nothing else, to have one colour"),
        (faults.COLOURS, (5,), 1 << 27, "d4: expected every piece, and nothing else, to have one colour"),
        (faults.CASTLING_ROOK, (7,), 1 << 2, "castling with c1: no white rook stands there"),
        (faults.CASTLING_ROOK, (7,), 1 << 20, "castling with e3: not on a back rank"),
        (faults.CASTLING_TWICE, (7,), 1 << 0, "castling with b1: a second rook on the same side of the king"),
        (faults.EN_PASSANT_RANK, (8,), 1 << 27, "en passant on d4: expected rank 6"),
    ],
)
def test_words_that_are_not_a_position(mask: int, index: tuple[int, ...], bits: int, reason: str) -> None:
    words = Board.unchecked(ROOKS_AND_KINGS).words()[:10].tolist()
    for i in index:
        words[i] |= bits
    board = Board.from_words(words)
    found = mask_of(board)
    assert found & faults.FORM & mask == mask
    assert reason in [fault.reason for fault in board.status()]
    assert not board.is_valid()
    if index != (1,):  # in columns, a piece that is not white is black
        assert not Positions.from_boards([board]).is_valid(strict=False).any()


def test_of_two_rooks_on_one_side_the_outer_one_keeps_its_right() -> None:
    board = Board("4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1", chess960=True)
    board.set_piece_at(parse_square("h1"), "K")
    assert board.castling_rights.names() == ["b1", "g1"]
    board.remove_piece_at(parse_square("e1"))
    assert board.castling_rights.names() == ["b1"]
    assert board.is_valid()
