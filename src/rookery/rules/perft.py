"""Perft: count the leaves of the tree of legal moves, the measure of every move generator.

The walk keeps its own stack in arrays, one row a ply, so that it can stop after a number of moves and go on later:
Python looks at the keyboard in between. The last ply is never walked, only counted.
"""

from typing import Any

from rookery.kernel import ONE, U64, UNIVERSE, ZERO, entry
from rookery.rules.core import load, make, prepared, store
from rookery.rules.generate import Count, List, generate

STEP = 200_000  # children counted between two looks at the keyboard: a few hundredths of a second


@entry
def begin(row: Any, stack: Any, moves: Any, t: Any) -> Any:
    """Put the root on the stack, its state prepared; returns the number of its moves."""
    p = prepared(row, t)
    store(stack[0], p)
    return generate(p, t, List(moves[0]), UNIVERSE, UNIVERSE)


@entry
def count_moves(row: Any, t: Any) -> Any:
    """The number of legal moves."""
    return generate(prepared(row, t), t, Count(), UNIVERSE, UNIVERSE)


@entry
def walk(stack: Any, moves: Any, numbers: Any, nexts: Any, ply: Any, last: Any, steps: Any, t: Any) -> Any:
    """Go on from `ply`, counting the children of each position on ply `last`, until the tree or `steps` ends.

    Row i of `stack` and `moves` is the position on ply i and its moves, `numbers[i]` their number, `nexts[i]`
    the next to be made. Returns the leaves counted, and the ply on which to go on (below `floor`, none).
    """
    total = ZERO
    floor = ply
    done = ZERO
    while True:
        if ply == last:
            p = load(stack[ply], t)
            n = numbers[ply]
            for i in range(n):
                total += generate(make(p, U64(moves[ply, i]), t), t, Count(), UNIVERSE, UNIVERSE)
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
        elif ply == floor:
            return total, ply, True
        else:
            ply -= ONE
            if done >= steps:
                return total, ply, False
