"""Bit tricks, bitscans, subsets, flips and rotations, written as on the chessprogramming wiki.

    x    a bitboard        s    a square index

Every function takes ints (64-bit words), ``np.uint64`` or arrays of integers, and checks them. Compiled loops inline
the functions without the checks. Two's complement isolates the least significant one bit (LS1B); the most significant
(MS1B) needs a smear. Sources: Gerd Isenberg, "Efficient Generation of Sliding Piece Attacks", Dresden 2008, and the
wiki's pages "BitScan" and "Flipping Mirroring and Rotating".
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import board_number, shown
from rookery.bitboards.checked_kernels import Choice, RankByte, checked_kernel
from rookery.bitboards.iteration import serialize as serialize
from rookery.bitboards.iteration import squares_of as squares_of
from rookery.bitboards.iteration import subsets as subsets
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
RANK_1, RANK_2, RANK_3, RANK_4, RANK_5, RANK_6, RANK_7, RANK_8 = (FIRST_RANK << 8 * rank for rank in range(8))
LIGHT_SQUARES = 0x55AA55AA55AA55AA
DARK_SQUARES = 0xAA55AA55AA55AA55
MAIN_DIAGONAL = 0x8040201008040201  # a1-h8
MAIN_ANTIDIAGONAL = 0x0102040810204080  # a8-h1
NOT_A_FILE = 0xFEFEFEFEFEFEFEFE
NOT_H_FILE = 0x7F7F7F7F7F7F7F7F
_RANK_BITS = 56
_FILE_BITS = 7

MOST_IN_A_MASK: Final = 32  # squares; their 2**32 subsets take 32 GiB


@checked_kernel
def bit(s: Square) -> Bits:
    """Return the board of one square."""
    return 1 << s


# The lines through a square, including the square. Each is a shift of one line. Loops over arrays compute the masks
# because eight table look-ups per vector cost more than three shifts (obstruction difference: 227 M/s with mask tables,
# 774 M/s with these functions).


@checked_kernel
def rank_mask(s: Square) -> Bits:
    """Return the rank through `s`."""
    return FIRST_RANK << (s & _RANK_BITS)


@checked_kernel
def file_mask(s: Square) -> Bits:
    """Return the file through `s`."""
    return A_FILE << (s & _FILE_BITS)


@checked_kernel
def diagonal_mask(s: Square) -> Bits:
    """Return the diagonal through `s`.

    The diagonal a1-h8 is shifted up by ``rank - file`` ranks, or down. No shift is by 64.
    """
    rank, file = s & _RANK_BITS, (s & _FILE_BITS) << 3
    higher = np.maximum(rank, file)
    return (MAIN_DIAGONAL << (higher - file)) >> (higher - rank)


@checked_kernel
def antidiagonal_mask(s: Square) -> Bits:
    """Return the anti-diagonal through `s`.

    The anti-diagonal a8-h1 is shifted up by ``rank + file - 7`` ranks, or down.
    """
    both = (s & _RANK_BITS) + ((s & _FILE_BITS) << 3)
    higher = np.maximum(both, _RANK_BITS)
    return (MAIN_ANTIDIAGONAL << (higher - _RANK_BITS)) >> (higher - both)


# The least and the most significant one bit.


@checked_kernel
def isolate_ls1b(x: Bits) -> Bits:
    """Return the lowest one bit alone: ``x & -x``.

    >>> hex(isolate_ls1b(0b10110100))
    '0x4'
    """
    return x & -x


@checked_kernel
def reset_ls1b(x: Bits) -> Bits:
    """Clear the lowest one bit: ``x & (x - 1)``."""
    return x & (x - 1)


@checked_kernel
def below_ls1b(x: Bits) -> Bits:
    """Return the zeros below the lowest one bit: all 64 bits for the empty board."""
    return ~x & (x - 1)


@checked_kernel
def up_to_ls1b(x: Bits) -> Bits:
    """Return the lowest one bit and everything below it: ``x ^ (x - 1)``."""
    return x ^ (x - 1)


@checked_kernel
def above_ls1b(x: Bits) -> Bits:
    """Return everything above the lowest one bit: ``x ^ -x``."""
    return x ^ -x


@checked_kernel
def from_ls1b(x: Bits) -> Bits:
    """Return the lowest one bit and everything above it: ``x | -x``."""
    return x | -x


@checked_kernel
def isolate_ms1b(x: Bits) -> Bits:
    """Return the highest one bit alone: smear it downward, then keep the top bit."""
    x = x | (x >> 1)
    x = x | (x >> 2)
    x = x | (x >> 4)
    x = x | (x >> 8)
    x = x | (x >> 16)
    x = x | (x >> 32)
    return x ^ (x >> 1)


# Bitscans: the index of the lowest (forward) or highest (reverse) one bit of a board that is not empty.


def de_bruijn_sequences() -> Iterator[int]:
    """Yield the 2**26 De Bruijn sequences of 64 bits with six leading zeros, in ascending order.

    The 64 six-bit windows of a sequence, read as a ring, are all different. Multiplying the sequence by a one bit
    shifts it by the bit's index, which puts a different number in the top six bits for each index. The search is depth
    first: it appends a bit wherever the new window has not occurred.

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
_INDEX_67 = np.full(67, 64, U64)  # 2**i mod 67 is never 0, 17 or 34; the remainder of the empty board, 0, maps to 64
for _s in range(64):
    _INDEX_64[((DE_BRUIJN << _s) & UNIVERSE) >> 58] = _s
    _INDEX_67[2**_s % 67] = _s


@checked_kernel
def de_bruijn_forward(x: Bits) -> Square:
    """Multiply the lowest bit by a De Bruijn sequence and look up the top six bits.

    Charles E. Leiserson, Harald Prokop, Keith H. Randall, "Using de Bruijn Sequences to Index a 1 in a Computer
    Word", 1998.
    """
    return _INDEX_64[(isolate_ls1b(x) * DE_BRUIJN) >> 58]


@checked_kernel
def de_bruijn_reverse(x: Bits) -> Square:
    """Multiply the highest bit by a De Bruijn sequence and look up the top six bits."""
    return _INDEX_64[(isolate_ms1b(x) * DE_BRUIJN) >> 58]


@checked_kernel
def modulo_67_forward(x: Bits) -> Square:
    """Look up the remainder of the lowest bit modulo 67, which differs for each power of two.

    It is a trailing zero count: 64 for the empty board. Stefan Plenkner and Joel Rivat, rec.games.chess.computer, 1996.
    """
    return _INDEX_67[isolate_ls1b(x) % 67]


@checked_kernel
def modulo_67_reverse(x: Bits) -> Square:
    """Look up the remainder of the highest bit modulo 67."""
    return _INDEX_67[isolate_ms1b(x) % 67]


@checked_kernel
def hardware_forward(x: Bits) -> Square:
    """Count trailing zeros with the CPU's instruction: 64 for the empty board."""
    return trailing_zeros(x)


@checked_kernel
def hardware_reverse(x: Bits) -> Square:
    """Return 63 less the CPU's leading zero count."""
    return 63 - leading_zeros(x)


@checked_kernel
def scan_by_direction(x: Bits, reverse: Choice) -> Square:
    """Scan in either direction: forward if `reverse` is 0, in reverse if it is 1.

    0 keeps only the lowest one bit and 1 keeps all bits; a reverse scan follows. The wiki's generalised bitscan (Gerd
    Isenberg): ``x &= -x | -reverse``.
    """
    return hardware_reverse(x & (-x | -reverse))


@checked_kernel
def generalized_forward(x: Bits) -> Square:
    """Scan forward with `scan_by_direction`."""
    return scan_by_direction(x, 0)


@checked_kernel
def generalized_reverse(x: Bits) -> Square:
    """Scan in reverse with `scan_by_direction`."""
    return scan_by_direction(x, 1)


class Scan(NamedTuple):
    """A way to find the index of a one bit: `forward` finds the lowest, `reverse` the highest."""

    forward: Callable[[Bits], Square]
    reverse: Callable[[Bits], Square]
    counts_empty: bool  # whether `forward` returns 64 for the empty board, as a trailing zero count does


SCANS = {
    "de-bruijn": Scan(de_bruijn_forward, de_bruijn_reverse, counts_empty=False),
    "modulo-67": Scan(modulo_67_forward, modulo_67_reverse, counts_empty=True),
    "generalized": Scan(generalized_forward, generalized_reverse, counts_empty=False),
    "hardware": Scan(hardware_forward, hardware_reverse, counts_empty=True),
}


def subset_array(mask: int) -> NDArray[np.uint64]:
    """Return all subsets of `mask`, in the order of `subsets`, as an array of ``2**popcount(mask)`` boards.

    A mask of more than 32 squares is a ValueError: the array would not fit in memory.

    >>> subset_array(0b101).tolist()
    [0, 1, 4, 5]
    """
    mask = board_number("mask", mask)
    if mask.bit_count() > MOST_IN_A_MASK:
        raise ValueError(
            f"mask: {shown(mask)} has {mask.bit_count()} squares: expected {MOST_IN_A_MASK} at most, since a mask has "
            "2**squares subsets"
        )
    boards = np.zeros(1, U64)
    for s in squares_of(mask):
        boards = np.concatenate([boards, boards | U64(1 << s)])
    return boards


# Kindergarten multiplications: with one bit on each rank (or file) the partial products do not overlap.


@checked_kernel
def a_file_to_rank(x: Bits) -> Word:
    """Return the a-file as the byte of a rank, a8 first: bit ``7 - rank``. Other files are masked out.

    >>> bin(a_file_to_rank(0x0100000000000001))
    '0b10000001'
    """
    return ((x & A_FILE) * MAIN_DIAGONAL) >> 56


@checked_kernel
def diagonal_to_rank(x: Bits) -> Word:
    """Return a masked diagonal, anti-diagonal or rank (at most one bit per file) as the byte of a rank."""
    return (x * A_FILE) >> 56


@checked_kernel
def rank_to_h_file(x: RankByte) -> Bits:
    """Spread a byte over the h-file, bit ``7 - rank`` to its rank: the inverse of `a_file_to_rank`, one file over."""
    return (x * MAIN_DIAGONAL) & H_FILE


@checked_kernel
def fill_files(x: RankByte) -> Bits:
    """Return eight copies of the byte of a rank, one on each rank."""
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
    """Swap rank 1 with rank 8, and so on: a byte swap."""
    return byteswap(x)


@checked_kernel
def mirror_horizontal(x: Bits) -> Bits:
    """Swap the a-file with the h-file, and so on."""
    x = ((x >> 1) & _SWAP_1) | ((x & _SWAP_1) << 1)
    x = ((x >> 2) & _SWAP_2) | ((x & _SWAP_2) << 2)
    return ((x >> 4) & _SWAP_4) | ((x & _SWAP_4) << 4)


@checked_kernel
def flip_diagonal(x: Bits) -> Bits:
    """Transpose about the diagonal a1-h8 with three delta swaps: ranks become files."""
    t = _DIAGONAL_4 & (x ^ (x << 28))
    x = x ^ t ^ (t >> 28)
    t = _DIAGONAL_2 & (x ^ (x << 14))
    x = x ^ t ^ (t >> 14)
    t = _DIAGONAL_1 & (x ^ (x << 7))
    return x ^ t ^ (t >> 7)


@checked_kernel
def flip_antidiagonal(x: Bits) -> Bits:
    """Transpose about the anti-diagonal a8-h1."""
    return rotate_180(flip_diagonal(x))


@checked_kernel
def rotate_180(x: Bits) -> Bits:
    """Rotate by 180 degrees: a1 becomes h8."""
    return mirror_horizontal(byteswap(x))


@checked_kernel
def rotate_90_clockwise(x: Bits) -> Bits:
    """Rotate clockwise by 90 degrees: a1 becomes a8, a8 becomes h8."""
    return byteswap(flip_diagonal(x))


@checked_kernel
def rotate_90_anticlockwise(x: Bits) -> Bits:
    """Rotate anticlockwise by 90 degrees: a1 becomes h1, h1 becomes h8."""
    return flip_diagonal(byteswap(x))


_ODD_FILES = 0xAAAAAAAAAAAAAAAA
_FILES_CDGH = 0xCCCCCCCCCCCCCCCC
_FILES_EFGH = 0xF0F0F0F0F0F0F0F0


@checked_kernel
def pseudo_rotate_45_clockwise(x: Bits) -> Bits:
    """Shift each file down by its index, cyclically: row ``(rank - file) & 7`` then holds two packed diagonals."""
    x = x ^ (_ODD_FILES & (x ^ rotate_left(x, 56)))
    x = x ^ (_FILES_CDGH & (x ^ rotate_left(x, 48)))
    return x ^ (_FILES_EFGH & (x ^ rotate_left(x, 32)))


@checked_kernel
def pseudo_rotate_45_anticlockwise(x: Bits) -> Bits:
    """Shift each file up by its index, cyclically: row ``(rank + file) & 7`` then holds two packed anti-diagonals."""
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
    """Mix the bits of a word with the finaliser of SplitMix64, a bijection (Sebastiano Vigna, 2015)."""
    x = (x ^ (x >> 30)) * _MIX_1
    x = (x ^ (x >> 27)) * _MIX_2
    return x ^ (x >> 31)
