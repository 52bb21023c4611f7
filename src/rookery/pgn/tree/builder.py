"""A visitor that builds a game tree of what it is shown."""

from rookery.arguments import shown
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.pgn.headers import Headers, completed
from rookery.pgn.tree.game import Game
from rookery.pgn.tree.nodes import ChildNode, GameNode
from rookery.pgn.tree.remarks import Bracketed, Remark, noted
from rookery.pgn.write.visitors import BaseVisitor, Skipped

_Game = Game  # a parameter of `GameBuilder` hides the name


class GameBuilder(BaseVisitor[Game]):
    """A visitor that builds a game tree. Override its methods to leave something out, or to change it.

    `Game` is the class of the game; `Game.add_variation` makes the nodes.

    >>> from rookery.pgn import SKIP, GameBuilder, read_game
    >>> class MainLineBuilder(GameBuilder):
    ...     def begin_variation(self):
    ...         return SKIP
    ...     def end_variation(self):
    ...         pass
    >>> game = read_game("1. e4 e5 (1... c5) 2. Nf3 *").accept(MainLineBuilder())
    >>> print(str(game).splitlines()[-1])
    1. e4 e5 2. Nf3 *
    """

    keeps_order = True  # of glyphs, comments and variations

    def __init__(self, *, Game: type[Game] = Game) -> None:  # noqa: N803  # python-chess's name
        if not (isinstance(Game, type) and issubclass(Game, _Game)):
            raise TypeError(f"Game: {shown(Game)}: expected a class derived from pgn.Game")
        self.Game = Game
        self.begin_game()

    def begin_game(self) -> Skipped:
        """Begin a new game: what was built before is forgotten."""
        self.game = self.Game()
        self.variation_stack: list[GameNode] = [self.game]  # the last node of each open variation, the inmost last
        self._before_move = False
        self._starting_comment = ""
        return None

    def _note(self, remark: Remark) -> None:
        """Keep the order of remarks on the last move."""
        if self.keeps_order:
            node = self.variation_stack[-1]
            node.order = noted(node.order, remark)

    def visit_header(self, name: str, value: str) -> None:
        """Keep a header."""
        self.game.headers[name] = value

    def end_headers(self) -> Skipped:
        """Put the headers in their order."""
        self.game.headers = Headers.unchecked(completed(self.game.headers))
        return None

    def visit_move(self, board: Board, move: Move) -> None:  # noqa: ARG002  # a visitor is shown both
        """Add a move to the line that is open."""
        node = self.variation_stack[-1].add_variation(move, starting_comment=self._starting_comment)
        self.variation_stack[-1] = node
        self._starting_comment, self._before_move = "", False

    def visit_nag(self, nag: int) -> None:
        """Add a NAG to the last move."""
        self.variation_stack[-1].nags.add(nag)
        self._note(nag)

    def visit_comment(self, comment: str) -> None:
        """Add a comment to the last move, or to the one that begins the variation."""
        if self._before_move:
            self._starting_comment = " ".join(filter(None, (self._starting_comment, comment)))
        else:
            node = self.variation_stack[-1]
            node.comment = " ".join(filter(None, (node.comment, comment)))
            self._note(comment)

    def visit_unread(self, text: str) -> None:
        """Keep a variation as text."""
        self.variation_stack[-1].unread.append(text)
        self._note(Bracketed.TEXT)

    def begin_variation(self) -> Skipped:
        """Open a variation that replaces the last move."""
        last = self.variation_stack[-1]
        if not isinstance(last, ChildNode):
            raise ValueError("begin_variation: expected a move before it, which the variation replaces")
        self._note(Bracketed.MOVES)
        self.variation_stack.append(last.parent)
        self._before_move = True
        return None

    def end_variation(self) -> None:
        """Close the variation that was opened last."""
        self.variation_stack.pop()
        self._starting_comment, self._before_move = "", False

    def visit_result(self, result: str) -> None:
        """Keep the result."""
        self.game.result = result

    def result(self) -> Game:
        """Return the game.

        >>> from rookery.pgn import GameBuilder, read_game
        >>> game = read_game("1. e4 e5 (1... c5 {sharp}) *")
        >>> game.accept(GameBuilder()) == game
        True
        """
        return self.game
