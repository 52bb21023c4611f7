"""Expressions, one method for each form."""

import ast
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rookery.kernel.compiler import arithmetic, arrays, callees, source, values
from rookery.kernel.compiler.emitted import Block
from rookery.kernel.compiler.flow import Edge, Flow
from rookery.kernel.compiler.kinds import BOOL, WORD
from rookery.kernel.compiler.values import CONFLICT, Arr, Num, Rec, Static, Tup, Unsupported, bit
from rookery.kernel.in_python import constant_of

_MOST_OPERATIONS = 3  # in an operand that is computed whether it is needed or not
_CHEAP = (ast.Name, ast.Constant, ast.Attribute, ast.UnaryOp, ast.BinOp, ast.Compare, ast.operator, ast.unaryop)
_NOT_CHEAP = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.In, ast.NotIn)


class Expressions(Flow):
    """The expressions of a function."""

    def expression(self, node: ast.expr) -> Any:
        """Return the value of an expression."""
        known = constant_of(node)
        if known is not None:
            return arithmetic.constant(known, self.has_words)
        visit = getattr(self, f"_e_{type(node).__name__.lower()}", None)
        if visit is None:
            raise Unsupported(f"the expression {type(node).__name__}")
        return visit(node)

    def _decided(self, test: ast.expr) -> bool | None:
        """Return the truth of a condition that is known already, or None."""
        inner = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
        is_identity = isinstance(inner, ast.Compare) and isinstance(inner.ops[0], ast.Is | ast.IsNot)
        if not is_identity and not isinstance(inner, ast.Name | ast.Attribute | ast.Constant):
            return None
        value = self.expression(test)
        if isinstance(value, Static) and value.value is None:
            return False
        known = value.code if isinstance(value, Num) and value.kind == BOOL else ""
        if isinstance(value, Num) and value.constant is not None and isinstance(inner, ast.Constant):
            return bool(value.constant)
        return known == "true" if known in ("true", "false") else None

    def _branch(self, test: ast.expr, yes: Block, no: Block) -> None:
        """Leave the current block for `yes` if a condition is true, else for `no`."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self._branch(test.operand, no, yes)
        elif isinstance(test, ast.BoolOp):
            for part in test.values[:-1]:
                following = self.code.block()
                if isinstance(test.op, ast.And):
                    self._branch(part, following, no)
                else:
                    self._branch(part, yes, following)
                self.code.start(following)
            self._branch(test.values[-1], yes, no)
        else:
            self.code.split(arithmetic.truth(self.code, self._number(test)), yes, no)

    def _variable(self, name: str) -> Any:
        found = self.variables.get(name)
        if found is None:
            raise Unsupported(f"{name} is not set on every path")
        if found is CONFLICT:
            raise Unsupported(f"{name} is of two types")
        return found

    def _number(self, node: ast.expr) -> Num:
        value = self.expression(node)
        if not isinstance(value, Num):
            raise Unsupported(f"{type(node).__name__}, which is not a number")
        return value

    def array(self, node: ast.expr) -> Arr:
        """Return the array that an expression is."""
        value = self.runtime(self.expression(node))
        if not isinstance(value, Arr):
            raise Unsupported("an item of what is not an array")
        return value

    def items(self, value: Any) -> list[Any]:
        """Return the items of a tuple."""
        value = self.runtime(value)
        if not isinstance(value, Tup):
            raise Unsupported("the items of what is not a tuple")
        return value.items

    def _e_constant(self, node: ast.Constant) -> Any:
        return Static(node.value)

    def _e_name(self, node: ast.Name) -> Any:
        if node.id in self._locals:
            return self._variable(node.id)
        return self.static(source.value_of(self.function, node.id))

    def _e_tuple(self, node: ast.Tuple) -> Any:
        return Tup([self.runtime(value) for value in self.arguments(node.elts)])

    def arguments(self, nodes: Sequence[ast.expr]) -> list[Any]:
        """Return the values of expressions, some of which may be tuples with a star."""
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += self.items(self.expression(node.value))
            else:
                found.append(self.expression(node))
        return found

    def _e_attribute(self, node: ast.Attribute) -> Any:
        value = self.expression(node.value)
        if isinstance(value, Static):
            if isinstance(value.value, np.ndarray):
                value = self.runtime(value)
            else:
                try:
                    return self.static(getattr(value.value, node.attr))
                except AttributeError:
                    raise Unsupported(f"the attribute {node.attr}") from None
        if isinstance(value, Tup):
            fields = getattr(value.cls, "_fields", ())
            if node.attr in fields:
                return value.items[fields.index(node.attr)]
        if isinstance(value, Arr):
            return arrays.attribute(self.code, value, node.attr)
        if isinstance(value, Rec):
            return arrays.load(self.code, *arrays.field(self.code, value, node.attr))
        raise Unsupported(f"the attribute {node.attr}")

    def _e_subscript(self, node: ast.Subscript) -> Any:
        value = self.expression(node.value)
        if isinstance(value, Static) and isinstance(value.value, tuple) and not isinstance(node.slice, ast.Slice):
            index = self._number(node.slice)
            if index.constant is None or constant_of(node.slice) is None:
                table = self.unit.table(value.value, self.has_words)
                if table is None:
                    raise Unsupported("an item of a tuple of several types")
                found = arrays.load(self.code, table.kind.item, arrays.place(self.code, table, [index]))
                known = self._element_constants(value.value)
                return Num(found.kind, found.code, known, found.natural or (known is not None and min(known) >= 0))
        value = self.runtime(value)
        if isinstance(value, Tup):
            return self._item_of_tuple(value, node.slice)
        if isinstance(value, Arr):
            if isinstance(node.slice, ast.Slice):
                bounds = [self._number(n) if n is not None else None for n in (node.slice.lower, node.slice.upper)]
                if node.slice.step is not None:
                    raise Unsupported("a slice with a step")
                return arrays.sliced(self.code, value, *bounds)
            return arrays.item(self.code, value, self._indices(node.slice))
        raise Unsupported("an item of this")

    def _element_constants(self, table: tuple[Any, ...]) -> frozenset[int] | None:
        numbers = all(isinstance(v, int | np.integer) and not isinstance(v, bool) for v in table)
        return frozenset(map(int, table)) if numbers and len(table) <= values.MOST_CONSTANTS else None

    def _item_of_tuple(self, value: Tup, index: ast.expr) -> Any:
        if isinstance(index, ast.Slice):
            bounds = [None if n is None else constant_of(n) for n in (index.lower, index.upper, index.step)]
            given = [n for n in (index.lower, index.upper, index.step) if n is not None]
            if len(given) != sum(b is not None for b in bounds):
                raise Unsupported("a slice of a tuple between variables")
            if bounds[2] == 0:
                raise Unsupported("a slice with the step 0")
            return Tup(value.items[slice(*bounds)])
        place = self._number(index)
        if place.constant is not None and place.code.lstrip("-").isdigit():
            if not -len(value.items) <= place.constant < len(value.items):
                raise Unsupported("an index out of range")
            return value.items[place.constant]
        items = value.items
        if not items or not all(isinstance(item, Num) and item.kind == items[0].kind for item in items):
            raise Unsupported("an item of a tuple of several types")
        where = arithmetic.cast(self.code, place, WORD)
        if place.kind.kind == "i" and not place.natural:
            raise Unsupported("an item of a tuple at a place that may be negative")
        arrays.check(self.code, "ult", where, str(len(items)))
        found = items[-1].code
        kind = values.in_llvm(items[0].kind)
        for number in reversed(range(len(items) - 1)):
            is_here = self.code.value(f"icmp eq i64 {where}, {number}")
            found = self.code.value(f"select i1 {is_here}, {kind} {items[number].code}, {kind} {found}")
        return Num(items[0].kind, found, None, all(item.natural for item in items))

    def _indices(self, node: ast.expr) -> list[Num]:
        if any(isinstance(inner, ast.Slice) for inner in (node, *getattr(node, "elts", ()))):
            raise Unsupported("a slice here")
        if isinstance(node, ast.Tuple):
            return [self._number(inner) for inner in node.elts]
        value = self.expression(node)
        found = value.items if isinstance(value, Tup) else [value]
        if not all(isinstance(v, Num) and v.kind.kind in "iu" for v in found):
            raise Unsupported("an index that is not an integer")
        return found

    def _e_binop(self, node: ast.BinOp) -> Any:
        return self._binary(type(node.op), self.expression(node.left), self.expression(node.right))

    def _binary(self, operator: type, left: Any, right: Any) -> Any:
        if isinstance(left, Num) and isinstance(right, Num):
            return arithmetic.binary(self.code, operator, left, right, self.has_words)
        left, right = self.runtime(left), self.runtime(right)
        if operator is ast.Add and isinstance(left, Tup) and isinstance(right, Tup):
            return Tup(left.items + right.items)
        raise Unsupported("an operation on this")

    def _e_unaryop(self, node: ast.UnaryOp) -> Any:
        value = self.expression(node.operand)
        if isinstance(node.op, ast.Not) and isinstance(value, Static) and value.value is None:
            return bit("true")
        if not isinstance(value, Num):
            raise Unsupported("an operation on this")
        return arithmetic.unary(self.code, type(node.op), value)

    def _e_compare(self, node: ast.Compare) -> Any:
        return self._chain(self.expression(node.left), node.ops, node.comparators)

    def _chain(self, left: Any, operators: list[ast.cmpop], others: list[ast.expr]) -> Any:
        """Return whether all comparisons of a chain hold: ``a < b < c`` does not compute c unless ``a < b``."""
        right = self.expression(others[0])
        result = self._compared(type(operators[0]), left, right)
        if len(others) == 1:
            return result
        return self._also(
            result, True, all(map(self._is_cheap, others[1:])), lambda: self._chain(right, operators[1:], others[1:])
        )

    def _compared(self, operator: type, left: Any, right: Any) -> Num:
        if operator in (ast.Is, ast.IsNot):
            if not (isinstance(right, Static) and right.value is None):
                raise Unsupported("an identity with what is not None")
            is_none = isinstance(left, Static) and left.value is None
            return bit("true" if is_none is (operator is ast.Is) else "false")
        if operator in (ast.In, ast.NotIn):
            if not isinstance(left, Num):
                raise Unsupported("a search for what is not a number")
            found = "false"
            for item in self.items(right):
                if not isinstance(item, Num):
                    raise Unsupported("a search among what are not numbers")
                one = arithmetic.compared(self.code, ast.Eq, left, item).code
                found = one if found == "false" else self.code.value(f"or i1 {found}, {one}")
            return arithmetic.unary(self.code, ast.Not, bit(found)) if operator is ast.NotIn else bit(found)
        if isinstance(left, Num) and isinstance(right, Num):
            return arithmetic.compared(self.code, operator, left, right)
        raise Unsupported("a comparison of this")

    def _is_cheap(self, node: ast.expr) -> bool:
        """Check whether an expression may be computed where it is not needed."""
        known: bool | None = getattr(node, "rookery_is_cheap", None)
        if known is None:
            inner = [n for n in ast.walk(node) if not isinstance(n, ast.expr_context)]
            operations = sum(isinstance(n, ast.BinOp | ast.Compare | ast.UnaryOp) for n in inner)
            known = operations <= _MOST_OPERATIONS and all(
                isinstance(n, (*_CHEAP, ast.cmpop)) and not isinstance(n, _NOT_CHEAP) for n in inner
            )
            node.rookery_is_cheap = known  # type: ignore[attr-defined]
        return known

    def _e_boolop(self, node: ast.BoolOp) -> Any:
        result = self.expression(node.values[0])
        for part in node.values[1:]:
            compute = functools.partial(self.expression, part)
            result = self._also(result, isinstance(node.op, ast.And), self._is_cheap(part), compute)
        return result

    def _also(self, first: Any, is_and: bool, is_cheap: bool, compute: Callable[[], Any]) -> Any:
        """Return ``first and second``, or ``first or second``; `compute` returns the second."""
        known = arithmetic.truth(self.code, first)
        if known in ("true", "false"):
            return compute() if (known == "true") is is_and else first
        if is_cheap:
            second = compute()
            return self.selected(known, *((second, first) if is_and else (first, second)))
        rest, end, before = self.code.block(), self.code.block(), self.code.current
        self.code.split(known, *((rest, end) if is_and else (end, rest)))
        split = before.end
        self.code.start(rest)
        second = compute()
        result = self.merged([Edge(before, {"": first}), Edge(self.code.current, {"": second})], end)[""]
        before.end = split
        if result is CONFLICT:
            raise Unsupported("and or or of different types")
        return result

    def _e_ifexp(self, node: ast.IfExp) -> Any:
        decided = self._decided(node.test)
        if decided is not None:
            return self.expression(node.body if decided else node.orelse)
        if self._is_cheap(node.body) and self._is_cheap(node.orelse):
            known = arithmetic.truth(self.code, self._number(node.test))
            return self.selected(known, self.expression(node.body), self.expression(node.orelse))
        yes, no, end = (self.code.block() for _ in range(3))
        self._branch(node.test, yes, no)
        edges = []
        for block, inner in ((yes, node.body), (no, node.orelse)):
            self.code.start(block)
            value = self.runtime(self.expression(inner))
            edges.append(Edge(self.code.current, {"": value}))
        result = self.merged(edges, end)[""]
        if result is CONFLICT:
            raise Unsupported("a choice between different types")
        return result

    def _e_call(self, node: ast.Call) -> Any:
        if node.keywords:
            raise Unsupported("an argument by name")
        if isinstance(node.func, ast.Attribute):
            base = self.expression(node.func.value)
            if not isinstance(base, Static) or isinstance(base.value, np.ndarray):
                return arrays.method(self, self.runtime(base), node.func.attr, self.arguments(node.args))
            function = self.static(getattr(base.value, node.func.attr, None))
        else:
            function = self.expression(node.func)
        if not isinstance(function, Static):
            raise Unsupported("a call of this")
        return callees.call(self, function.value, self.arguments(node.args))
