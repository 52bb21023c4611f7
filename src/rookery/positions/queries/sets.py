"""Queries about sets of squares that the caller gives, one for each position: attacks, attackers, lines, distances.

Letters are those of `rookery.positions.queries.attacks`.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.line_tables import BETWEEN
from rookery.bitboards.lines import lines_through
from rookery.bitboards.sets import king_moves, knight_moves
from rookery.kernel import U64, UNIVERSE, Bits, array_of, entry, kernel, popcount, trailing_zeros
from rookery.positions.kernels.lanes import Lane, load, occupied_of
from rookery.positions.layout import SIDES, empty_columns
from rookery.positions.queries.attacks import Sided, pawn_attacks, sided
from rookery.positions.queries.check_kernels import attacks_of
from rookery.positions.queries.fills import diagonal_attacks, orthogonal_attacks, slides
from rookery.positions.queries.questions import King, Knight
from rookery.techniques.base.protocol import Bishop, Queen, Rook

LINE: Final = np.array([lines_through(a) for a in range(64)], U64)


def _distances() -> NDArray[np.uint8]:
    """Return the number of king's moves between two squares on the empty board: (64, 64)."""
    places = np.array(np.divmod(np.arange(64), 8))
    distances: NDArray[np.uint8] = np.abs(places[:, :, None] - places[:, None]).max(axis=0).astype(np.uint8)
    return distances


DISTANCE: Final = _distances()
NO_DISTANCE: Final = 255  # of an empty set
_KINDS: Final = (Knight(), Bishop(), Rook(), Queen(), King())


@entry(examples=lambda: [(kind, array_of(U64), array_of(U64), array_of(U64)) for kind in _KINDS])
def attacks_of_sets(kind: Any, occupied: Any, squares: Any, out: Any) -> None:
    """Write the squares that pieces of a kind attack from all squares of a set, through an occupancy."""
    for i in range(out.size):
        pieces = squares[i]
        # The fills expect their generators to be pieces. Squares of the set that block each other change nothing,
        # since the attack goes on from the blocker.
        out[i] = attacks_of(kind, slides(~(occupied[i] | pieces)), pieces, 0)


@kernel
def attackers_of(p: Lane, s: Sided, targets: Bits) -> Bits:
    """Return the pieces of a side that attack any square of a set."""
    w = slides(~(occupied_of(p) | targets))
    return s.own & (
        (orthogonal_attacks(w, targets) & p.orthogonals)
        | (diagonal_attacks(w, targets) & p.diagonals)
        | (knight_moves(targets) & p.knights)
        | (king_moves(targets) & p.kings)
        | (pawn_attacks(targets, UNIVERSE ^ s.black) & p.pawns)
    )


@entry(examples=lambda: (empty_columns(1), array_of(U64), SIDES["us"], array_of(U64)))
def attackers(c: Any, targets: Any, side: Any, out: Any) -> None:
    """Write the pieces of a side that attack any square of a set."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = attackers_of(p, sided(p, side), targets[i])


@entry(examples=lambda: (array_of(U64), array_of(U64), array_of(U64, 2), array_of(U64)))
def joined(a: Any, b: Any, table: Any, out: Any) -> None:
    """Write the union of a table's boards over all pairs of a square of one set and a square of another."""
    for i in range(out.size):
        first = a[i]
        found: Bits = 0
        while first:
            row = table[trailing_zeros(first)]
            first = first & (first - 1)
            second = b[i]
            while second:
                found |= row[trailing_zeros(second)]
                second = second & (second - 1)
        out[i] = found


@entry(examples=lambda: (array_of(U64), array_of(U64), array_of(np.uint8, 2), array_of(np.uint8)))
def distances(a: Any, b: Any, table: Any, out: Any) -> None:
    """Write the number of king's moves between the nearest squares of two sets, or 255 if either is empty."""
    for i in range(out.size):
        first = a[i]
        nearest = np.uint8(NO_DISTANCE)
        while first:
            row = table[trailing_zeros(first)]
            first = first & (first - 1)
            second = b[i]
            while second:
                nearest = min(nearest, row[trailing_zeros(second)])
                second = second & (second - 1)
        out[i] = nearest


@entry(examples=lambda: (array_of(U64, 2), array_of(U64, 2), array_of(U64)))
def matches(squares: Any, masks: Any, out: Any) -> None:
    """Write the squares of all variants of a pattern that match, or an empty board.

    Row k of `squares`, (k, n), are the squares that satisfy a pattern's condition k. A row of `masks`, (v, k), are the
    squares of a variant on which each condition must hold.
    """
    variants, conditions = masks.shape
    for i in range(out.size):
        matched: Bits = 0
        for v in range(variants):
            missing: Bits = 0
            for k in range(conditions):
                missing |= masks[v, k] & ~squares[k, i]
            if not missing:
                for k in range(conditions):
                    matched |= masks[v, k]
        out[i] = matched


@entry(examples=lambda: (array_of(U64, 2), array_of(U64, 2), array_of(np.uint8)))
def likeness(squares: Any, masks: Any, out: Any) -> None:
    """Write how many squares of a pattern satisfy their conditions in the variant in which most of them do."""
    variants, conditions = masks.shape
    for i in range(out.size):
        most = U64(0)
        for v in range(variants):
            n = U64(0)
            for k in range(conditions):
                n += popcount(masks[v, k] & squares[k, i])
            most = max(most, n)
        out[i] = np.uint8(most)


__all__ = [
    "BETWEEN",
    "DISTANCE",
    "LINE",
    "NO_DISTANCE",
    "attackers",
    "attackers_of",
    "attacks_of_sets",
    "distances",
    "joined",
    "likeness",
    "matches",
]
