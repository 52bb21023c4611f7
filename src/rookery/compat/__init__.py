"""python-chess's names: ``import rookery.compat as chess`` runs most programs that were written for python-chess.

>>> import rookery.compat as chess
>>> board = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
>>> board.castling_rights = chess.BB_A1
>>> board.turn = chess.BLACK
>>> board.fen()
'4k3/8/8/8/8/8/8/R3K3 b Q - 0 1'
>>> squares = board.attacks(chess.A1)
>>> squares.discard(chess.E1)
>>> squares & chess.BB_RANK_1
SquareSet(0x000000000000000e)

`Board` and `BaseBoard` take any position, and their attributes can be assigned. Sets of squares are `SquareSet`
objects. ``chess.pgn`` and ``chess.svg`` are `rookery.compat.pgn` and `rookery.compat.svg`. All rules, readers and
pictures are those of rookery. This package only has other names, and checks less.

The documentation has a page about it, "Coming from python-chess".
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.colours import BLACK, COLOR_NAMES, COLORS, WHITE, Color
from rookery.bitboards.leapers import square_knight_distance
from rookery.bitboards.lines import between
from rookery.bitboards.pieces import (
    BISHOP,
    KING,
    KNIGHT,
    PAWN,
    PIECE_NAMES,
    PIECE_SYMBOLS,
    PIECE_TYPES,
    PIECES,
    QUEEN,
    ROOK,
    Piece,
    PieceType,
    piece_name,
    piece_symbol,
)
from rookery.bitboards.square_set import Squares as IntoSquareSet
from rookery.bitboards.square_set import SquareSet
from rookery.bitboards.squares import (
    FILE_NAMES,
    RANK_NAMES,
    SQUARE_NAMES,
    SQUARES,
    Square,
    parse_square,
    square,
    square_distance,
    square_file,
    square_manhattan_distance,
    square_mirror,
    square_name,
    square_rank,
)
from rookery.board.board import Outcome, Termination
from rookery.board.listing import LegalMoves as LegalMoveGenerator
from rookery.board.listing import PseudoLegalMoves as PseudoLegalMoveGenerator
from rookery.board.moves import AmbiguousMoveError, IllegalMoveError, InvalidMoveError, Move
from rookery.compat.bitboards import (
    BB_ALL,
    BB_BACKRANKS,
    BB_CENTER,
    BB_CORNERS,
    BB_DARK_SQUARES,
    BB_DIAG_ATTACKS,
    BB_DIAG_MASKS,
    BB_EMPTY,
    BB_FILE_ATTACKS,
    BB_FILE_MASKS,
    BB_FILES,
    BB_KING_ATTACKS,
    BB_KNIGHT_ATTACKS,
    BB_LIGHT_SQUARES,
    BB_PAWN_ATTACKS,
    BB_RANK_ATTACKS,
    BB_RANK_MASKS,
    BB_RANKS,
    BB_RAYS,
    BB_SQUARES,
    flip_anti_diagonal,
    flip_diagonal,
    flip_horizontal,
    flip_vertical,
    lsb,
    msb,
    popcount,
    ray,
    scan_forward,
    scan_reversed,
    shift_2_down,
    shift_2_left,
    shift_2_right,
    shift_2_up,
    shift_down,
    shift_down_left,
    shift_down_right,
    shift_left,
    shift_right,
    shift_up,
    shift_up_left,
    shift_up_right,
)
from rookery.compat.board import STARTING_BOARD_FEN, BaseBoard, Board, Status
from rookery.rules.notation.start import START as STARTING_FEN

if TYPE_CHECKING:
    from rookery.compat import pgn, svg

# fmt: off
from rookery.bitboards.squares import (  # isort: skip
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
)
from rookery.compat.bitboards import (  # isort: skip
    BB_A1, BB_B1, BB_C1, BB_D1, BB_E1, BB_F1, BB_G1, BB_H1,
    BB_A2, BB_B2, BB_C2, BB_D2, BB_E2, BB_F2, BB_G2, BB_H2,
    BB_A3, BB_B3, BB_C3, BB_D3, BB_E3, BB_F3, BB_G3, BB_H3,
    BB_A4, BB_B4, BB_C4, BB_D4, BB_E4, BB_F4, BB_G4, BB_H4,
    BB_A5, BB_B5, BB_C5, BB_D5, BB_E5, BB_F5, BB_G5, BB_H5,
    BB_A6, BB_B6, BB_C6, BB_D6, BB_E6, BB_F6, BB_G6, BB_H6,
    BB_A7, BB_B7, BB_C7, BB_D7, BB_E7, BB_F7, BB_G7, BB_H7,
    BB_A8, BB_B8, BB_C8, BB_D8, BB_E8, BB_F8, BB_G8, BB_H8,
    BB_FILE_A, BB_FILE_B, BB_FILE_C, BB_FILE_D, BB_FILE_E, BB_FILE_F, BB_FILE_G, BB_FILE_H,
    BB_RANK_1, BB_RANK_2, BB_RANK_3, BB_RANK_4, BB_RANK_5, BB_RANK_6, BB_RANK_7, BB_RANK_8,
)
# fmt: on

ColorName: TypeAlias = Literal["white", "black"]
EnPassantSpec: TypeAlias = Literal["legal", "fen", "xfen"]

SQUARES_180: Final = [square_mirror(square) for square in SQUARES]
UNICODE_PIECE_SYMBOLS: Final = {symbol: piece.unicode_symbol() for symbol, piece in PIECES.items()}

STATUS_VALID: Final = Status.VALID
STATUS_NO_WHITE_KING: Final = Status.NO_WHITE_KING
STATUS_NO_BLACK_KING: Final = Status.NO_BLACK_KING
STATUS_TOO_MANY_KINGS: Final = Status.TOO_MANY_KINGS
STATUS_TOO_MANY_WHITE_PAWNS: Final = Status.TOO_MANY_WHITE_PAWNS
STATUS_TOO_MANY_BLACK_PAWNS: Final = Status.TOO_MANY_BLACK_PAWNS
STATUS_PAWNS_ON_BACKRANK: Final = Status.PAWNS_ON_BACKRANK
STATUS_TOO_MANY_WHITE_PIECES: Final = Status.TOO_MANY_WHITE_PIECES
STATUS_TOO_MANY_BLACK_PIECES: Final = Status.TOO_MANY_BLACK_PIECES
STATUS_BAD_CASTLING_RIGHTS: Final = Status.BAD_CASTLING_RIGHTS
STATUS_INVALID_EP_SQUARE: Final = Status.INVALID_EP_SQUARE
STATUS_OPPOSITE_CHECK: Final = Status.OPPOSITE_CHECK
STATUS_EMPTY: Final = Status.EMPTY
STATUS_RACE_CHECK: Final = Status.RACE_CHECK
STATUS_RACE_OVER: Final = Status.RACE_OVER
STATUS_RACE_MATERIAL: Final = Status.RACE_MATERIAL
STATUS_TOO_MANY_CHECKERS: Final = Status.TOO_MANY_CHECKERS
STATUS_IMPOSSIBLE_CHECK: Final = Status.IMPOSSIBLE_CHECK

_PARTS: Final = ("pgn", "polyglot", "svg")
# Names of python-chess that are not here, and what to use instead.
_ABSENT: Final = {
    **dict.fromkeys(
        ("engine", "gaviota", "syzygy"),
        "it is a part of python-chess: import it beside rookery, and pass it board.to_chess()",
    ),
    "variant": "chess and Chess960 are the only variants",
    **dict.fromkeys(("FEN_CASTLING_REGEX", "SAN_REGEX"), "Board reads FEN and SAN, and its errors say what is wrong"),
}


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return import_module(f"rookery.compat.{name}")
    reason = f": {_ABSENT[name]}" if name in _ABSENT else ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{reason}")


__all__ = [
    "BB_ALL",
    "BB_BACKRANKS",
    "BB_CENTER",
    "BB_CORNERS",
    "BB_DARK_SQUARES",
    "BB_DIAG_ATTACKS",
    "BB_DIAG_MASKS",
    "BB_EMPTY",
    "BB_FILES",
    "BB_FILE_ATTACKS",
    "BB_FILE_MASKS",
    "BB_KING_ATTACKS",
    "BB_KNIGHT_ATTACKS",
    "BB_LIGHT_SQUARES",
    "BB_PAWN_ATTACKS",
    "BB_RANKS",
    "BB_RANK_ATTACKS",
    "BB_RANK_MASKS",
    "BB_RAYS",
    "BB_SQUARES",
    "BISHOP",
    "BLACK",
    "COLORS",
    "COLOR_NAMES",
    "FILE_NAMES",
    "KING",
    "KNIGHT",
    "PAWN",
    "PIECE_NAMES",
    "PIECE_SYMBOLS",
    "PIECE_TYPES",
    "QUEEN",
    "RANK_NAMES",
    "ROOK",
    "SQUARES",
    "SQUARES_180",
    "SQUARE_NAMES",
    "STARTING_BOARD_FEN",
    "STARTING_FEN",
    "STATUS_BAD_CASTLING_RIGHTS",
    "STATUS_EMPTY",
    "STATUS_IMPOSSIBLE_CHECK",
    "STATUS_INVALID_EP_SQUARE",
    "STATUS_NO_BLACK_KING",
    "STATUS_NO_WHITE_KING",
    "STATUS_OPPOSITE_CHECK",
    "STATUS_PAWNS_ON_BACKRANK",
    "STATUS_RACE_CHECK",
    "STATUS_RACE_MATERIAL",
    "STATUS_RACE_OVER",
    "STATUS_TOO_MANY_BLACK_PAWNS",
    "STATUS_TOO_MANY_BLACK_PIECES",
    "STATUS_TOO_MANY_CHECKERS",
    "STATUS_TOO_MANY_KINGS",
    "STATUS_TOO_MANY_WHITE_PAWNS",
    "STATUS_TOO_MANY_WHITE_PIECES",
    "STATUS_VALID",
    "UNICODE_PIECE_SYMBOLS",
    "WHITE",
    "AmbiguousMoveError",
    "BaseBoard",
    "Bitboard",
    "Board",
    "Color",
    "ColorName",
    "EnPassantSpec",
    "IllegalMoveError",
    "IntoSquareSet",
    "InvalidMoveError",
    "LegalMoveGenerator",
    "Move",
    "Outcome",
    "Piece",
    "PieceType",
    "PseudoLegalMoveGenerator",
    "Square",
    "SquareSet",
    "Status",
    "Termination",
    "between",
    "flip_anti_diagonal",
    "flip_diagonal",
    "flip_horizontal",
    "flip_vertical",
    "lsb",
    "msb",
    "parse_square",
    "pgn",
    "piece_name",
    "piece_symbol",
    "polyglot",
    "popcount",
    "ray",
    "scan_forward",
    "scan_reversed",
    "shift_2_down",
    "shift_2_left",
    "shift_2_right",
    "shift_2_up",
    "shift_down",
    "shift_down_left",
    "shift_down_right",
    "shift_left",
    "shift_right",
    "shift_up",
    "shift_up_left",
    "shift_up_right",
    "square",
    "square_distance",
    "square_file",
    "square_knight_distance",
    "square_manhattan_distance",
    "square_mirror",
    "square_name",
    "square_rank",
    "svg",
]
# fmt: off
__all__ += [
    "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8",
    "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8",
    "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8",
    "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8",
    "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8",
    "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8",
    "G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8",
    "H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8",
]
__all__ += [
    "BB_A1", "BB_A2", "BB_A3", "BB_A4", "BB_A5", "BB_A6", "BB_A7", "BB_A8",
    "BB_B1", "BB_B2", "BB_B3", "BB_B4", "BB_B5", "BB_B6", "BB_B7", "BB_B8",
    "BB_C1", "BB_C2", "BB_C3", "BB_C4", "BB_C5", "BB_C6", "BB_C7", "BB_C8",
    "BB_D1", "BB_D2", "BB_D3", "BB_D4", "BB_D5", "BB_D6", "BB_D7", "BB_D8",
    "BB_E1", "BB_E2", "BB_E3", "BB_E4", "BB_E5", "BB_E6", "BB_E7", "BB_E8",
    "BB_F1", "BB_F2", "BB_F3", "BB_F4", "BB_F5", "BB_F6", "BB_F7", "BB_F8",
    "BB_G1", "BB_G2", "BB_G3", "BB_G4", "BB_G5", "BB_G6", "BB_G7", "BB_G8",
    "BB_H1", "BB_H2", "BB_H3", "BB_H4", "BB_H5", "BB_H6", "BB_H7", "BB_H8",
]
__all__ += [
    "BB_FILE_A", "BB_FILE_B", "BB_FILE_C", "BB_FILE_D", "BB_FILE_E", "BB_FILE_F", "BB_FILE_G", "BB_FILE_H",
    "BB_RANK_1", "BB_RANK_2", "BB_RANK_3", "BB_RANK_4", "BB_RANK_5", "BB_RANK_6", "BB_RANK_7", "BB_RANK_8",
]
# fmt: on
