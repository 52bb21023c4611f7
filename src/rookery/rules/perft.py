"""Perft: count the leaves of the tree of legal moves, the measure of every move generator.

The walk keeps its own stack in arrays, one row a ply, so that it can stop after a number of moves and go on later:
Python looks at the keyboard in between. A *visitor* says what is done with the moves of the last row, and its type
is settled when the walk is compiled: `Leaves` counts the moves of each child, so that the last ply of the tree is
never walked; `Kinds` looks at each move itself.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bits import bit, reset_ls1b
from rookery.kernel import ONE, U64, UNIVERSE, ZERO, Word, entry, kernel, specialised
from rookery.rules.board import Board
from rookery.rules.core import (
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
from rookery.rules.engine import default_technique
from rookery.rules.fen import START
from rookery.rules.generate import MOST_MOVES, Count, List, checkers_of, class_of, generate
from rookery.rules.moves import Move
from rookery.technique import Technique
from rookery.techniques import technique as technique_of

STEP: Final = 1_000_000  # children visited between two looks at the keyboard: less than a tenth of a second
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
    """Leaves by the move that led to them, as the chessprogramming wiki counts."""

    nodes: int
    captures: int  # en passant included
    en_passants: int
    castles: int
    promotions: int
    checks: int  # of any kind
    discovered_checks: int  # by a piece that did not move, alone
    double_checks: int
    mates: int


@kernel
def _count_children(visitor: Any, p: Position, move: Word, t: Any) -> Word:
    return generate(make(p, move, t), t, Count(), UNIVERSE, UNIVERSE)


@kernel
def _sort_move(visitor: Any, p: Position, move: Word, t: Any) -> Word:
    target = (move >> TO_SHIFT) & SIX_BITS
    kind = move & KIND_MASK
    totals = visitor.totals
    arrived = bit(target)
    if kind == CASTLING:
        totals[3] += ONE
        right = target > (move & SIX_BITS)
        arrived = bit((target & U64(56)) | (F_FILE if right else D_FILE))
    elif kind == EN_PASSANT:
        totals[1] += ONE
        totals[2] += ONE
    elif p.them & bit(target):
        totals[1] += ONE
    if kind == PROMOTION:
        totals[4] += ONE
    child = make(p, move, t)
    checkers = checkers_of(child, t)
    if checkers:
        totals[5] += ONE
        if reset_ls1b(checkers):
            totals[7] += ONE
        elif checkers != arrived:
            totals[6] += ONE
        if generate(child, t, Count(), UNIVERSE, UNIVERSE) == ZERO:
            totals[8] += ONE
    return ONE


class Leaves(NamedTuple):
    """The visitor that counts the children of each child."""

    visit = _count_children


class Kinds(NamedTuple):
    """The visitor that sorts the moves: one number for each field of `Statistics`."""

    totals: Any

    visit = _sort_move


@specialised(lambda visitor, p, move, t: class_of(visitor).visit)
def visit(visitor: Any, p: Position, move: Word, t: Any) -> Word:
    """What a move of the last row counts for."""
    return class_of(visitor).visit(visitor, p, move, t)


@entry
def begin(row: Any, stack: Any, moves: Any, t: Any) -> Any:
    """Put the root on the stack, its state prepared; returns the number of its moves."""
    p = prepared(row, t)
    store(stack[0], p)
    return generate(p, t, List(moves[0]), UNIVERSE, UNIVERSE)


@entry
def walk(
    visitor: Any, stack: Any, moves: Any, numbers: Any, nexts: Any, where: Any, last: Any, steps: Any, t: Any
) -> Any:
    """Go on from ply ``where[0]``, visiting the moves of each position on ply `last`, until the tree ends, which
    leaves ``where[1]`` set, or until `steps` moves are visited. Returns the sum of what the visitor counted.

    Row i of `stack` and `moves` is the position on ply i and its moves, `numbers[i]` their number, `nexts[i]` the
    next of them to be made.
    """
    total = ZERO
    done = ZERO
    ply = where[0]
    while True:
        if ply == last:
            p = load(stack[ply], t)
            n = numbers[ply]
            for i in range(n):
                total += visit(visitor, p, U64(moves[ply, i]), t)
            done += n
            nexts[ply] = n
        if nexts[ply] < numbers[ply]:
            move = U64(moves[ply, nexts[ply]])
            nexts[ply] += ONE
            p = make(load(stack[ply], t), move, t)
            ply += ONE
            store(stack[ply], p)
            numbers[ply] = generate(p, t, List(moves[ply]), UNIVERSE, UNIVERSE)
            nexts[ply] = ZERO
        elif ply == ZERO:
            where[1] = ONE
            return total
        else:
            ply -= ONE
            if done >= steps:
                where[0] = ply
                return total


class _Code(NamedTuple):
    begin: Callable[..., int]
    walk: Callable[..., int]


_resolved: dict[tuple[type, type], _Code] = {}


def _code(t: Technique, visitor: Any) -> _Code:
    """Machine code for a technique and a visitor; resolved by type, see `Entry.resolve`."""
    key = type(t.tables()), type(visitor)
    if key not in _resolved:
        words, rows = np.zeros(2, U64), np.zeros((2, WORDS), U64)
        moves = np.zeros((2, MOST_MOVES), np.uint16)
        tables = t.tables()
        _resolved[key] = _Code(
            begin.resolve(words, rows, moves, tables),
            walk.resolve(visitor, rows, moves, words, words, words, ZERO, ZERO, tables),
        )
    return _resolved[key]


def _walked(board: Board, plies: int, visitor: Any, t: Technique) -> Iterator[int]:
    """Visit the moves of all positions `plies` below the root; yields what was counted, slice by slice."""
    code, tables = _code(t, visitor), t.tables()
    stack, moves = np.zeros((plies + 1, WORDS), U64), np.zeros((plies + 1, MOST_MOVES), np.uint16)
    numbers, nexts, where = np.zeros(plies + 1, U64), np.zeros(plies + 1, U64), np.zeros(2, U64)
    numbers[0] = code.begin(board.words(), stack, moves, tables)
    while not where[1]:
        yield code.walk(visitor, stack, moves, numbers, nexts, where, plies, STEP, tables)


def as_board(board_or_fen: Board | str) -> Board:
    """A board, from one, from a FEN or from the name of one of `POSITIONS`."""
    if isinstance(board_or_fen, Board):
        return board_or_fen
    if not isinstance(board_or_fen, str):
        raise TypeError(f"board: {board_or_fen!r}: expected a Board, a FEN or one of {', '.join(POSITIONS)}")
    if board_or_fen not in POSITIONS and "/" not in board_or_fen:
        raise ValueError(f"position: {board_or_fen!r}: expected a FEN or one of {', '.join(POSITIONS)}")
    return Board(POSITIONS.get(board_or_fen, board_or_fen))


def check_depth(depth: int) -> int:
    """`depth` as an int from 0 to `MOST_PLIES`."""
    if isinstance(depth, bool) or not isinstance(depth, (int, np.integer)):
        raise TypeError(f"depth: {depth!r}: expected an int from 0 to {MOST_PLIES}")
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
        yield from _walked(board, depth - 2, Leaves(), t or default_technique())


def _begun(board: Board, t: Technique) -> int:
    room = np.zeros((1, WORDS), U64), np.zeros((1, MOST_MOVES), np.uint16)
    return _code(t, Leaves()).begin(board.words(), *room, t.tables())


def perft(
    board_or_fen: Board | str,
    depth: int,
    *,
    technique: str | Technique | None = None,
    threads: int = 1,
    hash_mb: int = 0,
) -> int:
    """The number of leaves of the tree of legal moves `depth` plies deep.

    The position is a `Board`, a FEN (Chess960 is recognised) or a name: ``start``, ``kiwipete``, ``position3`` to
    ``position6``. `technique` generates the attacks of sliders; the default is the fastest. One thread and no hash
    table are all there is so far.

    >>> perft("start", 4), perft("kiwipete", 3, technique="kogge-stone")
    (197281, 97862)
    """
    if threads != 1:
        raise ValueError(f"threads: {threads!r}: expected 1; more are not supported yet")
    if hash_mb != 0:
        raise ValueError(f"hash_mb: {hash_mb!r}: expected 0; a hash table is not supported yet")
    chosen = None if technique is None else technique_of(technique)
    return sum(slices(as_board(board_or_fen), check_depth(depth), chosen))


def divide(board: Board, depth: int, t: Technique | None = None) -> Iterator[tuple[Move, int]]:
    """The leaves under each move of the root, in the generator's order."""
    if depth < 1:
        raise ValueError(f"depth: {depth}: expected at least 1 to divide")
    root = board.copy()
    for move in root.generate_legal_moves():
        root.push(move)
        yield move, sum(slices(root, depth - 1, t))
        root.pop()


def statistics(board: Board, depth: int, t: Technique | None = None) -> Iterator[Statistics]:
    """The leaves by kind of move, as far as counted: the last one yielded is complete."""
    if depth < 1:
        raise ValueError(f"depth: {depth}: expected at least 1 for statistics")
    totals = np.zeros(len(Statistics._fields), U64)
    nodes = 0
    for counted in _walked(board, depth - 1, Kinds(totals), t or default_technique()):
        nodes += counted
        yield Statistics(nodes, *totals[1:].tolist())


class Timing(NamedTuple):
    """A technique's perft."""

    technique: str
    nodes: int
    seconds: float


def compare(board: Board, depth: int, techniques: tuple[Technique, ...]) -> Iterator[Timing]:
    """The same perft by several techniques; the clock starts when each is compiled."""
    for t in techniques:
        sum(slices(board, min(depth, 2), t))
        start = time.perf_counter()
        nodes = sum(slices(board, depth, t))
        yield Timing(t.name, nodes, time.perf_counter() - start)
