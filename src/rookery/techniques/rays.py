"""Rays: walk each ray square by square up to the first blocker.

    here    the board of the square that the walk has reached

A rook on d4 looks east. The walk takes e4, f4 and g4, and stops there because g4 is occupied. It does not reach h4.

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery.bitboards.squares import EAST
>>> from rookery import side_by_side
>>> sq, occupied = 27, Bitboard.of("d4", "g4", "h4")
>>> e4 = step(EAST, bit(sq))
>>> f4 = step(EAST, e4)
>>> g4 = step(EAST, f4)
>>> side_by_side({"occupied": occupied, "here: e4": e4, "here: f4": f4, "here: g4": g4,
...               "ray": ray(EAST, sq, occupied, NoTables())})
occupied          here: e4          here: f4          here: g4          ray
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . . 1 1   . . . . 1 . . .   . . . . . 1 . .   . . . . . . 1 .   . . . . 1 1 1 .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .

Mailbox programs do the same on arrays of squares. There is no table, but a branch for each square. It is the baseline
for all other techniques. As old as chess programs; on bitboards since Adelson-Velsky et al., 1967.
"""

from rookery.bitboards.bits import bit
from rookery.bitboards.sets import step
from rookery.kernel import Bits, Square, Word, kernel
from rookery.techniques.base import Card, Kernels, NoTables, Technique, Variant


@kernel
def ray(direction: Word, sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Walk from square to square, adding each, up to the first occupied one."""
    attacks: Bits = 0  # the squares found so far: none
    here = step(direction, bit(sq))
    while here:
        attacks |= here  # the square is attacked even if it is occupied
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
        variants=(
            Variant(
                "tinker",
                authors=("Brian Richardson",),
                year=2000,
                source="CCC 107485; Chess_Movegen, Switch.hpp",
                difference="keeps a square if all squares between are empty; no ray is walked",
            ),
        ),
    )
)
