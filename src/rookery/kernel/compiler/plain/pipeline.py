"""All of Numba's own passes, and after each of them ours for the meaning of integers.

It looks for no pass by its name but type inference. Ours run when a function's statements have appeared.
"""

import functools
from typing import Any, Final

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.typed_passes import NopythonTypeInference

from rookery.kernel import notice
from rookery.kernel.compiler.plain.assigned import SetOnEveryPath
from rookery.kernel.compiler.plain.mixed import InferenceInWords
from rookery.kernel.compiler.plain.words import IntIndices, Words

_WORDS: Final = "integers are words"


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
            Words().run_pass(state)
        if state.typemap is None:
            IntIndices().run_pass(state)
        return False


@functools.cache
def pipeline(aliases: bool) -> Any:
    """Return the compiler class of a kernel or an entry."""

    class Plain(CompilerBase):  # type: ignore[misc]  # numba is Any
        def define_pipelines(self) -> Any:
            flags = self.state.flags
            if hasattr(flags, "noalias"):
                flags.noalias = not aliases
            return [_with_ours(DefaultPassBuilder.define_nopython_pipeline(self.state))]

    return Plain


def _with_ours(passes: Any) -> Any:
    changed = PassManager(passes.pipeline_name)
    if NopythonTypeInference not in (pass_ for pass_, _ in passes.passes):
        raise RuntimeError("Numba's pipeline has no inference of types")
    for pass_, description in passes.passes:
        if pass_ is NopythonTypeInference:
            changed.add_pass(SetOnEveryPath, _WORDS)
        changed.add_pass(InferenceInWords if pass_ is NopythonTypeInference else pass_, description)
        changed.add_pass(Meaning, _WORDS)
    changed.finalize()
    return changed
