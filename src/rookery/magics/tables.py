"""The techniques that look up by a magic factor, the lengths of their tables, and packed tables."""

from collections.abc import Sequence

import numpy as np

from rookery.bitboards.squares import SQUARE_NAMES
from rookery.kernel import U64
from rookery.magics.forms import multiplied
from rookery.techniques import ALL
from rookery.techniques._filler import relevant_cases
from rookery.techniques._magics import Packed
from rookery.techniques.base import Technique


def magic_techniques() -> tuple[Technique, ...]:
    """Return the magic techniques in teaching order."""
    return tuple(t for t in ALL if t.name.startswith("magic-"))


def entries(technique: Technique) -> int:
    """Return the number of slots that a technique's index addresses.

    A slot holds attacks, or a number that stands for attacks.

    >>> from rookery import technique
    >>> entries(technique("magic-plain")), entries(technique("magic-fancy")), entries(technique("magic-reduced"))
    (294912, 107648, 90304)
    """
    tables = technique.tables()._asdict()
    indexed = [tables[name] for name in ("attacks", "numbers") if name in tables]
    return sum(table.size for table in indexed or (tables["rook"], tables["bishop"]))


def used(packed: Sequence[Packed], entries: int, form: str = "black") -> int:
    """Fill a packed table over all 107,648 occupancies and return how many entries it uses.

    Raises a ValueError that names a square whose look-up would read a wrong entry or one outside the table.
    """
    table = np.zeros(entries, U64)
    for p in packed:
        square = SQUARE_NAMES.index(p.square)
        occupied, (_, attacks) = multiplied(p.piece, square, form), relevant_cases(p.piece, square)
        index = ((occupied * U64(p.magic)) >> U64(64 - p.bits)).astype(np.int64) + p.offset
        if index.min() < 0 or index.max() >= entries:
            raise ValueError(f"packed: {p.piece} {p.square}: an index outside 0 to {entries - 1}")
        before = table[index]
        table[index] = attacks
        if np.any((before != 0) & (before != attacks)) or np.any(table[index] != attacks):
            raise ValueError(f"packed: {p.piece} {p.square}: a slot with other attacks")
    return int(np.count_nonzero(table))
