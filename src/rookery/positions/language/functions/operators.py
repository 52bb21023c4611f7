"""Values written in an expression, and operators on numbers, dates, texts and conditions."""

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.positions.language import grammar, texts

_ANYWHERE: Final[dict[str, Any]] = {"scope": grammar.ANYWHERE}
_LAZY: Final[dict[str, Any]] = {"scope": grammar.ANYWHERE, "lazy": True, "many": True}
_MANY: Final[dict[str, Any]] = {"scope": grammar.ANYWHERE, "many": True}
_MAYBE: Final[dict[str, Any]] = {"scope": grammar.ANYWHERE, "missing": True}

# Written values.


@grammar.function(grammar.NUMBER, 0.0, name="number", options=_ANYWHERE, value=grammar.WORDS)
def number(block: Any, value: Any) -> Any:
    """Return a number written in the expression."""
    return np.float64(value) if isinstance(value, float) or abs(value) >= 1 << 63 else np.int64(value)


@grammar.function(grammar.TEXT, 0.0, name="text", options=_ANYWHERE, value=grammar.WORDS)
def text(block: Any, value: str) -> Any:
    """Return a text written in the expression."""
    return np.str_(value)


@grammar.function(grammar.TRUTH, 0.0, name="constant", options=_ANYWHERE, value=grammar.WORDS)
def constant(block: Any, value: bool) -> Any:
    """Return True or False."""
    return np.bool_(value)


@grammar.function(grammar.DATE, 0.0, name="day", options=_ANYWHERE, value=grammar.WORDS)
def day(block: Any, value: str) -> Any:
    """Return a date written in the expression."""
    return np.datetime64(value, "D")


@grammar.function(grammar.TIME, 0.0, name="time of day", options=_ANYWHERE, seconds=grammar.WORDS)
def time_of_day(block: Any, seconds: int) -> Any:
    """Return a time written in the expression."""
    return np.timedelta64(seconds, "s")


# Calculations.


def _binary(kind: str, sign: str, run: Callable[[Any, Any], Any], summary: str, operands: str = grammar.NUMBER) -> None:
    def applied(block: Any, a: Any, b: Any) -> Any:
        with np.errstate(all="ignore"):
            return run(a, b)

    applied.__doc__ = summary
    name = sign if operands == grammar.NUMBER else f"{operands} {sign}"
    grammar.function(
        kind, 1.0, name=name, options=_MAYBE if sign in ("/", "//", "%") else _ANYWHERE, a=operands, b=operands
    )(applied)


def _quotient(divide: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a division whose result is missing where the divisor is 0."""
    return lambda a, b: np.where(np.equal(b, 0), np.nan, divide(a, np.where(np.equal(b, 0), 1, b)))


_binary(grammar.NUMBER, "+", np.add, "Return a sum.")
_binary(grammar.NUMBER, "-", np.subtract, "Return a difference.")
_binary(grammar.NUMBER, "*", np.multiply, "Return a product.")
_binary(grammar.NUMBER, "/", _quotient(np.true_divide), "Return a quotient; missing for a divisor of 0.")
_binary(grammar.NUMBER, "//", _quotient(np.floor_divide), "Return a quotient rounded down; missing for a divisor of 0.")
_binary(grammar.NUMBER, "%", _quotient(np.remainder), "Return a remainder; missing for a divisor of 0.")


@grammar.function(grammar.NUMBER, 1.0, name="negative", options=_ANYWHERE, a=grammar.NUMBER)
def negative(block: Any, a: Any) -> Any:
    """Return a number with the opposite sign."""
    return np.negative(a)


@grammar.function(grammar.NUMBER, 1.0, name="abs", options=_ANYWHERE, number=grammar.NUMBER)
def absolute(block: Any, number: Any) -> Any:
    """Return a number without its sign."""
    return np.abs(number)


@grammar.function(grammar.NUMBER, 2.0, options=_MAYBE, number=grammar.NUMBER)
def sqrt(block: Any, number: Any) -> Any:
    """Return the square root of a number; missing for a negative number."""
    with np.errstate(invalid="ignore"):
        return np.sqrt(number)


@grammar.function(grammar.NUMBER, 1.0, name="min", options=_MANY, numbers=grammar.NUMBER)
def least(block: Any, *numbers: Any) -> Any:
    """Return the least of some numbers; missing if one is."""
    return _folded(np.minimum, numbers)


@grammar.function(grammar.NUMBER, 1.0, name="max", options=_MANY, numbers=grammar.NUMBER)
def greatest(block: Any, *numbers: Any) -> Any:
    """Return the greatest of some numbers; missing if one is."""
    return _folded(np.maximum, numbers)


def _folded(operation: Any, values: tuple[Any, ...]) -> Any:
    return functools.reduce(operation, values)


# Comparisons. None holds for a missing value.

_SIGNS: Final[dict[str, tuple[Callable[[Any, Any], Any], str]]] = {
    "==": (np.equal, "is equal to"),
    "!=": (lambda a, b: np.less(a, b) | np.greater(a, b), "differs from"),
    "<": (np.less, "is less than"),
    "<=": (np.less_equal, "is at most"),
    ">": (np.greater, "is greater than"),
    ">=": (np.greater_equal, "is at least"),
}


def _comparisons(kind: str, noun: str) -> None:
    for sign, (compare, relation) in _SIGNS.items():
        _binary(grammar.TRUTH, sign, compare, f"Check whether {noun} {relation} another.", kind)


_comparisons(grammar.NUMBER, "a number")
_comparisons(grammar.DATE, "a date")
_comparisons(grammar.TIME, "a time")


def _of_texts(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: texts.compared(compare, a, b)


for _sign, (_compare, _relation) in _SIGNS.items():
    _run = _of_texts(np.not_equal if _sign == "!=" else _compare)  # no text is missing in an array
    _binary(grammar.TRUTH, _sign, _run, f"Check whether a text {_relation} another.", grammar.TEXT)
_binary(grammar.TRUTH, "==", np.equal, "Check whether two truth values are equal.", grammar.TRUTH)
_binary(grammar.TRUTH, "!=", np.not_equal, "Check whether two truth values differ.", grammar.TRUTH)
_binary(
    grammar.TRUTH, "in", texts.is_within, "Check whether a text is not empty and another contains it.", grammar.TEXT
)


@grammar.function(grammar.TRUTH, 0.5, name="is known", options=_ANYWHERE, value=grammar.ANY)
def is_known(block: Any, value: Any) -> Any:
    """Check whether a value is not missing."""
    return texts.known(value)


# Parts of texts.


@grammar.function(grammar.TRUTH, 2.0, name="text contains", options=_ANYWHERE, text=grammar.TEXT, part=grammar.WORDS)
def contains(block: Any, text: Any, part: str) -> Any:
    """Check whether a text contains another that is written in the expression."""
    return texts.contains(text, part)


@grammar.function(grammar.TRUTH, 2.0, name=".startswith", options=_ANYWHERE, text=grammar.TEXT, part=grammar.WORDS)
def startswith(block: Any, text: Any, part: str) -> Any:
    """Check whether a text begins with another that is written in the expression."""
    return texts.begins(text, part)


@grammar.function(grammar.TRUTH, 2.0, name=".endswith", options=_ANYWHERE, text=grammar.TEXT, part=grammar.WORDS)
def endswith(block: Any, text: Any, part: str) -> Any:
    """Check whether a text ends with another that is written in the expression."""
    return texts.ends(text, part)


@grammar.function(grammar.TEXT, 10.0, name=".lower", options=_ANYWHERE, text=grammar.TEXT)
def lower(block: Any, text: Any) -> Any:
    """Return a text in lower case."""
    return texts.lower(text)


# Conditions.


@grammar.function(grammar.TRUTH, 1.0, name="all", options=_LAZY, conditions=grammar.TRUTH)
def all_of(block: Any, *conditions: grammar.Node) -> Any:
    """Check whether all conditions hold, as ``and`` does."""
    return block.joined(conditions, conjunction=True)


@grammar.function(grammar.TRUTH, 1.0, name="any", options=_LAZY, conditions=grammar.TRUTH)
def any_of(block: Any, *conditions: grammar.Node) -> Any:
    """Check whether at least one condition holds, as ``or`` does."""
    return block.joined(conditions, conjunction=False)


@grammar.function(grammar.TRUTH, 1.0, name="where known", options=_LAZY, condition=grammar.TRUTH, known=grammar.TRUTH)
def where_known(block: Any, condition: grammar.Node, *known: grammar.Node) -> Any:
    """Check whether a condition holds and what it is about is known."""
    return functools.reduce(np.logical_and, map(block.truth, known), block.truth(condition))


@grammar.function(
    grammar.TRUTH, 0.5, name="not", options={"scope": grammar.ANYWHERE, "lazy": True}, condition=grammar.TRUTH
)
def contrary(block: Any, condition: grammar.Node) -> Any:
    """Check whether a condition does not hold."""
    return ~block.truth(condition)
