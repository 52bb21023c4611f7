"""From Numba's intermediate representation to LLVM's, without what Numba emits for reference counts."""

import functools
from typing import Any, Final

from rookery.kernel.compiler import calls
from rookery.kernel.compiler.cpu import has_full_width
from rookery.kernel.compiler.elements import WORD_OPERATIONS, element, word_operation
from rookery.kernel.compiler.libraries import libraries

_FULL_WIDTH: Final = '"prefer-vector-width"="512"'


@functools.cache
def _lower() -> Any:
    from llvmlite.ir import IRBuilder
    from numba.core import ir, types
    from numba.core.lowering import Lower

    class AttributedLower(Lower):  # type: ignore[misc]  # numba is Any
        """Numba's lowering, plus function attributes for which Numba has no option."""

        def extract_function_arguments(self) -> Any:
            if not self.takes_values:
                return super().extract_function_arguments()
            self.fnargs = self.call_conv.get_arguments(self.function)
            return self.fnargs

        def setup_function(self, fndesc: Any) -> None:
            source = self.func_ir.func_id.func
            self.takes_values = calls.takes_values(source, self.flags, fndesc.argtypes, fndesc.restype)
            if self.takes_values:
                self.function = calls.declared(self.context, self.module, fndesc)
                self.entry_block = self.function.append_basic_block("entry")
                self.builder = IRBuilder(self.entry_block)
                self.call_helper = self.call_conv.init_call_helper(self.builder)
            else:
                super().setup_function(fndesc)
            is_called = getattr(source, "rookery_is_called", False)
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

        def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
            if op not in WORD_OPERATIONS or not all(self.typeof(v.name) == types.uint64 for v in (expr.lhs, expr.rhs)):
                return super().lower_binop(resty, expr, op)
            result = word_operation(self.builder, op, self.loadvar(expr.lhs.name), self.loadvar(expr.rhs.name))
            kind = types.boolean if result.type.width == 1 else types.uint64
            return self.context.cast(self.builder, result, kind, resty)

        def _element(self, array: Any, index: Any) -> Any:
            kinds = self.typeof(array.name), self.typeof(index.name)
            values = self.loadvar(array.name), self.loadvar(index.name)
            return element(self.context, self.builder, kinds[0], values[0], kinds[1], values[1])

        def lower_inst(self, inst: Any) -> None:
            # Numba formats each instruction for a debug output that is almost never enabled.
            if type(inst) is ir.Assign and not self.context.enable_nrt:
                name = inst.target.name
                self._store(self.lower_assign(self.typeof(name), inst), name)
            else:
                super().lower_inst(inst)

        def _store(self, value: Any, name: str) -> None:
            """Store a value without loading the old one, whose references nobody counts."""
            if name in self._singly_assigned_vars:
                self._blk_local_varmap[name] = value
            else:
                self._alloca_var(name, self.typeof(name))
                self.builder.store(value, self.getvar(name))

    return AttributedLower


@functools.cache
def lowering() -> Any:
    """Return Numba's pass that emits LLVM code, with our libraries."""
    from numba import _dynfunc
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NativeLowering

    kernel_library, entry_library = libraries()

    @register_pass(mutates_CFG=True, analysis_only=False)
    class Lowering(NativeLowering):  # type: ignore[misc]  # numba is Any
        _name = "rookery_lowering"

        @property
        def lowering_class(self) -> Any:
            return _lower()

        def run_pass(self, state: Any) -> bool:
            context = state.targetctx
            library_class = kernel_library if state.flags.forceinline else entry_library
            library = state.library = library_class(context.codegen(), state.func_id.func_qualname)
            if not state.flags.forceinline:
                library.enable_object_caching()
                return bool(super().run_pass(state))
            library.rookery_source = state.func_id.filename  # a dependency of the entry's machine code: see `loader`
            super().run_pass(state)
            # The rest of Numba's own pass, but with a function that has no address. Callers refer to the kernel by this
            # object, and find the module to link through it.
            lowered = state.cr
            name = lowered.fndesc.qualname
            code = _dynfunc.make_function(lowered.fndesc.lookup_module(), name, name, 0, lowered.env, (library,))
            description = lowered.fndesc
            if calls.takes_values(state.func_id.func, state.flags, description.argtypes, description.restype):
                emit = calls.implementation(description, library)
                context._defns[code].append(emit, emit.signature)
            else:
                context.insert_user_function(code, description, [library])
            state.reload_init.extend(library._reload_init)
            state.cr = lowered._replace(cfunc=code)
            return True

    return Lowering
