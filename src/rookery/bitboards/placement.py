"""Placement: where the pieces stand, as twelve bitboards, one for each kind of piece of each colour."""

import functools
import itertools
import operator
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rookery import arguments
from rookery.arguments import shown
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.pieces import KIND_NAMES
from rookery.bitboards.squares import check_square, square_name

SIGNS: Final = "PNBRQKpnbrqk"
_DIGITS: Final = frozenset("12345678")
_EXPECTED: Final = frozenset(SIGNS) | _DIGITS
KINDS: Final = KIND_NAMES


def fields_of(text: str) -> list[str]:
    """Split a FEN into its fields at ASCII blanks; `str.split` splits at other characters, too."""
    return [field for field in re.split(r"[ \t-\r]+", text) if field]


class Placement(NamedTuple):
    """The placement of the pieces. No two boards share a square.

    >>> start = Placement.from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    >>> start.white.names()[:3]
    ['a1', 'b1', 'c1']
    >>> len(start.occupied)
    32
    >>> start.piece_at(3)
    'Q'
    """

    white_pawns: Bitboard
    white_knights: Bitboard
    white_bishops: Bitboard
    white_rooks: Bitboard
    white_queens: Bitboard
    white_king: Bitboard
    black_pawns: Bitboard
    black_knights: Bitboard
    black_bishops: Bitboard
    black_rooks: Bitboard
    black_queens: Bitboard
    black_king: Bitboard

    @classmethod
    def from_fen(cls, fen: str) -> "Placement":
        """Read the first field of a FEN. Further fields may follow and are ignored.

        >>> Placement.from_fen("4k3/8/8/8/8/8/8/R3K3").occupied.names()
        ['a1', 'e1', 'e8']
        """
        fields = fields_of(arguments.text("FEN", fen))
        if not fields:
            raise ValueError(f"FEN: {shown(fen)} is empty: expected eight ranks of pieces, like '8/8/8/8/8/8/8/K1k5'")
        boards = [0] * 12
        for fault in read_pieces(fields[0], boards):
            raise ValueError(fault)
        return cls(*map(Bitboard, boards))

    def to_fen(self) -> str:
        """Return the first field of a FEN.

        >>> Placement.from_fen("4k3/8/8/8/8/8/8/R3K3 w Q -").to_fen()
        '4k3/8/8/8/8/8/8/R3K3'
        """
        signs = ["."] * 64
        for sign, board in zip(SIGNS, self, strict=True):
            for square in board:
                signs[square] = sign
        text = "/".join("".join(signs[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1))
        for empty in range(8, 0, -1):
            text = text.replace("." * empty, str(empty))
        return text

    @property
    def white(self) -> Bitboard:
        """Return all white pieces."""
        return functools.reduce(operator.or_, self[:6])

    @property
    def black(self) -> Bitboard:
        """Return all black pieces."""
        return functools.reduce(operator.or_, self[6:])

    @property
    def occupied(self) -> Bitboard:
        """Return all pieces."""
        return self.white | self.black

    @property
    def empty(self) -> Bitboard:
        """Return all squares without a piece."""
        return ~self.occupied

    def piece_at(self, square: int) -> str | None:
        """Return the letter of the piece on a square (``"Q"`` white, ``"q"`` black), or None.

        >>> placement = Placement.from_fen("4k3/8/8/8/8/8/8/R3K3")
        >>> placement.piece_at(0)
        'R'
        >>> placement.piece_at(60)
        'k'
        >>> placement.piece_at(27)
        """
        mask = 1 << check_square(square)
        return next((sign for sign, board in zip(SIGNS, self, strict=True) if board & mask), None)

    def kind_at(self, square: int) -> str | None:
        """Return the kind of the piece on a square, like ``"queen"``, or None.

        >>> Placement.from_fen("4k3/8/8/8/8/8/8/R3K3").kind_at(0)
        'rook'
        """
        sign = self.piece_at(square)
        return KINDS[SIGNS.index(sign) % 6] if sign else None

    def marks(self) -> dict[int, str]:
        """Return the letters of the pieces by square, for `Bitboard.draw`.

        >>> Placement.from_fen("4k3/8/8/8/8/8/8/R3K3").marks()
        {0: 'R', 4: 'K', 60: 'k'}
        """
        return {square: sign for square in self.occupied if (sign := self.piece_at(square))}

    def __str__(self) -> str:
        return Bitboard(0).draw(self.marks())

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        from rookery.bitboards.pictures import board_svg

        return board_svg(self.marks(), title="Placement of the pieces")


def read_pieces(field: str, boards: list[int]) -> Iterator[str]:
    """Put the pieces of a FEN's first field on twelve boards, and yield a message for each error in the field.

    >>> for fault in read_pieces("44/8/8/8/8/8/9/7", [0] * 12):
    ...     print(fault)
    FEN field 1 (pieces), rank 8: '44': two digits in a row
    FEN field 1 (pieces), rank 2: '9': unexpected '9', expected one of PNBRQKpnbrqk or 1 to 8
    FEN field 1 (pieces), rank 1: '7' has 7 squares, expected 8
    """
    ranks = field.split("/", 8)
    if len(ranks) != 8:
        yield f"FEN field 1 (pieces): {shown(field)} has {field.count('/') + 1:,} ranks, expected 8"
    for rank, text in zip(range(7, -1, -1), ranks, strict=False):
        where = f"FEN field 1 (pieces), rank {rank + 1}: {shown(text)}"
        unexpected = dict.fromkeys(sign for sign in text if sign not in _EXPECTED)
        if unexpected:
            signs = ", ".join(map(repr, itertools.islice(unexpected, 5)))
            yield f"{where}: unexpected {signs}, expected one of {SIGNS} or 1 to 8"
        if re.search("[1-8][1-8]", text):
            yield f"{where}: two digits in a row"
        file = 0
        for sign in text:
            if sign in SIGNS and file < 8:
                boards[SIGNS.index(sign)] |= 1 << (8 * rank + file)
            file += int(sign) if sign in _DIGITS else 1
        if file != 8 and not unexpected:
            yield f"{where} has {file:,} squares, expected 8"


def describe_square(placement: Placement, square: int) -> str:
    """Describe the piece on a square, like ``'white queen on f3'`` or ``'nothing on f3'``."""
    sign = placement.piece_at(square)
    if not sign:
        return f"nothing on {square_name(square)}"
    colour = "white" if sign.isupper() else "black"
    return f"{colour} {placement.kind_at(square)} on {square_name(square)}"
