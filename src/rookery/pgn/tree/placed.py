"""The place of a node in its game: its position, and whether it is on the main line."""

from typing import Any

from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.pgn.annotations import Annotated, MatchValues, ShortTimes, match_values, short_time


class PlacedNode(Annotated):
    """A node of a game tree: what its place in the tree says of it. `GameNode` has the tree."""

    __slots__ = ()

    variations: list[Any]

    @property
    def parent(self) -> "PlacedNode | None":
        """Return the node before this one; None for a game."""
        raise NotImplementedError

    @property
    def move(self) -> Move | None:
        """Return the move that led to this node; None for a game."""
        raise NotImplementedError

    def game(self) -> Any:
        """Return the game that the node belongs to."""
        raise NotImplementedError

    def _time(self, name: str) -> float | None:
        """Return the seconds that ``[%clk ...]`` or ``[%emt ...]`` states; the game decides what two parts are."""
        if not short_time(self.comment, name):
            return super()._time(name)
        game = self.game()
        times = ShortTimes(game.headers.get("TimeControl", ""))
        for node in game.mainline():
            times.take(node.comment)
            if node is self:  # clocks after it decide nothing
                break
        return times.seconds(self.comment, name)

    def _match_values(self) -> MatchValues:
        """Return what a program of engine matches wrote; nothing for a comment before the first move."""
        return (
            super()._match_values() if self.parent is None else match_values(self.comment, white_moved=not self.turn())
        )

    # The position.

    def board(self) -> Board:
        """Return the position at this node, with the moves that led to it, as a board of its own.

        >>> from rookery.pgn import read_game
        >>> read_game("1. e4 e5 *").next().board().fen()
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
        """
        moves: list[Move] = []
        node: PlacedNode = self
        while node.parent is not None:
            moves.append(node.move)  # type: ignore[arg-type]  # what has a parent has a move
            node = node.parent
        board = node.board()
        for move in reversed(moves):
            board.push(move)
        return board

    def _depth(self) -> int:
        """Return how many moves lead from the root to this node."""
        depth, node = 0, self.parent
        while node is not None:
            depth, node = depth + 1, node.parent
        return depth

    def ply(self) -> int:
        """Return the number of half-moves since the beginning of the game, by the counters of its first position.

        >>> from rookery.pgn import read_game
        >>> read_game("1. e4 e5 *").end().ply()
        2
        """
        return int(self.game().board().ply()) + self._depth()

    def turn(self) -> bool:
        """Return whose move it is: True (`WHITE`) or False (`BLACK`).

        >>> from rookery.pgn import read_game
        >>> read_game("1. e4 *").end().turn()
        False
        """
        return bool(self.game().board().turn) ^ (self._depth() & 1 == 1)

    def is_end(self) -> bool:
        """Return whether no move follows.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 *")
        >>> game.is_end(), game.next().is_end()
        (False, True)
        """
        return not self.variations

    def starts_variation(self) -> bool:
        """Return whether the move begins a variation: whether another one is the main continuation.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 (1. d4) *")
        >>> [node.starts_variation() for node in game.variations]
        [False, True]
        """
        return not self.is_main_variation()

    def is_main_variation(self) -> bool:
        """Return whether the move is the first of those that its parent has.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 (1. d4) *")
        >>> [node.is_main_variation() for node in game.variations]
        [True, False]
        """
        return self.parent is None or self.parent.variations[:1] == [self]

    def is_mainline(self) -> bool:
        """Return whether the node is on the main line of the game.

        >>> from rookery.pgn import read_game
        >>> game = read_game("1. e4 (1. d4 d5) *")
        >>> game[0].is_mainline(), game[1].is_mainline(), game[1].end().is_mainline()
        (True, False, False)
        """
        node: PlacedNode = self
        while node.parent is not None:
            if not node.is_main_variation():
                return False
            node = node.parent
        return True
