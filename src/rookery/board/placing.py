"""The pieces of a board: which there are, where they stand, and how to put them there.

Squares are ints (a1 = 0), colours are `WHITE`, `BLACK` or their names.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rookery.aliases import AnyBoard
from rookery.arguments import UNIVERSE, board_number, mapping, shown
from rookery.bitboards.bitboard import Bitboard, board_of
from rookery.bitboards.colours import Colour, read_colour
from rookery.bitboards.pieces import (
    PIECES,
    Letter,
    Piece,
    PieceType,
    read_piece,
    read_piece_type,
)
from rookery.bitboards.placement import SIGNS, Placement
from rookery.bitboards.squares import check_square
from rookery.board import rows
from rookery.kernel.native import native

if TYPE_CHECKING:
    from rookery.board.board import Board

_WHITE: Final = tuple(PIECES[sign] for sign in "PNBRQK")
_BLACK: Final = tuple(PIECES[sign] for sign in "pnbrqk")
_SQUARES: Final = {0: None} | {mask: square for square, mask in enumerate(rows.MASKS)}

# Which of the first five words of a row a piece is on, a bit each: a queen is on two.
_BOARDS: Final[dict[str, int]] = {
    sign: (0b1, 0b10, 0b100, 0b1000, 0b1100, 0b10000)[i % 6] for i, sign in enumerate(SIGNS)
}
_LETTERS: Final[dict[str | None, int]] = {None: 0} | {sign: ord(sign) for sign in SIGNS}


# Sets of squares.


@native
def pawns(board: "Board") -> Bitboard:
    """Return the pawns of both sides."""
    return board_of(rows.unpack(board._row)[rows.PAWNS])


@native
def knights(board: "Board") -> Bitboard:
    """Return the knights of both sides."""
    return board_of(rows.unpack(board._row)[rows.KNIGHTS])


@native
def bishops(board: "Board") -> Bitboard:
    """Return the bishops of both sides."""
    return board_of(kinds(board)[2])


@native
def rooks(board: "Board") -> Bitboard:
    """Return the rooks of both sides."""
    return board_of(kinds(board)[3])


@native
def queens(board: "Board") -> Bitboard:
    """Return the queens of both sides."""
    return board_of(kinds(board)[4])


@native
def kings(board: "Board") -> Bitboard:
    """Return the kings of both sides."""
    return board_of(rows.unpack(board._row)[rows.KINGS])


@native
def occupied(board: "Board") -> Bitboard:
    """Return all pieces."""
    words = rows.unpack(board._row)
    return board_of(words[rows.US] | words[rows.THEM])


@native
def placement(board: "Board") -> Placement:
    """Return the twelve bitboards, one for each piece."""
    of_kinds = kinds(board)
    return Placement(*(board_of(kind & side) for side in sides(board) for kind in of_kinds))


def kinds(board: "Board") -> tuple[int, ...]:
    """Return the pawns, knights, bishops, rooks, queens and kings, of both sides."""
    pawns, knights, diagonals, orthogonals, kings = rows.unpack(board._row)[:5]
    return pawns, knights, diagonals & ~orthogonals, orthogonals & ~diagonals, diagonals & orthogonals, kings


def sides(board: "Board") -> tuple[int, int]:
    """Return the white pieces and the black pieces."""
    words = rows.unpack(board._row)
    return (words[rows.THEM], words[rows.US]) if words[rows.TURN] else (words[rows.US], words[rows.THEM])


@native
def pieces_of(board: "Board", colour: Colour) -> Bitboard:
    """Return all pieces of a colour.

    >>> Board().pieces_of("white")
    Bitboard(0x000000000000ffff)
    """
    words = rows.unpack(board._row)
    return board_of(words[rows.THEM if read_colour(colour) == words[rows.TURN] else rows.US])


@native
def pieces(board: "Board", kind: int | str, colour: Colour) -> Bitboard:
    """Return the pieces of a kind and a colour. The kind is a constant like `KNIGHT`, its int, letter or name.

    >>> Board().pieces("n", "black").names()
    ['b8', 'g8']
    >>> Board().pieces("knight", "black") == Board().pieces(2, "black")
    True
    """
    words = rows.unpack(board._row)
    if type(kind) is not int or not 1 <= kind <= 6:
        kind = read_piece_type(kind)
    if colour is not True and colour is not False:
        colour = read_colour(colour)
    return board_of(kinds(board)[kind - 1] & words[rows.US if colour != words[rows.TURN] else rows.THEM])


@native
def king(board: "Board", colour: Colour) -> int | None:
    """Return the square of a colour's king, or None if it has no king.

    >>> Board().king("white")
    4
    >>> Board.empty().king("white") is None
    True
    """
    words = rows.unpack(board._row)
    if colour is not True and colour is not False:
        colour = read_colour(colour)
    kings = words[rows.KINGS] & words[rows.US if colour != words[rows.TURN] else rows.THEM]
    try:
        return _SQUARES[kings]
    except KeyError:  # several kings: the lowest
        return (kings & -kings).bit_length() - 1


# Single squares.


@native
def kind_at(board: "Board", square: int) -> Letter | None:
    """Return the letter of the piece type on a square, of either colour, ``"p"`` to ``"k"``, or None.

    >>> Board().kind_at(0)
    'r'
    >>> Board().kind_at(27) is None
    True
    """
    words = rows.unpack(board._row)
    mask = rows.MASKS[square if type(square) is int and 0 <= square <= 63 else check_square(square)]
    if not (words[rows.US] | words[rows.THEM]) & mask:
        return None
    if words[rows.PAWNS] & mask:
        return "p"
    if words[rows.DIAGONALS] & mask:
        return "q" if words[rows.ORTHOGONALS] & mask else "b"
    return "n" if words[rows.KNIGHTS] & mask else "r" if words[rows.ORTHOGONALS] & mask else "k"


@native
def piece_type_at(board: "Board", square: int) -> PieceType | None:
    """Return the piece type on a square, of either colour, `PAWN` (1) to `KING` (6), or None.

    >>> Board().piece_type_at(0)
    4
    >>> Board().piece_type_at(27) is None
    True
    """
    words = rows.unpack(board._row)
    mask = rows.MASKS[square if type(square) is int and 0 <= square <= 63 else check_square(square)]
    if not (words[rows.US] | words[rows.THEM]) & mask:
        return None
    if words[rows.PAWNS] & mask:
        return 1
    if words[rows.DIAGONALS] & mask:
        return 5 if words[rows.ORTHOGONALS] & mask else 3
    return 2 if words[rows.KNIGHTS] & mask else 4 if words[rows.ORTHOGONALS] & mask else 6


@native
def piece_at(board: "Board", square: int) -> Piece | None:
    """Return the piece on a square, a string of one letter (``"Q"`` white, ``"q"`` black), or None.

    >>> Board().piece_at(0)
    'R'
    >>> Board().piece_at(63)
    'r'
    >>> Board().piece_at(27) is None
    True
    """
    words = rows.unpack(board._row)
    mask = rows.MASKS[square if type(square) is int and 0 <= square <= 63 else check_square(square)]
    if not (words[rows.US] | words[rows.THEM]) & mask:
        return None
    signs = _BLACK if (not words[rows.US] & mask) != words[rows.TURN] else _WHITE
    if words[rows.PAWNS] & mask:
        return signs[0]
    if words[rows.DIAGONALS] & mask:
        return signs[4 if words[rows.ORTHOGONALS] & mask else 2]
    return signs[1 if words[rows.KNIGHTS] & mask else 3 if words[rows.ORTHOGONALS] & mask else 5]


@native
def color_at(board: "Board", square: int) -> bool | None:
    """Return the colour of the piece on a square, or None. The spelling is that of python-chess.

    >>> Board().color_at(0)
    True
    >>> Board().color_at(63)
    False
    >>> Board().color_at(27) is None
    True
    """
    words = rows.unpack(board._row)
    mask = rows.MASKS[square if type(square) is int and 0 <= square <= 63 else check_square(square)]
    if words[rows.US] & mask:
        return not words[rows.TURN]
    return words[rows.TURN] == 1 if words[rows.THEM] & mask else None


@native
def piece_map(board: "Board", *, mask: AnyBoard = UNIVERSE) -> dict[int, Piece]:
    """Return the pieces by square, lowest square first; with `mask`, only those on its squares.

    >>> Board("7k/8/8/8/8/8/8/KR6 w - - 0 1").piece_map()
    {0: 'K', 1: 'R', 63: 'k'}
    """
    found = {}
    mask = board_number("mask", mask)
    for side, signs in zip(sides(board), ("PNBRQK", "pnbrqk"), strict=True):
        for kind, sign in zip(kinds(board), signs, strict=True):
            left = kind & side & mask
            while left:
                found[(left & -left).bit_length() - 1] = PIECES[sign]
                left &= left - 1
    return dict(sorted(found.items()))


# Editing.


@native
def set_piece_at(board: "Board", square: int, piece: str | None) -> None:
    """Put a piece (``"Q"``, ``"q"``, ...) on a square, or with None remove the piece there.

    Drop castling rights and an en-passant square that this rules out, and clear the history.

    >>> board = Board()
    >>> board.set_piece_at(27, "Q")
    >>> board.board_fen()
    'rnbqkbnr/pppppppp/8/8/3Q4/8/PPPPPPPP/RNBQKBNR'
    """
    sq = check_square(square)
    try:
        letter = _LETTERS[piece]
    except (KeyError, TypeError):  # a list has no hash
        Piece.from_symbol(piece)  # type: ignore[arg-type]  # it is none: the error says so
        raise
    out = rows.as_array(board._row)
    rows.compiled().set_piece_at(rows.as_array(board._row), sq, letter, out)
    board._row = out.tobytes()
    board._history = []


@native
def remove_piece_at(board: "Board", square: int) -> Piece | None:
    """Remove the piece on a square and return it.

    >>> board = Board()
    >>> board.remove_piece_at(0)
    'R'
    >>> board.castling_rights.names()
    ['h1', 'a8', 'h8']
    """
    piece = board.piece_at(square)
    if piece:
        board.set_piece_at(square, None)
    return piece


def set_piece_map(board: "Board", pieces: Mapping[int, str]) -> None:
    """Set up these pieces, by square, and no others. Rights and history change as with `set_piece_at`.

    >>> board = Board()
    >>> board.set_piece_map({4: "K", 60: "k", 0: "R"})
    >>> board.board_fen()
    '4k3/8/8/8/8/8/8/R3K3'
    """
    words = [0] * 7
    for square, sign in mapping("pieces", pieces, "letters of pieces by square").items():
        mask, piece = 1 << check_square(square, "pieces"), read_piece(sign, f"pieces[{square}]")
        for i in range(5):
            words[i] |= mask if _BOARDS[piece] >> i & 1 else 0
        words[rows.US if piece.isupper() == board.turn else rows.THEM] |= mask
    board._row = rows.with_possible_rights(rows.packed([*words, *rows.unpack(board._row)[len(words) :]]))
    board._history = []


def set_board_fen(board: "Board", fen: str) -> None:
    """Set up the pieces of a FEN's first field, and drop the rights that they rule out. Turn and counters stay.

    >>> board = Board()
    >>> board.set_board_fen("4k3/8/8/8/8/8/8/R3K3")
    >>> board.fen()
    '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1'
    """
    if not isinstance(fen, str) or len(fen.split()) != 1:
        raise ValueError(f"FEN field 1 (pieces): {shown(fen)}: expected this field alone")
    board.set_piece_map(Placement.from_fen(fen).marks())
