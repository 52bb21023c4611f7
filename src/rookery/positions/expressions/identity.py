"""Pieces followed through a game from the square on which they begin it."""

from typing import Any, Final

import numpy as np

from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.kernel import U64
from rookery.positions.expressions.block import Block
from rookery.positions.expressions.function import SET, TRACKED, TRUTH, Node, Written, function

_GAMES: Final = {"needs_games": True}


def _square(value: Any) -> int:
    if value not in SQUARE_NAMES:
        raise ValueError("a square, as in piece(e1)")
    return parse_square(value)


def _path(value: Any) -> tuple[int, ...]:
    expected = 'squares with hyphens between them, such as "d1-h5-f7"'
    names = value.split("-") if isinstance(value, str) else []
    if len(names) < 2 or any(name not in SQUARE_NAMES for name in names):
        raise ValueError(expected)
    return tuple(map(parse_square, names))


START_SQUARE: Final = Written("square", _square)
PATH: Final = Written("path in quotes", _path)


@function(SET, 12.0, options=_GAMES, square=START_SQUARE)
def piece(block: Block, square: int) -> Any:
    """Return the square on which the piece now stands that began the game on a square; empty once it is captured."""
    return block.positions.tracked(square).boards


@function(TRUTH, 12.0, options=_GAMES, piece=TRACKED)
def moved(block: Block, piece: int) -> Any:
    """Check whether a piece has moved in the game so far: moved(piece(e1))."""
    return block.positions.tracked(piece).moves > 0


@function(TRUTH, 12.0, options=_GAMES, piece=TRACKED)
def captured(block: Block, piece: int) -> Any:
    """Check whether a piece has been captured in the game so far: captured(piece(d8))."""
    return block.positions.tracked(piece).captured


@function(SET, 400.0, options=_GAMES, squares=SET)
def origins(block: Block, squares: Any) -> Any:
    """Return the squares on which the pieces of a set began the game: origins(white.rooks & corners).

    A square stands for the piece that began there, so that sets of origins are sets of pieces. A pawn that is promoted
    remains the same piece.
    """
    out = np.zeros(block.n, U64)
    for square in range(64):
        stands = block.positions.tracked(square).boards & squares
        out |= np.where(stands != 0, U64(1 << square), U64(0))
    return out


@function(TRUTH, 20.0, options={"sequence": True, "lazy": True}, squares=SET, path=PATH)
def path(block: Block, squares: Node, path: tuple[int, ...]) -> Any:
    """Check whether a piece that stands on a set of squares has come along a path with its latest moves.

    The path has every square on which the piece stood, the last included: path(piece(d1), "d1-h5-f7").
    """
    if squares.function.name == "piece":
        return _came_along(block, block.positions.tracked(squares.args[0]).boards, path)
    boards = np.broadcast_to(block.value(squares), block.n)
    out = np.zeros(block.n, np.bool_)
    if np.any(boards & U64(1 << path[-1])):
        for square in range(64):
            stands = block.positions.tracked(square).boards
            out |= _came_along(block, stands, path) & (stands & boards != 0)
    return out


def _came_along(block: Block, boards: Any, path: tuple[int, ...]) -> Any:
    """Check whether the piece on boards of one square each has come along a path."""
    arrives = np.ones(block.n, np.bool_)
    arrives[1:] = (boards[1:] != boards[:-1]) | (block.segment[1:] != block.segment[:-1])
    places = np.flatnonzero(arrives)
    stops, games = boards[places], block.segment[places]
    holds = np.ones(places.size, np.bool_)
    for back, square in enumerate(reversed(path)):
        match = np.zeros(places.size, np.bool_)
        match[back:] = (stops[: places.size - back] == U64(1 << square)) & (games[: places.size - back] == games[back:])
        holds &= match
    return holds[np.cumsum(arrives) - 1]


__all__ = ["origins", "path", "piece"]
