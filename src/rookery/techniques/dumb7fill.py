"""Dumb7Fill: flood all sliders one step in a direction, seven times, through empty squares only.

    g    the fill: it begins as the sliders (the generators)
    p    the empty squares (the propagators), less those a step would wrap onto

The fill takes any number of sliders at once and stops before the first blocker; one step more gives the attacks. Rooks
on b1, e2 and g6 look north; b4 is occupied:

>>> from rookery.bitboard import Bitboard
>>> from rookery.sets import nort_one
>>> from rookery.squares import NORT
>>> from rookery import beside
>>> rooks, occupied = Bitboard.of("b1", "e2", "g6"), Bitboard.of("b1", "e2", "g6", "b4")
>>> p = ~occupied
>>> g = [rooks]
>>> for i in range(7):
...     g.append(g[i] | (p & nort_one(g[i])))
>>> beside({"g": g[0], "1 step": g[1], "2": g[2], "3": g[3], "7": g[7], "attacks": step(NORT, g[7])})
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
"""

from rookery.bits import bit
from rookery.kernel import Bits, Square, Word, kernel, rotate_left
from rookery.sets import AVOID_WRAP, ROTATION, step
from rookery.technique import Card, Kernels, NoTables, Technique


@kernel
def fill(direction: Word, g: Bits, p: Bits, t: NoTables) -> Bits:
    """The sliders and what they reach over empty squares: six steps fill every inner square of a ray of seven,
    and the seventh its end.
    """
    r = ROTATION[direction]  # one step is a rotation to the left by r of 64 bits: by 63 is one to the right
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
    """The fill of one bit, one step further (the seventh fill could be spared: nothing lies beyond it)."""
    r = ROTATION[direction]  # one step is a rotation to the left by r of 64 bits: by 63 is one to the right
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
        year=2008,
        source="chessprogramming wiki, Dumb7Fill; Isenberg, Dresden 2008",
        kernels=Kernels(ray=ray, fill=fill),
    )
)
