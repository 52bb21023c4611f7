"""Kernels of the features of Stockfish's nets: where pieces stand, what they attack, and which pawns stand together.

    side    whose list is written
    v       the position as that side sees it, which moves up the board; its own pieces are `us`
    k, s    the squares of its own king and of a piece, in that view
    plane   kind and side of a piece: own pawn 0, their pawn 1, own knight 2, ..., their queen 9, own king 10

An entry writes one list after the other, sorted only as far as its loops are, and stops at the first position for which
there may be too little room. It returns the number of positions done.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bitboards.bits import mirror_horizontal
from rookery.kernel import U64, Bits, Square, Word, array_of, entry, kernel, popcount, signed, trailing_zeros
from rookery.positions.kernels.lanes import load, view_of
from rookery.positions.layout import SIDES, empty_columns
from rookery.positions.queries.attacks import sided
from rookery.rules.attack_tables import EMPTY_BISHOP, EMPTY_ROOK, KNIGHT_MOVES, PAWN_ATTACKS
from rookery.rules.compiled import default_technique
from rookery.techniques.base.protocol import Bishop, Rook, attacks, prepare

MOST: Final = 512  # features of one position: 64 queens have fewer than eight targets each
E_TO_H: Final = 0xF0F0_F0F0_F0F0_F0F0
PLANES: Final = 10  # without kings
KING_PLANE: Final = 10


class Sides(NamedTuple):
    """A position seen from a perspective: its kinds of pieces, and the pieces of each side."""

    pawns: Bits
    knights: Bits
    diagonals: Bits
    orthogonals: Bits
    kings: Bits
    us: Bits
    them: Bits


@kernel
def mirrored(v: Any, mask: Bits) -> Sides:
    """Return the position with files swapped where `mask` is the universe."""
    return Sides(
        swapped(v.pawns, mask),
        swapped(v.knights, mask),
        swapped(v.diagonals, mask),
        swapped(v.orthogonals, mask),
        swapped(v.kings, mask),
        swapped(v.us, mask),
        swapped(v.them, mask),
    )


@kernel
def swapped(b: Bits, mask: Bits) -> Bits:
    """Mirror a board where `mask` is the universe."""
    return b ^ ((b ^ mirror_horizontal(b)) & mask)


@kernel
def king_within(v: Any, files: Bits) -> Bits:
    """Return the universe if the own king is on some files, else the empty board."""
    return -U64(1) if v.kings & v.us & files else U64(0)


@kernel
def of_plane(v: Any, plane: Word) -> Bits:
    """Return the pieces of a plane from 0 to 9."""
    kind = plane >> 1
    pieces = v.pawns
    if kind == 1:
        pieces = v.knights
    if kind == 2:
        pieces = v.diagonals & ~v.orthogonals
    if kind == 3:
        pieces = v.orthogonals & ~v.diagonals
    if kind == 4:
        pieces = v.diagonals & v.orthogonals
    return pieces & (v.them if plane & 1 else v.us)


@kernel
def write_pieces(out: Any, n: Word, pieces: Bits, first: Word) -> Word:
    """Write ``first + square`` for each square of a set. Return the place behind the last."""
    while pieces:
        out[n] = np.int32(first + trailing_zeros(pieces))
        n = n + 1
        pieces = pieces & (pieces - 1)
    return n


@kernel
def write_planes(out: Any, n: Word, v: Any, first: Word) -> Word:
    """Write ``first + 64 * plane + square`` for all pieces but kings."""
    for plane in range(PLANES):
        n = write_pieces(out, n, of_plane(v, U64(plane)), first + 64 * U64(plane))
    return n


# How a set numbers pieces by the square of the own king.
HALF_KP, HALF_KA, HALF_KA_MIRRORED, HALF_KA_SPLIT_KINGS = range(4)


@entry(examples=lambda: (SIDES["us"], HALF_KP, empty_columns(1), array_of(np.int64), array_of(np.int32)))
def piece_squares(side: Any, numbering: Any, c: Any, offsets: Any, out: Any) -> Any:
    """Write first + 64 plane + s for each piece; the own king's square decides the first number.

    `HALF_KP` leaves out kings, begins with 641 k + 1, and rotates the board for black. The others flip it. `HALF_KA`
    begins with 704 k, both kings in plane 10. The mirrored sets bring the own king to one of 32 squares on files e to
    h, the bucket, and begin with 704 bucket, or with 768 bucket where the other king has plane 11.
    """
    n: Word = 0
    for i in range(c.state.size):
        if n + MOST > U64(out.size):
            return i
        p = load(c, i)
        black = sided(p, side).black
        seen = view_of(p, black)
        mirror = black if numbering == HALF_KP else U64(0)
        if numbering >= HALF_KA_MIRRORED:
            mirror = ~king_within(seen, E_TO_H)
        v = mirrored(seen, mirror)
        king = trailing_zeros(v.kings & v.us) & 63
        bucket = 28 - 4 * (king >> 3) + (7 - (king & 7))
        first = 641 * king + 1 if numbering == HALF_KP else 704 * king
        if numbering == HALF_KA_MIRRORED:
            first = 704 * bucket
        if numbering == HALF_KA_SPLIT_KINGS:
            first = 768 * bucket
        n = write_planes(out, n, v, first)
        if numbering != HALF_KP:
            apart = U64(64) if numbering == HALF_KA_SPLIT_KINGS else U64(0)
            n = write_pieces(out, n, v.kings & v.us, first + 64 * KING_PLANE)
            n = write_pieces(out, n, v.kings & v.them, first + 64 * KING_PLANE + apart)
        offsets[i + 1] = n
    return c.state.size


# Threats. An attacker's plane has an index for each kind and side of target and each square that it attacks on an empty
# board: `_FIRST[plane, target's plane]` is the first of a pair, `_BEFORE[shape, s]` counts those of lower squares.

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN = range(5)
_SLOTS: Final = {  # the kinds of targets of each kind, in the order of their numbers
    _PAWN: (_KNIGHT, _ROOK),
    _KNIGHT: (_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN),
    _BISHOP: (_PAWN, _KNIGHT, _BISHOP, _ROOK),
    _ROOK: (_PAWN, _KNIGHT, _BISHOP, _ROOK),
    _QUEEN: (_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN),
}
_INNER_RANKS: Final = U64(0x00FF_FFFF_FFFF_FF00)
# By plane: the squares attacked on an empty board.
_EMPTY = np.stack(
    [
        *PAWN_ATTACKS,
        KNIGHT_MOVES,
        KNIGHT_MOVES,
        EMPTY_BISHOP,
        EMPTY_BISHOP,
        EMPTY_ROOK,
        EMPTY_ROOK,
        EMPTY_BISHOP | EMPTY_ROOK,
        EMPTY_BISHOP | EMPTY_ROOK,
    ]
)


def _numbers_of_attacks() -> Any:
    """Return the number of squares that a piece of each plane attacks on an empty board: (10, 64)."""
    counts = np.bitwise_count(_EMPTY).astype(np.uint64)
    counts[:2] *= (_INNER_RANKS >> np.arange(64, dtype=U64)) & U64(1)  # pawns stand on ranks 2 to 7
    return counts


_SIZES = _numbers_of_attacks()
_BEFORE = np.ascontiguousarray(_SIZES.cumsum(axis=1, dtype=U64) - _SIZES)


def _first_of_pairs() -> Any:
    """Return the first index by plane of attacker and target: (10, 10)."""
    first, total = np.zeros((PLANES, PLANES), U64), 0
    for side in range(2):
        for kind, slots in _SLOTS.items():
            plane = 2 * kind + side
            size = int(_SIZES[plane].sum())
            for target_side in range(2):
                for target in slots:
                    first[plane, 2 * target + target_side] = total
                    total += size
    return first


_FIRST = _first_of_pairs()


@kernel
def attacks_of(plane: Word, sq: Square, occupied: Bits, t: Any) -> Bits:
    """Return the attacks of a piece of a plane."""
    if plane < 2 * _BISHOP:
        return _EMPTY[plane, sq]
    state = prepare(occupied, t)
    result: Bits = 0
    if plane < 2 * _ROOK or plane >= 2 * _QUEEN:
        result |= attacks(Bishop(), sq, state, t)
    if plane >= 2 * _ROOK:
        result |= attacks(Rook(), sq, state, t)
    return result


@kernel
def targets_of(plane: Word, v: Any) -> Bits:
    """Return the pieces that count as targets of a plane, on all squares."""
    kind = plane >> 1
    lines = v.diagonals | v.orthogonals
    if kind == _PAWN:
        return v.knights | (v.orthogonals & ~v.diagonals)
    if (kind == _BISHOP) | (kind == _ROOK):
        return v.pawns | v.knights | (lines & ~(v.diagonals & v.orthogonals))
    return v.pawns | v.knights | lines


def _threat_examples() -> tuple[Any, ...]:
    room = array_of(np.uint8)
    return SIDES["us"], empty_columns(1), room, array_of(np.int64), array_of(np.int32), default_technique().tables()


@entry(examples=_threat_examples)
def threats(side: Any, c: Any, plane_on: Any, offsets: Any, out: Any, t: Any) -> Any:
    """Write an index for each pair of pieces, kings apart, one of which attacks the other; `plane_on` has 64 places.

    The own king stands on files a to d. If two pieces of one kind attack each other, the higher square attacks.
    """
    n: Word = 0
    for i in range(c.state.size):
        if n + MOST > U64(out.size):
            return i
        p = load(c, i)
        seen = view_of(p, sided(p, side).black)
        v = mirrored(seen, king_within(seen, E_TO_H))
        occupied = v.us | v.them
        for k in range(PLANES):
            pieces = of_plane(v, U64(k))
            while pieces:
                plane_on[trailing_zeros(pieces)] = np.uint8(k)
                pieces = pieces & (pieces - 1)
        for k in range(PLANES):
            plane = U64(k)
            pieces = of_plane(v, plane)
            kin = of_plane(v, plane) | of_plane(v, plane ^ 1)
            possible = targets_of(plane, v)
            while pieces:
                sq = trailing_zeros(pieces)
                targets = attacks_of(plane, sq, occupied, t) & possible & ~(kin & -(1 << sq))
                while targets:
                    lowest = targets & -targets
                    target = U64(plane_on[trailing_zeros(targets)])
                    nth = popcount(_EMPTY[plane, sq] & (lowest - 1))
                    out[n] = np.int32(_FIRST[plane, target] + _BEFORE[plane, sq] + nth)
                    n = n + 1
                    targets = targets ^ lowest
                pieces = pieces & (pieces - 1)
        offsets[i + 1] = n
    return c.state.size


def _files_beside() -> Any:
    """Return, by square, its file and the files beside it."""
    files = np.array([0x0101_0101_0101_0101 << f for f in range(8)], U64)
    beside = [files[max(f - 1, 0)] | files[f] | files[min(f + 1, 7)] for f in range(8)]
    return np.array([beside[sq & 7] for sq in range(64)], U64)


_NEAR_FILES = _files_beside()


@kernel
def write_pairs(out: Any, n: Word, high: Word, lower: Bits, first: Word) -> Word:
    """Write the index of the pair of pawn `high` with each pawn of a set, whose numbers begin at `first`."""
    base = high * (high - 1) // 2 + first - 8
    return write_pieces(out, n, lower, base)


@entry(examples=lambda: (SIDES["us"], empty_columns(1), array_of(np.int64), array_of(np.int32)))
def pairs(side: Any, c: Any, offsets: Any, out: Any) -> Any:
    """Write an index for each two pawns on one file or on files side by side; the own king is on files a to d."""
    n: Word = 0
    for i in range(c.state.size):
        if n + 2 * MOST > U64(out.size):
            return i
        p = load(c, i)
        seen = view_of(p, sided(p, side).black)
        v = mirrored(seen, king_within(seen, E_TO_H))
        ours, theirs = v.pawns & v.us, v.pawns & v.them
        left = ours
        while left:
            sq = trailing_zeros(left)
            below = (left & -left) - 1
            n = write_pairs(out, n, sq - 8, ours & below & _NEAR_FILES[sq], 0)
            left = left & (left - 1)
        left = theirs
        while left:
            sq = trailing_zeros(left)
            below = (left & -left) - 1
            n = write_pairs(out, n, sq + 40, ours & _NEAR_FILES[sq], 0)
            n = write_pairs(out, n, sq + 40, theirs & below & _NEAR_FILES[sq], 48)
            left = left & (left - 1)
        offsets[i + 1] = n
    return c.state.size


@entry(examples=lambda: (array_of(np.int64), array_of(np.int32), 0, array_of(np.int64), array_of(np.int32)))
@signed
def copy_lists(offsets: Any, indices: Any, first: Any, starts: Any, out: Any) -> None:
    """Copy lists of features, renumbered from `first` on, to where `starts` says, and move `starts` behind them."""
    for i in range(starts.size):
        to = starts[i]
        for k in range(offsets[i], offsets[i + 1]):
            out[to] = np.int32(indices[k] + first)
            to += 1
        starts[i] = to
