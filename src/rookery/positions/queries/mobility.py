"""Mobility: how many squares each piece of a side can go to, added up, and where sliders get in several moves.

Targets are counted one direction at a time, where no two pieces share one. Letters are those of
`rookery.positions.queries.attacks`.
"""

from typing import Any, Final

import numpy as np

from rookery.bitboards import sets
from rookery.kernel import U64, Bits, Word, array_of, entry, kernel, kernel_by_type, popcount, signed, tuple_of
from rookery.positions.kernels.lanes import load, occupied_of
from rookery.positions.layout import SIDES, ByPiece, empty_columns
from rookery.positions.queries.attacks import sided
from rookery.positions.queries.check_kernels import attacks_of, pieces_of
from rookery.positions.queries.fills import Slides, east, no_ea, no_we, nort, slides, so_ea, so_we, sout, west
from rookery.positions.queries.questions import PIECES, Kind, King, Knight, Pawn
from rookery.techniques.base.protocol import Bishop, Queen, Rook

CACHED: Final = 512  # positions that advance together: their columns stay in the L1 cache from move to move


@kernel_by_type("kind")
def targets_of(kind: Kind, w: Slides, pieces: Bits, black: Bits, free: Bits) -> Word:
    """Return how many of the `free` squares each piece in a set of one kind attacks, summed over the pieces."""


@targets_of.register(Pawn)
def _pawns(kind: Pawn, w: Slides, pieces: Bits, black: Bits, free: Bits) -> Word:
    up, down = pieces & ~black, pieces & black
    return popcount((sets.no_ea_one(up) | sets.so_ea_one(down)) & free) + popcount(
        (sets.no_we_one(up) | sets.so_we_one(down)) & free
    )


@targets_of.register(Knight)
def _knights(kind: Knight, w: Slides, pieces: Bits, black: Bits, free: Bits) -> Word:
    e1, w1 = sets.east_one(pieces), sets.west_one(pieces)
    e2, w2 = sets.east_one(e1), sets.west_one(w1)
    n = popcount((e1 << 16) & free) + popcount((e1 >> 16) & free)
    n += popcount((w1 << 16) & free) + popcount((w1 >> 16) & free)
    n += popcount((e2 << 8) & free) + popcount((e2 >> 8) & free)
    return n + popcount((w2 << 8) & free) + popcount((w2 >> 8) & free)


@kernel
def diagonal_targets(w: Slides, sliders: Bits, free: Bits) -> Word:
    """Return how many of the `free` squares each bishop attacks, summed over the bishops."""
    n = popcount(no_ea(w, sliders) & free) + popcount(so_we(w, sliders) & free)
    return n + popcount(no_we(w, sliders) & free) + popcount(so_ea(w, sliders) & free)


@kernel
def orthogonal_targets(w: Slides, sliders: Bits, free: Bits) -> Word:
    """Return how many of the `free` squares each rook attacks, summed over the rooks."""
    n = popcount(nort(w, sliders) & free) + popcount(sout(w, sliders) & free)
    return n + popcount(east(w, sliders) & free) + popcount(west(w, sliders) & free)


@targets_of.register(Bishop)
def _bishops(kind: Bishop, w: Slides, pieces: Bits, black: Bits, free: Bits) -> Word:
    return diagonal_targets(w, pieces, free)


@targets_of.register(Rook)
def _rooks(kind: Rook, w: Slides, pieces: Bits, black: Bits, free: Bits) -> Word:
    return orthogonal_targets(w, pieces, free)


@targets_of.register(Queen)
def _queens(kind: Queen, w: Slides, pieces: Bits, black: Bits, free: Bits) -> Word:
    return diagonal_targets(w, pieces, free) + orthogonal_targets(w, pieces, free)


@targets_of.register(King)
def _kings(kind: King, w: Slides, pieces: Bits, black: Bits, free: Bits) -> Word:
    n = popcount(sets.nort_one(pieces) & free) + popcount(sets.sout_one(pieces) & free)
    n += popcount(sets.east_one(pieces) & free) + popcount(sets.west_one(pieces) & free)
    n += popcount(sets.no_ea_one(pieces) & free) + popcount(sets.so_we_one(pieces) & free)
    return n + popcount(sets.no_we_one(pieces) & free) + popcount(sets.so_ea_one(pieces) & free)


_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = PIECES.values()


@entry(examples=lambda: [(kind, empty_columns(1), SIDES["us"], array_of(np.uint16)) for kind in PIECES.values()])
def mobility(kind: Any, c: Any, side: Any, out: Any) -> None:
    """Write the mobility of one kind of piece."""
    for i in range(out.size):
        p = load(c, i)
        s = sided(p, side)
        out[i] = targets_of(kind, slides(~occupied_of(p)), pieces_of(kind, p) & s.own, s.black, ~s.own)


@entry(examples=lambda: (empty_columns(1), SIDES["us"], tuple_of(ByPiece, array_of(np.uint16))))
def mobilities(c: Any, side: Any, out: ByPiece) -> None:
    """Write the mobility of each kind of piece."""
    for i in range(out.pawns.size):
        p = load(c, i)
        w = slides(~occupied_of(p))
        s = sided(p, side)
        free = ~s.own
        out.pawns[i] = targets_of(_PAWN, w, pieces_of(_PAWN, p) & s.own, s.black, free)
        out.knights[i] = targets_of(_KNIGHT, w, pieces_of(_KNIGHT, p) & s.own, s.black, free)
        out.bishops[i] = targets_of(_BISHOP, w, pieces_of(_BISHOP, p) & s.own, s.black, free)
        out.rooks[i] = targets_of(_ROOK, w, pieces_of(_ROOK, p) & s.own, s.black, free)
        out.queens[i] = targets_of(_QUEEN, w, pieces_of(_QUEEN, p) & s.own, s.black, free)
        out.kings[i] = targets_of(_KING, w, pieces_of(_KING, p) & s.own, s.black, free)


@entry(examples=lambda: [(kind, empty_columns(1), SIDES["us"], 0, array_of(U64)) for kind in (_BISHOP, _ROOK, _QUEEN)])
@signed
def progress(kind: Any, c: Any, side: Any, moves: Any, out: Any) -> None:
    """Write the squares that any slider of a kind reaches in at most `moves` moves in a row.

    Each move slides on from all empty squares reached so far. Those squares count as occupied meanwhile: a fill
    continues from them anyway.
    """
    for start in range(0, out.size, CACHED):
        size = min(out.size - start, CACHED)
        for k in range(size):
            out[U64(start) + U64(k)] = 0
        for _ in range(moves):
            for k in range(size):
                i = U64(start) + U64(k)
                p = load(c, i)
                s = sided(p, side)
                occupied = s.own | s.other
                sliders = (pieces_of(kind, p) & s.own) | (out[i] & ~occupied)
                w = slides(~(occupied | sliders))
                out[i] = (out[i] | attacks_of(kind, w, sliders, s.black)) & ~s.own
