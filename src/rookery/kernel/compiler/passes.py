"""The passes of Numba's compiler that our functions need, run without their overhead.

Numba runs each function through passes for features that none of ours uses (objects, with-blocks, inner closures,
parfors, unrolling by literals), analyses the lifetimes of its variables again after each pass, and reports each pass in
detail to listeners and error messages. Only functions that allocate need lifetimes, for their reference counts. Tested
with Numba 0.64.0 and 0.68.1.
"""

from typing import Any, Final

from numba.core import transforms
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.ir_utils import build_definitions, enforce_no_phis
from numba.core.typed_passes import IRLegalization, PreLowerStripPhis
from numba.core.untyped_passes import ReconstructSSA

from rookery.kernel.compiler import meaning
from rookery.kernel.compiler.inference import Inference
from rookery.kernel.compiler.lowering import Lowering
from rookery.kernel.compiler.untyped import Rewriting, Translation, assign_once

# Numba's passes, by their names: `private` makes sure that Numba has them.
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


@register_pass(mutates_CFG=False, analysis_only=False)
class SingleAssignment(ReconstructSSA):  # type: ignore[misc]  # numba is Any
    """Numba's pass that gives each assignment a variable of its own, by `assign_once`."""

    _name = "rookery_single_assignment"

    def run_pass(self, state: Any) -> bool:
        state.func_ir.blocks = assign_once(state.func_ir.blocks)
        self._patch_locals(state)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class WithoutPhis(PreLowerStripPhis):  # type: ignore[misc]  # numba is Any
    """Numba's pass that replaces phi nodes by assignments, without lifetimes."""

    _name = "rookery_without_phis"

    def run_pass(self, state: Any) -> bool:
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=True)
class Legalization(IRLegalization):  # type: ignore[misc]  # numba is Any
    """Numba's check that no phi node is left, without marks where variables die."""

    _name = "rookery_legalization"

    def run_pass(self, state: Any) -> bool:
        enforce_no_phis(state.func_ir)
        return False


class Manager(PassManager):  # type: ignore[misc]  # numba is Any
    """A manager that runs passes, and after a pass that changes the graph of blocks makes it canonical again."""

    def _runPass(self, index: int, pass_: Any, state: Any) -> None:  # noqa: N802  # Numba's name
        pass_.analysis = self._analysis
        function = state.func_ir
        before = _shape(function.blocks) if function is not None else None
        pass_.run_initialization(state)
        pass_.run_pass(state)
        pass_.run_finalizer(state)
        function = state.func_ir
        if function is not None and _shape(function.blocks) != before:
            function.blocks = transforms.canonicalize_cfg(function.blocks)


def _shape(blocks: Any) -> list[Any]:
    return [(label, block.terminator.get_targets()) for label, block in blocks.items()]


# Our passes, by the pass they follow.
_ADDED: Final = {
    "FixupArgs": meaning.FIRST,
    "GenericRewrites": meaning.UNTYPED,
    "ReconstructSSA": meaning.ASSIGNED,
}
# Our passes, by the pass that they stand for.
_REPLACED: Final = {
    "TranslateByteCode": Translation,
    "NopythonTypeInference": Inference,
    "NativeLowering": Lowering,
}
# The same for functions that do not allocate: without Numba's analysis of the lifetimes of variables.
_WITHOUT_LIFETIMES: Final = {
    "GenericRewrites": Rewriting,
    "ReconstructSSA": SingleAssignment,
    "PreLowerStripPhis": WithoutPhis,
    "IRLegalization": Legalization,
}


def needed(pipeline: Any, flags: Any) -> Any:
    """Return a pipeline of Numba's without the passes that are not needed here, and with others replaced."""
    skipped = _SKIPPED | _SKIPPED_IN_KERNELS if flags.forceinline else _SKIPPED
    replaced = _REPLACED if flags.nrt else _REPLACED | _WITHOUT_LIFETIMES
    reduced = Manager(pipeline.pipeline_name)
    for pass_, description in pipeline.passes:
        name = pass_.__name__
        if name not in skipped:
            reduced.passes.append((replaced.get(name, pass_), description))
        reduced.passes += [(added, "integers are words") for added in _ADDED.get(name, ())]
    reduced.finalize()
    return reduced
