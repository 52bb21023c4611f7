"""Hyperbola quintessence: subtract twice the slider from the blockers, forward and on the reversed board.

    m         the line through the slider, without the slider
    o         the occupied squares of the line: with r in ``o - 2r``, without in ``o - r``
    r         the slider's own bit
    o - 2r    borrows from the nearest blocker above, and flips every bit on the way
    o', r'    the same, reversed: the subtraction then runs downward

Upward attacks are ``o ^ (o - 2r)``, of which the line keeps its own. A rook on d4, with d2, d6 and d7 occupied:

>>> from rookery.bitboard import Bitboard
>>> from rookery import beside
>>> sq, r = 27, Bitboard.of("d4")
>>> m = Bitboard(file_mask(sq)) ^ r
>>> o = Bitboard.of("d2", "d4", "d6", "d7")
>>> up = o ^ (o - 2 * r)
>>> beside({"o": o, "r": r, "o - 2r": o - 2 * r, "o ^ (o - 2r)": up, "& m": up & m})
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
>>> beside({"o'": o_, "o' - 2r'": o_ - 2 * r_, "reversed": byteswap(o_ ^ (o_ - 2 * r_)), "& m": down & m,
...         "attacks": line_by_byteswap(sq, o, m)})
o'                o' - 2r'          reversed          & m               attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   1 1 1 . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   1 1 1 1 1 1 1 1   . . . . . . . .   . . . . . . . .   . . . 1 . . . .
. . . 1 . . . .   . . . 1 1 1 1 1   . . . . . . . .   . . . . . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   . . . . 1 1 1 1   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . 1 . . . .   1 1 1 1 1 1 1 1   . . . 1 . . . .   . . . 1 . . . .
. . . 1 . . . .   . . . 1 . . . .   1 1 1 1 . . . .   . . . 1 . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .

Their union is one XOR, because ``o`` cancels: ``(o - 2r) ^ (o' - 2r')'``. In the kernels m leaves r out of o, which is
the first of the two subtractions; what remains is ``((o - r) ^ (o' - r')') & m``.

A file or a diagonal has one bit a rank, so that a byte swap reverses it. A rank it leaves as it is: `hyperbola` looks
ranks up in the first-rank table, `hyperbola-bitreverse` reverses all 64 bits and treats all four lines alike. Aleks
Peshkov and Gerd Isenberg, 2007; the full bit reversal is Stockfish's on ARM, 2026.
"""

from rookery.bits import antidiagonal_mask, bit, diagonal_mask, file_mask, rank_mask
from rookery.kernel import Bits, Square, bitreverse, byteswap, kernel
from rookery.technique import Card, Kernels, Needs, NoTables, Technique
from rookery.techniques.first_rank import FirstRank, rank_64, tables_64


@kernel
def line_by_byteswap(sq: Square, occupied: Bits, m: Bits) -> Bits:
    """Attacks along a file or a diagonal; `m` is the line without the slider."""
    r = bit(sq)
    o = occupied & m
    return ((o - r) ^ byteswap(byteswap(o) - byteswap(r))) & m


@kernel
def file(sq: Square, occupied: Bits, t: FirstRank) -> Bits:
    """The file through `sq`."""
    return line_by_byteswap(sq, occupied, file_mask(sq) ^ bit(sq))


@kernel
def diagonal(sq: Square, occupied: Bits, t: FirstRank) -> Bits:
    """The diagonal through `sq`."""
    return line_by_byteswap(sq, occupied, diagonal_mask(sq) ^ bit(sq))


@kernel
def antidiagonal(sq: Square, occupied: Bits, t: FirstRank) -> Bits:
    """The anti-diagonal through `sq`."""
    return line_by_byteswap(sq, occupied, antidiagonal_mask(sq) ^ bit(sq))


@kernel
def line_by_bitreverse(sq: Square, occupied: Bits, m: Bits) -> Bits:
    """Attacks along any line; `m` is the line without the slider."""
    r = bit(sq)
    o = occupied & m
    return ((o - r) ^ bitreverse(bitreverse(o) - bitreverse(r))) & m


@kernel
def rank_reversed(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """The rank through `sq`."""
    return line_by_bitreverse(sq, occupied, rank_mask(sq) ^ bit(sq))


@kernel
def file_reversed(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """The file through `sq`."""
    return line_by_bitreverse(sq, occupied, file_mask(sq) ^ bit(sq))


@kernel
def diagonal_reversed(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """The diagonal through `sq`."""
    return line_by_bitreverse(sq, occupied, diagonal_mask(sq) ^ bit(sq))


@kernel
def antidiagonal_reversed(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """The anti-diagonal through `sq`."""
    return line_by_bitreverse(sq, occupied, antidiagonal_mask(sq) ^ bit(sq))


HYPERBOLA = Technique(
    Card(
        name="hyperbola",
        summary="o ^ (o - 2r) forward and byte-swapped; ranks from the first-rank table",
        authors=("Aleks Peshkov", "Gerd Isenberg"),
        year=2007,
        source="Isenberg, Efficient Generation of Sliding Piece Attacks, Dresden 2008",
        needs=Needs.BYTESWAP,
        tables=tables_64,
        kernels=Kernels(rank=rank_64, file=file, diagonal=diagonal, antidiagonal=antidiagonal),
    )
)
HYPERBOLA_BITREVERSE = Technique(
    Card(
        name="hyperbola-bitreverse",
        summary="o ^ (o - 2r) forward and bit-reversed, all four lines alike",
        authors=("Aleks Peshkov", "Gerd Isenberg", "the Stockfish developers"),
        year=2026,
        source="Stockfish on ARM, 2026; after Isenberg, Dresden 2008",
        needs=Needs.BITREVERSE,
        kernels=Kernels(
            rank=rank_reversed, file=file_reversed, diagonal=diagonal_reversed, antidiagonal=antidiagonal_reversed
        ),
    )
)
