"""Loading machine code without Numba, which takes most of a second to import and set up.

An `Image` holds what Numba stores of a compiled function: object code, the names of its parts, and the environments in
which they find Python objects. llvmlite loads it and links it to Numba's C helpers. The extension modules of these
helpers are loaded from their files under their own names, so that a later import of Numba finds them and there is one
of each. They are private to Numba, as are the names in `image_of`. If anything differs from what is expected here, an
exception is raised and the caller compiles instead. Tested with Numba 0.64.0 and 0.68.1.
"""

import atexit
import builtins
import ctypes
import functools
import importlib
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from types import ModuleType
from typing import Any, Final, NamedTuple

from rookery.kernel.settings import numba_folder, settings, target

_HELPERS: Final = {"numba._dynfunc": "numba_", "numba._helperlib": "numba_", "numba.core.runtime._nrt_python": "NRT_"}

_ENVIRONMENT: Final = "_ZN08NumbaEnv"


class Environment(NamedTuple):
    """The environment in which a compiled function finds the globals of its module."""

    name: str
    module: str
    constants: tuple[Any, ...]


class Image(NamedTuple):
    """A compiled function."""

    code: bytes  # an object file in the system's format
    entry_point: str
    name: str
    own: Environment
    others: tuple[Environment, ...]  # of the functions compiled into it, where there are constants
    symbols: tuple[str, ...]  # external symbols that it needs


def image_of(result: Any) -> Image | None:
    """Return the image of a result of Numba's compilation, or None if it depends on this process.

    It does if it holds an address, or an array over 1 MB.
    """
    library = result.library
    if library.has_dynamic_globals or result.reload_init or result.lifted:
        return None
    module = library._final_module
    external = [value.name for value in (*module.functions, *module.global_variables) if value.is_declaration]
    if any(name.startswith(".numba.") for name in external):
        return None

    def environment(env: Any) -> Environment:
        return Environment(env.env_name, env.globals["__name__"], tuple(env.consts))

    return Image(
        code=bytes(library._get_compiled_object()),
        entry_point=result.fndesc.llvm_cpython_wrapper_name,
        name=result.fndesc.qualname,
        own=environment(result.environment),
        # Of the hundreds of kernels inlined hardly any has constants.
        others=tuple(environment(env) for env in result._find_referenced_environments() if env.consts),
        symbols=tuple(name for name in external if not name.startswith("llvm.")),
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


def _helper(name: str) -> ModuleType:
    """Import one of Numba's extension modules."""
    if name in sys.modules or "numba.core.runtime" in sys.modules:
        return importlib.import_module(name)
    from importlib.util import module_from_spec, spec_from_file_location

    folder = numba_folder()
    if folder is None:
        raise ImportError(name)
    _, *packages, last = name.split(".")
    for suffix in EXTENSION_SUFFIXES:
        path = folder.joinpath(*packages, last + suffix)
        spec = spec_from_file_location(name, path) if path.is_file() else None
        if spec is not None and spec.loader is not None:
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            sys.modules[name] = module
            return module
    raise ImportError(name)


class _Private(NamedTuple):
    """The functions used from Numba's extension modules."""

    make_function: Any
    environment: Any


@functools.cache
def _linked() -> _Private:
    """Register Numba's C helpers with LLVM, as Numba does."""
    import llvmlite.binding as llvm

    alone = "numba.core.runtime.nrt" not in sys.modules
    modules = {name: _helper(name) for name in _HELPERS}
    dynfunc, runtime = modules["numba._dynfunc"], modules["numba.core.runtime._nrt_python"]
    private = _Private(dynfunc.make_function, dynfunc.Environment)
    addresses = {"_Py_NoneStruct": id(None)}
    for name, prefix in _HELPERS.items():
        for helper, address in modules[name].c_helpers.items():
            internal = prefix == "NRT_" and helper.startswith("_")
            addresses[helper if internal else prefix + helper] = address
    for name, value in vars(builtins).items():
        if isinstance(value, type) and issubclass(value, BaseException):
            addresses[f"PyExc_{name}"] = id(value)
    for symbol, address in addresses.items():
        llvm.add_symbol(symbol, address)
    if alone:  # importing Numba does both; doing them twice is harmless
        runtime.memsys_use_cpython_allocator()
        atexit.register(runtime.memsys_shutdown)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return private


def _engine() -> Any:
    """Return an engine of LLVM, set up as Numba sets up its own.

    Each image has its own engine, because two images made by two processes may use the same names.
    """
    import llvmlite.binding as llvm

    _, cpu, features = target()
    native = llvm.Target.from_triple(llvm.get_process_triple())
    model = "static" if native.name.startswith("x86") else "pic" if native.name.startswith("ppc") else "default"
    machine = native.create_target_machine(
        opt=3, cpu=cpu, features=features, reloc=model, codemodel="jitdefault", jit=True
    )
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine, use_lmm=settings().memory_manager)


def load(image: Image) -> Any:
    """Return the Python function of an image."""
    import llvmlite.binding as llvm

    private = _linked()
    environments = {}
    for kept in (image.own, *image.others):
        environments[kept.name] = environment = private.environment(vars(importlib.import_module(kept.module)))
        environment.consts.extend(kept.constants)
    engine = _engine()
    missing = [name for name in image.symbols if not name.startswith(_ENVIRONMENT) and not llvm.address_of_symbol(name)]
    if missing:  # LLVM would end the process
        raise ImportError(f"symbols unknown to LLVM: {missing}")
    engine.add_object_file(llvm.ObjectFileRef.from_data(image.code))
    engine.finalize_object()
    address = engine.get_function_address(image.entry_point)
    if not address:
        raise ImportError(f"no function {image.entry_point} in the image")
    for name, environment in environments.items():
        where = engine.get_global_value_address(name)
        if where:
            ctypes.c_void_p.from_address(where).value = id(environment)
    return private.make_function(
        sys.modules[image.own.module],
        image.name.rpartition(".")[2],
        f"compiled wrapper for {image.name!r}",
        address,
        environments[image.own.name],
        (engine, environments),
    )
