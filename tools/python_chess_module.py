"""What became of the other public names of python-chess: its module, its sets of squares, its submodules.

Similar names share a pattern: ``BB_RANK_*``. ``tests/board/test_python_chess_module.py`` walks the
module: no name may be missing, and every entry must be true.
"""

import re
from typing import Final

from python_chess import Name, never, otherwise, rows, stricter, there

_TYPE = never("a type for annotations: squares, piece types and boards are ints")

MODULE: Final[dict[str, Name]] = {
    "WHITE, BLACK": there('every function takes `"white"` and `"black"`, too'),
    "[A-H][1-8]": there("the 64 squares"),
    "PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPES": there("every function takes the small letters, too"),
    "SQUARES, SQUARE_NAMES, FILE_NAMES, RANK_NAMES, STARTING_FEN": there("sequences that do not change"),
    "parse_square, square_name, square, square_file, square_rank, square_mirror": there(),
    "between": there("a `Bitboard`"),
    "Board, Move, Piece, Outcome": there(),
    "Termination": there('each is a text, too: `"checkmate"`, `"stalemate"`, ...'),
    "Color, PieceType, Square": there("types for annotations"),
    "COLORS, COLOR_NAMES": there("sequences that do not change"),
    "InvalidMoveError, IllegalMoveError, AmbiguousMoveError": there(),
    "BaseBoard": otherwise("Placement", "the pieces alone, unchecked"),
    "Bitboard": there("not an alias of `int` but a class of ints, with the methods of a set"),
    "SquareSet": there("a set that can be changed; what is answered is a `Bitboard`, an int and a set in one"),
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
    "square_distance, square_manhattan_distance, square_knight_distance": there(),
    "SQUARES_180": otherwise("square_mirror(...)"),
    "PIECE_SYMBOLS, PIECE_NAMES, piece_symbol, piece_name": there(),
    "UNICODE_PIECE_SYMBOLS": otherwise("Piece.unicode_symbol", "of a piece"),
    "STARTING_BOARD_FEN": otherwise("STARTING_FEN", "its first field"),
    "LegalMoveGenerator": otherwise("Board.legal_moves"),
    "PseudoLegalMoveGenerator": otherwise("Board.pseudo_legal_moves"),
    "Status, STATUS_*": otherwise("Board.status", "a list of faults, each with its reason"),
    "FEN_CASTLING_REGEX, SAN_REGEX": never("`Board` reads FEN and SAN, and says what is wrong"),
    "ColorName, IntoSquareSet, EnPassantSpec": _TYPE,
}

SQUARE_SET: Final[dict[str, Name]] = {
    "add, discard, remove, pop, clear, copy": there(),
    "update, intersection_update, difference_update, symmetric_difference_update": there(),
    "union, intersection, difference, symmetric_difference": there(),
    "isdisjoint, issubset, issuperset": there(),
    "mirror, tolist, carry_rippler": there(),
    "from_square, between, ray": there(),
}

_TIME_CONTROL = never("`game.headers` has the text; `Games` has the seconds as columns `base` and `increment`")

PGN: Final[dict[str, Name]] = {
    "Game, GameNode, ChildNode, Mainline": there("see the next table"),
    "BaseVisitor, GameBuilder, StringExporter, FileExporter": there(
        "brackets and braces are written without blanks inside"
    ),
    "SKIP": there(),
    "SkipType": otherwise("SKIP"),
    "read_game": stricter("a bad game is a ValueError; takes texts and paths, too"),
    "read_headers, skip_game": there(),
    "Headers": there("a dict that keeps its order; `Game.board` reads it"),
    "HeadersBuilder": otherwise("read_headers(...)"),
    "BoardBuilder": otherwise("GameNode.board"),
    "SkipVisitor": otherwise("skip_game(...)"),
    "StringExporterMixin": otherwise("StringExporter"),
    "NAG_GOOD_MOVE, NAG_MISTAKE, NAG_BRILLIANT_MOVE, NAG_BLUNDER, NAG_SPECULATIVE_MOVE, NAG_DUBIOUS_MOVE": there(),
    "NAG_*": never("NAGs are numbers; the six that have a sign, `!` to `?!`, have a name"),
    "TimeControl, TimeControlPart, TimeControlType, parse_time_control": _TIME_CONTROL,
    "TAG_ROSTER": otherwise("ROSTER"),
    "*_REGEX, LOGGER": never("the reader says what is wrong with a text"),
}

PGN_GAME: Final[dict[str, Name]] = {
    "parent, move, variations, comment, starting_comment, nags": there("comments are one line"),
    "board, ply, turn, root, game, end, is_end, starts_variation, is_mainline, is_main_variation": there(),
    "variation, has_variation, next, mainline, mainline_moves": there(),
    "add_variation, add_main_variation, add_line": there(),
    "promote, promote_to_main, demote, remove_variation": there(),
    "clock, set_clock, emt, set_emt, eval_depth": there(),
    "eval, set_eval": there("pawns as white sees it, as a number; a mate in n is 1000 - n"),
    "arrows, set_arrows": there("named tuples, as `Board.svg` takes them"),
    "accept, accept_subgame": there(),
    "headers": there("a dict that refuses what PGN cannot write"),
    "errors": otherwise("unread", "the texts of a node's variations that are not legal moves; a bad game is none"),
    "setup, from_board": there(),
    "without_tag_roster": never("PGN demands the seven tags"),
    "builder": otherwise("pgn.GameBuilder(Game=...)", "a visitor that builds games of a class"),
    "time_control": _TIME_CONTROL,
}

SUBMODULES: Final[dict[str, Name]] = {
    "engine": never("use it beside rookery, with `Board.to_chess`: [a guide](guides/engines.md)"),
    "syzygy": never("use it beside rookery, with `Board.to_chess`: [a guide](guides/endgame-tables.md)"),
    "gaviota": never("use it beside rookery, with `Board.to_chess`"),
    "pgn": otherwise("pgn", "see the next table; whole files of games are columns: `read_pgn`"),
    "polyglot": otherwise(
        "read_book", "and `Board.polyglot_key`, `OpeningTree.to_book`: [a guide](guides/opening-books.md)"
    ),
    "svg": otherwise("Board.svg", "and `Bitboard.svg`, `Move.svg`"),
    "variant": never("chess and Chess960 are the only variants"),
}


def _shown(names: dict[str, Name], prefix: str = "") -> dict[str, Name]:
    """Return keys as they are printed between backquotes: `A1` to `H8` for ``[A-H][1-8]``."""
    keys = {key: "`, `".join(prefix + name for name in key.split(", ")) for key in names}
    for pattern, first, last in (("[A-H][1-8]", "A1", "H8"), ("[A-H]", "A", "H"), ("[1-8]", "1", "8")):
        keys = {
            key: re.sub(rf"(\w*){re.escape(pattern)}", rf"\g<1>{first}` to `\g<1>{last}", shown)
            for key, shown in keys.items()
        }
    return {keys[key]: entry for key, entry in names.items()}


def module() -> str:
    """Return the names of ``chess``."""
    return rows("chess", _shown(MODULE))


def square_set() -> str:
    """Return the names of ``chess.SquareSet``."""
    return rows("chess.SquareSet", _shown(SQUARE_SET))


def pgn() -> str:
    """Return the names of ``chess.pgn``."""
    return rows("chess.pgn", _shown(PGN))


def pgn_game() -> str:
    """Return the names of ``chess.pgn.Game``."""
    return rows("chess.pgn.Game", _shown(PGN_GAME))


def submodules() -> str:
    """Return the submodules of ``chess``."""
    return rows("chess.*", _shown(SUBMODULES, "chess."))
