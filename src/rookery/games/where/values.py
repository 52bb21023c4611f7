"""The evaluation of conditions: values of headers, compared in three-valued logic as in SQL."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.frames.columns import Texts
from rookery.games.dates import days_of
from rookery.games.headers import Header
from rookery.kernel import entry_of
from rookery.positions.operands import plain

judge_texts: Final = entry_of("rookery.games.where.texts", "judge_texts")
order_texts: Final = entry_of("rookery.games.where.texts", "order_texts")


Mask: TypeAlias = NDArray[np.bool_]
Columns: TypeAlias = Mapping[str, Header]

_COMPARED, _BEGINS, _WITHIN, _ENDS = range(4)
_HOW: Final = {"startswith": _BEGINS, "in": _WITHIN, "endswith": _ENDS}
COMPARISONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
ARITHMETIC: Final[dict[str, Callable[..., Any]]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "//": np.floor_divide,
    "%": np.remainder,
    "min": np.minimum,
    "max": np.maximum,
    "abs": np.abs,
}


class Value(NamedTuple):
    """A value for each game, or one value for all.

    `data` are numbers, `Texts` or bytes; a value is missing where `valid` is False. If `open` is true, the value is not
    known yet and may be any.
    """

    data: Any
    valid: Any
    open: bool = False


class Answer(NamedTuple):
    """The possible truth values of a condition, true, false or both, for each game or for all.

    A comparison with a missing value is neither.
    """

    true: Any
    false: Any


Evaluated: TypeAlias = Callable[[Columns], Any]  # a `Value`, or an `Answer`


def literal(data: Any) -> Evaluated:
    """Evaluate to a value that is written in the condition."""
    return lambda _columns: Value(data, np.True_)


def header(name: str) -> Evaluated:
    """Evaluate to the values of a header."""

    def value(columns: Columns) -> Value:
        column = columns[name]
        return Value(column if isinstance(column, Texts) else column.values, column.valid)

    return value


def of_moves(name: str, kind: str) -> Evaluated:
    """Evaluate to values that are computed from the moves, and open if these are not read yet."""
    known, unread = header(name), Value(b"" if kind == "text" else 0, np.True_, open=True)

    def value(columns: Columns) -> Any:
        return known(columns) if name in columns else unread

    return value


def is_true(inner: Evaluated) -> Evaluated:
    """Evaluate a truth value as a condition."""

    def answer(columns: Columns) -> Answer:
        value = inner(columns)
        return _answer(np.asarray(value.data) != 0, value.valid, value.open)

    return answer


def arithmetic(sign: str, parts: list[Evaluated]) -> Evaluated:
    """Add, divide and so on, in 64-bit floating-point numbers. A quotient by zero is a missing value."""
    function = ARITHMETIC[sign]

    def value(columns: Columns) -> Value:
        values = [part(columns) for part in parts]
        numbers = [np.asarray(value.data, np.float64) for value in values]
        with np.errstate(all="ignore"):
            result = function(numbers[0]) if len(numbers) == 1 else numbers[0]
            for number in numbers[1:]:
                result = function(result, number)
        valid = values[0].valid
        for other in values[1:]:
            valid = valid & other.valid
        if any(value.open for value in values):  # neither the result nor whether there is one is known
            return Value(result, valid, open=True)
        valid = valid & ~np.isnan(result)
        return Value(result, valid & (numbers[1] != 0) if sign in ("/", "//", "%") else valid)

    return value


def lower(inner: Evaluated) -> Evaluated:
    """Convert texts to lower case."""

    def value(columns: Columns) -> Value:
        given: Value = inner(columns)
        if isinstance(given.data, bytes):
            return given._replace(data=given.data.decode().lower().encode())
        texts = given.data
        data = texts.data[texts.offsets[0] : texts.offsets[-1]]
        if data.size and data.max() >= 0x80:  # the length of a text may change
            return Value(Texts.of([None if text is None else text.lower() for text in texts]), given.valid)
        capital = (data >= ord("A")) & (data <= ord("Z"))
        return Value(
            Texts(texts.offsets - texts.offsets[0], data + 32 * capital.view(np.uint8), texts.valid), given.valid
        )

    return value


def as_dates(inner: Evaluated) -> Evaluated:
    """Read texts as dates; a date that is not complete is missing."""

    def value(columns: Columns) -> Value:
        given: Value = inner(columns)
        days = days_of(given.data)[1]
        return Value(days.values, given.valid & days.valid)

    return value


def compared(sign: str, kind: str, left: Evaluated, right: Evaluated) -> Evaluated:
    """Compare two values of one kind."""
    compare = COMPARISONS[sign]

    def answer(columns: Columns) -> Answer:
        a, b = left(columns), right(columns)
        is_open = a.open or b.open
        if is_open:
            holds: Any = np.True_
        else:
            holds = compare(_order(a.data, b.data), 0) if kind == "text" else compare(a.data, b.data)
        return _answer(holds, a.valid & b.valid, is_open)

    return answer


def text_that(how: str, inner: Evaluated, text: bytes) -> Evaluated:
    """Check whether texts start with a text (``startswith``), end with it (``endswith``) or contain it (``in``)."""

    def answer(columns: Columns) -> Answer:
        value = inner(columns)
        texts = Texts.of([value.data.decode()]) if isinstance(value.data, bytes) else value.data
        return _answer(_judge(texts, text, _HOW[how]) == 1, value.valid, value.open)

    return answer


def is_missing(inner: Evaluated, missing: bool) -> Evaluated:
    """Check whether values are missing, or, if `missing` is false, whether they are not."""

    def answer(columns: Columns) -> Answer:
        holds = inner(columns).valid != missing
        return Answer(holds, ~holds)

    return answer


def contrary(inner: Evaluated) -> Evaluated:
    """Negate a condition."""

    def answer(columns: Columns) -> Answer:
        given = inner(columns)
        return Answer(given.false, given.true)

    return answer


def all_of(parts: list[Evaluated]) -> Evaluated:
    """Join conditions by ``and``."""

    def answer(columns: Columns) -> Answer:
        true, false = parts[0](columns)
        for part in parts[1:]:
            following = part(columns)
            true, false = true & following.true, false | following.false
        return Answer(true, false)

    return answer


def any_of(parts: list[Evaluated]) -> Evaluated:
    """Join conditions by ``or``."""

    def answer(columns: Columns) -> Answer:
        true, false = parts[0](columns)
        for part in parts[1:]:
            following = part(columns)
            true, false = true | following.true, false & following.false
        return Answer(true, false)

    return answer


def _answer(holds: Any, valid: Any, is_open: bool) -> Answer:
    return Answer(valid, valid) if is_open else Answer(holds & valid, ~holds & valid)


def _order(a: Any, b: Any) -> Any:
    """Return -1, 0 or 1 for texts that come before, are equal to or come after others, by their bytes in UTF-8."""
    if isinstance(a, bytes) and isinstance(b, bytes):
        return np.int8((a > b) - (a < b))
    if isinstance(a, bytes):
        return -_judge(b, a, _COMPARED)
    if isinstance(b, bytes):
        return _judge(a, b, _COMPARED)
    out = np.empty(a.size, np.int8)
    order_texts(a.offsets, plain(a.data), b.offsets, plain(b.data), out)
    return out


def _judge(texts: Texts, text: bytes, how: int) -> Any:
    out = np.empty(texts.size, np.int8)
    code = np.frombuffer(bytearray(text) or bytearray(1), np.uint8)
    judge_texts(texts.offsets, plain(texts.data), code, len(text), how, out)
    return out
