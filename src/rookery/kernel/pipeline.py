"""How Numba compiles kernels and entries: settings that it does not offer as options.

No aliasing: LLVM may assume that no array is written through one argument and read through another. A table look-up can
read anywhere. Without the assumption it might read what the loop has just written, so nothing is vectorised (hyperbola
with its 512-byte table: 179 M/s without it, 529 M/s with it).

Full width: for Intel CPUs with AVX-512, LLVM prefers vectors of 256 bits, because early ones lowered their clock for
wider vectors. On later ones (Emerald Rapids) 512 bits answered 17 to 35 % more positions per second. The early ones
lack VPOPCNTDQ. AMD's CPUs have no such limit, and their code is unaffected. The preference is an attribute of each
function, including the inlined ones.

Kernels are not fully compiled: each is inlined into an entry, which is optimised as a whole, so a kernel needs neither
full optimisation nor machine code of its own. Numba makes both for each of the 160 kernels of a perft. Without them the
first perft took 15 s of CPU instead of 23, and the machine code was as fast or faster (up to 5 % for the start
position), because LLVM sees the whole loop before it decides anything. The first, cheap passes stay: without them, or
without those over single functions, entries take longer to compile and to run. Of the time that was left, a quarter
went into wrappers for C, and a quarter into collecting garbage among objects that a compilation needs until its end.
"""

import contextlib
import functools
import gc
from collections.abc import Iterator
from typing import Any, Final

from rookery.kernel.passes import needed
from rookery.kernel.settings import target

_GC_THRESHOLD: Final = 1_000_000
_FULL_WIDTH: Final = '"prefer-vector-width"="512"'


def cpu() -> tuple[str, str]:
    """Return the CPU that entries are compiled for: its LLVM name and its feature list."""
    return target()[1:]


def has_full_width() -> bool:
    """Check whether loops prefer vectors of 512 bits."""
    return {"+avx512f", "+avx512vpopcntdq"} <= {*cpu()[1].split(",")}


@functools.cache
def _lowering() -> Any:
    from numba import _dynfunc
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler_machinery import register_pass
    from numba.core.lowering import Lower
    from numba.core.typed_passes import NativeLowering

    class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba is Any
        """A kernel's LLVM module, to be linked into others."""

        def _optimize_final_module(self) -> None:
            level = self._codegen._opt_level
            passes, builder = self._codegen._module_pass_manager(
                loop_vectorize=False, slp_vectorize=False, opt=level, cost="cheap"
            )
            passes.run(self._final_module, builder)

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

    class AttributedLower(Lower):  # type: ignore[misc]  # numba is Any
        """Numba's lowering, plus function attributes for which Numba has no option."""

        def setup_function(self, fndesc: Any) -> None:
            super().setup_function(fndesc)
            if getattr(self.func_ir.func_id.func, "rookery_is_cold", False):
                self.function.attributes.discard("alwaysinline")
                self.function.attributes.add("noinline")
                self.function.attributes.add("cold")
            if not self.flags.forceinline:
                # The loop of a perft is over a tenth slower when inlined into the wrapper that Python calls.
                self.function.attributes.add("noinline")
            if has_full_width():
                # llvmlite's own `add` only takes names from a fixed list.
                set.add(self.function.attributes, _FULL_WIDTH)

    @register_pass(mutates_CFG=True, analysis_only=False)
    class Lowering(NativeLowering):  # type: ignore[misc]  # numba is Any
        _name = "rookery_lowering"

        @property
        def lowering_class(self) -> Any:
            return AttributedLower

        def run_pass(self, state: Any) -> bool:
            if not state.flags.forceinline:
                return bool(super().run_pass(state))
            context = state.targetctx
            library = state.library = KernelLibrary(context.codegen(), state.func_id.func_qualname)
            library.rookery_source = state.func_id.filename  # a dependency of the entry's machine code: see `loader`
            super().run_pass(state)
            # The rest of Numba's own pass, but with a function that has no address. Callers refer to the kernel by this
            # object, and find the module to link through it.
            lowered = state.cr
            name = lowered.fndesc.qualname
            code = _dynfunc.make_function(lowered.fndesc.lookup_module(), name, name, 0, lowered.env, (library,))
            context.insert_user_function(code, lowered.fndesc, [library])
            state.reload_init.extend(library._reload_init)
            state.cr = lowered._replace(cfunc=code)
            return True

    return Lowering


@contextlib.contextmanager
def _rare_garbage_collection() -> Iterator[None]:
    """Collect garbage a thousand times less often: the objects of a compilation live until its end."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _GC_THRESHOLD) if before[0] else 0, *before[1:])  # 0 disables it
    try:
        yield
    finally:
        gc.set_threshold(*before)


@functools.cache
def pipeline(aliases: bool) -> Any:
    """Return the compiler class of a kernel or an entry."""
    from numba.core.compiler import Compiler
    from numba.core.typed_passes import NativeLowering

    class Pipeline(Compiler):  # type: ignore[misc]  # numba is Any
        def compile_extra(self, function: Any) -> Any:
            with _rare_garbage_collection():
                return super().compile_extra(function)

        def define_pipelines(self) -> Any:
            flags = self.state.flags
            flags.noalias = not aliases
            flags.no_compile = flags.forceinline
            flags.no_cfunc_wrapper = True  # never called from C, and each wrapper would be compiled, too
            pipelines = super().define_pipelines()
            return [needed(passes, {NativeLowering: _lowering()}, flags.forceinline) for passes in pipelines]

    return Pipeline
