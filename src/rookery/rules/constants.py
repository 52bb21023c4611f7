"""Constants of the rules that need no kernels: the bits of moves, sizes of arrays, and the type of tables."""

from importlib import import_module
from typing import Final, NamedTuple

# A move is 16 bits: from 0-5, to 6-11, what a pawn becomes 12-13, kind 14-15. Castling is king takes own rook.
KIND_MASK = 3 << 14
PROMOTION, EN_PASSANT, CASTLING = 1 << 14, 2 << 14, 3 << 14
TO_SHIFT, BECOMES_SHIFT = 6, 12
KNIGHT, BISHOP, ROOK, QUEEN = 0, 1, 2, 3  # what a pawn becomes
SIX_BITS = 63

WORDS: Final = 14  # of a position: the ten before its state, and up to four for rotated boards

# No position has more moves, whatever stands on it. A square is reached at most once from each of eight
# directions and once by each of eight knights; on the two back ranks three of the directions may be pawns, each
# becoming one of four. 64 * 16 + 8 * 3 * 3, and two castlings.
MOST_MOVES: Final = 64 * 16 + 8 * 9 + 2

MOST_CAPTURES: Final = 64  # on one square: each empties another one

# Of the reader of FEN: two counters, the place of a refused character, Chess960 or not, whether rights were dropped.
REPORT: Final = 5


class DefaultTables(NamedTuple):
    """The empty tables of the default technique, whose tables are in the machine code."""

    @staticmethod
    def register_kernels() -> None:
        """Make the technique, which registers its kernels."""
        import_module("rookery.rules.compiled").default_technique()


_TABLES: Final = DefaultTables()


def default_tables() -> DefaultTables:
    """Return the tables of `rookery.rules.compiled.default_technique`, without making the technique."""
    return _TABLES
