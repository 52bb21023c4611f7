"""Magic bitboards: mask, multiply, shift; the product's top bits index the attacks of both lines at once.

    mask      the relevant squares: the rays without their last squares
    o         the relevant occupancy: the occupied relevant squares
    magic     a factor that maps occupancies with different attacks to different indices
    shift     64 less the width of the index, which has as many bits as the mask

A bishop on d4, with b2, c5 and f6 occupied. The index is the top nine bits of the product, with h8 as the highest:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 27, Bitboard.of("d4", "b2", "c5", "f6", "h8", "d7"), plain_tables()
>>> mask, magic, shift = (Bitboard(column[sq]) for column in (t.bishop_mask, t.bishop_magic, t.bishop_shift))
>>> o = occupied & mask
>>> index = o * magic >> shift
>>> side_by_side({"occupied": occupied, "mask": mask, "o": o, "o * magic": o * magic, ">> shift": index,
...               "attacks": t.bishop[sq, index]})
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

The bishop does not see past c5. A piece on b6 changes the product, but the attacks at the new index are the same:

>>> behind = hash_index(occupied | Bitboard.of("b6"), mask, magic, shift)
>>> int(t.bishop[sq, behind]) == int(t.bishop[sq, index])
True

Two occupancies with equal attacks may have the same index and share its slot (a constructive collision). If the index
is as wide as the mask, no two need to, and with the factors of `plain`, `fancy` and `shared` none do. With one bit
less, as in `reduced`, some must. Lasse Hansen, 2006; Pradu Kannan's per-square widths, 2006-2007. The factors here were
found by `rookery magics find`. The files in `_magics` hold each factor with its seed, and `rookery magics check` finds
and checks them again.

    plain      attacks[sq][index], 4,096 slots for each rook square and 512 for each bishop square
    fancy      one array, in which each square has as many slots as it needs
    shared     the slots of `plain` in one array, the bishops' after the rooks', with one record for each square
    reduced    one index bit less wherever a factor for it is known: these squares take half as many slots
    fixed      12 index bits for every rook square and 9 for every bishop square: the shifts are constants. Many slots
               of a square are then unused, and other squares fill the gaps (by `rookery magics pack`)
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.techniques._filler import fill, masks, offsets, slots
from rookery.techniques._magics import factors, narrowest, packed, packed_columns
from rookery.techniques.base import Card, Kernel, Kernels, Needs, Technique

Boards = NDArray[np.uint64]

ROOK_STRIDE = 4096
BISHOP_STRIDE = 512
BISHOPS_START_FROM = 64 * ROOK_STRIDE
ROOK_SHIFT = 52
BISHOP_SHIFT = 55

_MAGIC, _SHIFT, _OFFSET = 1, 2, 3  # words of a record


class Plain(NamedTuple):
    """Masks, factors and shifts of each piece, and a row of attacks for each square."""

    rook_mask: Boards  # (64,)
    rook_magic: Boards
    rook_shift: Boards
    rook: Boards  # (64, 4096)
    bishop_mask: Boards
    bishop_magic: Boards
    bishop_shift: Boards
    bishop: Boards  # (64, 512)


class Records(NamedTuple):
    """A record for each square of each piece, and one array of attacks."""

    rook: Boards  # (256,): mask, magic, shift and offset of each square side by side
    bishop: Boards
    attacks: Boards


@kernel
def hash_index(occupied: Bits, mask: Bits, magic: Word, shift: Word) -> Word:
    """Return the index of an occupancy: mask, multiply, shift."""
    o = occupied & mask
    return (o * magic) >> shift  # the top bits of the product are the index


@kernel
def record_index(occupied: Bits, records: Boards, sq: Square) -> Word:
    """Return where a square's attacks are in the array: its offset plus the index.

    The words come from the square's record. Records sit in one flat array, where a shift finds them: in a table with
    rows, it would take a multiplication.
    """
    at = sq << 2  # the square's record: four words
    # the square's slots begin at its offset, and the index counts from there
    return records[at + _OFFSET] + hash_index(occupied, records[at], records[at + _MAGIC], records[at + _SHIFT])


# `plain`.


@kernel
def plain_rook(sq: Square, occupied: Bits, t: Plain) -> Bits:
    """Look up the attacks of a rook."""
    return t.rook[sq, hash_index(occupied, t.rook_mask[sq], t.rook_magic[sq], t.rook_shift[sq])]


@kernel
def plain_bishop(sq: Square, occupied: Bits, t: Plain) -> Bits:
    """Look up the attacks of a bishop."""
    return t.bishop[sq, hash_index(occupied, t.bishop_mask[sq], t.bishop_magic[sq], t.bishop_shift[sq])]


# `fancy`, `shared` and `reduced` differ only in their records.


@kernel
def rook_index(sq: Square, occupied: Bits, t: Records) -> Word:
    """Return where a rook's attacks are, by the rook's records."""
    return record_index(occupied, t.rook, sq)


@kernel
def bishop_index(sq: Square, occupied: Bits, t: Records) -> Word:
    """Return where a bishop's attacks are, by the bishop's records. Their offsets begin after the rooks' slots."""
    return record_index(occupied, t.bishop, sq)


@kernel
def rook(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Look up the attacks of a rook."""
    return t.attacks[rook_index(sq, occupied, t)]


@kernel
def bishop(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Look up the attacks of a bishop."""
    return t.attacks[bishop_index(sq, occupied, t)]


# `fixed`: constant shifts.


@kernel
def fixed_rook_index(sq: Square, occupied: Bits, t: Records) -> Word:
    """Return where a rook's attacks are: like `record_index`, with a constant shift."""
    at = sq << 2  # the square's record: four words
    return t.rook[at + _OFFSET] + hash_index(occupied, t.rook[at], t.rook[at + _MAGIC], ROOK_SHIFT)


@kernel
def fixed_bishop_index(sq: Square, occupied: Bits, t: Records) -> Word:
    """Return where a bishop's attacks are: like `record_index`, with a constant shift."""
    at = sq << 2  # the square's record: four words
    return t.bishop[at + _OFFSET] + hash_index(occupied, t.bishop[at], t.bishop[at + _MAGIC], BISHOP_SHIFT)


@kernel
def fixed_rook(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Look up the attacks of a rook."""
    return t.attacks[fixed_rook_index(sq, occupied, t)]


@kernel
def fixed_bishop(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Look up the attacks of a bishop."""
    return t.attacks[fixed_bishop_index(sq, occupied, t)]


def hashes(piece: str) -> tuple[Boards, Boards, Boards]:
    """Return the masks, factors and shifts of a piece, by square."""
    shifts = [64 - int(mask).bit_count() for mask in masks(piece)]
    return masks(piece), factors(piece), np.array(shifts, U64)


def records(piece: str, offsets_: Boards) -> Boards:
    """Return a piece's records, (256,): mask, factor, shift and offset of each square in turn."""
    return interleaved(*hashes(piece), offsets_)


def interleaved(*columns: Boards) -> Boards:
    """Return records, (256,), each made of one number from every column."""
    return np.stack(columns, axis=1).reshape(-1)


def plain_tables() -> Plain:
    """Build tables with as many slots for each square as the widest square needs."""
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
    """Build tables with as many slots for each square as it needs."""
    t = Records(
        records("rook", offsets("rook")),
        records("bishop", offsets("bishop", slots("rook"))),
        np.zeros(slots("rook") + slots("bishop"), U64),
    )
    fill(t.attacks, rook_index, t, "rook")
    fill(t.attacks, bishop_index, t, "bishop")
    return t


def shared_tables() -> Records:
    """Build tables with equal strides for the squares, the bishops' after the rooks'."""
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
    """Build tables like those of `fancy`, with half as many slots for squares whose factor has one index bit less."""
    chosen = narrowest("rook") + narrowest("bishop")
    ends = np.cumsum([1 << factor.bits for factor in chosen], dtype=U64)
    columns = (
        np.concatenate([masks("rook"), masks("bishop")]),
        np.array([factor.magic for factor in chosen], U64),
        np.array([64 - factor.bits for factor in chosen], U64),
        np.array([0, *ends[:-1]], U64),
    )
    rook, bishop = (interleaved(*(column[at : at + 64] for column in columns)) for at in (0, 64))
    t = Records(rook, bishop, np.zeros(int(ends[-1]), U64))
    fill(t.attacks, rook_index, t, "rook")
    fill(t.attacks, bishop_index, t, "bishop")
    return t


def fixed_shift_tables() -> Records:
    """Build tables with the slots of the packing, which are fewer than those of `fancy`."""
    rook, bishop = (interleaved(masks(piece), *packed_columns(piece, "fixed_shift")) for piece in ("rook", "bishop"))
    t = Records(rook, bishop, np.zeros(packed("fixed_shift")[0], U64))
    fill(t.attacks, fixed_rook_index, t, "rook")
    fill(t.attacks, fixed_bishop_index, t, "bishop")
    return t


MAGIC_PLAIN = Technique(
    Card(
        name="magic-plain",
        summary="mask, multiply, shift; a row of 4,096 or 512 slots per square",
        authors=("Lasse Hansen",),
        year=2006,
        source="Hansen, Winboard forum, 14 June 2006",
        users="BBC, a teaching engine, and Cfish, as an option of its build",
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
        users="Stockfish until 2026, Crafty, Arasan and Houdini (chessprogramming wiki, Magic Bitboards)",
        needs=Needs.MULTIPLY,
        tables=fancy_tables,
        kernels=Kernels(rook=rook, bishop=bishop),
        gathers=False,
    )
)
MAGIC_SHARED = Technique(
    Card(
        name="magic-shared",
        summary="one record per square, one array for rooks and bishops",
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
        users="shakmaty, a chess library in Rust (src/attacks.rs)",
        needs=Needs.MULTIPLY,
        tables=fixed_shift_tables,
        kernels=Kernels(rook=fixed_rook, bishop=fixed_bishop),
        gathers=False,
    )
)
