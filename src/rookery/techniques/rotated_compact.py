"""Rotated boards with small tables: Hyatt's boards gather a line, and the tables are those of kindergarten.

    o        the four boards, see `rookery.techniques.rotated`: plain, r90, l45, r45
    turn     a rotation of the board that moves the line's square on the b-file to bit 0
    index    the six bits from there on: the line's inner squares, and bits of its neighbour if it is shorter

Kindergarten multiplies to gather a line. Here its squares are adjacent. A bishop on d4, with b2 and g7 occupied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> from rookery.techniques.rotated import prepare
>>> sq, occupied, t = 27, Bitboard.of("b2", "d4", "g7", "h8", "d7"), tables()
>>> o, mask = prepare(occupied, t), diagonal_mask(sq) ^ bit(sq)
>>> turned = Bitboard(rotate_left(o.r45, t.r45_turn[sq]))
>>> found = t.fill_up[sq & 7, turned & 63]
>>> side_by_side({"occupied": occupied, "r45": o.r45, "turned": turned, "index": turned & 63, "fill_up[d]": found,
...               "& mask": found & mask})
occupied          r45               turned            index             fill_up[d]        & mask
. . . . . . . 1   . . . . . . . .   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . . . .
. . . 1 . . 1 .   . . . . 1 . . .   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . . 1 .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . 1 . .
. . . . . . . .   . . 1 1 . . . .   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . 1 . . .
. . . 1 . . . .   . . . . . 1 . 1   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . 1   . . . . . . . .   . 1 1 . 1 1 1 .   . . 1 . . . . .
. 1 . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . 1 1 . 1 1 1 .   . 1 . . . . . .
. . . . . . . .   . . . . . . . .   1 . 1 . . 1 1 .   1 . 1 . . 1 . .   . 1 1 . 1 1 1 .   . . . . . . . .
>>> Bitboard(diagonal(sq, o, t)).names()
['b2', 'c3', 'e5', 'f6', 'g7']

The attacks on a rank, copied to all eight ranks, are masked by the line. Bits of a neighbouring line only affect
squares beyond both ends. Robert Hyatt's boards of 1995 with Gerd Isenberg's tables; on the chessprogramming wiki in
2008.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rookery.bitboards.bits import antidiagonal_mask, bit, diagonal_mask
from rookery.bitboards.squares import file_index
from rookery.kernel import U64, Bits, Square, kernel, rotate_left
from rookery.techniques.base import Kernels, Technique
from rookery.techniques.kindergarten import a_file_attacks, fill_up_attacks
from rookery.techniques.rotated import (
    ROTATED_HYATT,
    Boards,
    Rotated,
    bits_at,
    hyatt_places,
    inner_six,
    shifts_of,
)

_BYTE = 255
_SIX_BITS = 63
_RANK_BITS = 56
_FILE_BITS = 7


class Compact(NamedTuple):
    """The places of Hyatt's boards, and the tables of kindergarten."""

    r90: Boards
    l45: Boards
    r45: Boards
    l45_turn: Boards  # (64,): the rotation that moves the anti-diagonal's b-file square to bit 0
    r45_turn: Boards  # (64,): the rotation for the diagonal
    fill_up: Boards  # (8, 64)
    a_file: Boards  # (8, 64)


@kernel
def rank(sq: Square, o: Rotated, t: Compact) -> Bits:
    """Look up the attacks along the rank, whose bits are adjacent on the plain board."""
    shift = sq & _RANK_BITS  # where the rank's byte begins
    return (t.fill_up[sq & _FILE_BITS, inner_six(o.plain >> shift)] & _BYTE) << shift


@kernel
def file(sq: Square, o: Rotated, t: Compact) -> Bits:
    """Look up the attacks along the file, which is a byte of the board turned by 90 degrees."""
    file = sq & _FILE_BITS  # counted from a
    return t.a_file[sq >> 3, inner_six(o.r90 >> (file << 3))] << file


@kernel
def diagonal(sq: Square, o: Rotated, t: Compact) -> Bits:
    """Look up the attacks along the diagonal. The mask removes effects of other diagonals' bits beyond both ends."""
    index = rotate_left(o.r45, t.r45_turn[sq]) & _SIX_BITS  # the diagonal's squares from the b-file on
    return t.fill_up[sq & _FILE_BITS, index] & (diagonal_mask(sq) ^ bit(sq))


@kernel
def antidiagonal(sq: Square, o: Rotated, t: Compact) -> Bits:
    """Look up the attacks along the anti-diagonal. The mask removes effects of other lines' bits beyond both ends."""
    index = rotate_left(o.l45, t.l45_turn[sq]) & _SIX_BITS  # the anti-diagonal's squares from the b-file on
    return t.fill_up[sq & _FILE_BITS, index] & (antidiagonal_mask(sq) ^ bit(sq))


def tables() -> Compact:
    """Build the places, and the tables of kindergarten."""
    places = hyatt_places()

    def turns(line: str, board: str) -> Boards:
        starts = shifts_of(line, places[board])
        first_files = [file_index(places[board].index(start)) for start in starts]
        return np.array([(file - 1 - start) % 64 for file, start in zip(first_files, starts, strict=True)], U64)

    return Compact(
        bits_at(places["r90"]),
        bits_at(places["l45"]),
        bits_at(places["r45"]),
        turns("antidiagonal", "l45"),
        turns("diagonal", "r45"),
        fill_up_attacks(),
        a_file_attacks(),
    )


ROTATED_COMPACT = Technique(
    replace(
        ROTATED_HYATT.card,
        name="rotated-compact",
        summary="Hyatt's rotated boards with the small shared tables of kindergarten",
        authors=("Robert Hyatt", "Gerd Isenberg"),
        year=2008,
        users="",
        tables=tables,
        kernels=Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal),
    )
)
