"""Lines of sliders: pieces that shield a king, batteries, and the squares that a slider reaches in several moves."""

from typing import Any

from rookery.bitboards.bits import reset_ls1b
from rookery.bitboards.sets import step
from rookery.kernel import U64, Bits, Word, array_of, entry, kernel, trailing_zeros
from rookery.rules.attack_tables import EMPTY_BISHOP, EMPTY_ROOK
from rookery.rules.generate import shield
from rookery.rules.position import Boards
from rookery.techniques.kogge_stone import KOGGE_STONE, fill

_FILL = KOGGE_STONE.tables()
_EVEN = 1  # directions 0, 2, 4, 6 are a rook's, 1, 3, 5, 7 a bishop's


@kernel
def ray_attacks(direction: Word, sliders: Bits, occupied: Bits) -> Bits:
    """Return the squares that a set of sliders attacks in a direction."""
    return step(direction, fill(direction, sliders, ~occupied, _FILL))


@kernel
def moving_along(direction: Word, row: Boards) -> Bits:
    """Return the sliders of both sides that move in a direction."""
    return row[2] if direction & _EVEN else row[3]


@entry(examples=lambda: (array_of(U64), U64(0), U64(0), array_of(U64)))
def shields(row: Any, k: Any, snipers: Any, out: Any) -> Any:
    """Write pairs of squares: a piece that alone separates a king from one of the `snipers`, and that sniper.

    The piece may be of either side. Return the number of words written.
    """
    occupied = row[5] | row[6]
    left = ((EMPTY_ROOK[k] & row[3]) | (EMPTY_BISHOP[k] & row[2])) & snipers
    n = 0
    while left:
        sniper = trailing_zeros(left)
        held = shield(k, sniper, occupied)
        if held:
            out[n] = trailing_zeros(held)
            out[n + 1] = sniper
            n += 2
        left = reset_ls1b(left)
    return n


@entry(examples=lambda: (array_of(U64), U64(0), array_of(U64)))
def fronts(row: Any, side: Any, out: Any) -> Any:
    """Write, for each direction, the sliders of a side that are backed by another slider moving in that direction."""
    for d in range(8):
        sliders = moving_along(d, row) & side
        out[d] = ray_attacks(d, sliders, row[5] | row[6]) & sliders


@entry(examples=lambda: (U64(0), U64(0), U64(0), U64(0), array_of(U64)))
def slide_on(first: Any, stride: Any, square: Any, occupied: Any, out: Any) -> Any:
    """Write the squares that a slider first reaches with its first move, its second, and so on.

    A slider moves on from empty squares only: a capture ends its path.
    """
    home = 1 << square
    empty = ~occupied | home
    seen = home
    newest = home
    for i in range(out.size):
        reached = 0
        direction = first
        while direction < 8:
            reached |= ray_attacks(direction, newest & empty, ~empty)
            direction += stride
        newest = reached & ~seen
        seen |= newest
        out[i] = newest
