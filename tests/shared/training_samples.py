"""Rows of training data to try formats on, as entries of python-chess and as `ScoredPositions`."""

import functools
import random
from collections.abc import Iterable, Sequence

import chess
import numpy as np

from naive_training import Entry, rook_square
from rookery import Move, Positions, ScoredPositions

_SCORES = (0, 1, -1, 7, 8, -8, 127, 2000, -2000, 31_999, -31_999, 32_767, -32_767)


def game(seed: int, start: chess.Board | None = None, plies: int = 120) -> list[Entry]:
    """Return a random game that likes castling, promotions, en passant and captures, with scores of all sizes."""
    rng = random.Random(seed)
    board = start.copy() if start is not None else chess.Board()
    result, entries, score = rng.choice((1, 0, -1)), [], 0
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        special = [m for m in moves if m.promotion or board.is_castling(m) or board.is_en_passant(m)]
        move = rng.choice(special if special and rng.random() < 0.7 else moves)
        score = rng.choice(_SCORES) if rng.random() < 0.1 else max(-32_000, min(32_000, -score + rng.randint(-60, 60)))
        ply = 2 * (board.fullmove_number - 1) + (not board.turn)
        entries.append(Entry(board.copy(stack=False), move, score, result if board.turn else -result, ply))
        board.push(move)
    return entries


@functools.cache
def games(n: int = 60) -> tuple[Entry, ...]:
    """Return the entries of random games, one after the other; some rows are missing, so that chains end early."""
    rng = random.Random(n)
    entries = [entry for seed in range(n) for entry in game(seed, plies=rng.choice((1, 2, 30, 200)))]
    return tuple(entry for entry in entries if rng.random() > 0.01)


def rows_of(entries: Sequence[Entry]) -> ScoredPositions:
    """Return entries as rows."""
    positions = Positions.from_fens([entry.board.fen(en_passant="fen") for entry in entries])
    return ScoredPositions(
        positions,
        moves=np.array([word_of(entry) for entry in entries], np.uint16),
        scores=[entry.score for entry in entries],
        results=[entry.result for entry in entries],
        plies=[entry.ply for entry in entries],
    )


def word_of(entry: Entry) -> int:
    """Return an entry's move as rookery encodes it."""
    board, move = entry.board, entry.move
    if not move:
        return 0
    promotion = move.promotion - chess.KNIGHT if move.promotion else 0
    kind = 1 if move.promotion else 2 if board.is_en_passant(move) else 3 if board.is_castling(move) else 0
    return move.from_square | rook_square(board, move) << 6 | promotion << 12 | kind << 14


def facts(rows: ScoredPositions) -> list[tuple[str, str, int, int, int]]:
    """Return what rows say, in plain Python: FEN, move, score, result, plies."""
    moves = [Move(word).uci() if word else "0000" for word in rows.moves.tolist()]
    columns = rows.scores.tolist(), rows.results.tolist(), rows.plies.tolist()
    return list(zip(rows.positions.to_fens(), moves, *columns, strict=True))


def naive_facts(entries: Iterable[Entry]) -> list[tuple[str, str, int, int, int]]:
    """Return what entries say, in the same form."""
    return [
        (e.board.fen(en_passant="legal"), e.board.uci(e.move) if e.move else "0000", e.score, e.result, e.ply)
        for e in entries
    ]
