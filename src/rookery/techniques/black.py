"""Black magics: fill the irrelevant squares, multiply, shift; the slots of all squares overlap in one array.

    o         the occupancy
    fill      all squares but the relevant ones: they always count as occupied, so that none has to be masked out
    magic     a factor for occupancies filled in this way

A bishop on d4, with b2, c5 and f6 occupied. Pieces off its rays do not change the number that is multiplied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, o, t = 27, Bitboard.of("d4", "b2", "c5", "f6", "h8", "d7"), tables()
>>> fill_ = t.bishop[sq << 2]
>>> side_by_side({"o": o, "fill": fill_, "o | fill": o | fill_, "attacks": bishop(sq, o, t)})
o                 fill              o | fill          attacks
. . . . . . . 1   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . . . . . .
. . . 1 . . . .   1 1 1 1 1 1 . 1   1 1 1 1 1 1 . 1   . . . . . . . .
. . . . . 1 . .   1 . 1 1 1 . 1 1   1 . 1 1 1 1 1 1   . . . . . 1 . .
. . 1 . . . . .   1 1 . 1 . 1 1 1   1 1 1 1 . 1 1 1   . . 1 . 1 . . .
. . . 1 . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . . . . . .
. . . . . . . .   1 1 . 1 . 1 1 1   1 1 . 1 . 1 1 1   . . 1 . 1 . . .
. 1 . . . . . .   1 . 1 1 1 . 1 1   1 1 1 1 1 . 1 1   . 1 . . . 1 . .
. . . . . . . .   1 1 1 1 1 1 1 1   1 1 1 1 1 1 1 1   . . . . . . 1 .
>>> bishop_index(sq, o, t) == bishop_index(sq, o ^ Bitboard.of("d7", "h8", "a4"), t)
True

Each square leaves some of its slots unused, since occupancies with equal attacks may share one, and other squares use
these gaps. Filled squares make the gaps larger. The product is a sum with a term for each occupied square, so the
filled squares add a constant. It can be chosen such that the sum of the other terms ends just below the end of a slot.
A distant blocker of little weight then reaches the next slot only if its ray is otherwise empty, and hardly ever takes
another slot. `research/magics/pack/columns.py` explains more.

Overlapping is due to Pradu Kannan and Gerd Isenberg, black magics to Onno Garms, 2010; Volker Annuss and Niklas Fiekas
packed them into 87,988 entries. The factors and offsets here were found by `rookery magics pack`, and `rookery magics
check` builds the table again.
"""

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.techniques._filler import fill, masks
from rookery.techniques._magics import packed, packed_columns
from rookery.techniques.base import Card, Kernels, Needs, Technique, Variant
from rookery.techniques.magic import Records

Boards = NDArray[np.uint64]

_MAGIC, _SHIFT, _OFFSET = 1, 2, 3  # words of a record


@kernel
def filled_index(sq: Square, o: Bits, records: Boards) -> Word:
    """Return where a square's attacks are: fill, multiply, shift, and add the square's offset."""
    at = sq << 2  # the square's record: four words
    offset: Word = records[at + _OFFSET]  # where the square's slots begin
    fill = records[at]  # all squares but the relevant ones count as occupied
    magic: Word = records[at + _MAGIC]  # the factor
    shift: Word = records[at + _SHIFT]  # 64 less the width of the index
    return offset + (((o | fill) * magic) >> shift)  # the top bits of the product are the index


@kernel
def rook_index(sq: Square, occupied: Bits, t: Records) -> Word:
    """Return where a rook's attacks are."""
    return filled_index(sq, occupied, t.rook)


@kernel
def bishop_index(sq: Square, occupied: Bits, t: Records) -> Word:
    """Return where a bishop's attacks are."""
    return filled_index(sq, occupied, t.bishop)


@kernel
def rook(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Look up the attacks of a rook."""
    return t.attacks[rook_index(sq, occupied, t)]


@kernel
def bishop(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Look up the attacks of a bishop."""
    return t.attacks[bishop_index(sq, occupied, t)]


def records(piece: str) -> Boards:
    """Return a piece's records, (256,): fill, factor, shift and offset of each square in turn."""
    return np.stack([~masks(piece), *packed_columns(piece)], axis=1).reshape(-1)


def tables() -> Records:
    """Build one array, and records whose first word is the fill in place of the mask."""
    t = Records(records("rook"), records("bishop"), np.zeros(packed()[0], U64))
    fill(t.attacks, rook_index, t, "rook")
    fill(t.attacks, bishop_index, t, "bishop")
    return t


MAGIC_BLACK = Technique(
    Card(
        name="magic-black",
        summary="squares that do not matter filled; all squares overlap in one array",
        authors=("Onno Garms", "Volker Annuss"),
        year=2010,
        source="chessprogramming wiki, Magic Bitboards, Black Magics",
        users="Arminius, by its author (chessprogramming wiki), and Cfish, as an option of its build",
        needs=Needs.MULTIPLY,
        tables=tables,
        kernels=Kernels(rook=rook, bishop=bishop),
        gathers=False,
        variants=(
            Variant(
                "spectral-magic",
                authors=("Daniel Infuehr",),
                year=2023,
                source="Chess_Movegen, Spectralmagic.hpp",
                difference="factors of three bits, so that three shifts and two sums make the product",
            ),
        ),
    )
)
