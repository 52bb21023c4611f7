"""The passes of Numba that our functions need, run without what surrounds them.

A kernel takes some 60 ms of Python, and a perft has 80 of them. Numba runs each function through passes for what none
of ours holds (objects, with-blocks, closures made inside, parfors, unrolling by literals), looks it over again after
each, and tells listeners and error messages of each in detail. Tried with Numba 0.63.1 and 0.68.1.
"""

import functools
from typing import Any, Final

from rookery.kernel.words import no_mixtures, words

# By their names: a version of Numba need not have all.
_NEEDLESS: Final = frozenset(
    (
        "WithLifting",
        "InlineClosureLikes",
        "RewriteDynamicRaises",
        "MakeFunctionToJitFunction",
        "InlineInlinables",
        "InlineOverloads",
        "FindLiterallyCalls",
        "LiteralUnroll",
        "LiteralPropagationSubPipelinePass",
        "AnnotateTypes",
        "NoPythonSupportedFeatureValidation",
        "DumpParforDiagnostics",
    )
)
_NEEDLESS_IN_KERNELS: Final = frozenset(("NopythonRewrites",))  # of array expressions
_ADDED: Final = {"IRProcessing": words, "NopythonTypeInference": no_mixtures}  # ours, by the pass that they follow


@functools.cache
def _manager() -> Any:
    from numba.core import transforms
    from numba.core.compiler_machinery import FunctionPass, PassManager, _pass_registry
    from numba.core.postproc import PostProcessor

    class Manager(PassManager):  # type: ignore[misc]  # numba is Any
        """Runs passes; those that change blocks are followed by what the next ones rely on."""

        def _runPass(self, index: int, pass_: Any, state: Any) -> None:  # noqa: N802  # Numba's name
            pass_.analysis = self._analysis
            changed = pass_.run_initialization(state)
            changed |= pass_.run_pass(state)
            changed |= pass_.run_finalizer(state)
            if isinstance(pass_, FunctionPass) and _pass_registry.get(type(pass_)).mutates_CFG:
                if changed:
                    PostProcessor(state.func_ir).run()
                else:
                    state.func_ir.blocks = transforms.canonicalize_cfg(state.func_ir.blocks)

    return Manager


def needed(pipeline: Any, replaced: dict[Any, Any], of_kernel: bool) -> Any:
    """A pipeline of Numba's without the passes that are of no use here, and with others in place of some."""
    needless = _NEEDLESS | _NEEDLESS_IN_KERNELS if of_kernel else _NEEDLESS
    lean = _manager()(pipeline.pipeline_name)
    for pass_, told in pipeline.passes:
        if pass_.__name__ not in needless:
            lean.passes.append((replaced.get(pass_, pass_), told))
        if pass_.__name__ in _ADDED:
            lean.passes.append((_ADDED[pass_.__name__](), "integers are words"))
    lean.finalize()
    return lean
