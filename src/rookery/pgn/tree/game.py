"""A PGN game: the root of its tree, with headers and a result."""

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Self, TypeVar

from rookery.arguments import iterator, not_a_board, shown
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.pgn.faults import GameWarning
from rookery.pgn.headers import NO_FEN, Headers, announced, completed, header_fault, result_of, short
from rookery.pgn.scan.lexing.vocabulary import CHESS960
from rookery.pgn.tree.growth import Movetext, grow
from rookery.pgn.tree.nodes import ChildNode, GameNode, Root
from rookery.pgn.tree.remarks import Bracketed, Remark, arranged, unusual
from rookery.pgn.tree.visits import are_same, remarks_on, visit_game, visit_line, visit_moves, visit_remark
from rookery.pgn.write.visitors import BaseVisitor, StringExporter, check_visitor, text_of
from rookery.results import RESULTS
from rookery.rules.notation.start import START

_Result = TypeVar("_Result")

# The attributes of a node.
_FIELDS: Final = ("comment", *GameNode.__slots__)


class Game(Root):
    """A game: headers, and the root of its game tree, with all that `GameNode` has.

    `moves`, `comments`, `nags`, `variations` and `order` set up the mainline, in the form that `movetext` returns:
    comments, NAGs and texts of variations by the number of half-moves before them (0: before the first move), and the
    order of these where it is not the usual one.

    `headers` holds the seven-tag roster (``?`` where unknown) and then the given headers. The result and the start
    position are headers; `result` and `start` give access to them. `warnings` lists what the reader skipped; comparison
    and output ignore it. Comparison ignores `order`, too.

    >>> import rookery
    >>> game = Game({"White": "Anna"})
    >>> e4 = game.add_variation(Move.from_uci("e2e4"), comment="best by test", nags=[1])
    >>> e5 = e4.add_variation(Move.from_uci("e7e5"))
    >>> c5 = e4.add_variation(Move.from_uci("c7c5"), comment="sharp")
    >>> game.result = "1/2-1/2"
    >>> print(game)
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "Anna"]
    [Black "?"]
    [Result "1/2-1/2"]
    <BLANKLINE>
    1. e4 $1 {best by test} 1... e5 (1... c5 {sharp}) 1/2-1/2
    >>> rookery.pgn.read_game(str(game)) == game
    True
    """

    # The tree is built when an attribute of a node is first used; until then the game keeps its movetext. Most games of
    # a file are read for their moves alone, and creating an object for each move takes longer than reading it.
    __slots__ = ("_headers", "_movetext", "warnings")

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
        given = {} if headers is None else headers
        if not isinstance(given, Mapping):
            raise TypeError(f"headers: {shown(headers)}: expected a mapping from names to texts, or None")
        for name, kept in (("comments", comments), ("nags", nags), ("variations", variations), ("order", order)):
            if kept is not None and not isinstance(kept, dict):
                raise TypeError(f"{name}: {shown(kept)}: expected a dict by numbers of half-moves, or None")
        if type(given) is Headers:
            self._headers = Headers.unchecked(completed(given))
        else:
            self.headers = completed(given)
        self._movetext: Movetext | None = Movetext(
            moves if type(moves) is list else list(iterator("moves", moves, "an iterable of moves")),
            comments or {},
            nags or {},
            variations or {},
            order or {},
        )
        self.warnings = list(iterator("warnings", warnings, "an iterable of warnings"))

    def _grow(self) -> None:
        if self._movetext is None:
            return
        root = grow(self._movetext, self.board)
        self._movetext = None
        for name in _FIELDS:
            setattr(self, name, getattr(root, name))
        for node in self.variations:
            node._parent = self

    @classmethod
    def from_board(cls, board: Board) -> Self:
        """Return the game that led to a board, from the first position of its history.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> Game.from_board(board).moves
        [Move('e2e4')]
        """
        if not isinstance(board, Board):
            raise not_a_board("board", board)
        root = board.copy()
        while root.move_stack:
            root.pop()
        game = cls(moves=board.move_stack)
        game.result = board.result()
        if root.chess960:
            game.headers["Variant"] = "Chess960"
        if root.fen() != START:
            game.start = root.fen()
        return game

    @property
    def headers(self) -> Headers:
        """Return the headers, a dict that refuses names and values that PGN cannot write. Any mapping may be assigned.

        >>> game = Game({"White": "Anna"})
        >>> game.headers["Round"] = "1"
        >>> game.headers["Round"]
        '1'
        """
        return self._headers

    @headers.setter
    def headers(self, headers: Mapping[str, str]) -> None:
        self._headers = headers if isinstance(headers, Headers) else Headers(headers)

    @property
    def result(self) -> str:
        """Return the header Result: ``1-0``, ``0-1`` or ``1/2-1/2``, and ``*`` for any other or none."""
        return result_of(self.headers)

    @result.setter
    def result(self, result: str) -> None:
        if not isinstance(result, str):
            raise TypeError(f"result: {shown(result)}: expected one of {', '.join(RESULTS)}")
        if fault := header_fault("Result", result):
            raise ValueError(fault)
        self.headers["Result"] = result

    @property
    def start(self) -> str | None:
        """Return the header FEN, or None for a game from the start position."""
        return self.headers.get("FEN")

    @start.setter
    def start(self, fen: str | None) -> None:
        if fen is not None and not isinstance(fen, str):
            raise TypeError(f"start: {shown(fen)}: expected a FEN, or None")
        for name, value in (("SetUp", "1"), ("FEN", fen)):
            self.headers.pop(name, None)
            if fen is not None and value is not None:
                self.headers[name] = value

    @property
    def is_chess960(self) -> bool:
        """Return whether the header Variant names Chess960.

        >>> Game({"Variant": "Chess960"}).is_chess960
        True
        """
        return self.headers.get("Variant", "").lower() in CHESS960

    def board(self) -> Board:
        """Return the position before the first move. Headers that do not give one raise a ValueError.

        >>> Game({"FEN": "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"}).board().board_fen()
        '4k3/8/8/8/8/8/8/R3K3'
        """
        if self.start is None and self.headers.get("SetUp") == "1":
            raise ValueError(NO_FEN)
        return Board(START if self.start is None else self.start, self.is_chess960 or None)

    def positions(self) -> Iterator[Board]:
        """Yield the board before the first move and after each move.

        >>> [board.ply() for board in Game({}, [Move.of(12, 28), Move.of(52, 36)]).positions()]
        [0, 1, 2]
        """
        board = self.board()
        yield board.copy()
        for move in self.moves:
            board.push(move)
            yield board.copy()

    @property
    def moves(self) -> list[Move]:
        """Return a new list of the moves of the mainline."""
        return list(self.mainline_moves()) if self._movetext is None else list(self._movetext.moves)

    def movetext(self) -> Movetext:
        """Return the moves of the mainline, and comments, NAGs and variations by the number of half-moves before them.

        Variations are texts: as they were read until the tree exists, and as the exporter writes them after that.

        >>> import rookery
        >>> movetext = rookery.pgn.read_game("1. e4! (1.d4 d5) e5 {open} *").movetext()
        >>> movetext.variations
        {1: ['1.d4 d5']}
        >>> movetext.comments
        {2: 'open'}
        >>> movetext.nags
        {1: [1]}
        """
        if self._movetext is not None:
            moves, comments, nags, variations, order = self._movetext
            return Movetext(
                list(moves),
                dict(comments),
                {ply: list(found) for ply, found in nags.items()},
                {ply: list(texts) for ply, texts in variations.items()},
                {ply: list(found) for ply, found in order.items()},
            )
        found = Movetext([], {}, {}, {}, {})
        board = self.board()
        for ply, node in enumerate(itertools.chain([self], self.mainline())):
            siblings: list[ChildNode] = []
            before = board.copy()
            if isinstance(node, ChildNode):
                siblings = node.parent.variations[1:]
                board.push(node.move)
                found.moves.append(node.move)
                if node.starting_comment:
                    earlier = found.comments.get(ply - 1, "")
                    found.comments[ply - 1] = " ".join(filter(None, (earlier, node.starting_comment)))
            if node.comment:
                found.comments[ply] = node.comment
            lines = (text_of(functools.partial(visit_line, sibling, before.copy())) for sibling in siblings)
            texts = iter(node.unread)
            remarks = remarks_on(node, len(siblings))
            if node.nags:
                found.nags[ply] = [remark for remark in remarks if isinstance(remark, int)]
            if siblings or node.unread:
                kinds = [remark for remark in remarks if isinstance(remark, Bracketed)]
                found.variations[ply] = [next(lines if kind is Bracketed.MOVES else texts) for kind in kinds]
            if kept := unusual([Bracketed.MOVES if isinstance(remark, Bracketed) else remark for remark in remarks]):
                found.order[ply] = kept
        return found

    def headers_at(self, board: Board) -> dict[str, str]:
        """Return the headers for a game with the same players that begins from another position.

        >>> Game({"White": "Anna"}).headers_at(Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1"))["FEN"]
        '4k3/8/8/8/8/8/8/4K3 w - - 0 1'
        """
        other = Game(self.headers)
        other.setup(board)
        return completed(other.headers)

    def setup(self, board: Board | str) -> None:
        """Set the position before the first move, given as a board or a FEN, in the headers.

        >>> game = Game()
        >>> game.setup("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
        >>> game.start
        '4k3/8/8/8/8/8/8/4K3 w - - 0 1'
        """
        if not isinstance(board, (Board, str)):
            raise not_a_board("board", board, "a rookery.Board or a FEN")
        board = Board(board) if isinstance(board, str) else board
        fen = board.fen()
        self.start = None if fen == START else fen
        if board.chess960:
            self.headers["Variant"] = "Chess960"
        elif self.headers.get("Variant", "").lower() in CHESS960:
            del self.headers["Variant"]

    # Comparison and copying.

    def __eq__(self, other: object) -> bool:
        """Check whether headers and trees are equal."""
        if not isinstance(other, Game):
            return NotImplemented
        if self.headers != other.headers:
            return False
        if self._movetext is not None and self._movetext == other._movetext:
            return True
        return are_same(self, other)

    __hash__ = None  # type: ignore[assignment]  # games are mutable

    def __reduce__(self) -> tuple[Any, ...]:
        # As movetext, because pickle would recurse into a chain of nodes.
        return type(self), (self.headers, *self.movetext())

    # Output.

    def accept(self, visitor: BaseVisitor[_Result]) -> _Result:
        """Pass the headers, the tree and the result to a visitor, and return its result.

        >>> import rookery
        >>> rookery.pgn.read_game("1. e4 e5 (1... c5) *").accept(StringExporter(headers=False, variations=False))
        '1. e4 e5 *'
        """
        check_visitor(visitor)
        return visit_game(self, completed(self.headers), self.board(), visitor)

    def write(self) -> str:
        """Return the game as PGN, with an empty line at the end, so that games can be written one after another.

        ``str(game)`` ends with the result. Line breaks in a comment, and spaces around it, are not kept.

        Raises
        ------
        ValueError
            If the text would not be read as the same game: for an illegal move, a comment after more moves than there
            are, a broken header, or a bracket or comment that a variation does not close.

        Examples
        --------
        >>> print(Game({"White": "Anna"}, [Move.of(12, 28)]).write().splitlines()[-2])
        1. e4 *
        """
        exporter = StringExporter()
        for name, value in announced(self.headers).items():
            exporter.visit_header(name, value)
        if self._movetext is None:
            visit_moves(self, self.board(), exporter)
        else:
            _show(self.board(), self._movetext, exporter)
        exporter.visit_result(self.result)
        return f"{exporter.result()}\n\n"

    def __str__(self) -> str:
        return self.write().rstrip("\n")

    def _repr_html_(self) -> str:
        """Return the last position, the headers and the moves as HTML for notebooks."""
        from rookery.pgn.tree.game_html import game_html

        return game_html(self)

    def __repr__(self) -> str:
        players = f"{short(str(self.headers.get('White')))} - {short(str(self.headers.get('Black')))}"
        return f"<Game: {players}, {len(self.moves)} half-moves, {short(self.result)}>"


def _show(board: Board, movetext: Movetext, exporter: StringExporter) -> None:
    """Write movetext as it was read. This makes the moves on `board`."""
    moves, comments, nags, variations, order = movetext
    for ply in (*comments, *nags, *variations):
        if not 0 <= ply <= len(moves):
            raise ValueError(f"comment, NAG or variation after {ply} half-moves: the game has {len(moves)}")
    for ply, texts in variations.items():
        if isinstance(texts, str):
            raise TypeError(f"variations[{ply}]: {shown(texts)}: expected a list of texts")
    for ply in range(len(moves) + 1):
        if ply:
            exporter.visit_move(board, moves[ply - 1])
            board.push(moves[ply - 1])
        if ply not in comments and ply not in nags and ply not in variations:
            continue
        unread = variations.get(ply, [])
        left = iter(unread)
        for remark in arranged(order.get(ply), nags.get(ply, []), comments.get(ply, ""), len(unread)):
            if isinstance(remark, Bracketed):
                exporter.visit_unread(next(left))
            else:
                visit_remark(remark, exporter)


def _of_tree(name: str) -> property:
    """Return an attribute of a game's root, which builds the tree before it is read or assigned."""
    slot = getattr(GameNode, name)

    def read(game: Game) -> Any:
        game._grow()
        return slot.__get__(game)

    def assign(game: Game, value: Any) -> None:
        game._grow()
        slot.__set__(game, value)

    return property(read, assign, doc=f"`GameNode.{name}` of the root.")


for _name in _FIELDS:
    setattr(Game, _name, _of_tree(_name))
