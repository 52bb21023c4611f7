"""Random games without null moves, written as plain PGN that every program reads."""

import random
from collections.abc import Iterable, Iterator

import chess

from played_games import play


def games_of(rng: random.Random, n: int) -> list[chess.Board]:
    """Games at their ends: of the usual start, of other positions, and of Chess960, where castling takes the rook."""
    found: list[chess.Board] = []
    while len(found) < n:
        board = play(rng).board
        if all(board.move_stack):
            found.append(board)
    return found


def pgn_of(boards: Iterable[chess.Board]) -> bytes:
    """The games as text. The header White has their numbers, from 0 on."""
    texts = []
    for number, board in enumerate(boards):
        start = board.root()
        variant = '[Variant "Chess960"]\n' if board.chess960 else ""
        setup = f'[SetUp "1"]\n[FEN "{start.fen()}"]\n' if start.fen() != chess.STARTING_FEN else ""
        moves = start.variation_san(board.move_stack)
        texts.append(f'[White "{number}"]\n[Result "*"]\n{variant}{setup}\n{moves} *\n\n')
    return "".join(texts).encode()


def replayed(board: chess.Board) -> Iterator[chess.Board]:
    """The positions of a game, in order; each is the same board, after another move."""
    now = board.root()
    yield now
    for move in board.move_stack:
        now.push(move)
        yield now
