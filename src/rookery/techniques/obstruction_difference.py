"""Obstruction difference: one subtraction between the nearest blockers on both sides of the slider.

    m      the line through the slider, without the slider
    o      blockers on the line
    low    blockers below the slider; bit 0 stands in where there are none
    up     blockers above the slider

``2**63 >> clz(low)`` is the nearest blocker below. Subtracted from `up`, it borrows from the nearest blocker above and
sets every bit between the two; the XOR with `up` leaves just these: ``m & (up ^ (up - (2**63 >> clz(low))))``. A
bishop on d4, with b2, c3, f6 and g7 occupied:

>>> from rookery.bitboard import Bitboard
>>> from rookery import beside
>>> sq, occupied = 27, Bitboard.of("b2", "c3", "d4", "f6", "g7", "d7")
>>> m = Bitboard(diagonal_mask(sq)) ^ Bitboard.of("d4")
>>> low, up = Bitboard.of("b2", "c3") | 1, Bitboard.of("f6", "g7")
>>> nearest = Bitboard(MSB >> leading_zeros(low))
>>> beside({"o": occupied & m, "low": low, "up": up, "up - nearest": up - nearest,
...         "up ^ (...)": up ^ (up - nearest), "& m": (up ^ (up - nearest)) & m})
o                 low               up                up - nearest      up ^ (...)        & m
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . 1 .   . . . . . . . .   . . . . . . 1 .   . . . . . . 1 .   . . . . . . . .   . . . . . . . .
. . . . . 1 . .   . . . . . . . .   . . . . . 1 . .   1 1 1 1 1 . . .   1 1 1 1 1 1 . .   . . . . . 1 . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . . . . . .
. . 1 . . . . .   . . 1 . . . . .   . . . . . . . .   . . 1 1 1 1 1 1   . . 1 1 1 1 1 1   . . 1 . . . . .
. 1 . . . . . .   . 1 . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   1 . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
>>> Bitboard(line(sq, occupied, diagonal_mask(sq))).names()
['c3', 'e5', 'f6']

Where there is no blocker above, the borrow runs off the word's end. Michael Hoffmann, 2009, in the shortest form, by
Daniel Infuehr, 2022.
"""

from rookery.bits import antidiagonal_mask, bit, diagonal_mask, file_mask, rank_mask
from rookery.kernel import Bits, Square, kernel, leading_zeros
from rookery.technique import Card, Kernels, Needs, NoTables, Technique

MSB = 1 << 63


@kernel
def line(sq: Square, occupied: Bits, mask: Bits) -> Bits:
    """Attacks along a line; `mask` is the line with the slider."""
    r = bit(sq)  # the slider's own bit
    below = r - 1  # all squares below the slider
    m = mask ^ r
    o = occupied & m
    low = (o & below) | 1
    up = o & ~below
    return m & (up ^ (up - (MSB >> leading_zeros(low))))


@kernel
def rank(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """The rank through `sq`."""
    return line(sq, occupied, rank_mask(sq))


@kernel
def file(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """The file through `sq`."""
    return line(sq, occupied, file_mask(sq))


@kernel
def diagonal(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """The diagonal through `sq`."""
    return line(sq, occupied, diagonal_mask(sq))


@kernel
def antidiagonal(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """The anti-diagonal through `sq`."""
    return line(sq, occupied, antidiagonal_mask(sq))


OBSTRUCTION_DIFFERENCE = Technique(
    Card(
        name="obstruction-difference",
        summary="the difference of the nearest blockers above and below",
        authors=("Michael Hoffmann", "Daniel Infuehr"),
        year=2009,
        source="chessprogramming wiki, Obstruction Difference; shortest form by Infuehr, 2022",
        needs=Needs.SCAN_REVERSE,
        kernels=Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal),
    )
)
