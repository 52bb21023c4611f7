"""Pieces followed through a game from the square on which they begin it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rookery.bitboards.squares import DIRECTIONS, SQUARE_NAMES, parse_square
from rookery.kernel import U64
from rookery.lazy_imports import modules_later
from rookery.positions.language.block import Block
from rookery.positions.language.grammar import SET, TRACKED, TRUTH, Node, Written, function

if TYPE_CHECKING:
    from rookery.bitboards import sets as kernels
else:
    (kernels,) = modules_later("rookery.bitboards", "sets")


_GAMES: Final = {"needs_games": True}
_COURSE: Final = {"sequence": True, "lazy": True}


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


def _directions(value: Any) -> tuple[int, ...]:
    names = value.split("-") if isinstance(value, str) else [""]
    if any(name not in DIRECTIONS for name in names):
        raise ValueError(f'directions with hyphens between them, such as "north-east": {", ".join(DIRECTIONS)}')
    return tuple(map(DIRECTIONS.index, names))


START_SQUARE: Final = Written("square", _square)
PATH: Final = Written("path in quotes", _path)
DIRECTION_NAMES: Final = Written("directions in quotes", _directions)


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


@function(TRUTH, 20.0, options=_COURSE, squares=SET, path=PATH)
def path(block: Block, squares: Node, path: tuple[int, ...]) -> Any:
    """Check whether a piece that stands on a set of squares has come along a path with its latest moves.

    The path has every square on which the piece stood, the last included: path(piece(d1), "d1-h5-f7").
    """

    def visits(stops: Any, before: Any) -> list[Any]:
        return [stops == U64(1 << square) for square in path]

    return _any_piece(block, squares, visits)


@function(TRUTH, 20.0, options=_COURSE, squares=SET, directions=DIRECTION_NAMES)
def steps(block: Block, squares: Node, directions: tuple[int, ...]) -> Any:
    """Check whether the latest moves of a piece on a set of squares were steps of one square in these directions.

    Other pieces may move in between: steps(queens, "north-east-north-east").
    """

    def visits(stops: Any, before: Any) -> list[Any]:
        return [(before != 0) & (stops == kernels.step(U64(direction), before)) for direction in directions]

    return _any_piece(block, squares, visits)


def _any_piece(block: Block, squares: Node, visits: Callable[[Any, Any], list[Any]]) -> Any:
    """Check whether the course of a piece that stands on a set of squares ends as described."""
    if squares.function.name == "piece":
        return _ends(block, block.positions.tracked(squares.args[0]).boards, visits)
    boards = np.broadcast_to(block.value(squares), block.n)
    out = np.zeros(block.n, np.bool_)
    if np.any(boards):
        for square in range(64):
            stands = block.positions.tracked(square).boards
            on_set = stands & boards != 0
            if np.any(on_set):
                out |= _ends(block, stands, visits) & on_set
    return out


def _ends(block: Block, boards: Any, visits: Callable[[Any, Any], list[Any]]) -> Any:
    """Check whether the course of a piece ends with some visits. `boards` has its square in each position.

    `visits` gets the squares where the piece stood, and the one before each. It returns the conditions for the last
    ones, in order: arrays that say where each holds.
    """
    arrives = np.ones(block.n, np.bool_)
    begins = block.segment[1:] != block.segment[:-1]
    arrives[1:] = (boards[1:] != boards[:-1]) | begins
    places = np.flatnonzero(arrives)
    stops, games = boards[places], block.segment[places]
    before = np.zeros_like(stops)
    before[1:] = np.where(games[1:] == games[:-1], stops[:-1], U64(0))
    holds = np.ones(places.size, np.bool_)
    for back, visited in enumerate(reversed(visits(stops, before))):
        match = np.zeros(places.size, np.bool_)
        earlier = max(places.size - back, 0)
        match[back:] = visited[:earlier] & (games[:earlier] == games[back:])
        holds &= match
    return holds[np.cumsum(arrives) - 1]


__all__ = ["origins", "path", "piece", "steps"]
