"""Rays: walk each ray square by square until something stands in the way.

    here    the board of the one square the walk has reached

A rook on d4 looks east. The walk takes e4, f4 and g4, and stops there, since g4 is occupied: h4 is not seen.

>>> from rookery.bitboard import Bitboard
>>> from rookery.squares import EAST
>>> from rookery import beside
>>> sq, occupied = 27, Bitboard.of("d4", "g4", "h4")
>>> e4 = step(EAST, bit(sq))
>>> f4 = step(EAST, e4)
>>> g4 = step(EAST, f4)
>>> beside({"occupied": occupied, "here: e4": e4, "here: f4": f4, "here: g4": g4,
...         "ray": ray(EAST, sq, occupied, NoTables())})
occupied          here: e4          here: f4          here: g4          ray
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . 1 1   . . . . 1 . . .   . . . . . 1 . .   . . . . . . 1 .   . . . . 1 1 1 .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .

What every mailbox program does, on a bitboard and compiled. No table, a branch a square: what all
others have to be faster than. As old as chess programs; on bitboards since Adelson-Velsky et al., 1967.
"""

from rookery.bits import bit
from rookery.kernel import Bits, Square, Word, kernel
from rookery.sets import step
from rookery.technique import Card, Kernels, NoTables, Technique


@kernel
def ray(direction: Word, sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Step, take the square, stop at the first occupied one."""
    attacks = 0  # nothing is seen yet
    here = step(direction, bit(sq))
    while here:
        attacks |= here  # the square is attacked, whatever stands there
        if here & occupied:
            break
        here = step(direction, here)
    return attacks


RAYS = Technique(
    Card(
        name="rays",
        summary="walk each ray square by square",
        authors=("traditional",),
        year=1967,
        source="as old as chess programs; on bitboards since Adelson-Velsky et al., 1967",
        kernels=Kernels(ray=ray),
    )
)
