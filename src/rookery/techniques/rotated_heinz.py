"""Rotated boards of DarkThought: two diagonals share a byte, so that arithmetic gives every square's place.

    o        the four boards, see `rookery.techniques.rotated`: plain, r90, l45, r45
    place    the number of a square's bit in a turned board; its upper three bits number the byte that holds the line

Peter Gillgasch and Ernst A. Heinz use the same four boards as Robert Hyatt, with another order of the bits. His r45 on
the left and theirs on the right, as the square of each bit:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery.bitboards.squares import SQUARE_NAMES
>>> from rookery import side_by_side
>>> from rookery.techniques.rotated import hyatt_places
>>> hyatt, heinz = hyatt_places()["r45"], heinz_places()["r45"]
>>> for row in range(56, -8, -8):
...     rows = ([SQUARE_NAMES[places.index(row + i)] for i in range(8)] for places in (hyatt, heinz))
...     print("     ".join(map(" ".join, rows)))
c7 d8 a6 b7 c8 a7 b8 a8     h7 g6 f5 e4 d3 c2 b1 a8
f8 a4 b5 c6 d7 e8 a5 b6     h6 g5 f4 e3 d2 c1 b8 a7
e6 f7 g8 a3 b4 c5 d6 e7     h5 g4 f3 e2 d1 c8 b7 a6
e5 f6 g7 h8 a2 b3 c4 d5     h4 g3 f2 e1 d8 c7 b6 a5
e4 f5 g6 h7 a1 b2 c3 d4     h3 g2 f1 e8 d7 c6 b5 a4
d2 e3 f4 g5 h6 b1 c2 d3     h2 g1 f8 e7 d6 c5 b4 a3
g3 h4 d1 e2 f3 g4 h5 c1     h1 g8 f7 e6 d5 c4 b3 a2
h1 g1 h2 f1 g2 h3 e1 f2     h8 g7 f6 e5 d4 c3 b2 a1

A byte holds two diagonals that are eight squares apart, and no table of places is needed. Files are counted from h, so
bit 0 of a byte is on the h-file. A bishop on e3, with c1, f4 and h6 occupied on its diagonal:

>>> occupied = Bitboard.of("c1", "e3", "f4", "h6", "e5")
>>> o = prepare(occupied, None)
>>> byte = Bitboard(o.r45 >> (r45_place(20) & 56) & 255)
>>> attacks = tables_256().diagonal[20, byte]
>>> side_by_side({"occupied": occupied, "r45": o.r45, "its byte": byte, "attacks": attacks})
occupied          r45               its byte          attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   1 . 1 1 . 1 . .   . . . . . . . .   . . . . . . . .
. . . . . . . 1   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . 1 . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . 1 . .   . . . . . . . .   . . . . . . . .   . . . . . 1 . .
. . . . 1 . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . 1 . . . .
. . 1 . . . . .   . . . 1 . . . .   1 . 1 1 . 1 . .   . . 1 . . . . .

The boards are updated by shifts, ANDs and ORs, while Hyatt's updates load masks. The rest of the byte belongs to the
other diagonal. Its bits do no harm, because they count as squares beyond the end of the line. In DarkThought, 1997;
Roberto Waldteufel, 1998, left the outer squares out of the index.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rookery.bitboards.bits import (
    bit,
    mirror_horizontal,
    pseudo_rotate_45_anticlockwise,
    pseudo_rotate_45_clockwise,
    rotate_90_clockwise,
)
from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.techniques.base import Card, Kernel, Kernels, Technique, Upkeep, Variant
from rookery.techniques.base.protocol import Tables
from rookery.techniques.rotated import Boards, Rotated, all_eight, inner_six, line_tables

_RANK_BITS = 56
_FILE_BITS = 7


class Heinz(NamedTuple):
    """Attacks by square and line occupancy (all eight bits or the inner six)."""

    rank: Boards  # (64, 256) or (64, 64)
    file: Boards
    diagonal: Boards
    antidiagonal: Boards


@kernel
def r90_place(sq: Square) -> Word:
    """Return the place on the board turned by 90 degrees: files count from h, ranks from the first."""
    return ((_FILE_BITS - (sq & _FILE_BITS)) << 3) | (sq >> 3)


@kernel
def r45_place(sq: Square) -> Word:
    """Return the place on the board turned right. The diagonal's byte is the rank less the file, modulo 8."""
    file = sq & _FILE_BITS  # counted from a
    return ((((sq >> 3) - file) & _FILE_BITS) << 3) | (_FILE_BITS - file)


@kernel
def l45_place(sq: Square) -> Word:
    """Return the place on the board turned left. The anti-diagonal's byte is the rank plus the file, modulo 8."""
    file = sq & _FILE_BITS  # counted from a
    return ((((sq >> 3) + file) & _FILE_BITS) << 3) | (_FILE_BITS - file)


# Updates of the boards.


@kernel
def prepare(occupied: Bits, t: Tables) -> Rotated:
    """Turn whole boards: one transposition and two pseudo-rotations."""
    r90 = rotate_90_clockwise(occupied)  # files are bytes
    l45 = mirror_horizontal(pseudo_rotate_45_anticlockwise(occupied))  # anti-diagonals are bytes
    r45 = mirror_horizontal(pseudo_rotate_45_clockwise(occupied))  # diagonals are bytes
    return Rotated(occupied, r90, l45, r45)


@kernel
def toggle(state: Rotated, sq: Square, t: Tables) -> Rotated:
    """Flip the square's bit in each board. Its place takes shifts, ANDs and ORs instead of loads."""
    return Rotated(
        state.plain ^ bit(sq),
        state.r90 ^ bit(r90_place(sq)),
        state.l45 ^ bit(l45_place(sq)),
        state.r45 ^ bit(r45_place(sq)),
    )


# Look-ups. Each line begins at a byte.


def lines(state_of: Kernel) -> Kernels:
    """Make the kernels of the four lines over DarkThought's boards, given `all_eight` or `inner_six`."""

    @kernel
    def rank(sq: Square, o: Rotated, t: Heinz) -> Bits:
        """Look up the rank's bits, which are adjacent on the plain board."""
        return t.rank[sq, state_of(o.plain >> (sq & _RANK_BITS))]

    @kernel
    def file(sq: Square, o: Rotated, t: Heinz) -> Bits:
        """Look up the file's bits, which are adjacent on the board turned by 90 degrees."""
        return t.file[sq, state_of(o.r90 >> (r90_place(sq) & _RANK_BITS))]

    @kernel
    def diagonal(sq: Square, o: Rotated, t: Heinz) -> Bits:
        """Look up the diagonal's bits, which are adjacent on the board turned right."""
        return t.diagonal[sq, state_of(o.r45 >> (r45_place(sq) & _RANK_BITS))]

    @kernel
    def antidiagonal(sq: Square, o: Rotated, t: Heinz) -> Bits:
        """Look up the anti-diagonal's bits, which are adjacent on the board turned left."""
        return t.antidiagonal[sq, state_of(o.l45 >> (l45_place(sq) & _RANK_BITS))]

    return Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal)


# Tables.


def heinz_places() -> dict[str, list[int]]:
    """Return the place of each square's bit in the three turned boards.

    DarkThought counts files from h: bit 0 of a byte is on the h-file.
    """
    squares = np.arange(64, dtype=U64)
    return {
        "r90": r90_place(squares).tolist(),
        "l45": l45_place(squares).tolist(),
        "r45": r45_place(squares).tolist(),
    }


def tables_256() -> Heinz:
    """Build the attacks by all eight bits."""
    return Heinz(*line_tables(heinz_places(), 256, aligned=True))


def tables_64() -> Heinz:
    """Build the attacks by the six inner bits."""
    return Heinz(*line_tables(heinz_places(), 64, aligned=True))


ROTATED_HEINZ = Technique(
    Card(
        name="rotated-heinz",
        summary="pseudo-rotated boards with packed diagonals, kept by arithmetic; 256 states per line",
        authors=("Peter Gillgasch", "Ernst A. Heinz"),
        year=1997,
        source="Heinz, How DarkThought Plays Chess, ICCA Journal 20-3, 1997",
        users="DarkThought (Heinz, 1997)",
        tables=tables_256,
        kernels=lines(all_eight),
        upkeep=Upkeep(Rotated, prepare, toggle),
    )
)
ROTATED_HEINZ_64 = Technique(
    replace(
        ROTATED_HEINZ.card,
        name="rotated-heinz-64",
        summary="the same as rotated-heinz without the outer squares; 64 states per line",
        authors=("Peter Gillgasch", "Ernst A. Heinz", "Roberto Waldteufel"),
        year=1998,
        users="",
        tables=tables_64,
        kernels=lines(inner_six),
        variants=(
            Variant(
                "rotated-indices",
                authors=("Alessandro Damiani",),
                year=1997,
                source="chessprogramming wiki, Rotated Indices; Fortress",
                difference="an index for each of 46 lines, kept from move to move, instead of four boards",
            ),
        ),
    )
)
