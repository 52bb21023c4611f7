"""Positions of python-chess as the kernels of `rookery.rules` take them, to call a kernel by itself in plain Python."""

import inspect
import random
from collections.abc import Callable
from typing import Any, Final

import chess
import numpy as np

from rookery.kernel.in_python import in_python
from rookery.rules.position import Position, prepared
from rookery.techniques import technique

TABLES: Final[Any] = technique("kindergarten").tables()  # filled in milliseconds, and fast in Python
PROMOTION, EN_PASSANT, CASTLING = 0x4000, 0x8000, 0xC000


def plain(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel as a Python function of words, which computes as machine code does."""
    function = in_python(inspect.unwrap(kernel))

    def call(*arguments: Any) -> Any:
        return function(*(np.uint64(a) if isinstance(a, int) else a for a in arguments))

    return call


def words_of(board: chess.Board) -> list[int]:
    """Return the ten words of a position."""
    kinds = [board.pawns, board.knights, board.bishops | board.queens, board.rooks | board.queens, board.kings]
    sides = board.occupied_co
    target = 0 if board.ep_square is None else 1 << board.ep_square
    return [*kinds, sides[board.turn], sides[not board.turn], board.castling_rights, target, int(not board.turn)]


def row_of(board: chess.Board) -> Any:
    """Return a row of 14 words, the last four of them 0."""
    return np.array([*words_of(board), 0, 0, 0, 0], np.uint64)


def position_of(board: chess.Board) -> Position:
    """Return a position with the state of `TABLES`."""
    return prepared(row_of(board), TABLES)


def words_of_position(p: Position) -> list[int]:
    """Return the ten words of a `Position`."""
    return [int(word) for word in p[:10]]


def move_word(board: chess.Board, move: chess.Move) -> int:
    """Return the word of a move, of which castling goes to the rook's square; 0 for the null move."""
    target = move.to_square
    kind = 0
    if move.promotion:
        kind = PROMOTION | (move.promotion - chess.KNIGHT) << 12
    elif board.is_en_passant(move):
        kind = EN_PASSANT
    elif board.is_castling(move):
        kind = CASTLING
        if not board.castling_rights >> target & 1:
            rooks = board.castling_rights & chess.BB_RANKS[chess.square_rank(target)]
            target = chess.msb(rooks) if target > move.from_square else chess.lsb(rooks)
    return kind | target << 6 | move.from_square


def random_boards(number: int, seed: int, *, chess960: bool = False) -> list[chess.Board]:
    """Return positions of random games."""
    rng = random.Random(seed)
    boards = []
    for _ in range(number):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        for _ in range(rng.randrange(90)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        boards.append(board)
    return boards


# Each has much of what is rare: castling, promotions, pins, en passant, checks, pieces that must be told apart.
RARE: Final = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "8/8/8/K1pP3r/8/8/8/7k w - c6 0 1",
    "8/8/8/8/1k1PpN1R/8/8/4K3 b - d3 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/8/8/8/1b2r3/8/3N4/Q3K2R w K - 0 1",
    "4k3/8/4n3/8/8/2n5/8/R3K2R w KQ - 0 1",
    "Q2Q3k/8/8/Q2Q4/8/8/1N3N2/3NKN2 w - - 0 1",
    "3k4/8/3q4/8/3B4/3P4/3K4/8 w - - 0 1",
    "7k/R7/7K/8/8/8/8/8 w - - 0 1",
    "5rk1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/pPpPpPpP/8/8/8/4K3 w - c6 0 1",
    "4k3/8/8/8/PpPpPpPp/8/8/4K3 b - e3 0 1",
)


def rare_boards() -> list[chess.Board]:
    """Return the positions of `RARE`."""
    return [chess.Board(fen) for fen in RARE]
