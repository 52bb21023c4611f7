"""Extension modules for wheels: units joined by one call of the linker. Equal units give equal bytes.

No line of C is compiled: what joins the units is written in LLVM's language, see `extension` and `cpu_module`.
"""

import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rookery.kernel.native.cpu_module import cpu_module
from rookery.kernel.native.extension import module_of
from rookery.kernel.native.shipped import TWIN
from rookery.kernel.native.units import System, Unit, importing, machine
from rookery.kernel.targets import CPU_MODULE


def link(name: str, units: Iterable[Unit], names: Mapping[str, Sequence[str]], folder: Path, described: System) -> Path:
    """Link units to an extension module of a name, in a folder.

    `names` are the names under which objects are provided to marked functions, by the symbols of their units.
    `described` are LLVM's triple, CPU and features of the family that the units are for.
    """
    parts = sorted(units, key=lambda unit: unit.symbol)
    if unknown := [p.symbol for p in parts if p.symbol.startswith(TWIN) and p.symbol not in names]:
        raise ValueError(f"names: expected those of {', '.join(unknown)}")
    return _linked(name, [joining_object(name, parts, names, described), *(unit.code for unit in parts)], folder)


def joining_object(name: str, parts: Sequence[Unit], names: Mapping[str, Sequence[str]], described: System) -> bytes:
    """Return the object file that makes an extension module of units."""
    lines = [
        "\t".join([unit.symbol, *([",".join(names[unit.symbol])] if unit.symbol in names else [])]) for unit in parts
    ]
    module = module_of(name, [(unit.symbol, unit.objects) for unit in parts], lines, described[0])
    return _emitted(str(module), described)


def link_cpu_module(folder: Path, triple: str) -> Path:
    """Link the module that asks an x86-64 CPU for its features, which any of these CPUs can run."""
    import llvmlite.binding as llvm

    llvm.initialize_native_asmparser()
    return _linked(CPU_MODULE, [_emitted(str(cpu_module(triple)), (triple, "x86-64", ""))], folder)


def _emitted(source: str, described: System) -> bytes:
    """Return the object file of a module of LLVM's language."""
    import llvmlite.binding as llvm

    code: bytes = machine(*described).emit_object(llvm.parse_assembly(importing(source, described[0])))
    return code


def suffix() -> str:
    """Return how the names of extension modules end."""
    return ".pyd" if sys.platform == "win32" else ".abi3.so"


def _linked(name: str, objects: Sequence[bytes], folder: Path) -> Path:
    """Link object files to an extension module in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{name}{suffix()}"
    with tempfile.TemporaryDirectory() as scratch:
        files = []
        for i, code in enumerate(objects):
            files.append(f"{i:05}.o")
            (Path(scratch) / files[-1]).write_bytes(code)
        # A line of thousands of names is too long for some systems.
        (Path(scratch) / "objects").write_text("\n".join(files), encoding="ascii")
        (Path(scratch) / "exports").write_text(f"{{ global: PyInit_{name}; local: *; }};\n", encoding="ascii")
        command = _link_command(name, target.resolve())
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:6])} ...: {done.stderr.strip() or done.stdout.strip()}")
    return target


def _link_command(name: str, target: Path) -> list[str]:
    """Return the command that links: one call of the C compiler, or of Microsoft's linker."""
    compiler = (os.environ.get("CC") or "cc").split()
    if sys.platform == "win32":
        libraries = Path(sysconfig.get_config_var("installed_base") or sys.base_prefix) / "libs"
        options = ["/nologo", "/DLL", "/Brepro", "/OPT:REF", f"/EXPORT:PyInit_{name}", f"/LIBPATH:{libraries}"]
        imported = [
            f"python{sys.version_info.major}{sys.version_info.minor}.lib",
            "msvcrt.lib",
            "vcruntime.lib",
            "ucrt.lib",
        ]
        return ["link", *options, f"/OUT:{target}", *imported, "@objects"]
    if sys.platform == "darwin":
        strip = ["-Wl,-dead_strip", "-Wl,-x", f"-Wl,-exported_symbol,_PyInit_{name}"]
        return [*compiler, "-bundle", "-undefined", "dynamic_lookup", *strip, "-o", str(target), "@objects"]
    options = "-z,text -z,noexecstack --gc-sections -s --build-id=none --hash-style=gnu --version-script=exports"
    passed = [f"-Wl,{option}" for option in options.split()]
    return [*compiler, "-shared", "-nostdlib", *passed, "-o", str(target), "@objects"]
