"""Positions to try arrays of positions on: random games of classical chess and Chess960, and constructed edge cases.

The scalar generator plays the games; it was itself compared with python-chess move by move (`tests/rules`).
"""

import functools
import random
from typing import Final

import chess

from random_positions import random_position
from rookery.board.board import Board
from rookery.positions.positions import Positions
from rookery.rules.notation.start import START

# Many sliders in line, eight queens, 218 moves, double check, en passant that exposes the king in every way,
# promotions with check, kings without room, castling hindered in every way, and boards that no game reaches.
EDGES: Final = (
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "r6r/3q4/1q4q1/4q3/2q4q/q4q2/PP1q4/Kbnn1kb1 b - - 0 1",
    "QQQQQQQQ/8/8/8/8/8/5k1K/8 w - - 0 1",
    "QRBQRBQR/8/QRBQRBQR/8/BQRQ1QRB/7k/QRBQRBQR/K7 w - - 0 1",
    "7k/QQQQQQ2/QNNNNNNQ/QNRBBRNQ/QNRBBRNQ/QNNNNNNQ/QQQQQQQQ/7K w - - 0 1",
    "rrrrrrrr/8/qqqqqqqq/8/QQQQQQQQ/8/RRRRRRRR/K6k w - - 0 1",
    "4k3/8/8/8/8/8/4r3/r2QK2r w - - 0 1",
    "4k3/8/4r3/8/1b5b/2N5/3PRP2/4K3 w - - 0 1",
    "3rkr2/8/8/q5b1/8/2P1N3/3BQ3/3K4 w - - 0 1",
    "4k3/4r3/8/8/8/3n4/8/4K3 w - - 0 1",
    "4k3/8/8/8/7b/8/5n2/4K2r w - - 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "8/8/8/K1PpP2r/8/8/8/4k3 w - d6 0 1",
    "8/8/8/1k6/3Pp2R/8/8/4K3 b - d3 0 1",
    "8/8/8/8/R2Pp2k/8/8/4K3 b - d3 0 1",
    "4k3/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1",
    "1b2k3/8/8/3pP3/8/6K1/8/8 w - d6 0 1",
    "4k3/8/8/2KpP3/8/8/8/8 w - d6 0 1",
    "4k3/8/8/3pP3/2K5/8/8/8 w - d6 0 1",
    "3rk3/8/8/3pP3/8/3K4/8/8 w - d6 0 1",
    "3rk3/8/8/3pP3/3K4/8/8/8 w - d6 0 1",
    "4k3/1b6/8/3pP3/8/5K2/8/8 w - d6 0 1",
    "4k3/8/8/8/2pP4/8/5K2/B7 b - d3 0 1",
    "4k3/8/8/KPpP3r/8/8/8/8 w - c6 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "r3k2r/8/8/1b3b2/8/8/8/R3K2R w KQkq - 0 1",
    "1r2k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/8/8/8/4p1p1/R3K2R w KQ - 0 1",
    "4k3/8/8/8/8/8/8/rR1KR3 w EB - 0 1",
    "4k3/8/8/8/8/8/8/rRK4R w HB - 0 1",
    "1r2k3/8/8/8/8/8/8/KR6 w - - 0 1",
    "4k3/8/8/8/8/8/8/1KR4r w C - 0 1",
    "4k3/8/8/8/8/8/8/1RK1r3 w B - 0 1",
    "4k3/8/8/8/8/8/8/q1R1K1R1 w GC - 0 1",
    "1n1n1n1n/P1P1P1P1/8/8/8/8/1p1p1p1p/K1N1N1Nk w - - 0 1",
    "2r1r2k/1P1P4/8/8/8/8/1p1p1p2/K1N1N1N1 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/8/6QK/8/8/8/8/8 b - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 99 80",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 12 80",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "k7/8/8/3Q4/2QNQ3/3Q4/8/K7 w - - 0 1",
    "8/8/2b5/3P4/4K3/3P4/2b5/k7 w - - 0 1",
    "B2R2B1/8/1n1p1p2/R2k3R/1p1r1p2/8/B2R2B1/K7 b - - 0 1",
)
# Without one of the kings, or with several: not chess, but nothing may break.
STRANGE: Final = (
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/8/8 w - - 0 1",
    "NNNNNNNN/8/NNNNNNNN/8/NNNNNNNN/8/NNNNNNNN/8 w - - 0 1",
    "1n1n1n1n/PPPPPPPP/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/8/8/K6K w - - 0 1",
    "4k3/8/8/8/8/8/P6P/P6P w - - 0 1",
)


def random_game(rng: random.Random, board: Board, plies: int) -> list[Board]:
    """Copies of the board after each move of a random game."""
    seen = []
    for _ in range(plies):
        moves = board.generate_legal_moves()
        if not moves:
            break
        board.push(rng.choice(moves))
        copy = Board.from_words(
            board.words().tolist(),
            halfmove_clock=board.halfmove_clock,
            fullmove_number=board.fullmove_number,
            chess960=board.chess960,
        )
        seen.append(copy)
    return seen


@functools.cache
def corpus(n: int, seed: int = 1) -> tuple[Board, ...]:
    """`n` positions: the edges, then random games, one in four of Chess960, one in three from a random position."""
    rng = random.Random(seed)
    boards = [Board.unchecked(fen) for fen in EDGES]
    boards += [board.mirror() for board in boards]
    while len(boards) < n:
        kind = rng.random()
        chess960 = rng.random() < 0.25
        if kind < 1 / 3:
            start = Board(random_position(rng, chess960).fen(en_passant="fen"), chess960)
        elif chess960:
            start = Board(chess.Board.from_chess960_pos(rng.randrange(960)).fen(), chess960)
        else:
            start = Board(START)
        boards += random_game(rng, start, rng.randrange(20, 200))
    return tuple(boards[:n])


@functools.lru_cache(maxsize=1)
def many_boards(seed: int) -> tuple[Board, ...]:
    """50,000 positions of the corpus, then the strange ones, both ways up."""
    odd = [Board.unchecked(fen) for fen in STRANGE]
    return (*corpus.__wrapped__(50_000, seed), *odd, *(board.mirror() for board in odd))


@functools.lru_cache(maxsize=1)
def many_positions(seed: int) -> Positions:
    """The same as an array."""
    return Positions.from_boards(many_boards(seed))
