"""Every board drawn in the five documents this library grew from, typed as drawn and computed.

    000    Gerd Isenberg, Efficient Generation of Sliding Piece Attacks
    001    Sherwin Bitboards
    002    Classical Approach
    003    Rotated Bitboards
    004    Move Generation [Sliding Pieces], on magic bitboards

Drawings that stand side by side are typed side by side. Where a document misprints, the test holds the corrected
drawing and its comment says what the document draws.
"""

import functools
import itertools
import operator
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import pytest

from rookery import bits, geometry, lines, sets, squares
from rookery.bitboard import Bitboard
from rookery.kernel import U64
from rookery.squares import convert_board, convert_square, parse_direction, parse_square
from rookery.techniques import kindergarten, rotated, sherwin, technique
from rookery.techniques._filler import relevant_cases

Kernel: TypeAlias = Callable[..., Any]

UNIVERSE = (1 << 64) - 1
D4 = parse_square("d4")


# Reading drawings.


def boards(drawing: str) -> list[str]:
    """The drawings that stand side by side: eight signs with blanks between are a row, all else is decoration.

    Brackets stand where a blank would; words stand for squares that do not matter.
    """
    for word, signs in (("[", " "), ("]", " "), ("garbadge", " . . . .")):
        drawing = drawing.replace(word, signs)
    rows = [re.findall(r"(?<!\S)\S(?: \S){7}(?!\S)", line) for line in drawing.splitlines()]
    return ["\n".join(column) for column in zip(*(row for row in rows if row), strict=True)]


def board(drawing: str, signs: str = "1") -> Bitboard:
    """The squares that are marked by one of `signs`."""
    return Bitboard.parse("".join("1" if c in signs else c if c.isspace() else "." for c in drawing))


def letters(drawing: str) -> dict[str, Bitboard]:
    """The squares of each letter or digit."""
    return {sign: board(drawing, sign) for sign in sorted(set(drawing)) if sign.isalnum()}


def union(pieces: dict[str, Bitboard], signs: str) -> int:
    return sum(pieces[sign] for sign in signs if sign in pieces)


def choices(signs: str) -> Iterator[str]:
    """All ways to leave some signs out."""
    for size in range(len(signs) + 1):
        yield from map("".join, itertools.combinations(signs, size))


def product(a: int, b: int) -> int:
    return a * b & UNIVERSE


def test_the_reader_of_drawings() -> None:
    a, b, c = boards("""
          words are not read
. . . . . . . 1     . . .[C D E F G]    . . . . . . . 1  >> 56
. . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .  *  . . . . . . . .  =  . . . . . . . .
. . . . . . . .     . . . . . . . .  >> . . . . . . . .
. . . . . . . .     . .garbadge . .  56 . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .
1 . . . . . . .     . . . . . . . .     C . . . . . . .
    """)
    assert board(a) == 1 << 63 | 1
    assert [cells.names() for cells in letters(b).values()] == [["d8"], ["e8"], ["f8"], ["g8"], ["h8"]]
    assert {sign: cells.names() for sign, cells in letters(c).items()} == {"1": ["h8"], "C": ["a1"]}


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
        assert squares.STEPS[parse_direction(name)] == by
        assert sets.step(parse_direction(name), 1 << D4) == 1 << (D4 + by)


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


# 000: the least significant one bit.


def test_000_ls1b_isolation() -> None:
    x, minus_x, lowest = map(
        board,
        boards("""
      x          &        -x         =     LS1B_of_x
. . . . . . . .     1 1 1 1 1 1 1 1     . . . . . . . .
. . 1 . 1 . . .     1 1 . 1 . 1 1 1     . . . . . . . .
. 1 . . . 1 . .     1 . 1 1 1 . 1 1     . . . . . . . .
. . . . . . . .     1 1 1 1 1 1 1 1     . . . . . . . .
. 1 . . . 1 . .  &  1 . 1 1 1 . 1 1  =  . . . . . . . .
. . 1 . 1 . . .     . . 1 1 . 1 1 1     . . 1 . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .
        """),
    )
    assert -x == minus_x
    assert x & minus_x == lowest
    assert bits.isolate_ls1b(x) == lowest


def test_000_ls1b_reset() -> None:
    x, x_less_1, reset = map(
        board,
        boards("""
      x          &      (x-1)        =  x_with_reset_LS1B
. . . . . . . .     . . . . . . . .     . . . . . . . .
. . 1 . 1 . . .     . . 1 . 1 . . .     . . 1 . 1 . . .
. 1 . . . 1 . .     . 1 . . . 1 . .     . 1 . . . 1 . .
. . . . . . . .     . . . . . . . .     . . . . . . . .
. 1 . . . 1 . .  &  . 1 . . . 1 . .  =  . 1 . . . 1 . .
. . 1 . 1 . . .     1 1 . . 1 . . .     . . . . 1 . . .
. . . . . . . .     1 1 1 1 1 1 1 1     . . . . . . . .
. . . . . . . .     1 1 1 1 1 1 1 1     . . . . . . . .
        """),
    )
    assert x - 1 == x_less_1
    assert x & x_less_1 == reset
    assert bits.reset_ls1b(x) == reset
    assert ~x_less_1 == -x


# 000: scans.

DE_BRUIJN = 0x07EDD5E59A4E28C2
INDEX_64 = [
    63,  0, 58,  1, 59, 47, 53,  2,
    60, 39, 48, 27, 54, 33, 42,  3,
    61, 51, 37, 40, 49, 18, 28, 20,
    55, 30, 34, 11, 43, 14, 22,  4,
    62, 57, 46, 52, 38, 26, 32, 41,
    50, 36, 17, 19, 29, 10, 13, 21,
    56, 45, 25, 31, 35, 16,  9, 12,
    44, 24, 15,  8, 23,  7,  6,  5,
]  # fmt: skip
LOOKUP_67 = [
    64,  0,  1, 39,  2, 15, 40, 23,
     3, 12, 16, 59, 41, 19, 24, 54,
     4, -1, 13, 10, 17, 62, 60, 28,
    42, 30, 20, 51, 25, 44, 55, 47,
     5, 32, -1, 38, 14, 22, 11, 58,
    18, 53, 63,  9, 61, 27, 29, 50,
    43, 46, 31, 37, 21, 57, 52,  8,
    26, 49, 45, 36, 56,  7, 48, 35,
     6, 34, 33, -1,
]  # fmt: skip


def test_000_de_bruijn_index() -> None:
    computed = [-1] * 64
    for square in range(64):
        computed[product(1 << square, DE_BRUIJN) >> 58] = square
    assert computed == INDEX_64


def test_000_de_bruijn_sequence() -> None:
    # An even sequence with five leading zeros; half of it is an odd one with six.
    windows = {(DE_BRUIJN << i & UNIVERSE | DE_BRUIJN >> (64 - i)) >> 58 for i in range(64)}
    assert len(windows) == 64
    assert DE_BRUIJN % 2 == 0
    assert DE_BRUIJN.bit_length() == 64 - 5


def test_000_modulo_67_index() -> None:
    computed = [-1] * 68
    computed[0] = 64
    for square in range(64):
        computed[2**square % 67] = square
    assert computed == LOOKUP_67
    assert [i for i, n in enumerate(LOOKUP_67[:67]) if n == -1] == [17, 34]


@pytest.mark.parametrize("name", bits.SCANS)
def test_000_scans_agree_with_the_printed_tables(name: str) -> None:
    scan = bits.SCANS[name]
    for square in range(64):
        x = 1 << square
        expected = INDEX_64[product(x, DE_BRUIJN) >> 58]
        assert LOOKUP_67[x % 67] == expected
        assert scan.forward(x) == scan.reverse(x) == expected
    if scan.counts_empty:
        assert scan.forward(0) == LOOKUP_67[0]


# 000: kindergarten multiplications.

A_FILE_TO_RANK = """
masked bits                             mapped to 8th rank
bits on A-file   *  main-diagonal    =  with garbage     -> 1st rank
A . . . . . . .     . . . . . . . 1     A B C D E F G H     . . . . . . . .
B . . . . . . .     . . . . . . 1 .     B C D E F G H .     . . . . . . . .
C . . . . . . .     . . . . . 1 . .     C D E F G H . .     . . . . . . . .
D . . . . . . .     . . . . 1 . . .     D E F G H . . .  >> . . . . . . . .
E . . . . . . .  *  . . . 1 . . . .  =  E F G H . . . .  56 . . . . . . . .
F . . . . . . .     . . 1 . . . . .     F G H . . . . .     . . . . . . . .
G . . . . . . .     . 1 . . . . . .     G H . . . . . .     . . . . . . . .
H . . . . . . .     1 . . . . . . .     H . . . . . . .     A B C D E F G H
"""
DIAGONAL_TO_RANK = """
masked diagonal  *  A-file              mapped
to 8th rank      ->  1st rank
. . . . . . . H     1 . . . . . . .     A B C D E F G H     . . . . . . . .
. . . . . . G .     1 . . . . . . .     A B C D E F G .     . . . . . . . .
. . . . . F . .     1 . . . . . . .     A B C D E F . .  >> . . . . . . . .
. . . . E . . .     1 . . . . . . .     A B C D E . . .  56 . . . . . . . .
. . . D . . . .  *  1 . . . . . . .  =  A B C D . . . .     . . . . . . . .
. . C . . . . .     1 . . . . . . .     A B C . . . . .     . . . . . . . .
. B . . . . . .     1 . . . . . . .     A B . . . . . .     . . . . . . . .
A . . . . . . .     1 . . . . . . .     A . . . . . . .     A B C D E F G H
"""


@pytest.mark.parametrize(
    ("drawing", "factor", "gather"),
    [
        pytest.param(A_FILE_TO_RANK, bits.MAIN_DIAGONAL, bits.a_file_to_rank, id="a-file"),
        pytest.param(DIAGONAL_TO_RANK, bits.A_FILE, bits.diagonal_to_rank, id="diagonal"),
    ],
)
def test_000_line_to_rank(drawing: str, factor: np.uint64, gather: Kernel) -> None:
    line, drawn_factor, multiplied, on_rank = boards(drawing)
    assert board(drawn_factor) == factor
    bits_of, product_of, rank_of = letters(line), letters(multiplied), letters(on_rank)
    for present in choices("ABCDEFGH"):
        o = union(bits_of, present)
        assert product(o, board(drawn_factor)) == union(product_of, present)
        assert product(o, board(drawn_factor)) >> 56 == union(rank_of, present) == gather(o)


def test_000_diagonal_to_six_bits() -> None:
    line, factor, multiplied, index = boards("""
masked line      *  B-File           =  B-G upper six       occupancy 6 bit
. . . . . . . H     . 1 . . . . . .     . A[B C . E F G]    . . . . . . . .
. . . . . . G .     . 1 . . . . . .     . A B C . E F G     . . . . . . . .
. . . . . F . .     . 1 . . . . . .     . A B C . E F .     . . . . . . . .
. . . . E . . .     . 1 . . . . . .     . A B C . E . .  >> . . . . . . . .
. . . . . . . .  *  . 1 . . . . . .  =  . A B C . . . .  58 . . . . . . . .
. . C . . . . .     . 1 . . . . . .     . A B C . . . .     . . . . . . . .
. B . . . . . .     . 1 . . . . . .     . A B . . . . .     . . . . . . . .
A . . . . . . .     . 1 . . . . . .     . A . . . . . .    [B C . E F G]. .
    """)
    assert board(factor) == bits.B_FILE
    bits_of, product_of, index_of = letters(line), letters(multiplied), letters(index)
    assert union(bits_of, "ABCEFGH") == lines.line_through("diagonal", D4)
    fill_up = technique("kindergarten").tables().fill_up
    for present in choices("ABCEFGH"):
        o = union(bits_of, present)
        assert product(o, board(factor)) == union(product_of, present)
        six_bits = product(o, board(factor)) >> 58
        assert six_bits == union(index_of, present)
        # The number finds the attacks, whatever stands on the rest of the board.
        attacks = lines.line_through("diagonal", D4) & fill_up[3, six_bits]
        assert attacks == geometry.attacks("diagonal", D4, o)
        assert attacks == technique("kindergarten").diagonal(D4, o | ~lines.line_through("diagonal", D4))


def test_000_fill_up_attacks() -> None:
    copies, line = boards("""
8 copies of rank      the attack set
attacks & l-mask  ->  of this line
a b c . e f g h       . . . . . . . h
a b c . e f g h       . . . . . . g .
a b c . e f g h       . . . . . f . .
a b c . e f g h       . . . . e . . .
a b c . e f g h       . . . . . . . .
a b c . e f g h       . . c . . . . .
a b c . e f g h       . b . . . . . .
a b c . e f g h       a . . . . . . .
    """)
    copies_of, line_of = letters(copies), letters(line)
    mask = union(line_of, "abcefgh")
    assert mask == lines.line_through("diagonal", D4)
    fill_up = technique("kindergarten").tables().fill_up
    assert fill_up.shape == (8, 64)
    for six_bits in range(64):
        attacked = geometry.attacks("rank", squares.square_at(0, 3), six_bits << 1)
        present = "".join("abcdefgh"[f] for f in range(8) if attacked >> f & 1)
        assert fill_up[3, six_bits] == union(copies_of, present)
        assert fill_up[3, six_bits] & U64(mask) == union(line_of, present)


def test_000_file_factor() -> None:
    assert kindergarten.DIAGONAL_C2_H7 == 0x0080402010080400 == Bitboard.of("c2", "d3", "e4", "f5", "g6", "h7")


# 000 and 002: attacks on the otherwise empty board, from d4.

# 000 names the columns East, Nort, NoEa, NoWe and West, Sout, SoWe, SoEa; 002 writes North, NorthEast and so on.
POSITIVE_RAYS = """
East (+1)           Nort (+8)            NoEa (+9)           NoWe (+7)
. . . . . . . .     . . . 1 . . . .      . . . . . . . 1     . . . . . . . .
. . . . . . . .     . . . 1 . . . .      . . . . . . 1 .     1 . . . . . . .
. . . . . . . .     . . . 1 . . . .      . . . . . 1 . .     . 1 . . . . . .
. . . . . . . .     . . . 1 . . . .      . . . . 1 . . .     . . 1 . . . . .
. . . R 1 1 1 1     . . . R . . . .      . . . B . . . .     . . . B . . . .
. . . . . . . .     . . . . . . . .      . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .      . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .      . . . . . . . .     . . . . . . . .
"""
NEGATIVE_RAYS = """
West (-1)           Sout (-8)            SoWe (-9)           SoEa (-7)
. . . . . . . .     . . . . . . . .      . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .      . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .      . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .      . . . . . . . .     . . . . . . . .
1 1 1 R . . . .     . . . R . . . .      . . . B . . . .     . . . B . . . .
. . . . . . . .     . . . 1 . . . .      . . 1 . . . . .     . . . . 1 . . .
. . . . . . . .     . . . 1 . . . .      . 1 . . . . . .     . . . . . 1 . .
. . . . . . . .     . . . 1 . . . .      1 . . . . . . .     . . . . . . 1 .
"""
LINES = """
Rank                File                 Diagonal            Anti-Diagonal
. . . . . . . .     . . . 1 . . . .      . . . . . . . 1     . . . . . . . .
. . . . . . . .     . . . 1 . . . .      . . . . . . 1 .     1 . . . . . . .
. . . . . . . .     . . . 1 . . . .      . . . . . 1 . .     . 1 . . . . . .
. . . . . . . .     . . . 1 . . . .      . . . . 1 . . .     . . 1 . . . . .
1 1 1 R 1 1 1 1     . . . R . . . .      . . . B . . . .     . . . B . . . .
. . . . . . . .     . . . 1 . . . .      . . 1 . . . . .     . . . . 1 . . .
. . . . . . . .     . . . 1 . . . .      . 1 . . . . . .     . . . . . 1 . .
. . . . . . . .     . . . 1 . . . .      1 . . . . . . .     . . . . . . 1 .
"""
ROOK_AND_BISHOP = """
               Rook                                    Bishop
           . . . 1 . . . .                         . . . . . . . 1
           . . . 1 . . . .                         1 . . . . . 1 .
           . . . 1 . . . .                         . 1 . . . 1 . .
           . . . 1 . . . .                         . . 1 . 1 . . .
           1 1 1 R 1 1 1 1                         . . . B . . . .
           . . . 1 . . . .                         . . 1 . 1 . . .
           . . . 1 . . . .                         . 1 . . . 1 . .
           . . . 1 . . . .                         1 . . . . . 1 .
"""
QUEEN = """
                                   Queen
                               . . . 1 . . . 1
                               1 . . 1 . . 1 .
                               . 1 . 1 . 1 . .
                               . . 1 1 1 . . .
                               1 1 1 Q 1 1 1 1
                               . . 1 1 1 . . .
                               . 1 . 1 . 1 . .
                               1 . . 1 . . 1 .
"""


@pytest.mark.parametrize(
    ("direction", "drawing"),
    [
        *zip(("east", "nort", "noEa", "noWe"), boards(POSITIVE_RAYS), strict=True),
        *zip(("west", "sout", "soWe", "soEa"), boards(NEGATIVE_RAYS), strict=True),
    ],
)
def test_000_and_002_rays(direction: str, drawing: str) -> None:
    assert board(drawing, "RB").names() == ["d4"]
    assert lines.ray(direction, D4) == board(drawing)
    assert technique("classical").tables().rays[parse_direction(direction), D4] == board(drawing)
    assert technique("classical").ray(direction, D4, 0) == board(drawing)


@pytest.mark.parametrize(
    ("line", "drawing"), list(zip(("rank", "file", "diagonal", "antidiagonal"), boards(LINES), strict=True))
)
def test_000_lines(line: str, drawing: str) -> None:
    assert lines.line_through(line, D4) == board(drawing)
    assert technique("hyperbola").ask(line, D4, 0) == board(drawing)
    mask = {
        "rank": bits.rank_mask,
        "file": bits.file_mask,
        "diagonal": bits.diagonal_mask,
        "antidiagonal": bits.antidiagonal_mask,
    }[line]
    assert mask(D4) == board(drawing, "1RB")


@pytest.mark.parametrize(
    ("piece", "drawing"),
    list(zip(("rook", "bishop", "queen"), boards(ROOK_AND_BISHOP) + boards(QUEEN), strict=True)),
)
def test_000_pieces(piece: str, drawing: str) -> None:
    assert lines.empty_board_attacks(piece, D4) == board(drawing)
    assert technique("hyperbola").ask(piece, D4, 0) == board(drawing)


# 000: calculation and fill.


def test_000_subtracting_a_slider_from_the_blockers() -> None:
    occupied, slider = 0b11000101, 0b00000100
    assert slider & occupied == slider
    assert occupied - slider == 0b11000001
    assert occupied - 2 * slider == 0b10111101
    assert occupied ^ (occupied - 2 * slider) == 0b01111000
    sq = slider.bit_length() - 1
    for name in ("obstruction-difference", "hyperbola", "hyperbola-bitreverse"):
        upward = technique(name).rank(sq, occupied) & ~Bitboard(2 * slider - 1)
        assert upward == 0b01111000, name


@pytest.mark.parametrize("name", ["dumb7fill", "kogge-stone"])
def test_000_progressive_mobility(name: str) -> None:
    (drawing,) = boards(r"""
 . . . . . . . .
 . . . . \ . . .
 . . . \ . 1 . .
 . . \ . 1 . \ .
 . \ . 1 . \ . .
 . . 1 . \ . . .
 . B . \ . . . .
 . . . . . . . .
    """)
    bishop, first, second = board(drawing, "B"), board(drawing), board(drawing, "\\")
    t = technique(name)
    # The document does not draw what stops the ray; a fill leaves the blocker, on g7, out.
    empty = ~Bitboard.of("g7")
    assert t.fill("noEa", bishop, empty) == bishop | first
    assert t.ray_attacks("noEa", bishop, empty) == first | Bitboard.of("g7")
    # From each square of the first move the lines of the second leave; drawn are the steps they begin with.
    assert sets.no_we_one(first) | sets.so_ea_one(first) == second
    reached = t.ray_attacks("noWe", first, empty) | t.ray_attacks("soEa", first, empty)
    assert reached.issuperset(second)
    assert reached & ~second == Bitboard.of("a5", "a7", "b6", "b8", "c7", "d8", "e1", "f2", "g1", "g3", "h2", "h4")


def test_000_first_rank_attacks() -> None:
    # Both bytes are printed a-file first: b, e and g are occupied, and the rook on e reaches b and g. Read as
    # binary numbers, as the B behind them would have it, e stands for bit 4 and nothing fits.
    def first_rank(printed: str) -> int:
        return int(printed[::-1], 2)

    occupied, attacks = first_rank("01001010"), first_rank("01110110")
    assert Bitboard(occupied).names() == ["b1", "e1", "g1"]
    e = squares.FILE_NAMES.index("e")
    all_eight = technique("first-rank-256").tables().first_rank
    inner_six = technique("first-rank-64").tables().first_rank
    assert all_eight[occupied, e] == attacks
    assert inner_six[occupied >> 1 & 63, e] == attacks
    assert all_eight.nbytes == 2048
    assert inner_six.nbytes == 512


# 000: magic bitboards.


def test_000_magic_bishop_b1() -> None:
    # Works kindergarten-like: one ray, one bit a file, so that the drawn factor is a true magic.
    relevant, factor, multiplied = boards("""
any consecutive
relevant occupancy                      combination of
bishop b1, 5 bits                       the masked bits
. . . . . . . .     . . . . . . . .     . . .[C D E F G]
. . . . . . . .     . 1 . . . . . .     . . . . . . . .
. . . . . . G .     . 1 . . . . . .     . . . . . . . .
. . . . . F . .     . 1 . . . . . .     . . . . . . . .
. . . . E . . .  *  . 1 . . . . . .  =  . .garbadge . .    >> (64- 5)
. . . D . . . .     . 1 . . . . . .     . . . . . . . .
. . C . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .
    """)
    b1 = parse_square("b1")
    bits_of, index_of = letters(relevant), letters(multiplied)
    assert union(bits_of, "CDEFG") == lines.relevant_occupancy("bishop", b1)
    eighth_rank = 0xFF << 56
    attacks: dict[int, int] = {}
    for present in choices("CDEFG"):
        o = union(bits_of, present)
        hashed = product(o, board(factor))
        assert hashed & eighth_rank == union(index_of, present)
        assert hashed >> (64 - 5) == sum(1 << "CDEFG".index(sign) for sign in present)
        attacks[hashed >> (64 - 5)] = geometry.attacks("bishop", b1, o)
    assert sorted(attacks) == list(range(32))
    assert len(set(attacks.values())) == 6


@pytest.mark.parametrize(
    ("piece", "name", "width", "drawing"),
    [
        pytest.param(
            "bishop",
            "d4",
            9,
            """
relevant occupancy                      combination of
bishop d4, 9 bits                       the masked bits
. . . . . . . .                         2 4 5 B C E F G]
. . . . . . G .                         . . . . . . .[1
. 5 . . . F . .                         . . . . . . . .
. . 4 . E . . .                         . . . . . . . .
. . . . . . . .                         . .garbadge . .    >> (64- 9)
. . C . 2 . . .                         . . . . . . . .
. B . . . 1 . .                         . . . . . . . .
. . . . . . . .                         . . . . . . . .
            """,
            id="bishop d4",
        ),
        pytest.param(
            "rook",
            "d4",
            10,
            """
relevant occupancy                      combination of
rook d4, 10 bits                        the masked bits
. . . . . . . .                         4 5 6 B C E F G]
. . . 6 . . . .                         . . . . . .[1 2
. . . 5 . . . .                         . . . . . . . .
. . . 4 . . . .                         . . . . . . . .
. B C . E F G .                         . .garbadge . .    >> (64-10)
. . . 2 . . . .                         . . . . . . . .
. . . 1 . . . .                         . . . . . . . .
. . . . . . . .                         . . . . . . . .
            """,
            id="rook d4",
        ),
        pytest.param(
            "rook",
            "a1",
            12,
            """
relevant occupancy                      combination of
rook a1, 12 bits                        the masked bits
. . . . . . . .                         5 6 B C D E F G]
6 . . . . . . .                         . . . .[1 2 3 4
5 . . . . . . .                         . . . . . . . .
4 . . . . . . .                         . . . . . . . .
3 . . . . . . .                         . .garbadge . .    >> (64-12)
2 . . . . . . .                         . . . . . . . .
1 . . . . . . .                         . . . . . . . .
. B C D E F G .                         . . . . . . . .
            """,
            id="rook a1",
        ),
    ],
)
def test_000_magic_pictures(piece: str, name: str, width: int, drawing: str) -> None:
    # The factors are drawn as words ("some magic bits"). The mask is exact; so is where the index stands.
    square = parse_square(name)
    relevant, index = (letters(drawn) for drawn in boards(drawing))
    assert union(relevant, "123456BCDEFG") == lines.relevant_occupancy(piece, square)
    assert list(relevant) == list(index)
    assert len(index) == width == len(lines.relevant_occupancy(piece, square))
    assert union(index, "123456BCDEFG") >> (64 - width) == (1 << width) - 1
    tables = technique("magic-plain").tables()
    assert {"bishop": tables.bishop_shift, "rook": tables.rook_shift}[piece][square] == 64 - width


DISTINCT = {
    "bishop": """
  A     B     C      D
8 64/7  32/6  32/10  32/12
7 32/6  32/6  32/10  32/ 12
6 32/10 32/10 128/40 128/ 48
5 32/12 32/12 128/48 512/108
""",
    "rook": """
  A       B       C        D
8 4096/49 2048/42 2048/70  2048/84
7 2048/42 1024/36 1024/ 60 1024/ 72
6 2048/70 1024/60 1024/100 1024/120
5 2048/84 1024/72 1024/120 1024/144
""",
}
RATIOS = {
    "bishop": """
  A    B    C    D
8 9.14 5.33 3.20 2.67
7 5.33 5.33 3.20 2.67
6 3.20 3.20 3.20 2.67
5 2.67 2.67 2.67 4.74
""",
    "rook": """
  A     B     C     D
8 83.59 48.76 29.26 24.38
7 48.76 28.44 17.07 14.22
6 29.26 17.07 10.24 8.53
5 24.38 14.22 8.53  7.11
""",
}


def occupancies_and_sets(piece: str, square: int) -> tuple[int, int]:
    occupied, attacks = relevant_cases(piece, square)
    assert len(np.unique(occupied)) == len(occupied)
    return len(occupied), len(np.unique(attacks))


@pytest.mark.parametrize("piece", ["bishop", "rook"])
def test_000_occupancies_and_distinct_attack_sets(piece: str) -> None:
    fractions = re.findall(r"(\d+)/\s*(\d+)", DISTINCT[piece])
    ratios = re.findall(r"\d+\.\d\d", RATIOS[piece])
    drawn = {}
    for i, fraction in enumerate(fractions):
        rank, file = 7 - i // 4, i % 4
        drawn[rank, file] = int(fraction[0]), int(fraction[1])
        assert f"{int(fraction[0]) / int(fraction[1]):.2f}" == ratios[i]
    assert len(drawn) == len(ratios) == 16
    for square in range(64):
        rank, file = divmod(square, 8)
        quarter = max(rank, 7 - rank), min(file, 7 - file)
        assert occupancies_and_sets(piece, square) == drawn[quarter], squares.square_name(square)


def test_000_distinct_sets_are_products_of_ray_lengths() -> None:
    assert occupancies_and_sets("rook", D4)[1] == 3 * 4 * 3 * 4 == 144
    assert occupancies_and_sets("bishop", parse_square("a8"))[1] == 7
    assert occupancies_and_sets("rook", 0) == (2**12, 7 * 7)


# 001: Sherwin bitboards. The document numbers squares from the h-file (h1 = 0, g1 = 1).

OURS = "rank-little-little"
ELEPHANT = "rank-little-big"
SHERWIN_D4 = """
 . . . . . . . -
 - . . . . . 1 .  giving 1 bit  or 2 different values from row 7
 . 1 . . . 1 . .  giving 2 bits or 4 different values from row 6
 . . 1 . 1 . . .  giving 2 bits or 4 different values from row 5
 . . . B . . . .  giving 0 bits or 0 different values from row 4
 . . 1 . 1 . . .  giving 2 bits or 4 different values from row 3
 . 1 . . . 1 . .  giving 2 bits or 4 different values from row 2
 - . . . . . - .
"""
SHERWIN_D4_ORDER = """
 . . . . . . . -
 - . . . . . i .  giving 1 bit  or 2 different values from row 7
 . g . . . h . .  giving 2 bits or 4 different values from row 6
 . . e . f . . .  giving 2 bits or 4 different values from row 5
 . . . B . . . .  giving 0 bits or 0 different values from row 4
 . . c . d . . .  giving 2 bits or 4 different values from row 3
 . a . . . b . .  giving 2 bits or 4 different values from row 2
 - . . . . . - .
"""


def eight_signs(drawing: str) -> str:
    """The boards of 001 have remarks behind their rows."""
    return "\n".join(line.split("  giving")[0] for line in drawing.splitlines())


def test_001_relevant_squares_of_bishop_d4() -> None:
    drawing = eight_signs(SHERWIN_D4)
    relevant, border = board(drawing), board(drawing, "-")
    assert board(drawing, "B").names() == ["d4"]
    assert lines.relevant_occupancy("bishop", D4) == relevant
    assert lines.empty_board_attacks("bishop", D4) == relevant | border
    inner_board = Bitboard(0x007E7E7E7E7E7E00)
    assert lines.empty_board_attacks("bishop", D4) & inner_board == relevant
    remarks = re.findall(r"giving (\d) bits? +or (\d) different values from row (\d)", SHERWIN_D4)
    assert [int(row) for _, _, row in remarks] == [7, 6, 5, 4, 3, 2]
    rows = technique("sherwin").tables().bishop_rows[D4]
    for count, values, row in remarks:
        assert sum(square // 8 == int(row) - 1 for square in relevant) == int(count)
        # The document gives row 4, where no bit is, 0 different values: it has one.
        assert len(np.unique(rows[int(row) - 2])) == max(int(values), 1)


def test_001_order_of_index_bits() -> None:
    in_order = "abcdefghi"  # 0x0000000ihgfedcba: a is the index's bit 0
    drawn = letters(eight_signs(SHERWIN_D4_ORDER))
    places = [drawn[sign] for sign in in_order]
    assert sum(places) == lines.relevant_occupancy("bishop", D4)
    assert [next(iter(place)) for place in places] == list(lines.relevant_occupancy("bishop", D4))
    # Ascending like this, a file first, is our numbering. In the document's own the h-file's side comes first.
    from_h = sorted(in_order, key=lambda sign: convert_board(drawn[sign], OURS, ELEPHANT))
    assert "".join(from_h) == "badcfehgi"

    rows = technique("sherwin").tables().bishop_rows[D4]
    base = rows[0, 0]

    def index(occupied: int) -> int:
        return int(functools.reduce(operator.or_, (rows[i, occupied >> 8 * (i + 1) + 1 & 63] for i in range(6))))

    for present in choices(in_order):
        assert index(union(drawn, present)) == base + sum(1 << in_order.index(sign) for sign in present)


SQUARE_BITS = {
    "bishop": [
        6, 5, 5, 5, 5, 5, 5, 6,
        5, 5, 5, 5, 5, 5, 5, 5,
        5, 5, 7, 7, 7, 7, 5, 5,
        5, 5, 7, 9, 9, 7, 5, 5,
        5, 5, 7, 9, 9, 7, 5, 5,
        5, 5, 7, 7, 7, 7, 5, 5,
        5, 5, 5, 5, 5, 5, 5, 5,
        6, 5, 5, 5, 5, 5, 5, 6,
    ],
    "rook": [
        12, 11, 11, 11, 11, 11, 11, 12,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        12, 11, 11, 11, 11, 11, 11, 12,
    ],
}  # fmt: skip


@pytest.mark.parametrize("piece", ["bishop", "rook"])
def test_001_square_bits(piece: str) -> None:
    for theirs, width in enumerate(SQUARE_BITS[piece]):
        ours = convert_square(theirs, ELEPHANT, OURS)
        assert len(lines.relevant_occupancy(piece, ours)) == width


def test_001_square_bits_of_d4() -> None:
    # The squares the document names, in its own numbers.
    d4 = convert_square(D4, OURS, ELEPHANT)
    assert d4 == 28
    assert SQUARE_BITS["bishop"][d4] == 9
    assert SQUARE_BITS["rook"][d4] == 10


@pytest.mark.parametrize(
    ("piece", "counts", "total"),
    [("bishop", {9: 4, 7: 12, 5: 44, 6: 4}, 5248), ("rook", {12: 4, 11: 24, 10: 36}, 102_400)],
)
def test_001_counts(piece: str, counts: dict[int, int], total: int) -> None:
    widths = [len(lines.relevant_occupancy(piece, square)) for square in range(64)]
    assert {width: widths.count(width) for width in set(widths)} == counts
    tables = technique("sherwin").tables()
    attacks = {"bishop": tables.bishop_attacks, "rook": tables.rook_attacks}[piece]
    assert sum(count << width for width, count in counts.items()) == len(attacks) == total


def test_001_bishop_totals() -> None:
    assert [4 << 9, 12 << 7, 44 << 5, 4 << 6] == [2048, 1536, 1408, 256]


# A line is a square's index: its base in binary, then a sign for each bit of the occupancy.
BISHOP_LAYOUT = """
0000999999999 4 times 9 bit
0001999999999
0010999999999
0011999999999
0100007777777 12 times 7 bit
01....7777777
0110117777777
0111000666666 4 times 6 bit
0111001666666
0111010666666
0111011666666
0111100055555 44 times 5 bit
........55555
1010001155555
"""
# The document ends the eleven bits with 100111 and runs the ten from 1010000 to 1110011: after 8 times 2,048 come 24
# squares, up to 31 (011111), not 32 up to 39. Its own total, 102,400, is a hundred times 1,024 and bears this out.
ROOK_LAYOUT = """
00000cccccccccccc 4 times 12 bit
00001cccccccccccc
00010cccccccccccc
00011cccccccccccc
001000bbbbbbbbbbb 24 times 11 bit
0.....bbbbbbbbbbb
011111bbbbbbbbbbb
1000000aaaaaaaaaa 36 times 10 bit
.......aaaaaaaaaa
1100011aaaaaaaaaa
"""


@pytest.mark.parametrize(("piece", "drawing"), [("bishop", BISHOP_LAYOUT), ("rook", ROOK_LAYOUT)])
def test_001_layout(piece: str, drawing: str) -> None:
    tables = technique("sherwin").tables()
    rows = {"bishop": tables.bishop_rows, "rook": tables.rook_rows}[piece]
    bases: dict[int, list[int]] = {}
    for square in range(64):
        bases.setdefault(len(lines.relevant_occupancy(piece, square)), []).append(int(rows[square, 0, 0]))
    times = re.findall(r"(\d+) times (\d+) bit", drawing)
    assert {int(width): int(count) for count, width in times} == {w: len(b) for w, b in bases.items()}
    drawn: dict[int, list[int]] = {}
    for prefix, signs in re.findall(r"^([01]+)([5679a-c]+)\b", drawing, re.MULTILINE):
        drawn.setdefault(len(signs), []).append(int(prefix, 2) << len(signs))
    assert sorted(drawn) == sorted(bases)
    for width, starts in drawn.items():
        assert set(starts) <= set(bases[width])
        assert (starts[0], starts[-1]) == (min(bases[width]), max(bases[width]))
        assert sorted(bases[width]) == list(range(starts[0], starts[-1] + 1, 1 << width))
    assert sherwin.bases(piece) == {square: int(rows[square, 0, 0]) for square in range(64)}


def test_001_rook_rays() -> None:
    # The document's own way to leave the outer squares out, in its numbers.
    for theirs in range(64):
        rank, file = divmod(theirs, 8)
        ray_bits = sum(1 << s for s in range(64) if s != theirs and (s // 8 == rank or s % 8 == file))
        for spared, inner in (
            (file != 7, 0x7F7F7F7F7F7F7F7F),
            (file != 0, 0xFEFEFEFEFEFEFEFE),
            (rank != 7, 0x00FFFFFFFFFFFFFF),
            (rank != 0, 0xFFFFFFFFFFFFFF00),
        ):
            if spared:
                ray_bits &= inner
        ours = convert_square(theirs, ELEPHANT, OURS)
        assert convert_board(ray_bits, ELEPHANT, OURS) == lines.relevant_occupancy("rook", ours)


# 002: the classical approach. Its rays are those of 000, above.


def test_002_bishop_g2() -> None:
    occupied, ray, blockers = boards("""
occupied         &  NorthWest(g2)       {a8, c6}
1 . 1 1 1 1 1 1     1 . . . . . . .     1 . . . . . . .
1 . 1 1 1 1 1 1     . 1 . . . . . .     . . . . . . . .
. 1 1 . . . . .     . . 1 . . . . .     . . 1 . . . . .
. . . . . . . .     . . . 1 . . . .     . . . . . . . .
. . . . . . . .  &  . . . . 1 . . .  =  . . . . . . . .
. . . . . . 1 .     . . . . . 1 . .     . . . . . . . .
1 1 1 1 1 1 B 1     . . . . . . . .     . . . . . . . .
1 1 1 1 1 . 1 1     . . . . . . . .     . . . . . . . .
    """)
    (beyond,) = boards("""
                    xor NorthWest(c6 = bitscanForward{a8,c6}
                    1 . . . . . . .
                    . 1 . . . . . .
                    . . . . . . . .
                    . . . . . . . .
                    . . . . . . . .
                    . . . . . . . .
                    . . . . . . . .
                    . . . . . . . .
    """)
    (attacks,) = boards("""
                    =  final northWest Attacks
                    . . . . . . . .
                    . . . . . . . .
                    . . 1 . . . . .
                    . . . 1 . . . .
                    . . . . 1 . . .
                    . . . . . 1 . .
                    . . . . . . . .
                    . . . . . . . .
    """)
    g2 = parse_square("g2")
    all_pieces = board(occupied, "1B")
    assert lines.ray("noWe", g2) == board(ray)
    assert all_pieces & board(ray) == board(blockers) == Bitboard.of("a8", "c6")
    first = bits.hardware_forward(board(blockers))
    assert squares.square_name(first) == "c6"
    assert lines.ray("noWe", first) == board(beyond)
    assert board(ray) ^ board(beyond) == board(attacks)
    for name in ("classical", "classical-branchless", "classical-generalized", "classical-zero-count"):
        assert technique(name).ray("noWe", g2, all_pieces) == board(attacks), name


# 003: rotated boards.


def test_003_file_attacks_of_rook_a5() -> None:
    # Drawn with 0 and 1; the rook's R is an occupied square. The rotated board shows the file on the eighth rank.
    non_rotated, rotated_board, attacks = (
        drawn.replace("0", ".")
        for drawn in boards("""
non-rotated         rotated             file_attacks[a5][rotated]
1 0 0 0 0 0 0 0     1 0 0 1 R 0 1 1     0 0 0 0 0 0 0 0
1 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     1 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     1 0 0 0 0 0 0 0
R 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0
1 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     1 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0
1 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0
        """)
    )
    occupied = board(non_rotated, "1R")
    a5 = parse_square("a5")
    assert board(non_rotated, "R") == 1 << a5
    assert bits.rotate_90_clockwise(occupied) == board(rotated_board, "1R")
    assert bits.rotate_90_clockwise(1 << a5) == board(rotated_board, "R")
    # The index is written a1 first, as the rotated board's eighth rank is drawn.
    index = int("10011011"[::-1], 2)
    assert board(rotated_board, "1R") >> 56 == index
    for name in ("rotated-hyatt", "rotated-heinz", "rotated-hyatt-64", "rotated-heinz-64", "rotated-compact"):
        assert technique(name).file(a5, occupied) == board(attacks), name
    # DarkThought's table is indexed by that very byte.
    assert technique("rotated-heinz").tables().file[a5, index] == board(attacks)


def places(drawing: str, column: int) -> list[str]:
    """The names on one of two boards drawn side by side, from the lowest bit on: the last row first.

    Bars separate diagonals; `#7` is the byte's number.
    """
    names = [re.findall(r"[A-Ha-h][1-8]", line) for line in drawing.splitlines()]
    rows = [row for row in names if len(row) > 4]  # a heading like "A1-H8" has four
    assert [len(row) for row in rows] == [16] * 8
    return [name.lower() for row in reversed(rows) for name in row[8 * column : 8 * column + 8]]


# Hyatt's a1 is a rotated board's first bit and drawn last row first: the library keeps his order, a row's left square
# its lowest bit.
HYATT_90 = """
normal chess board bitmap      occupied_squares 90 degrees
A8 B8 C8 D8 E8 F8 G8 H8        H8 H7 H6 H5 H4 H3 H2 H1
A7 B7 C7 D7 E7 F7 G7 H7        G8 G7 G6 G5 G4 G3 G2 G1
A6 B6 C6 D6 E6 F6 G6 H6        F8 F7 F6 F5 F4 F3 F2 F1
A5 B5 C5 D5 E5 F5 G5 H5        E8 E7 E6 E5 E4 E3 E2 E1
A4 B4 C4 D4 E4 F4 G4 H4        D8 D7 D6 D5 D4 D3 D2 D1
A3 B3 C3 D3 E3 F3 G3 H3        C8 C7 C6 C5 C4 C3 C2 C1
A2 B2 C2 D2 E2 F2 G2 H2        B8 B7 B6 B5 B4 B3 B2 B1
A1 B1 C1 D1 E1 F1 G1 H1        A8 A7 A6 A5 A4 A3 A2 A1
"""
HYATT_DIAMONDS = """
       original left 45                    original right 45
              H8                                  A8
             G8 H7                               A7 B8
            F8 G7 H6                            A6 B7 C8
           E8 F7 G6 H5                         A5 B6 C7 D8
          D8 E7 F6 G5 H4                      A4 B5 C6 D7 E8
         C8 D7 E6 F5 G4 H3                   A3 B4 C5 D6 E7 F8
        B8 C7 D6 E5 F4 G3 H2                A2 B3 C4 D5 E6 F7 G8
       A8 B7 C6 D5 E4 F3 G2 H1             A1 B2 C3 D4 E5 F6 G7 H8
        A7 B6 C5 D4 E3 F2 G1                B1 C2 D3 E4 F5 G6 H7
         A6 B5 C4 D3 E2 F1                   C1 D2 E3 F4 G5 H6
          A5 B4 C3 D2 E1                      D1 E2 F3 G4 H5
           A4 B3 C2 D1                         E1 F2 G3 H4
            A3 B2 C1                            F1 G2 H3
             A2 B1                               G1 H2
              A1                                  H1
"""
HYATT_45 = """
original left 45                original right 45
G6 H5|F8 G7 H6|G8 H7|H8|        C7 D8|A6 B7 C8|A7 B8|A8|
H3|D8 E7 F6 G5 H4|E8 F7         F8|A4 B5 C6 D7 E8|A5 B6
F4 G3 H2|C8 D7 E6 F5 G4         E6 F7 G8|A3 B4 C5 D6 E7
E4 F3 G2 H1|B8 C7 D6 E5         E5 F6 G7 H8|A2 B3 C4 D5
D4 E3 F2 G1|A8 B7 C6 D5         E4 F5 G6 H7|A1 B2 C3 D4
B5 C4 D3 E2 F1|A7 B6 C5         D2 E3 F4 G5 H6|B1 C2 D3
C2 D1|A5 B4 C3 D2 E1|A6         G3 H4|D1 E2 F3 G4 H5|C1
|A1|A2 B1|A3 B2 C1|A4 B3        |H1|G1 H2|F1 G2 H3|E1 F2
"""
HEINZ_FLIPPED = """
Normal Bitboard.                                Flipped Bitboard.
#7 #6 #5 #4 #3 #2 #1 #0 Bit/Byte                #7 #6 #5 #4 #3 #2 #1 #0 Bit/Byte
a8 b8 c8 d8 e8 f8 g8 h8 #7                      a8 a7 a6 a5 a4 a3 a2 a1 #7
a7 b7 c7 d7 e7 f7 g7 h7 #6                      b8 b7 b6 b5 b4 b3 b2 b1 #6
a6 b6 c6 d6 e6 f6 g6 h6 #5                      c8 c7 c6 c5 c4 c3 c2 c1 #5
a5 b5 c5 d5 e5 f5 g5 h5 #4                      d8 d7 d6 d5 d4 d3 d2 d1 #4
a4 b4 c4 d4 e4 f4 g4 h4 #3                      e8 e7 e6 e5 e4 e3 e2 e1 #3
a3 b3 c3 d3 e3 f3 g3 h3 #2                      f8 f7 f6 f5 f4 f3 f2 f1 #2
a2 b2 c2 d2 e2 f2 g2 h2 #1                      g8 g7 g6 g5 g4 g3 g2 g1 #1
a1 b1 c1 d1 e1 f1 g1 h1 #0                      h8 h7 h6 h5 h4 h3 h2 h1 #0
"""
HEINZ_DIAGONALS = """
A1-H8 Bitboard.                                 A8-H1 Bitboard.
#7 #6 #5 #4 #3 #2 #1 #0 Bit/Byte                #7 #6 #5 #4 #3 #2 #1 #0 Bit/Byte
a8|b1 c2 d3 e4 f5 g6 h7 #7                      a8 b7 c6 d5 e4 f3 g2 h1 #7
a7 b8|c1 d2 e3 f4 g5 h6 #6                      a7 b6 c5 d4 e3 f2 g1|h8 #6
a6 b7 c8|d1 e2 f3 g4 h5 #5                      a6 b5 c4 d3 e2 f1|g8 h7 #5
a5 b6 c7 d8|e1 f2 g3 h4 #4                      a5 b4 c3 d2 e1|f8 g7 h6 #4
a4 b5 c6 d7 e8|f1 g2 h3 #3                      a4 b3 c2 d1|e8 f7 g6 h5 #3
a3 b4 c5 d6 e7 f8|g1 h2 #2                      a3 b2 c1|d8 e7 f6 g5 h4 #2
a2 b3 c4 d5 e6 f7 g8|h1 #1                      a2 b1|c8 d7 e6 f5 g4 h3 #1
a1 b2 c3 d4 e5 f6 g7 h8|#0                      a1|b8 c7 d6 e5 f4 g3 h2 #0
"""


def from_the_right(drawing: str, column: int) -> list[str]:
    """The same for boards whose rows are drawn with bit 7 on the left."""
    names = places(drawing, column)
    return [name for start in range(0, 64, 8) for name in reversed(names[start : start + 8])]


def check_places(names: list[str], computed: list[int], state_of: list[int]) -> None:
    """`names` by bit: against the places of the squares, and against a prepared board of one square each."""
    for place, name in enumerate(names):
        square = parse_square(name)
        assert computed[square] == place, name
        assert state_of[square] == 1 << place, name


def states(name: str, board_name: str) -> list[int]:
    """One rotated board for each occupancy of a single square."""
    t = technique(name)
    prepared = [getattr(t.prepare(1 << square), board_name) for square in range(64)]
    toggled = [getattr(t.toggle(t.prepare(0), square), board_name) for square in range(64)]
    assert prepared == toggled
    return prepared


def test_003_hyatt_normal_and_90_degrees() -> None:
    assert places(HYATT_90, 0) == list(squares.SQUARE_NAMES)
    check_places(places(HYATT_90, 0), list(range(64)), states("rotated-hyatt", "plain"))
    check_places(places(HYATT_90, 1), rotated._hyatt_places()["r90"], states("rotated-hyatt", "r90"))


@pytest.mark.parametrize(("column", "board_name"), [(0, "l45"), (1, "r45")])
def test_003_hyatt_45_degrees(column: int, board_name: str) -> None:
    drawn = places(HYATT_45, column)
    check_places(drawn, rotated._hyatt_places()[board_name], states("rotated-hyatt", board_name))


@pytest.mark.parametrize(("column", "line"), [(0, "antidiagonal"), (1, "diagonal")])
def test_003_hyatt_diamonds(column: int, line: str) -> None:
    # The diamond packed from below, row after row, gives the eight by eight board.
    rows = [re.findall(r"[A-H][1-8]", drawn) for drawn in HYATT_DIAMONDS.splitlines()]
    rows = [row[column * len(row) // 2 : (column + 1) * len(row) // 2] for row in rows if row]
    assert [len(row) for row in rows] == [1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1]
    packed = [name.lower() for row in reversed(rows) for name in row]
    assert packed == places(HYATT_45, column)
    for row in rows:
        first = parse_square(row[0].lower())
        whole = lines.line_through(line, first) | 1 << first
        assert whole == Bitboard.of(*(name.lower() for name in row))


def test_003_hyatt_bars_separate_diagonals() -> None:
    for column, line in ((0, "antidiagonal"), (1, "diagonal")):
        halves = [re.split(r"\s{4,}", drawn) for drawn in HYATT_45.splitlines() if re.search(r"[A-H][1-8]", drawn)]
        ring = " ".join(half[column] for half in reversed(halves))
        runs = [run.split() for run in ring.split("|") if run.strip()]
        assert len(runs) == 15
        for run in runs:
            first = parse_square(run[0].lower())
            assert Bitboard.of(*map(str.lower, run)) == lines.line_through(line, first) | 1 << first


def test_003_heinz_normal_board_counts_from_h1() -> None:
    names = from_the_right(HEINZ_FLIPPED, 0)
    assert names[0] == "h1"
    for index, name in enumerate(names):
        assert convert_square(index, "rank-little-big", OURS) == parse_square(name)


@pytest.mark.parametrize(
    ("drawing", "column", "board_name"),
    [
        pytest.param(HEINZ_FLIPPED, 1, "r90", id="flipped"),
        pytest.param(HEINZ_DIAGONALS, 0, "r45", id="A1-H8"),
        pytest.param(HEINZ_DIAGONALS, 1, "l45", id="A8-H1"),
    ],
)
def test_003_heinz(drawing: str, column: int, board_name: str) -> None:
    drawn = from_the_right(drawing, column)
    check_places(drawn, rotated._heinz_places()[board_name], states("rotated-heinz", board_name))


@pytest.mark.parametrize(("column", "line"), [(0, "diagonal"), (1, "antidiagonal")])
def test_003_heinz_bars_separate_diagonals(column: int, line: str) -> None:
    halves = [re.split(r"\s{4,}", drawn)[column] for drawn in HEINZ_DIAGONALS.splitlines() if "#" in drawn]
    runs = [run.split() for half in halves for run in half.split("#")[0].split("|") if run.strip()]
    assert len(runs) == 15
    for run in runs:
        first = parse_square(run[0])
        assert Bitboard.of(*run) == lines.line_through(line, first) | 1 << first


@pytest.mark.parametrize("author", ["hyatt", "heinz"])
def test_003_table_sizes(author: str) -> None:
    # Four tables of 128 KB; the outer squares left out, four of 32 KB (000 has this number too).
    for name, kilobytes in ((f"rotated-{author}", 128), (f"rotated-{author}-64", 32)):
        tables = technique(name).tables()
        for line in ("rank", "file", "diagonal", "antidiagonal"):
            assert getattr(tables, line).nbytes == kilobytes * 1024


# 004: magic bitboards.

E5 = parse_square("e5")


def test_004_occupancy_and_mask_of_rook_e5() -> None:
    # The document's mask has h5 too ("1 1 1" to the right of the rook): a misprint, an outer square does not matter
    # and its own count of ten bits leaves no room for it. The second picture, below, has the right ten squares.
    pieces_on_board, mask, result = boards("""
# pieces on board     # relevant bitmask    # resulting bitmask
. . . . . . . .       . . . . . . . .       . . . . . . . .
1 1 1 . 1 . . 1       . . . . 1 . . .       . . . . 1 . . .
. . . . . . 1 .       . . . . 1 . . .       . . . . . . . .
. 1 1 . R . . .   &   . 1 1 1 . 1 1 .   =   . 1 1 . R . . .
. . 1 . . 1 1 .       . . . . 1 . . .       . . . . . . . .
. 1 . . . . . 1       . . . . 1 . . .       . . . . . . . .
. 1 . . 1 . . .       . . . . 1 . . .       . . . . 1 . . .
. . . . . . . .       . . . . . . . .       . . . . . . . .
    """)
    assert board(pieces_on_board, "R") == board(result, "R") == 1 << E5
    assert lines.relevant_occupancy("rook", E5) == board(mask)
    assert board(pieces_on_board) & board(mask) == board(result)
    # The answer the document's question asks for.
    rook_moves = Bitboard.of("e7", "e6", "e4", "e3", "e2", "c5", "d5", "f5", "g5", "h5")
    for name in ("magic-plain", "magic-fancy", "magic-shared"):
        assert technique(name).rook(E5, board(pieces_on_board, "1R")) == rook_moves
        assert technique(name).rook(E5, board(result)) == rook_moves


# The document draws the product seven squares wide, "4 5 A B C D E]" over "[1 2 3". Eight wide the top ten bits are
# g7, h7 and the eighth rank, which is also what its next picture shifts down.
ROOK_E5_INDEX = """
. . . . . . . .                             3 4 5 A B C D E]
. . . . 5 . . .                             . . . . . .[1 2
. . . . 4 . . .                             . . . . . . . .
. A B C . D E .                             . . . . . . . .
. . . . 3 . . .                             . .garbadge . .
. . . . 2 . . .                             . . . . . . . .
. . . . 1 . . .                             . . . . . . . .
. . . . . . . .                             . . . . . . . .
"""
ROOK_E5_SHIFTED = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
D E]. . . . . .
[1 2 3 4 5 A B C
"""


def test_004_magic_index_of_rook_e5() -> None:
    relevant, index = (letters(drawn) for drawn in boards(ROOK_E5_INDEX))
    (shifted,) = map(letters, boards(ROOK_E5_SHIFTED))
    signs = "12345ABCDE"
    assert "".join(relevant) == "".join(index) == "".join(shifted) == signs
    assert union(relevant, signs) == lines.relevant_occupancy("rook", E5)
    for sign in signs:
        assert index[sign] >> (64 - 10) == shifted[sign] == 1 << signs.index(sign)
    assert technique("magic-plain").tables().rook_shift[E5] == 64 - 10


def test_004_table_lengths() -> None:
    plain, shared = technique("magic-plain").tables(), technique("magic-shared").tables()
    assert plain.rook.shape == (64, 4096)
    assert plain.rook.size == 262_144
    assert plain.bishop.size == 32_768
    assert len(shared.attacks) == 262_144 + 32_768 == 294_912
    offset = 3  # of a record: mask, magic, shift, offset
    assert shared.rook[:, offset].tolist() == [square * 4096 for square in range(64)]
    assert shared.bishop[0, offset] == 262_144
