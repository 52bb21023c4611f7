"""Kogge-Stone: flood all sliders in a direction by one, two and four steps, as a carry-lookahead adder would.

    g    the generators: the sliders, then also the squares they have filled
    p    the propagators: runs of 1, 2, 4 empty squares

It is Dumb7Fill as a parallel prefix computation: three rounds instead of seven steps, because the runs of empty squares
double with each round. Rooks on b1, e2 and g6 look north; b4 is occupied. A square is in p2 if it and the square below
are empty, and in p4 if the two squares below these are empty, too. Over such runs sliders move two and four steps at
once.

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery.bitboards.squares import NORT
>>> from rookery import side_by_side
>>> g, occupied = Bitboard.of("b1", "e2", "g6"), Bitboard.of("b1", "e2", "g6", "b4")
>>> p1 = ~occupied & AVOID_WRAP[NORT]
>>> p2 = p1 & (p1 << 8)
>>> p4 = p2 & (p2 << 16)
>>> side_by_side({"occupied": occupied, "p1": p1, "p2": p2, "p4": p4})
occupied          p1                p2                p4
. . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   1 1 1 1 1 1 . 1
. . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 . 1   1 . 1 1 1 1 . 1
. . . . . . 1 .   1 1 1 1 1 1 . 1   1 1 1 1 1 1 . 1   1 . 1 1 1 1 . 1
. . . . . . . .   1 1 1 1 1 1 1 1   1 . 1 1 1 1 1 1   1 . 1 1 . 1 1 1
. 1 . . . . . .   1 . 1 1 1 1 1 1   1 . 1 1 1 1 1 1   . . . . . . . .
. . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 . 1 1 1   . . . . . . . .
. . . . 1 . . .   1 1 1 1 . 1 1 1   . . . . . . . .   . . . . . . . .
. 1 . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
>>> g1 = g | (p1 & (g << 8))
>>> g3 = g1 | (p2 & (g1 << 16))
>>> g7 = g3 | (p4 & (g3 << 32))
>>> side_by_side({"g": g, "1 step": g1, "3 steps": g3, "7 steps": g7, "attacks": step(NORT, g7)})
g                 1 step            3 steps           7 steps           attacks
. . . . . . . .   . . . . . . . .   . . . . . . 1 .   . . . . 1 . 1 .   . . . . 1 . 1 .
. . . . . . . .   . . . . . . 1 .   . . . . . . 1 .   . . . . 1 . 1 .   . . . . 1 . 1 .
. . . . . . 1 .   . . . . . . 1 .   . . . . . . 1 .   . . . . 1 . 1 .   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   . . . . 1 . . .   . . . . 1 . . .   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   . . . . 1 . . .   . . . . 1 . . .   . 1 . . 1 . . .
. . . . . . . .   . . . . 1 . . .   . 1 . . 1 . . .   . 1 . . 1 . . .   . 1 . . 1 . . .
. . . . 1 . . .   . 1 . . 1 . . .   . 1 . . 1 . . .   . 1 . . 1 . . .   . 1 . . . . . .
. 1 . . . . . .   . 1 . . . . . .   . 1 . . . . . .   . 1 . . . . . .   . . . . . . . .
>>> fill(NORT, g, ~occupied, NoTables()) == g7
True

Reckless fills the eight directions of one board in eight vector lanes, and unites the lanes with a product of bit
matrices (GFNI). Loops over arrays, here, have a board in each lane, so they have nothing to unite.

Steffan Westcott, CCC, 2002.
"""

from rookery.bitboards.bits import bit
from rookery.bitboards.sets import AVOID_WRAP, ROTATION, step
from rookery.kernel import Bits, Square, Word, kernel, rotate_left
from rookery.techniques.base import Card, Kernels, NoTables, Technique, Variant


@kernel
def fill(direction: Word, g: Bits, p: Bits, t: NoTables) -> Bits:
    """Return the sliders and the empty squares they can slide to."""
    r: Word = ROTATION[direction]  # a step rotates the word left by r bits; by 63 is one bit to the right
    p = p & AVOID_WRAP[direction]  # the empty squares, without those onto which a step would wrap
    g = g | (p & rotate_left(g, r))  # one step, onto empty squares
    p = p & rotate_left(p, r)  # runs of two empty squares
    g = g | (p & rotate_left(g, r << 1))  # two more steps, over runs of two; rotations are modulo 64: 126 is 62
    p = p & rotate_left(p, r << 1)  # runs of four empty squares
    return g | (p & rotate_left(g, r << 2))  # four more steps, over runs of four


@kernel
def ray(direction: Word, sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the fill of one bit, one step further."""
    return step(direction, fill(direction, bit(sq), ~occupied, t))


KOGGE_STONE = Technique(
    Card(
        name="kogge-stone",
        summary="flood all sliders by 1, 2 and 4 steps",
        authors=("Steffan Westcott",),
        year=2002,
        source="Westcott, flood fill attack bitboards, CCC, 15 September 2002",
        users="Pigeon and Jaglavak (chessprogramming wiki)",
        kernels=Kernels(ray=ray, fill=fill),
        variants=(
            Variant(
                "set-wise-gfni",
                authors=("87flowers",),
                year=2026,
                source="Reckless, pull request 688",
                difference="eight directions in eight vector lanes, united by a product of bit matrices (GFNI)",
            ),
            Variant(
                "fill-by-subtraction",
                authors=("Gerd Isenberg",),
                year=2018,
                source="chessprogramming wiki, Fill by Subtraction",
                difference="`o ^ (o - 2r)` in each rank's byte; one direction only, east",
            ),
        ),
    )
)
