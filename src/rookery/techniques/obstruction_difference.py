"""Obstruction difference: one subtraction between the nearest blockers on both sides of the slider.

    m        the line through the slider, without the slider
    low      blockers below the slider, and always bit 0, in case there are none
    up       blockers above the slider
    nearest  the nearest blocker below: ``2**63 >> clz(low)``
    above    the nearest blocker above: ``up & -up``

The difference ``2 * above - nearest`` has a bit for every square from `nearest` to `above`, both included. A mask
leaves those of the line: ``(2 * (up & -up) - nearest) & m``. The short form needs no `above`: subtracting `nearest`
from `up` borrows from the nearest blocker above, and an XOR with `up` keeps the bits that have changed, ``m & (up ^ (up
- nearest))``. A bishop on d4, with b2, c3, f6 and g7 occupied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied = 27, Bitboard.of("b2", "c3", "d4", "f6", "g7", "d7")
>>> m = Bitboard(diagonal_mask(sq)) ^ Bitboard.of("d4")
>>> low, up = Bitboard.of("b2", "c3") | 1, Bitboard.of("f6", "g7")
>>> nearest = Bitboard(MSB >> leading_zeros(low))
>>> side_by_side({"low": low, "up": up, "2 * above": 2 * (up & -up), "- nearest": 2 * (up & -up) - nearest,
...               "& m": (2 * (up & -up) - nearest) & m})
low               up                2 * above         - nearest         & m
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . 1 .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . 1 . .   . . . . . . 1 .   1 1 1 1 1 1 . .   . . . . . 1 . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   . . . . . . . .
. . 1 . . . . .   . . . . . . . .   . . . . . . . .   . . 1 1 1 1 1 1   . . 1 . . . . .
. 1 . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
1 . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
>>> side_by_side({"low": low, "up": up, "up - nearest": up - nearest, "up ^ (...)": up ^ (up - nearest),
...               "& m": (up ^ (up - nearest)) & m})
low               up                up - nearest      up ^ (...)        & m
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . 1 .   . . . . . . 1 .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . 1 . .   1 1 1 1 1 . . .   1 1 1 1 1 1 . .   . . . . . 1 . .
. . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . . . . . .
. . 1 . . . . .   . . . . . . . .   . . 1 1 1 1 1 1   . . 1 1 1 1 1 1   . . 1 . . . . .
. 1 . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
1 . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
>>> Bitboard(line(sq, occupied, diagonal_mask(sq))).names()
['c3', 'e5', 'f6']

If there is no blocker above, ``0 - nearest`` has every bit from `nearest` on, in both forms. Michael Hoffmann, 2009;
the short form is by Daniel Infuehr, 2022.
"""

from rookery.bitboards.bits import antidiagonal_mask, bit, diagonal_mask, file_mask, isolate_ls1b, rank_mask
from rookery.kernel import Bits, Square, kernel, leading_zeros
from rookery.techniques.base import Card, Kernel, Kernels, Needs, NoTables, Technique

MSB = 1 << 63


@kernel
def line(sq: Square, occupied: Bits, mask: Bits) -> Bits:
    """Return the attacks along a line; `mask` is the line with the slider."""
    r = bit(sq)  # the slider's own bit
    below = r - 1  # all squares below the slider
    m = mask ^ r  # the line without the slider
    o = occupied & m  # the blockers on the line
    low = (o & below) | 1  # the blockers below the slider; bit 0 stands in if there are none
    up = o & ~below  # the blockers above the slider
    nearest = MSB >> leading_zeros(low)  # the nearest blocker below
    above = isolate_ls1b(up)  # the nearest blocker above, or 0
    # the difference has a bit for every square from the nearest blocker below to the nearest above
    return ((above << 1) - nearest) & m


@kernel
def line_short(sq: Square, occupied: Bits, mask: Bits) -> Bits:
    """Return the attacks along a line; `mask` is the line with the slider."""
    r = bit(sq)  # the slider's own bit
    below = r - 1  # all squares below the slider
    m = mask ^ r  # the line without the slider
    o = occupied & m  # the blockers on the line
    low = (o & below) | 1  # the blockers below the slider; bit 0 stands in if there are none
    up = o & ~below  # the blockers above the slider
    nearest = MSB >> leading_zeros(low)  # the nearest blocker below
    # the subtraction borrows from the nearest blocker above and sets every bit down to the nearest below
    return m & (up ^ (up - nearest))


def lines(line_: Kernel) -> Kernels:
    """Make the kernels of the four lines from that of any line, ``(sq, occupied, mask)``."""

    @kernel
    def rank(sq: Square, occupied: Bits, t: NoTables) -> Bits:
        """Return the attacks along the rank."""
        return line_(sq, occupied, rank_mask(sq))

    @kernel
    def file(sq: Square, occupied: Bits, t: NoTables) -> Bits:
        """Return the attacks along the file."""
        return line_(sq, occupied, file_mask(sq))

    @kernel
    def diagonal(sq: Square, occupied: Bits, t: NoTables) -> Bits:
        """Return the attacks along the diagonal."""
        return line_(sq, occupied, diagonal_mask(sq))

    @kernel
    def antidiagonal(sq: Square, occupied: Bits, t: NoTables) -> Bits:
        """Return the attacks along the anti-diagonal."""
        return line_(sq, occupied, antidiagonal_mask(sq))

    return Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal)


OBSTRUCTION_DIFFERENCE = Technique(
    Card(
        name="obstruction-difference",
        summary="the difference of the nearest blockers above and below",
        authors=("Michael Hoffmann",),
        year=2009,
        source="chessprogramming wiki, Obstruction Difference",
        users="Nemo, by the technique's author, and Velvet 1.1 (chessprogramming wiki)",
        needs=Needs.SCAN_REVERSE,
        kernels=lines(line),
    )
)
OBSTRUCTION_DIFFERENCE_SHORT = Technique(
    Card(
        name="obstruction-difference-short",
        summary="up ^ (up - nearest blocker below), its shortest form",
        authors=("Daniel Infuehr",),
        year=2022,
        source="Infuehr, Chess_Movegen, GeneticObstructionDiffV2.hpp, 2022",
        needs=Needs.SCAN_REVERSE,
        kernels=lines(line_short),
    )
)
