"""Rotated bitboards: three more occupied boards, turned so that files and diagonals lie in adjacent bits.

    o        the four boards:
    plain    the occupancy
    r90      turned by 90 degrees: files are bytes
    l45      turned left by 45 degrees: anti-diagonals (a8-h1 and parallel) in adjacent bits
    r45      turned right by 45 degrees: diagonals (a1-h8 and parallel)

The boards that Robert Hyatt keeps, each of one line's squares; the line is in one row, or runs over into the next:

>>> from rookery.bitboard import Bitboard
>>> from rookery.squares import SQUARE_NAMES
>>> from rookery.techniques._drawing import beside
>>> t = hyatt_64()
>>> file, anti, diagonal = (Bitboard.of(*names.split()) for names in (
...     "d1 d2 d3 d4 d5 d6 d7 d8", "a6 b5 c4 d3 e2 f1", "c1 d2 e3 f4 g5 h6"))
>>> beside({"the d-file": file, "r90": hyatt_prepare(file, t).r90, "a6-f1": anti, "l45": hyatt_prepare(anti, t).l45,
...         "c1-h6": diagonal, "r45": hyatt_prepare(diagonal, t).r45})
the d-file        r90               a6-f1             l45               c1-h6             r45
. . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   1 . . . . . . .   . . . . . . . .   . . . . . . . 1   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . 1 . . . . . .   . . . . . . . .   . . . . . . 1 .   . . . . . . . .
. . . 1 . . . .   1 1 1 1 1 1 1 1   . . 1 . . . . .   . . . . . . . .   . . . . . 1 . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . . . 1 . . . .   1 1 1 1 1 . . .   . . . . 1 . . .   1 1 1 1 1 . . .
. . . 1 . . . .   . . . . . . . .   . . . . 1 . . .   . . . . . . . 1   . . . 1 . . . .   . . . . . . . 1
. . . 1 . . . .   . . . . . . . .   . . . . . 1 . .   . . . . . . . .   . . 1 . . . . .   . . . . . . . .

His r45 and that of DarkThought, by the square whose bit lies in each place:

>>> hyatt, heinz = _hyatt_places()["r45"], _heinz_places()["r45"]
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

A line's attacks are then one look-up by square and byte, or by the six inner bits. A bishop on e3, its diagonal
occupied on c1, f4 and h6:

>>> occupied = Bitboard.of("c1", "e3", "f4", "h6", "e5")
>>> o = hyatt_prepare(occupied, t)
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

The boards are kept up when a piece is put or taken; `prepare` builds them from nothing, which is dear. Two mappings:
Robert Hyatt's visual rotation packs the diagonals one behind the other, with tables for every square's place (Crafty,
1995). Peter Gillgasch and Ernst A. Heinz pack two diagonals in a byte, so that places are arithmetic
(DarkThought, 1997). The index may hold bits of a neighbouring diagonal: its squares lie beyond the line's end, where
nothing can hide them.

Roberto Waldteufel, 1998, left the outer squares out of the index: a quarter of the tables.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bits import (
    antidiagonal_mask,
    bit,
    diagonal_mask,
    mirror_horizontal,
    pseudo_rotate_45_anticlockwise,
    pseudo_rotate_45_clockwise,
    reset_ls1b,
    rotate_90_clockwise,
)
from rookery.kernel import ONE, U64, ZERO, Bits, Square, Word, kernel, rotate_left, trailing_zeros
from rookery.lines import line_through
from rookery.squares import antidiagonal_index, diagonal_index, file_index
from rookery.technique import Needs, Technique
from rookery.techniques._filler import directions_of, walk
from rookery.techniques.kindergarten import a_file_attacks, fill_up_attacks

Boards = NDArray[np.uint64]

_BYTE = U64(255)
_SIX_BITS = U64(63)
_RANK_BITS = U64(56)
_FILE_BITS = U64(7)


class Rotated(NamedTuple):
    """An occupancy in four orders."""

    plain: Bits
    r90: Bits
    l45: Bits
    r45: Bits


# Where bits go. Hyatt: his a1 is the first bit of each rotated board's last row, and bits run as in our mapping.


def _hyatt_places() -> dict[str, list[int]]:
    diagonals = sorted(range(64), key=lambda s: (_signed(diagonal_index(s)), file_index(s)))
    antidiagonals = sorted(range(64), key=lambda s: (-_signed(antidiagonal_index(s)), file_index(s)))
    return {
        "r90": [8 * (s & 7) + 7 - (s >> 3) for s in range(64)],
        "l45": [antidiagonals.index(s) for s in range(64)],
        "r45": [diagonals.index(s) for s in range(64)],
    }


def _signed(index: int) -> int:
    return index - 16 if index > 8 else index


def _heinz_places() -> dict[str, list[int]]:
    """DarkThought counts files from h: bit 0 of a byte of a diagonal board is on the h-file."""
    squares = np.arange(64, dtype=U64)
    return {
        "r90": _heinz_r90(squares).tolist(),
        "l45": _heinz_l45(squares).tolist(),
        "r45": _heinz_r45(squares).tolist(),
    }


@kernel
def _heinz_r90(sq: Square) -> Word:
    return ((_FILE_BITS - (sq & _FILE_BITS)) << 3) | (sq >> 3)


@kernel
def _heinz_r45(sq: Square) -> Word:
    file = sq & _FILE_BITS
    return ((((sq >> 3) - file) & _FILE_BITS) << 3) | (_FILE_BITS - file)


@kernel
def _heinz_l45(sq: Square) -> Word:
    file = sq & _FILE_BITS
    return ((((sq >> 3) + file) & _FILE_BITS) << 3) | (_FILE_BITS - file)


# Keeping the boards up: by mask tables (Hyatt), by arithmetic (Gillgasch).


@kernel
def hyatt_prepare(occupied: Bits, t: Any) -> Rotated:
    """Put one piece after the other."""
    r90 = l45 = r45 = ZERO
    rest = occupied
    while rest:
        sq = trailing_zeros(rest)
        r90 |= t.r90[sq]
        l45 |= t.l45[sq]
        r45 |= t.r45[sq]
        rest = reset_ls1b(rest)
    return Rotated(occupied, r90, l45, r45)


@kernel
def hyatt_toggle(state: Rotated, sq: Square, t: Any) -> Rotated:
    """Three loads."""
    return Rotated(state.plain ^ bit(sq), state.r90 ^ t.r90[sq], state.l45 ^ t.l45[sq], state.r45 ^ t.r45[sq])


@kernel
def heinz_prepare(occupied: Bits, t: Any) -> Rotated:
    """Turn whole boards: a transposition and two pseudo-rotations."""
    return Rotated(
        occupied,
        rotate_90_clockwise(occupied),
        mirror_horizontal(pseudo_rotate_45_anticlockwise(occupied)),
        mirror_horizontal(pseudo_rotate_45_clockwise(occupied)),
    )


@kernel
def heinz_toggle(state: Rotated, sq: Square, t: Any) -> Rotated:
    """Shifts, ANDs and ORs instead of loads."""
    return Rotated(
        state.plain ^ bit(sq),
        state.r90 ^ bit(_heinz_r90(sq)),
        state.l45 ^ bit(_heinz_l45(sq)),
        state.r45 ^ bit(_heinz_r45(sq)),
    )


# Look-ups. `shift` brings a line's lowest bit to bit 0.


class Hyatt256(NamedTuple):
    """Tables of `rotated-hyatt`."""

    r90: Boards  # (64,): the square's bit in each rotated board
    l45: Boards
    r45: Boards
    l45_shift: Boards  # (64,): where the square's anti-diagonal begins
    r45_shift: Boards  # and its diagonal
    rank: Boards  # (64, 256): attacks by occupancy of the line
    file: Boards
    diagonal: Boards
    antidiagonal: Boards


class Hyatt64(NamedTuple):
    """Tables of `rotated-hyatt-64`."""

    r90: Boards
    l45: Boards
    r45: Boards
    l45_shift: Boards
    r45_shift: Boards
    rank: Boards  # (64, 64)
    file: Boards
    diagonal: Boards
    antidiagonal: Boards


class Heinz256(NamedTuple):
    """Tables of `rotated-heinz`."""

    rank: Boards  # (64, 256)
    file: Boards
    diagonal: Boards
    antidiagonal: Boards


class Heinz64(NamedTuple):
    """Tables of `rotated-heinz-64`."""

    rank: Boards  # (64, 64)
    file: Boards
    diagonal: Boards
    antidiagonal: Boards


class Compact(NamedTuple):
    """Tables of `rotated-compact`: Hyatt's boards, and what kindergarten looks up."""

    r90: Boards
    l45: Boards
    r45: Boards
    l45_turn: Boards  # (64,): a rotation that brings the anti-diagonal's b-file square to bit 0
    r45_turn: Boards  # and the diagonal's
    fill_up: Boards  # (8, 64)
    a_file: Boards  # (8, 64)


@kernel
def all_eight(line: Word) -> Word:
    """A line's whole occupancy."""
    return line & _BYTE


@kernel
def inner_six(line: Word) -> Word:
    """Without the outer squares."""
    return (line >> 1) & _SIX_BITS


def hyatt_lines(state_of: Callable[..., Any]) -> dict[str, Any]:
    """The four lines over Hyatt's boards, by all eight bits or the inner six."""

    @kernel
    def rank(sq: Square, o: Rotated, t: Any) -> Bits:
        return t.rank[sq, state_of(o.plain >> (sq & _RANK_BITS))]

    @kernel
    def file(sq: Square, o: Rotated, t: Any) -> Bits:
        return t.file[sq, state_of(o.r90 >> ((sq & _FILE_BITS) << 3))]

    @kernel
    def diagonal(sq: Square, o: Rotated, t: Any) -> Bits:
        return t.diagonal[sq, state_of(o.r45 >> t.r45_shift[sq])]

    @kernel
    def antidiagonal(sq: Square, o: Rotated, t: Any) -> Bits:
        return t.antidiagonal[sq, state_of(o.l45 >> t.l45_shift[sq])]

    return {"rank": rank, "file": file, "diagonal": diagonal, "antidiagonal": antidiagonal}


def heinz_lines(state_of: Callable[..., Any]) -> dict[str, Any]:
    """The four lines over DarkThought's boards."""

    @kernel
    def rank(sq: Square, o: Rotated, t: Any) -> Bits:
        return t.rank[sq, state_of(o.plain >> (sq & _RANK_BITS))]

    @kernel
    def file(sq: Square, o: Rotated, t: Any) -> Bits:
        return t.file[sq, state_of(o.r90 >> (_heinz_r90(sq) & _RANK_BITS))]

    @kernel
    def diagonal(sq: Square, o: Rotated, t: Any) -> Bits:
        return t.diagonal[sq, state_of(o.r45 >> (_heinz_r45(sq) & _RANK_BITS))]

    @kernel
    def antidiagonal(sq: Square, o: Rotated, t: Any) -> Bits:
        return t.antidiagonal[sq, state_of(o.l45 >> (_heinz_l45(sq) & _RANK_BITS))]

    return {"rank": rank, "file": file, "diagonal": diagonal, "antidiagonal": antidiagonal}


@kernel
def compact_rank(sq: Square, o: Rotated, t: Compact) -> Bits:
    """A rank is kindergarten's without the multiplication."""
    shift = sq & _RANK_BITS
    return (t.fill_up[sq & _FILE_BITS, inner_six(o.plain >> shift)] & _BYTE) << shift


@kernel
def compact_file(sq: Square, o: Rotated, t: Compact) -> Bits:
    """A file is a byte of the board turned by 90 degrees."""
    file = sq & _FILE_BITS
    return t.a_file[sq >> 3, inner_six(o.r90 >> (file << 3))] << file


@kernel
def compact_diagonal(sq: Square, o: Rotated, t: Compact) -> Bits:
    """Bits of other diagonals come in beyond both ends; the mask drops what they do there."""
    index = rotate_left(o.r45, t.r45_turn[sq]) & _SIX_BITS
    return t.fill_up[sq & _FILE_BITS, index] & (diagonal_mask(sq) ^ bit(sq))


@kernel
def compact_antidiagonal(sq: Square, o: Rotated, t: Compact) -> Bits:
    """The same on the other board."""
    index = rotate_left(o.l45, t.l45_turn[sq]) & _SIX_BITS
    return t.fill_up[sq & _FILE_BITS, index] & (antidiagonal_mask(sq) ^ bit(sq))


# Tables.


def _bits(places: list[int]) -> Boards:
    return ONE << np.array(places, U64)


def _shifts(line: str, places: list[int]) -> list[int]:
    """The lowest place on each square's line."""
    return [min(places[s] for s in (sq, *line_through(line, sq))) for sq in range(64)]


def _attacks_by_state(line: str, places: list[int], shifts: list[int], states: int) -> Boards:
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


def _line_tables(places: dict[str, list[int]], states: int, aligned: bool) -> list[Boards]:
    plain = list(range(64))
    r90, l45, r45 = places["r90"], places["l45"], places["r45"]
    diagonal = [p & 56 for p in r45] if aligned else _shifts("diagonal", r45)
    antidiagonal = [p & 56 for p in l45] if aligned else _shifts("antidiagonal", l45)
    return [
        _attacks_by_state("rank", plain, [s & 56 for s in plain], states),
        _attacks_by_state("file", r90, [p & 56 for p in r90], states),
        _attacks_by_state("diagonal", r45, diagonal, states),
        _attacks_by_state("antidiagonal", l45, antidiagonal, states),
    ]


def _hyatt(states: int) -> list[Boards]:
    places = _hyatt_places()
    shifts = [
        np.array(_shifts("antidiagonal", places["l45"]), U64),
        np.array(_shifts("diagonal", places["r45"]), U64),
    ]
    return [*map(_bits, places.values()), *shifts, *_line_tables(places, states, aligned=False)]


def hyatt_256() -> Hyatt256:
    """Attacks by all eight bits, and places."""
    return Hyatt256(*_hyatt(256))


def hyatt_64() -> Hyatt64:
    """Attacks by the six inner bits, and places."""
    return Hyatt64(*_hyatt(64))


def heinz_256() -> Heinz256:
    """Attacks by all eight bits."""
    return Heinz256(*_line_tables(_heinz_places(), 256, aligned=True))


def heinz_64() -> Heinz64:
    """Attacks by the six inner bits."""
    return Heinz64(*_line_tables(_heinz_places(), 64, aligned=True))


def compact() -> Compact:
    """The tables of kindergarten, and places."""
    places = _hyatt_places()

    def turns(line: str, board: str) -> Boards:
        starts = _shifts(line, places[board])
        first_files = [file_index(places[board].index(start)) for start in starts]
        return np.array([(file - 1 - start) % 64 for file, start in zip(first_files, starts, strict=True)], U64)

    return Compact(
        _bits(places["r90"]),
        _bits(places["l45"]),
        _bits(places["r45"]),
        turns("antidiagonal", "l45"),
        turns("diagonal", "r45"),
        fill_up_attacks(),
        a_file_attacks(),
    )


_HYATT: dict[str, Any] = {
    "authors": ("Robert Hyatt",),
    "year": 1995,
    "source": "Hyatt, Rotated Bitmaps, a New Twist on an Old Idea, ICCA Journal 22-4, 1999",
    "prepare": hyatt_prepare,
    "toggle": hyatt_toggle,
}
_HEINZ: dict[str, Any] = {
    "authors": ("Peter Gillgasch", "Ernst A. Heinz"),
    "year": 1997,
    "source": "Heinz, How DarkThought Plays Chess, ICCA Journal 20-3, 1997",
    "prepare": heinz_prepare,
    "toggle": heinz_toggle,
}

ROTATED_HYATT = Technique(
    name="rotated-hyatt",
    summary="visually rotated boards, kept by mask tables; 256 states a line",
    tables=hyatt_256,
    **hyatt_lines(all_eight),
    **_HYATT,
)
ROTATED_HEINZ = Technique(
    name="rotated-heinz",
    summary="pseudo-rotated boards with packed diagonals, kept by arithmetic; 256 states a line",
    tables=heinz_256,
    **heinz_lines(all_eight),
    **_HEINZ,
)
ROTATED_HYATT_64 = Technique(
    name="rotated-hyatt-64",
    summary="the same as rotated-hyatt without the outer squares; 64 states a line",
    tables=hyatt_64,
    **hyatt_lines(inner_six),
    **{**_HYATT, "authors": ("Robert Hyatt", "Roberto Waldteufel"), "year": 1998},
)
ROTATED_HEINZ_64 = Technique(
    name="rotated-heinz-64",
    summary="the same as rotated-heinz without the outer squares; 64 states a line",
    tables=heinz_64,
    **heinz_lines(inner_six),
    **{**_HEINZ, "authors": ("Peter Gillgasch", "Ernst A. Heinz", "Roberto Waldteufel"), "year": 1998},
)
ROTATED_COMPACT = Technique(
    name="rotated-compact",
    summary="Hyatt's rotated boards with the small shared tables of kindergarten",
    needs=Needs.NOTHING,
    tables=compact,
    rank=compact_rank,
    file=compact_file,
    diagonal=compact_diagonal,
    antidiagonal=compact_antidiagonal,
    **{**_HYATT, "authors": ("Robert Hyatt", "Gerd Isenberg"), "year": 2008},
)
