"""Moves: words of 16 bits, the same everywhere in the library.

bits 0-5      origin square
bits 6-11     target square; for castling the square of the rook, in classical chess too
bits 12-13    promotion: 0 knight, 1 bishop, 2 rook, 3 queen
bits 14-15    kind: 0 ordinary, 1 promotion, 2 en passant, 3 castling
"""

from typing import Final, NamedTuple, Self

import numpy as np

from rookery.arguments import flag, is_number, shown
from rookery.bitboards.colours import WHITE, Colour
from rookery.bitboards.pieces import KNIGHT, PROMOTED, PieceType, read_piece_type
from rookery.bitboards.squares import SQUARE_NAMES, check_square


class InvalidMoveError(ValueError):
    """A string or a number that is not a move on any board.

    >>> try:
    ...     Board().parse_san("castles")
    ... except InvalidMoveError as fault:
    ...     print(fault)
    SAN move: 'castles': expected a move like 'Nf3', 'exd5', 'e8=Q' or 'O-O'
    """


class IllegalMoveError(ValueError):
    """A move that the rules forbid in a position.

    >>> try:
    ...     Board().push_san("Ke2")
    ... except IllegalMoveError as fault:
    ...     print(fault)
    SAN move: 'Ke2' is not legal in 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    """


class AmbiguousMoveError(ValueError):
    """A SAN text that fits several legal moves.

    >>> Board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1").parse_san("Rb1")
    Move('a1b1')
    >>> try:
    ...     Board("4k3/8/8/8/8/8/K7/R6R w - - 0 1").parse_san("Rd1")
    ... except AmbiguousMoveError as fault:
    ...     print(fault)
    SAN move: 'Rd1' is ambiguous in '4k3/8/8/8/8/8/K7/R6R w - - 0 1': a1d1 or h1d1
    """


USUAL, PROMOTION, EN_PASSANT, CASTLING = range(4)
PROMOTIONS: Final = "nbrq"


class Move(int):
    """A move from one square to another: ``Move(E2, E4)``, ``Move(E7, E8, QUEEN)``.

    A move is an int of 16 bits. There is exactly one object for each of the 65,536 words; ``Move(word)`` returns it.

    Moves are equal if their squares and promotion are equal, that is, if `uci` writes them alike. Whether a move
    castles or captures en passant does not matter. Ordering, hashing and comparison with an int ignore the bits for
    castling and en passant, too; use ``int(move)`` to compare with the words in arrays.

    >>> move = Move.of(12, 28)
    >>> move
    Move('e2e4')
    >>> move.from_square
    12
    >>> move.to_square
    28
    >>> int(move)
    1804
    >>> Move(1804) is move
    True
    >>> castling = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1").parse_san("O-O")
    >>> castling == Move.from_uci("e1g1")
    True
    """

    __slots__ = ()

    def __new__(cls, word: int = 0, to_square: int | None = None, promotion: int | str | None = None) -> "Move":
        """Return the move from one square to another or, given one argument, the move of a word."""
        if to_square is None and promotion is not None:
            raise TypeError(f"promotion: {shown(promotion)}: expected a to_square before it")
        if to_square is not None:
            return cls.of(word, to_square, promotion=promotion)
        if isinstance(word, int) and not isinstance(word, bool) and 0 <= word < 1 << 16:
            return INTERNED[word]
        raise InvalidMoveError(f"move: {shown(word)}: expected an int from 0 to 65535")

    @classmethod
    def from_uci(cls, text: str) -> "Move":
        """Return the move that a UCI text stands for, without a board. ``0000`` is the null move.

        The text names squares only; it does not tell whether the king castles or a pawn captures en passant. A board
        resolves that when it makes, looks up or writes the move. `Board.parse_uci` resolves it immediately and returns
        the object that ``legal_moves`` lists.

        >>> Move.from_uci("e7e8q").promotion
        5
        >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        >>> castling = Move.from_uci("e1g1")
        >>> castling in board.legal_moves
        True
        >>> board.san(castling)
        'O-O'
        >>> castling.is_castling
        False
        >>> board.parse_uci("e1g1").is_castling
        True
        """
        if isinstance(text, str) and text == "0000":
            return INTERNED[0]
        source, target, promotion = parse_uci_parts(text)
        if promotion:
            return INTERNED[source | target << 6 | PROMOTIONS.index(promotion) << 12 | PROMOTION << 14]
        return INTERNED[source | target << 6]

    @classmethod
    def of(
        cls, from_square: int, to_square: int, *, promotion: int | str | None = None, kind: int | None = None
    ) -> "Move":
        """Return the move from one square to another; `promotion` is a piece type, such as `QUEEN` or ``"q"``.

        >>> Move.of(12, 28)
        Move('e2e4')
        >>> Move.of(52, 60, promotion="q")
        Move('e7e8q')
        """
        from_square, to_square = check_square(from_square, "from_square"), check_square(to_square, "to_square")
        letter = read_promotion(promotion)
        if kind is None:
            kind = PROMOTION if letter else USUAL
        if not is_number(kind) or kind not in range(4):
            raise ValueError(f"kind: {shown(kind)}: expected 0 ordinary, 1 promotion, 2 en passant or 3 castling")
        if (kind == PROMOTION) != (letter is not None):
            raise ValueError(f"kind: {kind} with promotion {promotion!r}: a promotion is of kind 1, and no other is")
        becomes = PROMOTIONS.index(letter) if letter else 0
        return INTERNED[from_square | to_square << 6 | becomes << 12 | kind << 14]

    @classmethod
    def null(cls) -> "Move":
        """Return the null move, whose word is 0; UCI writes it ``0000``.

        >>> Move.null()
        Move('0000')
        """
        return INTERNED[0]

    @property
    def from_square(self) -> int:
        """Return the origin square."""
        return self & 63

    @property
    def to_square(self) -> int:
        """Return the target square. For castling it is the square of the rook; see `king_to`."""
        return self >> 6 & 63

    @property
    def king_to(self) -> int | None:
        """Return the square to which the king castles, on the g-file or the c-file; None for any other move.

        >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        >>> move = board.parse_uci("e1g1")
        >>> move.to_square
        7
        >>> move.king_to
        6
        >>> move.rook_to
        5
        """
        return self._castled(6, 2)

    @property
    def rook_to(self) -> int | None:
        """Return the square to which the rook castles, on the f-file or the d-file; None for any other move."""
        return self._castled(5, 3)

    def _castled(self, right: int, left: int) -> int | None:
        if not self.is_castling:
            return None
        return self & 56 | (right if self.to_square > self & 63 else left)

    @property
    def kind(self) -> int:
        """Return 0 for an ordinary move, 1 for a promotion, 2 for en passant, 3 for castling."""
        return self >> 14

    @property
    def promotion(self) -> PieceType | None:
        """Return the piece type to which a pawn promotes, `KNIGHT` (2) to `QUEEN` (5), or None."""
        return (self >> 12 & 3) + KNIGHT if self >> 14 == PROMOTION else None

    @property
    def is_castling(self) -> bool:
        """Return whether the king castles."""
        return self >> 14 == CASTLING

    @property
    def is_en_passant(self) -> bool:
        """Return whether the move is an en-passant capture."""
        return self >> 14 == EN_PASSANT

    def uci(self, chess960: bool = False) -> str:
        """Return the move in UCI notation: ``e2e4``, ``e7e8q``.

        Castling is written as the king's two steps, ``e1g1``. With `chess960` it is written as the king taking its
        rook, ``e1h1``. Castling that only Chess960 has is always written so, since a king may also step from f1 to g1.

        >>> castling = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1").parse_san("O-O")
        >>> castling.uci()
        'e1g1'
        >>> castling.uci(chess960=True)
        'e1h1'
        """
        if chess960 is not True and chess960 is not False:
            chess960 = flag("chess960", chess960)
        word = PLAIN[self]
        if not word:
            return "0000"
        becomes = PROMOTIONS[self >> 12 & 3] if self >> 14 == PROMOTION else ""
        if chess960:
            word = self
        return SQUARE_NAMES[word & 63] + SQUARE_NAMES[word >> 6 & 63] + becomes

    def xboard(self) -> str:
        """Return the move as XBoard writes it: as in UCI, but the null move is ``@@@@``.

        `Board.xboard` also writes castling as ``O-O``.

        >>> Move(12, 28).xboard()
        'e2e4'
        >>> Move.null().xboard()
        '@@@@'
        """
        return self.uci() if self else "@@@@"

    def __bool__(self) -> bool:
        return PLAIN[self] != 0

    def __eq__(self, other: object) -> bool:
        if type(other) is Move:
            return PLAIN[self] == PLAIN[other]
        return PLAIN[self] == int(other) if isinstance(other, int) else NotImplemented

    def __ne__(self, other: object) -> bool:  # int.__ne__ would compare words
        if type(other) is Move:
            return PLAIN[self] != PLAIN[other]
        return PLAIN[self] != int(other) if isinstance(other, int) else NotImplemented

    def __hash__(self) -> int:
        return PLAIN[self]

    def __lt__(self, other: int) -> bool:
        if type(other) is Move:
            return PLAIN[self] < PLAIN[other]
        return PLAIN[self] < int(other) if isinstance(other, int) else NotImplemented

    def __le__(self, other: int) -> bool:
        if type(other) is Move:
            return PLAIN[self] <= PLAIN[other]
        return PLAIN[self] <= int(other) if isinstance(other, int) else NotImplemented

    def __gt__(self, other: int) -> bool:
        if type(other) is Move:
            return PLAIN[self] > PLAIN[other]
        return PLAIN[self] > int(other) if isinstance(other, int) else NotImplemented

    def __ge__(self, other: int) -> bool:
        if type(other) is Move:
            return PLAIN[self] >= PLAIN[other]
        return PLAIN[self] >= int(other) if isinstance(other, int) else NotImplemented

    def __repr__(self) -> str:
        return f"Move({self.uci()!r})"

    def __str__(self) -> str:
        return self.uci()

    def svg(self, *, orientation: Colour = WHITE, coordinates: bool = True, size: int = 240) -> str:
        """Return a picture of the move as SVG text: an arrow on an empty board, or two for castling.

        >>> Move.of(12, 28).svg().startswith("<svg")
        True
        """
        from rookery.pictures import board_svg

        king_to, rook_to = self.king_to, self.rook_to
        arrows = [(self.from_square, self.to_square)] if self else []
        if king_to is not None and rook_to is not None:
            arrows = [(self.from_square, king_to), (self.to_square, rook_to)]
        return board_svg(
            arrows=arrows, orientation=orientation, coordinates=coordinates, size=size, title=f"Move {self.uci()}"
        )

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        return self.svg()

    def __reduce__(self) -> tuple[type[Self], tuple[int]]:
        return type(self), (int(self),)


def read_promotion(promotion: int | str | None) -> str | None:
    """Return the letter of a promotion that is given as a piece type, a letter or a name.

    >>> read_promotion(5)
    'q'
    >>> read_promotion("queen")
    'q'
    """
    if promotion is None:
        return None
    return PROMOTIONS[read_piece_type(promotion, "promotion", PROMOTED) - KNIGHT]


def as_move(move: int, name: str = "move") -> Move:
    """Return `move` itself if it is a Move, or the move of a 16-bit word. Errors name the argument `name`."""
    if type(move) is Move:
        return move
    if isinstance(move, (bool, np.bool_)) or not isinstance(move, (int, np.integer)):
        raise TypeError(f"{name}: {shown(move)}: expected a Move (parse_uci and parse_san make one of text)")
    if not 0 <= move < 1 << 16:
        raise InvalidMoveError(f"{name}: {shown(int(move))}: expected an int from 0 to 65535")
    return INTERNED[int(move)]


# All moves at once: a dict that created each move on first use made lists of moves a seventh slower.
INTERNED: Final = [int.__new__(Move, word) for word in range(1 << 16)]
NULL: Final = INTERNED[0]


def _plain_words() -> list[int]:
    """Return, for each word, the word that all equal moves share: squares and promotion, castling as two steps."""
    usual = list(range(1 << 12))
    castling = usual.copy()
    for king in (4, 60):
        castling[king | king + 3 << 6] = king | king + 2 << 6
        castling[king | king - 4 << 6] = king | king - 2 << 6
    return [*usual * 4, *range(PROMOTION << 14, EN_PASSANT << 14), *usual * 4, *castling * 4]


PLAIN: Final = _plain_words()


_SQUARES: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}


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
    if isinstance(text, str) and 4 <= len(text) <= 5:
        source, target = _SQUARES.get(text[:2]), _SQUARES.get(text[2:4])
        if source is not None and target is not None and (len(text) == 4 or text[4] in PROMOTIONS):
            return UciParts(source, target, text[4:] or None)
    raise InvalidMoveError(
        f"UCI move: {shown(text)}: expected two squares and perhaps a promotion, like 'e2e4' or 'e7e8q'"
    )
