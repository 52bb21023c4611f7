"""Pieces and their types.

A piece is a letter, as in a FEN: ``"Q"`` is a white queen, ``"q"`` a black one. A piece type is an int, `PAWN` (1) to
`KING` (6). Every function also takes its letter, in either case, and its name.
"""

import sys
from collections.abc import Collection
from typing import Final, Literal, TypeAlias

from rookery.arguments import flag, is_number, shown
from rookery.bitboards.colours import Colour, read_colour
from rookery.kernel.native import bind_from_wheel, keep, native, provide

PieceType: TypeAlias = int
Letter: TypeAlias = Literal["p", "n", "b", "r", "q", "k", "P", "N", "B", "R", "Q", "K"]
PieceName: TypeAlias = Literal["pawn", "knight", "bishop", "rook", "queen", "king"]
AnyPiece: TypeAlias = Letter | PieceName | int
AnySlider: TypeAlias = Literal["b", "r", "q", "B", "R", "Q", "bishop", "rook", "queen"] | int

PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
PIECE_TYPES: Final = (PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING)
# By piece type. Type 0 does not exist.
PIECE_SYMBOLS: Final = (None, "p", "n", "b", "r", "q", "k")
KIND_NAMES: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")  # in the order of `PIECE_TYPES`
PIECE_NAMES: Final = (None, *KIND_NAMES)
PROMOTED: Final = (KNIGHT, BISHOP, ROOK, QUEEN)
SLIDERS: Final = {ROOK: "rook", BISHOP: "bishop", QUEEN: "queen"}

_TYPES: Final[dict[str, PieceType]] = {
    word: kind for words in (PIECE_SYMBOLS, PIECE_NAMES) for kind, word in enumerate(words) if word
} | {letter.upper(): kind for kind, letter in enumerate(PIECE_SYMBOLS) if letter}
_LETTERS: Final = ("", "p", "n", "b", "r", "q", "k")
_SIGNS: Final = "PNBRQKpnbrqk"
EMPTY_SQUARE: Final = "⭘"  # among figurines
_FIGURINES: Final = dict(zip(_SIGNS, "♙♘♗♖♕♔♟♞♝♜♛♚", strict=True))


def find_piece_type(kind: object) -> PieceType | None:
    """Return the piece type that a constant, an int, a letter or a name stands for, or None.

    >>> find_piece_type("queen")
    5
    >>> find_piece_type("lady")
    """
    if isinstance(kind, str):
        return _TYPES.get(kind)
    if is_number(kind) and 1 <= int(kind) <= 6:  # type: ignore[call-overload]  # it is a number
        return int(kind)  # type: ignore[call-overload,no-any-return]
    return None


def read_piece_type(kind: str | int, name: str = "kind", among: Collection[PieceType] = PIECE_TYPES) -> PieceType:
    """Return a piece type, given as a constant, an int, a letter or a name.

    The type must be one of `among`. An error names the argument: a ValueError for a text or an int, else a TypeError.

    >>> read_piece_type(QUEEN)
    5
    >>> read_piece_type("Q")
    5
    >>> read_piece_type("queen")
    5
    """
    if type(kind) is int and 1 <= kind <= 6 and among is PIECE_TYPES:  # takes a fifth of the time of what follows
        return kind
    found = find_piece_type(kind)
    if found is not None and found in among:
        return found
    expected = [f"{KIND_NAMES[allowed - 1].upper()} ({allowed})" for allowed in PIECE_TYPES if allowed in among]
    error = ValueError if isinstance(kind, str) or is_number(kind) else TypeError
    raise error(f"{name}: {shown(kind)}: expected {', '.join(expected[:-1])} or {expected[-1]}, a letter or a name")


def read_slider(piece: str | int, name: str = "piece") -> str:
    """Return ``"rook"``, ``"bishop"`` or ``"queen"``, given in any form that `read_piece_type` takes.

    >>> read_slider(ROOK)
    'rook'
    >>> read_slider("b")
    'bishop'
    """
    return SLIDERS[read_piece_type(piece, name, SLIDERS)]


@native
def piece_symbol(piece_type: int | str) -> str:
    """Return the lower-case letter of a piece type.

    >>> piece_symbol(KNIGHT)
    'n'
    """
    if type(piece_type) is int and 1 <= piece_type <= 6:
        return _LETTERS[piece_type]
    return _LETTERS[read_piece_type(piece_type, "piece_type")]


@native
def piece_name(piece_type: int | str) -> str:
    """Return the name of a piece type.

    >>> piece_name(KNIGHT)
    'knight'
    """
    if type(piece_type) is int and 1 <= piece_type <= 6:
        return KIND_NAMES[piece_type - 1]
    return KIND_NAMES[read_piece_type(piece_type, "piece_type") - 1]


def read_piece(symbol: str, name: str = "piece") -> "Piece":
    """Return the piece with a letter; an error names the argument."""
    if isinstance(symbol, str) and symbol in PIECES:
        return PIECES[symbol]
    raise ValueError(f"{name}: {shown(symbol)}: expected one of {_SIGNS}")


class Piece(str):
    """A piece: a str of its letter, with its type and colour as attributes.

    >>> piece = Piece(QUEEN, "white")
    >>> piece
    'Q'
    >>> piece.piece_type
    5
    >>> piece.color
    True
    >>> piece.unicode_symbol()
    '♕'
    """

    # Slots, not properties: evaluations read both for every piece on the board.
    __slots__ = {
        "color": "The colour, True for `WHITE`, in the spelling of python-chess.",
        "piece_type": "The piece type: `PAWN` (1) to `KING` (6).",
    }

    piece_type: PieceType
    color: bool

    def __new__(cls, piece_type: int | str, color: Colour) -> "Piece":
        """Return the piece of a type and a colour. Each of the twelve pieces is one shared object."""
        if type(piece_type) is int and 1 <= piece_type <= 6:  # takes a third of the time of what follows
            if color is True:
                return _WHITE[piece_type]
            if color is False:
                return _BLACK[piece_type]
        letter = piece_symbol(piece_type)
        return PIECES[letter.upper() if read_colour(color, "color") else letter]

    @classmethod
    def _of(cls, sign: str) -> "Piece":
        piece = str.__new__(cls, sign)
        object.__setattr__(piece, "piece_type", _SIGNS.index(sign) % 6 + 1)
        object.__setattr__(piece, "color", sign.isupper())
        return piece

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name}: a piece does not change: Piece(QUEEN, WHITE) is another one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name}: a piece does not change")

    @classmethod
    @native
    def from_symbol(cls, symbol: str) -> "Piece":
        """Return the piece with a letter: ``"Q"`` is a white queen.

        >>> Piece.from_symbol("Q").piece_type
        5
        >>> Piece.from_symbol("q").color
        False
        """
        return read_piece(symbol)

    @native
    def symbol(self) -> str:
        """Return the letter as a plain str.

        >>> Piece.from_symbol("n").symbol()
        'n'
        """
        return str(self)

    def unicode_symbol(self, *, invert_color: bool = False) -> str:
        """Return the chess figurine, outlined for white and filled for black; `invert_color` swaps the two.

        >>> Piece.from_symbol("N").unicode_symbol()
        '♘'
        >>> Piece.from_symbol("N").unicode_symbol(invert_color=True)
        '♞'
        """
        return _FIGURINES[self.swapcase() if flag("invert_color", invert_color) else self]

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Piece.from_symbol, (str(self),)


PIECES: Final[dict[str, Piece]] = {sign: Piece._of(sign) for sign in _SIGNS}
# By piece type. Type 0 does not exist.
_WHITE: Final = (PIECES["P"], *(PIECES[sign] for sign in _SIGNS[:6]))
_BLACK: Final = (PIECES["p"], *(PIECES[sign] for sign in _SIGNS[6:]))

keep((*PIECES.values(),))
provide("Piece", Piece)
provide("pieces", (None, *PIECES.values()))
provide("letters of pieces", (None, *PIECES))
provide("letters by type", PIECE_SYMBOLS)
provide("names by type", PIECE_NAMES)
bind_from_wheel(Piece)
bind_from_wheel(sys.modules[__name__])
