"""Kernels as one WebAssembly module with SIMD: exported functions around them, and the arrays that they read.

The kernels are those of every entry, compiled anew for a portable target: LLVM's code for an x86 CPU may contain its
instructions. The linker of WebAssembly makes a module of the object file.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.kernel.compiler.kinds import SIGNED, WORD, NotedReads, flattened, type_of
from rookery.kernel.compiler.linkable import optimise, parsed
from rookery.kernel.compiler.unit import Unit
from rookery.kernel.settings import compiler_version, compiling_for, need_compiler
from rookery.lazy_imports import is_installed

TRIPLE: Final = "wasm32-unknown-unknown"
FEATURES: Final = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
_STACK: Final = 1 << 18  # bytes
_OLDEST, _NEWEST = 15, 24  # versions of LLVM
LENGTH: Final = "%length"  # the parameter with the number of elements of all arrays that a caller passes


class Parameter(NamedTuple):
    """A number that a caller passes: ``i32`` or ``i64``."""

    kind: str


class Passed(NamedTuple):
    """An array that a caller passes by its address. All arrays of a call have one length, its last parameter."""

    dtype: Any
    readonly: bool = True


SMALL, BITS = Parameter("i32"), Parameter("i64")


class Exported(NamedTuple):
    """An exported function.

    Each argument is a `Parameter`, a `Passed` array, an array of the module, or a tuple of these.
    """

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    returns: str = "i64"
    aliases: bool = False  # whether arrays may overlap
    is_internal: bool = False  # called by `add_sequence` only


class Assembly:
    """A module while it is put together."""

    def __init__(self) -> None:
        self.exports: list[str] = []
        self._arrays: dict[int, tuple[str, Any]] = {}  # by identity; the array is held
        self._definitions: dict[str, str] = {}
        self._wrappers: list[str] = []
        self._modules: list[Any] = []

    def constant(self, array: Any) -> Any:
        """Note an array whose content the module carries; equal ones are carried once. Return it."""
        content = np.ascontiguousarray(array).tobytes()
        name = f"data.{hashlib.sha256(content).hexdigest()[:24]}"
        if name not in self._definitions:
            escaped = "\\" + content.hex("\\") if content else ""
            self._definitions[name] = f'internal unnamed_addr constant [{len(content)} x i8] c"{escaped}", align 16'
        self._arrays[id(array)] = name, array
        return array

    def space(self, name: str, array: Any, *, is_exported: bool = False) -> Any:
        """Note an array that begins with zeros and takes no room in the file. Return it."""
        linkage = "" if is_exported else "internal "
        self._definitions[name] = f"{linkage}global [{array.nbytes} x i8] zeroinitializer, align 16"
        self._arrays[id(array)] = name, array
        if is_exported:
            self.exports.append(name)
        return array

    def flat(self, array: Any) -> Any:
        """Return an array of the module with one axis."""
        found = array.reshape(-1)
        self._arrays[id(found)] = self._arrays[id(array)][0], found
        return found

    def noted(self, table: Any, slot: Any) -> Any:
        """Return an array in place of a table, whose reads are noted in `slot`."""
        found = np.zeros(table.shape, table.dtype).view(NotedReads)
        self._arrays[id(found)] = self._arrays[id(slot)][0], found
        return found

    def add(self, exported: Exported) -> None:
        """Add a function. Raises `rookery.kernel.compiler.values.Unsupported` if the compiler cannot translate it."""
        import llvmlite.binding as llvm

        unit = Unit(exported.function, tuple(map(_example, exported.arguments)), exported.aliases)
        module = parsed(unit, machine())
        inner = f"{exported.name}.kernel"
        module.get_function(unit.symbol).name = inner
        text = str(module)
        text = re.sub(
            rf'^define (i32 @"{re.escape(inner)}"\(.*\)) #\d+', r"define \1 alwaysinline nounwind", text, flags=re.M
        )
        self._modules.append(llvm.parse_assembly(text))
        parameters: list[str] = []
        lines: list[str] = []
        passed = [part for a in exported.arguments for part in self._passed(a, parameters, lines)]
        if any(isinstance(a, Passed) for a in exported.arguments):
            parameters.append(f"i32 {LENGTH}")
            lines.append(f"{LENGTH}.wide = zext i32 {LENGTH} to i64")
        word = unit.return_type in (WORD, SIGNED)
        kinds = ", ".join(["ptr", *(part.split()[0] for part in passed)])
        returned = exported.returns if word else "void"
        body = [*lines, "%result = alloca i64", f'%failed = call i32 @"{inner}"({", ".join(["ptr %result", *passed])})']
        if word:
            body.append("%wide = load i64, ptr %result")
            if returned == "i32":
                body.append("%narrow = trunc i64 %wide to i32")
        value = {"void": "void", "i64": "i64 %wide", "i32": "i32 %narrow"}[returned]
        head = f'define {returned} @"{exported.name}"({", ".join(parameters)}) nounwind'
        self._wrappers += [f'declare i32 @"{inner}"({kinds})', f"{head} {{", *body, f"ret {value}", "}"]
        if not exported.is_internal:
            self.exports.append(exported.name)

    def add_sequence(self, name: str, functions: list[str]) -> None:
        """Add a function that calls others without parameters."""
        calls = [f'call void @"{function}"()' for function in functions]
        self._wrappers += [f'define void @"{name}"() nounwind {{', *calls, "ret void", "}"]
        self.exports.append(name)

    def add_address(self, name: str, array: Any) -> None:
        """Add a function that returns the address of an array of the module."""
        symbol, _ = self._arrays[id(array)]
        body = f'ret i32 ptrtoint (ptr @"{symbol}" to i32)'
        self._wrappers += [f'define i32 @"{name}"() nounwind {{', body, "}"]
        self.exports.append(name)

    def _passed(self, argument: Any, parameters: list[str], lines: list[str]) -> Iterator[str]:
        """Yield the operands that pass an argument of a wrapper to its kernel."""
        if isinstance(argument, Parameter):
            name = f"%p{len(parameters)}"
            parameters.append(f"{argument.kind} {name}")
            if argument.kind == "i32":
                lines.append(f"{name}.wide = zext i32 {name} to i64")
                name += ".wide"
            yield f"i64 {name}"
        elif isinstance(argument, Passed):
            name = f"%p{len(parameters)}"
            parameters.append(f"ptr {name}")
            yield from (f"ptr {name}", f"i64 {LENGTH}.wide")
        elif isinstance(argument, np.ndarray):
            symbol, array = self._arrays[id(argument)]
            yield f'ptr @"{symbol}"'
            yield from (f"i64 {extent}" for extent in array.shape)
        elif isinstance(argument, tuple):
            for item in argument:
                yield from self._passed(item, parameters, lines)
        elif isinstance(argument, np.integer):
            yield f"{next(flattened(type_of(argument)))} {int(argument)}"
        else:
            raise TypeError(f"{argument!r:.60}: expected a parameter, an array or a tuple")

    def module(self) -> bytes:
        """Return the WebAssembly module."""
        return linked(self._object_file(), self.exports)

    def _object_file(self) -> bytes:
        import llvmlite.binding as llvm

        described = machine()
        lines = [f'target datalayout = "{described.target_data}"', f'target triple = "{TRIPLE}"']
        lines += [f'@"{name}" = {definition}' for name, definition in self._definitions.items()]
        whole = llvm.parse_assembly("\n".join([*lines, *self._wrappers]))
        for module in self._modules:
            whole.link_in(module)
        kept = {*self.exports}
        for function in whole.functions:
            if not function.is_declaration and function.name not in kept:
                function.linkage = "internal"
        optimise(whole, described)
        code: bytes = described.emit_object(whole)
        return code


def _example(argument: Any) -> Any:
    if isinstance(argument, Parameter):
        return np.uint64(0)
    if isinstance(argument, Passed):
        array = np.zeros(1, argument.dtype)
        array.flags.writeable = not argument.readonly
        return array
    if isinstance(argument, tuple):
        items = map(_example, argument)
        return argument._make(items) if hasattr(argument, "_make") else tuple(items)
    return argument


def linker() -> list[str]:
    """Return the command of the linker. Raise a ModuleNotFoundError if there is none."""
    for name in ("wasm-ld", *(f"wasm-ld-{version}" for version in range(_NEWEST, _OLDEST - 1, -1))):  # Debian's names
        if found := shutil.which(name):
            return [found]
    if is_installed("ziglang"):
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    raise ModuleNotFoundError(
        "a WebAssembly module needs the linker wasm-ld: pip install ziglang, or install LLVM's lld",
        name="ziglang",
    )


def linked(code: bytes, exports: list[str]) -> bytes:
    """Link an object file to a module that imports nothing. It exports functions, arrays and its memory by name."""
    options = ["--no-entry", "--strip-all", "-z", f"stack-size={_STACK}", *(f"--export={name}" for name in exports)]
    with tempfile.TemporaryDirectory() as scratch:
        object_file, module = Path(scratch) / "kernels.o", Path(scratch) / "kernels.wasm"
        object_file.write_bytes(code)
        command = [*linker(), *options, "-o", str(module), str(object_file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")
        return module.read_bytes()


def machine() -> Any:
    """Return LLVM's description of WebAssembly with SIMD."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default"
    )


def version() -> str:
    """Return what a module depends on besides its sources."""
    return f"{compiler_version()}, {FEATURES}"


def portable() -> Any:
    """Return a context in which kernels are compiled for WebAssembly. Raise a ModuleNotFoundError if they cannot be."""
    need_compiler("a WebAssembly module")
    linker()
    return compiling_for(TRIPLE, "generic", FEATURES)
