"""Lines and rays on the empty board: the squares that a slider attacks if nothing blocks it.

The functions return Bitboards without the square that they start from, unless noted.
"""

import functools
from typing import Final, Literal, TypeAlias

from rookery.arguments import choice
from rookery.bitboards.bitboard import Bitboard, board_of
from rookery.bitboards.iteration import ONE_SQUARE
from rookery.bitboards.pieces import read_slider
from rookery.bitboards.squares import DIRECTIONS, STEPS, Direction, check_square, parse_direction

LineName: TypeAlias = Literal["rank", "file", "diagonal", "antidiagonal"]


# The two directions of each line.
LINES: Final[dict[str, tuple[Direction, Direction]]] = {
    "rank": ("east", "west"),
    "file": ("north", "south"),
    "diagonal": ("northeast", "southwest"),
    "antidiagonal": ("northwest", "southeast"),
}
PIECES: Final[dict[str, tuple[str, ...]]] = {
    "rook": ("rank", "file"),
    "bishop": ("diagonal", "antidiagonal"),
    "queen": tuple(LINES),
}
_LINE_NAMES: Final = {name: name for name in LINES}


# Results are cached by checked arguments: `functools.cache` takes True for 1, and raises for a list.


def ray_squares(direction: str, square: int) -> tuple[int, ...]:
    """Return the squares of a ray, nearest first."""
    return _ray_squares(parse_direction(direction), check_square(square))


@functools.cache
def _ray_squares(direction: int, square: int) -> tuple[int, ...]:
    shift = STEPS[direction]
    squares = []
    here = square
    while 0 <= here + shift <= 63 and abs((here + shift) % 8 - here % 8) <= 1:
        here += shift
        squares.append(here)
    return tuple(squares)


def ray(direction: str, square: int) -> Bitboard:
    """Return the ray from a square in a direction of the compass rose.

    >>> ray("northeast", 0).names()
    ['b2', 'c3', 'd4', 'e5', 'f6', 'g7', 'h8']
    """
    return _ray(parse_direction(direction), check_square(square))


@functools.cache
def _ray(direction: int, square: int) -> Bitboard:
    return Bitboard.from_squares(_ray_squares(direction, square))


def line_through(name: str, square: int) -> Bitboard:
    """Return the ``rank``, ``file``, ``diagonal`` or ``antidiagonal`` through a square, without the square."""
    return _line_through(choice("line", name, _LINE_NAMES), check_square(square))


@functools.cache
def _line_through(name: str, square: int) -> Bitboard:
    positive, negative = LINES[name]
    return ray(positive, square) | ray(negative, square)


def empty_board_attacks(piece: str | int, square: int) -> Bitboard:
    """Return the attacks of a rook, bishop or queen on an otherwise empty board."""
    return _empty_board_attacks(read_slider(piece), check_square(square))


@functools.cache
def _empty_board_attacks(piece: str, square: int) -> Bitboard:
    return Bitboard(functools.reduce(int.__or__, (int(line_through(name, square)) for name in PIECES[piece])))


def relevant_occupancy(piece: str | int, square: int) -> Bitboard:
    """Return the squares whose occupancy affects a piece's attacks: its rays, each without its last square."""
    return _relevant_occupancy(read_slider(piece), check_square(square))


@functools.cache
def _relevant_occupancy(piece: str, square: int) -> Bitboard:
    directions = [direction for name in PIECES[piece] for direction in LINES[name]]
    return Bitboard.from_squares(s for direction in directions for s in ray_squares(direction, square)[:-1])


def between(a: int, b: int) -> Bitboard:
    """Return the squares strictly between two squares on one line, or the empty board.

    >>> between(0, 27).names()
    ['b2', 'c3']
    """
    if not (type(a) is int and type(b) is int and 0 <= a <= 63 and 0 <= b <= 63):
        a, b = check_square(a, "a"), check_square(b, "b")
    return squares_between(a)[b]


@functools.cache
def squares_between(a: int) -> tuple[Bitboard, ...]:
    """Return the squares between a square and each other one."""
    found = [Bitboard.EMPTY] * 64
    for direction in range(len(DIRECTIONS)):
        board = 0
        for b in _ray_squares(direction, a):
            found[b] = board_of(board)
            board |= ONE_SQUARE[b]
    return tuple(found)


def line(a: int, b: int) -> Bitboard:
    """Return the whole line, edge to edge, through two different squares, or the empty board.

    Both squares are included.

    >>> line(9, 27).names()
    ['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7', 'h8']
    """
    if not (type(a) is int and type(b) is int and 0 <= a <= 63 and 0 <= b <= 63):
        a, b = check_square(a, "a"), check_square(b, "b")
    return lines_through(a)[b]


@functools.cache
def lines_through(a: int) -> tuple[Bitboard, ...]:
    """Return the line through a square and each other one."""
    found = [Bitboard.EMPTY] * 64
    for name in LINES:
        others = _line_through(name, a)
        for b in others:
            found[b] = others | (1 << a)
    return tuple(found)
