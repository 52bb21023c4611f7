"""From the text of an expression to typed nodes; equal parts of an expression become one node.

The language is a subset of Python's expressions and is never run as Python. `rookery.positions.language.vocabulary` has
its names. Expressions about games alone, such as conditions over headers, are read by the same parser.
"""

import ast
import datetime
from typing import Any, Final, Never

from rookery.bitboards.pieces import find_piece_type
from rookery.positions.language import grammar, vocabulary
from rookery.positions.language.functions.identity import START_SQUARE
from rookery.positions.language.headers import KINDS as HEADER_KINDS
from rookery.positions.language.operations import Operations, Subject
from rookery.positions.language.tokens import Token, number_of, text_of
from rookery.positions.language.tree import Parsed

_VALUE: Final = "a set, a number or a condition, such as us.knights or count(us.pawns) > 4"
_OF_GAMES: Final = "a value of the game alone, such as WhiteElo, elo(white) or plies"
_ALTERNATIVES: Final = ("possible", "count_possible")
_COLOURS: Final = ("white", "black")


def about_positions(label: str = "query") -> Subject:
    """Return the subject of queries; `label` is the name of the argument that holds the text."""
    return Subject(label, "query", _VALUE)


class QueryParser(Operations):
    """The parser of one expression. `root` is its node."""

    def __init__(self, text: str, nodes: dict[Any, grammar.Node], subject: Subject) -> None:
        """Parse an expression. `nodes` has the nodes made so far, which queries evaluated together share."""
        self._nodes, self._subject = nodes, subject
        self._within: tuple[str, ...] = ()  # the functions of `_ALTERNATIVES` and `after` around the current part
        self.parsed = Parsed(text, subject.label, subject.operand, subject.noun)
        self.root = (
            self._of_kind(self.parsed.tree, grammar.TRUTH) if subject.of_games else self._value(self.parsed.tree)
        )

    def _check_context(self, at: Any, node: grammar.Node) -> None:
        """Refuse what has no meaning over games, or within `after` and `possible`."""
        function = node.function
        if self._subject.of_games and function.scope == grammar.OF_POSITION:
            self._refuse(at, self._of_game_expected(at, node))
        alternative = max((k for k, name in enumerate(self._within) if name in _ALTERNATIVES), default=-1)
        is_after_move = "after" in self._within[alternative + 1 :]  # the move in question has been made
        if (function.needs_games and "after" in self._within) or (function.uses_move and is_after_move):
            self._refuse(at, "a value of the position alone within after(...), not of its game or a move")
        if self._within and node.function.sequence and node.uses_move:
            self._refuse(at, f"a value without the move in question within {self._within[-1]}(...)")

    def _of_game_expected(self, at: Any, node: grammar.Node) -> str:
        """Say what may stand in place of a value of positions."""
        name = node.function.name
        if name in ("elo", "result"):
            return f"{name}(white) or {name}(black): a game has no side to move"
        is_name = isinstance(at, ast.Name) and at.id == name
        return f"{_OF_GAMES}; a header of this name is written `{name}`" if is_name else _OF_GAMES

    # Values.

    def _value(self, part: ast.expr) -> grammar.Node:
        reader = _READERS.get(type(part))
        if reader is None:
            self._refuse(part, self._subject.operand)
        node: grammar.Node = reader(self, part)
        return node

    def _constant(self, part: ast.Constant) -> grammar.Node:
        if not isinstance(part.value, bool):
            self._refuse(part, self._subject.operand)
        return self._node(part, "constant", part.value)

    def _name(self, part: ast.Name) -> grammar.Node:
        token = self.parsed.token(part)
        match token.kind:
            case "number":
                return self._number(part, token.text, number_of(token.text))
            case "text":
                return self._node(part, "text", text_of(token.text))
            case "date" | "time":
                return self._moment(part, token.kind, token.text, f"a {token.kind} that exists")
        return self._named(part, token)

    def _named(self, part: ast.Name, token: Token) -> grammar.Node:
        name = token.text.strip("`")
        if name != token.text or name in self._subject.columns:
            return self._header(part, name)
        if name in vocabulary.SIDES:
            return self._node(part, "pieces", name)
        square = vocabulary.square_named(name)
        if square is not None:
            return self._node(part, "board", 1 << square)
        if name == "move":
            self._refuse(
                part, f"an attribute of the move: {', '.join(f'move.{a}' for a in vocabulary.ATTRIBUTES_OF_MOVE)}"
            )
        if name in vocabulary.PUBLIC_NAMES:
            return self._applied(part, grammar.FUNCTIONS[name], [], [])
        return self._header(part, name) if self._is_header(name) else self._refuse_name(part, name)

    def _is_header(self, name: str) -> bool:
        """Check whether a name that is not one of the language is that of a header: over games, all of them are."""
        return self._subject.of_games or vocabulary.is_header(name)

    def _header(self, part: ast.expr, name: str) -> grammar.Node:
        """Return the node of a header or another column of games."""
        kind = self._subject.columns.get(name) or HEADER_KINDS.get(name, grammar.TEXT)
        return self._node(part, "header column", name, kind=grammar.NUMBER if kind == grammar.TRUTH else kind)

    def _number(self, part: ast.Name, text: str, value: float) -> grammar.Node:
        if text[:2] in ("0x", "0X"):
            if not isinstance(value, int) or value >= 1 << 64:
                self._refuse(part, "a set of 64 bits")
            return self._node(part, "board", value)
        return self._node(part, "number", value)

    def _moment(self, part: ast.expr, kind: str, text: str, expected: str) -> grammar.Node:
        try:
            if kind == "date":
                sign = "." if "." in text else "-"
                day = datetime.datetime.strptime(text, f"%Y{sign}%m{sign}%d").date()
                if len(text) != len("2025-05-01"):  # like 2025-5-1
                    raise ValueError
                return self._node(part, "day", day.isoformat())
            time = datetime.datetime.strptime(text, "%H:%M:%S")
        except ValueError:
            self._refuse(part, expected)
        return self._node(part, "time of day", time.hour * 3600 + time.minute * 60 + time.second)

    def _refuse_name(self, part: Any, name: str) -> Never:
        expected = vocabulary.known_name(name)
        if self._subject.of_games and "did you mean" not in expected:
            expected = "the name of a function, such as elo, header or abs"
        self._refuse(part, expected, f"unknown name {name}")

    def _attribute(self, part: ast.Attribute) -> grammar.Node:
        owner = part.value
        name = self.parsed.token(owner).text if isinstance(owner, ast.Name) else ""
        attribute = self.parsed.token(part).text
        if name == "move":
            if attribute not in vocabulary.ATTRIBUTES_OF_MOVE:
                self._refuse(part, vocabulary.one_of(name, attribute, vocabulary.ATTRIBUTES_OF_MOVE))
            return self._node(part, f"move.{attribute}")
        if name not in vocabulary.SIDES:
            if attribute in vocabulary.METHODS or self._is_text(owner):
                self._of_kind(owner, grammar.TEXT)
                self._refuse(self.parsed.token(part), "startswith, endswith or lower, with brackets")
            self._refuse(owner, vocabulary.owner_of(self._source(owner), attribute))
        if attribute not in vocabulary.PIECES_OF_SIDES:
            self._refuse(
                part, vocabulary.one_of(name, attribute, [a for a in vocabulary.PIECES_OF_SIDES if a != "kings"])
            )
        kind = vocabulary.PIECES_OF_SIDES[attribute]
        return self._node(part, "pieces", name) if kind is None else self._node(part, "pieces of a side", kind, name)

    def _is_text(self, part: ast.expr) -> bool:
        """Check whether a part is a text, a header, or a call of one of their methods."""
        if isinstance(part, ast.Attribute):
            return (
                self.parsed.token(part).text in vocabulary.ATTRIBUTES_OF_MOVE and self._value(part).kind == grammar.TEXT
            )
        if isinstance(part, ast.Call):
            return self._value(part).kind == grammar.TEXT
        token = self.parsed.token(part)
        if not isinstance(part, ast.Name) or token.kind != "name":
            return token.kind == "text"
        name = token.text
        if name in vocabulary.SIDES or name == "move" or vocabulary.square_named(name) is not None:
            return False
        return (
            grammar.FUNCTIONS[name].kind == grammar.TEXT
            if name in vocabulary.PUBLIC_NAMES
            else self._is_header(name.strip("`"))
        )

    # Functions.

    def _method(self, part: ast.Call, method: ast.Attribute) -> grammar.Node:
        """Return the node of a method of a text."""
        token = self.parsed.token(method)
        text = self._of_kind(method.value, grammar.TEXT)
        for argument in part.keywords:
            self._refuse(self.parsed.token(argument), "a value without the name of an argument")
        if token.text == "contains" and len(part.args) == 1:
            self._refuse(token, f"in: write {self._source(part.args[0])} in {self._source(method.value)}")
        if token.text == "lower" and not part.args:
            return self._node(part, ".lower", text)
        if token.text not in ("startswith", "endswith"):
            self._refuse(token, vocabulary.method_of_text(token.text))
        if len(part.args) != 1:
            self._refuse(part, "one text within the brackets")
        given = part.args[0]
        texts = given.elts if isinstance(given, ast.Tuple | ast.List | ast.Set) else [given]
        answers = []
        for one in texts:
            literal = self._literal(one)
            if not isinstance(literal, str):
                self._refuse(one, "a text in quotes")
            answers.append(self._node(part, f".{token.text}", text, literal))
        return self._known(part, self._all_or_any(part, "any", answers))

    def _call(self, part: ast.Call) -> grammar.Node:
        if isinstance(part.func, ast.Attribute):
            attribute = self.parsed.token(part.func).text
            if attribute in ("startswith", "endswith", "lower", "contains") or self._is_text(part.func.value):
                return self._method(part, part.func)
            self._attribute(part.func)
            self._refuse(part, f"{self.parsed.source(part.func)} without brackets")
        if not isinstance(part.func, ast.Name):
            self._refuse(part.func, "the name of a function")
        token = self.parsed.token(part.func)
        name = token.text
        if token.kind != "name" or name not in vocabulary.PUBLIC_NAMES:
            if name in vocabulary.SIDES or vocabulary.square_named(name) is not None or token.kind != "name":
                self._refuse(part.func, "the name of a function before '('")
            self._refuse_name(part.func, name)
        return self._applied(part, grammar.FUNCTIONS[name], part.args, part.keywords)

    def _applied(
        self, part: Any, function: grammar.Function, given: list[ast.expr], named: list[ast.keyword]
    ) -> grammar.Node:
        """Return the node of a function with arguments by place and by name."""
        parameters = function.parameters
        if function.many and len(given) > len(parameters):
            parameters = (*parameters, *[parameters[-1]] * (len(given) - len(parameters)))
        if len(given) > len(parameters):
            limit = ("no arguments", "one argument")[len(parameters)] if len(parameters) < 2 else ""
            limit = limit or f"at most {len(parameters)} arguments"
            meant = ""
            if function.name in vocabulary.PIECES_OF_SIDES and self._source(given[0]) in vocabulary.SIDES:
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
            if value is None and parameter.default is grammar.REQUIRED:
                self._refuse(part, f"the argument {parameter.name}: {function.signature()}")
            args.append(parameter.default if value is None else self._argument(value, parameter, function))
        self._within = outer
        if function.name in ("elo", "result") and args[0] in _COLOURS:
            return self._node(part, "points", args[0]) if function.name == "result" else self._elo(part, args[0])
        kind = function.kind
        if kind == grammar.SAME:
            kind = next(arg.kind for arg in args if isinstance(arg, grammar.Node))
        return self._node(part, function.name, *args, kind=kind)

    def _elo(self, part: ast.expr, side: str) -> grammar.Node:
        return self._header(part, "WhiteElo" if side == "white" else "BlackElo")

    def _argument(self, part: ast.expr, parameter: grammar.Parameter, function: grammar.Function) -> Any:
        kind = parameter.kind
        if isinstance(part, ast.Constant) and part.value is None and parameter.default is None:
            return None
        if isinstance(kind, grammar.Written):
            return self._written(part, kind, function)
        if kind == grammar.SIDE:
            name = self.parsed.source(part)
            if name not in vocabulary.SIDES:
                self._refuse(part, vocabulary.side_expected(name, parameter.name, function))
            return name
        if kind == grammar.PIECE:
            found = find_piece_type(self._literal(part))
            if found is None:
                self._refuse(part, 'a kind of piece in quotes, such as "N" or "knight"')
            return found
        if kind == grammar.TRACKED:
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

    def _written(self, part: ast.expr, kind: grammar.Written, function: grammar.Function) -> Any:
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

    def _tracked(self, part: ast.expr, function: grammar.Function) -> Any:
        """Return the square of a call of `piece`."""
        node = self._value(part)
        if node.function.name != "piece":
            square = self._source(part) if vocabulary.square_named(self._source(part)) is not None else "e1"
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
