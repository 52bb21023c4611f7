"""Hyperbola quintessence: subtract twice the slider from the blockers, forward and on the reversed board.

    m         the line through the slider, without the slider
    o         the occupied squares of the line: with r in ``o - 2r``, without in ``o - r``
    r         the slider's own bit
    o - 2r    borrows from the nearest blocker above, and flips every bit on the way
    o', r'    the same, reversed: the subtraction then runs downward

Upward attacks are ``o ^ (o - 2r)``, masked by the line. A rook on d4, with d2, d6 and d7 occupied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, r = 27, Bitboard.of("d4")
>>> m = Bitboard(file_mask(sq)) ^ r
>>> o = Bitboard.of("d2", "d4", "d6", "d7")
>>> up = o ^ (o - 2 * r)
>>> side_by_side({"o": o, "r": r, "o - 2r": o - 2 * r, "o ^ (o - 2r)": up, "& m": up & m})
o                 r                 o - 2r            o ^ (o - 2r)      & m
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . . . 1 . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   1 1 1 . . . . .   1 1 1 1 . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . 1 . . . .
. . . 1 . . . .   . . . 1 . . . .   . . . 1 1 1 1 1   . . . . 1 1 1 1   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . . . 1 . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .

Downward attacks are the reverse of ``o' ^ (o' - 2r')``:

>>> o_, r_ = Bitboard(byteswap(o)), Bitboard(byteswap(r))
>>> down = byteswap(o_ ^ (o_ - 2 * r_))
>>> side_by_side({"o'": o_, "o' - 2r'": o_ - 2 * r_, "reversed": byteswap(o_ ^ (o_ - 2 * r_)), "& m": down & m,
...               "attacks": line_by_byteswap(sq, o, m)})
o'                o' - 2r'          reversed          & m               attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   1 1 1 . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   1 1 1 1 1 1 1 1   . . . . . . . .   . . . . . . . .   . . . 1 . . . .
. . . 1 . . . .   . . . 1 1 1 1 1   . . . . . . . .   . . . . . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   . . . . 1 1 1 1   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . 1 . . . .   1 1 1 1 1 1 1 1   . . . 1 . . . .   . . . 1 . . . .
. . . 1 . . . .   . . . 1 . . . .   1 1 1 1 . . . .   . . . 1 . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .

Their union is one XOR, because ``o`` cancels: ``(o - 2r) ^ (o' - 2r')'``. In the kernels the mask m removes r from o,
which replaces the first of the two subtractions, so that ``((o - r) ^ (o' - r')') & m`` remains.

A file or a diagonal has one bit on each rank, so a byte swap reverses it. It does not reverse a rank: `hyperbola` looks
up ranks in the first-rank table, and `hyperbola-bitreverse` reverses all 64 bits and treats all four lines alike.

Ryan Mack described ``x ^ (x - 2)`` with a second, reversed board in 2000. Aleks Peshkov and Gerd Isenberg reversed
lines by a byte swap and merged the two XORs in 2007; Isenberg described the full bit reversal in 2008. Stockfish uses
both since 2026, the bit reversal on ARM.
"""

from rookery.bitboards.bits import antidiagonal_mask, bit, diagonal_mask, file_mask, rank_mask
from rookery.kernel import Bits, Square, bitreverse, byteswap, kernel
from rookery.techniques.base import Card, Kernels, Needs, NoTables, Technique, Variant
from rookery.techniques.first_rank import FirstRank, rank_64, tables_64


@kernel
def line_by_byteswap(sq: Square, occupied: Bits, m: Bits) -> Bits:
    """Return the attacks along a file or a diagonal; `m` is the line without the slider."""
    r = bit(sq)
    o = occupied & m
    # the borrow ends at the nearest blocker; the subtraction on the reversed board gives the other half of the line
    return ((o - r) ^ byteswap(byteswap(o) - byteswap(r))) & m


@kernel
def file(sq: Square, occupied: Bits, t: FirstRank) -> Bits:
    """Return the attacks along the file."""
    return line_by_byteswap(sq, occupied, file_mask(sq) ^ bit(sq))


@kernel
def diagonal(sq: Square, occupied: Bits, t: FirstRank) -> Bits:
    """Return the attacks along the diagonal."""
    return line_by_byteswap(sq, occupied, diagonal_mask(sq) ^ bit(sq))


@kernel
def antidiagonal(sq: Square, occupied: Bits, t: FirstRank) -> Bits:
    """Return the attacks along the anti-diagonal."""
    return line_by_byteswap(sq, occupied, antidiagonal_mask(sq) ^ bit(sq))


@kernel
def line_by_bitreverse(sq: Square, occupied: Bits, m: Bits) -> Bits:
    """Return the attacks along any line; `m` is the line without the slider."""
    r = bit(sq)
    o = occupied & m
    # the borrow ends at the nearest blocker; the subtraction on the reversed board gives the other half of the line
    return ((o - r) ^ bitreverse(bitreverse(o) - bitreverse(r))) & m


@kernel
def rank_reversed(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the rank."""
    return line_by_bitreverse(sq, occupied, rank_mask(sq) ^ bit(sq))


@kernel
def file_reversed(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the file."""
    return line_by_bitreverse(sq, occupied, file_mask(sq) ^ bit(sq))


@kernel
def diagonal_reversed(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the diagonal."""
    return line_by_bitreverse(sq, occupied, diagonal_mask(sq) ^ bit(sq))


@kernel
def antidiagonal_reversed(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the anti-diagonal."""
    return line_by_bitreverse(sq, occupied, antidiagonal_mask(sq) ^ bit(sq))


HYPERBOLA = Technique(
    Card(
        name="hyperbola",
        summary="o ^ (o - 2r) forward and byte-swapped; ranks from the first-rank table",
        authors=("Ryan Mack", "Aleks Peshkov", "Gerd Isenberg"),
        year=2007,
        source="Isenberg, Efficient Generation of Sliding Piece Attacks, Dresden 2008",
        users="Stockfish since 2026, with the four lines in vector lanes (pull request 6845), and Dumb",
        needs=Needs.BYTESWAP,
        tables=tables_64,
        kernels=Kernels(rank=rank_64, file=file, diagonal=diagonal, antidiagonal=antidiagonal),
        variants=(
            Variant(
                "hyperbola-no-double",
                authors=("Stockfish developers",),
                year=2026,
                source="Stockfish, pull request 6870",
                difference="`o - r` without the slider in `o`, not `o - 2r` with it; the kernel here has this form",
            ),
            Variant(
                "hyperbola-dual",
                authors=("Stockfish developers",),
                year=2026,
                source="Stockfish, pull request 6845",
                difference="computes a square's four lines in four vector lanes; here, lanes hold squares of an array",
            ),
        ),
    )
)
HYPERBOLA_BITREVERSE = Technique(
    Card(
        name="hyperbola-bitreverse",
        summary="o ^ (o - 2r) forward and bit-reversed, all four lines alike",
        authors=("Ryan Mack", "Aleks Peshkov", "Gerd Isenberg"),
        year=2008,
        source="Isenberg, Efficient Generation of Sliding Piece Attacks, Dresden 2008",
        users="Stockfish on ARM since 2026",
        needs=Needs.BITREVERSE,
        kernels=Kernels(
            rank=rank_reversed, file=file_reversed, diagonal=diagonal_reversed, antidiagonal=antidiagonal_reversed
        ),
        variants=(
            Variant(
                "reverse-bitboards",
                authors=("Ryan Mack",),
                year=2000,
                source="chessprogramming wiki, Reverse Bitboards",
                difference="keeps the reversed occupancy from move to move instead of computing it",
            ),
            Variant(
                "bitrotation",
                authors=("Daniel Infuehr",),
                year=2022,
                source="Chess_Movegen, Bitrotation.hpp, before XorRookSub.hpp",
                difference="the same subtraction; finds the masks of the lines by counting zeros",
            ),
            Variant(
                "galois-field",
                authors=("Daniel Infuehr",),
                year=2023,
                source="Chess_Movegen, GaloisField.hpp",
                difference="reverses by a product of bit matrices (GFNI) and a byte swap, which compilers also do",
            ),
        ),
    )
)
