"""Obstruction difference: one subtraction between the nearest blockers on both sides of the slider.

    low    blockers on the line below the slider; bit 0 stands in where there are none
    up     blockers on the line above it

``2**63 >> clz(low)`` is the nearest blocker below. Subtracted from `up`, it borrows from the nearest blocker
above and sets every bit between the two; the XOR with `up` leaves just these. Michael Hoffmann, 2009, in the
shortest form, by Daniel Infuehr, 2022. Where there is no blocker above, the borrow runs off the word's end.
"""

from typing import NamedTuple

from rookery.bits import antidiagonal_mask, bit, diagonal_mask, file_mask, rank_mask
from rookery.kernel import ONE, U64, Board, Square, kernel, leading_zeros
from rookery.technique import Needs, Technique

MSB = U64(1 << 63)


class ObstructionDifferenceTables(NamedTuple):
    """None: the literature's 6 KB of masks are computed, see `rookery.bits`."""


@kernel
def line(sq: Square, occupied: Board, mask: Board) -> Board:
    """Attacks along a line; `mask` is the line with the slider."""
    r = bit(sq)
    below = r - ONE
    mask = mask ^ r
    o = occupied & mask
    low = (o & below) | ONE
    up = o & ~below
    return mask & (up ^ (up - (MSB >> leading_zeros(low))))


@kernel
def rank(sq: Square, occupied: Board, t: ObstructionDifferenceTables) -> Board:
    """The rank through `sq`."""
    return line(sq, occupied, rank_mask(sq))


@kernel
def file(sq: Square, occupied: Board, t: ObstructionDifferenceTables) -> Board:
    """The file through `sq`."""
    return line(sq, occupied, file_mask(sq))


@kernel
def diagonal(sq: Square, occupied: Board, t: ObstructionDifferenceTables) -> Board:
    """The diagonal through `sq`."""
    return line(sq, occupied, diagonal_mask(sq))


@kernel
def antidiagonal(sq: Square, occupied: Board, t: ObstructionDifferenceTables) -> Board:
    """The anti-diagonal through `sq`."""
    return line(sq, occupied, antidiagonal_mask(sq))


def tables() -> ObstructionDifferenceTables:
    """Nothing to build."""
    return ObstructionDifferenceTables()


OBSTRUCTION_DIFFERENCE = Technique(
    name="obstruction-difference",
    summary="the difference of the nearest blockers above and below",
    authors=("Michael Hoffmann", "Daniel Infuehr"),
    year=2009,
    source="chessprogramming wiki, Obstruction Difference; shortest form by Infuehr, 2022",
    needs=Needs.SCAN_REVERSE,
    tables=tables,
    rank=rank,
    file=file,
    diagonal=diagonal,
    antidiagonal=antidiagonal,
)
