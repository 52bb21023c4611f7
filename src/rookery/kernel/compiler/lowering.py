"""Numba's pass that emits LLVM code for a function, with libraries of our own."""

from typing import Any

from numba import _dynfunc
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

from rookery.kernel.compiler import calls
from rookery.kernel.compiler.emitting import Emitting, EmittingWithoutStatus
from rookery.kernel.compiler.libraries import EntryLibrary, KernelLibrary


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(NativeLowering):  # type: ignore[misc]  # numba is Any
    """Emit a kernel without a status first, and with one if it can raise an exception."""

    _name = "rookery_lowering"

    has_status = True

    @property
    def lowering_class(self) -> Any:
        return Emitting if self.has_status else EmittingWithoutStatus

    def run_pass(self, state: Any) -> bool:
        if not state.flags.forceinline:
            library = state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            library.enable_object_caching()
            return bool(super().run_pass(state))
        if not calls.is_kernel(state.flags, state.args, state.return_type):
            lowered = self._lower_kernel(state, True)
            state.targetctx.insert_user_function(lowered.cfunc, lowered.fndesc, [state.library])
            return True
        has_status = False
        try:
            lowered = self._lower_kernel(state, has_status)
        except calls.CanRaise:
            has_status = True
            lowered = self._lower_kernel(state, has_status)
        form = calls.Form(getattr(state.func_id.func, "rookery_is_called", False), has_status)
        emit = calls.implementation(lowered.fndesc, state.library, form)
        state.targetctx._defns[lowered.cfunc].append(emit, emit.signature)
        return True

    def _lower_kernel(self, state: Any, has_status: bool) -> Any:
        library = state.library = KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        library.rookery_source = state.func_id.filename  # a dependency of the entry's machine code: see `loader`
        self.has_status = has_status
        super().run_pass(state)
        # The rest of Numba's own pass, but with a function that has no address. Callers refer to the kernel by this
        # object, and find the module to link through it.
        lowered = state.cr
        name = lowered.fndesc.qualname
        code = _dynfunc.make_function(lowered.fndesc.lookup_module(), name, name, 0, lowered.env, (library,))
        state.reload_init.extend(library._reload_init)
        state.cr = lowered._replace(cfunc=code)
        return state.cr
