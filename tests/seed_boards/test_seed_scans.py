"""The least significant one bit and the printed tables that find its index.

From document 000 (drawings.py lists the documents).
"""

import pytest

from drawings import UNIVERSE, board, boards, product
from rookery.bitboards import bits

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
