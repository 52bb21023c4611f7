"""Rotated bitboards: three more occupied boards, turned so that files and diagonals lie in adjacent bits.

    o        the four boards:
    plain    the occupancy
    r90      turned by 90 degrees: files are bytes
    l45      turned left by 45 degrees: anti-diagonals (a8-h1 and parallel) in adjacent bits
    r45      turned right by 45 degrees: diagonals (a1-h8 and parallel)

The boards that Robert Hyatt keeps, each of one line's squares; the line is in one row, or runs over into the next:

>>> from rookery.bitboard import Bitboard
>>> from rookery.squares import SQUARE_NAMES
>>> from rookery import beside
>>> t = tables_64()
>>> file, anti, diagonal = (Bitboard.of(*names.split()) for names in (
...     "d1 d2 d3 d4 d5 d6 d7 d8", "a6 b5 c4 d3 e2 f1", "c1 d2 e3 f4 g5 h6"))
>>> beside({"the d-file": file, "r90": prepare(file, t).r90, "a6-f1": anti, "l45": prepare(anti, t).l45,
...         "c1-h6": diagonal, "r45": prepare(diagonal, t).r45})
the d-file        r90               a6-f1             l45               c1-h6             r45
. . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   1 . . . . . . .   . . . . . . . .   . . . . . . . 1   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . 1 . . . . . .   . . . . . . . .   . . . . . . 1 .   . . . . . . . .
. . . 1 . . . .   1 1 1 1 1 1 1 1   . . 1 . . . . .   . . . . . . . .   . . . . . 1 . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . . . 1 . . . .   1 1 1 1 1 . . .   . . . . 1 . . .   1 1 1 1 1 . . .
. . . 1 . . . .   . . . . . . . .   . . . . 1 . . .   . . . . . . . 1   . . . 1 . . . .   . . . . . . . 1
. . . 1 . . . .   . . . . . . . .   . . . . . 1 . .   . . . . . . . .   . . 1 . . . . .   . . . . . . . .

A line's attacks are then one look-up by square and byte, or by the six inner bits. A bishop on e3, its diagonal
occupied on c1, f4 and h6:

>>> occupied = Bitboard.of("c1", "e3", "f4", "h6", "e5")
>>> o = prepare(occupied, t)
>>> seen = ROTATED_HYATT_64.kernel_of("diagonal")(20, o, t)
>>> beside({"occupied": occupied, "r45": o.r45, "r45 >> shift": o.r45 >> t.r45_shift[20], "attacks": seen})
occupied          r45               r45 >> shift      attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . 1   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . 1 . . .   1 . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . 1 . .   . . . . . . . .   . . . . . . . .   . . . . . 1 . .
. . . . 1 . . .   . 1 1 . 1 . . .   . 1 . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . 1   . . . . . . . .   . . . 1 . . . .
. . 1 . . . . .   . . . . . . . .   1 . 1 1 . 1 . .   . . 1 . . . . .

The boards are kept up when a piece is put or taken; `prepare` builds them from nothing, which is dear. Robert Hyatt's
visual rotation packs the diagonals one behind the other, with tables for every square's place (Crafty, 1995). The index
may hold bits of a neighbouring diagonal: its squares lie beyond the line's end, where nothing can hide them. Roberto
Waldteufel, 1998, left the outer squares out of the index: a quarter of the tables.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bits import bit, reset_ls1b
from rookery.kernel import U64, Bits, Square, Word, kernel, trailing_zeros
from rookery.lines import line_through
from rookery.squares import antidiagonal_index, diagonal_index, file_index
from rookery.technique import Card, Kernel, Kernels, Technique, Upkeep
from rookery.techniques._filler import directions_of, walk

Boards = NDArray[np.uint64]

_BYTE = 255
_SIX_BITS = 63
_RANK_BITS = 56
_FILE_BITS = 7


class Rotated(NamedTuple):
    """An occupancy in four orders."""

    plain: Bits
    r90: Bits
    l45: Bits
    r45: Bits


class Hyatt(NamedTuple):
    """Places and shifts by square, and attacks by square and occupancy of the line: all eight bits or the inner six."""

    r90: Boards  # (64,): the square's bit in each rotated board
    l45: Boards
    r45: Boards
    l45_shift: Boards  # (64,): where the square's anti-diagonal begins
    r45_shift: Boards  # and its diagonal
    rank: Boards  # (64, 256) or (64, 64)
    file: Boards
    diagonal: Boards
    antidiagonal: Boards


# Keeping the boards up.


@kernel
def prepare(occupied: Bits, t: Hyatt) -> Rotated:
    """Put one piece after the other."""
    r90: Bits = 0
    l45: Bits = 0
    r45: Bits = 0
    rest = occupied  # the pieces still to be put
    while rest:
        sq: Square = trailing_zeros(rest)  # the lowest of the pieces still to be put
        r90 |= t.r90[sq]
        l45 |= t.l45[sq]
        r45 |= t.r45[sq]
        rest = reset_ls1b(rest)  # less the piece that has been put
    return Rotated(occupied, r90, l45, r45)


@kernel
def toggle(state: Rotated, sq: Square, t: Hyatt) -> Rotated:
    """Three loads."""
    return Rotated(state.plain ^ bit(sq), state.r90 ^ t.r90[sq], state.l45 ^ t.l45[sq], state.r45 ^ t.r45[sq])


# Look-ups. A shift brings a line's lowest bit to bit 0.


@kernel
def all_eight(line: Word) -> Word:
    """A line's whole occupancy."""
    return line & _BYTE


@kernel
def inner_six(line: Word) -> Word:
    """A line's occupancy without its outer squares."""
    return (line >> 1) & _SIX_BITS


def lines(state_of: Kernel) -> Kernels:
    """The four lines over Hyatt's boards, by all eight bits or the inner six."""

    @kernel
    def rank(sq: Square, o: Rotated, t: Hyatt) -> Bits:
        """By the rank's bits, which the plain board has side by side."""
        return t.rank[sq, state_of(o.plain >> (sq & _RANK_BITS))]

    @kernel
    def file(sq: Square, o: Rotated, t: Hyatt) -> Bits:
        """By the file's bits, side by side on the board turned by 90 degrees."""
        return t.file[sq, state_of(o.r90 >> ((sq & _FILE_BITS) << 3))]

    @kernel
    def diagonal(sq: Square, o: Rotated, t: Hyatt) -> Bits:
        """By the diagonal's bits, side by side on its own board."""
        return t.diagonal[sq, state_of(o.r45 >> t.r45_shift[sq])]

    @kernel
    def antidiagonal(sq: Square, o: Rotated, t: Hyatt) -> Bits:
        """By the anti-diagonal's bits, side by side on its own board."""
        return t.antidiagonal[sq, state_of(o.l45 >> t.l45_shift[sq])]

    return Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal)


# Where bits go: Hyatt's a1 is the first bit of each rotated board's last row, and bits run as in our mapping.


def hyatt_places() -> dict[str, list[int]]:
    """The place of each square's bit in the three turned boards."""
    diagonals = sorted(range(64), key=lambda s: (_signed(diagonal_index(s)), file_index(s)))
    antidiagonals = sorted(range(64), key=lambda s: (-_signed(antidiagonal_index(s)), file_index(s)))
    return {
        "r90": [8 * (s & 7) + 7 - (s >> 3) for s in range(64)],
        "l45": [antidiagonals.index(s) for s in range(64)],
        "r45": [diagonals.index(s) for s in range(64)],
    }


def _signed(index: int) -> int:
    return index - 16 if index > 8 else index


# Tables, from places.


def bits_at(places: list[int]) -> Boards:
    """The bit of each square in a turned board."""
    return np.left_shift(U64(1), np.array(places, U64))


def shifts_of(line: str, places: list[int]) -> list[int]:
    """The lowest place on each square's line."""
    return [min(places[s] for s in (sq, *line_through(line, sq))) for sq in range(64)]


def attacks_by_state(line: str, places: list[int], shifts: list[int], states: int) -> Boards:
    """The attacks by square and occupancy of the `states` places from the line's shift on.

    A window that runs off the board's end leaves its upper states unused.
    """
    square_at = {place: s for s, place in enumerate(places)}
    table = np.zeros((64, states), U64)
    for sq in range(64):
        first = shifts[sq] + (states == 64)
        window = [square_at[place] for place in range(first, first + states.bit_length() - 1) if place < 64]
        occupied = np.zeros(1, U64)
        for s in window:
            occupied = np.concatenate([occupied, occupied | U64(1 << s)])
        table[sq, : len(occupied)] = walk(sq, directions_of(line), occupied)
    return table


def line_tables(places: dict[str, list[int]], states: int, aligned: bool) -> list[Boards]:
    """The attacks along the four lines, of which each begins a byte if they are `aligned`."""
    plain = list(range(64))
    r90, l45, r45 = places["r90"], places["l45"], places["r45"]
    diagonal = [p & 56 for p in r45] if aligned else shifts_of("diagonal", r45)
    antidiagonal = [p & 56 for p in l45] if aligned else shifts_of("antidiagonal", l45)
    return [
        attacks_by_state("rank", plain, [s & 56 for s in plain], states),
        attacks_by_state("file", r90, [p & 56 for p in r90], states),
        attacks_by_state("diagonal", r45, diagonal, states),
        attacks_by_state("antidiagonal", l45, antidiagonal, states),
    ]


def tables(states: int) -> Hyatt:
    """Places, shifts, and attacks by so many states of a line."""
    places = hyatt_places()
    shifts = [
        np.array(shifts_of("antidiagonal", places["l45"]), U64),
        np.array(shifts_of("diagonal", places["r45"]), U64),
    ]
    return Hyatt(*map(bits_at, places.values()), *shifts, *line_tables(places, states, aligned=False))


def tables_256() -> Hyatt:
    """Attacks by all eight bits, and places."""
    return tables(256)


def tables_64() -> Hyatt:
    """Attacks by the six inner bits, and places."""
    return tables(64)


ROTATED_HYATT = Technique(
    Card(
        name="rotated-hyatt",
        summary="visually rotated boards, kept by mask tables; 256 states a line",
        authors=("Robert Hyatt",),
        year=1995,
        source="Hyatt, Rotated Bitmaps, a New Twist on an Old Idea, ICCA Journal 22-4, 1999",
        tables=tables_256,
        kernels=lines(all_eight),
        upkeep=Upkeep(Rotated, prepare, toggle),
    )
)
ROTATED_HYATT_64 = Technique(
    replace(
        ROTATED_HYATT.card,
        name="rotated-hyatt-64",
        summary="the same as rotated-hyatt without the outer squares; 64 states a line",
        authors=("Robert Hyatt", "Roberto Waldteufel"),
        year=1998,
        tables=tables_64,
        kernels=lines(inner_six),
    )
)
