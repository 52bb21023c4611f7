"""Rows of a dataset as python-chess makes them: one for each move of a game."""

import io
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn
import zstandard

DOCS = "docs/lichess-2025-05.pgn.zst"
_POINTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}


class NaiveRow(NamedTuple):
    """A position as a FEN, the move played, the result for the side to move, and the plies before it."""

    fen: str
    move: str
    result: int
    ply: int


def naive_games(text: str) -> list[list[NaiveRow]]:
    """The rows of each game; none of a game without a result."""
    found = []
    file = io.StringIO(text)
    while (game := chess.pgn.read_game(file)) is not None:
        points = _POINTS.get(game.headers["Result"])
        board = game.board()
        rows = []
        for ply, move in enumerate(game.mainline_moves()):
            if points is not None and move:
                own = points if board.turn else -points
                rows.append(NaiveRow(board.fen(en_passant="fen"), board.uci(move), own, ply))
            board.push(move)
        found.append(rows)
    return found


def naive_key(row: NaiveRow) -> str:
    """The pieces, side to move, castling rights and legal en-passant capture of a row."""
    return " ".join(chess.Board(row.fen).epd().split(" ")[:4])


def docs_text() -> str:
    """The games of the documentation."""
    with Path(DOCS).open("rb") as file:
        return zstandard.ZstdDecompressor().stream_reader(file).read().decode()
