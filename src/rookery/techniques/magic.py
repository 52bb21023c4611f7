"""Magic bitboards: mask, multiply, shift; the product's top bits index the attacks of both lines at once.

    mask      the relevant squares: the rays without their last squares
    o         the relevant occupancy: what stands on the relevant squares
    magic     a factor that sends occupancies with different attacks to different indices
    shift     64 less the width of the index, which has as many bits as the mask

A bishop on d4, with b2, c5 and f6 occupied. The index is the top nine bits of the product, h8 the highest:

>>> from rookery.bitboard import Bitboard
>>> from rookery import beside
>>> sq, occupied, t = 27, Bitboard.of("d4", "b2", "c5", "f6", "h8", "d7"), plain_tables()
>>> mask, magic, shift = (Bitboard(column[sq]) for column in (t.bishop_mask, t.bishop_magic, t.bishop_shift))
>>> o = occupied & mask
>>> index = o * magic >> shift
>>> beside({"occupied": occupied, "mask": mask, "o": o, "o * magic": o * magic, ">> shift": index,
...         "attacks": t.bishop[sq, index]})
occupied          mask              o                 o * magic         >> shift          attacks
. . . . . . . 1   . . . . . . . .   . . . . . . . .   . 1 . . . . 1 .   . . . . . . . .   . . . . . . . .
. . . 1 . . . .   . . . . . . 1 .   . . . . . . . .   . . . . . 1 . 1   . . . . . . . .   . . . . . . . .
. . . . . 1 . .   . 1 . . . 1 . .   . . . . . 1 . .   1 . . . . . . .   . . . . . . . .   . . . . . 1 . .
. . 1 . . . . .   . . 1 . 1 . . .   . . 1 . . . . .   1 . . . . . . .   . . . . . . . .   . . 1 . 1 . . .
. . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . 1 . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . 1 . 1 . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . 1 . . .
. 1 . . . . . .   . 1 . . . 1 . .   . 1 . . . . . .   . . . . . . . 1   . . . . . . . .   . 1 . . . 1 . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   1 . 1 . . . . 1   . . . . . . 1 .
>>> hash_index(occupied, mask, magic, shift) == index < 2 ** len(mask)
True

Behind c5 nothing is seen. A piece on b6 changes the product, and the attacks at its index are the same:

>>> behind = hash_index(occupied | Bitboard.of("b6"), mask, magic, shift)
>>> int(t.bishop[sq, behind]) == int(t.bishop[sq, index])
True

Two occupancies with equal attacks may have one index and share its slot (a constructive collision). With an index as
wide as the mask no two need to, and with the factors of `plain`, `fancy` and `shared` none do; with one bit less, as in
`reduced`, some must. Lasse Hansen, 2006; Pradu Kannan's per-square widths, 2006-2007. The factors here were found by
`rookery magics find`; the file beside `_magics` holds each with its seed, and `rookery magics check` finds and checks
them again.

    plain      attacks[sq][index], 4,096 slots a rook square and 512 a bishop square
    fancy      one array, each square as wide as it needs
    shared     the slots of `plain` in one array, the bishops' behind the rooks'; one record a square
    reduced    one index bit less wherever a factor for it is known: these squares take half as many slots
    fixed      12 index bits for every rook square and 9 for every bishop square: the shifts are constants. A square
               then uses its slots thinly, and others are laid into the gaps (by `rookery magics pack`)
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.technique import Card, Kernel, Kernels, Needs, Technique
from rookery.techniques._filler import fill, masks, offsets, slots
from rookery.techniques._magics import factors, narrowest, packed, packed_columns

Boards = NDArray[np.uint64]

ROOK_STRIDE = 4096
BISHOP_STRIDE = 512
BISHOPS_START_FROM = 64 * ROOK_STRIDE
ROOK_SHIFT = 52
BISHOP_SHIFT = 55

_MAGIC, _SHIFT, _OFFSET = 1, 2, 3  # of a record


class Plain(NamedTuple):
    """For each piece its masks, factors and shifts, and a row of attacks for each square."""

    rook_mask: Boards  # (64,)
    rook_magic: Boards
    rook_shift: Boards
    rook: Boards  # (64, 4096)
    bishop_mask: Boards
    bishop_magic: Boards
    bishop_shift: Boards
    bishop: Boards  # (64, 512)


class Records(NamedTuple):
    """A record for each square of each piece, and one array for the attacks of all."""

    rook: Boards  # (256,): mask, magic, shift and offset of each square side by side
    bishop: Boards
    attacks: Boards


@kernel
def hash_index(occupied: Bits, mask: Bits, magic: Word, shift: Word) -> Word:
    """The index of an occupancy: mask, multiply, shift."""
    o = occupied & mask
    return (o * magic) >> shift  # the top bits of the product are the index


@kernel
def record_index(occupied: Bits, records: Boards, sq: Square) -> Word:
    """Where a square's attacks lie in the array: its offset, and the index on top. The words are read from its record.

    The records lie flat: a row of a table is a product away.
    """
    at = sq << 2  # the square's record: four words
    # the square's slots begin at its offset; the index counts from there
    return records[at + _OFFSET] + hash_index(occupied, records[at], records[at + _MAGIC], records[at + _SHIFT])


# Plain.


@kernel
def plain_rook(sq: Square, occupied: Bits, t: Plain) -> Bits:
    """Rook attacks."""
    return t.rook[sq, hash_index(occupied, t.rook_mask[sq], t.rook_magic[sq], t.rook_shift[sq])]


@kernel
def plain_bishop(sq: Square, occupied: Bits, t: Plain) -> Bits:
    """Bishop attacks."""
    return t.bishop[sq, hash_index(occupied, t.bishop_mask[sq], t.bishop_magic[sq], t.bishop_shift[sq])]


# Fancy, shared and reduced differ in their records alone.


@kernel
def rook_index(sq: Square, occupied: Bits, t: Records) -> Word:
    """Where a rook's attacks lie, by the rook's records."""
    return record_index(occupied, t.rook, sq)


@kernel
def bishop_index(sq: Square, occupied: Bits, t: Records) -> Word:
    """Where a bishop's attacks lie, by the bishop's records; their offsets begin behind the rooks'."""
    return record_index(occupied, t.bishop, sq)


@kernel
def rook(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Rook attacks."""
    return t.attacks[rook_index(sq, occupied, t)]


@kernel
def bishop(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Bishop attacks."""
    return t.attacks[bishop_index(sq, occupied, t)]


# With constant shifts.


@kernel
def fixed_rook_index(sq: Square, occupied: Bits, t: Records) -> Word:
    """Where a rook's attacks lie: the offset and the index, as in `record_index`, with a constant shift."""
    at = sq << 2  # the square's record: four words
    return t.rook[at + _OFFSET] + hash_index(occupied, t.rook[at], t.rook[at + _MAGIC], ROOK_SHIFT)


@kernel
def fixed_bishop_index(sq: Square, occupied: Bits, t: Records) -> Word:
    """Where a bishop's attacks lie: the offset and the index, as in `record_index`, with a constant shift."""
    at = sq << 2  # the square's record: four words
    return t.bishop[at + _OFFSET] + hash_index(occupied, t.bishop[at], t.bishop[at + _MAGIC], BISHOP_SHIFT)


@kernel
def fixed_rook(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Rook attacks."""
    return t.attacks[fixed_rook_index(sq, occupied, t)]


@kernel
def fixed_bishop(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Bishop attacks."""
    return t.attacks[fixed_bishop_index(sq, occupied, t)]


def hashes(piece: str) -> tuple[Boards, Boards, Boards]:
    """Masks, factors and shifts by square."""
    shifts = [64 - int(mask).bit_count() for mask in masks(piece)]
    return masks(piece), factors(piece), np.array(shifts, U64)


def records(piece: str, offsets_: Boards) -> Boards:
    """(256,): mask, factor, shift and offset of each square side by side."""
    return side_by_side(*hashes(piece), offsets_)


def side_by_side(*columns: Boards) -> Boards:
    """(256,): the records of which each column has one number, by square."""
    return np.stack(columns, axis=1).reshape(-1)


def plain_tables() -> Plain:
    """As many slots for each square as the widest needs."""
    t = Plain(
        *hashes("rook"),
        np.zeros((64, ROOK_STRIDE), U64),
        *hashes("bishop"),
        np.zeros((64, BISHOP_STRIDE), U64),
    )

    def index(stride: int, hashes_: tuple[Boards, Boards, Boards]) -> Kernel:
        mask, magic, shift = hashes_
        return lambda sq, occupied, t: sq * U64(stride) + hash_index(occupied, mask[sq], magic[sq], shift[sq])

    fill(t.rook.reshape(-1), index(ROOK_STRIDE, t[0:3]), t, "rook")
    fill(t.bishop.reshape(-1), index(BISHOP_STRIDE, t[4:7]), t, "bishop")
    return t


def fancy_tables() -> Records:
    """One square behind the other, each with as many slots as it needs."""
    t = Records(
        records("rook", offsets("rook")),
        records("bishop", offsets("bishop", slots("rook"))),
        np.zeros(slots("rook") + slots("bishop"), U64),
    )
    fill(t.attacks, rook_index, t, "rook")
    fill(t.attacks, bishop_index, t, "bishop")
    return t


def shared_tables() -> Records:
    """The squares at equal strides, the bishops behind the rooks."""
    squares = np.arange(64, dtype=U64)
    t = Records(
        records("rook", squares * U64(ROOK_STRIDE)),
        records("bishop", U64(BISHOPS_START_FROM) + squares * U64(BISHOP_STRIDE)),
        np.zeros(64 * (ROOK_STRIDE + BISHOP_STRIDE), U64),
    )
    fill(t.attacks, rook_index, t, "rook")
    fill(t.attacks, bishop_index, t, "bishop")
    return t


def reduced_tables() -> Records:
    """As in `fancy`, with half as many slots for the squares whose factor has one bit less."""
    chosen = narrowest("rook") + narrowest("bishop")
    ends = np.cumsum([1 << factor.bits for factor in chosen], dtype=U64)
    columns = (
        np.concatenate([masks("rook"), masks("bishop")]),
        np.array([factor.magic for factor in chosen], U64),
        np.array([64 - factor.bits for factor in chosen], U64),
        np.array([0, *ends[:-1]], U64),
    )
    rook, bishop = (side_by_side(*(column[at : at + 64] for column in columns)) for at in (0, 64))
    t = Records(rook, bishop, np.zeros(int(ends[-1]), U64))
    fill(t.attacks, rook_index, t, "rook")
    fill(t.attacks, bishop_index, t, "bishop")
    return t


def fixed_shift_tables() -> Records:
    """As many slots as the packing has, fewer than those of `fancy`."""
    rook, bishop = (side_by_side(masks(piece), *packed_columns(piece, "fixed_shift")) for piece in ("rook", "bishop"))
    t = Records(rook, bishop, np.zeros(packed("fixed_shift")[0], U64))
    fill(t.attacks, fixed_rook_index, t, "rook")
    fill(t.attacks, fixed_bishop_index, t, "bishop")
    return t


MAGIC_PLAIN = Technique(
    Card(
        name="magic-plain",
        summary="mask, multiply, shift; a row of 4,096 or 512 slots a square",
        authors=("Lasse Hansen",),
        year=2006,
        source="Hansen, Winboard forum, 14 June 2006",
        needs=Needs.MULTIPLY,
        tables=plain_tables,
        kernels=Kernels(rook=plain_rook, bishop=plain_bishop),
    )
)
MAGIC_FANCY = Technique(
    Card(
        name="magic-fancy",
        summary="each square takes as many slots as it needs",
        authors=("Lasse Hansen", "Pradu Kannan"),
        year=2007,
        source="Kannan, Magic Move-Bitboard Generation in Computer Chess, 2007",
        needs=Needs.MULTIPLY,
        tables=fancy_tables,
        kernels=Kernels(rook=rook, bishop=bishop),
        gathers=False,
    )
)
MAGIC_SHARED = Technique(
    Card(
        name="magic-shared",
        summary="one record a square, one array for rooks and bishops",
        authors=("Lasse Hansen",),
        year=2006,
        source="chessprogramming wiki, Magic Bitboards",
        needs=Needs.MULTIPLY,
        tables=shared_tables,
        kernels=Kernels(rook=rook, bishop=bishop),
        gathers=False,
    )
)
MAGIC_REDUCED = Technique(
    Card(
        name="magic-reduced",
        summary="one index bit less wherever a factor for it is known",
        authors=("Grant Osborne", "Peter Oesterlund", "Volker Annuss", "Gerd Isenberg"),
        year=2008,
        source="Osborne, How to reduce the bits used in a magic number, talkchess 21329, 2008",
        needs=Needs.MULTIPLY,
        tables=reduced_tables,
        kernels=Kernels(rook=rook, bishop=bishop),
        gathers=False,
    )
)
MAGIC_FIXED_SHIFT = Technique(
    Card(
        name="magic-fixed-shift",
        summary="12 and 9 index bits on every square; squares laid into each other's gaps",
        authors=("Volker Annuss",),
        year=2017,
        source="Annuss, fixed shift magics, talkchess 64790, 2017",
        needs=Needs.MULTIPLY,
        tables=fixed_shift_tables,
        kernels=Kernels(rook=fixed_rook, bishop=fixed_bishop),
        gathers=False,
    )
)
