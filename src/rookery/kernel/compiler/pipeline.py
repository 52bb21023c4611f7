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

from llvmlite.binding import ffi
from numba.core.compiler import Compiler, Flags

from rookery.kernel import notice
from rookery.kernel.compiler.calls import short_name
from rookery.kernel.compiler.passes import needed

_GC_THRESHOLD: Final = 1_000_000


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Collect garbage seldom, and do not report calls of LLVM.

    The objects of a compilation live until its end, so garbage is collected a thousand times less often. Numba tells
    the timers of all functions that are being compiled about each of 30,000 calls of LLVM.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _GC_THRESHOLD) if before[0] else 0, *before[1:])  # 0 disables it
    reports, ffi.lib._lock._cblist = ffi.lib._lock._cblist, []
    try:
        yield
    finally:
        ffi.lib._lock._cblist = reports
        gc.set_threshold(*before)


class _Refreshed:
    """A context of Numba that has just looked for new implementations, and does not look again."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def refresh(self) -> None:
        """Do nothing."""


@functools.cache
def pipeline(aliases: bool) -> Any:
    """Return the compiler class of a kernel or an entry."""
    # Flags are part of the keys under which Numba keeps overloads. Its own comparison reads all options, one by one.
    number = hash(Flags())
    kept: dict[tuple[bool, bool], Any] = {}  # the passes of a function, by the options in which our functions differ

    class ComparedFlags(Flags):  # type: ignore[misc]  # numba is Any
        __slots__ = ()

        def __hash__(self) -> int:
            return number

        def __eq__(self, other: object) -> bool:
            same = type(other) is ComparedFlags and self._values == other._values
            return same or bool(super().__eq__(other))

    class Pipeline(Compiler):  # type: ignore[misc]  # numba is Any
        def __init__(self, typing: Any, target: Any, library: Any, args: Any, returned: Any, flags: Any, named: Any):
            # An entry's kernels are compiled within milliseconds of it, with the contexts that it has refreshed.
            contexts = (_Refreshed(typing), _Refreshed(target)) if flags.forceinline else (typing, target)
            super().__init__(*contexts, library, args, returned, ComparedFlags(flags), named)
            self.state.typingctx = typing
            if flags.forceinline:
                self.state.targetctx.mangler = short_name  # of a context that serves this compilation only

        def compile_extra(self, function: Any) -> Any:
            notice.count_function()
            with _undisturbed():
                return super().compile_extra(function)

        def define_pipelines(self) -> Any:
            flags = self.state.flags
            flags.noalias = not aliases
            flags.no_compile = flags.forceinline
            flags.no_cfunc_wrapper = True  # never called from C, and each wrapper would be compiled, too
            kind = bool(flags.forceinline), bool(flags.nrt)
            if kind not in kept:
                kept[kind] = [needed(passes, flags) for passes in super().define_pipelines()]
            return kept[kind]

    return Pipeline
