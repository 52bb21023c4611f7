"""Counts of legal moves without move lists: about 350 branch-free operations, eight positions a register.

    v            a position as the side to move sees it
    free         where a piece other than the king may go: not on its own pieces, and answering a check
    pins         our pieces that shield the king, line by line: they move along that line or not at all

A fill in one direction reaches each target from one source, so the popcounts of the eight directions (and of the eight
knight steps) add up to the number of moves, however many sliders there are. Pins and checks come from the same fills,
see `rookery.positions.queries.pins`.
"""

from typing import Final, NamedTuple

from rookery.kernel import Bits, entry_of
from rookery.positions.queries.fills import Slides
from rookery.positions.queries.pins import Lines

counts: Final = entry_of("rookery.positions.queries.count_kernels", "counts")


class ChecksAndPins(NamedTuple):
    """The checks, pins and attacks that restrict our moves."""

    king: Bits
    p: Slides
    danger: Bits  # squares that the enemy attacks, also through the king
    checkers: Bits
    between: Bits  # the empty squares between the king and the sliders that check it
    pins: Lines


class Movers(NamedTuple):
    """Our pieces that may move, for each line, and for knights and pawns."""

    file: Bits
    rank: Bits
    diagonal: Bits
    antidiagonal: Bits
    knights: Bits
    pushing: Bits  # pawns
    taking_east: Bits
    taking_west: Bits


# All positions. The scalar generator counts those where `count` may be wrong, which are rare.
