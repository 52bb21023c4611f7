"""Games by the names of ``chess.pgn``: `rookery.pgn` with boards of `rookery.compat` and python-chess's texts.

Games are read by `rookery.pgn`. Of a bad game, `read_game` returns the part before the fault, with the error in
``game.errors``, and logs the error. Readers of `rookery.pgn` never return a part of a game.
"""

import logging
import math
from collections.abc import Callable, Iterable, Mapping
from typing import IO, Any, Final, Self, TypeVar, overload

import rookery.pgn
from rookery.board.board import Board as AnyBoard
from rookery.board.moves import Move, as_move
from rookery.compat.board import Board
from rookery.pgn import SKIP, BadGame, BaseVisitor, GameWarning, Mainline, Movetext, Source, read_headers, skip_game
from rookery.pgn.annotations import MATE, evaluation
from rookery.pgn.headers import ROSTER
from rookery.pgn.reader import next_game, visitor_of
from rookery.pgn.scan.lexing.vocabulary import CHESS960
from rookery.pgn.tree.remarks import Remark
from rookery.pgn.tree.visits import visit_game, visit_moves
from rookery.pgn.write.visitors import Skip, Skipped

_Result = TypeVar("_Result")

LOGGER: Final = logging.getLogger(__name__)
TAG_ROSTER: Final = list(ROSTER)

NAG_NULL: Final = 0
NAG_GOOD_MOVE: Final = 1
NAG_MISTAKE: Final = 2
NAG_BRILLIANT_MOVE: Final = 3
NAG_BLUNDER: Final = 4
NAG_SPECULATIVE_MOVE: Final = 5
NAG_DUBIOUS_MOVE: Final = 6
NAG_FORCED_MOVE: Final = 7
NAG_SINGULAR_MOVE: Final = 8
NAG_WORST_MOVE: Final = 9
NAG_DRAWISH_POSITION: Final = 10
NAG_QUIET_POSITION: Final = 11
NAG_ACTIVE_POSITION: Final = 12
NAG_UNCLEAR_POSITION: Final = 13
NAG_WHITE_SLIGHT_ADVANTAGE: Final = 14
NAG_BLACK_SLIGHT_ADVANTAGE: Final = 15
NAG_WHITE_MODERATE_ADVANTAGE: Final = 16
NAG_BLACK_MODERATE_ADVANTAGE: Final = 17
NAG_WHITE_DECISIVE_ADVANTAGE: Final = 18
NAG_BLACK_DECISIVE_ADVANTAGE: Final = 19
NAG_WHITE_ZUGZWANG: Final = 22
NAG_BLACK_ZUGZWANG: Final = 23
NAG_WHITE_MODERATE_COUNTERPLAY: Final = 132
NAG_BLACK_MODERATE_COUNTERPLAY: Final = 133
NAG_WHITE_DECISIVE_COUNTERPLAY: Final = 134
NAG_BLACK_DECISIVE_COUNTERPLAY: Final = 135
NAG_WHITE_MODERATE_TIME_PRESSURE: Final = 136
NAG_BLACK_MODERATE_TIME_PRESSURE: Final = 137
NAG_WHITE_SEVERE_TIME_PRESSURE: Final = 138
NAG_BLACK_SEVERE_TIME_PRESSURE: Final = 139
NAG_NOVELTY: Final = 146

SkipType = Skip


class Headers(rookery.pgn.headers.Headers):
    """The headers of a game. Without a mapping they begin with the seven that PGN requires. Any variant may be named.

    >>> Headers({"Variant": "Chess960"}).is_chess960()
    True
    >>> Headers(White="Anna")["Black"]
    '?'
    """

    __slots__ = ()

    def __init__(self, data: Mapping[str, str] | Iterable[tuple[str, str]] | None = None, /, **headers: str) -> None:
        super().__init__(ROSTER if data is None else data)
        self.update(**headers)

    @classmethod
    def unchecked(cls, headers: Mapping[str, str]) -> Self:
        """Return headers without a check, and without headers that PGN requires.

        >>> Headers.unchecked({"White": "Anna"})
        {'White': 'Anna'}
        """
        found = cls.__new__(cls)
        dict.update(found, headers)
        return found

    def __setitem__(self, name: str, value: str) -> None:
        if name == "Variant" and isinstance(value, str):
            dict.__setitem__(self, name, value)
        else:
            super().__setitem__(name, value)

    def is_chess960(self) -> bool:
        """Check whether the header Variant names Chess960.

        >>> Headers().is_chess960()
        False
        """
        return self.get("Variant", "").lower() in CHESS960

    def is_wild(self) -> bool:
        """Check whether the header Variant names one of the variants wild/0 to wild/8a of old chess servers.

        >>> Headers({"Variant": "wild/1"}).is_wild()
        True
        """
        name, _, number = self.get("Variant", "").lower().partition("/")
        return name == "wild" and number in {*"012345678", "8a"}

    def board(self) -> Board:
        """Return the position that the headers FEN and Variant describe.

        >>> Headers().board() == Board()
        True
        """
        return Board.from_rookery(rookery.pgn.Game(self).board())


# Nodes.


class GameNode(rookery.pgn.GameNode):
    """A node of a game tree. Evaluations are those of ``chess.engine``."""

    __slots__ = ()

    def add_variation(
        self, move: int, *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> "ChildNode":
        """Add a move behind those that follow already, and return its node.

        >>> game = Game()
        >>> game.add_variation(Move.from_uci("e2e4")).san()
        'e4'
        """
        return ChildNode(self, as_move(move), comment=comment, starting_comment=starting_comment, nags=nags)

    def eval(self) -> Any:
        """Return the evaluation in the comment as a ``chess.engine.PovScore``, or None. This needs python-chess.

        The score is that of the side to move. ``#0`` means that this side is mated.

        >>> node = read_game("1. e4 {[%eval 0.35]} *").end()
        >>> node.eval()
        PovScore(Cp(-35), BLACK)
        """
        pawns = evaluation(self.comment)[0]  # python-chess does not read scores of engine matches
        if pawns is None:
            return None
        try:
            import chess.engine
        except ImportError as error:
            raise ImportError("eval: expected python-chess: pip install chess") from error
        turn = self.turn()
        score: chess.engine.Score = chess.engine.Cp(round(100 * pawns))
        if abs(pawns) >= MATE / 2:
            mate = round(MATE - abs(pawns))
            if not mate:
                return chess.engine.PovScore(chess.engine.Mate(0), turn)
            score = chess.engine.Mate(mate if pawns > 0 else -mate)
        return chess.engine.PovScore(score if turn else -score, turn)

    def set_eval(self, score: Any, depth: int | None = None) -> None:
        """Write an evaluation into the comment: a ``chess.engine.PovScore`` or a number of pawns; None removes it.

        A score of a king that is mated already removes it, too, since PGN does not say by which side.

        >>> import chess.engine
        >>> game = Game()
        >>> game.set_eval(chess.engine.PovScore(chess.engine.Mate(-3), chess.WHITE), depth=20)
        >>> game.comment
        '[%eval #-3,20]'
        """
        if hasattr(score, "white"):
            score = _pawns_of(score.white())
        super().set_eval(score, depth)


def _pawns_of(score: Any) -> float | None:
    """Return a score of ``chess.engine`` as pawns, or None for a king that is mated already."""
    mate = score.mate()
    if mate is None:
        return float(score.score() / 100)
    return math.copysign(MATE, mate) - mate if mate else None


class ChildNode(rookery.pgn.ChildNode, GameNode):
    """A move of a game tree, with its annotations and the moves that follow. A new one follows its parent's others."""

    __slots__ = ()

    def __init__(
        self,
        parent: rookery.pgn.GameNode,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> None:
        super().__init__(parent, move, comment=comment, starting_comment=starting_comment, nags=nags)
        parent.variations.append(self)


class Game(rookery.pgn.Game, GameNode):
    """A game: headers, and the root of its game tree. `errors` has the fault that ended the reading of a bad game.

    >>> game = Game({"White": "Anna"})
    >>> _ = game.add_line([Move.from_uci("e2e4"), Move.from_uci("e7e5")], comment="open")
    >>> print(str(game).splitlines()[-1])
    1. e4 e5 { open } *
    """

    __slots__ = ("errors",)

    def __init__(
        self,
        headers: Mapping[str, str] | None = None,
        moves: Iterable[Move] = (),
        comments: dict[int, str] | None = None,
        nags: dict[int, list[int]] | None = None,
        variations: dict[int, list[str]] | None = None,
        order: dict[int, list[Remark]] | None = None,
        warnings: Iterable[GameWarning] = (),
    ) -> None:
        super().__init__(headers, moves, comments, nags, variations, order, warnings)
        self.headers = Headers(self.headers)
        self.errors: list[Exception] = []

    def _grow(self) -> None:
        movetext = self._movetext
        if movetext is None:
            return
        self._movetext = Movetext([], {}, {}, {})
        super()._grow()
        builder = GameBuilder()
        builder.game, builder.variation_stack = self, [self]
        visit_moves(rookery.pgn.Game(self.headers, *movetext[:4]), self.board(), builder)

    @classmethod
    def from_board(cls, board: AnyBoard) -> Self:
        """Return the game that led to a board, from the first position of its history.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> print(Game.from_board(board).mainline_moves())
        1. e4
        """
        game = super().from_board(board)
        game._order_headers()
        return game

    @classmethod
    def without_tag_roster(cls) -> Self:
        """Return a game without headers.

        >>> print(Game.without_tag_roster())
        *
        """
        game = cls()
        game.headers.clear()
        return game

    @classmethod
    def builder(cls) -> "GameBuilder":
        """Return a visitor that builds a game of this class.

        >>> read_game("1. e4 *", Visitor=Game.builder)
        <Game: ? - ?, 1 half-moves, *>
        """
        return GameBuilder(Game=cls)

    def board(self) -> Board:
        """Return the position before the first move.

        >>> Game().board() == Board()
        True
        """
        return Board.from_rookery(super().board())

    def setup(self, board: AnyBoard | str) -> None:
        """Set the position before the first move, given as a board or a FEN, in the headers.

        >>> game = Game()
        >>> game.setup("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
        >>> game.headers["FEN"]
        '4k3/8/8/8/8/8/8/4K3 w - - 0 1'
        """
        super().setup(board)
        self._order_headers()

    def _order_headers(self) -> None:
        """Put SetUp behind FEN, as python-chess does."""
        if "SetUp" in self.headers:
            self.headers["SetUp"] = self.headers.pop("SetUp")

    def accept(self, visitor: BaseVisitor[_Result]) -> _Result:
        """Pass the headers, the tree and the result to a visitor, and return its result.

        >>> read_game("1. e4 e5 (1... c5) *").accept(StringExporter(headers=False))
        '1. e4 e5 ( 1... c5 ) *'
        """
        return visit_game(self, dict(self.headers), self.board(), visitor)

    def __str__(self) -> str:
        return self.accept(StringExporter(columns=None))


# Visitors.


class GameBuilder(rookery.pgn.GameBuilder):
    """A visitor that builds a game tree. `Game` is the class of the game.

    >>> read_game("1. e4 *").accept(GameBuilder()).end().san()
    'e4'
    """

    keeps_order = False

    def __init__(self, *, Game: type[rookery.pgn.Game] = Game) -> None:  # noqa: N803  # python-chess's name
        super().__init__(Game=Game)

    def end_headers(self) -> Skipped:
        """End the headers."""
        return None

    def handle_error(self, error: Exception) -> None:
        """Log an error, and keep it in ``game.errors``.

        >>> builder = GameBuilder()
        >>> builder.handle_error(ValueError("unreadable"))
        >>> builder.game.errors
        [ValueError('unreadable')]
        """
        LOGGER.error("%s", error)
        if isinstance(self.game, Game):
            self.game.errors.append(error)


class BoardBuilder(BaseVisitor[Board]):
    """A visitor that returns the position at the end of the main line.

    >>> read_game("1. e4 *", Visitor=BoardBuilder).fen()
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    """

    def begin_game(self) -> Skipped:
        """Begin a game."""
        self._board = Board()
        return None

    def visit_board(self, board: AnyBoard) -> None:
        """Keep the board."""
        self._board = board  # type: ignore[assignment]  # games of this module have these boards

    def begin_variation(self) -> Skipped:
        """Leave variations out."""
        return SKIP

    def result(self) -> Board:
        """Return the position.

        >>> read_game("*", Visitor=BoardBuilder) == Board()
        True
        """
        return self._board


class HeadersBuilder(BaseVisitor[Headers]):
    """A visitor that returns the headers.

    >>> read_game('[White "Anna"] *', Visitor=HeadersBuilder)["White"]
    'Anna'
    """

    def begin_headers(self) -> Skipped:
        """Begin the headers."""
        self._headers = Headers()
        return None

    def visit_header(self, name: str, value: str) -> None:
        """Keep a header."""
        self._headers[name] = value

    def end_headers(self) -> Skipped:
        """Leave out the moves."""
        return SKIP

    def result(self) -> Headers:
        """Return the headers.

        >>> read_game("*", Visitor=HeadersBuilder)["Result"]
        '*'
        """
        return self._headers


class SkipVisitor(BaseVisitor[bool]):
    """A visitor that leaves everything out, and returns True.

    >>> read_game("1. e4 *", Visitor=SkipVisitor)
    True
    """

    def begin_game(self) -> Skipped:
        """Leave out the game."""
        return SKIP

    def result(self) -> bool:
        """Return True.

        >>> SkipVisitor().result()
        True
        """
        return True


class StringExporter(rookery.pgn.StringExporter):
    """A visitor that writes PGN with blanks inside braces and brackets.

    >>> read_game("1. e4 {best} e5 (1... c5) *").accept(StringExporter(headers=False))
    '1. e4 { best } 1... e5 ( 1... c5 ) *'
    """

    spaced = True


class FileExporter(rookery.pgn.FileExporter):
    """A visitor that writes games to a text file, each followed by an empty line.

    >>> import io
    >>> file = io.StringIO()
    >>> read_game("1. e4 {best} *").accept(FileExporter(file, headers=False))
    18
    """

    spaced = True


StringExporterMixin = StringExporter


# Reading.


@overload
def read_game(handle: Source | IO[str]) -> Game | None: ...
@overload
def read_game(handle: Source | IO[str], *, Visitor: Callable[[], BaseVisitor[_Result]]) -> _Result | None: ...  # noqa: N803
def read_game(handle: Source | IO[str], *, Visitor: Callable[[], BaseVisitor[Any]] = GameBuilder) -> Any:  # noqa: N803
    """Read the next game of a file opened as text, and return the result of a visitor: by default, a `Game`.

    Return None if there is no game. Of a bad game, the visitor is shown the moves before the fault; its method
    `handle_error`, if it has one, is called with the ValueError, which is raised otherwise.

    >>> read_game("1. e4 e5 *").end().board().fen()
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    """
    visitor = visitor_of(Visitor)
    game = next_game(handle)
    if game is None:
        return None
    if not isinstance(game, BadGame):
        return visit_game(game, game.headers, Board.from_rookery(game.board()), visitor)
    error = ValueError(f"PGN: {game}")
    if not hasattr(visitor, "handle_error"):
        raise error
    part = rookery.pgn.Game(game.headers, *game.movetext)
    result = visit_game(part, part.headers, Board.from_rookery(part.board()), visitor)
    visitor.handle_error(error)
    return result


__all__ = [
    "SKIP",
    "TAG_ROSTER",
    "BaseVisitor",
    "BoardBuilder",
    "ChildNode",
    "FileExporter",
    "Game",
    "GameBuilder",
    "GameNode",
    "Headers",
    "HeadersBuilder",
    "Mainline",
    "SkipType",
    "SkipVisitor",
    "StringExporter",
    "StringExporterMixin",
    "read_game",
    "read_headers",
    "skip_game",
]
__all__ += [name for name in dir() if name.startswith("NAG_")]
