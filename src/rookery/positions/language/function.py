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
TEXT = "text"  # str
SAME = "same"  # of a function whose value has the kind of its first argument

NOTHING: Final[dict[str, Any]] = {SET: 0, NUMBER: np.nan, TRUTH: False, TEXT: ""}  # where there is no value

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
    ) -> None:
        self.run = run
        self.name = name
        self.kind = kind
        self.cost = cost
        self.parameters = parameters
        self.many = many  # the last parameter takes any number of arguments
        self.lazy = lazy
        self.sequence = sequence  # looks at other positions of the game
        self.needs_games = needs_games or sequence
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
    kind: str, cost: float, /, *, name: str | None = None, options: dict[str, bool] | None = None, **parameters: Any
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

    def __repr__(self) -> str:
        return f"{self.function.name}({', '.join(map(repr, self.args))})" if self.args else self.function.name
