"""A plain pipeline: all of Numba's own passes, and after each of them ours for the meaning of integers.

It compiles where `private` finds that the other pipeline may not fit Numba. Answers are the same. Compilation and
compiled code are slower: kernels are Numba's functions, each compiled like any other. Of what `pipeline` describes, it
keeps the promise that arrays do not alias, and the full width of vectors, where Numba and llvmlite allow that.

It looks for no pass by its name but type inference. Ours run when a function's statements have appeared. `meaning`
lists them.
"""

import functools
from typing import Any, Final

from numba import types
from numba.core import ir
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.extending import intrinsic

from rookery.kernel import notice
from rookery.kernel.compiler import meaning
from rookery.kernel.compiler.cpu import has_full_width

_WORDS: Final = "integers are words"
_FULL_WIDTH: Final = '"prefer-vector-width"="512"'


@register_pass(mutates_CFG=False, analysis_only=False)
class Meaning(AnalysisPass):  # type: ignore[misc]  # numba is Any
    """Run our passes as soon as they can run. This pass follows each of Numba's."""

    _name = "rookery_meaning"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)  # for Numba, a pass without a method of this name is abstract

    def run_pass(self, state: Any) -> bool:
        if state.func_ir is None:
            return False
        if "rookery_first" not in state:
            state["rookery_first"] = True
            notice.count_function()
            _run(meaning.FIRST, state)
            if has_full_width():
                _widen(state.func_ir)
        if state.typemap is None:
            _run(meaning.UNTYPED, state)
        return False


def _run(passes: tuple[Any, ...], state: Any) -> None:
    for pass_ in passes:
        pass_().run_pass(state)


@intrinsic  # type: ignore[untyped-decorator]  # numba is Any
def _full_width(typing: Any) -> Any:
    """Let LLVM use vectors of 512 bits in the function that calls this."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        attributes = builder.function.attributes
        if isinstance(attributes, set):  # whose own `add` only takes names from a fixed list
            set.add(attributes, _FULL_WIDTH)
        return context.get_dummy_value()

    return types.void(), codegen


def _widen(function: Any) -> None:
    """Let a function call `_full_width` at its beginning."""
    block = function.blocks[min(function.blocks)]
    called = ir.Global("full_width", _full_width, block.loc)
    name, result = (ir.Var(block.scope, f"$rookery_{n}", block.loc) for n in ("full_width", "nothing"))
    call = ir.Expr.call(name, (), (), block.loc)
    for place, (variable, value) in enumerate(((name, called), (result, call))):
        block.body.insert(place, ir.Assign(value, variable, block.loc))
        function._definitions[variable.name] = [value]


@functools.cache
def pipeline(aliases: bool) -> Any:
    """Return the compiler class of a kernel or an entry."""

    class Plain(Compiler):  # type: ignore[misc]  # numba is Any
        def define_pipelines(self) -> Any:
            flags = self.state.flags
            if hasattr(flags, "noalias"):
                flags.noalias = not aliases
            return [_with_ours(passes) for passes in super().define_pipelines()]

    return Plain


def _with_ours(passes: Any) -> Any:
    changed = PassManager(passes.pipeline_name)
    if NopythonTypeInference not in (pass_ for pass_, _ in passes.passes):
        raise RuntimeError("Numba's pipeline has no inference of types")
    for pass_, description in passes.passes:
        if pass_ is NopythonTypeInference:
            for added in meaning.ASSIGNED:
                changed.add_pass(added, _WORDS)
        changed.add_pass(meaning.INFERENCE if pass_ is NopythonTypeInference else pass_, description)
        changed.add_pass(Meaning, _WORDS)
    changed.finalize()
    return changed
