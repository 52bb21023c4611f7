"""Kinds of values, the nodes of a parsed expression, and the table of functions."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

# Kinds of values, which arrays hold.
SET = "set"  # uint64 boards
NUMBER = "number"  # int64, or float64 with NaN for a missing value
TRUTH = "condition"  # bool
TEXT = "text"  # str; over games `Texts`
DATE = "date"  # datetime64[D], NaT for a missing value
TIME = "time"  # timedelta64[s], NaT for a missing value
SAME = "same"  # of a function whose value has the kind of its first argument

NOTHING: Final[dict[str, Any]] = {
    SET: 0,
    NUMBER: np.nan,
    TRUTH: False,
    TEXT: "",
    DATE: np.datetime64("NaT", "D"),
    TIME: np.timedelta64("NaT", "s"),
}  # where there is no value

# Kinds of arguments that the parser reads itself.
SIDE = "side"  # us, them, white or black
PIECE = "piece type"  # "N" or "knight"
TRACKED = "piece"  # a call of `piece`
ANY = "value"  # a value of any kind


class Written(NamedTuple):
    """The kind of an argument that is a number or a text in the expression itself.

    `read` returns the value that functions get. It raises ValueError with a description of what was expected.
    """

    noun: str
    read: Callable[[Any], Any]


def _integer(value: Any) -> int:
    if not isinstance(value, int):
        raise ValueError("a whole number")
    return value


def _words(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text in quotes")
    return value


INTEGER: Final = Written("integer", _integer)
WORDS: Final = Written("text in quotes", _words)


REQUIRED: Final = object()
JOINED: Final = ("all", "any")  # functions that evaluate their terms one by one

# What a value depends on, from the least to the most.
ANYWHERE, OF_GAME, OF_POSITION = range(3)


class Parameter(NamedTuple):
    """A parameter of a function: its name, the kind of its argument, and its default or `REQUIRED`."""

    name: str
    kind: str | Written
    default: Any = REQUIRED


class Function:
    """A function of the query language.

    `run` takes a `rookery.positions.language.block.Block` and a value for each argument; if `lazy`, it gets nodes
    instead of values, and evaluates them itself. `cost` is its time in nanoseconds for each position, as measured
    on one core, and only a first guess: the order of terms follows what is measured while a query runs.

    `scope` says what the value depends on besides its arguments: nothing, the game alone, or the position. Over games,
    the block is a `rookery.positions.language.game_block.GameBlock`. The value may be `missing` by itself.
    """

    def __init__(
        self,
        run: Callable[..., Any],
        name: str,
        kind: str,
        cost: float,
        parameters: tuple[Parameter, ...],
        *,
        many: bool = False,
        lazy: bool = False,
        sequence: bool = False,
        needs_games: bool = False,
        uses_move: bool = False,
        scope: int = OF_POSITION,
        missing: bool = False,
        columns: tuple[str, ...] = (),
    ) -> None:
        self.run = run
        self.name = name
        self.kind = kind
        self.cost = cost
        self.parameters = parameters
        self.many = many  # the last parameter takes any number of arguments
        self.lazy = lazy
        self.sequence = sequence  # looks at other positions of the game
        self.needs_games = needs_games or sequence or scope == OF_GAME
        self.scope = scope
        self.missing = missing
        self.columns = columns  # the columns of games that the function looks at, besides those its arguments name
        self.uses_move = uses_move
        self.has_any: Callable[..., Any] | None = None  # of a set: checks that it is not empty, or returns None
        self.summary = inspect.cleandoc(run.__doc__ or "")

    def signature(self) -> str:
        """Return the function as users write it: ``attackers(squares, by=us)``."""
        if not self.parameters:
            return self.name
        written = [p.name if p.default is REQUIRED else f"{p.name}={_written(p)}" for p in self.parameters]
        return f"{self.name}({', '.join(written)}{', ...' if self.many else ''})"

    def __repr__(self) -> str:
        return self.signature()


def _written(parameter: Parameter) -> str:
    return '""' if parameter.default == frozenset() else str(parameter.default)


FUNCTIONS: Final[dict[str, Function]] = {}
"""Every function by its name; names with a dot are attributes of the move."""


def function(
    kind: str, cost: float, /, *, name: str | None = None, options: dict[str, Any] | None = None, **parameters: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add a function to the language, by the name of the decorated Python function.

    Each parameter is given as its kind, or as a pair of its kind and its default. `options` are those of `Function`.
    """

    def add(run: Callable[..., Any]) -> Callable[..., Any]:
        listed = tuple(
            Parameter(key.rstrip("_"), *value) if type(value) is tuple else Parameter(key.rstrip("_"), value)
            for key, value in parameters.items()
        )
        called = name or run.__name__.rstrip("_")
        assert called not in FUNCTIONS, called
        FUNCTIONS[called] = Function(run, called, kind, cost, listed, **(options or {}))
        return run

    return add


class Node:
    """A function applied to arguments: nodes, or values written in the expression.

    A parser makes each node once: equal nodes of an expression are one object.
    """

    __slots__ = ("__dict__", "args", "end", "function", "kind", "start")

    def __init__(self, function: Function, kind: str, args: tuple[Any, ...], start: int, end: int) -> None:
        self.function = function
        self.kind = kind
        self.args = args
        self.start, self.end = start, end  # where it first stands in the text

    @functools.cached_property
    def nodes(self) -> tuple["Node", ...]:
        """Return the arguments that are nodes."""
        return tuple(arg for arg in self.args if isinstance(arg, Node))

    @functools.cached_property
    def cost(self) -> float:
        """Return a guess of the nanoseconds for each position, with those of its arguments."""
        return self.function.cost + sum(node.cost for node in self.nodes)

    @functools.cached_property
    def uses_move(self) -> bool:
        """Check whether the value depends on the move in question."""
        if self.function.name in ("possible", "count_possible"):
            return False
        return self.function.uses_move or any(node.uses_move for node in self.nodes)

    @functools.cached_property
    def needs_games(self) -> bool:
        """Check whether the value depends on the game of a position."""
        return self.function.needs_games or any(node.needs_games for node in self.nodes)

    @functools.cached_property
    def is_sequence(self) -> bool:
        """Check whether the value depends on other positions of the game."""
        return self.function.sequence or any(node.is_sequence for node in self.nodes)

    @functools.cached_property
    def scope(self) -> int:
        """Return what the value depends on: nothing, the game alone, or the position."""
        return max(self.function.scope, *(node.scope for node in self.nodes), ANYWHERE)

    @functools.cached_property
    def may_be_missing(self) -> bool:
        """Check whether the value may be missing, so that a comparison with it is neither true nor false.

        A condition may be neither if it compares or joins such values. Functions of conditions are true or false.
        """
        if self.kind == SET or self.function.name == "is known":
            return False
        if self.function.name == "where known":
            return True
        if self.kind == TRUTH:
            joins = self.function.name in JOINED
            return any(node.may_be_missing for node in self.nodes if joins or node.kind not in (TRUTH, SET))
        if self.kind == TEXT and self.function.scope == OF_POSITION:
            return False  # what has no text has an empty one
        return self.function.missing or any(node.may_be_missing for node in self.nodes if node.kind == self.kind)

    @functools.cached_property
    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns of games that the value depends on, in the order of the text."""
        own = (self.args[0],) if self.function.name in ("header", "header column", "day of header") else ()
        inner = (name for node in self.nodes for name in node.columns)
        return tuple(dict.fromkeys((*own, *self.function.columns, *inner)))

    def __repr__(self) -> str:
        return f"{self.function.name}({', '.join(map(repr, self.args))})" if self.args else self.function.name
