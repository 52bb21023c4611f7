"""Values written in an expression, and operators on numbers, dates, texts and conditions."""

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.positions.language import texts
from rookery.positions.language.function import (
    ANY,
    ANYWHERE,
    DATE,
    NUMBER,
    TEXT,
    TIME,
    TRUTH,
    WORDS,
    Node,
    function,
)

_ANYWHERE: Final[dict[str, Any]] = {"scope": ANYWHERE}
_LAZY: Final[dict[str, Any]] = {"scope": ANYWHERE, "lazy": True, "many": True}
_MANY: Final[dict[str, Any]] = {"scope": ANYWHERE, "many": True}
_MAYBE: Final[dict[str, Any]] = {"scope": ANYWHERE, "missing": True}

# Written values.


@function(NUMBER, 0.0, name="number", options=_ANYWHERE, value=WORDS)
def number(block: Any, value: Any) -> Any:
    """Return a number written in the expression."""
    return np.float64(value) if isinstance(value, float) or abs(value) >= 1 << 63 else np.int64(value)


@function(TEXT, 0.0, name="text", options=_ANYWHERE, value=WORDS)
def text(block: Any, value: str) -> Any:
    """Return a text written in the expression."""
    return np.str_(value)


@function(TRUTH, 0.0, name="constant", options=_ANYWHERE, value=WORDS)
def constant(block: Any, value: bool) -> Any:
    """Return True or False."""
    return np.bool_(value)


@function(DATE, 0.0, name="day", options=_ANYWHERE, value=WORDS)
def day(block: Any, value: str) -> Any:
    """Return a date written in the expression."""
    return np.datetime64(value, "D")


@function(TIME, 0.0, name="time of day", options=_ANYWHERE, seconds=WORDS)
def time_of_day(block: Any, seconds: int) -> Any:
    """Return a time written in the expression."""
    return np.timedelta64(seconds, "s")


# Calculations.


def _binary(kind: str, sign: str, run: Callable[[Any, Any], Any], summary: str, operands: str = NUMBER) -> None:
    def applied(block: Any, a: Any, b: Any) -> Any:
        with np.errstate(all="ignore"):
            return run(a, b)

    applied.__doc__ = summary
    name = sign if operands == NUMBER else f"{operands} {sign}"
    function(kind, 1.0, name=name, options=_MAYBE if sign in ("/", "//", "%") else _ANYWHERE, a=operands, b=operands)(
        applied
    )


def _quotient(divide: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a division whose result is missing where the divisor is 0."""
    return lambda a, b: np.where(np.equal(b, 0), np.nan, divide(a, np.where(np.equal(b, 0), 1, b)))


_binary(NUMBER, "+", np.add, "Return a sum.")
_binary(NUMBER, "-", np.subtract, "Return a difference.")
_binary(NUMBER, "*", np.multiply, "Return a product.")
_binary(NUMBER, "/", _quotient(np.true_divide), "Return a quotient; missing for a divisor of 0.")
_binary(NUMBER, "//", _quotient(np.floor_divide), "Return a quotient rounded down; missing for a divisor of 0.")
_binary(NUMBER, "%", _quotient(np.remainder), "Return a remainder; missing for a divisor of 0.")


@function(NUMBER, 1.0, name="negative", options=_ANYWHERE, a=NUMBER)
def negative(block: Any, a: Any) -> Any:
    """Return a number with the opposite sign."""
    return np.negative(a)


@function(NUMBER, 1.0, name="abs", options=_ANYWHERE, number=NUMBER)
def absolute(block: Any, number: Any) -> Any:
    """Return a number without its sign."""
    return np.abs(number)


@function(NUMBER, 2.0, options=_MAYBE, number=NUMBER)
def sqrt(block: Any, number: Any) -> Any:
    """Return the square root of a number; missing for a negative number."""
    with np.errstate(invalid="ignore"):
        return np.sqrt(number)


@function(NUMBER, 1.0, name="min", options=_MANY, numbers=NUMBER)
def least(block: Any, *numbers: Any) -> Any:
    """Return the least of some numbers; missing if one is."""
    return _folded(np.minimum, numbers)


@function(NUMBER, 1.0, name="max", options=_MANY, numbers=NUMBER)
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
        _binary(TRUTH, sign, compare, f"Check whether {noun} {relation} another.", kind)


_comparisons(NUMBER, "a number")
_comparisons(DATE, "a date")
_comparisons(TIME, "a time")


def _of_texts(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: texts.compared(compare, a, b)


for _sign, (_compare, _relation) in _SIGNS.items():
    _run = _of_texts(np.not_equal if _sign == "!=" else _compare)  # no text is missing in an array
    _binary(TRUTH, _sign, _run, f"Check whether a text {_relation} another.", TEXT)
_binary(TRUTH, "==", np.equal, "Check whether two truth values are equal.", TRUTH)
_binary(TRUTH, "!=", np.not_equal, "Check whether two truth values differ.", TRUTH)
_binary(TRUTH, "in", texts.is_within, "Check whether a text is not empty and another contains it.", TEXT)


@function(TRUTH, 0.5, name="is known", options=_ANYWHERE, value=ANY)
def is_known(block: Any, value: Any) -> Any:
    """Check whether a value is not missing."""
    return texts.known(value)


# Parts of texts.


@function(TRUTH, 2.0, name="text contains", options=_ANYWHERE, text=TEXT, part=WORDS)
def contains(block: Any, text: Any, part: str) -> Any:
    """Check whether a text contains another that is written in the expression."""
    return texts.contains(text, part)


@function(TRUTH, 2.0, name=".startswith", options=_ANYWHERE, text=TEXT, part=WORDS)
def startswith(block: Any, text: Any, part: str) -> Any:
    """Check whether a text begins with another that is written in the expression."""
    return texts.begins(text, part)


@function(TRUTH, 2.0, name=".endswith", options=_ANYWHERE, text=TEXT, part=WORDS)
def endswith(block: Any, text: Any, part: str) -> Any:
    """Check whether a text ends with another that is written in the expression."""
    return texts.ends(text, part)


@function(TEXT, 10.0, name=".lower", options=_ANYWHERE, text=TEXT)
def lower(block: Any, text: Any) -> Any:
    """Return a text in lower case."""
    return texts.lower(text)


# Conditions.


@function(TRUTH, 1.0, name="all", options=_LAZY, conditions=TRUTH)
def all_of(block: Any, *conditions: Node) -> Any:
    """Check whether all conditions hold, as ``and`` does."""
    return block.joined(conditions, conjunction=True)


@function(TRUTH, 1.0, name="any", options=_LAZY, conditions=TRUTH)
def any_of(block: Any, *conditions: Node) -> Any:
    """Check whether at least one condition holds, as ``or`` does."""
    return block.joined(conditions, conjunction=False)


@function(TRUTH, 1.0, name="where known", options=_LAZY, condition=TRUTH, known=TRUTH)
def where_known(block: Any, condition: Node, *known: Node) -> Any:
    """Check whether a condition holds and what it is about is known."""
    return functools.reduce(np.logical_and, map(block.truth, known), block.truth(condition))


@function(TRUTH, 0.5, name="not", options={"scope": ANYWHERE, "lazy": True}, condition=TRUTH)
def contrary(block: Any, condition: Node) -> Any:
    """Check whether a condition does not hold."""
    return ~block.truth(condition)
