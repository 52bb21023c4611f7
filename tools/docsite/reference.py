"""Pages of the reference: every public name, by what it is for."""

import inspect
import re
from enum import EnumType
from typing import Final

import rookery
from docsite.docstrings import as_rst
from docsite.public import SQUARES
from docsite.repository import GENERATED

# What `rookery.pgn` has; the methods of a node are those of a game, too.
_PGN: Final = (
    "read, read_game, read_headers, skip_game, Game, GameNode, ChildNode, Mainline, Movetext, BadGame, BaseVisitor, "
    "GameBuilder, StringExporter, FileExporter"
)

# What `rookery.compat` and its modules define themselves; all other names are those of the pages above.
_COMPAT: Final = {
    "rookery.compat": (
        "BaseBoard, Board, Status, lsb, msb, scan_forward, scan_reversed, popcount, ray, flip_vertical, "
        "flip_horizontal, flip_diagonal, flip_anti_diagonal, shift_up, shift_down, shift_left, shift_right, "
        "shift_up_left, shift_up_right, shift_down_left, shift_down_right, shift_2_up, shift_2_down, shift_2_left, "
        "shift_2_right"
    ),
    "rookery.compat.pgn": (
        "read_game, Game, GameNode, ChildNode, Headers, GameBuilder, BoardBuilder, HeadersBuilder, SkipVisitor, "
        "StringExporter, FileExporter"
    ),
    "rookery.compat.svg": "board, piece, Arrow",
}

# Title, what the page is about, and its names.
PAGES: Final = {
    "attacks": (
        "Attacks",
        "What pieces attack, by ints or arrays; and the techniques, which share one interface.",
        "rook_attacks bishop_attacks queen_attacks knight_attacks king_attacks pawn_attacks ray_attacks fill between"
        " line technique techniques Technique",
    ),
    "bitboards": (
        "Bitboards and squares",
        "Sets of squares, the squares' names and numbers, and boards in other mappings. The squares themselves are "
        "``rookery.A1`` (0), ``rookery.B1`` (1) to ``rookery.H8`` (63).",
        "Bitboard SquareSet side_by_side Placement parse_square square square_name square_file square_rank"
        " square_mirror square_distance square_manhattan_distance square_knight_distance convert_square convert_board"
        " DIRECTIONS SQUARES SQUARE_NAMES FILE_NAMES RANK_NAMES",
    ),
    "board": (
        "Board and moves",
        "One game: positions, legal moves, texts and outcomes.",
        "Board Move Piece Outcome Termination perft perft_suite InvalidMoveError IllegalMoveError AmbiguousMoveError"
        " trajectories progressive_mobility STARTING_FEN WHITE BLACK COLORS COLOR_NAMES PIECE_TYPES PAWN KNIGHT"
        " BISHOP ROOK QUEEN KING piece_symbol piece_name PIECE_SYMBOLS PIECE_NAMES Square Color PieceType",
    ),
    "positions": ("Arrays of positions", "Many positions in one call.", "Positions"),
    "games": (
        "Files of games",
        "Games as columns, from PGN, Arrow and Parquet and back.",
        "Games read_pgn scan_pgn write_pgn read_parquet scan_parquet write_parquet pgn_to_parquet"
        " OpeningTree OpeningPosition OpeningMove OpeningNames read_opening_names Book read_book",
    ),
    "indices": (
        "Indices of games",
        "The games that reach a position, in milliseconds.",
        "index_games open_index GameIndex IndexedPosition IndexedMove",
    ),
    "plans": ("Lazy plans", "What to read, which rows to keep, and what to compute of them.", "scan Plan"),
    "queries": ("Queries", "Questions about positions and games, and searches of files.", "Query search"),
    "puzzles": ("Puzzles", "The themes of Lichess' puzzles.", "tag_puzzles PuzzleThemes"),
    "training": (
        "Training data",
        "Positions with scores and results, in the formats of engines.",
        "read_training scan_training training_stats write_training ScoredPositions TrainingWriter",
    ),
    "datasets": (
        "Datasets for training",
        "Games and training data as shards, read as planes.",
        "make_dataset open_dataset Dataset",
    ),
    "encoders": ("Inputs of nets", "What the nets of programs take, as those number it.", "encoders"),
    "pipelines": ("Columns about positions", "Features of files, and functions of Arrow batches.", "annotate batches"),
    "pgn": ("One game as text", "", "pgn"),
    "compat": ("Names of python-chess", "", "compat"),
}

NEXT: Final = (
    "Next steps: :doc:`a tour of the library </library>` shows these names at work, and the :doc:`guides "
    "</guides/index>` solve whole tasks with them."
)


def pages() -> dict[str, str]:
    """Every page by its name under `docs/generated`, as reStructuredText, and the page that lists them."""
    listed = "\n".join(f"   {name}" for name in PAGES)
    tables = "\n\n".join(summary(name) for name in PAGES)
    about = (
        "Every public name. The examples are run; they take the names of ``rookery`` and ``np``, NumPy, as imported."
    )
    index = f"Reference\n=========\n\n{about}\n\n{tables}\n\n{NEXT}\n\n.. toctree::\n   :hidden:\n\n{listed}\n"
    made = {f"{GENERATED}/reference/index.rst": index}
    for name, (title, about, names) in PAGES.items():
        parts = [f"{title}\n{'=' * len(title)}", about, *(entry(public) for public in names.split()), NEXT]
        made[f"{GENERATED}/reference/{name}.rst"] = "\n\n".join(parts) + "\n"
    return made


def summary(page: str) -> str:
    """Return the section of the index about a page: its names, each with the first sentence about it."""
    title, about, names = PAGES[page]
    rows = [".. list-table::", "   :widths: 30 70", ""]
    for name in names.split():
        role = "mod" if inspect.ismodule(getattr(rookery, name)) else "obj"
        rows += [f"   * - :py:{role}:`{name} <{module_of(name)}>`", f"     - {first_sentence(name)}"]
    heading = f":doc:`{title} <{page}>`"
    return "\n\n".join([heading, *([about] if about else []), "\n".join(rows)])


def module_of(name: str) -> str:
    """Return the full name under which Sphinx knows a public name."""
    value = getattr(rookery, name)
    return value.__name__ if inspect.ismodule(value) else f"rookery.{name}"


def first_sentence(name: str) -> str:
    """Return the first sentence of a docstring, or the value of a constant."""
    value = getattr(rookery, name)
    if not (callable(value) or inspect.ismodule(value)):
        return f"``{shown(value)}``"
    text = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())
    return as_rst(re.split(r"(?<=\.) (?=[A-Z])", text)[0].rstrip(":"), lambda _: None).strip()


def named() -> list[str]:
    """Return the names on all pages."""
    return [name for _, _, names in PAGES.values() for name in names.split()] + sorted(SQUARES)


def entry(name: str) -> str:
    """Return the directive that makes Sphinx write the reference of a name."""
    value = getattr(rookery, name)
    if isinstance(value, EnumType):  # the methods of `str` and `int` are not ours to describe
        return f".. autoclass:: rookery.{name}\n   :members: {', '.join(value.__members__)}\n   :undoc-members:"
    if isinstance(value, type):
        ours = next((base for base in value.__mro__ if not base.__module__.startswith("rookery")), object)
        return f".. autoclass:: rookery.{name}\n   :members:\n   :inherited-members: {ours.__name__}"
    if name == "pgn":
        return ".. automodule:: rookery.pgn\n   :members: " + _PGN
    if name == "encoders":
        return f".. automodule:: rookery.data.encoders\n   :members: {', '.join(value.__all__)}"
    if name == "compat":
        # Without an index: a link to `Board` leads to that of rookery.
        described = [
            f".. automodule:: {module}\n   :no-index:\n   :members: {members}" for module, members in _COMPAT.items()
        ]
        return "\n\n".join([".. py:module:: rookery.compat", *described])
    if name == "batches":
        return ".. automodule:: rookery.data.pipeline.batches\n   :members: annotate, search, games, planes"
    if callable(value):
        return f".. autofunction:: rookery.{name}"
    return f".. py:data:: rookery.{name}\n   :value: {shown(value)}"


def shown(value: object) -> str:
    """Return a value as text, without its middle if it is long."""
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:40]} ... {text[-20:]}"
