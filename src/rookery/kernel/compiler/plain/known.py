"""Facts about numbers that hold before a function runs: constant values, and numbers that are never negative."""

import operator
from typing import Any, Final

import numpy as np
from numba.core import ir

from rookery.kernel.compiler.plain.operands import types

# Operations whose result is never negative if both operands are not. An overflow of a signed number is undefined.
_KEEPING: Final = frozenset(
    (operator.add, operator.mul, operator.floordiv, operator.mod, operator.and_, operator.or_, operator.xor)
)
_LENGTHS: Final = frozenset(("size", "ndim", "itemsize", "nbytes"))


def operator_of(expression: Any) -> Any:
    """Return the operator of an operation. That of ``a += b`` on numbers is the operator of ``a + b``."""
    return expression.immutable_fn if expression.op == "inplace_binop" else expression.fn


class Known:
    """Facts about the variables of a function, each of which is assigned once."""

    def __init__(self, state: Any) -> None:
        self._definitions = state.func_ir._definitions
        self._types = state.typemap  # without the variables of conversions, before types are inferred again
        self._arguments = state.args

    def definition(self, variable: Any) -> Any:
        """Return what is assigned to a variable, through copies, or None if that is not one expression."""
        found = variable
        while isinstance(found, ir.Var):
            assigned = self._definitions[found.name]
            found = assigned[0] if len(assigned) == 1 else None
        return found

    def constants(self, variable: Any, within: frozenset[int] = frozenset()) -> set[int] | None:
        """Return the ints that a variable can be, or None unless it is a constant on each path."""
        literal = getattr(self._types.get(variable.name), "literal_value", None)
        if type(literal) is int:
            return {literal}
        found = self.definition(variable)
        if isinstance(found, ir.Const | ir.Global | ir.FreeVar):
            return _ints((found.value,))
        if isinstance(found, ir.Arg) and isinstance(default := self._arguments[found.index], types.Omitted):
            return _ints((default.value,))
        if not isinstance(found, ir.Expr) or id(found) in within:
            return None
        if found.op == "phi":
            several = [self.constants(v, within | {id(found)}) for v in found.incoming_values if v is not ir.UNDEFINED]
            return None if None in several else set().union(*several)  # type: ignore[arg-type]  # None is not in it
        table = self._constant_tuple(found.value) if found.op in ("static_getitem", "getitem", "getattr") else None
        if table is None:
            return None
        if found.op == "getattr":
            return _ints((getattr(table, found.attr, None),))
        if found.op == "static_getitem":
            return _ints((table[found.index],)) if isinstance(found.index, int) else None
        return _ints(table)

    def _constant_tuple(self, variable: Any) -> Any:
        found = self.definition(variable)
        is_constant = isinstance(found, ir.Const | ir.Global | ir.FreeVar) and isinstance(found.value, tuple)
        return found.value if is_constant else None

    def is_natural(self, variable: Any, within: frozenset[int] = frozenset()) -> bool:
        """Check whether a number is never negative, whatever the arguments of the function."""
        kind = self._types.get(variable.name)
        if isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and not kind.signed):
            return True
        values = self.constants(variable)
        if values is not None:
            return min(values) >= 0
        found = self.definition(variable)
        if not isinstance(found, ir.Expr):
            return False
        if id(found) in within:
            return True  # a counter: while it is not negative, the next one is not
        return self._is_natural(found, within | {id(found)})

    def _is_natural(self, found: Any, within: frozenset[int]) -> bool:
        def natural(*variables: Any) -> bool:
            return all(self.is_natural(v, within) for v in variables)

        if found.op == "phi":
            return natural(*(v for v in found.incoming_values if v is not ir.UNDEFINED))
        if found.op in ("binop", "inplace_binop"):
            function = operator_of(found)
            if function is operator.and_ and (natural(found.lhs) or natural(found.rhs)):
                return True
            if function is operator.rshift:
                return natural(found.lhs)
            return function in _KEEPING and natural(found.lhs, found.rhs)
        if found.op == "call":
            return self._is_natural_call(found, natural)
        if found.op == "getattr":
            return found.attr in _LENGTHS and self._is_array(found.value)
        if found.op in ("static_getitem", "getitem"):
            return self._is_natural_element(found, natural)
        return found.op == "pair_first" and self._is_natural_counter(self._iterated(found), natural)

    def _is_natural_call(self, call: Any, natural: Any) -> bool:
        kind = self._types.get(call.func.name)
        if call.kws or call.vararg:
            return False
        if isinstance(kind, types.NumberClass):  # a class such as np.int64
            return len(call.args) == 1 and self._is_held(call.args[0], kind.instance_type) and bool(natural(*call.args))
        function = getattr(kind, "typing_key", None)
        if function in (len, abs):
            return True
        if function is int:
            return bool(natural(*call.args))
        if function is max:
            return any(natural(v) for v in call.args)
        return function is min and bool(natural(*call.args))

    def _is_held(self, variable: Any, target: Any) -> bool:
        """Check whether a type holds every number of a variable's type, unless it is negative."""
        kind = self._types.get(variable.name)
        if not isinstance(target, types.Integer) or not isinstance(kind, types.Integer):
            return isinstance(kind, types.Boolean)
        values = self.constants(variable)
        if values is not None:
            return bool(max(values) <= target.maxval)
        return bool(not target.signed or target.bitwidth >= kind.bitwidth + (not kind.signed))

    def _is_natural_element(self, found: Any, natural: Any) -> bool:
        source = self.definition(found.value)
        if not isinstance(source, ir.Expr):
            return False
        if source.op == "exhaust_iter":  # several variables are assigned at once
            source = self.definition(source.value)
        if not isinstance(source, ir.Expr):
            return False
        if source.op == "getattr":
            return bool(source.attr == "shape" and self._is_array(source.value))
        if source.op == "build_tuple":
            chosen = [source.items[found.index]] if found.op == "static_getitem" else source.items
            return bool(natural(*chosen))
        if source.op == "pair_first" and found.op == "static_getitem" and found.index == 0:
            call = self._iterated(source)
            return self._called(call) is enumerate and bool(natural(*call.args[1:]))
        return False

    def _is_array(self, variable: Any) -> bool:
        return isinstance(self._types.get(variable.name), types.Array)

    def _iterated(self, first: Any) -> Any:
        """Return what a loop runs over: the definition of its argument."""
        pair = self.definition(first.value)
        if not isinstance(pair, ir.Expr) or pair.op != "iternext":
            return None
        iterator = self.definition(pair.value)
        return self.definition(iterator.value) if isinstance(iterator, ir.Expr) and iterator.op == "getiter" else None

    def _called(self, call: Any) -> Any:
        """Return the function of a call with positional arguments, or None."""
        if not isinstance(call, ir.Expr) or call.op != "call" or call.kws or call.vararg:
            return None
        return getattr(self._types.get(call.func.name), "typing_key", None)

    def _is_natural_counter(self, call: Any, natural: Any) -> bool:
        if self._called(call) is not range:
            return False
        if len(call.args) == 1:
            return True
        start, stop, *step = call.args
        steps = self.constants(step[0]) if step else {1}
        if steps is None or 0 in steps:
            return False
        if min(steps) > 0:
            return bool(natural(start))
        stops = self.constants(stop)
        return max(steps) < 0 and (natural(stop) if stops is None else min(stops) >= -1)


def _ints(values: Any) -> set[int] | None:
    if values and all(isinstance(v, int | np.integer) and not isinstance(v, bool) for v in values):
        return {int(v) for v in values}
    return None
