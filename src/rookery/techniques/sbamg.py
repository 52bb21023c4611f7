"""SBAMG: subtract three times the nearest blocker below, and the borrow finds the nearest blocker above.

    m      the line through the slider, without the slider
    o      blockers on the line, and always bit 0, in case there is none below
    low    the part of o below the slider
    cbn    the closest blocker in the negative direction: the highest bit of `low`

``o - 3 * cbn`` is ``o - cbn - 2 * cbn``. Subtracting `cbn` clears this blocker. Subtracting ``2 * cbn`` borrows from
the next bit of o, which is the nearest blocker above the slider, and sets every bit on the way. An XOR with o keeps the
changed bits: ``(o ^ (o - 3 * cbn)) & m``. A bishop on d4, with b2, c3, f6 and g7 occupied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery.bitboards.bits import diagonal_mask
>>> from rookery import side_by_side
>>> sq, occupied = 27, Bitboard.of("b2", "c3", "d4", "f6", "g7", "d7")
>>> m = Bitboard(diagonal_mask(sq)) ^ Bitboard.of("d4")
>>> o = occupied & m | 1
>>> cbn = Bitboard(MSB >> leading_zeros(o & (bit(sq) - 1)))
>>> side_by_side({"o": o, "cbn": cbn, "o - 3 cbn": o - 3 * cbn, "o ^ (...)": o ^ (o - 3 * cbn),
...               "& m": (o ^ (o - 3 * cbn)) & m})
o                 cbn               o - 3 cbn         o ^ (...)         & m
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . 1 .   . . . . . . . .   . . . . . . 1 .   . . . . . . . .   . . . . . . . .
. . . . . 1 . .   . . . . . . . .   1 1 1 1 1 . . .   1 1 1 1 1 1 . .   . . . . . 1 . .
. . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . . 1 . . .
. . . . . . . .   . . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . . . . . .
. . 1 . . . . .   . . 1 . . . . .   . . . 1 1 1 1 1   . . 1 1 1 1 1 1   . . 1 . . . . .
. 1 . . . . . .   . . . . . . . .   . 1 . . . . . .   . . . . . . . .   . . . . . . . .
1 . . . . . . .   . . . . . . . .   1 . . . . . . .   . . . . . . . .   . . . . . . . .
>>> Bitboard(line(sq, occupied, diagonal_mask(sq))).names()
['c3', 'e5', 'f6']

If there is no blocker above, the borrow runs off the end of the word. The name is short for subtraction-based attack
mask generation. Syed Fahad published it with his library M42; there the outer squares of the line are always set, where
bit 0 is enough. Syed Fahad, talkchess, 2016.
"""

from rookery.bitboards.bits import bit
from rookery.kernel import Bits, Square, kernel, leading_zeros
from rookery.techniques.base import Card, Needs, Technique
from rookery.techniques.obstruction_difference import MSB, lines


@kernel
def line(sq: Square, occupied: Bits, mask: Bits) -> Bits:
    """Return the attacks along a line; `mask` is the line with the slider."""
    r = bit(sq)  # the slider's own bit
    m = mask ^ r  # the line without the slider
    o = (occupied & m) | 1  # the blockers, and bit 0, so that there is always one below
    low = (o & (r - 1)) | 1  # the blockers below the slider
    cbn = MSB >> leading_zeros(low)  # the closest of them
    return (o ^ (o - 3 * cbn)) & m  # the borrow changes every bit up to the closest blocker above


SBAMG = Technique(
    Card(
        name="sbamg",
        summary="o ^ (o - 3 * closest blocker below)",
        authors=("Syed Fahad",),
        year=2016,
        source="Fahad, SBAMG: completing hyperbola quintessence, talkchess t=59845, 2016",
        users="M42, a library of attack masks by the same author",
        needs=Needs.SCAN_REVERSE,
        kernels=lines(line),
    )
)
