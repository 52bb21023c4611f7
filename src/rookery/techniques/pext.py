"""PEXT: one instruction gathers the relevant occupancy into an index.

    mask      the relevant squares of a piece
    records   four words for each square: the rook's mask, the bishop's mask, both offsets in one word, and 0
    attacks   the attack set of every relevant occupancy of every square
    entries   the attack sets in 16 bits each: a slider attacks at most 14 squares of its rays, over which PDEP scatters
              the bits

A rook on d4, with b4, d6 and g4 occupied. The ten bits of the mask become a number, drawn from a1 on, with d2 as its
lowest bit and d7 as its highest. The index is this number plus the square's offset:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 27, Bitboard.of("d4", "b4", "d6", "g4", "h4", "f6"), tables()
>>> mask = Bitboard(t.records[sq << 2])
>>> side_by_side({"occupied": occupied, "mask": mask, "occupied & mask": occupied & mask, "pext": pext(occupied, mask),
...               "attacks": rook(sq, occupied, t)})
occupied          mask              occupied & mask   pext              attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . 1 . 1 . .   . . . 1 . . . .   . . . 1 . . . .   . . . . . . . .   . . . 1 . . . .
. . . . . . . .   . . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . . 1 . . . .
. 1 . 1 . . 1 1   . 1 1 . 1 1 1 .   . 1 . . . . 1 .   . . . . . . . .   . 1 1 . 1 1 1 .
. . . . . . . .   . . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . . 1 . . . .
. . . . . . . .   . . . 1 . . . .   . . . . . . . .   1 . . . . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . . . 1 .   . . . 1 . . . .

An entry of 16 bits has one bit for each square of the rays. PDEP turns it into the attacks:

>>> t16 = pdep_tables()
>>> entry, rays = int(t16.entries[rook_index(sq, occupied, t16)]), t16.rook_rays[sq]
>>> side_by_side({"entry": entry, "rays": rays, "pdep": pdep(entry, rays)})
entry             rays              pdep
. . . . . . . .   . . . 1 . . . .   . . . . . . . .
. . . . . . . .   . . . 1 . . . .   . . . . . . . .
. . . . . . . .   . . . 1 . . . .   . . . 1 . . . .
. . . . . . . .   . . . 1 . . . .   . . . 1 . . . .
. . . . . . . .   1 1 1 . 1 1 1 1   . 1 1 . 1 1 1 .
. . . . . . . .   . . . 1 . . . .   . . . 1 . . . .
1 . 1 1 . . . .   . . . 1 . . . .   . . . 1 . . . .
1 1 1 . 1 1 1 1   . . . 1 . . . .   . . . 1 . . . .

BMI2 introduced the instruction in 2013 (Intel Haswell). AMD's CPUs before Zen 3 run it slowly, in microcode. Other CPUs
use a portable twin with the same results. Zach Wegner, 2013.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, Bits, Square, Word, kernel, pdep, pext, pext_portable
from rookery.techniques._filler import fill, masks, offsets, rays, relevant_cases, slots
from rookery.techniques.base import Card, Kernel, Kernels, Needs, Technique, Variant

Boards = NDArray[np.uint64]

_LOW_HALF = 0xFFFF_FFFF
_BISHOP, _OFFSETS = 1, 2


class Gathered(NamedTuple):
    """Masks and offsets by square, and the attacks."""

    records: Boards  # (256,): four words for each square
    attacks: Boards  # one slot for each relevant occupancy of each square


class Deposited(NamedTuple):
    """Masks and offsets by square, the rays, and the attacks in 16 bits each."""

    records: Boards  # (256,): four words for each square, the same as those of `pext`
    rook_rays: Boards  # (64,): the attacks on the empty board
    bishop_rays: Boards
    entries: NDArray[np.uint16]  # one slot for each relevant occupancy of each square


# Loads dominate the cost of a queen: eight when each record had four separate words. Records in rows of a table gave
# 555 M/s, in one flat array, where a shift finds the record, 583, and with both offsets in one word 599 (AMD Zen 4,
# 8,192 positions).


@kernel
def rook_index(sq: Square, occupied: Bits, t: Gathered | Deposited) -> Word:
    """Return the index of a rook's attacks: the square's offset plus the gathered bits."""
    at = sq << 2  # the square's record: four words
    mask = t.records[at]  # the relevant squares
    offset: Word = t.records[at + _OFFSETS] & _LOW_HALF  # where the square's slots begin: the lower half of a word
    return offset + pext(occupied, mask)  # the bits of the occupancy under the mask, gathered, are the slot's number


@kernel
def bishop_index(sq: Square, occupied: Bits, t: Gathered | Deposited) -> Word:
    """Return the index of a bishop's attacks: the square's offset plus the gathered bits."""
    at = sq << 2  # the square's record: four words
    mask = t.records[at + _BISHOP]  # the relevant squares
    offset: Word = t.records[at + _OFFSETS] >> 32  # where the square's slots begin: the upper half of a word
    return offset + pext(occupied, mask)  # the bits of the occupancy under the mask, gathered, are the slot's number


@kernel
def rook(sq: Square, occupied: Bits, t: Gathered) -> Bits:
    """Look up the attacks of a rook."""
    return t.attacks[rook_index(sq, occupied, t)]


@kernel
def bishop(sq: Square, occupied: Bits, t: Gathered) -> Bits:
    """Look up the attacks of a bishop."""
    return t.attacks[bishop_index(sq, occupied, t)]


@kernel
def pdep_rook(sq: Square, occupied: Bits, t: Deposited) -> Bits:
    """Look up the attacks of a rook and scatter their bits over its rays."""
    return pdep(U64(t.entries[rook_index(sq, occupied, t)]), t.rook_rays[sq])


@kernel
def pdep_bishop(sq: Square, occupied: Bits, t: Deposited) -> Bits:
    """Look up the attacks of a bishop and scatter their bits over its rays."""
    return pdep(U64(t.entries[bishop_index(sq, occupied, t)]), t.bishop_rays[sq])


def tables() -> Gathered:
    """Build the records and the attacks."""
    both_offsets = offsets("rook") | (offsets("bishop", slots("rook")) << U64(32))
    records = np.stack([masks("rook"), masks("bishop"), both_offsets, np.zeros(64, U64)], axis=1)
    t = Gathered(records.reshape(-1), np.zeros(slots("rook") + slots("bishop"), U64))
    fill(t.attacks, rook_index, t, "rook")
    fill(t.attacks, bishop_index, t, "bishop")
    return t


def pdep_tables() -> Deposited:
    """Build the records, the rays and the attacks in 16 bits each."""
    t = Deposited(tables().records, rays("rook"), rays("bishop"), np.zeros(slots("rook") + slots("bishop"), np.uint16))
    indices: dict[str, Kernel] = {"rook": rook_index, "bishop": bishop_index}
    for piece, index in indices.items():
        rays_ = rays(piece)
        for sq in range(64):
            occupied, attacks = relevant_cases(piece, sq)
            t.entries[index(U64(sq), occupied, t)] = pext_portable(attacks, rays_[sq])
    return t


PEXT = Technique(
    Card(
        name="pext",
        summary="the CPU's bit extraction is the index",
        authors=("Zach Wegner",),
        year=2013,
        source="chessprogramming wiki, BMI2; Wegner's PEXT bitboards, 2013",
        users="Stockfish until 2026, on CPUs with a fast PEXT (removed by pull request 6939)",
        needs=Needs.PEXT,
        tables=tables,
        kernels=Kernels(rook=rook, bishop=bishop),
        variants=(
            Variant(
                "hypercube",
                authors=("Daniel Infuehr",),
                year=2021,
                source="Chess_Movegen, Hyperchess.hpp",
                difference="keeps the index of every square from move to move instead of gathering it",
            ),
        ),
    )
)
PEXT_PDEP16 = Technique(
    Card(
        name="pext-pdep16",
        summary="16 bits a slot, scattered over the rays by the CPU's bit deposit",
        authors=("Zach Wegner",),
        year=2013,
        source="chessprogramming wiki, BMI2; Wegner's PEXT bitboards, 2013",
        users="Cfish, on CPUs with BMI2",
        needs=Needs.PEXT | Needs.PDEP,
        tables=pdep_tables,
        kernels=Kernels(rook=pdep_rook, bishop=pdep_bishop),
        gathers=False,
    )
)
