"""Perft: the number of leaves of the tree of legal moves, which tests every move generator.

`rookery.counting.tree` walks through the tree. Where a wheel has its machine code, only that is used, and the modules
of kernels are not imported.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from rookery.arguments import not_a_board, shown
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.counting import visitors
from rookery.kernel import entry_of
from rookery.lazy_imports import Named
from rookery.rules.constants import default_tables
from rookery.rules.notation.start import START

if TYPE_CHECKING:
    from rookery.techniques.base import calls
else:
    calls = Named("rookery.techniques.base.calls")

_BEGIN: Final = entry_of("rookery.counting.tree", "begin")
_WALK: Final = entry_of("rookery.counting.tree", "walk")

STEP: Final = 30_000  # positions visited between two looks for Ctrl-C: less than a tenth of a second
_LANES_STEP: Final = 150  # the same for positions whose children are counted in vector registers
MOST_PLIES: Final = 64

# The start, Kiwipete (Peter McKenzie) and the other positions of the chessprogramming wiki's page "Perft Results".
POSITIONS: Final = {
    "start": START,
    "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position3": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "position4": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "position5": "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "position6": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
}


class MoveStatistics(NamedTuple):
    """Leaves by the kind of move that led to them, as the chessprogramming wiki counts them."""

    nodes: int
    captures: int  # en passant included
    en_passants: int
    castles: int
    promotions: int
    checks: int  # of any kind
    discovered_checks: int  # by a piece that did not move, alone
    double_checks: int
    mates: int


class _Code(NamedTuple):
    begin: Callable[..., int]
    walk: Callable[..., int]


_resolved: dict[tuple[type, type], _Code] = {}


def _code(tables: Any, visitor: NamedTuple) -> _Code:
    """Return the machine code for a technique's tables and a visitor, looked up by types; see `Entry.resolve`."""
    key = type(tables), type(visitor)
    if key not in _resolved:
        words, stack, zero = np.zeros(2, np.uint64), visitors.empty_stack(1), np.uint64(0)
        _resolved[key] = _Code(
            _BEGIN.resolve(words, stack.rows, stack.moves, tables),
            _WALK.resolve(visitor, stack, words, zero, zero, zero, tables),
        )
    return _resolved[key]


def walked(words: Any, depth: int, plies: int, visitor: NamedTuple, tables: Any, steps: int = STEP) -> Iterator[int]:
    """Visit the moves of all positions `plies` below a root of `depth`, given by its words, with a technique's tables.

    Yields the counts, after at least `steps` positions each.
    """
    code = _code(tables, visitor)
    stack, where = visitors.empty_stack(plies + 1), np.zeros(2, np.uint64)
    stack.numbers[0] = code.begin(words, stack.rows, stack.moves, tables)
    while not where[1]:
        yield code.walk(visitor, stack, where, plies, depth, steps, tables)


def as_board(board_or_fen: Board | str) -> Board:
    """Return a board, from a board, a FEN or the name of one of `POSITIONS`."""
    if isinstance(board_or_fen, Board):
        return board_or_fen
    if not isinstance(board_or_fen, str):
        raise not_a_board("board", board_or_fen, f"a rookery.Board, a FEN or one of {', '.join(POSITIONS)}")
    if board_or_fen not in POSITIONS and "/" not in board_or_fen:
        raise ValueError(f"position: {shown(board_or_fen)}: expected a FEN or one of {', '.join(POSITIONS)}")
    return Board(POSITIONS.get(board_or_fen, board_or_fen))


def check_depth(depth: int) -> int:
    """Return `depth` as an int from 0 to `MOST_PLIES`."""
    if isinstance(depth, bool) or not isinstance(depth, (int, np.integer)):
        raise TypeError(f"depth: {shown(depth)}: expected an int from 0 to {MOST_PLIES}")
    if not 0 <= depth <= MOST_PLIES:
        raise ValueError(f"depth: {depth}: expected 0 to {MOST_PLIES}")
    return int(depth)


def slices(board: Board, depth: int, t: "calls.Technique | None" = None) -> Iterator[int]:
    """Count as `perft` does, but yield the leaves in portions, less than a tenth of a second apart."""
    if depth == 0:
        yield 1
    elif depth == 1:
        yield board.count_legal_moves() if t is None else _begun(board, t)
    else:
        yield from walked(board.words(), depth, depth - 2, visitors.Leaves(), _tables_of(t))


def _begun(board: Board, t: "calls.Technique") -> int:
    stack = visitors.empty_stack(1)
    return _code(t.tables(), visitors.Leaves()).begin(board.words(), stack.rows, stack.moves, t.tables())


def _tables_of(t: "calls.Technique | None") -> Any:
    return default_tables() if t is None else t.tables()


def on_lanes(board: Board, depth: int) -> Iterator[int]:
    """Count like `perft`, in one thread, but yield the leaves in portions less than a tenth of a second apart.

    The walk goes down to three plies from the leaves, where it counts a whole unit at once in vector registers, see
    `rookery.counting.lanes`.
    """
    yield from portions(board, depth, visitors.Units(visitors.workspace(), visitors.table(0)))


def portions(board: Board, depth: int, visitor: visitors.Units) -> Iterator[int]:
    """Count in one thread with a visitor of this thread, and yield the leaves in portions."""
    if depth <= visitors.UNIT:
        yield from slices(board, depth)
    else:
        yield from walked(board.words(), depth, depth - visitors.UNIT - 1, visitor, default_tables(), _LANES_STEP)


def divide(
    board: Board, depth: int, count: Callable[[Board, int], Iterator[int]] = slices
) -> Iterator[tuple[Move, int]]:
    """Yield the moves of the root, in the generator's order, with the leaves under each, counted by `count`."""
    if depth < 1:
        raise ValueError(f"depth: {depth}: expected at least 1 to divide")
    root = board.copy()
    for move in root.generate_legal_moves():
        root.push(move)
        yield move, sum(count(root, depth - 1))
        root.pop()


def statistics(board: Board, depth: int, t: "calls.Technique | None" = None) -> Iterator[MoveStatistics]:
    """Yield the leaves counted so far, by kind of move; the last statistics yielded are complete."""
    if depth < 1:
        raise ValueError(f"depth: {depth}: expected at least 1 for statistics")
    totals = np.zeros(len(MoveStatistics._fields), np.uint64)
    nodes = 0
    for counted in walked(board.words(), depth, depth - 1, visitors.Kinds(totals), _tables_of(t)):
        nodes += counted
        yield MoveStatistics(nodes, *totals[1:].tolist())
