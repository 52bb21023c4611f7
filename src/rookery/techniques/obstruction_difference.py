"""Obstruction difference: one subtraction between the nearest blockers on both sides of the slider.

    m      the line through the slider, without the slider
    o      blockers on the line
    low    blockers below the slider, and always bit 0, in case there are none
    up     blockers above the slider

``2**63 >> clz(low)`` is the nearest blocker below. Subtracting it from `up` borrows from the nearest blocker above and
sets every bit between the two. An XOR with `up` keeps only these bits: ``m & (up ^ (up - (2**63 >> clz(low))))``. A
bishop on d4, with b2, c3, f6 and g7 occupied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied = 27, Bitboard.of("b2", "c3", "d4", "f6", "g7", "d7")
>>> m = Bitboard(diagonal_mask(sq)) ^ Bitboard.of("d4")
>>> low, up = Bitboard.of("b2", "c3") | 1, Bitboard.of("f6", "g7")
>>> nearest = Bitboard(MSB >> leading_zeros(low))
>>> side_by_side({"o": occupied & m, "low": low, "up": up, "up - nearest": up - nearest,
...               "up ^ (...)": up ^ (up - nearest), "& m": (up ^ (up - nearest)) & m})
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

If there is no blocker above, the borrow runs off the end of the word. Michael Hoffmann, 2009; this shortest form is by
Daniel Infuehr, 2022.
"""

from rookery.bitboards.bits import antidiagonal_mask, bit, diagonal_mask, file_mask, rank_mask
from rookery.kernel import Bits, Square, kernel, leading_zeros
from rookery.technique import Card, Kernels, Needs, NoTables, Technique

MSB = 1 << 63


@kernel
def line(sq: Square, occupied: Bits, mask: Bits) -> Bits:
    """Return the attacks along a line; `mask` is the line with the slider."""
    r = bit(sq)  # the slider's own bit
    below = r - 1  # all squares below the slider
    m = mask ^ r
    o = occupied & m
    low = (o & below) | 1
    up = o & ~below
    # the subtraction borrows from the nearest blocker above and sets every bit down to the nearest below
    return m & (up ^ (up - (MSB >> leading_zeros(low))))


@kernel
def rank(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the rank."""
    return line(sq, occupied, rank_mask(sq))


@kernel
def file(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the file."""
    return line(sq, occupied, file_mask(sq))


@kernel
def diagonal(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the diagonal."""
    return line(sq, occupied, diagonal_mask(sq))


@kernel
def antidiagonal(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the anti-diagonal."""
    return line(sq, occupied, antidiagonal_mask(sq))


OBSTRUCTION_DIFFERENCE = Technique(
    Card(
        name="obstruction-difference",
        summary="the difference of the nearest blockers above and below",
        authors=("Michael Hoffmann", "Daniel Infuehr"),
        year=2009,
        source="chessprogramming wiki, Obstruction Difference; shortest form by Infuehr, 2022",
        users="Nemo, by the technique's author, and Velvet 1.1 (chessprogramming wiki)",
        needs=Needs.SCAN_REVERSE,
        kernels=Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal),
    )
)
