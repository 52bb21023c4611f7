"""Pieces and their kinds by their letters, as FENs have them: ``"Q"`` is a white queen, ``"q"`` a black one, and a kind
is the small letter, whoever's it is.
"""

from typing import Final, Literal, TypeAlias

from rookery.arguments import flag, shown
from rookery.colours import Colour, read_colour

PieceType: TypeAlias = Literal["p", "n", "b", "r", "q", "k"]

PAWN: Final = "p"
KNIGHT: Final = "n"
BISHOP: Final = "b"
ROOK: Final = "r"
QUEEN: Final = "q"
KING: Final = "k"
PIECE_TYPES: Final[tuple[PieceType, ...]] = (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING)

_KINDS: Final[dict[str, PieceType]] = {kind: kind for kind in PIECE_TYPES}
_SIGNS: Final = "PNBRQKpnbrqk"
_FIGURINES: Final = "♙♘♗♖♕♔♟♞♝♜♛♚"


def read_piece_type(kind: str, name: str = "kind") -> PieceType:
    """A kind of piece, `PAWN` (``"p"``) to `KING` (``"k"``), or an error that names the argument.

    >>> read_piece_type(QUEEN)
    'q'
    """
    if isinstance(kind, str) and kind in _KINDS:
        return _KINDS[kind]
    error = ValueError if isinstance(kind, str) else TypeError
    raise error(
        f"{name}: {shown(kind)}: expected PAWN ('p'), KNIGHT ('n'), BISHOP ('b'), ROOK ('r'), QUEEN ('q') or KING ('k')"
    )


def read_piece(symbol: str, name: str = "piece") -> "Piece":
    """The piece of a letter, or an error that names the argument."""
    if isinstance(symbol, str) and symbol in PIECES:
        return PIECES[symbol]
    raise ValueError(f"{name}: {shown(symbol)}: expected one of {_SIGNS}")


class Piece(str):
    """A piece: its letter, a text, that also tells its kind and colour.

    >>> piece = Piece(QUEEN, "white")
    >>> piece, piece.piece_type, piece.color, piece == "Q", piece.unicode_symbol()
    ('Q', 'q', True, True, '♕')
    """

    __slots__ = ()

    def __new__(cls, piece_type: str, color: Colour) -> "Piece":
        """The piece of a kind and a colour; there is one object for each of the twelve."""
        kind = read_piece_type(piece_type, "piece_type")
        return PIECES[kind.upper() if read_colour(color, "color") else kind]

    @classmethod
    def from_symbol(cls, symbol: str) -> "Piece":
        """The piece of a letter: ``"Q"`` is a white queen.

        >>> Piece.from_symbol("Q").piece_type, Piece.from_symbol("q").color
        ('q', False)
        """
        return read_piece(symbol)

    @property
    def piece_type(self) -> PieceType:
        """The kind of piece: `PAWN` (``"p"``) to `KING` (``"k"``)."""
        return PIECE_TYPES[_SIGNS.index(self) % 6]

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
        return _FIGURINES[(_SIGNS.index(self) + 6 * flag("invert_color", invert_color)) % 12]

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Piece.from_symbol, (str(self),)


PIECES: Final[dict[str, Piece]] = {sign: str.__new__(Piece, sign) for sign in _SIGNS}
