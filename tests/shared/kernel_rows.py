"""Rows of boards, as the kernels of `rookery.board.kernels` take them, and boards to make them of."""

import functools
import random
from typing import Any, Final

import chess
import numpy as np

from random_positions import random_position
from rookery.board.board import Board
from rookery.board.kernels.compiled import compiled, twins
from rookery.kernel.settings import settings
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


FEW_FENS: Final = (
    "r3k2r/1P4p1/8/3pP3/8/2n5/8/R3K2R w KQkq d6 3 7",  # castling, promotions with captures, en passant
    "r3k2r/8/2N5/8/3Pp3/8/1p4P1/R3K2R b KQkq d3 4 9",
    "4k3/4r3/8/b7/8/8/3NB3/4K2R w K - 99 60",  # two pins
    "3k4/8/8/K2pP2r/8/8/8/8 w - d6 0 1",  # a capture en passant that the king forbids
    "4k3/8/8/8/7b/8/4r3/4K2R w K - 5 9",  # double check
    "1R2k3/3n1q2/8/8/8/8/5P2/4K3 b - - 7 3",  # a check that pieces answer
    "1rk2r2/8/8/8/8/8/P7/1RK2R2 w FBfb - 0 5",  # Chess960
    "r1k3r1/6P1/8/8/8/8/8/R1K3R1 b GAga - 12 20",
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",  # a mate in one
    "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
    "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1",  # stalemate
    "3q2k1/8/1B3b2/8/3QR3/2n5/6P1/r2N2K1 w - - 0 30",  # pieces of every kind
    "4k3/8/8/8/8/8/1p4p1/2R1K2N b - - 150 99",
)


def number_of(piece: chess.Piece | None) -> int:
    """Return the number of a piece: 1 to 6 for white's pawn to king, 7 to 12 for black's, 0 for no piece."""
    return 0 if piece is None else piece.piece_type + (0 if piece.color else 6)


def lists_of(board: chess.Board) -> tuple[set[str], set[str], dict[str, set[str]]]:
    """Return the legal moves in UCI, those that capture or promote, and the moves of each kernel that lists some."""
    legal = {board.uci(move) for move in board.legal_moves}
    noisy = {board.uci(m) for m in board.legal_moves if m.promotion or board.is_capture(m)}
    of: dict[str, set[str]] = {
        "generate_legal_moves": legal,
        "generate_quiet_moves": legal - noisy,
        "generate_captures": noisy,
        "generate_legal_captures": {board.uci(m) for m in board.generate_legal_captures()},
        "generate_legal_ep": {board.uci(m) for m in board.generate_legal_ep()},
        "generate_castling_moves": {board.uci(m) for m in board.legal_moves if board.is_castling(m)},
        "generate_evasions": legal if board.is_check() else set(),
        "generate_checks": {board.uci(m) for m in board.legal_moves if board.gives_check(m)},
        "generate_pseudo_legal_moves": {board.uci(m) for m in board.pseudo_legal_moves},
        "generate_pseudo_legal_ep": {board.uci(m) for m in board.generate_pseudo_legal_ep()},
        "generate_pseudo_legal_captures": {board.uci(m) for m in board.generate_pseudo_legal_captures()},
    }
    return legal, noisy, of


@functools.cache
def few_boards() -> tuple[chess.Board, ...]:
    """Return positions of few pieces that together have moves of every kind: quick to judge, also in plain Python."""
    return tuple(chess.Board(fen, chess960="f" in fen.split()[2] or "g" in fen.split()[2]) for fen in FEW_FENS)


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
    """Return a history as kernels take it: the addresses of rows, which the caller holds. Plain Python takes words."""
    if settings().no_compiler:
        return [np.frombuffer(row, np.uint64) for row in rows]
    found = np.array([id(row) for row in rows], np.uint64)
    found.flags.writeable = False
    return found
