"""Explain the multiplication of a magic look-up: shifted copies of the factor that add up, and who shares a slot."""

from typing import Final, NamedTuple

import numpy as np

from rookery.bitboards.bits import subset_array
from rookery.bitboards.mappings import LITTLE_ENDIAN_RANK_FILE, convert_board
from rookery.bitboards.squares import square_name
from rookery.explain.kinds import WORD
from rookery.explain.layout import names
from rookery.explain.run import Step
from rookery.explain.steps import Explanation
from rookery.kernel import U64
from rookery.techniques._filler import directions_of, walk


class Multiplication(NamedTuple):
    """The operands of a look-up's multiplication, in the bits of the mapping.

    The factor multiplies the occupied squares of `mask` and all squares of `fill`, which is 0 except for black magics.
    The product is shifted right by `shift`.
    """

    occupied: int
    mask: int
    fill: int
    magic: int
    shift: int

    @property
    def multiplied(self) -> int:
        """Return the word that the factor is multiplied by."""
        return self.occupied & self.mask | self.fill

    @property
    def product(self) -> int:
        """Return the product, whose upper bits are the index."""
        return self.multiplied * self.magic & WORD

    def copies(self) -> list[tuple[int, int]]:
        """Return each bit of the multiplied word and the factor shifted by it: their sum is the product."""
        bits = [bit for bit in range(64) if self.multiplied >> bit & 1]
        return [(bit, self.magic << bit & WORD) for bit in bits]

    def rows(self, explanation: Explanation) -> list[tuple[str, int]]:
        """Return the factor, its copies and their sum, each with its name."""
        copies = [
            (f"{square_name(int(explanation.mapping.square(bit)))}: magic << {bit}", copy)
            for bit, copy in self.copies()
        ]
        return [("magic", self.magic), *copies, ("sum", self.product)]


class Sharing(NamedTuple):
    """The occupancies that share the slot of a look-up.

    A square has so many relevant `occupancies`, which attack so many `sets` of squares; the factor puts them in so many
    `slots`. `alike` counts the other occupancies with the same attacks, and `sharers` are those in the same slot (in
    the bits of the mapping).
    """

    occupancies: int
    sets: int
    slots: int
    alike: int
    sharers: tuple[int, ...]


def multiplication(explanation: Explanation) -> Multiplication | None:
    """Return the operands of the first multiplication by `magic`, or None.

    >>> from rookery.explain import explain
    >>> found = multiplication(explain("magic-fancy", "rook", 27, 0x0000_0800_0000_0800))
    >>> [bit for bit, copy in found.copies()], found.product == sum(copy for bit, copy in found.copies()) % 2**64
    ([11, 43], True)
    """
    return next((found for step in explanation.steps if (found := multiplication_at(explanation, step))), None)


def multiplication_at(explanation: Explanation, step: Step) -> Multiplication | None:
    """Return the operands of a step's multiplication by `magic`, or None.

    >>> from rookery.explain import explain
    >>> explanation = explain("magic-fancy", "queen", 27, 0)
    >>> [step.function for step in explanation.steps if multiplication_at(explanation, step)]
    ['hash_index', 'hash_index']
    """
    if not any(part.marked and part.text.endswith(" * magic") for part in step.parts):
        return None
    named: dict[str, int] = {}  # in the function that the step belongs to
    for earlier in explanation.steps[: explanation.steps.index(step) + 1]:
        if earlier.depth == step.depth:
            named = {} if earlier.what in ("given", "called") else named
            named |= {part.text: part.value for part in earlier.parts}
            if earlier.what == "assigned":
                named[earlier.variable] = earlier.value
    fill, occupied = named.get("fill", 0), named.get("occupied", named.get("o", 0))
    return Multiplication(occupied, named.get("mask", WORD ^ fill), fill, named["magic"], named["shift"])


def sharing(explanation: Explanation, found: Multiplication) -> Sharing | None:
    """Return who shares a slot, or None if the look-up is that of another square, as in folded tables.

    Here, only one other occupancy attacks the same as d2 and d6: the one with d7 behind.

    >>> from rookery.explain import explain
    >>> explanation = explain("magic-fancy", "rook", 27, 0x0000_0800_0000_0800)
    >>> sharing(explanation, multiplication(explanation))
    Sharing(occupancies=1024, sets=144, slots=1024, alike=1, sharers=())
    """
    piece = next((piece for piece in ("rook", "bishop") if _covers(piece, explanation, found.mask)), None)
    if piece is None or found.occupied != int(
        convert_board(explanation.occupied, LITTLE_ENDIAN_RANK_FILE, explanation.mapping)
    ):
        return None
    words = subset_array(found.mask)
    occupied = convert_board(words, explanation.mapping, LITTLE_ENDIAN_RANK_FILE)
    attacks = walk(explanation.square, directions_of(piece), occupied)
    slots = (words | U64(found.fill)) * U64(found.magic) >> U64(found.shift)
    own = int(np.flatnonzero(words == U64(found.occupied & found.mask))[0])
    return Sharing(
        len(words),
        len(np.unique(attacks)),
        len(np.unique(slots)),
        int(np.count_nonzero(attacks == attacks[own])) - 1,
        tuple(int(word) for word in words[(slots == slots[own]) & (words != words[own])]),
    )


_NAMED: Final = 4  # of the occupancies that share a slot


def sharing_sentences(explanation: Explanation, found: Multiplication) -> tuple[str, ...]:
    """Return sentences on who may share the slot of a look-up, and who does.

    The result is empty if the look-up is that of another square.

    >>> from rookery.explain import explain
    >>> explanation = explain("magic-reduced", "bishop", 1, 1 << 28)
    >>> sharing_sentences(explanation, multiplication(explanation))[1].rpartition(". ")[2]
    'With this factor 1 of them does: e4 g6.'
    """
    shared = sharing(explanation, found)
    if shared is None:
        return ()
    sets = f"{shared.occupancies:,} relevant occupancies lead to {shared.sets:,} different sets of attacked squares."
    rest = f"Occupancies that lead to other attacks must not. The factor fills {shared.slots:,} slots."
    if not shared.alike:
        return sets, "No other occupancy leads to the same attacks as this one, so none may share its slot.", rest
    several = shared.alike > 1
    may = (
        f"{shared.alike:,} other {'occupancies lead' if several else 'occupancy leads'} to the same attacks."
        f" {'They' if several else 'It'} may share this slot (a constructive collision), since a slot holds one answer."
    )
    if not shared.sharers:
        where = "`rookery explain magic-reduced b1 --piece bishop` shows one where they must."
        return sets, f"{may} With this factor {'none does' if several else 'it does not'}. {where}", rest
    listed = "; ".join(names(explanation, word) or "none at all" for word in shared.sharers[:_NAMED])
    more = f"; and {len(shared.sharers) - _NAMED:,} more" if len(shared.sharers) > _NAMED else ""
    number = f"{len(shared.sharers):,} of them {'do' if len(shared.sharers) > 1 else 'does'}" if several else "it does"
    return sets, f"{may} With this factor {number}: {listed}{more}.", rest


def _covers(piece: str, explanation: Explanation, mask: int) -> bool:
    """Check whether all relevant squares lie on the lines of a piece."""
    lines = int(walk(explanation.square, directions_of(piece), np.zeros(1, U64))[0])
    return not mask & ~int(convert_board(lines, LITTLE_ENDIAN_RANK_FILE, explanation.mapping))
