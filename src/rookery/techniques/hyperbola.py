"""Hyperbola quintessence: subtract twice the slider from the blockers, forward and on the reversed board.

    o         blockers on the line through the slider
    r         the slider's own bit, not in o
    o - 2r    borrows from the nearest blocker above, and flips every empty square on the way; o holds r in the
              literature's ``o ^ (o - 2r)``, here the mask leaves r out, which is the first of the two subtractions
    o', r'    the same, reversed: the subtraction then runs downward

Upward attacks are ``o ^ (o - 2r)``; downward the reverse of ``o' ^ (o' - 2r')``; their union is one XOR, because
``o`` cancels. A file or a diagonal has one bit a rank, so that a byte swap reverses it. A rank it leaves as it
is: `hyperbola` looks ranks up in the 512-byte first-rank table, `hyperbola-bitreverse` reverses all 64 bits and
treats all four lines alike. Aleks Peshkov and Gerd Isenberg, 2007; the full bit reversal is Stockfish's on ARM,
2026.
"""

from typing import NamedTuple

from rookery.bits import antidiagonal_mask, bit, diagonal_mask, file_mask, rank_mask
from rookery.kernel import Board, Square, bitreverse, byteswap, kernel
from rookery.technique import Needs, Technique
from rookery.techniques.first_rank import Bytes, rank_64, table_64


class HyperbolaTables(NamedTuple):
    """Tables of `hyperbola`. Line masks are computed, see `rookery.bits`."""

    first_rank: Bytes  # (64, 8)


class BitreverseTables(NamedTuple):
    """`hyperbola-bitreverse` has none."""


@kernel
def line_by_byteswap(sq: Square, occupied: Board, mask: Board) -> Board:
    """Attacks along a file or a diagonal; `mask` is the line without the slider."""
    r = bit(sq)
    forward = occupied & mask
    reverse = byteswap(forward) - byteswap(r)
    forward = forward - r
    return (forward ^ byteswap(reverse)) & mask


@kernel
def file(sq: Square, occupied: Board, t: HyperbolaTables) -> Board:
    """The file through `sq`."""
    return line_by_byteswap(sq, occupied, file_mask(sq) ^ bit(sq))


@kernel
def diagonal(sq: Square, occupied: Board, t: HyperbolaTables) -> Board:
    """The diagonal through `sq`."""
    return line_by_byteswap(sq, occupied, diagonal_mask(sq) ^ bit(sq))


@kernel
def antidiagonal(sq: Square, occupied: Board, t: HyperbolaTables) -> Board:
    """The anti-diagonal through `sq`."""
    return line_by_byteswap(sq, occupied, antidiagonal_mask(sq) ^ bit(sq))


@kernel
def line_by_bitreverse(sq: Square, occupied: Board, mask: Board) -> Board:
    """Attacks along any line; `mask` is the line without the slider."""
    r = bit(sq)
    forward = occupied & mask
    reverse = bitreverse(forward) - bitreverse(r)
    forward = forward - r
    return (forward ^ bitreverse(reverse)) & mask


@kernel
def rank_reversed(sq: Square, occupied: Board, t: BitreverseTables) -> Board:
    """The rank through `sq`."""
    return line_by_bitreverse(sq, occupied, rank_mask(sq) ^ bit(sq))


@kernel
def file_reversed(sq: Square, occupied: Board, t: BitreverseTables) -> Board:
    """The file through `sq`."""
    return line_by_bitreverse(sq, occupied, file_mask(sq) ^ bit(sq))


@kernel
def diagonal_reversed(sq: Square, occupied: Board, t: BitreverseTables) -> Board:
    """The diagonal through `sq`."""
    return line_by_bitreverse(sq, occupied, diagonal_mask(sq) ^ bit(sq))


@kernel
def antidiagonal_reversed(sq: Square, occupied: Board, t: BitreverseTables) -> Board:
    """The anti-diagonal through `sq`."""
    return line_by_bitreverse(sq, occupied, antidiagonal_mask(sq) ^ bit(sq))


def tables() -> HyperbolaTables:
    """512 bytes."""
    return HyperbolaTables(table_64())


def no_tables() -> BitreverseTables:
    """Nothing to build."""
    return BitreverseTables()


HYPERBOLA = Technique(
    name="hyperbola",
    summary="o ^ (o - 2r) forward and byte-swapped; ranks from the first-rank table",
    authors=("Aleks Peshkov", "Gerd Isenberg"),
    year=2007,
    source="Isenberg, Efficient Generation of Sliding Piece Attacks, Dresden 2008",
    needs=Needs.BYTESWAP,
    tables=tables,
    rank=rank_64,
    file=file,
    diagonal=diagonal,
    antidiagonal=antidiagonal,
)
HYPERBOLA_BITREVERSE = Technique(
    name="hyperbola-bitreverse",
    summary="o ^ (o - 2r) forward and bit-reversed, all four lines alike",
    authors=("Aleks Peshkov", "Gerd Isenberg", "the Stockfish developers"),
    year=2026,
    source="Stockfish on ARM, 2026; after Isenberg, Dresden 2008",
    needs=Needs.BITREVERSE,
    tables=no_tables,
    rank=rank_reversed,
    file=file_reversed,
    diagonal=diagonal_reversed,
    antidiagonal=antidiagonal_reversed,
)
