"""The parser of conditions: from text to functions over columns, with all types checked.

The language is written like Python's expressions, with dates, and never run as Python:

    condition   a comparison, a text's startswith or endswith, conditions with and, or, not
    comparison  values with == != < <= > >=, also chained; in, not in; is None, is not None
    value       a header, plies, a number, a date, a time, a text in quotes; numbers with + - * / // %, abs, min, max
"""

import datetime
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, Never

import numpy as np

from rookery.arguments import printable, shown
from rookery.games.where import values
from rookery.games.where.values import Evaluated
from rookery.syntax.tokens import QUOTED, Token, number_of, refuse, text_of, tokens_of

LONGEST: Final = 10_000  # characters of a condition
_DEEPEST: Final = 30  # nested brackets, functions and signs: each takes ten nested calls to read
_LONGEST_CHAIN: Final = 100  # operators in a row
_EXAMPLES: Final = {"number": "2000", "date": "2025-05-01", "time": "23:59:59", "text": '"Anna"'}
_WRITE: Final = {"=": "==", "&": "and", "&&": "and", "|": "or", "||": "or", "!": "not", "<>": "!="}
_WORDS: Final = ("and", "or", "not", "in", "is", "None", "True", "False")
_METHODS: Final = {
    "upper": "lower",
    "casefold": "lower",
    "matches": "startswith, endswith or in; there are no regular expressions",
    "match": "startswith, endswith or in; there are no regular expressions",
}


class _Node(NamedTuple):
    """A parsed part of a condition: the kind of its value, and the function that evaluates it."""

    kind: str  # number, date, time, text, truth, condition, list or none
    run: Evaluated
    start: int
    end: int
    depth: int = 0
    text: str | None = None  # of a text in quotes
    is_header: bool = False
    parts: tuple["_Node", ...] = ()  # of a list


class ConditionParser:
    """The parser of one condition. `node` evaluates it; `names` are the names of its headers."""

    def __init__(self, text: str, kind_of: Callable[[str], str], plies_is_header: bool) -> None:
        """Parse a condition. `kind_of` returns the kind of a header's values, by its name."""
        self.text = text
        self.names: dict[str, None] = {}
        self.needs_plies = False
        self._kind_of, self._plies_is_header = kind_of, plies_is_header
        if not text.isascii() and text != text.encode("utf-8", "replace").decode():
            raise ValueError(f"where: {shown(text)}: expected text without lone surrogates")
        if len(text) > LONGEST:
            raise ValueError(f"where: a condition of {len(text):,} characters: expected at most {LONGEST:,}")
        if not text.strip():
            raise ValueError(f"where: {shown(text)}: expected a condition such as WhiteElo >= 2000")
        self._tokens = list(tokens_of(text, "where"))
        self._place = self._level = 0
        whole = self._any()
        if self._next.kind != "end":
            self._refuse_next("an operator, such as 'and' or '=='")
        self.node = self._as_condition(whole)
        if not self.names and not self.needs_plies:
            self.refuse(whole, "the name of a header, such as WhiteElo >= 2000")

    # Errors.

    def refuse(self, part: Any, expected: str, found: str | None = None) -> Never:
        """Raise an error that quotes the condition and points to a part of it."""
        refuse(self.text, "where", part, expected, found)

    def _refuse_next(self, expected: str) -> Never:
        token = self._next
        if token.text in _WRITE:
            expected = f"'{_WRITE[token.text]}'"
        elif token.text.lower() in _WORDS and token.text not in _WORDS:
            expected = f"'{token.text.lower()}' in lower case"
        self.refuse(token, expected, "the condition ends" if token.kind == "end" else None)

    # Tokens.

    @property
    def _next(self) -> Token:
        return self._tokens[self._place]

    def _taken(self, *texts: str) -> Token | None:
        """Return the next token and move past it if it is one of some signs or words; else return None."""
        token = self._next
        if token.kind not in ("sign", "name") or token.text not in texts:
            return None
        self._place += 1
        return token

    def _expect(self, text: str) -> Token:
        return self._taken(text) or self._refuse_next(f"'{text}'")

    # Conditions.

    def _join(self, kind: str, run: Evaluated, parts: list[_Node], start: int | None = None) -> _Node:
        """Return a node made of others."""
        depth = 1 + max(part.depth for part in parts)
        node = _Node(kind, run, parts[0].start if start is None else start, parts[-1].end, depth)
        if depth > _LONGEST_CHAIN:
            self.refuse(node, f"at most {_LONGEST_CHAIN} operators", "nested too deep")
        return node

    def _any(self) -> _Node:
        return self._joined("or", values.any_of, lambda: self._joined("and", values.all_of, self._negated))

    def _joined(self, word: str, join: Callable[[list[Evaluated]], Evaluated], part: Callable[[], _Node]) -> _Node:
        parts = [part()]
        while self._taken(word):
            parts.append(part())
        return (
            parts[0]
            if len(parts) == 1
            else self._join("condition", join([self._as_condition(p) for p in parts]), parts)
        )

    def _as_condition(self, node: _Node) -> Evaluated:
        if node.kind == "truth" and node.is_header:
            return values.is_true(node.run)
        if node.kind != "condition":
            self.refuse(node, "a comparison, such as WhiteElo >= 2000")
        return node.run

    def _negated(self) -> _Node:
        if token := self._taken("not"):
            self._enter(token)
            inner = self._negated()
            self._level -= 1
            return self._join("condition", values.contrary(self._as_condition(inner)), [inner], token.start)
        return self._comparison()

    def _enter(self, token: Token) -> None:
        self._level += 1
        if self._level > _DEEPEST:
            self.refuse(token, f"at most {_DEEPEST} levels", "nested too deep")

    def _comparison(self) -> _Node:
        sides, answers = [self._sum()], []
        while True:
            if token := self._taken(*values.COMPARISONS):
                sides.append(self._sum())
                answers.append(self._compared(token.text, sides[-2], sides[-1]))
            elif self._taken("is"):
                missing = not self._taken("not")
                if not self._taken("None"):
                    self._refuse_next("'None'")
                if not sides[-1].is_header:
                    self.refuse(sides[-1], "a header before 'is None' or 'is not None'")
                answers.append(values.is_missing(sides[-1].run, missing))
                sides.append(sides[-1]._replace(kind="none", is_header=False))
            elif self._next.text in ("in", "not") and self._next.kind == "name":
                negative = self._taken("not")
                self._expect("in")
                sides.append(self._sum())
                answer = self._member(sides[-2], sides[-1])
                answers.append(values.contrary(answer) if negative else answer)
            else:
                break
        if not answers:
            return sides[0]
        return self._join("condition", answers[0] if len(answers) == 1 else values.all_of(answers), sides)

    def _compared(self, sign: str, left: _Node, right: _Node) -> Evaluated:
        for node in (left, right):
            if node.kind == "none":
                self.refuse(node, "'is None' or 'is not None'")
            if node.kind in ("condition", "list"):
                self.refuse(node, "a value to compare")
        if left.kind == right.kind == "truth" and sign not in ("==", "!="):
            self.refuse(right, "'==' or '!=' between truth values", sign)
        left, right = self._like(left, right), self._like(right, left)
        if left.kind != right.kind:
            given, other = (left, right) if right.is_header and not left.is_header else (right, left)
            self.refuse(given, self._comparable(other, given))
        return values.compared(sign, left.kind, left.run, right.run)

    def _comparable(self, other: _Node, given: _Node) -> str:
        """Describe the values that can be compared with a node."""
        text = f"a {other.kind} such as {_EXAMPLES.get(other.kind, 'True')}, which {self._source(other)} is"
        if other.kind == "number" and given.text is not None and re.fullmatch(r"[-+]?[\d.]+", given.text):
            return f"{text}: write {given.text} without quotes"
        if other.kind == "text" and given.kind == "number" and given.depth == 0:
            return f'{text}: write "{self._source(given)}" with quotes'
        return text

    def _source(self, node: _Node) -> str:
        text = printable(self.text[node.start : node.end])
        return text if len(text) <= QUOTED else f"{text[:QUOTED]}..."

    def _like(self, node: _Node, other: _Node) -> _Node:
        """Convert a node to the kind of another if possible: a text to a date or a time, a truth value to 0 or 1."""
        if node.kind == "truth" and node.is_header and other.kind == "number":
            return node._replace(kind="number")
        if node.text is not None and other.kind in ("date", "time"):
            token = Token(other.kind, node.text.strip(), node.start, node.end)
            return self._moment(
                token, f"a {other.kind} such as {_EXAMPLES[other.kind]}, which {self._source(other)} is"
            )
        return node

    def _member(self, left: _Node, right: _Node) -> Evaluated:
        if right.kind == "text" and right.text is None:
            if left.text is None:
                self.refuse(left, f"a text in quotes before 'in {self._source(right)}'")
            return values.text_that("in", right.run, left.text.encode())
        if right.kind != "list":
            expected = 'values in brackets, such as ("GM", "IM"), or a header that is a text'
            self.refuse(right, expected)
        return values.any_of([self._compared("==", left, part) for part in right.parts])

    # Values.

    def _sum(self) -> _Node:
        return self._calculated(("+", "-"), lambda: self._calculated(("*", "/", "//", "%"), self._signed))

    def _calculated(self, signs: tuple[str, ...], part: Callable[[], _Node]) -> _Node:
        node = part()
        while token := self._taken(*signs):
            parts = [self._number(node), self._number(part())]
            node = self._join("number", values.arithmetic(token.text, [p.run for p in parts]), parts)
        return node

    def _number(self, node: _Node) -> _Node:
        if node.kind == "truth" and node.is_header:
            return node._replace(kind="number")
        if node.kind != "number":
            self.refuse(node, "a number")
        return node

    def _signed(self) -> _Node:
        token = self._taken("-", "+")
        if not token:
            return self._with_methods()
        self._enter(token)
        inner = self._number(self._signed())
        self._level -= 1
        minus = values.arithmetic("-", [values.literal(0), inner.run])
        return self._join("number", minus if token.text == "-" else inner.run, [inner], token.start)

    def _with_methods(self) -> _Node:
        node = self._atom()
        while self._taken("."):
            token = self._next
            if token.kind != "name":
                self._refuse_next("startswith, endswith or lower")
            self._place += 1
            self._expect("(")
            arguments = self._until(")")
            whole = node._replace(end=self._tokens[self._place - 1].end)
            if node.kind != "text":
                self.refuse(node, "a header that is a text")
            if token.text == "lower" and not arguments:
                node = self._join("text", values.lower(node.run), [node])._replace(end=whole.end)
            elif token.text in ("startswith", "endswith"):
                node = self._beginning(node, token.text, arguments, whole)
            elif token.text == "contains" and len(arguments) == 1:
                self.refuse(token, f"in: write {self._source(arguments[0])} in {self._source(node)}")
            else:
                self.refuse(token, _METHODS.get(token.text, "startswith, endswith or lower"))
        return node

    def _beginning(self, node: _Node, how: str, arguments: list[_Node], whole: _Node) -> _Node:
        given = arguments[0].parts if len(arguments) == 1 and arguments[0].kind == "list" else tuple(arguments[:1])
        if len(arguments) != 1 or not given:
            self.refuse(whole, "one text within the brackets")
        answers = []
        for part in given:
            if part.text is None:
                self.refuse(part, "a text in quotes")
            answers.append(values.text_that(how, node.run, part.text.encode()))
        return self._join("condition", values.any_of(answers), [node])._replace(end=whole.end)

    def _until(self, bracket: str) -> list[_Node]:
        """Parse values with commas between them, up to a bracket."""
        parts: list[_Node] = []
        while not self._taken(bracket):
            if parts:
                if not self._taken(","):
                    self._refuse_next(f"',' or '{bracket}'")
                if self._taken(bracket):
                    break
            parts.append(self._any())
        return parts

    def _atom(self) -> _Node:
        token = self._next
        self._place += 1
        where = token.start, token.end
        if token.kind == "number":
            return _Node("number", values.literal(number_of(token.text)), *where)
        if token.kind in ("date", "time"):
            return self._moment(token, f"a {token.kind} that exists")
        if token.kind == "text":
            text = text_of(token.text)
            return _Node("text", values.literal(text.encode()), *where, text=text)
        if token.text in ("(", "[", "{"):
            return self._bracketed(token)
        if token.kind != "name" or token.text in ("and", "or", "not", "in", "is"):
            self._place -= 1
            self._refuse_next("a header, a number, a date or a text in quotes")
        return self._named(token)

    def _bracketed(self, token: Token) -> _Node:
        self._enter(token)
        close = {"(": ")", "[": "]", "{": "}"}[token.text]
        parts = self._until(close)
        self._level -= 1
        end = self._tokens[self._place - 1].end
        single = len(parts) == 1 and token.text == "(" and self._tokens[self._place - 2].text != ","
        if single:
            return parts[0]._replace(start=token.start, end=end)
        node = _Node("list", values.literal(0), token.start, end, parts=tuple(parts))
        if not parts:
            self.refuse(node, 'values in brackets, such as ("GM", "IM")')
        return node

    def _named(self, token: Token) -> _Node:
        where = token.start, token.end
        if token.text == "None":
            return _Node("none", values.literal(0), *where)
        if token.text in ("True", "False"):
            return _Node("truth", values.literal(token.text == "True"), *where)
        if self._taken("("):
            return self._called(token)
        if token.text.lower() in _WORDS and self._next.kind in ("name", "number", "text"):
            self.refuse(token, f"'{token.text.lower()}' in lower case")
        name = token.text.strip("`")
        if name == values.PLIES and not self._plies_is_header:
            self.needs_plies = True
            return _Node("number", values.plies, *where)
        self.names[name] = None
        return _Node(self._kind_of(name), values.header(name), *where, is_header=True)

    def _called(self, token: Token) -> _Node:
        """Parse a call of ``abs``, ``min`` or ``max``."""
        self._enter(token)
        parts = [self._number(part) for part in self._until(")")] if token.text in ("abs", "min", "max") else []
        self._level -= 1
        if not parts:
            self.refuse(token, "a header, or abs, min or max of numbers")
        end = self._tokens[self._place - 1].end
        if (len(parts) == 1) != (token.text == "abs"):
            self.refuse(token._replace(end=end), "one number" if token.text == "abs" else "two numbers or more")
        run = values.arithmetic(token.text, [part.run for part in parts])
        return self._join("number", run, parts, token.start)._replace(end=end)

    def _moment(self, token: Token, expected: str) -> _Node:
        """Return the node of a date or a time."""
        try:
            if token.kind == "date":
                sign = "." if "." in token.text else "-"
                date = datetime.datetime.strptime(token.text, f"%Y{sign}%m{sign}%d").date()
                if len(token.text) != len("2025-05-01"):  # like 2025-5-1
                    raise ValueError
                data: Any = np.datetime64(date, "D")
            else:
                time = datetime.datetime.strptime(token.text, "%H:%M:%S")
                data = np.timedelta64(time.hour * 3600 + time.minute * 60 + time.second, "s")
        except ValueError:
            self.refuse(token, expected)
        return _Node(token.kind, values.literal(data), token.start, token.end)


def kinds_of(columns: Mapping[str, Any]) -> dict[str, str]:
    """Return the kind of each column's values."""
    letters = {"M": "date", "m": "time", "b": "truth"}
    return {
        name: letters.get(column.values.dtype.kind, "number") if hasattr(column, "values") else "text"
        for name, column in columns.items()
    }
