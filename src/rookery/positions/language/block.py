"""The evaluation of an expression over a block of positions: each node is computed once."""

import functools
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.frames.array_arguments import Boards
from rookery.kernel import U64
from rookery.positions.language.game_block import GameBlock
from rookery.positions.language.grammar import JOINED, OF_GAME, SET, Node
from rookery.positions.language.texts import array_of_texts
from rookery.positions.layout import Columns
from rookery.positions.methods.position_array import PositionArray

GATHER_NS = 12.0  # the time to copy one position, in nanoseconds
Mask = NDArray[np.bool_]


class Measured:
    """The time that a term has taken so far: the basis for the order of terms.

    The first evaluation is not timed, since it may load or compile code.
    """

    __slots__ = ("kept", "rows", "seconds", "timed_rows")

    def __init__(self) -> None:
        self.seconds = 0.0
        self.rows = self.kept = self.timed_rows = 0

    def add(self, seconds: float, rows: int, kept: int) -> None:
        """Add the evaluation of a term for some rows, of which it kept some."""
        if self.rows:
            self.seconds += seconds
            self.timed_rows += rows
        self.rows += rows
        self.kept += kept

    def cost(self, node: Node) -> float:
        """Return the nanoseconds a row, measured or guessed."""
        return 1e9 * self.seconds / self.timed_rows if self.timed_rows else node.cost

    def selectivity(self) -> float:
        """Return the share of rows that the term keeps, measured or guessed to be a half."""
        return (self.kept + 0.5) / (self.rows + 1)


class Block:
    """A block of positions, and the values of nodes for them.

    A block may be a part of another: `parent`, and the `index` of each of its rows there. `moves` are the moves in
    question, one for each position: those played in a game, or legal alternatives. `statistics` are what blocks of an
    expression teach for the next: what a node costs, and which motifs of a family are needed.
    """

    def __init__(
        self,
        positions: PositionArray,
        statistics: dict[Any, Any],
        parent: "Block | None" = None,
        index: NDArray[np.intp] | None = None,
        moves: NDArray[np.uint16] | None = None,
    ) -> None:
        self.positions: Any = positions
        self.statistics = statistics
        self.n = len(positions)
        self._parent, self._index, self._given_moves = parent, index, moves
        self._values: dict[Node, Any] = {}
        self.shared: dict[Any, Any] = {}  # results that several functions use

    # Values.

    def value(self, node: Node) -> Any:
        """Return the value of a node: an array with an element for each position, or one value for all."""
        if node in self._values:
            return self._values[node]
        parent = self._parent
        if parent is not None and self._is_known_above(node, parent):
            value = parent.value(node)
            if isinstance(value, np.ndarray) and value.ndim:
                value = value[self._index]
        elif node.scope == OF_GAME and node.function.name not in JOINED:
            value = self._of_games(node)
        elif node.function.lazy:
            value = node.function.run(self, *node.args)
        else:
            value = node.function.run(self, *[self.value(arg) if isinstance(arg, Node) else arg for arg in node.args])
        self._values[node] = value
        return value

    def _of_games(self, node: Node) -> Any:
        """Return a value of the game of each position, computed once for each game."""
        games, index = self._games
        try:
            value = array_of_texts(games.value(node))
        except KeyError as error:
            raise ValueError(f"query: {error.args[0]}") from None
        return value[index] if np.ndim(value) else value

    @functools.cached_property
    def _games(self) -> tuple[GameBlock, NDArray[np.intp]]:
        """Return the games of the positions, and the index of each position's game."""
        games, n, index = self.positions._games_as_columns()
        return GameBlock(games, n), index

    def _is_known_above(self, node: Node, parent: "Block") -> bool:
        if self._given_moves is not None:  # legal moves: whatever does not depend on them is the parent's
            return not node.uses_move
        return node in parent._values or node.function.sequence

    def truth(self, node: Node) -> Mask:
        """Return a truth value for each position; a set is true where it is not empty."""
        value = None
        if node.kind == SET and node.function.has_any is not None and node not in self._values:
            value = node.function.has_any(self, *node.args)
        if value is None:
            value = self.value(node)
            value = np.not_equal(value, 0) if node.kind == SET else value
        return np.broadcast_to(value, self.n) if np.ndim(value) == 0 else value

    def full(self, node: Node) -> NDArray[Any]:
        """Return an array with a value for each position, which the caller may keep."""
        value = np.asarray(self.value(node))
        return value if value.ndim else np.full(self.n, value, value.dtype)

    def boards(self, value: Any) -> Boards:
        """Return a set as a contiguous array with a board for each position."""
        if np.ndim(value) == 0:
            return np.full(self.n, value, U64)
        return np.ascontiguousarray(value)

    # Parts of the block.

    @property
    def columns(self) -> Columns:
        """Return the boards of the positions."""
        columns: Columns = self.positions.columns
        return columns

    def part(self, index: NDArray[np.intp]) -> "Block":
        """Return the block of some rows."""
        return Block(self.positions.taken(index), self.statistics, self, index)

    @property
    def whole(self) -> "Block":
        """Return the block of whole games to which the positions belong."""
        return self if self._parent is None else self._parent.whole

    def joined(self, nodes: tuple[Node, ...], *, conjunction: bool) -> Mask:
        """Join truth values by ``and``, or by ``or``.

        Terms are evaluated in the order of their measured cost for each row that they decide. Where few rows are left
        to decide, the rest of the terms runs on a copy of these rows.
        """
        order = sorted(nodes, key=lambda node: self._rank(node, conjunction))
        block, rows = self, None
        left: Mask | None = None  # rows of `block` still to decide; None for all
        for k, node in enumerate(order):
            start = time.perf_counter()
            value = block.truth(node)
            n = int(np.count_nonzero(value))
            self._measured(node).add(time.perf_counter() - start, block.n, n)
            undecided = value if conjunction else ~value
            if left is None:
                left, n = undecided, n if conjunction else block.n - n
            else:
                left = left & undecided
                n = int(np.count_nonzero(left))
            if not n:
                break
            rest = sum(self._measured(term).cost(term) for term in order[k + 1 :] if term not in block._values)
            if 2 * n <= block.n and rest * (block.n - n) > GATHER_NS * n:
                index = np.flatnonzero(left)
                rows = index if rows is None else rows[index]
                block, left = block.part(index), None
        if rows is None:
            assert left is not None
            return left if conjunction else ~left
        out = np.full(self.n, not conjunction)
        out[rows if left is None else rows[left]] = conjunction
        return out

    def _measured(self, node: Node) -> Measured:
        measured: Measured = self.statistics.setdefault(node, Measured())
        return measured

    def _rank(self, node: Node, conjunction: bool) -> float:
        measured = self._measured(node)
        kept = measured.selectivity()
        decides = 1 - kept if conjunction else kept
        return measured.cost(node) / max(decides, 1e-9)

    # What several functions need.

    @functools.cached_property
    def black(self) -> Boards:
        """Return the universe where black is to move, else the empty board."""
        black: Boards = (~self.positions.turn).astype(U64)
        return np.negative(black, out=black)

    @functools.cached_property
    def moves(self) -> NDArray[np.uint16]:
        """Return the move in question of each position; 0 where there is none."""
        if self._given_moves is not None:
            return self._given_moves
        if self._parent is not None:
            moves: NDArray[np.uint16] = self._parent.moves[self._index]
            return moves
        played: NDArray[np.uint16] = self.positions.played_moves()
        return played

    @functools.cached_property
    def after(self) -> "Block":
        """Return the positions after the moves in question, without their games."""
        return Block(self.positions.play(self.moves, check=False), self.statistics)

    @functools.cached_property
    def starts(self) -> NDArray[np.intp]:
        """Return the row at which each game begins, and the number of rows.

        Rows of a game must be consecutive half-moves; ValueError names the first that are not.
        """
        game, ply = self.positions.game, self.positions.ply
        other = game[1:] != game[:-1]
        gaps = np.flatnonzero(~other & (ply[1:] != ply[:-1] + 1))
        if gaps.size:
            i = int(gaps[0])
            raise ValueError(
                f"query: plies {ply[i]} and {ply[i + 1]} of game {game[i]}: expected every half-move of a game, "
                "because the query compares neighbouring positions"
            )
        return np.concatenate([[0], np.flatnonzero(other) + 1, [self.n]]) if self.n else np.zeros(1, np.intp)

    @functools.cached_property
    def lengths(self) -> NDArray[np.intp]:
        """Return the number of rows of each game."""
        return np.diff(self.starts)

    @functools.cached_property
    def segment(self) -> NDArray[np.intp]:
        """Return the number of each row's game within the block."""
        return np.repeat(np.arange(self.lengths.size), self.lengths)
