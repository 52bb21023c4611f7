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

from rookery.aliases import AnyBoard, Direction, Integer, Integers
from rookery.arguments import Boards
from rookery.bitboards import bits as bits
from rookery.bitboards import lines as lines
from rookery.bitboards import sets as sets
from rookery.bitboards import signatures
from rookery.bitboards import squares as squares
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.colours import BLACK, COLOR_NAMES, COLORS, WHITE, Color
from rookery.bitboards.leapers import king_attacks, knight_attacks, pawn_attacks, square_knight_distance
from rookery.bitboards.lines import between, line
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
    convert_board,
    convert_square,
    parse_square,
    square,
    square_distance,
    square_file,
    square_manhattan_distance,
    square_mirror,
    square_name,
    square_rank,
)
from rookery.technique import Technique
from rookery.techniques import technique, techniques
from rookery.techniques._drawing import side_by_side

if TYPE_CHECKING:
    from rookery import compat, pgn
    from rookery.board.board import Board, Outcome, Termination
    from rookery.board.moves import AmbiguousMoveError, IllegalMoveError, InvalidMoveError, Move
    from rookery.board.queries import progressive_mobility, trajectories
    from rookery.counting.perft import perft
    from rookery.datasets.making import make_dataset
    from rookery.datasets.reading import Dataset, open_dataset
    from rookery.games.games import Games
    from rookery.games.interchange.parquet import read_parquet, scan_parquet, write_parquet
    from rookery.games.openings.position import OpeningMove, OpeningPosition
    from rookery.games.openings.tree import OpeningTree
    from rookery.games.read.reader import read_pgn, scan_pgn
    from rookery.games.search.sources import search
    from rookery.games.write.from_files import pgn_to_parquet
    from rookery.games.write.writer import write_pgn
    from rookery.notation.fen import START as STARTING_FEN
    from rookery.pipeline import batches
    from rookery.pipeline.annotate import annotate
    from rookery.positions.expressions.query import Query
    from rookery.positions.positions import Positions
    from rookery.puzzles.tagging import PuzzleThemes, tag_puzzles
    from rookery.training.reading import read_training, scan_training
    from rookery.training.samples import ScoredPositions
    from rookery.training.writing import TrainingWriter, write_training

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

__version__ = "0.1.0"

# Imported on first use, so that programs that only need attacks do not wait for the rules.
_LATER = {
    "rookery.counting.perft": {"perft": "perft"},
    "rookery.datasets.making": {"make_dataset": "make_dataset"},
    "rookery.datasets.reading": {name: name for name in ("Dataset", "open_dataset")},
    "rookery.games.games": {"Games": "Games"},
    "rookery.games.interchange.parquet": {name: name for name in ("read_parquet", "scan_parquet", "write_parquet")},
    "rookery.games.openings.position": {name: name for name in ("OpeningMove", "OpeningPosition")},
    "rookery.games.openings.tree": {"OpeningTree": "OpeningTree"},
    "rookery.games.read.reader": {name: name for name in ("read_pgn", "scan_pgn")},
    "rookery.games.search.sources": {"search": "search"},
    "rookery.games.write.from_files": {"pgn_to_parquet": "pgn_to_parquet"},
    "rookery.games.write.writer": {"write_pgn": "write_pgn"},
    "rookery.pipeline": {"batches": "batches"},
    "rookery.pipeline.annotate": {"annotate": "annotate"},
    "rookery.positions.expressions.query": {"Query": "Query"},
    "rookery.positions.positions": {"Positions": "Positions"},
    "rookery.puzzles.tagging": {name: name for name in ("PuzzleThemes", "tag_puzzles")},
    "rookery.training.reading": {name: name for name in ("read_training", "scan_training")},
    "rookery.training.samples": {"ScoredPositions": "ScoredPositions"},
    "rookery.training.writing": {name: name for name in ("TrainingWriter", "write_training")},
    "rookery.board.board": {"Board": "Board", "Outcome": "Outcome", "Termination": "Termination"},
    "rookery.notation.fen": {"STARTING_FEN": "START"},
    "rookery.board.moves": {
        name: name for name in ("AmbiguousMoveError", "IllegalMoveError", "InvalidMoveError", "Move")
    },
    "rookery.board.queries": {name: name for name in ("progressive_mobility", "trajectories")},
}
_PACKAGES = frozenset(
    {"compat", "counting", "datasets", "games", "pgn", "pipeline", "positions", "puzzles", "rules", "training"}
)


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        found = import_module(f"rookery.{name}")
    else:
        for module, names in _LATER.items():
            if name in names:
                found = getattr(import_module(module), names[name])
                break
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


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


# The fastest technique over arrays on every CPU measured, and it needs no tables: see `rookery bench attacks`.
_default = technique("obstruction-difference-short")


@signatures.slider_attacks
def rook_attacks(
    square: Integer | Integers, occupied: AnyBoard | Integers, out: Boards | None = None
) -> Bitboard | Boards:
    """Return the attacks of a rook: a Bitboard for ints, a uint64 array for arrays. See `Technique`.

    >>> rook_attacks(A1, Bitboard.of("a3", "d1")).names()
    ['b1', 'c1', 'd1', 'a2', 'a3']
    """
    return _default.rook(square, occupied, out)


@signatures.slider_attacks
def bishop_attacks(
    square: Integer | Integers, occupied: AnyBoard | Integers, out: Boards | None = None
) -> Bitboard | Boards:
    """Return the attacks of a bishop: a Bitboard for ints, a uint64 array for arrays.

    >>> bishop_attacks(A1, Bitboard.of("d4")).names()
    ['b2', 'c3', 'd4']
    """
    return _default.bishop(square, occupied, out)


@signatures.slider_attacks
def queen_attacks(
    square: Integer | Integers, occupied: AnyBoard | Integers, out: Boards | None = None
) -> Bitboard | Boards:
    """Return the attacks of a queen: a Bitboard for ints, a uint64 array for arrays.

    >>> len(queen_attacks(D4, 0))
    27
    """
    return _default.queen(square, occupied, out)


@signatures.fill_by_technique
def fill(
    direction: Direction,
    sliders: AnyBoard | Integers,
    empty: AnyBoard | Integers,
    technique: str = "kogge-stone",
    out: Boards | None = None,
) -> Bitboard | Boards:
    """Return the sliders and every empty square they can slide to in a direction: the occluded fill.

    `sliders` and `empty` are boards (ints, or arrays that broadcast together). The direction is a name of the compass
    rose: nort, noEa, east, soEa, sout, soWe, west, noWe.

    >>> fill("east", 0x01, ~0x21 & 0xFF).names()
    ['a1', 'b1', 'c1', 'd1', 'e1']
    """
    return _technique(technique).fill(direction, sliders, empty, out)


@signatures.fill_by_technique
def ray_attacks(
    direction: Direction,
    sliders: AnyBoard | Integers,
    empty: AnyBoard | Integers,
    technique: str = "kogge-stone",
    out: Boards | None = None,
) -> Bitboard | Boards:
    """Return every square that any of the sliders attacks in a direction, including the first blockers.

    >>> ray_attacks("east", 0x01, ~0x21 & 0xFF).names()
    ['b1', 'c1', 'd1', 'e1', 'f1']
    """
    return _technique(technique).ray_attacks(direction, sliders, empty, out)


_technique = technique

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
    "Color",
    "Dataset",
    "Games",
    "IllegalMoveError",
    "InvalidMoveError",
    "Move",
    "OpeningMove",
    "OpeningPosition",
    "OpeningTree",
    "Outcome",
    "Piece",
    "PieceType",
    "Placement",
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
    "fill",
    "king_attacks",
    "knight_attacks",
    "line",
    "make_dataset",
    "open_dataset",
    "parse_square",
    "pawn_attacks",
    "perft",
    "pgn",
    "pgn_to_parquet",
    "piece_name",
    "piece_symbol",
    "progressive_mobility",
    "queen_attacks",
    "ray_attacks",
    "read_parquet",
    "read_pgn",
    "read_training",
    "rook_attacks",
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
