"""Folded magic bitboards: a square, and the board with it, is flipped into a half, a quarter or an eighth of the board.

    flip        ranks 1 to 4 onto ranks 8 to 5: a byte swap
    mirror      files e to h onto files d to a
    transpose   of the quarter a5-d8, one half onto the other, about the diagonal a8-h1
    away        all ones where the square has to be moved, else 0: selects without a branch. Of more than one move:
                down (flip), across (mirror), over (transpose)

The attacks of a square are those of its image, flipped back, so that only the images need masks, factors and slots. A
rook on h3 goes to h6, a6 and c8, and the board with it; there it is looked up, and the way is gone back:

>>> from rookery.bitboard import Bitboard
>>> from rookery import beside
>>> sq, occupied, t = 23, Bitboard.of("h3", "e3", "h6", "h7", "c6"), tables_8()
>>> flipped = flip_vertical(occupied)
>>> mirrored = mirror_horizontal(flipped)
>>> transposed_ = flip_antidiagonal(mirrored)
>>> found = t.attacks[record_index(transposed_, t.rook, 58)]
>>> beside({"occupied": occupied, "flip": flipped, "mirror": mirrored, "transpose": transposed_,
...         "attacks of c8": found, "attacks of h3": rook_8(sq, occupied, t)})
occupied          flip              mirror            transpose         attacks of c8     attacks of h3
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . . 1 1 .   1 1 . 1 1 1 . .   . . . . . . . .
. . . . . . . 1   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . . . . .   . . . . . . . .
. . 1 . . . . 1   . . . . 1 . . 1   1 . . 1 . . . .   . . . . . . . .   . . 1 . . . . .   . . . . . . . 1
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . 1 . . . . .   . . 1 . . . . .   . . . . . . . 1
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . 1
. . . . 1 . . 1   . . 1 . . . . 1   1 . . . . 1 . .   . . . . . 1 . .   . . . . . . . .   . . . . 1 1 1 .
. . . . . . . .   . . . . . . . 1   1 . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . 1
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . 1

Each piece folds to where magic factors with one bit less than the relevant occupancy are known (of the rook on ranks 7
and 8 alone): folded twice to the upper half; four times to its left; eight times the rook to the rank side of the
diagonal, the bishop to the file side. Other squares are laid into what a square leaves free of its slots, if they fit:
with these factors none does, and the tables are as long as the sum of their squares.

First described here, 2026: no earlier description of folded tables is known to us.
"""

import numpy as np
from numpy.typing import NDArray

from rookery.bits import flip_antidiagonal, flip_vertical, mirror_horizontal
from rookery.kernel import U64, UNIVERSE, Bits, Square, Word, kernel
from rookery.technique import Card, Kernels, Needs, Technique
from rookery.techniques._filler import first_fit, masks, place, relevant_cases
from rookery.techniques._magics import narrowest
from rookery.techniques.magic import Records, hash_index, record_index

Boards = NDArray[np.uint64]

_RANK_FLIP, _FILE_FLIP = 56, 7
_LOW_BITS = 7


@kernel
def selected(a: Bits, b: Bits, away: Word) -> Bits:
    """`b` where `away` is all ones, `a` where it is 0."""
    return a ^ ((a ^ b) & away)


@kernel
def below(sq: Square) -> Word:
    """All ones on ranks 1 to 4."""
    return (sq >> 5) - 1


@kernel
def right(sq: Square) -> Word:
    """All ones on files e to h."""
    return -((sq >> 2) & 1)


@kernel
def file_side(sq: Square) -> Word:
    """Of the quarter a5-d8, all ones nearer to the a-file than to the eighth rank."""
    return -((((sq & _LOW_BITS) + (sq >> 3)) - _LOW_BITS) >> 63)


@kernel
def rank_side(sq: Square) -> Word:
    """Of the quarter a5-d8, all ones nearer to the eighth rank than to the a-file."""
    return -((_LOW_BITS - ((sq & _LOW_BITS) + (sq >> 3))) >> 63)


@kernel
def transposed(sq: Square) -> Square:
    """The square mirrored at the diagonal a8-h1: rank and file trade places, each counted from the other end."""
    return ((_LOW_BITS - (sq & _LOW_BITS)) << 3) | (_LOW_BITS - (sq >> 3))


@kernel
def by_halves(sq: Square, occupied: Bits, records: Boards, attacks: Boards) -> Bits:
    """One fold: flip, look up, flip back."""
    away = below(sq)
    o = selected(occupied, flip_vertical(occupied), away)  # the board is flipped where its square is in the other half
    found = attacks[record_index(o, records, sq ^ (_RANK_FLIP & away))]  # the table knows one half
    return selected(found, flip_vertical(found), away)


@kernel
def by_quarters(sq: Square, occupied: Bits, records: Boards, attacks: Boards) -> Bits:
    """Two folds: flip and mirror."""
    down = below(sq)  # all ones where the square has to go to the upper half, else 0
    across = right(sq)  # all ones where it has to go to the half of the a-file, else 0
    o = selected(occupied, flip_vertical(occupied), down)  # the board goes to the half whose squares have tables
    o = selected(o, mirror_horizontal(o), across)  # the board goes on to the quarter of the a-file
    # the table knows one quarter
    found = attacks[record_index(o, records, sq ^ (_RANK_FLIP & down) ^ (_FILE_FLIP & across))]
    found = selected(found, mirror_horizontal(found), across)  # the answer goes the way back
    return selected(found, flip_vertical(found), down)


@kernel
def by_eighths(sq: Square, occupied: Bits, to_file_side: Word, records: Boards, attacks: Boards) -> Bits:
    """Three folds: flip, mirror and transpose. `to_file_side` is 0 or all ones, a constant of the piece."""
    down = below(sq)  # all ones where the square has to go to the upper half, else 0
    across = right(sq)  # all ones where it has to go to the half of the a-file, else 0
    o = selected(occupied, flip_vertical(occupied), down)  # the board goes to the half whose squares have tables
    o = selected(o, mirror_horizontal(o), across)  # the board goes on to the quarter of the a-file
    s = sq ^ (_RANK_FLIP & down) ^ (_FILE_FLIP & across)  # where the square has come to
    over = selected(file_side(s), rank_side(s), to_file_side)  # which squares have to go over the diagonal
    o = selected(o, flip_antidiagonal(o), over)  # the board goes on over the diagonal a8-h1 to its eighth
    found = attacks[record_index(o, records, selected(s, transposed(s), over))]  # the table knows one eighth
    found = selected(found, flip_antidiagonal(found), over)  # the answer goes the way back
    found = selected(found, mirror_horizontal(found), across)  # the answer goes the way back
    return selected(found, flip_vertical(found), down)


# The kernels of the records.


@kernel
def rook_2(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Rook attacks."""
    return by_halves(sq, occupied, t.rook, t.attacks)


@kernel
def bishop_2(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Bishop attacks."""
    return by_halves(sq, occupied, t.bishop, t.attacks)


@kernel
def rook_4(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Rook attacks."""
    return by_quarters(sq, occupied, t.rook, t.attacks)


@kernel
def bishop_4(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Bishop attacks."""
    return by_quarters(sq, occupied, t.bishop, t.attacks)


@kernel
def rook_8(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Rook attacks: what lies on the file side goes over to the rank side."""
    return by_eighths(sq, occupied, 0, t.rook, t.attacks)


@kernel
def bishop_8(sq: Square, occupied: Bits, t: Records) -> Bits:
    """Bishop attacks: what lies on the rank side goes over to the file side."""
    return by_eighths(sq, occupied, UNIVERSE, t.bishop, t.attacks)


def images(folds: int, piece: str) -> list[int]:
    """The squares that are folded onto, of 64, by a half, a quarter or an eighth."""
    squares = [sq for sq in range(32, 64) if folds == 2 or sq % 8 < 4]
    if folds == 8:
        other_side = file_side if piece == "rook" else rank_side
        squares = [sq for sq in squares if not other_side(sq)]
    return squares


def layout(folds: int) -> Records:
    """The records of both pieces, zeros for squares that are folded away, and the attacks of the images, laid into each
    other's gaps.
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
    """Half of the squares."""
    return layout(2)


def tables_4() -> Records:
    """A quarter of the squares."""
    return layout(4)


def tables_8() -> Records:
    """Ten squares for each piece."""
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
