"""Bounds of queries: whether one can hold anywhere in a game, judged by the game's stored summary.

A condition is judged possible unless the summary rules it out: numbers by an interval that holds in every position of
the game, sets by the squares that they can have at most. What is not understood here is possible.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.colours import BLACK, WHITE, Colour
from rookery.games.positions.summaries import Summaries, of_no_moves
from rookery.kernel import UNIVERSE
from rookery.positions.language.functions.patterns import Condition, Pattern, variants_of
from rookery.positions.language.functions.values import PHASE_VALUES, VALUES
from rookery.positions.language.grammar import SET, Node
from rookery.positions.language.query import Query
from rookery.positions.queries.questions import DIGIT, KINDS, MOST

Mask: TypeAlias = NDArray[np.bool_]
_OF_GAMES: Final = ("all", "within", "then", "first", "ever", "earlier", "later")  # all arguments hold somewhere
_COLOURS: Final = (WHITE, BLACK)
_COLOUR_NAMES: Final = {"white": (WHITE,), "black": (BLACK,)}
_PAWN: Final = 1


class Interval(NamedTuple):
    """The least and the greatest value of a number in each game."""

    low: Any
    high: Any


_ANY: Final = Interval(-np.inf, np.inf)


def is_possible(query: Query, summaries: Summaries) -> Mask:
    """Return False for each game in which the query holds in no position, as far as the summaries tell.

    >>> from rookery import Query, read_pgn
    >>> games = read_pgn(b"1. e4 d5 2. exd5 *")
    >>> is_possible(Query("count(black.pawns) == 6"), games.summaries()).tolist()
    [False]
    >>> is_possible(Query("count(black.pawns) == 7"), games.summaries()).tolist()
    [True]
    """
    return np.broadcast_to(_holds(query.plan.root, summaries), len(summaries)).copy()


def may_rule_out(query: Query) -> bool:
    """Check whether summaries can rule out a game from the usual start position, so that they are worth reading.

    Other games have at least the squares and numbers of pieces that a game without moves has. Only the number of
    half-moves itself is not such a bound.

    >>> from rookery import Query
    >>> may_rule_out(Query("is_check and us.queens"))
    False
    >>> may_rule_out(Query("is_check and not us.queens and count(white.pawns) == 1"))
    True
    """
    return query.plan.mentions("plies") or not bool(is_possible(query, of_no_moves())[0])


def _holds(node: Node, s: Summaries) -> Any:
    """Return where a condition may be true in some position."""
    name = node.function.name
    if node.kind == SET:
        return _squares(node, s) != 0
    if name == "constant":
        return bool(node.args[0])
    if name in _OF_GAMES:
        masks = [_holds(argument, s) for argument in node.nodes]
        return np.logical_and.reduce(np.broadcast_arrays(True, *masks))
    if name == "any":
        return np.logical_or.reduce(np.broadcast_arrays(False, *(_holds(argument, s) for argument in node.nodes)))
    if name in _COMPARED:
        a, b = (_interval(argument, s) for argument in node.args)
        return _COMPARED[name](a, b)
    if name == "signature is":
        return _has_material(node.args[0], s)
    return True


_COMPARED: Final[dict[str, Callable[[Interval, Interval], Any]]] = {
    "<": lambda a, b: np.less(a.low, b.high),
    "<=": lambda a, b: np.less_equal(a.low, b.high),
    ">": lambda a, b: np.greater(a.high, b.low),
    ">=": lambda a, b: np.greater_equal(a.high, b.low),
    "==": lambda a, b: np.less_equal(a.low, b.high) & np.less_equal(b.low, a.high),
}


def _has_material(word: int, s: Summaries) -> Any:
    holds: Any = True
    for k in range(2 * KINDS):
        number = word >> DIGIT * k & MOST
        kind, side = k % KINDS + 1, _COLOURS[k // KINDS]
        holds = holds & (s.least(kind, side) <= number) & (number <= s.most(kind, side))
    return holds


# Numbers.


def _interval(node: Node, s: Summaries) -> Interval:
    match node.function.name:
        case "number":
            return Interval(node.args[0], node.args[0])
        case "plies":
            return Interval(s.plies, s.plies)
        case "ply":
            return Interval(0, s.plies)
        case "number of pieces":
            return _union([_pieces(node.args[0], side, s) for side in _sides(node.args[1])])
        case "material":
            return _union([_weighed(VALUES, side, s) for side in _sides(node.args[0])])
        case "imbalance":
            white, black = (_weighed(VALUES, side, s) for side in _COLOURS)
            return _union([_difference(white, black), _difference(black, white)])
        case "phase":
            white, black = (_weighed(PHASE_VALUES, side, s) for side in _COLOURS)
            return Interval(white.low + black.low, white.high + black.high)
        case "count":
            squares = np.asarray(_squares(node.nodes[0], s), np.uint64)
            return Interval(0, np.bitwise_count(squares).astype(np.int64))
        case "+":
            a, b = (_interval(argument, s) for argument in node.nodes)
            return Interval(a.low + b.low, a.high + b.high)
        case "-":
            return _difference(*(_interval(argument, s) for argument in node.nodes))
        case "negative":
            a = _interval(node.nodes[0], s)
            return Interval(-a.high, -a.low)
    return _ANY


def _sides(side: str) -> tuple[Colour, ...]:
    """Return the colours that a side may be: both if it depends on the side to move."""
    return _COLOUR_NAMES.get(side, _COLOURS)


def _pieces(kind: int, side: Colour, s: Summaries) -> Interval:
    return Interval(s.least(kind, side).astype(np.int64), s.most(kind, side).astype(np.int64))


def _weighed(values: tuple[int, ...], side: Colour, s: Summaries) -> Interval:
    numbers = [_pieces(kind, side, s) for kind in range(1, len(values) + 1)]
    low = sum(value * number.low for value, number in zip(values, numbers, strict=True))
    return Interval(low, sum(value * number.high for value, number in zip(values, numbers, strict=True)))


def _union(intervals: list[Interval]) -> Interval:
    low, high = intervals[0]
    for other in intervals[1:]:
        low, high = np.minimum(low, other.low), np.maximum(high, other.high)
    return Interval(low, high)


def _difference(a: Interval, b: Interval) -> Interval:
    return Interval(a.low - b.high, a.high - b.low)


# Sets.


def _squares(node: Node, s: Summaries) -> Any:
    """Return squares among which a set lies in every position of each game."""
    universe = np.uint64(UNIVERSE)
    match node.function.name:
        case "board" | "squares" | "file" | "rank":
            return np.uint64(node.args[0])
        case "no_squares":
            return np.uint64(0)
        case "&":
            return np.bitwise_and(*(_squares(argument, s) for argument in node.nodes))
        case "|":
            return np.bitwise_or(*(_squares(argument, s) for argument in node.nodes))
        case "set -":
            return _squares(node.nodes[0], s)
        case "pieces of a side":
            kind, side = node.args
            return np.bitwise_or.reduce([_squares_of(kind, colour, s) for colour in _sides(side)])
        case "pattern":
            pattern, under = node.args
            return np.where(_may_match(pattern, under, s), universe, np.uint64(0))
    return universe


def _squares_of(kind: int, side: Colour, s: Summaries) -> Any:
    if kind == _PAWN:
        return s.pawn_squares(side)
    return np.where(s.most(kind, side) > 0, np.uint64(UNIVERSE), np.uint64(0))


def _may_match(pattern: Pattern, under: frozenset[str], s: Summaries) -> Any:
    """Return where a pattern may match: in some variant its pawns are on squares where pawns ever stood."""
    variants = variants_of(pattern, under)
    holds = np.ones((len(variants.masks), len(s)), np.bool_)
    for condition, masks in zip(variants.conditions, variants.masks.T, strict=True):
        for letter, side in (("P", WHITE), ("p", BLACK)):
            if condition == Condition(letter, False):
                holds &= (masks[:, None] & ~s.pawn_squares(side)[None, :]) == 0
    return holds.any(axis=0)
