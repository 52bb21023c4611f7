"""Pieces and their types.

A piece is its letter, as in a FEN: ``"Q"`` is a white queen, ``"q"`` a black one. A piece type is an int, `PAWN` (1) to
`KING` (6); every function takes its small letter, too.
"""

from typing import Final, Literal, TypeAlias

from rookery.arguments import is_number, shown
from rookery.colours import Colour, read_colour

PieceType: TypeAlias = int
Letter: TypeAlias = Literal["p", "n", "b", "r", "q", "k"]

PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
PIECE_TYPES: Final = (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING)
# By piece type; there is no type 0.
PIECE_SYMBOLS: Final = (None, "p", "n", "b", "r", "q", "k")
PIECE_NAMES: Final = (None, "pawn", "knight", "bishop", "rook", "queen", "king")

_TYPES: Final = {symbol: piece_type for piece_type, symbol in enumerate(PIECE_SYMBOLS) if symbol}
_SIGNS: Final = "PNBRQKpnbrqk"
_FIGURINES: Final = "♙♘♗♖♕♔♟♞♝♜♛♚"


def read_piece_type(kind: int | str, name: str = "kind") -> PieceType:
    """A piece type, `PAWN` (1, or ``"p"``) to `KING` (6, or ``"k"``), or an error that names the argument.

    >>> read_piece_type(QUEEN), read_piece_type("q")
    (5, 5)
    """
    if type(kind) is int and 1 <= kind <= 6:
        return kind
    if isinstance(kind, str) and kind in _TYPES:
        return _TYPES[kind]
    if is_number(kind) and 1 <= int(kind) <= 6:
        return int(kind)
    error = ValueError if isinstance(kind, str) or is_number(kind) else TypeError
    raise error(f"{name}: {shown(kind)}: expected PAWN (1) to KING (6), or one of the letters p, n, b, r, q, k")


def piece_symbol(piece_type: int | str) -> str:
    """Return the small letter of a piece type.

    >>> piece_symbol(KNIGHT)
    'n'
    """
    return PIECE_SYMBOLS[read_piece_type(piece_type, "piece_type")] or ""


def piece_name(piece_type: int | str) -> str:
    """Return the name of a piece type.

    >>> piece_name(KNIGHT)
    'knight'
    """
    return PIECE_NAMES[read_piece_type(piece_type, "piece_type")] or ""


class Piece(str):
    """A piece: its letter, a text, that also tells its kind and colour.

    >>> piece = Piece(QUEEN, "white")
    >>> piece, piece.piece_type, piece.color, piece == "Q", piece.unicode_symbol()
    ('Q', 5, True, True, '♕')
    """

    __slots__ = ()

    def __new__(cls, piece_type: int | str, color: Colour) -> "Piece":
        """The piece of a kind and a colour; there is one object for each of the twelve."""
        letter = piece_symbol(piece_type)
        return PIECES[letter.upper() if read_colour(color, "color") else letter]

    @classmethod
    def from_symbol(cls, symbol: str) -> "Piece":
        """The piece of a letter: ``"Q"`` is a white queen.

        >>> Piece.from_symbol("Q").piece_type, Piece.from_symbol("q").color
        (5, False)
        """
        if isinstance(symbol, str) and symbol in PIECES:
            return PIECES[symbol]
        raise ValueError(f"piece: {shown(symbol)}: expected one of {_SIGNS}")

    @property
    def piece_type(self) -> PieceType:
        """The piece type: `PAWN` (1) to `KING` (6)."""
        return _SIGNS.index(self) % 6 + 1

    @property
    def color(self) -> bool:
        """Whose it is, spelled as python-chess spells it."""
        return self.isupper()

    def symbol(self) -> str:
        """The letter as plain text: what the piece is anyway.

        >>> Piece.from_symbol("n").symbol()
        'n'
        """
        return str(self)

    def unicode_symbol(self, *, invert_color: bool = False) -> str:
        """The chess figurine: white ones are outlined, black ones filled, or with `invert_color` the other way.

        >>> Piece.from_symbol("N").unicode_symbol(), Piece.from_symbol("N").unicode_symbol(invert_color=True)
        ('♘', '♞')
        """
        return _FIGURINES[(_SIGNS.index(self) + 6 * invert_color) % 12]

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Piece.from_symbol, (str(self),)


PIECES: Final[dict[str, Piece]] = {sign: str.__new__(Piece, sign) for sign in _SIGNS}
