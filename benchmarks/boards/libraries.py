"""The libraries that are compared: how each makes the values that an expression is given, and the names it may use."""

import importlib
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from boards.corpus import BOARD, COLOR, COPY, KIND, MOVE, PIECE, PLAIN, SQUARE, SQUARE_SET, Arguments, Corpus
from rookery.bench.turns import installed

OURS, ORACLE, RUST, C = "rookery", "chess", "pyrust_chess", "bulletchess"
LIBRARIES: Final = (OURS, ORACLE, RUST, C)
RIVALS: Final = (RUST, C)
_NAMES: Final = ("Board", "Move", "Piece", "SquareSet", "square", "square_file", "square_name", "parse_square")


class Library(NamedTuple):
    """A library: the names that its expressions may use, and a maker for each kind of variable."""

    name: str
    names: dict[str, Any]
    makers: dict[str, Callable[[Any], Any]]

    def of(self, arguments: Arguments) -> list[Any]:
        """Return rows of arguments as values of this library; those of one variable without their tuple."""
        makers = [self.makers[kind] for kind in arguments.kinds.values()]
        rows = [tuple(make(value) for make, value in zip(makers, row, strict=True)) for row in arguments.rows]
        return [row for (row,) in rows] if len(makers) == 1 else rows


def library(name: str, games: Corpus) -> Library | None:
    """Return a library whose boards have replayed the games, or None if it is not installed."""
    module = installed(name)
    if module is None:
        return None
    if name == C:
        return _bulletchess({**vars(module), "utils": importlib.import_module("bulletchess.utils")}, games)
    names = {key: getattr(module, key) for key in _NAMES if hasattr(module, key)}
    if name == ORACLE:
        names["zobrist_hash"] = importlib.import_module("chess.polyglot").zobrist_hash
    return _like_chess(name, names, games)


def _like_chess(name: str, names: dict[str, Any], games: Corpus) -> Library:
    """Return a library that uses the names of python-chess. Colours, kinds of pieces and squares are plain numbers."""
    boards = _replayed(games, names["Board"], lambda board, text: board.push(names["Move"].from_uci(text)))
    plain = dict.fromkeys((SQUARE, COLOR, KIND, PLAIN), _same)
    of_text = {MOVE: names["Move"].from_uci, PIECE: names["Piece"].from_symbol}
    makers = {BOARD: boards.__getitem__, COPY: _copier(boards), SQUARE_SET: names["SquareSet"]}
    return Library(name, names, {**makers, **plain, **of_text})


def _bulletchess(names: dict[str, Any], games: Corpus) -> Library:
    """Return bulletchess, which has objects for colours, kinds of pieces and squares."""
    boards = _replayed(games, names["Board"], lambda board, text: board.apply(names["Move"].from_uci(text)))
    makers = {
        BOARD: boards.__getitem__,
        COPY: _copier(boards),
        MOVE: names["Move"].from_uci,
        SQUARE: names["SQUARES"].__getitem__,
        COLOR: lambda white: names["WHITE"] if white else names["BLACK"],
        KIND: lambda kind: names["PIECE_TYPES"][kind - 1],
        PIECE: names["Piece"].from_chr,
        SQUARE_SET: names["Bitboard"].from_int,
        PLAIN: _same,
    }
    return Library(C, names, makers)


def _replayed(games: Corpus, board: Callable[[], Any], push: Callable[[Any, str], object]) -> list[Any]:
    boards = []
    for game in games.games:
        boards.append(board())
        for text in game:
            push(boards[-1], text)
    return boards


def _copier(boards: list[Any]) -> Callable[[int], Any]:
    """Return a maker of copies of boards, one for each of them: a second board of the same number is the same copy."""
    copies = [board.copy() for board in boards]
    return copies.__getitem__


def _same(value: Any) -> Any:
    return value
