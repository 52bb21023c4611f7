"""The walk through the tree of legal moves, as compiled code.

It keeps its own stack in arrays, one row a ply, so it can stop after a number of moves and continue later: Python
checks for Ctrl-C in between. A *visitor* determines what happens to the moves of the last row. Its type is fixed when
the walk is compiled. `Leaves` counts the moves of each child, so the last ply of the tree is never walked; `Kinds`
classifies each move. A visitor may also store counts, and return them when the same position occurs again.
"""

from typing import Any, NamedTuple

from rookery.bitboards.bits import bit, reset_ls1b
from rookery.counting.two_plies import count_two_plies
from rookery.counting.visitors import UNKNOWN, Kinds, Leaves, empty_stack
from rookery.kernel import U64, UNIVERSE, Word, array_of, entry, kernel_by_type
from rookery.rules.compiled import default_technique
from rookery.rules.constants import CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, SIX_BITS, TO_SHIFT
from rookery.rules.generate import Count, List, checkers_of, generate
from rookery.rules.position import D_FILE, F_FILE, Position, load, make, prepared, store


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
