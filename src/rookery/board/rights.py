"""The parts of a position besides its pieces: the side to move, an en-passant square, castling rights and counters."""

from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final

from rookery.aliases import AnyBoard
from rookery.arguments import board_number, is_number, shown
from rookery.bitboards.bitboard import Bitboard, board_of
from rookery.bitboards.colours import Colour, read_colour
from rookery.bitboards.squares import check_square, square_name
from rookery.board import rows
from rookery.kernel.native import native

if TYPE_CHECKING:
    from rookery.board.board import Board

_CORNERS: Final = 1 << 0 | 1 << 7 | 1 << 56 | 1 << 63
_E1_AND_E8: Final = 1 << 4 | 1 << 60
_LONGEST: Final = 16  # a castling field of every rook that may stand on a back rank


# The side to move.


@native
def turn(board: "Board") -> bool:
    """Return the side to move: True (`WHITE`) or False (`BLACK`).

    Assign it to count the other side's moves, and assign it again to go back. It may be assigned while the side to
    move is in check, too: as in python-chess, the other side could then capture the king, and `status` says so. A
    side that does not move next cannot capture en passant. The null move passes the turn according to the rules.

    >>> board = Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    >>> board.is_check()
    True
    >>> board.count_legal_moves()
    3
    >>> board.turn = not board.turn
    >>> board.count_legal_moves()
    18
    >>> board.turn = not board.turn
    >>> board == Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    True
    """
    return not rows.unpack(board._row)[rows.TURN]


def set_turn(board: "Board", colour: Colour) -> None:
    """Assign the side to move."""
    if read_colour(colour, "turn") == board.turn:
        return
    words = list(rows.unpack(board._row))
    words[rows.US], words[rows.THEM] = words[rows.THEM], words[rows.US]
    words[rows.EN_PASSANT], words[rows.RETURNING] = words[rows.RETURNING], words[rows.EN_PASSANT]
    words[rows.TURN] ^= 1
    if words[rows.EN_PASSANT]:  # pieces may have been set up since
        words[rows.EN_PASSANT] = rows.unpack(rows.with_possible_rights(rows.packed(words)))[rows.EN_PASSANT]
    board._row = rows.packed(words)


# En passant.


@native
def ep_square(board: "Board") -> int | None:
    """Return the square that a pawn has just jumped over, whether or not it can be captured there, or None.

    Assigning a square that no pawn can have jumped over is a ValueError.

    >>> board = Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    >>> board.ep_square
    43
    >>> board.ep_square = None
    >>> board.fen()
    '4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1'
    """
    word = rows.unpack(board._row)[rows.EN_PASSANT]
    return word.bit_length() - 1 if word else None


def set_ep_square(board: "Board", square: int | None) -> None:
    """Assign the en-passant square."""
    word = 0 if square is None else 1 << check_square(square, "ep_square")
    row = rows.replaced(board._row, rows.EN_PASSANT, word)
    if square is not None and rows.unpack(rows.with_possible_rights(row))[rows.EN_PASSANT] != word:
        raise ValueError(f"ep_square: {square_name(square)}: no pawn can have jumped over it in {board.fen()!r}")
    board._row = row


@native
def has_legal_en_passant(board: "Board") -> bool:
    """Check whether an en-passant capture is legal.

    >>> Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").has_legal_en_passant()
    True
    """
    return rows.has_legal_target(board._row)


# Castling.


@native
def castling_rights(board: "Board") -> Bitboard:
    """Return the rooks that may still castle.

    Assigning squares without such a rook is a ValueError. `set_castling_fen` takes a text, and clears the history.

    >>> board = Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    >>> board.castling_rights = 1 << 7
    >>> board.fen()
    '4k3/8/8/8/8/8/8/R3K2R w K - 0 1'
    """
    return board_of(rows.unpack(board._row)[rows.CASTLING])


def set_castling_rights(board: "Board", rooks: AnyBoard) -> None:
    """Assign the rooks that may still castle."""
    word = board_number("castling_rights", rooks)
    row = rows.replaced(board._row, rows.CASTLING, word)
    possible = rows.unpack(rows.with_possible_rights(row))[rows.CASTLING]
    if possible != word:
        names = ", ".join(Bitboard(word & ~possible).names())
        raise ValueError(f"castling_rights: {names}: expected rooks on the back rank of their king, one on each side")
    changed = board.copy(stack=False)
    changed._row = row
    if changed.has_chess960_castling_rights() and not board.chess960:
        names = ", ".join(Bitboard(word).names())
        raise ValueError(f"castling_rights: {names}: only Chess960 has these rights: set chess960 first")
    board._row = row


def set_castling_fen(board: "Board", castling_fen: str) -> None:
    """Set the castling rights, written as in a FEN: ``Qk``, ``Ah`` or ``-``. Clear the history.

    A board of classical chess remains one, unless only Chess960 has these rights.

    >>> board = Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    >>> board.set_castling_fen("Q")
    >>> board.castling_rights.names()
    ['a1']
    """
    if not isinstance(castling_fen, str) or len(castling_fen[:_LONGEST].split()) != 1 or castling_fen[_LONGEST:]:
        raise ValueError(f"FEN field 3 (castling): {shown(castling_fen)}: expected this field alone, like 'KQ' or '-'")
    fields = board.fen(en_passant="fen").split()
    fields[2] = castling_fen
    parsed = rows.parse_fen(" ".join(fields), board.chess960 or None)
    board._take(rows.row_of_parsed(parsed), board.chess960)
    board.chess960 = board.chess960 or board.has_chess960_castling_rights()


@native
def has_castling_rights(board: "Board", colour: Colour) -> bool:
    """Check whether a colour may still castle on either side.

    >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w K - 0 1")
    >>> board.has_castling_rights("white")
    True
    >>> board.has_castling_rights("black")
    False
    """
    return any(_castling_rooks(board, colour))


@native
def has_queenside_castling_rights(board: "Board", colour: Colour) -> bool:
    """Check whether a colour may still castle with a rook to the left of its king.

    >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")
    >>> board.has_queenside_castling_rights("white")
    False
    >>> board.has_queenside_castling_rights("black")
    True
    """
    return _castling_rooks(board, colour)[0] > 0


@native
def has_kingside_castling_rights(board: "Board", colour: Colour) -> bool:
    """Check whether a colour may still castle with a rook to the right of its king.

    >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")
    >>> board.has_kingside_castling_rights("white")
    True
    >>> board.has_kingside_castling_rights("black")
    False
    """
    return _castling_rooks(board, colour)[1] > 0


def _castling_rooks(board: "Board", colour: Colour) -> tuple[int, int]:
    """Return the rooks that may still castle to the left and to the right of their king."""
    rooks, king = rows.unpack(board._row)[rows.CASTLING] & int(board.pieces_of(colour)), board.king(colour)
    left = rooks & (1 << king) - 1 if king is not None else 0
    return left, rooks ^ left if king is not None else 0


@native
def has_chess960_castling_rights(board: "Board") -> bool:
    """Check for castling rights that exist in Chess960 only: rooks off the corners or kings off e1 and e8.

    >>> Board("1r2k3/8/8/8/8/8/8/4K3 b b - 0 1", chess960=True).has_chess960_castling_rights()
    True
    >>> Board().has_chess960_castling_rights()
    False
    """
    rooks = board_of(rows.unpack(board._row)[rows.CASTLING])
    homes = board.kings & _E1_AND_E8
    return bool(rooks & ~_CORNERS) or any(
        rooks & board.pieces_of(colour) and not homes & board.pieces_of(colour) for colour in (True, False)
    )


# Counters.


@native
def halfmove_clock(board: "Board") -> int:
    """Return the number of plies since the last capture or pawn move, an int from 0 to 999,999,999.

    >>> board = Board()
    >>> board.halfmove_clock = 7
    >>> board.fen().split()[4]
    '7'
    """
    return rows.unpack(board._row)[rows.CLOCK]


def set_halfmove_clock(board: "Board", value: int) -> None:
    """Assign the number of plies since the last capture or pawn move."""
    board._row = rows.replaced(board._row, rows.CLOCK, _counter("halfmove_clock", value, 0))


@native
def fullmove_number(board: "Board") -> int:
    """Return the number of the next move, as a score sheet counts, an int from 1 to 999,999,999."""
    return rows.unpack(board._row)[rows.NUMBER]


def set_fullmove_number(board: "Board", value: int) -> None:
    """Assign the number of the next move."""
    board._row = rows.replaced(board._row, rows.NUMBER, _counter("fullmove_number", value, 1))


@native
def ply(board: "Board") -> int:
    """Return the number of plies played, according to the counters.

    >>> board = Board()
    >>> _ = board.push_san("e4")
    >>> board.ply()
    1
    """
    words = rows.unpack(board._row)
    return 2 * (words[rows.NUMBER] - 1) + words[rows.TURN]


# Where machine code keeps these attributes in slots, which Python reads fastest.

_SETTERS: Final = {
    "turn": set_turn,
    "ep_square": set_ep_square,
    "halfmove_clock": set_halfmove_clock,
    "fullmove_number": set_fullmove_number,
}


def assign(board: "Board", name: str, value: Any) -> None:
    """Assign an attribute of a board. The slots follow its row."""
    if name in _SETTERS and isinstance(getattr(type(board), name), MemberDescriptorType):
        _SETTERS[name](board, value)
        return
    object.__setattr__(board, name, value)
    if name == "_row":
        words = rows.unpack(value)
        target = words[rows.EN_PASSANT]
        kept = {"_turn": not words[rows.TURN], "_ep_square": target.bit_length() - 1 if target else None}
        for slot, content in (kept | {"_clock": words[rows.CLOCK], "_number": words[rows.NUMBER]}).items():
            object.__setattr__(board, slot, content)


def _counter(name: str, value: int, least: int) -> int:
    """Return a counter as an int, or raise an error if a FEN cannot have it."""
    if not is_number(value):
        raise TypeError(f"{name}: {shown(value)}: expected an int from {least} to {rows.MOST_COUNTED:,}")
    if not least <= value <= rows.MOST_COUNTED:
        raise ValueError(f"{name}: {shown(int(value))}: expected {least} to {rows.MOST_COUNTED:,}")
    return int(value)
