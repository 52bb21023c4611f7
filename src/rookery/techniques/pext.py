"""PEXT: one instruction gathers the relevant occupancy into an index.

    records   by square: the rook's mask and offset, the bishop's mask and offset, 32 bytes side by side
    attacks   107,648 sets, every relevant occupancy of every square once

BMI2 brought the instruction in 2013 (Intel Haswell); AMD before Zen 3 runs it in microcode, slowly. Elsewhere a
portable twin answers alike. Zach Wegner, 2013.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, Board, Square, Word, kernel, pext
from rookery.technique import Needs, Technique
from rookery.techniques._filler import fill, masks, offsets, slots

Boards = NDArray[np.uint64]


class PextTables(NamedTuple):
    """Tables of `pext`."""

    records: Boards  # (64, 4): one square, one cache line
    attacks: Boards  # (107648,)


@kernel
def rook_index(sq: Square, occupied: Board, t: Any) -> Word:
    """Offset and gathered bits."""
    record = t.records[sq]
    return record[1] + pext(occupied, record[0])


@kernel
def bishop_index(sq: Square, occupied: Board, t: Any) -> Word:
    """Offset and gathered bits."""
    record = t.records[sq]
    return record[3] + pext(occupied, record[2])


@kernel
def rook(sq: Square, occupied: Board, t: PextTables) -> Board:
    """Rook attacks."""
    return t.attacks[rook_index(sq, occupied, t)]


@kernel
def bishop(sq: Square, occupied: Board, t: PextTables) -> Board:
    """Bishop attacks."""
    return t.attacks[bishop_index(sq, occupied, t)]


def tables() -> PextTables:
    """841 KB and 2 KB."""
    columns = [masks("rook"), offsets("rook"), masks("bishop"), offsets("bishop", slots("rook"))]
    t = PextTables(np.stack(columns, axis=1), np.zeros(slots("rook") + slots("bishop"), U64))
    fill(t.attacks, rook_index, t, "rook")
    fill(t.attacks, bishop_index, t, "bishop")
    return t


PEXT = Technique(
    name="pext",
    summary="the CPU's bit extraction is the index",
    authors=("Zach Wegner",),
    year=2013,
    source="chessprogramming wiki, BMI2; Wegner's PEXT bitboards, 2013",
    needs=Needs.PEXT,
    tables=tables,
    rook=rook,
    bishop=bishop,
)
