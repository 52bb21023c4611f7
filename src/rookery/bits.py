"""One-bit tricks, scans, subsets, flips and rotations, as the chessprogramming wiki writes them.

    x    a bitboard        s    a square index

Every function takes ints (64-bit words), ``np.uint64`` or arrays of integers alike and checks them. Where a compiled
loop calls it, it is inlined and checks nothing. Two's complement gives the least significant one bit (LS1B); the most
significant (MS1B) takes a smear. Sources: Gerd Isenberg, "Efficient Generation of Sliding Piece Attacks", Dresden 2008,
and the wiki's pages "BitScan" and "Flipping Mirroring and Rotating".
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import board_number, shown
from rookery.checked_kernels import Choice, RankByte, checked_kernel
from rookery.kernel import (
    U64,
    UNIVERSE,
    Bits,
    Square,
    Word,
    byteswap,
    leading_zeros,
    rotate_left,
    trailing_zeros,
)

A_FILE = 0x0101010101010101
B_FILE = 0x0202020202020202
H_FILE = 0x8080808080808080
FIRST_RANK = 0xFF
LIGHT_SQUARES = 0x55AA55AA55AA55AA
DARK_SQUARES = 0xAA55AA55AA55AA55
MAIN_DIAGONAL = 0x8040201008040201  # a1-h8
MAIN_ANTIDIAGONAL = 0x0102040810204080  # a8-h1
NOT_A_FILE = 0xFEFEFEFEFEFEFEFE
NOT_H_FILE = 0x7F7F7F7F7F7F7F7F
_RANK_BITS = 56
_FILE_BITS = 7

MOST_IN_A_MASK: Final = 32  # squares whose subsets may be listed: 32 GiB


@checked_kernel
def bit(s: Square) -> Bits:
    """The board of one square."""
    return 1 << s


# The lines through a square, the square included: shifts of one line each. Computed rather than looked up where
# many positions are asked at once: eight table look-ups a vector cost more than three shifts (obstruction
# difference: 227 M/s with mask tables, 774 M/s with these).


@checked_kernel
def rank_mask(s: Square) -> Bits:
    """The rank through `s`."""
    return FIRST_RANK << (s & _RANK_BITS)


@checked_kernel
def file_mask(s: Square) -> Bits:
    """The file through `s`."""
    return A_FILE << (s & _FILE_BITS)


@checked_kernel
def diagonal_mask(s: Square) -> Bits:
    """The diagonal through `s`: a1-h8 moved up ``rank - file`` ranks, or down; never by 64, so no bit survives."""
    rank, file = s & _RANK_BITS, (s & _FILE_BITS) << 3
    higher = np.maximum(rank, file)
    return (MAIN_DIAGONAL << (higher - file)) >> (higher - rank)


@checked_kernel
def antidiagonal_mask(s: Square) -> Bits:
    """The anti-diagonal through `s`: a8-h1 moved up ``rank + file - 7`` ranks, or down."""
    both = (s & _RANK_BITS) + ((s & _FILE_BITS) << 3)
    higher = np.maximum(both, _RANK_BITS)
    return (MAIN_ANTIDIAGONAL << (higher - _RANK_BITS)) >> (higher - both)


# The least significant one bit, and the most.


@checked_kernel
def isolate_ls1b(x: Bits) -> Bits:
    """``x & -x``: the lowest one bit alone.

    >>> hex(isolate_ls1b(0b10110100))
    '0x4'
    """
    return x & -x


@checked_kernel
def reset_ls1b(x: Bits) -> Bits:
    """``x & (x - 1)``: all but the lowest one bit."""
    return x & (x - 1)


@checked_kernel
def below_ls1b(x: Bits) -> Bits:
    """The zeros under the lowest one bit (the universe for the empty board)."""
    return ~x & (x - 1)


@checked_kernel
def up_to_ls1b(x: Bits) -> Bits:
    """``x ^ (x - 1)``: the lowest one bit and everything below it."""
    return x ^ (x - 1)


@checked_kernel
def above_ls1b(x: Bits) -> Bits:
    """``x ^ -x``: everything above the lowest one bit."""
    return x ^ -x


@checked_kernel
def from_ls1b(x: Bits) -> Bits:
    """``x | -x``: the lowest one bit and everything above it."""
    return x | -x


@checked_kernel
def isolate_ms1b(x: Bits) -> Bits:
    """The highest one bit alone: smear it downward, keep the top of the smear."""
    x = x | (x >> 1)
    x = x | (x >> 2)
    x = x | (x >> 4)
    x = x | (x >> 8)
    x = x | (x >> 16)
    x = x | (x >> 32)
    return x ^ (x >> 1)


# Scans: the index of the lowest (forward) or highest (reverse) one bit of a board that is not empty.


def de_bruijn_sequences() -> Iterator[int]:
    """All 2**26 De Bruijn sequences of 64 bits with six leading zeros, in ascending order.

    Each six-bit window of the sequence, read as a ring, is different, so that a shift by the exponent of a one
    bit (that is, a multiplication by the bit) puts a different number in the top six bits. Depth first: append
    a bit wherever its window is new.

    >>> hex(next(de_bruijn_sequences()))
    '0x218a392cd3d5dbf'
    """

    def extend(sequence: int, length: int, seen: int) -> Iterator[int]:
        if length == 64:
            # The five windows that wrap around end in the leading zeros.
            for i in range(1, 6):
                window = 1 << ((sequence << i) & 63)
                if seen & window:
                    return
                seen |= window
            yield sequence
            return
        for b in (0, 1):
            longer = sequence << 1 | b
            window = 1 << (longer & 63)
            if not seen & window:
                yield from extend(longer, length + 1, seen | window)

    return extend(0, 6, 1)


DE_BRUIJN = next(de_bruijn_sequences())
_INDEX_64 = np.zeros(64, U64)
_INDEX_67 = np.full(67, 64, U64)  # 2**i mod 67 never is 0, 17 or 34; the empty board's 0 maps to 64
for _s in range(64):
    _INDEX_64[((DE_BRUIJN << _s) & UNIVERSE) >> 58] = _s
    _INDEX_67[2**_s % 67] = _s


@checked_kernel
def de_bruijn_forward(x: Bits) -> Square:
    """Multiply the isolated bit by a De Bruijn sequence, look its top six bits up.

    Charles E. Leiserson, Harald Prokop, Keith H. Randall, "Using de Bruijn Sequences to Index a 1 in a Computer
    Word", 1998.
    """
    return _INDEX_64[(isolate_ls1b(x) * DE_BRUIJN) >> 58]


@checked_kernel
def de_bruijn_reverse(x: Bits) -> Square:
    """The same look-up for the highest bit."""
    return _INDEX_64[(isolate_ms1b(x) * DE_BRUIJN) >> 58]


@checked_kernel
def modulo_67_forward(x: Bits) -> Square:
    """Powers of two leave different remainders modulo 67. A trailing zero count: 64 for the empty board.

    Stefan Plenkner and Joel Rivat, rec.games.chess.computer, 1996.
    """
    return _INDEX_67[isolate_ls1b(x) % 67]


@checked_kernel
def modulo_67_reverse(x: Bits) -> Square:
    """The same look-up for the highest bit."""
    return _INDEX_67[isolate_ms1b(x) % 67]


@checked_kernel
def hardware_forward(x: Bits) -> Square:
    """The CPU's own trailing zero count: 64 for the empty board."""
    return trailing_zeros(x)


@checked_kernel
def hardware_reverse(x: Bits) -> Square:
    """The CPU's own leading zero count, from the top."""
    return 63 - leading_zeros(x)


@checked_kernel
def scan_by_direction(x: Bits, reverse: Choice) -> Square:
    """One scan for both directions: with `reverse` 0 it keeps the LS1B alone, with 1 all bits, then scans down.

    The wiki's generalised bitscan (Gerd Isenberg): ``x &= -x | -reverse``.
    """
    return hardware_reverse(x & (-x | -reverse))


@checked_kernel
def generalized_forward(x: Bits) -> Square:
    """`scan_by_direction`, upward."""
    return scan_by_direction(x, 0)


@checked_kernel
def generalized_reverse(x: Bits) -> Square:
    """`scan_by_direction`, downward."""
    return scan_by_direction(x, 1)


class Scan(NamedTuple):
    """One way to find the index of a bit: `forward` the lowest, `reverse` the highest."""

    forward: Callable[[Bits], Square]
    reverse: Callable[[Bits], Square]
    counts_empty: bool  # whether forward gives 64 for the empty board, as a trailing zero count does


SCANS = {
    "de-bruijn": Scan(de_bruijn_forward, de_bruijn_reverse, counts_empty=False),
    "modulo-67": Scan(modulo_67_forward, modulo_67_reverse, counts_empty=True),
    "generalized": Scan(generalized_forward, generalized_reverse, counts_empty=False),
    "hardware": Scan(hardware_forward, hardware_reverse, counts_empty=True),
}


# Sets to lists.


def serialize(x: int) -> Iterator[int]:
    """The squares of `x`, ascending.

    >>> list(serialize(0b101001))
    [0, 3, 5]
    """
    return squares_of(board_number("x", x))


def squares_of(x: int) -> Iterator[int]:
    """The same for an int that is known to be a board."""
    while x:
        yield (x & -x).bit_length() - 1
        x &= x - 1


def subsets(mask: int) -> Iterator[int]:
    """All subsets of `mask`, the empty one first, `mask` itself last: the carry rippler, ``(n - mask) & mask``.

    Marcel van Kervinck, 1994.

    >>> list(subsets(0b101))
    [0, 1, 4, 5]
    """
    return _subsets_of(board_number("mask", mask))


def _subsets_of(mask: int) -> Iterator[int]:
    n = 0
    while True:
        yield n
        n = (n - mask) & mask
        if n == 0:
            return


def subset_array(mask: int) -> NDArray[np.uint64]:
    """All subsets of `mask` in the same order, as an array of ``2**popcount(mask)``. A mask of more than 32 squares is
    a ValueError: the array would not fit in memory.

    >>> subset_array(0b101).tolist()
    [0, 1, 4, 5]
    """
    mask = board_number("mask", mask)
    if mask.bit_count() > MOST_IN_A_MASK:
        raise ValueError(
            f"mask: {shown(mask)} has {mask.bit_count()} squares: expected {MOST_IN_A_MASK} at most, since there are "
            "2**squares subsets"
        )
    boards = np.zeros(1, U64)
    for s in squares_of(mask):
        boards = np.concatenate([boards, boards | U64(1 << s)])
    return boards


# Kindergarten multiplications: one bit a rank (or a file) lets the partial products miss each other.


@checked_kernel
def a_file_to_rank(x: Bits) -> Word:
    """The a-file as a rank byte, a8 first: bit ``7 - rank``. Bits off the file are masked away.

    >>> bin(a_file_to_rank(0x0100000000000001))
    '0b10000001'
    """
    return ((x & A_FILE) * MAIN_DIAGONAL) >> 56


@checked_kernel
def diagonal_to_rank(x: Bits) -> Word:
    """A masked diagonal, anti-diagonal or rank (at most one bit a file) as a rank byte."""
    return (x * A_FILE) >> 56


@checked_kernel
def rank_to_h_file(x: RankByte) -> Bits:
    """The inverse of `a_file_to_rank`, but on the h-file: bit ``7 - rank`` of a byte back to its rank."""
    return (x * MAIN_DIAGONAL) & H_FILE


@checked_kernel
def fill_files(x: RankByte) -> Bits:
    """Eight copies of a rank byte, one on each rank."""
    return x * A_FILE


# Flips, mirrors, rotations.

_SWAP_1 = 0x5555555555555555
_SWAP_2 = 0x3333333333333333
_SWAP_4 = 0x0F0F0F0F0F0F0F0F
_DIAGONAL_4 = 0x0F0F0F0F00000000
_DIAGONAL_2 = 0x3333000033330000
_DIAGONAL_1 = 0x5500550055005500


@checked_kernel
def flip_vertical(x: Bits) -> Bits:
    """Rank 1 and rank 8 trade places, and so on: a byte swap."""
    return byteswap(x)


@checked_kernel
def mirror_horizontal(x: Bits) -> Bits:
    """The a-file and the h-file trade places, and so on."""
    x = ((x >> 1) & _SWAP_1) | ((x & _SWAP_1) << 1)
    x = ((x >> 2) & _SWAP_2) | ((x & _SWAP_2) << 2)
    return ((x >> 4) & _SWAP_4) | ((x & _SWAP_4) << 4)


@checked_kernel
def flip_diagonal(x: Bits) -> Bits:
    """Transpose about a1-h8: ranks become files. Three delta swaps."""
    t = _DIAGONAL_4 & (x ^ (x << 28))
    x = x ^ t ^ (t >> 28)
    t = _DIAGONAL_2 & (x ^ (x << 14))
    x = x ^ t ^ (t >> 14)
    t = _DIAGONAL_1 & (x ^ (x << 7))
    return x ^ t ^ (t >> 7)


@checked_kernel
def flip_antidiagonal(x: Bits) -> Bits:
    """Transpose about a8-h1."""
    return rotate_180(flip_diagonal(x))


@checked_kernel
def rotate_180(x: Bits) -> Bits:
    """a1 becomes h8."""
    return mirror_horizontal(byteswap(x))


@checked_kernel
def rotate_90_clockwise(x: Bits) -> Bits:
    """a1 becomes a8, a8 becomes h8."""
    return byteswap(flip_diagonal(x))


@checked_kernel
def rotate_90_anticlockwise(x: Bits) -> Bits:
    """a1 becomes h1, h1 becomes h8."""
    return flip_diagonal(byteswap(x))


_ODD_FILES = 0xAAAAAAAAAAAAAAAA
_FILES_CDGH = 0xCCCCCCCCCCCCCCCC
_FILES_EFGH = 0xF0F0F0F0F0F0F0F0


@checked_kernel
def pseudo_rotate_45_clockwise(x: Bits) -> Bits:
    """Sink each file by its index, cyclically: row ``(rank - file) & 7`` holds two packed diagonals."""
    x = x ^ (_ODD_FILES & (x ^ rotate_left(x, 56)))
    x = x ^ (_FILES_CDGH & (x ^ rotate_left(x, 48)))
    return x ^ (_FILES_EFGH & (x ^ rotate_left(x, 32)))


@checked_kernel
def pseudo_rotate_45_anticlockwise(x: Bits) -> Bits:
    """Lift each file by its index, cyclically: row ``(rank + file) & 7`` holds two packed anti-diagonals."""
    x = x ^ (_ODD_FILES & (x ^ rotate_left(x, 8)))
    x = x ^ (_FILES_CDGH & (x ^ rotate_left(x, 16)))
    return x ^ (_FILES_EFGH & (x ^ rotate_left(x, 32)))


# Random words.

# SplitMix64's stride: its n-th word is `mixed` of the seed plus n times this, 2^64 over the golden ratio.
SPLITMIX_STEP = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB


@checked_kernel
def mixed(x: Word) -> Word:
    """The finaliser of SplitMix64 (Sebastiano Vigna, 2015): a bijection that looks random."""
    x = (x ^ (x >> 30)) * _MIX_1
    x = (x ^ (x >> 27)) * _MIX_2
    return x ^ (x >> 31)
