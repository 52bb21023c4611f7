"""What became of the other public names of python-chess: its module, its sets of squares, its submodules.

Names that are alike stand together, as patterns: ``BB_RANK_*``. ``tests/rules/test_python_chess_module.py`` walks the
module: no name may be missing here, and what is told here must be so.
"""

import re
from typing import Final

from python_chess import Name, never, otherwise, rows, there

_ONE_SET = "a `Bitboard` is an int, and never changes"
_TYPE = never("a type for annotations: squares are ints, kinds of pieces are letters, boards are ints")

MODULE: Final[dict[str, Name]] = {
    "WHITE, BLACK": there('every function takes `"white"` and `"black"`, too'),
    "[A-H][1-8]": there("the 64 squares"),
    "PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPES": there("letters"),
    "SQUARE_NAMES, STARTING_FEN": there(),
    "parse_square, square_name": there(),
    "between": there("a `Bitboard`"),
    "Board, Move, Piece, Outcome": there(),
    "InvalidMoveError, IllegalMoveError, AmbiguousMoveError": there(),
    "BaseBoard": otherwise("Placement", "the pieces alone, unchecked"),
    "Bitboard": there("not an alias of `int` but a class of ints, with the methods of a set"),
    "SquareSet": otherwise("Bitboard", "an int and a set in one; see the next table"),
    "BB_[A-H][1-8], BB_SQUARES": otherwise("Bitboard.of(...)", '`Bitboard.of("e4")`, `Bitboard.of(28)`'),
    "BB_EMPTY": otherwise("Bitboard.EMPTY"),
    "BB_ALL": otherwise("Bitboard.UNIVERSE"),
    "BB_FILE_[A-H], BB_FILES": otherwise("bits.file_mask(...)", "by a square of the file"),
    "BB_RANK_[1-8], BB_RANKS": otherwise("bits.rank_mask(...)", "by a square of the rank"),
    "BB_CENTER, BB_CORNERS, BB_BACKRANKS, BB_DARK_SQUARES, BB_LIGHT_SQUARES": otherwise("Bitboard.of(...)"),
    "BB_KNIGHT_ATTACKS": otherwise("knight_attacks(...)", "of squares, or arrays of them"),
    "BB_KING_ATTACKS": otherwise("king_attacks(...)"),
    "BB_PAWN_ATTACKS": otherwise("pawn_attacks(...)"),
    "BB_*_MASKS": otherwise("lines.line_through(...)", "without the square itself"),
    "BB_*_ATTACKS": otherwise("rook_attacks(...)", "and `bishop_attacks`: they take the occupied squares"),
    "BB_RAYS, ray": otherwise("line(...)", "a `Bitboard`"),
    "lsb, scan_forward": otherwise("iter(bitboard)", "the squares, lowest first"),
    "msb, scan_reversed": otherwise("reversed(bitboard)", "the squares, highest first"),
    "popcount": otherwise("len(bitboard)"),
    "flip_vertical": otherwise("bits.flip_vertical(...)"),
    "flip_horizontal": otherwise("bits.mirror_horizontal(...)"),
    "flip_diagonal": otherwise("bits.flip_diagonal(...)"),
    "flip_anti_diagonal": otherwise("bits.flip_antidiagonal(...)"),
    "shift_up": otherwise("sets.nort_one(...)"),
    "shift_down": otherwise("sets.sout_one(...)"),
    "shift_left": otherwise("sets.west_one(...)"),
    "shift_right": otherwise("sets.east_one(...)"),
    "shift_up_left": otherwise("sets.no_we_one(...)"),
    "shift_up_right": otherwise("sets.no_ea_one(...)"),
    "shift_down_left": otherwise("sets.so_we_one(...)"),
    "shift_down_right": otherwise("sets.so_ea_one(...)"),
    "shift_2_*": never("two steps are a step of a step"),
    "square": otherwise("squares.square_at(rank, file)", "the rank comes first"),
    "square_file": otherwise("squares.file_index(...)"),
    "square_rank": otherwise("squares.rank_index(...)"),
    "square_distance, square_manhattan_distance, square_knight_distance": never("distances are not computed here"),
    "square_mirror, SQUARES_180": never("the square on the other side is `square ^ 56`"),
    "SQUARES": otherwise("range(64)"),
    "FILE_NAMES": otherwise("squares.FILE_NAMES", "a text"),
    "RANK_NAMES": otherwise("squares.RANK_NAMES", "a text"),
    "COLORS, COLOR_NAMES": never("a colour is True or False, or its name"),
    "PIECE_SYMBOLS, piece_symbol": otherwise("PIECE_TYPES", "a kind of piece is its symbol"),
    "PIECE_NAMES, piece_name": otherwise("placement.KINDS", "in the order of `PIECE_TYPES`"),
    "UNICODE_PIECE_SYMBOLS": otherwise("Piece.unicode_symbol", "of a piece"),
    "STARTING_BOARD_FEN": otherwise("STARTING_FEN", "its first field"),
    "LegalMoveGenerator": otherwise("Board.legal_moves"),
    "PseudoLegalMoveGenerator": never("moves are generated legal at once"),
    "Status, STATUS_*": otherwise("Board.status", "a list of faults, each with its reason"),
    "Termination": otherwise("Outcome", 'its `termination` is a text: `"checkmate"`, `"stalemate"`, ...'),
    "FEN_CASTLING_REGEX, SAN_REGEX": never("`Board` reads FEN and SAN, and says what is wrong"),
    "Color, ColorName, PieceType, Square, IntoSquareSet, EnPassantSpec": _TYPE,
}

SQUARE_SET: Final[dict[str, Name]] = {
    "add, update": otherwise("bitboard | other", _ONE_SET),
    "discard, remove, difference_update": otherwise("bitboard & ~other", _ONE_SET),
    "difference, isdisjoint, issubset, issuperset": there(),
    "union": otherwise("bitboard | other"),
    "intersection, intersection_update": otherwise("bitboard & other"),
    "symmetric_difference, symmetric_difference_update": otherwise("bitboard ^ other"),
    "pop, clear, copy": never(_ONE_SET),
    "mirror": otherwise("bits.flip_vertical(...)"),
    "tolist": otherwise("list(bitboard)", "the squares, not 64 truth values"),
    "carry_rippler": otherwise("bits.subsets(...)"),
    "from_square": otherwise("Bitboard.of(...)"),
    "between": otherwise("between(...)"),
    "ray": otherwise("line(...)"),
}

SUBMODULES: Final[dict[str, Name]] = {
    "engine": never("`rookery perft --against` compares move generators; nothing here plays against engines"),
    "gaviota, syzygy": never("there are no endgame tables"),
    "pgn": otherwise("pgn", "a game's variations are kept as text; files of games are columns: `read_pgn`"),
    "polyglot": otherwise("Board.key", "a Zobrist key by keys of its own; there are no opening books"),
    "svg": otherwise("Board.svg", "and `Bitboard.svg`, `Move.svg`"),
    "variant": never("chess and Chess960 are the only variants"),
}


def _shown(names: dict[str, Name], prefix: str = "") -> dict[str, Name]:
    """The keys as they stand between backquotes: `A1` to `H8` for ``[A-H][1-8]``."""
    keys = {key: "`, `".join(prefix + name for name in key.split(", ")) for key in names}
    for pattern, first, last in (("[A-H][1-8]", "A1", "H8"), ("[A-H]", "A", "H"), ("[1-8]", "1", "8")):
        keys = {
            key: re.sub(rf"(\w*){re.escape(pattern)}", rf"\g<1>{first}` to `\g<1>{last}", shown)
            for key, shown in keys.items()
        }
    return {keys[key]: entry for key, entry in names.items()}


def module() -> str:
    """The names of ``chess``."""
    return rows("chess", _shown(MODULE))


def square_set() -> str:
    """The names of ``chess.SquareSet``."""
    return rows("chess.SquareSet", _shown(SQUARE_SET))


def submodules() -> str:
    """The modules beside ``chess``."""
    return rows("chess.*", _shown(SUBMODULES, "chess."))
