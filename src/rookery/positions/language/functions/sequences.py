"""Functions over several half-moves. All look at the positions of one game in order."""

from typing import Any, Final

import numpy as np

from rookery.positions.keys import groups_of
from rookery.positions.language.block import Block
from rookery.positions.language.grammar import ANY, NOTHING, NUMBER, SAME, SET, TRUTH, Node, Written, function

_SEQUENCE: Final = {"sequence": True}
_LAZY: Final = {"sequence": True, "lazy": True}
_MAYBE: Final = {"sequence": True, "missing": True}
_MANY: Final = {"sequence": True, "lazy": True, "many": True}
_NEVER: Final = 1 << 60


def _plies(value: Any) -> int:
    if not isinstance(value, int) or not 1 <= value <= 10_000:
        raise ValueError("a number of half-moves from 1 to 10,000")
    return value


PLIES: Final = Written("number of half-moves", _plies)


def moved(block: Block, values: Any, n: int, kind: str) -> Any:
    """Return the value `n` rows later in the game, or earlier if `n` is negative.

    Beyond the ends of the game sets and texts are empty, truth values False, and numbers missing.
    """
    values = np.broadcast_to(values, block.n)
    if kind == NUMBER:
        values = values.astype(np.float64)
    out = np.full(block.n, NOTHING[kind], values.dtype)
    if abs(n) >= block.n:
        return out
    segment = block.segment
    if n >= 0:
        same = segment[n:] == segment[: block.n - n]
        out[: block.n - n][same] = values[n:][same]
    else:
        same = segment[:n] == segment[-n:]
        out[-n:][same] = values[:n][same]
    return out


@function(SAME, 4.0, options={**_LAZY, "missing": True}, value=ANY, plies=(PLIES, 1))
def next_(block: Block, value: Node, plies: int) -> Any:
    """Return a value in the position some half-moves later; empty, False or missing after the end of the game."""
    return moved(block, block.value(value), plies, value.kind)


@function(SAME, 4.0, options={**_LAZY, "missing": True}, value=ANY, plies=(PLIES, 1))
def previous(block: Block, value: Node, plies: int) -> Any:
    """Return a value in the position some half-moves earlier; empty, False or missing before the game."""
    return moved(block, block.value(value), -plies, value.kind)


@function(TRUTH, 4.0, options=_MANY, conditions=TRUTH)
def then(block: Block, *conditions: Node) -> Any:
    """Check whether conditions hold in consecutive positions, the first of them here."""
    out = block.truth(conditions[0]).copy()
    for k, condition in enumerate(conditions[1:], 1):
        out &= moved(block, block.truth(condition), k, TRUTH)
    return out


@function(TRUTH, 20.0, options=_MANY, plies=PLIES, conditions=TRUTH)
def within(block: Block, plies: int, *conditions: Node) -> Any:
    """Check whether conditions hold in this order: the first here, each next one later, all within some half-moves."""
    out = block.truth(conditions[0]).copy()
    rows = np.arange(block.n)
    place = rows
    for condition in conditions[1:]:
        place = _following(block, block.truth(condition))[np.minimum(place, block.n - 1)]
        out &= place - rows <= plies
        place = np.where(out, place, rows)
    return out


def _following(block: Block, holds: Any) -> Any:
    """Return the next later row of the same game on which a condition holds, or a huge number."""
    rows = np.where(holds, np.arange(block.n), _NEVER)
    following = np.full(block.n, _NEVER)
    if block.n:
        following[:-1] = np.minimum.accumulate(rows[::-1])[::-1][1:]
    return np.where(following < block.starts[1:][block.segment], following, _NEVER)


@function(TRUTH, 8.0, options=_LAZY, plies=PLIES, condition=TRUTH)
def for_plies(block: Block, plies: int, condition: Node) -> Any:
    """Check whether a condition holds in some consecutive positions, the first of them here."""
    holds = block.truth(condition)
    return _run_lengths(block, holds[::-1], block.lengths[::-1])[::-1] >= plies


def _run_lengths(block: Block, holds: Any, lengths: Any) -> Any:
    """Return for how many rows in a row a condition has held up to each row, within games of these lengths."""
    rows = np.arange(block.n)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    last_failure = np.maximum.accumulate(np.where(holds, -1, rows)) if block.n else rows
    return rows - np.maximum(last_failure, starts - 1)


@function(NUMBER, 8.0, options=_LAZY, condition=TRUTH)
def streak(block: Block, condition: Node) -> Any:
    """Return for how many consecutive positions a condition has held, up to here; 0 if it does not hold here."""
    return _run_lengths(block, block.truth(condition), block.lengths)


@function(NUMBER, 10.0, options=_LAZY, condition=TRUTH)
def longest_streak(block: Block, condition: Node) -> Any:
    """Return the greatest number of consecutive positions of the game in which a condition holds."""
    return _of_games(block, np.maximum, _run_lengths(block, block.truth(condition), block.lengths))


def _of_games(block: Block, operation: Any, values: Any) -> Any:
    """Reduce the values of each game to one, and return it for each position."""
    if not block.n:
        return values
    return operation.reduceat(values, block.starts[:-1])[block.segment]


def _count(block: Block, condition: Node) -> Any:
    return _of_games(block, np.add, block.truth(condition).astype(np.int64))


@function(NUMBER, 4.0, options=_LAZY, condition=TRUTH)
def count_plies(block: Block, condition: Node) -> Any:
    """Return the number of positions of the game in which a condition holds."""
    return _count(block, condition)


@function(TRUTH, 4.0, options=_LAZY, condition=TRUTH)
def ever(block: Block, condition: Node) -> Any:
    """Check whether a condition holds in at least one position of the game."""
    return _count(block, condition) > 0


@function(TRUTH, 4.0, options=_LAZY, condition=TRUTH)
def never(block: Block, condition: Node) -> Any:
    """Check whether a condition holds in no position of the game."""
    return _count(block, condition) == 0


@function(TRUTH, 4.0, options=_LAZY, condition=TRUTH)
def first(block: Block, condition: Node) -> Any:
    """Check whether a condition holds here and in no earlier position of the game."""
    holds = block.truth(condition)
    return holds & (_so_far(block, holds) == 1)


@function(TRUTH, 4.0, options=_LAZY, condition=TRUTH)
def earlier(block: Block, condition: Node) -> Any:
    """Check whether a condition holds in an earlier position of the game."""
    holds = block.truth(condition)
    return _so_far(block, holds) - holds > 0


@function(TRUTH, 4.0, options=_LAZY, condition=TRUTH)
def later(block: Block, condition: Node) -> Any:
    """Check whether a condition holds in a later position of the game."""
    return _count(block, condition) > _so_far(block, block.truth(condition))


def _so_far(block: Block, holds: Any) -> Any:
    """Return in how many positions of the game a condition has held, this one included."""
    total = np.cumsum(holds)
    before = np.concatenate([[0], total])[block.starts[:-1]]
    return total - np.repeat(before, block.lengths)


@function(NUMBER, 4.0, options=_MAYBE, number=NUMBER)
def highest(block: Block, number: Any) -> Any:
    """Return the greatest value of a number in the game; missing values do not count."""
    return _of_games(block, np.fmax, np.broadcast_to(number, block.n))


@function(NUMBER, 4.0, options=_MAYBE, number=NUMBER)
def lowest(block: Block, number: Any) -> Any:
    """Return the least value of a number in the game; missing values do not count."""
    return _of_games(block, np.fmin, np.broadcast_to(number, block.n))


@function(NUMBER, 4.0, options=_SEQUENCE, number=NUMBER)
def total(block: Block, number: Any) -> Any:
    """Return the sum of a number over the positions of the game; missing values do not count."""
    number = np.broadcast_to(number, block.n)
    return _of_games(block, np.add, np.where(np.isnan(number), 0, number))


@function(NUMBER, 6.0, options=_MAYBE, number=NUMBER)
def average(block: Block, number: Any) -> Any:
    """Return the mean of a number over the positions of the game; missing values do not count."""
    number = np.broadcast_to(number, block.n)
    known = ~np.isnan(number)
    sums = _of_games(block, np.add, np.where(known, number, 0.0))
    counts = _of_games(block, np.add, known.astype(np.int64))
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


@function(SET, 4.0, options=_SEQUENCE, squares=SET)
def collected(block: Block, squares: Any) -> Any:
    """Return the squares that a set has in at least one position of the game: collected(white.king)."""
    return _of_games(block, np.bitwise_or, np.broadcast_to(squares, block.n))


@function(SAME, 4.0, options=_LAZY, value=ANY)
def at_start(block: Block, value: Node) -> Any:
    """Return a value in the first position of the game: at_start(white.pawns)."""
    values = np.broadcast_to(block.value(value), block.n)
    return values[block.starts[:-1]][block.segment] if block.n else values


@function(NUMBER, 150.0, options=_SEQUENCE)
def repetitions(block: Block) -> Any:
    """Return how often the position has occurred in the game so far, this time included.

    Positions are equal if pieces, side to move, castling rights and legal en-passant captures are, as for a claim.
    """
    group = groups_of(block.columns, False, 1).group
    order = np.lexsort([np.arange(block.n), group, block.segment])
    begins = np.ones(block.n, np.bool_)
    begins[1:] = (np.diff(group[order]) != 0) | (np.diff(block.segment[order]) != 0)
    starts = np.maximum.accumulate(np.where(begins, np.arange(block.n), 0))
    out = np.empty(block.n, np.int64)
    out[order] = np.arange(block.n) - starts + 1
    return out


__all__ = ["moved", "then"]
