"""The kernels of keys and of sliders, each called by itself, beside python-chess and plain definitions."""

import itertools
from typing import Any

import chess
import chess.polyglot
import numpy as np
import pytest

from kernel_positions import TABLES, position_of, random_boards, rare_boards, row_of
from loaded_again import loaded_again
from rookery.rules import polyglot, sliders, zobrist

BOARDS = rare_boards()[::2] + random_boards(3, 61) + random_boards(2, 62, chess960=True)
ALL = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def split_mix(word: int) -> int:
    """Return the output of SplitMix64 for a state."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & ALL
    word = (word ^ word >> 27) * 0x94D049BB133111EB & ALL
    return word ^ word >> 31


SEED = int.from_bytes(b"rookery")
KEYS = [split_mix(SEED + (n + 1) * STEP & ALL) for n in range(12 * 64 + 64 + 8 + 1)]


def keys_of_pieces(board: chess.Board, squares: int) -> int:
    key = 0
    for square in chess.scan_forward(squares):
        piece = board.piece_at(square)
        assert piece is not None
        key ^= KEYS[64 * (piece.piece_type - 1 + (0 if piece.color else 6)) + square]
    return key


def keys_of_rights(castling: int, black: int, target: int) -> int:
    key = KEYS[13 * 64 + 8] if black else 0
    for square in chess.scan_forward(castling):
        key ^= KEYS[12 * 64 + square]
    return key ^ (KEYS[13 * 64 + chess.square_file(chess.lsb(target))] if target else 0)


def test_keys_are_words_of_splitmix() -> None:
    assert zobrist.KEYS.tolist() == KEYS
    assert (zobrist.CASTLING, zobrist.EN_PASSANT, zobrist.TURN) == (768, 832, 840)
    assert int(zobrist.rights_key(0, 1, 0)) == KEYS[840]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_keys_of_pieces_and_rights(board: chess.Board) -> None:
    p, white = position_of(board), board.occupied_co[chess.WHITE]
    for squares in (board.occupied, board.occupied & 0xF0F0F0F00F0F0F0F, white, 0):
        assert int(zobrist.pieces_key(p, white, squares)) == keys_of_pieces(board, squares)
    target = 1 << board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else 0
    expected = keys_of_pieces(board, board.occupied)
    expected ^= keys_of_rights(board.castling_rights, not board.turn, target)
    assert int(zobrist.key_of(p, TABLES)) == expected


def test_keys_of_rights() -> None:
    for castling, black in itertools.product((0, 1, 0x80, 0x81 << 56, 0x42 | 0x18 << 56), (0, 1)):
        for target in (0, *(1 << 16 + file for file in range(8)), *(1 << 40 + file for file in range(8))):
            assert int(zobrist.rights_key(castling, black, target)) == keys_of_rights(castling, black, target)


@pytest.mark.parametrize("module", ["in use", "loaded again"])
def test_keys_by_nibbles(module: str) -> None:
    used: Any = zobrist if module == "in use" else loaded_again("rookery.rules.zobrist")
    for board in BOARDS:
        p, white = position_of(board), board.occupied_co[chess.WHITE]
        for target, turn in ((0, 0), (1 << 43, 1), (1 << 16, 0), (1 << 23, 1)):
            words = used.nibbles_of(p, white, board.castling_rights, turn, target)
            key = 0
            for n in range(64 + 8):
                nibble = int(words[n // 16]) >> 4 * (n % 16) & 15
                key ^= int(used.NIBBLE_KEYS[16 * n + nibble])
            expected = keys_of_pieces(board, board.occupied)
            assert key == expected ^ keys_of_rights(board.castling_rights, turn, target)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_hashes_of_positions(board: chess.Board) -> None:
    p = position_of(board)
    salts = [split_mix(n * STEP & ALL) for n in range(1, 17)]
    for word, target in ((0, 0), (1, 0), (0, 1 << 43), (1, 1 << 17)):
        boards = [p.pawns, p.knights, p.diagonals, p.orthogonals, p.kings, p.us, p.castling]
        expected = int(p.turn)
        for n, one in enumerate(boards):
            expected ^= split_mix(int(one) ^ salts[8 * word + n])
        if target:
            expected ^= split_mix(target ^ salts[8 * word + 7])
        assert int(zobrist.position_hash(p, target, word)) == expected


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_keys_of_polyglot(board: chess.Board) -> None:
    if not board.chess960:
        assert int(polyglot.polyglot_key_of(position_of(board))) == chess.polyglot.zobrist_hash(board)


def test_keys_of_polyglot_after_a_double_step() -> None:
    for fen in (
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
        "rnbqkbnr/p1pppppp/8/8/P1P4P/1p6/3PPPP1/RNBQKBNR b KQkq c3 0 3",  # nothing stands next to it
        "4k3/8/8/P6p/8/8/8/4K3 w - h6 0 1",  # not beyond the edge
        "4k3/8/8/p6P/8/8/8/4K3 w - a6 0 1",
        "4k3/8/8/8/p6P/8/8/4K3 b - h3 0 1",
        "r3k2r/8/8/8/8/8/8/4K2R b Kq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1",
    ):
        board = chess.Board(fen)
        key = int(polyglot.polyglot_key_of(position_of(board)))
        assert key == chess.polyglot.zobrist_hash(board)
        assert polyglot.POLYGLOT_KEYS.size == 16 * 72


def test_wings_where_rooks_may_castle() -> None:
    for king, rooks in itertools.product((1, 3, 4, 6), (0, 1, 0x80, 0x81, 0x22)):
        left = any(square < king for square in chess.scan_forward(rooks))
        right = any(square > king for square in chess.scan_forward(rooks))
        if rooks >> king & 1:
            continue
        wings = (1 if left else 0) | (0x80 if right else 0)
        kings = 1 << king | 1 << king + 56
        assert int(polyglot.wings_of(rooks, kings, 1 << king | rooks)) == wings
        assert int(polyglot.wings_of(rooks << 56, kings, 1 << king)) == wings << 56
        assert int(polyglot.wings_of(rooks | rooks << 56, kings, 1 << king)) == wings | wings << 56


# Sliders.


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_attacks_of_pieces(board: chess.Board) -> None:
    p = position_of(board)
    for square in chess.SQUARES:
        attacks = board.attacks_mask(square)
        assert int(sliders.attacks_from(p, square, TABLES)) == attacks
        pieces = 0 if board.pawns >> square & 1 else attacks
        assert int(sliders.attacks_of_piece(p, square, TABLES)) == pieces


def test_lines_through_two_squares() -> None:
    for a, b in itertools.product(range(0, 64, 3), chess.SQUARES):
        if a != b and chess.ray(a, b):
            assert int(sliders.line_through(a, b)) == chess.ray(a, b)


def test_a_piece_that_alone_separates() -> None:
    k, sniper = chess.E1, chess.E8
    for squares, shield in (([], 0), ([chess.E4], 1 << chess.E4), ([chess.E2, chess.E7], 0), ([chess.D4], 0)):
        occupied = 1 << k | 1 << sniper | sum(1 << square for square in squares)
        assert int(sliders.shield(k, sniper, occupied)) == shield


def test_rays_of_pins() -> None:
    board = chess.Board("4r3/8/1b5b/4P3/3n4/4K3/8/8 w - - 0 1")
    snipers = sum(1 << square for square in (chess.E8, chess.B6, chess.H6))
    us = board.occupied_co[chess.WHITE]
    file = chess.between(chess.E3, chess.E8) | 1 << chess.E8
    assert int(sliders.pin_rays(snipers, chess.E3, us, board.occupied)) == file
    assert int(sliders.pin_rays(snipers, chess.E3, board.occupied, board.occupied)) == file | (
        chess.between(chess.E3, chess.B6) | 1 << chess.B6
    )
    assert int(sliders.pin_rays(0, chess.E3, us, board.occupied)) == 0


STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))  # of files and ranks


def walked(direction: int, square: int, occupied: int) -> int:
    """Return the squares that a slider attacks in a direction, by walking."""
    file, rank, found = square & 7, square >> 3, 0
    while True:
        file, rank = file + STEPS[direction][0], rank + STEPS[direction][1]
        if not (0 <= file < 8 and 0 <= rank < 8):
            return found
        found |= 1 << 8 * rank + file
        if occupied >> 8 * rank + file & 1:
            return found


def test_rays_of_sliders() -> None:
    occupied = 0x0042_1800_2400_1081
    for direction in range(8):
        for square in chess.SQUARES:
            found = int(sliders.ray_attacks(direction, 1 << square, occupied))
            assert found == walked(direction, square, occupied)
        both = int(sliders.ray_attacks(direction, 1 << 9 | 1 << 36, occupied))
        assert both == walked(direction, 9, occupied) | walked(direction, 36, occupied)


@pytest.mark.parametrize("board", BOARDS[:6], ids=lambda board: board.fen())
def test_shields_and_fronts(board: chess.Board) -> None:
    row = row_of(board)
    queens = board.queens
    for colour, k in ((chess.WHITE, board.king(chess.WHITE)), (chess.BLACK, board.king(chess.BLACK))):
        assert k is not None
        snipers = board.occupied_co[not colour]
        out: Any = np.full(20, 99, np.uint64)
        n = int(sliders.shields(row, np.uint64(k), np.uint64(snipers), out))
        expected = set()
        for sniper in chess.scan_forward(snipers & (board.bishops | board.rooks | queens)):
            straight = sniper & 7 == k & 7 or sniper >> 3 == k >> 3
            moves = board.rooks | queens if straight else board.bishops | queens
            between = chess.between(k, sniper) & board.occupied
            if chess.ray(k, sniper) and moves >> sniper & 1 and between.bit_count() == 1:
                expected.add((chess.lsb(between), sniper))
        pairs = out[:n].tolist()
        assert set(zip(pairs[::2], pairs[1::2], strict=True)) == expected
        assert n == 2 * len(expected)
        fronts: Any = np.zeros(8, np.uint64)
        sliders.fronts(row, np.uint64(board.occupied_co[colour]), fronts)
        for direction in range(8):
            moving = (board.bishops if direction & 1 else board.rooks) | queens
            assert int(sliders.moving_along(direction, row)) == moving
            moving &= board.occupied_co[colour]
            backed = 0
            for square in chess.scan_forward(moving):
                backed |= walked(direction, square, board.occupied) & moving
            assert int(fronts[direction]) == backed


@pytest.mark.parametrize(("first", "stride"), [(0, 2), (1, 2), (0, 1)])
@pytest.mark.parametrize("square", [0, 9, 28, 63])
def test_squares_that_a_slider_reaches_move_by_move(first: int, stride: int, square: int) -> None:
    occupied = 0x0042_1800_2400_1080 | 1 << square
    out: Any = np.full(5, 99, np.uint64)
    sliders.slide_on(np.uint64(first), np.uint64(stride), np.uint64(square), np.uint64(occupied), out)
    seen, newest = {square}, {square}
    for found in out.tolist():
        reached: set[int] = set()
        for source in newest:
            if source == square or not occupied >> source & 1:
                for direction in range(first, 8, stride):
                    others = occupied & ~(1 << square)
                    reached |= set(chess.scan_forward(walked(direction, source, others)))
        newest = reached - seen
        seen |= newest
        assert found == sum(1 << one for one in newest)
