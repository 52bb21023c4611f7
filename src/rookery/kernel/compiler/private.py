"""The parts of Numba that the compiler uses without a promise of Numba: the tested versions, and every name.

`fault` looks for all of it before anything is compiled. If a name is missing, or Numba is another version, the plain
pipeline compiles (see `plain`). What Numba's objects hold besides their classes' attributes is not listed: only a
version that was not tested can lack it.

A test finds the names that this package uses, and compares them with this list.
"""

import importlib
import re
from typing import Any, Final

# `pyproject.toml` allows these: from the first on, below the second.
TESTED: Final = ((0, 64), (0, 69))

_SHOWN: Final = 3  # missing names in a message

# By module: names, and attributes of the classes that define them. `codecache.loader` uses some of them, too.
NAMES: Final = {
    "llvmlite.binding.ffi": "lib._lock._cblist",
    "numba._dynfunc": "Environment make_function",
    "numba._helperlib": "c_helpers",
    "numba.core.analysis": "compute_cfg_from_blocks",
    "numba.core.base": """
        BaseContext.cast BaseContext.get_arg_packer BaseContext.get_dummy_value BaseContext.get_returned_value
        BaseContext.get_value_type BaseContext.insert_user_function BaseContext.make_array BaseContext.pack_value
        BaseContext.refresh BaseContext.unpack_value""",
    "numba.core.callconv": """
        BaseCallConv.get_return_type BaseCallConv.init_call_helper CPUCallConv CPUCallConv._get_excinfo_argument
        CPUCallConv._return_errcode_raw CPUCallConv.return_status_propagate CPUCallConv.return_value RETCODE_OK Status
        errcode_t excinfo_ptr_t""",
    "numba.core.cgutils": "alloca_once get_or_insert_function if_unlikely make_anonymous_struct normalize_ir_text",
    "numba.core.codegen": """
        CPUCodeLibrary._finalize_dynamic_globals CPUCodeLibrary._get_module_for_linking
        CPUCodeLibrary._optimize_final_module CPUCodeLibrary._optimize_functions CPUCodeLibrary.add_ir_module
        CPUCodeLibrary.add_llvm_module CPUCodeLibrary.finalize CodeLibrary._ensure_finalized
        CodeLibrary._get_compiled_object CodeLibrary._raise_if_finalized CodeLibrary.enable_object_caching
        CodeLibrary.has_dynamic_globals JITCodeLibrary""",
    "numba.core.compiler": """
        CompileResult._find_referenced_environments Compiler Compiler.define_pipelines CompilerBase.compile_extra
        DefaultPassBuilder.define_nopython_pipeline Flags StateDict""",
    "numba.core.compiler_lock": "global_compiler_lock",
    "numba.core.compiler_machinery": """
        AnalysisPass CompilerPass.run_pass FunctionPass PassManager PassManager._runPass register_pass""",
    "numba.core.config": "BOUNDSCHECK CACHE_DIR CPU_FEATURES CPU_NAME DISABLE_JIT ENABLE_AVX OPT",
    "numba.core.datamodel.manager": "DataModelManager.__getitem__",
    "numba.core.errors": "ForceLiteralArg TypingError",
    "numba.core.funcdesc": "FunctionDescriptor.llvm_cpython_wrapper_name FunctionDescriptor.qualname default_mangler",
    "numba.core.interpreter": "Interpreter Interpreter.interpret Interpreter.post_process",
    "numba.core.ir": "Arg Assign Const Del Expr Expr.call FreeVar Global Inst StaticSetItem UNDEFINED Var",
    "numba.core.ir_utils": "build_definitions enforce_no_phis get_definition guard",
    "numba.core.lowering": """
        BaseLower.call_conv BaseLower.extract_function_arguments BaseLower.setup_function BaseLower.typeof Lower
        Lower._alloca_var Lower._find_singly_assigned_variable Lower.alloca_lltype Lower.getvar Lower.loadvar
        Lower.lower_assign Lower.lower_binop Lower.lower_call Lower.lower_expr Lower.lower_getitem Lower.lower_inst
        Lower.lower_setitem""",
    "numba.core.rewrites": "rewrite_registry",
    "numba.core.runtime._nrt_python": "c_helpers memsys_shutdown memsys_use_cpython_allocator",
    "numba.core.ssa": """
        _CacheListVars _FixSSAVars _compute_phi_locations _find_defs_violators _fresh_vars _iterated_domfronts
        _make_states _run_block_rewrite""",
    "numba.core.targetconfig": "TargetConfig._values",
    "numba.core.transforms": "canonicalize_cfg",
    "numba.core.typed_passes": """
        BaseNativeLowering.run_pass BaseTypeInference.run_pass IRLegalization IRLegalization.run_pass NativeLowering
        NativeLowering.lowering_class NopythonTypeInference PreLowerStripPhis PreLowerStripPhis._strip_phi_nodes
        PreLowerStripPhis.run_pass""",
    "numba.core.typeinfer": """
        ConstraintNetwork ConstraintNetwork.propagate TypeVarMap TypeVarMap.__getitem__ TypeVarMap.set_context""",
    "numba.core.types.misc": "Omitted Optional",
    "numba.core.untyped_passes": """
        GenericRewrites GenericRewrites.run_pass ReconstructSSA ReconstructSSA._patch_locals ReconstructSSA.run_pass
        TranslateByteCode TranslateByteCode.run_pass""",
}

# The passes of Numba's pipeline that are left out, replaced or followed by ours: see `passes`.
PASSES: Final = """
    AnnotateTypes FindLiterallyCalls FixupArgs GenericRewrites IRLegalization IRProcessing InlineClosureLikes
    InlineInlinables InlineOverloads LiteralPropagationSubPipelinePass LiteralUnroll MakeFunctionToJitFunction
    NativeLowering NoPythonSupportedFeatureValidation NopythonRewrites NopythonTypeInference PreLowerStripPhis
    ReconstructSSA RewriteDynamicRaises TranslateByteCode WithLifting DumpParforDiagnostics""".split()


def all_names() -> list[str]:
    """Return every name with its module: ``numba.core.ir:Const``."""
    return [f"{module}:{name}" for module, names in NAMES.items() for name in names.split()]


def fault() -> str:
    """Return why the full pipeline cannot be used, or an empty text if it can."""
    import numba

    version = getattr(numba, "__version__", "?")
    numbers = re.match(r"(\d+)\.(\d+)", version)
    first, last = TESTED
    if numbers is None or not first <= (int(numbers[1]), int(numbers[2])) < last:
        tested = " to ".join(f"{major}.{minor}" for major, minor in (first, (last[0], last[1] - 1)))
        return f"Numba {version} was not tested: {tested} were"
    missing = _missing_names() or [f"the pass {name}" for name in _missing_passes()]
    if not missing:
        return ""
    more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
    return f"Numba {version} lacks {', '.join(missing[:_SHOWN])}{more}"


def _missing_names() -> list[str]:
    """Return the names that are not there, without the attributes of classes that are not there."""
    missing = [name for name in all_names() if not _is_there(name)]
    return [name.replace(":", ".") for name in missing if not any(name.startswith(f"{other}.") for other in missing)]


def _is_there(name: str) -> bool:
    module, _, attributes = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for attribute in attributes.split("."):
            # A class may inherit another attribute of this name, such as an abstract method.
            found = vars(found)[attribute] if isinstance(found, type) else getattr(found, attribute)
    except (ImportError, AttributeError, KeyError):
        return False
    return True


def _missing_passes() -> list[str]:
    try:
        known = {pass_.__name__ for pass_, _ in _default_pipeline().passes}
    except Exception:  # one of the names above is there, but means something else
        known = set()
    return [name for name in PASSES if name not in known]


def _default_pipeline() -> Any:
    """Return the passes that Numba would run on a function."""
    from numba.core.compiler import DefaultPassBuilder, Flags, StateDict

    state = StateDict()
    state.flags, state.func_ir = Flags(), None
    return DefaultPassBuilder.define_nopython_pipeline(state)
