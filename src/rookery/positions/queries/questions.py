"""Queries about all positions, each in one loop, apart from its kernels: checks, pins, counts and material.

A query is a type, as in `rookery.techniques.base.protocol`: the loop is compiled once for each type, and the kernel
that answers it is inlined. Letters are those of `rookery.positions.queries.attacks`. If a side has several kings, the
one on the lowest square counts, as in the scalar generator; a side without a king has neither checks nor pins.
"""

from typing import Any, Final, NamedTuple, TypeAlias

from rookery.bitboards.pieces import PIECE_TYPES, PieceType
from rookery.kernel import U64, entry_of
from rookery.techniques.base.protocol import Bishop, Queen, Rook

any_of: Final = entry_of("rookery.positions.queries.check_kernels", "any_of")
boards: Final = entry_of("rookery.positions.queries.check_kernels", "boards")
counts: Final = entry_of("rookery.positions.queries.count_kernels", "counts")
may_check: Final = entry_of("rookery.positions.queries.check_kernels", "may_check")
weigh: Final = entry_of("rookery.positions.queries.pieces", "weigh")
words: Final = entry_of("rookery.positions.queries.pieces", "words")

BLOCK: Final = 64  # positions whose marks share a word


class Pawn(NamedTuple):
    """The query for the squares that pawns attack."""


class Knight(NamedTuple):
    """The query for the squares that knights attack."""


class King(NamedTuple):
    """The query for the squares that kings attack."""


Kind: TypeAlias = Pawn | Knight | Bishop | Rook | Queen | King
PIECES: Final[dict[PieceType, Kind]] = dict(
    zip(PIECE_TYPES, (Pawn(), Knight(), Bishop(), Rook(), Queen(), King()), strict=True)
)


class Every(NamedTuple):
    """Every kind of piece."""


class Anything(NamedTuple):
    """The query for the squares that the pieces of a side attack."""


class Danger(NamedTuple):
    """The query for the squares that the other side attacks once a side's king is off the board."""


class Checkers(NamedTuple):
    """The query for the other side's pieces that attack a side's king."""


class Pinned(NamedTuple):
    """The query for the pieces of a side that are pinned to its king."""


class PinnedOnFile(NamedTuple):
    """The query for the pieces pinned by a rook or queen on the king's file."""


class PinnedOnRank(NamedTuple):
    """The query for the pieces pinned by a rook or queen on the king's rank."""


class PinnedOnDiagonal(NamedTuple):
    """The query for the pieces pinned by a bishop or queen on the king's diagonal (northeast and southwest)."""


class PinnedOnAntidiagonal(NamedTuple):
    """The query for the pieces pinned by a bishop or queen on the king's anti-diagonal (northwest and southeast)."""


class Pinners(NamedTuple):
    """The query for the other side's sliders that pin a piece of a side to its king."""


class Discoverers(NamedTuple):
    """The query for the pieces of a side that give a discovered check by leaving their line."""


LINES: Final = {
    None: Pinned(),
    "file": PinnedOnFile(),
    "rank": PinnedOnRank(),
    "diagonal": PinnedOnDiagonal(),
    "antidiagonal": PinnedOnAntidiagonal(),
}


# Material is a word with five bits for the number of each kind and colour, in the order of `rookery.Placement`: white
# pawns lowest, then white knights, bishops, rooks, queens and kings, and black's. More than 31 of a kind count as 31.
DIGIT: Final = 5  # bits for a number of pieces
MOST: Final = (1 << DIGIT) - 1
KINDS: Final = 6
SIDE_BITS: Final = KINDS * DIGIT


def swapped(material: Any) -> Any:
    """Return material with the colours exchanged: an array of words."""
    low = U64((1 << SIDE_BITS) - 1)
    return (material >> U64(SIDE_BITS)) | ((material & low) << U64(SIDE_BITS))
