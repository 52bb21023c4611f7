"""Numbers that are never negative, whatever the arguments: beside a word they are words."""

import operator
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numba import types as declared
from numba.core import ir
from numba.extending import intrinsic

from rookery.kernel.compiler.plain.operations import COMPARISONS, TAKING_ALIKE, is_word, operator_of

types: Any = declared
# Operations whose result is never negative if both operands are not. An overflow of a signed number is undefined.
_KEEPING: Final = frozenset(
    (operator.add, operator.mul, operator.floordiv, operator.mod, operator.and_, operator.or_, operator.xor)
)
_OF_ARRAYS: Final = ("size", "ndim", "itemsize", "nbytes", "shape")


@intrinsic  # type: ignore[untyped-decorator]  # numba is Any
def beside(_context: Any, number: Any, arrays: Any, others: Any) -> Any:
    """Return a number as a word if another one is, and if the objects whose attributes it is made of are arrays."""
    meets_word = any(map(is_word, others)) and all(isinstance(kind, types.Array) for kind in arrays)
    kind = types.uint64 if meets_word and isinstance(number, types.Integer) else number

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, arguments[0], number, kind)

    return kind(number, arrays, others), build


def convert(state: Any) -> None:
    """Call `beside` for the operands of operations and of `range` that are never negative."""
    known = _Known(state.func_ir)
    for block in state.func_ir.blocks.values():
        body: list[Any] = []
        for statement in block.body:
            value: Any = statement.value if isinstance(statement, ir.Assign) else None
            if _is(value, "binop", "inplace_binop") and operator_of(value) in TAKING_ALIKE:
                value.lhs, value.rhs = known.converted([value.lhs, value.rhs], block.scope, body)
            elif _is(value, "call") and not value.kws and known.function(value.func) in TAKING_ALIKE:
                value.args = known.converted(value.args, block.scope, body)
            body.append(statement)
        block.body = body


def _is(value: Any, *ops: str) -> bool:
    return isinstance(value, ir.Expr) and value.op in ops


class _Known:
    """Facts about the variables of a function, each of which is assigned once."""

    def __init__(self, function: Any) -> None:
        self._definitions = function._definitions

    def _definition(self, variable: Any) -> Any:
        """Return what is assigned to a variable, through copies, or None if that is not one expression."""
        found = variable
        while isinstance(found, ir.Var):
            assigned = self._definitions.get(found.name, ())
            found = assigned[0] if len(assigned) == 1 else None
        return found

    def _constant(self, variable: Any) -> Any:
        """Return the object that a variable is, or None if it is not a constant."""
        found = self._definition(variable)
        return found.value if isinstance(found, ir.Const | ir.Global | ir.FreeVar) else None

    def function(self, variable: Any) -> Any:
        """Return the function of Python that a variable is, or None."""
        found = self._constant(variable)
        return found if found is beside or getattr(found, "__module__", None) == "builtins" else None

    def converted(self, operands: Sequence[Any], scope: Any, body: list[Any]) -> list[Any]:
        """Add calls of `beside` to a block, and return the operands that they make of these."""
        found = []
        for number, operand in enumerate(operands):
            arrays: list[Any] = []
            others = [v for k, v in enumerate(operands) if k != number and not self._is_constant(v, ())]
            if others and not self._is_constant(operand, ()) and self._is_natural(operand, arrays, ()):
                place = operand.loc

                def add(value: Any, place: Any = place) -> Any:
                    target = scope.redefine("$beside", loc=place)
                    body.append(ir.Assign(value, target, place))
                    self._definitions[target.name].append(value)
                    return target

                function = add(ir.Global("beside", beside, place))
                tuples = [add(ir.Expr.build_tuple(several, place)) for several in (arrays, others)]
                operand = add(ir.Expr.call(function, (operand, *tuples), (), place))
            found.append(operand)
        return found

    def _is_constant(self, variable: Any, within: tuple[Any, ...]) -> bool:
        """Check whether a variable is a constant on each path: it takes the kind of what it meets."""
        found = self._definition(variable)
        if _is(found, "phi") and found not in within:
            return all(self._is_constant(v, (*within, found)) for v in _merged(found))
        return self._constant(variable) is not None

    def _is_natural(self, variable: Any, arrays: list[Any], within: tuple[Any, ...]) -> bool:
        """Check whether a number is never negative, if the variables that are added to `arrays` are arrays."""
        found, constant = self._definition(variable), self._constant(variable)
        if not isinstance(found, ir.Expr):
            return isinstance(constant, int | np.integer) and bool(constant >= 0)
        if found in within:
            return True  # a counter: while it is not negative, the next one is not

        def natural(variables: Iterable[Any]) -> bool:
            return all(self._is_natural(v, arrays, (*within, found)) for v in variables)

        match found.op:
            case "phi":
                return natural(_merged(found))
            case "binop" | "inplace_binop":
                function = operator_of(found)
                keeps = function in _KEEPING and natural((found.lhs, found.rhs))
                return keeps or function in COMPARISONS or (function is operator.rshift and natural((found.lhs,)))
            case "call":
                function = self.function(found.func)
                return function in (len, abs, bool) or (function in (int, beside) and natural(found.args[:1]))
            case "getattr" if found.attr in _OF_ARRAYS:
                arrays.append(found.value)
                return True
            case "static_getitem" | "getitem":
                source = self._definition(found.value)
                return _is(source, "getattr") and source.attr == "shape" and natural((found.value,))
            case "pair_first":
                return self._is_counter(found, natural)
        return False

    def _is_counter(self, first: Any, natural: Any) -> bool:
        """Check whether a variable is the counter of a loop over a range without negative numbers."""
        call = first
        for op in ("iternext", "getiter", "call"):
            call = self._definition(call.value)
            if not _is(call, op):
                return False
        if self.function(call.func) is not range:
            return False
        start, stop, step = (None, *call.args, None) if len(call.args) == 1 else (*call.args, None)[:3]
        steps, last = 1 if step is None else self._constant(step), self._constant(stop)
        if not isinstance(steps, int | np.integer) or steps == 0:
            return False
        if steps > 0:
            return start is None or bool(natural((start,)))
        return bool(natural((stop,))) or (isinstance(last, int) and last >= -1)


def _merged(phi: Any) -> list[Any]:
    return [v for v in phi.incoming_values if v is not ir.UNDEFINED]
