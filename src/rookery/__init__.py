"""Chess bitboards, and every technique for the attacks of sliding pieces, proved equal.

Squares are ints: a1 = 0, b1 = 1, h8 = 63. A board is an int or ``np.uint64`` whose bit n is square n. Functions that
take squares or boards also take NumPy arrays of them, and process these in loops compiled for the CPU.

>>> import rookery
>>> print(rookery.queen_attacks(rookery.parse_square("d4"), 0x0000_0000_2800_0000))
. . . 1 . . . 1
1 . . 1 . . 1 .
. 1 . 1 . 1 . .
. . 1 1 1 . . .
1 1 1 . 1 1 . .
. . 1 1 1 . . .
. 1 . 1 . 1 . .
1 . . 1 . . 1 .
"""

import sys
import warnings
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rookery.lazy_imports import import_later

if TYPE_CHECKING:
    from rookery import compat, pgn
    from rookery.bitboards import bits as bits
    from rookery.bitboards import lines as lines
    from rookery.bitboards import sets as sets
    from rookery.bitboards import squares as squares
    from rookery.bitboards.bitboard import Bitboard
    from rookery.bitboards.colours import BLACK, COLOR_NAMES, COLORS, WHITE, Color
    from rookery.bitboards.leapers import king_attacks, knight_attacks, pawn_attacks, square_knight_distance
    from rookery.bitboards.lines import between, line
    from rookery.bitboards.mappings import convert_board, convert_square
    from rookery.bitboards.pieces import (
        BISHOP,
        KING,
        KNIGHT,
        PAWN,
        PIECE_NAMES,
        PIECE_SYMBOLS,
        PIECE_TYPES,
        QUEEN,
        ROOK,
        Piece,
        PieceType,
        piece_name,
        piece_symbol,
    )
    from rookery.bitboards.placement import Placement
    from rookery.bitboards.square_set import SquareSet
    from rookery.bitboards.squares import (
        DIRECTIONS,
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
    from rookery.board.board import Board, Outcome, Termination
    from rookery.board.moves import AmbiguousMoveError, IllegalMoveError, InvalidMoveError, Move
    from rookery.board.queries import progressive_mobility, trajectories
    from rookery.counting.perft import perft
    from rookery.counting.suite import perft_suite
    from rookery.data import encoders
    from rookery.data.datasets.making import make_dataset
    from rookery.data.datasets.opening import open_dataset
    from rookery.data.datasets.reading import Dataset
    from rookery.data.index.answers import IndexedMove, IndexedPosition
    from rookery.data.index.game_index import GameIndex, open_index
    from rookery.data.index.making import index_games
    from rookery.data.pipeline import batches
    from rookery.data.pipeline.annotate import annotate
    from rookery.data.plans.plan import Plan, scan
    from rookery.data.puzzles.tagging import PuzzleThemes, tag_puzzles
    from rookery.data.training.reading import read_training, scan_training
    from rookery.data.training.samples import ScoredPositions
    from rookery.data.training.stats import training_stats
    from rookery.data.training.writing import TrainingWriter, write_training
    from rookery.games.games import Games
    from rookery.games.headers.opening_names import OpeningNames, read_opening_names
    from rookery.games.interchange.parquet import read_parquet, scan_parquet, write_parquet
    from rookery.games.openings.books import Book, read_book
    from rookery.games.openings.position import OpeningMove, OpeningPosition
    from rookery.games.openings.tree import OpeningTree
    from rookery.games.read.reader import read_pgn, scan_pgn
    from rookery.games.search.sources import search
    from rookery.games.write.from_files import pgn_to_parquet
    from rookery.games.write.writer import write_pgn
    from rookery.positions.language.query import Query
    from rookery.positions.positions import Positions
    from rookery.rules.notation.start import START as STARTING_FEN
    from rookery.techniques import technique, techniques
    from rookery.techniques._drawing import side_by_side
    from rookery.techniques.base import Technique
    from rookery.techniques.base.attacks import bishop_attacks, fill, queen_attacks, ray_attacks, rook_attacks

    # The squares by name, in their order: E4 is 28.
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
    # fmt: on
else:  # type checkers must still report names that do not exist
    # On first use: programs with one board wait neither for NumPy nor for what they do not use.
    __getattr__ = import_later(
        __name__,
        {
            "rookery": "compat counting games pgn positions rules",
            "rookery.data": "datasets encoders index pipeline plans puzzles training",
            "rookery.techniques.base.attacks": "bishop_attacks fill queen_attacks ray_attacks rook_attacks",
            "rookery.bitboards": "bits lines sets squares",
            "rookery.bitboards.bitboard": "Bitboard",
            "rookery.bitboards.colours": "BLACK COLOR_NAMES COLORS WHITE Color",
            "rookery.bitboards.leapers": "king_attacks knight_attacks pawn_attacks square_knight_distance",
            "rookery.bitboards.lines": "between line",
            "rookery.bitboards.pieces": (
                "BISHOP KING KNIGHT PAWN PIECE_NAMES PIECE_SYMBOLS PIECE_TYPES QUEEN ROOK Piece PieceType piece_name "
                "piece_symbol"
            ),
            "rookery.bitboards.mappings": "convert_board convert_square",
            "rookery.bitboards.placement": "Placement",
            "rookery.bitboards.square_set": "SquareSet",
            "rookery.bitboards.squares": (
                "A1 B1 C1 D1 E1 F1 G1 H1 A2 B2 C2 D2 E2 F2 G2 H2 A3 B3 C3 D3 E3 F3 G3 H3 A4 B4 C4 D4 E4 F4 G4 H4 "
                "A5 B5 C5 D5 E5 F5 G5 H5 A6 B6 C6 D6 E6 F6 G6 H6 A7 B7 C7 D7 E7 F7 G7 H7 A8 B8 C8 D8 E8 F8 G8 H8 "
                "DIRECTIONS FILE_NAMES RANK_NAMES SQUARE_NAMES SQUARES Square "
                "parse_square square square_distance square_file square_manhattan_distance square_mirror square_name "
                "square_rank"
            ),
            "rookery.board.board": "Board Outcome Termination",
            "rookery.board.moves": "AmbiguousMoveError IllegalMoveError InvalidMoveError Move",
            "rookery.board.queries": "progressive_mobility trajectories",
            "rookery.counting.perft": "perft",
            "rookery.counting.suite": "perft_suite",
            "rookery.data.datasets.making": "make_dataset",
            "rookery.data.datasets.opening": "open_dataset",
            "rookery.data.datasets.reading": "Dataset",
            "rookery.data.index.answers": "IndexedMove IndexedPosition",
            "rookery.data.index.game_index": "GameIndex open_index",
            "rookery.data.index.making": "index_games",
            "rookery.games.games": "Games",
            "rookery.games.interchange.parquet": "read_parquet scan_parquet write_parquet",
            "rookery.games.headers.opening_names": "OpeningNames read_opening_names",
            "rookery.games.openings.books": "Book read_book",
            "rookery.games.openings.position": "OpeningMove OpeningPosition",
            "rookery.games.openings.tree": "OpeningTree",
            "rookery.games.read.reader": "read_pgn scan_pgn",
            "rookery.games.search.sources": "search",
            "rookery.games.write.from_files": "pgn_to_parquet",
            "rookery.games.write.writer": "write_pgn",
            "rookery.rules.notation.start": "STARTING_FEN=START",
            "rookery.data.pipeline": "batches",
            "rookery.data.pipeline.annotate": "annotate",
            "rookery.data.plans.plan": "Plan scan",
            "rookery.positions.language.query": "Query",
            "rookery.positions.positions": "Positions",
            "rookery.data.puzzles.tagging": "PuzzleThemes tag_puzzles",
            "rookery.techniques.base": "Technique",
            "rookery.techniques": "technique techniques",
            "rookery.techniques._drawing": "side_by_side",
            "rookery.data.training.reading": "read_training scan_training",
            "rookery.data.training.stats": "training_stats",
            "rookery.data.training.samples": "ScoredPositions",
            "rookery.data.training.writing": "TrainingWriter write_training",
        },
    )

__version__ = "0.1.0"


class _Package(ModuleType):
    """The package: its functions `technique` and `techniques` have the names of two of its folders.

    When a folder is imported, Python stores it in its package under its name, which would replace the function.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in ("technique", "techniques") and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


class _Typing(ModuleType):
    """The former name of `rookery.aliases`, for one release: a file of this name hid the standard library's."""

    def __getattr__(self, name: str) -> Any:
        aliases = import_module("rookery.aliases")
        if name != "__all__" and name not in aliases.__all__:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        message = "rookery.typing is now rookery.aliases; the next release drops the old name"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(aliases, name)


sys.modules["rookery.typing"] = _Typing("rookery.typing")


def __dir__() -> list[str]:
    """Return the public names, and those that Python gives every module."""
    return sorted({*__all__, "bits", "lines", "sets", "squares", *(name for name in globals() if name[:2] == "__")})


__all__ = [
    "BISHOP",
    "BLACK",
    "COLORS",
    "COLOR_NAMES",
    "DIRECTIONS",
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
    "SQUARE_NAMES",
    "STARTING_FEN",
    "WHITE",
    "AmbiguousMoveError",
    "Bitboard",
    "Board",
    "Book",
    "Color",
    "Dataset",
    "GameIndex",
    "Games",
    "IllegalMoveError",
    "IndexedMove",
    "IndexedPosition",
    "InvalidMoveError",
    "Move",
    "OpeningMove",
    "OpeningNames",
    "OpeningPosition",
    "OpeningTree",
    "Outcome",
    "Piece",
    "PieceType",
    "Placement",
    "Plan",
    "Positions",
    "PuzzleThemes",
    "Query",
    "ScoredPositions",
    "Square",
    "SquareSet",
    "Technique",
    "Termination",
    "TrainingWriter",
    "annotate",
    "batches",
    "between",
    "bishop_attacks",
    "compat",
    "convert_board",
    "convert_square",
    "encoders",
    "fill",
    "index_games",
    "king_attacks",
    "knight_attacks",
    "line",
    "make_dataset",
    "open_dataset",
    "open_index",
    "parse_square",
    "pawn_attacks",
    "perft",
    "perft_suite",
    "pgn",
    "pgn_to_parquet",
    "piece_name",
    "piece_symbol",
    "progressive_mobility",
    "queen_attacks",
    "ray_attacks",
    "read_book",
    "read_opening_names",
    "read_parquet",
    "read_pgn",
    "read_training",
    "rook_attacks",
    "scan",
    "scan_parquet",
    "scan_pgn",
    "scan_training",
    "search",
    "side_by_side",
    "square",
    "square_distance",
    "square_file",
    "square_knight_distance",
    "square_manhattan_distance",
    "square_mirror",
    "square_name",
    "square_rank",
    "tag_puzzles",
    "technique",
    "techniques",
    "training_stats",
    "trajectories",
    "write_parquet",
    "write_pgn",
    "write_training",
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
# fmt: on
