"""A position of a game, with what the game says about it."""

import datetime
import io
import math
from dataclasses import dataclass, field
from typing import Any

import chess
import chess.pgn
import numpy as np


@dataclass
class Game:
    """What a game says about all its positions."""

    rows: "list[Row]" = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    clocks: list[float] = field(default_factory=list)  # by half-move
    evals: list[float] = field(default_factory=list)
    result: str = "*"


@dataclass
class Row:
    """A position; `game` is None if it does not belong to a game."""

    board: chess.Board
    ply: int = 0
    move: chess.Move | None = None  # that was played here
    game: Game | None = None

    @property
    def rows(self) -> "list[Row]":
        assert self.game is not None
        return self.game.rows


@dataclass(frozen=True)
class Here:
    """Where an expression is evaluated: a position and the move in question, within a game or not."""

    board: chess.Board
    move: chess.Move | None
    row: Row | None

    def at(self, row: Row) -> "Here":
        return Here(row.board, row.move, row)

    @property
    def game(self) -> Game:
        assert self.row is not None
        assert self.row.game is not None
        return self.row.game


def here_of(row: Row) -> Here:
    return Here(row.board, row.move, row)


def rows_of_board(board: chess.Board) -> list[Row]:
    """A position that does not belong to a game."""
    return [Row(board)]


def rows_of_game(end: chess.Board, text: str, clocks: list[float], evals: list[float], result: str) -> list[Row]:
    """The positions of a game that ended in `end`; null moves count as no moves."""
    headers = {
        name: value.replace('\\"', '"').replace("\\\\", "\\")
        for name, value in (chess.pgn.read_headers(io.StringIO(text)) or {}).items()
    }
    game = Game(headers=headers, clocks=clocks, evals=evals, result=result)
    board = end.root()
    for ply, move in enumerate([*end.move_stack, None]):
        game.rows.append(Row(board.copy(), ply, move or None, game))
        if move is not None:
            board.push(move)
    return game.rows


# What games say.


def points(game: Game, colour: chess.Color) -> float:
    white = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}.get(game.result, math.nan)
    return white if colour else 1 - white


def clock(row: Row, colour: chess.Color) -> float:
    """The clock after the last move of a side."""
    assert row.game is not None
    for ply in range(row.ply - 1, -1, -1):
        if row.game.rows[ply].board.turn == colour:
            return row.game.clocks[ply]
    return math.nan


def evaluation(row: Row, back: int, colour: chess.Color) -> float:
    """The evaluation written after the move `back` half-moves ago."""
    assert row.game is not None
    if row.ply < back:
        return math.nan
    value = float(np.float32(row.game.evals[row.ply - back]))  # games keep single precision
    return value if colour else -value


def score(row: Row, colour: chess.Color) -> float:
    """The evaluation written after the last move in centipawns; a mate in n plies is 32000 - n, or n - 32000."""
    pawns = evaluation(row, 1, colour)
    if math.isnan(pawns) or abs(pawns) < 500:
        return min(max(float(np.rint(100 * pawns)), -30000), 30000) if pawns == pawns else pawns
    plies = 2 * (1000 - abs(pawns)) - ((pawns > 0) == (row.board.turn == colour))
    return math.copysign(float(np.trunc(32000 - plies)), pawns)


def rating(game: Game, colour: chess.Color) -> float:
    value = game.headers.get("WhiteElo" if colour else "BlackElo", "?")
    return float(value) if value.isdigit() else math.nan


def year(game: Game) -> float:
    texts = (game.headers.get(name, "") for name in ("UTCDate", "Date"))
    return next((float(text[:4]) for text in texts if text[:4].isdigit()), math.nan)


def day(game: Game) -> datetime.date | float:
    for name in ("UTCDate", "Date"):
        try:
            return datetime.date(*map(int, game.headers.get(name, "").split(".")))
        except (TypeError, ValueError):
            continue
    return math.nan


def promotions(game: Game) -> str:
    """The pieces that pawns became: white's in capitals, each colour's in the order of their values."""
    pieces = [
        chess.Piece(row.move.promotion, row.board.turn).symbol()
        for row in game.rows
        if row.move is not None and row.move.promotion
    ]
    return "".join(sorted(pieces, key="QRBNqrbn".index))


def time_control(game: Game) -> tuple[float, float]:
    """The seconds of the first period of a game and its increment, as python-chess reads them."""
    try:
        parts = chess.pgn.parse_time_control(game.headers.get("TimeControl", "")).parts
    except ValueError:
        parts = []
    return (float(parts[0].time), float(parts[0].increment)) if parts else (math.nan, math.nan)


class MissingText(str):
    """A text that is missing, as a header that a game does not have."""


def speed(game: Game) -> str:
    """The speed as Lichess names it, for time controls that are not by the day."""
    base, increment = time_control(game)
    if math.isnan(base):
        return "correspondence" if game.headers.get("TimeControl") == "-" else MissingText()
    names = ("ultraBullet", "bullet", "blitz", "rapid", "classical")
    return names[sum(base + 40 * increment >= least for least in (30, 180, 480, 1500))]


def header(game: Game, name: str) -> str:
    """A header as text: dates are written with hyphens, and question marks are nothing."""
    if name == "Result":
        return game.result
    value: Any = game.headers.get(name, MissingText())
    if name.endswith("Elo"):
        return str(int(value)) if value.isdigit() else MissingText()
    if name in ("Date", "UTCDate"):
        try:
            return str(datetime.date(*map(int, value.split("."))))
        except (TypeError, ValueError):
            return MissingText()
    return value if isinstance(value, MissingText) else str(value)
