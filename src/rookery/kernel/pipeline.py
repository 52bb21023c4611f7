"""How Numba compiles for us: what it does not offer as an option, in one place.

Arrays that are not aliased: LLVM is promised that no array is written through one argument and read through another.
A table look-up reads where it likes: without the promise it might read what the loop has just written, and nothing is
vectorised (hyperbola with its 512-byte table: 179 M/s without, 529 M/s with it).

Full width: for Intel CPUs with AVX-512, LLVM prefers vectors of 256 bits, a choice made for CPUs that slowed their
clock for wider ones. On later ones (Emerald Rapids) 512 bits answered 17 to 35 % more positions a second. VPOPCNTDQ
tells them apart: the slow ones do not have it. AMD's are not held back, and their code stays as it is. The preference
is an attribute of each function; kernels need it as entries do, since each is vectorised by itself before it is
inlined.
"""

import functools
from typing import Any

_FULL_WIDTH = '"prefer-vector-width"="512"'


def cpu() -> tuple[str, str]:
    """The CPU that entries are compiled for: its LLVM name and its feature list."""
    from numba.core.registry import cpu_target

    _, name, features = cpu_target.target_context.codegen().magic_tuple()
    return str(name), str(features)


def has_full_width() -> bool:
    """Whether loops are asked to use vectors of 512 bits."""
    return {"+avx512f", "+avx512vpopcntdq"} <= {*cpu()[1].split(",")}


@functools.cache
def _lowering() -> Any:
    from numba.core.compiler_machinery import register_pass
    from numba.core.lowering import Lower
    from numba.core.typed_passes import NativeLowering

    class FullWidthLower(Lower):  # type: ignore[misc]  # numba is Any
        def setup_function(self, fndesc: Any) -> None:
            super().setup_function(fndesc)
            if has_full_width():
                # llvmlite's own `add` takes names of a fixed list only.
                set.add(self.function.attributes, _FULL_WIDTH)

    @register_pass(mutates_CFG=True, analysis_only=False)
    class FullWidthLowering(NativeLowering):  # type: ignore[misc]  # numba is Any
        _name = "full_width_lowering"

        @property
        def lowering_class(self) -> Any:
            return FullWidthLower

    return FullWidthLowering


@functools.cache
def pipeline(aliases: bool) -> Any:
    """The compiler class of a kernel or an entry."""
    from numba.core.compiler import Compiler
    from numba.core.typed_passes import NativeLowering

    class Pipeline(Compiler):  # type: ignore[misc]  # numba is Any
        def define_pipelines(self) -> Any:
            self.state.flags.noalias = not aliases
            pipelines = super().define_pipelines()
            for passes in pipelines:
                passes.passes = [(_lowering() if p is NativeLowering else p, told) for p, told in passes.passes]
                passes.finalize()
            return pipelines

    return Pipeline
