"""Kogge-Stone: flood all sliders in a direction by one, two and four steps, as a carry-lookahead adder would.

    g    the generators: the sliders, then what they have filled
    p    the propagators: runs of 1, 2, 4 empty squares

A parallel prefix form of Dumb7Fill: three rounds instead of seven steps, because a run of empty squares doubles each
round. Rooks on b1, e2 and g6 look north; b4 is occupied. A square is in p2 if it and the one below
are empty, and in p4 if so are the two below these: over such runs sliders go two and four steps at once.

>>> from rookery.bitboard import Bitboard
>>> from rookery.squares import NORT
>>> from rookery import beside
>>> g, occupied = Bitboard.of("b1", "e2", "g6"), Bitboard.of("b1", "e2", "g6", "b4")
>>> p1 = ~occupied & AVOID_WRAP[NORT]
>>> p2 = p1 & (p1 << 8)
>>> p4 = p2 & (p2 << 16)
>>> beside({"occupied": occupied, "p1": p1, "p2": p2, "p4": p4})
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
>>> beside({"g": g, "1 step": g1, "3 steps": g3, "7 steps": g7, "attacks": step(NORT, g7)})
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

Steffan Westcott, CCC, 2002.
"""

from rookery.bits import bit
from rookery.kernel import Bits, Square, Word, kernel, rotate_left
from rookery.sets import AVOID_WRAP, ROTATION, step
from rookery.technique import Card, Kernels, NoTables, Technique


@kernel
def fill(direction: Word, g: Bits, p: Bits, t: NoTables) -> Bits:
    """The sliders and what they reach over empty squares."""
    r = ROTATION[direction]  # one step is a rotation to the left by r of 64 bits: by 63 is one to the right
    p = p & AVOID_WRAP[direction]  # empty squares, less those onto which a step would wrap
    g = g | (p & rotate_left(g, r))  # one step, onto empty squares
    p = p & rotate_left(p, r)  # runs of two empty squares
    g = g | (p & rotate_left(g, r << 1))  # two steps more over such runs; rotations count modulo 64: 126 is 62
    p = p & rotate_left(p, r << 1)  # runs of four empty squares
    return g | (p & rotate_left(g, r << 2))  # four steps more


@kernel
def ray(direction: Word, sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """The fill of one bit, one step further."""
    return step(direction, fill(direction, bit(sq), ~occupied, t))


KOGGE_STONE = Technique(
    Card(
        name="kogge-stone",
        summary="flood all sliders by 1, 2 and 4 steps",
        authors=("Steffan Westcott",),
        year=2002,
        source="Westcott, flood fill attack bitboards, CCC, 15 September 2002",
        kernels=Kernels(ray=ray, fill=fill),
    )
)
