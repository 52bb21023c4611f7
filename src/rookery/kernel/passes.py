"""The passes of Numba's compiler that our functions need, run without their overhead.

Compiling a kernel takes about 60 ms of Python, and a perft has 80 of them. Numba runs each function through passes for
features that none of ours uses (objects, with-blocks, inner closures, parfors, unrolling by literals), analyses it
again after each pass, and reports each pass in detail to listeners and error messages. Tested with Numba 0.63.1 and
0.68.1.
"""

import functools
from typing import Any, Final

from rookery.kernel.words import int_indices, no_mixtures, words

# By name, because not every version of Numba has all of them.
_SKIPPED: Final = frozenset(
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
_SKIPPED_IN_KERNELS: Final = frozenset(("NopythonRewrites",))  # it rewrites array expressions
# Our passes, by the pass they follow.
_ADDED: Final = {"IRProcessing": words, "GenericRewrites": int_indices, "NopythonTypeInference": no_mixtures}


@functools.cache
def _manager() -> Any:
    from numba.core import transforms
    from numba.core.compiler_machinery import FunctionPass, PassManager, _pass_registry
    from numba.core.postproc import PostProcessor

    class Manager(PassManager):  # type: ignore[misc]  # numba is Any
        """A manager that runs passes, and after a pass that changes blocks restores what later passes rely on."""

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
    """Return a pipeline of Numba's without the passes that are not needed here, and with others replaced."""
    skipped = _SKIPPED | _SKIPPED_IN_KERNELS if of_kernel else _SKIPPED
    reduced = _manager()(pipeline.pipeline_name)
    for pass_, description in pipeline.passes:
        if pass_.__name__ not in skipped:
            reduced.passes.append((replaced.get(pass_, pass_), description))
        if pass_.__name__ in _ADDED:
            reduced.passes.append((_ADDED[pass_.__name__](), "integers are words"))
    reduced.finalize()
    return reduced
