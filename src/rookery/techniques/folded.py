"""Folded magic bitboards: the square and the board are flipped into a half, a quarter or an eighth of the board.

    flip        ranks 1 to 4 onto ranks 8 to 5: a byte swap
    mirror      files e to h onto files d to a
    transpose   one half of the quarter a5-d8 onto the other, about the diagonal a8-h1
    away        all ones if the square has to be moved, else 0: selects without a branch. If there are several moves:
                down (flip), across (mirror), over (transpose)

The attacks of a square are those of its image, flipped back, so only the images need masks, factors and slots. A rook
on h3 moves to h6, a6 and c8, and the board with it. The attacks are looked up there, and flipped back:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied, t = 23, Bitboard.of("h3", "e3", "h6", "h7", "c6"), tables_8()
>>> flipped = flip_vertical(occupied)
>>> mirrored = mirror_horizontal(flipped)
>>> transposed_ = flip_antidiagonal(mirrored)
>>> found = t.attacks[record_index(transposed_, t.rook, 58)]
>>> side_by_side({"occupied": occupied, "flip": flipped, "mirror": mirrored, "transpose": transposed_,
...               "attacks of c8": found, "attacks of h3": rook_8(sq, occupied, t)})
occupied          flip              mirror            transpose         attacks of c8     attacks of h3
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . . 1 1 .   1 1 . 1 1 1 . .   . . . . . . . .
. . . . . . . 1   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . . . . .   . . . . . . . .
. . 1 . . . . 1   . . . . 1 . . 1   1 . . 1 . . . .   . . . . . . . .   . . 1 . . . . .   . . . . . . . 1
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . . . . .   . . 1 . . . . .   . . . . . . . 1
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . 1
. . . . 1 . . 1   . . 1 . . . . 1   1 . . . . 1 . .   . . . . . 1 . .   . . . . . . . .   . . . . 1 1 1 .
. . . . . . . .   . . . . . . . 1   1 . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . 1
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . 1

Each piece is folded to squares for which magic factors with one index bit less than the relevant occupancy are known
(for the rook, only on ranks 7 and 8). `magic-folded-2` folds to the upper half, `magic-folded-4` to its left half, and
`magic-folded-8` to one side of the diagonal: the rank side for the rook, the file side for the bishop. Squares may fill
the slots that other squares leave unused. With these factors none fits, and the tables are as long as the sum of their
squares.

First described here, 2026: no earlier description of folded tables is known to us.
"""

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import flip_antidiagonal, flip_vertical, mirror_horizontal
from rookery.kernel import U64, UNIVERSE, Bits, Square, Word, kernel
from rookery.techniques._filler import first_fit, masks, place, relevant_cases
from rookery.techniques._magics import narrowest
from rookery.techniques.base import Card, Kernels, Needs, Technique
from rookery.techniques.magic import Records, hash_index, record_index

Boards = NDArray[np.uint64]

_RANK_FLIP, _FILE_FLIP = 56, 7
_LOW_BITS = 7


@kernel
def selected(a: Bits, b: Bits, away: Word) -> Bits:
    """Choose without a branch: `b` if `away` is all ones, `a` if it is 0."""
    return a ^ ((a ^ b) & away)


@kernel
def below(sq: Square) -> Word:
    """Return all ones on ranks 1 to 4, else 0."""
    return (sq >> 5) - 1


@kernel
def right(sq: Square) -> Word:
    """Return all ones on files e to h, else 0."""
    return -((sq >> 2) & 1)


@kernel
def file_side(sq: Square) -> Word:
    """Return all ones for squares of the quarter a5-d8 nearer to the a-file than to the eighth rank, else 0."""
    return -((((sq & _LOW_BITS) + (sq >> 3)) - _LOW_BITS) >> 63)


@kernel
def rank_side(sq: Square) -> Word:
    """Return all ones for squares of the quarter a5-d8 nearer to the eighth rank than to the a-file, else 0."""
    return -((_LOW_BITS - ((sq & _LOW_BITS) + (sq >> 3))) >> 63)


@kernel
def transposed(sq: Square) -> Square:
    """Return the square mirrored at the diagonal a8-h1: rank and file are swapped, each counted from the other end."""
    return ((_LOW_BITS - (sq & _LOW_BITS)) << 3) | (_LOW_BITS - (sq >> 3))


@kernel
def by_halves(sq: Square, occupied: Bits, records: Boards, attacks: Boards) -> Bits:
    """Fold once: flip, look up, flip back."""
    away = below(sq)
    o = selected(occupied, flip_vertical(occupied), away)  # the board is flipped if its square is in the other half
    found = attacks[record_index(o, records, sq ^ (_RANK_FLIP & away))]  # the table covers one half
    return selected(found, flip_vertical(found), away)


@kernel
def by_quarters(sq: Square, occupied: Bits, records: Boards, attacks: Boards) -> Bits:
    """Fold twice: flip and mirror."""
    down = below(sq)  # all ones if the square has to move to the upper half, else 0
    across = right(sq)  # all ones if it has to move to the half of the a-file, else 0
    o = selected(occupied, flip_vertical(occupied), down)  # the board moves to the upper half
    o = selected(o, mirror_horizontal(o), across)  # the board moves to the quarter of the a-file
    # the table covers one quarter
    found = attacks[record_index(o, records, sq ^ (_RANK_FLIP & down) ^ (_FILE_FLIP & across))]
    found = selected(found, mirror_horizontal(found), across)  # the attacks are flipped back
    return selected(found, flip_vertical(found), down)


@kernel
def by_eighths(sq: Square, occupied: Bits, to_file_side: Word, records: Boards, attacks: Boards) -> Bits:
    """Fold three times: flip, mirror and transpose.

    `to_file_side` is 0 or all ones, a constant of the piece.
    """
    down = below(sq)  # all ones if the square has to move to the upper half, else 0
    across = right(sq)  # all ones if it has to move to the half of the a-file, else 0
    o = selected(occupied, flip_vertical(occupied), down)  # the board moves to the upper half
    o = selected(o, mirror_horizontal(o), across)  # the board moves to the quarter of the a-file
    s: Square = sq ^ (_RANK_FLIP & down) ^ (_FILE_FLIP & across)  # the square in this quarter
    over = selected(file_side(s), rank_side(s), to_file_side)  # all ones if it has to move across the diagonal, else 0
    o = selected(o, flip_antidiagonal(o), over)  # the board moves across the diagonal a8-h1 to its eighth
    found = attacks[record_index(o, records, selected(s, transposed(s), over))]  # the table covers one eighth
    found = selected(found, flip_antidiagonal(found), over)  # the attacks are flipped back
    found = selected(found, mirror_horizontal(found), across)  # the attacks are flipped back
    return selected(found, flip_vertical(found), down)


# The kernels of the techniques.


@kernel
def rook_2(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Return the attacks of a rook."""
    return by_halves(sq, occupied, t.rook, t.attacks)


@kernel
def bishop_2(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Return the attacks of a bishop."""
    return by_halves(sq, occupied, t.bishop, t.attacks)


@kernel
def rook_4(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Return the attacks of a rook."""
    return by_quarters(sq, occupied, t.rook, t.attacks)


@kernel
def bishop_4(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Return the attacks of a bishop."""
    return by_quarters(sq, occupied, t.bishop, t.attacks)


@kernel
def rook_8(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Return the attacks of a rook: squares on the file side move to the rank side."""
    return by_eighths(sq, occupied, 0, t.rook, t.attacks)


@kernel
def bishop_8(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Return the attacks of a bishop: squares on the rank side move to the file side."""
    return by_eighths(sq, occupied, UNIVERSE, t.bishop, t.attacks)


def images(folds: int, piece: str) -> list[int]:
    """Return the squares onto which the board is folded: a half, a quarter or an eighth of it."""
    squares = [sq for sq in range(32, 64) if folds == 2 or sq % 8 < 4]
    if folds == 8:
        other_side = file_side if piece == "rook" else rank_side
        squares = [sq for sq in squares if not other_side(sq)]
    return squares


def layout(folds: int) -> Records:
    """Build the records of both pieces, zeros for squares that are folded away, and the attacks of the images.

    The slots of some images may lie in gaps between those of others.
    """
    cases = [(piece, sq) for piece in ("rook", "bishop") for sq in images(folds, piece)]
    indices: list[Boards] = []
    records = {"rook": np.zeros((64, 4), U64), "bishop": np.zeros((64, 4), U64)}
    for piece, sq in cases:
        mask, factor = masks(piece)[sq], narrowest(piece)[sq]
        magic, shift = U64(factor.magic), U64(64 - factor.bits)
        records[piece][sq] = mask, magic, shift, 0
        indices.append(hash_index(relevant_cases(piece, sq)[0], mask, magic, shift))
    offsets = first_fit([np.unique(index) for index in indices])
    attacks = np.zeros(1 + max(start + int(index.max()) for start, index in zip(offsets, indices, strict=True)), U64)
    for (piece, sq), start, index in zip(cases, offsets, indices, strict=True):
        records[piece][sq, 3] = start
        place(attacks, index + U64(start), relevant_cases(piece, sq)[1])
    return Records(records["rook"].reshape(-1), records["bishop"].reshape(-1), attacks)


def tables_2() -> Records:
    """Build tables for half of the squares."""
    return layout(2)


def tables_4() -> Records:
    """Build tables for a quarter of the squares."""
    return layout(4)


def tables_8() -> Records:
    """Build tables for ten squares of each piece."""
    return layout(8)


_AUTHORS = ("the authors of rookery",)
_SOURCE = "first described here; narrow factors from the chessprogramming wiki, Best Magics so far"

MAGIC_FOLDED_2 = Technique(
    Card(
        name="magic-folded-2",
        summary="the lower half flipped onto the upper before the look-up",
        authors=_AUTHORS,
        year=2026,
        source=_SOURCE,
        needs=Needs.MULTIPLY | Needs.BYTESWAP,
        tables=tables_2,
        kernels=Kernels(rook=rook_2, bishop=bishop_2),
    )
)
MAGIC_FOLDED_4 = Technique(
    Card(
        name="magic-folded-4",
        summary="flipped and mirrored onto a quarter of the board",
        authors=_AUTHORS,
        year=2026,
        source=_SOURCE,
        needs=Needs.MULTIPLY | Needs.BYTESWAP,
        tables=tables_4,
        kernels=Kernels(rook=rook_4, bishop=bishop_4),
    )
)
MAGIC_FOLDED_8 = Technique(
    Card(
        name="magic-folded-8",
        summary="flipped, mirrored and transposed onto ten squares",
        authors=_AUTHORS,
        year=2026,
        source=_SOURCE,
        needs=Needs.MULTIPLY | Needs.BYTESWAP,
        tables=tables_8,
        kernels=Kernels(rook=rook_8, bishop=bishop_8),
    )
)
