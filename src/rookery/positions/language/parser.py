"""From the text of a query to typed nodes; equal parts of a query become one node.

The language is a subset of Python's expressions and is never run as Python. `rookery.positions.language.names` has
its names.
"""

import ast
from typing import Any, Final, Never

from rookery.bitboards.pieces import find_piece_type
from rookery.positions.language.function import (
    ANY,
    FUNCTIONS,
    NUMBER,
    PIECE,
    REQUIRED,
    SAME,
    SET,
    SIDE,
    TEXT,
    TRACKED,
    TRUTH,
    Function,
    Node,
    Parameter,
    Written,
)
from rookery.positions.language.functions.identity import START_SQUARE
from rookery.positions.language.functions.light import PIECE_LETTERS, is_signature, lighter
from rookery.positions.language.names import (
    ATTRIBUTES_OF_MOVE,
    EXAMPLES,
    KINDS,
    OPERATORS,
    PIECES_OF_SIDES,
    PUBLIC_NAMES,
    SIDES,
    known_name,
    literal_hint,
    one_of,
    owner_of,
    side_expected,
    square_named,
)
from rookery.positions.language.tokens import number_of, text_of
from rookery.positions.language.tree import Parsed

_VALUE: Final = "a set, a number or a condition, such as us.knights or count(us.pawns) > 4"
_OTHER_LITERALS: Final = {"date": 'a text in quotes, such as "2025-05-01"', "time": "a number of seconds, such as 30"}
_ALTERNATIVES: Final = ("possible", "count_possible")


class QueryParser:
    """The parser of one query. `root` is its node."""

    def __init__(self, text: str, nodes: dict[Any, Node], label: str = "query") -> None:
        """Parse a query. `nodes` has the nodes made so far, which queries that are evaluated together share."""
        self._nodes = nodes
        self._within: tuple[str, ...] = ()  # the functions of `_ALTERNATIVES` and `after` around the current part
        self.parsed = Parsed(text, label, _VALUE, "query")
        self.root = self._value(self.parsed.tree)

    # Nodes and errors.

    def _refuse(self, part: Any, expected: str, found: str | None = None) -> Never:
        self.parsed.refuse(part, expected, found)

    def _node(self, at: Any, name: str, *args: Any, kind: str | None = None) -> Node:
        """Return the node of a function and its arguments."""
        name, args = lighter(name, args)
        function = FUNCTIONS[name]
        key = (name, *(("node", id(arg)) if isinstance(arg, Node) else (type(arg), arg) for arg in args))
        if key not in self._nodes:
            span = self.parsed.span(at)
            self._nodes[key] = Node(function, kind or function.kind, args, span.start, span.end)
        node = self._nodes[key]
        self._check_context(at, node)
        return node

    def _check_context(self, at: Any, node: Node) -> None:
        """Refuse what has no meaning within `after` and `possible`."""
        function = node.function
        alternative = max((k for k, name in enumerate(self._within) if name in _ALTERNATIVES), default=-1)
        is_after_move = "after" in self._within[alternative + 1 :]  # the move in question has been made
        if (function.needs_games and "after" in self._within) or (function.uses_move and is_after_move):
            self._refuse(at, "a value of the position alone within after(...), not of its game or a move")
        if self._within and node.function.sequence and node.uses_move:
            self._refuse(at, f"a value without the move in question within {self._within[-1]}(...)")

    def _of_kind(self, part: ast.expr, kind: str, of: str = "") -> Node:
        """Return the node of a part that must be of a kind; `of` ends the message if it is not."""
        node = self._value(part)
        if kind not in (ANY, node.kind) and not (kind == TRUTH and node.kind == SET):
            expected = EXAMPLES[kind]
            if kind == TRUTH and node.kind == NUMBER:
                expected = f"a condition: compare the number, as in {self._source(part)} > 0"
            if kind == NUMBER and node.kind == SET:
                expected = f"a number: count(...) is the size of a set, as in count({self._source(part)})"
            self._refuse(part, f"{expected}{of}{literal_hint(node, kind)}")
        return node

    def _source(self, part: ast.expr) -> str:
        source = self.parsed.source(part)
        return source if len(source) <= 40 else "..."

    # Values.

    def _value(self, part: ast.expr) -> Node:
        reader = _READERS.get(type(part))
        if reader is None:
            self._refuse(part, _VALUE)
        node: Node = reader(self, part)
        return node

    def _constant(self, part: ast.Constant) -> Node:
        if not isinstance(part.value, bool):
            self._refuse(part, _VALUE)
        return self._node(part, "constant", part.value)

    def _joined(self, part: ast.BoolOp) -> Node:
        name = "all" if isinstance(part.op, ast.And) else "any"
        terms = tuple(self._of_kind(value, TRUTH) for value in part.values)
        return self._node(part, name, *self._flat(name, terms))

    @staticmethod
    def _flat(name: str, terms: tuple[Node, ...]) -> tuple[Node, ...]:
        """Return terms with those of nested functions of the same kind, so that all can be reordered."""
        flat: list[Node] = []
        for term in terms:
            flat += term.nodes if term.function.name == name else (term,)
        return tuple(dict.fromkeys(flat))

    def _name(self, part: ast.Name) -> Node:
        token = self.parsed.token(part)
        if token.kind == "number":
            value = number_of(token.text)
            return self._number(part, token.text, value)
        if token.kind == "text":
            return self._node(part, "text", text_of(token.text))
        if token.kind != "name":
            self._refuse(part, _OTHER_LITERALS[token.kind])
        name = token.text
        if name in SIDES:
            return self._node(part, "pieces", name)
        square = square_named(name)
        if square is not None:
            return self._node(part, "board", 1 << square)
        if name == "move":
            self._refuse(part, f"an attribute of the move: {', '.join(f'move.{a}' for a in ATTRIBUTES_OF_MOVE)}")
        if name not in PUBLIC_NAMES:
            self._refuse_name(part, name)
        return self._applied(part, FUNCTIONS[name], [], [])

    def _number(self, part: ast.Name, text: str, value: float) -> Node:
        if text[:2] in ("0x", "0X"):
            if not isinstance(value, int) or value >= 1 << 64:
                self._refuse(part, "a set of 64 bits")
            return self._node(part, "board", value)
        return self._node(part, "number", value)

    def _refuse_name(self, part: Any, name: str) -> Never:
        self._refuse(part, known_name(name), f"unknown name {name}")

    def _attribute(self, part: ast.Attribute) -> Node:
        owner = part.value
        name = self.parsed.token(owner).text if isinstance(owner, ast.Name) else ""
        attribute = self.parsed.token(part).text
        if name == "move":
            if attribute not in ATTRIBUTES_OF_MOVE:
                self._refuse(part, one_of(name, attribute, ATTRIBUTES_OF_MOVE))
            return self._node(part, f"move.{attribute}")
        if name not in SIDES:
            self._refuse(owner, owner_of(self._source(owner), attribute))
        if attribute not in PIECES_OF_SIDES:
            self._refuse(part, one_of(name, attribute, [a for a in PIECES_OF_SIDES if a != "kings"]))
        kind = PIECES_OF_SIDES[attribute]
        return self._node(part, "pieces", name) if kind is None else self._node(part, "pieces of a side", kind, name)

    # Operators.

    def _binary(self, part: ast.BinOp) -> Node:
        sign = OPERATORS.get(type(part.op))
        if sign is None:
            self._refuse(part, "one of & | ^ - + * / // %")
        left, right = self._value(part.left), self._value(part.right)
        if sign in "&|^":
            for side, node in ((part.left, left), (part.right, right)):
                word = "and" if sign == "&" else "or"
                if TRUTH in (left.kind, right.kind) and node.kind in (TRUTH, NUMBER):
                    self._refuse(side, f"a set of squares; conditions are joined by '{word}'")
                self._of_kind(side, SET)
            return self._node(part, sign, left, right)
        if sign == "+" and SET in (left.kind, right.kind):
            plus = self.parsed.operator(part.left, part.right)
            self._refuse(plus, "| between sets, or count(...) of each")
        if sign == "-" and left.kind == SET:
            return self._node(part, "set -", left, self._of_kind(part.right, SET))
        return self._node(part, sign, self._of_kind(part.left, NUMBER), self._of_kind(part.right, NUMBER))

    def _unary(self, part: ast.UnaryOp) -> Node:
        match part.op:
            case ast.Not():
                return self._node(part, "not", self._of_kind(part.operand, TRUTH))
            case ast.Invert():
                if self._value(part.operand).kind == TRUTH:
                    self._refuse(part.operand, "a set of squares; a condition is negated by 'not'")
                return self._node(part, "~", self._of_kind(part.operand, SET))
            case ast.UAdd():
                return self._of_kind(part.operand, NUMBER)
        return self._node(part, "negative", self._of_kind(part.operand, NUMBER))

    def _comparison(self, part: ast.Compare) -> Node:
        operands = [part.left, *part.comparators]
        pairs = zip(operands, operands[1:], part.ops, strict=False)
        answers = tuple(self._compared(part, left, right, op) for left, right, op in pairs)
        return answers[0] if len(answers) == 1 else self._node(part, "all", *dict.fromkeys(answers))

    def _compared(self, part: ast.Compare, left: ast.expr, right: ast.expr, op: ast.cmpop) -> Node:
        if isinstance(op, ast.In | ast.NotIn):
            answer = self._member(part, left, right)
            return self._node(part, "not", answer) if isinstance(op, ast.NotIn) else answer
        sign = OPERATORS.get(type(op))
        if sign is None:
            self._refuse(self.parsed.operator(left, right), "== or !=")
        if isinstance(left, ast.Name) and self.parsed.source(left) == "move":
            self._refuse(left, "an attribute of the move, such as move.san or move.piece")
        a = self._value(left)
        if a.kind == TEXT:
            self._check_quotes(right)
        b = self._value(right)
        if {a.kind, b.kind} == {SET, NUMBER}:
            self._of_kind(left if a.kind == SET else right, NUMBER)
        if a.kind != b.kind:
            hint = literal_hint(b, a.kind)
            if a.function.name == "result":
                hint = "; result(white) == 1 where White won"
            self._refuse(right, f"{EXAMPLES[a.kind]}, to compare with {self._source(left)}{hint}")
        if a.kind == TEXT:
            a, b = self._fitting(a, left, b), self._fitting(b, right, a)
        if a.kind == NUMBER:
            return self._node(part, sign, a, b)
        if sign not in ("==", "!="):
            hint = "; count(...) is the size of a set" if a.kind == SET else ""
            self._refuse(self.parsed.operator(left, right), f"== or != between {KINDS[a.kind]}{hint}")
        return self._node(part, f"{a.kind} {sign}", a, b)

    def _check_quotes(self, part: ast.expr) -> None:
        """Refuse a name that stands where a text in quotes was meant."""
        if not isinstance(part, ast.Name) or self.parsed.token(part).kind != "name":
            return
        name = self.parsed.token(part).text
        if find_piece_type(name):
            self._refuse(part, 'a text in quotes, such as "N" for a knight')
        if name not in PUBLIC_NAMES and name not in (*SIDES, "move") and square_named(name) is None:
            self._refuse(part, f'a text in quotes: "{name}"')

    def _fitting(self, node: Node, part: ast.expr, other: Node) -> Node:
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

    def _member(self, part: ast.Compare, left: ast.expr, right: ast.expr) -> Node:
        if isinstance(right, ast.Tuple | ast.List | ast.Set):
            if not right.elts:
                self._refuse(right, 'values in brackets, such as ("N", "B")')
            answers = dict.fromkeys(self._compared(part, left, element, ast.Eq()) for element in right.elts)
            return self._node(part, "any", *answers) if len(answers) > 1 else next(iter(answers))
        a = self._value(left)
        if a.kind not in (SET, TEXT):
            self._refuse(right, "values in brackets, such as (1, 2)")
        return self._node(part, f"{a.kind} in", a, self._of_kind(right, a.kind))

    # Functions.

    def _call(self, part: ast.Call) -> Node:
        if isinstance(part.func, ast.Attribute):
            self._attribute(part.func)
            self._refuse(part, f"{self.parsed.source(part.func)} without brackets")
        if not isinstance(part.func, ast.Name):
            self._refuse(part.func, "the name of a function")
        token = self.parsed.token(part.func)
        name = token.text
        if token.kind != "name" or name not in PUBLIC_NAMES:
            if name in SIDES or square_named(name) is not None or token.kind != "name":
                self._refuse(part.func, "the name of a function before '('")
            self._refuse_name(part.func, name)
        return self._applied(part, FUNCTIONS[name], part.args, part.keywords)

    def _applied(self, part: Any, function: Function, given: list[ast.expr], named: list[ast.keyword]) -> Node:
        """Return the node of a function with arguments by place and by name."""
        parameters = function.parameters
        if function.many and len(given) > len(parameters):
            parameters = (*parameters, *[parameters[-1]] * (len(given) - len(parameters)))
        if len(given) > len(parameters):
            limit = ("no arguments", "one argument")[len(parameters)] if len(parameters) < 2 else ""
            limit = limit or f"at most {len(parameters)} arguments"
            meant = ""
            if function.name in PIECES_OF_SIDES and self._source(given[0]) in SIDES:
                meant = f"; did you mean {self._source(given[0])}.{function.name}?"
            self._refuse(given[len(parameters)], f"{limit}: {function.signature()}{meant}")
        by_name: dict[str, ast.expr] = {}
        names = [parameter.name for parameter in parameters]
        for keyword in named:
            if keyword.arg not in names:
                self._refuse(keyword, f"the name of an argument: {function.signature()}")
            if keyword.arg in (*names[: len(given)], *by_name):
                self._refuse(keyword, f"each argument once: {function.signature()}")
            by_name[keyword.arg] = keyword.value
        outer = self._within
        if function.name in (*_ALTERNATIVES, "after"):
            self._within = (*outer, function.name)
        args = []
        for k, parameter in enumerate(parameters):
            value = given[k] if k < len(given) else by_name.get(parameter.name)
            if value is None and parameter.default is REQUIRED:
                self._refuse(part, f"the argument {parameter.name}: {function.signature()}")
            args.append(parameter.default if value is None else self._argument(value, parameter, function))
        self._within = outer
        kind = function.kind
        if kind == SAME:
            kind = next(arg.kind for arg in args if isinstance(arg, Node))
        return self._node(part, function.name, *args, kind=kind)

    def _argument(self, part: ast.expr, parameter: Parameter, function: Function) -> Any:
        kind = parameter.kind
        if isinstance(part, ast.Constant) and part.value is None and parameter.default is None:
            return None
        if isinstance(kind, Written):
            return self._written(part, kind, function)
        if kind == SIDE:
            name = self.parsed.source(part)
            if name not in SIDES:
                self._refuse(part, side_expected(name, parameter.name, function))
            return name
        if kind == PIECE:
            found = find_piece_type(self._literal(part))
            if found is None:
                self._refuse(part, 'a kind of piece in quotes, such as "N" or "knight"')
            return found
        if kind == TRACKED:
            return self._tracked(part, function)
        several = len({p.kind for p in function.parameters}) > 1
        return self._of_kind(part, kind, f", as {parameter.name} of {function.signature()}" if several else "")

    def _literal(self, part: ast.expr) -> Any:
        """Return a number or a text that is written in the query, or None for anything else."""
        if not isinstance(part, ast.Name):
            return None
        token = self.parsed.token(part)
        if token.kind == "text":
            return text_of(token.text)
        return number_of(token.text) if token.kind == "number" else None

    def _written(self, part: ast.expr, kind: Written, function: Function) -> Any:
        value: Any = None
        if isinstance(part, ast.Name):
            token = self.parsed.token(part)
            if token.kind == "text" and kind is not START_SQUARE:
                value = text_of(token.text)
            elif token.kind == "number":
                value = number_of(token.text)
            elif kind is START_SQUARE:
                value = token.text
        try:
            return kind.read(value)
        except ValueError as error:
            names = [p.name for p in function.parameters if p.kind is kind]
            of = f", as {names[0]} of {function.signature()}" if value is None and len(function.parameters) > 1 else ""
            self._refuse(part, f"{error}{of}")

    def _tracked(self, part: ast.expr, function: Function) -> Any:
        """Return the square of a call of `piece`."""
        node = self._value(part)
        if node.function.name != "piece":
            square = self._source(part) if square_named(self._source(part)) is not None else "e1"
            self._refuse(part, f"a piece by its square at the start, as in {function.name}(piece({square}))")
        return node.args[0]


_READERS: Final[dict[type, Any]] = {
    ast.Name: QueryParser._name,
    ast.Constant: QueryParser._constant,
    ast.Attribute: QueryParser._attribute,
    ast.Call: QueryParser._call,
    ast.BinOp: QueryParser._binary,
    ast.UnaryOp: QueryParser._unary,
    ast.BoolOp: QueryParser._joined,
    ast.Compare: QueryParser._comparison,
}
