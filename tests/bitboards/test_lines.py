"""Rays and lines on the empty board, by coordinates."""

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from definitions import COMPASS
from rookery.bitboards import lines
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.squares import parse_square

SQUARES = range(64)


def board_of(squares: Iterable[int]) -> int:
    return sum(1 << square for square in squares)


def rank_and_file(square: int) -> tuple[int, int]:
    return divmod(square, 8)


def sign(n: int) -> int:
    return (n > 0) - (n < 0)


def on_ray(direction: str, square: int) -> list[int]:
    """Every square that lies some steps away, the nearest first."""
    up, right = COMPASS[direction]
    rank, file = rank_and_file(square)
    places = [(rank + n * up, file + n * right) for n in range(1, 8)]
    return [8 * r + f for r, f in places if 0 <= r <= 7 and 0 <= f <= 7]


def same_line(name: str, a: int, b: int) -> bool:
    (rank, file), (r, f) = rank_and_file(a), rank_and_file(b)
    return {
        "rank": rank == r,
        "file": file == f,
        "diagonal": rank - file == r - f,
        "antidiagonal": rank + file == r + f,
    }[name]


LINES_OF = {
    "rook": ("rank", "file"),
    "bishop": ("diagonal", "antidiagonal"),
    "queen": ("rank", "file", "diagonal", "antidiagonal"),
}


@pytest.mark.parametrize("direction", COMPASS)
def test_rays(direction: str) -> None:
    for square in SQUARES:
        assert lines.ray_squares(direction, square) == tuple(on_ray(direction, square))
        assert lines.ray(direction, square) == board_of(on_ray(direction, square))
        assert type(lines.ray(direction, square)) is Bitboard


@pytest.mark.parametrize("name", ["rank", "file", "diagonal", "antidiagonal"])
def test_line_through(name: str) -> None:
    for square in SQUARES:
        expected = board_of(s for s in SQUARES if s != square and same_line(name, s, square))
        assert lines.line_through(name, square) == expected
        assert type(lines.line_through(name, square)) is Bitboard


@pytest.mark.parametrize("piece", LINES_OF)
def test_empty_board_attacks(piece: str) -> None:
    for square in SQUARES:
        others = [s for s in SQUARES if s != square and any(same_line(name, s, square) for name in LINES_OF[piece])]
        assert lines.empty_board_attacks(piece, square) == board_of(others)
        assert type(lines.empty_board_attacks(piece, square)) is Bitboard


def test_how_many_attacks() -> None:
    for square in SQUARES:
        assert len(lines.empty_board_attacks("rook", square)) == 14
    assert sum(len(lines.empty_board_attacks("bishop", square)) for square in SQUARES) == 560
    assert len(lines.empty_board_attacks("queen", parse_square("d4"))) == 27


# Two squares.


def common_line(a: int, b: int) -> str | None:
    """The line of two different squares."""
    names = [name for name in LINES_OF["queen"] if a != b and same_line(name, a, b)]
    assert len(names) <= 1
    return names[0] if names else None


def test_between() -> None:
    for a, b in itertools.product(SQUARES, repeat=2):
        (rank, file), (r, f) = rank_and_file(a), rank_and_file(b)
        distance = max(abs(r - rank), abs(f - file))
        expected = 0
        if common_line(a, b):
            up, right = sign(r - rank), sign(f - file)
            expected = board_of(8 * (rank + n * up) + file + n * right for n in range(1, distance))
        assert lines.between(a, b) == expected, (a, b)
        assert lines.between(b, a) == lines.between(a, b)
        assert type(lines.between(a, b)) is Bitboard


def test_line() -> None:
    for a, b in itertools.product(SQUARES, repeat=2):
        name = common_line(a, b)
        expected = board_of(s for s in SQUARES if same_line(name, a, s)) if name else 0
        assert lines.line(a, b) == expected, (a, b)
        assert lines.line(b, a) == lines.line(a, b)
        assert type(lines.line(a, b)) is Bitboard


@pytest.mark.parametrize("kind", [np.uint8, np.int8, Bitboard])
def test_lines_between_numbers_of_numpy(kind: Any) -> None:
    for a, b in itertools.product(range(0, 64, 3), (0, 7, 27, 56, 63)):
        for first, second in ((kind(a), kind(b)), (a, kind(b)), (kind(a), b)):
            assert lines.between(first, second) == lines.between(a, b)
            assert lines.line(first, second) == lines.line(a, b)


@pytest.mark.parametrize(
    ("a", "b", "between", "ends"),
    [
        ("a1", "h8", ["b2", "c3", "d4", "e5", "f6", "g7"], ["a1", "h8"]),
        ("g1", "b6", ["f2", "e3", "d4", "c5"], ["a7", "g1"]),
        ("c3", "c5", ["c4"], ["c1", "c8"]),
        ("d4", "e4", [], ["a4", "h4"]),
        ("a1", "b3", [], []),
        ("e4", "e4", [], []),
        ("h1", "a2", [], []),  # neighbours as numbers, not on the board
    ],
)
def test_two_squares(a: str, b: str, between: list[str], ends: list[str]) -> None:
    first, second = parse_square(a), parse_square(b)
    assert lines.between(first, second).names() == between
    names = lines.line(first, second).names()
    assert sorted({*names[:1], *names[-1:]}) == ends


# Relevant occupancy.


@pytest.mark.parametrize("piece", LINES_OF)
def test_relevant_occupancy(piece: str) -> None:
    for square in SQUARES:
        rank, file = rank_and_file(square)
        expected = []
        for s in SQUARES:
            r, f = rank_and_file(s)
            # On a line with the square, and not where that line meets the edge.
            if s == square or not any(same_line(name, s, square) for name in LINES_OF[piece]):
                continue
            if (r in (0, 7) and r != rank) or (f in (0, 7) and f != file):
                continue
            expected.append(s)
        assert lines.relevant_occupancy(piece, square) == board_of(expected)
        assert type(lines.relevant_occupancy(piece, square)) is Bitboard


@pytest.mark.parametrize(
    ("piece", "sizes"), [("rook", {10: 36, 11: 24, 12: 4}), ("bishop", {5: 44, 6: 4, 7: 12, 9: 4})]
)
def test_relevant_occupancy_sizes(piece: str, sizes: dict[int, int]) -> None:
    found = [len(lines.relevant_occupancy(piece, square)) for square in SQUARES]
    assert {size: found.count(size) for size in set(found)} == sizes


# Errors.


@pytest.mark.parametrize("direction", ["nort", "NorthEast", "", "rank"])
def test_unknown_directions(direction: str) -> None:
    with pytest.raises(ValueError, match="expected one of north") as error:
        lines.ray(direction, 0)
    assert repr(direction) in str(error.value)


@pytest.mark.parametrize("name", ["row", "northeast", "", "rook"])
def test_unknown_lines(name: str) -> None:
    with pytest.raises(ValueError, match="expected one of rank, file, diagonal, antidiagonal") as error:
        lines.line_through(name, 0)
    assert repr(name) in str(error.value)


@pytest.mark.parametrize("piece", ["knight", "Rook", "", "rank"])
@pytest.mark.parametrize("ask", [lines.empty_board_attacks, lines.relevant_occupancy], ids=["attacks", "relevant"])
def test_unknown_pieces(ask: Callable[[str, int], Bitboard], piece: str) -> None:
    with pytest.raises(ValueError, match=r"expected BISHOP \(3\), ROOK \(4\) or QUEEN \(5\)") as error:
        ask(piece, 0)
    assert repr(piece) in str(error.value)


@pytest.mark.parametrize("square", [-1, 64, 100])
def test_off_the_board(square: int) -> None:
    with pytest.raises(ValueError, match=f"square: {square} is off the board"):
        lines.ray("north", square)
    with pytest.raises(ValueError, match="is off the board"):
        lines.line_through("file", square)
    with pytest.raises(ValueError, match="is off the board"):
        lines.empty_board_attacks("queen", square)
    with pytest.raises(ValueError, match="is off the board"):
        lines.relevant_occupancy("bishop", square)
    for of_two in (lines.between, lines.line):
        with pytest.raises(ValueError, match=f"a: {square} is off the board"):
            of_two(square, 0)
        with pytest.raises(ValueError, match=f"b: {square} is off the board"):
            of_two(0, square)


@pytest.mark.parametrize("square", ["a1", 1.5, None])
def test_no_square(square: Any) -> None:
    with pytest.raises(TypeError, match="is not a square"):
        lines.ray("east", square)
    with pytest.raises(TypeError, match=r"a: .* is not a square"):
        lines.between(square, 0)
    with pytest.raises(TypeError, match=r"b: .* is not a square"):
        lines.line(0, square)
