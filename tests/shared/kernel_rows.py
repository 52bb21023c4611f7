"""Rows of boards, as the kernels of `rookery.board.kernels` take them, and boards to make them of."""

import functools
import random
from typing import Any, Final

import chess
import numpy as np

from random_positions import random_position
from rookery.board.board import Board
from rookery.board.kernels.compiled import compiled, twins
from rookery.native_methods.kinds import MOST_MOVES, PADDING, REFUSED, ROW_WORDS

NO_ROW: Final = np.zeros(ROW_WORDS, np.uint64)


def row_of(board: Board) -> Any:
    """Return the row of a board whose last move is not known."""
    row = np.zeros(ROW_WORDS, np.uint64)
    row[:10] = board.words()[:10]
    row[10], row[12] = board.halfmove_clock, board.fullmove_number
    row.flags.writeable = False
    return row


def ours(theirs: chess.Board) -> Board:
    """Return a board of python-chess as one of ours, without its history."""
    return Board(theirs.fen(shredder=theirs.chess960, en_passant="fen"), theirs.chess960)


@functools.cache
def their_boards(n: int, seed: int = 11) -> tuple[chess.Board, ...]:
    """Return `n` positions of random games by python-chess, half of them of Chess960, with their histories."""
    rng = random.Random(seed)
    boards: list[chess.Board] = []
    while len(boards) < n:
        chess960 = rng.random() < 0.5
        board = random_position(rng, chess960)
        if rng.random() < 0.3:
            board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        for _ in range(rng.randrange(60)):
            moves = list(board.legal_moves)
            if not moves:
                break
            special = [m for m in moves if board.is_castling(m) or board.is_en_passant(m) or m.promotion]
            board.push(rng.choice(special if special and rng.random() < 0.5 else moves))
        boards.append(board)
    return tuple(boards)


def call(name: str, *arguments: Any) -> int:
    """Return what a kernel answers, as an int. Buffers are among the arguments, tables are not."""
    code = compiled()
    tables = (code.tables,) if twins()[name].tables else ()
    return int(getattr(code, name)(*(np.uint64(a) if isinstance(a, int) else a for a in arguments), *tables))


def is_refused(result: int) -> bool:
    """Check whether a kernel left the answer to Python. Compiled code may return the word as a signed number."""
    return result & REFUSED == REFUSED


def listed(name: str, *arguments: Any) -> list[int]:
    """Return the moves that a kernel lists."""
    moves = np.zeros(MOST_MOVES, np.uint16)
    n = call(name, *arguments, moves)
    return [int(move) for move in moves[:n]]


def padded(text: str) -> tuple[Any, int]:
    """Return a text as kernels take it: its bytes and zeros, and its length."""
    signs = np.zeros(128 + PADDING, np.uint8)
    signs[: len(text)] = np.frombuffer(text.encode(), np.uint8)
    signs.flags.writeable = False
    return signs, len(text)


def written(name: str, *arguments: Any) -> str:
    """Return the text that a kernel writes."""
    out = np.zeros(256, np.uint8)
    return out[: call(name, *arguments, out)].tobytes().decode()


def addresses(rows: list[bytes]) -> Any:
    """Return a history as kernels take it: the addresses of rows, which the caller holds."""
    found = np.array([id(row) for row in rows], np.uint64)
    found.flags.writeable = False
    return found
