"""Queries about all positions, each in one loop: attacks of a kind of piece, checks and pins.

A query is a type, as in `rookery.techniques.base.protocol`: the loop is compiled once for each type, and the kernel
that answers it is inlined. Letters are those of `rookery.positions.queries.attacks`. If a side has several kings, the
one on the lowest square counts, as in the scalar generator; a side without a king has neither checks nor pins.
"""

from typing import Final, NamedTuple, TypeAlias

from rookery.bitboards.pieces import PIECE_TYPES, PieceType
from rookery.kernel import entry_of
from rookery.techniques.base.protocol import Bishop, Queen, Rook

any_of: Final = entry_of("rookery.positions.queries.check_kernels", "any_of")
boards: Final = entry_of("rookery.positions.queries.check_kernels", "boards")


# Kinds of pieces.


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


# Other queries.


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
