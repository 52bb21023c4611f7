"""How Numba compiles for us: what it does not offer as an option, in one place.

Arrays that are not aliased: LLVM is promised that no array is written through one argument and read through another.
A table look-up reads where it likes: without the promise it might read what the loop has just written, and nothing is
vectorised (hyperbola with its 512-byte table: 179 M/s without, 529 M/s with it).

Full width: for Intel CPUs with AVX-512, LLVM prefers vectors of 256 bits, a choice made for CPUs that slowed their
clock for wider ones. On later ones (Emerald Rapids) 512 bits answered 17 to 35 % more positions a second. VPOPCNTDQ
tells them apart: the slow ones do not have it. AMD's are not held back, and their code stays as it is. The preference
is an attribute of each function: what is inlined has it too.

Kernels are not compiled to the end: each is inlined into an entry, which is optimised as a whole, so of a kernel alone
neither the full optimisation nor machine code is ever wanted. Numba makes both for each of the 160 kernels of a perft;
without them its first answer took 15 s of CPU instead of 23, and the machine code was as fast or faster (perft of the
start position to 5 %): LLVM sees the whole loop before it settles anything. Leaving out the first, cheap passes too
makes the entries slower to compile and to run, and so does leaving out those over its single functions. A quarter of
what was left went into wrappers to be called from C, and a quarter into looking for garbage among objects that a
compilation needs to its end.
"""

import contextlib
import functools
import gc
from collections.abc import Iterator
from typing import Any, Final

from rookery.kernel.passes import needed
from rookery.kernel.settings import target

_SELDOM: Final = 1_000_000
_FULL_WIDTH: Final = '"prefer-vector-width"="512"'


def cpu() -> tuple[str, str]:
    """The CPU that entries are compiled for: its LLVM name and its feature list."""
    return target()[1:]


def has_full_width() -> bool:
    """Whether loops are asked to use vectors of 512 bits."""
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
        """Gives each function the attributes that Numba has no option for."""

        def setup_function(self, fndesc: Any) -> None:
            super().setup_function(fndesc)
            if not self.flags.forceinline:
                # Inlined into the wrapper that Python calls, the loop of a perft lost a tenth of its speed and more.
                self.function.attributes.add("noinline")
            if has_full_width():
                # llvmlite's own `add` takes names of a fixed list only.
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
            library.rookery_source = state.func_id.filename  # what the entry's machine code depends on: see `loader`
            super().run_pass(state)
            # What is left of Numba's own run when it compiles to the end, with no address behind the function: callers
            # know the kernel by this object, and find its module to link.
            lowered = state.cr
            name = lowered.fndesc.qualname
            code = _dynfunc.make_function(lowered.fndesc.lookup_module(), name, name, 0, lowered.env, (library,))
            context.insert_user_function(code, lowered.fndesc, [library])
            state.reload_init.extend(library._reload_init)
            state.cr = lowered._replace(cfunc=code)
            return True

    return Lowering


@contextlib.contextmanager
def _collecting_seldom() -> Iterator[None]:
    """Let Python look for garbage a thousand times less often: what a compiler builds is wanted until it is done."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _SELDOM) if before[0] else 0, *before[1:])  # 0: not at all
    try:
        yield
    finally:
        gc.set_threshold(*before)


@functools.cache
def pipeline(aliases: bool) -> Any:
    """The compiler class of a kernel or an entry."""
    from numba.core.compiler import Compiler
    from numba.core.typed_passes import NativeLowering

    class Pipeline(Compiler):  # type: ignore[misc]  # numba is Any
        def compile_extra(self, function: Any) -> Any:
            with _collecting_seldom():
                return super().compile_extra(function)

        def define_pipelines(self) -> Any:
            flags = self.state.flags
            flags.noalias = not aliases
            flags.no_compile = flags.forceinline
            flags.no_cfunc_wrapper = True  # C may not call them, and each would be compiled once more
            pipelines = super().define_pipelines()
            return [needed(passes, {NativeLowering: _lowering()}, flags.forceinline) for passes in pipelines]

    return Pipeline
