"""Kogge-Stone fills in all eight directions, which share their propagators.

    g    generators: the sliders, or a king that looks out
    p    propagators: the squares that a slide may pass, that is, the empty ones

`Slides` keeps, for each direction, the squares from which one, two and four steps stay on empty squares. They depend on
the occupancy alone, and serve the fills of both sides' sliders and of the king. A fill then takes three shifts, three
three-operand logic instructions and the last step: no table, no branch, eight positions a register.
Source: Peter M. Kogge and Harold S. Stone, 1973; Gerd Isenberg's parallel prefix fills on the chessprogramming wiki.

Towards the h-file, a subtraction takes four instructions for all sliders of all ranks at once: `o - 2g` borrows from
the next piece, and a piece on every square of the h-file keeps each rank's borrow within the rank. The generators must
be pieces for that; `slide_east` takes any squares.
"""

from typing import NamedTuple

from rookery.bitboards.bits import H_FILE, NOT_A_FILE, NOT_H_FILE
from rookery.kernel import Bits, kernel


class Slides(NamedTuple):
    """The propagators by direction (n, e, ne, nw and their opposites), over one, two and four steps."""

    n1: Bits
    n2: Bits
    n4: Bits
    s2: Bits
    s4: Bits
    walled: Bits
    e1: Bits
    w1: Bits
    w2: Bits
    w4: Bits
    ne2: Bits
    ne4: Bits
    se2: Bits
    se4: Bits
    nw2: Bits
    nw4: Bits
    sw2: Bits
    sw4: Bits


@kernel
def slides(empty: Bits) -> Slides:
    """Return the propagators of a board's empty squares."""
    e = empty & NOT_A_FILE
    w = empty & NOT_H_FILE
    n2 = empty & (empty << 8)
    n4 = n2 & (n2 << 16)
    w2 = w & (w >> 1)
    w4 = w2 & (w2 >> 2)
    ne2 = e & (e << 9)
    ne4 = ne2 & (ne2 << 18)
    se2 = e & (e >> 7)
    se4 = se2 & (se2 >> 14)
    nw2 = w & (w << 7)
    nw4 = nw2 & (nw2 << 14)
    sw2 = w & (w >> 9)
    sw4 = sw2 & (sw2 >> 18)
    # Two steps down from a square reverse two steps up to it: the same pairs of squares, a rank lower.
    return Slides(
        empty, n2, n4, n2 >> 8, n4 >> 24, ~empty | H_FILE, e, w, w2, w4, ne2, ne4, se2, se4, nw2, nw4, sw2, sw4
    )


@kernel
def nort(p: Slides, g: Bits) -> Bits:
    """Return the squares that `g` attacks up the board: the empty squares on the way and the first that is not."""
    g = g | (p.n1 & (g << 8))
    g = g | (p.n2 & (g << 16))
    g = g | (p.n4 & (g << 32))
    return g << 8


@kernel
def sout(p: Slides, g: Bits) -> Bits:
    """Return the squares that `g` attacks down the board."""
    g = g | (p.n1 & (g >> 8))
    g = g | (p.s2 & (g >> 16))
    g = g | (p.s4 & (g >> 32))
    return g >> 8


@kernel
def east(p: Slides, g: Bits) -> Bits:
    """Return the squares that `g` attacks towards the h-file."""
    return (p.walled - ((g << 1) & NOT_A_FILE)) ^ p.walled


@kernel
def slide_east(p: Slides, g: Bits) -> Bits:
    """Return the squares that `g` attacks towards the h-file, where not all of `g` are pieces."""
    e2 = p.e1 & (p.e1 << 1)
    g = g | (p.e1 & (g << 1))
    g = g | (e2 & (g << 2))
    g = g | (e2 & (e2 << 2) & (g << 4))
    return (g << 1) & NOT_A_FILE


@kernel
def west(p: Slides, g: Bits) -> Bits:
    """Return the squares that `g` attacks towards the a-file."""
    g = g | (p.w1 & (g >> 1))
    g = g | (p.w2 & (g >> 2))
    g = g | (p.w4 & (g >> 4))
    return (g >> 1) & NOT_H_FILE


@kernel
def no_ea(p: Slides, g: Bits) -> Bits:
    """Return the squares that `g` attacks up and towards the h-file."""
    g = g | (p.e1 & (g << 9))
    g = g | (p.ne2 & (g << 18))
    g = g | (p.ne4 & (g << 36))
    return (g << 9) & NOT_A_FILE


@kernel
def so_ea(p: Slides, g: Bits) -> Bits:
    """Return the squares that `g` attacks down and towards the h-file."""
    g = g | (p.e1 & (g >> 7))
    g = g | (p.se2 & (g >> 14))
    g = g | (p.se4 & (g >> 28))
    return (g >> 7) & NOT_A_FILE


@kernel
def no_we(p: Slides, g: Bits) -> Bits:
    """Return the squares that `g` attacks up and towards the a-file."""
    g = g | (p.w1 & (g << 7))
    g = g | (p.nw2 & (g << 14))
    g = g | (p.nw4 & (g << 28))
    return (g << 7) & NOT_H_FILE


@kernel
def so_we(p: Slides, g: Bits) -> Bits:
    """Return the squares that `g` attacks down and towards the a-file."""
    g = g | (p.w1 & (g >> 9))
    g = g | (p.sw2 & (g >> 18))
    g = g | (p.sw4 & (g >> 36))
    return (g >> 9) & NOT_H_FILE


@kernel
def orthogonal_attacks(p: Slides, sliders: Bits) -> Bits:
    """Return the squares that rooks attack."""
    return nort(p, sliders) | sout(p, sliders) | east(p, sliders) | west(p, sliders)


@kernel
def diagonal_attacks(p: Slides, sliders: Bits) -> Bits:
    """Return the squares that bishops attack."""
    return no_ea(p, sliders) | so_ea(p, sliders) | so_we(p, sliders) | no_we(p, sliders)
