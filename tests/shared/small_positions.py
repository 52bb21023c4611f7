"""Positions of few pieces and few moves, for tests that are quick even where kernels run as Python.

Together they have castling on both wings and its prevention, captures en passant that are legal and pinned, promotions,
checks of every kind, and pieces that are pinned on each line. In each, four plies have fewer than 7,000 leaves.
"""

from typing import Final

import chess

SMALL: Final = """
4kQ2/8/4P3/8/8/8/3Pp3/4K3 b - - 0 1
q1K1k3/1n6/r7/P7/8/b7/8/8 w - - 0 1
8/8/4P1P1/p1r5/8/N7/4Q3/k1R1K2R b K - 0 1
K5kr/5p1P/7B/2n3p1/7p/8/8/8 b - - 0 1
4k1Q1/1Q2q3/8/5K1p/8/6p1/8/8 b - - 0 1
k7/p7/2K5/1P6/8/8/8/8 b - - 0 1
4k3/3p4/3K4/2q5/8/7R/3p1R2/R2N3R w - - 0 1
8/8/8/8/8/8/7b/4KbkR b K - 0 1
r1K1k3/P7/8/8/2p5/8/8/8 w q - 0 1
8/3K4/6Qk/4q3/8/4P3/8/8 b - - 0 1
7r/7r/2p5/7k/5B1p/8/1q2Q1Q1/4K3 b - - 0 1
4k2r/4Q3/8/2br4/8/5p2/1b6/4K3 b k - 0 1
8/8/8/3p4/6P1/3k4/4pP2/4K3 w - - 0 1
3R1r1n/8/7p/8/1p6/2r5/2kq4/R3K3 w Q - 0 1
r3k2r/8/8/7P/2b5/3pp3/4p3/4K3 w kq - 0 1
7k/3n2P1/8/8/8/4p3/8/4K3 b - - 0 1
4k1Kr/8/4n3/8/1P6/8/8/8 w k - 0 1
7k/6pp/8/8/1p6/8/P1P5/K7 w - - 0 1
k7/p1p5/8/1P6/8/8/6PP/7K b - - 0 1
8/8/8/8/k2p3R/8/2P5/K7 w - - 0 1
""".strip().splitlines()


def leaves(board: chess.Board, depth: int) -> int:
    """Return the number of sequences of so many legal moves, by python-chess."""
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total
