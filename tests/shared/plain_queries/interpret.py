"""The interpreter: from the text of an expression and a position of a game to the value."""

import ast
import datetime
import inspect
import math
import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

import chess

from plain_queries import board, games, patterns
from plain_queries import rows as said
from plain_queries import squares as sq
from plain_queries.rows import Here, MissingText, Row, here_of
from plain_queries.squares import EVERYTHING, of

SIDES = ("us", "them", "white", "black")
KINDS = {"pawns": 1, "knights": 2, "bishops": 3, "rooks": 4, "queens": 5, "king": 6, "kings": 6, "pieces": None}
EAGER = board.FUNCTIONS | games.FUNCTIONS | {"pattern": patterns.pattern, "like": patterns.like}
LAZY = games.LAZY | {"echo": patterns.echo}
BY_DEFAULT_US = "side", "by"


def evaluate(text: str, rows: Iterable[Row]) -> list[Any]:
    """The values: frozensets of squares, numbers (NaN where missing), bools or texts."""
    interpreter = Interpreter(text)
    return [known(interpreter.value(interpreter.tree, here_of(row))) for row in rows]


class Interpreter:
    """The evaluation of one text. Values that belong to positions of games are kept, since sequences ask again."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.tree = ast.parse(self.text, mode="eval").body
        self._kept: dict[tuple[int, int], Any] = {}

    def value(self, part: ast.expr, here: Here) -> Any:
        row = here.row
        if row is None or here.board is not row.board or here.move is not row.move:
            return self.computed(part, here)
        key = id(part), id(row)
        if key not in self._kept:
            self._kept[key] = self.computed(part, here)
        return self._kept[key]

    def computed(self, part: ast.expr, here: Here) -> Any:
        match part:
            case ast.Constant(value=int() as value) if not isinstance(value, bool):
                source = self.source(part)
                is_set = source.lower().startswith("0x")
                return of(s for s in range(64) if value >> s & 1) if is_set else value
            case ast.Constant(value=value):
                return value
            case ast.BinOp() if re.fullmatch(r"\d{4}-\d\d-\d\d", self.source(part)):
                return datetime.date.fromisoformat(self.source(part))
            case ast.Name(id=name) if name in SIDES:
                return sq.pieces(here.board, self.side(name, here))
            case ast.Name(id=name) if name in chess.SQUARE_NAMES:
                return of([chess.parse_square(name)])
            case ast.Name(id=name) if name[0].isupper():
                is_rating = name.endswith("Elo")
                return said.rating(here.game, name == "WhiteElo") if is_rating else said.header(here.game, name)
            case ast.Name(id=name):
                return self.called(name, [], [], here)
            case ast.Call(func=ast.Name(id="all" | "any" as name), args=values):
                return (all_of if name == "all" else any_of)(self.value(value, here) for value in values)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                return self.called(name, args, keywords, here)
            case ast.Attribute(value=ast.Name(id="move"), attr=name):
                return games.of_move(here, name)
            case ast.Attribute(value=ast.Name(id=name), attr=kind):
                return sq.pieces(here.board, self.side(name, here), KINDS[kind])
            case ast.BoolOp(op=ast.And(), values=values):
                return all_of(self.value(value, here) for value in values)
            case ast.BoolOp(values=values):
                return any_of(self.value(value, here) for value in values)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return contrary(self.value(operand, here))
            case ast.Call(func=ast.Attribute(value=text, attr="lower")):
                texts = self.value(text, here)
                return texts if isinstance(texts, MissingText) else texts.lower()
            case ast.Call(func=ast.Attribute(value=text, attr=method), args=[written]):
                texts = self.value(text, here)
                return None if isinstance(texts, MissingText) else getattr(texts, method)(self.value(written, here))
            case ast.UnaryOp(op=op, operand=operand):
                return UNARY[type(op)](self.value(operand, here))
            case ast.BinOp(left=left, op=op, right=right):
                return BINARY[type(op)](self.value(left, here), self.value(right, here))
            case ast.Compare(left=left, ops=ops, comparators=rights):
                terms = [left, *rights]
                pairs = zip(terms, ops, rights, strict=False)
                return all_of(self.compared(a, op, b, here) for a, op, b in pairs)
        raise AssertionError(ast.dump(part))

    def source(self, part: ast.expr) -> str:
        return ast.get_source_segment(self.text, part) or ""

    @staticmethod
    def side(name: str, here: Here) -> chess.Color:
        return {"us": here.board.turn, "them": not here.board.turn, "white": True, "black": False}[name]

    def compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr, here: Here) -> bool | None:
        if isinstance(op, ast.In | ast.NotIn):
            answer = self.is_member(left, right, here)
            return answer if isinstance(op, ast.In) else contrary(answer)
        a = self.value(left, here)
        if isinstance(op, ast.Is | ast.IsNot):
            return is_missing(a) == isinstance(op, ast.Is)
        b = self.value(right, here)
        if is_missing(a) or is_missing(b):
            return None
        if isinstance(a, float | int) and not isinstance(a, bool):
            return bool(COMPARE[type(op)](float(a), float(b)))
        return bool(COMPARE[type(op)](a, b))

    def is_member(self, left: ast.expr, right: ast.expr, here: Here) -> bool | None:
        if isinstance(right, ast.Tuple | ast.List | ast.Set):
            return any_of(self.compared(left, ast.Eq(), element, here) for element in right.elts)
        a, b = self.value(left, here), self.value(right, here)
        if is_missing(a) or is_missing(b):
            return None
        if isinstance(left, ast.Constant) and not isinstance(a, frozenset):
            return a in b
        return bool(a) and (a in b if isinstance(a, str) else a <= b)

    def called(self, name: str, args: list[ast.expr], keywords: list[ast.keyword], here: Here) -> Any:
        function = LAZY.get(name) or EAGER[name]
        bound = inspect.signature(function).bind_partial(here, *args, **{k.arg or "": k.value for k in keywords})
        given: dict[str, Any] = dict(list(bound.arguments.items())[1:])
        positional: list[Any] = []
        for parameter in list(inspect.signature(function).parameters.values())[1:]:
            if parameter.kind is parameter.VAR_POSITIONAL:
                positional += [self.argument(name, parameter.name, v, here) for v in given.get(parameter.name, ())]
            elif parameter.name in given:
                positional.append(self.argument(name, parameter.name, given[parameter.name], here))
            elif parameter.default is parameter.empty:
                assert parameter.name in BY_DEFAULT_US, (name, parameter.name)
                positional.append(here.board.turn)
            else:
                positional.append(parameter.default)
        return function(here, *positional)

    def argument(self, function: str, name: str, part: ast.expr, here: Here) -> Any:
        if name in BY_DEFAULT_US:
            assert isinstance(part, ast.Name)
            return self.side(part.id, here)
        if function == "piece":
            assert isinstance(part, ast.Name)
            return chess.parse_square(part.id)
        if function in ("moved", "captured") and name == "piece":
            assert isinstance(part, ast.Call)
            return self.argument("piece", "square", part.args[0], here)
        if function in LAZY and name not in ("plies", "under"):
            is_none = isinstance(part, ast.Constant) and part.value is None
            return None if is_none else lambda place: known(self.value(part, place))
        is_none = isinstance(part, ast.Constant) and part.value is None
        return None if is_none else known(self.value(part, here))


def known(value: Any) -> Any:
    """A condition that is neither true nor false does not hold, and a missing text is empty."""
    if isinstance(value, MissingText):
        return ""
    return False if value is None else value


def is_missing(value: Any) -> bool:
    return value is None or isinstance(value, MissingText) or (isinstance(value, float) and math.isnan(value))


def all_of(answers: Iterable[Any]) -> bool | None:
    given = [None if answer is None else bool(answer) for answer in answers]
    return False if False in given else None if None in given else True


def any_of(answers: Iterable[Any]) -> bool | None:
    return contrary(all_of([contrary(answer) for answer in answers]))


def contrary(answer: Any) -> bool | None:
    return None if answer is None else not answer


def _minus(a: Any, b: Any) -> Any:
    return a - b


def _divided(divide: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: math.nan if b == 0 else divide(a, b)


BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Add: operator.add,
    ast.Sub: _minus,
    ast.Mult: operator.mul,
    ast.Div: _divided(operator.truediv),
    ast.FloorDiv: _divided(operator.floordiv),
    ast.Mod: _divided(operator.mod),
}
UNARY: dict[type, Callable[[Any], Any]] = {
    ast.Invert: lambda a: EVERYTHING - a,
    ast.UAdd: lambda a: a,
    ast.USub: operator.neg,
}
COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
