"""Perft: the number of leaves of the tree of legal moves, which tests every move generator.

The walk keeps its own stack in arrays, one row a ply, so it can stop after a number of moves and continue later: Python
checks for Ctrl-C in between. A *visitor* determines what happens to the moves of the last row. Its type is fixed when
the walk is compiled. `Leaves` counts the moves of each child, so the last ply of the tree is never walked; `Kinds`
classifies each move. A visitor may also store counts, and return them when the same position occurs again.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import not_a_board, shown
from rookery.bitboards.bits import bit, reset_ls1b
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.counting.two_plies import count_two_plies
from rookery.kernel import U64, UNIVERSE, Word, array_of, entry, kernel_by_type
from rookery.notation.start import START
from rookery.rules.compiled import default_technique
from rookery.rules.generate import MOST_MOVES, Count, List, checkers_of, generate
from rookery.rules.position import (
    CASTLING,
    D_FILE,
    EN_PASSANT,
    F_FILE,
    KIND_MASK,
    PROMOTION,
    SIX_BITS,
    TO_SHIFT,
    WORDS,
    Position,
    load,
    make,
    prepared,
    store,
)
from rookery.technique import Technique

STEP: Final = 30_000  # positions visited between two looks for Ctrl-C: less than a tenth of a second
UNKNOWN: Final = UNIVERSE  # what a visitor recalls of a position it does not remember
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


class Statistics(NamedTuple):
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


@kernel_by_type("visitor")
def visit(visitor: NamedTuple, p: Position, move: Word, t: Any) -> Word:
    """Return the count of a move of the last row."""


@kernel_by_type("visitor")
def recall(visitor: NamedTuple, p: Position, depth: Word, t: Any) -> Word:
    """Return the number of leaves `depth` plies below a position, or `UNKNOWN`."""


@kernel_by_type("visitor")
def remember(visitor: NamedTuple, p: Position, depth: Word, leaves: Word, t: Any) -> None:
    """Store the number of leaves of a position for `recall`."""


@kernel_by_type("visitor")
def visit_all(visitor: NamedTuple, p: Position, moves: Any, t: Any) -> Word:
    """Return the sum of the counts of all moves of a position in the last row; `moves` has room for a list of them."""


class Leaves(NamedTuple):
    """The visitor that counts the children of each child."""


class Kinds(NamedTuple):
    """The visitor that classifies the moves: one number for each field of `Statistics`."""

    totals: NDArray[np.uint64]


@visit_all.register(Leaves)
def _count_leaves(visitor: Leaves, p: Position, moves: Any, t: Any) -> Word:
    return count_two_plies(p, t)


@visit_all.register(Kinds)
def visit_each(visitor: NamedTuple, p: Position, moves: Any, t: Any) -> Word:
    """List the moves, and visit one after the other."""
    leaves = 0
    for i in range(generate(p, t, List(moves), UNIVERSE, UNIVERSE)):
        leaves += visit(visitor, p, U64(moves[i]), t)
    return leaves


@visit.register(Kinds)
def _sort_move(visitor: Kinds, p: Position, move: Word, t: Any) -> Word:
    target = (move >> TO_SHIFT) & SIX_BITS
    kind = move & KIND_MASK
    totals = visitor.totals
    arrived = bit(target)
    if kind == CASTLING:
        totals[3] += 1
        right = target > (move & SIX_BITS)
        arrived = bit((target & 56) | (F_FILE if right else D_FILE))
    elif kind == EN_PASSANT:
        totals[1] += 1
        totals[2] += 1
    elif p.them & bit(target):
        totals[1] += 1
    if kind == PROMOTION:
        totals[4] += 1
    child = make(p, move, t)
    checkers = checkers_of(child, t)
    if checkers:
        totals[5] += 1
        if reset_ls1b(checkers):
            totals[7] += 1
        elif checkers != arrived:
            totals[6] += 1
        if generate(child, t, Count(), UNIVERSE, UNIVERSE) == 0:
            totals[8] += 1
    return 1


@recall.register(Leaves)
@recall.register(Kinds)
def _recall_nothing(visitor: NamedTuple, p: Position, depth: Word, t: Any) -> Word:
    return UNKNOWN


@remember.register(Leaves)
@remember.register(Kinds)
def _remember_nothing(visitor: NamedTuple, p: Position, depth: Word, leaves: Word, t: Any) -> None:
    pass


@entry(examples=lambda: (array_of(U64), *empty_stack(1)[:2], default_technique().tables()))
def begin(row: Any, stack: Any, moves: Any, t: Any) -> Any:
    """Put the root on the stack, with its state prepared; return the number of its moves."""
    p = prepared(row, t)
    store(stack[0], p)
    return generate(p, t, List(moves[0]), UNIVERSE, UNIVERSE)


class Stack(NamedTuple):
    """The state of a walk.

    For each ply it holds the position, its moves, their number, the next move to make, and the leaves counted below.
    """

    rows: Any
    moves: Any
    numbers: Any
    nexts: Any
    leaves: Any


def empty_stack(plies: int) -> Stack:
    """Return a stack for a walk of so many plies."""
    return Stack(
        np.zeros((plies, WORDS), U64),
        np.zeros((plies, MOST_MOVES), np.uint16),
        np.zeros(plies, U64),
        np.zeros(plies, U64),
        np.zeros(plies, U64),
    )


def walk_example(visitor: NamedTuple) -> tuple[Any, ...]:
    """Return an example of the arguments of `walk`."""
    return visitor, empty_stack(1), array_of(U64), U64(0), U64(0), U64(0), default_technique().tables()


@entry(examples=lambda: [walk_example(visitor) for visitor in (Leaves(), Kinds(array_of(U64)))])
def walk(visitor: Any, stack: Any, where: Any, last: Any, depth: Any, steps: Any, t: Any) -> Any:
    """Continue from ply ``where[0]``, and visit the moves of each position on ply `last`.

    Stop when the tree ends, which sets ``where[1]``, or when `steps` such positions have been visited. Return the sum
    of the counts. `depth` is the depth of the root.
    """
    total = 0
    done = 0
    ply = where[0]
    while True:
        if ply == last:
            leaves = visit_all(visitor, load(stack.rows[ply], t), stack.moves[ply], t)
            total += leaves
            stack.leaves[ply] = leaves
            stack.numbers[ply] = stack.nexts[ply] = 0
            done += 1
        if stack.nexts[ply] < stack.numbers[ply]:
            move = U64(stack.moves[ply, stack.nexts[ply]])
            stack.nexts[ply] += 1
            p = make(load(stack.rows[ply], t), move, t)
            known = recall(visitor, p, depth - ply - 1, t)
            if known == UNKNOWN:
                ply += 1
                store(stack.rows[ply], p)
                if ply != last:
                    stack.numbers[ply] = generate(p, t, List(stack.moves[ply]), UNIVERSE, UNIVERSE)
                stack.nexts[ply] = 0
                stack.leaves[ply] = 0
            else:
                stack.leaves[ply] += known
                total += known
        else:
            leaves = stack.leaves[ply]
            remember(visitor, load(stack.rows[ply], t), depth - ply, leaves, t)
            if ply == 0:
                where[1] = 1
                return total
            ply -= 1
            stack.leaves[ply] += leaves
            if done >= steps:
                where[0] = ply
                return total


class _Code(NamedTuple):
    begin: Callable[..., int]
    walk: Callable[..., int]


_resolved: dict[tuple[type, type], _Code] = {}


def _code(t: Technique, visitor: NamedTuple) -> _Code:
    """Return the machine code for a technique and a visitor, looked up by their types; see `Entry.resolve`."""
    key = type(t.tables()), type(visitor)
    if key not in _resolved:
        words, stack, tables = np.zeros(2, U64), empty_stack(1), t.tables()
        _resolved[key] = _Code(
            begin.resolve(words, stack.rows, stack.moves, tables),
            walk.resolve(visitor, stack, words, U64(0), U64(0), U64(0), tables),
        )
    return _resolved[key]


def walked(words: Any, depth: int, plies: int, visitor: NamedTuple, t: Technique, steps: int = STEP) -> Iterator[int]:
    """Visit the moves of all positions `plies` below a root of `depth`, given by its words.

    Yields the counts, after at least `steps` positions each.
    """
    code, tables = _code(t, visitor), t.tables()
    stack, where = empty_stack(plies + 1), np.zeros(2, U64)
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


def slices(board: Board, depth: int, t: Technique | None = None) -> Iterator[int]:
    """Count as `perft` does, but yield the leaves in portions, less than a tenth of a second apart."""
    if depth == 0:
        yield 1
    elif depth == 1:
        yield board.count_legal_moves() if t is None else _begun(board, t)
    else:
        yield from walked(board.words(), depth, depth - 2, Leaves(), t or default_technique())


def _begun(board: Board, t: Technique) -> int:
    stack = empty_stack(1)
    return _code(t, Leaves()).begin(board.words(), stack.rows, stack.moves, t.tables())


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


def statistics(board: Board, depth: int, t: Technique | None = None) -> Iterator[Statistics]:
    """Yield the leaves counted so far, by kind of move; the last statistics yielded are complete."""
    if depth < 1:
        raise ValueError(f"depth: {depth}: expected at least 1 for statistics")
    totals = np.zeros(len(Statistics._fields), U64)
    nodes = 0
    for counted in walked(board.words(), depth, depth - 1, Kinds(totals), t or default_technique()):
        nodes += counted
        yield Statistics(nodes, *totals[1:].tolist())
