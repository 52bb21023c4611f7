"""Extension modules for wheels: units joined by one call of the linker."""

import os
import subprocess
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rookery.kernel.native.extension import module_of
from rookery.kernel.native.units import Unit, machine
from rookery.kernel.settings import target


class Part(NamedTuple):
    """A unit of an extension module."""

    unit: Unit
    objects: tuple[str, ...]  # of a marked function, by the names under which they are provided
    number: int  # of the objects that it uses


def link(name: str, parts: Sequence[Part], folder: Path) -> Path:
    """Link units to an extension module of a name, in a folder."""
    import llvmlite.binding as llvm

    folder.mkdir(parents=True, exist_ok=True)
    named = sorted(parts, key=lambda part: part.unit.symbol)
    lines = [f"{p.unit.symbol}\t{','.join(p.objects)}" if p.objects else p.unit.symbol for p in named]
    text = str(module_of(name, [(p.unit.symbol, p.number) for p in named], lines))
    objects = [folder / "module.o", *(folder / f"{i}.o" for i in range(len(named)))]
    objects[0].write_bytes(machine(*target()).emit_object(llvm.parse_assembly(text)))
    for file, part in zip(objects[1:], named, strict=True):
        file.write_bytes(part.unit.code)
    library = folder / f"{name}.abi3.so"
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    options = ["-shared", "-Wl,-z,text", "-Wl,--gc-sections", "-Wl,-s", "-Wl,--build-id=none"]
    subprocess.run([*compiler, *options, "-o", str(library), *map(str, objects)], check=True)
    return library
