"""What is emitted for each statement of a kernel or an entry: Numba's lowering, changed where it emits too much."""

import operator
from typing import Any, Final

from llvmlite.ir import IRBuilder
from numba.core import cgutils, ir, ir_utils
from numba.core.lowering import Lower

from rookery.kernel.compiler import calls
from rookery.kernel.compiler.cpu import has_full_width
from rookery.kernel.compiler.elements import (
    element,
    is_among,
    least_or_greatest,
    next_of_range,
    operation,
    range_iterator,
    types,
)
from rookery.kernel.compiler.untyped import assigned_once

_FULL_WIDTH: Final = '"prefer-vector-width"="512"'


class Emitting(Lower):  # type: ignore[misc]  # numba is Any
    """Numba's lowering of a function."""

    has_status = True

    def extract_function_arguments(self) -> Any:
        if self.form is None:
            return super().extract_function_arguments()
        self.fnargs = calls.parameters(self.context, self.builder, self.fndesc, self.form, self.function)
        return self.fnargs

    def setup_function(self, fndesc: Any) -> None:
        source = self.func_ir.func_id.func
        is_called = getattr(source, "rookery_is_called", False)
        self.form = None
        if calls.is_kernel(self.flags, fndesc.argtypes, fndesc.restype):
            self.form = calls.Form(is_called, self.has_status)
            self.function = calls.declared(self.context, self.module, fndesc, self.form)
            if not self.has_status:
                calls.return_results(self.context, self.function)
            self.entry_block = self.function.append_basic_block("entry")
            self.builder = IRBuilder(self.entry_block)
            self.call_helper = self.call_conv.init_call_helper(self.builder)
        else:
            super().setup_function(fndesc)
        if is_called:
            self.function.attributes.discard("alwaysinline")
        if getattr(source, "rookery_is_cold", False):
            self.function.attributes.add("cold")
        if is_called or not self.flags.forceinline:
            # The loop of a perft is over a tenth slower when inlined into the wrapper that Python calls.
            self.function.attributes.add("noinline")
        if has_full_width():
            # llvmlite's own `add` only takes names from a fixed list.
            set.add(self.function.attributes, _FULL_WIDTH)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        place = self._element(value, index)
        if place is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        kind = self.typeof(value.name).dtype
        return self.context.cast(self.builder, self.context.unpack_value(self.builder, kind, place), kind, resty)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        place = self._element(target_var, index_var)
        if place is None:
            return super().lower_setitem(target_var, index_var, value_var, signature)
        kind = self.typeof(target_var.name).dtype
        value = self.context.cast(self.builder, self.loadvar(value_var.name), self.typeof(value_var.name), kind)
        return self.context.pack_value(self.builder, kind, value, place)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        result = None
        if expr.op == "getiter":
            result = self._range_iterator(expr.value)
        elif expr.op == "iternext" and isinstance(self.typeof(expr.value.name), types.RangeIteratorType):
            iterator = self.typeof(expr.value.name), self.loadvar(expr.value.name)
            pair = next_of_range(self.context, self.builder, *iterator)
            result = cgutils.make_anonymous_struct(self.builder, pair, self.context.get_value_type(resty))
        return super().lower_expr(resty, expr) if result is None else result

    def _range_iterator(self, iterated: Any) -> Any:
        """Return the iterator over a range whose step is known, or None."""
        kind = self.typeof(iterated.name)
        call = ir_utils.guard(ir_utils.get_definition, self.func_ir, iterated)
        if not isinstance(kind, types.RangeType) or getattr(call, "op", "") != "call" or call.kws or call.vararg:
            return None
        if getattr(self.typeof(call.func.name), "typing_key", None) is not range:
            return None  # a kernel that returns a range may have chosen any step
        step = 1
        if len(call.args) == 3:
            constant = ir_utils.guard(ir_utils.get_definition, self.func_ir, call.args[2])
            step = int(constant.value) if isinstance(constant, ir.Const) else 0
        value = self.loadvar(iterated.name)
        return range_iterator(self.context, self.builder, kind, value, step) if step else None

    def lower_call(self, resty: Any, expr: Any) -> Any:
        function = getattr(self.typeof(expr.func.name), "typing_key", None)
        if function not in (bool, min, max):
            return super().lower_call(resty, expr)
        kinds = [self.typeof(argument.name) for argument in expr.args]
        values = [self.loadvar(argument.name) for argument in expr.args]
        result = None
        if function is bool:
            result = values[0] if kinds == [types.boolean] else None
        elif isinstance(kinds[0], types.Integer | types.Float) and len({*kinds}) == 1 < len(kinds):
            result = least_or_greatest(self.builder, function, kinds[0], values)
        if result is None:
            return super().lower_call(resty, expr)
        return self.context.cast(self.builder, result, kinds[0], resty)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        if op is operator.contains:
            container, item = expr.lhs.name, expr.rhs.name
            found = is_among(
                self.builder,
                self.typeof(container),
                self.loadvar(container),
                self.typeof(item),
                self.loadvar(item),
            )
            if found is not None:
                return self.context.cast(self.builder, found, types.boolean, resty)
        kinds = self.fndesc.calltypes[expr].args
        result = None
        if kinds[0] == kinds[1]:
            left, right = (
                self.context.cast(self.builder, self.loadvar(v.name), self.typeof(v.name), kinds[0])
                for v in (expr.lhs, expr.rhs)
            )
            result = operation(self.builder, op, kinds[0], left, right)
        if result is None:
            return super().lower_binop(resty, expr, op)
        return self.context.cast(self.builder, result, self.fndesc.calltypes[expr].return_type, resty)

    def _element(self, array: Any, index: Any) -> Any:
        kinds = self.typeof(array.name), self.typeof(index.name)
        values = self.loadvar(array.name), self.loadvar(index.name)
        return element(self.context, self.builder, kinds[0], values[0], kinds[1], values[1])

    def _find_singly_assigned_variable(self) -> None:
        if self.context.enable_nrt:
            super()._find_singly_assigned_variable()
        else:
            self._singly_assigned_vars = assigned_once(self.blocks)
            self._blk_local_varmap: dict[str, Any] = {}

    def lower_inst(self, inst: Any) -> None:
        # Numba formats each instruction for a debug output that is almost never enabled.
        if type(inst) is ir.Assign and not self.context.enable_nrt:
            name = inst.target.name
            self._store(self.lower_assign(self.typeof(name), inst), name)
        else:
            super().lower_inst(inst)

    def alloca_lltype(self, name: str, kind: Any, datamodel: Any = None) -> Any:
        return cgutils.alloca_once(self.builder, kind, name=name)  # Numba also asks LLVM for the size, to debug

    def _store(self, value: Any, name: str) -> None:
        """Store a value without loading the old one, whose references nobody counts."""
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self._alloca_var(name, self.typeof(name))
            self.builder.store(value, self.getvar(name))


class EmittingWithoutStatus(Emitting):
    """The same for a kernel that returns its result."""

    has_status = False
