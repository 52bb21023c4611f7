"""Operators of an expression as nodes: calculations, comparisons, membership, and the negation of conditions.

A condition is true, false, or neither where a value is missing. Nodes say only where a condition is true. `negated`
returns the node that is true where a condition is false, so that a missing value satisfies neither.
"""

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, Never

from rookery.bitboards.pieces import find_piece_type
from rookery.positions.language import grammar, vocabulary
from rookery.positions.language.functions.light import PIECE_LETTERS, is_signature, lighter
from rookery.positions.language.headers import KINDS as HEADER_KINDS
from rookery.positions.language.headers import USUAL
from rookery.positions.language.tokens import QUOTED
from rookery.positions.language.tree import Parsed

_CONTRARY: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_ORDERED: Final = (grammar.NUMBER, grammar.DATE, grammar.TIME, grammar.TEXT)
_PLACES: Final = (grammar.DATE, grammar.TIME)  # kinds that a text in quotes may state
_WORDS: Final = {"&": "'and'", "|": "'or'"}


class Subject(NamedTuple):
    """The subject of expressions: positions, or games alone.

    `columns` has the kinds of columns of a table of games, whose names come before those of the language.
    """

    label: str  # the name of the argument that holds the text
    noun: str
    operand: str
    of_games: bool = False
    columns: Mapping[str, str] = {}


class Operations(ABC):
    """The part of a parser that knows operators."""

    parsed: Parsed
    _subject: Subject
    _nodes: dict[Any, grammar.Node]

    @abstractmethod
    def _value(self, part: ast.expr) -> grammar.Node:
        """Return the node of a part."""

    @abstractmethod
    def _check_context(self, at: Any, node: grammar.Node) -> None:
        """Refuse a node that has no meaning where it stands."""

    # Nodes and errors.

    def _refuse(self, part: Any, expected: str, found: str | None = None) -> Never:
        self.parsed.refuse(part, expected, found)

    def _node(self, at: Any, name: str, *args: Any, kind: str | None = None) -> grammar.Node:
        """Return the node of a function and its arguments."""
        name, args = lighter(name, args)
        function = grammar.FUNCTIONS[name]
        key = (name, *(("node", id(arg)) if isinstance(arg, grammar.Node) else (type(arg), arg) for arg in args))
        if key not in self._nodes:
            span = self.parsed.span(at)
            self._nodes[key] = grammar.Node(function, kind or function.kind, args, span.start, span.end)
        node = self._nodes[key]
        self._check_context(at, node)
        return node

    def _example(self, kind: str) -> str:
        return (vocabulary.EXAMPLES_OF_GAMES if self._subject.of_games else vocabulary.EXAMPLES)[kind]

    def _of_kind(self, part: ast.expr, kind: str, of: str = "") -> grammar.Node:
        """Return the node of a part that must be of a kind; `of` ends the message if it is not."""
        node = self._value(part)
        if kind == grammar.TRUTH and self._is_truth(node):
            return self._node(part, "!=", node, self._node(part, "number", 0))
        if kind not in (grammar.ANY, node.kind) and not (kind == grammar.TRUTH and node.kind == grammar.SET):
            expected = self._example(kind)
            if kind == grammar.TRUTH and node.kind == grammar.NUMBER:
                expected = f"a condition: compare the number, as in {self._source(part)} > 0"
            if kind == grammar.NUMBER and node.kind == grammar.SET:
                hint = f"count(...) is the size of a set, as in count({self._source(part)})"
                if self._source(part)[:2] in ("0x", "0X"):
                    hint = f"a hexadecimal number is a set, so write {node.args[0]}"
                expected = f"a number: {hint}"
            self._refuse(part, f"{expected}{of}{vocabulary.literal_hint(node, kind)}")
        return node

    def _source(self, part: ast.expr) -> str:
        source = self.parsed.source(part)
        return source if len(source) <= QUOTED // 2 else "..."

    # Conditions.

    def _joined(self, part: ast.BoolOp) -> grammar.Node:
        name = "all" if isinstance(part.op, ast.And) else "any"
        return self._all_or_any(part, name, (self._of_kind(value, grammar.TRUTH) for value in part.values))

    def _all_or_any(self, part: Any, name: str, terms: Iterable[grammar.Node]) -> grammar.Node:
        """Return conditions joined, with the terms of nested functions of the same kind, so that all can be reordered.

        >>> from rookery import Query
        >>> Query("is_check and (us.queens and is_mate)").plan.root
        all(is_check, pieces of a side(5, 'us'), is_mate)
        """
        flat: dict[grammar.Node, None] = {}
        for term in terms:
            flat |= dict.fromkeys(term.nodes if term.function.name == name else (term,))
        only = next(iter(flat))
        return only if len(flat) == 1 and only.kind == grammar.TRUTH else self._node(part, name, *flat)

    def _negated(self, part: Any, node: grammar.Node) -> grammar.Node:
        """Return the node that is true where a condition is false.

        >>> from rookery import Query
        >>> Query("not (is_check and clock < 30)").plan.root
        any(not(is_check), >=(clock('us'), number(30)))
        """
        name = node.function.name
        if not node.may_be_missing:
            return self._node(part, "not", node)
        if name in grammar.JOINED:
            other = "any" if name == "all" else "all"
            return self._all_or_any(part, other, [self._negated(part, term) for term in node.nodes])
        if name == "where known":
            condition, *knowledge = node.nodes
            return self._node(part, name, self._contrary(part, condition), *knowledge)
        contrary = self._contrary(part, node)
        return self._known(part, contrary) if contrary.function.name != "not" else self._where_known(part, contrary)

    def _contrary(self, part: Any, node: grammar.Node) -> grammar.Node:
        """Return where a comparison does not hold, if its operands are known."""
        if node.function.name == "not":
            return node.nodes[0]
        kind, _, sign = node.function.name.rpartition(" ")
        if sign in _CONTRARY:
            return self._node(part, f"{kind} {_CONTRARY[sign]}".strip(), *node.args)
        return self._node(part, "not", node)

    def _where_known(self, part: Any, node: grammar.Node) -> grammar.Node:
        """Return a condition that holds only where no operand of it is missing."""
        operands = node.nodes[0].nodes if node.function.name == "not" else node.nodes
        knowledge = [self._node(part, "is known", operand) for operand in operands if operand.may_be_missing]
        return self._node(part, "where known", node, *knowledge) if knowledge else node

    def _known(self, part: Any, node: grammar.Node) -> grammar.Node:
        """Return a comparison that does not hold for a missing text, whose place an empty one takes in positions."""
        is_of_texts = node.scope == grammar.OF_POSITION and any(operand.kind == grammar.TEXT for operand in node.nodes)
        return self._where_known(part, node) if is_of_texts else node

    # Calculations.

    def _binary(self, part: ast.BinOp) -> grammar.Node:
        sign = vocabulary.OPERATORS.get(type(part.op))
        if sign is None:
            self._refuse(part, "one of & | ^ - + * / // %")
        left, right = self._value(part.left), self._value(part.right)
        if sign in "&|^":
            return self._of_sets(part, sign, left, right)
        if sign == "+" and grammar.SET in (left.kind, right.kind):
            plus = self.parsed.operator(part.left, part.right)
            self._refuse(plus, "| between sets, or count(...) of each")
        if sign == "-" and left.kind == grammar.SET:
            return self._node(part, "set -", left, self._of_kind(part.right, grammar.SET))
        return self._node(
            part, sign, self._of_kind(part.left, grammar.NUMBER), self._of_kind(part.right, grammar.NUMBER)
        )

    def _of_sets(self, part: ast.BinOp, sign: str, left: grammar.Node, right: grammar.Node) -> grammar.Node:
        kinds = {left.kind, right.kind}
        if self._subject.of_games and grammar.SET not in kinds:
            expected = _WORDS.get(sign, "an operator, such as 'and' or '=='")
            self._refuse(self.parsed.operator(part.left, part.right), expected)
        for side, node in ((part.left, left), (part.right, right)):
            word = "and" if sign == "&" else "or"
            if grammar.TRUTH in kinds and node.kind in (grammar.TRUTH, grammar.NUMBER):
                self._refuse(side, f"a set of squares; conditions are joined by '{word}'")
            self._of_kind(side, grammar.SET)
        return self._node(part, sign, left, right)

    def _unary(self, part: ast.UnaryOp) -> grammar.Node:
        match part.op:
            case ast.Not():
                return self._negated(part, self._of_kind(part.operand, grammar.TRUTH))
            case ast.Invert():
                kind = self._value(part.operand).kind
                if self._subject.of_games and kind != grammar.SET:
                    self._refuse(self.parsed.token(part), "'not'")
                if kind == grammar.TRUTH:
                    self._refuse(part.operand, "a set of squares; a condition is negated by 'not'")
                return self._node(part, "~", self._of_kind(part.operand, grammar.SET))
            case ast.UAdd():
                return self._of_kind(part.operand, grammar.NUMBER)
        return self._node(part, "negative", self._of_kind(part.operand, grammar.NUMBER))

    # Comparisons.

    def _comparison(self, part: ast.Compare) -> grammar.Node:
        operands = [part.left, *part.comparators]
        pairs = zip(operands, operands[1:], part.ops, strict=False)
        return self._all_or_any(part, "all", [self._compared(part, left, right, op) for left, right, op in pairs])

    def _compared(self, part: ast.Compare, left: ast.expr, right: ast.expr, op: ast.cmpop) -> grammar.Node:
        match op:
            case ast.In() | ast.NotIn():
                answer = self._member(part, left, right)
                return self._negated(part, answer) if isinstance(op, ast.NotIn) else answer
            case ast.Is() | ast.IsNot():
                return self._missing(part, left, right, isinstance(op, ast.Is))
        sign = vocabulary.OPERATORS[type(op)]
        if isinstance(left, ast.Name) and self.parsed.source(left) == "move":
            self._refuse(left, "an attribute of the move, such as move.san or move.piece")
        for side in (left, right):
            if isinstance(side, ast.Constant) and side.value is None:
                self._refuse(side, "'is None' or 'is not None'")
            if isinstance(side, ast.Tuple | ast.List | ast.Set):
                self._refuse(side, "a value to compare")
        a = self._value(left)
        if a.kind == grammar.TEXT:
            self._check_quotes(right)
        b = self._value(right)
        a, b = self._alike(left, a, right, b), self._alike(right, b, left, a)
        if {a.kind, b.kind} == {grammar.SET, grammar.NUMBER}:
            self._of_kind(left if a.kind == grammar.SET else right, grammar.NUMBER)
        if a.kind != b.kind:
            self._refuse_comparison(left, a, right, b)
        if a.kind == grammar.TEXT:
            a, b = self._fitting(a, left, b), self._fitting(b, right, a)
        if a.kind == grammar.TRUTH and sign in ("==", "!=") and (a.may_be_missing or b.may_be_missing):
            return self._equal_conditions(part, sign, a, b)
        if a.kind not in _ORDERED and sign not in ("==", "!="):
            hint = "; count(...) is the size of a set" if a.kind == grammar.SET else ""
            self._refuse(self.parsed.operator(left, right), f"== or != between {vocabulary.KINDS[a.kind]}{hint}")
        return self._known(part, self._node(part, sign if a.kind == grammar.NUMBER else f"{a.kind} {sign}", a, b))

    def _equal_conditions(self, part: Any, sign: str, a: grammar.Node, b: grammar.Node) -> grammar.Node:
        """Return where two conditions, one of which may be neither true nor false, are equal, or where they differ."""
        not_a, not_b = self._negated(part, a), self._negated(part, b)
        pairs = ((a, b), (not_a, not_b)) if sign == "==" else ((a, not_b), (not_a, b))
        return self._all_or_any(part, "any", [self._all_or_any(part, "all", pair) for pair in pairs])

    def _refuse_comparison(self, left: ast.expr, a: grammar.Node, right: ast.expr, b: grammar.Node) -> Never:
        """Say what a value can be compared with: the written one of the two is at fault, else the second."""
        at, node, beside, other = (right, b, left, a)
        if self._is_written(a) and not self._is_written(b):
            at, node, beside, other = (left, a, right, b)
        source = self._source(beside)
        expected = f"a {other.kind}" if other.kind != grammar.SET else "a set"
        hint = vocabulary.literal_hint(node, other.kind)
        expected = f"{expected} such as {vocabulary.COMPARABLE[other.kind]}, which {source} is{hint}"
        self._refuse(at, f"{expected}{self._hint_for(node, self._source(at), other, source)}")

    def _hint_for(self, node: grammar.Node, written: str, other: grammar.Node, source: str) -> str:
        """Return what to write to compare a value with another of another kind, behind a colon or a semicolon."""
        name = other.function.name
        if name in ("result", "points"):
            return '; result(white) == 1 or Result == "1-0" where White won'
        text = node.args[0] if node.function.name == "text" else None
        if other.kind == grammar.NUMBER and text is not None and re.fullmatch(r"[-+]?[\d.]+", text):
            return f": write {text} without quotes"
        if other.kind == grammar.NUMBER and node.kind == grammar.TIME:
            return "; a time is a number of seconds, such as 30"
        if name == "header" and HEADER_KINDS.get(other.args[0]) == node.kind:
            return f": write {other.args[0]} instead of {source}"
        if other.kind == grammar.TEXT and node.kind == grammar.NUMBER and other.columns == ("TimeControl",):
            return ": write base or increment for its seconds, or speed"
        if other.kind == grammar.TEXT and node.function.name == "number":
            return f': write "{written}" with quotes'
        return ""

    @staticmethod
    def _is_written(node: grammar.Node) -> bool:
        return node.function.name in ("number", "text", "day", "time of day", "constant")

    def _alike(self, part: ast.expr, node: grammar.Node, beside: ast.expr, other: grammar.Node) -> grammar.Node:
        """Return a value in the kind of another if it can be: a text as a date or a time, a truth value as 0 or 1."""
        if node.function.name == "text" and other.kind in _PLACES:
            expected = f"a {other.kind} such as {vocabulary.COMPARABLE[other.kind]}, which {self._source(beside)} is"
            return self._moment(part, other.kind, node.args[0].strip(), expected)
        if node.function.name == "header column" and other.kind == grammar.DATE and node.kind == grammar.TEXT:
            name = node.args[0]
            return self._node(part, "day of header", name) if name.endswith("Date") else node  # like EventDate
        if node.function.name == "constant" and self._is_truth(other):
            return self._node(part, "number", int(node.args[0]))
        return node

    def _is_truth(self, node: grammar.Node) -> bool:
        """Check whether a value is a column of truth values, which counts as 0 or 1."""
        return node.function.name == "header column" and self._subject.columns.get(node.args[0]) == grammar.TRUTH

    @abstractmethod
    def _moment(self, part: ast.expr, kind: str, text: str, expected: str) -> grammar.Node:
        """Return the node of a date or a time."""

    def _missing(self, part: Any, left: ast.expr, right: ast.expr, is_missing: bool) -> grammar.Node:
        if not isinstance(right, ast.Constant) or right.value is not None:
            self._refuse(right, "'None'")
        node = self._value(left)
        if not node.may_be_missing and node.scope != grammar.OF_GAME:
            what = "a header" if self._subject.of_games else "a value that may be missing, such as clock or WhiteElo,"
            self._refuse(left, f"{what} before 'is None' or 'is not None'")
        known = self._node(part, "is known", node)
        return self._node(part, "not", known) if is_missing else known

    def _check_quotes(self, part: ast.expr) -> None:
        """Refuse a name that stands where a text in quotes was meant."""
        if self._subject.of_games or not isinstance(part, ast.Name) or self.parsed.token(part).kind != "name":
            return
        name = self.parsed.token(part).text
        if find_piece_type(name):
            self._refuse(part, 'a text in quotes, such as "N" for a knight')
        is_known = (
            name in vocabulary.PUBLIC_NAMES
            or name in (*vocabulary.SIDES, "move")
            or vocabulary.square_named(name) is not None
        )
        if not is_known and name not in USUAL:
            self._refuse(part, f'a text in quotes: "{name}"')

    def _fitting(self, node: grammar.Node, part: ast.expr, other: grammar.Node) -> grammar.Node:
        """Return a text to compare with another: the letter of a piece, whose name may be written, or a signature."""
        if node.function.name != "text":
            return node
        text = node.args[0]
        if other.function.name == "signature" and not is_signature(text):
            self._refuse(part, "a signature such as \"KRPvKR\": White's pieces, then Black's, each in the order KQRBNP")
        if other.function.name in ("move.piece", "move.captured", "move.promotion") and text:
            kind = find_piece_type(text)
            if kind is None:
                self._refuse(part, 'the letter of a piece, such as "N"')
            return self._node(part, "text", PIECE_LETTERS[kind])
        return node

    def _member(self, part: ast.Compare, left: ast.expr, right: ast.expr) -> grammar.Node:
        if isinstance(right, ast.Tuple | ast.List | ast.Set | ast.Dict):
            elements = () if isinstance(right, ast.Dict) else right.elts
            if not elements:
                self._refuse(right, 'values in brackets, such as ("N", "B")')
            return self._all_or_any(part, "any", [self._compared(part, left, one, ast.Eq()) for one in elements])
        a, b = self._value(left), self._value(right)
        if a.kind not in (grammar.SET, grammar.TEXT):
            self._refuse(right, "values in brackets, such as (1, 2)")
        if a.kind == grammar.TEXT and b.kind != grammar.TEXT:
            self._refuse(
                right, f'values in brackets, such as ("GM", "IM"), or a text{vocabulary.literal_hint(b, grammar.TEXT)}'
            )
        if a.function.name == "text":
            return self._known(part, self._node(part, "text contains", b, a.args[0]))
        return self._known(part, self._node(part, f"{a.kind} in", a, self._of_kind(right, a.kind)))
