"""The plan of a query: its checked expression, and the evaluation of it for blocks of positions."""

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import check_threads, shown
from rookery.bitboards.pieces import KIND_NAMES
from rookery.frames.array_arguments import Boards
from rookery.kernel import U64, wrapping
from rookery.positions.language.block import Block, Measured
from rookery.positions.language.functions.moves import squares_of_move, squares_of_possible
from rookery.positions.language.functions.patterns import squares_of_like
from rookery.positions.language.functions.sets import checkers, pieces_of_side
from rookery.positions.language.grammar import JOINED, NUMBER, SET, TRUTH, Node
from rookery.positions.language.headers import OF_MOVES
from rookery.positions.language.parser import QueryParser, about_positions
from rookery.positions.language.tokens import refuse
from rookery.positions.methods.position_array import PositionArray
from rookery.positions.threads import each_in_threads

SIZE: Final = 1 << 14  # positions in a block: fewer cost more time between the loops than the cache saves
# Functions that hold because their operands do.
_POSITIVE: Final = ("all", "any", "then", "within", "first", "for_plies", "count", ">", ">=", "==", "text ==", "set in")
_FIRST_ONLY: Final = ("then", "within", "set in")  # only their first operand is about the position itself
_PIECES: Final = tuple(f"{name}s" for name in KIND_NAMES)


class Plan:
    """A checked expression, and what evaluating its parts has taken so far.

    `label` is the name of the argument that holds the text; it begins the messages of errors.
    """

    def __init__(self, text: str, label: str = "query", shared: "Plan | None" = None) -> None:
        """Read an expression; TypeError if it is not a text, ValueError if it is not an expression.

        Parts that are equal to parts of the plan `shared` are the same nodes.
        """
        if not isinstance(text, str):
            raise TypeError(f"{label}: {shown(text)}: expected a text such as 'us.knights & center'")
        self.text = text
        self.label = label
        self._known: dict[Any, Node] = {} if shared is None else shared._known
        self._statistics: dict[Any, Any] = {} if shared is None else shared._statistics
        self.root = QueryParser(text, self._known, about_positions(label)).root
        self.kind = self.root.kind

    @property
    def needs_games(self) -> bool:
        """Check whether the query needs positions that know their games."""
        return self.root.needs_games or self.root.uses_move

    @property
    def is_sequence(self) -> bool:
        """Check whether the query compares positions of a game, so that it needs every half-move of a game."""
        return self.root.is_sequence

    @property
    def headers(self) -> tuple[str, ...]:
        """Return the names of the headers of games that the query looks at.

        >>> Plan('header("ECO") == "B01" and elo(us) > 2000').headers
        ('ECO', 'WhiteElo', 'BlackElo')
        """
        return tuple(name for name in self.root.columns if name not in OF_MOVES)

    @property
    def needs_clocks(self) -> bool:
        """Check whether the query looks at the clocks, times or evaluations of games."""
        return self.mentions("clock", "emt", "eval", "eval_before", "score")

    def mentions(self, *names: str) -> bool:
        """Check whether the query uses a function of one of some names."""
        return any(node.function.name in names for node in _nodes(self.root))

    def evaluate(self, positions: PositionArray, *, threads: int = 1) -> NDArray[Any]:
        """Return the value for each position: uint64 boards, numbers (int64 or float64), bool or str; (n,)."""
        return evaluated([self], positions, threads)[0]

    def mask(self, positions: PositionArray, *, threads: int = 1) -> NDArray[np.bool_]:
        """Return True where a condition holds, or where a set is not empty; ValueError for other queries."""
        self.check_condition()
        (mask,) = _in_blocks([self], positions, lambda block: [self.holds(block).copy()], threads)
        held: NDArray[np.bool_] = np.ma.filled(mask, False)  # a missing position meets no condition
        return held

    def prepare(self, positions: PositionArray) -> None:
        """Evaluate each part for a few positions, so that all compiled code is loaded; nothing is measured."""
        block = Block(positions, {})
        for node in _nodes(self.root):
            block.value(node)

    def check_condition(self) -> None:
        """Raise ValueError if the query is neither a condition nor a set."""
        if self.kind not in (TRUTH, SET):
            refuse(
                self.text, self.label, self.root, f"a condition or a set, not a {self.kind}; compare it with a value"
            )

    def check_number(self) -> None:
        """Raise ValueError if the query is not a number."""
        if self.kind != NUMBER:
            refuse(self.text, self.label, self.root, f"a number, not a {self.kind}")

    def block(self, positions: PositionArray) -> Block:
        """Return a block for `positions`, which are whole games if the query is a sequence."""
        if self.needs_games and not positions._knows_games():
            node = next(n for n in _nodes(self.root) if n.function.needs_games or n.function.uses_move)
            refuse(self.text, self.label, node, "positions that know their games, as Games.positions returns them")
        return Block(positions, self._statistics)

    def holds(self, block: Block) -> NDArray[np.bool_]:
        """Return True where the condition holds in a block."""
        with wrapping():
            return self._measured(block, block.truth)

    def values(self, block: Block) -> NDArray[Any]:
        """Return the value for each position of a block."""
        with wrapping():
            return self._measured(block, block.full)

    def _measured(self, block: Block, run: Callable[[Node], NDArray[Any]]) -> NDArray[Any]:
        """Return the value of the whole expression; `joined` measures the terms of ``and`` and ``or``."""
        if self.root.function.name in JOINED:
            return run(self.root)
        start = time.perf_counter()
        values = run(self.root)
        seconds = time.perf_counter() - start
        held = int(np.count_nonzero(values)) if self.root.kind in (TRUTH, SET) else 0
        self._statistics.setdefault(self.root, Measured()).add(seconds, block.n, held)
        return values

    @property
    def matches_sequences(self) -> bool:
        """Check whether `matched` compares positions of a game, so that it needs every half-move of a game."""
        return any(node.is_sequence for node, _ in self._evidence)

    def matched(self, block: Block) -> Boards:
        """Return the squares that made the condition true in each position, those of `_evidence_of`."""
        squares = np.zeros(block.n, U64)
        with wrapping():
            for _, squares_of in self._evidence:
                squares |= squares_of(block)
        return squares

    @functools.cached_property
    def _evidence(self) -> list[tuple[Node, Callable[[Block], Any]]]:
        return list(_evidence_of(self.root))

    # Explanation.

    def explain(self) -> str:
        """Return the plan as a table: each term in the order of evaluation, its cost, and where it was true.

        `positions` is the number of positions for which a term was evaluated, and `true` the number of those for which
        it holds. A cost is measured once the query has been evaluated twice; before that it is a guess, marked by ~.

        >>> print(Plan("is_check and us.queens").explain())
        term                ns per position  positions  true
        all, in this order
            us.queens                    ~3          -     -
            is_check                    ~10          -     -
        """
        rows = [("term", "ns per position", "positions", "true"), *self._rows(self.root, "")]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows)
        return "\n".join(lines)

    def _rows(self, node: Node, indent: str) -> Iterator[tuple[str, str, str, str]]:
        name = node.function.name
        if name not in JOINED:
            yield self._row(node, f"{indent}{self.text[node.start : node.end]}")
            return
        yield f"{indent}{name}, in this order", "", "", ""
        for term in sorted(node.nodes, key=lambda term: self._rank(term, name == "all")):
            yield from self._rows(term, f"{indent}    ")

    def _rank(self, node: Node, conjunction: bool) -> float:
        measured: Measured = self._statistics.get(node, Measured())
        kept = measured.selectivity()
        return measured.cost(node) / max(1 - kept if conjunction else kept, 1e-9)

    def _row(self, node: Node, source: str) -> tuple[str, str, str, str]:
        measured: Measured = self._statistics.get(node, Measured())
        cost = f"{'' if measured.timed_rows else '~'}{measured.cost(node):,.0f}"
        if not measured.rows:
            return source, cost, "-", "-"
        return source, cost, f"{measured.rows:,}", f"{measured.kept:,}" if node.kind in (TRUTH, SET) else "-"


def evaluated(plans: Sequence[Plan], positions: PositionArray, threads: int) -> list[NDArray[Any]]:
    """Return the values of plans that share their nodes: parts that are in several of them are computed once."""

    def run(block: Block) -> list[NDArray[Any]]:
        return [plan.values(block) for plan in plans]

    return _in_blocks(plans, positions, run, threads)


def _in_blocks(
    plans: Sequence[Plan], positions: PositionArray, run: Callable[[Block], list[NDArray[Any]]], threads: int
) -> list[NDArray[Any]]:
    """Return the arrays that `run` returns for each block of positions, joined."""
    if not isinstance(positions, PositionArray):
        raise TypeError(f"positions: {shown(positions)}: expected Positions")
    check_threads(threads)
    n, boards = len(positions), positions._boards_of_all()
    whole = any(plan.is_sequence for plan in plans)
    cuts = _whole_games(positions) if whole and n else [*range(0, n, SIZE), n]
    parts = list(pairwise(cuts)) if n else [(0, 0)]

    def work(part: tuple[int, int]) -> list[NDArray[Any]]:
        rows = boards[part[0] : part[1]]
        blocks = [plan.block(rows) for plan in plans]  # each checks the positions; the first serves all
        return run(blocks[0])

    joined = [np.concatenate(found) for found in zip(*each_in_threads(work, parts, threads), strict=True)]
    return [positions._answer(values) for values in joined]


def _whole_games(positions: Any) -> list[int]:
    """Return where to cut positions into blocks of whole games."""
    if not positions._knows_games():
        return [0, len(positions)]
    begins = np.flatnonzero(np.diff(positions.game, prepend=-1))
    chosen = np.unique(np.searchsorted(begins, np.arange(0, len(positions), SIZE)))
    return [*begins[chosen[chosen < begins.size]].tolist(), len(positions)]


def _nodes(root: Node) -> list[Node]:
    """Return all nodes of a query in the order of its text."""
    found: dict[Node, None] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = None
            waiting += node.nodes
    return sorted(found, key=lambda node: node.start)


# The squares that matched.


def _evidence_of(root: Node) -> Iterator[tuple[Node, Callable[[Block], Any]]]:
    """Yield parts of the condition `root`, each with a function from a block to squares: their union made it true.

    They are the sets of the condition, except constants; the squares of the move, if the condition says something about
    it, and of the moves that `possible` looks for; and pieces that give check, if the condition requires check or mate.
    What the condition excludes, by `not` or `<`, does not count.
    """
    waiting, seen = [root], set()
    while waiting:
        node = waiting.pop()
        name = node.function.name
        if node in seen:
            continue
        seen.add(node)
        if name == "possible":
            yield node, functools.partial(squares_of_possible, condition=node.args[0])
        elif name in ("is_check", "is_mate"):
            yield node, functools.partial(checkers, side="us")
        elif name == "path":
            yield node, functools.partial(_end_of_path, squares=node.args[0], path=node.args[1])
        elif name == "like":
            yield node, functools.partial(squares_of_like, pattern=node.args[0], under=node.args[1])
        elif name == "number of pieces":
            yield node, functools.partial(pieces_of_side, kind=node.args[0], side=node.args[1])
        elif name.startswith(("move.", "piece of the move")) and name != "move.exists" and node.kind != SET:
            yield node, squares_of_move
        elif node.kind == SET:
            if node.args or node.function.parameters or node.uses_move or name in _PIECES:
                yield node, functools.partial(_value, node=node)
        elif name in _POSITIVE:
            waiting += node.nodes[:1] if name in _FIRST_ONLY else node.nodes


def _end_of_path(block: Block, squares: Node, path: tuple[int, ...]) -> Any:
    return block.value(squares) & U64(1 << path[-1])


def _value(block: Block, node: Node) -> Any:
    return block.value(node)
