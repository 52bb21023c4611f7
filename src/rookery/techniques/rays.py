"""Rays: walk each ray square by square until something stands in the way.

    here    the board of the one square the walk has reached

What every mailbox program does, on a bitboard and compiled. No table, a branch a square; all others are measured
against the wish to be better than this.
"""

from typing import NamedTuple

from rookery.bits import bit
from rookery.kernel import ZERO, Board, Square, Word, kernel
from rookery.sets import step
from rookery.technique import Technique


class RaysTables(NamedTuple):
    """None."""


@kernel
def ray(direction: Word, sq: Square, occupied: Board, t: RaysTables) -> Board:
    """Step, take the square, stop at the first occupied one."""
    attacks = ZERO
    here = step(direction, bit(sq))
    while here:
        attacks |= here
        if here & occupied:
            break
        here = step(direction, here)
    return attacks


def tables() -> RaysTables:
    """Nothing to build."""
    return RaysTables()


RAYS = Technique(
    name="rays",
    summary="walk each ray square by square",
    authors=("traditional",),
    year=1967,
    source="as old as chess programs; on bitboards since Adelson-Velsky et al., 1967",
    tables=tables,
    ray=ray,
)
