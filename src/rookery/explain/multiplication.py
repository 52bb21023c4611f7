"""The multiplication of a magic look-up as it is: shifted copies of the factor that add up, and who shares a slot."""

from typing import NamedTuple

import numpy as np

from rookery.bits import subset_array
from rookery.explain.steps import Explanation
from rookery.explain.values import WORD
from rookery.kernel import U64
from rookery.squares import LITTLE_ENDIAN_RANK_FILE, convert_board
from rookery.techniques._filler import directions_of, walk


class Multiplication(NamedTuple):
    """What a look-up multiplies, in the bits of the mapping: the occupied squares of `mask`, and all of `fill`, which
    is 0 but for black magics. The product is shifted down by `shift`.
    """

    occupied: int
    mask: int
    fill: int
    magic: int
    shift: int

    @property
    def multiplied(self) -> int:
        """The word that the factor is multiplied by."""
        return self.occupied & self.mask | self.fill

    @property
    def product(self) -> int:
        """The product, of which the upper bits are the index."""
        return self.multiplied * self.magic & WORD

    def copies(self) -> list[tuple[int, int]]:
        """For each bit of what is multiplied its number, and the factor shifted by it: their sum is the product."""
        bits = [bit for bit in range(64) if self.multiplied >> bit & 1]
        return [(bit, self.magic << bit & WORD) for bit in bits]


class Sharing(NamedTuple):
    """How many relevant occupancies a square has, how many sets of squares they attack, in how many slots the factor
    puts them; how many others attack the same as the one asked for, and how many share its slot.
    """

    occupancies: int
    sets: int
    slots: int
    alike: int
    sharers: int


def multiplication(told: Explanation) -> Multiplication | None:
    """What is multiplied in the first look-up that multiplies by `magic`; None where none does.

    >>> from rookery.explain import explain
    >>> found = multiplication(explain("magic-fancy", "rook", 27, 0x0000_0800_0000_0800))
    >>> [bit for bit, copy in found.copies()], found.product == sum(copy for bit, copy in found.copies()) % 2**64
    ([11, 43], True)
    """
    named: dict[int, dict[str, int]] = {}
    for step in told.steps:
        if step.what in ("given", "called"):
            named[step.depth] = {}
        words = named[step.depth]
        words |= {part.text: part.value for part in step.parts}
        if step.what == "assigned":
            words[step.variable] = step.value
        for part in step.parts:
            if part.marked and part.text.endswith(" * magic"):
                fill = words.get("fill", 0)
                occupied = words.get("occupied", words.get("o", 0))
                return Multiplication(occupied, words.get("mask", WORD ^ fill), fill, words["magic"], words["shift"])
    return None


def sharing(told: Explanation, found: Multiplication) -> Sharing | None:
    """Who shares a slot; None where the look-up is that of another square, as in folded tables. No other occupancy of
    d2 and d6 but one with d7 behind attacks the same:

    >>> from rookery.explain import explain
    >>> told = explain("magic-fancy", "rook", 27, 0x0000_0800_0000_0800)
    >>> sharing(told, multiplication(told))
    Sharing(occupancies=1024, sets=144, slots=1024, alike=1, sharers=0)
    """
    piece = next((piece for piece in ("rook", "bishop") if _covers(piece, told, found.mask)), None)
    if piece is None or found.occupied != int(convert_board(told.occupied, LITTLE_ENDIAN_RANK_FILE, told.mapping)):
        return None
    words = subset_array(found.mask)
    occupied = convert_board(words, told.mapping, LITTLE_ENDIAN_RANK_FILE)
    attacks = walk(told.square, directions_of(piece), occupied)
    slots = (words | U64(found.fill)) * U64(found.magic) >> U64(found.shift)
    own = int(np.flatnonzero(words == U64(found.occupied & found.mask))[0])
    return Sharing(
        len(words),
        len(np.unique(attacks)),
        len(np.unique(slots)),
        int(np.count_nonzero(attacks == attacks[own])) - 1,
        int(np.count_nonzero(slots == slots[own])) - 1,
    )


def _covers(piece: str, told: Explanation, mask: int) -> bool:
    """Whether all relevant squares lie on the lines of a piece."""
    lines = int(walk(told.square, directions_of(piece), np.zeros(1, U64))[0])
    return not mask & ~int(convert_board(lines, LITTLE_ENDIAN_RANK_FILE, told.mapping))
