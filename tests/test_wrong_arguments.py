"""A walk over all public callables, with wrong values for each parameter: every error names its argument.

A parameter gets each value of `WRONG` in turn, and the others get right values (`RIGHT`). Either the call succeeds,
since the value is right after all; or it raises a ValueError, a TypeError, an IndexError or a KeyError whose message
has the parameter's name, or an OSError about a file. A value that the annotation of the parameter forbids must raise,
and so must an object of an unknown class. No call may run for long, run out of memory or raise anything else.
"""

import contextlib
import functools
import inspect
import io
import itertools
import math
import operator
import re
import resource
import signal
import tempfile
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import chess
import numpy as np
import pytest

import rookery
from docsite.public import methods_of, names
from rookery import Bitboard, Board, Games, Move, Positions, bits, compat, lines, pgn, sets, squares
from rookery.bitboards import iteration, mappings
from rookery.bitboards.pictures import board_svg
from rookery.compat import bitboards as compat_bitboards
from rookery.compat import svg as compat_svg
from rookery.data.puzzles import PuzzleThemes
from rookery.games.positions.game_positions import GamePositions
from rookery.games.positions.summaries import Summaries
from rookery.games.search.counts import HitCounts
from rookery.games.search.hits import Hits
from rookery.kernel import watch_compilation
from rookery.positions.features import policy
from rookery.positions.motifs import names_of
from rookery.positions.motifs.named_mates import mate_names
from rookery.positions.moves import Moves

SECONDS: Final = 3.0  # for one call, without what it compiles
ROOM: Final = 8 << 30  # bytes of address space that a call may take


class Odd:
    """A class that no parameter takes, and whose objects none takes."""


# fmt: off
WRONG: Final[dict[str, Any]] = {
    "None": None, "'x'": "x", "''": "", "NUL": "\x00", "-1": -1, "64": 64, "2**64": 2**64, "10**400": 10**400,
    "True": True, "1.5": 1.5, "nan": math.nan, "[]": [], "[5]": [5], "['x']": ["x"], "[None]": [None],
    "ragged": [[1], [2, 3]], "()": (), "{}": {}, "{0: 0}": {0: 0}, "{'x': 'x'}": {"x": "x"}, "object": Odd(),
    "bytes": b"x", "np.int8(-1)": np.int8(-1), "np.True_": np.True_, "NaN array": np.array([1.5, math.nan]),
    "array (1, 2)": np.array([[1, 2]]), "array of texts": np.array(["a"]), "array": np.array([1, 2]),
    "array of 99": np.array([0, 99]), "array of -1": np.array([-1, 0]), "array of objects": np.array([None, 5]),
    "class": Odd, "lambda": lambda: None,
}
TEXT: Final = b'[White "Anna"]\n[WhiteElo "2100"]\n\n1. e4 {[%clk 0:03:00]} e5 2. Nf3 1-0\n\n1. d4 *'
NAMES: Final = b"eco\tname\tpgn\nC20\tOpen Game\t1. e4 e5\n"
GAMES: Final = rookery.read_pgn(TEXT)
BOARDS: Final = Positions.from_boards([Board(), Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")])
MOVES: Final = BOARDS.legal_moves()
ROWS: Final = rookery.ScoredPositions(BOARDS, scores=[5, -5], results=[1, 0])


class NamedFile(io.BytesIO):
    """A file in memory whose name says its format."""

    name = "rows.plain"


class FreeName:
    """A path that is another one whenever it is used."""

    uses = itertools.count()

    def __fspath__(self) -> str:
        return f"dataset-{next(self.uses)}"


class MadeDataset:
    """The path of a dataset, which is made when it is first used."""

    @functools.cached_property
    def folder(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory()

    def __fspath__(self) -> str:
        path = f"{self.folder.name}/dataset"
        if not Path(path).exists():
            rookery.write_parquet(GAMES, f"{self.folder.name}/games.parquet")
            rookery.make_dataset(f"{self.folder.name}/games.parquet", path, split=[1])
        return path


class MadeIndex:
    """The path of an index of games, which is made when it is first used."""

    @functools.cached_property
    def folder(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory()

    def __fspath__(self) -> str:
        path = f"{self.folder.name}/index"
        if not Path(path).exists():
            rookery.write_parquet(GAMES, f"{self.folder.name}/games.parquet")
            rookery.index_games(f"{self.folder.name}/games.parquet", path)
        return path


# Right values for required parameters: by path, or by the parameter's name.
RIGHT: Final[dict[str, Any]] = {
    "a": 0, "b": 9, "ask": "rook", "board": Board(), "board_class": list, "board_or_fen": Board(),
    "boards": {"a": 1}, "castling_fen": "-", "channels": ["our_pawns"], "colour": "white", "color": "white",
    "columns": BOARDS.columns, "depth": 1, "direction": "north", "drawing": str(Bitboard(5)), "empty": 0,
    "epd": "4k3/8/8/8/8/8/8/4K3 w - -", "fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "file": 0, "from_square": 12,
    "games": GAMES, "i": 0, "index": 0, "indices": [877, 4], "kind": "q", "kings": 5, "knights": 5,
    "lines": ["8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"], "mask": 5, "move": Move.of(6, 21),
    "moves": [Move.of(12, 28), Move.of(0, 56)], "mover": "rook", "name": "e4", "occupied": 0, "other": 5,
    "parts": [], "pawns": 5, "piece": "rook", "piece_type": "q", "pieces": {0: "K"}, "rank": 0, "reverse": 0,
    "rng": 1, "s": 12, "scharnagl": 5, "sliders": 5, "source": TEXT, "square": 12, "squares": [0, 5], "state": 0,
    "symbol": "Q", "text": "Nf3", "texts": ["Nf3", "Ra8+"], "to_square": 28,
    "variation": [Move.of(6, 21)], "word": 1804, "words": Board().words().tolist()[:10], "x": 5,
    "arrays": BOARDS.to_numpy(), "termination": "checkmate", "winner": None,
    "rookery.Board.set_board_fen.fen": "8/8/8/8/8/8/8/8", "rookery.Board.parse_uci.text": "g1f3",
    "rookery.Board.push_uci.text": "g1f3", "rookery.Board.set_piece_at.piece": "K",
    "rookery.Move.from_uci.text": "e2e4",
    "rookery.Games.column.name": "White", "rookery.Games.concatenate.parts": [GAMES],
    "rookery.Games.from_arrow.table": GAMES.to_arrow(), "rookery.Positions.from_arrow.table": BOARDS.to_arrow(),
    "rookery.Positions.from_boards.boards": [Board()], "rookery.technique.name": "kogge-stone",
    "rookery.convert_board.board": 5, "rookery.convert_board.source": "rank-big-little",
    "rookery.convert_board.target": "rank-little-little", "rookery.convert_square.source": "rank-big-little",
    "rookery.convert_square.target": "rank-little-little", "rookery.trajectories.target": 60,
    "rookery.pgn.read.text": "1. e4 *", "rookery.Technique.answer.question": rookery.techniques,
    "convert_board.board": 5, "convert_board.source": "rank-big-little", "convert_board.target": "rank-little-little",
    "convert_square.source": "rank-big-little", "convert_square.target": "rank-little-little",
    "bb": 5, "svg.piece.piece": "K", "f": compat.flip_vertical, "tail": 0, "head": 1,
    "rookery.Board.from_chess.board": chess.Board(), "rookery.Board.to_chess.board_class": chess.Board,
    "rookery.Board.xray_attacks.square": 0, "path": "games.parquet", "target": "games.pgn",
    "rookery.Board.find_move.from_square": 0, "rookery.Board.find_move.to_square": 8,
    "mappings.Mapping.major": "rank", "mappings.Mapping.ranks": "little", "mappings.Mapping.files": "big",
    "lines.line_through.name": "rank", "step.direction": 0, "squares.parse_direction.name": "north",
    "rookery.Games.columns": GAMES.columns, "targets": "kq", "rookery.Positions.attacks_from.squares": "e4",
    "fens": ["6k1/5ppp/8/8/8/7P/5PP1/R5K1 b - - 0 1"], "rookery.tag_puzzles.moves": ["g8h8 a1a8"], "theme": "fork",
    "rookery.PuzzleThemes.bits": np.zeros(2, np.uint64),
    "GamePositions.header.name": "White", "rookery.Positions.motif.name": "passed",
    "GamePositions.from_arrow.table": BOARDS.to_arrow(),
    "side": "white", "Moves.offsets": MOVES.offsets, "Moves.moves": MOVES.moves,
    "PuzzleThemes.bits": np.zeros(2, np.uint64),
    "query": "us.pawns", "positions": BOARDS, "rookery.Query.text": "us.pawns",
    "rookery.OpeningTree.merge.other": rookery.OpeningTree(), "min_games": 1, "row": 0, "tree": GAMES.opening_tree(),
    "rookery.OpeningTree.to_parquet.path": "tree.parquet", "rookery.OpeningTree.__getitem__.board": Board(),
    "rookery.OpeningTree.__contains__.board": Board(),
    "rookery.read_training.source": NamedFile(), "rookery.scan_training.source": NamedFile(), "rows": ROWS,
    "rookery.training_stats.source": ROWS,
    "rookery.write_training.target": NamedFile(), "rookery.TrainingWriter.target": NamedFile(),
    "rookery.ScoredPositions.concatenate.parts": [ROWS],
    "rookery.make_dataset.source": "games.parquet", "rookery.make_dataset.folder": FreeName(),
    "rookery.open_dataset.folder": MadeDataset(), "epoch": 0,
    "rookery.Dataset.state_at.epoch": 0,
    "rookery.Dataset.state_at.batch": 1,
    "rookery.Dataset.load_state_dict.state": {"epoch": 0, "batch": 1},
    "features": "legal_moves", "rookery.annotate.inputs": str(Path(__file__).parent / "samples" / "puzzles.csv"),
    "rookery.annotate.out": "out.csv", "rookery.scan.source": "games.parquet",
    "rookery.Plan.write_parquet.path": "rows.parquet", "rookery.Plan.write.path": "rows.parquet",
    "rookery.Plan.write_arrow.path": "rows.arrow", "rookery.Plan.write_csv.path": "rows.csv",
    "rookery.Plan.write_jsonl.path": "rows.jsonl", "rookery.Plan.write_pgn.path": "some.pgn",
    "rookery.Plan.write_training.path": "rows.plain",
    "rookery.Plan.write_dataset.folder": FreeName(), "rookery.Plan.sample.n": 3,
    "rookery.Plan.where.condition": "WhiteElo > 2000", "rookery.Plan.sort.by": "ply",
    "rookery.pgn_to_parquet.source": "games.parquet", "rookery.pgn_to_parquet.path": "out.parquet",
    "rookery.read_opening_names.source": NAMES, "names": NAMES, "rookery.OpeningNames.names": [],
    "rookery.OpeningNames.fewest": 2, "keys": [],
    "rookery.read_book.source": b"", "key": 0, "rookery.Book.concatenate.parts": [GAMES.opening_tree().to_book()],
    "rookery.Book.write.path": "book.bin",
    "rookery.perft_suite.source": b"8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 1",
    "rookery.OpeningPosition.play.moves": "e4 e5", "rookery.OpeningPosition.__getitem__.move": "e4",
    "rookery.index_games.source": "games.parquet", "rookery.index_games.folder": FreeName(),
    "rookery.open_index.folder": MadeIndex(), "rookery.GameIndex.read_games.games": [0],
    "rookery.GameIndex.examples.games": [0], "rookery.IndexedPosition.play.moves": "e4 e5",
    "rookery.IndexedPosition.__getitem__.move": "e4",
}
# fmt: on
INSTANCES: Final[dict[type, Callable[[], Any]]] = {
    Bitboard: lambda: Bitboard(0x1234),
    Board: lambda: Board("r3k2r/8/8/8/8/8/8/R3K1NR w KQkq - 0 1"),
    Games: lambda: GAMES,
    rookery.OpeningNames: lambda: rookery.read_opening_names(NAMES),
    rookery.Book: lambda: GAMES.opening_tree().to_book(),
    GamePositions: GAMES.positions,
    Move: lambda: Move.of(12, 28),
    Moves: lambda: MOVES,
    Positions: lambda: BOARDS,
    rookery.Query: lambda: rookery.Query("us.pawns"),
    rookery.OpeningMove: lambda: GAMES.opening_tree().root.moves[0],
    rookery.OpeningPosition: lambda: GAMES.opening_tree().root,
    rookery.OpeningTree: GAMES.opening_tree,
    rookery.Plan: lambda: rookery.scan(RIGHT["rookery.open_index.folder"]),
    rookery.GameIndex: lambda: rookery.open_index(RIGHT["rookery.open_index.folder"]),
    rookery.IndexedPosition: lambda: rookery.open_index(RIGHT["rookery.open_index.folder"]).at(Board()),
    rookery.IndexedMove: lambda: rookery.open_index(RIGHT["rookery.open_index.folder"]).at(Board()).moves[0],
    rookery.ScoredPositions: lambda: ROWS,
    rookery.TrainingWriter: lambda: rookery.TrainingWriter(NamedFile()),
    rookery.Dataset: lambda: rookery.open_dataset(RIGHT["rookery.open_dataset.folder"]),
    rookery.SquareSet: lambda: rookery.SquareSet([0, 28]),
    Hits: lambda: GAMES.search("ply > 0"),
    HitCounts: lambda: HitCounts("White"),
    Summaries: GAMES.summaries,
    pgn.ChildNode: lambda: pgn.Game().add_variation(Move.of(12, 28), comment="x"),
    pgn.Headers: lambda: pgn.Headers({"White": "Anna"}),
    pgn.StringExporter: pgn.StringExporter,
    PuzzleThemes: lambda: PuzzleThemes(np.array([5, 0], np.uint64)),
    compat.BaseBoard: compat.BaseBoard,
    compat.Board: lambda: compat.Board("r3k2r/8/8/8/8/8/8/R3K1NR w KQkq - 0 1"),
    pgn.Game: lambda: pgn.Game({"White": "Anna"}, [Move.of(12, 28)]),
    rookery.Outcome: lambda: rookery.Outcome(rookery.Termination.CHECKMATE, True),
    rookery.Piece: lambda: rookery.Piece("q", "white"),
    rookery.Placement: lambda: Board().placement,
    rookery.Technique: lambda: rookery.technique("kogge-stone"),
    mappings.Mapping: lambda: mappings.LITTLE_ENDIAN_RANK_FILE,
}
MODULES: Final = (bits, iteration, mappings, sets, squares, lines, compat_bitboards, compat_svg)
FUNCTIONS: Final = (board_svg, policy.move_to_index, policy.index_to_move, names_of, mate_names)
# Public classes that `docsite.public` does not list, since they are no names of `rookery` itself.
FURTHER: Final[dict[str, type]] = {
    "Moves": Moves,
    "GamePositions": GamePositions,
    "Hits": Hits,
    "HitCounts": HitCounts,
    "Summaries": Summaries,
    "PuzzleThemes": PuzzleThemes,
    "mappings.Mapping": mappings.Mapping,
    "compat.board.BaseBoard": compat.BaseBoard,
    "compat.board.Board": compat.Board,
    "pgn.Game": pgn.Game,
    "pgn.ChildNode": pgn.ChildNode,
    "pgn.Headers": pgn.Headers,
    "pgn.StringExporter": pgn.StringExporter,
}
SETTABLE: Final[dict[type, tuple[str, ...]]] = {
    pgn.Game: ("result", "start"),
    compat.Board: ("turn", "castling_rights", "ep_square"),
    rookery.Board: ("halfmove_clock", "fullmove_number", "turn", "castling_rights", "ep_square"),
}

# What messages call a parameter whose own name says less.
CALLED: Final = {
    "rookery.Bitboard.value": "Bitboard",
    "rookery.parse_square.name": "square",
    "squares.parse_square.name": "square",
    "squares.parse_direction.name": "direction",
    "lines.line_through.name": "line",
    "rookery.Bitboard.from_squares.squares": "square",
    "rookery.Bitboard.of.squares": "square",
    "rookery.technique.name": "technique",
    "rookery.Move.word": "move",
    "rookery.Piece.from_symbol.symbol": "piece",
    **{
        f"compat.board.{owner}.{method}.{name}": called
        for owner in ("BaseBoard", "Board")
        for method in ("pieces", "pieces_mask", "attackers", "attackers_mask", "is_attacked_by")
        for name, called in (("piece_type", "kind"), ("color", "colour"))
    },
    "text": "UCI move|SAN move|PGN",
    "fen": "FEN",
    "castling_fen": "castling",
    "variation": "move",
    "columns": "column",
    "lines": "line [0-9]+",
    "rookery.Games.__getitem__.index": "column",
    "GamePositions.header.name": "column",
    "rookery.Games.column.name": "column",
    "rookery.perft.board_or_fen": "board|FEN",
    "rookery.Query.text": "query",
    "rookery.Positions.select.named": "x",
    "rookery.Plan.select.expressions": "x",
    "rookery.Plan.group_by.named": "x",
    "rookery.Plan.sort.more": "by",
    "rookery.Plan.unique.aggregates": "x",
    "rookery.Plan.where.condition": "where",
    "rookery.OpeningTree.to_html.board": "board|FEN",
    "rookery.OpeningNames.find.board": "board|FEN",
    **{
        f"rookery.Book.{method}.board": "board|FEN"
        for method in ("__contains__", "find_all", "find", "get", "choice", "weighted_choice")
    },
    "rookery.OpeningTree.__getitem__.board": "board|FEN",
    "rookery.OpeningTree.__contains__.board": "board|FEN",
    "rookery.OpeningPosition.play.moves": "moves?",
    "rookery.IndexedPosition.play.moves": "moves?",
    "rookery.GameIndex.at.board": "board|FEN",
    "rookery.Plan.at.board": "board|FEN",
    "rookery.GameIndex.__contains__.board": "board|FEN",
    "compat.board.BaseBoard.board_fen": "FEN",
    "pgn.Game.add_line.moves": "moves?",
    "pgn.ChildNode.add_line.moves": "moves?",
    "pgn.Game.setup.board": "FEN",
    "pgn.Game.headers": "headers?",
    "pgn.Headers.more": "header",
    "pgn.Headers.headers": "headers?",
    "pgn.Headers.update.headers": "headers?",
    "pgn.Headers.update.more": "header",
    "pgn.Headers.setdefault.name": "header",
    "pgn.Headers.setdefault.default": "header",
    "pgn.Game.headers_at.board": "board|FEN",
    "pgn.Headers.kwargs": "header",
}

# Parameters that take what they are given, and why.
EXEMPT: Final = {
    "rookery.Board.epd.operations": "operands of any opcode are written as they are",
    "rookery.OpeningMove": "a tree makes its moves",
    "rookery.OpeningPosition": "a tree makes its positions",
    "rookery.GameIndex": "open_index makes it",
    "rookery.IndexedMove": "an index makes its moves",
    "rookery.IndexedPosition": "an index makes its positions",
    **{
        f"compat.board.{owner}.{method}.f": "a function, which is called"
        for owner in ("BaseBoard", "Board")
        for method in ("apply_transform", "transform")
    },
    "rookery.Plan": "scan makes it",
    "rookery.Dataset": "open_dataset makes it, with objects that have no other maker",
    "GamePositions.of": "games make their positions",
    "rookery.Book.get.default": "any value",
    "rookery.Book": "read_book and trees make them",
    "rookery.OpeningNames": "read_opening_names makes them",
    "rookery.OpeningNames.name_at": "a row that rows_of_keys returned",
    "rookery.OpeningNames.rows_of_keys": "an array of keys",
    "rookery.OpeningNames.rows_of_games": "columns of games",
    "rookery.OpeningNames.filled": "columns of games",
    "Hits": "a search makes them, and its other makers, too",
    "Hits.concatenate": "a search makes them",
    "Hits.empty": "a search makes them",
    "HitCounts.label": "the name of an argument, for a message",
    "Summaries": "games make them",
    "pgn.ChildNode": "add_variation makes it",
    "pgn.Headers.unchecked": "headers that a reader has checked",
    **{
        f"pgn.StringExporter.{name}": "a game calls it"
        for name in ("visit_board", "visit_comment", "visit_header", "visit_move", "visit_result", "visit_unread")
    },
    "rookery.make_dataset.watch": "a function, which is called",
    "rookery.annotate.progress": "a function, which is called",
    **{
        f"rookery.Plan.write{name}.progress": "a function, which is called"
        for name in ("", "_parquet", "_arrow", "_csv", "_jsonl", "_pgn", "_dataset", "_training")
    },
    "rookery.pgn_to_parquet.progress": "a function, which is called",
    "rookery.index_games.progress": "a function, which is called",
    "squares.check_square.name": "the name of an argument, for a message",
}
SLOW: Final = {("rookery.perft.depth", "64"): "a depth that is right, and takes years"}


Maker: TypeAlias = Callable[[], Callable[..., Any]]


class Case(NamedTuple):
    """A public callable: its path, what makes it anew for each call, and its parameters with their annotations."""

    path: str
    make: Maker
    parameters: Mapping[str, inspect.Parameter]
    hints: Mapping[str, Any]

    def called(self, name: str) -> str:
        return CALLED.get(f"{self.path}.{name}", CALLED.get(name, name))

    def right(self, name: str) -> Any:
        for key in (f"{self.path}.{name}", f"{self.path.rpartition('.')[2]}.{name}", name):
            if key in RIGHT:
                return RIGHT[key]
        raise LookupError(f"{self.path}.{name}: RIGHT has no value for this parameter")


def giving(function: Callable[..., Any]) -> Maker:
    return lambda: function


def case(path: str, function: Any, make: Maker, *, bound: bool) -> Case:
    source = inspect.unwrap(function)
    parameters = list(inspect.signature(source).parameters.items())[int(bound) :]
    with contextlib.suppress(NameError):
        hints = typing.get_type_hints(source)
        return Case(path, make, dict(parameters), hints)
    return Case(path, make, dict(parameters), {})


def cases() -> Iterator[Case]:
    for public in names():
        owner_path, _, name = public.path.rpartition(".")
        owner = rookery if owner_path == "rookery" else getattr(rookery, owner_path.split(".")[1], None)
        if owner_path == "rookery.pgn.Game":
            owner = pgn.Game
        if isinstance(public.value, types.FunctionType):
            if isinstance(owner, type):
                yield _method(public.path, owner, name)
            else:
                yield case(public.path, public.value, giving(public.value), bound=False)
        elif isinstance(public.value, type) and not issubclass(public.value, (Exception, Enum)) and not public.is_alias:
            yield from _class(public.path, public.value)
    tested = [part for owner in (Positions, rookery.Board) for _, part in methods_of(owner)]
    for path, owner in FURTHER.items():
        yield from _class(path, owner)
        for name, part in methods_of(owner):
            is_called = isinstance(getattr(owner, name), types.FunctionType | types.MethodType)
            if is_called and part not in tested:
                yield _method(f"{path}.{name}", owner, name)
    for module in MODULES:
        short = module.__name__.rpartition(".")[2]
        for name, value in vars(module).items():
            if isinstance(value, types.FunctionType) and value.__module__ == module.__name__ and name[0] != "_":
                yield case(f"{short}.{name}", value, giving(value), bound=False)
    for function in FUNCTIONS:
        yield case(function.__name__, function, giving(function), bound=False)


def _method(path: str, owner: type, name: str) -> Case:
    function = inspect.getattr_static(owner, name)
    if isinstance(function, (classmethod, staticmethod)):
        return case(path, function.__func__, lambda: getattr(owner, name), bound=True)
    return case(path, function, lambda: getattr(INSTANCES[owner](), name), bound=True)


def _class(path: str, owner: type) -> Iterator[Case]:
    if not issubclass(owner, tuple):  # what a NamedTuple holds is its maker's
        maker = owner.__init__ if owner.__new__ is object.__new__ else owner.__new__
        yield case(path, maker, giving(owner), bound=True)
    for name in ("__getitem__", "__contains__"):
        if isinstance(getattr(owner, name, None), types.FunctionType):
            yield _method(f"{path}.{name}", owner, name)
    for name in SETTABLE.get(owner, ()):
        yield _setter(f"{path}.{name}", owner, name)


def _setter(path: str, owner: type, name: str) -> Case:
    part = inspect.getattr_static(owner, name)
    setter = part.fset if isinstance(part, property) else None
    hints = typing.get_type_hints(setter or owner)
    hint = hints.get(name, Any) if setter is None else [hints[key] for key in hints if key != "return"][-1]
    parameter = inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY)

    def make() -> Callable[[Any], None]:
        instance = INSTANCES[owner]()
        return lambda value: setattr(instance, name, value)

    return Case(path, make, {name: parameter}, {name: hint})


def matches(value: Any, hint: Any) -> bool | None:
    """Whether an annotation takes a value; None where it leaves that open."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        found = [matches(value, part) for part in arguments]
        return True if True in found else None if None in found else False
    if origin is typing.Literal:
        return isinstance(value, str) and value in arguments
    if hint is int:
        return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if hint is bool:
        return isinstance(value, (bool, np.bool_))
    if hint in (str, Board, Move, pgn.Game, Positions, Games, rookery.Technique, type(None)):
        return isinstance(value, hint)
    return None


class TookTooLongError(BaseException):
    """A call has run into the limit."""


def set_clock(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds)


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Stop what runs for long, and refuse memory beyond reason."""

    def stop(*_: object) -> None:
        raise TookTooLongError

    before = signal.signal(signal.SIGALRM, stop)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + ROOM, hard))
    set_clock(SECONDS)
    try:
        with watch_compilation(lambda: set_clock(0), lambda: set_clock(SECONDS)):
            yield
    finally:
        set_clock(0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.signal(signal.SIGALRM, before)


def call(one: Case, name: str, value: Any) -> None:
    """Call it with a value for one parameter. Of what it yields, the first few are asked for."""
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for other, parameter in one.parameters.items():
        if other == name:
            given = value
        elif parameter.default is inspect.Parameter.empty and parameter.kind not in (
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        ):
            given = one.right(other)
        else:
            continue
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            named["x"] = given
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY or len(positional) < list(one.parameters).index(other):
            named[other] = given
        else:
            positional.append(given)
    answer = one.make()(*positional, **named)
    if isinstance(answer, Iterator):
        list(itertools.islice(answer, 3))
        if hasattr(answer, "close"):
            answer.close()


def problem(one: Case, name: str, value: Any) -> str | None:
    """What is wrong with how a call takes a value."""
    try:
        with limited():
            call(one, name, value)
    except (ValueError, TypeError, IndexError, KeyError, OSError) as error:
        message = str(error)
        if isinstance(error, OSError) and isinstance(value, (str, int, bytes, list)):
            return None
        if not re.search(rf"(?<![a-z])({name}|{one.called(name)})(?![a-z])", message, re.IGNORECASE):
            return f"{type(error).__name__}: {message[:200]}"
        return None
    except LookupError:
        raise
    except TookTooLongError:
        return "runs for long"
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    if isinstance(value, Odd) or matches(value, one.hints.get(name, Any)) is False:
        return "is taken"
    return None


ALL: Final = list(cases())


@functools.cache
def stored_games() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        rookery.write_parquet(GAMES, f"{folder}/games.parquet")
        return Path(folder, "games.parquet").read_bytes()


@pytest.mark.parametrize("one", ALL, ids=[one.path for one in ALL])
def test_errors_name_their_argument(one: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.parquet").write_bytes(stored_games())
    found = []
    for name in one.parameters:
        if EXEMPT.keys() & {one.path, f"{one.path}.{name}"}:
            continue
        for label, value in WRONG.items():
            if (f"{one.path}.{name}", label) in SLOW:
                continue
            with contextlib.redirect_stdout(io.StringIO()):
                fault = problem(one, name, value)
            if fault:
                found.append(f"{name}={label}: {fault}")
    assert not found, "\n".join(found)


# Operators. Python itself words the error of an operator that takes no such operand: it names both classes.
OPERATORS: Final = ("or_", "and_", "xor", "add", "sub", "mul", "floordiv", "mod", "lshift", "rshift", "lt", "le")
IN_PLACE: Final = ("ior", "iand", "ixor", "isub", "ilshift", "irshift")
OPERANDS: Final[dict[str, Any]] = {
    **WRONG,
    "array of words": np.array([1, 2], np.uint64),
    "frozenset": frozenset({3}),
    "games": GAMES,
    "positions": BOARDS,
}


def with_operators() -> Iterator[tuple[type, str]]:
    """Yield the public classes with operators of their own, and the operators."""
    for owner in INSTANCES:
        for name in (*OPERATORS, *IN_PLACE):
            if any(
                f"__{name.rstrip('_')}__" in vars(base) for base in owner.__mro__ if base.__module__[:7] == "rookery"
            ):
                yield owner, name


def operator_problem(owner: type, name: str, value: Any, *, reflected: bool) -> str | None:
    """What is wrong with the error of an operator, if it is one."""
    operands = (value, INSTANCES[owner]()) if reflected else (INSTANCES[owner](), value)
    try:
        with limited():
            getattr(operator, name)(*operands)
    except (ValueError, TypeError, IndexError) as error:
        if not re.search(rf"{owner.__name__}|\b(shift|squares?|others?|board|header|headers)\b", str(error)):
            return f"{type(error).__name__}: {str(error)[:200]}"
    except TookTooLongError:
        return "runs for long"
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return None


@pytest.mark.parametrize(("owner", "name"), list(with_operators()))
def test_operators_name_what_they_refuse(owner: type, name: str) -> None:
    found = []
    for label, value in OPERANDS.items():
        for reflected in (False, True) if name in OPERATORS else (False,):
            if isinstance(value, np.ndarray) and (reflected or name in ("lt", "le", "floordiv", "mod")):
                continue  # NumPy's own operator, element by element
            if isinstance(value, (str, bytes)) and reflected and name == "mod":
                continue  # Python's formatting of texts
            fault = operator_problem(owner, name, value, reflected=reflected)
            if fault:
                found.append(f"{label} {'on the left' if reflected else 'on the right'}: {fault}")
    assert not found, "\n".join(found)


# Calls whose mistake is one of order, of class or of file.


def test_boards_of_python_chess_are_named() -> None:
    calls: list[Callable[[Any], Any]] = [
        lambda board: Positions.from_boards([board]),
        lambda board: rookery.perft(board, 1),
        pgn.Game.from_board,
        pgn.Game().setup,
        GAMES.opening_tree().__getitem__,
        lambda board: policy.move_to_index(Move.of(12, 28), board),
    ]
    for made in calls:
        with pytest.raises(
            TypeError, match=r"a board of python-chess: expected .*: rookery.Board.from_chess makes one"
        ):
            made(chess.Board())


def test_arguments_in_the_wrong_order() -> None:
    with pytest.raises(TypeError, match=r"query: 'file.pgn': expected a query, not the name of a file"):
        rookery.search("is_mate", "file.pgn")
    with pytest.raises(TypeError, match=r"query: .*games.parquet'.*: expected a query, not the name of a file"):
        rookery.search("is_mate", Path("games.parquet"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"manifest: 3: expected that of a dataset: rookery.open_dataset opens one"):
        rookery.Dataset(1, 2, 3, 4, check=True)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"columns: 'x': expected GameColumns; rookery.read_pgn reads games"):
        Games("x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        (b"PuzzleId,FEN,Moves,Rating\n0,8/8/8/8/8/8/8/K1k5 w - - 0 1,a1a2 a2a3,1\n", "rookery.tag_puzzles"),
        (b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n", "rookery.Positions.from_fens"),
        (b'8/8/8/8/8/8/8/K1k5 w - - c9 "1-0";\n', "rookery.Positions.from_fens"),
        (b"fen,cp\n8/8/8/8/8/8/8/K1k5 w - - 0 1,5\n", "rookery.read_training"),
        (b'id\t"FEN"\tscore\n', "rookery.read_training"),
        (b"fen 8/8/8/8/8/8/8/K1k5 w - - 0 1\nmove a1a2\nscore 5\n", "rookery.read_training"),
        (b"BINP\x10\x00\x00\x00", "rookery.read_training"),
    ],
)
def test_files_without_games_name_their_reader(text: bytes, reader: str, tmp_path: Path) -> None:
    path = tmp_path / "file.pgn"
    path.write_bytes(text)
    for source in (text, path, io.BytesIO(text)):
        with pytest.raises(ValueError, match=rf"not PGN: .*{reader}"):
            rookery.read_pgn(source)
    assert len(rookery.read_pgn(b'[Event "fen,x"]\n\n1. e4 *')) == 1


@pytest.mark.parametrize("table", [GAMES, GAMES.search("ply > 0"), GAMES.opening_tree()])
def test_data_frames_of_tables_are_made_by_their_methods(table: Any) -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="a table, not an array: expected a call of to_pandas, to_polars, to_arrow"):
        pandas.DataFrame(table)
    assert len(table.to_pandas().columns) > 3
    for other in (BOARDS, ROWS):
        with pytest.raises(TypeError, match="a table, not an array"):
            pandas.DataFrame(other)


def test_a_listing_of_the_package_has_its_public_names() -> None:
    rookery.read_pgn(TEXT)  # which loads modules
    shown = {name for name in dir(rookery) if not name.startswith("__")}
    assert shown == {*rookery.__all__, "bits", "lines", "sets", "squares"} - {"__version__"}
    assert "typing" not in shown
