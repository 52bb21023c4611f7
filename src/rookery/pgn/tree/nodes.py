r"""The tree of a game: a node for each move, with its annotations and variations.

    node.move         the move that led to the node; None for the game itself, the root
    node.parent       the node before it
    node.variations   the moves that follow: the first continues the line, the others are variations

>>> from rookery.pgn import read_game
>>> game = read_game("1. e4 e5 (1... c5! {sharp} 2. Nf3) 2. Nf3 *")
>>> e4 = game.next()
>>> [node.san() for node in e4.variations]
['e5', 'c5']
>>> sicilian = e4[1]
>>> sicilian.comment, sicilian.nags, sicilian.end().board().fen()
('sharp', {1}, 'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2')
"""

from collections.abc import Iterable
from typing import TypeVar

from rookery.arguments import is_number, iterator, shown, text
from rookery.board.board import Board
from rookery.board.moves import Move, as_move
from rookery.pgn.headers import Headers
from rookery.pgn.tree.placed import PlacedNode
from rookery.pgn.tree.remarks import Remark
from rookery.pgn.tree.visits import Mainline, visit_game, visit_line
from rookery.pgn.write.visitors import BaseVisitor, check_visitor

_Result = TypeVar("_Result")


class GameNode(PlacedNode):
    """A node of a game tree: the game itself (`Game`), or a move with its annotations (`ChildNode`).

    `comment` follows the move; `starting_comment` precedes the first move of a variation. `nags` are the numbers of its
    annotation glyphs. `unread` has the texts of variations written behind the move that are not legal moves: they are
    kept and written again. `order` is the order of all these where it is not the usual one (see `Movetext`).

    Nodes are equal if they are the same object; a game is equal to a game with the same headers and tree.
    """

    __slots__ = ("nags", "order", "starting_comment", "unread", "variations")

    starting_comment: str
    nags: set[int]
    unread: list[str]
    order: list[Remark] | None
    variations: list["ChildNode"]

    # Overridden by `ChildNode`.

    @property
    def parent(self) -> "GameNode | None":
        """Return the node before this one; None for a game."""
        return None

    @property
    def move(self) -> Move | None:
        """Return the move that led to this node; None for a game."""
        return None

    # Where the node is.

    def root(self) -> "GameNode":
        """Return the first node: the game.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 e5 *")
        >>> game.end().root() is game
        True
        """
        node: GameNode = self
        while node.parent is not None:
            node = node.parent
        return node

    def game(self) -> "Root":
        """Return the game that the node belongs to.

        >>> from rookery.pgn import read_game
        >>> read_game('[White "Anna"] 1. e4 *').end().game().headers["White"]
        'Anna'
        """
        return self.root()  # type: ignore[return-value]  # the root of a tree is a game

    def end(self) -> "GameNode":
        """Return the last node of the line that goes on from here.

        >>> from rookery.pgn import read_game
        >>> read_game("1. e4 e5 2. Nf3 *").end().san()
        'Nf3'
        """
        node: GameNode = self
        while node.variations:
            node = node.variations[0]
        return node

    # The moves that follow.

    def next(self) -> "ChildNode | None":
        """Return the node of the main continuation, or None at the end.

        >>> from rookery.pgn import read_game
        >>> read_game("1. e4 *").next().san()
        'e4'
        """
        return self.variations[0] if self.variations else None

    def _place(self, move: "int | GameNode", name: str = "move") -> int:
        """Return the place among the variations of a move, a node, or a place."""
        if isinstance(move, GameNode):
            places = [i for i, node in enumerate(self.variations) if node is move]
        elif isinstance(move, Move):
            places = [i for i, node in enumerate(self.variations) if node.move == move]
        elif is_number(move):
            places = [i for i in (range(len(self.variations))) if i == move]
        else:
            raise TypeError(f"{name}: {shown(move)}: expected a Move, a node or the number of a variation")
        if not places:
            known = ", ".join(node.move.uci() for node in self.variations) or "none"
            raise KeyError(f"{name}: {shown(move)}: the variations here are: {known}")
        return places[0]

    def variation(self, move: "int | GameNode") -> "ChildNode":
        """Return the node of a move that follows, given as a `Move`, a node, or its number: 0 is the main continuation.

        A move that does not follow is a KeyError.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 (1. d4) *")
        >>> game.variation(1) is game.variation(Move.from_uci("d2d4")) is game[1]
        True
        """
        return self.variations[self._place(move)]

    __getitem__ = variation

    def has_variation(self, move: "int | GameNode") -> bool:
        """Return whether a move follows, given as for `variation`.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 (1. d4) *")
        >>> game.has_variation(Move.from_uci("d2d4")), Move.from_uci("c2c4") in game
        (True, False)
        """
        try:
            self._place(move)
        except KeyError:
            return False
        return True

    __contains__ = has_variation

    def mainline(self) -> "Mainline[ChildNode]":
        """Return the nodes of the line that goes on from here.

        >>> from rookery.pgn import read_game
        >>> [node.san() for node in read_game("1. e4 e5 (1... c5) 2. Nf3 *").mainline()]
        ['e4', 'e5', 'Nf3']
        """
        return Mainline(self, lambda node: node)

    def mainline_moves(self) -> "Mainline[Move]":
        """Return the moves of the line that goes on from here.

        >>> from rookery.pgn import read_game
        >>> moves = read_game("1. e4 e5 (1... c5) 2. Nf3 *").mainline_moves()
        >>> list(moves)
        [Move('e2e4'), Move('e7e5'), Move('g1f3')]
        >>> print(moves)
        1. e4 e5 2. Nf3
        """
        return Mainline(self, lambda node: node.move)

    # Changing the tree.

    def add_variation(
        self, move: int, *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> "ChildNode":
        """Add a move behind those that follow already, and return its node.

        Whether the move is legal shows when a board is made of the node, or the game is written.

        >>> from rookery.pgn import Game
        >>> game = Game()
        >>> e4 = game.add_variation(Move.from_uci("e2e4"))
        >>> d4 = game.add_variation(Move.from_uci("d2d4"), comment="as good", nags=[1])
        >>> print(str(game).splitlines()[-1])
        1. e4 (1. d4 $1 {as good}) *
        """
        text("comment", comment)
        text("starting_comment", starting_comment)
        numbers = _checked_nags(nags)
        node = ChildNode(self, as_move(move), comment=comment, starting_comment=starting_comment, nags=numbers)
        self.variations.append(node)
        return node

    def add_main_variation(self, move: int, *, comment: str = "", nags: Iterable[int] = ()) -> "ChildNode":
        """Add a move as the main continuation, and return its node.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 *")
        >>> _ = game.add_main_variation(Move.from_uci("d2d4"))
        >>> print(str(game).splitlines()[-1])
        1. d4 (1. e4) *
        """
        node = self.add_variation(move, comment=comment, nags=nags)
        self.variations.insert(0, self.variations.pop())
        return node

    def add_line(
        self, moves: Iterable[int], *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> "GameNode":
        """Add moves one after the other, and return the last node. The comment and the NAGs are those of the last move.

        >>> from rookery.pgn import Game
        >>> game = Game()
        >>> board = game.board()
        >>> last = game.add_line([board.push_san(san) for san in ("e4", "e5", "Nf3")], comment="so far")
        >>> print(str(game).splitlines()[-1])
        1. e4 e5 2. Nf3 {so far} *
        """
        text("comment", comment)
        node: GameNode = self
        for move in iterator("moves", moves, "an iterable of moves"):
            node = node.add_variation(move, starting_comment=starting_comment)
            starting_comment = ""
        if node is not self:
            parts = [part for part in (node.comment, comment) if part]
            node.comment = " ".join(parts)
            node.nags |= _checked_nags(nags)
        return node

    def promote_to_main(self, move: "int | GameNode") -> None:
        """Make a move the main continuation.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 (1. d4) (1. c4) *")
        >>> game.promote_to_main(2)
        >>> [node.san() for node in game.variations]
        ['c4', 'e4', 'd4']
        """
        self.variations.insert(0, self.variations.pop(self._place(move)))

    def promote(self, move: "int | GameNode") -> None:
        """Move a variation up by one.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 (1. d4) (1. c4) *")
        >>> game.promote(2)
        >>> [node.san() for node in game.variations]
        ['e4', 'c4', 'd4']
        """
        place = self._place(move)
        self.variations.insert(max(place - 1, 0), self.variations.pop(place))

    def demote(self, move: "int | GameNode") -> None:
        """Move a variation down by one.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 (1. d4) (1. c4) *")
        >>> game.demote(0)
        >>> [node.san() for node in game.variations]
        ['d4', 'e4', 'c4']
        """
        place = self._place(move)
        self.variations.insert(place + 1, self.variations.pop(place))

    def remove_variation(self, move: "int | GameNode") -> None:
        """Remove a move that follows, and all behind it.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 (1. d4 d5) *")
        >>> game.remove_variation(Move.from_uci("d2d4"))
        >>> print(str(game).splitlines()[-1])
        1. e4 *
        """
        del self.variations[self._place(move)]

    # Visited.

    def accept(self, visitor: BaseVisitor[_Result]) -> _Result:
        """Show a visitor the move of this node, if it has one, and all that follows; return the visitor's result.

        A game shows its headers and its result, too.

        >>> from rookery.pgn import StringExporter, read_game
        >>> game = read_game("1. e4 e5 (1... c5 {sharp}) 2. Nf3 *")
        >>> game.next()[1].accept(StringExporter())
        '1... c5 {sharp}'
        """
        check_visitor(visitor)
        parent = self.parent
        assert parent is not None
        visit_line(self, parent.board(), visitor)
        return visitor.result()

    def accept_subgame(self, visitor: BaseVisitor[_Result]) -> _Result:
        """Show a visitor the game from the position of this node on, with its headers; return the visitor's result.

        >>> from rookery.pgn import StringExporter, read_game
        >>> print(read_game("1. e4 e5 2. Nf3 *").next().accept_subgame(StringExporter(columns=None)).splitlines()[-1])
        1... e5 2. Nf3 *
        """
        check_visitor(visitor)
        game = self.game()
        board = self.board()
        headers = game.headers_at(board)
        return visit_game(self, headers, board, visitor)


class Root(GameNode):
    """The first node of a tree: what a node needs of its game. `Game` is the one class of it."""

    __slots__ = ()

    @property
    def headers(self) -> Headers:
        """Return the headers."""
        raise NotImplementedError

    def headers_at(self, board: Board) -> dict[str, str]:
        """Return the headers for a game with the same players that begins from another position."""
        raise NotImplementedError


class ChildNode(GameNode):
    """A move of a game tree, with its annotations and the moves that follow.

    >>> from rookery.pgn import read_game
    >>> node = read_game("1. e4! {best} *").next()
    >>> node.move, node.san(), node.comment, node.nags
    (Move('e2e4'), 'e4', 'best', {1})
    """

    __slots__ = ("_move", "_parent")

    def __init__(
        self,
        parent: GameNode,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> None:
        self._parent = parent
        self._move = move
        self.comment = comment
        self.starting_comment = starting_comment
        self.nags = _checked_nags(nags) if nags else set()
        self.unread = []
        self.order = None
        self.variations = []

    @property
    def parent(self) -> GameNode:
        """Return the node before this one."""
        return self._parent

    @property
    def move(self) -> Move:
        """Return the move that led to this node."""
        return self._move

    @move.setter
    def move(self, move: int) -> None:
        self._move = as_move(move)

    def san(self) -> str:
        """Return the move in standard algebraic notation.

        >>> from rookery.pgn import read_game
        >>> read_game("1. e4 *").next().san()
        'e4'
        """
        return self._parent.board().san(self._move)

    def uci(self, *, chess960: bool | None = None) -> str:
        """Return the move in UCI; castling as king takes rook in Chess960, or if `chess960` says so.

        >>> from rookery.pgn import read_game
        >>> read_game("1. e4 *").next().uci()
        'e2e4'
        """
        return self._parent.board().uci(self._move, chess960=chess960)

    def __repr__(self) -> str:
        board = self._parent.board()
        return f"<ChildNode: {board.fullmove_number}{'.' if board.turn else '...'} {self._move.uci()}>"


def _checked_nags(nags: Iterable[int]) -> set[int]:
    """Return NAGs as a set, or an error that names the one that is not a number."""
    found = list(iterator("nags", nags, "an iterable of ints"))
    for nag in found:
        if not is_number(nag):
            raise TypeError(f"nags: {shown(nag)}: expected ints")
    return set(found)
