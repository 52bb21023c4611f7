"""Magic bitboards: their masks, products and indices, and how many attacks there are to look up.

From document 000, then from 004 (drawings.py lists the documents).
"""

import re

import numpy as np
import pytest

from drawings import D4, board, boards, choices, letters, product, union
from rookery import geometry
from rookery.bitboards import lines, squares
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.squares import parse_square
from rookery.techniques import technique
from rookery.techniques._filler import relevant_cases

# 000: magic bitboards.


def test_000_magic_bishop_b1() -> None:
    # Works kindergarten-like: one ray, one bit per file, so that the drawn factor is a true magic.
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
    assert shared.rook[offset::4].tolist() == [square * 4096 for square in range(64)]
    assert shared.bishop[offset] == 262_144
