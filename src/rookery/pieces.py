"""Pieces and their types.

A piece is its letter, as in a FEN: ``"Q"`` is a white queen, ``"q"`` a black one. A piece type is an int, `PAWN` (1) to
`KING` (6); every function takes its small letter, too.
"""

from collections.abc import Collection
from typing import Final, Literal, TypeAlias

from rookery.arguments import flag, is_number, shown
from rookery.colours import Colour, read_colour

PieceType: TypeAlias = int
Letter: TypeAlias = Literal["p", "n", "b", "r", "q", "k"]
PieceName: TypeAlias = Literal["pawn", "knight", "bishop", "rook", "queen", "king"]
AnyPiece: TypeAlias = Letter | PieceName | int
AnySlider: TypeAlias = Literal["b", "r", "q", "bishop", "rook", "queen"] | int

PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
PIECE_TYPES: Final = (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING)
# By piece type; there is no type 0.
PIECE_SYMBOLS: Final = (None, "p", "n", "b", "r", "q", "k")
KIND_NAMES: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")  # in the order of `PIECE_TYPES`
PIECE_NAMES: Final = (None, *KIND_NAMES)
PROMOTED: Final = (KNIGHT, BISHOP, ROOK, QUEEN)
SLIDERS: Final = {ROOK: "rook", BISHOP: "bishop", QUEEN: "queen"}

_TYPES: Final[dict[str, PieceType]] = {
    word: kind for words in (PIECE_SYMBOLS, PIECE_NAMES) for kind, word in enumerate(words) if word
}
_SIGNS: Final = "PNBRQKpnbrqk"
_FIGURINES: Final = "♙♘♗♖♕♔♟♞♝♜♛♚"


def find_piece_type(kind: object) -> PieceType | None:
    """Return the kind of piece that a constant, an int, a letter or a name stands for, or None.

    >>> find_piece_type("queen"), find_piece_type(5), find_piece_type("lady")
    (5, 5, None)
    """
    if isinstance(kind, str):
        return _TYPES.get(kind)
    if is_number(kind) and 1 <= int(kind) <= 6:  # type: ignore[call-overload]  # it is a number
        return int(kind)  # type: ignore[call-overload,no-any-return]
    return None


def read_piece_type(kind: str | int, name: str = "kind", among: Collection[PieceType] = PIECE_TYPES) -> PieceType:
    """Return a kind of piece, given as a constant, an int, a letter or a name.

    What is not one of `among` is an error that names the argument: a TypeError, or for a text or an int a ValueError.

    >>> read_piece_type(QUEEN), read_piece_type("q"), read_piece_type("queen"), read_piece_type(5)
    (5, 5, 5, 5)
    """
    found = find_piece_type(kind)
    if found is not None and found in among:
        return found
    expected = [f"{KIND_NAMES[one - 1].upper()} ({one})" for one in PIECE_TYPES if one in among]
    error = ValueError if isinstance(kind, str) or is_number(kind) else TypeError
    raise error(f"{name}: {shown(kind)}: expected {', '.join(expected[:-1])} or {expected[-1]}, a letter or a name")


def read_slider(piece: str | int, name: str = "piece") -> str:
    """Return ``"rook"``, ``"bishop"`` or ``"queen"``, given in any way that `read_piece_type` takes.

    >>> read_slider(ROOK), read_slider("bishop"), read_slider(5)
    ('rook', 'bishop', 'queen')
    """
    return SLIDERS[read_piece_type(piece, name, SLIDERS)]


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


def read_piece(symbol: str, name: str = "piece") -> "Piece":
    """The piece of a letter, or an error that names the argument."""
    if isinstance(symbol, str) and symbol in PIECES:
        return PIECES[symbol]
    raise ValueError(f"{name}: {shown(symbol)}: expected one of {_SIGNS}")


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
        return read_piece(symbol)

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
        return _FIGURINES[(_SIGNS.index(self) + 6 * flag("invert_color", invert_color)) % 12]

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Piece.from_symbol, (str(self),)


PIECES: Final[dict[str, Piece]] = {sign: str.__new__(Piece, sign) for sign in _SIGNS}
