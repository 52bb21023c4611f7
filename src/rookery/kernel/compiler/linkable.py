"""Functions as modules of LLVM's language, to be linked into others: no wrapper for Python, no helper of Numba's."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rookery.kernel.compiler.kinds import NONE, Number, Tuple, Type, type_of


class Compiled(NamedTuple):
    """A function in LLVM's language, with all kernels that it calls.

    It takes a pointer to its result, a pointer to an exception, and its arguments as `kinds.flattened` describes them.
    It returns an ``i32``, which is 0 unless it raises an exception.
    """

    text: str  # the module
    symbol: str  # the function's name: the module's only symbol that is not internal
    return_type: Type
    argument_types: tuple[Type, ...]
    sources: frozenset[str]  # the files of the function and of all kernels in it
    external: frozenset[str]  # symbols that it needs


def compiled_ir(function: Callable[..., Any], examples: tuple[Any, ...], *, aliases: bool = False) -> Compiled:
    """Compile a function for arguments of the types of `examples`. It must not allocate.

    The module is optimised for the CPU that `rookery.kernel.cpu` names. Unless `aliases` is set, no array is written
    through one argument and read through another.
    """
    import llvmlite.binding as llvm
    import numba

    from rookery.kernel.compiler.choice import entry_options
    from rookery.kernel.compiling import register_pending

    register_pending()
    dispatcher = numba.njit(**entry_options(aliases))(function)
    dispatcher.compile(tuple(numba.typeof(example) for example in examples))
    (result,) = dispatcher.overloads.values()
    symbol, wrapper = result.fndesc.llvm_func_name, re.escape(result.fndesc.llvm_cpython_wrapper_name)
    text = re.sub(rf'(?ms)^define [^\n]*@"?{wrapper}"?\(.*?^}}\n', "", str(result.library._final_module))
    module = llvm.parse_assembly(re.sub(r"= common ((local_)?unnamed_addr )?global", "= internal global", text))
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name != symbol:
            value.linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    machine = llvm.Target.from_triple(module.triple).create_target_machine()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0)))
    external = {v.name for v in (*module.functions, *module.global_variables) if v.is_declaration}
    sources = {function.__code__.co_filename, *compiled_in(result.library)}
    return Compiled(
        str(module),
        symbol,
        _type(result.signature.return_type),
        tuple(map(type_of, examples)),
        frozenset(str(Path(file).resolve()) for file in sources),
        frozenset(name for name in external if not name.startswith("llvm.")),
    )


def compiled_in(library: Any) -> set[str]:
    """Return the source files of all kernels that were compiled into a result's library: see `lowering`."""
    seen, todo = {library}, [library]
    while todo:
        for inner in todo.pop()._linking_libraries:
            if inner not in seen:
                seen.add(inner)
                todo.append(inner)
    return {source for inner in seen if (source := getattr(inner, "rookery_source", None))}


def _type(kind: Any) -> Type:
    """Return one of our types for one of Numba's that a function returns."""
    from numba import types

    if kind == types.none:
        return NONE
    if isinstance(kind, types.BaseTuple):
        return Tuple(tuple(map(_type, kind)), getattr(kind, "instance_class", tuple))
    if isinstance(kind, types.Boolean):
        return Number("b", 1)
    if isinstance(kind, types.Integer | types.Float):
        letter = "f" if isinstance(kind, types.Float) else "i" if kind.signed else "u"
        return Number(letter, kind.bitwidth)
    raise TypeError(f"a function returns {kind}: expected a number, None, or a tuple of these")
