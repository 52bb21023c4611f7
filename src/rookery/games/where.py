"""Conditions over headers: ``WhiteElo >= 2000 and TimeControl == "300+3"``.

A small language, written as Python's and parsed by it, never run by it: names of headers, numbers, texts, comparisons,
``in``, ``startswith``, ``and``, ``or`` and ``not``. What compares with a header that a game does not have is unknown,
as in SQL: so is its contrary, and only what is true is kept.
"""

import ast
import datetime
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.games.assemble import KINDS
from rookery.games.columns import Numbers, Texts
from rookery.games.values import DATE_KIND, NUMBER_KIND, SIGNED_KIND, TIME_KIND
from rookery.kernel import entry

LONGEST: Final = 10_000  # signs of a condition
_KIND_NAMES: Final = {NUMBER_KIND: "number", SIGNED_KIND: "number", DATE_KIND: "date", TIME_KIND: "time"}

Mask: TypeAlias = NDArray[np.bool_]
Columns: TypeAlias = Mapping[str, Numbers | Texts]
_COMPARISONS: Final[dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]]] = {
    ast.Eq: ("==", np.equal),
    ast.NotEq: ("!=", np.not_equal),
    ast.Lt: ("<", np.less),
    ast.LtE: ("<=", np.less_equal),
    ast.Gt: (">", np.greater),
    ast.GtE: (">=", np.greater_equal),
}
_TURNED: Final[dict[Any, Any]] = {
    np.less: np.greater,
    np.greater: np.less,
    np.less_equal: np.greater_equal,
    np.greater_equal: np.less_equal,
}
_COMPARED, _BEGINS, _WITHIN = range(3)


class Answer(NamedTuple):
    """Of each game whether something is true, and whether it is known."""

    true: Mask
    known: Mask


_Node: TypeAlias = Callable[[Columns, int], Answer]


class Condition:
    """A condition that was read.

    >>> condition = Condition('WhiteElo >= 2000 and White.startswith("A")')
    >>> condition.names
    ('WhiteElo', 'White')
    """

    def __init__(self, text: str, columns: Columns | None = None) -> None:
        """The condition of a text; of names that are of `columns` these say what they hold, numbers or texts."""
        if not isinstance(text, str):
            raise TypeError(f"where: {shown(text)}: expected a text like 'WhiteElo >= 2000'")
        self.text = text
        reader = _Reader(text, {name: _kind_of(column) for name, column in (columns or {}).items()})
        self._node = reader.node
        self.names = tuple(reader.names)
        none = {name: _missing(reader.kind(name)) for name in self.names}
        self.holds_without_headers = bool(self.mask(none, 1)[0])

    def mask(self, columns: Columns, n: int) -> Mask:
        """Which of `n` games it holds for."""
        answer = self._node(columns, n)
        return answer.true & answer.known

    def __repr__(self) -> str:
        return f"Condition({self.text!r})"


def _kind_of(column: Numbers | Texts) -> str:
    if isinstance(column, Texts):
        return "text"
    return {"M": "date", "m": "time"}.get(column.values.dtype.kind, "number")


def _missing(kind: str) -> Numbers | Texts:
    dtype = {"number": "i2", "date": "M8[D]", "time": "m8[s]"}.get(kind)
    return Numbers(np.zeros(1, dtype), np.zeros(1, np.bool_)) if dtype else Texts.of([None])


class _Reader:
    """Turns a text into functions over columns."""

    def __init__(self, text: str, kinds: Mapping[str, str]) -> None:
        self.text = text
        self.kinds = kinds
        self.names: dict[str, None] = {}
        if not text.isascii() and text != text.encode("utf-8", "replace").decode():
            raise ValueError(f"where: {shown(text)}: expected a text that is Unicode")
        if len(text) > LONGEST:
            raise ValueError(f"where: a text of {len(text):,} signs: expected at most {LONGEST:,}")
        try:
            tree = ast.parse(text.strip(), mode="eval")
            self.text = text.strip()
            self.node = self._condition(tree.body)
        except SyntaxError as error:
            raise ValueError(f"where: column {error.offset or 1} of {shown(text.strip())}: {error.msg}") from None
        except (RecursionError, MemoryError):
            raise ValueError("where: nested too deep") from None
        except ValueError as error:
            if "null bytes" in str(error):
                raise ValueError(f"where: {shown(text)}: a null byte") from None
            raise

    def _refuse(self, node: ast.AST, expected: str) -> ValueError:
        part = ast.get_source_segment(self.text, node) or ""
        column = getattr(node, "col_offset", 0) + 1
        return ValueError(f"where: column {column} of {shown(self.text)}: {shown(part)}: expected {expected}")

    def _condition(self, node: ast.expr) -> _Node:
        if isinstance(node, ast.BoolOp):
            parts = [self._condition(value) for value in node.values]
            return _all_of(parts) if isinstance(node.op, ast.And) else _any_of(parts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self._condition(node.operand)
            return lambda columns, n: _contrary(inner(columns, n))
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            parts = [self._comparison(node, a, op, b) for a, op, b in zip(sides, node.ops, sides[1:], strict=False)]
            return parts[0] if len(parts) == 1 else _all_of(parts)
        if isinstance(node, ast.Call):
            return self._call(node)
        raise self._refuse(node, "a comparison like WhiteElo >= 2000")

    def _call(self, node: ast.Call) -> _Node:
        function = node.func
        if not (isinstance(function, ast.Attribute) and function.attr == "startswith" and not node.keywords):
            raise self._refuse(node, 'a comparison, or a header with startswith: White.startswith("A")')
        name = self._text_name(function.value)
        if len(node.args) != 1:
            raise self._refuse(node, "one text within the brackets")
        return _texts_that(name, _BEGINS, [self._text(node.args[0])])

    def _comparison(self, whole: ast.Compare, left: ast.expr, op: ast.cmpop, right: ast.expr) -> _Node:
        if isinstance(op, (ast.In, ast.NotIn)):
            inner = self._membership(left, right)
            return inner if isinstance(op, ast.In) else lambda columns, n: _contrary(inner(columns, n))
        if isinstance(op, (ast.Is, ast.IsNot)):
            if not (isinstance(left, ast.Name) and isinstance(right, ast.Constant) and right.value is None):
                raise self._refuse(whole, "a header before 'is None' or 'is not None'")
            return _is_missing(self._name(left), isinstance(op, ast.Is))
        compare = _COMPARISONS[type(op)][1]
        if isinstance(left, ast.Name) and isinstance(right, ast.Name):
            return self._two_headers(whole, left, compare, right)
        if isinstance(right, ast.Name):
            left, right, compare = right, left, _TURNED.get(compare, compare)
        if not isinstance(left, ast.Name):
            raise self._refuse(whole, "the name of a header on one side")
        name = self._name(left)
        if self.kind(name) == "text":
            return _text_compared(name, compare, self._text(right))
        return _value_compared(name, compare, self._value(name, right))

    def _two_headers(self, whole: ast.AST, left: ast.Name, compare: Any, right: ast.Name) -> _Node:
        a, b = self._name(left), self._name(right)
        if self.kind(a) != self.kind(b) or self.kind(a) == "text":
            raise self._refuse(whole, "two headers that are numbers, or dates, or a header and a value")

        def answer(x: Numbers | Texts, y: Numbers | Texts) -> Answer:
            assert isinstance(x, Numbers)
            assert isinstance(y, Numbers)
            return Answer(compare(x.values, y.values), x.valid & y.valid)

        return lambda columns, n: answer(columns[a], columns[b])

    def _membership(self, left: ast.expr, right: ast.expr) -> _Node:
        if isinstance(left, ast.Constant) and isinstance(right, ast.Name):
            return _texts_that(self._text_name(right), _WITHIN, [self._text(left)])
        if not isinstance(left, ast.Name):
            raise self._refuse(left, "the name of a header")
        if not isinstance(right, (ast.Tuple, ast.List, ast.Set)) or not right.elts:
            raise self._refuse(right, 'values in brackets, like ("GM", "IM")')
        name = self._name(left)
        if self.kind(name) == "text":
            texts = [self._text(element) for element in right.elts]
            return _any_of([_text_compared(name, np.equal, text) for text in texts])
        values = [self._value(name, element) for element in right.elts]
        return _any_of([_value_compared(name, np.equal, value) for value in values])

    def kind(self, name: str) -> str:
        """What a header is: ``number``, ``date``, ``time`` or ``text``."""
        return self.kinds.get(name) or (_KIND_NAMES[KINDS[name]] if name in KINDS else "text")

    def _name(self, node: ast.Name) -> str:
        self.names[node.id] = None
        return node.id

    def _text_name(self, node: ast.expr) -> str:
        if not isinstance(node, ast.Name) or self.kind(node.id) != "text":
            raise self._refuse(node, "a header that is a text")
        return self._name(node)

    def _text(self, node: ast.expr) -> bytes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            raise self._refuse(node, "a text in quotes")
        return node.value.encode()

    def _value(self, name: str, node: ast.expr) -> Any:
        kind = self.kind(name)
        value = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)) else node
        constant = value.value if isinstance(value, ast.Constant) else None
        if kind == "number":
            if isinstance(constant, bool) or not isinstance(constant, (int, float)):
                raise self._refuse(node, f"a number, which {name} is")
            number = float(constant) if abs(constant) < 1 << 53 else float("inf")
            negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
            return -number if negative else number
        example = "2025.05.01" if kind == "date" else "23:59:59"
        if value is node and isinstance(constant, str):
            try:
                if kind == "date":
                    return np.datetime64(datetime.datetime.strptime(constant, "%Y.%m.%d").date(), "D")
                time = datetime.datetime.strptime(constant, "%H:%M:%S")
                return np.timedelta64(time.hour * 3600 + time.minute * 60 + time.second, "s")
            except ValueError:
                pass
        raise self._refuse(node, f'a {kind} like "{example}", which {name} is')


def _all_of(parts: list[_Node]) -> _Node:
    def node(columns: Columns, n: int) -> Answer:
        answers = [part(columns, n) for part in parts]
        true = np.logical_and.reduce([a.true & a.known for a in answers])
        false = np.logical_or.reduce([~a.true & a.known for a in answers])
        return Answer(true, true | false)

    return node


def _any_of(parts: list[_Node]) -> _Node:
    def node(columns: Columns, n: int) -> Answer:
        answers = [part(columns, n) for part in parts]
        true = np.logical_or.reduce([a.true & a.known for a in answers])
        false = np.logical_and.reduce([~a.true & a.known for a in answers])
        return Answer(true, true | false)

    return node


def _contrary(answer: Answer) -> Answer:
    return Answer(~answer.true, answer.known)


def _is_missing(name: str, wanted: bool) -> _Node:
    return lambda columns, n: Answer(columns[name].valid != wanted, np.ones(n, np.bool_))


def _value_compared(name: str, compare: Callable[[Any, Any], Any], value: Any) -> _Node:
    def answer(column: Numbers | Texts) -> Answer:
        assert isinstance(column, Numbers)
        values = column.values.astype(np.float64) if isinstance(value, float) else column.values
        return Answer(np.asarray(compare(values, value)), column.valid)

    return lambda columns, n: answer(columns[name])


def _judged(column: Numbers | Texts, text: bytes, how: int) -> Any:
    assert isinstance(column, Texts)
    out = np.empty(column.size, np.int8)
    data = column.data if column.data.flags.writeable else column.data.copy()
    judge_texts(column.offsets, data, np.frombuffer(bytearray(text) or bytearray(1), np.uint8), len(text), how, out)
    return out


def _text_compared(name: str, compare: Callable[[Any, Any], Any], text: bytes) -> _Node:
    return lambda columns, n: Answer(
        np.asarray(compare(_judged(columns[name], text, _COMPARED), 0)), columns[name].valid
    )


def _texts_that(name: str, how: int, texts: list[bytes]) -> _Node:
    (text,) = texts
    return lambda columns, n: Answer(_judged(columns[name], text, how) == 1, columns[name].valid)


@entry
def judge_texts(offsets: Any, data: Any, text: Any, length: Any, how: Any, out: Any) -> None:
    """Compare each text with another (-1, 0, 1, by their bytes), or say whether it begins with it, or has it within."""
    for i in range(out.size):
        start, end = offsets[i], offsets[i + 1]
        if how == 0:
            k = 0
            while k < length and start + k < end and data[start + k] == text[k]:
                k += 1
            if k == length:
                out[i] = 0 if start + k == end else 1
            elif start + k == end:
                out[i] = -1
            else:
                out[i] = 1 if data[start + k] > text[k] else -1
            continue
        found = np.int8(0)
        at = start
        last = end - length if how == 2 else min(start, end - length)
        while at <= last and not found:
            k = 0
            while k < length and data[at + k] == text[k]:
                k += 1
            if k == length:
                found = np.int8(1)
            at += 1
        out[i] = found
