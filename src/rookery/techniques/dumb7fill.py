"""Dumb7Fill: flood all sliders one step in a direction, seven times, through empty squares only.

    g    the fill: at first the sliders (the generators), with each step the empty squares one further
    p    the empty squares (the propagators), less those onto which a step would wrap

The fill takes any number of sliders at once and stops before the first blocker. One more step gives the attacks. Rooks
on b1, e2 and g6 look north; b4 is occupied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery.bitboards.sets import nort_one
>>> from rookery.bitboards.squares import NORT
>>> from rookery import side_by_side
>>> rooks, occupied = Bitboard.of("b1", "e2", "g6"), Bitboard.of("b1", "e2", "g6", "b4")
>>> p = ~occupied
>>> g = [rooks]
>>> for i in range(7):
...     g.append(g[i] | (p & nort_one(g[i])))
>>> side_by_side({"g": g[0], "1 step": g[1], "2": g[2], "3": g[3], "7": g[7], "attacks": step(NORT, g[7])})
g                 1 step            2                 3                 7                 attacks
. . . . . . . .   . . . . . . . .   . . . . . . 1 .   . . . . . . 1 .   . . . . 1 . 1 .   . . . . 1 . 1 .
. . . . . . . .   . . . . . . 1 .   . . . . . . 1 .   . . . . . . 1 .   . . . . 1 . 1 .   . . . . 1 . 1 .
. . . . . . 1 .   . . . . . . 1 .   . . . . . . 1 .   . . . . . . 1 .   . . . . 1 . 1 .   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . 1 . . .   . . . . 1 . . .   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   . . . . 1 . . .   . . . . 1 . . .   . . . . 1 . . .   . 1 . . 1 . . .
. . . . . . . .   . . . . 1 . . .   . 1 . . 1 . . .   . 1 . . 1 . . .   . 1 . . 1 . . .   . 1 . . 1 . . .
. . . . 1 . . .   . 1 . . 1 . . .   . 1 . . 1 . . .   . 1 . . 1 . . .   . 1 . . 1 . . .   . 1 . . . . . .
. 1 . . . . . .   . 1 . . . . . .   . 1 . . . . . .   . 1 . . . . . .   . 1 . . . . . .   . . . . . . . .
>>> fill(NORT, rooks, p, NoTables()) == g[7]
True

A single slider's ray is the fill of one bit. Source: Gerd Isenberg, Dresden 2008.
Kogge-Stone, which derives from it, dates from 2002, so Dumb7Fill is at least as old.
"""

from rookery.bitboards.bits import bit
from rookery.bitboards.sets import AVOID_WRAP, ROTATION, step
from rookery.kernel import Bits, Square, Word, kernel, rotate_left
from rookery.techniques.base import Card, Kernels, NoTables, Technique, Variant


@kernel
def fill(direction: Word, g: Bits, p: Bits, t: NoTables) -> Bits:
    """Return the sliders and the empty squares they can slide to.

    Six steps fill the inner squares of a ray of seven, and the seventh step its last square.
    """
    r: Word = ROTATION[direction]  # a step rotates the word left by r bits; by 63 is one bit to the right
    p = p & AVOID_WRAP[direction]
    g = g | (p & rotate_left(g, r))
    g = g | (p & rotate_left(g, r))
    g = g | (p & rotate_left(g, r))
    g = g | (p & rotate_left(g, r))
    g = g | (p & rotate_left(g, r))
    g = g | (p & rotate_left(g, r))
    return g | (p & rotate_left(g, r))


@kernel
def ray(direction: Word, sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the fill of one bit, one step further. The seventh fill is left out, since nothing lies beyond it."""
    r: Word = ROTATION[direction]  # a step rotates the word left by r bits; by 63 is one bit to the right
    p = ~occupied & AVOID_WRAP[direction]
    g = bit(sq)
    g = g | (p & rotate_left(g, r))
    g = g | (p & rotate_left(g, r))
    g = g | (p & rotate_left(g, r))
    g = g | (p & rotate_left(g, r))
    g = g | (p & rotate_left(g, r))
    g = g | (p & rotate_left(g, r))
    return step(direction, g)


DUMB7FILL = Technique(
    Card(
        name="dumb7fill",
        summary="flood all sliders step by step, seven times",
        authors=("traditional", "Gerd Isenberg"),
        year=2002,
        source="chessprogramming wiki, Dumb7Fill; Kogge-Stone, which derives from it, dates from 2002",
        kernels=Kernels(ray=ray, fill=fill),
        variants=(
            Variant(
                "avx-shift",
                authors=("Daniel Infuehr",),
                year=2022,
                source="Chess_Movegen, AVXShift.hpp; chessprogramming wiki, AVX2",
                difference="four directions in four vector lanes; here, lanes hold elements of an array",
            ),
        ),
    )
)
