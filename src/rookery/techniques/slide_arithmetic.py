"""Slide arithmetic: one mask up to the nearest blocker above, one up to the nearest below, and their difference.

    m      the line through the slider, without the slider
    low    blockers below the slider, and always bit 0, in case there are none
    up     blockers above the slider
    to_up  all bits up to and including the nearest blocker above: ``up ^ (up - 1)``, one instruction (BLSMSK)
    to_low all bits below the nearest blocker below: ``(2**63 - 1) >> clz(low)``

The squares of the line in which the masks differ are the attacks: ``(to_up ^ to_low) & m``. A bishop on d4, with b2,
c3, f6 and g7 occupied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery.bitboards.bits import diagonal_mask
>>> from rookery import side_by_side
>>> sq, occupied = 27, Bitboard.of("b2", "c3", "d4", "f6", "g7", "d7")
>>> m = Bitboard(diagonal_mask(sq)) ^ Bitboard.of("d4")
>>> low, up = Bitboard.of("b2", "c3") | 1, Bitboard.of("f6", "g7")
>>> to_up, to_low = up ^ (up - 1), Bitboard(ALL_BUT_MSB >> leading_zeros(low))
>>> side_by_side({"low": low, "up": up, "to_up": to_up, "to_low": to_low, "(to_up ^ to_low) & m": (to_up ^ to_low) & m})
low               up                to_up             to_low            (to_up ^ to_low) & m
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . 1 .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . 1 . .   1 1 1 1 1 1 . .   . . . . . . . .   . . . . . 1 . .
. . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   . . . . . . . .   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   . . . . . . . .   . . . . . . . .
. . 1 . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   1 1 . . . . . .   . . 1 . . . . .
. 1 . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . . . . . .
1 . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . . . . . .
>>> Bitboard(line(sq, occupied, diagonal_mask(sq))).names()
['c3', 'e5', 'f6']

If there is no blocker above, ``0 ^ (0 - 1)`` is all ones. Jakob Progsch and Daniel Infuehr, 2021. Thomas Jahn found the
same formula for his engine Leorik, which he published in 2022. It takes the lower part with ``r - 1``, where slide
arithmetic has an instruction (BZHI). All words are equal in every case, so `leorik` is a variant of this technique.
"""

from rookery.bitboards.bits import bit
from rookery.kernel import Bits, Square, kernel, leading_zeros
from rookery.techniques.base import Card, Needs, Technique, Variant
from rookery.techniques.obstruction_difference import lines

ALL_BUT_MSB = (1 << 63) - 1


@kernel
def line(sq: Square, occupied: Bits, mask: Bits) -> Bits:
    """Return the attacks along a line; `mask` is the line with the slider."""
    r = bit(sq)  # the slider's own bit
    m = mask ^ r  # the line without the slider
    o = occupied & m  # the blockers on the line
    low = (o & (r - 1)) | 1  # the blockers below the slider; bit 0 stands in if there are none
    up = o & ~(r - 1)  # the blockers above the slider
    to_low = ALL_BUT_MSB >> leading_zeros(low)  # every bit below the nearest blocker below
    to_up = up ^ (up - 1)  # every bit up to the nearest blocker above
    return (to_up ^ to_low) & m  # what lies between, on the line


SLIDE_ARITHMETIC = Technique(
    Card(
        name="slide-arithmetic",
        summary="the difference of two masks, up to the nearest blocker above and below",
        authors=("Jakob Progsch", "Daniel Infuehr"),
        year=2021,
        source="Infuehr, Chess_Movegen, SlideArithm.hpp, 2021",
        users="Leorik, under its own name",
        needs=Needs.SCAN_REVERSE,
        kernels=lines(line),
        variants=(
            Variant(
                "leorik",
                authors=("Thomas Jahn",),
                year=2022,
                source="Leorik; Chess_Movegen, Leorik.hpp",
                difference="the same two masks; the lower part is `o & (r - 1)` instead of BZHI",
            ),
            Variant(
                "a-b-bitboards",
                authors=("Shawn Chidester",),
                year=2015,
                source="Bitfoot; Sedlak, scan-cut, talkchess 73082, 2020",
                difference="isolates the nearest blocker, `x & -x`, and keeps the ray below `x - 1` or above `x ^ -x`",
            ),
            Variant(
                "cfish-avx2",
                authors=("Okuhara",),
                year=2020,
                source="Cfish, avx2-bitboard.h",
                difference="in vector lanes; three shifts fill the ray behind each blocker below, without CLZ",
            ),
            Variant(
                "genetic-8-ray",
                authors=("Daniel Infuehr",),
                year=2022,
                source="Chess_Movegen, Genetic8Ray.hpp",
                difference="up with `(o - 1) << 1`; down the same on the reversed board",
            ),
        ),
    )
)
