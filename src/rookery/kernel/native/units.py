"""Machine code of single native functions: compiled, loaded into this process, and given to Python.

A unit needs nothing but functions and objects of Python. It is position-independent, so the linker can put many of them
into an extension module; `load` puts one into this process.
"""

import ctypes
import functools
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

from rookery.kernel.native import layouts
from rookery.kernel.native.tables import functions_in_groups, in_groups, kernel_in_group, rename
from rookery.kernel.settings import settings, target

_OPTIMISED: Final = 3
_PYTHON: Final = ("Py", "_Py")
_LIBRARY: Final = frozenset(("memcpy", "memset", "memmove", "memcmp"))  # of C, which compilers may call


_INLINED: Final = re.compile(r"(?m)^(define (?!internal).*\)) .*#\d+ \{$")  # the head of a kernel, with its attributes
_SMALL: Final = 250  # lines of LLVM's language

System = tuple[str, str, str]  # LLVM's triple, CPU and features


class Unit(NamedTuple):
    """A native function as machine code."""

    symbol: str  # what its symbols begin with
    code: bytes  # an object file in the system's format
    external: tuple[str, ...]  # symbols that it needs
    objects: int  # the number of objects of Python's that it uses


class Loaded(NamedTuple):
    """A native function in this process: addresses of what `emit` describes."""

    definition: int
    objects: int


class Foreign(Exception):
    """Machine code that needs more than Python: Numba's helpers."""


def peek(value: Any, offset: int) -> int:
    """Return eight bytes of an object, from an offset on, as a number."""
    return ctypes.c_uint64.from_address(id(value) + offset).value


@functools.cache
def layouts_fit() -> bool:
    """Check that Python and NumPy keep their objects where wrappers read them."""
    return layouts.fit(peek) and layouts.fit_arrays(peek)


def machine(triple: str, cpu: str, features: str) -> Any:
    """Return LLVM's description of a machine, for code that does not depend on its position."""
    import llvmlite.binding as llvm

    if triple == llvm.get_process_triple():
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    else:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=features, opt=_OPTIMISED, reloc="pic", codemodel="small"
    )


def for_machine(text: str, described: Any) -> str:
    """Return a module of LLVM's language for another machine. It must not use instructions of one kind of CPU."""
    text = re.sub(r"(?m)^target triple = .*$", f'target triple = "{described.triple}"', text)
    return re.sub(r"(?m)^target datalayout = .*$", f'target datalayout = "{described.target_data}"', text)


def importing(text: str, triple: str) -> str:
    """Return a module of LLVM's language that reads Python's objects as its system requires.

    On Windows they are in another library, and only their addresses are in a table of imports.
    """
    if "windows" not in triple:
        return text
    return re.sub(r'(?m)^(@"?_?Py\w+"?) = external global', r"\1 = external dllimport global", text)


def joined(
    wrapper: Any, kernel: Any, symbol: str, system: System | None = None, *, inline: bool = False
) -> tuple[Any, Any]:
    """Return a module of LLVM with a wrapper and its kernel, and the machine it is for.

    All symbols are internal but the definition, the objects, and what is in groups (see `tables`). `kernel` is a
    `compiler.linkable.Compiled`, and `system` is that of `target` unless given. With `inline`, a small kernel becomes a
    part of the wrapper, which saves 2 ns a call.
    """
    import llvmlite.binding as llvm

    described = machine(*(system or target()))
    kernel_text = kernel.text
    if system is not None:
        wrapper.triple, kernel_text = described.triple, for_machine(kernel_text, described)
    text = functions_in_groups(importing(str(wrapper), described.triple), described.triple)
    module = llvm.parse_assembly(text)
    module.data_layout = str(described.target_data)
    passes = llvm.create_pass_builder(described, llvm.create_pipeline_tuning_options(speed_level=2))
    passes.getModulePassManager().run(module, passes)
    small = inline and _is_small(kernel_text, kernel.symbol)
    names: dict[str, str] = {}
    if small:
        grouped = _INLINED.sub(r"\1 alwaysinline {", kernel_text)
    else:
        grouped, names = kernel_in_group(kernel_text, kernel.symbol)
    grouped, tables = in_groups(grouped)
    names |= tables
    linked = llvm.parse_assembly(grouped)
    linked.link_in(module)
    external = {f"{symbol}.definition", f"{symbol}.objects"}
    for value in (*linked.functions, *linked.global_variables):
        if not value.is_declaration and value.name not in external and value.linkage != llvm.Linkage.linkonce_odr:
            value.linkage = "internal"
    if small:
        passes = llvm.create_pass_builder(described, llvm.create_pipeline_tuning_options(speed_level=2))
        manager = llvm.create_new_module_pass_manager()
        manager.add_always_inliner_pass()
        manager.add_sroa_pass()
        manager.add_instruction_combine_pass()
        manager.add_simplify_cfg_pass()
        manager.add_global_dead_code_eliminate_pass()
        manager.run(linked, passes)
    rename(linked, names)
    return linked, described


def _is_small(kernel_text: str, symbol: str) -> bool:
    """Return whether a kernel is short enough for a copy of its own: large ones are shared, and gain less."""
    body = re.search(rf'(?ms)^define [^\n]*@"?{re.escape(symbol)}"?\(.*?^\}}', kernel_text)
    return body is not None and body.group().count("\n") <= _SMALL


def unit_of(wrapper: Any, kernel: Any, symbol: str, system: System | None = None, *, inline: bool = False) -> Unit:
    """Return the machine code of a wrapper with its kernel. Raise `Foreign` if it needs more than Python."""
    module, described = joined(wrapper, kernel, symbol, system, inline=inline)
    names = [value.name for value in (*module.functions, *module.global_variables) if value.is_declaration]
    external = tuple(name for name in names if not name.startswith("llvm."))
    if foreign := [name for name in external if not name.startswith(_PYTHON) and name not in _LIBRARY]:
        raise Foreign(", ".join(foreign))
    objects = wrapper.globals[f"{symbol}.objects"].value_type.count
    return Unit(symbol, described.emit_object(module), external, objects)


def load(unit: Unit) -> Loaded:
    """Load a unit into this process. Each has its own engine, because two may use the same names."""
    import llvmlite.binding as llvm

    # One block of memory for all sections: parts of a small code model must lie within 2 GB of each other, and where a
    # process has mapped much, LLVM's own manager puts them further apart and ends the process.
    chosen = settings().memory_manager
    engine = llvm.create_mcjit_compiler(
        llvm.parse_assembly(""), machine(*target()), use_lmm=True if chosen is None else chosen
    )
    if missing := [name for name in unit.external if not llvm.address_of_symbol(name)]:  # LLVM would end the process
        raise ImportError(f"symbols unknown to LLVM: {missing}")
    engine.add_object_file(llvm.ObjectFileRef.from_data(unit.code))
    engine.finalize_object()
    definition, objects = (
        engine.get_global_value_address(f"{unit.symbol}.{name}") for name in ("definition", "objects")
    )
    if not definition or not objects:
        raise ImportError(f"no {unit.symbol} in its machine code")
    _keep_for_ever(engine)
    return Loaded(definition, objects)


def _keep_for_ever(value: Any) -> None:
    """Keep an object until the process ends.

    The garbage collector may let go of machine code before a function of Python whose definition lies in it, and reads
    the definition of a function that it lets go. So machine code stays, as that of extension modules does.
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))


def _given(loaded: Loaded, objects: tuple[Any, ...], documentation: bytes) -> None:
    """Give a native function its documentation and the objects that it uses. Whoever calls this keeps them."""
    ctypes.c_char_p.from_address(loaded.definition + layouts.DOCUMENTATION).value = documentation
    addresses = (ctypes.c_void_p * len(objects)).from_address(loaded.objects)
    for i, value in enumerate(objects):
        addresses[i] = id(value)


def _python(name: str, *arguments: Any) -> Callable[..., Any]:
    function = getattr(ctypes.pythonapi, name)
    function.restype, function.argtypes = ctypes.py_object, list(arguments)
    return cast(Callable[..., Any], function)


def as_function(loaded: Loaded, objects: tuple[Any, ...], module: str, documentation: bytes) -> Callable[..., Any]:
    """Return a native function as a function of Python that belongs to a module."""
    _given(loaded, objects, documentation)
    make = _python("PyCFunction_NewEx", ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
    return cast(Callable[..., Any], make(loaded.definition, (objects, documentation), module))


def as_method(loaded: Loaded, objects: tuple[Any, ...], owner: type, documentation: bytes, *, is_getter: bool) -> Any:
    """Return a native function as a method or an attribute of a class."""
    _given(loaded, objects, documentation)
    name = "PyDescr_NewGetSet" if is_getter else "PyDescr_NewMethod"
    _keep_for_ever((objects, documentation))
    return _python(name, ctypes.py_object, ctypes.c_void_p)(owner, loaded.definition)


def into_slot(loaded: Loaded, objects: tuple[Any, ...], owner: type) -> None:
    """Put a native function in a slot of a class, if Python says that the slot is where it is expected."""
    word = ctypes.c_uint64
    structure, offset, function = (
        word.from_address(loaded.definition + place).value
        for place in (layouts.SLOT_STRUCTURE, layouts.SLOT_OFFSET, layouts.SLOT_FUNCTION)
    )
    number = word.from_address(loaded.definition + layouts.SLOT_NUMBER).value
    holder = word.from_address(id(owner) + structure).value if structure else id(owner)
    ask = ctypes.pythonapi.PyType_GetSlot
    ask.restype, ask.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_int]
    before = ask(owner, number)
    if not before or word.from_address(holder + offset).value != before:
        return
    _given(loaded, objects, b"")
    _keep_for_ever(objects)
    word.from_address(loaded.definition + layouts.SLOT_BEFORE).value = before
    word.from_address(holder + offset).value = function
