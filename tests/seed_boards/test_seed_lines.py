"""Lines and how their attacks are computed: multiplications, rays, fills, the first rank.

From document 000 (drawings.py lists the documents); the rays of the otherwise empty board stand in 002 too.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

from drawings import D4, board, boards, choices, letters, product, union
from rookery import geometry
from rookery.aliases import Direction
from rookery.bitboards import bits, lines, sets, squares
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.squares import parse_direction
from rookery.kernel import U64
from rookery.techniques import kindergarten, technique

Kernel: TypeAlias = Callable[..., Any]


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
        *zip(("east", "north", "northeast", "northwest"), boards(POSITIVE_RAYS), strict=True),
        *zip(("west", "south", "southwest", "southeast"), boards(NEGATIVE_RAYS), strict=True),
    ],
)
def test_000_and_002_rays(direction: Direction, drawing: str) -> None:
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
    assert t.fill("northeast", bishop, empty) == bishop | first
    assert t.ray_attacks("northeast", bishop, empty) == first | Bitboard.of("g7")
    # From each square of the first move the lines of the second leave; drawn are the steps they begin with.
    assert sets.no_we_one(first) | sets.so_ea_one(first) == second
    reached = t.ray_attacks("northwest", first, empty) | t.ray_attacks("southeast", first, empty)
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
