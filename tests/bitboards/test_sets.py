"""Steps of whole sets, and what pawns, knights and kings attack, against one square at a time by coordinates."""

import random
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np
import pytest

from definitions import COMPASS, Jump
from rookery.bitboards import sets
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.squares import DIRECTIONS, parse_direction
from rookery.kernel import U64, entry

Kernel: TypeAlias = Callable[..., Any]
KNIGHT = [(r, f) for r in range(-2, 3) for f in range(-2, 3) if r * r + f * f == 5]
KING = [(r, f) for r in range(-1, 2) for f in range(-1, 2) if (r, f) != (0, 0)]

UNIVERSE = (1 << 64) - 1
WORDS = random.Random(1954)
DENSE = [WORDS.getrandbits(64) for _ in range(100)]
SPARSE = [WORDS.getrandbits(64) & WORDS.getrandbits(64) & WORDS.getrandbits(64) for _ in range(100)]
BOARDS = [*(1 << square for square in range(64)), 0, UNIVERSE, *DENSE, *SPARSE]


def jumps(board: int, jump: Jump) -> list[int]:
    """Where each piece of a board lands, if on the board."""
    up, right = jump
    places = [(s // 8 + up, s % 8 + right) for s in range(64) if board >> s & 1]
    return [8 * rank + file for rank, file in places if 0 <= rank <= 7 and 0 <= file <= 7]


def attackers(board: int, of_piece: Iterable[Jump]) -> list[int]:
    """How many pieces attack each square."""
    hits = [square for jump in of_piece for square in jumps(board, jump)]
    return [hits.count(square) for square in range(64)]


def where(squares: Iterable[bool]) -> int:
    return sum(1 << square for square, is_in in enumerate(squares) if is_in)


def check(kernel: Kernel, definition: Callable[[int], int], boards: list[int] = BOARDS) -> None:
    expected = [definition(board) for board in boards]
    assert [kernel(board) for board in boards] == expected
    result = kernel(np.array(boards, U64))
    assert result.dtype == U64
    assert result.tolist() == expected


# Steps.


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_step(direction: str) -> None:
    index = parse_direction(direction)
    jump = COMPASS[direction]
    for board in BOARDS:
        assert sets.step(index, board) == Bitboard.from_squares(jumps(board, jump))
    result = sets.step(U64(index), np.array(BOARDS, U64))
    assert result.tolist() == [int(Bitboard.from_squares(jumps(board, jump))) for board in BOARDS]


@pytest.mark.parametrize(
    ("one", "direction"),
    [
        (sets.nort_one, "north"),
        (sets.no_ea_one, "northeast"),
        (sets.east_one, "east"),
        (sets.so_ea_one, "southeast"),
        (sets.sout_one, "south"),
        (sets.so_we_one, "southwest"),
        (sets.west_one, "west"),
        (sets.no_we_one, "northwest"),
    ],
    ids=DIRECTIONS,
)
def test_one(one: Kernel, direction: str) -> None:
    check(one, lambda board: Bitboard.from_squares(jumps(board, COMPASS[direction])))
    for board in BOARDS:
        assert one(board) == sets.step(parse_direction(direction), board)


@entry
def compiled_steps(boards: Any, out: Any) -> None:
    for direction in range(8):
        for i in range(boards.size):
            out[direction, i] = sets.step(U64(direction), boards[i])


def test_step_compiled() -> None:
    out = np.zeros((8, len(BOARDS)), U64)
    compiled_steps(np.array(BOARDS, U64), out)
    for direction, row in zip(DIRECTIONS, out, strict=True):
        assert row.tolist() == [int(Bitboard.from_squares(jumps(board, COMPASS[direction]))) for board in BOARDS]


def test_nothing_wraps() -> None:
    # One step from every square: each direction leaves the seven or eight squares of the edge it comes from.
    left = {direction: 64 - len(Bitboard(sets.step(parse_direction(direction), UNIVERSE))) for direction in DIRECTIONS}
    assert left == {
        "north": 8,
        "northeast": 15,
        "east": 8,
        "southeast": 15,
        "south": 8,
        "southwest": 15,
        "west": 8,
        "northwest": 15,
    }


# Pawns.

PAWNS = {
    "white": (
        1,
        sets.white_pawn_east_attacks,
        sets.white_pawn_west_attacks,
        sets.white_pawn_any_attacks,
        sets.white_pawn_double_attacks,
        sets.white_pawn_single_attacks,
    ),
    "black": (
        -1,
        sets.black_pawn_east_attacks,
        sets.black_pawn_west_attacks,
        sets.black_pawn_any_attacks,
        sets.black_pawn_double_attacks,
        sets.black_pawn_single_attacks,
    ),
}


@pytest.mark.parametrize("colour", PAWNS)
def test_pawn_attacks(colour: str) -> None:
    up, east, west, any_, double, single = PAWNS[colour]
    sides = [(up, 1), (up, -1)]
    check(east, lambda pawns: Bitboard.from_squares(jumps(pawns, sides[0])))
    check(west, lambda pawns: Bitboard.from_squares(jumps(pawns, sides[1])))
    check(any_, lambda pawns: where(n >= 1 for n in attackers(pawns, sides)))
    check(double, lambda pawns: where(n == 2 for n in attackers(pawns, sides)))
    check(single, lambda pawns: where(n == 1 for n in attackers(pawns, sides)))


@pytest.mark.parametrize(
    ("pawn", "white", "black"),
    [
        ("e4", ("d5", "f5"), ("d3", "f3")),
        ("a2", ("b3",), ("b1",)),
        ("h7", ("g8",), ("g6",)),
        ("a8", (), ("b7",)),
        ("h1", ("g2",), ()),
    ],
)
def test_one_pawn(pawn: str, white: tuple[str, ...], black: tuple[str, ...]) -> None:
    assert sets.white_pawn_any_attacks(Bitboard.of(pawn)) == Bitboard.of(*white)
    assert sets.black_pawn_any_attacks(Bitboard.of(pawn)) == Bitboard.of(*black)


# Knights and kings.


def test_knight_moves() -> None:
    check(sets.knight_moves, lambda knights: where(n > 0 for n in attackers(knights, KNIGHT)))


def test_king_moves() -> None:
    check(sets.king_moves, lambda kings: where(n > 0 for n in attackers(kings, KING)))


@pytest.mark.parametrize(("square", "knight", "king"), [("a1", 2, 3), ("h1", 2, 3), ("a4", 4, 5), ("d4", 8, 8)])
def test_how_many_moves(square: str, knight: int, king: int) -> None:
    assert len(Bitboard(sets.knight_moves(Bitboard.of(square)))) == knight
    assert len(Bitboard(sets.king_moves(Bitboard.of(square)))) == king
