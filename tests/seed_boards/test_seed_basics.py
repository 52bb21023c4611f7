"""Squares and their indices, the board as twelve sets, the compass rose and the attacks of pawns.

From document 000 (drawings.py lists the documents); the compass rose stands in 002 too.
"""

import functools
import itertools
import operator
import re
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

from drawings import D4, UNIVERSE, board, boards
from rookery.bitboards import bits, sets, squares
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.squares import parse_square
from rookery.techniques import technique

Kernel: TypeAlias = Callable[..., Any]


# 000: squares and bit indices.


def numbers(table: str) -> list[list[int]]:
    """A drawn table of numbers by rank, rank 1 first; the row's own index before the bar is dropped."""
    rows = [[int(n) for n in line.split("|")[1].split()] for line in table.splitlines() if "|" in line]
    return rows[::-1]


def test_000_diagonal_indices() -> None:
    drawn = numbers(r"""
\f  0  1  2  3  4  5  6  7
r_________________________
7 | 7  6  5  4  3  2  1  0
6 | 6  5  4  3  2  1  0 15
5 | 5  4  3  2  1  0 15 14
4 | 4  3  2  1  0 15 14 13
3 | 3  2  1  0 15 14 13 12
2 | 2  1  0 15 14 13 12 11
1 | 1  0 15 14 13 12 11 10
0 | 0 15 14 13 12 11 10  9
    """)
    assert [[squares.diagonal_index(8 * r + f) for f in range(8)] for r in range(8)] == drawn


def test_000_antidiagonal_indices() -> None:
    drawn = numbers(r"""
\f  0  1  2  3  4  5  6  7
r_________________________
7 | 0 15 14 13 12 11 10  9
6 | 1  0 15 14 13 12 11 10
5 | 2  1  0 15 14 13 12 11
4 | 3  2  1  0 15 14 13 12
3 | 4  3  2  1  0 15 14 13
2 | 5  4  3  2  1  0 15 14
1 | 6  5  4  3  2  1  0 15
0 | 7  6  5  4  3  2  1  0
    """)
    assert [[squares.antidiagonal_index(8 * r + f) for f in range(8)] for r in range(8)] == drawn


def test_000_empty_and_universe() -> None:
    empty, universe = boards("""
. . . . . . . .      1 1 1 1 1 1 1 1
. . . . . . . .      1 1 1 1 1 1 1 1
. . . . . . . .      1 1 1 1 1 1 1 1
. . . . . . . .      1 1 1 1 1 1 1 1
. . . . . . . .      1 1 1 1 1 1 1 1
. . . . . . . .      1 1 1 1 1 1 1 1
. . . . . . . .      1 1 1 1 1 1 1 1
. . . . . . . .      1 1 1 1 1 1 1 1
    """)
    assert board(empty) == Bitboard.EMPTY == 0
    assert board(universe) == Bitboard.UNIVERSE == ~Bitboard.EMPTY == 0xFFFFFFFFFFFFFFFF == 18_446_744_073_709_551_615
    assert str(Bitboard.EMPTY) == empty
    assert str(Bitboard.UNIVERSE) == universe
    assert Bitboard.UNIVERSE.names() == list(squares.SQUARE_NAMES)


# 000: the board as twelve sets.

SETS = """
   white                  black            occupied               empty
. . . . . . . .     1 . 1 1 . 1 1 .     1 . 1 1 . 1 1 .     . 1 . . 1 . . 1
. . . . . . . .     . . 1 . 1 1 1 1     . . 1 . 1 1 1 1     1 1 . 1 . . . .
. . . . . . . .     1 . . . . . . .     1 . . . . . . .     . 1 1 1 1 1 1 1
. . . . . . . .     . 1 . 1 1 . . .     . 1 . 1 1 . . .     1 . 1 . . 1 1 1
. . . . . . . .     . . . . . . . .     . . . . . . . .     1 1 1 1 1 1 1 1
. 1 1 . . . . .     . . . . . . . .     . 1 1 . . . . .     1 . . 1 1 1 1 1
1 1 . 1 . 1 1 1     . . . . . . . .     1 1 . 1 . 1 1 1     . . 1 . 1 . . .
1 1 1 1 1 . 1 .     . . . . . . . .     1 1 1 1 1 . 1 .     . . . . . 1 . 1
"""
PAWNS_AND_KNIGHTS = """
               pawns                                  knights
   white                  black            white                  black
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . 1 . . 1 1 1     . . . . . . . .     . . . . . . . .
. . . . . . . .     1 . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . 1 . . 1 . . .     . . . . . . . .     . . . 1 . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . 1 . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
1 1 . 1 . 1 1 1     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . 1 . . . . . .     . . . . . . . .
"""
BISHOPS_AND_ROOKS = """
              bishops                                  rooks
   white                   black           white                  black
. . . . . . . .     . . 1 . . . . .     . . . . . . . .     1 . . . . 1 . .
. . . . . . . .     . . . . 1 . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. 1 . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . 1 . . . . .     . . . . . . . .     1 . . . 1 . . .     . . . . . . . .
"""
QUEENS_AND_KINGS = """
               queens                                  kings
   white                   black           white                  black
. . . . . . . .     . . . 1 . . . .     . . . . . . . .     . . . . . . 1 .
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .     . . . . . . . .
. . . 1 . . . .     . . . . . . . .     . . . . . . 1 .     . . . . . . . .
"""
POSITION = """\
♜ ♝♛ ♜♚ 
  ♟ ♝♟♟♟
♟       
 ♟ ♞♟   
        
 ♗♙     
♙♙ ♙ ♙♙♙
♖♘♗♕♖ ♔ """  # noqa: W291, W293  # empty squares are blanks


def pieces() -> dict[str, Bitboard]:
    """The twelve boards by their figurines."""
    drawn = itertools.chain.from_iterable(map(boards, (PAWNS_AND_KNIGHTS, BISHOPS_AND_ROOKS, QUEENS_AND_KINGS)))
    return dict(zip("♙♟♘♞♗♝♖♜♕♛♔♚", map(board, drawn), strict=True))


def test_000_occupied_and_empty() -> None:
    white, black, occupied, empty = map(board, boards(SETS))
    assert white.isdisjoint(black)
    assert white | black == occupied
    assert ~occupied == empty


def test_000_twelve_pieces() -> None:
    white, black, _, _ = map(board, boards(SETS))
    by_piece = pieces()
    for one, other in itertools.combinations(by_piece.values(), 2):
        assert one.isdisjoint(other)
    assert functools.reduce(operator.or_, (by_piece[figure] for figure in "♙♘♗♖♕♔")) == white
    assert functools.reduce(operator.or_, (by_piece[figure] for figure in "♟♞♝♜♛♚")) == black


def test_000_position_with_figurines() -> None:
    rows = POSITION.splitlines()[::-1]
    by_piece = {
        figure: Bitboard.from_squares(8 * r + f for r in range(8) for f in range(8) if rows[r][f] == figure)
        for figure in "♙♟♘♞♗♝♖♜♕♛♔♚"
    }
    assert by_piece == pieces()


def test_000_queen_attacks_and_opponent_pieces() -> None:
    attacks, opponent, attacked = boards("""
. . . . . . . .     1 . . 1 1 . . 1     . . . . . . . .
. . . 1 . . 1 .     1 . 1 1 1 1 1 .     . . . 1 . . 1 .
. 1 . 1 . 1 . .     . 1 . . . . . 1     . 1 . . . . . .
. . 1 1 1 . . .     . . . . . . . .     . . . . . . . .
1 1 1 * 1 1 1 .  &  . . . * . . 1 .  =  . . . * . . 1 .
. . 1 1 1 . . .     . . . . . . . .     . . . . . . . .
. . . 1 . 1 . .     . . . . . . . .     . . . . . . . .
. . . 1 . . . .     . . . . . . . .     . . . . . . . .
    """)
    assert board(attacks) & board(opponent) == board(attacked)
    queen = parse_square("d4")
    assert board(attacks, "*").names() == ["d4"]
    # The document leaves out what stands on c3 and f2 (attacked, and nothing behind): the queen's own side.
    own = Bitboard.of("c3", "f2", "d4")
    assert technique("rays").queen(queen, board(opponent) | own) == board(attacks)


# 000 and 002: the compass rose.


@pytest.mark.parametrize(
    "drawing",
    [
        pytest.param(
            r"""
  northwest    north   northeast
  noWe         nort         noEa
          +7    +8    +9
              \  |  /
  west    -1 <-  0 -> +1    east
              /  |  \
          -9    -8    -7
  soWe         sout         soEa
  southwest    south   southeast
            """,
            id="000, twice",
        ),
        pytest.param(
            r"""
  noWe         nort         noEa
          +7    +8    +9
              \  |  /
  west    -1 <-  0 -> +1    east
              /  |  \
          -9    -8    -7
  soWe         sout         soEa
            """,
            id="002",
        ),
    ],
)
def test_compass_rose(drawing: str) -> None:
    names = re.findall(r"\b(?:no|so)(?:We|Ea|rt|ut)\b|\b(?:west|east)\b", drawing)
    steps = [int(n) for n in re.findall(r"[+-]\d", drawing)]
    assert len(names) == len(steps) == 8
    for name, by in zip(names, steps, strict=True):
        direction = getattr(squares, name.upper())
        assert squares.STEPS[direction] == by
        assert sets.step(direction, 1 << D4) == 1 << (D4 + by)


# 000: pawn attacks.

WHITE_PAWNS_EAST = """
 white pawns       white pawns << 9  &       notAFile     ==      noEaOne
. . . . . . . .     . . . . . . . .      . 1 1 1 1 1 1 1      . . . . . . . .
. . . . . . . .     . . . . . . . .      . 1 1 1 1 1 1 1      . . . . . . . .
. . . . . . . .     . . . . . . . .      . 1 1 1 1 1 1 1      . . . . . . . .
. . . . . . . .     . . . . . . . .      . 1 1 1 1 1 1 1      . . . . . . . .
. . . . . . . .     h . . c . . . .      . 1 1 1 1 1 1 1      . . . c . . . .
. . c . . . . .     . a b . d . f g      . 1 1 1 1 1 1 1      . a b . d . f g
a b . d . f g h     . . . . . . . .      . 1 1 1 1 1 1 1      . . . . . . . .
. . . . . . . .     / . . . . . . .      . 1 1 1 1 1 1 1      / . . . . . . .
"""
WHITE_PAWNS_WEST = r"""
 white pawns       white pawns << 7  &       notHFile     ==     noWeOne
. . . . . . . .     . . . . . . . .      1 1 1 1 1 1 1 .      . . . . . . . .
. . . . . . . .     . . . . . . . .      1 1 1 1 1 1 1 .      . . . . . . . .
. . . . . . . .     . . . . . . . .      1 1 1 1 1 1 1 .      . . . . . . . .
. . . . . . . .     . . . . . . . .      1 1 1 1 1 1 1 .      . . . . . . . .
. . . . . . . .     . c . . . . . .      1 1 1 1 1 1 1 .      . c . . . . . .
. . c . . . . .     b . d . f g h .      1 1 1 1 1 1 1 .      b . d . f g h .
a b . d . f g h     . . . . . . . a      1 1 1 1 1 1 1 .      . . . . . . . .
. . . . . . . .     . . . . . . . \      1 1 1 1 1 1 1 .      . . . . . . . \
"""
WHITE_PAWNS_UNION = """
 white pawns                                                 Union (1 == double attacks)
. . . . . . . .                                               . . . . . . . .
. . . . . . . .                                               . . . . . . . .
. . . . . . . .                                               . . . . . . . .
. . . . . . . .                                               . . . . . . . .
. . . . . . . .                                               . c . c . . . .
. . c . . . . .                                               b a 1 . 1 g 1 g
a b . d . f g h                                               . . . . . . . .
. . . . . . . .                                               . . . . . . . .
"""
PAWNS = "abcdefgh"


@pytest.mark.parametrize(
    ("drawing", "shift", "wrap", "attacks", "drops"),
    [
        pytest.param(WHITE_PAWNS_EAST, 9, bits.NOT_A_FILE, sets.white_pawn_east_attacks, "h", id="noEaOne"),
        pytest.param(WHITE_PAWNS_WEST, 7, bits.NOT_H_FILE, sets.white_pawn_west_attacks, "a", id="noWeOne"),
    ],
)
def test_000_pawn_attacks(drawing: str, shift: int, wrap: np.uint64, attacks: Kernel, drops: str) -> None:
    pawns, shifted, mask, one = boards(drawing)
    assert board(mask) == wrap
    for pawn in "abcdfgh":
        assert board(pawns, pawn) << shift == board(shifted, pawn)
        assert attacks(board(pawns, pawn)) == board(one, pawn), f"pawn {pawn}"
    assert not board(one, drops)
    assert attacks(board(pawns, PAWNS)) == board(shifted, PAWNS) & board(mask) == board(one, PAWNS)


def test_000_wrap_masks_in_hexadecimal() -> None:
    assert bits.NOT_A_FILE == 0xFEFEFEFEFEFEFEFE == UNIVERSE ^ 0x0101010101010101
    assert bits.NOT_H_FILE == 0x7F7F7F7F7F7F7F7F == UNIVERSE ^ 0x8080808080808080


def test_000_pawn_attacks_union() -> None:
    drawing, attacks = boards(WHITE_PAWNS_UNION)
    pawns = board(drawing, PAWNS)
    assert sets.white_pawn_any_attacks(pawns) == board(attacks, PAWNS + "1")
    assert sets.white_pawn_double_attacks(pawns) == board(attacks, "1")
    assert sets.white_pawn_single_attacks(pawns) == board(attacks, PAWNS)
    for pawn in "abcdfgh":
        drawn_alone = board(attacks, pawn)
        assert drawn_alone & sets.white_pawn_any_attacks(board(drawing, pawn)) == drawn_alone
