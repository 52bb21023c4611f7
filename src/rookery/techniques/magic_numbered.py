"""Magic bitboards with numbered attack sets: a slot holds the number of an attack set, and each set is stored once.

    o         the relevant occupancy
    index     its index by the factor of `magic-fancy`, see `rookery.techniques.magic`
    numbers   for each index, the number of an attack set
    sets      the attack sets

Many occupancies have the same attack set, because pieces behind the first blocker make no difference. Two occupancies
for a rook on a1 differ only behind c1 and a3. They have different indices, but the same number and so the same set:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> t = byte_tables()
>>> first, second = Bitboard.of("a3", "c1"), Bitboard.of("a3", "a5", "c1", "f1")
>>> number = [int(t.numbers[record_index(o, t.rook, 0)]) for o in (first, second)]
>>> int(record_index(first, t.rook, 0)) == int(record_index(second, t.rook, 0)), number[0] == number[1]
(False, True)
>>> side_by_side({"first": first, "second": second, "sets[number]": t.sets[int(t.rook_first[0]) + number[0]]})
first             second            sets[number]
. . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   1 . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .
1 . . . . . . .   1 . . . . . . .   1 . . . . . . .
. . . . . . . .   . . . . . . . .   1 . . . . . . .
. . 1 . . . . .   . . 1 . . 1 . .   . 1 1 . . . . .
>>> byte_rook(0, first, t) == byte_rook(0, second, t)
True

    index16    16 bits for each slot of `fancy` number the distinct attack sets of all squares
    byte       8 bits for each slot number the distinct sets of its square (12 for each line, so at most 144)

A second look-up saves memory. Gerd Isenberg's minimal perfect hashing, 2008; `byte` is ascribed to Robert Houdart,
2010.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, Bits, Square, kernel
from rookery.techniques._filler import relevant_cases
from rookery.techniques.base import Card, Kernels, Needs, Technique
from rookery.techniques.magic import fancy_tables, record_index

Boards = NDArray[np.uint64]


class Index16(NamedTuple):
    """The records of `magic-fancy`, numbers in place of attacks, and the attack sets."""

    rook: Boards  # (256,): records of mask, magic, shift, offset
    bishop: Boards
    numbers: NDArray[np.uint16]  # one for each slot of `magic-fancy`
    sets: Boards  # the distinct attack sets of all squares and pieces


class Byte(NamedTuple):
    """The records of `magic-fancy`, and attack sets that are numbered from 0 for each square."""

    rook: Boards  # (256,): records of mask, magic, shift, offset
    bishop: Boards
    rook_first: Boards  # (64,): where the square's sets begin
    bishop_first: Boards
    numbers: NDArray[np.uint8]  # one for each slot of `magic-fancy`
    sets: Boards  # the distinct sets of each square in turn


@kernel
def index16_rook(sq: Square, occupied: Bits, t: Index16) -> Bits:
    """Look up the number of a rook's attack set, then the set."""
    return t.sets[t.numbers[record_index(occupied, t.rook, sq)]]


@kernel
def index16_bishop(sq: Square, occupied: Bits, t: Index16) -> Bits:
    """Look up the number of a bishop's attack set, then the set."""
    return t.sets[t.numbers[record_index(occupied, t.bishop, sq)]]


@kernel
def byte_rook(sq: Square, occupied: Bits, t: Byte) -> Bits:
    """Look up the number of a rook's attack set, then the set."""
    return t.sets[t.rook_first[sq] + U64(t.numbers[record_index(occupied, t.rook, sq)])]


@kernel
def byte_bishop(sq: Square, occupied: Bits, t: Byte) -> Bits:
    """Look up the number of a bishop's attack set, then the set."""
    return t.sets[t.bishop_first[sq] + U64(t.numbers[record_index(occupied, t.bishop, sq)])]


def index16_tables() -> Index16:
    """Build tables that number the distinct attack sets of all squares."""
    rook, bishop, attacks = fancy_tables()
    sets, numbers = np.unique(attacks, return_inverse=True)
    return Index16(rook, bishop, numbers.astype(np.uint16), sets)


def byte_tables() -> Byte:
    """Build tables that number the distinct attack sets of each square from 0."""
    rook, bishop, attacks = fancy_tables()
    numbers = np.zeros(len(attacks), np.uint8)
    sets: list[np.uint64] = []
    first: dict[str, list[int]] = {"rook": [], "bishop": []}
    for piece, records_ in (("rook", rook), ("bishop", bishop)):
        for sq in range(64):
            start = int(records_[4 * sq + 3])
            slots_ = slice(start, start + len(relevant_cases(piece, sq)[0]))
            # A slot that no occupancy reaches holds 0, which is not an attack set.
            distinct = np.unique(attacks[slots_])
            distinct = distinct[distinct != 0]
            first[piece].append(len(sets))
            sets.extend(distinct)
            numbers[slots_] = np.searchsorted(distinct, attacks[slots_]) * (attacks[slots_] != 0)
    return Byte(
        rook, bishop, np.array(first["rook"], U64), np.array(first["bishop"], U64), numbers, np.array(sets, U64)
    )


MAGIC_INDEX16 = Technique(
    Card(
        name="magic-index16",
        summary="minimal perfect hashing: 16 bits a slot count the distinct sets",
        authors=("Gerd Isenberg",),
        year=2008,
        source="Isenberg, Efficient Generation of Sliding Piece Attacks, Dresden 2008",
        needs=Needs.MULTIPLY,
        tables=index16_tables,
        kernels=Kernels(rook=index16_rook, bishop=index16_bishop),
        gathers=False,
    )
)
MAGIC_BYTE = Technique(
    Card(
        name="magic-byte",
        summary="a byte a slot counts the distinct sets of the square",
        authors=("Robert Houdart",),
        year=2010,
        source="ascribed to Houdart, the author of Houdini (2010)",
        users="Houdini, by its author (chessprogramming wiki, Magic Bitboards)",
        needs=Needs.MULTIPLY,
        tables=byte_tables,
        kernels=Kernels(rook=byte_rook, bishop=byte_bishop),
        gathers=False,
    )
)
