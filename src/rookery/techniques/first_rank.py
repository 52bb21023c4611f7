"""First-rank attacks: a byte of occupancy and a file give a byte of attacks.

    o       the occupancy of a line
    byte    the line's occupancy, moved to the first rank: the bit's number is the file
    256     the table by the whole byte and the file
    64      the table by the six inner bits and the file: a piece on an outer square blocks nothing

A rank is shifted down to the first rank, and its attacks are shifted back. A diagonal has one bit on each file, so
multiplying it by the a-file gathers it in the top byte. Another multiplication copies the attacks to all ranks, and the
diagonal masks them. A bishop on d4, with b2 and g7 occupied on its diagonal:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery.bitboards.bits import A_FILE
>>> from rookery import side_by_side
>>> sq, occupied, mask = 27, Bitboard.of("b2", "d4", "g7", "h8", "d7"), Bitboard(diagonal_mask(27))
>>> o = occupied & mask
>>> byte = diagonal_to_rank(o)
>>> seen = look_up_256(byte, 3, tables_256())
>>> side_by_side({"o": o, "o * a-file": o * A_FILE, "byte": byte, "attacks of d1": seen, "* a-file": fill_files(seen),
...               "& diagonal": fill_files(seen) & (mask ^ bit(sq))})
o                 o * a-file        byte              attacks of d1     * a-file          & diagonal
. . . . . . . 1   . 1 . 1 . . 1 1   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . . . .
. . . . . . 1 .   . 1 . 1 . . 1 .   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . . 1 .
. . . . . . . .   . 1 . 1 . . . .   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . 1 . .
. . . . . . . .   . 1 . 1 . . . .   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . 1 . . .
. . . 1 . . . .   . 1 . 1 . . . .   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . . . .
. . . . . . . .   . 1 . . . . . .   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . 1 . . . . .
. 1 . . . . . .   . 1 . . . . . .   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . 1 . . . . . .
. . . . . . . .   . . . . . . . .   . 1 . 1 . . 1 1   . 1 1 . 1 1 1 .   . 1 1 . 1 1 1 .   . . . . . . . .
>>> FIRST_RANK_256.kernel_of("diagonal")(sq, occupied, tables_256()) == fill_files(seen) & (mask ^ bit(sq))
True

A file is shifted to the a-file and gathered by the main diagonal, a8 first. Gerd Isenberg, Dresden 2008.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import (
    a_file_to_rank,
    antidiagonal_mask,
    bit,
    diagonal_mask,
    diagonal_to_rank,
    fill_files,
    rank_to_h_file,
)
from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.techniques._filler import walk
from rookery.techniques.base import Card, Kernel, Kernels, Needs, Technique

Bytes = NDArray[np.uint8]

_RANK_BITS = 56
_FILE_BITS = 7
_BYTE = 255
_SIX_BITS = 63


class FirstRank(NamedTuple):
    """Attacks on the first rank, by its occupancy (all eight bits or the inner six) and the file."""

    first_rank: Bytes  # (256, 8) or (64, 8)


@kernel
def look_up_256(byte: Word, file: Square, t: FirstRank) -> Word:
    """Look up attacks on the first rank by all eight bits of the occupancy."""
    return U64(t.first_rank[byte, file])


@kernel
def look_up_64(byte: Word, file: Square, t: FirstRank) -> Word:
    """Look up attacks on the first rank by the six inner bits of the occupancy."""
    return U64(t.first_rank[(byte >> 1) & _SIX_BITS, file])


def lines(look_up: Kernel) -> Kernels:
    """Make the kernels of the four lines from a look-up ``(byte, file, t)``."""

    @kernel
    def rank(sq: Square, occupied: Bits, t: FirstRank) -> Bits:
        """Shift the rank down to the first, and its attacks back."""
        shift = sq & _RANK_BITS  # where the rank's byte begins
        byte = (occupied >> shift) & _BYTE
        return look_up(byte, sq & _FILE_BITS, t) << shift

    @kernel
    def file(sq: Square, occupied: Bits, t: FirstRank) -> Bits:
        """Turn the file to the first rank, and its attacks back."""
        file_ = sq & _FILE_BITS  # the file that is shifted to the a-file
        byte = a_file_to_rank(occupied >> file_)
        return rank_to_h_file(look_up(byte, _FILE_BITS - (sq >> 3), t)) >> (_FILE_BITS - file_)

    @kernel
    def diagonal(sq: Square, occupied: Bits, t: FirstRank) -> Bits:
        """Gather the diagonal on the first rank, and copy its attacks to all ranks."""
        mask = diagonal_mask(sq)  # the diagonal, which has one bit on each file
        byte = diagonal_to_rank(occupied & mask)
        return fill_files(look_up(byte, sq & _FILE_BITS, t)) & (mask ^ bit(sq))

    @kernel
    def antidiagonal(sq: Square, occupied: Bits, t: FirstRank) -> Bits:
        """Gather the anti-diagonal on the first rank, and copy its attacks to all ranks."""
        mask = antidiagonal_mask(sq)  # the anti-diagonal, which has one bit on each file
        byte = diagonal_to_rank(occupied & mask)
        return fill_files(look_up(byte, sq & _FILE_BITS, t)) & (mask ^ bit(sq))

    return Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal)


def table_256() -> Bytes:
    """Return the attacks on the first rank, (256, 8), by occupancy and file."""
    states = np.arange(256, dtype=U64)
    return np.stack([walk(file, ("east", "west"), states) for file in range(8)], axis=1).astype(np.uint8)


def table_64() -> Bytes:
    """Return the attacks on the first rank, (64, 8), by the occupancy of the six inner squares and file."""
    return np.ascontiguousarray(table_256()[0:128:2])


def tables_256() -> FirstRank:
    """Build the table by all eight bits of the occupancy."""
    return FirstRank(table_256())


def tables_64() -> FirstRank:
    """Build the table by the six inner bits of the occupancy."""
    return FirstRank(table_64())


_LINES_64 = lines(look_up_64)
rank_64 = _LINES_64.rank
_SOURCE = "Isenberg, Efficient Generation of Sliding Piece Attacks, Dresden 2008"

FIRST_RANK_256 = Technique(
    Card(
        name="first-rank-256",
        summary="every line brought to the first rank, looked up by its byte",
        authors=("Gerd Isenberg",),
        year=2008,
        source=_SOURCE,
        needs=Needs.MULTIPLY,
        tables=tables_256,
        kernels=lines(look_up_256),
    )
)
FIRST_RANK_64 = Technique(
    Card(
        name="first-rank-64",
        summary="the same, by the six inner squares",
        authors=("Gerd Isenberg",),
        year=2008,
        source=_SOURCE,
        needs=Needs.MULTIPLY,
        tables=tables_64,
        kernels=_LINES_64,
    )
)
