"""The motifs and mates of the dictionary as functions: ``passed(us)``, ``absolute_pin(them)``, ``smothered_mate``."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.kernel import U64
from rookery.positions.language.block import Block
from rookery.positions.language.grammar import FUNCTIONS, SET, SIDE, TRUTH, function
from rookery.positions.layout import SIDES
from rookery.positions.motifs import MOTIFS
from rookery.positions.motifs.motif import Motif, boards_into
from rookery.positions.motifs.named_mates import NAMED_MATES, mates_into

COST: Final = 15.0  # nanoseconds a position for a family, whose motifs are computed together


def _run(motif: Motif) -> Callable[[Block, str], Any]:
    def squares(block: Block, side: str) -> Any:
        return _boards(block, motif, side)

    squares.__doc__ = f"Return the squares of a motif for a side. {motif.summary}"
    return squares


def _boards(block: Block, motif: Motif, side: str) -> Any:
    """Return the boards of a motif. Those of its family that blocks before this one needed are kept, too."""
    rows = motif.family.rows
    known = block.shared.setdefault((rows, side), {})
    if motif.name not in known:
        needed = block.statistics.setdefault((rows, side), {})
        needed[motif.name] = motif
        left = [one for one in needed.values() if one.name not in known]
        found = [np.empty(block.n, U64) for _ in left]
        boards_into(left, found, block.columns, SIDES[side])
        known |= {one.name: boards for one, boards in zip(left, found, strict=True)}
    return known[motif.name]


for _motif in MOTIFS:
    function(SET, COST, name=_motif.name, side=(SIDE, "us"))(_run(_motif))


# Mates by name.


def _run_mate(bit: int, definition: str) -> Callable[[Block], Any]:
    def is_shown(block: Block) -> Any:
        return (named_mates(block) >> U64(bit) & U64(1)).astype(np.bool_)

    is_shown.__doc__ = f"Check whether the side to move is mated like this. {definition}"
    return is_shown


def named_mates(block: Block) -> Any:
    """Return a word of `NAMED_MATES` for each position; a block computes them once."""
    words = block.shared.get("named mates")
    if words is None:
        words = block.shared["named mates"] = np.zeros(block.n, U64)
        rows = np.flatnonzero(FUNCTIONS["is_mate"].run(block))
        if rows.size:
            found = np.empty(rows.size, U64)
            mates_into(found, block.positions.taken(rows).columns)
            words[rows] = found
    return words


for _i, _named in enumerate(NAMED_MATES):
    function(TRUTH, 25.0, name=_named.name)(_run_mate(_i, _named.definition))
