"""Counts where a king is checked twice and more, from both ends of one line too: boards that no game reaches."""

import chess
import numpy as np
import pytest

from rookery.board.board import Board
from rookery.counting.perft import perft
from rookery.counting.walk import slices
from rookery.positions.positions import Positions
from scattered import FAMILIES, scattered

# Both ends of a file, a rank and both diagonals; next to the king, and further off.
BOTH_ENDS = (
    "K7/8/8/8/5Q2/4k3/3Q4/8 b - - 0 1",
    "3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1",
    "8/8/3R4/3k4/3R4/8/8/K7 b - - 0 1",
    "3R4/8/8/3k4/3R4/8/8/K7 b - - 0 1",
    "8/8/8/2RkR3/8/8/8/K7 b - - 0 1",
    "8/8/2B5/3k4/4B3/8/8/K7 b - - 0 1",
    "8/8/4B3/3k4/2B5/8/8/K7 b - - 0 1",
    "8/8/3q4/3K4/8/8/8/k2q4 w - - 0 1",
    "8/8/2qqq3/2qKq3/2qqq3/8/8/k7 w - - 0 1",
    "Q2Q2Q1/8/8/Q2k2Q1/8/8/Q2Q2Q1/K6Q b - - 0 1",
    "k7/8/8/8/8/8/8/5qKq w - - 0 1",
    "QRk5/8/8/8/8/8/8/K1R5 b - - 0 1",
)


@pytest.mark.parametrize("fen", BOTH_ENDS)
def test_the_king_takes_no_checker_that_another_defends_through_him(fen: str) -> None:
    board = Board(fen)
    judge = chess.Board(fen)
    for p, theirs in ((Positions.from_fens([fen]), judge), (Positions.from_boards([board.mirror()]), judge.mirror())):
        legal = theirs.legal_moves.count()
        assert p.legal_move_counts().tolist() == [legal]
        assert p.is_checkmate().tolist() == [legal == 0]
        assert [len(moves) for moves in p.legal_moves()] == [legal]
        assert int(p.policy_mask().sum()) == legal
    assert perft(board, 4) == sum(slices(board, 4))


def compare(family: str, n: int, seed: int) -> None:
    p = scattered(FAMILIES[family], n, seed)
    expected = np.diff(p.legal_moves().offsets)
    check = p.is_check()
    assert np.count_nonzero(np.bitwise_count(p.checkers()) > 1) > n // 20
    wrong = np.flatnonzero(p.legal_move_counts() != expected)
    assert not wrong.size, p[int(wrong[0])]
    assert np.array_equal(p.is_checkmate(), check & (expected == 0))
    with_king = np.array([board.king(board.turn) is not None for board in p[expected == 0]])
    assert np.array_equal(p.is_stalemate()[expected == 0], ~check[expected == 0] & with_king)
    channels = ("our_pinned", "their_pinned", "checkers", "king_danger")
    planes = p.planes(channels).reshape(n, 4, 64)
    words = np.packbits(planes, axis=2, bitorder="little").view(np.uint64)[:, :, 0].T
    queries = p.pinned(), p.pinned(side="them"), p.checkers(), p.king_danger()
    for channel, seen, requested in zip(channels, words, queries, strict=True):
        assert np.array_equal(np.where(p.turn, seen, seen.byteswap()), requested), channel


@pytest.mark.parametrize("family", FAMILIES)
def test_counts_are_those_of_the_lists(family: str) -> None:
    """The lists are the scalar generator's, which shares neither pins nor checks with the counts."""
    compare(family, 20_000, 1)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_counts_of_ten_million(family: str) -> None:
    for seed in range(2, 19):
        compare(family, 100_000, seed)


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "kings"])
def test_python_chess_counts_the_same(family: str) -> None:
    """Of several kings of a side it takes another one than we do, and kings side by side give check to each other."""
    p = scattered(FAMILIES[family], 600, 30)
    counts, mate, checkers, danger = p.legal_move_counts(), p.is_checkmate(), p.checkers(), p.king_danger()
    for i, fen in enumerate(p.to_fens(en_passant="fen")):
        judge = chess.Board(fen)
        if judge.was_into_check():
            continue
        assert counts[i] == judge.legal_moves.count(), fen
        assert mate[i] == judge.is_checkmate(), fen
        assert int(checkers[i]) == int(judge.checkers()), fen
        judge.remove_piece_at(judge.king(judge.turn) or 0)
        attacked = [square for square in chess.SQUARES if judge.is_attacked_by(not judge.turn, square)]
        assert int(danger[i]) == sum(1 << square for square in attacked), fen


@pytest.mark.parametrize("family", ["few", "sliders", "pawns"])
def test_perft_is_that_of_the_scalar_generator(family: str) -> None:
    """Where the king that is not to move is safe, as on every board that `Board` takes."""
    p = scattered(FAMILIES[family], 400, 40)
    chosen = p[(p.checkers("them") == 0) & (p.legal_move_counts() < 45)]
    several = np.bitwise_count(chosen.checkers()) > 1
    assert several.sum() > 5
    for board in [*chosen[several], *chosen[~several][:12]]:
        assert perft(board, 4) == sum(slices(board, 4)), board
