"""The parser of conditions: from text to functions over columns, with all types checked.

The language is a subset of Python's expressions, with dates and times:

    condition   a comparison, a text's startswith or endswith, conditions with and, or, not
    comparison  values with == != < <= > >=, also chained; in, not in; is None, is not None
    value       a header, plies and other columns of `rookery.games.summaries`, a number, a date, a time, a text in
                quotes; numbers with + - * / // %, abs, min, max

`rookery.positions.language` turns the text into a tree, and `ConditionParser` walks the tree.
"""

import ast
import datetime
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple, Never

import numpy as np

from rookery.arguments import printable, shown
from rookery.games.summaries import KINDS as OF_MOVES
from rookery.games.where import values
from rookery.games.where.values import Evaluated
from rookery.positions.language.tokens import QUOTED, Token, number_of, text_of
from rookery.positions.language.tree import Parsed

_OPERAND: Final = "a header, a number, a date or a text in quotes"
_EXAMPLES: Final = {"number": "2000", "date": "2025-05-01", "time": "23:59:59", "text": '"Anna"'}
_COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_ARITHMETIC: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_WORDS: Final = {"&": "and", "|": "or", "~": "not"}  # for the signs of sets, which conditions do not have
_METHODS: Final = {
    "upper": "lower",
    "casefold": "lower",
    "matches": "startswith, endswith or in; there are no regular expressions",
    "match": "startswith, endswith or in; there are no regular expressions",
}


class _Part(NamedTuple):
    """A part of a condition: where it stands, the kind of its value, and the function that evaluates it."""

    at: ast.expr
    kind: str  # number, date, time, text, truth, condition, list or none
    run: Evaluated
    text: str | None = None  # of a text in quotes
    is_header: bool = False
    parts: tuple["_Part", ...] = ()  # of a list


class ConditionParser:
    """The parser of one condition.

    `node` evaluates it, `names` are the names of its headers, and `of_moves` names what is computed from the moves.
    """

    def __init__(self, text: str, kind_of: Callable[[str], str], headers: Collection[str]) -> None:
        """Parse a condition.

        `kind_of` returns the kind of a header's values, by its name. `headers` are names that are headers even if they
        are also names of what is computed from the moves.
        """
        if not text.strip():
            raise ValueError(f"where: {shown(text)}: expected a condition such as WhiteElo >= 2000")
        self.names: dict[str, None] = {}
        self.of_moves: dict[str, None] = {}
        self._kind_of, self._headers = kind_of, headers
        self._parsed = Parsed(text, "where", _OPERAND, "condition")
        self.node = self._condition(self._parsed.tree)
        if not self.names and not self.of_moves:
            self._refuse(self._parsed.tree, "the name of a header, such as WhiteElo >= 2000")

    def _refuse(self, at: Any, expected: str, found: str | None = None) -> Never:
        """Raise an error that quotes the condition and points to a part, a node or a token of it."""
        self._parsed.refuse(at.at if isinstance(at, _Part) else at, expected, found)

    def _source(self, part: _Part) -> str:
        text = printable(self._parsed.source(part.at))
        return text if len(text) <= QUOTED else f"{text[:QUOTED]}..."

    def _part(self, node: ast.expr) -> _Part:
        """Return what a node of the tree stands for."""
        match node:
            case ast.BoolOp(op=op, values=nodes):
                join = values.all_of if isinstance(op, ast.And) else values.any_of
                return _Part(node, "condition", join([self._condition(inner) for inner in nodes]))
            case ast.UnaryOp():
                return self._signed(node)
            case ast.BinOp():
                return self._calculated(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.Call(func=ast.Attribute() as method):
                return self._called_method(node, method)
            case ast.Call():
                return self._called(node)
            case ast.Attribute():
                self._part(node.value)
                self._refuse(self._parsed.token(node), "startswith, endswith or lower, with brackets")
            case ast.Tuple(elts=nodes) | ast.List(elts=nodes) | ast.Set(elts=nodes) if nodes:
                return _Part(node, "list", values.literal(0), parts=tuple(map(self._part, nodes)))
            case ast.Constant(value=None):
                return _Part(node, "none", values.literal(0))
            case ast.Constant(value=truth):
                return _Part(node, "truth", values.literal(truth))
            case ast.Tuple() | ast.List() | ast.Dict():
                self._refuse(node, 'values in brackets, such as ("GM", "IM")')
        assert isinstance(node, ast.Name)
        return self._word(node)

    # Conditions.

    def _condition(self, node: ast.expr) -> Evaluated:
        part = self._part(node)
        if part.kind == "truth" and part.is_header:
            return values.is_true(part.run)
        if part.kind != "condition":
            self._refuse(part, "a comparison, such as WhiteElo >= 2000")
        return part.run

    def _comparison(self, node: ast.Compare) -> _Part:
        nodes = [node.left, *node.comparators]
        left, answers = self._part(node.left), []
        for i, op in enumerate(node.ops):
            right = self._part(nodes[i + 1])
            match op:
                case ast.Is() | ast.IsNot():
                    if right.kind != "none":
                        self._refuse(right, "'None'")
                    if not left.is_header:
                        self._refuse(left, "a header before 'is None' or 'is not None'")
                    answers.append(values.is_missing(left.run, isinstance(op, ast.Is)))
                case ast.In():
                    answers.append(self._member(left, right))
                case ast.NotIn():
                    answers.append(values.contrary(self._member(left, right)))
                case _:
                    answers.append(self._compared(_COMPARISONS[type(op)], left, right))
            left = right
        return _Part(node, "condition", answers[0] if len(answers) == 1 else values.all_of(answers))

    def _compared(self, sign: str, left: _Part, right: _Part) -> Evaluated:
        for part in (left, right):
            if part.kind == "none":
                self._refuse(part, "'is None' or 'is not None'")
            if part.kind in ("condition", "list"):
                self._refuse(part, "a value to compare")
        if left.kind == right.kind == "truth" and sign not in ("==", "!="):
            self._refuse(right, "'==' or '!=' between truth values", sign)
        left, right = self._like(left, right), self._like(right, left)
        if left.kind != right.kind:
            given, other = (left, right) if right.is_header and not left.is_header else (right, left)
            self._refuse(given, self._comparable(other, given))
        return values.compared(sign, left.kind, left.run, right.run)

    def _comparable(self, other: _Part, given: _Part) -> str:
        """Describe the values that can be compared with a part."""
        text = f"a {other.kind} such as {_EXAMPLES.get(other.kind, 'True')}, which {self._source(other)} is"
        if other.kind == "number" and given.text is not None and re.fullmatch(r"[-+]?[\d.]+", given.text):
            return f"{text}: write {given.text} without quotes"
        if other.kind == "text" and given.kind == "number" and self._source(other) == "TimeControl":
            return f"{text}: write base or increment for its seconds, or speed"
        if other.kind == "text" and given.kind == "number" and isinstance(given.at, ast.Name) and not given.is_header:
            return f'{text}: write "{self._source(given)}" with quotes'
        return text

    def _like(self, part: _Part, other: _Part) -> _Part:
        """Convert a part to the kind of another if possible: a text to a date or a time, a truth value to 0 or 1."""
        if part.kind == "truth" and part.is_header and other.kind == "number":
            return part._replace(kind="number")
        if part.is_header and part.kind == "text" and other.kind == "date" and self._source(part).endswith("Date"):
            return part._replace(kind="date", run=values.as_dates(part.run))  # like EventDate
        if part.text is not None and other.kind in ("date", "time"):
            expected = f"a {other.kind} such as {_EXAMPLES[other.kind]}, which {self._source(other)} is"
            return self._moment(part.at, other.kind, part.text.strip(), expected)
        return part

    def _member(self, left: _Part, right: _Part) -> Evaluated:
        if right.kind == "text" and right.text is None:
            if left.text is None:
                self._refuse(left, f"a text in quotes before 'in {self._source(right)}'")
            return values.text_that("in", right.run, left.text.encode())
        if right.kind != "list":
            self._refuse(right, f'values in brackets, such as ("GM", "IM"), or a header that is a text{_hint(right)}')
        return values.any_of([self._compared("==", left, part) for part in right.parts])

    # Numbers.

    def _number(self, node: ast.expr) -> _Part:
        part = self._part(node)
        if part.kind == "truth" and part.is_header:
            return part._replace(kind="number")
        if part.kind != "number":
            self._refuse(part, "a number")
        return part

    def _signed(self, node: ast.UnaryOp) -> _Part:
        if isinstance(node.op, ast.Not):
            return _Part(node, "condition", values.contrary(self._condition(node.operand)))
        if isinstance(node.op, ast.Invert):
            self._refuse(self._parsed.token(node), "'not'")
        number = self._number(node.operand).run
        if isinstance(node.op, ast.USub):
            number = values.arithmetic("-", [values.literal(0), number])
        return _Part(node, "number", number)

    def _calculated(self, node: ast.BinOp) -> _Part:
        sign = _ARITHMETIC.get(type(node.op))
        if sign is None:
            token = self._parsed.operator(node.left, node.right)
            word = _WORDS.get(token.text)
            self._refuse(token, f"'{word}'" if word else "an operator, such as 'and' or '=='")
        numbers = [self._number(inner).run for inner in (node.left, node.right)]
        return _Part(node, "number", values.arithmetic(sign, numbers))

    def _called(self, node: ast.Call) -> _Part:
        """Return what a call of ``abs``, ``min`` or ``max`` stands for."""
        name = self._parsed.source(node.func)
        if name not in ("abs", "min", "max") or not node.args:
            self._refuse(node.func, "a header, or abs, min or max of numbers")
        self._check_no_keywords(node)
        numbers = [self._number(argument).run for argument in node.args]
        if (len(numbers) == 1) != (name == "abs"):
            self._refuse(node, "one number" if name == "abs" else "two numbers or more")
        return _Part(node, "number", values.arithmetic(name, numbers))

    # Texts.

    def _called_method(self, node: ast.Call, method: ast.Attribute) -> _Part:
        inner, token = self._part(method.value), self._parsed.token(method)
        arguments = [self._part(argument) for argument in node.args]
        if inner.kind != "text":
            self._refuse(inner, f"a header that is a text{_hint(inner)}")
        self._check_no_keywords(node)
        if token.text == "lower" and not arguments:
            return _Part(node, "text", values.lower(inner.run))
        if token.text == "contains" and len(arguments) == 1:
            self._refuse(token, f"in: write {self._source(arguments[0])} in {self._source(inner)}")
        if token.text not in ("startswith", "endswith"):
            self._refuse(token, _METHODS.get(token.text, "startswith, endswith or lower"))
        return self._beginning(node, inner, token.text, arguments)

    def _check_no_keywords(self, node: ast.Call) -> None:
        for argument in node.keywords:
            self._refuse(self._parsed.token(argument), "a value without the name of an argument")

    def _beginning(self, node: ast.Call, inner: _Part, how: str, arguments: list[_Part]) -> _Part:
        if len(arguments) != 1:
            self._refuse(node, "one text within the brackets")
        answers = []
        for part in arguments[0].parts or arguments:
            if part.text is None:
                self._refuse(part, "a text in quotes")
            answers.append(values.text_that(how, inner.run, part.text.encode()))
        return _Part(node, "condition", values.any_of(answers))

    # Headers and literals.

    def _word(self, node: ast.Name) -> _Part:
        token = self._parsed.token(node)
        if token.kind == "number":
            return _Part(node, "number", values.literal(number_of(token.text)))
        if token.kind in ("date", "time"):
            return self._moment(node, token.kind, token.text, f"a {token.kind} that exists")
        if token.kind == "text":
            text = text_of(token.text)
            return _Part(node, "text", values.literal(text.encode()), text=text)
        return self._header(node, token)

    def _header(self, node: ast.Name, token: Token) -> _Part:
        name = token.text.strip("`")
        if name in OF_MOVES and name not in self._headers:
            self.of_moves[name] = None
            return _Part(node, OF_MOVES[name], values.of_moves(name, OF_MOVES[name]))
        self.names[name] = None
        return _Part(node, self._kind_of(name), values.header(name), is_header=True)

    def _moment(self, node: ast.expr, kind: str, text: str, expected: str) -> _Part:
        """Return what a date or a time stands for."""
        try:
            if kind == "date":
                sign = "." if "." in text else "-"
                date = datetime.datetime.strptime(text, f"%Y{sign}%m{sign}%d").date()
                if len(text) != len("2025-05-01"):  # like 2025-5-1
                    raise ValueError
                data: Any = np.datetime64(date, "D")
            else:
                time = datetime.datetime.strptime(text, "%H:%M:%S")
                data = np.timedelta64(time.hour * 3600 + time.minute * 60 + time.second, "s")
        except ValueError:
            self._refuse(node, expected)
        return _Part(node, kind, values.literal(data))


def _hint(part: _Part) -> str:
    """Return how to select by what a part is not: a text."""
    return "; for the year alone, write year == 1886" if part.kind == "date" else ""


def kinds_of(columns: Mapping[str, Any]) -> dict[str, str]:
    """Return the kind of each column's values."""
    letters = {"M": "date", "m": "time", "b": "truth"}
    return {
        name: letters.get(column.values.dtype.kind, "number") if hasattr(column, "values") else "text"
        for name, column in columns.items()
    }
