"""Moves, and the words of 16 bits that arrays store for them.

A `Move` has an origin, a target and perhaps a promotion, as in UCI and in python-chess. In castling the target is the
king's square in classical chess, and the square of the rook in Chess960.

A move word says the same for both kinds of chess, and also what kind of move it is:

bits 0-5      origin square
bits 6-11     target square; for castling the square of the rook, in classical chess too
bits 12-13    promotion: 0 knight, 1 bishop, 2 rook, 3 queen
bits 14-15    kind: 0 ordinary, 1 promotion, 2 en passant, 3 castling

The kind depends on the position: `Board.move_word` returns the word of a move, `Move.from_word` the move of a word. The
two differ as ints for castling and en passant only.
"""

from itertools import repeat
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, Self

from rookery.arguments import flag, is_number, is_of_numpy, shown
from rookery.bitboards.colours import WHITE, Colour
from rookery.bitboards.pieces import KNIGHT, PROMOTED, PieceType, read_piece_type
from rookery.bitboards.squares import SQUARE_NAMES, Integer, check_square
from rookery.kernel.native import bind_from_wheel, field_holder, keep, native, objects_with_fields, provide, show_fields


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


# Attributes that moves no longer have, since equal moves would differ in them, and what has them instead.
_REMOVED: Final[dict[str, str]] = {
    "is_castling": "board.is_castling(move)",
    "is_en_passant": "board.is_en_passant(move)",
    "kind": "board.move_word(move) >> 14",
    "king_to": "move.to_square, which is the king's square in classical chess",
    "rook_to": "the square between move.from_square and move.to_square, in classical chess",
}


if TYPE_CHECKING:
    _Number = int
else:
    _Number = field_holder("rookery.board.moves.NumberWithFields") or int


class _Removed:
    """An attribute that moves no longer have: an error says what has it instead."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, move: object, owner: type) -> NoReturn:
        if move is None:
            raise AttributeError(f"type object {owner.__name__!r} has no attribute {self._name!r}")
        raise AttributeError(f"{self._name}: moves no longer have it: use {_REMOVED[self._name]}")


class Move(_Number):
    """A move from one square to another: ``Move(E2, E4)``, ``Move(E7, E8, QUEEN)``.

    A move knows its squares and its promotion, and nothing of a position. There is exactly one object for each of the
    20,480 moves, so moves that are equal agree in everything. Castling goes to the king's square in classical chess,
    and to the rook's square in Chess960, as in python-chess. Boards say what else a move is: see `Board.is_castling`.

    A move is also an int: the word that arrays store for it (see `rookery.board.moves`), unless it castles or captures
    en passant. Then `Board.move_word` returns the word, and `from_word` the move.

    >>> move = Move.of(12, 28)
    >>> move
    Move('e2e4')
    >>> move.from_square
    12
    >>> move.to_square
    28
    >>> Move.from_uci("e2e4") is move
    True
    >>> int(move)
    1804
    >>> castling = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1").parse_san("O-O")
    >>> castling
    Move('e1g1')
    >>> castling.to_square
    6
    """

    __slots__ = ()

    def __new__(cls, word: int = 0, to_square: int | None = None, promotion: int | str | None = None) -> "Move":
        """Return the move from one square to another or, given one argument, the move of a word of classical chess."""
        if to_square is None and promotion is not None:
            raise TypeError(f"promotion: {shown(promotion)}: expected a to_square before it")
        if to_square is not None:
            return cls.of(word, to_square, promotion=promotion)
        if isinstance(word, int) and not isinstance(word, bool) and 0 <= word < 1 << 16:
            return CLASSICAL[word]
        raise InvalidMoveError(f"move: {shown(word)}: expected an int from 0 to 65535")

    @classmethod
    def from_word(cls, word: Integer, *, chess960: bool = False) -> "Move":
        """Return the move of a word, as arrays store it (see `rookery.board.moves`).

        Words of castling have the square of the rook. The move has it, too, if `chess960` is set; else it goes to the
        king's square. ``Move(word)`` is the same without `chess960`.

        >>> word = int(Positions.from_fens(["4k3/8/8/8/8/8/8/4K2R w K - 0 1"]).parse_san(["O-O"])[0])
        >>> Move.from_word(word)
        Move('e1g1')
        >>> Move.from_word(word, chess960=True)
        Move('e1h1')
        """
        if is_of_numpy(word, "integer"):
            word = int(word)
        if not isinstance(word, int) or isinstance(word, bool):
            raise TypeError(f"word: {shown(word)}: expected an int from 0 to 65535")
        if not 0 <= word < 1 << 16:
            raise InvalidMoveError(f"word: {shown(word)}: expected an int from 0 to 65535")
        return (CHESS960 if flag("chess960", chess960) else CLASSICAL)[word]

    @classmethod
    @native
    def from_uci(cls, text: str) -> "Move":
        """Return the move that a UCI text stands for, without a board. ``0000`` is the null move.

        >>> Move.from_uci("e7e8q").promotion
        5
        >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        >>> castling = Move.from_uci("e1g1")
        >>> castling in board.legal_moves
        True
        >>> board.san(castling)
        'O-O'
        """
        if isinstance(text, str) and text == "0000":
            return NULL
        source, target, promotion = parse_uci_parts(text)
        if promotion:
            return CLASSICAL[source | target << 6 | PROMOTIONS.index(promotion) << 12 | PROMOTION << 14]
        return CLASSICAL[source | target << 6]

    @classmethod
    @native
    def of(
        cls, from_square: int, to_square: int, *, promotion: int | str | None = None, kind: int | None = None
    ) -> "Move":
        """Return the move from one square to another; `promotion` is a piece type, such as `QUEEN` or ``"q"``.

        Moves no longer have a `kind`.

        >>> Move.of(12, 28)
        Move('e2e4')
        >>> Move.of(52, 60, promotion="q")
        Move('e7e8q')
        """
        if kind is not None:
            raise TypeError(
                f"kind: {shown(kind)}: moves no longer have a kind: expected the squares alone, in classical chess the "
                "king's for castling; Board.move_word returns the word of a move, with its kind"
            )
        return CLASSICAL[word_of(from_square, to_square, promotion)]

    @classmethod
    def null(cls) -> "Move":
        """Return the null move, whose word is 0; UCI writes it ``0000``.

        >>> Move.null()
        Move('0000')
        """
        return NULL

    @property
    def from_square(self) -> int:
        """Return the origin square."""
        return self & 63

    @property
    def to_square(self) -> int:
        """Return the target square. For castling it is the king's in classical chess, and the rook's in Chess960."""
        return self >> 6 & 63

    @property
    def promotion(self) -> PieceType | None:
        """Return the piece type to which a pawn promotes, `KNIGHT` (2) to `QUEEN` (5), or None."""
        return (self >> 12 & 3) + KNIGHT if self >> 14 else None

    @native
    def uci(self, chess960: None = None) -> str:
        """Return the move in UCI notation: ``e2e4``, ``e7e8q``.

        `Board.uci` writes castling in the form of either kind of chess; `chess960` moved there.

        >>> Move.of(12, 28).uci()
        'e2e4'
        """
        if chess960 is not None:
            raise TypeError(
                f"chess960: {shown(chess960)}: a move does not know whether it castles: "
                "board.uci(move, chess960=...) writes castling in either form"
            )
        if self >> 14:
            return SQUARE_NAMES[self & 63] + SQUARE_NAMES[self >> 6 & 63] + PROMOTIONS[self >> 12 & 3]
        return TEXTS[self]

    def xboard(self) -> str:
        """Return the move as XBoard writes it: as in UCI, but the null move is ``@@@@``.

        `Board.xboard` also writes castling as ``O-O``.

        >>> Move(12, 28).xboard()
        'e2e4'
        >>> Move.null().xboard()
        '@@@@'
        """
        return self.uci() if self else "@@@@"

    if not TYPE_CHECKING:  # type checkers must still report names that do not exist
        # With `__getattr__` in their place, Python would look for every attribute in the slow way.
        is_castling, is_en_passant, kind, king_to, rook_to = map(_Removed, _REMOVED)

    def __repr__(self) -> str:
        return f"Move({self.uci()!r})"

    @native
    def __str__(self) -> str:
        return self.uci()

    def svg(self, *, orientation: Colour = WHITE, coordinates: bool = True, size: int = 240) -> str:
        """Return a picture of the move as SVG text: an arrow on an empty board.

        >>> Move.of(12, 28).svg().startswith("<svg")
        True
        """
        from rookery.bitboards.pictures import board_svg

        return board_svg(
            arrows=[(self.from_square, self.to_square)] if self else [],
            orientation=orientation,
            coordinates=coordinates,
            size=size,
            title=f"Move {self.uci()}",
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


def word_of(from_square: int, to_square: int, promotion: int | str | None = None, kind: int | None = None) -> int:
    """Return the word of a move, of whatever kind.

    >>> hex(word_of(4, 7, kind=CASTLING))
    '0xc1c4'
    """
    source, target = check_square(from_square, "from_square"), check_square(to_square, "to_square")
    letter = read_promotion(promotion)
    if letter:
        return source | target << 6 | PROMOTIONS.index(letter) << 12 | PROMOTION << 14
    return source | target << 6 | (kind or USUAL) << 14


def as_move(move: int, name: str = "move", *, chess960: bool = False) -> Move:
    """Return `move` itself if it is a Move, or the move of a word. Errors name the argument `name`."""
    if type(move) is Move:
        return move
    if not is_number(move):
        raise TypeError(f"{name}: {shown(move)}: expected a Move (parse_uci and parse_san make one of text)")
    if not 0 <= move < 1 << 16:
        raise InvalidMoveError(f"{name}: {shown(int(move))}: expected an int from 0 to 65535")
    return (CHESS960 if chess960 else CLASSICAL)[int(move)]


def _moves_of_words() -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    """Return the move of each word, in classical chess and in Chess960, in 3 ms."""
    words = [*range(1 << 12), *range(PROMOTION << 14, EN_PASSANT << 14)]
    if _Number is int:
        made = list(map(int.__new__, repeat(Move), words))
    else:
        squares = range(64)
        sources, targets = [*squares] * 64 * 5, [square for square in squares for _ in squares] * 5
        becomes = [kind for kind in (None, *PROMOTED) for _ in range(1 << 12)]
        made = objects_with_fields(_Number, Move, words, sources, targets, becomes)
    usual, promotions = made[: 1 << 12], made[1 << 12 :]
    castling = usual.copy()
    for king in (4, 60):
        castling[king | king + 3 << 6] = usual[king | king + 2 << 6]
        castling[king | king - 4 << 6] = usual[king | king - 2 << 6]
    return (*usual * 4, *promotions, *usual * 4, *castling * 4), (*usual * 4, *promotions, *usual * 8)


# The move of each word. Castling that only Chess960 has goes to the rook's square in both, since a king may also step
# from f1 to g1.
CLASSICAL, CHESS960 = _moves_of_words()
# Of moves without promotion; the first is the null move.
TEXTS: Final = ("0000", *[source + target for target in SQUARE_NAMES for source in SQUARE_NAMES][1:])
NULL: Final = CLASSICAL[0]

if _Number is not int:
    show_fields(Move, ("from_square", "to_square", "promotion"))
keep(CLASSICAL)
provide("Move", Move)
provide("moves", CLASSICAL)
provide("moves960", CHESS960)
provide("texts of moves", TEXTS)
bind_from_wheel(Move)


_SQUARES: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}


class UciParts(NamedTuple):
    """The parts of a move's text, before a board resolves them."""

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
        if source is not None and target is not None and source != target and (len(text) == 4 or text[4] in PROMOTIONS):
            return UciParts(source, target, text[4:] or None)
    raise InvalidMoveError(
        f"UCI move: {shown(text)}: expected two squares and perhaps a promotion, like 'e2e4' or 'e7e8q'"
    )
