"""Rotated bitboards: three more occupied boards, turned so that files and diagonals lie in adjacent bits.

    o        the four boards:
    plain    the occupancy
    r90      turned by 90 degrees: files are bytes
    l45      turned left by 45 degrees: anti-diagonals (a8-h1 and parallel) in adjacent bits
    r45      turned right by 45 degrees: diagonals (a1-h8 and parallel)

Robert Hyatt's boards, each with the squares of one line. The line lies in one row, or continues in the next:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery.bitboards.squares import SQUARE_NAMES
>>> from rookery import side_by_side
>>> t = tables_64()
>>> file, anti, diagonal = (Bitboard.of(*names.split()) for names in (
...     "d1 d2 d3 d4 d5 d6 d7 d8", "a6 b5 c4 d3 e2 f1", "c1 d2 e3 f4 g5 h6"))
>>> side_by_side({"the d-file": file, "r90": prepare(file, t).r90, "a6-f1": anti, "l45": prepare(anti, t).l45,
...               "c1-h6": diagonal, "r45": prepare(diagonal, t).r45})
the d-file        r90               a6-f1             l45               c1-h6             r45
. . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   1 . . . . . . .   . . . . . . . .   . . . . . . . 1   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . 1 . . . . . .   . . . . . . . .   . . . . . . 1 .   . . . . . . . .
. . . 1 . . . .   1 1 1 1 1 1 1 1   . . 1 . . . . .   . . . . . . . .   . . . . . 1 . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . . . 1 . . . .   1 1 1 1 1 . . .   . . . . 1 . . .   1 1 1 1 1 . . .
. . . 1 . . . .   . . . . . . . .   . . . . 1 . . .   . . . . . . . 1   . . . 1 . . . .   . . . . . . . 1
. . . 1 . . . .   . . . . . . . .   . . . . . 1 . .   . . . . . . . .   . . 1 . . . . .   . . . . . . . .

The attacks along a line are then one look-up by square and byte, or by the six inner bits. A bishop on e3, with c1, f4
and h6 occupied on its diagonal:

>>> occupied = Bitboard.of("c1", "e3", "f4", "h6", "e5")
>>> o = prepare(occupied, t)
>>> seen = ROTATED_HYATT_64.kernel_of("diagonal")(20, o, t)
>>> side_by_side({"occupied": occupied, "r45": o.r45, "r45 >> shift": o.r45 >> t.r45_shift[20], "attacks": seen})
occupied          r45               r45 >> shift      attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . 1   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . 1 . . .   1 . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . 1 . .   . . . . . . . .   . . . . . . . .   . . . . . 1 . .
. . . . 1 . . .   . 1 1 . 1 . . .   . 1 . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . 1   . . . . . . . .   . . . 1 . . . .
. . 1 . . . . .   . . . . . . . .   1 . 1 1 . 1 . .   . . 1 . . . . .

The boards are updated when a piece is put on a square or taken from it. `prepare` builds them from scratch, which is
slow. Robert Hyatt's visual rotation packs the diagonals one after the other, with tables for the place of every square
(Crafty, 1995). The index may contain bits of a neighbouring diagonal, which do no harm because they count as squares
beyond the end of the line. Roberto Waldteufel, 1998, left the outer squares out of the index, for a quarter of the
table size.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import bit, reset_ls1b
from rookery.bitboards.lines import line_through
from rookery.bitboards.squares import antidiagonal_index, diagonal_index, file_index
from rookery.kernel import U64, Bits, Square, Word, kernel, trailing_zeros
from rookery.techniques._filler import directions_of, walk
from rookery.techniques.base import Card, Kernel, Kernels, Technique, Upkeep

Boards = NDArray[np.uint64]

_BYTE = 255
_SIX_BITS = 63
_RANK_BITS = 56
_FILE_BITS = 7


class Rotated(NamedTuple):
    """An occupancy in four bit orders."""

    plain: Bits
    r90: Bits
    l45: Bits
    r45: Bits


class Hyatt(NamedTuple):
    """Places and shifts by square, and attacks by square and line occupancy (all eight bits or the inner six)."""

    r90: Boards  # (64,): the square's bit in each rotated board
    l45: Boards
    r45: Boards
    l45_shift: Boards  # (64,): where the square's anti-diagonal begins
    r45_shift: Boards  # (64,): where its diagonal begins
    rank: Boards  # (64, 256) or (64, 64)
    file: Boards
    diagonal: Boards
    antidiagonal: Boards


# Updates of the boards.


@kernel
def prepare(occupied: Bits, t: Hyatt) -> Rotated:
    """Add one piece after the other to the rotated boards."""
    r90: Bits = 0
    l45: Bits = 0
    r45: Bits = 0
    rest = occupied  # the pieces still to be added
    while rest:
        sq: Square = trailing_zeros(rest)  # the lowest of the pieces still to be added
        r90 |= t.r90[sq]
        l45 |= t.l45[sq]
        r45 |= t.r45[sq]
        rest = reset_ls1b(rest)  # each piece is added to every turned board, and leaves the rest
    return Rotated(occupied, r90, l45, r45)


@kernel
def toggle(state: Rotated, sq: Square, t: Hyatt) -> Rotated:
    """Flip the square's bit in each board. Its place in the rotated boards takes three loads."""
    return Rotated(state.plain ^ bit(sq), state.r90 ^ t.r90[sq], state.l45 ^ t.l45[sq], state.r45 ^ t.r45[sq])


# Look-ups. A shift moves a line's lowest bit to bit 0.


@kernel
def all_eight(line: Word) -> Word:
    """Return a line's whole occupancy."""
    return line & _BYTE


@kernel
def inner_six(line: Word) -> Word:
    """Return a line's occupancy without its outer squares."""
    return (line >> 1) & _SIX_BITS


def lines(state_of: Kernel) -> Kernels:
    """Make the kernels of the four lines over Hyatt's boards, given `all_eight` or `inner_six`."""

    @kernel
    def rank(sq: Square, o: Rotated, t: Hyatt) -> Bits:
        """Look up the rank's bits, which are adjacent on the plain board."""
        return t.rank[sq, state_of(o.plain >> (sq & _RANK_BITS))]

    @kernel
    def file(sq: Square, o: Rotated, t: Hyatt) -> Bits:
        """Look up the file's bits, which are adjacent on the board turned by 90 degrees."""
        return t.file[sq, state_of(o.r90 >> ((sq & _FILE_BITS) << 3))]

    @kernel
    def diagonal(sq: Square, o: Rotated, t: Hyatt) -> Bits:
        """Look up the diagonal's bits, which are adjacent on the board turned right."""
        return t.diagonal[sq, state_of(o.r45 >> t.r45_shift[sq])]

    @kernel
    def antidiagonal(sq: Square, o: Rotated, t: Hyatt) -> Bits:
        """Look up the anti-diagonal's bits, which are adjacent on the board turned left."""
        return t.antidiagonal[sq, state_of(o.l45 >> t.l45_shift[sq])]

    return Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal)


# The places of the bits.


def hyatt_places() -> dict[str, list[int]]:
    """Return the place of each square's bit in the three turned boards."""
    diagonals = sorted(range(64), key=lambda s: (_signed(diagonal_index(s)), file_index(s)))
    antidiagonals = sorted(range(64), key=lambda s: (-_signed(antidiagonal_index(s)), file_index(s)))
    return {
        "r90": [8 * (s & 7) + 7 - (s >> 3) for s in range(64)],
        "l45": [antidiagonals.index(s) for s in range(64)],
        "r45": [diagonals.index(s) for s in range(64)],
    }


def _signed(index: int) -> int:
    return index - 16 if index > 8 else index


# Tables.


def bits_at(places: list[int]) -> Boards:
    """Return the bit of each square in a turned board."""
    return np.left_shift(U64(1), np.array(places, U64))


def shifts_of(line: str, places: list[int]) -> list[int]:
    """Return the lowest place on the line through each square."""
    return [min(places[s] for s in (sq, *line_through(line, sq))) for sq in range(64)]


def attacks_by_state(line: str, places: list[int], shifts: list[int], states: int) -> Boards:
    """Return the attacks by square and occupancy of the line's places, which begin at its shift.

    `states` is 256 for all eight places or 64 for the inner six. If fewer places are left on the board, the upper
    states are unused.
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
    """Return the attacks along the four lines. If they are `aligned`, each line begins at a byte."""
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
    """Build places, shifts, and attacks with 256 or 64 states of a line."""
    places = hyatt_places()
    shifts = [
        np.array(shifts_of("antidiagonal", places["l45"]), U64),
        np.array(shifts_of("diagonal", places["r45"]), U64),
    ]
    return Hyatt(*map(bits_at, places.values()), *shifts, *line_tables(places, states, aligned=False))


def tables_256() -> Hyatt:
    """Build places, shifts, and attacks by all eight bits."""
    return tables(256)


def tables_64() -> Hyatt:
    """Build places, shifts, and attacks by the six inner bits."""
    return tables(64)


ROTATED_HYATT = Technique(
    Card(
        name="rotated-hyatt",
        summary="visually rotated boards, kept by mask tables; 256 states per line",
        authors=("Robert Hyatt",),
        year=1995,
        source="Hyatt, Rotated Bitmaps, a New Twist on an Old Idea, ICCA Journal 22-4, 1999",
        users="Crafty until 2007, Arasan until 2008 and Beowulf (chessprogramming wiki)",
        tables=tables_256,
        kernels=lines(all_eight),
        upkeep=Upkeep(Rotated, prepare, toggle),
    )
)
ROTATED_HYATT_64 = Technique(
    replace(
        ROTATED_HYATT.card,
        name="rotated-hyatt-64",
        summary="the same as rotated-hyatt without the outer squares; 64 states per line",
        authors=("Robert Hyatt", "Roberto Waldteufel"),
        year=1998,
        users="",
        tables=tables_64,
        kernels=lines(inner_six),
    )
)
