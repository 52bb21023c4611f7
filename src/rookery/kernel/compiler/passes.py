"""The passes of Numba's compiler that our functions need, run without their overhead.

Numba runs each function through passes for features that none of ours uses (objects, with-blocks, inner closures,
parfors, unrolling by literals), analyses the lifetimes of its variables again after each pass, and reports each pass in
detail to listeners and error messages. Only functions that allocate need lifetimes, for their reference counts. Tested
with Numba 0.63.1 and 0.68.1.
"""

import functools
from typing import Any, Final

from rookery.kernel.compiler.inference import inference
from rookery.kernel.compiler.lowering import lowering
from rookery.kernel.compiler.untyped import assign_once, rewriting, translation
from rookery.kernel.compiler.words import int_indices, no_mixtures, words

# By name, because not every version of Numba has all of them.
_SKIPPED: Final = frozenset(
    (
        "IRProcessing",
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
_ADDED: Final = {"FixupArgs": words, "GenericRewrites": int_indices, "NopythonTypeInference": no_mixtures}
# Our passes, by the pass that they stand for.
_REPLACED: Final = {
    "TranslateByteCode": translation,
    "NopythonTypeInference": inference,
    "NativeLowering": lowering,
}


@functools.cache
def _without_lifetimes() -> dict[str, Any]:
    """Return Numba's passes without its analysis of the lifetimes of variables, by their names."""
    from numba.core.compiler_machinery import FunctionPass, register_pass
    from numba.core.ir_utils import build_definitions, enforce_no_phis
    from numba.core.typed_passes import PreLowerStripPhis
    from numba.core.untyped_passes import ReconstructSSA

    @register_pass(mutates_CFG=False, analysis_only=False)
    class SingleAssignment(ReconstructSSA):  # type: ignore[misc]  # numba is Any
        _name = "rookery_single_assignment"

        def run_pass(self, state: Any) -> bool:
            state.func_ir.blocks = assign_once(state.func_ir.blocks)
            self._patch_locals(state)
            state.func_ir._definitions = build_definitions(state.func_ir.blocks)
            return True

    @register_pass(mutates_CFG=False, analysis_only=False)
    class WithoutPhis(PreLowerStripPhis):  # type: ignore[misc]  # numba is Any
        _name = "rookery_without_phis"

        def run_pass(self, state: Any) -> bool:
            state.func_ir = self._strip_phi_nodes(state.func_ir)
            state.func_ir._definitions = build_definitions(state.func_ir.blocks)
            return True

    @register_pass(mutates_CFG=False, analysis_only=True)
    class Legal(FunctionPass):  # type: ignore[misc]  # numba is Any
        """Numba's own pass also marks where each variable dies, for its reference counts."""

        _name = "rookery_legal"

        def __init__(self) -> None:
            FunctionPass.__init__(self)

        def run_pass(self, state: Any) -> bool:
            enforce_no_phis(state.func_ir)
            return False

    return {
        "GenericRewrites": rewriting(),
        "ReconstructSSA": SingleAssignment,
        "PreLowerStripPhis": WithoutPhis,
        "IRLegalization": Legal,
    }


@functools.cache
def _manager() -> Any:
    from numba.core import transforms
    from numba.core.compiler_machinery import PassManager

    def shape(blocks: Any) -> list[Any]:
        return [(label, block.terminator.get_targets()) for label, block in blocks.items()]

    class Manager(PassManager):  # type: ignore[misc]  # numba is Any
        """A manager that runs passes, and after a pass that changes the graph of blocks makes it canonical again."""

        def _runPass(self, index: int, pass_: Any, state: Any) -> None:  # noqa: N802  # Numba's name
            pass_.analysis = self._analysis
            function = state.func_ir
            before = shape(function.blocks) if function is not None else None
            pass_.run_initialization(state)
            pass_.run_pass(state)
            pass_.run_finalizer(state)
            function = state.func_ir
            if function is not None and shape(function.blocks) != before:
                function.blocks = transforms.canonicalize_cfg(function.blocks)

    return Manager


def needed(pipeline: Any, flags: Any) -> Any:
    """Return a pipeline of Numba's without the passes that are not needed here, and with others replaced."""
    skipped = _SKIPPED | _SKIPPED_IN_KERNELS if flags.forceinline else _SKIPPED
    replaced = {name: make() for name, make in _REPLACED.items()}
    if not flags.nrt:
        replaced |= _without_lifetimes()
    reduced = _manager()(pipeline.pipeline_name)
    for pass_, description in pipeline.passes:
        name = pass_.__name__
        if name not in skipped:
            reduced.passes.append((replaced.get(name, pass_), description))
        if name in _ADDED:
            reduced.passes.append((_ADDED[name](), "integers are words"))
    reduced.finalize()
    return reduced
