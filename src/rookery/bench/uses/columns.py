"""The uses of a technique, each a loop with a workload: what `rookery bench attacks` has columns for."""

import functools
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from rookery import verify
from rookery.bench.perft import LEAVES
from rookery.bench.uses import loops, workloads
from rookery.board.board import Board
from rookery.counting.walk import POSITIONS, slices
from rookery.kernel import U64
from rookery.techniques.base import Technique
from rookery.techniques.base.protocol import QUESTIONS

QUEEN: Final = QUESTIONS["queen"]
PERFT: Final = ("kiwipete", 3)


class TimedCall(NamedTuple):
    """A call to time: the function, how many look-ups it makes, and whether an answer is right."""

    run: Callable[[], Any]
    units: int
    right: Callable[[Any], bool]


class UseColumn(NamedTuple):
    """A use of a technique."""

    name: str
    what: str
    make: Callable[[Technique], TimedCall]


def arrays(t: Technique) -> TimedCall:
    """Return the public call over arrays of random squares and occupancies."""
    n = 8192
    squares = np.random.default_rng(0).integers(0, 64, n).astype(np.uint8)
    occupied = workloads.random_occupancies(n, 2)
    expected = _expected(n)
    out = np.empty(n, np.uint64)

    def right(answer: Any) -> bool:
        same = bool(np.array_equal(answer, expected))
        out.fill(0)  # no array stays right by itself
        return same

    return TimedCall(partial(t.queen, squares, occupied, out), n, right)


@functools.cache
def _expected(n: int) -> Any:
    squares = np.random.default_rng(0).integers(0, 64, n).tolist()
    pairs = zip(squares, workloads.random_occupancies(n, 2).tolist(), strict=True)
    return np.array([verify.oracle("queen", sq, o) for sq, o in pairs], np.uint64)


def _is(right: int) -> Callable[[Any], bool]:
    return lambda answer: int(answer) == right


def latency(t: Technique) -> TimedCall:
    """Return look-ups after changes of an occupancy, each of which waits for the one before it."""
    work = workloads.changes()
    run = partial(loops.change_and_look, QUEEN, work.squares, work.changed, U64(work.first), U64(0), t.tables())
    return TimedCall(run, workloads.CHANGES * loops.PASSES, _is(workloads.after_changes()))


def calls(t: Technique) -> TimedCall:
    """Return look-ups after changes of an occupancy that do not wait for each other."""
    work = workloads.changes()
    run = partial(loops.change_and_look_freely, QUEEN, work.squares, work.changed, U64(work.first), t.tables())
    return TimedCall(run, workloads.CHANGES * loops.PASSES, _is(workloads.after_changes()))


def busy(t: Technique) -> TimedCall:
    """Return look-ups with other data read in between, whose time is part of the figure."""
    work, other = workloads.changes(), workloads.other_data()
    run = partial(loops.look_in_busy_caches, QUEEN, work.squares, work.changed, U64(work.first), other, t.tables())
    return TimedCall(run, workloads.CHANGES, _is(workloads.in_busy_caches()))


def on_boards(work: Callable[[], workloads.OnBoards], t: Technique) -> TimedCall:
    """Return look-ups of several squares on each of many boards."""
    found = work()
    run = partial(loops.look_on_boards, QUEEN, found.squares, found.occupied, t.tables())
    return TimedCall(run, found.squares.size, _is(found.right))


def all_sliders(t: Technique) -> TimedCall:
    """Return the union of the attacks of all sliders of boards."""
    work = workloads.sliders_of_games()
    run = partial(loops.look_for_all_sliders, QUEEN, work.sliders, work.occupied, t.tables())
    return TimedCall(run, int(np.bitwise_count(work.sliders).sum()), _is(work.right))


def perft(t: Technique) -> TimedCall:
    """Return perft by the scalar generator, with the technique inside."""
    name, depth = PERFT
    board, leaves = Board(POSITIONS[name]), LEAVES[name][depth]
    return TimedCall(lambda: sum(slices(board, depth, t)), leaves, _is(leaves))


COLUMNS: Final = {
    column.name: column
    for column in (
        UseColumn("arrays", "over arrays of random squares and occupancies, in one call", arrays),
        UseColumn("calls", "one look-up after another in compiled code, after a change of the board each", calls),
        UseColumn("latency", "the same, but each look-up waits for the one before it", latency),
        UseColumn(
            "busy",
            "one look-up after another, with eight cache lines of other data read in between; the figure includes them",
            busy,
        ),
        UseColumn("half", "boards half full, 16 squares each", partial(on_boards, partial(workloads.at_density, 1))),
        UseColumn(
            "quarter", "boards a quarter full, 16 squares each", partial(on_boards, partial(workloads.at_density, 2))
        ),
        UseColumn(
            "eighth", "boards an eighth full, 16 squares each", partial(on_boards, partial(workloads.at_density, 3))
        ),
        UseColumn("games", "sliders in positions of games", partial(on_boards, workloads.squares_of_games)),
        UseColumn("all-squares", "all 64 squares of a board", partial(on_boards, workloads.all_squares)),
        UseColumn("sliders", "the union for all sliders of a board", all_sliders),
        UseColumn(
            "harness", "Chess_Movegen's own loop: 12 squares of a random board", partial(on_boards, workloads.harness)
        ),
        UseColumn("perft", f"perft of {PERFT[0].capitalize()} to depth {PERFT[1]}; the figure is a position's", perft),
    )
}
