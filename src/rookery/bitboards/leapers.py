"""Attacks of knights, kings and pawns: one look-up by square, since no piece blocks them."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rookery import arguments
from rookery.aliases import Integer, Integers
from rookery.bitboards import signatures
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.colours import Colour, read_colour
from rookery.bitboards.sets import black_pawn_any_attacks, king_moves, knight_moves, white_pawn_any_attacks
from rookery.bitboards.squares import check_square
from rookery.frames import array_arguments
from rookery.frames.array_arguments import Boards
from rookery.kernel import U64, Word, array_of, entry, once

_MOVES: dict[str, Callable[..., Any]] = {
    "knight": knight_moves,
    "king": king_moves,
    "white pawn": white_pawn_any_attacks,
    "black pawn": black_pawn_any_attacks,
}
_LAST_SQUARE = 63


@once
def table(piece: str) -> NDArray[np.uint64]:
    """Return the attacks by square of a ``knight``, ``king``, ``white pawn`` or ``black pawn``: 512 bytes."""
    result: NDArray[np.uint64] = _MOVES[piece](1 << np.arange(64, dtype=U64))
    result.flags.writeable = False
    return result


def _examples(dtype: DTypeLike) -> tuple[Any, ...]:
    """Return examples of squares, which callers may have made read-only, of the output and of a table."""
    return array_of(dtype, readonly=True), array_of(U64), array_of(U64, readonly=True)


@entry(examples=lambda: [_examples(dtype) for dtype in array_arguments.SQUARE_TYPES])
def look_up_arrays(squares: Any, out: Any, attacks: Any) -> Any:
    """Fill `out` and return the union of the squares' bits, which exceeds 63 if any square is off the board."""
    union: Word = 0
    for i in range(out.size):
        sq = U64(squares[i])
        union |= sq
        out[i] = attacks[sq & _LAST_SQUARE]
    return union


@functools.cache
def _code(dtype: DTypeLike) -> Callable[..., Any]:
    return look_up_arrays.resolve(*_examples(dtype))


def _look_up(piece: str, square: Any, out: Any) -> Bitboard | Boards:
    squares = array_arguments.square_array("square", square)
    if out is None and arguments.is_number(square):
        return Bitboard(int(table(piece)[int(square)]))
    result = array_arguments.output(out, squares.shape)
    if out is not None:
        squares = array_arguments.apart(squares, result)
    read = np.ascontiguousarray(array_arguments.converted_squares(squares))
    union = _code(read.dtype)(read.reshape(-1), result.reshape(-1), table(piece))
    if union > _LAST_SQUARE:
        raise array_arguments.bad_square("square", squares)
    return result


@once
def _knight_distances() -> list[list[int]]:
    """Return how many moves a knight needs, by its square and the target."""
    return [_distances_from(square) for square in range(64)]


def _distances_from(square: int) -> list[int]:
    steps: list[int] = table("knight").tolist()
    distances = [-1] * 64
    newest, moves = 1 << square, 0
    while newest:
        following = 0
        for target in Bitboard(newest):
            distances[target] = moves
            following |= steps[target]
        moves += 1
        newest = sum(1 << target for target in Bitboard(following) if distances[target] < 0)
    return distances


def square_knight_distance(a: int, b: int) -> int:
    """Return how many moves a knight needs from one square to another on an empty board.

    >>> square_knight_distance(0, 63)
    6
    >>> square_knight_distance(0, 9)
    4
    """
    return _knight_distances()[check_square(a, "a")][check_square(b, "b")]


@signatures.leaper_attacks
def knight_attacks(square: Integer | Integers, out: Boards | None = None) -> Bitboard | Boards:
    """Return the attacks of a knight: a Bitboard for an int, a uint64 array for an array of squares.

    >>> knight_attacks(0).names()
    ['c2', 'b3']
    """
    return _look_up("knight", square, out)


@signatures.leaper_attacks
def king_attacks(square: Integer | Integers, out: Boards | None = None) -> Bitboard | Boards:
    """Return the attacks of a king: a Bitboard for an int, a uint64 array for an array of squares.

    >>> king_attacks(0).names()
    ['b1', 'a2', 'b2']
    """
    return _look_up("king", square, out)


@signatures.pawn_attacks
def pawn_attacks(colour: Colour, square: Integer | Integers, out: Boards | None = None) -> Bitboard | Boards:
    """Return the attacks of a pawn of a colour (`WHITE` or ``"white"``, `BLACK` or ``"black"``).

    A pawn on its last rank attacks nothing.

    >>> pawn_attacks("white", 12).names()
    ['d3', 'f3']
    >>> pawn_attacks("black", 12).names()
    ['d1', 'f1']
    """
    return _look_up("white pawn" if read_colour(colour) else "black pawn", square, out)
