"""Types for annotations: `Literal` aliases for arguments that take a text, and aliases for squares and boards.

>>> import rookery
>>> from rookery.aliases import Side
>>> def attacked(positions: rookery.Positions, side: Side) -> int:
...     return int(np.bitwise_count(positions.attacks(side)).sum())
>>> attacked(rookery.Positions.from_boards([rookery.Board()]), "white")
22
"""

from typing import TYPE_CHECKING, Literal, TypeAlias

from rookery.bitboards.colours import Color, Colour
from rookery.bitboards.lines import LineName
from rookery.bitboards.pieces import AnyPiece, AnySlider, PieceName, PieceType
from rookery.bitboards.squares import AnyBoard, Direction, Endian, Integer, Square
from rookery.lazy_imports import import_later

if TYPE_CHECKING:
    from rookery.frames.array_arguments import Integers
else:  # on first use: it needs NumPy
    __getattr__ = import_later(__name__, {"rookery.frames.array_arguments": "Integers"})

Side: TypeAlias = Literal["us", "them", "white", "black"] | bool
"""A side of each position: the side to move, the other side, or a colour."""

SideOrBoth: TypeAlias = Side | Literal["both"]
"""A side, or both white and black."""

EnPassant: TypeAlias = Literal["legal", "fen", "xfen"]
"""The rule by which a FEN has an en-passant square."""

FenErrors: TypeAlias = Literal["raise", "skip", "mark"]
"""The treatment of a line that is not a FEN."""

PgnErrors: TypeAlias = Literal["keep", "skip", "raise"]
"""The treatment of a faulty game when games are read as columns."""

GameErrors: TypeAlias = Literal["report", "raise"]
"""The treatment of a faulty game when games are read one by one."""

NumberColumn: TypeAlias = Literal["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"]
"""A numeric column of games, masked where a game has no number."""

When: TypeAlias = Literal["before", "after", "all", "last"]
"""The positions of a game to return."""

OpeningRows: TypeAlias = Literal["moves", "positions"]
"""The rows of a table of openings."""

BookWeights: TypeAlias = Literal["games", "points"]
"""The weights of moves in an opening book."""

PolicyLayout: TypeAlias = Literal[
    "alphazero", "leela", "gym-chess", "lczero", "openspiel", "pgx", "uci", "maia2", "maia3", "pawn"
]
"""The move encoding of a neural network."""

__all__ = [
    "AnyBoard",
    "AnyPiece",
    "AnySlider",
    "BookWeights",
    "Color",
    "Colour",
    "Direction",
    "EnPassant",
    "Endian",
    "FenErrors",
    "GameErrors",
    "Integer",
    "Integers",
    "LineName",
    "NumberColumn",
    "OpeningRows",
    "PgnErrors",
    "PieceName",
    "PieceType",
    "PolicyLayout",
    "Side",
    "SideOrBoth",
    "Square",
    "When",
]
