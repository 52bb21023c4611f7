"""Rotated boards of DarkThought: two diagonals in a byte, so that every square's place is arithmetic.

    o        the four boards, see `rookery.techniques.rotated`: plain, r90, l45, r45
    place    where a square's bit lies in a turned board; its upper three bits are the byte that holds the line

Peter Gillgasch and Ernst A. Heinz keep the same four boards as Robert Hyatt, in another order. His r45 beside theirs,
by the square whose bit lies in each place:

>>> from rookery.bitboard import Bitboard
>>> from rookery.squares import SQUARE_NAMES
>>> from rookery import beside
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

A byte holds two diagonals that are eight squares apart, and no square has to be looked up: files are counted from h,
so that bit 0 of a byte is on the h-file. A bishop on e3, its diagonal occupied on c1, f4 and h6:

>>> occupied = Bitboard.of("c1", "e3", "f4", "h6", "e5")
>>> o = prepare(occupied, None)
>>> byte = Bitboard(o.r45 >> (r45_place(20) & 56) & 255)
>>> attacks = tables_256().diagonal[20, byte]
>>> beside({"occupied": occupied, "r45": o.r45, "its byte": byte, "attacks": attacks})
occupied          r45               its byte          attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   1 . 1 1 . 1 . .   . . . . . . . .   . . . . . . . .
. . . . . . . 1   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . 1 . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . 1 . .   . . . . . . . .   . . . . . . . .   . . . . . 1 . .
. . . . 1 . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . 1 . . . .
. . 1 . . . . .   . . . 1 . . . .   1 . 1 1 . 1 . .   . . 1 . . . . .

The boards are kept up by shifts, ANDs and ORs, where Hyatt's load masks. The rest of the byte is the other diagonal's:
its squares lie beyond the line's end, where nothing can hide them. In DarkThought, 1997; Roberto Waldteufel, 1998, left
the outer squares out of the index.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rookery.bits import (
    bit,
    mirror_horizontal,
    pseudo_rotate_45_anticlockwise,
    pseudo_rotate_45_clockwise,
    rotate_90_clockwise,
)
from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.protocol import Tables
from rookery.technique import Card, Kernel, Kernels, Technique, Upkeep
from rookery.techniques.rotated import Boards, Rotated, all_eight, inner_six, line_tables

_RANK_BITS = 56
_FILE_BITS = 7


class Heinz(NamedTuple):
    """Attacks by square and occupancy of the line: all eight bits or the inner six."""

    rank: Boards  # (64, 256) or (64, 64)
    file: Boards
    diagonal: Boards
    antidiagonal: Boards


@kernel
def r90_place(sq: Square) -> Word:
    """Files from h, ranks from the first."""
    return ((_FILE_BITS - (sq & _FILE_BITS)) << 3) | (sq >> 3)


@kernel
def r45_place(sq: Square) -> Word:
    """Rank less file, modulo 8, is the diagonal's byte."""
    file = sq & _FILE_BITS  # counted from a
    return ((((sq >> 3) - file) & _FILE_BITS) << 3) | (_FILE_BITS - file)


@kernel
def l45_place(sq: Square) -> Word:
    """Rank and file added, modulo 8, are the anti-diagonal's byte."""
    file = sq & _FILE_BITS  # counted from a
    return ((((sq >> 3) + file) & _FILE_BITS) << 3) | (_FILE_BITS - file)


# Keeping the boards up.


@kernel
def prepare(occupied: Bits, t: Tables) -> Rotated:
    """Turn whole boards: a transposition and two pseudo-rotations."""
    r90 = rotate_90_clockwise(occupied)  # files are bytes
    l45 = mirror_horizontal(pseudo_rotate_45_anticlockwise(occupied))  # anti-diagonals are bytes
    r45 = mirror_horizontal(pseudo_rotate_45_clockwise(occupied))  # diagonals are bytes
    return Rotated(occupied, r90, l45, r45)


@kernel
def toggle(state: Rotated, sq: Square, t: Tables) -> Rotated:
    """Shifts, ANDs and ORs instead of loads."""
    return Rotated(
        state.plain ^ bit(sq),
        state.r90 ^ bit(r90_place(sq)),
        state.l45 ^ bit(l45_place(sq)),
        state.r45 ^ bit(r45_place(sq)),
    )


# Look-ups. A line begins with its byte.


def lines(state_of: Kernel) -> Kernels:
    """The four lines over DarkThought's boards."""

    @kernel
    def rank(sq: Square, o: Rotated, t: Heinz) -> Bits:
        """By the rank's bits, which the plain board has side by side."""
        return t.rank[sq, state_of(o.plain >> (sq & _RANK_BITS))]

    @kernel
    def file(sq: Square, o: Rotated, t: Heinz) -> Bits:
        """By the file's bits, side by side on the board turned by 90 degrees."""
        return t.file[sq, state_of(o.r90 >> (r90_place(sq) & _RANK_BITS))]

    @kernel
    def diagonal(sq: Square, o: Rotated, t: Heinz) -> Bits:
        """By the diagonal's bits, side by side on its own board."""
        return t.diagonal[sq, state_of(o.r45 >> (r45_place(sq) & _RANK_BITS))]

    @kernel
    def antidiagonal(sq: Square, o: Rotated, t: Heinz) -> Bits:
        """By the anti-diagonal's bits, side by side on its own board."""
        return t.antidiagonal[sq, state_of(o.l45 >> (l45_place(sq) & _RANK_BITS))]

    return Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal)


# Tables.


def heinz_places() -> dict[str, list[int]]:
    """DarkThought counts files from h: bit 0 of a byte of a diagonal board is on the h-file."""
    squares = np.arange(64, dtype=U64)
    return {
        "r90": r90_place(squares).tolist(),
        "l45": l45_place(squares).tolist(),
        "r45": r45_place(squares).tolist(),
    }


def tables_256() -> Heinz:
    """Attacks by all eight bits."""
    return Heinz(*line_tables(heinz_places(), 256, aligned=True))


def tables_64() -> Heinz:
    """Attacks by the six inner bits."""
    return Heinz(*line_tables(heinz_places(), 64, aligned=True))


ROTATED_HEINZ = Technique(
    Card(
        name="rotated-heinz",
        summary="pseudo-rotated boards with packed diagonals, kept by arithmetic; 256 states a line",
        authors=("Peter Gillgasch", "Ernst A. Heinz"),
        year=1997,
        source="Heinz, How DarkThought Plays Chess, ICCA Journal 20-3, 1997",
        tables=tables_256,
        kernels=lines(all_eight),
        upkeep=Upkeep(Rotated, prepare, toggle),
    )
)
ROTATED_HEINZ_64 = Technique(
    replace(
        ROTATED_HEINZ.card,
        name="rotated-heinz-64",
        summary="the same as rotated-heinz without the outer squares; 64 states a line",
        authors=("Peter Gillgasch", "Ernst A. Heinz", "Roberto Waldteufel"),
        year=1998,
        tables=tables_64,
        kernels=lines(inner_six),
    )
)
