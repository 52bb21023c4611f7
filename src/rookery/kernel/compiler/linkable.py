"""Functions as modules of LLVM's language, to be linked into others: optimised, with no symbol but their own."""

from collections.abc import Callable
from typing import Any, NamedTuple

from rookery.kernel.compiler.kinds import Type
from rookery.kernel.compiler.unit import Unit
from rookery.kernel.native.units import machine
from rookery.kernel.settings import settings, target


class Compiled(NamedTuple):
    """A function in LLVM's language, with all kernels that it calls.

    It takes a pointer to its result, and its arguments as `kinds.flattened` describes them. It returns an ``i32``:
    0 unless an index is out of bounds, which is checked only if ``NUMBA_BOUNDSCHECK=1`` is set.
    """

    text: str  # the module
    symbol: str  # the function's name: the module's only symbol that is not internal
    return_type: Type
    argument_types: tuple[Type, ...]
    sources: frozenset[str]  # the files of the function and of all kernels in it
    external: frozenset[str]  # symbols that it needs


def compiled_ir(function: Callable[..., Any], examples: tuple[Any, ...], *, aliases: bool = False) -> Compiled:
    """Compile a function for arguments of the types of `examples`. It must not allocate.

    The module is optimised for the machine that `rookery.kernel.settings.target` describes, which need not be this one.
    Unless `aliases` is set, no array is written through one argument and read through another.
    """
    unit = Unit(function, examples, aliases)
    described = machine(*target())
    module = parsed(unit, described)
    if settings().optimised != "0":
        optimise(module, described)
    external = {v.name for v in (*module.functions, *module.global_variables) if v.is_declaration}
    return Compiled(
        str(module),
        unit.symbol,
        unit.return_type,
        unit.argument_types,
        unit.files(),
        frozenset(name for name in external if not name.startswith("llvm.")),
    )


def parsed(unit: Unit, described: Any) -> Any:
    """Return a unit as a module of llvmlite's for a machine, not optimised yet."""
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(unit.text(described.triple, str(described.target_data)))
    _link_instructions(module, unit.instructions())
    return module


def _link_instructions(module: Any, text: str) -> None:
    """Link the functions of instructions into a module. Each is inlined where it is called."""
    import llvmlite.binding as llvm

    if not text:
        return
    others = llvm.parse_assembly(text)
    others.triple, others.data_layout = module.triple, module.data_layout
    names = [function.name for function in others.functions if not function.is_declaration]
    module.link_in(others)
    for name in names:
        module.get_function(name).linkage = "internal"


def optimise(module: Any, described: Any) -> None:
    """Run LLVM's passes at level 3. Straight-line code is not vectorised."""
    import llvmlite.binding as llvm

    options = llvm.create_pipeline_tuning_options(3)
    options.loop_vectorization = True
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(described, options)
    builder.getModulePassManager().run(module, builder)


def assembly_of(compiled: Compiled) -> str:
    """Return the machine code of a function as text."""
    import llvmlite.binding as llvm

    return str(machine(*target()).emit_assembly(llvm.parse_assembly(compiled.text)))
