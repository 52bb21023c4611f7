"""Types for annotations: the texts that arguments take as `Literal` aliases, and what stands for squares and boards.

>>> import rookery
>>> from rookery.typing import Side
>>> def attacked(positions: rookery.Positions, side: Side) -> int:
...     return int(np.bitwise_count(positions.attacks(side)).sum())
>>> attacked(rookery.Positions.from_boards([rookery.Board()]), "white")
22
"""

from typing import Literal, TypeAlias

from rookery.colours import Colour
from rookery.lines import LineName
from rookery.pieces import AnyPiece, AnySlider, PieceName, PieceType
from rookery.squares import Direction, Endian, Integer, Integers

Side: TypeAlias = Literal["us", "them", "white", "black"] | bool
"""A side of each position: the one to move, the other one, or a colour."""

SideOrBoth: TypeAlias = Side | Literal["both"]
"""A side, or white and black."""

EnPassant: TypeAlias = Literal["legal", "fen", "xfen"]
"""When a FEN has an en-passant square."""

FenErrors: TypeAlias = Literal["raise", "skip", "mark"]
"""What becomes of a line that is no FEN."""

PgnErrors: TypeAlias = Literal["keep", "skip", "raise"]
"""What becomes of a bad game where games are read as columns."""

GameErrors: TypeAlias = Literal["report", "raise"]
"""What becomes of a bad game where games are read one by one."""

NumberColumn: TypeAlias = Literal["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"]
"""A column of games that holds numbers, masked where a game has none."""

When: TypeAlias = Literal["before", "after", "all", "last"]
"""Which positions of a game are wanted."""

PolicyLayout: TypeAlias = Literal["alphazero", "leela"]
"""A network's list of moves."""

__all__ = [
    "AnyPiece",
    "AnySlider",
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
    "PgnErrors",
    "PieceName",
    "PieceType",
    "PolicyLayout",
    "Side",
    "SideOrBoth",
    "When",
]
