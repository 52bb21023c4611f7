"""Moves: 16 bits each, the same everywhere in the library.

bits 0-5      from
bits 6-11     to; castling is the king taking his own rook, whatever the kind of chess
bits 12-13    what a pawn becomes: 0 knight, 1 bishop, 2 rook, 3 queen
bits 14-15    0 as usual, 1 promotion, 2 en passant, 3 castling
"""

from typing import Final, NamedTuple, Self

import numpy as np

from rookery.squares import SQUARE_NAMES, check_square

USUAL, PROMOTION, EN_PASSANT, CASTLING = range(4)
PROMOTIONS: Final = "nbrq"


class Move(int):
    """A move. There is one object for each of the 65,536 words, so that moves may be compared by identity.

    >>> move = Move.of(12, 28)
    >>> move, move.from_square, move.to_square, int(move)
    (Move('e2e4'), 12, 28, 1804)
    >>> Move(1804) is move
    True
    """

    __slots__ = ()

    def __new__(cls, word: int = 0) -> "Move":
        """The move of a word."""
        if isinstance(word, int) and 0 <= word < 1 << 16:
            return INTERNED[word]
        raise ValueError(f"move: {word!r}: expected an int from 0 to 65535")

    @classmethod
    def of(cls, from_square: int, to_square: int, *, promotion: str | None = None, kind: int | None = None) -> "Move":
        """The move from a square to another; `promotion` is one of ``n``, ``b``, ``r``, ``q``."""
        from_square, to_square = check_square(from_square, "from_square"), check_square(to_square, "to_square")
        if promotion is not None and promotion not in tuple(PROMOTIONS):
            raise ValueError(f"promotion: {promotion!r}: expected one of n, b, r, q")
        if kind is None:
            kind = PROMOTION if promotion else USUAL
        if kind not in range(4):
            raise ValueError(f"kind: {kind!r}: expected 0 usual, 1 promotion, 2 en passant or 3 castling")
        if (kind == PROMOTION) != (promotion is not None):
            raise ValueError(f"kind: {kind} with promotion {promotion!r}: a promotion is of kind 1, and no other is")
        becomes = PROMOTIONS.index(promotion) if promotion else 0
        return INTERNED[from_square | to_square << 6 | becomes << 12 | kind << 14]

    @classmethod
    def null(cls) -> "Move":
        """The null move, 0: a1 to a1, written ``0000``."""
        return INTERNED[0]

    @property
    def from_square(self) -> int:
        """Where the piece comes from."""
        return int(self) & 63

    @property
    def to_square(self) -> int:
        """Where it goes; for castling, where the rook stands."""
        return int(self) >> 6 & 63

    @property
    def kind(self) -> int:
        """0 as usual, 1 promotion, 2 en passant, 3 castling."""
        return int(self) >> 14

    @property
    def promotion(self) -> str | None:
        """What a pawn becomes: ``n``, ``b``, ``r`` or ``q``."""
        return PROMOTIONS[int(self) >> 12 & 3] if self.kind == PROMOTION else None

    @property
    def is_castling(self) -> bool:
        """Whether the king castles."""
        return int(self) >> 14 == CASTLING

    @property
    def is_en_passant(self) -> bool:
        """Whether a pawn takes another in passing."""
        return int(self) >> 14 == EN_PASSANT

    def uci(self, chess960: bool = False) -> str:
        """The move as engines write it: ``e2e4``, ``e7e8q``; castling as the king's two steps, ``e1g1``, or, in
        Chess960, as king takes rook, ``e1h1``.
        """
        if not self:
            return "0000"
        target = self.to_square
        if self.is_castling and not chess960:
            target = self.from_square & 56 | (6 if target > self.from_square else 2)
        return SQUARE_NAMES[self.from_square] + SQUARE_NAMES[target] + (self.promotion or "")

    def __bool__(self) -> bool:
        return int(self) != 0

    def __repr__(self) -> str:
        return f"Move({self.uci()!r})"

    def __str__(self) -> str:
        return self.uci()

    def __reduce__(self) -> tuple[type[Self], tuple[int]]:
        return type(self), (int(self),)


def as_move(move: int) -> Move:
    """`move` as a Move: itself, or the move of a 16-bit word."""
    if type(move) is Move:
        return move
    if isinstance(move, (bool, np.bool_)) or not isinstance(move, (int, np.integer)):
        raise TypeError(f"move: {move!r}: expected a Move (parse_uci and parse_san make one of text)")
    return Move(int(move))


class _Interned(dict[int, Move]):
    def __missing__(self, word: int) -> Move:
        # setdefault: of two threads that ask at once, both get the first one's object.
        return self.setdefault(word, int.__new__(Move, word))


INTERNED: Final = _Interned()


class UciParts(NamedTuple):
    """What a move's text says before a board says what it means."""

    from_square: int
    to_square: int
    promotion: str | None


def parse_uci_parts(text: str) -> UciParts:
    """Read ``e2e4`` or ``e7e8q``.

    >>> parse_uci_parts("e7e8q")
    UciParts(from_square=52, to_square=60, promotion='q')
    """
    if (
        isinstance(text, str)
        and len(text) in (4, 5)
        and text[:2] in SQUARE_NAMES
        and text[2:4] in SQUARE_NAMES
        and (len(text) == 4 or text[4] in PROMOTIONS)
    ):
        return UciParts(SQUARE_NAMES.index(text[:2]), SQUARE_NAMES.index(text[2:4]), text[4:] or None)
    raise ValueError(f"UCI move: {text!r}: expected two squares and perhaps a promotion, like 'e2e4' or 'e7e8q'")
