"""Pieces and their kinds by their letters, as FENs have them: ``"Q"`` is a white queen, ``"q"`` a black one, and a kind
is the small letter, whoever's it is.
"""

from collections.abc import Collection
from typing import Final, Literal, TypeAlias

from rookery.arguments import flag, is_number, shown
from rookery.colours import Colour, read_colour

PieceType: TypeAlias = Literal["p", "n", "b", "r", "q", "k"]
PieceName: TypeAlias = Literal["pawn", "knight", "bishop", "rook", "queen", "king"]
AnyPiece: TypeAlias = PieceType | PieceName | int
AnySlider: TypeAlias = Literal["b", "r", "q", "bishop", "rook", "queen"] | int

PAWN: Final = "p"
KNIGHT: Final = "n"
BISHOP: Final = "b"
ROOK: Final = "r"
QUEEN: Final = "q"
KING: Final = "k"
PIECE_TYPES: Final[tuple[PieceType, ...]] = (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING)
KIND_NAMES: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")  # in the order of `PIECE_TYPES`
PROMOTED: Final[tuple[PieceType, ...]] = (KNIGHT, BISHOP, ROOK, QUEEN)
SLIDERS: Final[dict[PieceType, str]] = {ROOK: "rook", BISHOP: "bishop", QUEEN: "queen"}

_KINDS: Final[dict[str, PieceType]] = {
    **{kind: kind for kind in PIECE_TYPES},
    **dict(zip(KIND_NAMES, PIECE_TYPES, strict=True)),
}
_SIGNS: Final = "PNBRQKpnbrqk"
_FIGURINES: Final = "♙♘♗♖♕♔♟♞♝♜♛♚"


def find_piece_type(kind: object) -> PieceType | None:
    """Return the kind of piece that a constant, a letter, a name or a number from 1 stands for, or None.

    >>> find_piece_type("queen"), find_piece_type(5), find_piece_type("lady")
    ('q', 'q', None)
    """
    if isinstance(kind, str):
        return _KINDS.get(kind)
    if is_number(kind) and 1 <= int(kind) <= 6:  # type: ignore[call-overload]  # it is a number
        return PIECE_TYPES[int(kind) - 1]  # type: ignore[call-overload]
    return None


def read_piece_type(kind: str | int, name: str = "kind", among: Collection[PieceType] = PIECE_TYPES) -> PieceType:
    """Return a kind of piece as its letter, given as a constant, a letter, a name or an int, as python-chess has it.

    What is not one of `among` is an error that names the argument: a TypeError, or for a text or an int a ValueError.

    >>> read_piece_type(QUEEN), read_piece_type("q"), read_piece_type("queen"), read_piece_type(5)
    ('q', 'q', 'q', 'q')
    """
    if isinstance(kind, str) and kind in _KINDS and among is PIECE_TYPES:
        return _KINDS[kind]
    found = find_piece_type(kind)
    if found is not None and found in among:
        return found
    expected = [f"{KIND_NAMES[PIECE_TYPES.index(one)].upper()} ({one!r})" for one in PIECE_TYPES if one in among]
    error = ValueError if isinstance(kind, str) or is_number(kind) else TypeError
    raise error(f"{name}: {shown(kind)}: expected {', '.join(expected[:-1])} or {expected[-1]}")


def read_slider(piece: str | int, name: str = "piece") -> str:
    """Return ``"rook"``, ``"bishop"`` or ``"queen"``, given in any way that `read_piece_type` takes.

    >>> read_slider(ROOK), read_slider("bishop"), read_slider(5)
    ('rook', 'bishop', 'queen')
    """
    return SLIDERS[read_piece_type(piece, name, SLIDERS)]


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

    def __new__(cls, piece_type: str | int, color: Colour) -> "Piece":
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
