"""Sherwin bitboards: each rank of the occupancy looks up its part of an index, and the parts are ORed together.

    o         the relevant occupancy: the occupied squares of the rays without their last squares
    rows      by square, rank and the rank's bits: the square's base, and the rank's part of the index
    base      where the square's attack sets begin; every entry of `rows` includes it

A bishop on e4, with c2, f5, g6 and b7 occupied. Each rank from 2 to 7 gives the base, 512, and a bit for each occupied
square of its part of the mask. The bits of the index count the squares of the mask from rank 2 on. Four ranks give one
bit each.

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 28, Bitboard.of("e4", "c2", "f5", "g6", "b7", "h7", "e6"), tables()
>>> o = occupied & t.bishop_mask[sq]
>>> side_by_side({"occupied": occupied, "mask": t.bishop_mask[sq], "o": o,
...               "attacks": _BY_SHIFT["bishop"](sq, occupied, t)})
occupied          mask              o                 attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. 1 . . . . . 1   . 1 . . . . . .   . 1 . . . . . .   . 1 . . . . . .
. . . . 1 . 1 .   . . 1 . . . 1 .   . . . . . . 1 .   . . 1 . . . . .
. . . . . 1 . .   . . . 1 . 1 . .   . . . . . 1 . .   . . . 1 . 1 . .
. . . . 1 . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . 1 . 1 . .   . . . . . . . .   . . . 1 . 1 . .
. . 1 . . . . .   . . 1 . . . 1 .   . . 1 . . . . .   . . 1 . . . 1 .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . 1
>>> for row in range(6):
...     print(f"rank {row + 2}  {t.bishop_rows[sq, row, (o >> (8 * row + 9)) & 63]:010b}")
rank 2  1000000001
rank 3  1000000000
rank 4  1000000000
rank 5  1000100000
rank 6  1010000000
rank 7  1100000000
>>> print(f"index   {_BY_SHIFT['bishop_index'](sq, occupied, t):010b}")
index   1110100001

Each relevant occupancy has its own index. The base and the parts must not share bits, so squares with wide indices come
first: 9, 7, 6, 5 bits for bishops, 12, 11, 10 for rooks. The bishop's rays without their ends lie in six ranks of six
squares. The rook's need all eight, because it may stand on an outer file or rank. Michael Sherwin; this form by Harald
Luessen, in Elephant (chessprogramming wiki, 2020).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.lines import relevant_occupancy
from rookery.kernel import U64, Bits, Square, Word, byte_view, kernel, pext_portable
from rookery.techniques._filler import fill, masks, slots
from rookery.techniques.base import Card, Kernel, Kernels, Technique

Boards = NDArray[np.uint64]

_BYTE = 255


class SherwinTables(NamedTuple):
    """Masks, rows and attack sets of each piece."""

    rook_mask: Boards  # (64,)
    rook_rows: NDArray[np.int32]  # (64, 8, 256)
    rook_attacks: Boards  # one slot for each relevant occupancy of each square
    bishop_mask: Boards
    bishop_rows: NDArray[np.int16]  # (64, 6, 64)
    bishop_attacks: Boards


@kernel
def by_shift(o: Bits, row: Word) -> Word:
    """Return the bits of one row of the occupancy."""
    return (o >> (row << 3)) & _BYTE


def kernels(row_of: Kernel) -> dict[str, Kernel]:
    """Make the kernels for the index and the attacks of the rook and the bishop, given a way to read one row."""

    @kernel
    def rook_index(sq: Square, occupied: Bits, t: SherwinTables) -> Word:
        """Combine the parts of the index from the eight ranks of the relevant occupancy."""
        o = occupied & t.rook_mask[sq]
        rows = t.rook_rows[sq]
        return U64(
            rows[0, row_of(o, 0)]
            | rows[1, row_of(o, 1)]
            | rows[2, row_of(o, 2)]
            | rows[3, row_of(o, 3)]
            | rows[4, row_of(o, 4)]
            | rows[5, row_of(o, 5)]
            | rows[6, row_of(o, 6)]
            | rows[7, row_of(o, 7)]
        )

    @kernel
    def bishop_index(sq: Square, occupied: Bits, t: SherwinTables) -> Word:
        """Combine the parts of the index from the six inner ranks of the relevant occupancy."""
        o = (occupied & t.bishop_mask[sq]) >> 1  # the square on the b-file becomes bit 0 of its row
        rows = t.bishop_rows[sq]
        return U64(
            rows[0, row_of(o, 1)]
            | rows[1, row_of(o, 2)]
            | rows[2, row_of(o, 3)]
            | rows[3, row_of(o, 4)]
            | rows[4, row_of(o, 5)]
            | rows[5, row_of(o, 6)]
        )

    @kernel
    def rook(sq: Square, occupied: Bits, t: SherwinTables) -> Bits:
        """Look up the attacks of a rook."""
        return t.rook_attacks[rook_index(sq, occupied, t)]

    @kernel
    def bishop(sq: Square, occupied: Bits, t: SherwinTables) -> Bits:
        """Look up the attacks of a bishop."""
        return t.bishop_attacks[bishop_index(sq, occupied, t)]

    return {"rook": rook, "bishop": bishop, "rook_index": rook_index, "bishop_index": bishop_index}


def bases(piece: str) -> dict[int, int]:
    """Return where each square's sets begin: the widest squares first, so that no base has a bit below its width."""
    base = 0
    result = {}
    for sq in sorted(range(64), key=lambda s: -len(relevant_occupancy(piece, s))):
        result[sq] = base
        base += 1 << len(relevant_occupancy(piece, sq))
    return result


def rows_of(piece: str, ranks: range, width: int, dtype: Any) -> NDArray[Any]:
    """Return, for each square, rank and pattern of its bits, the base plus the pattern's part of the index."""
    first_file = (8 - width) // 2
    patterns = np.arange(1 << width, dtype=U64)
    table = np.zeros((64, len(ranks), 1 << width), dtype)
    for sq, base in bases(piece).items():
        mask = int(relevant_occupancy(piece, sq))
        shift = 0
        for i, rank in enumerate(ranks):
            in_row = U64((mask >> (8 * rank + first_file)) & ((1 << width) - 1))
            table[sq, i] = (pext_portable(patterns, in_row) << U64(shift)) | U64(base)
            shift += int(in_row).bit_count()
    return table


def tables() -> SherwinTables:
    """Build the masks, the rows and the attacks of each piece."""
    t = SherwinTables(
        masks("rook"),
        rows_of("rook", range(8), 8, np.int32),
        np.zeros(slots("rook"), U64),
        masks("bishop"),
        rows_of("bishop", range(1, 7), 6, np.int16),
        np.zeros(slots("bishop"), U64),
    )
    fill(t.rook_attacks, _BY_SHIFT["rook_index"], t, "rook")
    fill(t.bishop_attacks, _BY_SHIFT["bishop_index"], t, "bishop")
    return t


_BY_SHIFT = kernels(by_shift)
_BY_BYTES = kernels(byte_view)
_SOURCE = "chessprogramming wiki, Sherwin Bitboards, revision of 2020"

SHERWIN = Technique(
    Card(
        name="sherwin",
        summary="each rank looks up its part of the index; rows by shift and mask",
        authors=("Michael Sherwin", "Harald Luessen"),
        year=2020,
        source=_SOURCE,
        users="Elephant, which compares techniques (chessprogramming wiki)",
        tables=tables,
        kernels=Kernels(rook=_BY_SHIFT["rook"], bishop=_BY_SHIFT["bishop"]),
    )
)
SHERWIN_BYTES = Technique(
    Card(
        name="sherwin-bytes",
        summary="the same, with the word read as eight bytes",
        authors=("Michael Sherwin", "Harald Luessen"),
        year=2020,
        source=_SOURCE,
        tables=tables,
        kernels=Kernels(rook=_BY_BYTES["rook"], bishop=_BY_BYTES["bishop"]),
    )
)
